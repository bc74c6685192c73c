"""Words of the triples that norms list otherwise: another spelling, no part of speech."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from plausibly.datasets.lexica.norms import Norms, mostly
from plausibly.datasets.lexica.spellings import Spellings
from plausibly.datasets.norms import POS

# What is in Dom_Pos where no part of speech is named.
_POS_LEFT_OPEN = (
    pl.col("pos").fill_null("").str.to_lowercase().is_in(["", "#n/a", "n/a", "na", "0"])
)


@dataclass(frozen=True, slots=True)
class Wider:
    """Words of the triples that were looked up although the norms do not list them as such.

    Args:
        respelt: From the spelling of the triples to that of the norms.
        open_pos: By part of speech, rated words whose own the norms leave open.
    """

    respelt: Mapping[str, str]
    open_pos: Mapping[str, tuple[str, ...]]

    def as_json(self) -> dict[str, Any]:
        """Return all of these words."""
        return {
            "other_spelling": dict(self.respelt),
            "part_of_speech_of_the_corpus": {p: list(self.open_pos[p]) for p in POS},
        }


def widened(norms: Norms, tags: pl.DataFrame, *, known: Spellings) -> tuple[Norms, Wider]:
    """Return the norms with words they spell otherwise, or name no part of speech for.

    A word that is not rated has the rating of its other spelling. Where the norms leave the part
    of speech open (as those by Brysbaert et al. do for words their corpus of subtitles lacks:
    blogger, timeline), it is the one the word mostly has in the triples.

    Args:
        norms: Rated words; where they name a part of speech, it stays.
        tags: Words of the triples, as `corpus_tags` counts them.
        known: Spellings of the language.
    """
    rated = norms.rated
    respelt = known.respelt(tags["word"].to_list(), frozenset(rated["word"]))
    pairs = pl.DataFrame(
        {"as": list(respelt), "word": list(respelt.values())},
        schema={"as": pl.String, "word": pl.String},
    )
    borrowed = pairs.join(rated, on="word", maintain_order="left").drop("word")
    everything = pl.concat(
        [rated, borrowed.select(word="as", concreteness="concreteness", pos="pos")]
    )
    named = everything.filter(~_POS_LEFT_OPEN)
    unnamed = everything.filter(_POS_LEFT_OPEN).join(tags, on="word", maintain_order="left")
    unnamed = unnamed.join(named, on="word", how="anti", maintain_order="left")
    parts = [unnamed.filter(mostly(p, unseen=False)).with_columns(pos=pl.lit(p)) for p in POS]
    wide = pl.concat([named, *(part.select(named.columns) for part in parts)])
    open_pos = {p: tuple(part["word"].sort()) for p, part in zip(POS, parts, strict=True)}
    return replace(norms, rated=wide.sort("word", "pos")), Wider(respelt, open_pos)
