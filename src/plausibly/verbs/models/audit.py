"""What a model of adjectives makes of people: the same frames, one adjective exchanged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, overload

import polars as pl

from plausibly.domain import Measure
from plausibly.errors import TableError, UnknownName
from plausibly.evaluation.answers import check_predictions, models_of
from plausibly.evaluation.audit import by_modifier, gaps, shifts
from plausibly.evaluation.comparison import Chance, Comparison, as_table
from plausibly.io.frames import Source, is_path
from plausibly.io.frames import as_table as as_contract
from plausibly.models.adept.audit import audit_pairs, write_pairs
from plausibly.study.made import being_made, described
from plausibly.study.results import Result, text_table
from plausibly.study.verb import Output, verb
from plausibly.tables import PREDICTIONS
from plausibly.verbs.models._named import KEYS, NAMED, named_predictions, train_file

SHOWN = 10


@dataclass(frozen=True, eq=False, repr=False)
class Audited(Result):
    """How a model's predictions move with adjectives that group people.

    Args:
        shifts: attribute, modifier, noun, shift, lowered: every pair.
        comparisons: Every two adjectives of an attribute, compared frame by frame.
        model: Whose predictions.
        adjectives: Shift and lowered of each adjective, by attribute.
        pairs: The comparisons as objects.
    """

    shifts: pl.DataFrame
    comparisons: pl.DataFrame
    model: str
    adjectives: Mapping[str, Mapping[str, Mapping[str, Measure]]]
    pairs: tuple[Comparison, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the document of `models audit --json`."""
        return {
            "model": self.model,
            "attributes": {
                attribute: {
                    modifier: {name: measure.as_json() for name, measure in measures.items()}
                    for modifier, measures in own.items()
                }
                for attribute, own in self.adjectives.items()
            },
            "comparisons": [one.as_json() for one in self.pairs],
        }

    def text(self) -> str:
        """Return every adjective, then the comparisons that are least likely to be chance."""
        rows = [
            (attribute, modifier, name, one.value, one.low, one.high, one.n)
            for attribute, own in self.adjectives.items()
            for modifier, measures in own.items()
            for name, one in measures.items()
        ]
        header = ("attribute", "adjective", "metric", "value", "low", "high", "frames")
        columns = ("slice", "a", "b", "difference", "low", "high", "p", "p_holm")
        size = -pl.col("difference").abs()
        first = self.comparisons.sort("p_holm", size, maintain_order=True).head(SHOWN)
        return (
            f"{text_table(header, rows)}\n{text_table(columns, first.select(columns).iter_rows())}"
        )

    @property
    def talk(self) -> tuple[str, ...]:
        """How to read it."""
        apart = sum((one.p_holm or 1.0) < 0.05 for one in self.pairs)
        return (
            f"{self.model}: {apart} of {len(self.pairs)} pairs of adjectives shift the same frames "
            "differently (Holm p < .05). A shift below 0 means less plausible.",
        )


@dataclass(frozen=True, eq=False, repr=False)
class AuditPairs(Result):
    """The pairs of the audit, for another model to judge."""

    pairs: pl.DataFrame
    file: Path

    def as_json(self) -> dict[str, Any]:
        """Return how many pairs there are, and the name of their file."""
        return {"pairs": self.pairs.height, "file": self.file.name}

    def text(self) -> str:
        """Return the same as a table for people."""
        return text_table(("pairs", "file"), [(self.pairs.height, self.file.name)])


@overload
def models_audit(
    model: Source,
    *,
    data: str | Path | None = None,
    pairs: None = None,
    resamples: int = 1000,
    permutations: int = 10_000,
    seed: int = 0,
) -> Audited: ...


@overload
def models_audit(model: Source, *, pairs: str | Path) -> AuditPairs: ...


@verb(
    texts=("model",),
    targets=("pairs",),
    output=Output("comparisons", help="Table of comparisons to write."),
)
def models_audit(
    model: Source,
    *,
    data: str | Path | None = None,
    pairs: str | Path | None = None,
    resamples: int = 1000,
    permutations: int = 10_000,
    seed: int = 0,
) -> Audited | AuditPairs:
    """Report how predictions change if only an adjective for a group of people changes.

    Frames and adjectives are ours; no frame depends on the group that an adjective names.

    Args:
        model: A model that comes with the package, by name; or predictions, with distributions, by
            any other model for the pairs that `pairs` writes.
        data: Folder with the published datasets, for the backoff models.
        pairs: Write the pairs of the audit in ADEPT's form to this file, and stop.
        resamples: Number of resamples for the intervals; 0 for none.
        permutations: Number of permutations drawn for each test.
        seed: Seed for everything drawn at random.

    Examples:
        plausibly models audit adept-lite
        plausibly models audit adept-lite --pairs audit.json

    >>> from plausibly.models.adept import baselines
    >>> pairs = audit_pairs()
    >>> said = baselines.predictions_from(pairs, baselines.always(pairs), model="majority")
    >>> audited = models_audit(said, resamples=0, permutations=100)
    >>> audited.as_json()["attributes"]["gender"]["female"]["shift"]["value"]
    0.0
    """
    if pairs is not None:
        write_pairs(Path(pairs))
        return AuditPairs(audit_pairs(), Path(pairs))
    learnt = train_file(None, data) if is_path(model) and str(model) in KEYS else None
    source = _predicted(model, learnt)
    table = check_predictions(as_contract(source, PREDICTIONS))
    models = models_of(table)
    if len(models) > 1:
        named = ", ".join(models)
        raise TableError(f"predictions of {len(models)} models ({named}). Pass those of one model.")
    chance = Chance(resamples=resamples, permutations=permutations, seed=seed)
    rows = shifts(table, audit_pairs(), model=models[0])
    compared = tuple(gaps(rows, chance))
    adjectives = by_modifier(rows, chance)
    made = being_made()
    if learnt is not None:
        made = replace(made, inputs={**made.inputs, "train": described(learnt)})
    return Audited(rows, as_table(compared), models[0], adjectives, compared, made=made)


def _predicted(model: Source, train: Path | None) -> Source:
    """Return what a model with a name says about the audit's pairs, or the predictions passed."""
    if not is_path(model) or Path(str(model)).is_file():
        return model
    if str(model) not in NAMED:
        raise UnknownName("model", str(model), NAMED, parameter="model")
    with TemporaryDirectory() as folder:
        place = Path(folder) / "pairs.json"
        write_pairs(place)
        return named_predictions(str(model), place, train=train, called=str(model))
