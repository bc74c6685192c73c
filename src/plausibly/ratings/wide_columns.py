"""Which columns of a survey's export are items, and which say something about the response."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import polars as pl

from plausibly.errors import TableError, option
from plausibly.io.dialect import spelling

MOST_OPTIONS = 25
# The columns of Qualtrics before the first question, and what Google Forms and platforms add.
OF_TOOLS = {
    *("startdate", "enddate", "status", "ipaddress", "progress", "duration_(in_seconds)"),
    *("finished", "recordeddate", "responseid", "recipientlastname", "recipientfirstname"),
    *("recipientemail", "externalreference", "locationlatitude", "locationlongitude"),
    *("distributionchannel", "userlanguage", "prolific_pid", "study_id", "session_id"),
    *("timestamp", "zeitstempel", "horodateur", "marca_temporal", "informazioni_cronologiche"),
    *("email", "email_address", "e_mail", "e_mail_adresse", "username", "nutzername", "name"),
    *("indirizzo_email", "adresse_e_mail", "direccion_de_correo_electronico", "workerid"),
    *("assignmentid", "hitid", "score", "q_totalduration", "q_recaptchascore", "q_language"),
    *("submission_id", "started_at", "completed_at", "reviewed_at", "archived_at", "time_taken"),
    *("completion_code", "total_approvals", "num_approvals", "num_rejections", "approval_rate"),
    *("prolific_score", "started_datetime", "completed_date_time", "custom_study_tncs_accepted_at"),
    *("annotator", "participant", "participant_id", "worker", "user", "rater", "id", "row"),
}
OF_PEOPLE = re.compile(
    r"\b(age|alter|gender|sex|geschlecht|education|native|mother tongue|language|sprache|"
    r"nationality|country|consent|agree to|comment|feedback|remark|e-?mail|first name|last name|"
    r"handed|occupation|how old|ethnicity|student status|employment|"
    r"prolific|attention|browser|device)\w*\b",
    re.IGNORECASE,
)
MECHANICS = re.compile(
    r"(First Click|Last Click|Page Submit|Click Count|_DO(_\d+)?|_TEXT|_Browser|_Version|"
    r"_Operating System|_Resolution|^SC\d+)$"
    r"|^Q_(Recaptcha|RelevantID|TotalDuration|Language|Duplicate|BallotBox|URL|CHL|Referer|SSS)"
)
PERSON = {
    "started": ("startdate", "started"),
    "submitted": ("enddate", "recordeddate", "submitted", "timestamp", "zeitstempel"),
    "seconds": ("duration_(in_seconds)", "seconds", "duration"),
}
WHO = ("prolific_pid", "responseid", "annotator", "participant_id", "participant", "workerid")
SHOWN = 3


@dataclass(frozen=True, slots=True)
class Columns:
    """What each column of a wide table is.

    Args:
        items: Columns that hold answers, in the order of the file.
        annotator: The column that says whose row it is, None for the number of the row.
        of_person: From our column (started, submitted, seconds) to the file's.
        left: Columns that were taken neither for items nor for what a tool adds.
        proposal: How `columns` would name items of this file, where they were guessed.
    """

    items: list[str]
    annotator: str | None
    of_person: Mapping[str, str]
    left: tuple[str, ...]
    proposal: str = ""

    def told(self, path: Path) -> str:
        """Return which columns are items and who answers, in one sentence."""
        ends = self.items if len(self.items) < 4 else [self.items[0], "…", self.items[-1]]
        who = f"column {self.annotator}" if self.annotator else "the number of the row"
        left = f" Left out: {', '.join(self.left)}." if self.left else ""
        others = f" To choose others, map their columns, as in {self.proposal}."
        return (
            f"{path}: {len(self.items)} columns are items ({', '.join(ends)}), people are named by "
            f"{who}.{left}{others if self.proposal else ''}"
        )


def chosen_columns(
    frame: pl.DataFrame,
    names: Mapping[str, str],
    path: Path,
    *,
    asked: Collection[str] | None = None,
) -> Columns:
    """Return what each column is, as mapped in `names` or else guessed.

    Args:
        frame: The rows of people.
        names: From our column to the file's.
        path: The file, for messages.
        asked: The columns that are questions, where the file says so; no other is an item.
    """
    columns = frame.columns
    strangers = [c for ours, c in names.items() if ours != "item" and c not in columns]
    if strangers:
        raise TableError(f"{path}: no column {strangers[0]!r}. Columns found: {_listed(columns)}.")
    spelled = {spelling(name): name for name in reversed(columns)}
    annotator = names.get("annotator") or next((spelled[w] for w in WHO if w in spelled), None)
    person = {
        ours: names.get(ours) or next((spelled[word] for word in words if word in spelled), None)
        for ours, words in PERSON.items()
    }
    known = {ours: theirs for ours, theirs in person.items() if theirs is not None}
    free = frame.select(c for c in columns if c not in {annotator, *known.values()})
    if "item" in names:
        patterns = [part.strip() for part in names["item"].split(",") if part.strip()]
        items, left = _named_items(free.columns, patterns, path, asked)
        return Columns(items, annotator, known, tuple(left))
    items, left = _guessed_items(free, path, asked)
    return Columns(items, annotator, known, tuple(left), _proposal(items, free.columns, asked))


def _named_items(
    columns: Sequence[str], patterns: Sequence[str], path: Path, asked: Collection[str] | None
) -> tuple[list[str], list[str]]:
    """Return the items that names and patterns choose, and what they match that is not an item."""
    if not patterns:
        raise TableError(f"{path}: no item is named. Columns found: {_listed(columns)}.")
    chosen: set[str] = set()
    others: set[str] = set()
    for pattern in patterns:
        matches = _matches(columns, pattern)
        questions = _questions(matches, pattern, asked)
        if not matches:
            raise TableError(f"{path}: no column {pattern!r}. Columns found: {_listed(columns)}.")
        if not questions:
            raise TableError(
                f"{path}: {matches[0]!r} is not a question: its import id does not begin with "
                f"QID. Questions: {_listed([c for c in columns if c in (asked or ())])}."
            )
        chosen.update(questions)
        others.update(matches)
    return [c for c in columns if c in chosen], [c for c in columns if c in others - chosen]


def _matches(columns: Sequence[str], pattern: str) -> list[str]:
    return [pattern] if pattern in columns else [c for c in columns if fnmatchcase(c, pattern)]


def _questions(matches: Sequence[str], pattern: str, asked: Collection[str] | None) -> list[str]:
    """Return what may be an item: a pattern takes what a tool adds only where it fits no other."""
    questions = [c for c in matches if asked is None or c in asked]
    return [c for c in questions if c == pattern or not _of_tool(c)] or questions


def _proposal(items: Sequence[str], columns: Sequence[str], asked: Collection[str] | None) -> str:
    """Return how to name all items by one pattern, or else the first ones.

    It chooses these columns and no others.
    """
    start = f"{_literal(_shared_start(items))}*"
    if _questions(_matches(columns, start), start, asked) == items and len(start) > 1:
        return f"item={start}"
    names = {item: _literal(item.strip()) for item in items}
    sure = [p for item, p in names.items() if _matches(columns, p) == [item]]
    return f"item={','.join(sure[:SHOWN]) or 'NAME'}"


def _guessed_items(
    frame: pl.DataFrame, path: Path, asked: Collection[str] | None
) -> tuple[list[str], list[str]]:
    """Return the columns that look like items, and others that a tool is not known to add."""
    free = [c for c in frame.columns if not _of_tool(c)]
    questions = free if asked is None else [c for c in free if c in asked]
    items = [c for c in questions if looks_like_item(c, frame[c])]
    if not items:
        raise TableError(
            f"{path}: no column looks like an item. Name them with {option('columns')} "
            f"(item=NAME,NAME). Columns found: {_listed(frame.columns)}."
        )
    return items, [c for c in free if c not in items]


def _shared_start(names: Sequence[str]) -> str:
    first, last = min(names), max(names)
    pairs = enumerate(zip(first, last, strict=False))
    return first[: next((n for n, (a, b) in pairs if a != b), len(first))]


def _literal(name: str) -> str:
    """Return a pattern for exactly one name; a comma would end it.

    >>> _literal("Is it hot, or [not]?")
    'Is it hot? or [[]not][?]'
    """
    if not re.search(r"[\[*?,]", name):
        return name
    return re.sub(r"[\[*?]", r"[\g<0>]", name).replace(",", "?")


def _listed(columns: Sequence[str]) -> str:
    return ", ".join(columns)


def looks_like_item(name: str, answers: pl.Series) -> bool:
    """Return whether a column holds answers to an item, not facts of a tool or about a person."""
    return not _of_tool(name) and not OF_PEOPLE.search(name) and _is_closed(answers)


def _of_tool(name: str) -> bool:
    return spelling(name) in OF_TOOLS or MECHANICS.search(name) is not None


def _is_closed(answers: pl.Series) -> bool:
    """Return whether a column holds numbers or a few options, not free text or nothing."""
    given = answers.drop_nulls().str.strip_chars()
    if given.is_empty():
        return False
    numeric = given.str.contains(r"^[+-]?\d+([.,]\d+)?$")
    if 2 * int(numeric.sum()) > len(given):
        return True
    distinct = given.n_unique()
    short = int(given.str.len_chars().sum()) <= 40 * len(given)
    return short and distinct <= MOST_OPTIONS and (distinct < len(given) or len(given) <= 5)
