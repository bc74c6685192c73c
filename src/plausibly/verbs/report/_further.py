"""Tables of steps that a study has only if it asks for them: experts, other sets, counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from plausibly.analysis.figures import Figure
from plausibly.io import read_json
from plausibly.study.exhibits import Exhibit
from plausibly.study.steps import Work

FURTHER = {
    "experts_compare.ratings": "experts_compare.json",
    "describe_pairs.sets": "describe_pairs.json",
    "score_overlap.assertions": "score_overlap.json",
    "score_pseudo.counts": "score_pseudo.json",
    "score_candidates.candidates": "score_candidates.json",
}
"""From the key with which a study has a step to what the step writes."""
MEASURED = ("value", "low", "high", "n")
Document = Mapping[str, Any]


def further_exhibits(work: Work) -> tuple[Exhibit, ...]:
    """Return what the steps report that this study has besides those of its protocol's paper."""
    made: list[Exhibit] = []
    for place, file in FURTHER.items():
        section, _, key = place.partition(".")
        if work.settings.get(section, {}).get(key) and work.has(file):
            heading, tables = SHOWN[section]
            drawn = [one for one in tables(read_json(work.path(file))) if one.table.height]
            made.append(Exhibit(section.replace("_", "-"), heading, drawn))
    return tuple(made)


def _measured(
    names: tuple[str, ...], rows: Sequence[tuple[tuple[str, ...], Document]]
) -> pl.DataFrame:
    """Return measures as a table; every row begins with what its measure is of."""
    kinds = {**dict.fromkeys(names, pl.String), **dict.fromkeys(MEASURED[:3], pl.Float64)}
    cells = [(*of, *(one.get(name) for name in MEASURED)) for of, one in rows]
    return pl.DataFrame(cells, schema={**kinds, MEASURED[3]: pl.Int64}, orient="row")


def _experts(document: Document) -> list[Figure]:
    measures = {
        "kappa between experts": document["kappa_between_experts"],
        "share experts agree on": document["agreed"],
        "kappa of these with the crowd": document["kappa_agreed_with_crowd"],
        **{f"kappa of {n} with the crowd": m for n, m in document["kappa_with_crowd"].items()},
    }
    table = _measured(("measure",), [((name,), one) for name, one in measures.items()])
    judged = f"{document['items']:,} items judged by all experts"
    pairs = pl.DataFrame([{"pair": pair, **n} for pair, n in document["directions"].items()])
    return [
        Figure("experts", "Experts and the crowd", f"{judged}; 95 % intervals.", table, ""),
        Figure("experts-directions", "How two answers differ", f"{judged}.", pairs, ""),
    ]


def _pairs(document: Document) -> list[Figure]:
    table = pl.DataFrame([{"set": name, **one} for name, one in document["sets"].items()])
    caption = "A word counts once per set."
    return [Figure("pair-sets", "Relations, words and pairs", caption, table, "")]


def _overlap(document: Document) -> list[Figure]:
    rows = [
        ((relation, group, way), one)
        for relation, groups in document["coverage"].items()
        for group, ways in groups.items()
        for way, one in ways.items()
    ]
    table = _measured(("relation", "group", "match"), rows)
    caption = "Share of the pairs of each group that an assertion matches; 95 % intervals."
    drop, add = (pl.DataFrame(document[name], infer_schema_length=None) for name in ("drop", "add"))
    low = f"{drop.height:,} assertions match only pairs with a low score."
    high = f"{add.height:,} pairs have a high score and no assertion."
    return [
        Figure("overlap", "Pairs that assertions match", caption, table, ""),
        Figure("overlap-drop", "Assertions to drop", low, drop, ""),
        Figure("overlap-add", "Assertions to add", high, add, ""),
    ]


def _pseudo(document: Document) -> list[Figure]:
    rows = [
        ((relation, model, kind), one)
        for relation, models in document["relations"].items()
        for model, kinds in models.items()
        for kind, one in kinds.items()
    ]
    table = _measured(("relation", "model", "negatives"), rows)
    caption = "Share of attested pairs that a model prefers; chance is .5. Intervals over heads."
    return [Figure("pseudo", "Attested pairs against made-up ones", caption, table, "")]


def _candidates(document: Document) -> list[Figure]:
    systems = pl.DataFrame(document["systems"], infer_schema_length=None)
    rows = [
        ((question, metric), one)
        for question, metrics in document["correlations"].items()
        for metric, one in metrics.items()
    ]
    table = _measured(("question", "metric"), rows)
    ranks = "Rank correlation among the candidates of one item; n items, 95 % intervals."
    return [
        Figure("candidates", "Means of each system", "Sentences against references.", systems, ""),
        Figure("candidates-people", "Metrics and people's ratings", ranks, table, ""),
    ]


SHOWN: Mapping[str, tuple[str, Callable[[Document], list[Figure]]]] = {
    "experts_compare": ("Experts' judgements", _experts),
    "describe_pairs": ("Sets of word pairs", _pairs),
    "score_overlap": ("Overlap with assertions", _overlap),
    "score_pseudo": ("Pseudo-disambiguation", _pseudo),
    "score_candidates": ("Sentences and references", _candidates),
}
"""From a step to the heading of its tables and what makes them."""
