"""SP-10K Tables 2, 8, 10 and 11: the printed example pairs; and the tables that are lost.

The pairs and scores are those the paper prints, head first (it prints subjects and adjectives
first "for the ease of understanding").
"""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from plausibly.evaluation.sp10k import plausibility_group
from plausibly.replications.claims import Claim, judge
from plausibly.replications.record import Record, Value
from plausibly.replications.sp10k_release import Release

Printed = tuple[str, str, str, float]

# Table 2: head, two frequent and two random dependents.
CANDIDATES = {
    "dobj": ("ask", "question", "time", "voting", "stability"),
    "nsubj": ("eat", "people", "husband", "textbook", "stream"),
    "amod": ("air", "fresh", "cold", "rational", "original"),
    "dobj_amod": ("design", "new", "original", "official", "civil"),
    "nsubj_amod": ("smile", "friendly", "symbolic", "young", "civilian"),
}

# Tables 8, 10 and 11: relation, head, dependent and printed score, by group.
EXAMPLES: dict[str, tuple[Printed, ...]] = {
    "perfect": (
        ("dobj", "sing", "song", 9.25),
        ("nsubj", "ring", "phone", 8.75),
        ("amod", "water", "cold", 8.86),
        ("dobj_amod", "create", "new", 8.25),
        ("nsubj_amod", "eat", "hungry", 10.0),
        ("dobj", "tell", "story", 9.25),
        ("nsubj", "write", "author", 9.0),
        ("amod", "chair", "comfortable", 8.25),
        ("dobj_amod", "predict", "future", 9.32),
        ("dobj", "write", "book", 8.25),
        ("nsubj", "learn", "student", 8.75),
        ("amod", "story", "long", 8.86),
    ),
    "good": (
        ("dobj", "play", "game", 7.75),
        ("nsubj", "pour", "water", 7.75),
        ("amod", "rock", "hard", 7.75),
        ("dobj_amod", "build", "large", 7.0),
        ("nsubj_amod", "steal", "illegal", 6.5),
        ("dobj", "take", "time", 7.25),
        ("nsubj", "use", "people", 7.5),
        ("amod", "house", "new", 7.5),
        ("dobj_amod", "see", "new", 6.5),
        ("nsubj_amod", "wait", "patient", 7.5),
    ),
    "normal": (
        ("dobj", "lock", "key", 4.75),
        ("nsubj", "change", "name", 5.5),
        ("amod", "seat", "high", 5.25),
        ("nsubj_amod", "dress", "blue", 4.25),
        ("dobj", "keep", "work", 4.0),
        ("nsubj", "move", "line", 4.72),
        ("amod", "tree", "large", 5.0),
        ("dobj_amod", "tell", "good", 4.5),
        ("nsubj_amod", "fly", "new", 5.5),
    ),
    "unusual": (
        ("dobj", "think", "time", 2.75),
        ("nsubj", "place", "restaurant", 3.75),
        ("dobj", "buy", "health", 2.0),
        ("nsubj", "run", "line", 2.0),
        ("amod", "dog", "outside", 3.5),
        ("dobj_amod", "enjoy", "hungry", 2.0),
        ("nsubj_amod", "become", "wet", 3.25),
    ),
    "impossible": (
        ("dobj", "eat", "mail", 0.0),
        ("nsubj", "love", "library", 1.25),
        ("amod", "child", "red", 0.68),
        ("dobj_amod", "drive", "bottom", 1.5),
        ("nsubj_amod", "hurt", "fun", 1.5),
        ("dobj", "talk", "wine", 1.75),
        ("amod", "teacher", "high", 1.82),
        ("nsubj", "sleep", "set", 1.0),
    ),
}
PRINTED = [(group, *pair) for group, pairs in EXAMPLES.items() for pair in pairs]
CHANGED = "The released score is another one; the authors changed rows after the first release."
LOST = {
    "table3": ("agreement between annotators", "Table 3 is lost from our source with section 3.4."),
    "table4": ("agreement between annotators", "Table 4 is lost from our source with section 3.4."),
    "table5": ("corpus sizes", "The corpora and their counts are not in the release."),
    "table6": ("Spearman of PP, DS and NN", "Table 6 is lost from our source, the counts as well."),
    "table7": ("pairs covered by OMCS, by group", "Table 7 is lost from our source."),
    "figure1": ("minutes for 100 questions", "The times are not in the release."),
    "figure2": ("matched OMCS relations", "The matches are not in the release."),
}
SOME_MISSING = "A relation it needs is not in the data folder."


def _claims() -> Iterator[Claim]:
    yield Claim(
        "sp10k.table2.in_place",
        20,
        "examples of Table 2 in the half of their head's block they are printed in",
        "Two dependents of 'smile' stand in each other's half.",
    )
    for group, relation, head, dependent, score in PRINTED:
        yield Claim(
            f"sp10k.examples.{group}.{relation}.{head}-{dependent}",
            score,
            "released score",
            CHANGED if (head, dependent) == ("see", "new") else "As printed.",
            digits=2,
        )
    yield Claim(
        "sp10k.examples.agree",
        len(PRINTED),
        "examples of Tables 8, 10 and 11 whose released score has the printed digits",
        CHANGED,
    )
    yield Claim(
        "sp10k.examples.in_group",
        len(PRINTED),
        "examples whose released score lies in the printed group, lower bound included",
        "The examples at 2.00 and 4.00 settle that the lower bound belongs to the group.",
    )
    for name, (what, why) in LOST.items():
        yield Claim(f"sp10k.{name}", None, what, why)


CLAIMS = tuple(_claims())


def tables(release: Release) -> list[Record]:
    """Return the records on printed examples and lost tables."""
    examples = [claim for claim in CLAIMS if claim.id.removeprefix("sp10k.") not in LOST]
    lost = [claim for claim in CLAIMS if claim.id.removeprefix("sp10k.") in LOST]
    missing = SOME_MISSING if release.missing else "The pair is not in the release."
    return [*judge(examples, _numbers(release), missing=missing), *judge(lost, {})]


def _numbers(release: Release) -> dict[str, Value]:
    printed = pl.DataFrame(
        PRINTED, schema=["group", "relation", "head", "dependent", "printed"], orient="row"
    )
    found = printed.join(release.pairs, on=["relation", "head", "dependent"])
    numbers: dict[str, Value] = {
        f"sp10k.examples.{group}.{relation}.{head}-{dependent}": score
        for group, relation, head, dependent, score in found.select(
            "group", "relation", "head", "dependent", "score"
        ).iter_rows()
    }
    if not release.missing:
        numbers["sp10k.table2.in_place"] = _in_place(release)
        numbers["sp10k.examples.agree"] = found.filter(
            (pl.col("score") - pl.col("printed")).abs() < 0.005
        ).height
        numbers["sp10k.examples.in_group"] = found.filter(
            plausibility_group(pl.col("score")) == pl.col("group")
        ).height
    return numbers


def _in_place(release: Release) -> int:
    """Return how many examples of Table 2 stand in the half they are printed in."""
    halves = {
        (relation, head, dependent): slot >= 2
        for relation, head, dependent, slot in release.pairs.select(
            "relation", "head", "dependent", "slot"
        ).iter_rows()
    }
    return sum(
        halves.get((relation, head, dependent)) == (place >= 2)
        for relation, (head, *dependents) in CANDIDATES.items()
        for place, dependent in enumerate(dependents)
    )
