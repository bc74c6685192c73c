"""Simulated people: what they answer and how long they take follows from seed, person and item."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from plausibly.domain import as_number
from plausibly.errors import StudyError, option
from plausibly.measures.checks import passed
from plausibly.ratings.answers import Answer, is_skipped
from plausibly.ratings.crowd import APPEAL
from plausibly.ratings.forms import Question
from plausibly.ratings.retests import shown_item
from plausibly.ratings.served import Content
from plausibly.ratings.simulated.kinds import check_mix

Leanings = Mapping[str, Mapping[str, str]]
"""From an item, or `item#candidate`, and a question to the answer careful people tend to."""
Taken = Mapping[tuple[str, str], Answer]

LEANING = "leans_to"  # column of the items: JSON from question to the answer careful people tend to
SURE = 0.8  # a careful person gives the answer an item leans to
NEAR = 0.95  # or the one next to it; else any
KNOWS_CHECK = 0.98
UNSURE = 0.02
SUBTLE = 2 / 3  # share of items a subtle spammer answers with care
# Mean of the logarithm of the seconds an answer takes for those who do not read.
PACE = {"uniform-spammer": 0.4, "straight-liner": 0.4, "bot": -1.0}
# A reader needs 4.2 seconds and a quarter of one for each word: 5 seconds for three words.
AT_LEAST, A_WORD = 4.2, 0.25
STAYS = 8  # a dropout answers fewer items than this


@dataclass(frozen=True, slots=True)
class SimulatedPerson:
    """One person of a simulated crowd.

    Args:
        name: As the server is told.
        kind: One of `KINDS`.
        seed: Of everything the person does.
        subtlety: Share of items a person of another kind than careful answers as a careful one
            would, and how far their pace is a reader's.
    """

    name: str
    kind: str
    seed: int
    subtlety: float = 0.0

    def draws(self, *about: str) -> np.random.Generator:
        """Return random numbers that depend on seed, person and what they are about alone."""
        text = "|".join([str(self.seed), self.name, *about])
        return np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]))

    @property
    def care(self) -> float:
        """Share of the items the person answers with care."""
        return SUBTLE if self.kind == "subtle-spammer" else self.subtlety

    @property
    def leaves_after(self) -> int | None:
        """After how many items a dropout is gone."""
        return int(self.draws("leaves").integers(1, STAYS)) if self.kind == "dropout" else None

    def seconds(self, item: str, step: int, content: Content) -> float:
        """Return how long the person takes for a step of an item."""
        words = len(" ".join((content.text, *content.shown_at(step).values())).split())
        reading = float(np.log(AT_LEAST + A_WORD * words))
        fast = PACE.get("uniform-spammer" if self.kind == "subtle-spammer" else self.kind, reading)
        pace = (1 - self.care) * fast + self.care * reading
        return float(self.draws("seconds", item, str(step)).lognormal(pace, 0.5))

    def behaves(self, item: str) -> str:
        """Return the kind whose way the person answers an item in."""
        if self.care and self.draws("care", item).random() < self.care:
            return "careful"
        return "uniform-spammer" if self.kind == "subtle-spammer" else self.kind

    def answers(
        self,
        questions: Sequence[Question],
        item: str,
        content: Content,
        *,
        taken: Taken | None = None,
        leanings: Leanings | None = None,
    ) -> dict[str, Any]:
        """Return answers to the questions of one step; skipped ones are absent.

        Args:
            questions: Of one step of the form.
            item: The item.
            content: What is shown of it.
            taken: What the person answered in the steps before.
            leanings: Answers careful people tend to, where they are known.
        """
        known = dict(taken or {})
        below = {one.above for one in questions}
        given: dict[str, Any] = {}
        for question in questions:
            about = content.names if question.per == "candidate" else ("",)
            own: dict[str, Any] = {}
            for name in about:
                if question.type != "best-of-n" and is_skipped(question, name, known):
                    continue
                asked = _Asked(question, item, content, name, question.id in below)
                answer = self._answer(asked, known, leanings or {})
                if answer is not None:
                    own[name] = answer
                    known[question.id, name] = _taken(question, name, answer)
            if own:
                given[question.id] = own if question.per == "candidate" else own[""]
        return given

    def _answer(self, asked: _Asked, known: Taken, leanings: Leanings) -> Any:
        question = asked.question
        if question.type == "text":
            return "rehearsed" if question.required else None
        choices = asked.choices(known)
        if not choices:
            return None
        leaning = leanings.get(asked.key, {}).get(question.id)
        place = self._place(asked, choices, leaning)
        several = question.type == "set" or (question.type == "best-of-n" and question.ties)
        return [choices[place]] if several else choices[place]

    def _place(self, asked: _Asked, choices: Sequence[str], leaning: str | None) -> int:
        """Return the place of the person's answer among the choices."""
        item, question, content = asked.item, asked.question, asked.content
        kind, size = self.behaves(item), len(choices)
        if kind == "straight-liner":
            return int(
                self.draws("line", question.id).integers(len(question.options or choices))
            ) % (size)
        generator = self.draws("answer", item, question.id, asked.candidate)
        if kind in ("uniform-spammer", "bot"):
            return int(generator.integers(size))
        if content.kind != "item" and content.expected is not None:
            return _known(choices, asked, generator)
        if question.unsure and generator.random() < UNSURE:
            return choices.index(question.unsure[0])
        scale = [one for one in choices if one not in question.unsure]
        lean = lean_of(self.seed, asked.key, question.id, content)
        if leaning in scale:
            favourite = scale.index(leaning)
        elif question.type == "slider" and question.middle == "refuse":
            return choices.index(scale[_leaning(kind, lean, len(scale), generator)])
        else:
            favourite = min(int(lean * len(scale)), len(scale) - 1)
        return choices.index(scale[_favouring(kind, favourite, len(scale), generator)])


