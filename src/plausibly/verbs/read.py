"""Ratings of any format as our table, and the step of a study that collects them."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.analysis.figures import Figure, answers_figure, items_figure, people_figure
from plausibly.errors import MissingExtra, StudyError
from plausibly.io import file_hash, sparing, write_json, write_tables
from plausibly.io.choices import Duplicates, ReadingChoices
from plausibly.io.frames import Source, as_table
from plausibly.io.imported import Imported
from plausibly.ratings.in_study import (
    ANSWERS,
    REHEARSE,
    SERVE,
    format_of,
    source_files,
    waits_for,
    without_checks,
)
from plausibly.ratings.in_study import ITEMS_FILE as THINGS
from plausibly.ratings.people import Naming, keeping_secret, naming_of, renamed_people, secret_of
from plausibly.ratings.prolific import read_people, with_people
from plausibly.ratings.sources import Ratings, read_ratings
from plausibly.study.made import Made, making
from plausibly.study.results import MANIFEST, Result, text_table
from plausibly.study.steps import Work
from plausibly.study.verb import InStudy, Places, verb
from plausibly.tables import ANNOTATORS, ITEMS, RATINGS, TABLES

REHEARSAL = "plausibly.web.rehearsal"  # above this floor, so it is named and not imported
COLLECTED = "answers.sqlite"
PEOPLE = "annotators.parquet"
FROM_RATINGS = "from_ratings"  # the column that tells items made here from those of a study


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
    """

    imported: Imported
    people: pl.DataFrame | None
    where: str
    format: str
    key: str | None = field(repr=False)
    keep_ids: bool

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


@dataclass(frozen=True, eq=False, repr=False)
class ReadRatings(Result, Imported):
    """Ratings as our table, with the items and annotators the file describes.

    Ids of people are unchanged in memory. Writing replaces those that look like a platform's or
    like a mail address by pseudonyms, unless `keep_ids` was passed to `read`.

    Args:
        original: What was read, and what becomes of the ids of people when it is written.
        secret: New secret of the pseudonyms, in tables that are ready to be written.
        made: How this came about.
    """

    original: Original = field(kw_only=True)
    secret: str | None = field(default=None, kw_only=True)
    made: Made = making()

    def as_json(self) -> dict[str, Any]:
        """Return how many ratings, items, annotators and questions there are."""
        names = {"items": "item", "annotators": "annotator", "questions": "question"}
        counts = {name: self.ratings[column].n_unique() for name, column in names.items()}
        left_out = {"missing": dict(self.missing)} if self.missing else {}
        return {"ratings": self.ratings.height, **counts, **left_out}

    def text(self) -> str:
        """Return the counts as a table."""
        counts = {name: count for name, count in self.as_json().items() if name != "missing"}
        return text_table(tuple(counts), [tuple(counts.values())])

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
            force: Overwrite files that are something else, too; never what was read.
        """
        ready = self.as_written(folder)
        with ready.keeping_secret(Path(folder)):
            return Result.write(ready, folder, force=force)

    def write_files(self, places: Mapping[str, Path], *, force: bool = False) -> ReadRatings:
        """Write tables to files, all or none, and return them as they were written.

        Args:
            places: From a table to its file; a new secret goes next to that of the ratings.
            force: Overwrite files that are something else, too; never what was read.
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
        counts = self.as_json()
        return (
            *self.notes,
            f"{counts['ratings']} ratings of {counts['items']} items "
            f"by {counts['annotators']} annotators.",
        )


def _facts(annotators: Source) -> pl.DataFrame:
    if isinstance(annotators, str | Path):
        return read_people(Path(annotators))
    return as_table(annotators, ANNOTATORS)


def _collect(work: Work, places: Places) -> str | None:
    del places
    source = work.parameters["source"]
    if source == SERVE:
        return _waiting(work)
    if source == REHEARSE:
        _rehearse(work)
        return None
    form, output = format_of(work.parameters), work.path("ratings.parquet")
    kept = form == ANSWERS or work.parameters["keep_ids"]
    result = read(
        work.path(source),
        format=form,
        columns=dict(work.parameters["columns"]),
        missing=work.parameters["missing"],
        encoding=work.parameters["encoding"],
        duplicates=work.parameters["duplicates"],
        keep_ids=kept,
    ).as_written(output)
    if result.ratings.is_empty():
        raise StudyError(f"{work.path(source)}: no ratings. Collect some first.")
    with sparing([work.path(source)]), result.keeping_secret(output):
        work.write("ratings.parquet", result.ratings, RATINGS)
    _write_items(work, result)
    if result.annotators is not None and not work.has(PEOPLE):
        work.write(PEOPLE, result.annotators, ANNOTATORS)
    work.write_json("ratings.json", result.as_json())
    return None


