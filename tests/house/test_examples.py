"""Whatever a user can choose or call shows, in its docstring, how it is used; doctests run it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from pkgutil import iter_modules

import pytest

import plausibly
from plausibly import measures
from plausibly.cleaning import RULES
from plausibly.labels import METHODS
from plausibly.measures.agreement import NAMES

# Rooms of measures that are all doors: every public function in them is a measure or a test.
DOORS = (
    *("chance", "classification", "cohen", "correlation", "distances", "graded", "holm"),
    *("dirichlet", "mcnemar", "permutation", "proportion", "ranking", "resampling"),
)
MACHINERY = {"percent", "fleiss", "ac1", "ac2", "kappa"}


def _measures() -> Iterator[tuple[str, object]]:
    """Yield the measures of agreement by their names, and every function of the other rooms."""
    public = {
        name: value
        for room in iter_modules(measures.__path__)
        if not room.name.startswith("_")
        for name, value in vars(import_module(f"plausibly.measures.{room.name}")).items()
        if inspect.isfunction(value) and value.__module__.endswith(f".{room.name}")
    }
    for name, value in public.items():
        room = value.__module__.rpartition(".")[2]
        is_door = room in DOORS and not name.startswith("_") and name not in MACHINERY
        if is_door or name in (*NAMES, "agreement", "masi_alpha"):
            yield name, value


MEASURES = dict(_measures())
TOLD = {
    **{f"plausibly.{name}": getattr(plausibly, name) for name in plausibly.__all__},
    **{f"method {name}": METHODS[name] for name in METHODS},
    **{f"rule {name}": RULES[name] for name in RULES},
    **{f"measure {name}": value for name, value in MEASURES.items()},
}


@pytest.mark.parametrize("name", TOLD)
def test_a_docstring_shows_how_it_is_used(name: str) -> None:
    thing = TOLD[name]
    if isinstance(thing, str):
        return  # the version
    assert ">>> " in (inspect.getdoc(thing) or ""), f"{name}: no example in the docstring"


def test_every_measure_of_agreement_has_a_function_of_its_name() -> None:
    assert {name.removesuffix("_linear").removesuffix("_quadratic") for name in NAMES} <= set(
        MEASURES
    )
