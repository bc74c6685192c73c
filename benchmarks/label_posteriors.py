"""Label methods on crowds with a known truth: a table of methods by crowds.

    PYTHONPATH=tests python benchmarks/label_posteriors.py [--only NAME] [--peers 20] [--markdown]
    PYTHONPATH=tests python benchmarks/label_posteriors.py --strangers --first 400 --peers 5

Calibration error is that of the most probable label in ten equal bins, over the items of all
crowds of a design together (small samples alone would make it larger) and, after the slash, as the
mean of the crowds. Log loss cuts probabilities at 1e-6. The interval is that of the mean over
crowds. The weights of the priors were chosen on `random_design` crowds, seeds 20,000 to 99,999.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
from crowdkit.aggregation import GLAD, DawidSkene, MajorityVote, OneCoinDawidSkene
from scipy.stats import t

from plausibly.labels.dawid_skene import dawid_skene
from plausibly.labels.mace import mace
from plausibly.labels.one_coin import one_coin
from plausibly.labels.ordinal import ordinal
from plausibly.labels.results import Fitted
from worlds.label_crowds import (
    DESIGNS,
    DESIGNS_WITH_ADVERSARIES,
    Crowd,
    Design,
    Floats,
    draw,
)
from worlds.stranger_crowds import STRANGERS

BINS = 10
CUT = 1e-6
SURE = 0.99
Method = Callable[[Crowd], Floats]


def ratings_of(crowd: Crowd) -> pl.DataFrame:
    """Return the crowd's ratings as a ratings table."""
    return pl.DataFrame(
        {
            "item": [f"t{item:05}" for item in crowd.item],
            "annotator": [f"a{annotator:05}" for annotator in crowd.annotator],
            "question": "rating",
            "answer": [str(answer) for answer in crowd.answer],
        }
    )


def fitted(fit: Callable[..., Fitted], crowd: Crowd, **options: str) -> Floats:
    """Return the posterior of a method of ours, by item and label."""
    labels = fit(ratings_of(crowd), **options).labels
    texts = labels["distribution"].str.json_decode(pl.Struct(_fields(labels)))
    spread = texts.struct.unnest()
    posterior = np.zeros((len(crowd.truth), crowd.labels))
    items = labels["item"].str.slice(1).cast(pl.Int64).to_numpy()
    for label in spread.columns:
        posterior[items, int(label)] = spread[label].to_numpy()
    return posterior


def _fields(labels: pl.DataFrame) -> dict[str, type[pl.Float64]]:
    decoded: pl.DataType = labels["distribution"].str.json_decode(infer_schema_length=1).dtype
    if not isinstance(decoded, pl.Struct):
        raise TypeError(f"a distribution is an object, not {decoded}")
    return {field.name: pl.Float64 for field in decoded.fields}


def plurality(crowd: Crowd) -> Floats:
    """Return the shares of the votes."""
    votes = np.zeros((len(crowd.truth), crowd.labels))
    np.add.at(votes, (crowd.item, crowd.answer), 1.0)
    return np.asarray(votes / votes.sum(axis=1, keepdims=True))


def crowdkit(make: Callable[[], object], crowd: Crowd) -> Floats:
    """Return crowd-kit's posterior."""
    columns = {"task": crowd.item, "worker": crowd.annotator, "label": crowd.answer}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        probabilities = make().fit_predict_proba(pd.DataFrame(columns))  # type: ignore[attr-defined]
    posterior = np.zeros((len(crowd.truth), crowd.labels))
    index = np.ix_(probabilities.index.to_numpy(), probabilities.columns.to_numpy())
    posterior[index] = probabilities.fillna(0.0).to_numpy()
    return posterior


