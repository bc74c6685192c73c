"""From a study to the folder others download."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.analysis.explorer import released_explorer
from plausibly.datasets.catalogue import catalogue
from plausibly.datasets.own import read_release_tables, release_facts
from plausibly.errors import StudyError, option
from plausibly.evaluation.in_study import ASKED_FILE, PREDICTIONS_FILE, SCORES_FILE
from plausibly.io import read_json, read_table, read_text
from plausibly.releasing.about import ReleaseSource, read_about
from plausibly.releasing.changes import TableChange, change_log, changes
from plausibly.releasing.content import ReleaseContent
from plausibly.releasing.datasheet import open_questions
from plausibly.releasing.folder import release_files, write_release
from plausibly.releasing.licences import licence_of, propagated
from plausibly.releasing.splits import split_items
from plausibly.study import PROTOCOLS, Study
from plausibly.study.folder import is_folder
from plausibly.study.made import Made, being_made, making
from plausibly.study.manifest import version_of
from plausibly.study.protocol import Finished, Protocol, ReleaseFiles
from plausibly.study.protocol_folder import COLLECTION, FOLDER, toml_files
from plausibly.study.results import Result, text_table
from plausibly.study.settings import read_head
from plausibly.study.verb import Output, verb
from plausibly.tables import (
    ANNOTATORS,
    EXCLUSIONS,
    ITEMS,
    LABELS,
    PREDICTIONS,
    RATINGS,
    SCORES,
    Table,
)

PLACES: dict[str, tuple[Table, tuple[str, ...]]] = {
    "items": (ITEMS, ("items.parquet",)),
    "ratings": (RATINGS, ("ratings.parquet",)),
    "labels": (LABELS, ("labels.parquet", "label/labels.parquet")),
    "annotators": (ANNOTATORS, ("annotators.parquet",)),
    "exclusions": (EXCLUSIONS, ("clean/exclusions.parquet", "exclusions.parquet")),
    "predictions": (PREDICTIONS, (PREDICTIONS_FILE, ASKED_FILE)),
    "scores": (SCORES, (SCORES_FILE,)),
}
"""Where a study keeps the tables of a release."""

STEPS = {"predictions": {"models_predict", "ask"}, "scores": {"evaluate", "score_gita"}}
"""Tables of steps that not every study has, with the steps: what a study gave up is left out."""

EXPLORER = "explorer.html"
AGREEMENT = ("agree.json", "agreement.json")
REPORTED = "report.tables.json"
SAY = ' Say one in release.toml: licence = "CC-BY-4.0".'


@dataclass(frozen=True, eq=False, repr=False)
class ReleaseFolder(Result):
    """A release, ready to be written.

    Args:
        content: All that goes into it.
        changed: How it differs from the release before, where one was named.
        since: Version of that release.
        settings: The parameters of the study's steps, with which they can be run again.
        study: The study folder, which a release never goes into.
        files: Further texts, from path to content: the protocol, where it is a folder of files.
        made: How this came about.
    """

    content: ReleaseContent
    changed: tuple[TableChange, ...] | None
    since: str | None
    settings: Mapping[str, Any]
    study: Path
    files: Mapping[str, str] = field(default_factory=dict)
    made: Made = making()

    @property
    def tables(self) -> dict[str, pl.DataFrame | pl.LazyFrame]:
        """The tables of the release, by name."""
        return dict(self.content.tables)

    def as_json(self) -> dict[str, Any]:
        """Return what the release is, its files, what is open and what has changed."""
        return {
            **self._facts(),
            "files": self._files(),
            "tables": {name: table.height for name, table in self.content.tables.items()},
            "open": open_questions(self.content),
            "notes": list(self.content.notes),
            "changes": None if self.changed is None else [one.as_json() for one in self.changed],
        }

    def _facts(self) -> dict[str, Any]:
        about = self.content.about
        return {
            "name": self.content.name,
            "title": self.content.title,
            "version": about.version,
            "protocol": self.content.protocol,
            "licence": self.content.licence.spdx,
        }

    def text(self) -> str:
        """Return rows of each table."""
        rows = [(name, table.height) for name, table in self.content.tables.items()]
        return text_table(("table", "rows"), rows)

    @property
    def talk(self) -> tuple[str, ...]:
        """Licence, what could not be done, and what only the authors can say."""
        left = open_questions(self.content)
        open_ = f"Open in the datasheet (release.toml, [datasheet]): {', '.join(left)}."
        return (
            f"Licence: {self.content.licence.title}.{'' if self.content.licence.spdx else SAY}",
            *self.content.notes,
            *([open_] if left else []),
        )

    def wrote(self, folder: Path) -> tuple[str, ...]:
        """Return how much was written, and how to read it back."""
        return (f"{folder}: {len(self._files())} files. Read it back: plausibly load {folder}",)

    def write(self, folder: str | Path, *, force: bool = False) -> Path:
        """Write the release into a folder, whole or not at all, and return the folder.

        Args:
            folder: The folder; an older release in it is replaced.
            force: Write into a folder that holds something else, too.
        """
        if Path(folder).resolve().is_relative_to(self.study.resolve()):
            raise StudyError(
                f"{folder}: inside the study it is made of, among what is not for others. Name a "
                "folder outside it."
            )
        manifest = {**self.manifest, "release": self._facts(), "study": dict(self.settings)}
        target, documents = Path(folder), self._documents()
        write_release(self.content, target, manifest=manifest, documents=documents, force=force)
        return target

    @cached_property
    def _explorer(self) -> str | None:
        about = self.content.about
        facts = {
            "title": self.content.title,
            "version": about.version,
            "licence": self.content.licence.title,
            "plausibly": version_of("plausibly"),
        }
        return released_explorer(self.content.tables, name=self.content.name, about=facts)

    def _files(self) -> list[str]:
        return release_files(self.content, self._documents())

    def _documents(self) -> dict[str, str]:
        page = self._explorer
        files = {**self.files, **({} if page is None else {EXPLORER: page})}
        if self.changed is None:
            return files
        new = self.content.about.version
        log = change_log(list(self.changed), old=self.since or "?", new=new)
        return {**files, "CHANGES.md": log}


@verb(output=Output(help="Folder to write; an older release in it is replaced.", required=True))
def release(
    study: str | Path,
    *,
    splits: str | None = None,
    split_by: str | None = None,
    since: str | Path | None = None,
    seed: int | None = None,
) -> ReleaseFolder:
    """Release a study as a dataset: tables, the paper's formats, card, datasheet, licence.

    What only an author can say is read from `release.toml` in the study: title, description,
    version, licence, authors, languages, homepage, contact, sources, drop, and answers to the
    datasheet. The licence follows from the sources. A cell that leads to a person, or sources
    whose licences cannot be combined, stop the release.

    Args:
        study: The study folder.
        splits: Shares of the splits, such as `train=0.8,dev=0.1,test=0.1` (default: none).
        split_by: Columns of items whose values must not be on two sides, with commas (default:
            the protocol's: noun, head, story or source).
        since: A release before this one, to say what has changed.
        seed: Seed of the splits (default: the study's).

    Examples:
        plausibly release my-study -o release
        plausibly release my-study -o release-1.0

    >>> import tempfile
    >>> from plausibly import init
    >>> with tempfile.TemporaryDirectory() as place:
    ...     folder = init("custom", Path(place, "otters")).folder
    ...     items = pl.DataFrame({"item": ["t1"], "text": ["otter paints ladder"]})
    ...     items.write_parquet(folder / "items.parquet")
    ...     release(folder).as_json()["tables"]
    {'items': 1}
    """
    folder = Path(study)
    head, about = read_head(folder), read_about(folder)
    followed = _followed(folder)
    protocol = followed.name
    drawn = int(head.get("seed", 1)) if seed is None else seed
    tables = _tables(folder, about.drop)
    by = split_by.split(",") if split_by else list(followed.split_by)
    if splits is not None:
        shares = _shares(splits)
        tables["items"] = split_items(tables["items"], shares=shares, by=by, seed=drawn)
    forms, notes = _forms(followed, folder, tables, drawn)
    sources = _sources(folder, about.sources)
    included = [(one.name, licence_of(one.licence)) for one in sources if one.use == "included"]
    content = ReleaseContent(
        name=str(head.get("name", folder.resolve().name)),
        protocol=protocol,
        measures=followed.words.get("datasheet", ""),
        tables=tables,
        about=about,
        licence=propagated(about.chosen, included),
        sources=sources,
        forms=forms,
        notes=notes,
        agreement=_document(folder, AGREEMENT),
        split_by=() if splits is None else by,
    )
    inputs = {name: folder / place for name, place in _found(folder)}
    made = replace(being_made().reading(inputs), seed=drawn)
    settings = _settings(folder, protocol, drawn, content.agreement)
    files = _protocol_files(followed, folder)
    if since is None:
        return ReleaseFolder(content, None, None, settings, folder, files, made=made)
    before = read_release_tables(Path(since))
    version = release_facts(Path(since)).get("version", "?")
    changed = tuple(changes(before, tables))
    return ReleaseFolder(content, changed, version, settings, folder, files, made=made)


def _protocol_files(protocol: Protocol, folder: Path) -> dict[str, str]:
    """Return the files of a protocol that the study keeps, without how people were served."""
    if not protocol.folder:
        return {}
    place = folder / protocol.folder
    kept = [name for name in toml_files(place) if name != COLLECTION]
    return {f"{FOLDER}/{name}": read_text(place / name) for name in kept}


def _settings(
    folder: Path, protocol: str, seed: int, agreement: Mapping[str, Any]
) -> dict[str, Any]:
    """Return protocol, seed and the parameters of every step, without how people were served."""
    known = _declared(folder)
    sections = Study(folder).settings.sections if known else {}
    steps = {step.name for step in Study(folder).active.steps} if known else set()
    return {
        "protocol": protocol,
        "seed": seed,
        "settings": {name: dict(one) for name, one in sections.items() if name in steps},
        "agreement": dict(agreement),
        "report": _document(folder, (REPORTED,)),
    }


def _found(folder: Path) -> Iterator[tuple[str, str]]:
    steps = {one.name for one in Study(folder).active.steps} if _declared(folder) else set()
    for name, (_, places) in PLACES.items():
        if name in STEPS and not STEPS[name] & steps:
            continue
        place = next((one for one in places if (folder / one).is_file()), None)
        if place is not None:
            yield name, place


def _declared(folder: Path) -> bool:
    """Return whether the protocol of a study is known."""
    named = str(read_head(folder)["protocol"])
    return is_folder(named) or named in PROTOCOLS


def _followed(folder: Path) -> Protocol:
    """Return the protocol of a study; one that is not known says nothing."""
    name = str(read_head(folder)["protocol"])
    return Study(folder).protocol if _declared(folder) else Protocol(name, steps=())


def _tables(folder: Path, drop: Sequence[str]) -> dict[str, pl.DataFrame]:
    places = dict(_found(folder))
    if "items" not in places:
        raise StudyError(f"{folder}: no items.parquet to release. Build items first.")
    tables = {name: read_table(folder / place, PLACES[name][0]) for name, place in places.items()}
    known = {column for table in tables.values() for column in table.columns}
    for column in drop:
        needed = next((n for n in tables if column in PLACES[n][0].required), None)
        if column not in known or needed:
            what = "which no table has" if column not in known else f"which {needed} needs"
            raise StudyError(f"{folder / 'release.toml'}: drop names {column!r}, {what}.")
    return {
        name: table.drop(one for one in drop if one in table.columns)
        for name, table in tables.items()
    }


def _shares(text: str) -> dict[str, float]:
    shares: dict[str, float] = {}
    for part in text.split(","):
        name, _, share = part.partition("=")
        try:
            shares[name.strip()] = float(share)
        except ValueError as error:
            raise StudyError(
                f"{option('splits')} {text!r}: {part!r} is not a share. Write train=0.8,test=0.2.",
                parameter="splits",
            ) from error
    return shares


def _forms(
    protocol: Protocol, folder: Path, tables: Mapping[str, pl.DataFrame], seed: int
) -> tuple[ReleaseFiles, tuple[str, ...]]:
    """Return the files in the format of the protocol's paper, or why there are none."""
    if protocol.released is None:
        return {}, ()
    kept = _kept(tables)
    if kept.is_empty():
        return {}, ("There are no ratings, so the paper's own forms are left out.",)
    labels = tables.get("labels", LABELS.empty())
    study = Finished(folder=folder, items=tables["items"], ratings=kept, labels=labels, seed=seed)
    try:
        return protocol.released(study)
    except StudyError as error:
        return {}, (f"The paper's own forms are left out: {error}",)


def _kept(tables: Mapping[str, pl.DataFrame]) -> pl.DataFrame:
    """Return the ratings of items, without those that cleaning set aside."""
    ratings = tables.get("ratings", RATINGS.empty())
    if "exclusions" in tables:
        ratings = ratings.join(tables["exclusions"], on=list(RATINGS.key), how="anti")
    items = tables["items"].filter(pl.col("kind") == "item")
    return RATINGS.sort(ratings.join(items, on="item", how="semi"))


def _sources(folder: Path, said: Sequence[ReleaseSource]) -> tuple[ReleaseSource, ...]:
    """Return what the author names, and files of known datasets that a manifest lists."""
    named = {source.name for source in said}
    digests = {
        digest: dataset
        for dataset in catalogue().values()
        for file in dataset.files
        for digest in file.checksums
    }
    manifests = sorted({*folder.rglob("manifest.json"), *folder.rglob("*.manifest.json")})
    hashes = {digest for path in manifests for digest in _hashes(read_json(path))}
    seen = {digests[digest].name: digests[digest] for digest in hashes if digest in digests}
    found = [
        ReleaseSource(one.name, one.licence, "included", one.citation)
        for name, one in sorted(seen.items())
        if name not in named
    ]
    return (*said, *found)


def _hashes(document: object) -> Iterator[str]:
    """Yield every text of 64 hexadecimal digits in a document, however deep."""
    if isinstance(document, str):
        if len(document) == 64:
            yield document
    elif isinstance(document, Mapping):
        for value in document.values():
            yield from _hashes(value)
    elif isinstance(document, list):
        for value in document:
            yield from _hashes(value)


def _document(folder: Path, names: Sequence[str]) -> dict[str, Any]:
    path = next((folder / name for name in names if (folder / name).is_file()), None)
    document = read_json(path) if path is not None else {}
    return document if isinstance(document, dict) else {}
