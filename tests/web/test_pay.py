"""Pay is checked before a study opens, and what stopping early saves and distorts is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import StudyError
from plausibly.ratings.paying import batch_seconds
from plausibly.ratings.served import Served
from plausibly.ratings.stopping import stopping
from plausibly.web.rehearsal.pay import check_pay
from plausibly.web.study import read_study


def study(folder: Path, **server: float) -> Served:
    pb.init("adept", folder, example=True)
    text = (folder / "study.toml").read_text(encoding="utf-8")
    for key, value in server.items():
        text = text.replace(f"{key} = 0.0", f"{key} = {value}")
    (folder / "study.toml").write_text(text, encoding="utf-8")
    return read_study(folder)


def test_without_a_promise_nothing_is_checked(tmp_path: Path) -> None:
    assert check_pay(study(tmp_path / "s"), tmp_path / "s") is None


def test_who_promises_pay_must_know_how_long_it_takes(tmp_path: Path) -> None:
    served = study(tmp_path / "s", reward=1.0, min_hourly=9.0)
    with pytest.raises(StudyError, match="Rehearse first: plausibly rehearse"):
        check_pay(served, tmp_path / "s")


def test_pay_below_the_promise_does_not_open(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "s"
    served = study(folder, reward=0.1, min_hourly=9.0)
    (folder / "rehearsal.json").write_text(json.dumps({"batch_seconds": 120.0}))
    with pytest.raises(StudyError, match=r"is 3\.00 an hour, below min_hourly 9\. Pay 0\.30"):
        check_pay(served, folder)
    assert run(["serve", str(folder), "--port", "0"]) == 1
    assert "below min_hourly" in capsys.readouterr().err


def test_fair_pay_is_said(tmp_path: Path) -> None:
    served = study(tmp_path / "s", reward=0.5, min_hourly=9.0)
    (tmp_path / "s" / "rehearsal.json").write_text(json.dumps({"batch_seconds": 120.0}))
    assert "15.00 an hour by the rehearsal" in str(check_pay(served, tmp_path / "s"))


def test_a_batch_lasts_as_long_as_its_answers() -> None:
    rows = [("b1", "t1", "1", 5.0), ("b1", "t2#i", "2", 7.0), ("b1", "t2#ii", "2", 7.0)]
    rows += [("b2", "t1", "1", 9.0), ("b3", "t1", "1", 20.0), ("b3", "t2", "2", 10.0)]
    frame = pl.DataFrame(rows, schema=["batch", "item", "submitted", "seconds"], orient="row")
    assert batch_seconds(frame, items=2) == (12 + 30) / 2
    assert batch_seconds(frame, items=3) is None
    assert batch_seconds(frame.drop("batch"), items=1) is None


def test_checks_and_fillers_take_time_but_do_not_make_a_batch_whole() -> None:
    rows = [("b1", "t1", "item", 5.0), ("b1", "c1", "check", 4.0), ("b1", "f1", "filler", 3.0)]
    rows += [("b1", "t2", "item", 6.0), ("b2", "t1", "item", 9.0), ("b2", "c1", "check", 1.0)]
    frame = pl.DataFrame(rows, schema=["batch", "item", "kind", "seconds"], orient="row")
    frame = frame.with_columns(submitted=pl.col("item"))
    assert batch_seconds(frame, items=2) == 18


def answers(**items: str) -> pl.DataFrame:
    rows: list[dict[str, Any]] = [
        {
            "item": item,
            "annotator": f"p{n}",
            "question": "effect",
            "answer": answer,
            "value": None,
            "submitted": f"{n}",
        }
        for item, given in items.items()
        for n, answer in enumerate(given)
    ]
    return pl.DataFrame(rows, schema_overrides={"value": pl.Float64})


def test_two_equal_of_three_save_ratings_and_change_no_label() -> None:
    report = stopping(answers(a="xxy", b="xyx", c="xxx", d="xyz"), question="effect", at_least=2)
    assert (report["ratings"], report["needed"], report["labels_changed"]) == (12, 10, 0)
    assert report["saving"] == pytest.approx(1 / 6)
    assert report["bias"] == pytest.approx(report["agreement_if_stopped"] - report["agreement"])
    assert report["bias"] > 0
