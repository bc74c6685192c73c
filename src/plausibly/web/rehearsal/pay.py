"""What an hour of work is paid, by times of a pilot or a rehearsal, before a study opens."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from plausibly.errors import StudyError
from plausibly.io import read_json
from plausibly.io.setting_lines import setting
from plausibly.ratings.collected import read_answers
from plausibly.ratings.paying import batch_seconds
from plausibly.ratings.served import Served
from plausibly.study.settings import FILE

PILOT, REHEARSAL = "answers.sqlite", "rehearsal.json"
LEAST = 3  # batches of a pilot that say how long one takes


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
    measured = document.get("batch_seconds") if isinstance(document, dict) else None
    return (float(measured), "the rehearsal") if measured else None


def check_pay(served: Served, folder: Path) -> str | None:
    """Return what an hour is paid, in words; raise if that is below what the study promises.

    `[server] reward` is what one batch is paid, `min_hourly` the least an hour may be paid; with
    0 nothing is checked.
    """
    reward, least = float(served.server["reward"]), float(served.server["min_hourly"])
    if not least:
        return None
    known, place = known_seconds(served), partial(setting, folder / FILE, "server")
    if known is None:
        raise StudyError(
            f"{place('min_hourly')} is {least:g}, but it is not known how long a batch takes. "
            f"Rehearse first: plausibly rehearse {folder}"
        )
    seconds, source = known
    hourly = reward * 3600 / seconds
    if hourly < least:
        raise StudyError(
            f"{place('reward')} = {reward:g} for {seconds / 60:.1f} minutes ({source}) is "
            f"{hourly:.2f} an hour, below min_hourly {least:g}. "
            f"Pay {least * seconds / 3600:.2f} or more, or ask for less."
        )
    return f"{reward:g} a batch is {hourly:.2f} an hour by {source} ({seconds / 60:.1f} minutes)."
