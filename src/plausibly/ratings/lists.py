"""Latin-square lists: every person meets every group once, and every condition equally often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from plausibly.errors import StudyError
from plausibly.ratings.collection import LATIN
from plausibly.ratings.served import Content

LATIN_SQUARE = LATIN[-1]
LISTS = "lists.parquet"  # lists that were made with the items


def latin_square(
    contents: Mapping[str, Content], *, batch: int, seed: int, where: str
) -> dict[str, tuple[str, ...]]:
    """Return lists in which every group stands once and the conditions take turns.

    The groups are cut into parts of `batch`; of each part there are as many lists as conditions,
    and each condition of a group is in one of them. Where items have a language, each
    language has lists of its own, and no list has two.

    Args:
        contents: The items, with group, condition and, if they have one, language.
        batch: Groups in a list.
        seed: Of the order in which groups are taken.
        where: The file, for errors.
    """
    languages: dict[str, dict[str, Content]] = {}
    for item, content in contents.items():
        if content.kind == "item":
            languages.setdefault(content.language or "", {})[item] = content
    if len(languages) > 1 and "" in languages:
        raise StudyError(
            f"{where}: item {next(iter(languages['']))!r} has no language, but others do. "
            "Fill the column language."
        )
    lists: dict[str, tuple[str, ...]] = {}
    for language, own in sorted(languages.items()):
        prefix = f"{language}." if language else ""
        square = _square(own, batch=batch, seed=seed, where=where)
        lists |= {f"{prefix}{name}": part for name, part in square.items()}
    return lists


def _square(
    contents: Mapping[str, Content], *, batch: int, seed: int, where: str
) -> dict[str, tuple[str, ...]]:
    """Return the lists over the groups of one language."""
    groups, conditions = _crossed(contents, where)
    names = sorted(groups)
    order = [names[n] for n in np.random.default_rng(seed).permutation(len(names))]
    parts = [order[start : start + batch] for start in range(0, len(order), batch)]
    return {
        f"{p}.{shift + 1}": tuple(
            groups[group][conditions[(place + shift) % len(conditions)]]
            for place, group in enumerate(part)
        )
        for p, part in enumerate(parts, 1)
        for shift in range(len(conditions))
    }


def _crossed(
    contents: Mapping[str, Content], where: str
) -> tuple[dict[str, dict[str, str]], list[str]]:
    """Return the item of each group and condition; raise unless every group has each once."""
    groups: dict[str, dict[str, str]] = {}
    for item, content in contents.items():
        if content.kind != "item":
            continue
        if content.group is None or content.condition is None:
            raise StudyError(
                f"{where}: lists = {LATIN_SQUARE!r} needs item_group and condition of every item; "
                f"{item!r} lacks one. Add it, or omit lists."
            )
        other = groups.setdefault(content.group, {}).setdefault(content.condition, item)
        if other != item:
            raise StudyError(
                f"{where}: lists = {LATIN_SQUARE!r}: {other!r} and {item!r} have the same "
                "group and condition. Keep one of them."
            )
    conditions = sorted({one for group in groups.values() for one in group})
    short = [group for group, items in groups.items() if len(items) < len(conditions)]
    if short:
        raise StudyError(
            f"{where}: lists = {LATIN_SQUARE!r} needs an item of every group in each condition "
            f"({', '.join(conditions)}); {len(short)} groups lack one (first: {short[0]!r})."
        )
    return groups, conditions


def spaced(keys: Sequence[Hashable], lot: np.random.Generator) -> list[int]:
    """Return an order in which two equal keys are neighbours only where it cannot be helped.

    >>> order = spaced("aabb", np.random.default_rng(1))
    >>> ["aabb"[place] for place in order] in (["a", "b", "a", "b"], ["b", "a", "b", "a"])
    True
    """
    left = [int(place) for place in lot.permutation(len(keys))]
    order: list[int] = []
    while left:
        last = keys[order[-1]] if order else None
        counts = Counter(keys[place] for place in left)
        most = max(counts.values())
        # A key that makes up more than half of what is left must come now, or it meets itself.
        pressing = [key for key, count in counts.items() if count == most and 2 * count > len(left)]
        free = [place for place in left if not order or keys[place] != last] or left
        chosen = next((place for place in free if keys[place] in pressing), free[0])
        left.remove(chosen)
        order.append(chosen)
    return order
