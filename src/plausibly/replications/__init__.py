"""Published numbers beside what the published data says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from os import PathLike
from pathlib import Path

from plausibly.errors import StudyError, UnknownName
from plausibly.registry import Registry
from plausibly.replications.claims import Claims, Recomputed, read_claims
from plausibly.replications.printed import Value
from plausibly.replications.record import Record, Verdict
from plausibly.replications.results import Judgement, Replicated

PAPERS: Registry[Callable[[Path, Claims], Recomputed]] = Registry(
    "replication",
    {
        "adept": "plausibly.replications.adept:recompute",
        "gita": "plausibly.replications.gita:recompute",
        "pap": "plausibly.replications.pap:recompute",
        "sp10k": "plausibly.replications.sp10k:recompute",
    },
)
ALL = "all"

__all__ = ["PAPERS", "Judgement", "Record", "Replicated", "Value", "Verdict", "replicate"]


def replicate(
    name: str,
    *,
    data: str | PathLike[str],
    statements: bool = False,
    only: Iterable[Verdict] = (),
) -> Replicated:
    """Return the numbers a publication prints beside those its released data give.

    Args:
        name: pap, adept, sp10k, gita, or all for those that have a folder.
        data: The data folder, which contains `pap/`, `adept/` and so on.
        statements: Show one verdict per printed statement instead of one record per number.
        only: Keep the statements with one of these verdicts.
    """
    folder = Path(data)
    records = [
        record
        for paper in _papers(name, folder)
        for record in read_claims(paper).judged(PAPERS[paper](folder, read_claims(paper)))
    ]
    return Replicated(tuple(records), by_statement=statements).only(only)


def _papers(name: str, folder: Path) -> list[str]:
    known = list(PAPERS)
    if name not in (*known, ALL):
        raise UnknownName("replication", name, (*known, ALL))
    if name != ALL:
        return [name]
    present = [paper for paper in known if (folder / paper).is_dir()]
    if not present:
        raise StudyError(
            f"{folder}: none of {', '.join(known)} is here. See 'plausibly data list'."
        )
    return present
