"""An item as one person sees it: numbers stand for the names of its candidates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from plausibly.ratings.answers import Answer, Checked
from plausibly.ratings.forms import SEPARATOR, Form

if TYPE_CHECKING:
    from plausibly.ratings.practice import Practice
    from plausibly.ratings.served import Content

Place = tuple[str, str]  # a question and the candidate it is about, empty for the whole item


@dataclass(frozen=True, slots=True)
class Called:
    """What candidates are called: `to` has each old name and its new one, in the new ones' order.

    >>> numbers = Called({"gpt": "1", "human": "2"}, frozenset({"best"}))
    >>> numbers.answer("best", "human;gpt"), numbers.answer("fit", "5"), numbers.key("fit:human")
    ('1;2', '5', 'fit:2')
    """

    to: Mapping[str, str]
    comparing: frozenset[str]  # questions whose answers are candidates

    def answer(self, question: str, answer: str) -> str:
        """Return an answer, without candidates that are unknown."""
        if question not in self.comparing:
            return answer
        named = answer.split(SEPARATOR)
        return SEPARATOR.join(new for old, new in self.to.items() if old in named)

    def stored(self, given: Mapping[Place, str]) -> dict[Place, str]:
        """Return answers by question and candidate."""
        return {
            (question, self.to.get(candidate, "")): self.answer(question, answer)
            for (question, candidate), answer in given.items()
            if not candidate or candidate in self.to
        }

    def answers(self, given: Iterable[Answer]) -> tuple[Answer, ...]:
        """Return answers as they are stored."""
        return tuple(
            replace(
                one,
                candidate=self.to.get(one.candidate, ""),
                answer=self.answer(one.question, one.answer),
            )
            for one in given
            if not one.candidate or one.candidate in self.to
        )

    def sent(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Return answers as they are sent."""
        return {question: self._sent(question, answer) for question, answer in given.items()}

    def _sent(self, question: str, answer: Any) -> Any:
        if isinstance(answer, Mapping):
            return {self.to[candidate]: one for candidate, one in answer.items()}
        if question not in self.comparing:
            return answer
        return self.to[answer] if isinstance(answer, str) else [self.to[one] for one in answer]

    def key(self, whole: str) -> str:
        """Return a question, with the candidate it is about if it is about one."""
        question, _, candidate = whole.partition(":")
        return f"{question}:{self.to[candidate]}" if candidate else question


@dataclass(frozen=True, slots=True)
class Seen:
    """An item as one person sees it, and how it is called where answers are stored.

    Args:
        form: The questions, which may name candidates.
        content: What is shown, its candidates in the order of the page.
        known: What candidates are called here, in the order of stored answers.
        inward: From what candidates are called here to their names.
        outward: From their names to what they are called here.
    """

    form: Form
    content: Content
    known: tuple[str, ...]
    inward: Called
    outward: Called

    def checked(self, checked: Checked) -> Checked:
        """Return what was checked as it is stored; refusals stay in the words of the person."""
        return replace(checked, answers=self.inward.answers(checked.answers))


def seen_of(form: Form, shown: Content, names: tuple[str, ...]) -> Seen:
    """Return an item as a person sees it.

    Args:
        form: The questions.
        shown: The item with its candidates in the order of the page.
        names: Names of the candidates in the order of the items.
    """
    compared = _compared(form)
    if form.candidates == "shown" or not names:
        same = Called({name: name for name in names}, compared)
        return Seen(form, shown, names, same, same)
    numbers = {name: str(place) for place, name in enumerate(shown.names, 1)}
    inward = Called({numbers[name]: name for name in names}, compared)
    outward = Called(numbers, compared)
    content = replace(shown, candidates=tuple((numbers[n], t) for n, t in shown.candidates))
    return Seen(_renamed(form, outward), content, content.names, inward, outward)


def practised(practice: Practice, form: Form) -> tuple[Form, Practice]:
    """Return a form and an item to practise on as people see them."""
    if form.candidates == "shown" or not practice.candidates:
        return form, practice
    numbers = {name: str(place) for place, name in enumerate(practice.candidates, 1)}
    outward = Called(numbers, _compared(form))
    own = replace(
        practice,
        candidates={numbers[name]: text for name, text in practice.candidates.items()},
        expect={
            outward.key(whole): tuple(outward.answer(whole, one) for one in answers)
            for whole, answers in practice.expect.items()
        },
        earlier={
            outward.key(whole): outward.answer(whole, answer)
            for whole, answer in practice.earlier.items()
        },
    )
    return _renamed(form, outward), own


def _compared(form: Form) -> frozenset[str]:
    return frozenset(one.id for one in form.questions if one.type == "best-of-n")


def _renamed(form: Form, outward: Called) -> Form:
    """Return a form whose rules name candidates as people see them."""
    if not any(outward.comparing & one.skip_if.keys() for one in form.questions):
        return form
    questions = tuple(
        replace(
            one,
            skip_if={
                name: tuple(filter(None, (outward.answer(name, said) for said in answers)))
                for name, answers in one.skip_if.items()
            },
        )
        for one in form.questions
    )
    return replace(form, questions=questions)
