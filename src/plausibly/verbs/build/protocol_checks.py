"""The checks of a protocol, added to the items of a study."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from plausibly.errors import StudyError
from plausibly.tables import ITEMS

CHECK = {
    "text": "What is shown.",
    "expected": "The right answer; several, or those of one side, are separated by commas.",
    "expected_question": "The question it belongs to (default: the first that is not a text).",
}
"""What a check says; any further key is a column of the items."""


def with_checks(items: pl.DataFrame, checks: Mapping[str, Any]) -> pl.DataFrame:
    """Return the items with the checks of a protocol at the end.

    Args:
        items: The items table.
        checks: As in `checks.toml`: [[checks]] with a text, the answer expected, and any further
            column.
    """
    rows: list[dict[str, str]] = []
    for number, check in enumerate(checks.get("checks", ()), start=1):
        for key in ("text", "expected"):
            if not isinstance(check.get(key), str):
                raise StudyError(f'checks.toml: check {number} has no {key}. Write {key} = "…".')
        rows.append({"item": f"check-{number:02}", "kind": "check", **check})
    return ITEMS.sort(ITEMS.check(pl.concat([items, pl.DataFrame(rows)], how="diagonal")))
