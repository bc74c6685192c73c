"""Label methods on crowds with a known truth: two tables of methods by crowds.

    PYTHONPATH=tests python benchmarks/label_posteriors.py [--only NAME] [--markdown]
    PYTHONPATH=tests python benchmarks/label_posteriors.py --random 400 --first 3000000

Calibration error is that of the most probable label in ten equal bins, over the items of all
crowds of a design together (small samples alone would make it larger), where the method gives a
support; where it gives none in any crowd, of the distribution it computed. Log loss cuts
probabilities at 1e-6. The interval is that of the mean over crowds. The
crowds were drawn after the last change of a method.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt
import pandas as pd
import polars as pl
from crowdkit.aggregation import DawidSkene, OneCoinDawidSkene
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
    random_design,
)
from worlds.stranger_crowds import STRANGERS

Mask = npt.NDArray[np.bool_]

BINS = 10
CUT = 1e-6
SURE = 0.99
GOALS = ("dawid-skene", "one-coin")


@dataclass(frozen=True, eq=False)
class Posterior:
    """What a method says about the items of a crowd.

    Args:
        chance: Probability by item and label.
        shown: Whether the method gives the item a support.
    """

    chance: Floats
    shown: Mask


Method = Callable[[Crowd], Posterior]


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


def fitted(fit: Callable[..., Fitted], crowd: Crowd, **options: str) -> Posterior:
    """Return the posterior of a method of ours."""
    labels = fit(ratings_of(crowd), **options).labels
    texts = labels["distribution"].str.json_decode(pl.Struct(_fields(labels)))
    spread = texts.struct.unnest()
    posterior = np.zeros((len(crowd.truth), crowd.labels))
    items = labels["item"].str.slice(1).cast(pl.Int64).to_numpy()
    for label in spread.columns:
        posterior[items, int(label)] = spread[label].to_numpy()
    shown = np.zeros(len(posterior), dtype=np.bool_)
    shown[items] = labels["support"].is_not_null().to_numpy()
    return Posterior(posterior, shown)


def _fields(labels: pl.DataFrame) -> dict[str, type[pl.Float64]]:
    decoded: pl.DataType = labels["distribution"].str.json_decode(infer_schema_length=1).dtype
    if not isinstance(decoded, pl.Struct):
        raise TypeError(f"a distribution is an object, not {decoded}")
    return {field.name: pl.Float64 for field in decoded.fields}


def plurality(crowd: Crowd) -> Posterior:
    """Return the shares of the votes."""
    votes = np.zeros((len(crowd.truth), crowd.labels))
    np.add.at(votes, (crowd.item, crowd.answer), 1.0)
    return _whole(votes / votes.sum(axis=1, keepdims=True))


def _whole(chance: Floats) -> Posterior:
    return Posterior(chance, np.ones(len(chance), dtype=np.bool_))


def crowdkit(make: Callable[[], object], crowd: Crowd) -> Posterior:
    """Return crowd-kit's posterior."""
    columns = {"task": crowd.item, "worker": crowd.annotator, "label": crowd.answer}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        probabilities = make().fit_predict_proba(pd.DataFrame(columns))  # type: ignore[attr-defined]
    posterior = np.zeros((len(crowd.truth), crowd.labels))
    index = np.ix_(probabilities.index.to_numpy(), probabilities.columns.to_numpy())
    posterior[index] = probabilities.fillna(0.0).to_numpy()
    return _whole(posterior)


METHODS: Mapping[str, Method] = {
    "plurality": plurality,
    "dawid-skene": partial(fitted, dawid_skene),
    "one-coin": partial(fitted, one_coin),
    "mace": partial(fitted, mace),
    "dawid-skene --prior none": partial(fitted, dawid_skene, prior="none"),
    "one-coin --prior none": partial(fitted, one_coin, prior="none"),
    "crowd-kit DawidSkene": partial(crowdkit, partial(DawidSkene, n_iter=50)),
    "crowd-kit OneCoin": partial(crowdkit, partial(OneCoinDawidSkene, n_iter=20)),
    "ordinal": partial(fitted, ordinal),
}
SCALES = ("points", "SP-10K")


