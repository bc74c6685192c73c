"""Files to tables and back: formats by suffix, atomic writes, checksums."""

from plausibly.io.atomic import filling, replacing, write_bytes, write_text
from plausibly.io.cells import read_cells
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
from plausibly.io.opening import is_packed, read_bytes, suffix_of
from plausibly.io.rows import Rows, read_records, read_rows

__all__ = [
    "Rows",
    "check_rows",
    "content_hash",
    "file_hash",
    "filling",
    "is_packed",
    "read_bytes",
    "read_cells",
    "read_records",
    "read_rows",
    "read_table",
    "renamed",
    "replacing",
    "suffix_of",
    "write_bytes",
    "write_frame",
    "write_json",
    "write_table",
    "write_text",
]
