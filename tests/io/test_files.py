"""Writing files: whole or not at all, and read back as they were."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plausibly.errors import StudyError, TableError
from plausibly.io import content_hash, frame_hash, read_table, replacing, write_json, write_table
from plausibly.tables import RATINGS
from worlds.tables import ratings_of

SUFFIXES = [".csv", ".tsv", ".jsonl", ".json", ".parquet"]
ENDLESS = """
import sys, time
from pathlib import Path
from plausibly.io import replacing
with replacing(Path(sys.argv[1])) as temporary:
    with temporary.open("wb") as target:
        for _ in range(10_000):
            target.write(b"new" * 1000)
            target.flush()
            print("writing", flush=True)
            time.sleep(0.01)
"""


@pytest.mark.parametrize("suffix", [*SUFFIXES, *(f"{suffix}.gz" for suffix in SUFFIXES)])
def test_what_is_written_is_read_back(tmp_path: Path, suffix: str) -> None:
    ratings = ratings_of({"t1": "55-2", 'odd, "item"\n': "1234", "t3": ["ja", "né", "50 %", "-"]})
    path = tmp_path / f"ratings{suffix}"
    written = write_table(ratings, path, RATINGS)
    assert read_table(path, RATINGS).equals(written)


def test_a_killed_write_leaves_the_old_file_whole(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text("old and whole")
    writer = subprocess.Popen(
        [sys.executable, "-c", ENDLESS, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    for _ in range(5):
        assert writer.stdout.readline() == "writing\n"
    os.kill(writer.pid, signal.SIGKILL)
    writer.communicate()
    assert path.read_text() == "old and whole"
    assert len(list(tmp_path.iterdir())) == 2, "the killed process had begun a temporary file"
    with replacing(path) as temporary:
        temporary.write_text("new and whole")
    assert path.read_text() == "new and whole"
    assert [entry.name for entry in tmp_path.iterdir()] == ["ratings.csv"]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    write_json(path, {"a": 1})
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(path, {"a": float("nan")})
    with pytest.raises(StudyError, match="surrogate"), replacing(path) as temporary:
        temporary.write_text("half of it \ud800", encoding="utf-8")
    assert path.read_text() == '{\n  "a": 1\n}\n'
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.json"]


def test_a_broken_table_is_not_written(tmp_path: Path) -> None:
    twice = pl.concat([ratings_of({"t1": "5"})] * 2)
    with pytest.raises(TableError, match="more than one row for item='t1'"):
        write_table(twice, tmp_path / "r.parquet", RATINGS)
    assert not list(tmp_path.iterdir())


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="no such folder"):
        write_json(tmp_path / "nowhere" / "x.json", {})


def test_rows_are_written_in_the_order_of_the_key(tmp_path: Path) -> None:
    ratings = ratings_of({"b": "12", "a": "34"})
    written = write_table(ratings.reverse(), tmp_path / "r.csv", RATINGS)
    assert written["item"].to_list() == ["a", "a", "b", "b"]


@given(st.permutations(range(8)))
def test_the_content_hash_forgets_row_order_and_times(order: list[int]) -> None:
    ratings = ratings_of({"t1": "1234", "t2": "5432"})
    timed = ratings.with_columns(submitted=pl.lit("later"), seconds=pl.lit(1.5))
    assert content_hash(ratings[order], RATINGS) == content_hash(ratings, RATINGS)
    assert content_hash(timed, RATINGS) == content_hash(ratings, RATINGS)


def test_the_content_hash_sees_every_answer() -> None:
    first, second = ratings_of({"t1": "1234"}), ratings_of({"t1": "1235"})
    assert content_hash(first, RATINGS) != content_hash(second, RATINGS)


def test_two_writes_give_the_same_bytes(tmp_path: Path) -> None:
    ratings = ratings_of({"t1": "1234", "t2": "5432"})
    for name in ("a.parquet", "a.csv.gz"):
        first, second = tmp_path / name, tmp_path / f"second-{name}"
        write_table(ratings, first, RATINGS)
        time.sleep(0.01)
        write_table(ratings.reverse(), second, RATINGS)
        assert first.read_bytes() == second.read_bytes()


def test_equal_frames_have_equal_hashes_whatever_memory_holds_below_missing_values() -> None:
    rows = pl.DataFrame({"text": ["otter", None, "ladder", None]})
    is_short = pl.col("text").str.len_chars() < 10
    masked = pl.DataFrame({"text": ["otter", "misrepresentation", "ladder", "n/a"]})
    masked = masked.with_columns(text=pl.when(is_short & (pl.col("text") != "n/a")).then("text"))
    assert masked.equals(rows)
    assert frame_hash(masked) == frame_hash(rows)
    assert frame_hash(rows.reverse()) != frame_hash(rows)
