"""Counts as files an engine can read, whatever form they come in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plausibly.ports import Engine

BAD_ROWS = """
SELECT CAST(count(*) AS BIGINT) AS bad
FROM counts
WHERE relation IS NULL OR head IS NULL OR dependent IS NULL OR count IS NULL OR count < 1
"""
"""How many rows lack a word or count nothing."""

REPEATED = """
SELECT relation, head, dependent
FROM counts
GROUP BY relation, head, dependent
HAVING count(*) > 1
ORDER BY relation, head, dependent
LIMIT 1
"""
"""A pair that stands in the table twice, if there is one."""


def register_counts(path: Path, engine: Engine, scratch: Path) -> None:
    """Give the engine the table `counts`: a file, or what lies in the folder `extract` wrote.

    Files of other types than Parquet are checked against the contract and written to the scratch
    folder; Parquet may be too large for that, so the engine checks it.
    """
    from plausibly.errors import TableError

    files = _counts_files(path, scratch)
    engine.register("counts", files)
    bad = next(iter(_rows(engine, BAD_ROWS)))[0]
    if bad:
        raise TableError(
            f"{path}: {bad} rows have an empty relation, head or dependent, or a count below 1. "
            "Leave them out, or count the corpus again with 'plausibly extract'."
        )
    for pair in _rows(engine, REPEATED):
        raise TableError(
            f"{path}: the pair {' '.join(pair)!r} stands there more than once. "
            "Add its counts up and keep one row."
        )


def _rows(engine: Engine, statement: str) -> list[tuple[str, ...]]:
    batches = [batch.to_pydict() for batch in engine.rows(statement)]
    return [row for batch in batches for row in zip(*batch.values(), strict=True)]


def _counts_files(path: Path, scratch: Path) -> list[Path]:
    from plausibly.errors import TableError
    from plausibly.io import read_table, write_frame
    from plausibly.tables import COUNTS

    if path.is_dir():
        found = sorted(path.glob("counts*.parquet"))
        if not found:
            raise TableError(f"{path}: no counts.parquet in this folder. Name the counts file.")
    elif path.suffix == ".parquet":
        found = [path]
    else:
        found = [scratch / "counts.parquet"]
        write_frame(read_table(path, COUNTS), found[0])
    for file in found:
        _check_schema(file)
    return found


def _check_schema(file: Path) -> None:
    """Raise a TableError unless a Parquet file has the columns of counts in their types."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from plausibly.errors import TableError
    from plausibly.tables import COUNTS

    try:
        schema = pq.read_schema(file)
    except (pa.ArrowInvalid, OSError) as error:
        raise TableError(f"{file}: not a Parquet file ({error}).") from error
    for column in COUNTS.schema:
        if column not in schema.names:
            raise TableError(
                f"{file}: no column {column!r}. Columns found: {', '.join(schema.names)}."
            )
        kind = schema.field(column).type
        held = kind.value_type if pa.types.is_dictionary(kind) else kind
        expected = "whole numbers" if column == "count" else "text"
        fits = pa.types.is_integer(held) if column == "count" else _is_text(held)
        if not fits:
            raise TableError(f"{file}: column {column!r} holds {kind}, expected {expected}.")


def _is_text(kind: object) -> bool:
    return str(kind) in ("string", "large_string", "string_view")
