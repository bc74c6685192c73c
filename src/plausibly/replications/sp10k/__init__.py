"""Every number of SP-10K (Zhang, Ding and Song, 2019) next to what its release says."""

from __future__ import annotations

from pathlib import Path

from plausibly.replications.claims import Claims, Recomputed
from plausibly.replications.sp10k.pairs import pairs
from plausibly.replications.sp10k.release import read_release
from plausibly.replications.sp10k.tables import tables
from plausibly.replications.sp10k.winograd import winograd_questions

SECTIONS = (pairs, tables, winograd_questions)


def recompute(folder: Path, claims: Claims) -> Recomputed:
    """Return the numbers of SP-10K from the release in a data folder."""
    release = read_release(folder)
    return Recomputed(
        {name: number for section in SECTIONS for name, number in section(release, claims).items()}
    )
