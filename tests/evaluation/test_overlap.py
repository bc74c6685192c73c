"""Rated pairs in collections of assertions."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plausibly.cli import run
from plausibly.evaluation.overlap import EXACT, PARTIAL, examples, forms_of, matches

PAIRS = [
    ("dobj", "sing", "song", 9.0),
    ("nsubj", "ring", "phone", 8.5),
    ("amod", "child", "red", 0.5),
    ("dobj", "eat", "CEO", 1.0),
]
ASSERTIONS = [
    ("UsedFor", "a song", "singing"),
    ("CapableOf", "phone", "ring loudly"),
    ("HasProperty", "child wagon", "red"),
    ("IsA", "red child", "song"),
]


def pairs() -> pl.DataFrame:
    return pl.DataFrame(PAIRS, schema=["relation", "head", "dependent", "score"], orient="row")


def assertions() -> pl.DataFrame:
    return pl.DataFrame(ASSERTIONS, schema=["relation", "start", "end"], orient="row")


def test_a_match_is_exact_or_partial_and_never_inside_one_end() -> None:
    found = {(row[1], row[2]): row[5] for row in matches(pairs(), assertions()).iter_rows()}
    assert found == {("sing", "song"): EXACT, ("ring", "phone"): PARTIAL, ("child", "red"): PARTIAL}


WORD = st.sampled_from(["sing", "song", "ring", "phone", "child", "red", "eat"])
ENDS = st.lists(WORD, min_size=1, max_size=3).map(" ".join)


@given(st.lists(st.tuples(ENDS, ENDS), min_size=1, max_size=8))
def test_matches_are_those_of_looking_at_every_assertion(ends: list[tuple[str, str]]) -> None:
    told = pl.DataFrame(
        [("R", *two) for two in sorted(set(ends))],
        schema=["relation", "start", "end"],
        orient="row",
    )
    expected = set()
    for _, head, dependent, _ in PAIRS:
        for _, start, end in told.iter_rows():
            one, two = start.split(), end.split()
            for a, b in ((one, two), (two, one)):
                if head in a and dependent.lower() in b:
                    way = EXACT if len(a) == len(b) == 1 else PARTIAL
                    expected.add((head, dependent, way, start, end))
    found = matches(pairs(), told)
    columns = ("head", "dependent", "way", "start", "end")
    assert set(found.select(columns).iter_rows()) == expected
    cells = examples(found).select("way", "group", "relation")
    assert cells.is_unique().all()
    assert cells.height == found.select("way", "group", "relation").unique().height


@given(st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=8))
def test_a_word_is_a_form_of_itself(word: str) -> None:
    assert next(forms_of(word)) == word


def test_coverage_is_printed_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    pairs().write_csv("pairs.tsv", separator="\t")
    assertions().write_csv("told.tsv", separator="\t")
    asked = ["score", "overlap", "pairs.tsv", "--assertions", "told.tsv"]
    assert run([*asked, "-o", "out", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["coverage"]["dobj"]["perfect"]["exact"]["value"] == 1.0
    assert found["coverage"]["all"]["impossible"]["partial"]["value"] == 0.5
    assert pl.read_parquet("out/matches.parquet").height == 3
    assert "<svg" in Path("out/relations.svg").read_text(encoding="utf-8")
    assert run([*asked, "--dataset", "omcs"]) == 1
    assert "assertions file" in capsys.readouterr().err
    Path("high.tsv").write_text("relation\thead\tdependent\tscore\ndobj\ta\tb\t11\n")
    assert run(["score", "overlap", "high.tsv", "--assertions", "told.tsv"]) == 1
    assert "not between 0 and 10" in capsys.readouterr().err
