"""The outline of a protocol: its steps and sections, without the code that runs them.

`steps.json` in `protocols/` has, for every protocol of the package, what its steps declare.
`docs/make_reference.py` writes it from the protocols, and a test compares it with them. `status`
and `init` read it, and so import neither a verb nor a library of tables.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from plausibly.registry import OPEN, PROTOCOLS, Registry, resolved
from plausibly.study.hooks import Later, read_hook, written_hook
from plausibly.study.protocol import Protocol
from plausibly.study.protocol_folder import declared_in, package_of, protocol_of_folder
from plausibly.study.steps import Step, Work

ROOM, INDEX = "plausibly.protocols", "steps.json"
HOOKS = ("external", "waits", "wanted", "leaves")
_CODE = ("run", "make")
_LISTS = ("inputs", "outputs", "heeds", "named")


def outlines(protocols: Registry[Protocol]) -> dict[str, Any]:
    """Return the content of `steps.json`."""
    return {name: _written(protocols[name]) for name in PROTOCOLS}


def outline_of(name: str) -> Protocol:
    """Return the outline of a protocol of the package.

    >>> [step.name for step in outline_of("custom").steps][:2]
    ['build', 'build_match']
    """
    document = _index().get(name)
    if document is None:  # added to the package after the index was written
        return cast(Protocol, resolved(PROTOCOLS[name]))
    return declared_in(
        files(package_of(name)),
        steps=[_step(one) for one in document["steps"]],
        check=read_hook(document["check"]),
        example=Later(document["example"]) if document["example"] else None,
        shared={(one, key): (two, other) for one, key, two, other in document["shared"]},
    )


def outline_of_folder(folder: Path) -> Protocol:
    """Return the outline of the protocol in a folder of TOML files."""
    return protocol_of_folder(folder, over=outline_of(OPEN))


@cache
def _index() -> Mapping[str, Any]:
    document: Mapping[str, Any] = json.loads((files(ROOM) / INDEX).read_text(encoding="utf-8"))
    return document


def _written(protocol: Protocol) -> dict[str, Any]:
    steps = []
    for step in protocol.steps:
        values = {one.name: getattr(step, one.name) for one in fields(step)}
        hooks = {name: written_hook(values[name]) for name in HOOKS}
        plain = {name: one for name, one in values.items() if name not in (*HOOKS, *_CODE)}
        kept = {name: _plain(one) for name, one in plain.items()}
        steps.append({name: one for name, one in {**kept, **hooks}.items() if one})
    shared = [[*own, *other] for own, other in protocol.shared.items()]
    hooks = {name: written_hook(getattr(protocol, name)) for name in ("check", "example")}
    return {"steps": steps, "shared": shared, **hooks}


def _plain(value: Any) -> Any:
    return {key: _plain(one) for key, one in value.items()} if isinstance(value, Mapping) else value


def _step(written: Mapping[str, Any]) -> Step:
    hooks: dict[str, Any] = {name: read_hook(written.get(name)) for name in HOOKS}
    lists: dict[str, Any] = {name: tuple(written.get(name, ())) for name in _LISTS}
    plain = {name: one for name, one in written.items() if name not in (*HOOKS, *_LISTS)}
    return Step(run=_unable, **plain, **lists, **hooks)


def _unable(work: Work) -> None:
    raise TypeError(f"{work.folder}: an outline runs no step; use Study.protocol")
