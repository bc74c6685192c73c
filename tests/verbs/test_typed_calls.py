"""What a type checker knows about calls: mypy reads this file, too, and wants its ignores used."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import plausibly as pb
from hostile import RATED
from plausibly.errors import UnknownName
from plausibly.labels import METHODS
from plausibly.study.parameters import parameters_of
from plausibly.verbs.label import SUPPLIED

STUB = Path(pb.__file__).with_name("__init__.pyi")


def test_a_misspelt_option_of_a_method_is_found_before_the_call() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'restarts'"):
        pb.label(RATED, method="mace", restrats=3)  # type: ignore[call-overload]
    with pytest.raises(UnknownName, match="'per_cell'"):
        pb.build("pap", svo="s", norms="n", seed=1, per_sell=3)  # type: ignore[call-overload]
    assert pb.label(RATED, method="strict-majority", min_share=0.6, as_="polars").labels.height == 3


def test_every_method_has_its_own_options_in_the_stub() -> None:
    known = {}
    for one in ast.parse(STUB.read_text(encoding="utf-8")).body:
        if isinstance(one, ast.FunctionDef) and one.name == "label" and one.args.kwarg is None:
            kinds = {each.arg: each.annotation for each in one.args.kwonlyargs}
            known[ast.unparse(kinds["method"] or one)] = {*kinds}
    for method in METHODS:
        options = known[f"Literal[{method!r}]"]
        assert {*parameters_of(METHODS[method], without=SUPPLIED)} <= options
        assert "restarts" in options or method != "mace"
    assert "restarts" not in known["Literal['mean']"]


def test_every_public_name_is_in_the_stub() -> None:
    tree = ast.parse(STUB.read_text(encoding="utf-8")).body
    defined = {one.name for one in tree if isinstance(one, ast.FunctionDef)}
    imported = {
        name.asname for one in tree if isinstance(one, ast.ImportFrom) for name in one.names
    }
    assert {*pb.__all__} <= defined | imported
