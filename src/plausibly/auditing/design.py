"""Who rated what: ratings per item and person, overlap, connections, and gaps."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, csr_array
from scipy.sparse.csgraph import connected_components

from plausibly.auditing.findings import AuditFinding, Numbers, Section, Severity, unknown
from plausibly.auditing.question import RatedQuestion
from plausibly.io.wording import plural
from plausibly.measures.coded import Floats

MOST_PAIRS = 20_000_000
MOST_COLUMNS, MOST_ROWS = 60, 24
Ints = npt.NDArray[np.int64]
NO_IDS = "No annotator has two ratings, so people cannot be compared."


def design_section(question: RatedQuestion) -> Section:
    """Return the design of a question's ratings."""
    coded = question.coded
    known = question.people_known
    parts = _parts(question) if known else None
    return {
        "items": coded.n_items,
        "annotators": coded.n_annotators if known else None,
        "ratings": coded.n_ratings,
        "ratings_per_item": _spread(question.per_item),
        "ratings_per_person": _spread(question.per_person) if known else None,
        "rated_once": int((question.per_item < 2).sum()),
        "people_known": known,
        "complete_share": coded.n_ratings / (coded.n_items * coded.n_annotators) if known else None,
        "connected_share": unknown(NO_IDS) if parts is None else _connected(question, parts),
        "grid": None if parts is None else _grid(question, parts),
        "overlap": _overlap(question) if known else unknown(NO_IDS),
    }


def _spread(counts: Floats) -> Section:
    quarters = np.quantile(counts, [0, 0.25, 0.5, 0.75, 1]).tolist()
    names = ("least", "lower_quartile", "median", "upper_quartile", "most")
    return {**dict(zip(names, quarters, strict=True)), "mean": float(counts.mean())}


def _parts(question: RatedQuestion) -> Ints:
    """Return the part of the graph that each item, then each person, belongs to."""
    coded = question.coded
    size = coded.n_items + coded.n_annotators
    ends = (coded.item, coded.annotator + coded.n_items)
    graph = coo_array((np.ones(coded.n_ratings, dtype=np.int8), ends), shape=(size, size))
    return np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)


def _grid(question: RatedQuestion, parts: Ints) -> list[list[float]]:
    """Return who rated what in rough: people (rows) by items (columns), the share of cells filled.

    Parts of the graph lie next to each other, and people are ordered by the items they rated.
    """
    coded = question.coded
    items, people = coded.n_items, coded.n_annotators
    column = np.empty(items, dtype=np.int64)
    column[np.argsort(parts[:items], kind="stable")] = np.arange(items)
    mean = np.bincount(coded.annotator, weights=column[coded.item], minlength=people)
    order = np.lexsort((mean / question.per_person, parts[items:]))
    row = np.empty(people, dtype=np.int64)
    row[order] = np.arange(people)
    wide, high = min(items, MOST_COLUMNS), min(people, MOST_ROWS)
    places = [
        place * size // whole for place, size, whole in ((row, high, people), (column, wide, items))
    ]
    cell = places[0][coded.annotator] * wide + places[1][coded.item]
    filled = np.bincount(cell, minlength=high * wide).reshape(high, wide)
    sizes = np.outer(np.bincount(places[0], minlength=high), np.bincount(places[1], minlength=wide))
    return [[float(one) for one in line] for line in np.round(filled / sizes, 3)]


def _connected(question: RatedQuestion, of: Ints) -> Section:
    """Return the share of items in the largest part of the graph of items and people."""
    coded, parts = question.coded, int(of.max()) + 1
    largest = int(np.bincount(of[: coded.n_items]).max())
    share = largest / coded.n_items
    what = "All items are connected by people who rated several of them."
    if parts > 1:
        what = (
            f"Items and people fall into {parts:,} parts without a person in common; the largest "
            f"holds {share:.0%} of the items."
        )
    return {"value": share, "n": coded.n_items, "count": parts, "what": what}


