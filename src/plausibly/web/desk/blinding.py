"""What the desk does not show while a blinded study collects: conditions, and who wrote what."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from plausibly.ratings.seen import Called
from plausibly.ratings.served import Served
from plausibly.ratings.store.pausing import CLOSED
from plausibly.web.context import Desk
from plausibly.web.desk.showing import natural


def is_hidden(desk: Desk, gate: str) -> bool:
    """Return whether conditions and candidates are hidden: a blinded study still collects."""
    return bool(desk.served.desk.get("blinded")) and gate != CLOSED


def called(served: Served, item: str) -> Called:
    """Return a number for each candidate of an item, the same on every page and for everybody.

    Numbers are drawn for each item, so that they tell nothing about the candidates of others.
    """
    content = served.contents.get(item)

    def rank(name: str) -> bytes:
        return hashlib.sha256(json.dumps([served.plan.seed, item, name]).encode()).digest()

    names = sorted(content.names if content else (), key=rank)
    compared = frozenset(one.id for one in served.form.questions if one.type == "best-of-n")
    return Called({name: str(place) for place, name in enumerate(names, 1)}, compared)


def numbered(served: Served, rows: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield rows of the ratings with a number in place of each candidate, in order of the numbers.

    The order of the names would show which number is whose.
    """
    for _, group in groupby(rows, lambda row: row["item"].rpartition("#")[0] or row["item"]):
        yield from sorted(
            (_numbered(served, row) for row in group), key=lambda row: natural(row["item"])
        )


def _numbered(served: Served, row: dict[str, Any]) -> dict[str, Any]:
    item, _, candidate = row["item"].rpartition("#")
    about = called(served, item)
    if candidate in about.to:
        return {**row, "item": f"{item}#{about.to[candidate]}"}
    about = called(served, row["item"])
    return {**row, "answer": about.answer(row["question"], row["answer"])} if about.to else row
