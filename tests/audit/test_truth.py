"""Findings of AUDIT G: n is what was used, limits stay in range, errata hold."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import plausibly as pb
from plausibly.evaluation.pairs import within_head
from plausibly.measures.ranking import Floats
from plausibly.replications import Ruling, replicate
from plausibly.replications.claims import read_claims
from plausibly.verbs.evaluate import Evaluated
from worlds.tables import ratings_of

ROOT = Path(__file__).resolve().parents[2]

# A model that is right on 5 of 500 heads and gives every other pair 0.
HEADS, RIGHT, PER_HEAD = 500, 5, 4
HEAD = np.repeat(np.arange(HEADS), PER_HEAD)
TRUTH = np.random.default_rng(1).uniform(0, 10, HEADS * PER_HEAD)
SPARSE = np.where(HEAD < RIGHT, TRUTH, 0.0)
WITHIN = "spearman_within_head"


def published(folder: Path) -> Path:
    path = folder / "dobj.tsv"
    lines = [f"h{HEAD[n]}\td{n}\t{score}\n" for n, score in enumerate(TRUTH)]
    path.write_text("".join(lines), encoding="utf-8")
    return path


def predictions(model: str, scores: Floats) -> pl.DataFrame:
    items = [f"dobj|h{head}|d{n}" for n, head in enumerate(HEAD)]
    frame = pl.DataFrame({"item": items, "score": scores})
    return frame.with_columns(question=pl.lit("preference"), model=pl.lit(model))


def evaluated(folder: Path) -> Evaluated:
    sparse = predictions("sparse", SPARSE)
    against = published(folder)
    return pb.evaluate(sparse, against=against, scheme="sp10k", relation="dobj", resamples=0)


def test_n_counts_the_pairs_of_the_heads_that_were_used(tmp_path: Path) -> None:
    result = evaluated(tmp_path)
    measure = result.as_json()["relations"]["dobj"]["all"][WITHIN]
    assert measure["heads_undefined"] == HEADS - RIGHT
    assert measure["n"] == PER_HEAD * measure["heads"]
    row = result.scores.filter((pl.col("metric") == WITHIN) & (pl.col("slice") == "dobj/all"))
    assert row["n"].to_list() == [measure["n"]]


def test_the_table_shows_how_many_heads_are_undefined(tmp_path: Path) -> None:
    [line] = [
        line
        for line in evaluated(tmp_path).text().splitlines()
        if WITHIN in line and "dobj/all" in line
    ]
    assert str(HEADS - RIGHT) in line


def test_heads_that_are_left_out_do_not_narrow_the_interval() -> None:
    own = HEAD < RIGHT
    whole = within_head(SPARSE, TRUTH, HEAD, resamples=200, seed=1)
    alone = within_head(SPARSE[own], TRUTH[own], HEAD[own], resamples=200, seed=1)
    assert whole.value == alone.value
    assert (whole.low, whole.high) == (alone.low, alone.high)


def test_a_comparison_counts_the_pairs_of_the_heads_both_models_share(tmp_path: Path) -> None:
    noisy = TRUTH + np.random.default_rng(2).normal(0, 3, len(TRUTH))
    compared = pb.compare(
        [predictions("sparse", SPARSE), predictions("noisy", noisy)],
        against=published(tmp_path),
        scheme="sp10k",
        relation="dobj",
        resamples=0,
        permutations=10,
    )
    [within] = [pair for pair in compared.pairs if pair.metric == WITHIN]
    assert within.difference.n == PER_HEAD * RIGHT


# 25 items, 6 people, 10 of 150 answers positive: one item has all six, two items have two each.
POSITIVE = {0: 6, 1: 2, 2: 2}
SKEWED = {
    f"t{item}": ["1" if (person + item) % 6 < POSITIVE.get(item, 0) else "0" for person in range(6)]
    for item in range(25)
}
# The smallest one-way correlation of six people is -1 / (6 - 1).
SMALLEST = {"icc.1,1": -0.2, "icc.1,k": -1.0, "icc.2,1": -1.0, "icc.2,k": -1.0, "split_half": -1.0}


@cache
def agreed() -> dict[str, dict[str, Any]]:
    rows = pb.agree(ratings_of(SKEWED)).scores.iter_rows(named=True)
    return {row["measure"]: row for row in rows}


@pytest.mark.parametrize("measure", SMALLEST)
def test_limits_are_in_the_range_of_the_coefficient(measure: str) -> None:
    row = agreed()[measure]
    if row["low"] is None:
        assert row["reason"]
        return
    assert SMALLEST[measure] <= row["low"] <= row["value"] <= row["high"] <= 1


@cache
def statements(paper: str, folder: Path) -> dict[str, Ruling]:
    return {one.statement: one for one in replicate(paper, data=folder).statements}


@pytest.mark.data
def test_118_order_stories_exchange_two_sentences(data_folder: Path) -> None:
    readings = statements("gita", data_folder)["gita.section3.order"].readings
    recomputed = {record.id: record.recomputed for record in readings}
    assert recomputed["gita.construction.order.one_swap"] == 118


@pytest.mark.data
def test_less_likely_alone_is_a_reading_of_dead(data_folder: Path) -> None:
    readings = statements("adept", data_folder)["adept.section1.dead"].readings
    ratios = [one.recomputed for one in readings if isinstance(one.recomputed, float)]
    assert any(ratio == pytest.approx(32 / 40) for ratio in ratios)


@pytest.mark.data
def test_a_statement_that_some_reading_fits_is_not_an_erratum(data_folder: Path) -> None:
    assert statements("adept", data_folder)["adept.section1.dead"].verdict != "erratum"


@pytest.mark.data
def test_a_mean_above_eleven_is_not_exact_for_at_least_eleven_each(data_folder: Path) -> None:
    statement = statements("sp10k", data_folder)["sp10k.section3.eleven"]
    assert statement.verdict != "exact"
    assert "exact" not in {record.verdict for record in statement.readings}


def test_the_readme_counts_the_cells_of_subjects_and_verbs() -> None:
    majority = re.compile(r"(attested|perturbed)\.(plausible|implausible)\.(subject|verb)\.")
    cells = [
        name for name in read_claims("pap").under("pap.table1.proportion") if majority.match(name)
    ]
    assert len(cells) == 24
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    [row] = [line for line in text.splitlines() if "shares of subjects and verbs" in line]
    counts = {int(number) for number in re.findall(r"(\d+) cells", row)}
    assert 24 in counts
    assert 36 not in counts
