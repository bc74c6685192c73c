"""How systems that write implicit knowledge fare, from the ratings of their sentences."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

import polars as pl

from plausibly.analysis.figures import write_figures
from plausibly.analysis.iks import IksReport, analyse_iks
from plausibly.analysis.iks_judgements import NAMELESS
from plausibly.analysis.iks_page import iks_page
from plausibly.analysis.iks_profiles import Draws
from plausibly.analysis.paper import render_paper
from plausibly.datasets.iks import SCALES
from plausibly.domain import Measure
from plausibly.errors import TableError
from plausibly.evaluation.in_study import blind_key_file, blind_key_place
from plausibly.io import read_rows
from plausibly.io.frames import Source, as_frame, as_table
from plausibly.ratings.sources import Ratings, read_ratings
from plausibly.study.exhibits import ExhibitPart
from plausibly.study.folder import PROTOCOLS
from plausibly.study.results import Result, finite, text_table
from plausibly.study.steps import Work
from plausibly.study.verb import InStudy, Output, Places, verb
from plausibly.tables import ITEMS

PAGE = "report.html"
SERVED = "iks"  # the protocol whose systems are compared


@dataclass(frozen=True, eq=False, repr=False)
class IksScores(Result):
    """How systems that write implicit knowledge fare.

    Args:
        report: Profiles of systems, agreement, disagreements.
    """

    report: IksReport

    @cached_property
    def figures(self) -> tuple[ExhibitPart, ...]:
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
        """Return profiles of systems, agreement, and how grammar and content go together."""
        named = f"{_profiles(self.report)}\n" if self.report.systems else ""
        return f"{named}{_agreement(self.report)}\n{_grammar(self.report)}"

    @property
    def remarks(self) -> tuple[str, ...]:
        """That systems are not compared, where they are not."""
        return () if self.report.systems else (NAMELESS,)

    @property
    def talk(self) -> tuple[str, ...]:
        """What was counted, and what a reader should know."""
        counts = ", ".join(f"{count} {name}" for name, count in self.report.counts.items())
        listed = f"{len(self.report.disagreements)} disagreements (--json lists them)."
        return (f"{counts}; {listed}", *self.report.notes)


def _in_study(work: Work, places: Places) -> None:
    """Score the systems of a study, whose names are in the key of its build."""
    chosen = {name: one for name, one in work.parameters.items() if one is not None}
    key = blind_key_place(work.settings, chosen.pop("blind_key", None), work.folder)
    result = score_iks(
        work.path(places["ratings"]),
        items=work.path(places["items"]) if work.has(places["items"]) else None,
        blind_key=key if key.is_file() else None,
        seed=work.seed,
        missing=work.settings.get("ratings", {}).get("missing"),
        **chosen,
    )
    work.notes.extend(result.remarks)
    work.write_json("score_iks.json", finite(result.as_json()))


@verb(
    reads={"ratings": "ratings", "items": "items"},
    study=InStudy(run=_in_study, external=blind_key_file, named=("build.blind_key",)),
    output=Output(help="Folder for report.html, figures (SVG) and tables (CSV, Markdown, LaTeX)."),
)
def score_iks(
    ratings: Ratings,
    *,
    items: Source | None = None,
    blind_key: str | Path | None = None,
    resamples: int = 1000,
    seed: int = 0,
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
) -> IksScores:
    """Score systems that write implicit knowledge, by people's ratings of their sentences.

    Slices by relation (support, attack, contradict) and genre come from the annotation sheet or
    from the items.

    Args:
        ratings: File or table of ratings; an annotation sheet has the format `iks`.
        items: Items table with system, relation or genre, or the key of `build iks`.
        blind_key: The key `build iks` wrote, which names the system of each candidate; without
            names, systems are not compared.
        resamples: Number of resamples for the intervals; 0 for none.
        seed: Seed for everything drawn at random.
        format: Format of the file of ratings.
        columns: Maps our column names to the file's, where they differ.
        missing: Additional answers to treat as missing, besides NA, N/A, NaN, None and blanks,
            separated by commas.

    Examples:
        plausibly score iks sheets/ --format iks
        plausibly score iks ratings.parquet --blind-key sheet-key.parquet --json

    >>> rows = {"item": ["one#i", "one#ii"], "annotator": ["a", "a"], "answer": ["YES", "NO"]}
    >>> rated = pl.DataFrame(rows).with_columns(question=pl.lit("grammaticality"))
    >>> score_iks(rated, resamples=0).report.counts["candidates"]
    2
    """
    imported = read_ratings(ratings, format=format, columns=columns, missing=missing)
    given = items is not None and blind_key is None and _is_key(items)
    key, table = (items, None) if given else (blind_key, items)
    known = imported.items if table is None else as_table(table, ITEMS)
    rated = imported.ratings if key is None else _unblinded(imported.ratings, key)
    draws = Draws(resamples=resamples, seed=seed)
    return IksScores(analyse_iks(rated, scales=SCALES, items=known, draws=draws))


def _frame(source: Source) -> pl.DataFrame:
    if isinstance(source, str | Path):
        return read_rows(Path(source)).frame
    return as_frame(source, where="items")


def _is_key(source: Source) -> bool:
    """Return whether a table names the systems of candidates and is not an items table."""
    columns = _frame(source).columns
    return "system" in columns and "text" not in columns


def _unblinded(ratings: pl.DataFrame, key: Source) -> pl.DataFrame:
    """Return ratings with the system of each candidate."""
    names = _frame(key)
    missing = next((name for name in ("item", "system") if name not in names.columns), None)
    if missing:
        raise TableError(f"blind key: no column {missing!r}. Expected the key file of 'build iks'.")
    systems = names.select(pl.col("item").cast(pl.String), pl.col("system").cast(pl.String))
    named = ratings.drop("system", strict=False).join(
        systems.unique("item"), on="item", how="left", maintain_order="left"
    )
    if not named["system"].count():
        raise TableError("blind key: no rating is about a candidate of this key.")
    return named


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


def _grammar(report: IksReport) -> str:
    return text_table(
        ("grammaticality and", "tau-b", "low", "high", "items"),
        [(name, m.value, m.low, m.high, m.n) for name, m in _taus(report)],
    )


def _taus(report: IksReport) -> list[tuple[str, Measure]]:
    return [(name, one.tau) for name, one in report.grammar.items()]
