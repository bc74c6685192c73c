"""Triples and norms of an invented lexicon, written by tests and benchmarks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import polars as pl

from plausibly.datasets.lexica.language import language
from plausibly.datasets.lexica.norms import Filtered
from plausibly.datasets.lexica.profanity import Profanity
from plausibly.datasets.lexica.provenance import Provenance
from plausibly.stimuli.pap.building import PapLexica
from plausibly.stimuli.realise import Realiser

ONSETS = "bdfgklmnprstvz"
VOWELS = "aeiou"
ROLES = ("subject", "verb", "object")


def invented(number: int, *, start: int = 0) -> list[str]:
    """Return that many distinct words of three syllables; different starts share none."""
    syllables = [onset + vowel for onset in ONSETS for vowel in VOWELS]
    size = len(syllables)
    return [
        syllables[n // size**2 % size] + syllables[n // size % size] + syllables[n % size] + "k"
        for n in range(start, start + number)
    ]


def invented_norms(*, nouns: int, verbs: int, seed: int = 0) -> pl.DataFrame:
    """Return pos, word, concreteness of invented words, ratings with two decimals."""
    generator = np.random.default_rng(seed)
    words = invented(nouns) + invented(verbs, start=nouns)
    rated = np.concatenate(
        [1 + 4 * generator.beta(1.6, 1.2, nouns), 1 + 4 * generator.beta(1.5, 2.5, verbs)]
    )
    pos = ["noun"] * nouns + ["verb"] * verbs
    return pl.DataFrame({"pos": pos, "word": words, "concreteness": rated.round(2)})


def invented_svo(norms: pl.DataFrame, *, rows: int, seed: int = 0) -> pl.DataFrame:
    """Return that many distinct triples, frequent words in more of them than rare ones."""
    generator = np.random.default_rng(seed)
    nouns = norms.filter(pl.col("pos") == "noun")["word"]
    verbs = norms.filter(pl.col("pos") == "verb")["word"]
    found = pl.DataFrame(schema=dict.fromkeys(ROLES, pl.String))
    while found.height < rows:
        size = rows - found.height + rows // 4 + 16
        drawn = {
            role: words.gather((len(words) * generator.random(size) ** 2).astype(np.int64))
            for role, words in (("subject", nouns), ("verb", verbs), ("object", nouns))
        }
        found = pl.concat([found, pl.DataFrame(drawn)]).unique(maintain_order=True)
    counts = 1 + generator.geometric(0.6, rows)
    return found.head(rows).with_columns(count=pl.Series(counts, dtype=pl.Int64))


def svo_of(*triples: str) -> pl.DataFrame:
    """Return the svo table of triples written as 'subject verb object', each counted once."""
    rows = [triple.split() for triple in triples]
    return pl.DataFrame(rows, schema=dict.fromkeys(ROLES, pl.String), orient="row").with_columns(
        count=pl.lit(1, dtype=pl.Int64)
    )


def lexica_of(norms: pl.DataFrame, *, profane: Sequence[str] = ()) -> PapLexica:
    """Return PAP's lexica with these norms and nothing else."""
    words: Mapping[str, str] = dict.fromkeys(profane, "vulgar")
    return PapLexica(
        Filtered(norms, {}),
        Profanity(Provenance("profanity", "test", len(words)), words),
        Realiser(language("en")),
    )


def write_norms(norms: pl.DataFrame, path: Path) -> Path:
    """Write norms in the published form: tabs, carriage returns, and `#N/A` for no tag."""
    lines = ["Word\tBigram\tConc.M\tDom_Pos"]
    lines += [
        f"{word}\t0\t{concreteness}\t{pos.capitalize()}"
        for pos, word, concreteness in norms.select("pos", "word", "concreteness").iter_rows()
    ]
    lines.append("nobody\t0\t3.5\t#N/A")
    path.write_bytes(("\r\n".join(lines) + "\r\n").encode())
    return path
