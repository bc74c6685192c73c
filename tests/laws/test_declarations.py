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
from worlds.values import place

DECLARED: dict[str, Declaration] = {
    name: getattr(pb, name).declaration
    for name in pb.__all__
    if hasattr(getattr(pb, name), "declaration")
}


VALUES: dict[str, Any] = {}
"""From verb.argument to a value, where none can be made from the default."""


def another(argument: str, default: object) -> Any:
    """Return a value that differs from the default and is of its kind."""
    if argument in VALUES:
        return VALUES[argument]
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
    needed: dict[str, Any] = {
        key: VALUES.get(f"{name}.{key}", "x")
        for key, one in own.items()
        if one.default is one.empty
    }

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
    for key in sorted(own.keys() - {*INERT, *SECRETS, *written}):
        argument = f"{name}.{key}"
        add = f"{argument}: is it left out of the manifest? If it needs another value, add it to "
        changed = {key: f"{another(argument, own[key].default)} again"} if key in needed else {}
        changed = changed or {key: another(argument, own[key].default)}
        assert manifest(**changed) != before, add + place(__file__, "VALUES")


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
