"""From ratings and items to the columns of a mixed model of one question's answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import polars as pl

from plausibly.errors import StudyError, UnknownName, option
from plausibly.io.frames import as_text
from plausibly.measures.coded import numbers_of
from plausibly.measures.mixed.design import parse_terms
from plausibly.measures.mixed.model import AnswerColumns
from plausibly.measures.question_facts import NOTHING, QuestionFacts
from plausibly.measures.questions import BY_USER, SET, QuestionScale, question_scales, wanted_scales
from plausibly.measures.scales import scale_of

AUTO = "auto"
FAMILY_OF = {"ordinal": "ordinal", "interval": "linear"}
# Answers that say yes, in languages in which studies are run.
YES = frozenset(
    (
        *("yes", "true", "ja", "sì", "si", "sí", "oui", "sim", "evet", "tak", "kyllä", "igen"),
        *("ano", "áno", "da", "jah", "jā", "taip", "да", "так", "نعم", "بله", "כן", "हाँ"),
        *("はい", "是", "예", "네"),
    )
)
DEFAULT_TERMS = "condition"
LANGUAGE = "language"
GROUP = "item_group"
WITHOUT = (
    "The model has no annotators: p is too small where annotators differ, in level or in the "
    "effects of the terms."
)


@dataclass(frozen=True)
class ModelRequest:
    """Which model is asked for.

    Args:
        terms: Formula of the fixed effects; None for condition, by language where there are two.
        question: Whose answers; None if there is only one.
        family: auto, ordinal, linear or logistic.
        scale: What the user sets: one scale for all questions, or 'fit=interval,odd=nominal'.
        order: Answers in ascending order.
        further: Other columns whose levels have a random intercept.
        without_annotators: Whether to fit the model although nobody knows who rated.
        facts: What is declared about questions, such as by the form of a study.
    """

    terms: str | None = None
    question: str | None = None
    family: str = AUTO
    scale: str | Mapping[str, str] | None = None
    order: tuple[str, ...] = ()
    further: tuple[str, ...] = ()
    without_annotators: bool = False
    facts: Mapping[str, QuestionFacts] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class ModelTable:
    """What a model is fitted to.

    Args:
        frame: One row for each rating used: item, annotator, item_group, terms, answer, value.
        columns: The same as a model takes them.
        terms: Formula of the fixed effects.
        question: Whose answers.
        family: ordinal, linear or logistic.
        reason: Why that family.
        answers: Of ordinal and logistic models, the answers in ascending order.
        left_out: Ratings without a number or without a value of a term.
        notes: What a reader must know about the table.
    """

    frame: pl.DataFrame
    columns: AnswerColumns
    terms: str
    question: str
    family: str
    reason: str
    answers: tuple[str, ...]
    left_out: int
    notes: tuple[str, ...]


def model_table(
    ratings: pl.DataFrame, items: pl.DataFrame | None, request: ModelRequest
) -> ModelTable:
    """Return the table of a model.

    Args:
        ratings: The ratings table.
        items: Items whose columns the terms name; item_group names items that belong together.
        request: Which model.
    """
    asked = _of_question(ratings, request)
    request = _with_scale(request, asked, ratings)
    joined = _joined(asked, items)
    if not request.terms and DEFAULT_TERMS not in joined.columns:
        raise StudyError(
            "the items have no conditions. Name the columns that may have an effect with "
            f"{option('terms')}."
        )
    terms = request.terms or _default_terms(joined)
    names = tuple(dict.fromkeys(name for term in parse_terms(terms) for name in term))
    _require(joined, names, "terms")
    _require(joined, request.further, "random")
    joined = joined.filter(pl.col("answer").is_in(_unsure(request, joined)).not_())
    family, reason = _family(joined, request)
    valued, answers = _valued(joined, family, _order(joined, request), _facts(joined, request))
    used = valued.drop_nulls(["value", *names])
    if used.is_empty():
        raise StudyError(f"no rating has a number and a value for all of: {', '.join(names)}.")
    frame = used.with_columns(_typed(used[name]) for name in names)
    frame, notes = _with_groups(frame, request)
    people = ["annotator"] if "annotator" in frame.columns else []
    groups = [GROUP] if GROUP in frame.columns else []
    kept = dict.fromkeys(["item", *people, *groups, *names, *request.further, "answer", "value"])
    frame = frame.select(list(kept))
    left_out = asked.height - frame.height
    if left_out:
        notes.append(f"{left_out} ratings without a number or a term's value are left out.")
    question = str(asked["question"][0])
    columns = _columns(frame, names, request.further)
    return ModelTable(
        frame, columns, terms, question, family, reason, answers, left_out, tuple(notes)
    )


def _of_question(ratings: pl.DataFrame, request: ModelRequest) -> pl.DataFrame:
    question = request.question
    names = sorted(ratings["question"].unique().to_list())
    if not names:
        raise StudyError("there are no ratings to model.")
    if question is not None and question not in names:
        raise UnknownName("question", question, names, parameter="question")
    if question is None:
        scales = question_scales(ratings, facts=request.facts, scale=request.scale)
        modelled = [name for name in names if scales[name].scale != "text"] or names
        if len(modelled) > 1:
            raise StudyError(
                f"the ratings answer {len(modelled)} questions: {', '.join(modelled)}. "
                f"A model describes one of them; choose it with {option('question')}.",
                parameter="question",
            )
        question = modelled[0]
    return ratings.filter(pl.col("question") == question)


def _with_scale(request: ModelRequest, asked: pl.DataFrame, ratings: pl.DataFrame) -> ModelRequest:
    """Return the request with the order and the scale that the user sets as what is declared."""
    name = str(asked["question"][0])
    facts = request.facts.get(name, NOTHING)
    if request.order:
        facts = replace(facts, scale="", order=request.order)
    scale = wanted_scales(request.scale, ratings["question"].unique().to_list()).get(name)
    if scale is not None:
        facts = replace(facts, scale=scale, reason=BY_USER)
    return replace(request, facts={name: facts})


def _joined(ratings: pl.DataFrame, items: pl.DataFrame | None) -> pl.DataFrame:
    if items is None:
        return ratings
    extra = [name for name in items.columns if name not in ratings.columns]
    return ratings.join(items.select("item", *extra), on="item", how="left", maintain_order="left")


def _default_terms(joined: pl.DataFrame) -> str:
    if LANGUAGE in joined.columns and joined[LANGUAGE].drop_nulls().n_unique() > 1:
        return f"{DEFAULT_TERMS} * {LANGUAGE}"
    return DEFAULT_TERMS


def _require(joined: pl.DataFrame, names: Sequence[str], parameter: str) -> None:
    for name in names:
        if name not in joined.columns:
            raise UnknownName("column", name, joined.columns, parameter=parameter)


def _facts(joined: pl.DataFrame, request: ModelRequest) -> QuestionFacts:
    """Return what is declared about the question."""
    return request.facts.get(str(joined["question"][0]) if joined.height else "", NOTHING)


def _scale(joined: pl.DataFrame, request: ModelRequest) -> QuestionScale:
    facts = _facts(joined, request)
    (scale,) = question_scales(joined, facts={str(joined["question"][0]): facts}).values()
    return scale


def _order(joined: pl.DataFrame, request: ModelRequest) -> tuple[str, ...]:
    """Return the order that was asked for, else the declared one of answers in words."""
    if request.order or joined.is_empty():
        return request.order
    return tuple(_scale(joined, request).codes or ())


def _unsure(request: ModelRequest, joined: pl.DataFrame) -> list[str]:
    return list(_facts(joined, request).unsure)


def _family(joined: pl.DataFrame, request: ModelRequest) -> tuple[str, str]:
    """Return the family, and why it is that one."""
    if request.family != AUTO:
        return request.family, "chosen"
    inferred = _scale(joined, request)
    different = joined["answer"].drop_nulls().n_unique()
    if inferred.scale in ("nominal", "ordinal") and different == 2:
        return "logistic", "there are two different answers"
    if inferred.scale in FAMILY_OF:
        return FAMILY_OF[inferred.scale], inferred.reason
    if inferred.type == SET:
        raise StudyError(
            "several options can be chosen at once, which no model here fits; the shares of the "
            "options are described instead.",
            parameter="question",
        )
    if inferred.scale == "nominal":
        raise StudyError(
            f"no model fits {different} different answers without an order. Declare it with "
            f"{option('order')}, or choose ordinal or linear with {option('family')}."
        )
    if inferred.scale == "text":
        raise StudyError(f"texts have no model ({inferred.reason}).", parameter="scale")
    raise StudyError(
        f"the answers do not decide the family of the model: {inferred.reason}. Declare their "
        f"scale with {option('scale')}, or choose ordinal, linear or logistic with "
        f"{option('family')}."
    )


def _valued(
    joined: pl.DataFrame, family: str, order: Sequence[str], facts: QuestionFacts
) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Return the ratings with the numbers of the model, and the answers in their order."""
    if order:
        scale_of(joined, order=order)  # raises where an answer is not in the order
        place = {answer: float(rank) for rank, answer in enumerate(order, start=1)}
        number = pl.col("answer").replace_strict(place, default=None, return_dtype=pl.Float64)
        joined = joined.with_columns(value=number)
    else:
        joined = joined.with_columns(pl.col("value").fill_nan(None))
    if joined["value"].null_count() == joined.height:
        joined = _words(joined, family, facts.order)
    values = sorted(joined["value"].drop_nulls().unique().to_list())
    if family == "linear":
        return joined, ()
    named = dict(joined.select("value", "answer").drop_nulls().unique("value").iter_rows())
    if family == "logistic" and len(values) == 2:
        share = (pl.col("value") == values[1]).cast(pl.Float64)
        joined = joined.with_columns(value=share)
    return joined, tuple(str(named[value]) for value in values)


