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
