"""SP-10K's groups of plausibility."""

from __future__ import annotations

import polars as pl
import pytest

from plausibly.evaluation.sp10k import plausibility_group


@pytest.mark.parametrize(
    ("score", "lower", "upper"),
    [
        (10.0, "perfect", "perfect"),
        (8.0, "perfect", "good"),
        (6.0, "good", "normal"),
        (4.0, "normal", "unusual"),
        (2.0, "unusual", "impossible"),
        (1.999, "impossible", "impossible"),
        (0.0, "impossible", "impossible"),
    ],
)
def test_a_score_on_a_bound_belongs_to_the_upper_group(
    score: float, lower: str, upper: str
) -> None:
    frame = pl.DataFrame({"score": [score]})
    ours = frame.select(plausibility_group(pl.col("score"))).item()
    other = frame.select(plausibility_group(pl.col("score"), upper_inclusive=True)).item()
    assert (ours, other) == (lower, upper)
