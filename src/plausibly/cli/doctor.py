"""`plausibly doctor`: what is installed, what is missing, and how to get it."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

import click

from plausibly.cli.show import json_option, print_json, print_table

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


@click.command("doctor")
@json_option
@click.option("--strict", is_flag=True, help="Exit 1 if anything is missing.")
@click.option("--language", metavar="CODE", help="Say what comes for a language instead: en or it.")
def command(as_json: bool, strict: bool, language: str | None) -> None:
    """Say what is installed, what is missing, and how to get it.

    With --language: parser, morphology, lists and texts of a language, and what can be built in it.
    """
    from plausibly.errors import StudyError

    findings = [*packages(), *programs(), data_folder()] if language is None else parts_of(language)
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        rows = [(f.part, f.name, f.found or "missing", "" if f.found else f.get) for f in findings]
        print_table(("part", "name", "found", "how to get it"), rows)
    missing = [finding.name for finding in findings if finding.found is None]
    if strict and missing:
        raise StudyError(f"{len(missing)} of {len(findings)} are missing: {', '.join(missing)}.")


def parts_of(lang: str) -> list[Finding]:
    """Return what comes with the package for a language."""
    from plausibly.stimuli.lexica.profile import language_parts

    return [Finding(one.part, one.name, one.have, one.get) for one in language_parts(lang)]


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
