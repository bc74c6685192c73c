"""The balance report: what besides the design sets the conditions of an item set apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
import polars as pl

from plausibly.datasets.lexica.frequency import FrequencyList
from plausibly.datasets.lexica.language import LANGUAGES, language
from plausibly.datasets.lexica.norms import Norms
from plausibly.domain import Measure
from plausibly.errors import Problem, TableError, UnknownName
from plausibly.stimuli.balance._probe import FOLDS, probe, word_probe
from plausibly.stimuli.balance._repeats import Repeats, key_columns, repeats
from plausibly.stimuli.balance._variables import NORMS, nuisance_variables, words_of
from plausibly.stimuli.balance._words import WordShare, light_verbs, most_frequent
from plausibly.stimuli.balance.checks import check_probe
from plausibly.tables import ITEMS

SHARED = ("item_group", "story", "noun", "head")
"""Columns that name what items share; the first that an items table has counts."""


@dataclass(frozen=True, slots=True)
class ColumnSpread:
    """One variable in one condition."""

    variable: str
    condition: str
    n: int
    mean: float | None
    sd: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Overlap:
    """Words two conditions share, in one column or in the texts.

    Args:
        words: Where the words stand: a column, or `text`.
        conditions: The two conditions.
        jaccard: Shared types among all types of both.
        shared_tokens: Share of each condition's tokens whose word the other has too.
    """

    words: str
    conditions: tuple[str, str]
    jaccard: float | None
    shared_tokens: tuple[float | None, float | None]


@dataclass(frozen=True, eq=False)
class Balance:
    """Everything the report says; conditions are compared without checks, gold and attention items.

    Args:
        items: How many items of each condition.
        spreads: Length, frequency and norms by condition.
        differences: By variable, the largest standardised difference between two conditions.
        overlaps: Words that conditions share.
        probe: How well these variables alone tell the conditions apart, cross-validated.
        frequency_only: How well frequencies alone do, and their squares.
        single_word: By slot (or `text`), how well the most telling word alone does.
        words: The most frequent word of every slot and condition.
        light_verbs: By condition, items with a light verb or a copula.
        repeats: Items that are the same, or the same but for one word.
        checks: How well the variables tell check and gold items from the others; empty without any.
        notes: What could not be looked at.
    """

    items: dict[str, int]
    spreads: tuple[ColumnSpread, ...]
    differences: dict[str, float | None]
    overlaps: tuple[Overlap, ...]
    probe: dict[str, Measure]
    frequency_only: dict[str, Measure]
    single_word: dict[str, dict[str, Measure]]
    words: tuple[WordShare, ...]
    light_verbs: dict[str, dict[str, int | float]]
    repeats: Repeats
    checks: dict[str, Measure]
    notes: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the report as `balance.json` holds it."""
        return {
            "items": self.items,
            "variables": [
                {
                    "variable": one.variable,
                    "condition": one.condition,
                    "n": one.n,
                    "mean": one.mean,
                    "sd": one.sd,
                    "min": one.low,
                    "max": one.high,
                }
                for one in self.spreads
            ],
            "standardised_differences": self.differences,
            "lexical_overlap": [
                {
                    "words": one.words,
                    "conditions": list(one.conditions),
                    "jaccard": one.jaccard,
                    "shared_tokens": list(one.shared_tokens),
                }
                for one in self.overlaps
            ],
            "artefact_probe": {name: one.as_json() for name, one in self.probe.items()},
            "frequency_only": {name: one.as_json() for name, one in self.frequency_only.items()},
            "single_word": {
                slot: {name: one.as_json() for name, one in found.items()}
                for slot, found in self.single_word.items()
            },
            "most_frequent_words": [one.as_json() for one in self.words],
            "light_verbs": self.light_verbs,
            "repeats": self.repeats.as_json(),
            "check_items": {name: one.as_json() for name, one in self.checks.items()},
            "notes": list(self.notes),
        }


def balance(
    items: pl.DataFrame,
    *,
    frequency: FrequencyList | None = None,
    norms: Norms | None = None,
    by: str = "condition",
    lang: str | None = None,
    seed: int = 0,
) -> Balance:
    """Return what sets the conditions of an item set apart besides what they are meant to.

    Args:
        items: The items table. Words are taken from the columns subject, verb and object, or head
            and dependent, where all of them are there, else from the texts; columns ending in
            _concreteness, and those that `surprisal` adds, count as norms.
        frequency: Where word frequencies are looked up; without it they are left out.
        norms: Where the concreteness of words is looked up, besides the columns of the items.
        by: The column whose values are compared.
        lang: Whose light verbs are counted; None if the language is not known.
        seed: Of the folds and resamples of the probe. Items that share a group, a noun or a head
            are in one fold.
    """
    judged = ITEMS.check(items).filter(pl.col("kind") == "item")
    if by not in judged.columns:
        raise UnknownName("column of items", by, judged.columns)
    named = judged.with_columns(pl.col(by).fill_null("none").cast(pl.String).alias("__by"))
    conditions = named["__by"].unique().sort().to_list()
    problems = norm_problems(named)
    if problems:
        raise TableError(
            f"items: {len(problems)} values are not valid norms (first: row "
            f"{problems[0].row + 1}: {problems[0].message})."
        )
    variables = nuisance_variables(named, frequency, norms)
    of, names = named["__by"], _kept_together(named)
    slots = key_columns(named.columns)
    light = _light(lang)
    notes = [] if frequency is not None else ["No frequency list was given; frequency is left out."]
    if not light and {"verb", "head"} & {*named.columns}:
        notes.append(f"Light verbs are not counted: the language is {lang or 'not known'}.")
    return Balance(
        items={name: named.filter(pl.col("__by") == name).height for name in conditions},
        spreads=tuple(_spreads(variables, named["__by"], conditions)),
        differences={
            name: _difference(variables[name], named["__by"], conditions)
            for name in variables.columns
        },
        overlaps=tuple(_overlaps(named, ["text", *key_columns(named.columns)], conditions)),
        probe=probe(variables, of, names=names, seed=seed),
        frequency_only=probe(_frequencies(variables), of, names=names, seed=seed),
        single_word={
            slot: word_probe(words, of, names=names, seed=seed)
            for slot, words in _slots(named, slots).items()
        },
        words=most_frequent(named, slots, by="__by"),
        light_verbs=light_verbs(named, light, by="__by"),
        repeats=repeats(named, by=by),
        checks=check_probe(items, frequency, norms, seed=seed),
        notes=tuple(notes),
    )


