"""The words of PAP's events looked up in concreteness norms."""

from __future__ import annotations

import polars as pl

from plausibly.analysis.events import CONSTITUENTS, letters

IRREGULAR = {"is": "be", "has": "have"}


def bare_forms(verb: str) -> list[str]:
    """Return what a verb in the third person may be a form of, the verb itself not among it.

    >>> bare_forms("carries"), bare_forms("uses"), bare_forms("has"), bare_forms("halve")
    (['carry', 'carri', 'carrie'], ['us', 'use'], ['have'], [])
    """
    if verb in IRREGULAR:
        return [IRREGULAR[verb]]
    forms = [verb[:-3] + "y"] if verb.endswith("ies") else []
    forms += [verb[:-2]] if verb.endswith("es") else []
    return [*forms, verb[:-1]] if verb.endswith("s") else forms


def rated_forms(verb: str, pos: dict[str, str]) -> list[str]:
    """Return the bare forms of a verb that have norms, those that are mostly verbs first."""
    known = [form for form in bare_forms(verb) if form in pos]
    return sorted(known, key=lambda form: pos[form] != "Verb")


def looked_up(events: pl.DataFrame, norms: pl.DataFrame) -> pl.DataFrame:
    """Return one row per constituent: item, condition, constituent, level, word, concreteness.

    Nouns are looked up as they stand, verbs without their ending; a verb of which no bare form
    has norms is looked up as it stands.
    """
    pos = dict(norms.select("word", "pos").rows())
    bare = {
        verb: next(iter(rated_forms(verb, pos)), verb) for verb in events["verb"].unique().to_list()
    }
    words = events.select(
        "item", "condition", "subject", "object", verb=pl.col("verb").replace(bare)
    ).unpivot(
        on=CONSTITUENTS,
        index=["item", "condition"],
        variable_name="constituent",
        value_name="word",
    )
    placed = words.join(letters(events), on=["item", "constituent"])
    return placed.join(norms.select("word", "concreteness"), on="word", how="left")
