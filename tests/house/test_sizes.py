"""Budgets of the house: files, functions, parameters and names."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "plausibly"
MODULES = sorted(PACKAGE.rglob("*.py"))
FORBIDDEN = {"utils", "util", "common", "manager", "base", "core", "misc", "helpers"}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions(module: Path) -> Iterator[Function]:
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, Function):
            yield node


def short(module: Path) -> str:
    return str(module.relative_to(PACKAGE))


def lines_of(function: Function, *, body_only: bool) -> int:
    end = function.end_lineno or function.lineno
    if not body_only or ast.get_docstring(function) is None or len(function.body) == 1:
        return end - function.lineno
    return end - function.body[1].lineno


def is_verb(module: Path) -> bool:
    """Return whether a module holds a verb; two drive the server and are on the floor of web."""
    above = module.parent.name == "people" or module.name in ("rehearse.py", "serve.py")
    return "verbs" in module.parts or above


@pytest.mark.parametrize("module", MODULES, ids=short)
def test_files_and_functions_keep_their_budget(module: Path) -> None:
    assert module.read_text(encoding="utf-8").count("\n") <= 400
    explained = is_verb(module)  # a verb lists and explains every option
    long = [f.name for f in functions(module) if lines_of(f, body_only=explained) >= 60]
    assert not long
    if module.parent.name == "protocols":
        assert module.read_text(encoding="utf-8").count("\n") <= 150


@pytest.mark.parametrize("module", MODULES, ids=short)
def test_functions_take_at_most_six_parameters(module: Path) -> None:
    if is_verb(module) or "cli" in module.relative_to(PACKAGE).parts:
        return
    wide = [
        f.name
        for f in functions(module)
        if len([a for a in (*f.args.args, *f.args.kwonlyargs) if a.arg not in {"self", "cls"}]) > 6
    ]
    assert not wide


def test_no_room_is_called_after_nothing() -> None:
    names = {module.stem for module in MODULES} | {module.parent.name for module in MODULES}
    assert not names & FORBIDDEN


@pytest.mark.parametrize("module", MODULES, ids=short)
def test_nothing_is_caught_that_is_not_understood(module: Path) -> None:
    broad = [
        node.lineno
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or ast.unparse(node.type) in {"Exception", "BaseException"})
    ]
    assert not broad


def test_one_class_name_is_one_class() -> None:
    homes: dict[str, list[str]] = {}
    for module in MODULES:
        for node in ast.parse(module.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(short(module))
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}
