"""Ratings left out: what posteriors predict of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

import plausibly as pb
from labels.crowds import crowd
from plausibly.cli import run
from plausibly.errors import StudyError
from plausibly.labels.calibration import POSTERIORS, channel
from worlds.tables import ratings_of

GOOD = crowd(items=60, knowing=(0.9, 0.8, 0.85, 0.7, 0.9), each=4, labels=3, seed=1).ratings
THIN = crowd(items=150, knowing=[0.75] * 60, each=3, labels=3, seed=2).ratings


@pytest.mark.parametrize("method", POSTERIORS)
def test_posteriors_predict_ratings_better_than_the_shares_of_answers(method: str) -> None:
    part = pb.label(GOOD, method=method, calibrate=True).as_json()["calibration"]
    assert part["ratings"] == 60
    assert part["low"] < part["log_loss"] < part["high"] < part["log_loss_of_shares"]
    assert sum(one["ratings"] for one in part["bins"]) == 60


def test_maximum_likelihood_on_a_thin_crowd_is_found_out() -> None:
    pooled, alone = (
        pb.label(THIN, method="dawid-skene", prior=prior, calibrate=True).as_json()["calibration"]
        for prior in ("pooled", "none")
    )
    assert pooled["log_loss"] < alone["log_loss"] - 0.05


def test_labels_are_the_same_and_the_order_of_rows_does_not_matter() -> None:
    plain = pb.label(GOOD, method="one-coin")
    tried = pb.label(GOOD, method="one-coin", calibrate=True)
    other = pb.label(GOOD.reverse(), method="one-coin", calibrate=True)
    assert tried.labels.equals(plain.labels)
    assert "calibration" not in plain.as_json()
    again, first = (one.as_json()["calibration"]["log_loss"] for one in (other, tried))
    assert again == pytest.approx(first, abs=1e-6)
    assert any("log loss" in one for one in tried.talk)


def test_items_with_a_known_label_are_not_predicted() -> None:
    controls = {f"t{number:04}": "0" for number in range(10)}
    tried = pb.label(GOOD, method="one-coin", calibrate=True, controls=controls)
    assert tried.as_json()["calibration"]["ratings"] == 50


def test_too_few_ratings_and_methods_without_posteriors_are_named() -> None:
    few = pb.label(ratings_of({"t1": "aab", "t2": "ab"}), method="one-coin", calibrate=True)
    part = few.as_json()["calibration"]
    assert (part["log_loss"], part["reason"]) == (None, "fewer than 5 items have 3 ratings")
    with pytest.raises(StudyError, match="plurality has none"):
        pb.label(GOOD, method="plurality", calibrate=True)


def test_the_command_prints_what_python_returns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    GOOD.write_csv(tmp_path / "r.csv")
    assert run(["label", str(tmp_path / "r.csv"), "--method", "one-coin", "--calibrate"]) == 0
    expected = pb.label(GOOD, method="one-coin", calibrate=True).as_json()["calibration"]
    assert f"log loss {expected['log_loss']:.3f}" in capsys.readouterr().err


def test_a_table_of_answers_comes_back() -> None:
    generator = np.random.default_rng(1)
    posterior = generator.dirichlet([0.3, 0.3], size=4000)
    true = (generator.random(4000) < posterior[:, 1]).astype(np.int32)
    table = np.array([[0.9, 0.1], [0.3, 0.7]])
    answer = (generator.random(4000) < table[true, 1]).astype(np.int32)
    shares = np.array([(answer == 0).mean(), (answer == 1).mean()])
    np.testing.assert_allclose(channel(posterior, answer, shares), table, atol=0.04)


def test_several_questions_are_calibrated_apart() -> None:
    other = GOOD.with_columns(question=pl.lit("other"))
    tried = pb.label(pl.concat([GOOD, other]), method="one-coin", calibrate=True)
    assert {*tried.as_json()["questions"]} == {"other", "rating"}
    assert sum("ratings left out" in one for one in tried.talk) == 2
