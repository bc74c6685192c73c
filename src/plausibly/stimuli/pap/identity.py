"""Events that name people by a group, which raters are asked to judge (PAP's ethics statement)."""

from __future__ import annotations

from typing import Any

import polars as pl

from plausibly.datasets.lexica.identity import identity_terms

PLACES = ("subject", "object")
ENGLISH = "en"
UNLISTED = "Nouns that name a group of people are listed for English only, so none are reported."


def identity_events(items: pl.DataFrame) -> pl.DataFrame:
    """Return item, condition, place and term of every event that names people by a group.

    >>> events = {"item": ["e"], "condition": ["attested"], "subject": ["widow"], "object": ["tea"]}
    >>> identity_events(pl.DataFrame(events)).rows()
    [('e', 'attested', 'subject', 'widow')]
    """
    terms = identity_terms()
    words = items.unpivot(
        PLACES, index=["item", "condition"], variable_name="place", value_name="term"
    ).drop_nulls("term")
    named = pl.Series([terms.names_group(word) for word in words["term"]], dtype=pl.Boolean)
    return words.filter(named).with_columns(pl.col("term").str.to_lowercase()).sort("term", "item")


def identity_report(items: pl.DataFrame, lang: str) -> dict[str, Any]:
    """Return how many events name people by a group, by term and condition.

    Args:
        items: As `build pap` makes them.
        lang: Language of the events.
    """
    if lang != ENGLISH:
        return {"note": UNLISTED}
    events = identity_events(items.filter(pl.col("kind") == "item"))
    counts = events.group_by("term", "condition").agg(pl.col("item").n_unique())
    terms: dict[str, dict[str, int]] = {}
    for term, condition, number in counts.sort("term", "condition").iter_rows():
        terms.setdefault(term, {})[condition] = number
    return {"events": events["item"].n_unique(), "terms": terms, "items": _items(events)}


def _items(events: pl.DataFrame) -> dict[str, list[str]]:
    each = events.group_by("term").agg(pl.col("item").unique().sort()).sort("term")
    return dict(each.iter_rows())


def identity_notes(report: dict[str, Any], shown: int) -> tuple[str, ...]:
    """Return the report in a sentence; nothing if no event names such people."""
    if "note" in report:
        return (report["note"],)
    if not report["events"]:
        return ()
    terms = sorted(report["terms"], key=lambda one: (-sum(report["terms"][one].values()), one))
    listed = ", ".join(f"{one} {sum(report['terms'][one].values())}" for one in terms[:shown])
    events = report["events"]
    naming = "1 event names" if events == 1 else f"{events} events name"
    return (f"{naming} a group of people ({listed}; identity.json). Read them before you ask.",)
