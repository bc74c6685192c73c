"""What reading ratings yields: the tables, how the file was read, and how it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.analysis.figures import Figure, answers_figure, items_figure, people_figure
from plausibly.io import file_hash, sparing, write_json, write_tables
from plausibly.io.imported import Imported
from plausibly.measures.scales import scales_of
from plausibly.measures.wordings import likely_order
from plausibly.ratings.people import Naming, keeping_secret, renamed_people, secret_of
from plausibly.ratings.prolific import with_people
from plausibly.ratings.sources import without_checks
from plausibly.study.inspection import (
    SHOWN,
    Inspection,
    amount_of,
    first_rows,
    storing_command,
)
from plausibly.study.results import MANIFEST, Result
from plausibly.tables import TABLES

NOMINAL = "nominal"
PSEUDONYM = "(pseudonym)"
UNDRAWN = "no secret is drawn before anything is written"


@dataclass(frozen=True, kw_only=True)
class Original:
    """What was read, with the ids of people unchanged, and what becomes of them when written.

    Args:
        imported: The tables of the file of ratings.
        people: Facts to join by annotator.
        where: File the facts are from, for messages.
        format: Format the ratings were read in.
        key: Secret of the pseudonyms.
        keep_ids: Whether ids are written unchanged.
        source: The file; None for a table in memory.
        options: How else the file was read, by keyword.
    """

    imported: Imported
    people: pl.DataFrame | None
    where: str
    format: str
    key: str | None = field(repr=False)
    keep_ids: bool
    source: str | None = None
    options: Mapping[str, object] = field(default_factory=dict)

    def tables(self, naming: Naming, *, keep_ids: bool) -> Imported:
        """Return the ratings with the facts about people, under their ids or under pseudonyms."""
        imported = self.imported
        if not keep_ids:
            imported = renamed_people(imported, naming, form=self.format)
        if self.people is None:
            return imported
        return with_people(
            imported, self.people, where=self.where, naming=naming, keep_ids=keep_ids
        )


def _orders(ratings: pl.DataFrame, questions: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the order of answers that their words suggest, for questions in which they do."""
    own = ratings.filter(pl.col("question").is_in(questions))
    answers = own.group_by("question").agg(pl.col("answer").unique().sort()).sort("question")
    orders = {name: likely_order(words) for name, words in answers.rows()}
    return {name: order for name, order in orders.items() if order}


