"""ADEPT sections 5 and 6, Table 5 and Figures 2 and 3: baselines, and what models scored."""

from __future__ import annotations

import polars as pl

from plausibly.datasets.adept import FIVE_CLASSES, FOUR_CLASSES, THREE_CLASSES
from plausibly.domain import LabelScheme
from plausibly.evaluation.adept import (
    IMPOSSIBLE,
    LESS_LIKELY,
    accuracy,
    backoff,
    majority,
    normative,
)
from plausibly.replications.adept.release import AdeptRelease
from plausibly.replications.claims import Claims
from plausibly.replications.printed import Value

SCHEMES = {"3class": THREE_CLASSES, "5class": FIVE_CLASSES}
KEYS = {"modifier": ["modifier"], "noun": ["noun"], "modifier_noun": ["modifier", "noun"]}

FIGURES = {"figure2": ("roberta", "5class"), "figure3": ("deberta", "3class")}
TRANSFORMERS = ("bert", "roberta", "deberta")
BASELINES = ("majority", "normative")


def models(release: AdeptRelease, claims: Claims) -> dict[str, Value]:
    """Return the numbers of baselines, and what the printed scores of models say."""
    val = release.of("val")
    numbers = {**_of_figures(claims), **_of_table5(claims)}
    return numbers if val is None else {**numbers, **_row_sums(val), **_of_baselines(release, val)}


def _of_figures(claims: Claims) -> dict[str, Value]:
    """Return what the printed cells of the confusion matrices add up to."""
    numbers: dict[str, Value] = {}
    for figure in FIGURES:
        cells = _cells(claims, figure)
        pairs = sum(map(sum, cells))
        numbers[f"adept.{figure}.accuracy"] = sum(row[i] for i, row in enumerate(cells)) / pairs
        numbers[f"adept.{figure}.percent"] = [[cell / pairs for cell in row] for row in cells]
        numbers[f"adept.{figure}.classes"] = f"{len(cells)}-class"
        numbers[f"adept.{figure}.errors"] = {**_errors(cells)}
        numbers[f"adept.{figure}.commonest_errors"] = [*list(_errors(cells))[:2]]
    return numbers


def _errors(cells: list[list[int]]) -> dict[str, int]:
    """Return how often each error of direction is made, the commonest first."""
    names, middle = ("decrease", "no change", "increase"), len(cells) // 2
    found: dict[str, int] = {}
    for true, row in enumerate(cells):
        for said, cell in enumerate(row):
            one, other = ((place > middle) - (place < middle) for place in (true, said))
            if one != other:
                kind = "change" if one and not other else names[one + 1]
                name = f"{kind} as {names[other + 1]}"
                found[name] = found.get(name, 0) + cell
    return dict(sorted(found.items(), key=lambda pair: -pair[1]))


def _cells(claims: Claims, figure: str) -> list[list[int]]:
    """Return the cells of a figure: true label by predicted label."""
    printed = claims.printed(f"adept.{figure}.cells")
    rows = printed if isinstance(printed, list) else []
    return [
        [cell for cell in row if isinstance(cell, int)] for row in rows if isinstance(row, list)
    ]


def _of_table5(claims: Claims) -> dict[str, Value]:
    """Return what the text concludes from Table 5, from its printed cells."""
    table, baselines = claims.numbers("adept.table5"), claims.numbers("adept.baseline")
    best = {kind: max(table[f"{name}.{kind}"] for name in TRANSFORMERS) for kind in SCHEMES}
    ranges = {
        kind: best[kind] - min(table[f"{name}.{kind}"] for name in TRANSFORMERS) for kind in SCHEMES
    }
    return {
        "adept.range": round(max(ranges.values()), 3),
        **{f"adept.best.{kind}": _best(table, kind) for kind in SCHEMES},
        "adept.models.between": [
            kind
            for kind in SCHEMES
            if max(baselines[f"{name}.{kind}"] for name in BASELINES)
            < min(table[f"{name}.{kind}"] for name in TRANSFORMERS)
            and best[kind] < table[f"human.{kind}"]
        ],
        "adept.human_no_context.above_models": [
            kind for kind in SCHEMES if table[f"human_no_context.{kind}"] > best[kind]
        ],
    }


def _best(table: dict[str, float], kind: str) -> str:
    return max(TRANSFORMERS, key=lambda name: table[f"{name}.{kind}"])


def _row_sums(val: pl.DataFrame) -> dict[str, Value]:
    numbers: dict[str, Value] = {}
    for figure, scheme in (("figure2", FIVE_CLASSES), ("figure3", THREE_CLASSES)):
        classes = val["label"].cast(pl.String).replace_strict(dict(scheme.of))
        numbers[f"adept.{figure}.row_sums"] = [
            int((classes == name).sum()) for name in scheme.labels
        ]
    return numbers


def _of_baselines(release: AdeptRelease, val: pl.DataFrame) -> dict[str, Value]:
    said = {"majority": majority(val)}
    if release.listed is not None and release.effective is not None:
        said["normative"] = normative(val, release.effective, label=LESS_LIKELY)
        said["normative-0"] = normative(val, release.effective, label=IMPOSSIBLE)
        said["normative-60"] = normative(val, release.listed, label=LESS_LIKELY)
    train = release.of("train")
    if train is not None:
        said |= {f"backoff.{name}": backoff(train, val, keys=keys) for name, keys in KEYS.items()}

    def share(predicted: pl.Series, scheme: LabelScheme) -> float | None:
        return accuracy(val["label"], predicted, scheme)

    numbers: dict[str, Value] = {
        f"adept.baseline.{name}.{kind}": share(predicted, scheme)
        for name, predicted in said.items()
        for kind, scheme in SCHEMES.items()
    }
    return numbers | {"adept.baseline.majority.4class": share(said["majority"], FOUR_CLASSES)}
