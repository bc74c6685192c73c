"""Published sets, releases and files of one's own as tables, with licence and citation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.datasets.catalogue import data_folder, present
from plausibly.datasets.loading import FOLDERS, LoadedSet, load_files, load_folder, load_set
from plausibly.errors import StudyError, TableError, UnknownName
from plausibly.io.files import nul_problems
from plausibly.study.made import being_made
from plausibly.study.results import Result, text_table
from plausibly.study.verb import Output, verb
from plausibly.tables import TABLES

FIELDS = ("items", "ratings", "labels", "annotators", "exclusions")


@dataclass(frozen=True, eq=False, repr=False)
class Loaded(Result):
    """A set as tables.

    Args:
        name: Of the set, or of the file.
        title: What it is.
        licence: Licence under which its source publishes it.
        citation: What to cite; None if nothing is stated.
        source: Where it was read from.
        items: The items table, where there is one; likewise the next four.
        ratings: The ratings table.
        labels: The labels table, with those of the release and those of its key.
        annotators: The annotators table.
        exclusions: The ledger of ratings set aside.
        others: Tables without a contract, by name: norms, assertions, states, checks.
    """

    name: str
    title: str
    licence: str
    citation: str | None
    source: str
    items: pl.DataFrame | None
    ratings: pl.DataFrame | None
    labels: pl.DataFrame | None
    annotators: pl.DataFrame | None
    exclusions: pl.DataFrame | None
    others: Mapping[str, pl.DataFrame] = field(default_factory=dict)

    @property
    def tables(self) -> dict[str, pl.DataFrame | pl.LazyFrame]:
        """The tables that are there, by name."""
        return {**super().tables, **self.others}

    def as_json(self) -> dict[str, Any]:
        """Return what it is, its licence and citation, and rows and columns of each table."""
        return {
            "name": self.name,
            "title": self.title,
            "licence": self.licence,
            "citation": self.citation,
            "source": self.source,
            "tables": {
                name: {"rows": table.height, "columns": table.columns}
                for name, table in self.tables.items()
                if isinstance(table, pl.DataFrame)
            },
        }

    def text(self) -> str:
        """Return rows and columns of each table."""
        tables = self.as_json()["tables"].items()
        rows = [(name, one["rows"], ", ".join(one["columns"])) for name, one in tables]
        return text_table(("table", "rows", "columns"), rows)

    @property
    def talk(self) -> tuple[str, ...]:
        """What to know before passing it on."""
        cite = () if self.citation is None else (f"Cite: {self.citation}",)
        licence = self.licence or "none stated"
        return (f"{self.title}. Licence: {licence}.", *cite)

    def wrote(self, folder: Path) -> tuple[str, ...]:
        """Return which tables were written."""
        return (f"{folder}: {', '.join(f'{table}.parquet' for table in self.tables)}.",)


@verb(
    texts=("name",),
    output=Output(help="Folder for one Parquet file per table, and the manifest."),
)
def load(
    name: str | Path,
    *files: str | Path,
    data: str | Path | None = None,
    columns: Mapping[str, str] | None = None,
) -> Loaded:
    r"""Load a dataset as tables, with its licence and what to cite.

        NAME is a published dataset, read from the data folder or from files in its format; a folder
    that `plausibly release` wrote; or a file with any table. In a file, the columns item, text (or
    subject, verb, object), condition, label, annotator and answer are found by these names, or
    by those you map.

    Args:
        name: pap, adept, sp10k, gita, iks, norms, conceptnet, mace, pep3k or 20q; a folder that
            `plausibly release` wrote; or a file, whose columns show what it contains.
        files: Files in the form of the named set, in place of the data folder: for pep3k the
            plausible and the implausible events.
        data: Folder with the published sets (default: $PLAUSIBLY_DATA).
        columns: Maps our column names to the file's, for a file with other columns.

    Examples:
        plausibly load pap --data data -o pap
        plausibly load my-release -o tables

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "events.csv")
    ...     _ = path.write_text("subject,verb,object,gold\ndog,eat,bone,1\n")
    ...     load(path, columns={"label": "gold"}).labels["label"].to_list()
    ['1']
    """
    chosen = _chosen(name, files, data, columns)
    _refuse_nul(chosen)
    known = {table: chosen.tables.get(table) for table in FIELDS}
    return Loaded(
        chosen.name,
        chosen.title,
        chosen.licence,
        chosen.citation,
        chosen.source,
        **known,
        others={table: one for table, one in chosen.tables.items() if table not in FIELDS},
        made=being_made().reading(_published(name, files, data)),
    )


def _chosen(
    name: str | Path,
    files: tuple[str | Path, ...],
    data: str | Path | None,
    columns: Mapping[str, str] | None,
) -> LoadedSet:
    """Return the set a name, a folder or a file stands for; names come first."""
    path = Path(name)
    if str(name) in FOLDERS:
        if files:
            return load_files([Path(one) for one in files], name=str(name))
        return load_set(str(name), data_folder(data))
    if path.is_dir():
        return load_folder(path)
    if path.exists():
        return load_files([path, *map(Path, files)], names=columns)
    if path.suffix or len(path.parts) > 1:
        raise StudyError(
            f"{path}: no such file or folder. Published datasets: {', '.join(FOLDERS)}."
        )
    raise UnknownName("dataset, file or folder", str(name), FOLDERS)


def _published(
    name: str | Path, files: tuple[str | Path, ...], data: str | Path | None
) -> dict[str, Path]:
    """Return the files of a published set that are in the data folder."""
    folder = data_folder(data)
    return present(folder, [str(name)]) if folder and str(name) in FOLDERS and not files else {}


def _refuse_nul(chosen: LoadedSet) -> None:
    """Raise if an id holds a NUL, at which other programs would cut it."""
    for name, table in chosen.tables.items():
        for problem in nul_problems(table, TABLES[name])[:1] if name in TABLES else ():
            raise TableError(f"{chosen.source}: {name}, row {problem.row + 1}: {problem.message}.")
