"""Outputs: large tables have row groups of one size, empty ones a schema."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq

from plausibly.corpus._outputs import ROWS, write_sorted
from plausibly.io import read_table
from plausibly.tables import COUNTS, SVO


def test_row_groups_have_one_size_whatever_the_batches(tmp_path: Path) -> None:
    size = 2 * ROWS + 5
    table = pa.table(
        {
            "relation": ["amod"] * size,
            "head": [f"{number:07}" for number in range(size)],
            "dependent": ["x"] * size,
            "count": range(size),
        }
    )
    assert write_sorted(table.to_batches(50_000), tmp_path / "x.parquet", COUNTS) == size
    kept = pq.ParquetFile(tmp_path / "x.parquet")
    groups = [kept.metadata.row_group(place).num_rows for place in range(kept.num_row_groups)]
    assert groups == [ROWS, ROWS, 5]
    assert kept.read().equals(table)


def test_no_rows_are_a_table_all_the_same(tmp_path: Path) -> None:
    assert write_sorted([], tmp_path / "x.parquet", SVO) == 0
    assert read_table(tmp_path / "x.parquet", SVO).equals(SVO.empty())
    assert pl.read_parquet_schema(tmp_path / "x.parquet") == dict(SVO.schema)
