"""PAP: attested and perturbed events by abstractness."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import polars as pl

from plausibly.backends.english import (
    LemminflectNouns,
    is_inflected,
    is_noun,
    is_verb,
    is_word,
)
from plausibly.backends.glove import GloveVectors
from plausibly.backends.profanity import profanity_probabilities
from plausibly.datasets.lexica.frequency import FrequencyList
from plausibly.datasets.lexica.italian_forms import adjectives_near, italian_forms
from plausibly.datasets.lexica.language import language, require
from plausibly.datasets.lexica.norms import MIN_ZIPF, Inflected, Norms, corpus_tags, read_norms
from plausibly.datasets.lexica.predicted import predicted_norms
from plausibly.datasets.lexica.profanity import Profanity, profanity_for, with_classifier
from plausibly.errors import MissingExtra
from plausibly.io.frames import Source, as_frame
from plausibly.stimuli.built import Built
from plausibly.stimuli.examples import examples_near
from plausibly.stimuli.frames import without_object
from plausibly.stimuli.matching import tolerances
from plausibly.stimuli.pap.building import PapLexica, placed_sets
from plausibly.stimuli.pap.building import build_pap as pap_items
from plausibly.stimuli.pap.cells import PapPlan, cell_counts, expected_cells
from plausibly.stimuli.pap.checks import check_words
from plausibly.stimuli.pap.goals import design_goals
from plausibly.stimuli.pap.identity import identity_report
from plausibly.stimuli.pap.lexica import Filtering, pap_lexica
from plausibly.stimuli.pap.perturb import COSTS, ROLES
from plausibly.stimuli.pap.svo import read_svo
from plausibly.stimuli.realise import Realiser
from plausibly.study.results import Result, text_table
from plausibly.study.verb import verb
from plausibly.verbs.build._items import (
    NEW_FOLDER,
    ItemSet,
    counts_near,
    file_in,
    frequencies_if_any,
    in_dictionary,
    read_from,
    with_balance,
    with_sentences,
)
from plausibly.verbs.build._pap_notes import pap_notes
from plausibly.verbs.build._study import building

PREDICTED = "predicted"


@dataclass(frozen=True, eq=False, repr=False)
class Feasibility(Result):
    """How full each cell is to be expected with another number of triples.

    Args:
        cells: condition, combination, available, expected, low, high, chance_full, rows_needed.
        rows: Triples there are now.
        of: Triples there would be.
        per_cell: What a full cell holds.
    """

    cells: pl.DataFrame
    rows: int
    of: int
    per_cell: int

    def as_json(self) -> dict[str, Any]:
        """Return rows now and then, and every cell."""
        return {"rows": self.rows, "of": self.of, "cells": self.cells.to_dicts()}

    def text(self) -> str:
        """Return the cells as a table."""
        return text_table(tuple(self.cells.columns), self.cells.iter_rows())

    @property
    def talk(self) -> tuple[str, ...]:
        """How many cells are not sure to be full."""
        unsure = self.cells.filter(pl.col("chance_full") < 0.95).height
        return (
            f"With {self.of} triples instead of {self.rows}, {unsure} of {self.cells.height} cells "
            f"hold {self.per_cell} with a probability below 95 %, if shares stay the same.",
        )


@verb(
    output=replace(NEW_FOLDER, unless="feasibility"),
    texts=("norms",),
    unset=("feasibility",),
    sources=read_from("svo"),
    study=building("pap", "svo", counted="svo", words=(PREDICTED,), norms=PREDICTED),
)
def build_pap(
    *,
    svo: Source,
    norms: str | Path,
    per_cell: int = 40,
    per_word: float = 0.02,
    draw: Literal["matched", "token", "type"] = "matched",
    exchanged: int = 2,
    match: Sequence[str] = (),
    short_cells: Literal["stop", "take-all"] = "stop",
    frequency: str | Path | None = None,
    min_zipf: float = MIN_ZIPF,
    look_up: Literal["wide", "exact"] = "wide",
    profanity: str | Path | None = None,
    profanity_classifier: float | None = None,
    no_negation: bool = False,
    no_fiction: bool = False,
    without: Sequence[str] = (),
    sentences: bool = False,
    examples: str | Path | None = None,
    language: str = "en",
    feasibility: int | None = None,
    seed: int,
) -> ItemSet | Feasibility:
    """Build PAP's two sets of events from the triples of a corpus.

    Writes items.parquet, ledger.parquet (every candidate left out, with the reason),
    bins.json, funnel.json, cells.json, words.json, lexica.json, balance.json, goals.json, and
    identity.json (events that name people by origin, creed, gender or another group).

    Args:
        svo: Triples with their counts, or the folder extract wrote.
        norms: Norms with columns Word, Conc.M and Dom_Pos, or 'predicted' for our estimate.
        per_cell: Number of events for each combination and condition.
        per_word: Largest share of a condition's events that one word may fill in one slot; 0 for no
            limit.
        draw: How to draw words of perturbed triples: matched in frequency, by token, or by type.
        exchanged: Words of a triple to exchange: 2, or 1 as a comparison arm.
        match: COLUMN:TOLERANCE to pair attested and perturbed events by, such as frequency:0.3.
        short_cells: What to do if a cell holds fewer triples than per_cell.
        frequency: Frequency list (default: wordfreq).
        min_zipf: Lowest Zipf frequency of the words. 0 keeps all words, even units and times as
            subjects and verbs that rarely have an object in the counts.
        look_up: wide: also other spellings and words without a part of speech; exact: as published.
        profanity: List of profane lemmas (default: ours).
        profanity_classifier: Drop what alt-profanity-check rates at least this high (default: off).
        no_negation: Drop triples that are negated (column negated).
        no_fiction: Drop triples marked in the column fiction.
        without: Further column that marks or counts occurrences to drop, such as question.
        sentences: Show items with articles, as sentences (default: bare words, as in PAP).
        examples: Sentences behind the triples (default: examples.parquet next to them, if any).
        language: Language of the triples: en, it.
        feasibility: Write nothing; report how full each cell would be with this many triples.
        seed: Seed for everything drawn at random.

    Examples:
        plausibly build pap --svo counts/svo.parquet --norms predicted --seed 1 -o events
        plausibly build pap --svo svo.parquet --norms norms.tsv --per-cell 5 --seed 1 -o events

    >>> build_pap(svo="svo.parquet", norms="predicted", match=["frequency"], seed=1)
    Traceback (most recent call last):
    plausibly.errors.StudyError: match= must be COLUMN:TOLERANCE with a number of 0 or more; got \