def _words(joined: pl.DataFrame, family: str, offered: Sequence[str]) -> pl.DataFrame:
    """Return answers in words numbered for a logistic model, which is about the last of them.

    That is the one that says yes, else the last that the form offers, else the last in sorted
    order.
    """
    words = sorted(joined["answer"].drop_nulls().unique().to_list())
    if set(words) <= set(offered):
        words.sort(key=list(offered).index)
    words.sort(key=lambda word: word.strip().casefold() in YES)
    if family != "logistic":
        raise StudyError(
            f"the answers are words ({', '.join(words[:5])}). Declare their order with "
            f"{option('order')}."
        )
    place = {word: float(rank) for rank, word in enumerate(words)}
    number = pl.col("answer").replace_strict(place, default=None, return_dtype=pl.Float64)
    return joined.with_columns(value=number)


def _typed(column: pl.Series) -> pl.Series:
    """Return a column as numbers where it has three or more, and as texts otherwise."""
    texts = as_text(column) if column.dtype.is_numeric() else column.cast(pl.String)
    distinct = texts.unique()
    if len(distinct) > 2 and numbers_of(distinct) is not None:
        return texts.cast(pl.Float64).alias(column.name)
    return texts.alias(column.name)


def _with_groups(frame: pl.DataFrame, request: ModelRequest) -> tuple[pl.DataFrame, list[str]]:
    """Return the ratings without columns of people or groups that tell nothing apart."""
    notes: list[str] = []
    if request.without_annotators:
        frame, notes = frame.drop("annotator"), [WITHOUT]
    elif frame["annotator"].null_count() or frame["annotator"].n_unique() == frame.height:
        raise StudyError(
            "no annotator has two ratings: the ratings do not show who gave them, and no model can "
            f"account for differences between annotators. Pass {option('without_annotators')} to "
            "fit one all the same; p is then too small where annotators differ."
        )
    if GROUP not in frame.columns:
        return frame, notes
    frame = frame.with_columns(pl.col(GROUP).cast(pl.String).fill_null(pl.col("item")))
    alone = frame[GROUP].n_unique() in (1, frame["item"].n_unique())
    return (frame.drop(GROUP) if alone else frame), notes


def _columns(frame: pl.DataFrame, names: Sequence[str], further: Sequence[str]) -> AnswerColumns:
    return AnswerColumns(
        answers=np.asarray(frame["value"].to_numpy(), dtype=np.float64).tolist(),
        items=frame["item"].to_list(),
        annotators=frame["annotator"].to_list() if "annotator" in frame.columns else None,
        groups=frame[GROUP].to_list() if GROUP in frame.columns else None,
        terms={name: frame[name].to_list() for name in names},
        further={name: frame[name].cast(pl.String).fill_null("").to_list() for name in further},
    )
