from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl
import pytest

from measures.crowds import coded_of, frame_of, random_grid
from plausibly.measures import chance, cohen, jaccard, krippendorff, spearman
from plausibly.measures._crossing import Crossing
from plausibly.measures._sample import Sample, Statistic
from plausibly.measures.coded import code

STATISTICS: Mapping[str, Statistic] = {
    **{metric: krippendorff.alpha(metric) for metric in krippendorff.METRICS},
    "fleiss": chance.fleiss,
    "ac1": chance.ac1,
    "ac2": chance.ac2,
    "percent": chance.percent,
    "jaccard": jaccard.jaccard(jaccard.parse_sides("1,2|4,5")),
    "kappa": cohen.kappa(),
    "linear": cohen.kappa("linear"),
    "quadratic": cohen.kappa("quadratic"),
    "pairwise": spearman.pairwise,
    "one_vs_rest": spearman.one_vs_rest,
}


def value_of(statistic: Statistic, sample: Sample) -> float:
    value = statistic(sample).value
    assert value is not None
    return value


@pytest.mark.parametrize("name", STATISTICS)
def test_ratings_left_out_count_like_absent_ones(name: str) -> None:
    grid = random_grid(2, people=6)
    coded = coded_of(grid)
    gone = np.zeros(grid.shape, dtype=np.bool_)
    gone[:, ::4] = True
    gone[2] = True
    gone[np.random.default_rng(0).random(grid.shape) < 0.1] = True
    kept = ~gone[coded.annotator, coded.item]
    rest = Sample(Crossing(coded_of(np.where(gone, np.nan, grid))))
    statistic = STATISTICS[name]
    fewer = Sample(Crossing(coded), kept)
    assert value_of(statistic, fewer) == pytest.approx(value_of(statistic, rest), abs=1e-12)


def test_a_sample_without_pairs_says_so() -> None:
    crossing = Crossing(coded_of(random_grid(6, people=3)))
    alone = Sample(crossing, crossing.coded.annotator == 0)
    for name, statistic in STATISTICS.items():
        number = statistic(alone)
        assert number.value is None, name
        assert number.reason, name


def test_a_crossing_lists_pairs_in_the_order_of_names() -> None:
    ratings = frame_of(random_grid(7)).sample(fraction=1, shuffle=True, seed=1)
    crossing = Crossing(code(ratings))
    assert (crossing.pairs.left < crossing.pairs.right).all()
    assert len(crossing.pairs.pair) == crossing.n_coratings
    shared = ratings.group_by("item").len().filter(pl.col("len") > 1)
    assert crossing.paired_items == shared.height
