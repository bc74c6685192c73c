"""Exhibits of the report: those of the paper, frequency in a corpus, what coders found, more."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import polars as pl

from plausibly.analysis.attestation import AttestedMeans
from plausibly.analysis.coding import CODES_DOCUMENT, codes_figure
from plausibly.analysis.confusion import confusion_figure
from plausibly.analysis.figures import Figure
from plausibly.domain import Measure
from plausibly.measures.timed import own_times
from plausibly.study.exhibits import Exhibit
from plausibly.study.protocol import Finished
from plausibly.study.steps import Work
from plausibly.study.verb import Places
from plausibly.tables import ITEMS, LABELS, RATINGS
from plausibly.verbs.report._forms import protocol_of
from plausibly.verbs.report._further import FURTHER, further_exhibits

ATTESTED_DOCUMENT, FREQUENCY = "describe_frequency.json", "frequency"
EVALUATED = "evaluate.json"
EXHIBIT_FILES = (CODES_DOCUMENT, ATTESTED_DOCUMENT, EVALUATED, *FURTHER.values())
"""Documents of steps that a study may have, which exhibits are made of."""
EXHIBIT_KEYS = tuple(FURTHER)
"""What study.toml must set for a study to have such a step."""


def drawn_exhibits(work: Work, places: Places) -> dict[str, tuple[Exhibit, ...]]:
    """Return the exhibits of the report by their part of the page."""
    return {
        "exhibits": paper_exhibits(work, places),
        "confusion": confusion_exhibits(work),
        "attested": attested_exhibits(work),
        "coded": coded_exhibits(work),
        "further": further_exhibits(work),
    }


def paper_exhibits(work: Work, places: Places) -> tuple[Exhibit, ...]:
    """Return what the protocol's paper draws, from the data of this study."""
    drawn = protocol_of(work).exhibits
    if drawn is None:
        return ()
    finished = Finished(
        folder=work.folder,
        items=work.read(places["items"], ITEMS),
        ratings=own_times(work.read(places["kept"], RATINGS)),
        labels=work.read(places["labels"], LABELS),
        seed=work.seed,
    )
    apart = _describes_frequency(work)  # then it has a section
    return tuple(one for one in drawn(finished) if not (apart and one.name == FREQUENCY))


def confusion_exhibits(work: Work) -> tuple[Exhibit, ...]:
    """Return labels against the predictions of each model; nothing if it predicts no classes."""
    scheme = work.settings.get("evaluate", {}).get("scheme")
    if not scheme or not work.has(EVALUATED):
        return ()
    document = json.loads(work.path(EVALUATED).read_text(encoding="utf-8"))
    models = document.get("models") or {document.get("model"): document}
    drawn = [
        confusion_figure(str(name), str(scheme), one["labels"], one["confusion"])
        for name, one in models.items()
        if one.get("confusion")
    ]
    return (Exhibit("confusion", "Labels and predictions", drawn),) if drawn else ()


def _describes_frequency(work: Work) -> bool:
    asked = work.settings.get("describe_frequency", {}).get("counts")
    return bool(asked) and work.has(ATTESTED_DOCUMENT)


def attested_exhibits(work: Work) -> tuple[Exhibit, ...]:
    """Return ratings by frequency in a corpus; nothing if the study does not describe them."""
    if not _describes_frequency(work):
        return ()
    document = json.loads(work.path(ATTESTED_DOCUMENT).read_text(encoding="utf-8"))
    means = AttestedMeans(
        pl.DataFrame(document["bands"], infer_schema_length=None),
        _measures(document["spearman"]),
    )
    return (Exhibit(FREQUENCY, "Ratings by frequency", [means.figure(FREQUENCY)]),)


def _measures(document: Mapping[str, Mapping[str, Any]]) -> dict[str, Measure]:
    return {
        name: Measure(
            one.get("value"),
            one["n"],
            one.get("low"),
            one.get("high"),
            reason=one.get("reason"),
        )
        for name, one in document.items()
    }


def coded_exhibits(work: Work) -> tuple[Exhibit, ...]:
    """Return the codes of a study and where coders differ; nothing if nobody coded."""
    if not work.has(CODES_DOCUMENT) or not work.settings.get("experts_codes", {}).get("sheets"):
        return ()
    document = json.loads(work.path(CODES_DOCUMENT).read_text(encoding="utf-8"))
    agreed = _measures(document["agreement"])
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
