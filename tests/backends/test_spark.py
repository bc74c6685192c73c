"""Spark: every statement gives the rows DuckDB gives, and lost executors do not show."""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from plausibly.backends.duckdb import DuckdbEngine
from plausibly.backends.spark import SparkEngine, refuse_unreachable
from plausibly.corpus import Request, Source, _shards, _staging, extract
from plausibly.corpus._statements import STATEMENTS, filled
from plausibly.errors import StudyError
from plausibly.ports import Engine
from plausibly.stimuli.adept.candidates import AMOD, PAIR_COUNTS
from plausibly.stimuli.counts import CountStore
from plausibly.stimuli.sp10k.building import PairDesign, build_sp10k
from plausibly.stimuli.sp10k.surveys import wording
from worlds.pair_counts import counts
from worlds.shards import double, fail
from worlds.trees import DOG, GIRL, HUNDREDS, SAYS, LineParser, conllu

pytestmark = pytest.mark.java

WORDS = ("dog", "Dog", "dög", "dogs", "日本", "z", "a b", "it's", "\U0001f600", "~", "é")


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkEngine]:
    running = SparkEngine("spark")
    yield running
    running.close()


@pytest.fixture
def duckdb() -> Iterator[DuckdbEngine]:
    running = DuckdbEngine(workers=1)
    yield running
    running.close()


@pytest.fixture
def tables(tmp_path: Path) -> dict[str, list[Path]]:
    """Return tables of every kind statements ask for, in files of uneven size."""
    heads = [(r, h, d) for r in ("amod", "dobj", "svo") for h in WORDS for d in WORDS]
    pairs = pa.table(
        {
            "relation": [r for r, _, _ in heads],
            "head": [h for _, h, _ in heads],
            "dependent": [d for _, _, d in heads],
            "object": [d if r == "svo" else "" for r, _, d in heads],
            "count": [n % 4 + 1 for n in range(len(heads))],
            "negated": [n % 2 for n in range(len(heads))],
            "modal": [n % 3 for n in range(len(heads))],
            "question": [0 for n in range(len(heads))],
            "particle": [1 for n in range(len(heads))],
        }
    )
    sentences = pa.table(
        {
            "relation": [r for r, _, _ in heads] * 4,
            "head": [h for _, h, _ in heads] * 4,
            "dependent": [d for _, _, d in heads] * 4,
            "object": [d if r == "svo" else "" for r, _, d in heads] * 4,
            "hash": [f"{n * 7919 % 10_007:05}" for n in range(4 * len(heads))],
            "document": [str(n % 13) for n in range(4 * len(heads))],
            "place": list(range(4 * len(heads))),
            "sentence": [f"{n} {h}" for n, (_, h, _) in enumerate(heads * 4)],
        }
    )
    triples = pa.table({"subject": WORDS, "verb": WORDS, "object": WORDS, "count": range(11)})
    documents = pa.table({"document": [str(n) for n in range(200)]})
    found = {}
    for name, table in {
        "pairs": pairs,
        "sentences": sentences,
        "counts": pairs.drop(["object"]),
        "triples": triples,
        "documents": documents,
    }.items():
        found[name] = [tmp_path / f"{name} {n}.parquet" for n in range(2)]
        pq.write_table(table.slice(0, 7), found[name][0])
        pq.write_table(table.slice(7), found[name][1])
    return found


def rows(engine: Engine, statement: str) -> list[dict[str, Any]]:
    return [row for batch in engine.rows(statement) for row in batch.to_pylist()]


@pytest.mark.parametrize("name", sorted(STATEMENTS))
def test_every_statement_gives_the_same_rows_in_the_same_order(
    name: str, tables: dict[str, list[Path]], spark: SparkEngine, duckdb: DuckdbEngine
) -> None:
    for engine in (spark, duckdb):
        for table, files in tables.items():
            engine.register(table, files)
    statement = filled(
        STATEMENTS[name], relation="dobj", min_count=2, seed=7, articles=20, examples=3
    )
    ours = rows(duckdb, statement)
    assert rows(spark, statement) == ours
    assert ours


def test_work_is_done_once_per_shard_in_other_processes(spark: SparkEngine) -> None:
    outcomes = list(spark.each(double, range(11)))
    assert sorted(outcome.result[0] for outcome in outcomes) == list(range(0, 22, 2))
    assert os.getpid() not in {outcome.result[1] for outcome in outcomes}
    assert {outcome.attempt for outcome in outcomes} == {1}


def test_an_error_of_the_work_comes_through(spark: SparkEngine) -> None:
    with pytest.raises(StudyError, match="shard 0 needs an extra"):
        list(spark.each(fail, [0]))


def test_a_wrong_statement_is_our_error(spark: SparkEngine) -> None:
    with pytest.raises(StudyError, match="Spark failed"):
        rows(spark, "SELECT nothing FROM nowhere")


