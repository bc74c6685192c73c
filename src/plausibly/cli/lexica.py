"""The lexica commands of `build` share: which list a user named, and what stands in for none."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

    from plausibly.stimuli.lexica.frequency import FrequencyList
    from plausibly.stimuli.lexica.norms import Inflected, Norms
    from plausibly.stimuli.lexica.profanity import Profanity
    from plausibly.stimuli.realise import Realiser

PREDICTED = "predicted"
NO_LIST = (
    "No profanity list was applied: ours is English. Pass --profanity FILE, one lemma a line, to "
    "leave out what nobody should have to read."
)


def frequency_list(path: Path | None, lang: str) -> FrequencyList:
    """Return the user's frequency list, or wordfreq's."""
    from plausibly.stimuli.lexica.frequency import FrequencyList, read_frequencies
    from plausibly.stimuli.lexica.provenance import Provenance

    if path is not None:
        return read_frequencies(path)
    from plausibly.backends.frequency import wordfreq_top, wordfreq_version, wordfreq_zipf

    return FrequencyList(
        Provenance("frequency", f"{wordfreq_version()}, {lang}"),
        lambda words: wordfreq_zipf(words, lang),
        lambda number: wordfreq_top(number, lang),
    )


def inflected_forms(lang: str) -> Inflected | None:
    """Return what tells inflected forms from lemmas, None for a language we know no forms of."""
    if lang != "en":
        return None
    from plausibly.backends.english import is_inflected

    return is_inflected


def norms_for(svo: pl.DataFrame, given: str) -> Norms:
    """Return the norms in the user's file, or those our estimator predicts for the triples."""
    import polars as pl

    from plausibly.stimuli.lexica.norms import read_norms

    if given != PREDICTED:
        return read_norms(Path(given))
    from plausibly.backends.glove import GloveVectors
    from plausibly.stimuli.lexica.predicted import predicted_norms

    words = pl.concat([svo[role].rename("word") for role in ("subject", "verb", "object")])
    return predicted_norms(words.unique(), GloveVectors())


def profanity_list(path: Path | None, classifier_at_least: float | None, lang: str) -> Profanity:
    """Return the user's list or our own, with the classifier if a probability is set.

    Our own list is English, so in another language there is none unless the user has one.
    """
    from plausibly.stimuli.lexica.profanity import (
        no_list,
        own_list,
        read_profanity,
        with_classifier,
    )

    if path is not None:
        profanity = read_profanity(path)
    else:
        profanity = own_list() if lang == "en" else no_list(NO_LIST)
    if classifier_at_least is None:
        return profanity
    from plausibly.backends.profanity import profanity_probabilities

    return with_classifier(profanity, profanity_probabilities, at_least=classifier_at_least)


def realiser_for(lang: str, *, as_sentence: bool) -> Realiser:
    """Return what puts lemmas into words; sentences ask a larger lexicon for mass nouns."""
    from plausibly.stimuli.lexica.language import language
    from plausibly.stimuli.realise import Realiser

    if not (as_sentence and lang == "en"):
        return Realiser(language(lang))
    from plausibly.backends.english import LemminflectNouns

    return Realiser(language(lang), nouns=LemminflectNouns())
