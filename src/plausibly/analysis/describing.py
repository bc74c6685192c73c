"""From the ratings of one question to what its answers are like."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

import polars as pl

from plausibly.analysis.description import DescribedRow, Description
from plausibly.analysis.item_values import item_values
from plausibly.analysis.members import member_shares, member_values, with_members
from plausibly.analysis.paired import cell_contrasts, cells
from plausibly.domain import as_number
from plausibly.measures.crossed import crossed_mean, crossed_shares, rated
from plausibly.measures.questions import BEST, SET, QuestionScale

NAMED_ANEW = (
    "if candidates are named anew in each item, such as i, ii, iii, shares of names over all items "
    "say nothing about who wrote them"
)
NUMBERED = re.compile("[ivx]+|[a-z]|[a-z]?[0-9]+", re.IGNORECASE)  # names that may be
MOST_SHARES = 50  # different answers up to which a nominal question has a row for each


def described_question(
    table: pl.DataFrame, scale: QuestionScale, *, parts: Sequence[str], weigh: str
) -> Description:
    """Return means or shares by cell, contrasts and item values of one question.

    Args:
        table: The ratings of the question, with the columns of the cells.
        scale: Its scale.
        parts: The columns of the cells.
        weigh: What counts once: items or ratings.
    """
    scale.require()
    name, reason, bounds = scale.scale, scale.reason, scale_ends(scale)
    if name == "text":
        return Description(name, f"{reason}; texts are not described")
    if scale.type in (SET, BEST):
        named, members = with_members(table)
        rows = tuple(_members(named, members, scale.type, parts, weigh))
        return Description(name, reason, rows, (), member_values(named, parts, members, scale.type))
    answers = sorted(table["answer"].drop_nulls().unique().to_list())
    nominal = name == "nominal"
    if nominal and len(answers) > MOST_SHARES:
        return Description(name, f"{reason}; {len(answers)} different answers are not listed")
    if nominal:
        place = {answer: float(rank) for rank, answer in enumerate(answers)}
        number = pl.col("answer").replace_strict(place, default=None, return_dtype=pl.Float64)
        table = table.with_columns(value=number)
    listed = answers if nominal else None
    rows = tuple(_rows(table, parts, listed, bounds=bounds, weigh=weigh))
    contrasts = tuple(cell_contrasts(table, parts, listed, bounds))
    items = item_values(table, parts, mean=not nominal, most_answers=MOST_SHARES)
    return Description(name, reason, rows, contrasts, items, tuple(scale.codes or ()))


def scale_ends(scale: QuestionScale) -> tuple[float, float] | None:
    """Return the ends of a scale: as declared, or the first and last of its ordered answers."""
    if scale.facts.bounds is not None or scale.scale != "ordinal":
        return scale.facts.bounds
    codes = [*(scale.codes or {}).values()]
    numbers = [*codes] if codes else [as_number(one) for one in scale.facts.order]
    known = [number for number in numbers if number is not None]
    whole = len(known) == len(numbers) and len(known) > 1
    return (min(known), max(known)) if whole else None


def _rows(
    table: pl.DataFrame,
    parts: Sequence[str],
    answers: Sequence[str] | None,
    *,
    bounds: tuple[float, float] | None,
    weigh: str,
) -> Iterator[DescribedRow]:
    for by, cell in cells(table, parts):
        codes = rated(cell)
        if answers is None:
            yield DescribedRow(by, crossed_mean(codes, weigh=weigh, bounds=bounds))
        else:
            for answer, share in crossed_shares(codes, answers=answers, weigh=weigh).items():
                yield DescribedRow(by, share, answer)


def _members(
    table: pl.DataFrame, members: Sequence[str], kind: str, parts: Sequence[str], weigh: str
) -> Iterator[DescribedRow]:
    """Yield the share of each option of a set, or of each candidate."""
    anew = kind == BEST and all(NUMBERED.fullmatch(member) for member in members)
    for by, cell in cells(table, parts):
        for member, shares in member_shares(cell, members, kind):
            mean = crossed_mean(rated(shares), weigh=weigh, bounds=(0.0, 1.0))
            if anew:
                said = "; ".join(filter(None, (mean.warning, NAMED_ANEW)))
                mean = replace(mean, warning=said)
            yield DescribedRow(by, mean, member)
