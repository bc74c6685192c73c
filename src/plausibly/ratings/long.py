"""The long form: one row per answer, columns item, annotator, answer and more."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from plausibly.errors import TableError, option
from plausibly.io import Rows, read_rows, renamed, write_table
from plausibly.io.answers import imported_answers
from plausibly.io.choices import dropping, noting
from plausibly.io.dialect import proposal, recognised, spelling
from plausibly.io.duplicates import ROW_NAMES
from plausibly.io.imported import QUESTION, Imported
from plausibly.io.layout import Role, note_columns
from plausibly.io.missing import MISSING, Missing
from plausibly.ratings.gorilla import answers_alone, other_columns
from plausibly.ratings.headers import NOT_ITEMS, exact_word, language_of, word_in
from plausibly.ratings.raters import one_annotator_each
from plausibly.ratings.trials import is_practice, marked_checks
from plausibly.ratings.wide_columns import looks_wide
from plausibly.tables import ITEMS, RATINGS, text_column

HEAD = 200
KIND, SECONDS, ORDER = "kind", "seconds", "order"
_UNITS = (
    ("ms|msecs?|milliseconds?|millisekunden|millisecondi|millisecondes|milisegundos", 0.001),
    ("mins?|minutes?|minuten|minuti|minutos", 60.0),
)
BLOCKS = (
    "block",
    "bloc",
    "blocco",
    "bloque",
    "phase",
    "fase",
    "part",
    "trial_type",
    "section",
    "display",
)
NEEDED = ("item", "annotator", "answer")
OF_ITEMS = ("condition", "item_group", "language")
ROLES: Mapping[str, Role] = {
    "item": "item",
    "text": "item",
    "condition": "item",
    "item_group": "item",
    "language": "item",
    "annotator": "annotator",
    "question": "question",
    "answer": "answer",
    "value": "answer",
    "started": "time",
    "submitted": "time",
    "seconds": "time",
    "order": "order",
    "kind": "check",
    "comment": "comment",
}


def read_long(path: Path, *, names: Mapping[str, str], missing: Missing = MISSING) -> Imported:
    """Return ratings from a table with item, annotator and answer.

    `question` defaults to "rating" and `value` to the number the answer stands for. Headers may
    differ from ours in case and spaces.
    """
    rows = without_practice(answers_alone(read_rows(path)), names)
    unused = other_columns(rows.frame.columns, names)
    unused += [c for c in rows.frame.columns[:1] if c in ROW_NAMES and c not in names.values()]
    note_long(rows.frame, names, dropped=unused)
    rows = replace(rows, frame=rows.frame.drop(unused))
    rows, names = one_annotator_each(rows, names)
    rows, names = one_question_each(rows, names)
    rows = _in_seconds(rows, names.get(SECONDS, ""))
    rows = _with_alike_people(_without_spaces(renamed(rows, names)))
    imported = long_ratings(rows, missing=missing)
    return _with_texts(path, imported) if "text" in imported.ratings.columns else imported


def _without_spaces(rows: Rows) -> Rows:
    """Return the rows without spaces around ids, which nobody sees and which make two of one."""
    if rows.path.suffix == ".parquet":
        return rows
    stripped, notes = {}, list(rows.notes)
    for name in ("item", "annotator", "question"):
        cells = rows.frame[name] if name in rows.frame.columns else pl.Series(dtype=pl.Int64)
        if cells.dtype != pl.String:
            continue
        bare = cells.str.strip_chars()
        count = int((bare != cells).sum())
        if count and bare.n_unique() < cells.n_unique():
            stripped[name] = bare
            cell = f"{count} cell" + ("s" if count > 1 else "")
            notes.append(f"{rows.path}: spaces around {cell} of {name} were removed.")
    return replace(rows, frame=rows.frame.with_columns(**stripped), notes=tuple(notes))


def _with_alike_people(rows: Rows) -> Rows:
    """Return the rows with a note on annotators whose ids differ in capitals or spaces only."""
    if "annotator" not in rows.frame.columns or rows.frame["annotator"].dtype != pl.String:
        return rows
    ids = rows.frame["annotator"].drop_nulls().unique().sort()
    same = ids.to_frame().group_by(
        pl.col("annotator").str.strip_chars().str.to_lowercase().alias("low")
    )
    pairs = same.agg("annotator").filter(pl.col("annotator").list.len() > 1).sort("low")
    if pairs.is_empty():
        return rows
    first = " and ".join(repr(one) for one in pairs["annotator"][0])
    more = f" (and {pairs.height - 1} more)" if pairs.height > 1 else ""
    note = (
        f"{rows.path}: annotators {first}{more} differ only in capitals or spaces and count as "
        "different people. If they are one, write the id in one way."
    )
    return replace(rows, notes=(*rows.notes, note))


def without_practice(rows: Rows, names: Mapping[str, str]) -> Rows:
    """Return the rows without those of a practice block, which are counted.

    A column such as `block` or `phase` shows them.
    """
    frame = rows.frame
    columns = [
        name
        for name in frame.columns
        if spelling(name) in BLOCKS
        and name not in names.values()
        and frame[name].dtype == pl.String
    ]
    practice = pl.repeat(False, frame.height, eager=True)
    for name in columns:
        words = [word for word in frame[name].drop_nulls().unique() if is_practice({"phase": word})]
        practice |= frame[name].is_in(words).fill_null(value=False)
    dropping("practice trials", int(practice.sum()))
    return rows.filtered(~practice) if practice.any() else rows


def one_question_each(rows: Rows, names: Mapping[str, str]) -> tuple[Rows, Mapping[str, str]]:
    """Return one row per answer where several columns, named with commas, hold answers.

    Each column is a question.

    >>> frame = pl.DataFrame({"item": ["t1"], "annotator": ["a"], "true": [4], "likely": [5]})
    >>> rows = Rows(Path("r"), frame, (), list)
    >>> rows, names = one_question_each(rows, {"answer": "true,likely"})
    >>> rows.frame.rows(), names
    ([('t1', 'a', 'true', 4), ('t1', 'a', 'likely', 5)], {})
    """
    asked = [name.strip() for name in names.get("answer", "").split(",")]
    frame = rows.frame
    if len(asked) < 2 or names["answer"] in frame.columns or not {*asked} <= {*frame.columns}:
        return rows, names
    others = [name for name in frame.columns if name not in asked]
    if {"question", "answer"} & {*others, *names} - {"answer"}:
        raise TableError(
            f"{rows.path}: the columns {names['answer']} are one question each, so a column of "
            f"questions cannot be read as well. Omit {option('columns')} question."
        )
    height = frame.height
    if len({frame[name].dtype for name in asked}) > 1:
        frame = frame.with_columns(_text(rows, name) for name in asked)
    long = frame.unpivot(on=asked, index=others, variable_name="question", value_name="answer")

    def locate(numbers: Sequence[int]) -> list[int]:
        return rows.locate([number % height for number in numbers])

    kept = {ours: theirs for ours, theirs in names.items() if ours != "answer"}
    return replace(rows, frame=long, locate=locate), kept


def _with_texts(path: Path, imported: Imported) -> Imported:
    """Return what was read with a table of items and their texts, where each item has one.

    Condition, group and language belong to the item if no item has two of them.
    """
    ratings = imported.ratings
    kind = pl.col("kind").fill_null("item") if "kind" in ratings.columns else pl.lit("item")
    text = pl.col("text").cast(pl.String).fill_null(pl.col("item"))
    named = [name for name in OF_ITEMS if name in ratings.columns]
    one = ratings.group_by("item").agg(pl.col(named).n_unique()).select(pl.col(named).max())
    own = [pl.col(name).cast(pl.String) for name in named if one[name].item() == 1]
    items = ratings.select("item", *own, text=text, kind=kind).unique()
    several = items.filter(pl.col("item").is_duplicated())["item"].sort()
    if several.is_empty():
        return replace(imported, items=ITEMS.sort(ITEMS.check(items)))
    note = f"{path}: item {several[0]!r} has several texts. Is the item in another column?"
    return replace(imported, notes=(*imported.notes, note))


def note_long(
    frame: pl.DataFrame, names: Mapping[str, str], *, dropped: Collection[str] = ()
) -> None:
    """Keep what each column of a table with one row per answer is."""
    chosen = {theirs: ours for ours, theirs in names.items()}
    if (several := names.get("answer", "")) not in frame.columns:
        chosen |= dict.fromkeys((name.strip() for name in several.split(",")), "answer")
    if (people := names.get("annotator", "")) not in frame.columns:
        chosen |= dict.fromkeys((name.strip() for name in people.split(",")), "answer")
    replaced = {ours for ours in names if ours not in names.values()}
    roles: dict[str, Role] = {}
    marked = None if KIND in {*map(spelling, frame.columns), *names} else marked_checks(frame)
    unstored = [*dropped]
    for name in frame.columns:
        ours = chosen.get(name, spelling(name))
        word = exact_word(name) or word_in(name)
        if name in replaced:
            unstored.append(name)
        if ours in ROLES and name not in replaced:
            roles[name] = ROLES[ours]
        elif marked is not None and name == marked[0]:
            roles[name] = "check"
        elif word is not None and word.role in NOT_ITEMS:
            roles[name] = word.role
    note_columns(frame, roles, unstored=unstored, whole=True)
    noting(language=language_of(frame.columns))


def long_ratings(rows: Rows, *, missing: Missing = MISSING) -> Imported:
    """Return checked ratings from rows that may lack question and value."""
    rows = _with_checks(recognised(rows, (*RATINGS.schema, *RATINGS.optional, KIND)))
    rows = _with_places(_with_seconds(rows))
    _require(rows)
    texts = [c for c in (*NEEDED, "question") if c in rows.frame.columns]
    frame = rows.frame.with_columns(_text(rows, column) for column in texts)
    question = pl.col("question").fill_null(QUESTION) if "question" in texts else pl.lit(QUESTION)
    return imported_answers(
        replace(rows, frame=frame.with_columns(question=question)), missing=missing
    )


def _with_checks(rows: Rows) -> Rows:
    """Return the rows with their kind, where a column marks some of them as checks."""
    marked = None if KIND in rows.frame.columns else marked_checks(rows.frame)
    if marked is None:
        return rows
    name, is_check = marked
    kind = pl.when(is_check).then(pl.lit("check")).otherwise(pl.lit("item"))
    note = f"{rows.path}: rows that column {name} marks are read as checks."
    return replace(rows, frame=rows.frame.with_columns(kind=kind), notes=(*rows.notes, note))


def _with_seconds(rows: Rows) -> Rows:
    """Return the rows with seconds, where the only other time of an answer has another unit."""
    columns = rows.frame.columns
    times = [c for c in columns if (word := exact_word(c)) and word.role == "time"]
    measured = [c for c in times if _factor(c)]
    if SECONDS in columns or len(measured) != 1 or rows.frame[measured[0]].dtype.is_nested():
        return rows
    return _in_seconds(rows, measured[0], into=SECONDS)


def _in_seconds(rows: Rows, column: str, *, into: str = "") -> Rows:
    """Return the rows with a time in seconds, where its name says that it has another unit."""
    factor = _factor(column)
    if factor is None or column not in rows.frame.columns:
        return rows
    cells = rows.frame[column].cast(pl.String).str.strip_chars()
    given = cells.set(MISSING.marks(cells), None)
    numbers = given.str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)
    if numbers.null_count() > given.null_count() or not (numbers.drop_nulls() >= 0).all():
        return rows
    done = "divided by 1000" if factor < 1 else f"multiplied by {factor:g}"
    note = f"{rows.path}: seconds are those of {column}, {done}."
    frame = rows.frame.with_columns((numbers * factor).round(6).alias(into or column))
    return replace(rows, frame=frame, notes=(*rows.notes, note))


def _factor(column: str) -> float | None:
    """Return how many seconds the unit in the name of a column has; None without such a unit."""
    return next(
        (f for unit, f in _UNITS if re.search(rf"(?:\b|_)(?:{unit})\)?$", column, re.I)), None
    )


def _with_places(rows: Rows) -> Rows:
    """Return the rows with whole numbers in `order`, where it holds nothing else."""
    order = rows.frame[ORDER] if ORDER in rows.frame.columns else None
    if order is None or order.dtype != pl.String:
        return rows
    cells = order.str.strip_chars()
    if not cells.drop_nulls().str.contains(r"^\d{1,9}$").all():
        return rows
    return replace(rows, frame=rows.frame.with_columns(cells.cast(pl.Int64).alias(ORDER)))


def _require(rows: Rows) -> None:
    """Raise if a column is missing, and say how to name the one that may be it."""
    columns = rows.frame.columns
    lacking = [column for column in NEEDED if column not in columns]
    if not lacking:
        return
    if rows.frame.is_empty():
        rows.reject([])
    named = ", ".join(_proposals(rows.frame, lacking))
    several = " (several questions: answer=NAME,NAME)" if lacking[-1] == "answer" else ""
    naming = "Name it with" if len(lacking) == 1 else "Name each with"
    is_wide = looks_wide(columns, [[*map(_shown, row)] for row in rows.frame.head(HEAD).rows()])
    wide = f" One row per person, one column per item: {option('format')} wide reads it."
    raise TableError(
        f"{rows.path}: no column {lacking[0]!r}. Columns found: {', '.join(columns) or 'none'}. "
        f"{naming} {option('columns')}: {named}{several}.{wide if is_wide else ''}"
    )


def _shown(cell: object) -> str:
    return "" if cell is None else str(cell)


def _proposals(frame: pl.DataFrame, lacking: Sequence[str]) -> list[str]:
    """Return which columns may be the missing ones, as `columns` maps them.

    A column is proposed only if reading it makes sense: no column stands for two of ours, and no
    person rated an item twice, as they would if the item were named by something else. A column
    that is different in every row names rows, not items.
    """
    words = {name: word.role for name in frame.columns if (word := exact_word(name))}
    columns = {}
    for ours in lacking:
        spelled = proposal(frame.columns, ours).partition("=")[2]
        meant = [name for name, role in words.items() if role == ours]
        if spelled in frame.columns or len(meant) == 1:
            columns[ours] = spelled if spelled in frame.columns else meant[0]
    once = {o: t for o, t in columns.items() if [*columns.values()].count(t) == 1}
    item, person = once.get("item", "item"), once.get("annotator", "annotator")
    if item in frame.columns and frame.height > 1:
        key = [c for c in (item, person, "question") if c in frame.columns]
        rows_alone = frame[item].n_unique() == frame.height
        if rows_alone or (person in key and frame.select(key).is_duplicated().any()):
            once.pop("item", None)
    return [f"{ours}={once.get(ours, 'NAME')}" for ours in lacking]


def _text(rows: Rows, column: str) -> pl.Series:
    series = rows.frame[column]
    if series.dtype.is_nested():
        raise TableError(
            f"{rows.path}: column {column!r} holds {series.dtype}. Expected text or numbers; "
            "write a set as one text, such as i;iii."
        )
    try:
        return text_column(series)
    except TableError as error:
        raise TableError(f"{rows.path}: {error}") from error


def write_long(ratings: pl.DataFrame, path: Path, *, items: pl.DataFrame | None = None) -> None:
    """Write every column of the ratings, one row per answer."""
    del items
    write_table(ratings, path, RATINGS)
