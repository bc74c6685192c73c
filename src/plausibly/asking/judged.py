"""ADEPT's pairs, PAP's events and SP-10K's pairs as cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import cycle, islice
from pathlib import Path

import polars as pl

from plausibly.asking.cases import Case, ShotSet, clear_answer, shot_set
from plausibly.asking.plan import Sample
from plausibly.datasets import adept, pap, sp10k
from plausibly.datasets.adept.pairs import read_pairs
from plausibly.datasets.catalogue import locate
from plausibly.datasets.pairs import read_pair_table
from plausibly.datasets.pap.events import read_pap
from plausibly.datasets.triples import read_events
from plausibly.errors import StudyError

EFFECT, PLAUSIBLE = adept.QUESTION, pap.QUESTION
CONTINUATION, RATING = "continuation", "rating"
UNKNOWN = ""
"""What is right where nobody has said it, or people are divided."""
GRADES = ("1", "2", "3", "4", "5")

ADEPT_OPTIONS = {EFFECT: adept.CLASSES}
PAP_OPTIONS = {PLAUSIBLE: pap.ANSWERS}
SP10K_OPTIONS = {CONTINUATION: ("dependent",), RATING: GRADES}

# What stands before the dependent in a sentence about the head, and the question it answers.
OPENINGS = {
    "nsubj": ("One who can {head} is the", "who or what can {head}?"),
    "dobj": ("People can {head} the", "what can people {head}?"),
    "amod": ("The {head} is", "what is the {head} like?"),
    "nsubj_amod": ("Those who {head} are", "what are those who {head} like?"),
    "dobj_amod": ("The things people {head} are", "what are the things people {head} like?"),
}


def adept_cases(folder: Path) -> list[Case]:
    """Return the pairs of ADEPT's validation part: the test part is not released with labels."""
    return _effects(locate(folder, "adept", "val.json"))


def _effects(path: Path) -> list[Case]:
    names = ("sentence1", "sentence2", "modifier", "noun")
    return [
        Case(
            str(row["idx"]),
            row["sentence1"],
            adept.CLASSES[row["label"]],
            {name: row[name] for name in names},
            {EFFECT: adept.CLASSES[row["label"]]},
        )
        for row in read_pairs(path).iter_rows(named=True)
    ]


def own_effects(path: Path) -> list[Case]:
    """Return the pairs of a file as cases nobody has labelled."""
    names = ("sentence1", "sentence2", "modifier", "noun")
    pairs = read_pairs(path, labelled=False)
    item = "item" if "item" in pairs.columns else "idx"
    return [
        Case(str(row[item]), row["sentence1"], "", {n: row[n] for n in names}, {EFFECT: UNKNOWN})
        for row in pairs.iter_rows(named=True)
    ]


def own_events(path: Path) -> list[Case]:
    """Return the events of a file as cases nobody has labelled."""
    return [
        Case(
            row["item"],
            row["verb"],
            "",
            {"event": " ".join(row[name] for name in ("subject", "verb", "object"))},
            {PLAUSIBLE: UNKNOWN},
        )
        for row in read_events(path).iter_rows(named=True)
    ]


def own_words(path: Path) -> list[Case]:
    """Return the pairs of words of a file as cases nobody has labelled."""
    pairs = read_pair_table(path)
    named = pairs if "item" in pairs.columns else pairs.with_columns(item=pl.lit(None))
    return [
        replace(
            _pair({**row, "score": None}),
            item=row["item"] or "|".join(row[n] for n in ("relation", "head", "dependent")),
            truth={CONTINUATION: "dependent", RATING: UNKNOWN},
        )
        for row in named.iter_rows(named=True)
    ]


def adept_sets(folder: Path, *, shots: int, sets: int, seed: int) -> dict[str, dict[str, ShotSet]]:
    """Return sets of examples from ADEPT's training part, the classes in turn."""
    cases = _effects(locate(folder, "adept", "train.json"))
    return by_kind(cases, adept.CLASSES, (EFFECT,), shots=shots, sets=sets, seed=seed)


def pap_cases(folder: Path) -> list[Case]:
    """Return PAP's events; right is what more than half of the people say, if there is such."""
    read = read_pap(locate(folder, "pap", pap.EVENTS), names={})
    if read.items is None:
        raise StudyError("PAP's file has no events.")
    votes: dict[str, Counter[str]] = {}
    known = read.ratings.filter(pl.col("answer").is_in(pap.ANSWERS))
    for item, answer, count in known.group_by("item", "answer").len().iter_rows():
        votes.setdefault(item, Counter())[answer] = count
    return [
        _event(row, votes[row["item"]])
        for row in read.items.iter_rows(named=True)
        if row["item"] in votes
    ]


