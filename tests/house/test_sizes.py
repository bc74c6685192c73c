"""Budgets of the house: files, functions, parameters and names."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "plausibly"
MODULES = sorted(PACKAGE.rglob("*.py"))
FORBIDDEN = {"utils", "util", "common", "manager", "base", "core", "misc", "helpers"}
Function = ast.FunctionDef | ast.AsyncFunctionDef
Offences = Callable[[Path], list[str]]


@cache
def tree_of(module: Path) -> ast.Module:
    return ast.parse(module.read_text(encoding="utf-8"))


def functions(module: Path) -> Iterator[Function]:
    return (node for node in ast.walk(tree_of(module)) if isinstance(node, Function))


def short(module: Path) -> str:
    return str(module.relative_to(PACKAGE))


def offenders(offences: Offences) -> dict[str, list[str]]:
    """Return what is wrong in each module, by its name."""
    return {short(module): wrong for module in MODULES if (wrong := offences(module))}


def lines_of(function: Function, *, body_only: bool) -> int:
    end = function.end_lineno or function.lineno
    if not body_only or ast.get_docstring(function) is None or len(function.body) == 1:
        return end - function.lineno
    return end - function.body[1].lineno


def parameters_of(function: Function) -> set[str]:
    named = {one.arg for one in (*function.args.args, *function.args.kwonlyargs)}
    return named - {"self", "cls"}


def is_verb(module: Path) -> bool:
    """Return whether a module holds a verb; two drive the server and are on the floor of web."""
    above = module.parent.name == "people" or module.name in ("rehearse.py", "serve.py")
    return "verbs" in module.parts or above


def test_files_have_at_most_400_lines() -> None:
    sizes = {short(one): one.read_text(encoding="utf-8").count("\n") for one in MODULES}
    assert {name: size for name, size in sizes.items() if size > 400} == {}


def test_functions_have_fewer_than_60_lines() -> None:
    def long(module: Path) -> list[str]:
        explained = is_verb(module)  # a verb lists and explains every option
        return [f.name for f in functions(module) if lines_of(f, body_only=explained) >= 60]

    assert offenders(long) == {}


def test_functions_take_at_most_six_parameters() -> None:
    def wide(module: Path) -> list[str]:
        if is_verb(module) or "cli" in module.relative_to(PACKAGE).parts:
            return []
        return [f.name for f in functions(module) if len(parameters_of(f)) > 6]

    assert offenders(wide) == {}


def test_no_room_is_called_after_nothing() -> None:
    names = {module.stem for module in MODULES} | {module.parent.name for module in MODULES}
    assert not names & FORBIDDEN


def test_nothing_is_caught_that_is_not_understood() -> None:
    def broad(module: Path) -> list[str]:
        return [
            f"line {node.lineno}"
            for node in ast.walk(tree_of(module))
            if isinstance(node, ast.ExceptHandler)
            and (node.type is None or ast.unparse(node.type) in {"Exception", "BaseException"})
        ]

    assert offenders(broad) == {}


def test_one_class_name_is_one_class() -> None:
    homes: dict[str, list[str]] = {}
    for module in MODULES:
        for node in tree_of(module).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                homes.setdefault(node.name, []).append(short(module))
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}