@dataclass(frozen=True, eq=False)
class Outcome:
    """How one method did on the crowds of one design; one entry per crowd and item.

    Args:
        crowd: Number of the crowd of each item.
        top: Probability of the most probable label.
        right: Whether that label is true.
        loss: Minus log probability of the true label.
        shown: Whether the item has a support.
    """

    crowd: Floats
    top: Floats
    right: Floats
    loss: Floats
    shown: Mask

    def by_crowd(self, values: Floats) -> Floats:
        """Return the mean of each crowd."""
        number = self.crowd.astype(np.int64)
        return np.bincount(number, values) / np.bincount(number)

    def withheld(self) -> int:
        """Return in how many crowds no item has a support."""
        return int((self.by_crowd(self.shown.astype(np.float64)) == 0).sum())

    def calibration(self) -> float:
        """Return the calibration error of supports; without any, of the distributions."""
        counted = self.shown if self.shown.any() else np.ones_like(self.shown)
        return calibration_error(self.top[counted], self.right[counted])

    def sure(self) -> Floats:
        """Return which labels with a support above .99 are right."""
        return self.right[self.shown & (self.top > SURE)]

    def row(self, name: str) -> str:
        """Return the line of the table."""
        accuracy, loss = self.by_crowd(self.right), self.by_crowd(self.loss)
        sure = self.sure()
        right = f"{sure.mean():.3f}" if len(sure) else "   - "
        return (
            f"  {name:24} {accuracy.mean():.3f} ± {half_width(accuracy):.3f}"
            f"  {loss.mean():6.3f} ± {half_width(loss):.3f}  {self.calibration():.3f}"
            f"  {right} of {len(sure):5}  null in {self.withheld()}"
        )

    def cell(self) -> str:
        """Return accuracy, log loss and calibration error as a cell of a Markdown table."""
        accuracy, loss = self.by_crowd(self.right), self.by_crowd(self.loss)
        numbers = (
            f"{accuracy.mean():.3f} ± {half_width(accuracy):.3f}",
            f"{loss.mean():.3f} ± {half_width(loss):.3f}",
            f"{self.calibration():.3f}",
        )
        withheld, crowds = self.withheld(), int(self.crowd.max()) + 1
        some = f" (null in {withheld})" if withheld else ""
        return "<br>".join(numbers).replace("0.", ".") + (" (null)" if withheld == crowds else some)


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
        chance = posterior.chance
        true = chance[np.arange(len(crowd.truth)), crowd.truth]
        right = (chance.argmax(axis=1) == crowd.truth).astype(np.float64)
        place, loss = np.full(len(right), float(number)), -np.log(np.maximum(true, CUT))
        parts.append((place, chance.max(axis=1), right, loss, posterior.shown))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return Outcome(*columns)


def verdict(pooled: Outcome, votes: Outcome) -> str:
    """Return whether a method keeps what it promises on a design."""
    gain, sure = pooled.right.mean() - votes.right.mean(), pooled.sure()
    calibrated = not pooled.shown.any() or pooled.calibration() <= 0.06
    kept = [gain >= -0.01, calibrated, len(sure) == 0 or sure.mean() >= 0.97]
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


def worlds() -> dict[str, tuple[str, Callable[[int], Crowd]]]:
    """Return, by name, the size of each design and what draws a crowd of it."""
    designs = {**DESIGNS, **DESIGNS_WITH_ADVERSARIES}
    own = {name: (f"<br>{size_of(one)}", partial(draw, one)) for name, one in designs.items()}
    return own | {name: ("", one) for name, one in STRANGERS.items()}


def show(
    name: str, size: str, draws: Callable[[int], Crowd], arguments: argparse.Namespace
) -> None:
    """Print the results of one design: a table, or a row of one."""
    crowds = [draws(arguments.first + number) for number in range(arguments.crowds)]
    scale = any(word in name for word in SCALES)
    found = {
        method: outcome(run, crowds)
        for method, run in METHODS.items()
        if scale or method != "ordinal"
    }
    if arguments.markdown:
        cells = [found[method].cell() if method in found else "" for method in METHODS]
        print(f"| **{name}**{size} | {' | '.join(cells)} |", flush=True)
        out = sys.stderr
    else:
        out = sys.stdout
    print(f"\n{name}{size.replace('<br>', ': ')}, {len(crowds)} crowds", file=out)
    print(f"  {'':24} accuracy       log loss         calib  > .99 right", file=out)
    for method, one in found.items():
        print(one.row(method), file=out)
    for method in GOALS:
        print(f"  -> {method}: {verdict(found[method], found['plurality'])}", file=out, flush=True)


def show_random(arguments: argparse.Namespace) -> None:
    """Print, for random designs with four labels or more, where there is support."""
    groups: dict[str, list[Crowd]] = {}
    for seed in range(arguments.first, arguments.first + arguments.random):
        design = random_design(np.random.default_rng(seed))
        if len(design.shares) > 3:
            kind = "points of a scale" if design.places else "classes"
            order = ", errors to neighbours" if design.near and not design.places else ""
            careless = ", a fifth careless" if design.careless else ""
            groups.setdefault(f"{kind}{order}{careless}", []).append(draw(design, seed))
    for name, crowds in sorted(groups.items()):
        print(f"\n{name}: {len(crowds)} crowds")
        for method in GOALS:
            print(outcome(METHODS[method], crowds).row(method), flush=True)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--crowds", type=int, default=20)
    parser.add_argument("--first", type=int, default=1_128_000, help="seed of the first crowd")
    parser.add_argument("--only", default="", help="designs whose name contains this")
    parser.add_argument("--markdown", action="store_true", help="a Markdown table; rest to stderr")
    parser.add_argument("--random", type=int, default=0, help="so many random designs instead")
    arguments = parser.parse_args()
    if arguments.random:
        show_random(arguments)
        return
    if arguments.markdown:
        print("| crowd |", " | ".join(f"`{method}`" for method in METHODS), "|")
        print("|---" * (len(METHODS) + 1) + "|")
    for name, (size, draws) in worlds().items():
        if arguments.only in name:
            show(name, size, draws, arguments)


if __name__ == "__main__":
    main()