'frequency'.
    """
    examples = examples or examples_near(svo)
    rated = () if norms == PREDICTED else ("norms",)
    require(language, "pap", given=frozenset(rated))
    marks = {"negated": no_negation, "fiction": no_fiction, **dict.fromkeys(without, True)}
    plan = PapPlan(
        seed=seed,
        per_cell=per_cell,
        short_cells=short_cells,
        without=tuple(name for name, wanted in marks.items() if wanted),
        as_sentence=sentences,
        source=str(svo) if isinstance(svo, str | Path) else "svo",
        draw=draw,
        exchanged=exchanged,
        per_word=per_word,
        match=tolerances(match),
    )
    triples = _triples(svo, plan)
    lists = frequencies_if_any(frequency, language)
    inflected = _inflected(corpus_tags(triples), svo, language, lists) if min_zipf > 0 else None
    lexica, report = pap_lexica(
        triples,
        _norms(triples, norms),
        profanity=_profanity(profanity, profanity_classifier, language),
        realiser=_realiser(language, sentences),
        filtering=Filtering(
            lists if min_zipf > 0 else None, min_zipf, inflected, exact=look_up == "exact"
        ),
    )
    known = {**lexica.known, **(_known_too(language) if norms == PREDICTED else {})}
    lexica = replace(lexica, frequency=lists, known=known)
    if min_zipf > 0:
        measures = lexica.realiser.language.measures
        bare = _without_object(svo, measures)
        lexica = replace(lexica, measures=measures, bare=bare, is_of=_judges(language))
    if feasibility is not None:
        return _feasible(triples, lexica, plan, feasibility)
    built = pap_items(triples, lexica, plan=plan)
    built, behind = with_sentences(built, _attested(built.items), examples)
    made_of = _item_set(built, report, plan, lists)
    return replace(made_of, notes=(*made_of.notes, *behind))


def _inflected(tags: pl.DataFrame, svo: Source, lang: str, lists: Any) -> Inflected | None:
    """Return what finds inflected forms in a language, None if nothing here does."""
    if lang == "it":
        return italian_forms(tags, lists, adjectives_near(counts_near(svo)))
    return is_inflected if lang == "en" else None


def _judges(lang: str) -> dict[str, Callable[[str], bool]]:
    """Return what tells words of one part of speech from words of others, if it is installed."""
    judges = {"noun": in_dictionary(lang, is_noun), "verb": in_dictionary(lang, is_verb)}
    return {pos: judge for pos, judge in judges.items() if judge is not None}


def _without_object(svo: Source, measures: frozenset[str]) -> frozenset[str]:
    """Return the verbs without objects by the counts next to the triples, if there are any."""
    file = counts_near(svo)
    if file is None:
        return frozenset()
    counts = pl.scan_parquet(file)
    heads = counts.group_by("relation", word="head").agg(pl.col("count").sum())
    measure = (pl.col("relation") == "dobj") & pl.col("dependent").is_in(list(measures))
    measured = counts.filter(measure).group_by(word="head").agg(pl.col("count").sum())
    return without_object(heads.collect(), measured=measured.collect())


def _attested(items: pl.DataFrame) -> pl.DataFrame:
    return items.filter(pl.col("condition") == "attested").select(
        "item", "object", relation=pl.lit("svo"), head="verb", dependent="subject"
    )


def _item_set(
    built: Built,
    report: dict[str, Any],
    plan: PapPlan,
    lists: FrequencyList | None,
) -> ItemSet:
    kind = "predicted" if report["norms"]["predicted"] else "rated"
    built = with_balance(
        built, frequency=lists, lang=report["language"], norms=kind, draw=plan.draw, draws=COSTS
    )
    goals = design_goals(built.items, per_cell=plan.per_cell)
    groups = identity_report(built.items, report["language"])
    more = {"lexica.json": report, "goals.json": goals, "identity.json": groups}
    built = replace(built, documents={**built.documents, **more})
    cells = built.tables["cells"]
    return ItemSet(
        built.items,
        built.ledger,
        "pap",
        built,
        own={
            "cells": cells.to_dicts(),
            "words": built.documents["words.json"],
            "lexica": report,
            "goals": goals,
            "identity": groups,
            **_matching(built),
        },
        notes=pap_notes(built, report, plan=plan, cells=cells, goals=goals, groups=groups),
    )


def _matching(built: Built) -> dict[str, Any]:
    found = built.documents.get("matching.json")
    return {} if found is None else {"matching": found}


def _triples(svo: Source, plan: PapPlan) -> pl.DataFrame:
    if isinstance(svo, str | Path):
        return read_svo(Path(str(file_in(svo, "svo.parquet"))), marks=plan.without)
    return as_frame(svo, where="svo")


def _norms(triples: pl.DataFrame, norms: str | Path) -> Norms:
    if norms != PREDICTED:
        return read_norms(Path(norms))
    return predicted_norms(_plain_words(triples), GloveVectors())


def _known_too(lang: str) -> dict[str, float]:
    """Return the predicted concreteness of the words of our check items."""
    words = pl.Series(sorted(check_words(lang)), dtype=pl.String)
    rated = predicted_norms(words, GloveVectors()).rated
    return dict(rated.select("word", "concreteness").iter_rows())


def _plain_words(triples: pl.DataFrame) -> pl.Series:
    """Return the words that are no names: mostly written small, and in the dictionary, if any.

    People rated words alone, an estimate is made for anything that has a vector.
    """
    counts = pl.concat([triples.select("count", word=role) for role in ROLES])
    key = pl.col("word").str.to_lowercase()
    small = pl.when(pl.col("word") == key).then("count").otherwise(-pl.col("count")).sum()
    often = counts.group_by(key.alias("word")).agg(small=small).filter(pl.col("small") >= 0)
    words = often["word"].sort()
    try:
        return words.filter(pl.Series([is_word(word) for word in words], dtype=pl.Boolean))
    except MissingExtra:
        return words


def _profanity(path: str | Path | None, at_least: float | None, lang: str) -> Profanity:
    words = profanity_for(None if path is None else Path(path), lang)
    if at_least is None:
        return words
    return with_classifier(words, profanity_probabilities, at_least=at_least)


def _realiser(lang: str, sentences: bool) -> Realiser:
    """Return what puts lemmas into words; sentences ask a larger lexicon for mass nouns."""
    nouns = LemminflectNouns() if sentences and lang == "en" else None
    return Realiser(language(lang), nouns=nouns)


def _feasible(triples: pl.DataFrame, lexica: PapLexica, plan: PapPlan, of: int) -> Feasibility:
    placed = placed_sets(triples, lexica, plan=plan)
    cells = cell_counts({name: one.sieve.kept for name, one in placed.items()}, plan=plan)
    expected = expected_cells(cells, rows=triples.height, of=of, per_cell=plan.per_cell)
    return Feasibility(expected, triples.height, of, plan.per_cell)