METHODS: Mapping[str, Method] = {
    "plurality": plurality,
    "dawid-skene none": partial(fitted, dawid_skene, prior="none"),
    "dawid-skene pooled": partial(fitted, dawid_skene),
    "one-coin none": partial(fitted, one_coin, prior="none"),
    "one-coin pooled": partial(fitted, one_coin),
    "mace": partial(fitted, mace),
    "crowd-kit MajorityVote": partial(crowdkit, MajorityVote),
    "crowd-kit DawidSkene": partial(crowdkit, partial(DawidSkene, n_iter=50)),
    "crowd-kit OneCoin": partial(crowdkit, partial(OneCoinDawidSkene, n_iter=20)),
    "crowd-kit GLAD": partial(crowdkit, partial(GLAD, n_iter=20)),
}
SLOW = ("crowd-kit GLAD",)
SHOWN = ("plurality", "dawid-skene pooled", "one-coin pooled", "mace")
PEERS = ("crowd-kit DawidSkene", "crowd-kit OneCoin")


@dataclass(frozen=True, eq=False)
class Outcome:
    """How one method did on the crowds of one design; one entry per crowd and item.

    Args:
        crowd: Number of the crowd of each item.
        top: Probability of the most probable label.
        right: Whether that label is true.
        loss: Minus log probability of the true label.
    """

    crowd: Floats
    top: Floats
    right: Floats
    loss: Floats

    def by_crowd(self, values: Floats) -> Floats:
        """Return the mean of each crowd."""
        number = self.crowd.astype(np.int64)
        return np.bincount(number, values) / np.bincount(number)

    def calibration(self) -> tuple[float, float]:
        """Return the calibration error over all items, and the mean of the crowds'."""
        number = self.crowd.astype(np.int64)
        each = [
            calibration_error(self.top[number == one], self.right[number == one])
            for one in np.unique(number)
        ]
        return calibration_error(self.top, self.right), float(np.mean(each))

    def row(self, name: str) -> str:
        """Return the line of the table."""
        accuracy, loss = self.by_crowd(self.right), self.by_crowd(self.loss)
        pooled, mean = self.calibration()
        sure = self.top > SURE
        right = f"{self.right[sure].mean():.3f}" if sure.any() else "   - "
        return (
            f"  {name:24} {accuracy.mean():.3f} ± {half_width(accuracy):.3f}"
            f"  {loss.mean():6.3f} ± {half_width(loss):.3f}"
            f"  {pooled:.3f} / {mean:.3f}  {sure.mean():5.2f}  {right}"
        )

    def cell(self) -> str:
        """Return accuracy, log loss and calibration error as a cell of a Markdown table."""
        accuracy, loss = self.by_crowd(self.right), self.by_crowd(self.loss)
        return (
            f"{accuracy.mean():.3f} ± {half_width(accuracy):.3f}<br>"
            f"{loss.mean():.3f} ± {half_width(loss):.3f}<br>{self.calibration()[0]:.3f}"
        )


def half_width(values: Floats) -> float:
    """Return half the width of the 95 % interval of the mean."""
    if len(values) < 2:
        return np.nan
    return float(t.ppf(0.975, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))


def calibration_error(top: Floats, right: Floats) -> float:
    """Return the mean distance of confidence and accuracy over ten equal bins."""
    number = np.minimum((top * BINS).astype(np.int64), BINS - 1)
    return float(np.abs(np.bincount(number, top - right, BINS)).sum() / len(top))


def outcome(method: Method, crowds: list[Crowd]) -> Outcome:
    """Return how a method did on crowds."""
    parts = []
    for number, crowd in enumerate(crowds):
        posterior = method(crowd)
        true = posterior[np.arange(len(crowd.truth)), crowd.truth]
        right = (posterior.argmax(axis=1) == crowd.truth).astype(np.float64)
        place = np.full(len(right), float(number))
        parts.append((place, posterior.max(axis=1), right, -np.log(np.maximum(true, CUT))))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return Outcome(*columns)


def verdict(pooled: Outcome, votes: Outcome) -> str:
    """Return whether a method keeps what it promises on a design."""
    gain = pooled.right.mean() - votes.right.mean()
    error, _ = pooled.calibration()
    sure = pooled.right[pooled.top > SURE]
    kept = [gain >= -0.01, error <= 0.06, len(sure) == 0 or sure.mean() >= 0.97]
    names = ("accuracy", "calibration", "sure")
    missed = [name for name, one in zip(names, kept, strict=True) if not one]
    return "keeps all three" if not missed else f"MISSES {', '.join(missed)}"


