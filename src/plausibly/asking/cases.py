"""Cases: items as a language model is asked about them, and the examples shown before them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from plausibly.asking.prompts import Shot
from plausibly.domain import as_number
from plausibly.errors import StudyError
from plausibly.io.ranks import rank


@dataclass(frozen=True, slots=True)
class Case:
    """One item.

    Args:
        item: Its name.
        cluster: What it shares with items that would give its answer away.
        kind: What it is, for the composition of examples.
        fields: What fills the words of a prompt.
        truth: From a task to the right option, empty if nobody knows or people are divided; a
            task that is not here is not asked.
        traits: From a task to what examples of it should differ in.
        line: What a sample says of the item.
        shown: From a task to the answer it has as an example, where that is not the right option.
    """

    item: str
    cluster: str
    kind: str
    fields: Mapping[str, str]
    truth: Mapping[str, str]
    traits: Mapping[str, str] = field(default_factory=dict)
    line: Mapping[str, Any] = field(default_factory=dict)
    shown: Mapping[str, str] = field(default_factory=dict)

    def as_example(self, task: str) -> Shot:
        """Return the item as an example, with its answer."""
        return Shot(self.fields, self.shown.get(task) or self.truth[task])


CLEAR = 0.7
"""Share of the answers on one side from which an item is clear."""


def clear_answer(
    votes: Counter[str], sides: Sequence[Collection[str]], scale: Sequence[str]
) -> tuple[int, str] | None:
    """Return the side an item is clear by and its answer there that is nearest to its mean.

    None for an item that is not clear. Answers that are not numbers count by their place.

    >>> clear_answer(Counter("5554421"), ("12", "45"), "1245")
    (1, '4')
    >>> clear_answer(Counter("4455112"), ("12", "45"), "1245")
    """
    numbers = {answer: as_number(answer) for answer in (*scale, *votes)}
    if any(number is None for number in numbers.values()):
        numbers = {answer: float(place) for place, answer in enumerate(scale)}
    known = {answer: count for answer, count in votes.items() if numbers.get(answer) is not None}
    if not known:
        return None
    mean = sum((numbers[a] or 0.0) * count for a, count in known.items()) / sum(known.values())
    for place, side in enumerate(sides):
        if sum(count for answer, count in votes.items() if answer in side) < CLEAR * votes.total():
            continue
        offered = [answer for answer in scale if answer in side]
        if offered:
            return place, min(offered, key=lambda answer: abs((numbers[answer] or 0.0) - mean))
    return None


def limited(
    cases: Sequence[Case], limit: int | None, *, seed: int, clustered: bool = True
) -> list[Case]:
    """Return the first cases in the order of the seed, at most `limit` of them.

    A smaller limit gives a part of what a larger one gives, whatever the order of the cases.

    Args:
        cases: All of them.
        limit: So many; None for all.
        seed: Seed for drawing them.
        clustered: Draw one cluster after the other, not single cases.
    """
    if limit is not None and limit < 1:
        raise StudyError(f"limit must be at least 1; got {limit}.")

    def place(case: Case) -> tuple[str, str]:
        return rank(seed, f"limit|{case.cluster if clustered else case.item}"), case.item

    return sorted(cases, key=place)[:limit]


@dataclass(frozen=True, slots=True)
class ShotSet:
    """Examples for one task, in the order they are shown, and the substitutes for each.

    Args:
        name: As variants are told apart: `3.1` is the first set of three.
        slots: Per place the candidates, the best first; the first of each is shown.
    """

    name: str
    slots: tuple[tuple[Case, ...], ...]

    def shots_for(self, case: Case) -> list[Case]:
        """Return the examples for one item: one that would give it away is swapped, no other.

        Where nobody is left to take the place, one example fewer is shown.
        """
        shown = [candidates[0] for candidates in self.slots]
        for place, candidates in enumerate(self.slots):
            if shown[place].cluster == case.cluster:
                others = {one.cluster for n, one in enumerate(shown) if n != place}
                others |= {case.cluster}
                spare = (one for one in candidates if one.cluster not in others)
                shown[place] = next(spare, case)
        return [one for one in shown if one is not case]

    @property
    def items(self) -> list[str]:
        """Return the names of the examples shown where none is swapped."""
        return [candidates[0].item for candidates in self.slots]


def shot_set(
    cases: Iterable[Case], kinds: Sequence[frozenset[str]], *, task: str, name: str, seed: int
) -> ShotSet:
    """Return one set of examples: a case for each wanted kind, all different in what they show.

    Args:
        cases: All cases, whatever is asked; the set depends on nothing else.
        kinds: Per place the kinds that may be there.
        task: Whose right answers are shown.
        name: Of the set.
        seed: The same seed gives the same set.
    """
    able = [case for case in cases if task in case.truth]
    ordered = sorted(able, key=lambda case: (rank(seed, f"shots|{case.item}"), case.item))
    slots: list[tuple[Case, ...]] = []
    for wanted in kinds:
        used = {slot[0].cluster for slot in slots}
        traits = {slot[0].traits.get(task) for slot in slots}
        fitting = [case for case in ordered if case.kind in wanted]
        fresh = [case for case in fitting if case.cluster not in used]
        if not fresh:
            raise StudyError(
                f"{len(kinds)} examples of {task} cannot be shown: only {len(slots)} fit. "
                "Show fewer."
            )
        apart = [case for case in fresh if case.traits.get(task) not in traits]
        first = (apart or fresh)[0]
        slots.append((first, *(case for case in fitting if case is not first)))
    shown = sorted(slots, key=lambda slot: rank(seed, f"order|{slot[0].item}"))
    return ShotSet(name, tuple(shown))


def covering(
    cases: Iterable[Case], traits: Sequence[Callable[[Case], str | None]], *, seed: int
) -> list[Case]:
    """Return cases that show every value of each trait: greedily, the first trait first.

    Args:
        cases: All cases.
        traits: What is to be covered, such as the pair of sentences, then the state.
        seed: Decides between cases that add as much.
    """
    ordered = sorted(cases, key=lambda case: (rank(seed, f"cover|{case.item}"), case.item))
    picked: list[Case] = []
    for trait in traits:
        for case in ordered:
            if case.cluster in {one.cluster for one in picked} or trait(case) is None:
                continue
            if trait(case) not in {trait(one) for one in picked}:
                picked.append(case)
    return picked
