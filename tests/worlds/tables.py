"""Small tables written inline: `ratings_of({"t1": "5542"})`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import polars as pl

from plausibly.domain import as_number
from plausibly.tables import RATINGS


def ratings_of(
    answers: Mapping[str, str | Sequence[str]], *, question: str = "rating"
) -> pl.DataFrame:
    """Return ratings: each item's answers in order, given by annotators a0, a1, …; "-" is none."""
    rows = [
        {
            "item": item,
            "annotator": f"a{place}",
            "question": question,
            "answer": answer,
            "value": as_number(answer),
        }
        for item, given in answers.items()
        for place, answer in enumerate(given)
        if answer != "-"
    ]
    return RATINGS.check(pl.DataFrame(rows, schema={**RATINGS.schema}))
