"""SP-10K: frequent and random pairs of five relations (Zhang et al., 2019, section 2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import polars as pl

from plausibly.datasets.sp10k import RELATIONS, word_class
from plausibly.errors import StudyError, UnknownName
from plausibly.io import write_frame
from plausibly.ports import Engine
from plausibly.stimuli.ledger import LEDGER
from plausibly.stimuli.sp10k_statements import ATTESTED, FREQUENT, RANDOM, WORDS, filled
from plausibly.stimuli.sp10k_words import SIZES, Vocabulary, vocabulary
from plausibly.stimuli.surveys import Wording, surveys
from plausibly.tables import ITEMS

# How many words of a role are looked at before list, letters and profanity have their say.
CONSIDERED = 50_000
_TEXT, _WHOLE = pl.String(), pl.Int64()
WORD_COUNTS = {"relation": _TEXT, "role": _TEXT, "word": _TEXT, "count": _WHOLE}
PAIR_COUNTS = {"noun": _TEXT, "adjective": _TEXT, "count": _WHOLE}
_PAIRS = {"relation": _TEXT, "head": _TEXT, "dependent": _TEXT}
_FREQUENT = {**_PAIRS, "count": _WHOLE, "place": _WHOLE}
_RANDOM = {**_PAIRS, "place": _WHOLE}
_COUNTED = {**_PAIRS, "count": _WHOLE}


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """What to build; the defaults are the paper's.

    Args:
        seed: For every draw.
        relations: Which of the five.
        heads: Heads a relation.
        frequent: Most frequent dependents of each head, and as many by chance.
        per_survey: Pairs a survey.
        checks: Check items a survey.
        short: `stop` if a relation has too few heads, or `take-all` there are.
        sizes: Words of each class in the vocabulary.
    """

    seed: int
    relations: tuple[str, ...] = RELATIONS
    heads: int = 500
    frequent: int = 2
    per_survey: int = 100
    checks: int = 3
    short: Literal["stop", "take-all"] = "stop"
    sizes: Mapping[str, int] = field(default_factory=lambda: SIZES)

    def __post_init__(self) -> None:
        for relation in self.relations:
            if relation not in RELATIONS:
                raise UnknownName("relation", relation, RELATIONS)


@dataclass(frozen=True, eq=False)
class Built:
    """What was built: items, surveys, the ledger, and how many rows each step left."""

    items: pl.DataFrame
    surveys: pl.DataFrame
    ledger: pl.DataFrame
    funnel: list[dict[str, str | int]]


@dataclass(frozen=True, slots=True)
class Store:
    """The engine with the counts, and a folder for what statements are given.

    Args:
        engine: Has the counts under the name `counts`.
        scratch: A folder every worker of the engine can read.
    """

    engine: Engine
    scratch: Path

    def give(self, name: str, frame: pl.DataFrame) -> None:
        """Let statements use a frame under a name."""
        path = self.scratch / f"{name}.parquet"
        write_frame(frame, path)
        self.engine.register(name, [path])

    def ask(self, statement: str, schema: dict[str, pl.DataType]) -> pl.DataFrame:
        """Return the rows of a statement."""
        parts = [pl.DataFrame(schema=schema)]
        for batch in self.engine.rows(statement):
            part = pl.from_arrow(batch)
            if isinstance(part, pl.DataFrame):
                parts.append(part.select(pl.col(n).cast(t) for n, t in schema.items()))
        return pl.concat(parts)


def build_sp10k(
    store: Store,
    *,
    design: Design,
    wording: Wording,
    frequency: pl.DataFrame | None = None,
    profane: Mapping[str, str] | None = None,
) -> Built:
    """Return the pairs of every relation as items, laid out in surveys.

    Heads are the most frequent of the vocabulary that have enough frequent dependents in it;
    verbs that have them in every verb relation come first, so that the relations share their
    verbs as far as the counts allow. A vocabulary in which a relation has too few heads is
    doubled until it has enough or there are no more words; the funnel says how often.
    """
    words = store.ask(filled(WORDS, at_most=CONSIDERED), WORD_COUNTS)
    words = words.filter(pl.col("relation").is_in(design.relations))

    def known_at(doubled: int) -> Vocabulary:
        sizes = {name: size << doubled for name, size in design.sizes.items()}
        return vocabulary(
            words,
            frequency=frequency,
            profane=profane or {},
            sizes=sizes,
            grammar=wording.grammar,
        )

    doubled, known = 0, known_at(0)
    frequent, gone = _frequent(store, known, design)
    while _short(frequent, design):
        wider = known_at(doubled + 1)
        if wider.words.height == known.words.height:
            _refuse(frequent, design)
            break
        doubled, known = doubled + 1, wider
        frequent, gone = _frequent(store, known, design)
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
    ledger = pl.concat([known.ledger, gone]).sort("candidate", "rule")
    return Built(
        ITEMS.sort(ITEMS.check(pl.concat([items, used], how="diagonal"))),
        layout,
        LEDGER.check(ledger),
        [{"step": "vocabulary doubled", "rows": doubled}, *_funnel(known, items, layout)],
    )


def _frequent(store: Store, known: Vocabulary, design: Design) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return the chosen heads with their most frequent dependents, and who was not chosen."""
    pool = known.of(design.relations, "head")
    store.give("heads", pool.select("relation", "word"))
    store.give("dependents", known.of(design.relations, "dependent").select("relation", "word"))
    found = store.ask(filled(FREQUENT, at_most=design.frequent), _FREQUENT)
    fit = found.group_by("relation", "head").len("dependents")
    judged = pool.rename({"word": "head"}).join(fit, on=["relation", "head"], how="left")
    enough = pl.col("dependents").fill_null(0) >= design.frequent
    shared = enough.sum().over("head", _class())
    judged = judged.with_columns(enough=enough, shared=shared)
    ordered = judged.sort(
        "relation", "enough", "shared", "rank", descending=[False, True, True, False]
    )
    ordered = ordered.with_columns(place=pl.int_range(pl.len()).over("relation"))
    takes = pl.col("enough") & (pl.col("place") < design.heads)
    chosen = ordered.filter(takes).select("relation", "head")
    reason = (
        pl.when(~pl.col("enough"))
        .then(pl.format("{} of " + str(design.frequent), pl.col("dependents").fill_null(0)))
        .otherwise(pl.lit(f"not among the {design.heads} most frequent"))
    )
    gone = ordered.filter(~takes).select(
        candidate=pl.concat_str("relation", "head", separator=" "),
        rule=pl.when("enough").then(pl.lit("beyond_heads")).otherwise(pl.lit("few_dependents")),
        reason=reason,
    )
    kept = found.join(chosen, on=["relation", "head"], how="semi").drop("place")
    return kept.with_columns(source=pl.lit("frequent")), gone


