"""Pays a panel on a platform with faults, and checks that the books are right."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random

import plausibly as pb
from plausibly.errors import StudyError
from worlds.panel import Panel


@dataclass(frozen=True)
class PayReport:
    """What paying a panel came to.

    Args:
        faults: Requests that went wrong.
        approved: Submissions the platform has approved.
        bonuses: Submissions that got a bonus.
        paid_twice: Submissions that got more than one.
        unknown: Bonuses whose outcome nobody knows yet.
        unpaid: People who worked and got neither, unknown ones aside.
    """

    faults: int
    approved: int
    bonuses: int
    paid_twice: int
    unknown: int
    unpaid: int


def check_panel(panel: Panel, *, faults: float, most: int, seed: int = 3) -> PayReport:
    """Approve and pay bonuses until so many requests went wrong, then once more without faults."""
    platform = panel.platform
    platform.happened, platform.faults = 0, faults
    platform.draw = Random(seed)  # noqa: S311
    while platform.happened < most:
        for send in (pb.prolific_approve, pb.prolific_bonus):
            try:
                send(panel.folder, yes=True)
            except StudyError:
                continue
    platform.faults = 0.0
    pb.prolific_approve(panel.folder, yes=True)
    step = pb.prolific_bonus(panel.folder, yes=True)
    bonuses = Counter(number for number, _ in platform.paid)
    approved = {n for n, one in platform.submissions.items() if one["status"] == "APPROVED"}
    worked = {f"sub-{name}" for name, number in panel.answered.items() if number}
    left = worked - approved - set(bonuses)
    unknown = int(step.counts["unknown"])
    return PayReport(
        platform.happened,
        len(approved),
        len(bonuses),
        sum(number > 1 for number in bonuses.values()),
        unknown,
        len(left) - unknown,
    )
