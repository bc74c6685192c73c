"""Ratings in and out: a file of any form becomes our table, our table becomes a file."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.errors import MissingExtra, StudyError
from plausibly.io import sparing
from plausibly.io.frames import Source, as_table
from plausibly.ratings.formats import export_ratings
from plausibly.ratings.people import KEPT, Naming, keeping_secret, new_secret, secret_of
from plausibly.ratings.prolific import join_people
from plausibly.ratings.sources import Ratings, origin, read_ratings
from plausibly.study.results import Made, Result, text_table
from plausibly.study.steps import Step, Work
from plausibly.tables import ANNOTATORS, ITEMS, RATINGS

SERVE = "serve"
REHEARSE = "rehearse"
REHEARSAL = "plausibly.web.rehearsal"  # above this floor, so it is named and not imported
ANSWERS = "answers"
COLLECTED = "answers.sqlite"
PEOPLE = "annotators.parquet"
THINGS = "items.parquet"
FROM_RATINGS = "from_ratings"  # the column that tells items made here from those of a study


@dataclass(frozen=True, eq=False, repr=False)
class ImportedRatings(Result):
    """Ratings as our table, with the items and people the file tells about.

    Args:
        ratings: The ratings table.
        items: The items table, where the form carries texts or conditions.
        annotators: The annotators table, where the form carries facts about people.
        made: How this came about.
        missing: How often each word stood where there is no answer.
        notes: How the file was read.
        secret: What the pseudonyms of people were made with, None where there are none.
    """

    ratings: pl.DataFrame
    items: pl.DataFrame | None
    annotators: pl.DataFrame | None
    made: Made
    missing: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    secret: str | None = None

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

    def write(self, folder: str | Path) -> Path:
        """Write the tables into a folder, and the secret of the pseudonyms beside it."""
        if self.secret is None:
            return super().write(folder)
        with keeping_secret(Path(folder), self.secret):
            return super().write(folder)

    @property
    def talk(self) -> tuple[str, ...]:
        """How it was read, and how much there is."""
        counts = self.as_json()
        return (
            *self.notes,
            f"{counts['ratings']} ratings of {counts['items']} items "
            f"by {counts['annotators']} annotators.",
        )


def import_ratings(
    ratings: Ratings,
    *,
    people: str | Path | None = None,
    format: str = "long",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
    naming: Naming | None = None,
) -> ImportedRatings:
    """Read ratings of any form as our table, personal ids replaced by pseudonyms.

    Args:
        ratings: File or table of ratings.
        people: Prolific export or table of facts to join by annotator.
        format: Form of the file of ratings.
        columns: From our column to the file's, where they differ.
        missing: Answers that are none beside NA, N/A, NaN, None and blank ones, between commas.
        naming: What becomes of the ids of people; by default those that look like a platform's
            or a mail address are replaced under a new secret.

    >>> frame = pl.DataFrame({"item": ["t1"], "annotator": ["a"], "answer": [4]})
    >>> import_ratings(frame).as_json()
    {'ratings': 1, 'items': 1, 'annotators': 1, 'questions': 1}
    """
    naming = naming or Naming(new_secret())
    imported = read_ratings(
        ratings,
        format=format,
        columns=columns,
        naming=naming,
        missing=missing,
        empty=format == "prolific",
    )
    if people is not None:
        imported = join_people(imported, Path(people), naming=naming)
    made = Made(
        "ratings import",
        inputs={"ratings": origin(ratings, imported), "people": people},
        parameters={"format": format, "columns": columns, "keep_ids": naming == KEPT},
    )
    return ImportedRatings(
        imported.ratings,
        imported.items,
        imported.annotators,
        made,
        missing=imported.missing,
        notes=imported.notes,
        secret=naming.key if imported.hidden else None,
    )


def write_ratings(
    ratings: Ratings,
    output: str | Path,
    *,
    format: str = "long",
    items: Source | None = None,
) -> Path:
    """Write ratings in another form, and return where.

    Args:
        ratings: File or table of ratings.
        output: File to write.
        format: Form to write.
        items: Items table, for forms that carry items.

    >>> import tempfile
    >>> frame = pl.DataFrame({"item": ["t1"], "annotator": ["a"], "answer": [4]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_ratings(frame, f"{folder}/r.csv", format="crowdkit").read_text().split()
    ['task,worker,label', 't1,a,4']
    """
    known = None if items is None else as_table(items, ITEMS)
    export_ratings(read_ratings(ratings).ratings, Path(output), form=format, items=known)
    return Path(output)


def collect_step(*, source: str = "", missing: str | None = None) -> Step:
    """Return the step that fills ratings.parquet.

    `[ratings] source` says where from: "serve" (people answer in the browser, the study waits),
    "rehearse" (simulated people do, `[ratings] people` of them, of the kinds `mix` says), or a
    file of the study folder in the form `[ratings] format` with `[ratings] columns`; the server's
    own file needs neither.
    """
    return Step(
        "ratings",
        _collect,
        outputs=("ratings.parquet", "ratings.json"),
        parameters={
            "source": SERVE,
            "format": "long",
            "columns": {},
            "missing": missing,
            "keep_ids": False,
            "people": 100,
            "mix": "",
        },
        source=source,
        external=_source_files,
        waits=_waits_for,
    )


def _waits_for(parameters: Mapping[str, Any]) -> str | None:
    return "people answer on the server" if parameters["source"] == SERVE else None


def _source_files(parameters: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the files to read; the latest answers of a server lie in the log beside its file."""
    source = parameters["source"]
    if source in (SERVE, REHEARSE):
        return (THINGS,)
    return (source, f"{source}-wal") if _form(parameters) == ANSWERS else (source,)


def _form(parameters: Mapping[str, Any]) -> str:
    of_server = Path(parameters["source"]).suffix == ".sqlite"
    return ANSWERS if of_server else str(parameters["format"])


def _collect(work: Work) -> str | None:
    source = work.parameters["source"]
    if source == SERVE:
        return _waiting(work)
    if source == REHEARSE:
        _rehearse(work)
        return None
    form, output = _form(work.parameters), work.path("ratings.parquet")
    kept = form == ANSWERS or work.parameters["keep_ids"]
    result = import_ratings(
        work.path(source),
        format=form,
        columns=dict(work.parameters["columns"]),
        missing=work.parameters["missing"],
        naming=KEPT if kept else Naming(secret_of(output)),
    )
    if result.ratings.is_empty():
        raise StudyError(f"{work.path(source)}: no ratings. Collect some first.")
    secret = keeping_secret(output, result.secret) if result.secret else nullcontext()
    with sparing([work.path(source)]), secret:
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
    done = rehearse(work.folder, people=people, mix=mix, seed=work.seed, watch=work.watch)
    work.write("ratings.parquet", done.ratings, RATINGS)
    work.write(PEOPLE, done.annotators, ANNOTATORS)
    work.write_json("ratings.json", done.as_json())


def _write_items(work: Work, result: ImportedRatings) -> None:
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
