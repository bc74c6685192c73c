"""Pseudo-disambiguation: nothing that is asked was counted, and negatives are what they say."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from plausibly.errors import StudyError, UnknownName
from plausibly.models.pseudo import NEGATIVES, accuracy, hold_out, negatives


def counts() -> pl.DataFrame:
    rows = [
        (f"h{h}", f"d{d}", 1 + (h * d) % 7)
        for h in range(20)
        for d in range(30)
        if (h * 5 + d * 3) % 4
    ]
    return pl.DataFrame(rows, schema=["head", "dependent", "count"], orient="row")


def test_a_type_is_left_out_whole() -> None:
    held = hold_out(counts(), share=0.2, seed=3)
    left = set(held.counts.select("head", "dependent").iter_rows())
    out = set(held.pairs.iter_rows())
    assert not left & out
    assert left | out == set(counts().select("head", "dependent").iter_rows())


@pytest.mark.parametrize("kind", NEGATIVES)
def test_a_negative_was_never_counted_and_row_order_does_not_matter(kind: str) -> None:
    table = counts()
    held = hold_out(table, share=0.2)
    drawn = negatives(held, kind=kind, seed=2)
    known = set(table.select("head", "dependent").iter_rows())
    heads = held.pairs["head"].to_list()
    assert all((head, word) not in known for head, word in zip(heads, drawn, strict=True) if word)
    assert sum(word is not None for word in drawn) > 0.9 * len(drawn)
    assert negatives(hold_out(table.reverse(), share=0.2), kind=kind, seed=2) == drawn


def test_nearest_negatives_are_about_as_frequent() -> None:
    held = hold_out(counts(), share=0.3)
    frequency = dict(held.counts.group_by("dependent").agg(pl.col("count").sum()).iter_rows())
    gaps = {
        kind: np.mean(
            [
                abs(np.log(frequency[own] / frequency[word]))
                for own, word in zip(
                    held.pairs["dependent"], negatives(held, kind=kind), strict=True
                )
                if word
            ]
        )
        for kind in NEGATIVES
    }
    assert gaps["nearest"] < gaps["uniform"]
    assert gaps["nearest"] < gaps["frequency"]


def test_ties_and_silence_are_a_coin() -> None:
    assert accuracy(np.zeros(4), np.zeros(4)) == 0.5
    assert accuracy(np.full(3, np.nan), np.ones(3)) == 0.5
    assert np.isnan(accuracy(np.zeros(0), np.zeros(0)))


def test_wrong_shares_and_kinds_are_named() -> None:
    with pytest.raises(StudyError, match="share"):
        hold_out(counts(), share=1.0)
    with pytest.raises(UnknownName, match="nearest"):
        negatives(hold_out(counts()), kind="close")
