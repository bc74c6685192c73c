"""Splits of pairs: at random as published, and such that no sentence or noun leaks."""

from __future__ import annotations

from collections.abc import Iterable

import polars as pl

from plausibly.io.ranks import rank

# Emami et al. (2021), Table 4: 12,892, 1,611 and 1,612 of 16,115.
SHARES = {"train": 0.8, "val": 0.1, "test": 0.1}


def random_split(items: Iterable[str], *, seed: int) -> dict[str, str]:
    """Return the split of every item, drawn at random without looking at labels."""
    ordered = sorted(items, key=lambda item: (rank(seed, f"split|{item}"), item))
    splits: dict[str, str] = {}
    start, share = 0, 0.0
    for name, part in SHARES.items():
        share += part
        end = round(share * len(ordered))
        splits |= dict.fromkeys(ordered[start:end], name)
        start = end
    return splits


def leak_free_split(pairs: pl.DataFrame, *, seed: int) -> dict[str, str]:
    """Return the split of every item such that no first sentence or noun is in two splits.

    Pairs that share a sentence or a noun, directly or through others, stay together; groups
    go to the split that lacks most, large ones first, then in the order of the seed.

    Args:
        pairs: item, noun, sentence1.
        seed: For the order of groups of one size.
    """
    rows = pairs.select("item", "noun", "sentence1").sort("item").rows()
    group = _grouped(rows)
    members: dict[str, list[str]] = {}
    for item, _, _ in rows:
        members.setdefault(group[item], []).append(item)
    ordered = sorted(members, key=lambda name: (-len(members[name]), rank(seed, f"group|{name}")))
    filled = dict.fromkeys(SHARES, 0)
    splits: dict[str, str] = {}
    for name in ordered:
        split = max(SHARES, key=lambda one: SHARES[one] * len(rows) - filled[one])
        filled[split] += len(members[name])
        splits |= dict.fromkeys(members[name], split)
    return splits


def _grouped(rows: Iterable[tuple[str, str, str]]) -> dict[str, str]:
    """Return the smallest key that each item is connected with through nouns and sentences."""
    parent: dict[str, str] = {}

    def root(key: str) -> str:
        while parent.setdefault(key, key) != key:
            parent[key] = parent[parent[key]]
            key = parent[key]
        return key

    items: dict[str, str] = {}
    for item, noun, sentence in rows:
        keys = sorted((root(f"n|{noun.casefold()}"), root(f"s|{sentence}")))
        parent[keys[1]] = keys[0]
        items[item] = keys[0]
    return {item: root(key) for item, key in items.items()}
