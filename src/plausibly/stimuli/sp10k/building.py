"""SP-10K: frequent and random pairs of five relations (Zhang et al., 2019, section 2.2)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

import polars as pl

from plausibly.datasets.sp10k import RELATIONS, word_class
from plausibly.errors import StudyError, UnknownName, option
from plausibly.stimuli.built import Built
from plausibly.stimuli.counts import CountStore
from plausibly.stimuli.frames import without_object
from plausibly.stimuli.ledger import LEDGER, Sieve, sieve
from plausibly.stimuli.sp10k._statements import ATTESTED, FREQUENT, RANDOM
from plausibly.stimuli.sp10k.judging import WordJudges
from plausibly.stimuli.sp10k.surveys import Wording, surveys
from plausibly.stimuli.sp10k.vocabulary import SIZES, SurveyVocabulary, vocabulary
from plausibly.tables import ITEMS

_TEXT, _WHOLE = pl.String(), pl.Int64()
_PAIRS = {"relation": _TEXT, "head": _TEXT, "dependent": _TEXT}
_FREQUENT = {**_PAIRS, "count": _WHOLE, "place": _WHOLE}
_RANDOM = {**_PAIRS, "place": _WHOLE}
_COUNTED = {**_PAIRS, "count": _WHOLE}


# Random pairs come from all words of a vocabulary, so a larger one costs time and memory as well.
MOST_DOUBLED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PairDesign:
    """What to build; the defaults are the paper's.

    Args:
        seed: For every draw.
        relations: Which of the five.
        heads: Number of heads per relation.
        frequent: Most frequent dependents of each head, and as many by chance.
        min_frequent: Minimum count of a frequent pair.
        per_survey: Number of pairs per survey.
        checks: Check items a survey.
        short: `stop` if a relation has too few heads, or `take-all` there are.
        sizes: Words of each class in the vocabulary.
    """

    seed: int
    relations: tuple[str, ...] = RELATIONS
    heads: int = 500
    frequent: int = 2
    min_frequent: int = 5
    per_survey: int = 100
    checks: int = 3
    short: Literal["stop", "take-all"] = "stop"
    sizes: Mapping[str, int] = field(default_factory=lambda: SIZES)

    def __post_init__(self) -> None:
        for relation in self.relations:
            if relation not in RELATIONS:
                raise UnknownName("relation", relation, RELATIONS)
        if self.heads < 1:
            raise StudyError(f"heads must be at least 1; got {self.heads}.")


def build_sp10k(
    store: CountStore,
    *,
    design: PairDesign,
    wording: Wording,
    frequency: pl.DataFrame | None = None,
    profane: Mapping[str, str] | None = None,
    judges: WordJudges | None = None,
) -> Built:
    """Return the pairs of every relation as items, laid out in surveys.

    Heads are the most frequent of the vocabulary that have enough frequent dependents in it;
    verbs that have them in every verb relation come first, so that the relations share their
    verbs as far as the counts allow. A vocabulary in which a relation has too few heads is
    doubled, twice at most: words nobody knows make no questions. The funnel shows how often.
    Units and times do not act, and verbs that the counts hardly show with an object have none.
    """
    every = store.words()
    words = every.filter(pl.col("relation").is_in(design.relations))
    measured = store.measured(judges.measures) if judges is not None else None
    bare = without_object(every.filter(pl.col("role") == "head"), measured=measured)

    def known_at(doubled: int) -> SurveyVocabulary:
        sizes = {name: size << doubled for name, size in design.sizes.items()}
        return vocabulary(
            words,
            frequency=frequency,
            profane=profane or {},
            sizes=sizes,
            grammar=wording.grammar,
            judges=judges,
        )

    doubled, known, frequent, heads = _wide_enough(store, known_at, design, bare)
    agents = known.of(design.relations, "dependent")
    pairs = pl.concat([frequent, _random(store, frequent, design)])
    items = _items(pairs, wording)
    checks = _checks(wording, design.relations)
    layout = surveys(
        items.select("item", "relation"),
        checks.select("item", "relation"),
        per_survey=design.per_survey,
        checks_each=design.checks,
        seed=design.seed,
    )
    used = checks.join(layout, on="item", how="semi")
    return Built(
        ITEMS.sort(ITEMS.check(pl.concat([items, used], how="diagonal"))),
        LEDGER.sort(pl.concat([known.sieve.ledger, heads.ledger, agents.ledger])),
        [
            {"step": "vocabulary doubled", "rows": doubled, "of": "times"},
            *known.sieve.steps("words"),
            *heads.steps("heads"),
            *_sizes(known, items, layout),
        ],
        tables={"surveys": layout},
        documents={"answers.json": dict(wording.answers)},
    )


def _wide_enough(
    store: CountStore,
    known_at: Callable[[int], SurveyVocabulary],
    design: PairDesign,
    bare: frozenset[str],
) -> tuple[int, SurveyVocabulary, pl.DataFrame, Sieve]:
    """Return the smallest vocabulary with enough heads, how often it was doubled, and its heads."""
    doubled, known = 0, known_at(0)
    frequent, heads = _frequent(store, known, design, bare)
    while _short(frequent, design):
        wider = known_at(doubled + 1)
        if doubled == MOST_DOUBLED or wider.words.height == known.words.height:
            _refuse(frequent, design)
            break
        doubled, known = doubled + 1, wider
        frequent, heads = _frequent(store, known, design, bare)
    return doubled, known, frequent, heads


def _frequent(
    store: CountStore, known: SurveyVocabulary, design: PairDesign, bare: frozenset[str]
) -> tuple[pl.DataFrame, Sieve]:
    """Return the chosen heads with their most frequent dependents, and the sieve of all heads."""
    pool = known.of(design.relations, "head").kept
    store.give("heads", pool.select("relation", "word"))
    store.give(
        "dependents", known.of(design.relations, "dependent").kept.select("relation", "word")
    )
    found = store.ask(
        FREQUENT,
        _FREQUENT,
        at_most=design.frequent,
        min_frequent=design.min_frequent,
        seed=design.seed,
    )
    fit = found.group_by("relation", "head").len("dependents")
    judged = pool.rename({"word": "head"}).join(fit, on=["relation", "head"], how="left")
    odd = pl.col("relation").str.starts_with("dobj") & pl.col("head").str.to_lowercase().is_in(bare)
    enough = (pl.col("dependents").fill_null(0) >= design.frequent) & ~odd
    shared = enough.sum().over("head", _class())
    judged = judged.with_columns(enough=enough, shared=shared)
    ordered = judged.sort(
        "relation", "enough", "shared", "rank", descending=[False, True, True, False]
    )
    heads = sieve(ordered, candidate=pl.concat_str("relation", "head", separator=" "))
    seen = f" of {design.frequent} dependents seen {design.min_frequent} times or more"
    too_few = pl.format("{}" + seen, pl.col("dependents").fill_null(0))
    rarely = "the counts hardly ever show it with an object"
    heads = heads.drop("outside_frame", where=odd, reason=rarely)
    heads = heads.drop("few_dependents", where=~pl.col("enough"), reason=too_few)
    place = pl.int_range(pl.len()).over("relation")
    beyond = f"not among the {design.heads} most frequent"
    heads = heads.drop("beyond_heads", where=place >= design.heads, reason=beyond)
    chosen = heads.kept.select("relation", "head")
    kept = found.join(chosen, on=["relation", "head"], how="semi").drop("place")
    return kept.with_columns(source=pl.lit("frequent")), heads


def _class() -> pl.Expr:
    classes = {relation: word_class(relation, "head") for relation in RELATIONS}
    return pl.col("relation").replace_strict(classes, return_dtype=pl.String)


def _short(frequent: pl.DataFrame, design: PairDesign) -> dict[str, int]:
    """Return the relations with too few heads, and how many they have."""
    heads = frequent.group_by("relation").agg(pl.col("head").n_unique())
    found = dict(heads.iter_rows())
    return {r: found.get(r, 0) for r in design.relations if found.get(r, 0) < design.heads}


def _refuse(frequent: pl.DataFrame, design: PairDesign) -> None:
    """Stop where there are too few heads, unless it was asked to take what there is."""
    short = _short(frequent, design)
    if design.short == "stop":
        shown = ", ".join(f"{relation} {count}" for relation, count in short.items())
        raise StudyError(
            f"too few heads with {design.frequent} dependents of the vocabulary seen "
            f"{design.min_frequent} times or more: {shown}; {design.heads} were asked for. Lower "
            f"{option('heads')} or {option('min_frequent')}, count a larger corpus, or take all "
            f"there are ({option('short_heads')} take-all)."
        )
    if frequent.is_empty():
        raise StudyError(
            f"the counts hold no heads for {', '.join(design.relations)}. "
            "Pass counts with these relations."
        )


def _random(store: CountStore, frequent: pl.DataFrame, design: PairDesign) -> pl.DataFrame:
    """Return as many dependents by chance for every chosen head, with how often they occur."""
    numbers = {"seed": design.seed, "at_most": design.frequent}
    store.give("frequent", frequent.select("relation", "head", "dependent"))
    chosen = frequent.select("relation", "head").unique(maintain_order=True)
    parts = []
    for heads in chosen.sort("relation").partition_by("relation"):
        store.give("chosen", heads)
        parts.append(store.ask(RANDOM, _RANDOM, **numbers).drop("place"))
    drawn = pl.concat(parts)
    if drawn.height < frequent.height and design.short == "stop":
        raise StudyError(
            f"the vocabulary gives {drawn.height} random pairs, but {frequent.height} are needed. "
            "Pass a longer frequency list or counts of a larger corpus."
        )
    store.give("paired", drawn)
    counted = store.ask(ATTESTED, _COUNTED)
    drawn = drawn.join(counted, on=["relation", "head", "dependent"], how="left")
    return drawn.with_columns(pl.col("count").fill_null(0), source=pl.lit("random")).select(
        frequent.columns
    )


def _items(pairs: pl.DataFrame, wording: Wording) -> pl.DataFrame:
    texts = [
        wording.question(relation, head, dependent)
        for relation, head, dependent in pairs.select(*_PAIRS).iter_rows()
    ]
    return pairs.select(
        pl.concat_str("relation", "head", "dependent", separator="|").alias("item"),
        pl.Series("text", texts, dtype=pl.String),
        condition="source",
        kind=pl.lit("item"),
        expected=pl.lit(None, dtype=pl.String),
        relation="relation",
        head="head",
        dependent="dependent",
        source="source",
        count="count",
    )


def _checks(wording: Wording, relations: tuple[str, ...]) -> pl.DataFrame:
    rows = [check for check in wording.checks if check["relation"] in relations]
    frame = pl.DataFrame([dict(check) for check in rows])
    texts = [wording.question(c["relation"], c["head"], c["dependent"]) for c in rows]
    return frame.select(
        pl.concat_str(pl.lit("check"), "relation", "head", "dependent", separator="|").alias(
            "item"
        ),
        pl.Series("text", texts, dtype=pl.String),
        kind=pl.lit("check"),
        expected="expected",
        relation="relation",
        head="head",
        dependent="dependent",
    )


def _sizes(
    known: SurveyVocabulary, items: pl.DataFrame, layout: pl.DataFrame
) -> list[dict[str, str | int]]:
    classes = known.words.group_by("class").len().sort("class").rows()
    pairs = items.group_by("relation").len().sort("relation").rows()
    sizes = [(name, size, "vocabulary") for name, size in classes]
    sizes += [(relation, count, "pairs") for relation, count in pairs]
    sizes += [("surveys", layout["survey"].n_unique(), "surveys")]
    sizes += [("questions", layout.height, "surveys")]
    return [{"step": step, "rows": rows, "of": of} for step, rows, of in sizes]
