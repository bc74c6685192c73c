"""The lexica of one PAP build, and a report of their sources and coverage."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import polars as pl

from plausibly.datasets.lexica.frequency import FrequencyList
from plausibly.datasets.lexica.lookup import Wider, widened
from plausibly.datasets.lexica.norms import (
    MIN_ZIPF,
    PUBLISHED,
    Inflected,
    Norms,
    corpus_tags,
    filtered,
)
from plausibly.datasets.lexica.profanity import Profanity
from plausibly.datasets.lexica.provenance import coverage
from plausibly.datasets.lexica.spellings import spellings
from plausibly.errors import StudyError
from plausibly.stimuli.pap.building import POS, PapLexica
from plausibly.stimuli.realise import Realiser

PUBLISHED_SOURCES = (
    "The paper takes parts of speech and frequencies from ENCOW16AX, which is not available; here "
    "parts of speech come from the corpus and frequencies from the list named below."
)


@dataclass(frozen=True, eq=False)
class Filtering:
    """How norms are filtered (appendix A.1).

    Args:
        frequency: Frequencies to compare with the minimum; None for no minimum.
        min_zipf: The minimum.
        inflected: Detects inflected forms, which are left out; None keeps them.
        exact: Leave out words that the norms spell differently or list without a part of speech.
    """

    frequency: FrequencyList | None = None
    min_zipf: float = MIN_ZIPF
    inflected: Inflected | None = None
    exact: bool = False

    def __post_init__(self) -> None:
        if not math.isfinite(self.min_zipf):
            raise StudyError(f"min_zipf (--min-zipf) must be a finite number; got {self.min_zipf}.")


def pap_lexica(
    svo: pl.DataFrame,
    norms: Norms,
    *,
    profanity: Profanity,
    realiser: Realiser,
    filtering: Filtering,
) -> tuple[PapLexica, dict[str, Any]]:
    """Return the lexica for these triples, and the report that goes into `lexica.json`."""
    frequency, min_zipf = filtering.frequency, filtering.min_zipf
    english = realiser.language.lang == "en"
    tags = corpus_tags(svo)
    norms, wider = _looked_up(norms, tags, realiser.language.lang, exact=filtering.exact)
    ratings = filtered(
        norms,
        tags,
        frequency=frequency,
        min_zipf=min_zipf,
        inflected=filtering.inflected,
        published=PUBLISHED if english else None,
    )
    known = dict(norms.rated.select("word", "concreteness").iter_rows())
    lexica = PapLexica(ratings, profanity, realiser, frequency, known=known)
    classifier = profanity.at_least if profanity.classifier is not None else None
    report: dict[str, Any] = {
        "norms": {
            **norms.provenance.as_json(),
            "predicted": norms.predicted,
            "look_up": None if wider is None else wider.as_json(),
            "filter": ratings.report,
            "filter_note": PUBLISHED_SOURCES if english else None,
        },
        "frequency": None
        if frequency is None
        else {
            **frequency.provenance.as_json(),
            "min_zipf": None if ratings.note else min_zipf,
            "note": ratings.note,
        },
        "profanity": {**profanity.provenance.as_json(), "classifier_at_least": classifier},
        "language": realiser.language.lang,
        "coverage": {
            role: coverage(_counts(svo, role), ratings.of(pos)["word"]).as_json()
            for role, pos in POS.items()
        },
    }
    return lexica, report


def _looked_up(
    norms: Norms, tags: pl.DataFrame, lang: str, *, exact: bool
) -> tuple[Norms, Wider | None]:
    """Return the norms, with their other columns on request; an estimate covers every word."""
    if exact or norms.predicted:
        return norms, None
    return widened(norms, tags, known=spellings(lang))


def _counts(svo: pl.DataFrame, role: str) -> list[tuple[str, int]]:
    words = svo.group_by(pl.col(role).str.to_lowercase()).agg(pl.col("count").sum())
    return words.rows()