def size_of(design: Design) -> str:
    """Return items, ratings per item, annotators and labels of a design."""
    each = f"{design.each[0]}" if len(set(design.each)) == 1 else "{}-{}".format(*design.each)
    return (
        f"{design.items} items, {each} of {design.annotators} annotators each, "
        f"{len(design.shares)} labels"
    )


def outcomes_of(
    design: Design, arguments: argparse.Namespace, report: Callable[[str], None] = lambda _: None
) -> dict[str, Outcome]:
    """Return how each method did on the crowds of a design; report each line on the way."""
    seeds = range(arguments.first, arguments.first + arguments.crowds)
    crowds = [draw(design, seed) for seed in seeds]
    outcomes = {}
    for method, run in METHODS.items():
        peer = method.startswith("crowd-kit")
        if (method in SLOW and not arguments.slow) or (peer and not arguments.peers):
            continue
        outcomes[method] = outcome(run, crowds[: arguments.peers] if peer else crowds)
        report(outcomes[method].row(method))
    return outcomes


def show_row(name: str, design: Design, arguments: argparse.Namespace) -> None:
    """Print the row of one design in a Markdown table."""
    outcomes = outcomes_of(design, arguments)
    if name == next(iter(DESIGNS)) or arguments.only:
        print("| crowd |", " | ".join(outcomes), "|")
        print("|---" * (len(outcomes) + 1) + "|")
    cells = " | ".join(one.cell() for one in outcomes.values())
    print(f"| **{name}**<br>{size_of(design)} | {cells} |", flush=True)


def show(name: str, design: Design, arguments: argparse.Namespace) -> None:
    """Print the table of one design."""
    print(f"\n{name}: {size_of(design)}, {arguments.crowds} crowds")
    print(f"  {'':24} accuracy       log loss         calibration    > .99  right")
    outcomes = outcomes_of(design, arguments, partial(print, flush=True))
    for method in ("dawid-skene pooled", "one-coin pooled"):
        print(f"  -> {method}: {verdict(outcomes[method], outcomes['plurality'])}", flush=True)


def show_strangers(arguments: argparse.Namespace) -> None:
    """Print a table for each design that no constant was chosen on, ordinal on scales."""
    for name, design in STRANGERS.items():
        if arguments.only not in name:
            continue
        print(f"\n{name}, {arguments.crowds} crowds")
        crowds = [design(arguments.first + number) for number in range(arguments.crowds)]
        few = crowds[: arguments.peers]
        outcomes = {method: outcome(METHODS[method], crowds) for method in SHOWN}
        outcomes |= {method: outcome(METHODS[method], few) for method in PEERS if few}
        if "scale" in name and few:
            outcomes["ordinal"] = outcome(partial(fitted, ordinal), few)
        for method, found in outcomes.items():
            print(found.row(method), flush=True)
        for method in SHOWN[1:3]:
            print(f"  -> {method}: {verdict(outcomes[method], outcomes['plurality'])}", flush=True)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--crowds", type=int, default=20)
    parser.add_argument("--first", type=int, default=7000, help="seed of the first crowd")
    parser.add_argument("--peers", type=int, default=20, help="crowds for crowd-kit, which is slow")
    parser.add_argument("--only", default="", help="designs whose name contains this")
    parser.add_argument("--slow", action="store_true", help="with crowd-kit's GLAD")
    parser.add_argument("--markdown", action="store_true", help="print rows of a Markdown table")
    parser.add_argument("--strangers", action="store_true", help="designs nothing was chosen on")
    arguments = parser.parse_args()
    if arguments.strangers:
        show_strangers(arguments)
        return
    designs = {**DESIGNS, **DESIGNS_WITH_ADVERSARIES}
    for name, design in designs.items():
        if arguments.only in name:
            (show_row if arguments.markdown else show)(name, design, arguments)


if __name__ == "__main__":
    main()
