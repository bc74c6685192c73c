"""Items that repeat each other, and those that do so across conditions or splits."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import polars as pl

SHOWN = 20
LEAST_WORDS = 3  # texts of fewer words are near too many others
# The columns that distinguish items whose template is the same: all of a group, or else the text.
KEY_COLUMNS = (("subject", "verb", "object"), ("head", "dependent"))
_APART = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Repeats:
    """Groups of items with one text, and of items whose texts differ by one word.

    Args:
        same: Groups with the same words, each a list of items.
        near: Groups whose words are the same but for one place.
        near_items: How many items have such a neighbour.
        leaking: By column (condition, split), groups of the same words on two sides of it.
        judged_on: The columns whose words were compared for `near`.
        compared: How many items have enough words to be compared for `near`.
    """

    same: tuple[tuple[str, ...], ...]
    near: tuple[tuple[str, ...], ...]
    near_items: int
    leaking: Mapping[str, tuple[tuple[str, ...], ...]]
    judged_on: tuple[str, ...] = ("text",)
    compared: int = 0

    def as_json(self) -> dict[str, object]:
        """Return counts and the first groups."""
        return {
            "same": {"groups": len(self.same), "first": [list(g) for g in self.same[:SHOWN]]},
            "one_word_apart": {
                "items": self.near_items,
                "groups": len(self.near),
                "judged_on": list(self.judged_on),
                "compared": self.compared,
                "first": [list(g) for g in self.near[:SHOWN]],
            },
            "leaking": {
                column: {"groups": len(groups), "first": [list(g) for g in groups[:SHOWN]]}
                for column, groups in self.leaking.items()
            },
        }


def repeats(items: pl.DataFrame, *, by: str = "condition") -> Repeats:
    """Return which items repeat each other.

    Whether two are one word apart is judged on the words they are made of where columns hold
    them (subject, verb and object, or head and dependent): a template is the same for all.

    Args:
        items: With item, text, and the columns that repeats may leak across.
        by: A column two sides of which should share no text; `split` is looked at as well.
    """
    same = _groups((spelt, item) for item, spelt in _words(items, ("text",)).items())
    judged_on = key_columns(items.columns) or ("text",)
    words = _words(items, judged_on)
    masks = (
        ((spelt[:place], None, spelt[place + 1 :]), item)
        for item, spelt in words.items()
        if len(spelt) >= LEAST_WORDS
        for place in range(len(spelt))
    )
    near = [group for group in _groups(masks) if len({words[item] for item in group}) > 1]
    return Repeats(
        same=tuple(same),
        near=tuple(near),
        near_items=len({item for group in near for item in group}),
        leaking={
            column: tuple(_across(same, items, column))
            for column in dict.fromkeys((by, "split"))
            if column in items.columns
        },
        judged_on=judged_on,
        compared=sum(len(spelt) >= LEAST_WORDS for spelt in words.values()),
    )


def key_columns(columns: Collection[str]) -> tuple[str, ...]:
    """Return the columns that together hold an item's words, if it has them.

    >>> key_columns(["item", "head", "dependent"]), key_columns(["item", "verb"])
    (('head', 'dependent'), ())
    """
    return next((keys for keys in KEY_COLUMNS if set(keys) <= set(columns)), ())


def _words(items: pl.DataFrame, columns: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the words of each item, by its name."""
    return {
        item: tuple(
            part for text in texts for part in _APART.split(str(text or "").casefold()) if part
        )
        for item, *texts in items.select("item", *columns).sort("item").iter_rows()
    }


def _groups(named: Iterable[tuple[object, str]]) -> list[tuple[str, ...]]:
    groups: defaultdict[object, list[str]] = defaultdict(list)
    for key, item in named:
        groups[key].append(item)
    return sorted(tuple(group) for group in groups.values() if len(group) > 1)


def _across(
    groups: Sequence[tuple[str, ...]], items: pl.DataFrame, column: str
) -> list[tuple[str, ...]]:
    side = dict(items.select("item", column).iter_rows())
    return [group for group in groups if len({side[item] for item in group}) > 1]
