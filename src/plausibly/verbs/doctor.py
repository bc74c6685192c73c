"""What is installed, what is missing, and how to get it."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.proofreading.stories.reading import mental_languages
from plausibly.registry import PROTOCOLS
from plausibly.stimuli.profile import language_parts
from plausibly.study.results import Result, text_table
from plausibly.study.verb import verb

REQUIREMENT = re.compile(
    r"^(?P<package>[A-Za-z0-9._-]+)[^;]*(;.*extra\s*==\s*['\"](?P<extra>\w+))?"
)
PROGRAMS = {
    "browser": (("chromium", "chromium-browser", "google-chrome"), "apt-get install chromium"),
    "Java 17": (("java",), "apt-get install openjdk-17-jre-headless"),
}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked for."""

    part: str
    name: str
    found: str | None
    get: str


@dataclass(frozen=True, eq=False, repr=False)
class Inventory(Result):
    """What is installed and what is missing.

    Args:
        findings: part, name, found (null if missing), get.
    """

    findings: pl.DataFrame

    def as_json(self) -> list[dict[str, Any]]:
        """Return one record per part."""
        return self.findings.to_dicts()

    def text(self) -> str:
        """Return the parts, and how to get those that are missing."""
        rows = [
            (part, name, found or "missing", "" if found else get)
            for part, name, found, get in self.findings.iter_rows()
        ]
        return text_table(("part", "name", "found", "how to get it"), rows)

    @property
    def missing(self) -> list[str]:
        """Names of what is missing."""
        return self.findings.filter(pl.col("found").is_null())["name"].to_list()

    @property
    def noted(self) -> tuple[str, ...]:
        """What is missing."""
        return tuple(f"{name} is missing" for name in self.missing)


@verb(strict=True)
def doctor(*, language: str | None = None) -> Inventory:
    """Report what is installed, what is missing, and how to get it.

    With a language: its parser, morphology, lists and texts, and what can be built in it.

    Args:
        language: Report what comes with the package for a language instead: en or it.

    Examples:
        plausibly doctor
        plausibly doctor --json

    >>> "polars" in doctor().findings["name"]
    True
    """
    findings = [*packages(), *programs(), data_folder()] if language is None else parts_of(language)
    rows = [astuple(one) for one in findings]
    schema = dict.fromkeys(("part", "name", "found", "get"), pl.String)
    return Inventory(pl.DataFrame(rows, schema=schema, orient="row"))


def parts_of(language: str) -> list[Finding]:
    """Return what comes with the package for a language."""
    return [
        Finding(one.part, one.name, one.have, one.get)
        for one in language_parts(language, protocols=PROTOCOLS, minds=mental_languages())
    ]


def packages() -> Iterator[Finding]:
    """Yield every package the base and the extras ask for."""
    for requirement in requires("plausibly") or []:
        match = REQUIREMENT.match(requirement)
        if match is None or match["extra"] == "dev":
            continue
        extra = match["extra"]
        get = f"pip install 'plausibly[{extra}]'" if extra else "pip install plausibly"
        yield Finding(extra or "base", match["package"], _version(match["package"]), get)


def programs() -> Iterator[Finding]:
    """Yield the programs that pip cannot bring."""
    for name, (commands, get) in PROGRAMS.items():
        found = next((path for one in commands if (path := shutil.which(one))), None)
        yield Finding("program", name, found, get)


def data_folder() -> Finding:
    """Return whether a folder with the published datasets is named and there."""
    folder = os.environ.get("PLAUSIBLY_DATA", "")
    found = folder if folder and Path(folder).is_dir() else None
    return Finding("data", "published datasets", found, "set PLAUSIBLY_DATA; plausibly data list")


def _version(package: str) -> str | None:
    try:
        return version(package)
    except PackageNotFoundError:
        return None
