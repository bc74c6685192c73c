"""Rows of groups in the order of a number, and their ranks whatever the rows count."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plausibly.measures._grouping import Floats, Indices, Ints, quotients


@dataclass(frozen=True, eq=False)
class Order:
    """Rows by group, and within a group by a number.

    Args:
        rows: The rows in this order.
        place: Where each row is in it.
        group: The group at each place, counted from 0 without gaps.
        begins: Where each group begins.
        lowest: For each place the first place with the same number.
        above: For each place the first place after it with a larger number, or the group's end.
    """

    rows: Ints
    place: Ints
    group: Ints
    begins: Ints
    lowest: Ints
    above: Ints

    def centred_ranks(self, count: Floats) -> Floats:
        """Return the average rank of each place in its group, less the mean rank of the group.

        Args:
            count: How often the row at each place counts; 0 leaves it out.
        """
        running = np.concatenate([[0.0], np.cumsum(count)])
        ends = np.append(self.begins[1:], len(count))
        middle = running[self.begins] + running[ends]
        ranks = running[self.lowest]
        ranks += running[self.above]
        ranks -= middle[self.group]
        ranks /= 2
        return ranks

    def by_group(self, amount: Floats) -> Floats:
        """Return the sum of an amount of places for each group."""
        return np.add.reduceat(amount, self.begins) if len(amount) else amount


def rank_correlations(left: Order, right: Order, count: Floats) -> Floats:
    """Return the Spearman correlation within each group; not a number where one side is constant.

    Args:
        left: The rows by group and one number.
        right: The same rows by group and the other number.
        count: How often each row counts.
    """
    left_count, right_count = count[left.rows], count[right.rows]
    left_rank, right_rank = left.centred_ranks(left_count), right.centred_ranks(right_count)
    weighted = left_count * left_rank
    product = left.by_group(weighted * right_rank[right.place[left.rows]])
    spread = left.by_group(weighted * left_rank)
    spread = spread * right.by_group(right_count * np.square(right_rank))
    return np.clip(quotients(product, np.sqrt(spread)), -1.0, 1.0)


def order_of(group: Ints, number: Indices, size: int) -> Order:
    """Return the rows by group and number; a group without a row is passed over.

    Args:
        group: The group of each row.
        number: What rows of a group are ordered by, 0 or more.
        size: Numbers lie below this.

    >>> order = order_of(np.array([1, 0, 1, 1]), np.array([5, 0, 2, 5]), size=6)
    >>> order.rows.tolist(), order.begins.tolist()
    ([1, 2, 0, 3], [0, 1])
    >>> order.centred_ranks(np.ones(4)).tolist()
    [0.0, -1.0, 0.5, 0.5]
    >>> order_of(np.array([2, 0]), np.array([5, 0]), size=6).group.tolist()
    [0, 1]
    """
    codes = group * size + number
    rows = np.argsort(codes)
    codes = codes[rows]
    place = np.empty_like(rows)
    place[rows] = np.arange(len(rows))
    starts = np.flatnonzero(np.diff(codes, prepend=-1))
    lengths = np.diff(starts, append=len(codes))
    begins = np.flatnonzero(np.diff(group[rows], prepend=-1))
    dense = np.repeat(np.arange(len(begins)), np.diff(begins, append=len(rows)))
    lowest = np.repeat(starts, lengths)
    return Order(rows, place, dense, begins, lowest, lowest + np.repeat(lengths, lengths))
