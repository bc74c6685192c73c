"""`plausibly data list|get|verify`: the published datasets and what lies in the data folder."""

from __future__ import annotations

import textwrap
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plausibly.cli.progress import progress
from plausibly.cli.show import json_option, print_json, print_table, say
from plausibly.cli.source import data_option

if TYPE_CHECKING:
    from plausibly.datasets.catalogue import DataFile, Dataset

WIDTH = 100


@click.group("data")
def command() -> None:
    """List, fetch and verify the published datasets."""


@command.command("list")
@click.argument("name", required=False)
@click.option(
    "--data",
    envvar="PLAUSIBLY_DATA",
    type=click.Path(path_type=Path, file_okay=False),
    help="Say of every file whether it is in this folder (default: $PLAUSIBLY_DATA).",
)
@json_option
def list_(name: str | None, data: Path | None, as_json: bool) -> None:
    """Show files, sizes, checksums, licence, citation and source of all datasets, or of NAME."""
    from plausibly.datasets.catalogue import datasets

    chosen = datasets([name] if name else [])
    if as_json:
        print_json([_document(dataset, data) for dataset in chosen])
        return
    for dataset in chosen:
        _print_dataset(dataset)
        if name:
            _print_files(dataset, data)
    if not name:
        say("Files of one dataset: plausibly data list NAME")


def _document(dataset: Dataset, folder: Path | None) -> dict[str, Any]:
    from plausibly.datasets.fetching import HOST

    return {
        "name": dataset.name,
        "title": dataset.title,
        "licence": dataset.licence,
        "citation": dataset.citation,
        "source": f"https://github.com/{dataset.repository}",
        "commit": dataset.commit,
        "size": dataset.size,
        "files": [
            {
                "name": file.name,
                "size": file.size,
                "sha256": file.sha256,
                "pinned": bool(file.checksums),
                "names": list(file.names),
                "origin": file.origin,
                "url": file.url(HOST),
                "found": _found(dataset, file, folder),
            }
            for file in dataset.files
        ],
    }


def _found(dataset: Dataset, file: DataFile, folder: Path | None) -> str | None:
    from plausibly.datasets.catalogue import find

    path = find(folder, dataset.name, file.name) if folder else None
    return str(path) if path else None


def _print_dataset(dataset: Dataset) -> None:
    click.echo(f"{dataset.name}: {dataset.title}")
    facts = {
        "files": f"{len(dataset.files)}, {_size(dataset.size)}",
        "licence": dataset.licence,
        "cite": dataset.citation,
        "source": f"github.com/{dataset.repository} at commit {dataset.commit[:10]}",
    }
    indent = " " * 12
    for fact, text in facts.items():
        lines = textwrap.wrap(
            f"  {fact:10}{text}", WIDTH, subsequent_indent=indent, break_on_hyphens=False
        )
        click.echo("\n".join(lines))
    click.echo()


def _print_files(dataset: Dataset, folder: Path | None) -> None:
    rows = [
        (
            file.name,
            file.size,
            (file.sha256 or "not pinned")[:16],
            "" if folder is None else "yes" if _found(dataset, file, folder) else "no",
            file.origin.partition(" at commit")[0],
        )
        for file in dataset.files
    ]
    print_table(("file", "bytes", "sha256", "found", "origin"), rows)


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.1f} kB"


@command.command("get")
@click.argument("name", required=False)
@click.option(
    "--data",
    envvar="PLAUSIBLY_DATA",
    type=click.Path(path_type=Path, file_okay=False),
    required=True,
    help="Folder to fill (default: $PLAUSIBLY_DATA).",
)
@click.option("--mirror", help="Address that answers like raw.githubusercontent.com.")
@json_option
def get(name: str | None, data: Path, mirror: str | None, as_json: bool) -> None:
    """Fetch what is missing of NAME, or of every dataset, and check it."""
    from plausibly.datasets.catalogue import datasets
    from plausibly.datasets.fetching import HOST, fetch

    chosen = datasets([name] if name else [])
    results = []
    with progress() as watch:
        watch.begin("files", sum(len(dataset.files) for dataset in chosen))
        for result in fetch(chosen, data, host=mirror or HOST):
            results.append(result)
            watch.advance()
    if as_json:
        print_json([{**_shown(r), "outcome": r.outcome, "origin": r.origin} for r in results])
    else:
        rows = [(r.dataset, r.file, r.outcome, _hint(r.outcome, r.origin)) for r in results]
        print_table(("dataset", "file", "outcome", "origin"), rows)
    outcomes = Counter(result.outcome for result in results)
    say(", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common()) + ".")
    for dataset in chosen:
        say(f"{dataset.name}: {dataset.licence}. Cite: {dataset.citation}")


def _hint(outcome: str, origin: str) -> str:
    return f"put it there yourself: {origin}" if outcome == "by hand" else ""


def _shown(result: Any) -> dict[str, str | None]:
    path = str(result.path) if result.path else None
    return {"dataset": result.dataset, "file": result.file, "path": path}


@command.command("verify")
@click.argument("name", required=False)
@data_option
@json_option
@click.option("--strict", is_flag=True, help="Exit 1 if a file is missing or different.")
def verify(name: str | None, data: Path, as_json: bool, strict: bool) -> None:
    """Check NAME, or every dataset, against the known checksums."""
    from plausibly.datasets import catalogue as known
    from plausibly.errors import StudyError

    findings = [
        finding
        for dataset in known.datasets([name] if name else [])
        for finding in known.verify(data, dataset)
    ]
    if as_json:
        print_json([{**_shown(finding), "state": finding.state} for finding in findings])
    else:
        print_table(("dataset", "file", "state"), [(f.dataset, f.file, f.state) for f in findings])
    states = Counter(finding.state for finding in findings)
    say(", ".join(f"{count} {state}" for state, count in states.most_common()) + ".")
    wrong = states["missing"] + states["different"]
    if strict and wrong:
        raise StudyError(f"{data}: {wrong} of {len(findings)} files are missing or different.")
