"""The 27 cells of PAP: how many triples each holds, which are drawn, and what is to be expected."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import product

import polars as pl

from plausibly.errors import StudyError, option
from plausibly.stimuli.pap.bins import KEPT

COMBINATIONS = tuple("-".join(letters) for letters in product(KEPT, repeat=3))
SHORT_CELLS = ("stop", "take-all")


@dataclass(frozen=True, slots=True, kw_only=True)
class PapPlan:
    """What is asked of the builder.

    Args:
        seed: Random seed; the same seed gives the same items.
        per_cell: Number of events for each combination and condition (section 3.2: 40).
        short_cells: What happens when a cell has fewer: `stop`, or `take-all` there is.
        without: Columns of the svo table that mark triples to leave out, such as `negated`.
        as_sentence: Give items articles, a capital and a full stop; PAP shows bare words.
        source: What the triples are called in messages, such as the name of their file.
        draw: Where the words of perturbed triples come from: `matched`, `token` or `type`.
        exchanged: How many words of a triple are exchanged: 2, or 1 as a comparison arm.
        per_word: The largest share of a condition's items that have the same word in the same
            function, as far as the cells allow; 0 for no limit, as published.
        match: From column to the largest difference between an attested triple and the perturbed
            one it is paired with; nothing is paired without.
    """

    seed: int
    per_cell: int = 40
    short_cells: str = "stop"
    without: tuple[str, ...] = ()
    as_sentence: bool = False
    source: str = "svo"
    draw: str = "matched"
    exchanged: int = 2
    per_word: float = 0.02
    match: Mapping[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.per_cell < 1:
            raise StudyError(f"per_cell must be at least 1; got {self.per_cell}.")
        if self.short_cells not in SHORT_CELLS:
            raise StudyError(
                f"short_cells must be one of {', '.join(SHORT_CELLS)}; got {self.short_cells!r}."
            )
        if not 0 <= self.per_word <= 1:
            raise StudyError(f"per_word must be in [0, 1]; got {self.per_word}.")


def cell_counts(placed: Mapping[str, pl.DataFrame], *, plan: PapPlan) -> pl.DataFrame:
    """Return for every condition and combination how many triples there are and are taken."""
    parts = []
    for condition, triples in placed.items():
        counts = triples.group_by("combination").agg(available=pl.len().cast(pl.Int64))
        grid = pl.DataFrame({"combination": COMBINATIONS})
        full = grid.join(counts, on="combination", how="left", maintain_order="left")
        parts.append(full.with_columns(pl.lit(condition).alias("condition")))
    cells = pl.concat(parts).with_columns(pl.col("available").fill_null(0))
    taken = pl.min_horizontal("available", pl.lit(plan.per_cell, dtype=pl.Int64))
    return cells.select("condition", "combination", "available", taken=taken)


def require_full(cells: pl.DataFrame, *, plan: PapPlan) -> None:
    """Raise with the table of short cells, unless the plan takes what there is."""
    short = cells.filter(pl.col("available") < plan.per_cell)
    if short.is_empty() or plan.short_cells == "take-all":
        return
    lines = [
        f"{condition:<10} {combination:<12} {available:>9} {plan.per_cell:>7}"
        for condition, combination, available, _ in short.iter_rows()
    ]
    head = f"{'condition':<10} {'combination':<12} {'available':>9} {'wanted':>7}"
    raise StudyError(
        "\n".join([head, *lines])
        + f"\n{short.height} of {cells.height} cells hold fewer triples than were asked for. "
        f"Lower {option('per_cell')}, enlarge the corpus sample, predict the norms of more words "
        f"({option('norms')} predicted), or take all there are ({option('short_cells')} take-all). "
        "Nothing was written."
    )


def expected_cells(cells: pl.DataFrame, *, rows: int, of: int, per_cell: int) -> pl.DataFrame:
    """Return how full every cell is to be expected with another number of triples.

    A cell's share of triples is taken to stay what it is in the sample, so counts grow in
    proportion; the interval and the chance of a full cell are those of a Poisson count whose
    mean is itself uncertain by the sample's count.
    """
    if rows < 1 or of < 1:
        raise StudyError(
            f"feasibility needs at least one triple; got {rows} in the sample, {of} planned."
        )
    growth = of / rows
    found = []
    for condition, combination, available, _ in cells.iter_rows():
        mean = available * growth
        # Poisson noise of the larger sample plus that of the estimate, which growth magnifies.
        sd = math.sqrt(mean + available * growth**2) or growth
        found.append(
            {
                "condition": condition,
                "combination": combination,
                "available": available,
                "expected": mean,
                "low": max(0.0, mean - 1.96 * sd),
                "high": mean + 1.96 * sd,
                "chance_full": _above(per_cell - 0.5, mean, sd),
                "rows_needed": math.ceil(per_cell * rows / available) if available else None,
            }
        )
    return pl.DataFrame(found, schema_overrides={"rows_needed": pl.Int64})


def _above(bound: float, mean: float, sd: float) -> float:
    return 0.5 * math.erfc((bound - mean) / (sd * math.sqrt(2)))
