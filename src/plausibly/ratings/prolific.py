"""Prolific's export of a study: who took part, with what status, and for how long.

The export holds no answers. Its rows join the annotators of ratings by participant id. Read are
status, time taken and approvals; what it says about age, sex, ethnicity or nationality stays
behind unless a column is asked for by name (`names`), because no result of ours needs it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

import polars as pl

from plausibly.errors import Problem, StudyError, TableError, option
from plausibly.io import Rows, check_rows, read_rows, text_rows
from plausibly.io.dialect import with_points
from plausibly.io.imported import Imported
from plausibly.io.layout import Role, note_columns
from plausibly.ratings.people import Naming, looks_personal, pseudonym, without_traces
from plausibly.tables import ANNOTATORS

PARTICIPANT = "participant_id"
TIMES = ("seconds", "started", "completed")
# From our column to Prolific's, spaces and capitals aside; several spellings over the years.
COLUMNS = {
    "status": ("status",),
    "seconds": ("time_taken",),
    "approved_tasks": ("total_approvals", "num_approvals"),
    "rejected_tasks": ("num_rejections",),
    "approval": ("approval_rate", "prolific_score"),
    "started": ("started_at", "started_datetime"),
    "completed": ("completed_at", "completed_date_time"),
}
STATUSES = (
    "APPROVED",
    "AWAITING REVIEW",
    "PARTIALLY APPROVED",
    "SCREENED OUT",
    "REJECTED",
    "RETURNED",
    "TIMED-OUT",
    "ACTIVE",
    "RESERVED",
)
NOT_SHARED = ("DATA_EXPIRED", "CONSENT_REVOKED", "Not Applicable")


def is_prolific(columns: list[str]) -> bool:
    """Tell from its columns whether a file is an export of Prolific."""
    return {PARTICIPANT, "status"} <= {_key(column) for column in columns}


def read_prolific(path: Path) -> pl.DataFrame:
    """Return the annotators table of a Prolific export, one row per participant.

    For a participant with several submissions, the one with the best status counts (approved
    before awaiting review and so on), and among equals the last one started.
    """
    rows = text_rows(read_rows(path))
    if not is_prolific(rows.frame.columns):
        raise TableError(
            f"{path}: no columns 'Participant id' and 'Status'; not a Prolific export."
        )
    found = _found(rows.frame.columns)
    frame = rows.frame.select(pl.col(theirs).alias(ours) for ours, theirs in found.items())
    frame = frame.with_columns(pl.all().replace(list(NOT_SHARED), None)).with_columns(
        status=pl.col("status").str.to_uppercase().str.replace_all("_", " ")
    )
    frame = frame.with_columns(status=pl.col("status").replace("TIMED OUT", "TIMED-OUT"))
    rows.reject(_problems(frame))
    return check_rows(Rows(path, _one_each(_typed(frame)), (), rows.locate), ANNOTATORS)


def note_prolific(frame: pl.DataFrame) -> None:
    """Keep what each column of an export is; what no result of ours needs is not stored."""
    found = _found(frame.columns)
    roles: dict[str, Role] = dict.fromkeys(frame.columns, "person")
    roles |= dict.fromkeys((found[one] for one in TIMES if one in found), "time")
    roles[found["annotator"]] = "annotator"
    note_columns(
        frame,
        roles,
        unstored=[c for c in frame.columns if c not in found.values()],
        tables=dict.fromkeys(frame.columns, "annotators"),
    )


def _key(column: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", column.lower()).strip("_")


def _found(columns: list[str]) -> dict[str, str]:
    keys = {_key(column): column for column in columns}
    known = {
        ours: next(keys[key] for key in spellings if key in keys)
        for ours, spellings in COLUMNS.items()
        if any(key in keys for key in spellings)
    }
    return {"annotator": keys[PARTICIPANT], **known}


def _problems(frame: pl.DataFrame) -> list[Problem]:
    found = []
    numbers = [c for c in ("seconds", "approval", "approved_tasks", "rejected_tasks") if c in frame]
    for row, record in enumerate(frame.iter_rows(named=True)):
        if record["annotator"] is None:
            found.append(Problem(row, "no participant id"))
        if record["status"] not in (*STATUSES, None):
            known = ", ".join(STATUSES)
            found.append(Problem(row, f"status {record['status']!r} is unknown. Known: {known}"))
        for column in numbers:
            value = record[column]
            if value is not None and not re.fullmatch(r"\d+(\.\d+)?%?", value):
                found.append(Problem(row, f"{column} {value!r} is not a number"))
    return found


def _typed(frame: pl.DataFrame) -> pl.DataFrame:
    numbers = ("seconds", "approval", "approved_tasks", "rejected_tasks")
    typed = frame.with_columns(
        pl.col(column).str.strip_suffix("%").cast(pl.Float64)
        for column in numbers
        if column in frame.columns
    )
    if "approval" not in typed.columns and "rejected_tasks" in typed.columns:
        judged = pl.col("approved_tasks") + pl.col("rejected_tasks")
        typed = typed.with_columns(approval=100 * pl.col("approved_tasks") / judged)
        typed = typed.with_columns(pl.col("approval").fill_nan(None))
    return typed.with_columns(
        pl.col(column).cast(pl.Int64)
        for column in ("approved_tasks", "rejected_tasks")
        if column in typed.columns
    )


def _one_each(frame: pl.DataFrame) -> pl.DataFrame:
    rank = pl.col("status").replace_strict(
        list(STATUSES), range(len(STATUSES)), default=len(STATUSES), return_dtype=pl.Int64
    )
    order = [rank, *([pl.col("started")] if "started" in frame.columns else [])]
    late = [False, *[True] * (len(order) - 1)]
    return frame.sort(order, descending=late, nulls_last=True, maintain_order=True).unique(
        "annotator", keep="first", maintain_order=True
    )


def read_people(path: Path) -> pl.DataFrame:
    """Return what a file says about annotators: a Prolific export, or an annotators table."""
    rows = read_rows(path)
    if is_prolific(rows.frame.columns):
        return read_prolific(path)
    return check_rows(with_points(rows, ["approval"]), ANNOTATORS)


def _name(name: str, naming: Naming, known: Collection[str], *, keep_ids: bool) -> str:
    """Return what a person of the file is called among the ratings."""
    if naming.key is None or name in known:
        return name
    hidden = pseudonym(name, naming.key)
    return hidden if hidden in known or (not keep_ids and looks_personal(name)) else name


def join_people(imported: Imported, path: Path, *, naming: Naming) -> Imported:
    """Return what was imported with what a file says about its annotators (see `with_people`)."""
    return with_people(imported, read_people(path), where=str(path), naming=naming)


def with_people(
    imported: Imported,
    people: pl.DataFrame,
    *,
    where: str,
    naming: Naming,
    keep_ids: bool = False,
) -> Imported:
    """Return what was imported with facts about its annotators.

    Ids are tried unchanged and under the key. An id that looks personal is replaced by its
    pseudonym, also where the person gave no rating. Where the ratings and the facts both describe
    a person, the facts are believed.

    Args:
        imported: Ratings, under ids or pseudonyms.
        people: Facts, one row per person.
        where: What the facts are from, for messages.
        naming: Key the pseudonyms are made with.
        keep_ids: Replace only ids whose pseudonym is among the ratings.
    """
    known = set(imported.ratings["annotator"].to_list())
    names = {name: _name(name, naming, known, keep_ids=keep_ids) for name in people["annotator"]}
    if known and not known & set(names.values()):
        raise StudyError(
            f"{where}: none of its {people.height} people gave a rating. Pass the "
            f"{option('key')} the ratings were read with, or a table with the names used there."
        )
    people = people.with_columns(pl.col("annotator").replace(names))
    if imported.annotators is not None:
        facts = [column for column in people.columns if column != "annotator"]
        both = imported.annotators.join(people, on="annotator", how="full", coalesce=True)
        people = both.with_columns(
            pl.coalesce(f"{c}_right", c).alias(c) for c in facts if f"{c}_right" in both.columns
        ).drop(f"{c}_right" for c in facts if f"{c}_right" in both.columns)
    joined = replace(imported, annotators=ANNOTATORS.sort(ANNOTATORS.check(people)))
    return joined if keep_ids or naming.key is None else without_traces(joined, set(names))
