"""Outputs: sorted batches to one Parquet file whose bytes depend on the rows alone."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from plausibly.domain import Triple
from plausibly.io import replacing
from plausibly.tables import SVO, Table

ROWS = 1 << 17


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedTriple(Triple):
    """A triple, and how many of its occurrences are negated, modal, a question, with a particle."""

    negated: int
    modal: int
    question: int
    particle: int


MARKED_SVO = Table("svo", MarkedTriple, key=SVO.key)


def write_sorted(batches: Iterable[pa.RecordBatch], path: Path, table: Table) -> int:
    """Write rows that come sorted, in row groups of one size, and return how many there were.

    The file is the same whatever engine the rows come from and however it batches them.
    """
    columns = table.schema
    schema = pa.schema(
        [(name, pa.string() if kind == pl.String else pa.int64()) for name, kind in columns.items()]
    )
    written = 0
    with replacing(path) as temporary, pq.ParquetWriter(temporary, schema, **_FORM) as writer:
        waiting: list[pa.Table] = []
        for batch in batches:
            waiting.append(pa.Table.from_batches([batch]).select(list(columns)).cast(schema))
            while sum(part.num_rows for part in waiting) >= ROWS:
                together = pa.concat_tables(waiting).combine_chunks()
                writer.write_table(together.slice(0, ROWS).combine_chunks(), row_group_size=ROWS)
                waiting = [together.slice(ROWS)]
                written += ROWS
        rest = pa.concat_tables(waiting).combine_chunks() if waiting else schema.empty_table()
        writer.write_table(rest, row_group_size=ROWS)
        return written + int(rest.num_rows)


_FORM = {"compression": "zstd", "version": "2.6", "store_schema": False}
