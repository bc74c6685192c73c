"""Every number of PAP (Eichel and Schulte im Walde, 2023) next to what its release says."""

from __future__ import annotations

from pathlib import Path

from plausibly.replications.claims import Claims, Recomputed
from plausibly.replications.pap.abstractness import abstractness
from plausibly.replications.pap.agreement import agreement
from plausibly.replications.pap.columns import columns, released_labels
from plausibly.replications.pap.figure5 import figure5
from plausibly.replications.pap.figures import figures
from plausibly.replications.pap.mace import mace
from plausibly.replications.pap.norms import norms
from plausibly.replications.pap.release import read_release
from plausibly.replications.pap.sizes import sizes
from plausibly.replications.pap.table1 import table1
from plausibly.replications.pap.table3 import table3

SECTIONS = (sizes, table3, table1, columns, figures, figure5, abstractness, agreement, mace, norms)


def recompute(folder: Path, claims: Claims) -> Recomputed:
    """Return the numbers of PAP from the release in a data folder."""
    release = read_release(folder)
    numbers = {
        name: number for section in SECTIONS for name, number in section(release, claims).items()
    }
    return Recomputed(numbers, released_labels(release))
