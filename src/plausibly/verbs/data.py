"""The published datasets: what there is, fetching it, and checking what is in the data folder."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.datasets import catalogue as known
from plausibly.datasets.catalogue import DataFile, Dataset
from plausibly.datasets.fetching import HOST, fetch
from plausibly.errors import StudyError
from plausibly.ports import SILENCE, Watch
from plausibly.study.results import Result, text_table
from plausibly.study.verb import verb

WIDTH = 100
_FILES = {"dataset": pl.String, "file": pl.String, "path": pl.String}


@dataclass(frozen=True, eq=False, repr=False)
class DatasetList(Result):
    """The published datasets and their files.

    Args:
        files: dataset, file, path (null if it is not in the data folder).
        datasets: The datasets, in the order of the catalogue.
        detailed: Whether the text lists the files.
        located: Whether a data folder was looked into.
    """

    files: pl.DataFrame
    datasets: tuple[Dataset, ...]
    detailed: bool
    located: bool

    def as_json(self) -> list[dict[str, Any]]:
        """Return every dataset with its licence, citation, source and files."""
        paths = self._paths()
        return [_document(one, paths) for one in self.datasets]

    def text(self) -> str:
        """Return licence, citation and source of each; the files too if one was named."""
        return "".join(
            _described(one) + (self._listed(one) if self.detailed else "") for one in self.datasets
        )

    @property
    def talk(self) -> tuple[str, ...]:
        """How to see the files."""
        return () if self.detailed else ("Files of one dataset: plausibly data list NAME",)

    def _paths(self) -> dict[tuple[str, str], str | None]:
        return {(dataset, file): path for dataset, file, path in self.files.iter_rows()}

    def _listed(self, dataset: Dataset) -> str:
        paths = self._paths()
        rows = [
            (
                file.name,
                file.size,
                (file.sha256 or "not pinned")[:16],
                ("yes" if paths[dataset.name, file.name] else "no") if self.located else "",
                file.origin.partition(" at commit")[0],
            )
            for file in dataset.files
        ]
        return text_table(("file", "bytes", "sha256", "found", "origin"), rows)


@dataclass(frozen=True, eq=False, repr=False)
class FetchedData(Result):
    """What became of every file that was to be fetched.

    Args:
        files: dataset, file, path, outcome, origin.
        datasets: The datasets asked for.
    """

    files: pl.DataFrame
    datasets: tuple[Dataset, ...]

    def as_json(self) -> list[dict[str, Any]]:
        """Return one record per file."""
        return self.files.to_dicts()

    def text(self) -> str:
        """Return the files as a table, with what is left to do by hand."""
        rows = [
            (
                row["dataset"],
                row["file"],
                row["outcome"],
                f"put it there yourself: {row['origin']}" if row["outcome"] == "by hand" else "",
            )
            for row in self.files.iter_rows(named=True)
        ]
        return text_table(("dataset", "file", "outcome", "origin"), rows)

    @property
    def talk(self) -> tuple[str, ...]:
        """How many files had each outcome, then licences and citations."""
        cited = (f"{one.name}: {one.licence}. Cite: {one.citation}" for one in self.datasets)
        return (_counted(self.files["outcome"]), *cited)


@dataclass(frozen=True, eq=False, repr=False)
class VerifiedData(Result):
    """Whether the files of the data folder have the known checksums.

    Args:
        files: dataset, file, path, state.
    """

    files: pl.DataFrame

    def as_json(self) -> list[dict[str, Any]]:
        """Return one record per file."""
        return self.files.to_dicts()

    def text(self) -> str:
        """Return the state of every file."""
        return text_table(
            ("dataset", "file", "state"), self.files.select("dataset", "file", "state").rows()
        )

    @property
    def talk(self) -> tuple[str, ...]:
        """How many files are in each state."""
        return (_counted(self.files["state"]),)

    @property
    def noted(self) -> tuple[str, ...]:
        """The files that are missing or different."""
        wrong = self.files.filter(pl.col("state").is_in(["missing", "different"]))
        rows = wrong.select("dataset", "file", "state").iter_rows()
        return tuple(f"{dataset}/{file} is {state}" for dataset, file, state in rows)


@verb()
def data_list(name: str | None = None, *, data: str | Path | None = None) -> DatasetList:
    """List files, sizes, checksums, licence, citation and source of the published datasets.

    Args:
        name: One dataset (default: all).
        data: Report for every file whether it is in this folder (default: $PLAUSIBLY_DATA).

    Examples:
        plausibly data list
        plausibly data list pap

    >>> data_list("pap").datasets[0].name
    'pap'
    """
    folder = known.data_folder(data)
    chosen = known.datasets([name] if name else [])
    rows = [
        (dataset.name, file.name, _path(folder, dataset, file))
        for dataset in chosen
        for file in dataset.files
    ]
    files = pl.DataFrame(rows, schema=_FILES, orient="row")
    return DatasetList(files, tuple(chosen), name is not None, folder is not None)


@verb()
def data_get(
    name: str | None = None,
    *,
    data: str | Path | None = None,
    mirror: str | None = None,
    watch: Watch = SILENCE,
) -> FetchedData:
    """Fetch what is missing of a dataset, or of all of them, and check it.

    Args:
        name: One dataset (default: all).
        data: Folder to fill (default: $PLAUSIBLY_DATA).
        mirror: Address of a mirror of raw.githubusercontent.com to fetch from.
        watch: Reports progress.

    Examples:
        plausibly data get pap --data data
        plausibly data get adept --data data

    >>> data_get("adapt", data="DIR")
    Traceback (most recent call last):
    plausibly.errors.UnknownName: unknown dataset 'adapt'. Did you mean 'adept'? Known: ...
    """
    folder = _required(data)
    chosen = known.datasets([name] if name else [])
    watch.begin("files", sum(len(dataset.files) for dataset in chosen))
    rows = []
    for one in fetch(chosen, folder, host=mirror or HOST):
        path = str(one.path) if one.path else None
        rows.append((one.dataset, one.file, path, one.outcome, one.origin))
        watch.advance()
    schema = {**_FILES, "outcome": pl.String, "origin": pl.String}
    return FetchedData(pl.DataFrame(rows, schema=schema, orient="row"), tuple(chosen))


@verb(strict=True)
def data_verify(name: str | None = None, *, data: str | Path | None = None) -> VerifiedData:
    """Check a dataset, or all of them, against the known checksums.

    Args:
        name: One dataset (default: all).
        data: Folder with the published datasets (default: $PLAUSIBLY_DATA).

    Examples:
        plausibly data verify --data data
        plausibly data verify pap --data data

    >>> set(data_verify("pap", data="no-such-folder").files["state"])
    {'missing'}
    """
    folder = _required(data)
    rows = [
        (one.dataset, one.file, str(one.path) if one.path else None, one.state)
        for dataset in known.datasets([name] if name else [])
        for one in known.verify(folder, dataset)
    ]
    schema = {**_FILES, "state": pl.String}
    return VerifiedData(pl.DataFrame(rows, schema=schema, orient="row"))


def _required(data: str | Path | None) -> Path:
    folder = known.data_folder(data)
    if folder is None:
        raise StudyError(known.NO_FOLDER, parameter="data")
    return folder


def _path(folder: Path | None, dataset: Dataset, file: DataFile) -> str | None:
    path = known.find(folder, dataset.name, file.name) if folder else None
    return str(path) if path else None


def _document(dataset: Dataset, paths: Mapping[tuple[str, str], str | None]) -> dict[str, Any]:
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
                "found": paths[dataset.name, file.name],
            }
            for file in dataset.files
        ],
    }


def _described(dataset: Dataset) -> str:
    return "\n".join((f"{dataset.name}: {dataset.title}", *_facts(dataset), "", ""))


def _facts(dataset: Dataset) -> Iterator[str]:
    facts = {
        "files": f"{len(dataset.files)}, {_size(dataset.size)}",
        "licence": dataset.licence,
        "cite": dataset.citation,
        "source": f"github.com/{dataset.repository} at commit {dataset.commit[:10]}",
    }
    indent = " " * 12
    for fact, text in facts.items():
        yield from textwrap.wrap(
            f"  {fact:10}{text}", WIDTH, subsequent_indent=indent, break_on_hyphens=False
        )


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e5 else f"{size / 1e3:.1f} kB"


def _counted(outcomes: pl.Series) -> str:
    counts = Counter(outcomes.to_list()).most_common()
    return ", ".join(f"{count} {outcome}" for outcome, count in counts) + "."
