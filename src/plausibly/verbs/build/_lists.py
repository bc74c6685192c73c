"""Latin-square lists over built items, and what to say about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import polars as pl

from plausibly.datasets.lexica.frequency import FrequencyList
from plausibly.errors import StudyError, option
from plausibly.ratings.lists import latin_square
from plausibly.ratings.served import Content
from plausibly.stimuli.built import Built
from plausibly.stimuli.long import GROUP, LANGUAGE, GroupCrossing, crossing
from plausibly.verbs.build._items import with_balance

MOST_NAMED = 3
UNKNOWN = "unknown"


def with_lists(
    built: Built, lists: str | None, *, per_list: int | None, seed: int
) -> tuple[Built, tuple[str, ...]]:
    """Return what was built with its lists where they are asked for, else with a proposal.

    Args:
        built: The items.
        lists: Which lists to make; None or empty to propose them.
        per_list: Number of groups in a list; None for all.
        seed: Of the order in which lists take groups.
    """
    crossed = crossing(built.items)
    if not lists:
        return built, () if crossed is None else _proposal(crossed)
    if crossed is None or not crossed.squares:
        raise StudyError(_refusal(crossed), parameter="lists")
    judged = built.items.filter(pl.col("kind") == "item")
    if LANGUAGE not in judged.columns:
        judged = judged.with_columns(pl.lit(None, pl.String).alias(LANGUAGE))
    chosen = judged.select("item", "text", "condition", GROUP, LANGUAGE)
    contents = {
        item: Content(text, condition=condition, group=group, language=language)
        for item, text, condition, group, language in chosen.iter_rows()
    }
    square = latin_square(contents, batch=per_list or crossed.groups, seed=seed, where="items")
    rows = [
        {"survey": name, "position": place, "item": item}
        for name, part in square.items()
        for place, item in enumerate(part, 1)
    ]
    table = pl.DataFrame(rows).join(judged.select("item", GROUP, "condition", LANGUAGE), on="item")
    if not crossed.languages:
        table = table.drop(LANGUAGE)
    sizes = sorted({len(part) for part in square.values()})
    note = (
        f"{len(square)} lists of {' or '.join(map(str, sizes))} items: in each, every group "
        f"occurs once and the {len(crossed.conditions)} conditions take turns."
    )
    ordered = table.sort("survey", "position")
    return replace(built, tables={**built.tables, "lists": ordered}), (note,)


def _proposal(crossed: GroupCrossing) -> tuple[str, ...]:
    """Return what there is to say where no lists were asked for."""
    if len(crossed.conditions) < 2 or crossed.groups < 2:
        return ()
    many = len(crossed.languages)
    within = f" in each of {many} languages" if many > 1 else ""
    if crossed.squares:
        return (
            f"{crossed.groups} groups cross {len(crossed.conditions)} conditions{within}: "
            "lists = latin would give each person every group once, in conditions that take "
            "turns.",
        )
    return (f"no Latin square: {_some(crossed.problems)}. Nobody is shown two items of a group.",)


def _refusal(crossed: GroupCrossing | None) -> str:
    what = f"{option('lists')}: a Latin square needs every group in each condition, once"
    if crossed is None:
        return f"{what}; no item has both a group and a condition. Add the columns."
    if not crossed.problems:
        return (
            f"{what}, two groups and two conditions or more; there are {crossed.groups} and "
            f"{len(crossed.conditions)}."
        )
    return (
        f"{what}; {_some(crossed.problems)}. Complete the groups, or leave them out. Give fillers "
        "no condition, and the kind 'filler' in a column kind."
    )


def _some(problems: tuple[str, ...]) -> str:
    rest = len(problems) - MOST_NAMED
    more = f", and {rest} more" if rest > 0 else ""
    return "; ".join(problems[:MOST_NAMED]) + more


def balanced(
    built: Built,
    languages: Mapping[str, str | None],
    *,
    lists: Callable[[str | None], FrequencyList | None],
    seed: int = 0,
) -> Built:
    """Return what was built with its balance report, one for each language of several.

    Args:
        built: The items.
        languages: The language of each item, None if it is not known.
        lists: Returns how frequent the words of a language are; None if no list is available.
        seed: Of the probe.
    """
    of = [languages.get(item) for item in built.items["item"]]
    spoken = pl.Series("language", of, dtype=pl.String)
    parts: dict[str, object] = {}
    for one in spoken.unique().sort().to_list():
        own = built.items.filter(spoken.is_null() if one is None else spoken == one)
        part = with_balance(built, frequency=lists(one), lang=one, seed=seed, compared=own)
        parts[one or UNKNOWN] = part.documents["balance.json"]
    document = next(iter(parts.values())) if len(parts) == 1 else {"languages": parts}
    return replace(built, documents={**built.documents, "balance.json": document})
