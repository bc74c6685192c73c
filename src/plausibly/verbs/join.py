"""Several finished studies as one, which is labelled, described and released like any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.errors import StudyError, option
from plausibly.io import (
    filling,
    make_folder,
    read_table,
    write_frame,
    write_json,
    write_table,
    write_text,
)
from plausibly.registry import OPEN
from plausibly.study.folder import Study, is_folder, outline_named
from plausibly.study.joining import (
    Items,
    People,
    StudyTables,
    differing_items,
    joined_tables,
    shared_people,
    shared_settings,
)
from plausibly.study.made import being_made
from plausibly.study.protocol import Protocol
from plausibly.study.protocol_folder import toml_files
from plausibly.study.results import Result, text_table
from plausibly.study.settings import FILE, write_settings
from plausibly.study.verb import Output, verb
from plausibly.tables import ANNOTATORS, ITEMS, PREDICTIONS, RATINGS

JOINED, DOCUMENT = "joined.parquet", "join.json"
THINGS, ANSWERS, PEOPLE = "items.parquet", "ratings.parquet", "annotators.parquet"
PREDICTED, THEIRS = "predictions.parquet", "joined-predictions.parquet"
ORDERS = ("lists", "surveys")
NOT_JOINED = ("rounds.parquet", "examples.parquet", "corpus/counts.parquet")
"""What concerns one collection or one corpus, which a joined study does not have."""
MADE_HERE = "from_ratings"  # marks items that a study made from its ratings
CARRIED = (
    *("form", "questions", "clean", "label", "agree", "describe", "analyse", "browse", "report"),
)
"""Sections that the joined study has from the studies, where these are the same."""
READ = {"source": JOINED, "format": "long", "missing": "", "keep_ids": True}


@dataclass(frozen=True, eq=False, repr=False)
class JoinedStudy(Result):
    """A study made of others.

    Args:
        study: The study, whose ratings come from the joined file.
        document: How many rows the study has, and how shared ids were treated.
    """

    study: Study
    document: dict[str, Any]

    @property
    def folder(self) -> Path:
        """The folder of the study."""
        return self.study.folder

    def as_json(self) -> dict[str, Any]:
        """Return how much there is, and what was decided about items and people."""
        return self.document

    def text(self) -> str:
        """Return the counts as a table."""
        names = ("ratings", "items", "annotators")
        return text_table(names, [tuple(self.document[name] for name in names)])

    @property
    def talk(self) -> tuple[str, ...]:
        """How much was joined, and what the joined study does not take over."""
        held = self.document
        unset = held["settings_that_differ"]
        differ = f"The studies differ, so the protocol's default holds: {', '.join(unset)}."
        left = held["not_joined"]
        without = f"Not joined, since they are about one study: {', '.join(left)}."
        return (
            *([differ] if unset else []),
            *([without] if left else []),
            f"{self.folder}: {held['ratings']:,} ratings of {held['items']:,} items by "
            f"{held['annotators']:,} annotators from {', '.join(held['studies'])}. "
            f"Next: plausibly run {self.folder}",
        )


def _sources(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the ratings of each study, by its folder."""
    return {"studies": {str(one): Path(one) / ANSWERS for one in arguments["studies"]}}


