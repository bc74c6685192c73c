"""Concreteness norms, and the filter PAP puts on them (Eichel and Schulte im Walde, App. A.1)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from plausibly.datasets.lexica.frequency import FrequencyList
from plausibly.datasets.lexica.provenance import Provenance, of_file
from plausibly.datasets.norms import POS, read_rated
from plausibly.errors import option

# Tells whether a word is an inflected form of the part of speech and no lemma of it.
Inflected = Callable[[str, str], bool]
# Appendix A.1 leaves 12,880 nouns and 2,522 verbs of the norms by Brysbaert et al. (2014).
PUBLISHED = {"noun": 12880, "verb": 2522}
# Appendix A.1 wants 10,000 occurrences in ENCOW16AX. Lemmas of that corpus and word forms of other
# lists do not compare; at this value, and without inflected forms, wordfreq leaves about as many
# nouns and verbs (12,495 and 2,542) as the paper has.
MIN_ZIPF = 2.0
# A list that knows fewer of the rated words is a list of other words (another language, say).
LEAST_KNOWN = 0.5


@dataclass(frozen=True, eq=False)
class Norms:
    """How concrete words are, from 1 (abstract) to 5 (concrete).

    Args:
        provenance: Where the ratings come from.
        rated: word (case-folded), concreteness, pos; pos is null if the source names none.
        predicted: Whether the ratings are an estimate of ours rather than people's.
    """

    provenance: Provenance
    rated: pl.DataFrame
    predicted: bool = False


def read_norms(path: Path) -> Norms:
    """Return the norms in a file, as `plausibly.datasets.norms` reads them."""
    rated = read_rated(path)
    return Norms(of_file("norms", path, entries=rated["word"].n_unique()), rated)


@dataclass(frozen=True, eq=False)
class Filtered:
    """Norms a builder may use: one rating per word and part of speech, and how they came about.

    Args:
        ratings: pos, word, concreteness.
        report: Counts of the filter by part of speech, next to the published ones.
        note: Why the minimum frequency was not applied, None if it was or was not asked for.
        source: What the norms are called in messages.
        predicted: Whether the ratings are an estimate of ours rather than people's.
    """

    ratings: pl.DataFrame
    report: dict[str, dict[str, int | float | str | None]]
    note: str | None = None
    source: str = "norms"
    predicted: bool = False

    @property
    def kind(self) -> str:
        """What outputs say about the ratings: `rated` by people, or `predicted`."""
        return "predicted" if self.predicted else "rated"

    def of(self, pos: str) -> pl.DataFrame:
        """Return word and concreteness of one part of speech."""
        return self.ratings.filter(pl.col("pos") == pos).select("word", "concreteness")

    def shortage(self) -> str:
        """Return how many words are left at each step of the filter, and what would give more."""
        said = [
            f"{pos}s in {self.source}: {found['rated']} rated, {found['frequent_enough']} pass the "
            f"filter, {found['seen_in_the_corpus']} of these in the triples."
            for pos, found in self.report.items()
        ]
        return " ".join([*said, self._advice()])

    def _advice(self) -> str:
        for pos, found in self.report.items():
            if not found["rated"]:
                return f"Take norms that rate {pos}s."
            if found["lemmas"] and not found["frequent_enough"]:
                return f"Lower {option('min_zipf')}: it leaves no {pos}."
            if not found["seen_in_the_corpus"]:
                return f"Take norms of the {pos}s in the triples: these may be in another language."
        return "Take a larger corpus sample, or norms of more words."


def corpus_tags(svo: pl.DataFrame) -> pl.DataFrame:
    """Return how often each word was a noun and a verb in the triples: word, noun, verb.

    Subjects and objects of the triples are nouns, their verbs verbs; words are case-folded.
    """
    parts = [
        svo.select(word=pl.col(role).str.to_lowercase(), pos=pl.lit(pos), count=pl.col("count"))
        for role, pos in (("subject", "noun"), ("object", "noun"), ("verb", "verb"))
    ]
    counts = (
        pl.concat(parts)
        .group_by("word")
        .agg(**{p: pl.col("count").filter(pl.col("pos") == p).sum() for p in POS})
    )
    return counts.sort("word")


def filtered(
    norms: Norms,
    tags: pl.DataFrame,
    *,
    frequency: FrequencyList | None,
    min_zipf: float = MIN_ZIPF,
    inflected: Inflected | None = None,
    published: Mapping[str, int] | None = PUBLISHED,
) -> Filtered:
    """Return the nouns and verbs whose part of speech two sources agree on, if frequent enough.

    Args:
        norms: With a part of speech (Dom_Pos); predicted norms have none, so the corpus decides.
        tags: The second source, as `corpus_tags` counts it. A word it never saw stays: nothing
            speaks against it, and it can be in no triple.
        frequency: Where the minimum frequency is looked up; None for no minimum. A list that
            knows fewer than half of the words is not the list of these words, and is not used.
        min_zipf: The minimum, on the Zipf scale.
        inflected: Leaves out inflected forms, which no triple of lemmas holds; None keeps them.
        published: By part of speech, what to compare with; None for words of another language.
    """
    words = norms.rated.join(tags, on="word", how="left").with_columns(
        pl.col(list(POS)).fill_null(0), pl.col("pos").str.to_lowercase()
    )
    frequent, note = _frequent(words["word"], frequency, min_zipf)
    words = words.with_columns(frequent.alias("frequent"))
    parts, report = [], {}
    for pos in POS:
        named = words if norms.predicted else words.filter(pl.col("pos") == pos)
        agreed = named.filter(mostly(pos, unseen=not norms.predicted))
        lemmas = (
            agreed
            if inflected is None
            else agreed.filter(
                pl.Series(
                    [not inflected(word, pos) for word in agreed["word"].to_list()],
                    dtype=pl.Boolean,
                )
            )
        )
        kept = lemmas.filter("frequent")
        parts.append(kept.select(pl.lit(pos).alias("pos"), "word", "concreteness"))
        report[pos] = {
            "rated": named.height,
            "parts_of_speech_agree": agreed.height,
            "lemmas": lemmas.height,
            **_counts(kept, None if norms.predicted or published is None else published[pos]),
        }
    source = norms.provenance.source
    return Filtered(pl.concat(parts), report, note, source, norms.predicted)


def _frequent(
    words: pl.Series, frequency: FrequencyList | None, min_zipf: float
) -> tuple[pl.Series, str | None]:
    """Return which words are frequent enough, and why none was looked up if none was."""
    everyone = pl.repeat(True, words.len(), eager=True)
    if frequency is None or not words.len():
        return everyone, None
    zipf = frequency.zipf(words)
    known = zipf.count() / words.len()
    if known < LEAST_KNOWN:
        return everyone, (
            f"The frequency list ({frequency.provenance.source}) knows {known:.0%} of the rated "
            "words, so it is not a list of these words and no minimum frequency was applied."
        )
    return zipf.fill_null(-math.inf) >= min_zipf, None


def mostly(pos: str, *, unseen: bool) -> pl.Expr:
    """Return whether the corpus has a word mostly as this part of speech; a tie is a noun."""
    noun, verb = pl.col("noun"), pl.col("verb")
    seen = (noun + verb) > 0
    mine = (noun >= verb) if pos == "noun" else (verb > noun)
    return (seen & mine) | (~seen if unseen else pl.lit(False))


def _counts(kept: pl.DataFrame, published: int | None) -> dict[str, int | float | str | None]:
    unseen = kept.filter((pl.col("noun") + pl.col("verb")) == 0).height
    return {
        "frequent_enough": kept.height,
        "seen_in_the_corpus": kept.height - unseen,
        "published": published,
        "difference": None if published is None else kept.height - published,
    }