@dataclass(frozen=True, eq=False, repr=False)
class ReadRatings(Result, Imported):
    """Ratings as our table, with the items and annotators the file describes.

    Ids of people are unchanged in memory. Writing replaces those that look like a platform's or
    like a mail address by pseudonyms, unless `keep_ids` was passed to `read`.

    Args:
        original: What was read, and what becomes of the ids of people when it is written.
        secret: New secret of the pseudonyms, in tables that are ready to be written.
    """

    original: Original = field(kw_only=True)
    secret: str | None = field(default=None, kw_only=True)

    def counts(self) -> dict[str, Any]:
        """Return how many ratings, items, annotators and questions there are."""
        names = {"items": "item", "annotators": "annotator", "questions": "question"}
        counts = {name: self.ratings[column].n_unique() for name, column in names.items()}
        left_out = {
            "missing": dict(self.missing),
            "duplicates": dict(self.layout.duplicates),
            "dropped": dict(self.layout.dropped),
        }
        known = {name: one for name, one in left_out.items() if one}
        return {"ratings": self.ratings.height, **counts, **known}

    def as_json(self) -> dict[str, Any]:
        """Return the counts, and how the file was read."""
        return {**self.counts(), "inspection": self.inspection.as_json()}

    def text(self) -> str:
        """Return how the file was read and what will be stored."""
        return self.inspection.text()

    @cached_property
    def inspection(self) -> Inspection:
        """How the file was read, what each column is, and what will be stored."""
        original = self.original
        command = None
        if original.source is not None:
            command = storing_command(
                original.source, self.layout, original.options, tables=self._other_tables()
            )
        rated = without_checks(self.ratings, self.items)[0]
        scales = scales_of(rated)
        return Inspection(
            source=original.source,
            layout=self.layout,
            counts=self.counts(),
            missing=self.missing,
            scales=scales,
            orders=_orders(rated, [name for name, one in scales.items() if one.scale == NOMINAL]),
            rows=first_rows(self._preview()),
            command=command,
        )

    def _other_tables(self) -> list[str]:
        """Return the tables besides the ratings that hold something the file says."""
        used = {column.stored for column in self.layout.columns}
        if self.items is not None and (self.items["text"] != self.items["item"]).any():
            used.add("items")
        return [name for name in ("items", "annotators") if name in used & {*self.tables}]

    def _preview(self) -> pl.DataFrame:
        """Return the first rows as they will be stored; a secret that is not drawn is not shown."""
        original = self.original
        if original.keep_ids or self.secret is not None or self.hidden:
            return self.ratings.head(SHOWN)
        stored = original.tables(Naming(original.key or UNDRAWN), keep_ids=False).ratings
        if original.key is not None:
            return stored.head(SHOWN)
        own = self.ratings.head(SHOWN)
        stays = {*stored["annotator"].unique().to_list()}
        changed = [name for name in own["annotator"].to_list() if name not in stays]
        kept = own.select(c for c in own.columns if c in stored.columns)
        return kept.with_columns(pl.col("annotator").replace(dict.fromkeys(changed, PSEUDONYM)))

    def as_written(self, output: str | Path) -> ReadRatings:
        """Return the tables as they are written to `output`: with pseudonyms unless ids are kept.

        Args:
            output: File or folder; the secret in OUTPUT.key is used again if there is one.
        """
        original = self.original
        if original.keep_ids:
            return self
        naming = Naming(original.key or secret_of(Path(output)))
        hidden = original.tables(naming, keep_ids=False)
        return replace(
            self,
            ratings=hidden.ratings,
            annotators=hidden.annotators,
            silent_annotators=hidden.silent_annotators,
            notes=hidden.notes,
            hidden=hidden.hidden,
            secret=naming.key if hidden.hidden and original.key is None else None,
        )

    def keeping_secret(self, output: Path) -> AbstractContextManager[None]:
        """Return what keeps a new secret in OUTPUT.key while the tables are written."""
        return keeping_secret(output, self.secret) if self.secret else nullcontext()

    def write(self, folder: str | Path, *, force: bool = False) -> Path:
        """Write the tables into a folder, and a new secret of pseudonyms to FOLDER.key.

        Args:
            folder: The folder; files of an earlier run are replaced.
            force: Overwrite files that this verb did not write, but never its inputs.
        """
        ready = self.as_written(folder)
        with ready.keeping_secret(Path(folder)):
            return Result.write(ready, folder, force=force)

    def write_files(self, places: Mapping[str, Path], *, force: bool = False) -> ReadRatings:
        """Write tables to files, all or none, and return them as they were written.

        Args:
            places: From a table to its file; a new secret goes next to that of the ratings.
            force: Overwrite files that this verb did not write, but never its inputs.
        """
        ready = self.as_written(places["ratings"])
        manifests = {
            name: path.with_name(f"{path.name}.{MANIFEST}") for name, path in places.items()
        }
        for name, path in places.items() if not force else ():
            self._require_own(path.parent, manifests[name], [path.name])
        written = [(getattr(ready, name), path, TABLES[name]) for name, path in places.items()]
        with sparing(self.made.paths):
            with ready.keeping_secret(places["ratings"]):
                write_tables(*written)
            for name, path in places.items():
                outputs = {path.name: file_hash(path)}
                write_json(manifests[name], {**ready.manifest, "outputs": outputs})
        return ready

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """How often each answer was given, every item and every person."""
        conditions = self.ratings.select("item", condition="question").unique()
        one_question = conditions["condition"].n_unique() == 1
        drawn = (
            answers_figure(self.ratings, conditions) if one_question else None,
            items_figure(self.ratings, conditions) if one_question else None,
            people_figure(self.ratings, self.ratings),
        )
        return tuple(one for one in drawn if one is not None)

    @property
    def talk(self) -> tuple[str, ...]:
        """How it was read, and how much there is."""
        return (*self.notes, f"{amount_of(self.counts())}.")
