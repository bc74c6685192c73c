"""A pilot's unanimous items become gold items, by command and from Python alike."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import StudyError, UnknownName

ITEMS = pl.DataFrame(
    {
        "item": ["alike", "apart", "few", "check"],
        "text": ["a", "b", "c", "d"],
        "kind": ["item", "item", "item", "check"],
        "expected": [None, None, None, "less likely"],
    }
)
PILOT = pl.DataFrame(
    [
        {"item": item, "annotator": f"p{n}", "question": "effect", "answer": answer}
        for item, answers in {
            "alike": ["impossible"] * 4,
            "apart": ["impossible"] * 3 + ["less likely"],
            "few": ["impossible"] * 3,
            "check": ["less likely"] * 4,
        }.items()
        for n, answer in enumerate(answers)
    ]
)


def test_what_four_people_answer_alike_is_gold() -> None:
    promoted = pb.build_checks(PILOT, items=ITEMS)
    assert promoted.as_json() == {
        "question": "effect",
        "rated": 2,
        "promoted": 1,
        "expected": {"alike": "impossible"},
    }
    told = {row["item"]: (row["kind"], row["expected"]) for row in promoted.items.to_dicts()}
    assert told["alike"] == ("gold", "impossible")
    assert told["apart"] == told["few"] == ("item", None)
    assert told["check"] == ("check", "less likely")


def test_the_command_writes_items_that_a_study_can_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ratings, items, out = (tmp_path / name for name in ("r.csv", "i.csv", "gold.parquet"))
    PILOT.write_csv(ratings)
    ITEMS.write_csv(items)
    command = [
        "build",
        "checks",
        str(ratings),
        "--items",
        str(items),
        "--at-least",
        "3",
        "-o",
        str(out),
    ]
    assert run([*command, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said == pb.build_checks(ratings, items=items, at_least=3).as_json()
    assert set(said["expected"]) == {"alike", "few"}
    assert pl.read_parquet(out).filter(pl.col("kind") == "gold").height == 2


def test_which_question_must_be_said_where_there_are_several() -> None:
    both = pl.concat([PILOT, PILOT.with_columns(question=pl.lit("sure"))])
    with pytest.raises(StudyError, match=r"2 questions .*question="):
        pb.build_checks(both, items=ITEMS)
    assert pb.build_checks(both, items=ITEMS, question="sure").question == "sure"
    with pytest.raises(UnknownName, match="unknown question 'shure'"):
        pb.build_checks(both, items=ITEMS, question="shure")
    with pytest.raises(StudyError, match="at_least= must be 2 or more"):
        pb.build_checks(PILOT, items=ITEMS, at_least=1)


def test_check_items_that_people_may_read_otherwise_are_dropped_before_use(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """PAP, appendix B.2: *water cuts ball* might be interpreted as plausible."""
    rows = {
        "tea": ["1", "2", "1", "1"],  # grandmother drinks stone
        "water": ["1", "4", "5", "2"],
        "few": ["5", "5", "5"],
        "event": ["4", "5", "4", "5"],
    }
    pilot = pl.DataFrame(
        [
            {"item": item, "annotator": f"p{n}", "question": "plausible", "answer": answer}
            for item, answers in rows.items()
            for n, answer in enumerate(answers)
        ]
    )
    kinds = ["check", "check", "check", "item"]
    items = pl.DataFrame({"item": list(rows), "text": list(rows), "kind": kinds}).with_columns(
        expected=pl.when(pl.col("kind") == "check").then(pl.lit("1"))
    )
    vetted = pb.build_checks(pilot, items=items, min_intended=0.75, sides="1,2|4,5")
    assert set(vetted.items["item"]) == {"tea", "few", "event"}
    assert vetted.ledger is not None
    assert vetted.ledger.rows() == [("water", "failed_pilot", "2 of 4 answered as intended")]
    exact = pb.build_checks(pilot, items=items, min_intended=0.8)
    assert exact.ledger is not None
    assert set(exact.ledger["candidate"]) == {"tea", "water"}
    pilot.write_csv(tmp_path / "p.csv")
    items.write_csv(tmp_path / "i.csv")
    places = [str(tmp_path / one) for one in ("p.csv", "i.csv", "kept.parquet", "dropped.csv")]
    options = ["--min-intended", "0.75", "--sides", "1,2|4,5", "--ledger", places[3]]
    command = ["build", "checks", places[0], "--items", places[1], *options, "-o", places[2]]
    assert run([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == vetted.as_json()
    assert pl.read_csv(places[3])["candidate"].to_list() == ["water"]
    assert pl.read_parquet(places[2]).height == 3
    with pytest.raises(StudyError, match="sides= is about vetting"):
        pb.build_checks(pilot, items=items, sides="1,2|4,5")
    with pytest.raises(StudyError, match="above 0 and at most 1"):
        pb.build_checks(pilot, items=items, min_intended=2.0)
