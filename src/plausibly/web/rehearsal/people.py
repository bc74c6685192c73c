"""Simulated people: what they answer and how long they take follows from seed, person and item."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plausibly.errors import StudyError, UnknownName
from plausibly.measures.checks import passed
from plausibly.ratings.crowd import APPEAL
from plausibly.ratings.forms import Question
from plausibly.ratings.served import Content

KINDS = {
    "careful": "answers as the item leans, and knows checks",
    "biased": "leans to the upper end of every scale",
    "consistent-minority": "answers as careful people do, the other way round, and knows checks",
    "uniform-spammer": "answers anything, at once",
    "straight-liner": "gives one and the same answer, at once",
    "subtle-spammer": "answers every third item at random",
    "bot": "answers anything within a second",
    "dropout": "is careful and leaves after a few items",
    "returning": "is careful, finishes, and comes again the next day",
}
MIX = {
    "careful": 0.8,
    "biased": 0.05,
    "uniform-spammer": 0.05,
    "straight-liner": 0.05,
    "dropout": 0.05,
}
ATTENTIVE = ("careful", "biased", "consistent-minority", "dropout", "returning", "subtle-spammer")
KNOWS_CHECK = 0.98
# Mean of the logarithm of the seconds an answer takes, by kind; others take their time.
PACE = {"uniform-spammer": 0.4, "straight-liner": 0.4, "bot": -1.0}
UNHURRIED = 1.6
STAYS = 8  # a dropout answers fewer items than this


@dataclass(frozen=True, slots=True)
class SimulatedPerson:
    """One person of a rehearsal."""

    name: str
    kind: str
    seed: int

    def draws(self, *about: str) -> np.random.Generator:
        """Return random numbers that depend on seed, person and what they are about alone."""
        text = "|".join([str(self.seed), self.name, *about])
        return np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]))

    def seconds(self, item: str, step: int) -> float:
        """Return how long the person takes for a step of an item."""
        pace = PACE.get(self.kind, UNHURRIED)
        return float(self.draws("seconds", item, str(step)).lognormal(pace, 0.5))

    @property
    def leaves_after(self) -> int | None:
        """After how many items a dropout is gone."""
        return int(self.draws("leaves").integers(1, STAYS)) if self.kind == "dropout" else None

    def answers(self, questions: Sequence[Question], item: str, content: Content) -> dict[str, Any]:
        """Return answers to the questions of one step; skipped ones are absent."""
        given: dict[str, Any] = {}
        for question in questions:
            if question.per == "item":
                if not _skipped(question, given, ""):
                    _put(given, question, self._answer(question, item, content, ""))
                continue
            own = {
                name: answer
                for name in content.names
                if not _skipped(question, given, name)
                and (answer := self._answer(question, item, content, name)) is not None
            }
            _put(given, question, own or None)
        return given

    def _answer(self, question: Question, item: str, content: Content, candidate: str) -> Any:
        if question.type == "text":
            return None if not question.required else "rehearsed"
        if question.type == "best-of-n":
            return self._best(question, item, content)
        scale = scale_of(question)
        generator = self.draws("answer", item, question.id, candidate)
        chosen = scale[self._place(scale, question, item, content, generator)]
        return [chosen] if question.type == "set" else chosen

    def _best(self, question: Question, item: str, content: Content) -> Any:
        names = sorted(content.names)
        best = names[int(self.draws("best", item, question.id).integers(len(names)))]
        return [best] if question.ties else best

    def _place(
        self,
        scale: Sequence[str],
        question: Question,
        item: str,
        content: Content,
        generator: np.random.Generator,
    ) -> int:
        """Return the place of the person's answer on the scale."""
        if self.kind == "straight-liner":
            return int(self.draws("line", question.id).integers(len(scale)))
        third = int(hashlib.sha256(item.encode()).hexdigest(), 16) % 3 == 0
        if self.kind in ("uniform-spammer", "bot") or (self.kind == "subtle-spammer" and third):
            return int(generator.integers(len(scale)))
        if content.kind != "item" and content.expected is not None:
            right = _right(scale, question, content)
            if right and generator.random() < KNOWS_CHECK:
                return right[int(generator.integers(len(right)))]
            return int(generator.integers(len(scale)))
        return _leaning(self.kind, leaning(self.seed, item, question.id, content), scale, generator)