@verb(
    texts=("studies",),
    sources=_sources,
    output=Output(help="Folder of the joined study.", required=True),
)
def join(
    studies: Sequence[str | Path],
    *,
    output: str | Path,
    items: Items = "refuse",
    people: People = "refuse",
) -> JoinedStudy:
    """Join finished studies into one; a column names the study of each row.

    The joined study has the protocol of the studies, or is a custom study if they differ. Its
    ratings are all that were collected, so cleaning runs again on all of them. It has the lists,
    surveys and predictions of the studies; surveys with the same name but different items, and
    models that predict an item differently, become STUDY:NAME. Rounds, examples and counts are not
    joined.

    Args:
        studies: Folders of studies whose ratings are there.
        output: Folder of the joined study.
        items: What to do if an item id has different texts or columns: refuse, or separate
            (STUDY:ITEM).
        people: What to do if an annotator id is in several studies: refuse, same (one person), or
            separate (STUDY:ANNOTATOR).

    Examples:
        plausibly join english italian -o both
        plausibly join pilot main --people separate -o all

    >>> join(["no-such-study"], output="all")
    Traceback (most recent call last):
    plausibly.errors.StudyError: no-such-study/study.toml: no such file. Start a study with: \
plausibly init PROTOCOL DIR
    """
    named = _named([Study(one) for one in studies])
    target = Path(output)
    if (target / FILE).exists():
        raise StudyError(
            f"{target}: a study is there already. Choose another {option('output')}.",
            parameter="output",
        )
    tables = {name: _tables(study) for name, study in named.items()}
    joined = joined_tables(tables, items=items, people=people)
    ordered = [named[name] for name in sorted(named)]
    protocol = _protocol(ordered)
    sections, differ = _settings(ordered, protocol)
    left = [name for name in NOT_JOINED if any((one.folder / name).is_file() for one in ordered)]
    if joined.predictions is not None and "models_predict" not in protocol.declared():
        joined, left = replace(joined, predictions=None), [*left, PREDICTED]
    document = {
        "studies": sorted(named),
        "protocol": protocol.name,
        "items": joined.items.height,
        "ratings": joined.ratings.height,
        "annotators": joined.ratings["annotator"].n_unique(),
        **{name: table["survey"].n_unique() for name, table in joined.orders.items()},
        "predictions": 0 if joined.predictions is None else joined.predictions.height,
        "items_that_differ": differing_items(tables),
        "people_in_several": shared_people(tables),
        "settings_that_differ": differ,
        "not_joined": left,
    }
    with filling(target) as inside:
        write_table(joined.items, inside / THINGS, ITEMS)
        write_table(joined.ratings, inside / JOINED, RATINGS)
        if joined.annotators is not None:
            write_table(joined.annotators, inside / PEOPLE, ANNOTATORS)
        for name, table in joined.orders.items():
            write_frame(table, inside / f"{name}.parquet")
        if joined.predictions is not None:
            write_table(joined.predictions, inside / THEIRS, PREDICTIONS)
            sections["models_predict"] = {"files": [THEIRS]}
        if protocol.place is not None:
            _copy(protocol.place, inside / protocol.folder)
        write_settings(inside, protocol, name=target.resolve().name, overrides=sections)
        rows = {name: int(str(document[name])) for name in ("items", "ratings", "annotators")}
        write_json(inside / DOCUMENT, {**document, "made": being_made().as_json(rows)})
    return JoinedStudy(Study(target), document)


def _named(studies: Sequence[Study]) -> dict[str, Study]:
    """Return the studies by name; two of one name raise."""
    if not studies:
        raise StudyError("no study to join. Name one or more folders.", parameter="studies")
    named: dict[str, Study] = {}
    for study in studies:
        name = study.settings.name
        if name in named:
            raise StudyError(
                f"{study.folder}: {named[name].folder} is called {name!r} too. Change name in one "
                f"{FILE}.",
                parameter="studies",
            )
        named[name] = study
    return named


def _tables(study: Study) -> StudyTables:
    folder = study.folder
    for name in (ANSWERS, THINGS):
        if not (folder / name).is_file():
            raise StudyError(
                f"{folder}: no {name} yet, so there is nothing to join. "
                f"Run: plausibly run {folder}",
                parameter="studies",
            )
    things = read_table(folder / THINGS, ITEMS)
    known = read_table(folder / PEOPLE, ANNOTATORS) if (folder / PEOPLE).is_file() else None
    predicted = folder / PREDICTED
    return StudyTables(
        things.drop(MADE_HERE, strict=False),
        read_table(folder / ANSWERS, RATINGS),
        known,
        {
            name: pl.read_parquet(folder / f"{name}.parquet")
            for name in ORDERS
            if (folder / f"{name}.parquet").is_file()
        },
        read_table(predicted, PREDICTIONS) if predicted.is_file() else None,
    )


def _protocol(studies: Sequence[Study]) -> Protocol:
    """Return the protocol all studies follow, else the one of any items and any form."""
    first = studies[0]
    said = {one.settings.protocol for one in studies}
    seeds = {one.settings.seed for one in studies}
    same = len(said) == 1 and (
        not is_folder(first.settings.protocol)
        or all(_files(one) == _files(first) for one in studies)
    )
    protocol = first.outline if same else outline_named(OPEN)
    return replace(protocol, seed=seeds.pop()) if len(seeds) == 1 else protocol


def _files(study: Study) -> dict[str, str]:
    folder = study.folder / study.settings.protocol
    return {name: (folder / name).read_text(encoding="utf-8") for name in toml_files(folder)}


def _copy(source: Path, target: Path) -> None:
    for name in toml_files(source):
        make_folder((target / name).parent)
        write_text(target / name, (source / name).read_text(encoding="utf-8"))


def _settings(
    studies: Sequence[Study], protocol: Protocol
) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Return what study.toml of the joined study says, and what the studies set differently."""
    declared = protocol.declared()
    own = [
        {
            name: {key: value for key, value in table.items() if not _is_file(one, value)}
            for name, table in one.settings.sections.items()
            if name in CARRIED and name in declared
        }
        for one in studies
    ]
    same, differ = shared_settings(own)
    kept = {
        name: {
            key: value
            for key, value in table.items()
            if (name == "questions" or key in declared[name]) and value is not None
        }
        for name, table in same.items()
    }
    return {**kept, "ratings": dict(READ)}, differ


def _is_file(study: Study, value: object) -> bool:
    """Return whether a setting names a file of the study, which the joined study does not have."""
    return isinstance(value, str) and bool(value) and (study.folder / value).is_file()
