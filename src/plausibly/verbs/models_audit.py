"""What a model of adjectives makes of people: the same frames, one adjective exchanged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from plausibly.domain import Measure
from plausibly.errors import TableError
from plausibly.evaluation.answers import check_predictions, models_of
from plausibly.evaluation.audit import by_modifier, gaps, shifts
from plausibly.evaluation.comparison import Chance, Comparison, as_table
from plausibly.io.frames import Source
from plausibly.io.frames import as_table as as_contract
from plausibly.models.adept.audit import audit_pairs
from plausibly.study.results import Made, Result, text_table
from plausibly.tables import PREDICTIONS

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
        made: How this came about.
    """

    shifts: pl.DataFrame
    comparisons: pl.DataFrame
    model: str
    adjectives: Mapping[str, Mapping[str, Mapping[str, Measure]]]
    pairs: tuple[Comparison, ...]
    made: Made

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
            f"{self.model}: {apart} of {len(self.pairs)} pairs of adjectives move the same frames "
            "differently (Holm p < .05). A shift of 0 is equally likely, below 0 less plausible.",
        )


def models_audit(
    predictions: Source,
    *,
    resamples: int = 1000,
    permutations: int = 10_000,
    seed: int = 0,
) -> Audited:
    """Say how predictions about the audit's pairs move with adjectives that group people.

    Args:
        predictions: Predictions of one model about the pairs of the audit, with distributions.
        resamples: Draws of frames for the intervals; 0 for none.
        permutations: Arrangements drawn for the tests.
        seed: What is drawn from.

    >>> from plausibly.models.adept import baselines
    >>> pairs = audit_pairs()
    >>> said = baselines.predictions_from(pairs, baselines.always(pairs), model="majority")
    >>> audited = models_audit(said, resamples=0, permutations=100)
    >>> audited.as_json()["attributes"]["gender"]["female"]["shift"]["value"]
    0.0
    """
    table = check_predictions(as_contract(predictions, PREDICTIONS))
    models = models_of(table)
    if len(models) > 1:
        raise TableError(f"predictions of {len(models)} models ({', '.join(models)}). Pass one.")
    chance = Chance(resamples=resamples, permutations=permutations, seed=seed)
    rows = shifts(table, audit_pairs(), model=models[0])
    pairs = tuple(gaps(rows, chance))
    made = Made(
        "models audit",
        inputs={"predictions": predictions},
        parameters={"resamples": resamples, "permutations": permutations},
        seed=seed,
    )
    return Audited(rows, as_table(pairs), models[0], by_modifier(rows, chance), pairs, made)