def leaning(seed: int, item: str, question: str, content: Content) -> float:
    """Return how far an item leans to the upper end of a scale, from 0 to 1."""
    text = f"{seed}|leaning|{item}|{question}"
    generator = np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]))
    return float(generator.beta(*APPEAL.get(content.condition or "", (1.2, 1.2))))


def _leaning(kind: str, lean: float, scale: Sequence[str], generator: np.random.Generator) -> int:
    """Return a place on the scale for an item that leans so; people differ by a step or two."""
    lean = lean**0.35 if kind == "biased" else 1 - lean if kind == "consistent-minority" else lean
    upper = generator.random() < lean
    half = len(scale) / 2
    sure = generator.random() < 0.25 + abs(lean - 0.5)
    low, high = int(np.ceil(half)), len(scale) - 1
    if upper:
        return high if sure else min(low, high)
    return 0 if sure else max(0, int(np.floor(half)) - 1)


def _right(scale: Sequence[str], question: Question, content: Content) -> list[int]:
    """Return the places of the answers that pass a check."""
    return [
        place
        for place, answer in enumerate(scale)
        if passed(
            answer,
            content.expected or "",
            kind=content.kind,
            sides=question.answer_sides,
            scale=question.options,
        )
    ]


def scale_of(question: Question) -> list[str]:
    """Return the answers a question takes, lowest first; a slider's refused middle is none."""
    if question.type != "slider":
        return list(question.options)
    low, high, step = question.min or 0.0, question.max or 0.0, question.step
    places = [low + step * place for place in range(round((high - low) / step) + 1)]
    taken = [p for p in places if not (question.middle == "refuse" and p == question.start)]
    return [f"{place:g}" for place in taken]


def _skipped(question: Question, given: Mapping[str, Any], candidate: str) -> bool:
    for name, answers in question.skip_if.items():
        earlier = given.get(name)
        said = earlier.get(candidate) if isinstance(earlier, Mapping) else earlier
        if said is not None and str(said) in answers:
            return True
    return False


def _put(given: dict[str, Any], question: Question, answer: Any) -> None:
    if answer is not None:
        given[question.id] = answer


def cast(people: int, mix: Mapping[str, float], seed: int) -> Iterator[SimulatedPerson]:
    """Yield the people of a rehearsal; shares are kept as closely as whole people allow."""
    check_mix(mix)
    if people < 1:
        raise StudyError(f"people must be 1 or more; got {people}.")
    edges = np.cumsum(list(mix.values())) * people
    places = np.searchsorted(edges, np.arange(people) + 0.5)
    names = list(mix)
    shuffled = np.random.default_rng(seed).permutation(places)
    for number, place in enumerate(shuffled):
        yield SimulatedPerson(f"person-{number:05d}", names[min(int(place), len(names) - 1)], seed)


def check_mix(mix: Mapping[str, float]) -> None:
    """Raise unless every kind is known and the shares sum to 1."""
    stranger = next((kind for kind in mix if kind not in KINDS), None)
    if stranger is not None:
        raise UnknownName("kind of person", stranger, KINDS)
    if abs(sum(mix.values()) - 1) > 1e-9 or min(mix.values()) < 0:
        raise StudyError(f"the shares of a mix must sum to 1; got {sum(mix.values()):g}.")


def parse_mix(text: str) -> dict[str, float]:
    """Return a mix from its text.

    >>> parse_mix("careful=.9,bot=.1")
    {'careful': 0.9, 'bot': 0.1}
    """
    mix: dict[str, float] = {}
    for part in text.split(","):
        kind, equals, share = part.strip().partition("=")
        try:
            mix[kind] = float(share)
        except ValueError as error:
            raise StudyError(
                f"--mix: {part.strip()!r} is not KIND=SHARE, such as careful=.8."
            ) from error
        if not equals:
            raise StudyError(f"--mix: {part.strip()!r} has no share. Write careful=.8.")
    check_mix(mix)
    return mix
