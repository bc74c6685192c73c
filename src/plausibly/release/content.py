"""What goes into a release, before anything is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from plausibly.release.about import About, Source
from plausibly.release.licences import Licence

ORDER = ("items", "ratings", "labels", "annotators", "exclusions")
TABLE_NOTES = {
    "items": "one thing to judge",
    "ratings": "one answer by one annotator to one question about one item",
    "labels": "what the ratings of an item say; an empty label is disagreement",
    "annotators": "one person or system under a pseudonym",
    "exclusions": "one rating that cleaning set aside, with the rule and the reason",
}
COLUMN_NOTES = {
    "item": "name of the item",
    "text": "what was shown",
    "condition": "how the item was made",
    "kind": "item, check, gold or attention",
    "expected": "the answer a check expects",
    "annotator": "pseudonym of who answered",
    "question": "which question was answered",
    "answer": "the answer as given",
    "value": "place of the answer on the scale",
    "seconds": "time the answer took",
    "label": "the label; empty where people disagree",
    "method": "how the label came about",
    "support": "share of the ratings or probability behind the label",
    "ratings": "number of ratings behind the label",
    "distribution": "probability of each label, as JSON",
    "rule": "the cleaning rule",
    "reason": "why the rule applied",
    "step": "which step of cleaning",
    "approval": "share of accepted work on the platform, 0 to 100",
    "split": "side of the split the item is on",
    "comment": "what the annotator wrote",
}


@dataclass(frozen=True, eq=False)
class ReleaseContent:
    """A release as it will be written.

    Args:
        name: Of the study.
        protocol: It follows.
        tables: By name.
        about: What the author says.
        licence: That follows from the author's choice and the sources.
        sources: What it was made from.
        forms: Files in the paper's own forms, from path to content.
        notes: What could not be done, and why.
        agreement: What `agree` measured, where it ran.
        cascade: What cleaning did, where it ran.
        settings: The study's settings.
    """

    name: str
    protocol: str
    tables: Mapping[str, pl.DataFrame]
    about: About
    licence: Licence
    sources: Sequence[Source] = ()
    forms: Mapping[str, pl.DataFrame | str] = field(default_factory=dict)
    notes: Sequence[str] = ()
    agreement: Mapping[str, Any] = field(default_factory=dict)
    cascade: Sequence[Mapping[str, Any]] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What the dataset is called."""
        return self.about.title or self.name

    @property
    def simulated(self) -> bool:
        """Whether any annotator is simulated."""
        annotators = self.tables.get("annotators")
        return annotators is not None and bool((annotators["kind"] == "simulated").any())

    def files(self) -> dict[str, tuple[str, ...]]:
        """Return the Parquet files of each table: one, or one for each side of a split."""
        return {
            name: tuple(f"data/{file}" for file in parts(name, table))
            for name, table in self.tables.items()
        }


def parts(name: str, table: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Return the files a table is written to: items by split where they have one."""
    if name != "items" or "split" not in table.columns:
        return {f"{name}.parquet": table}
    sides = table["split"].unique().sort().to_list()
    return {f"items-{side}.parquet": table.filter(split=side) for side in sides}
