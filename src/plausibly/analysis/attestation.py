"""How often a corpus attests items, and how plausible people find them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

from plausibly.analysis.figures import Figure
from plausibly.analysis.figures.drawing import Span, axis, draw_spans
from plausibly.analysis.showing import minus
from plausibly.domain import Measure
from plausibly.io.wording import plural
from plausibly.measures.correlation import spearman
from plausibly.measures.ratios import ratio_bootstrap
from plausibly.measures.resampling import RESAMPLES, cluster_bootstrap

BANDS = (0, 1, 2, 10, 100, 1000)
ALL = "all"
UNKNOWN = "unknown"


@dataclass(frozen=True, eq=False)
class AttestedMeans:
    """Mean ratings by how often items are attested.

    Args:
        bands: condition, band, items, value, low, high: the mean of the items' means.
        correlations: By condition, and for all items, Spearman's rho of count and mean rating.
    """

    bands: pl.DataFrame
    correlations: Mapping[str, Measure]

    def figure(self, name: str) -> Figure:
        """Return the bands as a figure with its table."""
        title = "Mean rating by frequency in the corpus"
        rows = self.bands.filter(pl.col("condition") != ALL) if self._split else self.bands
        spans = [
            Span(
                f"{row['condition']}, {_said(row['band'])}" if self._split else _said(row["band"]),
                row["value"],
                row["low"],
                row["high"],
                f"{row['value']:.2f}, n = {row['items']:,}",
            )
            for row in rows.iter_rows(named=True)
        ]
        limits = [x for one in spans for x in (one.value, one.low, one.high) if x is not None]
        drawing = draw_spans(spans, title=title, scale=axis("mean rating", limits))
        return Figure(name, title, self._caption(), self.bands, drawing)

    @property
    def _split(self) -> bool:
        return len(self.correlations) > 1

    def _caption(self) -> str:
        n = int(self.bands.filter(pl.col("condition") == ALL)["items"].sum())
        about = [_correlated(name, one) for name, one in self.correlations.items()]
        counted = f"n = {plural(n, 'item')}, by how often they occur in the corpus; 95 % intervals."
        return " ".join([counted, *about])


def _said(band: str) -> str:
    """Return a band of counts as the name of a row.

    >>> _said("not attested"), _said("2 to 9")
    ('not attested', 'count 2 to 9')
    """
    return f"count {band}" if band[0].isdigit() else band


def _correlated(condition: str, rho: Measure) -> str:
    whose = "all items" if condition == ALL else f"{condition} items"
    if rho.value is None:
        reason = str(rho.reason).replace("values of the first column", "counts")
        reason = reason.replace("values of the second column", "mean ratings")
        return f"Spearman's rho of count and mean rating, {whose}, is undefined: {reason}."
    limits = "" if rho.low is None else f" (95 % CI {rho.low:z.2f} to {rho.high:z.2f})"
    return minus(f"Spearman's rho of count and mean rating, {whose}: {rho.value:z.2f}{limits}.")


def attested_means(
    rated: pl.DataFrame,
    *,
    bands: Sequence[int] = BANDS,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> AttestedMeans:
    """Return mean ratings in bands of frequency, and their rank correlation with the counts.

    Items are drawn for intervals, so they are about more items like these.

    Args:
        rated: item, mean and count, with a condition where there are several.
        bands: Lowest count of each band.
        resamples: Number of resamples for the intervals; 0 for none.
        seed: Random seed; the same seed gives the same intervals.
    """
    condition = pl.col("condition") if "condition" in rated.columns else pl.lit(ALL)
    table = rated.with_columns(condition=condition.cast(pl.String).fill_null(UNKNOWN)).sort("item")
    names = table["condition"].unique().sort().to_list()
    parts = {name: table.filter(pl.col("condition") == name) for name in names}
    parts = {**(parts if len(names) > 1 else {}), ALL: table}
    rows = [
        (name, *row) for name, part in parts.items() for row in _bands(part, bands, resamples, seed)
    ]
    schema = ["condition", "band", "items", "value", "low", "high"]
    return AttestedMeans(
        pl.DataFrame(rows, schema=schema, orient="row", infer_schema_length=None),
        {name: _correlation(part, resamples, seed) for name, part in parts.items()},
    )


def _bands(
    part: pl.DataFrame, bands: Sequence[int], resamples: int, seed: int
) -> list[tuple[str, int, float | None, float | None, float | None]]:
    rows = []
    for low, high in pairwise((*bands, None)):
        own = part.filter(pl.col("count") >= low)
        own = own if high is None else own.filter(pl.col("count") < high)
        if own.is_empty():
            continue
        means = own["mean"].to_numpy()
        mean = ratio_bootstrap(means, np.ones(len(means)), resamples=resamples, seed=seed)
        rows.append((_band(low, high), own.height, mean.value, mean.low, mean.high))
    return rows


def _band(low: int | None, high: int | None) -> str:
    if low == 0 and high == 1:
        return "not attested"
    if high is None:
        return f"{low:,} or more"
    return f"{low:,}" if low is not None and high == low + 1 else f"{low:,} to {high - 1:,}"


def _correlation(part: pl.DataFrame, resamples: int, seed: int) -> Measure:
    counts, means = part["count"].to_numpy(), part["mean"].to_numpy()
    return cluster_bootstrap(
        lambda rows: spearman(counts[rows], means[rows]),
        np.arange(len(counts)),
        resamples=resamples,
        seed=seed,
        within=(-1.0, 1.0),
    )
