"""Generated data, comparisons and recorded references for docs/make_validation.py."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from math import floor, log10
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

HERE = Path(__file__).resolve().parent
GOLDEN = HERE / "validation_golden.json"
sys.path.insert(0, str(HERE.parent / "tests"))

from labels.crowds import Crowd, crowd  # noqa: E402
from measures.crowds import Floats, frame_of, random_grid  # noqa: E402
from plausibly.measures.coded import Coded, code  # noqa: E402

# Differences below this are rounding, which may depend on the machine.
FINEST = 1e-7
KNOWING = (0.95, 0.9, 0.8, 0.7, 0.6, 0.3, 0.1, 0.0)
SETS = {
    "gaps": "6 people, 40 items, answers 1 to 5, a third missing (seed 1)",
    "complete": "5 people, 30 items, answers 1 to 4, none missing (seed 2)",
    "labels": "200 rows of 4 ordered labels, true and predicted (seed 3)",
    "scores": "80 rows of two numbers with ties (seed 4)",
    "shares": "20 pairs of distributions over the answers 1, 2, 4 and 5 (seed 5)",
    "crowd": "300 items, 5 of 8 people each, 4 labels, skills from 0 to .95 (seed 6)",
    "sets": "4 people, 40 items, answers are sets of the letters a to d (seed 7)",
    "texts": "30 pairs of sentences of drawn words (seed 8)",
    "features": "150 items, 4 features, 6 ratings each of 3 answers (seed 9)",
    "model": "one model's answers to the items of `complete` (seed 10)",
    "g1": "360 ratings on a slider, 30 people, 16 groups",
    "g1s": "the same from another seed: a singular fit",
    "g2": "1,000 yes or no answers, 50 people, 24 groups",
    "g3": "1,000 answers from 1 to 5, 50 people, 24 groups",
    "letters": "a two-layer Llama with drawn weights; stories made up for the tests",
    "drawn": "a two-layer GPT-2 with drawn weights, 200 sentences of drawn words",
}


@dataclass(frozen=True)
class Comparison:
    """One quantity of ours next to the same of a reference.

    Args:
        name: What is compared.
        reference: Package or program.
        call: What computes it there.
        data: Key of SETS.
        ours: Our values.
        theirs: The reference's values, in the same order.
        note: What to mind.
    """

    name: str
    reference: str
    call: str
    data: str
    ours: tuple[float, ...]
    theirs: tuple[float, ...]
    note: str = ""

    @property
    def largest(self) -> float:
        """The largest difference of two values."""
        return float(np.max(np.abs(np.subtract(self.ours, self.theirs))))

    def cells(self, version_of: str) -> tuple[str, ...]:
        """Return the cells of a row."""
        more = f" (one of {len(self.ours)})" if len(self.ours) > 1 else ""
        usual = int(np.argmin(np.round(np.abs(self.theirs - np.mean(self.theirs)), 6)))
        return (
            f"`{self.name}`",
            f"{self.reference} {version_of}, `{self.call}`",
            f"`{self.data}`",
            f"{self._pair(usual)}{more}",
            bound(self.largest) if self.largest >= FINEST else "",
            self.note,
        )

    def _pair(self, place: int) -> str:
        """Return a value, with the reference's where it is printed differently."""
        ours, theirs = shown(self.ours[place]), shown(self.theirs[place])
        return ours if ours == theirs else f"{ours}, reference {theirs}"


def shown(value: float) -> str:
    """Return a value as the page prints it.

    >>> shown(0.51234567), shown(-605.2440135)
    ('0.512346', '-605.244')
    """
    return f"{value:.6g}"


def bound(difference: float) -> str:
    """Return a power of ten that is at least twice the difference.

    >>> bound(0.0), bound(3e-6), bound(9e-6)
    ('below 1e-7', 'below 1e-5', 'below 1e-4')
    """
    if difference < FINEST:
        return "below 1e-7"
    power = floor(log10(2 * difference)) + 1
    return f"below 1e{power}" if power < 0 else f"below {10**power}"


