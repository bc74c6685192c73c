"""Items that are in two sets: in two files of one's own, or in a released set as well."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from itertools import combinations

import polars as pl

_APART = re.compile(r"[\W_]+")
_PAIR = ("relation", "head", "dependent")
Key = tuple[str, ...]


@dataclass(frozen=True, slots=True, order=True)
class Leak:
    """One item of a set that is in another one too.

    Args:
        first: A set.
        item: Its item.
        second: The other set.
        other: The item there.
        kind: `same_item` where all words are the same, `same_sentence` where the sentence before
            the change is (ADEPT's first sentence).
    """

    first: str
    item: str
    second: str
    other: str
    kind: str

    def as_json(self) -> dict[str, str]:
        """Return the leak as it is printed."""
        return asdict(self)


def leaks(sets: Mapping[str, pl.DataFrame]) -> list[Leak]:
    """Return what any two sets share; checks are left out, since sets share them by design.

    Pairs of words are the same where relation, head and dependent are, other items where all words
    of their text are; case and punctuation do not matter.

    >>> one = pl.DataFrame({"item": ["a"], "text": ["A dog barks."], "kind": ["item"]})
    >>> other = pl.DataFrame({"item": ["b"], "text": ["a dog barks"], "kind": ["item"]})
    >>> [(leak.item, leak.other) for leak in leaks({"mine": one, "theirs": other})]
    [('a', 'b')]
    """
    keyed = {name: _keyed(items) for name, items in sets.items()}
    return sorted(
        Leak(first, item, second, other, kind)
        for first, second in combinations(keyed, 2)
        for kind, keys in keyed[first].items()
        for key in keys.keys() & keyed[second].get(kind, {}).keys()
        for item in keys[key]
        for other in keyed[second][kind][key]
    )


def _keyed(items: pl.DataFrame) -> dict[str, dict[Key, list[str]]]:
    """Return by kind of leak from what is compared to the items that have it."""
    judged = items.filter(pl.col("kind") == "item") if "kind" in items.columns else items
    pairs = set(_PAIR) <= set(items.columns)
    found = {"same_item": _by(judged, _PAIR if pairs else ("text",))}
    if "sentence1" in items.columns:
        found["same_sentence"] = _by(judged, ("sentence1",))
    return found


def _by(items: pl.DataFrame, columns: tuple[str, ...]) -> dict[Key, list[str]]:
    by: dict[Key, list[str]] = defaultdict(list)
    for item, *texts in items.select("item", *columns).iter_rows():
        key = tuple(_words(texts))
        if key:
            by[key].append(str(item))
    return dict(by)


def _words(texts: list[str | None]) -> Iterator[str]:
    for text in texts:
        yield from (part for part in _APART.split((text or "").casefold()) if part)
