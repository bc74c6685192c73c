"""`plausibly build adept` from the outside."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from plausibly.cli import run

ADJECTIVES = ("small", "old", "green", "unique", "fake")


@pytest.fixture
def given_files(tmp_path: Path) -> list[str]:
    """Write small counts, assertions and a list of adjectives; return the options naming them."""
    rows = [
        ("amod", noun, adjective, 10 + place)
        for noun in ("bell", "kettle", "candle")
        for place, adjective in enumerate(ADJECTIVES)
    ]
    rows += [("amod", "spoon", "small", 3), ("dobj", "ring", "bell", 2)]
    columns = ["relation", "head", "dependent", "count"]
    pl.DataFrame(rows, schema=columns, orient="row").write_parquet(tmp_path / "counts.parquet")
    (tmp_path / "net.tsv").write_text(
        "relation\tstart\tend\nCapableOf\tbell\tring\nUsedFor\tkettle\tboiling syrup\n"
        "UsedFor\tcandle\tlighting\nUsedFor\tspoon\teating\n"
    )
    (tmp_path / "list.tsv").write_text("adjective\tclass\nfake\tprivative\n")
    named = {"--counts": "counts.parquet", "--conceptnet": "net.tsv", "--nonsubsective": "list.tsv"}
    return [part for option, name in named.items() for part in (option, str(tmp_path / name))]


def test_a_list_of_ones_own_says_which_adjectives_are_non_subsective(
    tmp_path: Path, given_files: list[str]
) -> None:
    """Without the list, `green` is subsective; with it, up to two of four are from the list."""
    (tmp_path / "list.tsv").write_text("adjective\tclass\ngreen\tprivative\n")
    assert run(["build", "adept", *given_files, "--seed", "3", "-o", str(tmp_path / "out")]) == 0
    lines = (tmp_path / "out" / "trace.jsonl").read_text().splitlines()
    classes = {
        one["adjective"]: one["class"] for line in lines for one in json.loads(line)["adjectives"]
    }
    assert classes["green"] == "privative"
    assert {kind for name, kind in classes.items() if name != "green"} == {"subsective"}


def test_pairs_trace_ledger_and_splits_are_written(tmp_path: Path, given_files: list[str]) -> None:
    out = tmp_path / "out"
    assert run(["build", "adept", *given_files, "--seed", "3", "-o", str(out)]) == 0
    pairs = json.loads((out / "pairs.json").read_text())
    assert [pair["idx"] for pair in pairs] == [0, 1, 2]
    assert {"A bell rings.", "A kettle is used for boiling syrup."} < {
        pair["sentence1"] for pair in pairs
    }
    trace = [json.loads(line) for line in (out / "trace.jsonl").read_text().splitlines()]
    assert {"noun", "adjectives", "relation", "predicate", "surface"} <= set(trace[0])
    ledger = pl.read_parquet(out / "ledger.parquet")
    assert ledger.columns == ["candidate", "rule", "reason"]
    assert ledger.row(0) == (
        "UsedFor|spoon|eating",
        "few_adjectives",
        "0 of 4 adjectives in the counts",
    )
    items = pl.read_parquet(out / "items.parquet").filter(kind="item")
    for start, column in (("", "split"), ("random_", "random_split")):
        parts = {
            s: json.loads((out / f"{start}{s}.json").read_text()) for s in ("train", "val", "test")
        }
        found = {pair["idx"]: split for split, part in parts.items() for pair in part}
        assert found == dict(items.select("idx", column).iter_rows())


def test_our_pairs_pass_the_check_strictly(tmp_path: Path, given_files: list[str]) -> None:
    out = tmp_path / "out"
    assert run(["build", "adept", *given_files, "--seed", "3", "-o", str(out)]) == 0
    assert run(["check", "adept", str(out / "pairs.json"), "--strict"]) == 0


def test_another_language_stops_with_what_is_missing(
    tmp_path: Path, given_files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert (
        run(["build", "adept", *given_files, "--language", "it", "--seed", "1", "-o", str(out)])
        == 1
    )
    assert "Italian" in capsys.readouterr().err
    assert not out.exists()


def test_a_table_without_datasets_cannot_tell_omcs(
    tmp_path: Path, given_files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(["build", "adept", *given_files, "--omcs", "--seed", "1", "-o", str(out)]) == 1
    assert "not name the dataset" in capsys.readouterr().err
