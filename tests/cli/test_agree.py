"""`plausibly agree` from the outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from plausibly.cli import run
from worlds.tables import ratings_of

CROWD = {"t1": "5542", "t2": "11-2", "t3": "4555", "t4": "21-1", "t5": "54--", "t6": "2--2"}
KEYS = {
    *("krippendorff_alpha", "soft_jaccard", "cohen_kappa", "fleiss_kappa", "gwet_ac1", "gwet_ac2"),
    *("percent_agreement", "pairwise_spearman", "one_vs_rest_spearman"),
}
FEW = ["--resamples", "25"]


def write(frame: pl.DataFrame, folder: Path) -> str:
    path = folder / "ratings.csv"
    frame.write_csv(path)
    return str(path)


def document_of(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert run(["agree", *arguments, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert isinstance(document, dict)
    return document


def measures_in(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Return every object with a value, however deep."""
    found: dict[str, dict[str, Any]] = {}
    for key, inner in document.items():
        if isinstance(inner, dict):
            found |= {key: inner} if "value" in inner else measures_in(inner)
    return found


def test_every_fixed_key_is_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = write(ratings_of(CROWD), tmp_path)
    document = document_of([file, "--sides", "1,2|4,5", *FEW], capsys)
    assert set(document) >= KEYS
    assert set(document["krippendorff_alpha"]) == {"nominal", "ordinal", "interval", "ratio"}
    assert set(document["soft_jaccard"]) >= {"pairs", "pairs_without_overlap"}
    for name, measure in measures_in(document).items():
        assert {"value", "n", "low", "high"} <= set(measure), name
        if measure["value"] is None:
            assert name.startswith("2,"), name
            assert "not every annotator rated every item" in measure["reason"], name
        else:
            assert measure["low"] <= measure["value"] <= measure["high"], name
    assert document["resamples"] == 25


def test_several_questions_come_under_their_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both = [ratings_of(CROWD, question=name) for name in ("likely", "clear")]
    document = document_of([write(pl.concat(both), tmp_path), *FEW], capsys)
    assert list(document) == ["questions"]
    assert list(document["questions"]) == ["clear", "likely"]
    assert set(document["questions"]["clear"]) >= KEYS


def test_words_have_nulls_with_reasons(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ratings_of({"t1": ["yes", "yes"], "t2": ["no", "no"], "t3": ["no", "yes"]})
    document = document_of([write(words, tmp_path), *FEW], capsys)
    assert document["krippendorff_alpha"]["nominal"]["value"] is not None
    for metric in ("ordinal", "interval", "ratio"):
        measure = document["krippendorff_alpha"][metric]
        assert measure["value"] is None
        assert measure["reason"] == "answers are not numbers (first: 'no')"
    for measure in measures_in(document).values():
        assert measure["value"] is not None or measure["reason"]


def test_the_same_seed_prints_the_same_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(ratings_of(CROWD), tmp_path)
    arguments = [file, "--resample", "items", "--seed", "4", *FEW]
    first, again = document_of(arguments, capsys), document_of(arguments, capsys)
    other = document_of([file, "--resample", "items", "--seed", "5", *FEW], capsys)
    assert first == again
    assert first != other
    assert other["percent_agreement"]["value"] == first["percent_agreement"]["value"]


def test_people_get_a_table_and_the_facts_on_stderr(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["agree", write(ratings_of(CROWD), tmp_path), *FEW]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines()[0].split() == ["measure", "value", "low", "high", "n", "note"]
    assert "krippendorff_alpha.ordinal" in said.out
    assert "pairs without overlap: 0" in said.out
    assert "18 ratings of 6 items by 4 annotators" in said.err
    assert "95 % intervals for these people and items like these (25 groups, seed 0)" in said.err


def test_only_the_measures_asked_for_are_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(ratings_of(CROWD), tmp_path)
    document = document_of([file, "--measures", "gwet_ac1, krippendorff_alpha", *FEW], capsys)
    assert set(measures_in(document)) == {"gwet_ac1", "nominal", "ordinal", "interval", "ratio"}


def test_set_answers_add_masi(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sets = ratings_of({"t1": ["i;ii", "ii;i"], "t2": ["iii", "iii"]})
    document = document_of([write(sets, tmp_path), "--separator", ";", *FEW], capsys)
    assert document["krippendorff_alpha_masi"]["value"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sides", "1,2|2"], "answer 2 lies on two sides"),
        (["--measures", "gwet_ac3"], "Did you mean 'gwet_ac2'"),
        (["--resample", "people"], "'people' is not one of"),
        (["--resamples", "-1"], "-1 is not in the range"),
    ],
)
def test_wrong_options_are_usage_errors(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert run(["agree", write(ratings_of(CROWD), tmp_path), *arguments]) == 2
    said = capsys.readouterr()
    assert message in said.err
    assert said.out == ""


def test_no_resamples_mean_no_intervals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["agree", write(ratings_of(CROWD), tmp_path), "--json", "--resamples", "0"]) == 0
    said = capsys.readouterr()
    assert "no intervals" in said.err
    measure = json.loads(said.out)["fleiss_kappa"]
    assert (measure["low"], measure["high"]) == (None, None)
    assert "reason" not in measure
