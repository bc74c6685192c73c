"""ADEPT: sentence pairs that differ by one adjective (Emami et al., 2021, section 4.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import polars as pl

from plausibly.datasets.adept.articles import BY_SOUND
from plausibly.datasets.adept.nonsubsective import NON_SUBSECTIVE, SUBSECTIVE
from plausibly.datasets.adept.pairs import modified
from plausibly.errors import StudyError, option
from plausibly.io.ranks import rank
from plausibly.stimuli.adept._nouns import NounRefusal
from plausibly.stimuli.adept.candidates import (
    ASSERTION_RULES,
    Adjectives,
    Assertion,
)
from plausibly.stimuli.adept.lexicon import settings
from plausibly.stimuli.adept.splits import SHARES, leak_free_split, random_split
from plausibly.stimuli.built import Built
from plausibly.stimuli.ledger import LEDGER, Sieve, sieve
from plausibly.tables import ITEMS

PAIRS = "pairs of noun and adjective"
MIN_COUNT = 10  # "occur at least 10 times"
PREDICATES = 3  # "up to three predicates"
VARIANTS = 4  # "four corresponding variants"
MOST_NON_SUBSECTIVE = 2  # "up to two non-subsective modifiers"
RATIO = 4.0  # the paper's adjectives were sampled about one to four


@dataclass(frozen=True, slots=True)
class Variant:
    """One adjective put into a sentence."""

    adjective: str
    count: int
    kind: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One item being built: the assertion, its sentence, four variants, the annotated one."""

    candidate: Assertion
    variants: tuple[Variant, ...]
    annotated: int

    @property
    def chosen(self) -> Variant:
        """The variant that annotators rate."""
        return self.variants[self.annotated]


def build_adept(
    named: Iterable[tuple[str, Assertion | NounRefusal]],
    adjectives: Adjectives,
    *,
    ratio: float = RATIO,
    seed: int,
) -> Built:
    """Return pairs of sentences, each with a trace of its making.

    `pairs.json` and the splits have the format of ADEPT's files, without labels; `trace.jsonl`
    traces each item, as the paper's Table 2 does.

    Args:
        named: Assertions by name, as `candidates` yields them.
        adjectives: What modifies each noun, how often, and which are non-subsective.
        ratio: Pairs with other adjectives per pair with a non-subsective one, if nouns have
            enough of those; 0 to take any of the four variants.
        seed: Determines which predicates, adjectives and variant are drawn.
    """
    found, left = _sifted(list(named), adjectives, seed=seed)
    entries = _entries(left, adjectives, ratio=ratio, seed=seed)
    if not entries:
        raise StudyError(
            f"no assertion became a pair; {_most(found.ledger)}. Count a larger corpus, lower "
            f"{option('min_count')}, or pass more assertions."
        )
    items = _items(entries, adjectives, seed=seed)
    pairs = [_pair(idx, entry) for idx, entry in enumerate(entries)]
    return Built(
        items=items,
        ledger=LEDGER.sort(pl.concat([found.ledger, adjectives.sieve.ledger])),
        funnel=[
            *adjectives.sieve.steps(PAIRS),
            *found.steps("assertions"),
        ],
        documents={
            "pairs.json": pairs,
            **split_pairs(items, pairs),
            "trace.jsonl": [_trace(idx, entry, adjectives) for idx, entry in enumerate(entries)],
        },
    )


def _sifted(
    judged: Sequence[tuple[str, Assertion | NounRefusal]], adjectives: Adjectives, *, seed: int
) -> tuple[Sieve, list[Assertion]]:
    """Return the sieve of all assertions, and by name those that become items."""
    names = pl.Series([name for name, _ in judged], dtype=pl.String)
    rows = pl.DataFrame({"name": names, "place": range(len(judged))})
    found = sieve(rows, candidate=pl.col("name")).sift(
        [one if isinstance(one, NounRefusal) else None for _, one in judged], rules=ASSERTION_RULES
    )
    left = [one for _, one in judged if isinstance(one, Assertion)]
    for rule, refuse in (
        ("same_sentence", _again),
        ("beyond_three", partial(_beyond, seed=seed)),
        ("few_variants", partial(_bare, adjectives=adjectives, seed=seed)),
    ):
        why = list(refuse(left))
        found = found.sift([(rule, one) if one else None for one in why], rules=(rule,))
        left = [one for one, gone in zip(left, why, strict=True) if not gone]
    return found, sorted(left, key=lambda one: one.name)


