"""What coders found, for the report of a study."""

from __future__ import annotations

import json

import polars as pl

from plausibly.analysis.coding import CODES_DOCUMENT, codes_figure
from plausibly.analysis.figures import Figure
from plausibly.domain import Measure
from plausibly.study.exhibits import Exhibit
from plausibly.study.steps import Work


def coded_exhibits(work: Work) -> tuple[Exhibit, ...]:
    """Return the codes of a study and where coders differ; nothing if nobody coded."""
    if not work.has(CODES_DOCUMENT) or not work.settings.get("experts_codes", {}).get("sheets"):
        return ()
    document = json.loads(work.path(CODES_DOCUMENT).read_text(encoding="utf-8"))
    agreed = {
        name: Measure(**{key: one.get(key) for key in ("value", "n", "low", "high")})
        for name, one in document["agreement"].items()
    }
    table = pl.DataFrame(document["codes"], infer_schema_length=None)
    coders = " and ".join(document["coders"])
    heading = f"{document['cases']:,} cases, coded by {coders}"
    codes = Exhibit("codes", heading, [codes_figure(table, agreed, document["cases"])])
    apart = document["disagreements"]
    if not apart:
        return (codes,)
    caption = f"n = {len(apart):,} of {document['cases']:,} cases."
    rows = pl.DataFrame(apart, infer_schema_length=None)
    title = "Cases coded differently"
    return (codes, Exhibit("coded-differently", title, [_table(title, caption, rows)]))


def _table(title: str, caption: str, rows: pl.DataFrame) -> Figure:
    return Figure("coded-differently", title, caption, rows, "")
