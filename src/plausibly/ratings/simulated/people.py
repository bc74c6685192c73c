"""Simulated people: what they answer and how long they take follows from seed, person and item."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr

from plausibly.domain import as_number
from plausibly.errors import StudyError, option
from plausibly.measures.checks import passed
from plausibly.ratings.answers import Answer, is_skipped
from plausibly.ratings.forms import Question
from plausibly.ratings.retests import shown_item
from plausibly.ratings.served import Content
from plausibly.ratings.simulated.kinds import check_mix
from plausibly.ratings.simulated.latent import Drawer, keyed_normals, positions
from plausibly.ratings.simulated.outlook import Outlook
from plausibly.ratings.simulated.reading import words_in
from plausibly.ratings.simulated.responses import (
    MOST_STEPS,
    direction_of,
    habit,
    is_ordered,
    nearest,
    ordinal,
    slid,
    stretched,
)

Taken = Mapping[tuple[str, str], Answer]

SURE = 0.8  # a careful person gives the answer an item leans to
NEAR = 0.95  # or the one next to it; else any
SUBTLE = 2 / 3  # share of items a subtle spammer answers with care
# Mean of the logarithm of the seconds an answer takes for those who do not read.
AT_ONCE = ("uniform-spammer", "straight-liner", "midpoint-responder", "extreme-responder")
PACE = {**dict.fromkeys(AT_ONCE, 0.4), "bot": -1.0}
STAYS = 8  # a dropout answers fewer items than this
BIAS = 1.0  # how far up biased people are, in standard deviations of the latent scale
NEARLY = 0.5  # best-of-n: candidates this close to the best are named with it
WRITTEN = "rehearsed"


@dataclass(frozen=True, slots=True)
class SimulatedPerson:
    """One person of a simulated crowd.

    Args:
        name: As sent to the server.
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

    def seconds(self, item: str, step: int, content: Content, outlook: Outlook) -> float:
        """Return how long the person takes for a step of an item."""
        model = outlook.model
        words = words_in(" ".join((content.text, *content.shown_at(step).values())))
        reading = float(np.log(model.seconds + model.seconds_per_word * words))
        if model.pace:
            reading += model.pace * float(keyed_normals(self.seed, "pace", [self.name])[0])
        fast = PACE.get("uniform-spammer" if self.kind == "subtle-spammer" else self.kind, reading)
        pace = (1 - self.care) * fast + self.care * reading
        spread = model.seconds_spread
        return float(self.draws("seconds", item, str(step)).lognormal(pace, spread))

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
        outlook: Outlook,
    ) -> dict[str, Any]:
        """Return answers to the questions of one step; skipped ones are absent.

        Args:
            questions: Of one step of the form.
            item: The item.
            content: What is shown of it.
            taken: What the person answered in the steps before.
            outlook: How people answer, and where items are on their scale.
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
                asked = _Asked(question, item, content, name, question.id in below, outlook)
                answer = self._answer(asked, known)
                if answer is not None:
                    own[name] = answer
                    known[question.id, name] = _taken(question, name, answer)
            if own:
                given[question.id] = own if question.per == "candidate" else own[""]
        return given

    def _answer(self, asked: _Asked, known: Taken) -> Any:
        question = asked.question
        if question.type == "text":
            written = self.draws("text", asked.item, question.id).random()
            wanted = question.required or written < asked.outlook.model.comments
            return WRITTEN if wanted else None
        choices = asked.choices(known)
        if not choices:
            return None
        several = question.type == "set" or (question.type == "best-of-n" and question.ties)
        if self._weighs(asked, choices):
            chosen = self._weighed(asked, choices)
            return chosen if several else chosen[0]
        place = self._place(asked, choices)
        return [choices[place]] if several else choices[place]

    def _weighs(self, asked: _Asked, choices: Sequence[str]) -> bool:
        """Return whether the person weighs unordered options against each other."""
        careless = self.behaves(asked.item) in (*AT_ONCE, "bot")
        if careless or asked.is_check or asked.leaning or asked.beta is not None:
            return False
        question = asked.question
        scale = [one for one in choices if one not in question.unsure]
        compares = question.type in ("set", "best-of-n")
        return bool(scale) and (compares or not is_ordered(question, scale))

    def _weighed(self, asked: _Asked, choices: Sequence[str]) -> list[str]:
        """Return the option that suits an item best for this person, or those that do."""
        question, outlook = asked.question, asked.outlook
        generator = self.draws("answer", asked.item, question.id, asked.candidate)
        if question.unsure and generator.random() < outlook.model.unsure:
            return [question.unsure[0]]
        scale = [one for one in choices if one not in question.unsure]
        if question.type == "best-of-n":
            own = [outlook.place(question.id, f"{shown_item(asked.item)}#{one}") for one in scale]
        else:
            condition = asked.content.condition or ""
            own = outlook.appeals(question.id, asked.key, condition, scale)
        tastes = keyed_normals(
            self.seed, f"taste|{question.id}", [f"{self.name}|{one}" for one in scale]
        )
        way = -1 if self.behaves(asked.item) == "consistent-minority" else 1
        suits = way * np.array(own) + outlook.model.severity * tastes
        suits = suits + generator.gumbel(size=len(scale))
        if question.type == "set":
            return [one for one, suit in zip(scale, suits, strict=True) if suit > 1] or [
                scale[int(suits.argmax())]
            ]
        close = suits >= suits.max() - (NEARLY if question.ties else 0)
        return [one for one, near in zip(scale, close, strict=True) if near]

    def _place(self, asked: _Asked, choices: Sequence[str]) -> int:
        """Return the place of the person's answer among the choices."""
        question, kind = asked.question, self.behaves(asked.item)
        if kind == "straight-liner":
            options = len(question.options or choices)
            return int(self.draws("line", question.id).integers(options)) % len(choices)
        generator = self.draws("answer", asked.item, question.id, asked.candidate)
        if kind in ("uniform-spammer", "bot"):
            return int(generator.integers(len(choices)))
        if kind in AT_ONCE:
            return _by_place(kind, choices, question, generator)
        if asked.is_check:
            return _known(choices, asked, generator)
        if question.unsure and generator.random() < asked.outlook.model.unsure:
            return choices.index(question.unsure[0])
        scale = [one for one in choices if one not in question.unsure]
        return choices.index(scale[self._meant(kind, asked, scale, generator)])

    def _meant(
        self, kind: str, asked: _Asked, scale: Sequence[str], generator: np.random.Generator
    ) -> int:
        """Return the place of an answer of who reads: by what an item leans to, or by the model."""
        question = asked.question
        if asked.leaning in scale:
            return _favouring(kind, scale.index(asked.leaning), len(scale), generator)
        if asked.beta is None:
            return self._latent(kind, asked, scale)
        lean, size = lean_of(self.seed, asked.key, question.id, asked.beta), len(scale)
        if question.type == "slider" and question.middle == "refuse":
            return _leaning(kind, lean, size, generator)
        return _favouring(kind, min(int(lean * size), size - 1), size, generator)

    def _latent(self, kind: str, asked: _Asked, scale: Sequence[str]) -> int:
        """Return the place of an answer on an ordered scale; see `model`."""
        outlook, question = asked.outlook, asked.question
        model, drawer = outlook.model, Drawer(outlook.model, self.seed)
        pair = [f"{self.name}|{asked.content.condition or ''}"]
        item = f"{self.name}|{asked.item}|{asked.candidate}"
        latent = (
            outlook.place(question.id, asked.key)
            + drawer.people([self.name], question.id)
            + drawer.slopes(pair, question.id)
            + drawer.noise([item], question.id)
        )
        latent = latent * np.exp(model.spread * keyed_normals(self.seed, "spread", [self.name]))
        declared = model.of(question.id)
        scale_of_latent = outlook.scale(question.id)
        bias = BIAS * scale_of_latent if kind == "biased" else 0.0
        way = -1 if kind == "consistent-minority" else 1
        latent = way * direction_of(question, declared) * latent + bias
        position = positions(latent, scale_of_latent)
        if question.type != "slider" or len(scale_of(question)) <= MOST_STEPS:
            return int(ordinal(position, len(scale), declared)[0])
        ends = (question.min or 0.0, question.max or 0.0)
        grid = habit(float(ndtr(keyed_normals(self.seed, "habit", [self.name]))[0]), model)
        value = slid(stretched(position, ends, declared), np.array([grid]), ends, model)
        numbers = [as_number(one) or 0.0 for one in scale]
        return nearest(float(value[0]), numbers, up=bool(position[0] > 0.5))