def _most(ledger: pl.DataFrame) -> str:
    counts = Counter(ledger["rule"]).most_common(3)
    return ", ".join(f"{count} {rule}" for rule, count in counts) or "there are no assertions"


def _again(found: Sequence[Assertion]) -> Iterator[str]:
    """Yield for each assertion the earlier one with the same noun and sentence, if any."""
    first: dict[tuple[str, str], Assertion] = {}
    for one in found:
        known = first.setdefault((one.noun, one.sentence.casefold()), one)
        yield "" if known is one else f"same as {known.name}"


def _beyond(found: Sequence[Assertion], *, seed: int) -> Iterator[str]:
    """Yield for each assertion whether three others of its noun were drawn, in any number."""
    taken: Counter[str] = Counter()
    beyond: set[str] = set()
    for one in sorted(found, key=lambda one: (rank(seed, f"predicate|{one.name}"), one.name)):
        taken[one.lemma] += 1
        if taken[one.lemma] > PREDICATES:
            beyond.add(one.name)
    for one in found:
        drawn = f"{PREDICATES} other predicates of {one.lemma!r} were drawn"
        yield drawn if one.name in beyond else ""


def _bare(found: Sequence[Assertion], *, adjectives: Adjectives, seed: int) -> Iterator[str]:
    """Yield for each assertion how many adjectives fit into its sentence, if too few do."""
    for one in found:
        variants = _variants(one, adjectives, seed=seed)
        fit = len(variants)
        groups = any(adjectives.stratum(v.adjective, one.noun) == "identity" for v in variants)
        if fit < VARIANTS:
            yield f"{fit} of {VARIANTS} adjectives fit into the sentence"
        else:
            lacks = adjectives.mode == "only" and not groups
            yield "none of its adjectives groups people" if lacks else ""


def _entries(
    left: Sequence[Assertion], adjectives: Adjectives, *, ratio: float, seed: int
) -> list[Entry]:
    """Return the assertions with the variant to annotate, in the requested ratio."""
    drawn = [(one, _variants(one, adjectives, seed=seed)) for one in left]
    if adjectives.mode == "only":
        wanted = {one.name: "identity" for one, _ in drawn}
    elif ratio:
        able = [one.name for one, found in drawn if any(v.kind != SUBSECTIVE for v in found)]
        able.sort(key=lambda name: (rank(seed, f"special|{name}"), name))
        special = set(able[: round(len(drawn) / (1 + ratio))])
        wanted = {one.name: "special" if one.name in special else "other" for one, _ in drawn}
    else:
        wanted = {}
    return [
        Entry(one, found, _annotated(one, found, adjectives, wanted.get(one.name, "any"), seed))
        for one, found in drawn
    ]


def _annotated(
    candidate: Assertion,
    variants: Sequence[Variant],
    adjectives: Adjectives,
    wanted: str,
    seed: int,
) -> int:
    """Return the place of the variant to annotate: a random one of the required kind."""
    kinds: dict[str, Callable[[Variant], bool]] = {
        "identity": lambda v: adjectives.stratum(v.adjective, candidate.noun) == "identity",
        "special": lambda v: v.kind != SUBSECTIVE,
        "other": lambda v: v.kind == SUBSECTIVE,
        "any": lambda _: True,
    }
    fits = kinds[wanted]
    places = [place for place, variant in enumerate(variants) if fits(variant)]
    return min(
        places or range(len(variants)),
        key=lambda place: rank(seed, f"variant|{candidate.name}|{place}"),
    )


def _variants(candidate: Assertion, adjectives: Adjectives, *, seed: int) -> tuple[Variant, ...]:
    """Return up to two non-subsective adjectives and subsective ones up to four, drawn by seed."""
    there = set(candidate.sentence.casefold().rstrip(".").split())
    counts = adjectives.of[candidate.lemma]
    ordered = sorted(counts, key=lambda one: (rank(seed, f"adjective|{candidate.name}|{one}"), one))
    usable = [one for one in ordered if one.casefold() not in there]
    plain = [one for one in usable if adjectives.kind(one) == SUBSECTIVE]
    special = [one for one in usable if one not in plain][:MOST_NON_SUBSECTIVE]
    if adjectives.mode == "only":
        plain.sort(key=lambda one: adjectives.stratum(one, candidate.noun) != "identity")
    drawn = [*special, *plain[: VARIANTS - len(special)]]
    return tuple(
        Variant(one, counts[one], adjectives.kind(one), made)
        for one in drawn
        if (made := _modified(candidate, one)) is not None
    )