def _event(row: Mapping[str, str], votes: Counter[str]) -> Case:
    grade = clear_grade(votes)
    return Case(
        row["item"],
        row["verb"],
        grade,
        {"event": row["text"]},
        {PLAUSIBLE: majority(votes)},
        line={"condition": row["condition"]},
        shown={PLAUSIBLE: grade},
    )


def majority(votes: Counter[str]) -> str:
    """Return the answer that more than half give; none if there is no such answer.

    >>> majority(Counter("55541")), majority(Counter("111555"))
    ('5', '')
    """
    [(answer, count)] = votes.most_common(1)
    return answer if 2 * count > votes.total() else UNKNOWN


def clear_grade(votes: Counter[str]) -> str:
    """Return the grade an event has as an example: on its side, the nearest to the mean.

    None for an event that is not clear: at least 70 % of the answers must be on one side.

    >>> clear_grade(Counter("5554421")), clear_grade(Counter("4455112"))
    ('4', '')
    """
    sides = [
        [answer for answer in pap.ANSWERS if pap.BINARY.of[answer] == side]
        for side in pap.BINARY.labels
    ]
    clear = clear_answer(votes, sides, pap.ANSWERS)
    return UNKNOWN if clear is None else clear[1]


def pap_sets(
    cases: Sequence[Case], *, shots: int, sets: int, seed: int
) -> dict[str, dict[str, ShotSet]]:
    """Return sets of clear events, the grades in turn; an absent grade gives way to its side."""
    present = {case.kind for case in cases}
    kinds = [
        frozenset({grade})
        if grade in present
        else frozenset(one for one in pap.ANSWERS if pap.BINARY.of[one] == pap.BINARY.of[grade])
        for grade in pap.ANSWERS
    ]
    return in_turn(cases, kinds, (PLAUSIBLE,), shots=shots, sets=sets, seed=seed)


def sp10k_cases(folder: Path) -> list[Case]:
    """Return SP-10K's pairs; what is right for a grade is the nearest to people's mean."""
    first = locate(folder, "sp10k", f"{sp10k.RELATIONS[0]}.tsv")
    pairs = read_pair_table(first.parent)
    words = ["relation", "head", "dependent"]
    distinct = pairs.unique(words, keep="first", maintain_order=True)
    return [_pair(row) for row in distinct.iter_rows(named=True)]


def _pair(row: Mapping[str, object]) -> Case:
    words = {name: str(row[name]) for name in ("relation", "head", "dependent")}
    opening, question = (text.format_map(words) for text in OPENINGS[words["relation"]])
    score = row["score"]
    # The release stretches the mean of answers from 1 to 5 to a scale from 0 to 10.
    grade = GRADES[round(score / 2.5)] if isinstance(score, float) else GRADES[2]
    return Case(
        "|".join(words.values()),
        f"{words['relation']}|{words['head']}",
        grade,
        {**words, "opening": opening, "question": question},
        {CONTINUATION: "dependent", RATING: grade},
    )


def by_kind(
    cases: Sequence[Case],
    kinds: Sequence[str],
    tasks: Sequence[str],
    *,
    shots: int,
    sets: int,
    seed: int,
) -> dict[str, dict[str, ShotSet]]:
    """Return sets of examples in which the kinds take turns."""
    single = [frozenset({kind}) for kind in kinds]
    return in_turn(cases, single, tasks, shots=shots, sets=sets, seed=seed)


def in_turn(
    cases: Sequence[Case],
    kinds: Sequence[frozenset[str]],
    tasks: Sequence[str],
    *,
    shots: int,
    sets: int,
    seed: int,
) -> dict[str, dict[str, ShotSet]]:
    """Return sets of examples: in every place one of its kinds."""
    wanted = list(islice(cycle(kinds), shots))
    made: dict[str, dict[str, ShotSet]] = {}
    for number in range(1, sets + 1):
        name = f"{shots}.{number}"
        made[name] = {
            task: shot_set(cases, wanted, task=task, name=name, seed=seed + number)
            for task in tasks
        }
    return made


def expected_grade(sample: Sample, shares: Mapping[str, float] | None) -> float | None:
    """Return the mean of the grades under their probabilities; the grade itself where it is one."""
    if shares is not None:
        return sum(float(grade) * share for grade, share in shares.items())
    return None if sample["answer"] is None else float(sample["answer"])


def how_likely(sample: Sample, shares: Mapping[str, float] | None) -> float | None:
    """Return how likely the word is in its place, beyond how likely it is by itself if known."""
    if sample["task"] == RATING:
        return expected_grade(sample, shares)
    pmi, summed = sample["scores"].get("pmi"), sample["loglik"]
    scores = pmi or summed
    return None if scores is None else float(scores[0])
