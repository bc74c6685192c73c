"""Files to tables and back: formats by suffix, atomic writes, checksums."""

from plausibly.io.atomic import (
    check_target,
    filling,
    make_folder,
    replacing,
    sparing,
    write_bytes,
    write_text,
)
from plausibly.io.cells import read_cells
from plausibly.io.failures import reading, writing
from plausibly.io.files import (
    check_rows,
    content_hash,
    file_hash,
    read_table,
    renamed,
    write_frame,
    write_json,
    write_table,
)
from plausibly.io.opening import (
    Flaw,
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
from plausibly.io.rows import Rows, frame_rows, read_records, read_rows, text_rows

__all__ = [
    "Flaw",
    "Rows",
    "check_rows",
    "check_target",
    "content_hash",
    "file_hash",
    "filling",
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
    "text_rows",
    "write_bytes",
    "write_frame",
    "write_json",
    "write_table",
    "write_text",
    "writing",
]
