"""The embedded engine: work over shards in processes, statements within bounds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from plausibly.backends.duckdb import DuckdbEngine
from plausibly.backends.engines import engine_named
from plausibly.errors import StudyError, UnknownName
from worlds.shards import die, double, fail


@pytest.mark.parametrize("workers", [1, 3])
def test_every_shard_is_worked_on_once_where_it_should_be(workers: int) -> None:
    engine = DuckdbEngine(workers=workers)
    found = [outcome.result for outcome in engine.each(double, range(20))]
    assert sorted(result for result, _ in found) == list(range(0, 40, 2))
    assert (os.getpid() in {process for _, process in found}) == (workers == 1)
    engine.close()


@pytest.mark.parametrize("workers", [1, 2])
def test_shards_are_taken_no_further_ahead_than_needed(workers: int) -> None:
    taken: list[int] = []

    def shards() -> Iterator[int]:
        for number in range(50):
            taken.append(number)
            yield number

    engine = DuckdbEngine(workers=workers)
    outcomes = engine.each(double, shards())
    next(outcomes)
    assert len(taken) <= 2 * workers
    assert sum(1 for _ in outcomes) == 49
    engine.close()


def test_a_dead_worker_is_an_error_that_says_what_to_do() -> None:
    with pytest.raises(
        StudyError, match=r"a worker process died repeatedly.*the same command again"
    ):
        list(DuckdbEngine(workers=2).each(die, range(3)))


def test_an_error_of_the_work_comes_through() -> None:
    with pytest.raises(StudyError, match="shard 0 needs an extra"):
        list(DuckdbEngine(workers=2).each(fail, [0]))


def test_files_of_one_schema_are_one_table(tmp_path: Path) -> None:
    files = [tmp_path / f"it's {number}.parquet" for number in range(3)]
    for number, file in enumerate(files):
        pq.write_table(pa.table({"word": [f"w{number}"], "count": [number]}), file)
    engine = DuckdbEngine(workers=1)
    engine.register("words", files)
    engine.register("words", files[1:])
    rows = [
        row
        for batch in engine.rows("SELECT * FROM words ORDER BY word")
        for row in batch.to_pylist()
    ]
    assert rows == [{"word": "w1", "count": 1}, {"word": "w2", "count": 2}]
    assert engine.name.startswith("duckdb ")
    engine.close()


def test_a_statement_that_outgrows_its_memory_and_has_no_disk_says_so(tmp_path: Path) -> None:
    many = "SELECT 7 * i AS j, count(*) FROM range(9000000) t(i) GROUP BY j ORDER BY j"
    engine = DuckdbEngine(workers=1, memory="30MB")
    with pytest.raises(StudyError, match="memory or disk"):
        list(engine.rows(many))
    engine.close()


def test_settings_that_mean_nothing_are_refused() -> None:
    for memory in ("much", "1B", "3MB", "-2GB"):
        with pytest.raises(StudyError, match="memory must be a size such as 2GB"):
            DuckdbEngine(memory=memory)


def test_an_unknown_engine_is_refused() -> None:
    with pytest.raises(UnknownName, match="Known: duckdb, spark"):
        engine_named("duckdbb")
