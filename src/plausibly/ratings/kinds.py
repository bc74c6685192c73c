"""Whose ratings count: those of people, unless somebody names models too.

A model that was asked several times is one annotator next to others, whatever its samples: each
item has one answer of it. By themselves, the samples of one model are compared with each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import polars as pl

from plausibly.domain import ANNOTATOR_CLUSTER as CLUSTER
from plausibly.domain import ANNOTATOR_KIND as KIND
from plausibly.errors import StudyError, option
from plausibly.io.imported import Imported

MODEL, PERSON, ALL = "model", "person", "all"
PLACE = ("item", "question")


@dataclass(frozen=True)
class Kinds:
    """Whose ratings were chosen.

    Args:
        kinds: The kinds that were named; None for every kind but `model`.
        left_out: From a kind to how many of its ratings do not count.
        merged: From a model to how many of its annotators became one.
        tied: Items on which the samples of a model are tied, so that it has no answer.
        only: The model whose samples are all there is, where that is so.
    """

    kinds: tuple[str, ...] | None = None
    left_out: dict[str, int] = field(default_factory=dict)
    merged: dict[str, int] = field(default_factory=dict)
    tied: int = 0
    only: str | None = None

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know."""
        notes = [
            f"{number} ratings by annotators of kind {kind} do not count. To include them, name "
            f"it: {option('kinds')} {PERSON},{kind}."
            for kind, number in self.left_out.items()
            if self.kinds is None
        ]
        notes += [
            f"{model}: {number} samples are one annotator, with the answer given most often."
            for model, number in self.merged.items()
        ]
        if self.tied:
            notes.append(f"{self.tied} answers of models are missing: their samples are tied.")
        if self.only is not None:
            notes.append(
                f"All ratings are samples of {self.only}: this is how consistent one model is, "
                "not how people agree."
            )
        return tuple(notes)


def of_kinds(imported: Imported, kinds: str | None) -> tuple[Imported, Kinds]:
    """Return the ratings of annotators of some kinds, one annotator per model.

    Args:
        imported: What was read.
        kinds: Kinds separated by commas, or all; None for every kind but `model`.

    Raises:
        StudyError: If nobody of these kinds gave a rating.
    """
    chosen = _parsed(kinds)
    ratings = _with_kinds(imported)
    if ratings is None and chosen is None:
        return imported, Kinds()
    ratings = (
        imported.ratings.with_columns(pl.lit(PERSON).alias(KIND)) if ratings is None else ratings
    )
    wanted = pl.col(KIND) != MODEL if chosen is None else pl.col(KIND).is_in(list(chosen))
    kept = ratings if chosen == (ALL,) else ratings.filter(wanted)
    if kept.is_empty() and ratings.height:
        present = ", ".join(sorted(ratings[KIND].unique()))
        raise StudyError(
            f"no rating is by an annotator of kind {kinds or 'person'}; there are {present}. "
            f"Name one: {option('kinds')} {ratings[KIND][0]}.",
            parameter="kinds",
        )
    gone = ratings.join(kept.select(KIND).unique(), on=KIND, how="anti")[KIND].value_counts()
    left_out = dict(sorted(gone.iter_rows()))
    models = kept.filter(pl.col(KIND) == MODEL)[CLUSTER].unique().to_list()
    alone = len(models) == 1 and (kept[KIND] == MODEL).all()
    found = Kinds(chosen, left_out, only=models[0] if alone else None)
    if models and not alone:
        kept, found = _one_each(kept, found)
    plain = kept.select(imported.ratings.columns)
    notes = (*imported.notes, *found.notes)
    return replace(imported, ratings=plain, notes=notes), found


def _parsed(kinds: str | None) -> tuple[str, ...] | None:
    if kinds is None:
        return None
    named = tuple(dict.fromkeys(part.strip() for part in kinds.split(",") if part.strip()))
    if not named:
        what = f"{option('kinds')} names nothing. Write {PERSON},{MODEL}, or {ALL}."
        raise StudyError(what, parameter="kinds")
    return (ALL,) if ALL in named else named


def _with_kinds(imported: Imported) -> pl.DataFrame | None:
    """Return ratings with the kind of their annotator; None if nothing says any."""
    ratings, people = imported.ratings, imported.annotators
    if KIND not in ratings.columns:
        if people is None or "kind" not in people.columns:
            return None
        known = people.select("annotator", pl.col("kind").alias(KIND)).unique("annotator")
        ratings = ratings.join(known, on="annotator", how="left", maintain_order="left")
    if CLUSTER not in ratings.columns:
        ratings = ratings.with_columns(pl.lit(None, dtype=pl.String).alias(CLUSTER))
    sampled = pl.col("annotator").str.replace(r"/\d+$", "")
    return ratings.with_columns(pl.col(KIND).fill_null(PERSON), pl.col(CLUSTER).fill_null(sampled))


def _one_each(ratings: pl.DataFrame, found: Kinds) -> tuple[pl.DataFrame, Kinds]:
    """Return ratings in which every model is one annotator."""
    models = ratings.filter(pl.col(KIND) == MODEL)
    merged = dict(models.group_by(CLUSTER).agg(pl.col("annotator").n_unique()).sort(CLUSTER).rows())
    many = [model for model, number in merged.items() if number > 1]
    sampled = pl.col(CLUSTER).is_in(many) & (pl.col(KIND) == MODEL)
    parts = ratings.filter(sampled).partition_by(*PLACE, CLUSTER, maintain_order=True)
    single = [one for part in parts if (one := _one_answer(part)) is not None]
    whole = pl.concat([ratings.filter(~sampled), *single])
    fields = {model: merged[model] for model in many}
    return whole, replace(found, merged=fields, tied=len(parts) - len(single))


def _one_answer(samples: pl.DataFrame) -> pl.DataFrame | None:
    """Return one row of a model's samples: the commonest answer, or of several the most central.

    None if two are equally common and equally near.
    """
    votes = samples.group_by("answer").agg(
        votes=pl.len(), value=pl.col("value").first(), annotator=pl.col("annotator").min()
    )
    tied = votes.filter(pl.col("votes") == pl.col("votes").max())
    answer = _nearest(tied, samples["value"])
    if answer is None:
        return None
    row = samples.filter(pl.col("answer") == answer).head(1)
    return row.with_columns(annotator=pl.col(CLUSTER))


def _nearest(tied: pl.DataFrame, values: pl.Series) -> str | None:
    answers: Sequence[str] = tied["answer"].to_list()
    if len(answers) == 1:
        return answers[0]
    mean = values.mean()
    if values.null_count() or not isinstance(mean, float):
        return None
    away = sorted(
        (abs(float(value) - mean), answer) for answer, value in tied["answer", "value"].rows()
    )
    return None if away[0][0] == away[1][0] else away[0][1]
