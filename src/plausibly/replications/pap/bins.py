"""How cleanly concreteness separates PAP's letters a, m and c."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import polars as pl

from plausibly.analysis.events import CONSTITUENTS
from plausibly.replications.pap.release import CONDITIONS
from plausibly.replications.printed import Value

Tokens = list[tuple[float, str]]  # concreteness and word of every token, smallest first

LETTERS = ("a", "m", "c")
OTHER = dict(zip(CONDITIONS, reversed(CONDITIONS), strict=True))
QUINTILES = (0.2, 0.4, 0.6, 0.8)
FIFTHS = np.array(["a", "", "m", "", "c"])
POS = {"subject": "Noun", "verb": "Verb", "object": "Noun"}
# A word this far from the rest of its bin was not looked up in the form that is shown.
WIDE_GAP = 0.5
# Mid-range words of one condition beyond all those of the other: condition, where, constituent.
BEYOND = (
    ("perturbed", "below", "subject"),
    ("attested", "above", "subject"),
    ("perturbed", "above", "object"),
)


@dataclass(frozen=True, eq=False)
class Bins:
    """The tokens of one condition and constituent, by letter, exceptions set apart."""

    kept: dict[str, Tokens]
    misplaced: Tokens
    strays: Tokens


def bin_numbers(words: pl.DataFrame, norms: pl.DataFrame) -> dict[str, Value]:
    """Return the numbers on bins from the words looked up and the norms themselves."""
    every = {
        (condition, name): _bins(words, condition, name)
        for condition in CONDITIONS
        for name in CONSTITUENTS
    }
    numbers: dict[str, Value] = {}
    for (condition, name), found in every.items():
        numbers[f"pap.norms.misplaced.{condition}.{name}"] = len(found.misplaced)
        numbers[f"pap.norms.range.{condition}.{name}"] = {
            letter: [kept[0][0], kept[-1][0]] if kept else None
            for letter, kept in found.kept.items()
        }
    for one, place, name in BEYOND:
        numbers[f"pap.norms.two_binnings.{one}_{name}s_{place}"] = _beyond(
            every[one, name].kept["m"], every[OTHER[one], name].kept["m"], place
        )
    return {**numbers, **_exceptions(list(every.values()), norms), **_fifths(words, norms)}


def _bins(words: pl.DataFrame, condition: str, constituent: str) -> Bins:
    chosen = words.filter(
        (pl.col("condition") == condition) & (pl.col("constituent") == constituent)
    ).drop_nulls("concreteness")
    tokens: dict[str, Tokens] = {
        letter: sorted(
            chosen.filter(pl.col("level") == letter).select("concreteness", "word").rows()
        )
        for letter in LETTERS
    }
    misplaced = [
        token for low, high in pairwise(LETTERS) for token in _misplaced(tokens[low], tokens[high])
    ]
    strays = [token for found in tokens.values() for token in _strays(found)]
    odd = {*misplaced, *strays}
    kept = {letter: [t for t in found if t not in odd] for letter, found in tokens.items()}
    return Bins(kept, misplaced, strays)


def _misplaced(low: Tokens, high: Tokens) -> Tokens:
    """Return the fewest tokens that are on the wrong side of any one cut between two bins."""
    wrong = [
        [token for token in low if token[0] > cut] + [token for token in high if token[0] <= cut]
        for cut in sorted({value for value, _ in low})
    ]
    return min(wrong, key=len, default=[])


def _strays(tokens: Tokens) -> Tokens:
    """Return the smaller part of a bin that a wide gap splits, or nothing."""
    gaps = [high[0] - low[0] for low, high in pairwise(tokens)]
    if not gaps or max(gaps) <= WIDE_GAP:
        return []
    at = gaps.index(max(gaps)) + 1
    return min(tokens[:at], tokens[at:], key=len)


def _beyond(tokens: Tokens, others: Tokens, place: str) -> int | None:
    if not others:
        return None
    low, high = others[0][0], others[-1][0]
    return sum(value < low if place == "below" else value > high for value, _ in tokens)


def _exceptions(every: list[Bins], norms: pl.DataFrame) -> dict[str, Value]:
    values: dict[str, float] = dict(norms.select("word", "concreteness").rows())
    odd = sorted({word for found in every for _, word in (*found.misplaced, *found.strays)})
    return {
        "pap.norms.exceptions": list(odd),
        "pap.norms.exceptions.as_plural": {
            word: values.get(f"{word}s", values.get(f"{word}es")) for word in odd
        },
    }


def _fifths(words: pl.DataFrame, norms: pl.DataFrame) -> dict[str, Value]:
    """Return how often the fifth of the norms is the letter; a cut belongs to the upper fifth."""
    numbers: dict[str, Value] = {}
    for name, pos in POS.items():
        rated = norms.filter(pl.col("pos") == pos)["concreteness"].to_numpy()
        chosen = words.filter(pl.col("constituent") == name).drop_nulls("concreteness")
        if not len(rated) or chosen.is_empty():
            continue
        cuts = np.quantile(rated, QUINTILES)
        fifth = np.searchsorted(cuts, chosen["concreteness"].to_numpy(), side="right")
        same = FIFTHS[fifth] == chosen["level"].to_numpy()
        numbers[f"pap.norms.quintiles.{pos.lower()}"] = [float(cut) for cut in cuts]
        numbers[f"pap.norms.quintiles.share.{name}"] = float(same.mean())
    return numbers
