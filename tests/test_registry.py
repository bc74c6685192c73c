"""Names: unknown ones raise with the nearest known one."""

from __future__ import annotations

import pytest

from plausibly.domain import LabelScheme, label_order
from plausibly.errors import MissingExtra, PlausiblyError, StudyError, TableError, UnknownName
from plausibly.ratings import READERS, WRITERS
from plausibly.registry import Registry


def test_an_unknown_name_proposes_the_nearest_and_lists_all() -> None:
    protocols: Registry[object] = Registry("protocol", dict.fromkeys(["pap", "adept", "gita"], ""))
    with pytest.raises(UnknownName) as caught:
        protocols["papp"]
    assert str(caught.value) == (
        "unknown protocol 'papp'. Did you mean 'pap'? Known: adept, gita, pap."
    )


def test_every_format_that_is_named_can_be_loaded() -> None:
    for registry in (READERS, WRITERS):
        assert all(callable(registry[name]) for name in registry)


def test_our_errors_are_also_the_ones_python_programmers_expect() -> None:
    assert issubclass(TableError, ValueError)
    assert issubclass(StudyError, ValueError)
    assert issubclass(UnknownName, LookupError)
    assert issubclass(MissingExtra, ImportError)
    errors = (TableError, StudyError, UnknownName, MissingExtra)
    assert all(issubclass(error, PlausiblyError) for error in errors)


def test_a_missing_extra_says_how_to_install_it() -> None:
    assert str(MissingExtra("parsing with Stanza", "stanza")) == (
        "parsing with Stanza needs an extra. Install it with: pip install 'plausibly[stanza]'"
    )


def test_a_scheme_maps_to_its_own_labels_only() -> None:
    with pytest.raises(StudyError, match="maps to '2', which is not among its labels"):
        LabelScheme("odd", ("0", "1"), {"5": "2"})


@pytest.mark.parametrize(
    ("labels", "order"),
    [("5 10 1", "1 5 10"), ("no yes", "no yes"), ("2 x 10", "10 2 x"), ("1.0 1", "1 1.0")],
)
def test_labels_are_ordered_by_number_or_as_text(labels: str, order: str) -> None:
    assert label_order(labels.split()) == order.split()
