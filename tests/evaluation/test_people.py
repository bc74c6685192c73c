"""One annotator's ratings stand beside models in `evaluate` and `compare`."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import plausibly as pb
from plausibly.errors import TableError
from plausibly.evaluation.people import as_predictions

CLASSES = ("impossible", "less likely", "equally likely", "more likely", "necessarily true")
TRUE = (0, 1, 2, 3, 4, 2, 2, 1)


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    rows = [
        {
            "idx": number,
            "sentence1": f"A dog barks {number}.",
            "sentence2": f"A dead dog barks {number}.",
            "modifier": "dead",
            "noun": "dog",
            "label": label,
        }
        for number, label in enumerate(TRUE)
    ]
    path = tmp_path / "pairs.json"
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


def ratings_of(answers: dict[str, str], *, annotator: str = "anna") -> pl.DataFrame:
    return pl.DataFrame(
        {
            "item": list(answers),
            "annotator": annotator,
            "question": "effect",
            "answer": list(answers.values()),
        }
    )


@pytest.mark.parametrize("spelling", [tuple("01234"), CLASSES])
@pytest.mark.parametrize("suffix", [".csv", ".parquet", None])
def test_a_person_is_held_against_a_model_on_what_both_judged(
    pairs: Path, spelling: tuple[str, ...], suffix: str | None
) -> None:
    right = {str(n): spelling[code] for n, code in enumerate(TRUE[:6])}
    source: object = ratings_of(right)
    if suffix is not None:
        path = pairs.with_name(f"one{suffix}")
        table = ratings_of(right)
        if suffix == ".csv":
            table.write_csv(path)
        else:
            table.write_parquet(path)
        source = path
    always = pl.DataFrame(
        {
            "item": [str(n) for n in range(len(TRUE))],
            "question": "effect",
            "model": "always",
            "label": CLASSES[2],
        }
    )
    person = pb.evaluate(source, against=pairs, scheme="adept-5", resamples=0).as_json()
    assert person["model"] == "anna"
    assert person["accuracy"]["value"] == 1.0
    assert person["accuracy"]["n"] == 6
    compared = pb.compare([source, always], against=pairs, scheme="adept-5", resamples=0)
    (row,) = [one for one in compared.as_json()["comparisons"] if one["metric"] == "accuracy"]
    assert (row["a"], row["b"], row["n"]) == ("anna", "always", 6)
    assert row["difference"] == pytest.approx(1 - 2 / 6)


def test_two_people_are_two_rows(pairs: Path) -> None:
    people = pl.concat(
        [ratings_of({"0": "0", "1": "1"}), ratings_of({"0": "4", "1": "1"}, annotator="ben")]
    )
    compared = pb.compare([people], against=pairs, scheme="adept-3", resamples=0)
    assert {(row["a"], row["b"]) for row in compared.as_json()["comparisons"]} == {("anna", "ben")}


def test_an_answer_the_scheme_does_not_know_is_named(pairs: Path) -> None:
    with pytest.raises(TableError, match="perhaps"):
        pb.evaluate(ratings_of({"0": "perhaps"}), against=pairs, scheme="adept-5")


def test_answers_to_two_questions_are_refused(pairs: Path) -> None:
    both = pl.concat(
        [
            ratings_of({"0": "0"}),
            ratings_of({"0": "yes"}).with_columns(question=pl.lit("understood")),
        ]
    )
    with pytest.raises(TableError, match="2 questions"):
        pb.evaluate(both, against=pairs, scheme="adept-5")


@pytest.mark.parametrize(
    ("scheme", "column", "expected"),
    [
        ("sp10k", "score", [4.0, 1.0]),
        ("pap-binary", "label", ["1", "0"]),
        ("pap-soft", "distribution", ['{"4": 1.0}', '{"1": 1.0}']),
        ("events", "label", ["4", "1"]),
    ],
)
def test_an_answer_is_what_a_model_would_have_said(
    scheme: str, column: str, expected: list[object]
) -> None:
    table = as_predictions(ratings_of({"a": "4", "b": "1"}), scheme, where="ratings")
    assert table.sort("item")[column].to_list() == expected


def test_a_score_that_is_no_number_is_named() -> None:
    with pytest.raises(TableError, match="'often' is not a number"):
        as_predictions(ratings_of({"a": "often"}), "sp10k", where="ratings")


def test_the_value_of_an_answer_goes_before_its_name() -> None:
    rated = ratings_of({"a": "often"}).with_columns(value=pl.lit(7.5))
    assert as_predictions(rated, "sp10k", where="ratings")["score"].to_list() == [7.5]
