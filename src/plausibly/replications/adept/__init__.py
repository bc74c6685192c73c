"""Every number of ADEPT (Emami et al., 2021) next to what its release says."""

from __future__ import annotations

from pathlib import Path

from plausibly.replications.adept.labels import labels
from plausibly.replications.adept.models import models
from plausibly.replications.adept.pairs import pairs
from plausibly.replications.adept.release import read_release
from plausibly.replications.claims import Claims, Recomputed

SECTIONS = (labels, models, pairs)


def recompute(folder: Path, claims: Claims) -> Recomputed:
    """Return the numbers of ADEPT from the splits in a data folder."""
    release = read_release(folder)
    return Recomputed(
        {name: number for section in SECTIONS for name, number in section(release, claims).items()}
    )
