"""Perturbed triples: two words of an attested triple give way to others (PAP, section 3.3)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

from plausibly.errors import StudyError
from plausibly.io.ranks import numbers

ROLES = ("subject", "verb", "object")
# Section 3.3: (s', v', o), (s', v, o') and (s, v', o'), each as likely; named by what is kept.
PATTERNS = ("object", "verb", "subject")

# What a triple is called in sources and in the ledger. Blanks part its words, unless a word has
# blanks of its own: then they would not tell one triple from another.
NAME = (
    pl.when(pl.any_horizontal(pl.col(ROLES).str.contains(" ", literal=True)))
    .then(pl.concat_str(ROLES, separator=" / "))
    .otherwise(pl.concat_str(ROLES, separator=" "))
)

Places = npt.NDArray[np.int64]


def perturbed(triples: pl.DataFrame, *, seed: int) -> pl.DataFrame:
    """Return one perturbation of every triple: two of its words exchanged, one kept.

    New words are drawn uniformly from the distinct words attested in the same function, the old
    one excepted. What is drawn depends on seed and triple alone. Which perturbations may stay
    (not attested, not made twice) is for the caller to say.

    The paper does not say whether words are drawn by type or by token. Its released bins do: ten
    of the twelve bounds of the perturbed set lie between those of the attested one and the fifths
    of the norms themselves, where draws by token would have left them as they are.

    Args:
        triples: subject, verb, object; one row per triple.
        seed: The same seed gives the same perturbations, whatever the order of the rows.

    Returns:
        subject, verb, object, kept (the function that was), source (the triple it was made from).
    """
    keys = triples.select(pl.concat_str(ROLES, separator="|").alias("key"))["key"]
    drawn = numbers("perturb|" + keys, seed=seed)
    kept = drawn[:, 0] % len(PATTERNS)
    columns = {}
    for place, role in enumerate(ROLES):
        exchanged = kept != PATTERNS.index(role)
        columns[role] = _exchanged(triples[role], exchanged, drawn[:, place + 1])
    names = pl.Series("kept", np.array(PATTERNS)[kept], dtype=pl.String)
    return (
        triples.select(NAME.alias("source"))
        .with_columns(*(columns[role].alias(role) for role in ROLES), names)
        .select(*ROLES, "kept", "source")
    )


def _exchanged(
    words: pl.Series, exchanged: npt.NDArray[np.bool_], draws: npt.NDArray[np.uint32]
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
    own: Places = words.cast(pl.Enum(known)).to_physical().to_numpy().astype(np.int64)
    other = draws.astype(np.int64) % (known.len() - 1)
    other += other >= own
    return known.gather(np.where(exchanged, other, own))
