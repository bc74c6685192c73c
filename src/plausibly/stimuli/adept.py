"""ADEPT: sentence pairs that differ by one adjective (Emami et al., 2021, section 4.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from plausibly.datasets.adept.nonsubsective import NON_SUBSECTIVE, SUBSECTIVE
from plausibly.datasets.adept.pairs import modified
from plausibly.errors import StudyError
from plausibly.stimuli.adept_candidates import Adjectives, Candidate, candidates
from plausibly.stimuli.adept_nouns import Refused
from plausibly.stimuli.adept_splits import leak_free_split, random_split
from plausibly.stimuli.adept_words import Lexicon, settings
from plausibly.stimuli.articles import BY_SOUND
from plausibly.stimuli.ledger import LEDGER
from plausibly.stimuli.sampling import rank
from plausibly.tables import ITEMS

MIN_COUNT = 10  # "occur at least 10 times"
MIN_ADJECTIVES = 4  # "at least four different adjectival modifiers"
PREDICATES = 3  # "up to three predicates"
VARIANTS = 4  # "four corresponding variants"
MOST_NON_SUBSECTIVE = 2  # "up to two non-subsective modifiers"


@dataclass(frozen=True, slots=True)
class Variant:
    """One adjective put into a sentence."""

    adjective: str
    count: int
    kind: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One item on its way: the assertion, its sentence, four variants, the annotated one."""

    candidate: Candidate
    variants: tuple[Variant, ...]
    annotated: int

    @property
    def chosen(self) -> Variant:
        """The variant that goes to annotators."""
        return self.variants[self.annotated]


@dataclass(frozen=True, eq=False)
class Built:
    """What was built.

    Args:
        items: With both sentences, both splits, and the check items.
        pairs: As ADEPT's files have them, without labels.
        trace: How each item came about, as the paper's Table 2 shows it.
        ledger: Every assertion and adjective that did not make it.
        funnel: Rows left after each step.
    """

    items: pl.DataFrame
    pairs: list[dict[str, str | int]]
    trace: list[dict[str, Any]]
    ledger: pl.DataFrame
    funnel: list[dict[str, str | int]]


def build_adept(
    assertions: pl.DataFrame,
    adjectives: Adjectives,
    lexicon: Lexicon,
    *,
    profane: Mapping[str, str],
    seed: int,
) -> Built:
    """Return pairs of sentences, each with the trace of how it was made.

    Args:
        assertions: relation, start, end, surface, dataset.
        adjectives: What modifies each noun, how often, and which are non-subsective.
        lexicon: What is known of words.
        profane: Words to leave out, with the kind of offence.
        seed: Decides which predicates, adjectives and variant are taken.
    """
    judged = list(candidates(assertions, adjectives, lexicon, profane=profane))
    gone = [(name, told) for name, told in judged if isinstance(told, Refused)]
    found = [told for _, told in judged if isinstance(told, Candidate)]
    steps = [("assertions", len(judged)), ("sentences", len(found))]
    found, again = _once(found)
    found, beyond = _at_most(found, seed=seed)
    entries, bare = _entries(found, adjectives, seed=seed)
    steps += [("distinct sentences", len(judged) - len(gone) - len(again))]
    steps += [("at most three a noun", len(found)), ("items", len(entries))]
    if not entries:
        raise StudyError(
            f"no assertion became a pair; {_most(gone)}. Count a larger corpus, lower --min-count, "
            "or pass more assertions."
        )
    ledger = [*gone, *again, *beyond, *bare, *adjectives.dropped]
    return Built(
        items=_items(entries, seed=seed),
        pairs=[_pair(idx, entry) for idx, entry in enumerate(entries)],
        trace=[_trace(idx, entry, adjectives) for idx, entry in enumerate(entries)],
        ledger=_ledger(ledger),
        funnel=[{"step": step, "rows": rows} for step, rows in steps],
    )


def _most(gone: Sequence[tuple[str, Refused]]) -> str:
    counts = Counter(refused.rule for _, refused in gone).most_common(3)
    return ", ".join(f"{count} {rule}" for rule, count in counts) or "there are no assertions"


def _once(found: Iterable[Candidate]) -> tuple[list[Candidate], list[tuple[str, Refused]]]:
    """Keep the first of assertions that say the same sentence about the same noun."""
    kept: dict[tuple[str, str], Candidate] = {}
    again: list[tuple[str, Refused]] = []
    for candidate in found:
        first = kept.setdefault((candidate.noun, candidate.sentence.casefold()), candidate)
        if first is not candidate:
            again.append((candidate.name, Refused("same_sentence", f"as {first.name}")))
    return list(kept.values()), again


