"""Every number of GITA4CALAMITA (Pensa et al., 2024) next to what its release says."""

from __future__ import annotations

from pathlib import Path

from plausibly.replications.claims import Claims, Recomputed
from plausibly.replications.gita.conclusions import conclusions
from plausibly.replications.gita.pairs import pairs
from plausibly.replications.gita.release import read_release
from plausibly.replications.gita.stories import stories
from plausibly.replications.gita.table3 import released_metrics, table3
from plausibly.replications.gita.variants import variants

SECTIONS = (stories, variants, table3, conclusions, pairs)


def recompute(folder: Path, claims: Claims) -> Recomputed:
    """Return the numbers of GITA4CALAMITA from a data folder."""
    release = read_release(folder)
    numbers = {
        name: number for section in SECTIONS for name, number in section(release, claims).items()
    }
    return Recomputed(numbers, released_metrics(release))
