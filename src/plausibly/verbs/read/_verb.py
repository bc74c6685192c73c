"""Ratings of any format as our table, and the step of a study that collects them."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path

import polars as pl

from plausibly.errors import MissingExtra, StudyError
from plausibly.io import sparing
from plausibly.io.choices import Decimal, Duplicates, ReadingChoices
from plausibly.io.frames import Source, as_table
from plausibly.ratings.collected import logged_actions
from plausibly.ratings.costs import WORKED, work_done
from plausibly.ratings.formats import AUTO
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
from plausibly.ratings.people import naming_of
from plausibly.ratings.prolific import read_people
from plausibly.ratings.questions import study_form, with_declared_sets
from plausibly.ratings.sources import Ratings, read_ratings, read_raw_ratings
from plausibly.study.steps import Work
from plausibly.study.verb import InStudy, Places, verb
from plausibly.tables import ANNOTATORS, ITEMS, RATINGS
from plausibly.verbs.read._result import Original, ReadRatings

REHEARSAL = "plausibly.web.rehearsal"  # above this floor, so it is named and not imported
COLLECTED = "answers.sqlite"
PEOPLE = "annotators.parquet"
LOG = "log"  # what was done at the desk, as the report prints it
FROM_RATINGS = "from_ratings"  # the column that tells items made here from those of a study


def _facts(annotators: Source) -> pl.DataFrame:
    if isinstance(annotators, str | Path):
        return read_people(Path(annotators))
    return as_table(annotators, ANNOTATORS)


def _collect(work: Work, places: Places) -> str | None:
    del places
    source = work.parameters["source"]
    if source == SERVE:
        return _waiting(work)
    facts = work.parameters["annotators"] or None
    if source == REHEARSE and facts:
        what = (
            "[ratings] annotators is for the people of a file; those of a rehearsal are simulated."
        )
        raise StudyError(what, parameter="annotators")
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
        header_row=work.parameters["header_row"],
        sheet=work.parameters["sheet"],
        decimal=work.parameters["decimal"],
        annotators=None if facts is None else work.path(facts),
        keep_ids=kept,
    ).as_written(output)
    if result.ratings.is_empty():
        raise StudyError(f"{work.path(source)}: no ratings. Collect some first.")
    ratings, declared = result.ratings, study_form(work)
    if declared is not None and form != ANSWERS:
        ratings, notes = with_declared_sets(ratings, declared)
        work.notes.extend(notes)
    with sparing([work.path(source)]), result.keeping_secret(output):
        work.write("ratings.parquet", ratings, RATINGS)
    _write_items(work, result)
    named = facts is not None and facts != PEOPLE
    _write_people(work, result, collected=form == ANSWERS, named=named)
    counts = result.counts()
    if form == ANSWERS:
        counts[LOG] = logged_actions(work.path(source))
        if worked := work_done(work.path(source)):
            counts[WORKED] = worked
    work.write_json("ratings.json", counts)
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
    rows = names.with_columns(text="item") if result.items is None else result.items
    work.write(THINGS, rows.with_columns(pl.lit("yes").alias(FROM_RATINGS)), ITEMS)


def _write_people(work: Work, result: ReadRatings, *, collected: bool, named: bool) -> None:
    """Write who answered, unless the study has a table of people of its own and names no other.

    People of the server come and go: those who withdrew are in no table, and those who came since
    are. What was added about the others stays.
    """
    people = result.annotators
    if people is None or (work.has(PEOPLE) and not collected and not named):
        return
    if work.has(PEOPLE) and collected:
        known = work.read(PEOPLE, ANNOTATORS)
        filled = [name for name in people.columns if not people[name].is_null().all()]
        facts = known.drop(set(filled) - {"annotator"}, strict=False)
        if lost := known.join(people, on="annotator", how="anti").height:
            note = f"{PEOPLE}: removed {lost} rows of people who are not in the answers (any more)."
            work.notes.append(note)
        people = people.select(filled).join(facts, on="annotator", how="left")
    work.write(PEOPLE, people, ANNOTATORS)


def _waiting(work: Work) -> str:
    start = f"Next, people answer. Start the server with: plausibly serve {work.folder}\n"
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
            "format": AUTO,
            "columns": {},
            "missing": None,
            "encoding": None,
            "duplicates": "stop",
            "header_row": None,
            "sheet": None,
            "decimal": None,
            "annotators": None,
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
        heeds=("people", "form"),
        named=("people.pilot",),
    )
)
def read(
    ratings: Ratings,
    *,
    format: str = AUTO,
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
    encoding: str | None = None,
    duplicates: Duplicates = "stop",
    header_row: int | None = None,
    sheet: str | None = None,
    decimal: Decimal | None = None,
    annotators: Source | None = None,
    keep_ids: bool = False,
    key: str | None = None,
) -> ReadRatings:
    """Read ratings of any format as our table, with the items and annotators they come with.

    The result is accepted wherever ratings are. Its `inspection` reports what wrote the file, what
    each column is and what will be stored. It keeps the ids of people; writing it replaces ids that
    look like a platform's or like a mail address with pseudonyms.

    Args:
        ratings: File or table of ratings; a table is read as long unless the format is wide.
        format: Format of the file, such as long, wide, mace or labelstudio. By default it is
            recognised from what the file contains.
        columns: Maps our column names to the file's, where they differ.
        missing: Additional answers to treat as missing, separated by commas, besides NA, N/A, NaN,
            None and blank ones; "" treats no answer as missing.
        encoding: Encoding of a text file, such as cp1252 (default: its byte order mark, else
            UTF-8, else cp1252; a guess is reported).
        duplicates: What to do with rows that repeat a rating and differ: stop, keep the first or
            the last, or store the mean of their answers. Exact copies are dropped and counted;
            unless you choose, a rating given again at another time is stored as a retest.
        header_row: Line of the header, counted from 1 (default: the first below any titles).
        sheet: Name or number of the sheet of a workbook (default: the first that holds ratings).
        decimal: The decimal sign of numbers (default: a point, or a comma unless cells are
            separated by commas).
        annotators: Prolific export or table about annotators, joined by annotator.
        keep_ids: Write the ids of people unchanged.
        key: Secret of the pseudonyms (default: a new one, written to OUTPUT.key).

    Examples:
        plausibly read survey.csv
        plausibly read answers.csv --columns annotator=worker -o ratings.parquet

    >>> frame = pl.DataFrame({"item": ["t1"], "annotator": ["a"], "score": [4.0]})
    >>> read(frame, columns={"answer": "score"}).ratings["answer"].to_list()
    ['4']
    >>> [one.role for one in read(frame, columns={"answer": "score"}).layout.columns]
    ['item', 'annotator', 'answer']
    """
    naming = naming_of(key, keep_ids=keep_ids)
    imported = read_raw_ratings(
        ratings,
        format=format,
        columns=columns,
        missing=missing,
        choices=ReadingChoices(
            encoding,
            duplicates,
            empty=format in (AUTO, "prolific"),
            header_row=header_row,
            sheet=None if sheet is None else str(sheet),
            decimal=decimal,
        ),
    )
    again = ratings.original if isinstance(ratings, ReadRatings) else None
    original = Original(
        imported=imported,
        people=None if annotators is None else _facts(annotators),
        where=str(annotators) if isinstance(annotators, str | Path) else "annotators",
        format=imported.layout.form,
        key=key,
        keep_ids=keep_ids,
        source=again.source if again else str(ratings) if isinstance(ratings, str | Path) else None,
        options={
            "missing": missing,
            "encoding": encoding,
            "duplicates": None if duplicates == "stop" else duplicates,
            "header_row": header_row,
            "sheet": sheet,
            "decimal": decimal,
            "annotators": annotators if isinstance(annotators, str | Path) else None,
            "keep_ids": keep_ids,
        },
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
        layout=imported.layout,
        original=original,
    )