class References:
    """Values of references: computed where the package is installed, or as recorded before.

    Args:
        record: Whether to replace what is recorded by what is computed.
    """

    def __init__(self, *, record: bool = False) -> None:
        """Read what is recorded."""
        text = GOLDEN.read_text(encoding="utf-8") if GOLDEN.exists() else "{}"
        self.recorded: dict[str, dict[str, Any]] = json.loads(text)
        self.record = record
        self.versions: dict[str, str] = {}

    def values(
        self, package: str, key: str, compute: Callable[[], Sequence[float]]
    ) -> tuple[float, ...]:
        """Return the values of a Python package; `key` is the name they are recorded under."""
        if find_spec(IMPORTED.get(package, package)) is None:
            return self.stored(package, key)
        self.versions[package] = installed(package)
        values = tuple(float(one) for one in compute())
        if package in RECORDED:
            self.keep(package, key, values, self.versions[package])
        return values

    def stored(self, package: str, key: str) -> tuple[float, ...]:
        """Return values that were recorded, with the version they come from."""
        self.versions[package] = self.recorded[package]["version"]
        return tuple(self.recorded[package]["values"][key])

    def keep(self, package: str, key: str, values: Sequence[float], named: str) -> None:
        """Replace what is recorded under a key, if that was asked for."""
        if self.record:
            entry = self.recorded.setdefault(package, {"version": named, "values": {}})
            entry["version"] = named
            entry["values"][key] = [float(f"{one:.12g}") for one in values]

    def save(self) -> None:
        """Write what is recorded."""
        text = json.dumps(self.recorded, indent=1, sort_keys=True)
        GOLDEN.write_text(text + "\n", encoding="utf-8")


IMPORTED = {"scikit-learn": "sklearn", "crowd-kit": "crowdkit", "rouge-score": "rouge_score"}
# Packages the tests do not install: their values are kept in validation_golden.json.
RECORDED = ("irrCAC", "pingouin", "nltk", "rouge-score")


def installed(package: str) -> str:
    """Return the version of a package that is installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return "unknown"


def gaps() -> Floats:
    """Return people by items with gaps."""
    return random_grid(1)


def complete() -> Floats:
    """Return people by items without gaps; people lean to an item's answer."""
    generator = np.random.default_rng(2)
    true = generator.integers(1, 5, size=30)
    other = generator.integers(1, 5, size=(5, 30))
    return np.where(generator.random((5, 30)) < 0.6, true, other).astype(np.float64)


def model_answers() -> list[str]:
    """Return a model's answers to the items of `complete`."""
    generator = np.random.default_rng(10)
    grid = complete()
    person = generator.integers(5, size=30)
    answers = np.where(generator.random(30) < 0.7, grid[person, np.arange(30)], 1)
    return [f"{one:g}" for one in answers]


def coded(grid: Floats) -> Coded:
    """Return a grid as codes."""
    return code(frame_of(grid))


def labels() -> tuple[list[int], list[int]]:
    """Return true and predicted labels."""
    generator = np.random.default_rng(3)
    truth = generator.choice(4, size=200, p=[0.4, 0.3, 0.2, 0.1])
    predicted = np.where(generator.random(200) < 0.6, truth, generator.integers(4, size=200))
    return truth.tolist(), predicted.tolist()


def scores() -> tuple[Floats, Floats]:
    """Return two columns of numbers with ties."""
    generator = np.random.default_rng(4)
    one = generator.integers(8, size=80).astype(np.float64)
    return one, one + generator.integers(6, size=80)


def shares() -> tuple[Floats, Floats, Floats]:
    """Return distributions of people and of a model, and where the answers lie."""
    generator = np.random.default_rng(5)
    people, model = generator.dirichlet(np.ones(4), size=(2, 20))
    return people, model, np.array([1.0, 2.0, 4.0, 5.0])


def workers() -> Crowd:
    """Return a crowd whose truth is known."""
    return crowd(items=300, knowing=KNOWING, each=5, seed=6)


def set_answers() -> list[tuple[str, str, frozenset[str]]]:
    """Return annotator, item and a set of letters."""
    generator = np.random.default_rng(7)
    rows = []
    for item in range(40):
        true = generator.random(4) < 0.5
        for person in range(4):
            own = np.where(generator.random(4) < 0.75, true, generator.random(4) < 0.5)
            members = frozenset(letter for letter, has in zip("abcd", own, strict=True) if has)
            rows.append((f"a{person}", f"t{item:02}", members or frozenset("a")))
    return rows


def texts() -> list[tuple[str, str]]:
    """Return pairs of sentences that share words."""
    generator = np.random.default_rng(8)
    words = ["ice", "water", "cup", "table", "dog", "runs", "is", "cold", "on", "under", "very"]
    words += ["the", "a", "then"]
    return [
        (" ".join(generator.choice(words, size=9)), " ".join(generator.choice(words, size=7)))
        for _ in range(30)
    ]


def features() -> tuple[Floats, Floats]:
    """Return features, and how often each of three answers was given."""
    generator = np.random.default_rng(9)
    table = generator.normal(size=(150, 4))
    logits = table @ generator.normal(size=(4, 3))
    chances = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    return table, generator.multinomial(6, chances).astype(np.float64)


def as_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table."""
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows), ""]


def for_pandas(ratings: pl.DataFrame) -> Any:
    """Return ratings as crowd-kit reads them."""
    import pandas as pd

    columns = {"task": "item", "worker": "annotator", "label": "answer"}
    return pd.DataFrame({theirs: ratings[ours].to_list() for theirs, ours in columns.items()})
