"""Every number of ADEPT (Emami et al., 2021) beside what its release says."""

from __future__ import annotations

from pathlib import Path

from plausibly.replications.adept_labels import labels
from plausibly.replications.adept_models import models
from plausibly.replications.adept_pairs import pairs
from plausibly.replications.adept_release import read_release
from plausibly.replications.record import Record

SECTIONS = (labels, models, pairs)


def replicate(folder: Path) -> list[Record]:
    """Return one record per published number of ADEPT, from the splits in a data folder."""
    release = read_release(folder)
    return [record for section in SECTIONS for record in section(release)]
