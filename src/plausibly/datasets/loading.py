"""Published sets, and files of one's own, as tables of the contracts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from plausibly.datasets.catalogue import NO_FOLDER, catalogue
from plausibly.errors import StudyError, UnknownName
from plausibly.registry import Registry

Tables = dict[str, pl.DataFrame]

FOLDERS: Registry[Callable[[Path], Tables]] = Registry(
    "dataset",
    {
        "20q": "plausibly.datasets.events:twenty_questions",
        "adept": "plausibly.datasets.adept.tables:tables",
        "conceptnet": "plausibly.datasets.conceptnet:tables",
        "gita": "plausibly.datasets.gita.tables:tables",
        "iks": "plausibly.datasets.iks.tables:tables",
        "mace": "plausibly.datasets.mace:tables",
        "norms": "plausibly.datasets.norms:tables",
        "pap": "plausibly.datasets.pap.tables:tables",
        "pep3k": "plausibly.datasets.events:pep3k",
        "sp10k": "plausibly.datasets.sp10k.tables:tables",
    },
)
"""From the name of a set to the function that reads it from a data folder."""

FILES: Registry[Callable[[Path], Tables]] = Registry(
    "dataset",
    {
        "adept": "plausibly.datasets.adept.tables:file_tables",
        "conceptnet": "plausibly.datasets.conceptnet:file_tables",
        "gita": "plausibly.datasets.gita.tables:file_tables",
        "iks": "plausibly.datasets.iks.tables:sheet_tables",
        "mace": "plausibly.datasets.mace:file_tables",
        "norms": "plausibly.datasets.norms:file_tables",
        "pap": "plausibly.datasets.pap.tables:file_tables",
    },
)
"""From the name of a set to the function that reads one file in its form."""

NO_LICENCE = "not known: it is yours to say"
_OWN = "iks"


@dataclass(frozen=True, eq=False)
class LoadedSet:
    """A set as tables, with what a user has to know before passing it on.

    Args:
        name: Of the set, or the file's own.
        title: What it is.
        licence: Under which its source gives it away.
        citation: What to cite.
        source: Where it comes from.
        tables: By name; those with a contract keep it.
    """

    name: str
    title: str
    licence: str
    citation: str | None
    source: str
    tables: Mapping[str, pl.DataFrame]


def load_set(name: str, folder: Path | None) -> LoadedSet:
    """Return a published set from the data folder."""
    read = FOLDERS[name]
    if folder is None:
        raise StudyError(f"{name}: {NO_FOLDER}")
    return _described(name, read(folder), str(folder / name))


def load_files(
    paths: Sequence[Path], *, name: str | None = None, names: Mapping[str, str] | None = None
) -> LoadedSet:
    """Return files as tables: in the form of a named set, or by their columns.

    Args:
        paths: One file; for PEP-3K the two files of plausible and implausible events.
        name: The set whose form the files have; without it columns tell what is what.
        names: From our column to the file's, for files without a set's form.
    """
    if name is not None:
        tables = _in_form(name, paths)
        return _described(name, tables, ", ".join(map(str, paths)))
    from plausibly.datasets.columns import column_tables

    if len(paths) != 1:
        raise StudyError(
            f"a table is loaded from one file; got {len(paths)}. Load them one by one."
        )
    path = paths[0]
    tables = column_tables(path, names=names or {})
    return LoadedSet(path.name, "A file of one's own", NO_LICENCE, None, str(path), tables)


def load_folder(folder: Path) -> LoadedSet:
    """Return the tables of a release, whose files must be as they were released."""
    from plausibly.datasets.own import read_release_tables, release_facts

    tables = read_release_tables(folder)
    facts = release_facts(folder)
    title, licence = facts.get("title", folder.name), facts.get("licence", NO_LICENCE)
    name = facts.get("name", folder.name)
    return LoadedSet(name, title, licence, facts.get("citation"), str(folder), tables)


def _in_form(name: str, paths: Sequence[Path]) -> Tables:
    if name in ("pep3k", "20q"):
        from plausibly.datasets.events import labelled_files, pep3k_files

        return pep3k_files(paths) if name == "pep3k" else labelled_files(paths)
    if name not in FILES:
        raise UnknownName("dataset that is read from single files", name, [*FILES, "pep3k", "20q"])
    if len(paths) != 1:
        raise StudyError(f"{name} is loaded from one file; got {len(paths)}.")
    return FILES[name](paths[0])


def _described(name: str, tables: Tables, source: str) -> LoadedSet:
    known = catalogue()
    if name == _OWN:
        return LoadedSet(name, "Implicit-knowledge sheets", NO_LICENCE, None, source, tables)
    if name not in known:
        raise UnknownName("dataset", name, known)
    about = known[name]
    return LoadedSet(name, about.title, about.licence, about.citation, source, tables)
