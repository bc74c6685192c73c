"""Which columns of a survey's export are items, and which say something about the response."""

from __future__ import annotations

import re
from collections.abc import Mapping
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
)
PERSON = {
    "started": ("startdate", "started"),
    "submitted": ("enddate", "recordeddate", "submitted", "timestamp", "zeitstempel"),
    "seconds": ("duration_(in_seconds)", "seconds", "duration"),
}
WHO = ("prolific_pid", "responseid", "annotator", "participant_id", "participant", "workerid")
ITEM_WORDS = "item=Q1,Q2 or item=Q*"


@dataclass(frozen=True, slots=True)
class Columns:
    """What each column of a wide table is.

    Args:
        items: Columns that hold answers, in the order of the file.
        annotator: The column that says whose row it is, None for the number of the row.
        of_person: From our column (started, submitted, seconds) to the file's.
        left: Columns that were taken neither for items nor for what a tool adds.
    """

    items: list[str]
    annotator: str | None
    of_person: Mapping[str, str]
    left: tuple[str, ...]

    def told(self, path: Path) -> str:
        """Return which columns are items and who answers, in one sentence."""
        ends = self.items if len(self.items) < 4 else [self.items[0], "…", self.items[-1]]
        who = f"column {self.annotator}" if self.annotator else "the number of the row"
        left = f" Left out: {', '.join(self.left)}." if self.left else ""
        return (
            f"{path}: {len(self.items)} columns are items ({', '.join(ends)}), people are named by "
            f"{who}.{left} If others are, map their columns: {ITEM_WORDS}."
        )


def chosen_columns(frame: pl.DataFrame, names: Mapping[str, str], path: Path) -> Columns:
    """Return what each column is, as said in `names` or else guessed."""
    columns = frame.columns
    strangers = [c for ours, c in names.items() if ours != "item" and c not in columns]
    if strangers:
        found = ", ".join(columns)
        raise TableError(f"{path}: no column {strangers[0]!r}. Columns found: {found}.")
    spelled = {spelling(name): name for name in reversed(columns)}
    annotator = names.get("annotator") or next((spelled[w] for w in WHO if w in spelled), None)
    person = {
        ours: names.get(ours) or next((spelled[word] for word in words if word in spelled), None)
        for ours, words in PERSON.items()
    }
    known = {ours: theirs for ours, theirs in person.items() if theirs is not None}
    items, left = _items(frame, names, {annotator, *known.values()}, path)
    return Columns(items, annotator, known, tuple(left))


def _items(
    frame: pl.DataFrame, names: Mapping[str, str], taken: set[str | None], path: Path
) -> tuple[list[str], list[str]]:
    free = [c for c in frame.columns if c not in taken]
    if "item" in names:
        patterns = [part.strip() for part in names["item"].split(",") if part.strip()]
        items = [c for c in free if any(c == p or fnmatchcase(c, p) for p in patterns)]
        lost = [p for p in patterns if not any(c == p or fnmatchcase(c, p) for c in free)]
        if lost or not items:
            found = ", ".join(frame.columns)
            raise TableError(
                f"{path}: no column {(lost or patterns)[0]!r}. Columns found: {found}."
            )
        return items, []
    asked = [c for c in free if not _of_tool(c)]
    items = [c for c in asked if looks_like_item(c, frame[c])]
    if not items:
        found = ", ".join(frame.columns)
        raise TableError(
            f"{path}: no column looks like an item. Name them with {option('columns')} "
            f"({ITEM_WORDS}). "
            f"Columns found: {found}."
        )
    return items, [c for c in asked if c not in items]


def looks_like_item(name: str, answers: pl.Series) -> bool:
    """Tell whether a column holds answers to an item, not facts of a tool or about a person."""
    return not _of_tool(name) and not OF_PEOPLE.search(name) and _is_closed(answers)


def _of_tool(name: str) -> bool:
    return spelling(name) in OF_TOOLS or MECHANICS.search(name) is not None


def _is_closed(answers: pl.Series) -> bool:
    """Tell whether a column holds numbers or a few options, not free text or nothing."""
    given = answers.drop_nulls().str.strip_chars()
    if given.is_empty():
        return False
    numeric = given.str.contains(r"^[+-]?\d+([.,]\d+)?$")
    if 2 * int(numeric.sum()) > len(given):
        return True
    distinct = given.n_unique()
    short = int(given.str.len_chars().sum()) <= 40 * len(given)
    return short and distinct <= MOST_OPTIONS and (distinct < len(given) or len(given) <= 5)
