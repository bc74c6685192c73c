"""The wide form: one row per person, one column per item, as survey tools export it.

Read are exports of Qualtrics (with the row of labels and the row of import ids below the header,
or without), of Google Forms, of LimeSurvey, of SoSci Survey (with a row of labels or without; -9
and -1 are no answers), and any table with one column per item. The item is
named by its header, its text is the label where there is one, the question is "rating". Where two
matrices have the same rows, or a loop asks several questions, the row or the turn is the item and
the matrix or the question in the loop is the question.

Whose row it is says `PROLIFIC_PID`, else `ResponseId`, else LimeSurvey's token or id, else the
number of the row, where mail addresses tell who responded twice; `--columns annotator=COLUMN` names
another. Which columns are items is guessed
and reported: not those a survey tool adds, not what asks about the person (in English, German,
Italian, French or Spanish), and not free text. `--columns item=Q1,Q2` or `--columns 'item=Q*'`
names them. Where Qualtrics wrote import ids, they decide which columns are questions (QID…):
metadata (`Q_…`) and embedded data are never items. A column that checks attention is read as an
item of kind `check`, the order in which Qualtrics showed items becomes `order`, and comments are
facts about the person.

Previews and unfinished responses are left out and counted. `seconds` is the duration of the
response, shared out evenly among its items; the annotators table has the whole of it. Addresses,
places, names and mail are never stored.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import polars as pl

from plausibly.errors import TableError
from plausibly.io import Rows, read_rows, text_rows
from plausibly.io.answers import imported_answers
from plausibly.io.choices import dropping, noting, reading_now
from plausibly.io.duplicates import AGAIN, RETEST, with_note
from plausibly.io.imported import Imported, check_names
from plausibly.io.layout import note_columns
from plausibly.io.missing import MISSING, Missing
from plausibly.measures.timed import TOGETHER
from plausibly.ratings.grids import GridCell, asked_in
from plausibly.ratings.headers import language_of
from plausibly.ratings.shown_order import orders_of
from plausibly.ratings.tool_columns import (
    LIMESURVEY,
    QUALTRICS,
    SENT,
    SOSCI,
    SOSCI_CASE,
    SOSCI_CODES,
    SOSCI_QUESTION,
    SUMMARIES,
    bare_name,
    survey_tool,
)
from plausibly.ratings.wide_columns import Columns, SurveyFacts, chosen_columns
from plausibly.tables import ANNOTATORS, ITEMS

MAPPED = ("item", "annotator", "started", "submitted", "seconds")
IMPORT_ID = re.compile(r"""^\s*\{\s*["']ImportId["']\s*:\s*["']([^"']*)""")
QUESTION_ID = re.compile(r"(^|_)QID\d")  # 1_QID3 is a question in a loop
LABELLED = ("responseid", "startdate", "recordeddate", "antwortid", "startdatum")
UNFINISHED = "unfinished responses"
ITEM, CHECK = "item", "check"
PREVIEWS = ("survey preview", "1", "9", "spam preview", "survey test", "2")


@dataclass(frozen=True, slots=True)
class _Sheet:
    """The rows of people, and what is written above them.

    Args:
        rows: The rows of people.
        asked: What the survey tool says about the columns.
    """

    rows: Rows
    asked: SurveyFacts


def read_wide(path: Path, *, names: Mapping[str, str], missing: Missing = MISSING) -> Imported:
    """Return ratings, items and annotators from an export with one row per person."""
    return wide_ratings(text_rows(read_rows(path)), names=names, missing=missing)


def wide_ratings(rows: Rows, *, names: Mapping[str, str], missing: Missing = MISSING) -> Imported:
    """Return ratings, items and annotators from rows with one person each."""
    path = rows.path
    check_names(names, form="wide", known=MAPPED)
    rows.reject([])
    sheet = _sheet(rows)
    people, notes = _finished(sheet.rows, sheet.asked.tool)
    columns = chosen_columns(people.frame, names, path, asked=sheet.asked)
    people = _once(_without_summaries(people, columns.annotator), columns.annotator)
    cells = asked_in(columns.items, sheet.asked.labels)
    ordered = orders_of(people.frame.columns, columns.items)
    note_columns(
        people.frame,
        columns.roles,
        unstored=_unstored(columns, ordered),
        tables=dict.fromkeys(columns.comments, "annotators"),
    )
    noting(language=language_of([*people.frame.columns, *sheet.asked.labels.values()]))
    if sheet.asked.tool == SOSCI and missing.signs:
        missing = replace(missing, words=missing.words | SOSCI_CODES)
    long = _with_together(_long(people, columns, cells, ordered), missing)
    long = _with_retests(long, people, columns)
    imported = imported_answers(long, missing, column="column")
    return replace(
        imported,
        ratings=imported.ratings.drop("column", "row", strict=False),
        items=_items(columns, cells),
        annotators=_annotators(people, columns),
        notes=(columns.sentence(path), *notes, *imported.notes),
    )


def _unstored(columns: Columns, ordered: Mapping[str, pl.Expr]) -> list[str]:
    """Return the columns that have a role and are in no table: of people, of orders unused."""
    used = {name for expr in ordered.values() for name in expr.meta.root_names()}
    kept = {*columns.items, *columns.of_person.values(), *columns.comments, *used}
    who = set() if columns.signed_in else {columns.annotator}
    return [name for name in columns.roles if name not in kept | who]


def _sheet(rows: Rows) -> _Sheet:
    """Return the rows of people without the labels and import ids Qualtrics puts above them."""
    above = rows.frame.head(3)
    import_ids = (_import_ids(row) for row in above.iter_rows(named=True))
    number, ids = next(((n, ids) for n, ids in enumerate(import_ids) if ids), (None, {}))
    tool = survey_tool(rows.frame.columns, import_ids=number is not None)
    if tool is not None:
        noting(tool=tool.name, evidence=tool.evidence)
    name = None if tool is None else tool.name
    if number is None and _is_label_row(above, name):
        number = 0  # an export of older versions, or the import ids were deleted
        labels, ids = above.row(0, named=True), {}
    elif number is None:
        return _Sheet(rows, SurveyFacts(_asked(rows, name), tool=name))
    else:
        labels = above.row(number - 1, named=True) if number else {}
    now = reading_now()
    if now is not None and now.facts.get("header_lines"):
        header = now.facts["header_lines"][0]
        noting(header_lines=tuple(range(header, header + number + 2)))
    below = pl.int_range(rows.frame.height, eager=True) > number
    texts = {name: " ".join(text.split()) for name, text in labels.items() if text}
    asked = frozenset(name for name, import_id in ids.items() if QUESTION_ID.search(import_id))
    return _Sheet(rows.filtered(below), SurveyFacts(asked or _asked(rows, name), texts, name))


def _asked(rows: Rows, tool: str | None) -> frozenset[str] | None:
    """Return the columns of questions, where a tool names them by a rule."""
    if tool != SOSCI:
        return None
    return frozenset(c for c in rows.frame.columns if SOSCI_QUESTION.fullmatch(c)) or None


def _is_label_row(above: pl.DataFrame, tool: str | None) -> bool:
    """Return whether the first row repeats what the columns are called, as labels do."""
    if above.is_empty() or tool not in (QUALTRICS, SOSCI):
        return False
    first = above.row(0, named=True)
    if tool == SOSCI:  # the number of an interview, or what it is called
        case = next(first[c] for c in above.columns if bare_name(c) == SOSCI_CASE)
        return not (case or "").strip().isdecimal()
    names = {bare_name(name): first[name] or "" for name in above.columns}
    known = [names[name] for name in ("responseid", "startdate", "recordeddate") if name in names]
    return bool(known) and all(bare_name(cell).replace("_", "") in LABELLED for cell in known)


def _import_ids(row: Mapping[str, str | None]) -> dict[str, str]:
    """Return the import id of each column whose cell holds one."""
    matches = {name: IMPORT_ID.match(cell or "") for name, cell in row.items()}
    return {name: match[1] for name, match in matches.items() if match}


def _finished(rows: Rows, tool: str | None) -> tuple[Rows, list[str]]:
    """Return the responses people have finished, and how many others there were."""
    columns = {bare_name(name): name for name in rows.frame.columns}
    notes = []
    for name, of, is_out, what in (
        ("status", QUALTRICS, pl.col("cell").is_in(PREVIEWS), "previews"),
        ("finished", QUALTRICS, pl.col("cell").is_in(["false", "0", "no"]), UNFINISHED),
        ("mode", SOSCI, pl.col("cell") != "interview", "tests"),
        ("finished", SOSCI, pl.col("cell").is_in(["false", "0"]), UNFINISHED),
        *((sent, LIMESURVEY, pl.col("cell").is_null(), UNFINISHED) for sent in sorted(SENT)),
    ):
        if name not in columns or tool != of:
            continue  # only this tool means by the word what it is taken for here
        cells = rows.frame.select(cell=pl.col(columns[name]).str.strip_chars().str.to_lowercase())
        out = cells.select(is_out.fill_null(value=False)).to_series()
        if out.any():
            count = f"1 {what[:-1]} is" if out.sum() == 1 else f"{out.sum()} {what} are"
            notes.append(f"{rows.path}: {count} left out.")
            dropping(what, int(out.sum()))
            rows = rows.filtered(~out)
    if rows.frame.is_empty():
        raise TableError(f"{rows.path}: no finished response. " + " ".join(notes))
    return rows, notes


def _without_summaries(people: Rows, annotator: str | None) -> Rows:
    """Return the rows of people without blank ones, and without those of means or sums.

    The latter are counted.
    """
    blank = people.frame.select(pl.all_horizontal(pl.all().is_null())).to_series()
    people = people.filtered(~blank) if blank.any() else people
    if annotator is None:
        return people
    cells = [pl.col(name).str.strip_chars().str.to_lowercase() for name in people.frame.columns]
    named = pl.any_horizontal(cell.is_in(SUMMARIES) for cell in cells).fill_null(value=False)
    summary = people.frame.select(named & pl.col(annotator).is_null()).to_series()
    dropping("rows of means or sums", int(summary.sum()))
    return people.filtered(~summary) if summary.any() else people


def _once(people: Rows, annotator: str | None) -> Rows:
    """Return the responses without exact copies, where a column shows whose they are."""
    if annotator is None:
        return people
    copies = (
        people.frame.is_duplicated()
        & ~people.frame.select(pl.struct(pl.all()).is_first_distinct()).to_series()
    )
    return with_note(people.filtered(~copies), "copies", int(copies.sum()))


def _with_retests(long: Rows, people: Rows, columns: Columns) -> Rows:
    """Return the ratings with those of a second response of a person as retests.

    A second response is known by its time. Its answers do not replace what the first one lacks.
    """
    now, who = reading_now(), _annotator(people, columns)
    times = [columns.of_person[one] for one in ("started", "submitted") if one in columns.of_person]
    if not times or (now is not None and now.choices.duplicates != "stop"):
        return long
    person = people.frame.select(times).with_columns(who=who)
    later = (person.select(pl.int_range(pl.len()).over("who")).to_series() == 1) & who.is_not_null()
    dated = person.select(pl.struct(times) != pl.struct(times).first().over("who")).to_series()
    again = long.frame["row"].replace_strict(
        range(people.frame.height), later & dated, return_dtype=pl.Boolean
    )
    if not again.any():
        return long
    kind = pl.col("kind") if "kind" in long.frame.columns else pl.lit(ITEM)
    frame = long.frame.with_columns(
        item=pl.when(again).then(pl.col("item") + AGAIN).otherwise(pl.col("item")),
        kind=pl.when(again).then(pl.lit(RETEST)).otherwise(kind),
    )
    answered = int((again & frame["answer"].is_not_null()).sum())
    return with_note(replace(long, frame=frame), "retests", answered)


def _long(
    people: Rows, columns: Columns, cells: Mapping[str, GridCell], ordered: Mapping[str, pl.Expr]
) -> Rows:
    """Return one row for each person and item, still found on the line of the person."""
    person_columns = columns.of_person
    index = ["row", "annotator", *(f"person {ours}" for ours in person_columns)]
    frame = people.frame.with_row_index("row").with_columns(annotator=_annotator(people, columns))
    known = [pl.col(theirs).alias(f"person {ours}") for ours, theirs in person_columns.items()]
    long = frame.select(*index[:2], *columns.items, *known).unpivot(
        on=columns.items, index=index, variable_name="column", value_name="answer"
    )
    if ordered:
        shown = frame.select(ordered.get(c, pl.lit(None, pl.Int64)).alias(c) for c in columns.items)
        long = long.with_columns(shown.unpivot()["value"].alias("order"))
    long = long.rename({f"person {ours}": ours for ours in person_columns}).with_columns(
        item=pl.col("column").replace({c: cell.item for c, cell in cells.items()}),
        question=pl.col("column").replace({c: cell.question for c, cell in cells.items()}),
    )
    if columns.checks:
        is_check = pl.col("column").is_in(columns.checks)
        long = long.with_columns(kind=pl.when(is_check).then(pl.lit(CHECK)).otherwise(pl.lit(ITEM)))
    places: list[int] = long["row"].to_list()

    def locate(rows: Sequence[int]) -> list[int]:
        return people.locate([places[row] for row in rows])

    return replace(people, frame=long, locate=locate)


def _with_together(long: Rows, missing: Missing) -> Rows:
    """Return the ratings with an even share of the seconds that a response took."""
    if "seconds" not in long.frame.columns:
        return long
    given = long.frame.with_columns(given=~missing.marks(long.frame["answer"]))
    answered = pl.col("given").sum().over("row")
    share = pl.col("seconds").cast(pl.Float64, strict=False) / answered
    shared = given.with_columns(share.cast(pl.String).alias("seconds"), answered.alias(TOGETHER))
    return replace(long, frame=shared.drop("given"))


def _annotator(people: Rows, columns: Columns) -> pl.Series:
    numbers = pl.Series([str(number + 1) for number in range(people.frame.height)])
    if columns.annotator is None:
        return numbers
    names = people.frame[columns.annotator].str.strip_chars()
    if not columns.signed_in:
        return names
    same = pl.DataFrame({"name": names.str.to_lowercase(), "number": numbers})
    return same.select(pl.col("number").first().over("name")).to_series()


def _items(columns: Columns, cells: Mapping[str, GridCell]) -> pl.DataFrame:
    kinds = {column: CHECK if column in columns.checks else ITEM for column in columns.items}
    rows = {
        cell.item: {"item": cell.item, "text": cell.text, "kind": kinds[column]}
        for column, cell in cells.items()
    }
    return ITEMS.sort(ITEMS.check(pl.DataFrame(list(rows.values()))))


def _annotators(people: Rows, columns: Columns) -> pl.DataFrame:
    facts = {
        ours: people.frame[theirs].cast(pl.Float64, strict=False)
        for ours, theirs in columns.of_person.items()
        if ours == "seconds"
    }
    if columns.comments:
        said = pl.concat_str(columns.comments, separator=" / ", ignore_nulls=True)
        comments = people.frame.select(comment=said)["comment"].replace("", None)
        facts |= {"comment": comments} if comments.null_count() < len(comments) else {}
    frame = pl.DataFrame({"annotator": _annotator(people, columns), **facts})
    people_once = frame.drop_nulls("annotator").unique("annotator", keep="first")
    return ANNOTATORS.sort(ANNOTATORS.check(people_once))
