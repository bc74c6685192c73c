"""The data of Gorilla's task builders: one row per event, of which some are answers.

An answer is a row whose zone is one of responses (`Zone Type`, task builder 1) or whose
`Response Type` is `response` (task builder 2). Other events are counted and left out. The person is
`Participant Private ID`, or `Participant Public ID` where it has the form of a Prolific id; the
item is a column of the spreadsheet, such as `item` or `sentence`, else the row of the spreadsheet.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

import polars as pl

from plausibly.io import Rows
from plausibly.io.choices import dropping
from plausibly.io.dialect import spelling
from plausibly.ratings.trials import item_column, text_column

TOOL, EVIDENCE = "Gorilla", "the columns Event Index and Participant Private ID"
SIGNS = {"event_index", "participant_private_id"}
PRIVATE, PUBLIC = "participant_private_id", "participant_public_id"
ZONE, KIND, ANSWER, TIME = "zone_type", "response_type", "response", "reaction_time"
NAMED = ("zone_name", "object_name")
TRIAL, ROW = "trial_number", "spreadsheet_row"
SHEET = "Spreadsheet: "  # before the columns of a spreadsheet, in task builder 2
# What Gorilla says about devices, rooms and events; nothing of it is about an answer.
_OWN = re.compile(
    r"(event_index|(utc|local)_.*|participant_.*|experiment_(id|version)|tree_node_key|repeat_key"
    r"|schedule_id|checkpoint.*|room_(id|order)|task_(name|version)|spreadsheet(_name|_row)?"
    r"|trial_number|screen.*|zone_(name|type)|object_(name|id|number)|component.*|reaction_.*|tag"
    r"|response(_type|_duration)?|attempt|correct|incorrect|dishonest|[xy]_coordinate|timed_out"
    r"|randomi[sz]e_.*|display|manipulation.*|store.*|current_spreadsheet|absolute_.*|clip_.*"
    r"|proportion|event_type)"
)
_PROLIFIC_ID = re.compile(r"[0-9a-f]{24}")

Table = Sequence[Sequence[str]]


def is_gorilla(header: Sequence[str]) -> bool:
    """Return whether a table has the columns that Gorilla always writes, and answers."""
    return {*SIGNS, ANSWER} <= {*map(spelling, header)}


def gorilla_names(header: Sequence[str], rows: Table, names: Mapping[str, str]) -> dict[str, str]:
    """Return the columns of the long form in a table of Gorilla.

    Args:
        header: The names of its columns.
        rows: Its first rows.
        names: From our column to the table's, as chosen.
    """
    spelled = {spelling(name): name for name in reversed(header)}
    frame = pl.DataFrame(
        [row for row in rows if len(row) == len(header)], schema=[*header], orient="row"
    )
    answers = frame.filter(_are_answers(frame))
    own = {name.removeprefix(SHEET): name for name in reversed(header)}
    item = item_column([*own]) or text_column([*own])
    text = text_column([*own])
    public = spelled.get(PUBLIC)
    known = public is not None and all(
        _PROLIFIC_ID.fullmatch(one.strip()) for one in answers[public] if one
    )
    columns = {
        "item": own[item] if item else spelled.get(ROW),
        "annotator": public if known and not answers.is_empty() else spelled[PRIVATE],
        "answer": spelled[ANSWER],
        "order": spelled.get(TRIAL),
        "text": own[text] if text and text != item else None,
    }
    asked = next((spelled[name] for name in NAMED if name in spelled), None)
    if asked is not None and answers[asked].n_unique() > 1:
        columns["question"] = asked
    return {ours: theirs for ours, theirs in columns.items() if theirs} | dict(names)


def answers_alone(rows: Rows) -> Rows:
    """Return the rows of a table of Gorilla that hold answers, with their seconds.

    Other tables are returned unchanged.
    """
    frame = rows.frame
    if not is_gorilla(frame.columns):
        return rows
    spelled = {spelling(name): name for name in frame.columns}
    answers = frame.select(_are_answers(frame)).to_series()
    dropping("events that are not answers", int((~answers).sum()))
    if TIME in spelled and "seconds" not in spelled:
        lasted = pl.col(spelled[TIME]).cast(pl.Float64, strict=False) / 1000
        rows = replace(rows, frame=frame.with_columns(seconds=lasted.round(6)))
    return rows.filtered(answers)


def other_columns(columns: Sequence[str], names: Mapping[str, str]) -> list[str]:
    """Return the columns that Gorilla adds and that are not used; none in other tables."""
    if not is_gorilla(columns):
        return []
    own = [name for name in columns if _OWN.fullmatch(spelling(name))]
    return [name for name in own if name not in names.values()]


def _are_answers(frame: pl.DataFrame) -> pl.Expr:
    """Return which rows are answers: by the kind of response, else by the kind of zone."""
    spelled = {spelling(name): name for name in frame.columns}
    answered = pl.col(spelled[ANSWER]).cast(pl.String).str.strip_chars().fill_null("") != ""
    kind = spelled.get(KIND)
    if kind is not None and frame[kind].cast(pl.String).str.strip_chars().is_in(["response"]).any():
        return answered & (pl.col(kind).str.strip_chars() == "response")
    if ZONE in spelled:
        zone = pl.col(spelled[ZONE]).cast(pl.String).str.to_lowercase()
        return (answered & zone.str.starts_with("response")).fill_null(value=False)
    return answered
