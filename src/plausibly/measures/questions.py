"""What the answers to each question measure: its scale, and why it is on that scale.

A question is declared (a form describes its answers), set by the user, or judged from its
answers. Whatever depends on the scale is derived here, so that labels, agreement, descriptions,
models and the report of a study cannot differ.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Literal, get_args

import polars as pl

from plausibly.domain import as_number
from plausibly.errors import StudyError, UnknownName, option
from plausibly.measures.scales import InferredScale, ScaleName, is_unsure, scale_of
from plausibly.measures.sides import parse_sides

Scale = Literal["nominal", "ordinal", "interval", "text"]
SCALES: tuple[str, ...] = get_args(Scale)
Source = Literal["declared", "set", "inferred"]
SET, BEST = "set", "best-of-n"
SEPARATOR = ";"
BY_USER = "set by the user"
ALPHA, MASI = "krippendorff_alpha", "krippendorff_alpha_masi"


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionFacts:
    """What is declared about a question; everything may be left open.

    Args:
        scale: nominal, ordinal, interval or text.
        reason: Why it is on that scale.
        type: Type of the question in a form, such as slider or set.
        order: Its answers, from least to most.
        sides: Answers that count as one, lowest first, as '1,2|4,5'.
        bounds: Least and greatest value of a scale with ends.
        unsure: Answers that count as missing.
    """

    scale: str = ""
    reason: str = ""
    type: str = ""
    order: tuple[str, ...] = ()
    sides: str = ""
    bounds: tuple[float, float] | None = None
    unsure: tuple[str, ...] = ()


FACTS: tuple[str, ...] = tuple(one.name for one in fields(QuestionFacts))
NOTHING = QuestionFacts()


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


def facts_of(raw: Mapping[str, Any], *, where: str) -> QuestionFacts:
    """Return what a table, such as [questions.NAME] of study.toml, declares about a question.

    Args:
        raw: Keys of `QuestionFacts`; others are not read.
        where: What to name in an error.

    >>> facts_of({"scale": "ordinal", "order": ["no", "maybe", "yes"]}, where="fit").order
    ('no', 'maybe', 'yes')
    """
    scale = str(raw.get("scale") or "")
    if scale and scale not in SCALES:
        raise StudyError(f"{where}: {UnknownName('scale', scale, SCALES)}", parameter="scale")
    return QuestionFacts(
        scale=scale,
        reason=str(raw.get("reason") or ""),
        type=str(raw.get("type") or ""),
        order=_texts(raw.get("order"), f"{where}: order"),
        sides=_sides(raw.get("sides"), where),
        bounds=_ends(raw.get("bounds"), f"{where}: bounds"),
        unsure=_texts(raw.get("unsure"), f"{where}: unsure"),
    )


def _sides(given: object, where: str) -> str:
    text = str(given or "")
    if text:
        try:
            parse_sides(text)
        except StudyError as error:
            raise StudyError(f"{where}: {error}", parameter="sides") from error
    return text


def _texts(given: object, where: str) -> tuple[str, ...]:
    listed = given.split(",") if isinstance(given, str) else given or ()
    if not isinstance(listed, Sequence):
        raise StudyError(f"{where} must be a list of answers; got {given!r}.")
    return tuple(str(one).strip() for one in listed)


def _ends(given: object, where: str) -> tuple[float, float] | None:
    if given is None:
        return None
    ends = given.split(",") if isinstance(given, str) else given
    try:
        low, high = (float(one) for one in ends)  # type: ignore[attr-defined]
    except (TypeError, ValueError) as error:
        raise StudyError(f"{where} must be two numbers, as '0,100'; got {given!r}.") from error
    return low, high


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
