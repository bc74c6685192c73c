"""What the terminal says about a PAP build."""

from __future__ import annotations

from typing import Any

import polars as pl

from plausibly.datasets.lexica.italian import gender_by_ending
from plausibly.datasets.lexica.italian_verbs import guesses
from plausibly.errors import SHOWN
from plausibly.stimuli.built import Built
from plausibly.stimuli.pap.cells import PapPlan
from plausibly.stimuli.pap.identity import identity_notes
from plausibly.stimuli.pap.perturb import COSTS
from plausibly.verbs.build._items import guess_notes


def pap_notes(
    built: Built,
    report: dict[str, Any],
    *,
    plan: PapPlan,
    cells: pl.DataFrame,
    goals: dict[str, Any],
    groups: dict[str, Any],
) -> tuple[str, ...]:
    """Return the sentences about a build."""
    return (
        *_talk(report),
        *_guessed(built.items, report["language"], sentences=plan.as_sentence),
        *_asked_in(report["language"]),
        *_matched(built),
        *_short(cells, plan),
        *_crowded(built.documents["words.json"]),
        *identity_notes(groups, SHOWN),
        *_price(plan.draw),
        _reached(goals),
    )


def _guessed(items: pl.DataFrame, lang: str, *, sentences: bool) -> tuple[str, ...]:
    """Return which Italian words have a form that no rule or list covers, to be read again."""
    if lang != "it":
        return ()
    words = {"verbs": guesses(items["verb"])}
    if sentences:
        nouns = {*items["subject"], *items["object"]}
        words["nouns"] = sorted(noun for noun in nouns if gender_by_ending(noun)[1])
    return guess_notes(words)


def _asked_in(lang: str) -> tuple[str, ...]:
    """Return what a study sets for items that are not in the language of the form."""
    if lang == "en":
        return ()
    return (
        f'In a study with these items, set [form] language = "{lang}": practice and eligibility '
        "follow it.",
    )


def _price(draw: str) -> tuple[str, ...]:
    """Return what a draw cost in our trial; nothing if it was not tried."""
    cost = COSTS.get(draw)
    if cost is None:
        return ()
    return (
        f"draw {draw}: in our trial {cost['plausible']} of {cost['read']} perturbed events were "
        f"plausible on reading, and word frequencies predicted the condition with an AUC of "
        f"{cost['auc_frequency']:.2f} (balance.json has the other draws). Read your items.",
    )


def _reached(goals: dict[str, Any]) -> str:
    missed = [name for name, one in goals.items() if not one["reached"]]
    table = f"not reached: {', '.join(missed)}" if missed else "all reached"
    return f"goals of design, {len(goals) - len(missed)} of {len(goals)}: {table} (goals.json)."


def _matched(built: Built) -> tuple[str, ...]:
    return tuple(
        f"matched by {column}: {found['matches']} pairs, differing by "
        f"{found['mean_difference']:.3g} on average and {found['largest_difference']:.3g} at most."
        for column, found in built.documents.get("matching.json", {}).items()
        if found["matches"]
    )


def _crowded(words: list[dict[str, Any]]) -> tuple[str, ...]:
    if not words:
        return ()
    first = words[0]
    return (
        f"words that fill more than {first['asked_at_most']} items of a condition: {len(words)} "
        f"(words.json), above all the {first['function']} '{first['word']}' of the "
        f"{first['condition']} events: {first['items']} of {first['of']}; full cells need at "
        f"least {first['least_possible']}.",
    )


def _short(cells: pl.DataFrame, plan: PapPlan) -> tuple[str, ...]:
    short = cells.filter(pl.col("taken") < plan.per_cell)
    if short.is_empty():
        return ()
    rows = [
        f"  {condition} {combination}: {taken} of {plan.per_cell}"
        for condition, combination, _, taken in short.iter_rows()
    ]
    return (f"{short.height} of {cells.height} cells are short:", *rows)


def _looked_up(wider: dict[str, Any] | None) -> list[str]:
    """Return how many words were found in the norms although they are not listed as such."""
    respelt = wider["other_spelling"] if wider else {}
    open_pos = wider["part_of_speech_of_the_corpus"] if wider else {}
    left_open = sum(len(words) for words in open_pos.values())
    if not respelt and not left_open:
        return []
    return [
        f"norms: {len(respelt)} words of the triples are looked up under another spelling, "
        f"{left_open} have their part of speech from the triples (lexica.json). Looking words "
        "up exactly drops them, as published."
    ]


def _talk(report: dict[str, Any]) -> tuple[str, ...]:
    norms = report["norms"]
    notes = [norms["note"]] if norms["predicted"] else []
    notes += _looked_up(norms["look_up"])
    notes += [report["frequency"]["note"]] if report["frequency"] else []
    notes += [report["profanity"]["note"]]
    for pos, found in norms["filter"].items():
        printed = ""
        if found["published"] is not None:
            printed = f" (published {found['published']}, difference {found['difference']})"
        notes.append(
            f"{pos}s: {found['rated']} rated, {found['frequent_enough']} pass the filter"
            f"{printed}, {found['seen_in_the_corpus']} of them in the corpus."
        )
    return tuple(note for note in notes if note)