@dataclass(frozen=True, slots=True)
class _Asked:
    """One question about one item or candidate; `capped`: another answer must lie above it."""

    question: Question
    item: str
    content: Content
    candidate: str
    capped: bool

    @property
    def key(self) -> str:
        item = shown_item(self.item)  # an item leans to what it leans to, however often it is shown
        return f"{item}#{self.candidate}" if self.candidate else item

    def choices(self, known: Taken) -> list[str]:
        """Return the answers the form takes here, lowest first."""
        question = self.question
        if question.type == "best-of-n":
            return sorted(one for one in self.content.names if not is_skipped(question, one, known))
        choices = scale_of(question)
        if self.capped:
            choices = choices[:-1]
        below = known.get((question.above, self.candidate)) or known.get((question.above, ""))
        if below is not None and below.value is not None:
            least = below.value
            choices = [one for one in choices if (as_number(one) or 0) > least]
        return choices


def _taken(question: Question, candidate: str, answer: Any) -> Answer:
    text = ";".join(answer) if isinstance(answer, list) else str(answer)
    return Answer(question.id, candidate, text, as_number(text))


def lean_of(seed: int, item: str, question: str, content: Content) -> float:
    """Return how far an item leans to the upper end of a scale, from 0 to 1."""
    text = f"{seed}|leaning|{item}|{question}"
    generator = np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]))
    return float(generator.beta(*APPEAL.get(content.condition or "", (1.2, 1.2))))


def _leaning(kind: str, lean: float, size: int, generator: np.random.Generator) -> int:
    """Return a place on a scale of two sides; people differ in the side and by a step."""
    lean = lean**0.35 if kind == "biased" else 1 - lean if kind == "consistent-minority" else lean
    upper = generator.random() < lean
    sure = generator.random() < 0.25 + abs(lean - 0.5)
    if upper:
        return size - 1 if sure else min(int(np.ceil(size / 2)), size - 1)
    return 0 if sure else max(0, size // 2 - 1)


def _favouring(kind: str, favourite: int, size: int, generator: np.random.Generator) -> int:
    """Return a place at or near the one an item leans to."""
    place = size - 1 - favourite if kind == "consistent-minority" else favourite
    roll, up = generator.random(2)
    if roll >= NEAR:
        place = int(generator.integers(size))
    elif roll >= SURE:
        place = min(max(place + (1 if up < 0.5 else -1), 0), size - 1)
    return min(place + 1, size - 1) if kind == "biased" and generator.random() < 0.5 else place


def _known(choices: Sequence[str], asked: _Asked, generator: np.random.Generator) -> int:
    """Return the place of an answer to a check, by somebody who nearly always knows it."""
    content, question = asked.content, asked.question
    right = [
        place
        for place, answer in enumerate(choices)
        if passed(
            answer,
            content.expected or "",
            kind=content.kind,
            sides=question.answer_sides,
            scale=question.options,
        )
    ]
    if not right or generator.random() >= KNOWS_CHECK:
        return int(generator.integers(len(choices)))
    if content.expected in choices and generator.random() < SURE:
        return choices.index(content.expected)
    return right[int(generator.integers(len(right)))]


def scale_of(question: Question) -> list[str]:
    """Return the answers a question takes, lowest first; a slider's refused middle is none."""
    if question.type != "slider":
        numbers = [as_number(one) for one in question.options if one not in question.unsure]
        if any(one is None for one in numbers):
            return list(question.options)
        return sorted(question.options, key=lambda one: (one in question.unsure, as_number(one)))
    low, high, step = question.min or 0.0, question.max or 0.0, question.step
    places = [low + step * place for place in range(round((high - low) / step) + 1)]
    taken = [p for p in places if not (question.middle == "refuse" and p == question.start)]
    return [f"{place:g}" for place in taken]


def read_leanings(items: pl.DataFrame) -> dict[str, dict[str, str]]:
    """Return what careful people tend to answer, from the column `leans_to` where there is one."""
    if LEANING not in items.columns:
        return {}
    told = items.drop_nulls(LEANING).select("item", LEANING)
    leanings: dict[str, dict[str, str]] = {}
    for item, text in told.iter_rows():
        try:
            leanings[item] = {str(key): str(one) for key, one in json.loads(text).items()}
        except (ValueError, AttributeError) as error:
            raise StudyError(
                f"items: {LEANING} of item {item!r} must be JSON from question to answer; "
                f"got {text!r}."
            ) from error
    return leanings


def cast(
    people: int, mix: Mapping[str, float], seed: int, *, subtlety: float = 0.0
) -> Iterator[SimulatedPerson]:
    """Yield the people of a crowd; shares are kept as closely as whole people allow."""
    check_mix(mix)
    if people < 1:
        what = f"{option('people')} must be 1 or more; got {people}."
        raise StudyError(what, parameter="people")
    if not 0 <= subtlety <= 1:
        what = f"{option('subtlety')} must be between 0 and 1; got {subtlety}."
        raise StudyError(what, parameter="subtlety")
    edges = np.cumsum(list(mix.values())) * people
    places = np.searchsorted(edges, np.arange(people) + 0.5)
    names = list(mix)
    shuffled = np.random.default_rng(seed).permutation(places)
    for number, place in enumerate(shuffled):
        kind = names[min(int(place), len(names) - 1)]
        yield SimulatedPerson(f"person-{number:05d}", kind, seed, subtlety)
