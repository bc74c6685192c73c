"""The page of `score iks`: systems, relations and genres, questions and agreement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import polars as pl

from plausibly.analysis.figures import Figure
from plausibly.analysis.figures.drawing import Axis, Span, axis, draw_spans
from plausibly.analysis.iks import IksReport
from plausibly.analysis.iks_association import association_tables
from plausibly.analysis.iks_profiles import SystemProfile
from plausibly.analysis.listings import flat
from plausibly.analysis.paper import PaperPage, PaperSection
from plausibly.domain import Measure

SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
FOOTER = (
    "Intervals are 95 % intervals from resampling source items. Sentences named together share one "
    "credit, and a draw with the reference is half a win."
)


def iks_page(report: IksReport, *, measured: str) -> PaperPage:
    """Return everything `score iks` says as a page with figures and tables."""
    counts = report.counts
    opening = [
        f"{counts['annotators']:,} people judged {counts['candidates']:,} sentences about "
        f"{counts['items']:,} pairs of sentences in {counts['ratings']:,} ratings.",
        f"They saw an implicit connection in {_said(report.connected)} of the answers, and named "
        f"several best sentences in {_said(report.tied_best)}.",
        *report.notes,
    ]
    sections = [
        *_systems(report),
        *(
            PaperSection(
                column, f"Systems by {column}", [_best(f"iks-{column}", _sliced(values), by=column)]
            )
            for column, values in report.slices.items()
        ),
        PaperSection("agreement", "Agreement", [_agreement(report)]),
        *_grammar(report),
        *_disagreements(report),
    ]
    return PaperPage(
        title="Implicit knowledge",
        kind=measured,
        opening=opening,
        sections=sections,
        undecided=(),
        command="plausibly score iks",
        subtitle="how systems fare",
        footer=FOOTER,
    )


def _systems(report: IksReport) -> Iterator[PaperSection]:
    """Yield what compares systems, where they are named."""
    if not report.systems:
        return
    yield PaperSection("systems", "Systems", [_wins(report), _best("iks-best", _whole(report))])
    yield PaperSection("questions", "Questions", [_questions(report)])


def _said(share: Measure) -> str:
    if share.value is None:
        return f"an unknown share ({share.reason})"
    limits = "" if share.low is None else f" [{share.low:.2f}, {share.high:.2f}]"
    return f"a share of {share.value:.2f}{limits} (n = {share.n:,})"


def _row(profile: SystemProfile) -> dict[str, Any]:
    return {
        "sentences": profile.candidates,
        "judgements": profile.judgements,
        "stopped": profile.stopped["all"].as_json(),
        "best": profile.best.as_json(),
        "closest": profile.closest.as_json(),
        "wins": profile.wins.as_json(),
        "wins_if_skipped_lose": profile.wins_if_skipped_lose.as_json(),
    }


def _whole(report: IksReport) -> list[tuple[dict[str, str], SystemProfile]]:
    return [({"system": name}, one) for name, one in report.systems.items()]


def _sliced(
    values: Mapping[str, Mapping[str, SystemProfile]],
) -> list[tuple[dict[str, str], SystemProfile]]:
    return [
        ({"value": value, "system": name}, one)
        for value, systems in values.items()
        for name, one in systems.items()
    ]


def _wins(report: IksReport) -> Figure:
    rows = flat([{"system": name, **_row(one)} for name, one in report.systems.items()])
    title = "Wins against the reference"
    caption = (
        "Share of comparisons a system's sentence wins against the reference, a draw being half; "
        "n is the number of source items. The table has every share of the page by system."
    )
    spans = [_span(name, one.wins) for name, one in report.systems.items()]
    return _drawn("iks-systems", (title, caption), rows, spans, Axis("win rate", 0.0, 1.0, SHARES))


def _best(
    name: str, profiles: list[tuple[dict[str, str], SystemProfile]], *, by: str = ""
) -> Figure:
    rows = flat([{**named, **_row(one)} for named, one in profiles])
    title = f"Named best{f', by {by}' if by else ''}"
    caption = "Mean credit for the best explanation; n is the number of source items."
    spans = [_span(": ".join(named.values()), one.best) for named, one in profiles]
    return _drawn(name, (title, caption), rows, spans, Axis("credit", 0.0, 1.0, SHARES))


def _questions(report: IksReport) -> Figure:
    rows = [
        {
            "system": name,
            "question": question,
            "place": one.place.as_json(),
            "skipped": one.skipped.as_json(),
            "unanswered": one.unanswered,
        }
        for name, profile in report.systems.items()
        for question, one in profile.questions.items()
    ]
    caption = "Mean place on each question's scale, 0 worst and 1 best, with 95 % intervals and n."
    table = pl.DataFrame(flat(rows), infer_schema_length=None)
    return Figure("iks-questions", "Answers by question", caption, table, "")


def _agreement(report: IksReport) -> Figure:
    rows = [
        {
            "question": question,
            "distance": one.distance,
            "alpha": one.alpha.as_json(),
            "nominal": one.nominal.as_json(),
        }
        for question, one in report.agreement.items()
    ]
    spans = [
        _span(f"{question} ({one.distance})", one.alpha)
        for question, one in report.agreement.items()
    ]
    limits = [x for one in spans for x in (one.value, one.low, one.high) if x is not None]
    title = "Krippendorff's alpha by question"
    caption = (
        "Chance gives 0; questions that were skipped are missing answers, n is the number of items."
    )
    scale = axis("alpha", [0.0, 1.0, *limits])
    return _drawn("iks-agreement", (title, caption), flat(rows), spans, scale)


def _grammar(report: IksReport) -> Iterator[PaperSection]:
    tables = association_tables(report.grammar)
    if tables:
        yield PaperSection("grammar", "Grammar and content", tables)


def _disagreements(report: IksReport) -> Iterator[PaperSection]:
    if not report.disagreements:
        return
    rows = [
        {
            "item": case["item"],
            "question": case["question"],
            "answers": "; ".join(f"{who}: {said}" for who, said in _answers(case)),
            "distance": case["distance"],
        }
        for case in report.disagreements
    ]
    caption = (
        "Questions that people answer differently, the farthest apart first (0 same, 1 opposite)."
    )
    table = pl.DataFrame(rows, infer_schema_length=None)
    figure = Figure("iks-disagreements", "Disagreements", caption, table, "")
    yield PaperSection("disagreements", "Disagreements", [figure])


def _answers(case: Mapping[str, object]) -> list[tuple[str, object]]:
    answers = case.get("answers")
    return list(answers.items()) if isinstance(answers, Mapping) else []


def _span(label: str, measure: Measure) -> Span:
    if measure.value is None:
        return Span(label, None, None, None, "not defined")
    return Span(
        label, measure.value, measure.low, measure.high, f"{measure.value:.2f}, n = {measure.n:,}"
    )


def _drawn(
    name: str, words: tuple[str, str], rows: list[dict[str, Any]], spans: list[Span], scale: Axis
) -> Figure:
    title, caption = words
    table = pl.DataFrame(rows, infer_schema_length=None)
    return Figure(name, title, caption, table, draw_spans(spans, title=title, scale=scale))
