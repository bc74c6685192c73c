"""The multiverse: the same ratings cleaned as one might as well have cleaned them.

Each universe differs from the declared rules in one thing: a threshold, whether a boundary value
is in or out (`>` or `>=`), the order of two rules, or a rule left out. Crossed universes combine
every threshold of every rule with every one of the others.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from math import prod

import numpy as np
import polars as pl

from plausibly.cleaning.presets import RULES, RuleSpec
from plausibly.cleaning.rule import KEY, Context
from plausibly.cleaning.runner import Stage, first_stage, next_stage
from plausibly.errors import StudyError
from plausibly.measures.agreement import ALPHA, JACCARD, agreement
from plausibly.measures.resampling import Resampling
from plausibly.ports import SILENCE, Watch
from plausibly.tables import LABELS

BASELINE = "as declared"
OTHER_SIGNS: Mapping[str, tuple[str, ...]] = {
    "more_than": ("at_least",),
    "at_least": ("more_than",),
    "fewer_than": ("at_most",),
    "below": ("at_most",),
    "at_most": ("fewer_than", "below"),
}
MOST_CROSSED = 1_000
# With more rules than this, only neighbours are exchanged and the order reversed.
ALL_ORDERS = 4

Labeller = Callable[[pl.DataFrame], pl.DataFrame]


@dataclass(frozen=True)
class Universe:
    """One way of cleaning: what differs from the declared rules, and the rules."""

    kind: str
    change: str
    rules: tuple[RuleSpec, ...]


def universes(rules: Sequence[RuleSpec]) -> list[Universe]:
    """Return the declared rules and every variation of them, none twice."""
    declared = tuple(rules)
    found = [Universe(BASELINE, "", declared)]
    seen = {_spelled(declared)}
    for universe in (
        *_thresholds(declared),
        *_boundaries(declared),
        *_orders(declared),
        *_without(declared),
    ):
        spelled = _spelled(universe.rules)
        if spelled not in seen:
            seen.add(spelled)
            found.append(universe)
    return found


def crossed(rules: Sequence[RuleSpec]) -> list[Universe]:
    """Return every combination of the declared and the other thresholds, the declared first."""
    declared = tuple(rules)
    choices = [
        [("", spec)]
        + [
            (world.change, world.rules[place])
            for world in _thresholds(declared)
            if world.rules[place] is not spec
        ]
        for place, spec in enumerate(declared)
    ]
    size = prod(len(options) for options in choices)
    if size > MOST_CROSSED:
        raise StudyError(
            f"crossing the thresholds to try gives {size} ways to clean, more than {MOST_CROSSED}. "
            "Leave out values under `try` in a RULES.toml of your own."
        )
    return [
        Universe(
            "crossed" if any(change for change, _ in choice) else BASELINE,
            "; ".join(change for change, _ in choice if change),
            tuple(spec for _, spec in choice),
        )
        for choice in product(*choices)
    ]


def _spelled(rules: Sequence[RuleSpec]) -> tuple[str, ...]:
    return tuple(str(spec) for spec in rules)


def _replaced(rules: tuple[RuleSpec, ...], place: int, spec: RuleSpec) -> tuple[RuleSpec, ...]:
    return (*rules[:place], spec, *rules[place + 1 :])


def _thresholds(rules: tuple[RuleSpec, ...]) -> Iterator[Universe]:
    for place, spec in enumerate(rules):
        for name, values in spec.attempts.items():
            for value in values:
                other = replace(spec, parameters={**spec.parameters, name: value})
                change = f"{spec.rule}: {name} {spec.parameters.get(name)} → {value}"
                yield Universe("threshold", change, _replaced(rules, place, other))


def _boundaries(rules: tuple[RuleSpec, ...]) -> Iterator[Universe]:
    for place, spec in enumerate(rules):
        known = inspect.signature(RULES[spec.rule]).parameters
        for name, value in spec.parameters.items():
            for sign in OTHER_SIGNS.get(name, ()):
                if sign not in known:
                    continue
                kept = {key: given for key, given in spec.parameters.items() if key != name}
                other = replace(spec, parameters={**kept, sign: value})
                change = f"{spec.rule}: {name} → {sign} {value}"
                yield Universe("boundary", change, _replaced(rules, place, other))


def _orders(rules: tuple[RuleSpec, ...]) -> Iterator[Universe]:
    if len(rules) <= ALL_ORDERS:
        for order in permutations(rules):
            yield Universe("order", " · ".join(spec.rule for spec in order), order)
        return
    for place in range(len(rules) - 1):
        one, two = rules[place], rules[place + 1]
        swapped = (*rules[:place], two, one, *rules[place + 2 :])
        yield Universe("order", f"{two.rule} before {one.rule}", swapped)
    yield Universe("order", "all rules in reverse", rules[::-1])


def _without(rules: tuple[RuleSpec, ...]) -> Iterator[Universe]:
    for place, spec in enumerate(rules):
        yield Universe("without", spec.rule, (*rules[:place], *rules[place + 1 :]))
    yield Universe("without", "any rule", ())


def explore(
    ratings: pl.DataFrame,
    worlds: Sequence[Universe],
    context: Context,
    *,
    withdraw: Sequence[str] = (),
    labeller: Labeller | None = None,
    watch: Watch = SILENCE,
) -> pl.DataFrame:
    """Return one row per universe: what is left, how far it agrees, which labels change.

    Columns: universe, kind, change, rules (JSON), annotators, ratings, items, soft_jaccard,
    alpha_nominal, alpha_ordinal, agreement_n, selected_on_agreement; with a labeller also
    labelled, labels (JSON, counts by label) and, against the first universe, labels_changed,
    items_lost and items_gained. Measures are null if several questions were asked.

    Universes that begin with the same rules share what these leave, and those that keep the same
    ratings share their figures.
    """
    raw, _, context = first_stage(ratings, context, withdraw=withdraw)
    path = _Path(raw, context)
    figures = _Figures(context, labeller)
    rows: list[dict[str, object]] = []
    watch.begin("ways to clean", len(worlds))
    for number, world in enumerate(worlds):
        stage = path.walk(world.rules)
        own = figures.of(stage.ratings)
        labels = {name: own[name] for name in own if name in LABEL_FIGURES}
        rows.append(
            {
                "universe": number,
                "kind": world.kind,
                "change": world.change,
                "rules": json.dumps([str(spec) for spec in world.rules], ensure_ascii=False),
                **{name: own[name] for name in own if name not in labels},
                "selected_on_agreement": int(stage.selected_on_agreement),
                **labels,
            }
        )
        watch.advance()
    return pl.DataFrame(rows, infer_schema_length=None)


class _Path:
    """The stages along the rules of the universe before; a shared beginning is kept."""

    def __init__(self, raw: Stage, context: Context) -> None:
        self._context = context
        self._rules: tuple[str, ...] = ()
        self._stages = [raw]

    def walk(self, rules: Sequence[RuleSpec]) -> Stage:
        """Return the stage after all these rules."""
        names = _spelled(rules)
        pairs = enumerate(zip(names, self._rules, strict=False))
        least = min(len(names), len(self._rules))
        shared = next((place for place, (one, other) in pairs if one != other), least)
        del self._stages[shared + 1 :]
        for spec in rules[shared:]:
            stage, _ = next_stage(self._stages[-1], spec.build(), self._context)
            self._stages.append(stage)
        self._rules = names
        return self._stages[-1]


class _Figures:
    """The figures of kept ratings, worked out once for the same ratings."""

    def __init__(self, context: Context, labeller: Labeller | None) -> None:
        self._context, self._labeller = context, labeller
        self._known: dict[tuple[int, int, int], dict[str, object]] = {}
        self._first: pl.DataFrame | None = None

    def of(self, kept: pl.DataFrame) -> dict[str, object]:
        """Return how much is kept, how far it agrees, and which labels change."""
        key = _fingerprint(kept)
        if key not in self._known:
            self._known[key] = self._worked_out(kept)
        return self._known[key]

    def _worked_out(self, kept: pl.DataFrame) -> dict[str, object]:
        figures: dict[str, object] = {
            "annotators": kept["annotator"].n_unique(),
            "ratings": kept.height,
            "items": kept["item"].n_unique(),
            **_agreement(kept, self._context),
        }
        if self._labeller is not None:
            labels = LABELS.check(self._labeller(kept))
            self._first = labels if self._first is None else self._first
            figures |= _labels(labels, self._first)
        return figures


def _fingerprint(kept: pl.DataFrame) -> tuple[int, int, int]:
    """Return what tells one choice of ratings from another."""
    hashes = kept.select(KEY).hash_rows().to_numpy()
    return len(hashes), int(hashes.sum()), int(np.bitwise_xor.reduce(hashes))


def _agreement(ratings: pl.DataFrame, context: Context) -> dict[str, object]:
    if ratings["question"].n_unique() != 1:
        return dict.fromkeys(("soft_jaccard", "alpha_nominal", "alpha_ordinal", "agreement_n"))
    plan = Resampling(resamples=0)
    (found,) = agreement(
        ratings, sides=context.sides, measures=(JACCARD, ALPHA), resampling=plan
    ).values()
    return {
        "soft_jaccard": found.measures[JACCARD].value,
        "alpha_nominal": found.measures[f"{ALPHA}.nominal"].value,
        "alpha_ordinal": found.measures[f"{ALPHA}.ordinal"].value,
        "agreement_n": found.measures[JACCARD].n,
    }


def _labels(labels: pl.DataFrame, first: pl.DataFrame) -> dict[str, object]:
    key = ["item", "question"]
    both = labels.join(first, on=key, suffix="_first")
    counts = labels["label"].value_counts(sort=False).sort("label", nulls_last=True)
    by_label = {"none" if label is None else label: n for label, n in counts.iter_rows()}
    changed = ~pl.col("label").eq_missing(pl.col("label_first"))
    return {
        "labelled": labels["label"].count(),
        "labels": json.dumps(by_label, ensure_ascii=False),
        "labels_changed": both.filter(changed).height,
        "items_lost": first.join(labels, on=key, how="anti").height,
        "items_gained": labels.join(first, on=key, how="anti").height,
    }


LABEL_FIGURES = ("labelled", "labels", "labels_changed", "items_lost", "items_gained")
RANGED = ("annotators", "ratings", "items", "soft_jaccard", "alpha_nominal", "labels_changed")


def ranges(explored: pl.DataFrame) -> dict[str, dict[str, object]]:
    """Return for each figure its declared value, its extremes, and the changes that lead there."""
    found: dict[str, dict[str, object]] = {}
    for column in RANGED:
        if column not in explored.columns:
            continue
        known = explored.drop_nulls(column).sort(column, maintain_order=True)
        if known.is_empty():
            continue
        low, high = known.row(0, named=True), known.row(-1, named=True)
        found[column] = {
            "declared": explored[column][0],
            "low": low[column],
            "low_by": low["change"] or BASELINE,
            "high": high[column],
            "high_by": high["change"] or BASELINE,
        }
    return found
