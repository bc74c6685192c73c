"""Every number of PAP (Eichel and Schulte im Walde, 2023) beside what its release says."""

from __future__ import annotations

from pathlib import Path

from plausibly.replications.pap_agreement import agreement
from plausibly.replications.pap_columns import columns
from plausibly.replications.pap_combinations import combinations
from plausibly.replications.pap_mace import mace
from plausibly.replications.pap_norms import norms
from plausibly.replications.pap_release import read_release
from plausibly.replications.pap_sizes import sizes
from plausibly.replications.pap_spread import spread
from plausibly.replications.pap_table1 import table1
from plausibly.replications.pap_table3 import table3
from plausibly.replications.record import Record

SECTIONS = (sizes, table3, table1, columns, spread, combinations, agreement, mace, norms)


def replicate(folder: Path) -> list[Record]:
    """Return one record per published number of PAP, from the release in a data folder."""
    release = read_release(folder)
    return [record for section in SECTIONS for record in section(release)]
