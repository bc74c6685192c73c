"""How often a corpus attests items, alongside how plausible people find them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.analysis.attestation import BANDS, AttestedMeans, attested_means
from plausibly.analysis.events import item_values
from plausibly.analysis.figures import Figure, write_figures
from plausibly.errors import StudyError, TableError, option
from plausibly.io import read_rows
from plausibly.io.frames import Source, as_frame, as_table
from plausibly.measures.resampling import RESAMPLES
from plausibly.ratings.sources import Ratings, only_question, read_raw_ratings, without_checks
from plausibly.study.hooks import Set
from plausibly.study.results import Result, text_table
from plausibly.study.verb import InStudy, Output, verb
from plausibly.tables import COUNTS, ITEMS, SVO

BY_ITEM = ("item",)
KEYS = (BY_ITEM, SVO.key, COUNTS.key)
COUNT, LISTED = "count", "listed"
NAME = "describe_frequency"


@dataclass(frozen=True, eq=False, repr=False)
class AttestedFrequency(Result):
    """Mean ratings by how often a corpus attests the items.

    Args:
        frequencies: item, condition, count, mean.
        attested: Means in bands of frequency, and correlations.
    """

    frequencies: pl.DataFrame
    attested: AttestedMeans

    @property
    def figures(self) -> tuple[Figure, ...]:
        """Means by frequency, with their table."""
        return (self.attested.figure("frequency"),)

    def put(self, folder: Path) -> None:
        """Write the tables, and the figure."""
        super().put(folder)
        write_figures(self.figures, folder)

    def as_json(self) -> dict[str, Any]:
        """Return correlations and bands."""
        measures = {name: one.as_json() for name, one in self.attested.correlations.items()}
        return {"spearman": measures, "bands": self.attested.bands.to_dicts()}

    def text(self) -> str:
        """Return correlations, then means by band."""
        rows = [
            (name, one.value, one.low, one.high, one.n)
            for name, one in self.attested.correlations.items()
        ]
        bands = self.attested.bands
        first = text_table(("condition", "spearman", "low", "high", "items"), rows)
        return f"{first}\n{text_table(tuple(bands.columns), bands.iter_rows())}"

    @property
    def talk(self) -> tuple[str, ...]:
        """That no item is attested, or all are attested equally often, so nothing correlates."""
        counts = self.frequencies[COUNT]
        if counts.n_unique() > 1:
            return ()
        rated = f"{counts.len():,} rated items"
        if counts[0] == 0:
            return (f"None of the {rated} is attested, so there is no correlation.",)
        return (f"All {rated} are attested equally often, so there is no correlation.",)


@verb(
    reads={"ratings": "ratings", "items": "items"},
    writes={"frequencies": f"{NAME}/frequencies.parquet"},
    output=Output(help="Folder for tables and the figure."),
    study=InStudy(
        also={"counts": None},
        wanted=Set(NAME, "counts"),
        begins=f"[{NAME}] counts",
        explained={
            "counts": "What [extract] counted, such as corpus/svo.parquet, another such table, or "
            "items.parquet for the column count of the items."
        },
    ),
)
def describe_frequency(
    ratings: Ratings,
    *,
    items: Source,
    counts: Source | None = None,
    bands: str | Sequence[int] | None = None,
    question: str | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
) -> AttestedFrequency:
    """Describe ratings by how often a corpus attests the items, with a rank correlation.

    Plausible events need not be frequent ones (Eichel and Schulte im Walde, 2023, section 2.1).

    Args:
        ratings: File or table of ratings whose answers are numbers.
        items: Items table; its column count is used if there are no counts.
        counts: Counts, as extract writes them: subject, verb, object and count, or relation, head,
            dependent and count; or item and count. An item that is not there has a count of 0.
        bands: Lowest count of each band, separated by commas (default: 0,1,2,10,100,1000).
        question: Question to describe, if the ratings answer several.
        resamples: Number of resamples for the intervals; 0 for none.
        seed: Seed for everything drawn at random.
        format: Format of the file of ratings.
        columns: Maps our column names to the file's, where they differ.
        missing: Additional answers to treat as missing, separated by commas, besides NA and N/A.

    Examples:
        plausibly describe frequency ratings.parquet --items items.parquet
        plausibly describe frequency ratings.csv --items items.csv --counts svo.parquet -o frequency

    >>> items = pl.DataFrame({"item": ["a", "b"], "text": ["cats eat fish", "cats eat ideas"],
    ...                       "count": [12, 0]})
    >>> rated = pl.DataFrame({"item": ["a", "b"], "annotator": ["x", "x"], "answer": [5, 1]})
    >>> describe_frequency(rated, items=items, resamples=0).as_json()["spearman"]["all"]["value"]
    1.0
    """
    lowest = BANDS if bands is None else _lowest(bands)
    known = as_table(items, ITEMS)
    imported = read_raw_ratings(ratings, format=format, columns=columns, missing=missing)
    table, _ = without_checks(imported.ratings, known)
    asked = table.filter(pl.col("question") == only_question(table, question))
    means = item_values(asked).select("item", "mean")
    if means.is_empty():
        raise TableError("ratings: no answer is a number, so there are no means.")
    counted = known if counts is None else _with_counts(known, _frame(counts))
    if COUNT not in counted.columns:
        raise TableError(f"items: no column 'count'. Pass {option('counts')}.")
    shown = ["condition"] if "condition" in counted.columns else []
    own = counted.select("item", *shown, pl.col(COUNT).cast(pl.Int64)).drop_nulls(COUNT)
    joined = own.join(means, on="item").sort("item")
    if joined.is_empty():
        raise TableError("no rated item has a count.")
    attested = attested_means(joined, bands=lowest, resamples=resamples, seed=seed)
    return AttestedFrequency(joined, attested)


def _lowest(bands: str | Sequence[int]) -> tuple[int, ...]:
    """Return the lowest count of each band; raise unless they are whole numbers that rise."""
    given = bands.split(",") if isinstance(bands, str) else list(map(str, bands))
    whole = all(one.strip().isdecimal() for one in given)
    lowest = tuple(int(one) for one in given) if whole else ()
    if not lowest or list(lowest) != sorted(set(lowest)):
        what = (
            f"{option('bands')} must be whole numbers in ascending order; got {', '.join(given)}."
        )
        raise StudyError(what, parameter="bands")
    return lowest


def _frame(source: Source) -> pl.DataFrame:
    if isinstance(source, str | Path):
        return read_rows(Path(source)).frame
    return as_frame(source, where="counts")


def _with_counts(items: pl.DataFrame, counts: pl.DataFrame) -> pl.DataFrame:
    """Return the items with their counts, by item or by words in any case; 0 if not there."""
    key = next((one for one in KEYS if {*one, COUNT} <= set(counts.columns)), None)
    if key is None:
        wanted = " or ".join(", ".join((*one, COUNT)) for one in KEYS)
        raise TableError(f"counts: expected the columns {wanted}.")
    absent = [name for name in key if name not in items.columns]
    if absent:
        raise TableError(f"items: no column {absent[0]!r}, which is needed to look up counts.")
    words = [pl.col(name).cast(pl.String) for name in key]
    lower = words if key == BY_ITEM else [one.str.to_lowercase() for one in words]
    number = pl.col(COUNT).cast(pl.Int64)
    known = pl.when(number.is_not_null().any()).then(number.sum())  # all null: nobody counted
    summed = counts.group_by(lower).agg(known.alias(COUNT), pl.lit(value=True).alias(LISTED))
    judged = items.drop(COUNT, strict=False).with_columns(lower)
    joined = judged.join(summed, on=list(key), how="left", maintain_order="left")
    absent_there = pl.col(LISTED).is_null()
    return joined.with_columns(pl.when(absent_there).then(0).otherwise(COUNT).alias(COUNT))