def _class() -> pl.Expr:
    classes = {relation: word_class(relation, "head") for relation in RELATIONS}
    return pl.col("relation").replace_strict(classes, return_dtype=pl.String)


def _short(frequent: pl.DataFrame, design: Design) -> dict[str, int]:
    """Return the relations with too few heads, and how many they have."""
    heads = frequent.group_by("relation").agg(pl.col("head").n_unique())
    found = dict(heads.iter_rows())
    return {r: found.get(r, 0) for r in design.relations if found.get(r, 0) < design.heads}


def _refuse(frequent: pl.DataFrame, design: Design) -> None:
    """Stop where there are too few heads, unless it was asked to take what there is."""
    short = _short(frequent, design)
    if design.short == "stop":
        told = ", ".join(f"{relation} {count}" for relation, count in short.items())
        raise StudyError(
            f"too few heads with {design.frequent} frequent dependents in the vocabulary: {told}; "
            f"{design.heads} were asked for. Lower --heads, count a larger corpus, or pass "
            "--short-heads take-all."
        )
    if frequent.is_empty():
        raise StudyError(
            f"the counts hold no heads for {', '.join(design.relations)}. "
            "Pass counts with these relations."
        )


def _random(store: Store, frequent: pl.DataFrame, design: Design) -> pl.DataFrame:
    """Return as many dependents by chance for every chosen head, with how often they occur."""
    store.give("chosen", frequent.select("relation", "head").unique(maintain_order=True))
    store.give("frequent", frequent.select("relation", "head", "dependent"))
    statement = filled(RANDOM, seed=design.seed, at_most=design.frequent)
    drawn = store.ask(statement, _RANDOM).drop("place")
    if drawn.height < frequent.height and design.short == "stop":
        raise StudyError(
            f"the vocabulary gives {drawn.height} random pairs, {frequent.height} are needed. "
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


def _funnel(
    known: Vocabulary, items: pl.DataFrame, layout: pl.DataFrame
) -> list[dict[str, str | int]]:
    considered = known.words.height + known.ledger.height
    steps: list[tuple[str, int]] = [("words considered", considered)]
    sizes = dict(known.words.group_by("class").len().sort("class").iter_rows())
    steps += [(f"vocabulary {name}", size) for name, size in sizes.items()]
    pairs = dict(items.group_by("relation").len().sort("relation").iter_rows())
    steps += [(f"pairs {relation}", count) for relation, count in pairs.items()]
    steps += [("surveys", layout["survey"].n_unique()), ("questions", layout.height)]
    return [{"step": step, "rows": rows} for step, rows in steps]
