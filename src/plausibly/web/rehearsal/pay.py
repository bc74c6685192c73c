"""What an hour of work is paid, by times of a pilot or a rehearsal, before a study opens."""

from __future__ import annotations

from pathlib import Path
from statistics import median

import polars as pl

from plausibly.errors import StudyError
from plausibly.io import read_json
from plausibly.ratings.collected import read_answers
from plausibly.ratings.served import Served

PILOT, REHEARSAL = "answers.sqlite", "rehearsal.json"
LEAST = 3  # batches of a pilot that say how long one takes


def batch_seconds(ratings: pl.DataFrame, *, items: int) -> float | None:
    """Return how long the people of whole batches took for one, in the middle of them; or None.

    Args:
        ratings: With batch, item, submitted and seconds; answers sent together count once.
        items: Items a whole batch has.
    """
    if ratings.is_empty() or not {"batch", "submitted", "seconds"} <= set(ratings.columns):
        return None
    source = pl.col("item").str.replace(r"#[^#]*$", "")
    sent = ratings.with_columns(source.alias("item")).unique(["batch", "item", "submitted"])
    batches = sent.group_by("batch").agg(
        pl.col("seconds").sort().sum(), pl.col("item").n_unique().alias("size")
    )
    whole = batches.filter(pl.col("size") >= items)["seconds"].sort().to_list()
    return float(median(whole)) if whole else None


def known_seconds(served: Served) -> tuple[float, str] | None:
    """Return how long a batch takes and who says so: the pilot's answers, or else a rehearsal."""
    pilot = served.folder / PILOT
    if pilot.is_file():
        ratings = read_answers(pilot, names={}).ratings
        enough = ratings["batch"].n_unique() >= LEAST
        seconds = batch_seconds(ratings, items=served.plan.batch) if enough else None
        if seconds is not None:
            return seconds, "the answers so far"
    rehearsal = served.folder / REHEARSAL
    document = read_json(rehearsal) if rehearsal.is_file() else None
    told = document.get("batch_seconds") if isinstance(document, dict) else None
    return (float(told), "the rehearsal") if told else None


def check_pay(served: Served, folder: Path) -> str | None:
    """Return what an hour is paid, in words; raise if that is below what the study promises.

    `[server] reward` is what one batch is paid, `min_hourly` the least an hour may be paid; with
    0 nothing is checked.

    Args:
        served: The study.
        folder: Its folder, for what to do.
    """
    reward, least = float(served.server["reward"]), float(served.server["min_hourly"])
    if not least:
        return None
    known = known_seconds(served)
    if known is None:
        raise StudyError(
            f"{folder}: [server] min_hourly is {least:g}, and nobody knows how long a batch takes. "
            f"Rehearse first: plausibly rehearse {folder}"
        )
    seconds, source = known
    hourly = reward * 3600 / seconds
    if hourly < least:
        raise StudyError(
            f"{folder}: [server] reward {reward:g} for {seconds / 60:.1f} minutes ({source}) is "
            f"{hourly:.2f} an hour, below min_hourly {least:g}. "
            f"Pay {least * seconds / 3600:.2f} or more, or ask for less."
        )
    return f"{reward:g} a batch is {hourly:.2f} an hour by {source} ({seconds / 60:.1f} minutes)."
