"""How many items of a condition a word fills in its function, and how few it could fill."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

Word = tuple[str, str, str]
"""Condition, function and word."""

Unit = Sequence[Word]
"""The words of what is drawn together: a triple, or a pair of triples."""


@dataclass(slots=True)
class Shares:
    """The words of what is drawn so far.

    Args:
        most: Items a word is to fill at most.
        total: Items a condition is to have.
        used: Items every word fills.
    """

    most: int
    total: int
    used: Counter[Word] = field(default_factory=Counter)

    def fits(self, unit: Unit) -> bool:
        """Return whether every word of the unit has room."""
        return all(self.used[word] < self.most for word in unit)

    def fullest(self, unit: Unit) -> Word:
        """Return the word of the unit that fills most items."""
        return max(unit, key=lambda word: self.used[word])

    def take(self, unit: Unit) -> None:
        """Count the words of a unit."""
        self.used.update(unit)

    def give_back(self, unit: Unit) -> None:
        """Count the words of a unit no longer."""
        self.used.subtract(unit)

    def over(self, unit: Unit) -> bool:
        """Return whether a word of the unit fills more items than it is to."""
        return any(self.used[word] > self.most for word in unit)

    def change(self, out: Unit, into: Unit) -> int:
        """Return by how much an exchange changes what words are above `most`, squared."""
        gone, come = set(out), set(into)
        lower = sum(
            2 * max(0, self.used[word] - self.most) - 1
            for word in gone - come
            if self.used[word] > self.most
        )
        higher = sum(
            2 * (self.used[word] - self.most) + 1
            for word in come - gone
            if self.used[word] >= self.most
        )
        return higher - lower

    def reason(self, unit: Unit) -> str:
        """Return why the unit was cut: which of its words fills how many items."""
        condition, role, word = self.fullest(unit)
        filled = self.used[condition, role, word]
        return f"the {role} '{word}' fills {filled} of {self.total} items, at most {self.most}"

    def crowded(self, cells: Mapping[str, Sequence[Unit]], wanted: int) -> list[dict[str, Any]]:
        """Return the words above `most`, with the fewest items they could fill in full cells.

        Args:
            cells: All the units there are for a cell, drawn or not.
            wanted: How many of them a full cell holds.
        """
        rows = []
        for word, items in sorted(self.used.items(), key=lambda one: (-one[1], one[0])):
            if items <= self.most:
                continue
            without = {
                cell: sum(word not in unit for unit in units) for cell, units in cells.items()
            }
            needed = {
                cell: min(wanted, len(units)) - without[cell]
                for cell, units in sorted(cells.items())
                if without[cell] < min(wanted, len(units))
            }
            condition, role, spelt = word
            rows.append(
                {
                    "condition": condition,
                    "function": role,
                    "word": spelt,
                    "items": items,
                    "of": self.total,
                    "asked_at_most": self.most,
                    "least_possible": sum(needed.values()),
                    "cells_that_need_it": needed,
                }
            )
        return rows