def _rehearse(work: Work) -> None:
    """Let simulated people take part through the server, which stands above this floor."""
    try:
        rehearse = import_module(REHEARSAL).rehearse
    except ImportError as error:
        raise MissingExtra("rehearsing", "web") from error
    people, mix = work.parameters["people"], work.parameters["mix"] or None
    kinds = work.read(THINGS, ITEMS)["kind"].unique().to_list() if work.has(THINGS) else []
    planned = int(work.parameters.get("checks_per_batch") or 0)
    work.notes.extend(without_checks(kinds, planned) if kinds else [])
    done = rehearse(work.folder, people=people, mix=mix, seed=work.seed, watch=work.watch)
    work.write("ratings.parquet", done.ratings, RATINGS)
    work.write(PEOPLE, done.annotators, ANNOTATORS)
    work.write_json("ratings.json", done.as_json())


def _write_items(work: Work, result: ReadRatings) -> None:
    """Write the items the ratings are of, unless the study has items of its own."""
    if work.has(THINGS) and FROM_RATINGS not in work.read(THINGS, ITEMS).columns:
        return
    names = result.ratings.select("item").unique().sort("item")
    told = names.with_columns(text="item") if result.items is None else result.items
    work.write(THINGS, told.with_columns(pl.lit("yes").alias(FROM_RATINGS)), ITEMS)


def _waiting(work: Work) -> str:
    start = f"People answer now. Start the server with: plausibly serve {work.folder}\n"
    if not work.has(COLLECTED):
        return f"{start}Or name a file of answers in study.toml: [ratings] source."
    ratings = read_ratings(work.path(COLLECTED), format=ANSWERS).ratings
    people = ratings["annotator"].n_unique()
    return (
        f"{start}So far: {ratings.height} answers, {people} people. To go on with them, set "
        f'source = "{COLLECTED}" under [ratings] in study.toml and run again.'
    )


@verb(
    study=InStudy(
        name="ratings",
        run=_collect,
        keys={
            "source": SERVE,
            "format": "long",
            "columns": {},
            "missing": None,
            "encoding": None,
            "duplicates": "stop",
            "keep_ids": False,
            "people": 100,
            "mix": "",
        },
        outputs=("ratings.parquet", "ratings.json"),
        explained={
            "source": "Where ratings come from: serve, rehearse (simulated people), or a file.",
            "people": "Simulated people of a rehearsal.",
            "mix": "Shares of simulated people, as in careful=.8,uniform-spammer=.2.",
        },
        external=source_files,
        waits=waits_for,
    )
)
def read(
    ratings: Ratings,
    *,
    format: str = "long",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
    encoding: str | None = None,
    duplicates: Duplicates = "stop",
    annotators: Source | None = None,
    keep_ids: bool = False,
    key: str | None = None,
) -> ReadRatings:
    """Read ratings of any format as our table, with the items and annotators they come with.

    The result is accepted wherever ratings are. It keeps the ids of people; writing it replaces
    ids that look like a platform's or like a mail address by pseudonyms.

    Args:
        ratings: File or table of ratings; a table is read as long or wide.
        format: Format of the file, such as long, wide, mace or labelstudio.
        columns: From our column to the file's, where they differ.
        missing: Additional answers to treat as missing, separated by commas, besides NA, N/A, NaN,
            None and blank ones; "" for no others at all.
        encoding: Encoding of a text file, such as cp1252 (default: the mark at its beginning, else
            UTF-8, else cp1252; a guess is reported).
        duplicates: What to do with rows that repeat a rating and differ: stop, keep the first or
            the last, or store the mean of their answers. Exact copies are dropped and counted.
        annotators: Prolific export or table of facts to join by annotator.
        keep_ids: Write the ids of people unchanged.
        key: Secret of the pseudonyms (default: a new one, written to OUTPUT.key).

    Examples:
        plausibly read survey.csv --format wide -o ratings.parquet --write-items items.csv
        plausibly read answers.csv --columns annotator=worker --columns answer=score \
            -o ratings.parquet

    >>> frame = pl.DataFrame({"item": ["t1"], "annotator": ["a"], "score": [4.0]})
    >>> read(frame, columns={"answer": "score"}).ratings["answer"].to_list()
    ['4']
    >>> read(frame, columns={"answer": "score"}).as_json()
    {'ratings': 1, 'items': 1, 'annotators': 1, 'questions': 1}
    """
    naming = naming_of(key, keep_ids=keep_ids)
    imported = read_ratings(
        ratings,
        format=format,
        columns=columns,
        missing=missing,
        choices=ReadingChoices(encoding, duplicates, empty=format == "prolific"),
    )
    original = Original(
        imported=imported,
        people=None if annotators is None else _facts(annotators),
        where=str(annotators) if isinstance(annotators, str | Path) else "annotators",
        format=ratings.original.format if isinstance(ratings, ReadRatings) else format,
        key=key,
        keep_ids=keep_ids,
    )
    joined = original.tables(naming, keep_ids=True)
    return ReadRatings(
        joined.ratings,
        joined.items,
        joined.annotators,
        joined.silent_items,
        joined.silent_annotators,
        joined.missing,
        joined.notes,
        original=original,
    )
