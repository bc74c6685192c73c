"""Models of events learnt from PAP's people: a part of docs/results/events.md.

Called by `docs/make_results_labels.py`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
from make_results_pseudo import parser_of
from results_soft import cell

import plausibly as pb
from plausibly.measures.holm import holm

NORMS = Path("norms") / "brysbaert2014_concreteness.tsv"
PLAIN = ("vectors", "frequency", "concreteness", "counts")
SETS = {
    "word vectors": ("vectors",),
    "frequency": ("frequency",),
    "concreteness (rated)": ("concreteness",),
    "PP and DS": ("counts",),
    "MiniLM": ("minilm",),
    "all but MiniLM": PLAIN,
    "all": (*PLAIN, "minilm"),
}
PAIRS = (("MiniLM", "word vectors"), ("all", "all but MiniLM"), ("all", "events-lite"))
LEARNT = """
## What is learnt from people (`plausibly models fit events`)

A regression on the shares of people who find an event plausible (`models/events.py`), against the
human label (pap-binary). Every event is judged by a fit that saw no event with its verb (five folds
of verbs); the penalty of a fit was chosen within the events it saw. Groups of features have equal
weight, whatever their size.
PP and DS come from the 66 MB extract of Wikipedia, parsed by {parser}; PAP's
attested events are from Wikipedia, too.
p is from exchanging two models verb by verb, corrected for the three comparisons (Holm).
events-lite did not learn from people.
"""


HEADING = "## What is learnt from people"
BY_EVENT = "In this section, intervals draw single events."


def kept(page: Path) -> list[str]:
    """Return the old part of the page, and state that its intervals draw single events."""
    text = page.read_text(encoding="utf-8")
    own = HEADING + text.partition(HEADING)[2].partition("\n## ")[0]
    if "event by event" in own and BY_EVENT not in own:
        own = own.replace("\n\n|", f"\n{BY_EVENT}\n\n|", 1)
    return ["", *own.rstrip("\n").split("\n"), ""]


def learnt(file: Path, data: Path, counts: Path, lite: pl.DataFrame) -> list[str]:
    """Return the part on models that learn from PAP's people, each row cross-validated."""
    said = {"events-lite": lite}
    for name, features in SETS.items():
        said[name] = pb.models_fit_events(
            file,
            features=",".join(features),
            counts=counts if "counts" in features else None,
            norms=data / NORMS if "concreteness" in features else None,
            name=name,
            resamples=0,
        ).predictions
    rows = {
        name: pb.evaluate(one, against=file, scheme="pap-binary").as_json()
        for name, one in said.items()
    }
    lines = ["| learnt from | auc | accuracy | n |", "|---|---|---|---|"]
    lines += [
        f"| {name} | {cell(one['auc'])} | {cell(one['accuracy'])} | {one['n']} |"
        for name, one in rows.items()
    ]
    about = LEARNT.format(parser=parser_of(counts))
    return [*about.split("\n"), *lines, "", *_gaps(said, file), ""]


def _gaps(said: dict[str, pl.DataFrame], file: Path) -> list[str]:
    """Return the differences of chosen pairs of models, p corrected for their number."""
    compared = [_area(said[a], said[b], file) for a, b in PAIRS]
    corrected = holm([row["p"] for row in compared])
    return [
        f"{a} minus {b}, area: {row['difference']:.3f} ({row['low']:.3f} to {row['high']:.3f}), "
        f"p = {p:.4f}.  "
        for (a, b), row, p in zip(PAIRS, compared, corrected, strict=True)
    ]


def _area(first: pl.DataFrame, second: pl.DataFrame, file: Path) -> dict[str, Any]:
    rows = pb.compare([first, second], against=file, scheme="pap-binary").as_json()["comparisons"]
    return next(row for row in rows if row["metric"] == "auc")
