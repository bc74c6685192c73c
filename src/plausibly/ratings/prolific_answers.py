"""Answers under Prolific's ids: its export joined with answers, or a survey of its own.

One row per answer (`item`, `answer` and the participant) is read as the long form, one row
per person as the wide one; Prolific's facts about a submission go into the annotators table.
The plain export has no ratings, only facts about people; `--annotators` joins it to ratings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from plausibly.errors import TableError, option
from plausibly.io import Rows, read_rows, renamed, text_rows
from plausibly.io.dialect import recognised, spelling
from plausibly.io.imported import Imported
from plausibly.io.missing import MISSING, Missing
from plausibly.ratings.long import long_ratings, note_long
from plausibly.ratings.prolific import NOT_SHARED, is_prolific, note_prolific, read_prolific
from plausibly.ratings.wide import wide_ratings
from plausibly.ratings.wide_columns import looks_like_item
from plausibly.tables import RATINGS

_NUMBER = r"^[+-]?\d+([.,]\d+)?$"
_FEWEST_ALIKE = 3  # columns with the same words, below which they are facts about people
WHO = ("participant_id", "prolific_pid", "prolific_id", "participant")


def read_prolific_answers(
    path: Path, *, names: Mapping[str, str], missing: Missing = MISSING
) -> Imported:
    """Return the ratings of a table with Prolific's ids, and what it says about people."""
    rows = text_rows(read_rows(path))
    who = names.get("annotator") or _who(rows)
    known = read_prolific(path) if is_prolific(rows.frame.columns) else None
    mapped = {**names, "annotator": who}
    spelled = {spelling(column) for column in rows.frame.columns}
    if "answer" in names or {"item", "answer"} <= spelled:
        long = recognised(renamed(rows, mapped), (*RATINGS.schema, *RATINGS.optional))
        own = [c for c in long.frame.columns if c in (*RATINGS.schema, *RATINGS.optional, "kind")]
        used = [*map(spelling, own), *mapped.values()]
        dropped = [c for c in rows.frame.columns if not {c, spelling(c)} & {*used}]
        note_long(rows.frame, mapped, dropped=dropped)
        imported = long_ratings(replace(long, frame=long.frame.select(own)), missing=missing)
    elif "item" not in names and known is not None and not _has_items(rows, who):
        note_prolific(rows.frame)
        return Imported(RATINGS.empty(), annotators=known)
    else:
        imported = wide_ratings(rows, names=mapped, missing=missing)
    return imported if known is None else replace(imported, annotators=known)


def _who(rows: Rows) -> str:
    spelled = {spelling(column): column for column in rows.frame.columns}
    who = next((spelled[word] for word in WHO if word in spelled), None)
    if who is None:
        columns = ", ".join(rows.frame.columns)
        raise TableError(
            f"{rows.path}: no column 'Participant id' or 'PROLIFIC_PID'. Columns found: "
            f"{columns}. Name it with {option('columns')} (annotator=NAME)."
        )
    return who


def _has_items(rows: Rows, who: str) -> bool:
    """Return whether answers were joined to an export: numbers, or words several columns share.

    What else it holds are answers to screening questions, which people may have withdrawn.
    """
    frame = rows.frame
    candidates = [c for c in frame.columns if c != who and looks_like_item(c, frame[c])]
    cells = [frame[c].drop_nulls().str.strip_chars() for c in candidates]
    own = [one for one in cells if not one.is_in([*NOT_SHARED]).any()]
    if any(one.str.contains(_NUMBER).all() for one in own):
        return True
    alike = Counter(frozenset(one) for one in own)
    return any(count >= _FEWEST_ALIKE for count in alike.values())
