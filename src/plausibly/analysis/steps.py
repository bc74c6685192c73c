"""The steps of a study that measure agreement and write the report."""

from __future__ import annotations

import json
from collections.abc import Mapping

import polars as pl

from plausibly.analysis.report import Material, render
from plausibly.measures.agreement import agreement
from plausibly.measures.jaccard import parse_sides
from plausibly.measures.resampling import Resampling
from plausibly.study import Step, Work
from plausibly.study.manifest import versions
from plausibly.tables import EXCLUSIONS, ITEMS, LABELS, RATINGS


def agree(*, sides: str, ratings: str, source: str = "") -> Step:
    """Return the step that fills agreement.json from the ratings of items, checks left out."""

    def run(work: Work) -> None:
        items = work.read("items.parquet", ITEMS).filter(pl.col("kind") == "item")
        kept = work.read(ratings, RATINGS).join(items, on="item", how="semi")
        found = agreement(
            kept,
            sides=parse_sides(work.parameters["sides"]),
            resampling=Resampling(
                units=work.parameters["resample"],
                resamples=work.parameters["resamples"],
                seed=work.seed,
            ),
        )
        (document,) = [one.as_json() for one in found.values()]
        work.write_json("agreement.json", document)

    return Step(
        "agree",
        run,
        inputs=("items.parquet", ratings),
        outputs=("agreement.json",),
        parameters={"sides": sides, "resample": "both", "resamples": 1000},
        source=source,
    )


def report(*, ratings: str, exclusions: str | None, label_names: Mapping[str, str]) -> Step:
    """Return the step that writes report.html from everything before it."""
    inputs = ["items.parquet", "ratings.parquet", ratings, "labels.parquet", "agreement.json"]

    def run(work: Work) -> None:
        ledger = work.read(exclusions, EXCLUSIONS) if exclusions else EXCLUSIONS.empty()
        material = Material(
            name=work.folder.resolve().name,
            items=work.read("items.parquet", ITEMS),
            collected=work.read("ratings.parquet", RATINGS),
            kept=work.read(ratings, RATINGS),
            exclusions=ledger,
            labels=work.read("labels.parquet", LABELS),
            agreement=json.loads(work.path("agreement.json").read_text(encoding="utf-8")),
            label_names=label_names,
            min_share=float(work.settings["label"]["min_share"]),
            made={"seed": work.seed, **versions()},
        )
        work.write_text("report.html", render(material))

    return Step(
        "report",
        run,
        inputs=tuple(dict.fromkeys([*inputs, *([exclusions] if exclusions else [])])),
        outputs=("report.html",),
    )
