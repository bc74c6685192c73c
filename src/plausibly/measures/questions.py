"""What the answers to each question measure: its scale, and why it is on that scale.

A question is declared (a form describes its answers), set by the user, or judged from its
answers. Whatever depends on the scale is derived here, so that labels, agreement, descriptions,
models and the report of a study cannot differ.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import polars as pl

from plausibly.domain import as_number
from plausibly.errors import StudyError, UnknownName, option
from plausibly.measures.question_facts import NOTHING, SCALES, QuestionFacts, Scale
from plausibly.measures.scales import InferredScale, ScaleName, is_unsure, scale_of

Source = Literal["declared", "set", "inferred"]
SET, BEST = "set", "best-of-n"
SEPARATOR = ";"
BY_USER = "set by the user"
ALPHA, MASI = "krippendorff_alpha", "krippendorff_alpha_masi"


@dataclass(frozen=True, slots=True)
class QuestionScale:
    """The scale of one question, with the reason and what else is known about its answers.

    Args:
        question: Its name.
        scale: nominal, ordinal, interval or text; "ask" if nothing decides it.
        reason: Why, in words.
        source: Whether a form declared it, the user set it, or the answers suggest it.
        facts: What is declared about the question.
    """

    question: str
    scale: ScaleName
    reason: str
    source: Source
    facts: QuestionFacts = field(default=NOTHING)

    @property
    def type(self) -> str:
        """Type of the question in a form; empty if there is none."""
        return self.facts.type

    @property
    def headline(self) -> str | None:
        """The measure of agreement that suits the scale; None for texts and open cases."""
        if self.scale not in ("nominal", "ordinal", "interval"):
            return None
        return MASI if self.type == SET else f"{ALPHA}.{self.scale}"

    @property
    def codes(self) -> dict[str, float] | None:
        """The place of each ordered answer; None if answers stand for themselves, as numbers do."""
        order = self.facts.order
        numbers = [as_number(one) for one in order]
        known = [number for number in numbers if number is not None]
        rising = len(known) == len(order) and known == sorted(known)
        if self.scale != "ordinal" or rising:
            return None
        return {answer: float(place) for place, answer in enumerate(order, start=1)}

    def as_json(self) -> dict[str, Any]:
        """Return the scale as documents show it."""
        return {"scale": self.scale, "scale_reason": self.reason, "scale_source": self.source}

    def require(self) -> None:
        """Raise if nothing decides the scale: ask instead of guessing."""
        if self.scale == "ask":
            raise StudyError(
                f"question {self.question!r}: {self.reason}. Declare its scale with "
                f"{option('scale')}: nominal, ordinal or interval.",
                parameter="scale",
            )


def question_scales(
    ratings: pl.DataFrame,
    *,
    facts: Mapping[str, QuestionFacts] | None = None,
    scale: str | Mapping[str, str] | None = None,
) -> dict[str, QuestionScale]:
    """Return the scale of every question with a rating, in alphabetical order.

    Args:
        ratings: Columns item, question and answer.
        facts: What is declared, by question.
        scale: What the user sets: one scale for all questions, or 'fit=interval,odd=nominal'.

    >>> table = pl.DataFrame({"item": ["t1"] * 5, "question": ["fit"] * 3 + ["odd"] * 2,
    ...                       "answer": ["10", "20", "55.5", "yes", "no"]})
    >>> {name: one.scale for name, one in question_scales(table).items()}
    {'fit': 'interval', 'odd': 'nominal'}
    >>> question_scales(table, scale="odd=ordinal")["odd"].source
    'set'
    """
    parts = ratings.partition_by("question", as_dict=True)
    names = sorted(str(question) for (question,) in parts)
    wanted = wanted_scales(scale, names)
    declared = facts or {}
    return {
        name: _scale(name, parts[(name,)], declared.get(name, NOTHING), wanted.get(name))
        for name in names
    }


def _scale(
    name: str, ratings: pl.DataFrame, facts: QuestionFacts, wanted: str | None
) -> QuestionScale:
    if wanted is not None:
        return QuestionScale(name, _known(wanted), BY_USER, "set", facts)
    if facts.scale:
        by_user = facts.reason in ("", BY_USER)
        reason, source = (BY_USER, "set") if by_user else (facts.reason, "declared")
        return QuestionScale(name, _known(facts.scale), reason, _source(source), facts)
    known = ratings.filter(~pl.col("answer").is_in(facts.unsure)) if facts.unsure else ratings
    found: InferredScale = scale_of(known, order=facts.order, question=name)
    return QuestionScale(name, found.scale, found.reason, "inferred", facts)


def _source(source: str) -> Source:
    return "set" if source == "set" else "declared"


def _known(scale: str) -> ScaleName:
    for one in get_args(Scale):
        if scale == one:
            name: ScaleName = one
            return name
    raise UnknownName("scale", scale, SCALES, parameter="scale")


def wanted_scales(
    scale: str | Mapping[str, str] | None, questions: Collection[str]
) -> dict[str, str]:
    """Return the scale the user sets for each question, where one is set.

    Args:
        scale: One scale for all questions, or 'fit=interval,odd=nominal', or a mapping.
        questions: The questions there are.

    >>> wanted_scales("fit=interval", ["fit", "odd"])
    {'fit': 'interval'}
    """
    if scale is None:
        return {}
    if isinstance(scale, str) and "=" not in scale:
        return dict.fromkeys(questions, _known(scale))
    if isinstance(scale, str):
        pairs = (part.partition("=") for part in scale.split(",") if part.strip())
        scale = {name.strip(): one.strip() for name, _, one in pairs}
    for name, one in scale.items():
        if name not in questions:
            raise UnknownName("question", name, questions, parameter="scale")
        _known(one)
    return dict(scale)


def with_codes(ratings: pl.DataFrame, scales: Mapping[str, QuestionScale]) -> pl.DataFrame:
    """Return the ratings with the number of each ordered word as its value.

    >>> table = pl.DataFrame({"item": ["t1"], "question": ["fit"], "answer": ["maybe"]})
    >>> facts = {"fit": QuestionFacts(order=("no", "maybe", "yes"))}
    >>> with_codes(table, question_scales(table, facts=facts))["value"].to_list()
    [2.0]
    """
    coded = {name: one.codes for name, one in scales.items() if one.codes}
    if not coded:
        return ratings
    value = pl.col("value") if "value" in ratings.columns else pl.lit(None, pl.Float64)
    for name, codes in coded.items():
        number = pl.col("answer").replace_strict(codes, default=None, return_dtype=pl.Float64)
        value = pl.when(pl.col("question") == name).then(number).otherwise(value)
    return ratings.with_columns(value=value)


def without_unsure(
    ratings: pl.DataFrame, scales: Mapping[str, QuestionScale], *, words: bool = False
) -> tuple[pl.DataFrame, dict[str, int]]:
    """Return the ratings without answers that count as missing, and how often each occurred.

    Args:
        ratings: The ratings.
        scales: The scales, with the answers that are declared to count as missing.
        words: Whether words such as "not sure" on an ordinal or interval scale count as missing
            although nobody declared it.
    """
    missing = pl.lit(value=False)
    for name, one in scales.items():
        here = pl.col("question") == name
        if one.facts.unsure:
            missing = missing | (here & pl.col("answer").is_in(one.facts.unsure))
        if words and one.scale in ("ordinal", "interval") and one.codes is None:
            missing = missing | (here & pl.Series(is_unsure(ratings["answer"])))
    marked = ratings.select(missing.alias("missing"))["missing"]
    if len(marked) != ratings.height or not marked.any():  # a constant is one row
        return ratings, {}
    gone = ratings.filter(marked)["answer"].value_counts(sort=True)
    return ratings.filter(~marked), dict(gone.iter_rows())
