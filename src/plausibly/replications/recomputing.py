"""Every number of a publication or of a release, computed again."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike
from pathlib import Path

from plausibly.datasets.catalogue import NO_FOLDER, present
from plausibly.datasets.own import is_release
from plausibly.errors import StudyError, UnknownName
from plausibly.registry import Registry
from plausibly.replications.claims import Claims, Recomputed, read_claims
from plausibly.replications.own import rebuilt
from plausibly.replications.results import Replicated
from plausibly.study.made import being_made

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


def recomputed(name: str, data: str | PathLike[str] | None) -> Replicated:
    """Return every record of a publication, of all of them, or of a release that is run again."""
    if name not in (*PAPERS, ALL):
        if not is_release(Path(name)):
            raise UnknownName("replication", name, (*PAPERS, ALL))
        records, report = rebuilt(Path(name))
        made = being_made().reading({"release": Path(name)})
        return Replicated(tuple(records), report=report, name=name, made=made)
    if data is None:
        raise StudyError(NO_FOLDER, parameter="data")
    folder = Path(data)
    papers = _papers(name, folder)
    records = [
        record
        for paper in papers
        for record in read_claims(paper).judged(PAPERS[paper](folder, read_claims(paper)))
    ]
    absent = [paper for paper in PAPERS if paper not in papers] if name == ALL else []
    return Replicated(
        tuple(records),
        name=name,
        left_out=tuple(str(folder / paper) for paper in absent),
        made=being_made().reading(present(folder, [*papers, "norms"])),
    )


def _papers(name: str, folder: Path) -> list[str]:
    known = list(PAPERS)
    if name != ALL:
        return [name]
    present = [paper for paper in known if (folder / paper).is_dir()]
    if not present:
        raise StudyError(
            f"{folder}: none of {', '.join(known)} is here. See 'plausibly data list'."
        )
    return present
