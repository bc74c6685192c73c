"""Every number of SP-10K (Zhang, Ding and Song, 2019) beside what its release says."""

from __future__ import annotations

from pathlib import Path

from plausibly.replications.record import Record
from plausibly.replications.sp10k_pairs import pairs
from plausibly.replications.sp10k_release import read_release
from plausibly.replications.sp10k_tables import tables
from plausibly.replications.sp10k_winograd import winograd_questions

SECTIONS = (pairs, tables, winograd_questions)


def replicate(folder: Path) -> list[Record]:
    """Return one record per published number of SP-10K, from the release in a data folder."""
    release = read_release(folder)
    return [record for section in SECTIONS for record in section(release)]
