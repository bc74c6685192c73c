"""PAP's sampled triples as items, check items at the end."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from plausibly.stimuli.pap.perturb import ROLES
from plausibly.stimuli.realise import Realiser
from plausibly.tables import ITEMS

COLUMNS = (
    "combination",
    *ROLES,
    *(f"{role}_concreteness" for role in ROLES),
    "concreteness",
    "degree",
    *(f"{role}_zipf" for role in ROLES),
    *(f"{role}_length" for role in ROLES),
    "count",
    "norms",
    "source",
)


def items_of(
    sampled: Mapping[str, pl.DataFrame],
    realiser: Realiser,
    *,
    checks: pl.DataFrame,
    as_sentence: bool = False,
) -> pl.DataFrame:
    """Return the items table of the sampled triples of each condition, checks at the end.

    Args:
        sampled: By condition, triples with `combination`, their `place` in the cell, and what
            `norms` their ratings are.
        realiser: Puts lemmas into words.
        checks: The check items.
        as_sentence: With articles, a capital and a full stop.
    """
    parts = []
    for condition, triples in sampled.items():
        number = (pl.col("place") + 1).cast(pl.String).str.zfill(2)
        kept = triples.with_columns(
            pl.lit(empty, dtype=kind).alias(name)
            for name, empty, kind in (("source", None, pl.String), ("count", 0, pl.Int64))
            if name not in triples.columns
        )
        parts.append(
            kept.select(
                pl.concat_str(pl.lit(condition), "combination", number, separator="-").alias(
                    "item"
                ),
                pl.Series("text", _texts(kept, realiser, as_sentence), dtype=pl.String),
                pl.lit(condition).alias("condition"),
                pl.lit("item").alias("kind"),
                pl.lit(None, dtype=pl.String).alias("expected"),
                *COLUMNS,
                *(["match"] if "match" in kept.columns else []),
            )
        )
    parts.append(checks)
    return ITEMS.sort(ITEMS.check(pl.concat(parts, how="diagonal")))


def _texts(triples: pl.DataFrame, realiser: Realiser, as_sentence: bool) -> list[str]:
    say = realiser.sentence if as_sentence else realiser.event
    return [say(*words) for words in triples.select(ROLES).iter_rows()]
