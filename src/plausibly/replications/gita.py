"""Every number of GITA4CALAMITA (Pensa et al., 2024) beside what its release says."""

from __future__ import annotations

from pathlib import Path

from plausibly.replications.gita_pairs import pairs
from plausibly.replications.gita_release import read_release
from plausibly.replications.gita_stories import stories
from plausibly.replications.gita_table3 import table3
from plausibly.replications.record import Record

SECTIONS = (stories, table3, pairs)


def replicate(folder: Path) -> list[Record]:
    """Return one record per published number of GITA4CALAMITA, from a data folder."""
    release = read_release(folder)
    return [record for section in SECTIONS for record in section(release)]