def _overlap(question: RatedQuestion) -> Section:
    """Return how many pairs of people share items, and how many they share."""
    coded = question.coded
    people = coded.n_annotators
    items = affordable(question.per_item, MOST_PAIRS)
    kept = items[coded.item]
    ones = np.ones(int(kept.sum()), dtype=np.int32)
    table = csr_array(
        (ones, (coded.annotator[kept], coded.item[kept])), shape=(people, coded.n_items)
    )
    shared = (table @ table.T).tocoo()
    upper = shared.coords[0] < shared.coords[1]
    pairs, counts = people * (people - 1) // 2, shared.data[upper]
    share = float(len(counts) / pairs) if pairs else None
    return {
        "value": share,
        "pairs": pairs,
        "shared_items": float(np.median(counts)) if len(counts) else 0.0,
        "items_used": int(items.sum()),
        **({} if pairs else {"reason": "There is only one annotator."}),
    }


def affordable(per_item: Floats, most: int) -> npt.NDArray[np.bool_]:
    """Return which items are used: all, or as many at random as have few enough pairs."""
    order = np.random.default_rng(0).permutation(len(per_item))
    used = np.zeros(len(per_item), dtype=np.bool_)
    used[order[np.cumsum(np.square(per_item[order])) <= most]] = True
    return used


def missing_section(question: RatedQuestion, *, asked: int | None) -> Section:
    """Return which ratings are missing, by item and by person.

    Args:
        question: The ratings.
        asked: Pairs of item and annotator that answered any question; None for one question.
    """
    typical = float(np.median(question.per_item))
    short = question.per_item < typical / 2
    return {
        "other_questions_only": None if asked is None else asked - question.coded.n_ratings,
        "items_with_half_the_typical_ratings": int(short.sum()),
        "typical_ratings_per_item": typical,
        "people_with_half_the_typical_ratings": _short_people(question),
    }


def missing_cells(cells: int, silent: int, ratings: int) -> Section:
    """Return how many answers of the whole source are missing."""
    share = cells / max(cells + ratings, 1)
    return {"value": share, "n": cells + ratings, "cells": cells, "items_without_answer": silent}


def missing_findings(section: Section, numbers: Numbers) -> Iterator[AuditFinding]:
    """Yield that many answers are missing, or all answers about an item."""
    lost, cells, silent = (section[name] for name in ("value", "cells", "items_without_answer"))
    if lost > numbers["missing_share"]:
        severity: Severity = "serious" if lost > numbers["missing_serious"] else "minor"
        message = f"{lost:.0%} of the answers are missing ({cells:,})."
        yield AuditFinding("missing_answers", severity, message, cells, (), "missing")
    if silent:
        message = f"{plural(silent, 'item')} {'has' if silent == 1 else 'have'} no answer."
        yield AuditFinding("items_without_answer", "minor", message, silent, (), "missing")


def _short_people(question: RatedQuestion) -> int | None:
    if not question.people_known:
        return None
    typical = float(np.median(question.per_person))
    return int((question.per_person < typical / 2).sum())


def design_findings(
    question: RatedQuestion, design: Section, numbers: Numbers
) -> Iterator[AuditFinding]:
    """Yield what the design cannot support."""
    few = int((question.per_item < numbers["few_ratings"]).sum())
    share = few / question.coded.n_items
    if share > numbers["few_ratings_share"]:
        yield AuditFinding(
            "few_ratings",
            "serious",
            f"{plural(few, 'item')} ({share:.0%}) {'has' if few == 1 else 'have'} fewer than "
            f"{numbers['few_ratings']:.0f} ratings.",
            few,
            evidence="design",
        )
    parts = design["connected_share"].get("count", 1)
    if parts > 1:
        yield AuditFinding(
            "unconnected",
            "minor",
            f"Items and people fall into {parts:,} parts without a person in common; items "
            "in different parts also differ in who rated them.",
            parts,
            evidence="design",
        )
