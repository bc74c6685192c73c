"""The 27 cells of PAP: how many triples each holds, which are drawn, and what is to be expected."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

import polars as pl

from plausibly.errors import StudyError
from plausibly.io.ranks import ranks
from plausibly.stimuli.ledger import Sieve
from plausibly.stimuli.pap.bins import KEPT
from plausibly.stimuli.pap.perturb import ROLES

COMBINATIONS = tuple("-".join(letters) for letters in product(KEPT, repeat=3))
SHORT_CELLS = ("stop", "take-all")


@dataclass(frozen=True, slots=True, kw_only=True)
class PapPlan:
    """What is asked of the builder.

    Args:
        seed: Same seed, same items.
        per_cell: Events of each combination and condition (section 3.2: 40).
        short_cells: What happens when a cell has fewer: `stop`, or `take-all` there is.
        without: Columns of the svo table that mark triples to leave out, such as `negated`.
        as_sentence: Give items articles, a capital and a full stop; PAP shows bare words.
        source: What the triples are called in messages, such as the name of their file.
    """

    seed: int
    per_cell: int = 40
    short_cells: str = "stop"
    without: tuple[str, ...] = ()
    as_sentence: bool = False
    source: str = "svo"

    def __post_init__(self) -> None:
        if self.per_cell < 1:
            raise StudyError(f"per_cell must be at least 1; got {self.per_cell}.")
        if self.short_cells not in SHORT_CELLS:
            raise StudyError(
                f"short_cells must be one of {', '.join(SHORT_CELLS)}; got {self.short_cells!r}."
            )


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
        "Lower --per-cell, widen the corpus sample, or pass --short-cells take-all. "
        "Nothing was written."
    )


def sampled(placed: Sieve, condition: str, *, plan: PapPlan) -> Sieve:
    """Return the sieve with at most `per_cell` triples of each cell, in the order of the seed."""
    kept = placed.kept
    key = pl.concat_str(
        pl.lit(f"sample|{condition}"), "combination", *(f"{r}_key" for r in ROLES), separator="|"
    )
    keys = kept.select(key.alias("key"))["key"]
    ordered = kept.with_columns(ranks(keys, seed=plan.seed).alias("__rank"), keys.alias("__key"))
    ordered = ordered.sort("combination", "__rank", "__key")
    place = pl.int_range(pl.len(), dtype=pl.Int64).over("combination")
    held = pl.len().over("combination")
    ordered = ordered.with_columns(place=place, held=held).drop("__rank", "__key")
    reason = pl.format("one of {} in cell {}, {} were drawn", "held", "combination", plan.per_cell)
    return placed.with_columns(ordered).drop(
        "not_sampled", where=pl.col("place") >= plan.per_cell, reason=reason
    )


def expected_cells(cells: pl.DataFrame, *, rows: int, of: int, per_cell: int) -> pl.DataFrame:
    """Return how full every cell is to be expected with another number of triples.

    A cell's share of triples is taken to stay what it is in the sample, so counts grow in
    proportion; the interval and the chance of a full cell are those of a Poisson count whose
    mean is itself uncertain by the sample's count.

    Args:
        cells: As counted in the sample.
        rows: Triples the sample had.
        of: Triples the corpus is to have.
        per_cell: What a full cell holds.
    """
    if rows < 1 or of < 1:
        raise StudyError(f"feasibility needs triples to go by; got {rows} now and {of} then.")
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
