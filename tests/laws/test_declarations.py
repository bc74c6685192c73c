"""Laws of every verb that is declared, checked without running any of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import plausibly as pb
from plausibly.cli.groups import GROUPS, command_at, index
from plausibly.study.made import INERT, SECRETS
from plausibly.study.verb import Declaration

DECLARED: dict[str, Declaration] = {
    name: getattr(pb, name).declaration
    for name in pb.__all__
    if hasattr(getattr(pb, name), "declaration")
}


def another(default: object) -> Any:
    """Return a value that differs from the default and is of its kind."""
    if isinstance(default, bool):
        return not default
    return default + 1 if isinstance(default, int | float) else "other"


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_every_argument_changes_the_manifest(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    declaration = replace(DECLARED[name], sources=None)  # they read files, which are tested apart
    parameters = declaration.signature.parameters
    own = {key: one for key, one in parameters.items() if one.kind is not one.VAR_KEYWORD}
    needed: dict[str, Any] = {key: "x" for key, one in own.items() if one.default is one.empty}

    def manifest(**changes: Any) -> dict[str, Any]:
        given = {**needed, **changes}
        several = next((key for key, one in own.items() if one.kind is one.VAR_POSITIONAL), None)
        if several is None:
            return declaration.made(**given).as_json({})
        first = [key for key, one in own.items() if one.kind is one.POSITIONAL_OR_KEYWORD]
        places = [given.pop(key) for key in first if key in given]
        return declaration.made(*places, given.pop(several), **given).as_json({})

    before = manifest()
    written = {*declaration.places, *declaration.targets}
    for key in own.keys() - {*INERT, *SECRETS, *written}:
        assert manifest(**{key: another(own[key].default)}) != before, key


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_a_command_has_an_option_or_argument_for_every_keyword(name: str) -> None:
    declaration = DECLARED[name]
    assert declaration.name == name
    offered = {one.name for one in command_at(declaration.words).params}
    keywords = [
        key
        for key, one in declaration.signature.parameters.items()
        if one.kind is not one.VAR_KEYWORD
    ]
    assert set(keywords) - {"watch", "announce", "say"} <= offered


def test_a_command_of_two_words_is_found_next_to_one_of_its_first() -> None:
    assert "models fit" in index()
    assert "models fit" not in GROUPS
    assert command_at("models fit").name == "fit"
    assert command_at("models fit events").name == "events"
