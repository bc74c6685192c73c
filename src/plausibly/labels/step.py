"""The step of a study that labels items from the ratings kept."""

from __future__ import annotations

import polars as pl

from plausibly.domain import LabelScheme
from plausibly.labels import METHODS
from plausibly.study import Step, Work
from plausibly.tables import ITEMS, LABELS, RATINGS


def label(
    method: str, *, scheme: LabelScheme, min_share: float, ratings: str, source: str = ""
) -> Step:
    """Return the step that fills labels.parquet.

    Args:
        method: Name of the label method a study starts with.
        scheme: How answers become labels.
        min_share: Share of ratings a strict majority needs.
        ratings: The file of ratings to label from.
        source: Where the choice is published.
    """

    def run(work: Work) -> None:
        name = work.parameters["method"]
        options: dict[str, object] = {"scheme": scheme}
        if name == "strict-majority":
            options["min_share"] = float(work.parameters["min_share"])
        if name == "agreed-by":
            options["at_least"] = work.parameters["at_least"]
        if name == "mace":
            options["seed"] = work.seed
        items = work.read("items.parquet", ITEMS).filter(pl.col("kind") == "item")
        kept = work.read(ratings, RATINGS).join(items, on="item", how="semi")
        found = METHODS[name](kept, **options)
        labels = found if isinstance(found, pl.DataFrame) else found.labels
        work.write("labels.parquet", labels, LABELS)

    return Step(
        "label",
        run,
        inputs=("items.parquet", ratings),
        outputs=("labels.parquet",),
        parameters={"method": method, "min_share": min_share, "at_least": 2},
        source=source,
    )
