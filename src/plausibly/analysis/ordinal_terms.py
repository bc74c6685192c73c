"""From ratings and items to the table of an ordinal model: terms, groups and counted answers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from plausibly.analysis.ordinal import Floats, OrdinalTable, grouped
from plausibly.errors import StudyError, TableError, UnknownName

WORDS = ("subject", "verb", "object")
GROUPS = ("item", "annotator", *WORDS)
RATED = "{}_concreteness"
ANSWER = "answer"


@dataclass(frozen=True, eq=False)
class Design:
    """A table for an ordinal model and what it was made of.

    Args:
        table: Counted answers, fixed columns and groups.
        answers: The answers in order.
        frame: One row for each rating, with the columns used.
        left_out: Ratings without a value, or on items without one of the columns.
        eta_squared: From a column of categories to the share of the items' variance it explains.
    """

    table: OrdinalTable
    answers: tuple[str, ...]
    frame: pl.DataFrame
    left_out: int
    eta_squared: Mapping[str, float]


def parsed_terms(text: str) -> list[tuple[str, ...]]:
    """Return the terms of a formula's right side: names, products `a:b`, and `a*b` for all three.

    >>> parsed_terms("condition * subject + verb")
    [('condition',), ('subject',), ('condition', 'subject'), ('verb',)]
    """
    terms: list[tuple[str, ...]] = []
    for part in text.split("+"):
        names = [name.strip() for name in part.replace("*", ":").split(":")]
        if not all(names):
            raise StudyError(f"terms: {part.strip()!r} is no term; write 'a + b', 'a:b' or 'a*b'.")
        wanted = [tuple(names)]
        if "*" in part:
            singles = [(name,) for name in names]
            wanted = [*singles, *_products(names)]
        terms += [term for term in wanted if term not in terms]
    return terms


def _products(names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for size in range(2, 1 << len(names)):
        chosen = tuple(name for place, name in enumerate(names) if size >> place & 1)
        if len(chosen) > 1:
            yield chosen


def with_concreteness(
    items: pl.DataFrame,
    norms: Mapping[str, float],
    lemmas: Callable[[str, bool], Iterator[str]],
) -> pl.DataFrame:
    """Return items with the concreteness of subject, verb and object, in standard deviations.

    Args:
        items: Events with the columns subject, verb and object.
        norms: From a word to its concreteness.
        lemmas: Forms to try for a word that is not rated; told whether it is a verb.
    """
    missing = [name for name in WORDS if name not in items.columns]
    if missing:
        raise TableError(f"items: no column {missing[0]!r}, whose concreteness is asked for.")
    for name in WORDS:
        rated = [_rated(str(word).lower(), norms, lemmas, name) for word in items[name]]
        column = pl.Series(RATED.format(name), rated, dtype=pl.Float64)
        items = items.with_columns((column - column.mean()) / column.std())
    return items


def _rated(
    word: str,
    norms: Mapping[str, float],
    lemmas: Callable[[str, bool], Iterator[str]],
    role: str,
) -> float | None:
    forms = (word, *lemmas(word, role == "verb"))
    return next((norms[form] for form in forms if form in norms), None)


def design(
    ratings: pl.DataFrame,
    items: pl.DataFrame | None,
    *,
    terms: str,
    random: Sequence[str] | None = None,
) -> Design:
    """Return the table of an ordinal model.

    Args:
        ratings: The ratings table.
        items: Items whose columns the terms name.
        terms: Right side of the formula; numbers are taken as they are, texts as categories.
        random: Columns whose groups have a deviation of their own; item, annotator, subject, verb
            and object where there are such and groups have more than one row, if not said.
    """
    columns = list(dict.fromkeys(name for term in parsed_terms(terms) for name in term))
    joined = ratings
    if items is not None:
        extra = [name for name in items.columns if name not in ratings.columns]
        joined = ratings.join(
            items.select("item", *extra), on="item", how="left", maintain_order="left"
        )
    wanted = [*columns, *(random or ())]
    for name in wanted:
        if name not in joined.columns:
            raise UnknownName("column", name, joined.columns)
    groups = list(random) if random is not None else _repeated(joined)
    frame = joined.select(list(dict.fromkeys(["item", *columns, *groups, "value", ANSWER])))
    frame = frame.with_columns(pl.col("value").fill_nan(None)).drop_nulls([*columns, "value"])
    if frame.is_empty():
        raise StudyError(f"no rating has a number and all of: {', '.join(columns)}.")
    ordered = sorted(set(frame["value"]))
    named = dict(frame.select("value", ANSWER).unique("value", maintain_order=True).iter_rows())
    table = _counted(frame, columns, groups, parsed_terms(terms), ordered)
    return Design(
        table,
        tuple(str(named[value]) for value in ordered),
        frame,
        ratings.height - frame.height,
        _shares_explained(frame, columns),
    )


def _repeated(joined: pl.DataFrame) -> list[str]:
    """Return the groups there are that are larger than one rating and not all of them."""
    present = [name for name in GROUPS if name in joined.columns]
    return [name for name in present if 1 < joined[name].n_unique() < joined.height]


def _counted(
    frame: pl.DataFrame,
    columns: Sequence[str],
    groups: Sequence[str],
    terms: Sequence[tuple[str, ...]],
    ordered: Sequence[float],
) -> OrdinalTable:
    keys = list(dict.fromkeys([*columns, *groups]))
    sums = [(pl.col("value") == value).sum().alias(f"_{n}") for n, value in enumerate(ordered)]
    counted = frame.group_by(keys).agg(sums).sort(keys)
    counts = counted.select(f"_{n}" for n in range(len(ordered))).to_numpy().astype(np.float64)
    parts = {name: _coded(counted[name]) for name in columns}
    names: list[str] = []
    tables: list[Floats] = []
    for term in terms:
        for label, column in _product([parts[name] for name in term]):
            names.append(label)
            tables.append(column)
    codes = {name: grouped(counted[name].to_list()) for name in groups}
    return OrdinalTable(counts, np.stack(tables, axis=1), tuple(names), codes)


def _coded(column: pl.Series) -> list[tuple[str, Floats]]:
    """Return a column of numbers, or one for each category but the first."""
    if column.dtype.is_numeric() or column.dtype == pl.Boolean:
        return [(column.name, column.cast(pl.Float64).to_numpy())]
    levels = sorted(set(column.cast(pl.String)))
    if len(levels) < 2:
        raise StudyError(f"{column.name} is {levels[0]!r} everywhere, so it explains nothing.")
    return [
        (f"{column.name}={level}", (column == level).cast(pl.Float64).to_numpy())
        for level in levels[1:]
    ]


def _product(parts: Sequence[list[tuple[str, Floats]]]) -> list[tuple[str, Floats]]:
    columns = parts[0]
    for more in parts[1:]:
        columns = [(f"{a}:{b}", one * two) for a, one in columns for b, two in more]
    return columns


def _shares_explained(frame: pl.DataFrame, columns: Sequence[str]) -> dict[str, float]:
    """Return eta squared of the items' means for every column of categories and all together."""
    kinds = [name for name in columns if not frame[name].dtype.is_numeric()]
    sets = [[name] for name in kinds] + ([kinds] if len(kinds) > 1 else [])
    means = frame.group_by("item", *kinds).agg(pl.col("value").mean()).sort("item", *kinds)
    whole = means["value"].var(ddof=0)
    shares: dict[str, float] = {}
    for names in sets:
        within = means.with_columns(cell=pl.col("value").mean().over(names))["cell"].var(ddof=0)
        if isinstance(whole, float) and isinstance(within, float) and whole > 0:
            shares[" x ".join(names)] = round(within / whole, 6)
    return shares
