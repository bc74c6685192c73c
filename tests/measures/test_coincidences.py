"""How often answers meet, against the definition, and alpha from it against alpha from pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from plausibly.measures import _coincidences
from plausibly.measures._coincidences import Floats, coincidences
from plausibly.measures._crossing import Crossing
from plausibly.measures._sample import Sample
from plausibly.measures._tallies import FullTally
from plausibly.measures.coded import Coded, code
from plausibly.measures.krippendorff import METRICS, _nominal, _numeric, alpha
from worlds.tables import ratings_of

counts = arrays.arrays(
    np.float64, st.tuples(st.integers(1, 8), st.integers(1, 4)), elements=st.integers(0, 3)
)
crowds = st.dictionaries(
    st.sampled_from([f"t{n}" for n in range(8)]),
    st.text("1245-", min_size=1, max_size=6).filter(lambda answers: set(answers) != {"-"}),
    min_size=1,
).map(ratings_of)


def by_definition(table: Floats) -> Floats:
    met = np.zeros((table.shape[1], table.shape[1]))
    for row in table:
        answers = [answer for answer, n in enumerate(row) for _ in range(int(n))]
        for place, one in enumerate(answers):
            for other_place, other in enumerate(answers):
                if place != other_place:
                    met[one, other] += 1 / (len(answers) - 1)
    return met


@pytest.mark.parametrize("product", [1, 1 << 17])
@given(table=counts)
@settings(max_examples=50, deadline=None)
def test_answers_meet_as_often_as_the_definition_says(product: int, table: Floats) -> None:
    before = _coincidences.PRODUCT
    _coincidences.PRODUCT = product
    try:
        assert coincidences(table) == pytest.approx(by_definition(table), abs=1e-9)
    finally:
        _coincidences.PRODUCT = before


@pytest.mark.parametrize("metric", METRICS)
@given(ratings=crowds, left_out=st.integers(0, 50))
@settings(max_examples=50, deadline=None)
def test_one_table_gives_what_sums_over_items_give(
    metric: str, ratings: object, left_out: int
) -> None:
    coded: Coded = code(ratings)  # type: ignore[arg-type]
    kept = np.arange(coded.n_ratings) != left_out
    for sample in (Sample(Crossing(coded)), Sample(Crossing(coded), kept)):
        assert isinstance(sample.tally, FullTally)
        quick = alpha(metric)(sample)  # type: ignore[arg-type]
        slow = _nominal(sample) if metric == "nominal" else _numeric(metric, sample)  # type: ignore[arg-type]
        assert quick.reason == slow.reason
        assert quick.value == pytest.approx(slow.value, abs=1e-12)


def test_a_short_tally_has_the_same_table() -> None:
    coded = code(ratings_of({"t1": "112", "t2": "5", "t3": "45"}))
    short = Crossing(coded)
    table = short._short(np.bincount(short._cells.place, minlength=len(short._cells))).table()
    assert table.tolist() == coded.frequencies.tolist()
