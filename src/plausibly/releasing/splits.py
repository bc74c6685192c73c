"""Splits without leaks: what two items share puts them on the same side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from plausibly.errors import StudyError, UnknownName, option
from plausibly.io.ranks import rank


def split_items(
    items: pl.DataFrame, *, shares: Mapping[str, float], by: Sequence[str], seed: int
) -> pl.DataFrame:
    """Return the items with a column `split`; items that share a value are on one side.

    Checks and gold items are on no side: their `split` is null.

    Items that share a value in any of the columns are one group, and so are items joined by a
    chain of such values. Groups are drawn in a seeded order; each goes to the side that lacks
    most of its share.

    Args:
        items: The items table.
        shares: From the name of a side to its share; they sum to 1.
        by: Columns whose values must not be on two sides.
        seed: Of the order.

    Raises:
        StudyError: If shares do not sum to 1, or one group is larger than the largest side may be.
    """
    if not shares or abs(sum(shares.values()) - 1) > 1e-9 or min(shares.values()) <= 0:
        raise StudyError(f"shares of the splits must be above 0 and sum to 1; got {dict(shares)}.")
    for column in by:
        if column not in items.columns:
            raise UnknownName("column of items", column, items.columns)
    judged = items.filter(pl.col("kind") == "item") if "kind" in items.columns else items
    groups = _groups(judged, by)
    order = sorted(groups, key=lambda group: (-len(group), rank(seed, min(group))))
    largest = len(order[0]) / judged.height if order else 0.0
    if largest > max(shares.values()):
        raise StudyError(
            f"{largest:.0%} of the items are linked by {', '.join(by)}, more than the largest "
            f"split may hold ({max(shares.values()):.0%}). Split by fewer columns."
        )
    sides = _placed(order, shares, judged.height)
    side = pl.col("item").replace_strict(sides, default=None, return_dtype=pl.String)
    return items.with_columns(split=side)


def _groups(items: pl.DataFrame, by: Sequence[str]) -> list[list[str]]:
    """Return the names of items that hang together, by union and find."""
    parent: dict[str, str] = {item: item for item in items["item"]}

    def root(item: str) -> str:
        while parent[item] != item:
            parent[item] = parent[parent[item]]
            item = parent[item]
        return item

    for column in by:
        first: dict[object, str] = {}
        for item, value in items.select("item", column).iter_rows():
            if value is not None:
                parent[root(item)] = root(first.setdefault(value, item))
    groups: dict[str, list[str]] = {}
    for item in items["item"]:
        groups.setdefault(root(item), []).append(item)
    return list(groups.values())


def _placed(
    groups: Sequence[Sequence[str]], shares: Mapping[str, float], total: int
) -> dict[str, str]:
    room = {side: share * total for side, share in shares.items()}
    sides: dict[str, str] = {}
    for group in groups:
        side = max(room, key=lambda name: (room[name], name))
        room[side] -= len(group)
        sides |= dict.fromkeys(group, side)
    return sides


def parse_shares(text: str) -> dict[str, float]:
    """Return the share of each split.

    >>> parse_shares("train=0.8,test=0.2")
    {'train': 0.8, 'test': 0.2}
    """
    shares: dict[str, float] = {}
    for part in text.split(","):
        name, _, share = part.partition("=")
        try:
            shares[name.strip()] = float(share)
        except ValueError as error:
            raise StudyError(
                f"{option('splits')} {text!r}: {part!r} is not a share. Write train=0.8,test=0.2.",
                parameter="splits",
            ) from error
    return shares
