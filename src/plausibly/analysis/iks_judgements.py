"""Ratings of implicit-knowledge sentences, sorted into judgements of candidates and choices."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import polars as pl

from plausibly.errors import TableError, UnknownName
from plausibly.tables import ITEMS, RATINGS

Scales = Mapping[str, tuple[str, ...]]

BEST, CLOSEST, AGAINST_REFERENCE = "content_d", "comparison_c", "comparison_b"
CHOICES = (BEST, CLOSEST)
# The answers after which the manual skips every further question on a candidate.
STOPS = {"grammaticality": "NO", "coherence": "NONSENSE"}
SLICES = ("relation", "genre")
_FACTS = ("system", *SLICES)
NAMELESS = "no system is named, so systems are not compared: the key of the build names them."


@dataclass(frozen=True, eq=False)
class Judgements:
    """What annotators said about candidates.

    Args:
        judged: One row per source item, candidate and annotator, with `system`, the slices, and
            `stopped`, the question that ended the others, or null.
        answers: One row per answer: source, candidate (null if asked once per item), system,
            annotator, question, answer, and `place` on the scale from 0 (worst) to 1.
        choices: One row per candidate named in answer to which is best or closest: source,
            annotator, question, candidate, and `credit`, one shared by all that were named.
        notes: What a reader should know.
    """

    judged: pl.DataFrame
    answers: pl.DataFrame
    choices: pl.DataFrame
    notes: tuple[str, ...] = ()

    def within(self, sources: pl.Series) -> Judgements:
        """Return the judgements of some source items."""
        kept = pl.col("source").is_in(sources.to_list())
        return Judgements(
            self.judged.filter(kept), self.answers.filter(kept), self.choices.filter(kept)
        )


def judgements(
    ratings: pl.DataFrame, *, scales: Scales, items: pl.DataFrame | None = None
) -> Judgements:
    """Return ratings sorted into judgements and choices.

    Args:
        ratings: Items are `source#candidate`, or `source` for what is asked once per item.
        scales: Options of each question, worst first.
        items: Table with system, relation and genre, where the ratings do not carry them.
    """
    answers = _with_facts(_with_places(RATINGS.check(ratings), scales), items)
    notes: list[str] = []
    of_candidates = answers.filter(pl.col("candidate").is_not_null())
    if of_candidates.is_empty():
        raise TableError(
            "ratings: no item names a candidate. Expected items like 'ex1#ii', "
            "as sheets of the iks format have them."
        )
    nameless = of_candidates.filter(pl.col("system").is_null())["item"].n_unique()
    if nameless == of_candidates["item"].n_unique():
        notes.append(NAMELESS)
    elif nameless:
        notes.append(f"{nameless} candidates have no system, so they count for none.")
    known = [column for column in SLICES if answers[column].null_count() < answers.height]
    if not known:
        notes.append(f"neither ratings nor items have {' or '.join(SLICES)}: there are no slices.")
    judged, choices = _judged(answers), _choices(answers)
    strange = choices.join(judged, on=["source", "candidate"], how="anti")
    if strange.height:
        source, question, candidate = strange.select("source", "question", "candidate").row(0)
        raise TableError(
            f"ratings: {strange.height} answers name a candidate nobody judged "
            f"(first: {candidate!r} in {question} of {source})."
        )
    return Judgements(judged, answers, choices, tuple(notes))


def _with_places(ratings: pl.DataFrame, scales: Scales) -> pl.DataFrame:
    """Return the answers with source, candidate and place; raise on what no question allows."""
    known = (*scales, *CHOICES)
    stranger = next((q for q in ratings["question"].unique().sort() if q not in known), None)
    if stranger is not None:
        raise UnknownName("question", str(stranger), known)
    places = {
        (question, option): rank / max(len(options) - 1, 1)
        for question, options in scales.items()
        for rank, option in enumerate(options)
    }
    table = pl.DataFrame(
        [(*key, place) for key, place in places.items()],
        schema=["question", "answer", "place"],
        orient="row",
    )
    answers = ratings.join(table, on=["question", "answer"], how="left", maintain_order="left")
    off = answers.filter(pl.col("place").is_null() & ~pl.col("question").is_in(CHOICES))
    if off.height:
        item, question, answer = off.select("item", "question", "answer").row(0)
        raise TableError(
            f"ratings: {off.height} answers are not on their scale (first: {answer!r} to "
            f"{question} about {item}). Expected {', '.join(scales[question])}."
        )
    return answers.with_columns(
        source=pl.col("item").str.replace(r"#[^#]*$", ""),
        candidate=pl.col("item").str.extract(r"#([^#]*)$"),
    )


def _with_facts(answers: pl.DataFrame, items: pl.DataFrame | None) -> pl.DataFrame:
    """Return the answers with system, relation and genre, from the ratings or the items."""
    given = [pl.lit(None, dtype=pl.String).alias(c) for c in _FACTS if c not in answers.columns]
    answers = answers.with_columns(*given)
    if items is None:
        return answers
    checked_items = ITEMS.check(items)
    facts = [column for column in _FACTS if column in checked_items.columns]
    for key in ("item", "source"):
        extra = checked_items.select(
            pl.col("item").alias(key), *(pl.col(c).alias(f"{c}*") for c in facts)
        )
        answers = answers.join(extra, on=key, how="left", maintain_order="left")
        filled = [pl.coalesce(c, f"{c}*").cast(pl.String).alias(c) for c in facts]
        answers = answers.with_columns(*filled).drop(f"{c}*" for c in facts)
    return answers


def _judged(answers: pl.DataFrame) -> pl.DataFrame:
    own = answers.filter(pl.col("candidate").is_not_null())
    stopped = pl.coalesce(
        pl.when(((pl.col("question") == question) & (pl.col("answer") == answer)).any()).then(
            pl.lit(question)
        )
        for question, answer in STOPS.items()
    )
    return (
        own.group_by("source", "candidate", "annotator")
        .agg(stopped.alias("stopped"), *(pl.col(c).drop_nulls().first() for c in _FACTS))
        .sort("source", "candidate", "annotator")
    )


def _choices(answers: pl.DataFrame) -> pl.DataFrame:
    named = (
        answers.filter(pl.col("question").is_in(CHOICES))
        .select("source", "annotator", "question", named=pl.col("answer").str.split(";"))
        .with_columns(pl.col("named").list.eval(pl.element().str.strip_chars()))
    )
    credit = named.with_columns(credit=1 / pl.col("named").list.len())
    return (
        credit.explode("named")
        .rename({"named": "candidate"})
        .sort("question", "source", "annotator", "candidate")
    )