def test_a_master_that_cannot_be_reached_is_named() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
        refuse_unreachable(f"spark://127.0.0.1:1,127.0.0.1:{port}")
    with pytest.raises(StudyError, match=rf"spark://127.0.0.1:{port}: the Spark master cannot be"):
        SparkEngine(f"spark://127.0.0.1:{port}")


@pytest.mark.parametrize("address", ["spark://", "spark://host", "spark://host:port", "spark://:7"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(StudyError, match="not the address of a Spark master"):
        SparkEngine(address)


def test_a_size_that_is_none_is_refused() -> None:
    with pytest.raises(StudyError, match="memory must be a size"):
        SparkEngine("spark", memory="much")


def tables_of(folder: Path, *more: str) -> dict[str, bytes]:
    names = ("counts.parquet", "svo.parquet", "quarantine.jsonl", *more)
    return {name: (folder / name).read_bytes() for name in names}


def test_both_engines_write_the_same_bytes(
    tmp_path: Path, spark: SparkEngine, duckdb: DuckdbEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_shards, "SHARD", 2000)
    monkeypatch.chdir(tmp_path)
    words = [f"{word.replace(' ', '')}/NOUN/2/nsubj run/VERB/0/root" for word in WORDS * 9]
    content = conllu(*words, *[DOG, GIRL] * 20) + b"1\tbroken\n\n"
    content += conllu(*[DOG, SAYS, HUNDREDS] * 20)
    (tmp_path / "a.conllu").write_bytes(content)
    for name, engine in (("spark", spark), ("duckdb", duckdb)):
        request = Request(Source("conllu"), examples=3)
        done = extract([Path("a.conllu")], Path(name), request, engine=engine)
        assert done.manifest["shards"]["total"] > 4
        assert done.manifest["outputs"]["examples.parquet"]["rows"] > len(WORDS)
        assert (done.manifest["repaired"]["clause"], done.manifest["repaired"]["quantity"]) == (
            20,
            20,
        )
    written = [tables_of(tmp_path / name, "examples.parquet") for name in ("spark", "duckdb")]
    assert written[0] == written[1]


def test_both_engines_choose_the_same_pairs(
    tmp_path: Path, spark: SparkEngine, duckdb: DuckdbEngine
) -> None:
    table = counts(("dobj", "Eat", "dög", 99), ("dobj", "eat", "日本", 98), ("amod", "cat", "é", 9))
    table.write_parquet(tmp_path / "counts.parquet")
    made, pairs = [], []
    for engine in (duckdb, spark):
        engine.register("counts", [tmp_path / "counts.parquet"])
        store = CountStore(engine, tmp_path)
        design = PairDesign(seed=1, heads=3, per_survey=5)
        made.append(build_sp10k(store, design=design, wording=wording("en")))
        pairs.append(store.ask(AMOD, PAIR_COUNTS, min_count=3))
    one, other = made
    assert one.items.equals(other.items)
    assert one.tables["surveys"].equals(other.tables["surveys"])
    assert one.ledger.equals(other.ledger)
    assert pairs[0].equals(pairs[1])
    assert pairs[0].height == 37


def executors() -> list[int]:
    """Return the executor processes that this process started."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes()
        except OSError:
            continue
        if b"CoarseGrainedExecutorBackend" in command and below(int(process.name), os.getpid()):
            found.append(int(process.name))
    return found


def below(process: int, ancestor: int) -> bool:
    while process > 1:
        if process == ancestor:
            return True
        try:
            stat = Path(f"/proc/{process}/stat").read_text()
        except OSError:
            return False
        process = int(stat.rpartition(")")[2].split()[1])
    return False


def test_a_killed_executor_shows_in_the_log_and_nowhere_else(
    tmp_path: Path, spark: SparkEngine, duckdb: DuckdbEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_staging, "CHARACTERS", 1)
    (tmp_path / "a.txt").write_text("\n\n".join([DOG, GIRL, "POISON"] * 4), encoding="utf-8")
    request, log = Request(Source("text")), tmp_path / "log"
    files = [tmp_path / "a.txt"]
    extract(files, tmp_path / "duckdb", request, engine=duckdb, parser=LineParser())
    mine = executors()

    def kill() -> None:
        while not log.exists():
            time.sleep(0.05)
        os.kill(min(mine), signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    slow = LineParser(log, pause=1.0)
    done = extract(files, tmp_path / "spark", request, engine=spark, parser=slow)
    killer.join()
    assert len(mine) == 2
    assert done.manifest["shards"]["retried"]
    assert any("was run again" in note for note in done.notes)
    assert tables_of(tmp_path / "spark") == tables_of(tmp_path / "duckdb")
    entries = (tmp_path / "spark" / "quarantine.jsonl").read_text().splitlines()
    assert len([json.loads(entry) for entry in entries]) == 4
