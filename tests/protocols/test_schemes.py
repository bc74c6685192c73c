"""Label schemes: declared once, with the classes of the papers."""

from __future__ import annotations

import pytest

from plausibly.datasets.pap import SIDES
from plausibly.datasets.schemes import SCHEMES
from plausibly.errors import UnknownName


def test_every_scheme_bears_the_name_it_is_found_by() -> None:
    assert list(SCHEMES) == ["adept-3", "adept-4", "adept-5", "pap-binary", "pap-multiclass"]
    for name in SCHEMES:
        assert SCHEMES[name].name == name
        assert SCHEMES[name].source


def test_every_label_of_a_scheme_is_reached_in_the_order_of_the_scale() -> None:
    for name in SCHEMES:
        scheme = SCHEMES[name]
        reached = list(dict.fromkeys(scheme.of[answer] for answer in sorted(scheme.of)))
        assert set(reached) == set(scheme.labels)
        digits = [answer for answer in sorted(scheme.of) if answer.isdecimal()]
        assert list(dict.fromkeys(scheme.of[digit] for digit in digits)) == list(scheme.labels)


def test_pap_leaves_out_the_middle_of_the_slider() -> None:
    assert "3" not in SCHEMES["pap-binary"].of
    assert dict(SCHEMES["pap-binary"].of) == {"1": "0", "2": "0", "4": "1", "5": "1"}
    assert SCHEMES["pap-multiclass"].labels == ("1", "2", "4", "5")


def test_the_sides_are_those_of_the_binary_scheme() -> None:
    sides = [side.split(",") for side in SIDES.split("|")]
    binary = SCHEMES["pap-binary"].of
    assert [{binary[answer] for answer in side} for side in sides] == [{"0"}, {"1"}]


def test_adept_classes_are_given_by_code_or_by_name() -> None:
    five, four, three = (SCHEMES[f"adept-{number}"].of for number in (5, 4, 3))
    assert [five[code] for code in "01234"][::4] == ["impossible", "necessarily true"]
    assert all(five[five[code]] == five[code] for code in "01234")
    assert "0" not in four
    assert "impossible" not in four
    assert [four[code] for code in "1234"] == [five[code] for code in "1234"]
    assert [three[code] for code in "01234"] == [
        "decrease",
        "decrease",
        "equal",
        "increase",
        "increase",
    ]


def test_an_unknown_scheme_gets_a_proposal() -> None:
    with pytest.raises(UnknownName, match=r"unknown scheme 'adept5'. Did you mean 'adept-5'\?"):
        SCHEMES["adept5"]
