"""Ratings as people have them: a file in some form, a frame, or what was read before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from plausibly.errors import StudyError, TableError, UnknownName, option
from plausibly.io import frame_rows, read_rows, text_rows
from plausibly.io.answers import imported_answers, with_retests
from plausibly.io.choices import CHOICES, ReadingChoices, choosing, noting
from plausibly.io.frames import as_frame
from plausibly.io.imported import Imported
from plausibly.io.layout import layout_of
from plausibly.io.missing import Missing, missing_answers
from plausibly.ratings.formats import AUTO, import_ratings
from plausibly.ratings.long import long_ratings, note_long, one_question_each
from plausibly.ratings.people import KEPT, Naming, renamed_people
from plausibly.ratings.recognising import recognised_table
from plausibly.ratings.wide import wide_ratings
from plausibly.study.sources import is_stored, is_study, kept_ratings
from plausibly.tables import ITEMS, text_column

FRAME = Path("ratings")
LONG = "long"
SHRUNKEN = "share"
"""The label method whose values are shrunken."""
LABELLED = ("item", "method", "label")
TABLES = (".parquet", ".csv", ".tsv", ".json", ".jsonl")
HEAD = 4096
ROWS = 200
WIDE = "wide"
Ratings = object  # a path, an Imported, or a Polars, pandas or Arrow frame


def read_ratings(
    source: Ratings,
    *,
    format: str = AUTO,
    columns: Mapping[str, str] | None = None,
    naming: Naming = KEPT,
    missing: str | Sequence[str] | None = None,
    choices: ReadingChoices = CHOICES,
) -> Imported:
    """Return the ratings of a file or frame, with the items and annotators it tells about.

    A frame is read as the long form, or as the wide one if its columns show that; `question` is
    "rating" where it is missing, whole floats are whole numbers, NaN is missing.

    Args:
        source: A path (str or Path) of a file or a study, a Polars, pandas or Arrow table, or what
            this returned.
        format: Form of the file, such as long, mace or labelstudio; auto finds it out.
        columns: From our column to the source's, where they differ.
        naming: What becomes of the ids of people; by default they stay as they are.
        missing: Additional answers to treat as missing, besides NA, N/A, NaN, None and blank cells;
            "" treats no answer as missing, which is the default for the ratings of a study.
        choices: How a file is read, whatever its form: its encoding, for example.

    >>> frame = pl.DataFrame({"item": ["t1"], "annotator": ["a"], "score": [4.0]})
    >>> read_ratings(frame, columns={"answer": "score"}).ratings["answer"].to_list()
    ['4']
    """
    if isinstance(source, Imported):
        return source if missing is None else _without(source, missing_answers(missing))
    if isinstance(source, str | Path):
        return import_ratings(
            kept_ratings(Path(source)) if is_study(source) else Path(source),
            form=format,
            names=columns,
            naming=naming,
            missing="" if missing is None and is_stored(source) else missing,
            choices=choices,
        )
    if format not in (AUTO, LONG, WIDE):
        raise TableError(
            f"ratings: a table is read as long or wide, not as {format}. Pass the file."
        )
    form, names = format, dict(columns or {})
    absent = missing_answers(missing)
    table = as_frame(source, where="ratings")
    with choosing(choices) as now:
        if form == AUTO:
            form, names = _recognised(table, names)
        if form == WIDE:
            rows = text_rows(frame_rows(FRAME, _texts(table)))
            imported = wide_ratings(rows, names=names, missing=absent)
        else:
            note_long(table, names)
            rows, names_left = one_question_each(frame_rows(FRAME, table), names)
            named = replace(rows, frame=_named(rows.frame, names_left))
            imported = long_ratings(named, missing=absent)
    layout = layout_of(now, form=form, names=names)
    return renamed_people(with_retests(replace(imported, layout=layout)), naming, form=form)


def _recognised(table: pl.DataFrame, names: dict[str, str]) -> tuple[str, dict[str, str]]:
    """Return the form of a table in memory, and its columns where they are read by their sense."""
    cells = [["" if cell is None else str(cell) for cell in row] for row in table.head(ROWS).rows()]
    recognised = recognised_table(table.columns, cells, names)
    if recognised.form not in (LONG, WIDE):
        return LONG, names
    noting(evidence=recognised.evidence)
    return recognised.form, {**recognised.names, **names}


def _texts(table: pl.DataFrame) -> pl.DataFrame:
    """Return a table as a file would hold it: every cell a text, whole numbers without a point."""
    return table.select(text_column(column) for column in table.iter_columns())


def read_raw_ratings(
    source: Ratings,
    *,
    format: str = AUTO,
    columns: Mapping[str, str] | None = None,
    missing: str | Sequence[str] | None = None,
    choices: ReadingChoices = CHOICES,
) -> Imported:
    """Return the ratings of a file or frame; raise if it holds shrunken values instead.

    Shrunken values vary less than items do, so that means over them have wrong intervals, and
    differences between them are too small.
    """
    name = str(source) if isinstance(source, str | Path) else "ratings"
    if format in (AUTO, LONG) and shrunken(source):
        raise TableError(
            f"{name}: these are shrunken values (label --method {SHRUNKEN}), not answers. They "
            "vary less than items do. Pass the ratings they were made from."
        )
    return read_ratings(source, format=format, columns=columns, missing=missing, choices=choices)


def shrunken(source: Ratings) -> bool:
    """Return whether a file or frame holds labels that are shrunken values.

    >>> shrunken(pl.DataFrame({"item": ["t1"], "method": ["share"], "label": ["0.4"]}))
    True
    """
    if isinstance(source, Imported):
        frame = source.ratings
    elif isinstance(source, str | Path):
        found = _labels_in(Path(source))
        if found is None:
            return False
        frame = found
    else:
        frame = as_frame(source, where="ratings")
    known = "method" in frame.columns and frame["method"].dtype == pl.String
    return known and SHRUNKEN in frame["method"].unique()


def _labels_in(path: Path) -> pl.DataFrame | None:
    """Return the methods of a labels table; None for a file that is something else."""
    kind = path.suffix.lower()
    if not path.is_file() or kind not in TABLES:
        return None
    if kind == ".parquet":
        if not set(LABELLED) <= set(pl.read_parquet_schema(path)):
            return None
        return pl.read_parquet(path, columns=["method"])
    with path.open("rb") as file:
        head = file.read(HEAD)
    if not all(name.encode() in head for name in LABELLED):
        return None
    frame = read_rows(path).frame
    return frame if set(LABELLED) <= set(frame.columns) else None


def _without(imported: Imported, missing: Missing) -> Imported:
    """Return what was read before, without the answers that count as missing."""
    again = imported_answers(frame_rows(FRAME, imported.ratings), missing)
    silent = {*again.silent_items, *imported.silent_items}
    people = {*again.silent_annotators, *imported.silent_annotators}
    return replace(
        again,
        items=imported.items,
        annotators=imported.annotators,
        silent_items=tuple(sorted(silent)),
        silent_annotators=tuple(sorted(people)),
    )


def _named(frame: pl.DataFrame, columns: Mapping[str, str]) -> pl.DataFrame:
    missing = [theirs for theirs in columns.values() if theirs not in frame.columns]
    if missing:
        raise TableError(f"ratings: no column {missing[0]!r}. Columns: {', '.join(frame.columns)}.")
    replaced = [ours for ours in columns if ours not in columns.values()]
    frame = frame.drop(replaced, strict=False)
    return frame.rename({theirs: ours for ours, theirs in columns.items()})


def items_of(imported: Imported) -> pl.DataFrame:
    """Return the items of what was read; where the file describes none, their names alone."""
    if imported.items is not None:
        return imported.items
    ratings = imported.ratings
    kind = pl.col("kind").fill_null("item") if "kind" in ratings.columns else pl.lit("item")
    names = ratings.select("item", text="item", kind=kind).unique("item", keep="first")
    return ITEMS.sort(ITEMS.check(names))


def without_checks(
    ratings: pl.DataFrame, items: pl.DataFrame | None = None
) -> tuple[pl.DataFrame, int]:
    """Return the ratings of items proper, and how many ratings of checks were left out.

    The items table and a column `kind` of the ratings decide what is a check, or a retest.
    """
    kept = ratings
    if items is not None:
        checks = ITEMS.check(items).filter(pl.col("kind") != "item")
        kept = kept.join(checks.select("item"), on="item", how="anti", maintain_order="left")
    if "kind" in kept.columns:
        kept = kept.filter(kept["kind"].fill_null("item") == "item")
    return kept, ratings.height - kept.height


def left_out_checks(count: int) -> list[str]:
    """Return what to report about ratings of checks: one sentence, or nothing if there are none.

    >>> left_out_checks(1), left_out_checks(1200), left_out_checks(0)
    (['1 rating of a check is left out.'], ['1,200 ratings of checks are left out.'], [])
    """
    several = f"{count:,} ratings of checks are left out."
    return ["1 rating of a check is left out." if count == 1 else several] if count else []


def only_question(ratings: pl.DataFrame, question: str | None) -> str:
    """Return the question that ratings answer, or the one named; raise if it must be named."""
    known = ratings["question"].unique().sort().to_list()
    if question is not None and question not in known:
        raise UnknownName("question", question, known, parameter="question")
    if question is None and len(known) != 1:
        raise StudyError(
            f"the ratings answer {len(known)} questions ({', '.join(known)}). Name one with "
            f"{option('question')}.",
            parameter="question",
        )
    return question or known[0]