def _at_most(
    found: Iterable[Candidate], *, seed: int
) -> tuple[list[Candidate], list[tuple[str, Refused]]]:
    """Keep up to three predicates a noun, whatever its number, in the order of the seed."""
    kept: list[Candidate] = []
    beyond: list[tuple[str, Refused]] = []
    taken: Counter[str] = Counter()
    for candidate in sorted(found, key=lambda one: (rank(seed, f"predicate|{one.name}"), one.name)):
        taken[candidate.lemma] += 1
        if taken[candidate.lemma] <= PREDICATES:
            kept.append(candidate)
        else:
            reason = f"{PREDICATES} other predicates of {candidate.lemma!r} were drawn"
            beyond.append((candidate.name, Refused("beyond_three", reason)))
    return sorted(kept, key=lambda one: one.name), beyond


def _entries(
    found: Iterable[Candidate], adjectives: Adjectives, *, seed: int
) -> tuple[list[Entry], list[tuple[str, Refused]]]:
    entries: list[Entry] = []
    bare: list[tuple[str, Refused]] = []
    for candidate in found:
        variants = _variants(candidate, adjectives, seed=seed)
        if len(variants) < VARIANTS:
            reason = f"{len(variants)} of {VARIANTS} adjectives fit into the sentence"
            bare.append((candidate.name, Refused("few_variants", reason)))
            continue
        places = range(len(variants))
        annotated = min(places, key=lambda place: rank(seed, f"variant|{candidate.name}|{place}"))
        entries.append(Entry(candidate, variants, annotated))
    return entries, bare


def _variants(candidate: Candidate, adjectives: Adjectives, *, seed: int) -> tuple[Variant, ...]:
    """Return up to two non-subsective adjectives and subsective ones up to four, drawn by seed."""
    there = set(candidate.sentence.casefold().rstrip(".").split())
    counts = adjectives.of[candidate.lemma]
    ordered = sorted(counts, key=lambda one: (rank(seed, f"adjective|{candidate.name}|{one}"), one))
    usable = [one for one in ordered if one.casefold() not in there]
    plain = [one for one in usable if adjectives.kind(one) == SUBSECTIVE]
    special = [one for one in usable if one not in plain][:MOST_NON_SUBSECTIVE]
    drawn = [*special, *plain[: VARIANTS - len(special)]]
    return tuple(
        Variant(one, counts[one], adjectives.kind(one), made)
        for one in drawn
        if (made := _modified(candidate, one)) is not None
    )


def _modified(candidate: Candidate, adjective: str) -> str | None:
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


def _items(entries: Sequence[Entry], *, seed: int) -> pl.DataFrame:
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
            "relation": entry.candidate.relation,
        }
        for idx, entry in enumerate(entries)
    ]
    schema = {**ITEMS.schema, **dict.fromkeys(("sentence1", "sentence2", "modifier"), pl.String())}
    schema |= {"noun": pl.String(), "idx": pl.Int64(), "lemma": pl.String()}
    schema |= {"adjective_class": pl.String(), "relation": pl.String()}
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
    """Yield gold and attention items, in our own words."""
    for number, gold in enumerate(settings()["gold"], start=1):
        text = {"text": gold["sentence2"], **gold}
        yield {"item": f"gold-{number:02}", "kind": "gold", **text}
    for number, attention in enumerate(settings()["attention"], start=1):
        yield {"item": f"attention-{number:02}", "kind": "attention", **attention}


def _ledger(gone: Iterable[tuple[str, Refused]]) -> pl.DataFrame:
    rows = [(name, refused.rule, refused.reason) for name, refused in gone]
    return LEDGER.sort(LEDGER.check(pl.DataFrame(rows, schema=LEDGER.schema, orient="row")))


def split_pairs(built: Built, column: str) -> dict[str, list[dict[str, str | int]]]:
    """Return the pairs of each split, by the column `split` or `random_split` of the items."""
    of = dict(built.items.filter(kind="item").select("idx", column).iter_rows())
    parts: dict[str, list[dict[str, str | int]]] = {"train": [], "val": [], "test": []}
    for pair in built.pairs:
        parts[of[pair["idx"]]].append(pair)
    return parts
