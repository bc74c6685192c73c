"""Whether a test can be about a command: it names it, or imports code that the command runs.

Imports are read from the sources, those inside functions and places such as `module:NAME` too. The
rooms that every command uses say nothing about any of them.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import plausibly

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src"
PACKAGE = "plausibly"
COMMON = {
    *(PACKAGE, f"{PACKAGE}.cli", f"{PACKAGE}.errors", f"{PACKAGE}.tables", f"{PACKAGE}.domain"),
    *(f"{PACKAGE}.ports", f"{PACKAGE}.registry", f"{PACKAGE}.io", f"{PACKAGE}.study"),
    *(f"{PACKAGE}.protocols", f"{PACKAGE}.testing"),
}
IMPORT = re.compile(rf"(?m)^\s*from ({PACKAGE}[\w.]*) import (\([^)]*\)|.*)")
PLACE = re.compile(rf'"({PACKAGE}\.[\w.]+):')
SHARED = tuple(f"{PACKAGE}.{room}." for room in ("io", "study", "cli"))


def is_about(test: Path, words: str) -> bool:
    """Return whether the file of a test names a command or imports code of its own.

    Args:
        test: File of the test.
        words: Words of the command.
    """
    text = test.read_text(encoding="utf-8")
    if function_name(words) in text or all(f'"{word}"' in text for word in words.split()):
        return True
    return any(_is_own(one) for one in _imports(test) & _reached(module_of(words)))


def function_name(words: str) -> str:
    """Return the name of the function of a command."""
    return words.replace(" ", "_").replace("-", "_")


def module_of(words: str) -> str:
    """Return the module that a command begins in."""
    name = function_name(words)
    if name not in plausibly.__all__:
        return f"{PACKAGE}.cli.{words.split(maxsplit=1)[0]}"
    found = getattr(plausibly, name)
    declaration = getattr(found, "declaration", None)
    return str((declaration.function if declaration else found).__module__)


def _is_own(module: str) -> bool:
    return module not in COMMON and not module.startswith(SHARED)


@cache
def _reached(module: str) -> frozenset[str]:
    """Return the modules that a module imports, and those that they import.

    Rooms that every command uses are not entered: the registry names all code there is.
    """
    reached: set[str] = set()
    waiting = [module]
    while waiting:
        one = waiting.pop()
        path = _file(one)
        if one not in reached and path is not None:
            reached.add(one)
            waiting += _imports(path) if one == module or _is_own(one) else ()
    return frozenset(reached)


@cache
def _imports(path: Path) -> frozenset[str]:
    """Return the modules of the package that a file imports, or names as places of code."""
    text = path.read_text(encoding="utf-8")
    names = set(PLACE.findall(text))
    for module, imported in IMPORT.findall(text):
        names |= {module, *(f"{module}.{name}" for name in re.findall(r"\w+", imported))}
    return frozenset(one for one in names if _file(one) is not None)


@cache
def _file(module: str) -> Path | None:
    if not all(part.isidentifier() for part in module.split(".")):
        return None
    place = SOURCES.joinpath(*module.split("."))
    files = (place.with_suffix(".py"), place / "__init__.py")
    return next((one for one in files if one.is_file()), None)
