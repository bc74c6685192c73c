"""Examples for a form: items of the study that people are clear about, with their answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from plausibly.asking.cases import CLEAR, Case, ShotSet, clear_answer
from plausibly.asking.judged import in_turn
from plausibly.errors import StudyError, option
from plausibly.io import read_table
from plausibly.ratings.forms import Form, Question
from plausibly.tables import RATINGS
from plausibly.verbs.ask._form import FormSet, offered_grades

Drawn = dict[str, dict[str, ShotSet]]
Votes = dict[tuple[str, str], Counter[str]]
PLACES = ("clean/ratings.parquet", "ratings.parquet")
"""Where a study has people's answers: the ones cleaning kept come first."""


@dataclass(frozen=True)
class ExampleSet:
    """One set of examples, by language, and the answer each example has.

    Args:
        name: As ways of asking are told apart: `4.1` is the first set of four; `0` shows nothing.
        sets: From a language to the examples in it.
        cases: From an item to what it shares with others.
        grades: From an item and a question to the answer it is shown with.
    """

    name: str = "0"
    sets: Mapping[str, ShotSet] = field(default_factory=dict)
    cases: Mapping[str, tuple[str, Case]] = field(default_factory=dict)
    grades: Mapping[tuple[str, str], str] = field(default_factory=dict)

    def of(self, item: str) -> list[str]:
        """Return the examples for an item: in its language, never itself or one of its group."""
        language, case = self.cases.get(item, ("", None))
        if case is None or language not in self.sets:
            return []
        return [one.item for one in self.sets[language].shots_for(case)]

    def answers(self, form: Form, item: str) -> list[tuple[Question, str]]:
        """Return the first questions of a form with their answers, as far as these are clear."""
        answered = []
        for question in asked_first(form):
            grade = self.grades.get((item, question.id))
            if grade is None:
                break
            answered.append((question, grade))
        return answered


NO_EXAMPLES = ExampleSet()


def asked_first(form: Form) -> list[Question]:
    """Return the questions that examples can answer: the first ones, as far as they have sides."""
    found = []
    for question in form.questions:
        if question.type == "text":
            continue
        if question.answer_sides is None or question.per != "item" or question.skip_if:
            break
        found.append(question)
    return found


def example_sets(
    asked: FormSet, folder: Path | None, *, shots: int, sets: int, seed: int
) -> list[ExampleSet]:
    """Return the sets of examples for a study, from what people answered there.

    Args:
        asked: The items and their form.
        folder: The study; None if there is none.
        shots: Examples in a set; 0 for none.
        sets: How many sets.
        seed: Seed for drawing them.

    Raises:
        StudyError: If the study has no answers, or nothing in it is clear by side.
    """
    if shots == 0:
        return [NO_EXAMPLES]
    questions = asked_first(next(iter(asked.forms.values())))
    if not questions:
        raise StudyError(
            f"the first question of {asked.name} has no sides, so it is unknown which items are "
            f"clear. Declare sides in the form, or leave out {option('shots')}.",
            parameter="shots",
        )
    votes = people_votes(folder)
    if votes is None:
        raise StudyError(
            f"{asked.name} has no ratings to take examples from. Collect some, or leave out "
            f"{option('shots')}.",
            parameter="shots",
        )
    grades, sides = _clear(votes, questions)
    first = questions[0].id
    every: dict[str, tuple[str, Case]] = {}
    for item, content in asked.contents.items():
        truth = {first: grades[item, first]} if (item, first) in grades else {}
        case = Case(item, content.group or item, str(sides.get(item, "")), {}, truth)
        every[item] = asked.languages[item], case
    drawn = {
        language: _drawn(
            [one for own, one in every.values() if own == language],
            first,
            shots=shots,
            sets=sets,
            seed=seed,
        )
        for language in sorted({language for language, _ in every.values()})
    }
    return [
        ExampleSet(name, {one: own[name][first] for one, own in drawn.items()}, every, grades)
        for name in next(iter(drawn.values()))
    ]


def people_votes(folder: Path | None) -> Votes | None:
    """Return how often people gave each answer, by item and question; None without ratings."""
    places = [] if folder is None else [folder / place for place in PLACES]
    place = next((one for one in places if one.is_file()), None)
    if place is None:
        return None
    votes: Votes = {}
    counted = read_table(place, RATINGS).group_by("item", "question", "answer").len()
    for item, question, answer, count in counted.sort(pl.all()).iter_rows():
        votes.setdefault((item, question), Counter())[answer] = count
    return votes


def _clear(
    votes: Mapping[tuple[str, str], Counter[str]], questions: Sequence[Question]
) -> tuple[dict[tuple[str, str], str], dict[str, int]]:
    """Return the answer of every clear item to every question, and its side in the first."""
    grades: dict[tuple[str, str], str] = {}
    sides: dict[str, int] = {}
    for question in questions:
        scale, own = offered_grades(question), question.answer_sides or ()
        for (item, asked), counts in votes.items():
            if asked != question.id:
                continue
            clear = clear_answer(counts, own, scale)
            if clear is not None:
                grades[item, asked] = clear[1]
                if question is questions[0]:
                    sides[item] = clear[0]
    return grades, sides


def _drawn(cases: Sequence[Case], question: str, *, shots: int, sets: int, seed: int) -> Drawn:
    """Return sets of clear items in which the sides take turns."""
    present = sorted({case.kind for case in cases if case.truth})
    if len(present) < 2:
        raise StudyError(
            f"examples need clear items on both sides: at least {CLEAR:.0%} of the answers to "
            f"{question} on one side. There are {sum(bool(case.truth) for case in cases)} clear "
            f"items on {len(present)} sides. Leave out {option('shots')}.",
            parameter="shots",
        )
    kinds = [frozenset({kind}) for kind in present]
    return in_turn(cases, kinds, (question,), shots=shots, sets=sets, seed=seed)