@dataclass(frozen=True, slots=True)
class _Asked:
    """One question about one item or candidate; `capped`: another answer must lie above it."""

    question: Question
    item: str
    content: Content
    candidate: str
    capped: bool
    outlook: Outlook

    @property
    def leaning(self) -> str | None:
        """The answer careful people tend to, where it is known."""
        return self.outlook.leanings.get(self.key, {}).get(self.question.id)

    @property
    def beta(self) -> Sequence[float] | None:
        """The Beta distribution of what items of the condition lean to, where one is declared."""
        return self.outlook.model.beta(self.content.condition)

    @property
    def is_check(self) -> bool:
        """Whether one answer is expected."""
        return self.content.kind != "item" and self.content.expected is not None

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


def lean_of(seed: int, item: str, question: str, beta: Sequence[float]) -> float:
    """Return how far an item leans to the upper side, from 0 to 1, by a Beta distribution."""
    text = f"{seed}|leaning|{item}|{question}"
    generator = np.random.default_rng(int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]))
    return float(generator.beta(beta[0], beta[1]))


def _by_place(
    kind: str, choices: Sequence[str], question: Question, generator: np.random.Generator
) -> int:
    """Return the answer of who goes by places on the scale: its middle, or one of its ends."""
    size = len(choices) - sum(one in question.unsure for one in choices)
    if kind == "extreme-responder":
        return int(generator.integers(2)) * (size - 1)
    return (size - 1) // 2 + (int(generator.integers(2)) if size % 2 == 0 else 0)


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
    if not right or generator.random() >= asked.outlook.model.knows_checks:
        return int(generator.integers(len(choices)))
    if content.expected in choices and generator.random() < SURE:
        return choices.index(content.expected)
    return right[int(generator.integers(len(right)))]


def scale_of(question: Question) -> list[str]:
    """Return the answers a question takes, lowest first, without a slider's refused middle."""
    if question.type != "slider":
        numbers = [as_number(one) for one in question.options if one not in question.unsure]
        if any(one is None for one in numbers):
            return list(question.options)
        return sorted(question.options, key=lambda one: (one in question.unsure, as_number(one)))
    low, high, step = question.min or 0.0, question.max or 0.0, question.step
    places = [low + step * place for place in range(round((high - low) / step) + 1)]
    taken = [p for p in places if not (question.middle == "refuse" and p == question.start)]
    return [f"{place:g}" for place in taken]


MOST_PEOPLE = 1_000_000


def cast(
    people: int, mix: Mapping[str, float], seed: int, *, subtlety: float = 0.0
) -> Iterator[SimulatedPerson]:
    """Yield the people of a crowd; shares are kept as closely as whole people allow."""
    check_mix(mix)
    if not 1 <= people <= MOST_PEOPLE:
        what = f"{option('people')} must be from 1 to {MOST_PEOPLE}; got {people}."
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
