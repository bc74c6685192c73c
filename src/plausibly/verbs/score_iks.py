"""How systems that write implicit knowledge fare, from the ratings of their sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from plausibly.analysis.figures import Figure, write_figures
from plausibly.analysis.iks import IksReport, analyse_iks
from plausibly.analysis.iks_page import iks_page
from plausibly.analysis.iks_profiles import Draws
from plausibly.analysis.paper import render_paper
from plausibly.datasets.iks import SCALES
from plausibly.io.frames import Source, as_table
from plausibly.ratings.sources import Ratings, read_ratings
from plausibly.study.folder import PROTOCOLS
from plausibly.study.made import Made, making
from plausibly.study.results import Result, text_table
from plausibly.study.verb import Output, verb
from plausibly.tables import ITEMS

PAGE = "report.html"
SERVED = "iks"  # the protocol whose systems are compared


@dataclass(frozen=True, eq=False, repr=False)
class IksScores(Result):
    """How systems that write implicit knowledge fare.

    Args:
        report: Profiles of systems, agreement, disagreements.
        made: How this came about.
    """

    report: IksReport
    made: Made = making()

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Every figure and table, in the order of the page."""
        sections = iks_page(self.report, measured=PROTOCOLS[SERVED].words["measured"]).sections
        return tuple(one for section in sections for one in section.figures)

    @property
    def documents(self) -> Mapping[str, object]:
        """The page, and the JSON document."""
        page = render_paper(iks_page(self.report, measured=PROTOCOLS[SERVED].words["measured"]))
        return MappingProxyType({PAGE: page, "score_iks.json": self.as_json()})

    def put(self, folder: Path) -> None:
        """Write the page, figures/*.svg and tables as CSV, Markdown and LaTeX."""
        super().put(folder)
        write_figures(self.figures, folder)

    def as_json(self) -> dict[str, Any]:
        """Return the whole report."""
        return dict(self.report.as_json())

    def text(self) -> str:
        """Return the profiles of systems, then the agreement on each question."""
        return f"{_profiles(self.report)}\n{_agreement(self.report)}"

    @property
    def talk(self) -> tuple[str, ...]:
        """What was counted, and what a reader should know."""
        counts = ", ".join(f"{count} {name}" for name, count in self.report.counts.items())
        listed = f"{len(self.report.disagreements)} disagreements (--json lists them)."
        return (f"{counts}; {listed}", *self.report.notes)


@verb(
    reads={"ratings": "ratings", "items": "items"},
    output=Output(help="Folder for report.html, figures (SVG) and tables (CSV, Markdown, LaTeX)."),
)
def score_iks(
    ratings: Ratings,
    *,
    items: Source | None = None,
    resamples: int = 1000,
    seed: int = 0,
    format: str = "long",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
) -> IksScores:
    """Score systems that write implicit knowledge by the ratings of their sentences.

    Slices by relation (support, attack, contradict) and genre come from the annotation sheet or
    from the items.

    Args:
        ratings: File or table of ratings; an annotation sheet has the format `iks`.
        items: Items table with system, relation or genre.
        resamples: Draws for the intervals.
        seed: What resamples are drawn from.
        format: Form of the file of ratings.
        columns: From our column to the file's, where they differ.
        missing: Additional answers to treat as missing, besides NA, N/A, NaN, None and blanks,
            between commas.

    Examples:
        plausibly score iks sheets/ --format iks
        plausibly score iks ratings.parquet --resamples 1000 --json

    >>> import polars as pl
    >>> rows = {"item": ["one#i", "one#ii"], "annotator": ["a", "a"], "answer": ["YES", "NO"]}
    >>> rated = pl.DataFrame(rows).with_columns(question=pl.lit("grammaticality"))
    >>> score_iks(rated, resamples=0).report.counts["candidates"]
    2
    """
    imported = read_ratings(ratings, format=format, columns=columns, missing=missing)
    known = imported.items if items is None else as_table(items, ITEMS)
    draws = Draws(resamples=resamples, seed=seed)
    report = analyse_iks(imported.ratings, scales=SCALES, items=known, draws=draws)
    return IksScores(report)


def _profiles(report: IksReport) -> str:
    return text_table(
        ("system", "sentences", "stopped", "best", "closest", "win rate", "low", "high"),
        [
            (
                name,
                profile.candidates,
                profile.stopped["all"].value,
                profile.best.value,
                profile.closest.value,
                profile.wins.value,
                profile.wins.low,
                profile.wins.high,
            )
            for name, profile in report.systems.items()
        ],
    )


def _agreement(report: IksReport) -> str:
    return text_table(
        ("question", "distance", "alpha", "low", "high", "items"),
        [
            (question, one.distance, m.value, m.low, m.high, m.n)
            for question, one in report.agreement.items()
            for m in (one.alpha,)
        ],
    )
