"""How near written sentences are to their references, and whether that shows what people say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.analysis.iks_agreement import ORDERED
from plausibly.backends.overlap import bleu_and_chrf, similarities
from plausibly.datasets.iks import SCALES
from plausibly.domain import Measure
from plausibly.errors import StudyError, option
from plausibly.io import read_rows
from plausibly.measures.rouge import rouge_l, rouge_n
from plausibly.measures.within_items import spearman_within
from plausibly.ratings.sources import Ratings, read_ratings
from plausibly.stimuli.iks import read_candidates, read_sources
from plausibly.study.made import Made, making
from plausibly.study.results import Result, text_table
from plausibly.study.verb import Output, verb

METRICS = ("bleu", "chrf", "rouge_1", "rouge_2", "rouge_l", "similarity")


@dataclass(frozen=True, eq=False, repr=False)
class ScoredCandidates(Result):
    """Sentences next to their references.

    Args:
        scores: item, system, sentence and a column for each metric.
        correlations: By question and metric, the correlation with people within items.
        notes: What was left out.
        made: How this came about.
    """

    scores: pl.DataFrame
    correlations: Mapping[str, Mapping[str, Measure]]
    notes: tuple[str, ...] = ()
    made: Made = making()

    @property
    def systems(self) -> pl.DataFrame:
        """The mean of each metric by system."""
        metrics = [name for name in METRICS if name in self.scores.columns]
        return (
            self.scores.sort("system", "item")
            .group_by("system", maintain_order=True)
            .agg(pl.len().alias("sentences"), *(pl.col(name).mean() for name in metrics))
        )

    def as_json(self) -> dict[str, Any]:
        """Return the document of `score candidates --json`."""
        return {
            "systems": self.systems.to_dicts(),
            "correlations": {
                question: {metric: one.as_json() for metric, one in metrics.items()}
                for question, metrics in self.correlations.items()
            },
        }

    def text(self) -> str:
        """Return the systems' means, and how metrics go with people within items."""
        tables = [text_table(self.systems.columns, self.systems.iter_rows())]
        rows = [
            (question, metric, one.value, one.low, one.high, one.n)
            for question, metrics in self.correlations.items()
            for metric, one in metrics.items()
        ]
        if rows:
            header = ("question", "metric", "spearman within items", "low", "high", "items")
            tables.append(text_table(header, rows))
        return "\n\n".join(tables)

    @property
    def talk(self) -> tuple[str, ...]:
        """What was left out."""
        return self.notes


@verb(output=Output("scores", help="Table to write."))
def score_candidates(
    candidates: Sequence[str | Path],
    *,
    sources: str | Path,
    ratings: Ratings | None = None,
    blind_key: str | Path | None = None,
    similarity: bool = False,
    resamples: int = 1000,
    seed: int = 0,
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
) -> ScoredCandidates:
    """Score sentences against their references: BLEU, chrF, ROUGE and, as an option, similarity.

    With people's ratings, each metric is also correlated with every question that has values,
    within items: ranks among the candidates of one item, all items together.

    Args:
        candidates: Files with item, sentence and, for several systems, system, one per model.
        sources: item, source_1, source_2 and reference.
        ratings: People's ratings of the candidates that `build iks` numbered.
        blind_key: The key `build iks` wrote, which names the model behind each candidate.
        similarity: Add the cosine under all-MiniLM-L6-v2 (extra transformers, weights minilm).
        resamples: Draws of items for the intervals.
        seed: Seed for resampling.
        format: Format of the file of ratings.
        columns: Maps our column names to the file's, where they differ.

    Examples:
        plausibly score candidates written/candidates.csv --sources pairs.csv
        plausibly score candidates written/candidates.csv --sources pairs.csv --similarity --json

    >>> score_candidates(["a.csv"], sources="pairs.csv", blind_key="key.parquet")
    Traceback (most recent call last):
    plausibly.errors.StudyError: ratings= and blind_key= belong together: name both, or neither.
    """
    if (ratings is None) != (blind_key is None):
        both = f"{option('ratings')} and {option('blind_key')}"
        raise StudyError(
            f"{both} belong together: name both, or neither.",
            parameter="blind_key" if ratings is None else "ratings",
        )
    pairs = read_sources(Path(sources)).select("item", "reference")
    written = read_candidates([Path(one) for one in candidates]).drop_nulls("sentence")
    joined = written.join(pairs, on="item", how="left", maintain_order="left")
    known = joined.drop_nulls("reference")
    if known.is_empty():
        raise StudyError(f"{sources}: no candidate has a reference to compare it with.")
    lacking = joined.height - known.height
    notes = [f"{lacking} sentences have no reference; left out."] if lacking else []
    scores = _scores(known, similarity=similarity)
    judged: dict[str, pl.DataFrame] = {}
    if ratings is not None and blind_key is not None:
        imported = read_ratings(ratings, format=format, columns=columns)
        judged = _judged(imported.ratings, Path(blind_key))
    correlations = {
        question: {
            metric: spearman_within(
                scores.join(
                    means, on=["item", "system"], how="inner", maintain_order="left"
                ).select("item", x=metric, y="value"),
                resamples=resamples,
                seed=seed,
            )
            for metric in METRICS
            if metric in scores.columns
        }
        for question, means in judged.items()
    }
    return ScoredCandidates(scores, correlations, tuple(notes))


