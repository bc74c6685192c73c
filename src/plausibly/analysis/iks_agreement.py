"""How far annotators of implicit knowledge agree, question by question, and where they do not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from plausibly.analysis.iks_judgements import BEST, CLOSEST, Judgements, Scales
from plausibly.domain import Measure
from plausibly.measures.coded import Coded, code_on_scale
from plausibly.measures.krippendorff import krippendorff_alpha
from plausibly.measures.masi import as_set, masi_alpha, masi_distance
from plausibly.measures.resampling import Resampling

# Whose options are steps of one scale; the others are kinds.
ORDERED = ("grammaticality", "coherence", "content_c", "comparison_a")
SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class QuestionAgreement:
    """Krippendorff's alpha of one question; skipped questions are missing answers.

    Args:
        distance: ordinal, nominal or masi.
        alpha: With that distance.
        nominal: With equal or not equal, to compare questions by.
    """

    distance: str
    alpha: Measure
    nominal: Measure

    def as_json(self) -> dict[str, object]:
        """Return the agreement as part of `score iks --json`."""
        return {
            "distance": self.distance,
            "alpha": self.alpha.as_json(),
            "nominal": self.nominal.as_json(),
        }


def agreements(
    collected: Judgements, *, scales: Scales, resampling: Resampling
) -> dict[str, QuestionAgreement]:
    """Return the agreement on every question that was answered, by question."""
    found: dict[str, QuestionAgreement] = {}
    for question in (*scales, BEST, CLOSEST):
        own = collected.answers.filter(pl.col("question") == question)
        if own.is_empty():
            continue
        coded = code_on_scale(own.with_columns(value=pl.col("place")))
        distance = "masi" if question == BEST else "ordinal" if question in ORDERED else "nominal"
        nominal = krippendorff_alpha(coded, "nominal", resampling=resampling)
        found[question] = QuestionAgreement(
            distance, _alpha(coded, distance, nominal, resampling), nominal
        )
    return found


def _alpha(coded: Coded, distance: str, nominal: Measure, resampling: Resampling) -> Measure:
    if distance == "masi":
        return masi_alpha(coded, resampling=resampling)
    if distance == "ordinal":
        return krippendorff_alpha(coded, "ordinal", resampling=resampling)
    return nominal


def disagreements(collected: Judgements, *, scales: Scales) -> list[dict[str, object]]:
    """Return every question annotators answer differently, the farthest apart first.

    A case names item, question, who answered what, and the `distance` of the two answers
    farthest apart: steps of the scale as a share of it for ordered questions, MASI for sets,
    1 for other answers. Where one annotator skipped what another answered, the question is
    `skipped`.
    """
    cases: list[dict[str, object]] = []
    for (item, question), own in _by_question(collected):
        answers = dict(own.select("annotator", "answer").iter_rows())
        if len(set(answers.values())) > 1:
            distance = _farthest(question, sorted(set(answers.values())), scales)
            cases.append(
                {"item": item, "question": question, "answers": answers, "distance": distance}
            )
    cases += _skips(collected)
    return sorted(cases, key=lambda case: (-float(str(case["distance"])), str(case["item"])))


def _by_question(collected: Judgements) -> list[tuple[tuple[str, str], pl.DataFrame]]:
    parts = collected.answers.sort("item", "question", "annotator").partition_by(
        "item", "question", as_dict=True, maintain_order=True
    )
    return [((str(item), str(question)), own) for (item, question), own in parts.items()]


def _farthest(question: str, answers: list[str], scales: Scales) -> float:
    if question == BEST:
        sets = [as_set(answer) for answer in answers]
        return max(masi_distance(one, other) for one in sets for other in sets)
    if question not in ORDERED:
        return 1.0
    options = scales[question]
    ranks = [options.index(answer) for answer in answers]
    return (max(ranks) - min(ranks)) / (len(options) - 1)


def _skips(collected: Judgements) -> list[dict[str, object]]:
    """Return the candidates on which one annotator stopped and another went on."""
    cases: list[dict[str, object]] = []
    parts = collected.judged.partition_by("source", "candidate", as_dict=True, maintain_order=True)
    for (source, candidate), own in parts.items():
        stops: Mapping[str, str | None] = dict(own.select("annotator", "stopped").iter_rows())
        if len({stop is None for stop in stops.values()}) > 1:
            answers = {name: "answered" if stop is None else stop for name, stop in stops.items()}
            item = f"{source}#{candidate}"
            cases.append({"item": item, "question": SKIPPED, "answers": answers, "distance": 1.0})
    return cases
