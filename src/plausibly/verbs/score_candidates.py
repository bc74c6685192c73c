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
from plausibly.evaluation.in_study import blind_key_place, candidate_files
from plausibly.io import make_folder, read_rows
from plausibly.measures.rouge import rouge_l, rouge_n
from plausibly.measures.within_items import spearman_within
from plausibly.ratings.sources import Ratings, read_ratings
from plausibly.stimuli.iks import read_candidates, read_sources
from plausibly.study.hooks import Set
from plausibly.study.results import Result, put_document, put_table, text_table
from plausibly.study.steps import Work
from plausibly.study.verb import InStudy, Output, Places, verb

NAME = "score_candidates"
SENTENCES = f"{NAME}/sentences.parquet"
METRICS = ("bleu", "chrf", "rouge_1", "rouge_2", "rouge_l", "similarity")


@dataclass(frozen=True, eq=False, repr=False)
class ScoredCandidates(Result):
    """Sentences next to their references.

    Args:
        sentences: item, system, sentence and a column for each metric.
        correlations: By question and metric, the correlation with people within items.
        notes: What was left out.
    """

    sentences: pl.DataFrame
    correlations: Mapping[str, Mapping[str, Measure]]
    notes: tuple[str, ...] = ()

    @property
    def systems(self) -> pl.DataFrame:
        """The mean of each metric by system."""
        metrics = [name for name in METRICS if name in self.sentences.columns]
        return (
            self.sentences.sort("system", "item")
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


def _in_study(work: Work, places: Places) -> None:
    """Score what was written; people's ratings join in if the key of the study is there."""
    chosen = {name: one for name, one in work.parameters.items() if one is not None}
    key = blind_key_place(work.settings, chosen.pop("blind_key", None), work.folder)
    if not chosen.get("sources"):
        raise StudyError(f"[{NAME}] sources is not set, nor is [build] sources. Set one.")
    rated = key.is_file()
    result = score_candidates(
        [work.path(str(one)) for one in chosen.pop("candidates")],
        sources=work.path(str(chosen.pop("sources"))),
        ratings=work.path(places["ratings"]) if rated else None,
        blind_key=key if rated else None,
        seed=work.seed,
        **chosen,
    )
    make_folder(work.path(SENTENCES).parent)
    put_table("sentences", result.sentences, work.path(SENTENCES))
    put_document(result.as_json(), work.path(f"{NAME}.json"))
    unnamed = (
        () if rated else ("Without the key of the study, metrics are not compared with ratings.",)
    )
    work.notes.extend((*result.talk, *unnamed))


@verb(
    reads={"ratings": "ratings"},
    output=Output("sentences", help="Table to write."),
    study=InStudy(
        run=_in_study,
        also={"candidates": [], "sources": None},
        wanted=Set(NAME, "candidates"),
        begins=f"[{NAME}] candidates",
        outputs=(SENTENCES, f"{NAME}.json"),
        external=candidate_files,
        heeds=("build.blind_key", "build.sources"),
        named=("build.blind_key", "build.sources"),
        explained={
            "candidates": "Files of sentences, such as generate/MODEL/candidates.csv of [generate]."
        },
    ),
)
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
    within items: candidates are ranked among those of their item, then all items are pooled.

    Args:
        candidates: Files, one per model, with item, sentence and, for several systems, system.
        sources: Table with item, source_1, source_2 and reference.
        ratings: People's ratings of the candidates that `build iks` numbered.
        blind_key: The key `build iks` wrote, which names the model behind each candidate.
        similarity: Add the cosine under all-MiniLM-L6-v2 (extra transformers, weights minilm).
        resamples: Number of resamples for the intervals; 0 for none.
        seed: Seed for everything drawn at random.
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