def _scores(known: pl.DataFrame, *, similarity: bool) -> pl.DataFrame:
    sentences, references = known["sentence"].to_list(), known["reference"].to_list()
    both = list(zip(sentences, references, strict=True))
    overlap = bleu_and_chrf(sentences, references)
    scores = known.select("item", "system", "sentence").with_columns(
        bleu=pl.Series([bleu for bleu, _ in overlap]),
        chrf=pl.Series([chrf for _, chrf in overlap]),
        rouge_1=pl.Series([rouge_n(one, other, n=1) for one, other in both]),
        rouge_2=pl.Series([rouge_n(one, other, n=2) for one, other in both]),
        rouge_l=pl.Series([rouge_l(one, other) for one, other in both]),
    )
    if similarity:
        scores = scores.with_columns(similarity=pl.Series(similarities(sentences, references)))
    return scores


def _valued(ratings: pl.DataFrame) -> pl.DataFrame:
    """Return the ratings with a value where the answer is a word of the manual's ordered scales."""
    places = [
        (question, word, float(place))
        for question in ORDERED
        for place, word in enumerate(SCALES[question], start=1)
    ]
    scale = pl.DataFrame(places, schema=["question", "answer", "place"], orient="row")
    placed = ratings.join(scale, on=["question", "answer"], how="left", maintain_order="left")
    return placed.with_columns(value=pl.col("value").fill_null(pl.col("place"))).drop("place")


def _judged(ratings: pl.DataFrame, key: Path) -> dict[str, pl.DataFrame]:
    """Return per question the mean value of each candidate: item, system, value."""
    rows = read_rows(key)
    missing = [name for name in ("item", "system", "source") if name not in rows.frame.columns]
    if missing:
        raise StudyError(f"{key}: no column {missing[0]!r}. Expected the key file of 'build iks'.")
    names = rows.frame.select(name="item", system="system", item="source")
    own = ratings.rename({"item": "name"}).join(names, on="name", maintain_order="left")
    if own.is_empty():
        raise StudyError(f"{key}: no rating is about a candidate of this key.")
    joined = _valued(own).drop_nulls("value")
    if joined.is_empty():
        raise StudyError(
            "ratings: no answer about a candidate is a number or on a scale of the manual."
        )
    means = (
        joined.sort("question", "item", "system", "annotator")
        .group_by("question", "item", "system", maintain_order=True)
        .agg(pl.col("value").mean())
    )
    return {
        str(question): means.filter(pl.col("question") == question).drop("question")
        for question in means["question"].unique().sort()
    }
