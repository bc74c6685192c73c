"""Perturbed triples: words of an attested triple give way to others (PAP, section 3.3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.errors import StudyError, UnknownName
from plausibly.io.ranks import numbers

ROLES = ("subject", "verb", "object")
# Section 3.3: (s', v', o), (s', v, o') and (s, v', o'), each as likely; named by what is kept.
PATTERNS = ("object", "verb", "subject")
DRAWS = ("matched", "token", "type")
# Frequencies count as alike up to this difference of Zipf values: a factor of two.
ALIKE = 0.3
NEIGHBOURS = 5
"""How many words, at least, a matched word is drawn from."""

# What a triple is called in sources and in the ledger. Blanks part its words, unless a word has
# blanks of its own: then they would not tell one triple from another.
NAME = (
    pl.when(pl.any_horizontal(pl.col(ROLES).str.contains(" ", literal=True)))
    .then(pl.concat_str(ROLES, separator=" / "))
    .otherwise(pl.concat_str(ROLES, separator=" "))
)

Places = npt.NDArray[np.int64]

# What each draw costs, in a trial on English Wikipedia: perturbed events that are plausible on
# reading, the AUC of word frequencies, and that of events-lite, for attested against perturbed.
COSTS: dict[str, dict[str, int | float | None]] = {
    "matched": {"plausible": 45, "read": 270, "auc_frequency": 0.50, "auc_events_lite": 0.70},
    "type": {"plausible": 5, "read": 70, "auc_frequency": 0.65, "auc_events_lite": 0.75},
    "matched, no attested pair of words": {
        "plausible": 12,
        "read": 40,
        "auc_frequency": 0.51,
        "auc_events_lite": 0.71,
    },
    "matched, both preferences below their median": {
        "plausible": 10,
        "read": 120,
        "auc_frequency": 0.53,
        "auc_events_lite": 0.78,
    },
    "published": {"plausible": 3, "read": 60, "auc_frequency": 0.80, "auc_events_lite": None},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """How words are exchanged.

    Args:
        seed: The same seed gives the same perturbations, whatever the order of the rows.
        draw: Where a new word comes from. `type`: any other word attested in the function, each
            as likely; so the paper (see `perturbed`). `token`: the word of any other triple, so
            that frequent words stay frequent. `matched`: as `token`, but of about the frequency
            of the word it replaces, from the five nearest where fewer are.
        words: How many words of a triple are exchanged: 2, or 1 for a comparison arm.
        zipf: From function to the Zipf value of each of its words; `matched` needs them.
    """

    seed: int
    draw: str = "type"
    words: int = 2
    zipf: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.draw not in DRAWS:
            raise UnknownName("way to draw words", self.draw, DRAWS)
        if self.words not in (1, 2):
            raise StudyError(f"exchanged must be 1 or 2 words of a triple; got {self.words}.")


def perturbed(triples: pl.DataFrame, *, exchange: Exchange) -> pl.DataFrame:
    """Return one perturbation of every triple: some of its words exchanged, the others kept.

    What is drawn depends on seed and triple alone. Which perturbations may stay (not attested,
    not made twice) is for the caller to say.

    The paper does not say whether words are drawn by type or by token. Its released bins do: ten
    of the twelve bounds of the perturbed set lie between those of the attested one and the fifths
    of the norms themselves, where draws by token would have left them as they are. But then
    frequency alone tells perturbed from attested triples, so it is not what we do by default.

    Args:
        triples: subject, verb, object; one row per triple.
        exchange: How words are exchanged.

    Returns:
        subject, verb, object, kept (the function that was, or was exchanged alone), source (the
        triple it was made from).
    """
    keys = triples.select(pl.concat_str(ROLES, separator="|").alias("key"))["key"]
    drawn = numbers("perturb|" + keys, seed=exchange.seed)
    pattern = drawn[:, 0] % len(PATTERNS)
    columns = {}
    for place, role in enumerate(ROLES):
        named = pattern == PATTERNS.index(role)
        goes = ~named if exchange.words == 2 else named
        columns[role] = _exchanged(triples[role], goes, drawn[:, place + 1], exchange)
    names = np.array(PATTERNS)[pattern]
    kept = names if exchange.words == 2 else np.array([f"not {name}" for name in names], dtype=str)
    return (
        triples.select(NAME.alias("source"))
        .with_columns(
            *(columns[role].alias(role) for role in ROLES),
            pl.Series("kept", kept, dtype=pl.String),
        )
        .select(*ROLES, "kept", "source")
    )


def _exchanged(
    words: pl.Series,
    goes: npt.NDArray[np.bool_],
    draws: npt.NDArray[np.uint32],
    exchange: Exchange,
) -> pl.Series:
    """Return the words with those marked exchanged for another word of the same column."""
    known = words.unique().sort()
    if known.len() < 2:
        raise StudyError(
            f"all triples share the {words.name} {known[0]!r}, so none can be perturbed. "
            "Take a larger corpus sample."
            if known.len()
            else "there is no triple to perturb. Take a larger corpus sample."
        )
    table = exchange.zipf.get(words.name, {})
    near = exchange.draw == "matched"
    zipf = np.array([table.get(word, 0.0) if near else 0.0 for word in known], dtype=np.float64)
    order = np.lexsort((np.arange(known.len()), zipf))
    counts = (
        known.to_frame("word")
        .join(
            words.to_frame("word").group_by("word").len("count"), on="word", maintain_order="left"
        )["count"]
        .to_numpy()
    )
    weights = np.ones(known.len(), dtype=np.int64) if exchange.draw == "type" else counts
    # The pool is every word, its weight in places, from rare to frequent: `ends` shows where each
    # word's places end, so that a draw is a number below the size of a stretch of the pool.
    ends = np.concatenate([[0], np.cumsum(weights[order])]).astype(np.int64)
    of_known = np.empty(known.len(), dtype=np.int64)
    of_known[order] = np.arange(known.len())
    own = of_known[words.cast(pl.Enum(known)).to_physical().to_numpy().astype(np.int64)]
    low, high = _stretch(zipf[order], own, ALIKE if near else np.inf)
    before, after = ends[own] - ends[low], ends[high] - ends[own + 1]
    drawn = draws.astype(np.int64) % (before + after)
    place = np.where(drawn < before, ends[low] + drawn, ends[own + 1] + drawn - before)
    other = np.searchsorted(ends, place, side="right") - 1
    return known.gather(order[np.where(goes, other, own)])


def _stretch(zipf: npt.NDArray[np.float64], own: Places, within: float) -> tuple[Places, Places]:
    """Return from where to where the words alike reach around each.

    A word with fewer than `NEIGHBOURS` others within reach takes the nearest beyond it, so that
    the most frequent word (`have`) is not always replaced by the same one (`get`).
    """
    low = np.searchsorted(zipf, zipf[own] - within - 1e-9, side="left").astype(np.int64)
    high = np.searchsorted(zipf, zipf[own] + within + 1e-9, side="right").astype(np.int64)
    for _ in range(min(NEIGHBOURS, len(zipf) - 1)):
        few = high - low - 1 < NEIGHBOURS
        below = np.where(low > 0, zipf[own] - zipf[np.maximum(low - 1, 0)], np.inf)
        last = np.minimum(high, len(zipf) - 1)
        above = np.where(high < len(zipf), zipf[last] - zipf[own], np.inf)
        lower = few & (low > 0) & (below <= above)
        upper = few & ~lower & (high < len(zipf))
        low, high = low - lower, high + upper
    return low, high
