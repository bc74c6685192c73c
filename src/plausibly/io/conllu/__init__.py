"""CoNLL-U: sentences one by one, and whole blocks as columns (`columns`)."""

from plausibly.io.conllu._sentences import (
    COLUMNS,
    LONGEST_LINE,
    BadLine,
    blocks,
    blocks_of,
    is_number,
    is_pair,
    read_block,
    to_blank_line,
    write_block,
)

__all__ = [
    "COLUMNS",
    "LONGEST_LINE",
    "BadLine",
    "blocks",
    "blocks_of",
    "is_number",
    "is_pair",
    "read_block",
    "to_blank_line",
    "write_block",
]
