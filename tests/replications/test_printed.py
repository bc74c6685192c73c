"""How far a recomputed number may lie from a printed one: digits and words decide."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from plausibly.replications.printed import ORDER, Value, agreement, parsed, value_of

PLACES = st.integers(0, 4)
NUMBERS = st.decimals(-1000, 1000, places=6, allow_nan=False)
COUNTS = st.integers(1, 10**6)
WORDS = ("more than", "over", "at least", "less than", "at most")


@pytest.mark.parametrize(
    ("printed", "recomputed", "verdict"),
    [
        ("8.9", 8.985, "rounding"),
        ("9.0", 8.985, "exact"),
        ("9.1", 8.985, "erratum"),
        ("68.98 %", 0.69038, "erratum"),
        ("69.04 %", 0.69038, "exact"),
        ("32", 31.93, "exact"),
        ("1,733", 1733, "exact"),
        ("1,733", 1732, "erratum"),
        (622, 621, "erratum"),
        ("about 40K", 39954, "exact"),
        ("about 15 %", 0.1505, "exact"),
        ("about 15 %", 0.158, "rounding"),
        ("about 15 %", 0.166, "erratum"),
        ("80 %", 0.8023, "exact"),
        ("80 %", 0.7778, "rounding"),
        ("80 %", 0.7419, "erratum"),
        ("15 %", 0.166, "erratum"),
        ("100 %", 0.96, "erratum"),
        ("80.0 %", 0.7778, "erratum"),
        ("more than 500", 501, "exact"),
        ("more than 500", 500, "erratum"),
        ("at least 11", 11, "exact"),
        ("less than 0.5 %", 0.0047, "exact"),
        ("less than 0.5 %", 0.0052, "erratum"),
        ("at most 1.6 %", 0.016, "exact"),
        ("over 16 thousand", 16115, "exact"),
        ("most", 4 / 7, "exact"),
        ("most", 0.5, "erratum"),
        (["a"], ["a"], "exact"),
        (["a"], ["b"], "erratum"),
        (["a"], ["a", "b"], "erratum"),
        (["1.5", "2.0"], [1.59, 2.0], "rounding"),
        ({"a": "1.0"}, {"a": 1.0}, "exact"),
        ({"a": "1.0"}, {"b": 1.0}, "erratum"),
        ("above", "below", "erratum"),
        (0.1638655462184874, 0.16386554621848742, "exact"),
        (0.1638655462184874, 0.1638655, "erratum"),
    ],
)
def test_a_verdict_is_told_from_printed_digits_and_words(
    printed: Value, recomputed: Value, verdict: str
) -> None:
    assert agreement(printed, recomputed) == verdict


@pytest.mark.parametrize(
    ("printed", "value"),
    [
        ("68.98 %", 0.6898),
        ("1,733", 1733),
        ("more than 500", 500),
        ("about 40K", 40000),
        ("70 million", 70_000_000),
        ("8.1 million", 8_100_000),
        ("100 %", 1.0),
        ("0.00 %", 0.0),
        ("subject-verb-object", "subject-verb-object"),
        ("(3;4]", "(3;4]"),
        ([["5.09 %"]], [[0.0509]]),
    ],
)
def test_a_printed_text_stands_for_a_value(printed: Value, value: Value) -> None:
    assert value_of(printed) == value


@given(NUMBERS, PLACES)
def test_a_number_that_was_rounded_is_exact(number: Decimal, places: int) -> None:
    assert agreement(f"{number:.{places}f}", float(number)) == "exact"


@given(NUMBERS, PLACES)
def test_a_number_that_was_cut_is_at_worst_rounding(number: Decimal, places: int) -> None:
    cut = number.quantize(Decimal(1).scaleb(-places), rounding="ROUND_DOWN")
    assert agreement(str(cut), float(number)) in ("exact", "rounding")


@given(NUMBERS, PLACES, st.floats(0, 100), st.floats(0, 100), st.booleans())
def test_what_lies_farther_away_is_never_better(
    number: Decimal, places: int, near: float, more: float, about: bool
) -> None:
    printed = f"{'about ' if about else ''}{number:.{places}f}"
    value = float(Decimal(f"{number:.{places}f}"))
    first, second = (agreement(printed, value + d) for d in (near, near + more))
    assert ORDER.index(first) <= ORDER.index(second)
    assert agreement(printed, value + near) == agreement(printed, value - near)


@given(NUMBERS, PLACES, st.floats(-100, 100))
def test_about_never_makes_a_verdict_worse(number: Decimal, places: int, distance: float) -> None:
    printed = f"{number:.{places}f}"
    near = float(Decimal(printed)) + distance
    plain, hedged = agreement(printed, near), agreement(f"about {printed}", near)
    assert ORDER.index(hedged) <= ORDER.index(plain)


@given(COUNTS, COUNTS)
def test_counts_are_equal_or_wrong(printed: int, counted: int) -> None:
    verdict = agreement(f"{printed:,}", counted)
    assert verdict == ("exact" if printed == counted else "erratum")


@given(COUNTS, COUNTS, st.sampled_from(WORDS))
def test_a_bound_holds_or_does_not(bound: int, counted: int, word: str) -> None:
    assume(bound != counted)
    above = word in ("more than", "over", "at least")
    assert (agreement(f"{word} {bound}", counted) == "exact") == ((counted > bound) == above)


@given(st.integers(1, 9), st.floats(0, 1))
def test_round_tens_of_percent_are_round_figures(tens: int, share: float) -> None:
    verdict = agreement(f"{tens}0 %", share)
    distance = abs(share - tens / 10)
    if distance < 0.0499:
        assert verdict != "erratum"
    if distance > 0.0501:
        assert verdict == "erratum"


def test_a_name_is_no_number() -> None:
    assert parsed("Table 3.6") is None
    assert parsed("about half") is None
