"""Published numbers beside what the published data says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal, overload

from plausibly.datasets.catalogue import catalogue, find
from plausibly.datasets.own import is_release
from plausibly.errors import StudyError, UnknownName
from plausibly.registry import Registry
from plausibly.replications.claims import Claims, Recomputed, read_claims
from plausibly.replications.own import rebuilt
from plausibly.replications.printed import Value
from plausibly.replications.record import Record, Verdict
from plausibly.replications.results import Replicated
from plausibly.replications.rulings import Ruling
from plausibly.study.results import Made

if TYPE_CHECKING:
    from plausibly.replications.figures import PaperFigures

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

__all__ = ["PAPERS", "Record", "Replicated", "Ruling", "Value", "Verdict", "replicate"]


@overload
def replicate(
    name: str,
    *,
    data: str | PathLike[str] | None = None,
    statements: bool = False,
    only: Iterable[Verdict] = (),
    figures: Literal[False] = False,
) -> Replicated: ...


@overload
def replicate(
    name: str,
    *,
    data: str | PathLike[str] | None = None,
    statements: bool = False,
    only: Iterable[Verdict] = (),
    figures: Literal[True],
) -> PaperFigures: ...


def replicate(
    name: str,
    *,
    data: str | PathLike[str] | None = None,
    statements: bool = False,
    only: Iterable[Verdict] = (),
    figures: bool = False,
) -> Replicated | PaperFigures:
    """Return the numbers a publication prints beside those its released data give.

    Args:
        name: pap, adept, sp10k, gita, or all for those that have a folder; or a folder that
            `plausibly release` wrote, whose steps are done again on its own ratings.
        data: The data folder, which contains `pap/`, `adept/` and so on.
        statements: Show one verdict per printed statement instead of one record per number.
        only: Show what has one of these verdicts.
        figures: Draw the figures and tables of pap, adept, sp10k or gita instead, corrected,
            with the printed reading.

    >>> replicate("papp", data="DIR")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    plausibly.errors.UnknownName: unknown replication 'papp'. Did you mean 'pap'? ...
    """
    if figures:
        return _figures(name, data, unused=statements or bool(tuple(only)))
    return _numbers(name, data, statements=statements, only=tuple(only))


def _figures(name: str, data: str | PathLike[str] | None, *, unused: bool) -> PaperFigures:
    from plausibly.replications.figures import paper_figures

    if unused:
        raise StudyError("figures show every statement. Leave out statements and only.")
    return paper_figures(name, data=data)


def _numbers(
    name: str,
    data: str | PathLike[str] | None,
    *,
    statements: bool,
    only: tuple[Verdict, ...],
) -> Replicated:
    if name not in (*PAPERS, ALL) and is_release(Path(name)):
        made = Made("replicate", parameters={"name": name, "statements": statements})
        records, report = rebuilt(Path(name))
        own = Replicated(tuple(records), made, by_statement=statements, report=report)
        return own.only(only)
    if data is None:
        raise StudyError(
            "published numbers need the data folder. Pass data=DIR; "
            "'plausibly data list' says what belongs into it."
        )
    folder = Path(data)
    papers = _papers(name, folder)
    records = [
        record
        for paper in papers
        for record in read_claims(paper).judged(PAPERS[paper](folder, read_claims(paper)))
    ]
    parameters = {"name": name, "statements": statements, "only": only}
    replicated = Replicated(
        tuple(records),
        Made("replicate", inputs=dict(_inputs(papers, folder)), parameters=parameters),
        by_statement=statements,
        left_out=tuple(str(folder / paper) for paper in PAPERS if paper not in papers)
        if name == ALL
        else (),
    )
    return replicated.only(only)


def _inputs(papers: Iterable[str], folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files of the publications that lie in the data folder, and the norms."""
    for dataset in (*papers, "norms"):
        for file in catalogue()[dataset].files:
            path = find(folder, dataset, file.name)
            if path is not None:
                yield f"{dataset}/{file.name}", path


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
