"""PAP's sampled triples as items, with check items in our own words."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources

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
    sampled: Mapping[str, pl.DataFrame], realiser: Realiser, *, as_sentence: bool = False
) -> pl.DataFrame:
    """Return the items table of the sampled triples of each condition, checks at the end.

    Args:
        sampled: By condition, triples with `combination`, their `place` in the cell, and what
            `norms` their ratings are.
        realiser: Puts lemmas into words.
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
    parts.append(check_items(realiser, as_sentence=as_sentence))
    return ITEMS.sort(ITEMS.check(pl.concat(parts, how="diagonal")))


def check_items(realiser: Realiser, *, as_sentence: bool = False) -> pl.DataFrame:
    """Return the check items in the language of the realiser; none if we have none."""
    place = resources.files("plausibly.stimuli.pap") / "checks.toml"
    document = tomllib.loads(place.read_text(encoding="utf-8"))
    say = realiser.sentence if as_sentence else realiser.event
    rows = [
        {
            "item": f"check-{expected}-{number:02}",
            "text": say(subject, verb, thing),
            "condition": None,
            "kind": "check",
            "expected": expected,
            **dict(zip(ROLES, (subject, verb, thing), strict=True)),
        }
        for expected, triples in document.get(realiser.language.lang, {}).items()
        for number, (subject, verb, thing) in enumerate(triples, start=1)
    ]
    return pl.DataFrame(rows, schema={**ITEMS.schema, **dict.fromkeys(ROLES, pl.String)})


def _texts(triples: pl.DataFrame, realiser: Realiser, as_sentence: bool) -> list[str]:
    say = realiser.sentence if as_sentence else realiser.event
    return [say(*words) for words in triples.select(ROLES).iter_rows()]
