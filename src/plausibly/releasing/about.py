"""What only an author knows about a release: `release.toml` next to `study.toml`.

Every key may be missing; what is missing stays visibly open in the card and the datasheet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from plausibly.datasets.catalogue import catalogue
from plausibly.errors import StudyError, UnknownName
from plausibly.io import read_toml
from plausibly.releasing.licences import Licence, licence_of

FILE = "release.toml"
OPEN = "⟨open: only the authors can say⟩"
USES = ("included", "consulted")
_AUTHOR = ("name", "affiliation", "orcid")
_SOURCE = ("name", "licence", "use", "citation")


@dataclass(frozen=True, slots=True)
class ReleaseSource:
    """Something the release was made from.

    Args:
        name: Of a dataset we know, or of another.
        licence: As its source states it.
        use: `included` where rows, texts or values of it are in the release, `consulted` where
            it only helped to make it.
        citation: What to cite.
    """

    name: str
    licence: str
    use: str = "included"
    citation: str = ""


@dataclass(frozen=True, slots=True)
class About:
    """What release.toml says.

    Args:
        title: Of the dataset.
        description: One paragraph.
        version: Of the release.
        licence: SPDX identifier; without it the sources decide.
        authors: Each with name, and where given affiliation and orcid.
        languages: BCP 47 codes.
        homepage: Where it will be found.
        contact: Whom to write to.
        sources: What it was made from.
        drop: Columns to leave out of every table.
        datasheet: Answers to questions of the datasheet, by their name.
        columns: From a column to what it holds.
    """

    title: str = ""
    description: str = ""
    version: str = "1.0.0"
    licence: str = ""
    authors: tuple[Mapping[str, str], ...] = ()
    languages: tuple[str, ...] = ()
    homepage: str = ""
    contact: str = ""
    sources: tuple[ReleaseSource, ...] = ()
    drop: tuple[str, ...] = ()
    datasheet: Mapping[str, str] = field(default_factory=dict)
    columns: Mapping[str, str] = field(default_factory=dict)

    @property
    def chosen(self) -> Licence | None:
        """The licence the author chose, None if the sources decide."""
        return licence_of(self.licence) if self.licence else None


def read_about(folder: Path) -> About:
    """Return what `release.toml` of a study says; nothing if there is none."""
    path = folder / FILE
    if not path.is_file():
        return About()
    document = read_toml(path)
    known = {one.name for one in fields(About)}
    for key in document:
        if key not in known:
            raise StudyError(f"{path}: {UnknownName('key', key, known)}")
    for key in ("title", "description", "version", "licence", "homepage", "contact"):
        if not isinstance(document.get(key, ""), str):
            raise StudyError(f"{path}: {key} must be a text; got {document[key]!r}.")
    return About(
        **{
            **document,
            "authors": tuple(_records(path, document, "authors", _AUTHOR)),
            "sources": tuple(_source(path, one) for one in _sources(path, document)),
            "languages": tuple(_texts(path, document, "languages")),
            "drop": tuple(_texts(path, document, "drop")),
            "datasheet": _answers(path, document),
            "columns": _notes(path, document),
        }
    )


def _records(
    path: Path, document: Mapping[str, Any], key: str, known: Sequence[str]
) -> list[dict[str, str]]:
    rows = document.get(key, [])
    for row in rows if isinstance(rows, list) else [None]:
        if not isinstance(row, dict) or not isinstance(row.get("name"), str):
            raise StudyError(f"{path}: {key} must be a list of tables with a name; got {row!r}.")
        for name in row:
            if name not in known:
                raise StudyError(f"{path}: {UnknownName(f'key of {key}', name, known)}")
    return [{name: str(value) for name, value in row.items()} for row in rows]


def _sources(path: Path, document: Mapping[str, Any]) -> list[dict[str, str]]:
    rows = document.get("sources", [])
    if isinstance(rows, list):
        rows = [{"name": row} if isinstance(row, str) else row for row in rows]
    return _records(path, {"sources": rows}, "sources", _SOURCE)


def _source(path: Path, row: Mapping[str, str]) -> ReleaseSource:
    known = catalogue().get(row["name"])
    if known is None and "licence" not in row:
        raise StudyError(f"{path}: source {row['name']!r} is not one we know. Name its licence.")
    if row.get("use", "included") not in USES:
        raise StudyError(f"{path}: {UnknownName('use of a source', row['use'], USES)}")
    facts = {} if known is None else {"licence": known.licence, "citation": known.citation}
    return ReleaseSource(**{**facts, **row})


def _texts(path: Path, document: Mapping[str, Any], key: str) -> list[str]:
    texts = document.get(key, [])
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise StudyError(f"{path}: {key} must be a list of texts; got {texts!r}.")
    return texts


def _notes(path: Path, document: Mapping[str, Any]) -> dict[str, str]:
    notes = document.get("columns", {})
    if not isinstance(notes, dict) or not all(isinstance(one, str) for one in notes.values()):
        raise StudyError(f"{path}: columns must be a table from a column to what it holds.")
    return notes


def _answers(path: Path, document: Mapping[str, Any]) -> dict[str, str]:
    from plausibly.releasing.datasheet import QUESTIONS

    answers = document.get("datasheet", {})
    if not isinstance(answers, dict):
        raise StudyError(f"{path}: datasheet must be a table of answers.")
    for name in answers:
        if name not in QUESTIONS:
            raise StudyError(f"{path}: {UnknownName('question of the datasheet', name, QUESTIONS)}")
    return {name: str(answer) for name, answer in answers.items()}