def _modified(candidate: Assertion, adjective: str) -> str | None:
    return modified(candidate.sentence, noun=candidate.noun, modifier=adjective, rule=BY_SOUND)


def _pair(idx: int, entry: Entry) -> dict[str, str | int]:
    return {
        "sentence1": entry.candidate.sentence,
        "sentence2": entry.chosen.sentence,
        "modifier": entry.chosen.adjective,
        "noun": entry.candidate.noun,
        "idx": idx,
    }


def _trace(idx: int, entry: Entry, adjectives: Adjectives) -> dict[str, Any]:
    candidate = entry.candidate
    return {
        "item": _name(idx),
        "idx": idx,
        "noun": candidate.noun,
        "lemma": candidate.lemma,
        "adjectives": [
            {"adjective": one.adjective, "count": one.count, "class": one.kind}
            for one in entry.variants
        ],
        "adjectives_known": len(adjectives.of[candidate.lemma]),
        "relation": candidate.relation,
        "predicate": candidate.predicate,
        "surface": candidate.surface,
        "dataset": candidate.dataset,
        "original": candidate.sentence,
        "variants": [one.sentence for one in entry.variants],
        "annotated": entry.annotated,
    }


def _name(idx: int) -> str:
    return f"adept-{idx:05}"


def _items(entries: Sequence[Entry], adjectives: Adjectives, *, seed: int) -> pl.DataFrame:
    rows = [
        {
            "item": _name(idx),
            "text": entry.chosen.sentence,
            "condition": SUBSECTIVE if entry.chosen.kind == SUBSECTIVE else NON_SUBSECTIVE,
            "kind": "item",
            "expected": None,
            **_pair(idx, entry),
            "lemma": entry.candidate.lemma,
            "adjective_class": entry.chosen.kind,
            "stratum": adjectives.stratum(entry.chosen.adjective, entry.candidate.noun),
            "relation": entry.candidate.relation,
        }
        for idx, entry in enumerate(entries)
    ]
    schema = {**ITEMS.schema, **dict.fromkeys(("sentence1", "sentence2", "modifier"), pl.String())}
    schema |= {"noun": pl.String(), "idx": pl.Int64(), "lemma": pl.String()}
    schema |= dict.fromkeys(("adjective_class", "stratum", "relation"), pl.String())
    items = pl.DataFrame(rows, schema=schema)
    split = leak_free_split(items.with_columns(noun="lemma"), seed=seed)
    drawn = random_split(items["item"].to_list(), seed=seed)
    items = items.with_columns(
        split=pl.col("item").replace_strict(split, return_dtype=pl.String),
        random_split=pl.col("item").replace_strict(drawn, return_dtype=pl.String),
    )
    checks = pl.DataFrame(list(_checks()), schema_overrides=schema)
    return ITEMS.sort(ITEMS.check(pl.concat([items, checks], how="diagonal")))


def _checks() -> Iterator[dict[str, str]]:
    """Yield gold and attention items, in our words."""
    for number, gold in enumerate(settings()["gold"], start=1):
        text = {"text": gold["sentence2"], **gold}
        yield {"item": f"gold-{number:02}", "kind": "gold", **text}
    for number, attention in enumerate(settings()["attention"], start=1):
        yield {"item": f"attention-{number:02}", "kind": "attention", **attention}


def split_pairs(
    items: pl.DataFrame, pairs: Sequence[dict[str, str | int]]
) -> dict[str, list[dict[str, str | int]]]:
    """Return the pairs of each split by file: without leaks (`train.json`), and as published."""
    files: dict[str, list[dict[str, str | int]]] = {}
    for column, start in (("split", ""), ("random_split", "random_")):
        of = dict(items.filter(kind="item").select("idx", column).iter_rows())
        for split in SHARES:
            files[f"{start}{split}.json"] = [pair for pair in pairs if of[pair["idx"]] == split]
    return files
