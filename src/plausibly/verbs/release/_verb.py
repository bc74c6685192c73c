"""From a study to the folder others download."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.analysis.explorer import ExplorerMaterial, released_material, released_page
from plausibly.analysis.figures import labels_figure, numbers_figure
from plausibly.analysis.label_tables import named_labels
from plausibly.datasets.own import RELEASE_FACTS, read_release_tables, release_facts
from plausibly.errors import StudyError
from plausibly.io import read_text
from plausibly.measures.coded import numeric_labels
from plausibly.ratings.questions import asked_questions
from plausibly.releasing.about import About, read_about
from plausibly.releasing.changes import TableChange, change_log, changes
from plausibly.releasing.citation import citation_line
from plausibly.releasing.content import LANGUAGE, ReleaseContent, undescribed_columns
from plausibly.releasing.datasheet import open_questions
from plausibly.releasing.folder import release_files, write_release
from plausibly.releasing.glance import SHARED
from plausibly.releasing.licences import licence_of, propagated
from plausibly.releasing.splits import parse_shares, split_items
from plausibly.stimuli.source_sentences import KEPT
from plausibly.study import Study
from plausibly.study.made import being_made
from plausibly.study.protocol import Protocol
from plausibly.study.protocol_folder import COLLECTION, FOLDER, toml_files
from plausibly.study.results import Result, text_table
from plausibly.study.settings import read_head
from plausibly.study.verb import Output, verb
from plausibly.tables import ITEMS, LABELS
from plausibly.verbs.release._content import (
    AGREEMENT,
    DESCRIBED,
    collection_cost,
    document_of,
    followed_protocol,
    found_tables,
    is_declared,
    norms_of,
    published_forms,
    sources_of,
    tables_of,
)

EXPLORER = "explorer.html"
REPORTED = "report.tables.json"
MOST_NAMES = 8  # labels that are drawn one by one, even if they are numbers
SAY = ' Set one in release.toml: licence = "CC-BY-4.0".'


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
    """

    content: ReleaseContent
    changed: tuple[TableChange, ...] | None
    since: str | None
    settings: Mapping[str, Any]
    study: Path
    files: Mapping[str, str] = field(default_factory=dict)

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
            "undescribed": undescribed_columns(self.content),
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
            "citation": citation_line(self.content),
            "sources": self._corpora(),
        }

    def _corpora(self) -> str:
        """Return where source sentences are from, with the licences; empty without sources."""
        if "source_sentence" not in self.content.tables["items"].columns:
            return ""
        used = (one for one in self.content.sources if one.use == "included")
        return "; ".join(f"{one.name} ({one.licence})" for one in used)

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
            *_columns_to_describe(self.content),
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
                f"{folder}: is inside the study, next to files that must not be published. Name a "
                "folder outside the study."
            )
        manifest = {**self.manifest, "release": self._facts(), "study": dict(self.settings)}
        target, documents = Path(folder), self._documents()
        if EXPLORER in documents:  # its line of Python names the folder
            named = replace(self._explored, source=repr(target.resolve().name))
            documents[EXPLORER] = released_page(named) or documents[EXPLORER]
        content = replace(self.content, browsed=self._explorer is not None)
        write_release(content, target, manifest=manifest, documents=documents, force=force)
        return target

    @cached_property
    def _explored(self) -> ExplorerMaterial:
        return released_material(
            self.content.tables,
            name=self.content.name,
            about={
                name: one for name, one in self._facts().items() if name in RELEASE_FACTS and one
            },
            label_names=self.content.label_names,
            questions={one["question"]: one for one in self.settings["questions"]},
            source=repr(self.content.name),
        )

    @cached_property
    def _explorer(self) -> str | None:
        return released_page(self._explored)

    def _files(self) -> list[str]:
        return release_files(self.content, self._documents())

    def _documents(self) -> dict[str, str]:
        page = self._explorer
        files = {**self.files, **({} if page is None else {EXPLORER: page})}
        files |= {file: svg for file, (_, svg) in self.content.pictures.items()}
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
    version, licence, authors, languages, homepage, contact, sources, drop, columns (what each
    holds), and answers to the datasheet. `norms.csv` has the score of each item on each ordinal or
    interval question, as `label --method adjusted` computes it. The licence follows from the
    sources. A cell that identifies a person, or sources whose licences cannot be combined, stop the
    release.

    Args:
        study: The study folder.
        splits: Shares of the splits, such as `train=0.8,dev=0.1,test=0.1` (default: none).
        split_by: Columns of items, separated by commas, whose values must not be in two splits
            (default: the protocol's: noun, head, story or source).
        since: An earlier release, to report what has changed.
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
    followed = followed_protocol(folder)
    protocol = followed.name
    drawn = int(head.get("seed", 1)) if seed is None else seed
    tables = tables_of(folder, about)
    by = split_by.split(",") if split_by else list(followed.split_by)
    if splits is not None:
        shares = parse_shares(splits)
        tables["items"] = split_items(tables["items"], shares=shares, by=by, seed=drawn)
    forms, notes = published_forms(followed, folder, tables, drawn)
    scored, unscored = norms_of(folder, tables)
    sources = sources_of(folder, about.sources)
    included = [(one.name, licence_of(one.licence)) for one in sources if one.use == "included"]
    names = _label_names(folder)
    content = ReleaseContent(
        name=str(head.get("name", folder.resolve().name)),
        protocol=protocol,
        measures=followed.words.get("datasheet", ""),
        cost=collection_cost(folder),
        tables=tables,
        about=_with_language(about, folder, tables["items"]),
        licence=propagated(about.chosen, included),
        sources=sources,
        forms=forms,
        notes=(*notes, *unscored),
        norms=scored,
        pictures=_pictures(tables, names, asked_questions(folder) if is_declared(folder) else {}),
        label_names=names,
        agreement=document_of(folder, AGREEMENT),
        split_by=() if splits is None else by,
    )
    inputs = {name: folder / place for name, place in found_tables(folder)}
    if "source_sentence" in tables["items"].columns and (folder / KEPT).is_file():
        inputs["examples"] = folder / KEPT
    if not scored.is_empty():
        inputs["scales"] = folder / DESCRIBED
    made = replace(being_made().reading(inputs), seed=drawn)
    settings = _settings(folder, protocol, drawn, content.agreement)
    files = _protocol_files(followed, folder)
    if since is None:
        return ReleaseFolder(content, None, None, settings, folder, files, made=made)
    before = read_release_tables(Path(since))
    version = release_facts(Path(since)).get("version", "?")
    changed = tuple(changes(before, tables))
    return ReleaseFolder(content, changed, version, settings, folder, files, made=made)


def _with_language(about: About, folder: Path, items: pl.DataFrame) -> About:
    """Return what the author says, with the language of the form where nothing else names one."""
    if about.languages or LANGUAGE in items.columns or not is_declared(folder):
        return about
    spoken = str(Study(folder).settings.sections.get("form", {}).get("language") or "")
    return replace(about, languages=(spoken,)) if spoken else about


def _label_names(folder: Path) -> dict[str, str]:
    """Return the words a study has for its labels."""
    if not is_declared(folder):
        return {}
    return dict(Study(folder).settings.sections.get("report", {}).get("label_names") or {})


def _columns_to_describe(content: ReleaseContent) -> list[str]:
    columns = undescribed_columns(content)
    return [f"Describe in release.toml, [columns]: {', '.join(columns)}."] if columns else []


def _pictures(
    tables: Mapping[str, pl.DataFrame],
    words: Mapping[str, str],
    asked: Mapping[str, Mapping[str, Any]],
) -> dict[str, tuple[str, str]]:
    """Return the figures of the card: for each question, labels by condition, or where they lie."""
    labels = tables.get("labels", LABELS.empty())
    items = ITEMS.check(tables["items"])
    found: dict[str, tuple[str, str]] = {}
    for question in labels["question"].unique().sort():
        own = labels.filter(pl.col("question") == question)
        given, options = set(own["label"].drop_nulls()), asked.get(question, {}).get("options", ())
        offered = {one: one for one in options if one in given}
        names = named_labels(own, words or (offered if given <= set(offered) else {}))
        if own["method"].is_in(SHARED).all():
            continue
        are_numbers = numeric_labels(own["label"]) is not None or len(names) > MOST_NAMES
        drawn = None if are_numbers else labels_figure(own, items, names)
        drawn = drawn or numbers_figure(own, items)
        if drawn is not None:
            file = f"figures/{drawn.name}-{len(found) + 1}.svg"
            found[file] = (f"{question}: {drawn.caption}", drawn.svg)
    return found


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
    """Return protocol, seed and the parameters of every step, and what questions measure.

    How people were served is left out.
    """
    known = is_declared(folder)
    sections = Study(folder).settings.sections if known else {}
    steps = {step.name for step in Study(folder).active.steps} if known else set()
    return {
        "protocol": protocol,
        "seed": seed,
        "settings": {
            **{name: dict(one) for name, one in sections.items() if name in steps},
            **_questions(sections),
        },
        "questions": [{"question": name, **one} for name, one in asked_questions(folder).items()]
        if known
        else [],
        "rules": _rules(folder, sections) if "clean" in steps else None,
        "agreement": dict(agreement),
        "report": document_of(folder, (REPORTED,)),
    }


def _rules(folder: Path, sections: Mapping[str, Mapping[str, Any]]) -> str | None:
    """Return the file of rules that a study cleans by; None if its rules have a name."""
    preset = str(sections["clean"]["preset"])
    return read_text(folder / preset) if preset.endswith(".toml") else None


def _questions(sections: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the questions of a form that study.toml writes, and the scales that it sets."""
    asked, scales = sections.get("form", {}).get("questions"), sections.get("questions")
    return {
        **({"form": {"questions": asked}} if asked else {}),
        **({"questions": dict(scales)} if scales else {}),
    }
