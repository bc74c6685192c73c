"""Counts as files an engine can read, whatever form they come in."""

from __future__ import annotations

from pathlib import Path


def counts_files(path: Path, scratch: Path) -> list[Path]:
    """Return the Parquet files of a counts table: a file, or the folder `extract` wrote.

    Files of other types are checked against the contract and written to the scratch folder.
    Parquet is checked for its columns only, since it may be too large to read whole.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

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
        try:
            columns = pq.read_schema(file).names
        except pa.ArrowInvalid as error:
            raise TableError(f"{file}: not a Parquet file ({error}).") from error
        missing = [column for column in COUNTS.schema if column not in columns]
        if missing:
            raise TableError(
                f"{file}: no column {missing[0]!r}. Columns found: {', '.join(columns)}."
            )
    return found
