"""Published numbers next to what the published data says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from typing import Literal, overload

from plausibly.errors import StudyError, option
from plausibly.replications.figures import PaperFigures, paper_figures
from plausibly.replications.printed import Value
from plausibly.replications.recomputing import PAPERS, recomputed
from plausibly.replications.record import Record, Verdict
from plausibly.replications.results import Form, Replicated
from plausibly.replications.rulings import Ruling
from plausibly.study.verb import Output, verb

__all__ = [
    "PAPERS",
    "Record",
    "Replicated",
    "Ruling",
    "Value",
    "Verdict",
    "recomputed",
    "replicate",
]


@overload
def replicate(
    name: str,
    *,
    data: str | PathLike[str] | None = None,
    statements: bool = False,
    only: Sequence[Verdict] = (),
    format: Form = "text",
    figures: Literal[False] = False,
) -> Replicated: ...


@overload
def replicate(
    name: str,
    *,
    data: str | PathLike[str] | None = None,
    statements: bool = False,
    only: Sequence[Verdict] = (),
    format: Form = "text",
    figures: Literal[True],
) -> PaperFigures: ...


@verb(
    strict=True,
    output=Output(help="Folder for records and pages; with figures, for a report and its tables."),
)
def replicate(
    name: str,
    *,
    data: str | PathLike[str] | None = None,
    statements: bool = False,
    only: Sequence[Verdict] = (),
    format: Form = "text",
    figures: bool = False,
) -> Replicated | PaperFigures:
    """Recompute the numbers a publication prints from its released data.

    For a folder that `plausibly release` wrote, the steps are run again on its ratings, and the
    result is compared with the labels, exclusions, agreement and report tables in it. Without
    options you see a summary in six lines, then errata and faults of released files.

    Args:
        name: pap, adept, sp10k, gita, or all for those that have a folder; or a folder that
            `plausibly release` wrote.
        data: The data folder, which contains `pap/`, `adept/` and so on.
        statements: Show one verdict per printed statement instead of one record per number.
        only: Show only results with one of these verdicts.
        format: Output format; html is one self-contained page.
        figures: Instead of comparing numbers, draw the corrected figures and tables of pap, adept,
            sp10k or gita next to what is printed.

    Examples:
        plausibly replicate pap --data data
        plausibly replicate pap --figures --data data -o pap-figures

    >>> replicate("papp", data="DIR")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    plausibly.errors.UnknownName: unknown replication 'papp'. Did you mean 'pap'? ...
    """
    chosen = tuple(only)
    if figures:
        if statements or chosen or format != "text":
            others = " and ".join(map(option, ("statements", "only", "format")))
            what = f"{option('figures')} shows every statement. Leave out {others}."
            raise StudyError(what, parameter="figures")
        return paper_figures(name, data=data)
    return replace(recomputed(name, data), by_statement=statements, chosen=chosen, form=format)
