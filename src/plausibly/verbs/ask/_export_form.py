"""The form of a study as documents for another harness, each with the prompt that `ask` sends."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plausibly.asking.bridges import PEOPLE_MEAN
from plausibly.asking.inquiries import AskChoices
from plausibly.asking.sittings import Put
from plausibly.asking.wordings import chosen_wordings
from plausibly.backends.scripted import MockModel
from plausibly.domain import as_number
from plausibly.errors import StudyError, option
from plausibly.ratings.forms import Question
from plausibly.verbs.ask._asked_form import limited, shots_of
from plausibly.verbs.ask._examples import Votes, example_sets, people_votes
from plausibly.verbs.ask._form import FormSet, form_set, questions_of
from plausibly.verbs.ask._talk import sittings_of

Document = dict[str, Any]


@dataclass(frozen=True)
class FormDocuments:
    """What a study gives another harness.

    Args:
        sets: From the name of a task to its documents.
        divided: From a question to how many items are left out, because no answer to it has more
            than half of the votes.
        items: How many items there are.
        file: The file of items.
        notes: Which questions are left out, and why.
    """

    sets: dict[str, list[Document]]
    divided: dict[str, int]
    items: int
    file: Path
    notes: tuple[str, ...]


def form_documents(source: str, chosen: AskChoices) -> FormDocuments:
    """Return the first question of a form about every item, in every wording.

    A later question follows the model's answers to those before, which a fixed prompt cannot
    contain; it is left out and named.

    Args:
        source: The folder of a study.
        chosen: Which wordings, examples and items.

    Raises:
        StudyError: If the study has no ratings, or its first question has no list of answers.
    """
    if chosen.tasks is not None:
        what = f"{option('tasks')} is for published datasets; {source} is asked with its form."
        raise StudyError(what, parameter="tasks")
    asked, folder = form_set(source, None), Path(source)
    votes = people_votes(folder)
    if not votes:
        raise StudyError(
            f"{source}: the study has no ratings, and a harness counts how often a model agrees "
            "with people. Collect ratings first; plausibly ask needs none."
        )
    only = limited(asked, chosen.limit, chosen.seed)
    shown = example_sets(
        asked, folder, shots=shots_of(chosen.shots), sets=chosen.shot_sets, seed=chosen.seed
    )
    wordings = chosen_wordings(chosen.prompts)
    settings: dict[str, Any] = {
        "samples": 1,
        "max_tokens": chosen.max_tokens,
        "only": only,
        "examples": shown,
    }
    plain, talks = (
        [
            next(one)
            for one in sittings_of(asked, MockModel(converses=converses), wordings, **settings)
        ]
        for converses in (False, True)
    )
    sets: dict[str, list[Document]] = {}
    without: Counter[str] = Counter()
    for text, talk in zip(plain, talks, strict=True):
        document = _document(asked, text, talk, votes)
        if document is None:
            without[text.record["task"]] += 1
            continue
        parts = (asked.name, *(document[name] for name in ("task", "prompt", "shot_set")))
        sets.setdefault(re.sub(r"[^\w.-]+", "-", "_".join(parts)), []).append(document)
    if not sets:
        raise StudyError(
            f"{source}: no item has an answer that most people gave. Collect more ratings."
        )
    divided = {task: number // (len(wordings) * len(shown)) for task, number in without.items()}
    return FormDocuments(sets, divided, len(only), asked.items, tuple(_left_out(asked)))


def _document(asked: FormSet, text: Put, talk: Put, votes: Votes) -> Document | None:
    """Return what a harness needs about one item; None if people do not say what is right."""
    record, item = text.record, text.record["item"]
    question = _first(asked, item)
    options = [one.strip() for one in text.query.options]
    if not options:
        raise StudyError(
            f"{question.id}: the answers cannot be listed, so a harness cannot choose among them. "
            "It takes choices, scales of words, and sliders of up to 101 places."
        )
    counts = votes.get((item, question.id))
    right = None if not counts else _right(question, counts, options)
    if right is None:
        return None
    label, mean = right
    return {
        "item": item,
        "task": record["task"],
        "prompt": record["prompt"],
        "shot_set": record["shot_set"],
        "context": text.query.context,
        "messages": [list(turn) for turn in talk.query.messages],
        "choices": options,
        "options": options,
        "label": options.index(label),
        **({} if mean is None else {PEOPLE_MEAN: mean}),
    }


def _right(
    question: Question, counts: Counter[str], options: list[str]
) -> tuple[str, float | None] | None:
    """Return the answer of most people, or on a slider the place nearest to their mean."""
    if question.type != "slider":
        answer, number = counts.most_common(1)[0]
        return (answer, None) if 2 * number > counts.total() and answer in options else None
    numbers = [(as_number(answer), number) for answer, number in counts.items()]
    known = [(value, number) for value, number in numbers if value is not None]
    if not known:
        return None
    mean = sum(value * n for value, n in known) / sum(n for _, n in known)
    return min(options, key=lambda one: abs(float(one) - mean)), mean


def _first(asked: FormSet, item: str) -> Question:
    name = item if item in asked.contents else item.rpartition("#")[0]
    return next(question for question, _ in questions_of(asked.form(name), asked.contents[name]))


def _left_out(asked: FormSet) -> Iterator[str]:
    """Yield the questions that are not exported."""
    form = next(iter(asked.forms.values()))
    asked_for = [one for one in form.questions if one.type != "text"]
    for question in asked_for[1:]:
        yield (
            f"{question.id} is left out: it is asked after the model's answer to "
            f"{asked_for[0].id}, which a fixed prompt cannot contain. plausibly ask puts the "
            "whole form to a model."
        )
    if asked_for and asked_for[0].per == "candidate":
        yield f"{asked_for[0].id} is exported for the first candidate of each item only."
