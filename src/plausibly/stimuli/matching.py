"""Matching: items of two conditions paired so that they differ in no column by more than allowed.

The way LexOPS (Taylor et al., 2020) matches single words, for any table and any column.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from plausibly.datasets.lexica.frequency import FrequencyList
from plausibly.errors import StudyError, UnknownName, option
from plausibly.io.ranks import ranks
from plausibly.stimuli.balance._repeats import key_columns
from plausibly.stimuli.built import Built
from plausibly.stimuli.ledger import LEDGER, sieve
from plausibly.tables import ITEMS

# Where words of items stand besides: an adjective and what it describes.
_DESCRIBED = ("modifier", "noun")
# What a short name stands for where the words of items are in columns of their own.
SHORT = {"frequency": "zipf", "length": "length", "concreteness": "concreteness"}
SPOKEN, WITHIN = "__language", "__within"


def tolerances(given: Iterable[str]) -> dict[str, float]:
    """Return from column to tolerance, from texts such as `length:1`.

    >>> tolerances(["frequency:0.3", "length:1"])
    {'frequency': 0.3, 'length': 1.0}
    """
    found: dict[str, float] = {}
    for text in given:
        column, colon, number = text.rpartition(":")
        try:
            value = float(number)
        except ValueError:
            value = math.nan
        if not colon or not column or not value >= 0 or math.isinf(value):
            raise StudyError(
                f"{option('match')} must be COLUMN:TOLERANCE with a number of 0 or more; got "
                f"{text!r}.",
                parameter="match",
            )
        found[column] = value
    return found


def columns_of(asked: Mapping[str, float], there: Sequence[str]) -> dict[str, float]:
    """Return the columns meant: of that name, of each word (`subject_zipf`), or of the whole."""
    meant: dict[str, float] = {}
    for name, tolerance in asked.items():
        own = [column for column in there if column.endswith(f"_{SHORT.get(name, name)}")]
        whole = SHORT.get(name, name)
        found = [name] if name in there else own or [whole for one in there if one == whole]
        if not found:
            _refuse(name, there)
        meant |= dict.fromkeys(found, tolerance)
    return meant


def _refuse(name: str, there: Sequence[str]) -> None:
    """Raise for a column that is not there, naming what would do."""
    needs = {"frequency": "a list of frequencies (pip install 'plausibly[stimuli]')"}
    if name in SHORT:
        column = SHORT[name]
        source = needs.get(name, f"columns of your own, each named after its word: verb_{column}")
        raise StudyError(
            f"{option('match')}: {name!r} needs a column {column!r} of numbers, or {source}."
        )
    short = [one for one, end in SHORT.items() if any(c.endswith(f"_{end}") for c in there)]
    raise UnknownName("column to match by", name, dict.fromkeys([*there, *short]))


@dataclass(frozen=True, eq=False)
class Matched:
    """Rows that belong together.

    Args:
        numbers: By condition, the number of its match for every row, null for an unmatched one.
        report: By column: tolerance, mean and largest difference within matches, and the
            standardised difference of the conditions before and after.
    """

    numbers: Mapping[str, pl.Series]
    report: dict[str, dict[str, float | int | None]]


def match(
    rows: Mapping[str, pl.DataFrame],
    asked: Mapping[str, float],
    *,
    names: Mapping[str, pl.Series],
    within: str | None = None,
    seed: int,
) -> Matched:
    """Return matches of one row of each of two conditions, as many as one pass finds.

    Rows of the smaller condition are taken in the order of the seed; each gets the nearest row of
    the other that is free and differs in no column by more than its tolerance.

    Args:
        rows: Of exactly two conditions, with the columns to match by as numbers.
        asked: From column to the largest difference allowed.
        names: Of the rows, for the order of the seed.
        within: A column whose values matches must share.
        seed: Random seed; the same seed gives the same matches, whatever the order of the rows.
    """
    if len(rows) != 2:
        raise StudyError(
            f"matching pairs two conditions; got {len(rows)} ({', '.join(sorted(rows))}). "
            "Name a column with two values (--by), or keep only the items of two conditions."
        )
    small, large = sorted(rows, key=lambda name: (rows[name].height, name))
    order = {name: _order(names[name], seed) for name in rows}
    values = {name: _numbers(frame, asked) for name, frame in rows.items()}
    sides = {
        name: frame[within].to_list() if within else [None] * frame.height
        for name, frame in rows.items()
    }
    free: dict[Any, list[int]] = {}
    for place in order[large]:
        free.setdefault(sides[large][place], []).append(place)
    pairs: list[tuple[int, int]] = []
    scale = np.array([tolerance or 1.0 for tolerance in asked.values()])
    limit = np.array(list(asked.values())) / scale + 1e-9
    for place in order[small]:
        open_ = free.get(sides[small][place], [])
        if not open_:
            continue
        gaps = np.abs(values[large][open_] - values[small][place]) / scale
        fits = np.flatnonzero((gaps <= limit).all(axis=1))
        if len(fits):
            nearest = int(fits[np.argmin(gaps[fits].sum(axis=1))])
            pairs.append((place, open_.pop(nearest)))
    numbers = {
        name: _numbered([pair[side] for pair in pairs], rows[name].height)
        for side, name in enumerate((small, large))
    }
    return Matched(numbers, _achieved(values, pairs, asked, (small, large)))


def _order(names: pl.Series, seed: int) -> list[int]:
    keys = ranks("match|" + names.cast(pl.String), seed=seed)
    frame = pl.DataFrame({"rank": keys, "name": names}).with_row_index("place")
    return frame.sort("rank", "name")["place"].to_list()


def _numbers(frame: pl.DataFrame, asked: Mapping[str, float]) -> np.ndarray[Any, Any]:
    columns = [frame[name].cast(pl.Float64, strict=False).to_numpy() for name in asked]
    return np.stack(columns, axis=1) if columns else np.zeros((frame.height, 0))


def _numbered(places: Sequence[int], height: int) -> pl.Series:
    number = {place: match for match, place in enumerate(places)}
    return pl.Series("match", [number.get(row) for row in range(height)], dtype=pl.Int64)


def _achieved(
    values: Mapping[str, np.ndarray[Any, Any]],
    pairs: Sequence[tuple[int, int]],
    asked: Mapping[str, float],
    names: tuple[str, str],
) -> dict[str, dict[str, float | int | None]]:
    small, large = names
    first = values[small][[one for one, _ in pairs]]
    second = values[large][[other for _, other in pairs]]
    report: dict[str, dict[str, float | int | None]] = {}
    for place, (column, tolerance) in enumerate(asked.items()):
        gaps = np.abs(first[:, place] - second[:, place])
        report[column] = {
            "tolerance": tolerance,
            "matches": len(pairs),
            "mean_difference": float(gaps.mean()) if len(pairs) else None,
            "largest_difference": float(gaps.max()) if len(pairs) else None,
            "standardised_before": _standardised(values[small][:, place], values[large][:, place]),
            "standardised_after": _standardised(first[:, place], second[:, place]),
        }
    return report


def _standardised(one: np.ndarray[Any, Any], other: np.ndarray[Any, Any]) -> float | None:
    """Return the difference of two means in pooled standard deviations."""
    one, other = one[~np.isnan(one)], other[~np.isnan(other)]
    if len(one) < 2 or len(other) < 2:
        return None
    pooled = math.sqrt((float(np.var(one, ddof=1)) + float(np.var(other, ddof=1))) / 2)
    gap = float(one.mean() - other.mean())
    return gap / pooled if pooled else (0.0 if gap == 0 else None)


def _require_columns(items: pl.DataFrame, *names: str | None) -> None:
    for name in names:
        if name is not None and name not in items.columns:
            raise UnknownName("column of items", name, items.columns)


def matched_items(
    items: pl.DataFrame,
    asked: Mapping[str, float],
    *,
    by: str,
    within: str | None,
    frequency: FrequencyList | None,
    seed: int,
) -> Built:
    """Return the items that have a partner in the other condition; checks stay as they are.

    Args:
        items: Of any protocol.
        asked: From column to the largest difference allowed.
        by: The column whose two values are paired.
        within: A column whose values partners must share.
        frequency: Where the frequency of words is looked up that have no column for it.
        seed: Random seed; the same seed gives the same pairs.
    """
    _require_columns(items, by, within)
    is_item = pl.col("kind") == "item"
    judged = _with_words(items.filter(is_item), frequency)
    sides = judged[by].cast(pl.String).fill_null("none").unique().sort().to_list()
    rows = {
        side: judged.filter(pl.col(by).cast(pl.String).fill_null("none") == side) for side in sides
    }
    meant = columns_of(asked, judged.columns)
    _require_numbers(judged, meant)
    names = {side: frame["item"] for side, frame in rows.items()}
    found = match(rows, meant, names=names, within=within, seed=seed)
    numbered = pl.concat(
        [frame.with_columns(found.numbers[side]) for side, frame in rows.items()]
    ).sort("item")
    left = sieve(numbered, candidate=pl.col("item")).drop(
        "unmatched",
        where=pl.col("match").is_null(),
        reason=why_unmatched(f"item of the other {by}", meant),
    )
    both = pl.concat([left.kept, items.filter(~is_item)], how="diagonal")
    return Built(
        ITEMS.sort(ITEMS.check(both)),
        LEDGER.sort(left.ledger),
        left.as_json(),
        documents={"matching.json": found.report},
    )


def matched_in_languages(
    items: pl.DataFrame,
    asked: Mapping[str, float],
    *,
    by: str,
    within: str | None,
    lists: Callable[[str | None], FrequencyList | None],
    seed: int,
) -> Built:
    """Return the items that have a partner in the other condition and the same language.

    Args:
        items: With the language of each item in the column `SPOKEN`, null if it is not known.
        asked: From column to the largest difference allowed.
        by: The column whose two values are paired.
        within: A column whose values partners must share.
        lists: Returns how frequent the words of a language are; None if no list is available.
        seed: Random seed; the same seed gives the same pairs.
    """
    _require_columns(items.drop(SPOKEN), by, within)
    judged = pl.col("kind") == "item"
    parts = items.filter(judged).partition_by(SPOKEN, as_dict=True, maintain_order=True)
    worded = [_with_words(part, lists(lang)) for (lang,), part in parts.items()]
    shared = [SPOKEN, *([within] if within else [])]
    prepared = pl.concat([*worded, items.filter(~judged)], how="diagonal").with_columns(
        pl.concat_str(pl.col(shared).cast(pl.String).fill_null(""), separator="|").alias(WITHIN)
    )
    built = matched_items(prepared, asked, by=by, within=WITHIN, frequency=None, seed=seed)
    return replace(built, items=built.items.drop(SPOKEN, WITHIN))


def looks_up(asked: Mapping[str, float], items: pl.DataFrame) -> bool:
    """Return whether matching needs frequencies that no column of the items has."""
    names = [name for name in items.columns if name == "zipf" or name.endswith("_zipf")]
    wanted = any(name == "frequency" or name.endswith("zipf") for name in asked)
    return wanted and not names and "frequency" not in items.columns


def why_unmatched(partner: str, columns: Iterable[str]) -> pl.Expr:
    """Return why a row has no partner: it has no value to compare, or none is near enough.

    >>> rows = pl.DataFrame({"a": [1.0, None]})
    >>> rows.select(why_unmatched("item of the other side", ["a"])).to_series().to_list()
    ['no item of the other side is near enough in a', 'no value for a, so nothing to compare']
    """
    named = list(columns)
    missing = pl.concat_str(
        [
            pl.when(pl.col(name).cast(pl.Float64, strict=False).is_null()).then(pl.lit(name))
            for name in named
        ],
        separator=", ",
        ignore_nulls=True,
    )
    far = pl.lit(f"no {partner} is near enough in {', '.join(named)}")
    absent = pl.format("no value for {}, so nothing to compare", missing)
    return pl.when(missing == "").then(far).otherwise(absent)


def _require_numbers(items: pl.DataFrame, columns: Iterable[str]) -> None:
    """Raise if a column to match by holds no number at all."""
    for column in columns:
        if items[column].cast(pl.Float64, strict=False).count() == 0:
            raise StudyError(
                f"{option('match')}: column {column!r} holds no numbers. Match by a column that "
                "does."
            )


def _with_words(items: pl.DataFrame, frequency: FrequencyList | None) -> pl.DataFrame:
    """Return the items with length and, where a list is available, frequency of their words."""
    slots = key_columns(items.columns) or _DESCRIBED * (set(_DESCRIBED) <= set(items.columns))
    columns = [
        items[slot].str.len_chars().cast(pl.Int64).alias(f"{slot}_length")
        for slot in slots
        if f"{slot}_length" not in items.columns
    ]
    if frequency is not None:
        columns += [
            frequency.zipf(items[slot]).alias(f"{slot}_zipf")
            for slot in slots
            if f"{slot}_zipf" not in items.columns
        ]
    if not slots and "length" not in items.columns:
        columns.append(items["text"].str.len_chars().cast(pl.Int64).alias("length"))
    if not slots and "zipf" not in items.columns and frequency is not None:
        columns.append(_mean_zipf(items["text"], frequency))
    return items.with_columns(columns)


def _mean_zipf(texts: pl.Series, frequency: FrequencyList) -> pl.Series:
    """Return the mean frequency of the words of each text, null if none is known."""
    words = texts.str.extract_all("[\\p{L}\\p{N}'\u2019-]+").alias("word")
    rows = pl.DataFrame({"place": range(len(texts)), "word": words}).explode("word")
    known = rows.with_columns(zipf=frequency.zipf(rows["word"]))
    return known.group_by("place", maintain_order=True).agg(pl.col("zipf").mean())["zipf"]
