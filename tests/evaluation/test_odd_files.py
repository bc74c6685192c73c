"""Files as people write them: headers in any case, blanks, semicolons, names for codes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.errors import PlausiblyError, StudyError, TableError

PAIRS = [("dobj", "eat", "apple", "9"), ("dobj", "eat", "stone", "1"), ("dobj", "eat", "pear", "8")]
EVENTS = [("dog", "eats", "bone", "1"), ("bone", "eats", "dog", "0"), ("man", "reads", "book", "1")]
CLASSES = ["impossible", "less likely", "equally likely", "more likely", "necessarily true"]


def table(path: Path, header: str, rows: Sequence[tuple[str, ...]], sign: str = ",") -> Path:
    lines = [*([header] if header else []), *(",".join(row) for row in rows)]
    path.write_text("\n".join(line.replace(",", sign) for line in lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def model(tmp_path: Path) -> Path:
    counts = tmp_path / "counts.csv"
    counts.write_text("relation,head,dependent,count\ndobj,eat,apple,3\ndobj,eat,pear,1\n")
    pb.models_fit("pp", counts=counts).save(tmp_path / "pp.model")
    return tmp_path / "pp.model"


@pytest.mark.parametrize(
    ("header", "sign"),
    [
        ("relation,head,dependent,score", ";"),
        ("Relation,HEAD,Dependent,Score", ","),
        (" relation , head , dependent , score ", ","),
    ],
)
def test_pairs_are_read_however_the_header_is_written(
    tmp_path: Path, model: Path, header: str, sign: str
) -> None:
    file = table(tmp_path / "pairs.csv", header, PAIRS, sign)
    said = pb.models_predict(model, file).predictions
    assert said["item"].to_list() == ["dobj|eat|apple", "dobj|eat|pear", "dobj|eat|stone"]
    found = pb.evaluate(said, against=file, scheme="sp10k", resamples=0).as_json()
    assert found["relations"]["dobj"]["all"]["spearman_pooled"]["value"] == 1.0


def test_a_relation_is_known_in_any_case(tmp_path: Path, model: Path) -> None:
    rows = [(relation.upper(), *rest) for relation, *rest in PAIRS]
    file = table(tmp_path / "pairs.csv", "relation,head,dependent,score", rows)
    assert pb.models_predict(model, file).as_json()["evidence"] == {"seen": 2, "unknown": 1}


def test_a_pair_with_two_scores_is_refused_and_one_that_stands_twice_counts_once(
    tmp_path: Path, model: Path
) -> None:
    header = "relation,head,dependent,score"
    said = pb.models_predict(model, table(tmp_path / "one.csv", header, PAIRS)).predictions
    again = table(tmp_path / "again.csv", header, [*PAIRS, PAIRS[0]])
    found = pb.evaluate(said, against=again, scheme="sp10k", resamples=0).as_json()
    assert found["relations"]["dobj"]["all"]["spearman_pooled"]["n"] == 3
    odd = table(tmp_path / "odd.csv", header, [*PAIRS, ("dobj", "eat", "apple", "2")])
    with pytest.raises(PlausiblyError, match="1 pairs have two scores"):
        pb.evaluate(said, against=odd, scheme="sp10k")


@pytest.mark.parametrize(
    ("header", "labels"),
    [
        ("Subject,Verb,OBJECT,Label", {"1": "1", "0": "0"}),
        ("subject,verb,object,label", {"1": " Plausible", "0": "IMPLAUSIBLE "}),
        ("", {"1": "1", "0": "0"}),
    ],
)
def test_events_are_read_however_they_are_written(
    tmp_path: Path, header: str, labels: dict[str, str]
) -> None:
    rows: list[tuple[str, ...]] = [
        (f" {s}", f"{v} ", o, labels[label]) if header else (labels[label], s, v, o)
        for s, v, o, label in EVENTS
    ]
    file = table(tmp_path / "events.csv", header, rows)
    said = pb.models_predict("events-lite", file)
    assert said.as_json()["evidence"] == {"seen": 3}
    found = pb.evaluate(said.predictions, against=file, scheme="events", resamples=0).as_json()
    assert found["auc"]["n"] == 3


def test_classes_of_pairs_may_be_named(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [
        {
            "idx": code,
            "sentence1": "A dog barks.",
            "sentence2": "A red dog barks.",
            "modifier": "red",
            "noun": "dog",
            "label": code,
        }
        for code in range(5)
    ]
    codes, names = tmp_path / "codes.json", tmp_path / "names.json"
    codes.write_text(json.dumps(rows))
    names.write_text(json.dumps([{**row, "label": CLASSES[row["label"]]} for row in rows]))
    said = pb.models_predict("majority", codes).predictions
    one, two = (
        pb.evaluate(said, against=file, scheme="adept-5", resamples=0).as_json()
        for file in (codes, names)
    )
    assert one == two


def test_one_file_named_twice_is_said(tmp_path: Path) -> None:
    file = tmp_path / "said.csv"
    pl.DataFrame({"item": ["a"], "question": ["q"], "model": ["m"], "score": [0.5]}).write_csv(file)
    with pytest.raises(StudyError, match="'m' are in two files named 'said'"):
        pb.compare([file, file], against=file, scheme="events")


def test_a_model_of_pairs_says_what_it_judges_when_it_gets_events(tmp_path: Path) -> None:
    events = tmp_path / "events.csv"
    events.write_text("subject,verb,object\ndog,eat,bone\n", encoding="utf-8")
    with pytest.raises(TableError, match="majority judges ADEPT's pairs; for others: events-lite"):
        pb.models_predict("majority", events)
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("sentence1,sentence2\nA dog barks.,A big dog barks.\n", encoding="utf-8")
    with pytest.raises(TableError, match=r"events-lite judges events .*; for others: majority"):
        pb.models_predict("events-lite", pairs)