def _kept_together(items: pl.DataFrame) -> pl.Series:
    """Return what each item shares with others, or its name: what is shared is in one fold.

    Items of one noun are in every condition equally often. A probe that is fitted to three of
    them would guess the fourth from what is left over.
    """
    for column in SHARED:
        if column in items.columns and items[column].n_unique() >= FOLDS:
            return items[column].cast(pl.String).fill_null(items["item"]).rename("item")
    return items["item"]


def _frequencies(variables: pl.DataFrame) -> pl.DataFrame:
    """Return what is known of frequencies, and squared: both ends may give a condition away."""
    names = [name for name in variables.columns if name.endswith("_zipf")]
    return variables.select(*names, *((pl.col(name) ** 2).name.suffix("_2") for name in names))


def _slots(items: pl.DataFrame, slots: Sequence[str]) -> dict[str, list[list[str]]]:
    """Return the words of every item by slot, or those of its text."""
    if not slots:
        return {"text": [words_of(text) for text in items["text"]]}
    return {
        slot: [[word] if word else [] for word in items[slot].str.to_lowercase()] for slot in slots
    }


def norm_problems(items: pl.DataFrame) -> list[Problem]:
    """Return the rows whose norms are no numbers, by row."""
    found = []
    for column in filter(NORMS.search, items.columns):
        number = items[column].cast(pl.Float64, strict=False)
        bad = items[column].is_not_null() & ~number.is_finite().fill_null(False)
        found += [
            Problem(
                row, f"{column} {items[column][row]!r} is not a number; leave unknown ones empty"
            )
            for row in bad.arg_true()
        ]
    return sorted(found)


def _spreads(
    variables: pl.DataFrame, of: pl.Series, conditions: Sequence[str]
) -> list[ColumnSpread]:
    found = []
    for name in variables.columns:
        for condition in conditions:
            values = variables[name].filter(of == condition).drop_nulls().to_numpy()
            n = len(values)
            found.append(
                ColumnSpread(
                    name,
                    condition,
                    n,
                    float(np.mean(values)) if n else None,
                    float(np.std(values, ddof=1)) if n > 1 else None,
                    float(np.min(values)) if n else None,
                    float(np.max(values)) if n else None,
                )
            )
    return found


def _difference(values: pl.Series, of: pl.Series, conditions: Sequence[str]) -> float | None:
    """Return the largest difference of two means in pooled standard deviations (Cohen's d)."""
    groups = [values.filter(of == name).drop_nulls().to_numpy() for name in conditions]
    largest: float | None = None
    for one, other in combinations([group for group in groups if len(group) > 1], 2):
        gap = float(np.mean(one) - np.mean(other))
        freedom = len(one) + len(other) - 2
        pooled = sqrt(
            ((len(one) - 1) * np.var(one, ddof=1) + (len(other) - 1) * np.var(other, ddof=1))
            / freedom
        )
        d = gap / pooled if pooled > 0 else (0.0 if gap == 0 else None)
        if d is not None and (largest is None or abs(d) > abs(largest)):
            largest = d
    return largest


def _overlaps(
    items: pl.DataFrame, columns: Sequence[str], conditions: Sequence[str]
) -> list[Overlap]:
    found = []
    for column in columns:
        tokens = {
            name: [
                word
                for text in items.filter(pl.col("__by") == name)[column].drop_nulls().to_list()
                for word in words_of(text)
            ]
            for name in conditions
        }
        for one, other in combinations(conditions, 2):
            a, b = set(tokens[one]), set(tokens[other])
            shared = (_share(tokens[one], b), _share(tokens[other], a))
            jaccard = len(a & b) / len(a | b) if a | b else None
            found.append(Overlap(column, (one, other), jaccard, shared))
    return found


def _light(lang: str | None) -> frozenset[str]:
    """Return light verbs and copulas in every form an item may have; none of other languages."""
    if lang not in LANGUAGES:
        return frozenset()
    words = language(lang)
    return words.light_verbs | words.light_forms


def _share(tokens: Sequence[str], known: set[str]) -> float | None:
    return sum(token in known for token in tokens) / len(tokens) if tokens else None
