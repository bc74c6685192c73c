"""Files to tables and back: formats by suffix, atomic writes, checksums.

A name is imported when it is first used: what reads settings needs no library of tables.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

_PLACES = {
    "check_rows": "files",
    "check_target": "atomic",
    "content_hash": "files",
    "file_hash": "opening",
    "filling": "atomic",
    "Flaw": "opening",
    "frame_hash": "files",
    "frame_rows": "rows",
    "is_packed": "opening",
    "json_value": "opening",
    "make_folder": "atomic",
    "parse_json": "opening",
    "parse_toml": "opening",
    "read_bytes": "opening",
    "read_cells": "cells",
    "read_json": "opening",
    "read_records": "rows",
    "read_rows": "rows",
    "read_settings": "opening",
    "read_table": "files",
    "read_text": "opening",
    "read_toml": "opening",
    "reading": "failures",
    "renamed": "files",
    "replacing": "atomic",
    "Rows": "rows",
    "sparing": "atomic",
    "suffix_of": "opening",
    "sweep": "atomic",
    "text_rows": "rows",
    "write_bytes": "atomic",
    "write_frame": "files",
    "write_json": "atomic",
    "write_table": "files",
    "write_tables": "files",
    "write_text": "atomic",
    "writing": "failures",
}

__all__ = [
    "Flaw",
    "Rows",
    "check_rows",
    "check_target",
    "content_hash",
    "file_hash",
    "filling",
    "frame_hash",
    "frame_rows",
    "is_packed",
    "json_value",
    "make_folder",
    "parse_json",
    "parse_toml",
    "read_bytes",
    "read_cells",
    "read_json",
    "read_records",
    "read_rows",
    "read_settings",
    "read_table",
    "read_text",
    "read_toml",
    "reading",
    "renamed",
    "replacing",
    "sparing",
    "suffix_of",
    "sweep",
    "text_rows",
    "write_bytes",
    "write_frame",
    "write_json",
    "write_table",
    "write_tables",
    "write_text",
    "writing",
]

if TYPE_CHECKING:
    from plausibly.io.atomic import (
        check_target,
        filling,
        make_folder,
        replacing,
        sparing,
        sweep,
        write_bytes,
        write_json,
        write_text,
    )
    from plausibly.io.cells import (
        read_cells,
    )
    from plausibly.io.failures import (
        reading,
        writing,
    )
    from plausibly.io.files import (
        check_rows,
        content_hash,
        frame_hash,
        read_table,
        renamed,
        write_frame,
        write_table,
        write_tables,
    )
    from plausibly.io.opening import (
        Flaw,
        file_hash,
        is_packed,
        json_value,
        parse_json,
        parse_toml,
        read_bytes,
        read_json,
        read_settings,
        read_text,
        read_toml,
        suffix_of,
    )
    from plausibly.io.rows import (
        Rows,
        frame_rows,
        read_records,
        read_rows,
        text_rows,
    )


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'plausibly.io' has no attribute {name!r}")
    value = getattr(import_module(f"plausibly.io.{_PLACES[name]}"), name)
    globals()[name] = value
    return value
