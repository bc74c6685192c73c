"""What is declared about the questions of a study: by its form, by study.toml, by a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.domain import as_number
from plausibly.errors import StudyError, UnknownName, option
from plausibly.io import read_toml
from plausibly.measures.question_facts import FACTS, QuestionFacts, facts_of
from plausibly.measures.questions import SEPARATOR, SET
from plausibly.ratings.collection import collection_form
from plausibly.ratings.forms import Form, Question
from plausibly.ratings.server import interface_of
from plausibly.study.folder import Study
from plausibly.study.settings import FILE, QUESTIONS
from plausibly.study.steps import Work

Questions = Mapping[str, Mapping[str, Any]]

# The scale that follows from the type of a question, and why.
BY_TYPE: Mapping[str, tuple[str, str]] = {
    "likert": ("ordinal", "a Likert question, whose answers are ordered"),
    "choice": ("nominal", "a choice among answers without a declared order"),
    "slider": ("interval", "a slider"),
    "number": ("interval", "a number"),
    "set": ("nominal", "a set: each option is chosen or not"),
    "best-of-n": ("nominal", "a choice among candidates"),
    "text": ("text", "a text"),
}
DECLARED = "declared in the form"
ORDERED = ("likert", "choice")  # the order of a choice matters once its scale is ordinal
SEPARATORS = (SEPARATOR, "|", ",", "/", "+", "&", "\n")


def form_facts(form: Form) -> dict[str, QuestionFacts]:
    """Return what a form declares about each of its questions.

    >>> slider = Question(id="fit", type="slider", min=0, max=100, start=50)
    >>> facts = form_facts(Form("f", (slider,)))["fit"]
    >>> facts.scale, facts.reason, facts.bounds
    ('interval', 'a slider', (0, 100))
    """
    return {question.id: _facts(question) for question in form.questions}


def _facts(question: Question) -> QuestionFacts:
    scale, reason = BY_TYPE[question.type]
    if question.scale:
        scale, reason = question.scale, DECLARED
    ends = question.min, question.max
    return QuestionFacts(
        scale=scale,
        reason=reason,
        type=question.type,
        order=_order(question) if question.type in ORDERED else (),
        sides=question.sides,
        bounds=None if ends[0] is None or ends[1] is None else (ends[0], ends[1]),
        unsure=question.unsure,
    )


def _order(question: Question) -> tuple[str, ...]:
    """Return the options from least to most: numbers by size, words as the form lists them."""
    options = [one for one in question.options if one not in question.unsure]
    numbers = [as_number(one) for one in options]
    known = [number for number in numbers if number is not None]
    if len(known) < len(options):
        return tuple(options)
    return tuple(one for _, one in sorted(zip(known, options, strict=True)))


def study_form(work: Work) -> Form | None:
    """Return the form of a study; None if it has none, as where ratings come from a file."""
    protocol = work.protocol or Study(work.folder).protocol
    section = work.settings.get("form", {})
    if not section.get("questions", protocol.form):
        return None
    return collection_form(protocol, section, where=str(work.path(FILE)))


def with_declared_sets(ratings: pl.DataFrame, form: Form) -> tuple[pl.DataFrame, list[str]]:
    """Return ratings of a file with each set written as the server writes it, and what was changed.

    Tools separate the options of a set in different ways. A separator is recognised if, with it,
    every answer to the question consists of options of the form.

    >>> form = Form("f", (Question(id="why", type="set", options=("odd", "new")),))
    >>> ratings = pl.DataFrame({"question": ["why"] * 2, "answer": ["new, odd", "odd"]})
    >>> with_declared_sets(ratings, form)[0]["answer"].to_list()
    ['odd;new', 'odd']
    """
    notes = []
    for asked in form.questions:
        if asked.type != SET:
            continue
        is_asked = pl.col("question") == asked.id
        written = ratings.filter(is_asked)["answer"].drop_nulls().unique().sort().to_list()
        sets = _as_sets(written, asked.options)
        if all(answer == one for answer, one in sets.items()):
            continue
        answer = pl.col("answer").replace(sets)
        ratings = ratings.with_columns(answer=pl.when(is_asked).then(answer).otherwise("answer"))
        example = next(answer for answer, one in sets.items() if answer != one)
        notes.append(
            f"{asked.id}: sets are stored in one spelling, such as {example!r} as "
            f"{sets[example]!r}."
        )
    return ratings, notes


def _as_sets(answers: Sequence[str], options: Sequence[str]) -> dict[str, str]:
    """Return each answer as options in the form's order; nothing where an answer has others."""
    for separator in SEPARATORS:
        chosen = {answer: {one.strip() for one in answer.split(separator)} for answer in answers}
        if all(one <= {*options} for one in chosen.values()):
            return {
                answer: SEPARATOR.join(one for one in options if one in own)
                for answer, own in chosen.items()
            }
    return {}


def asked_questions(folder: Path) -> dict[str, dict[str, Any]]:
    """Return what people read for each question of a study, in the order of its form."""
    study = Study(folder)
    settings = study.settings
    section = settings.sections.get("form", {})
    if not section.get("questions", study.protocol.form):
        return {}
    language = interface_of(study.protocol, settings.sections, folder)
    form = collection_form(study.protocol, section, where=str(folder / FILE), language=language)
    label = settings.sections.get("label", {})
    return {one.id: _asked(one) | _rescaled(label, one.id) for one in form.questions}


def _rescaled(label: Mapping[str, Any], question: str) -> dict[str, Any]:
    """Return the ends of the scale that labels are moved to, where it is not that of answers."""
    tables = label.get("questions")
    own = tables.get(question, {}) if isinstance(tables, Mapping) else {}
    rescale = str(own.get("rescale", label.get("rescale")) or "")
    return {"rescaled": rescale.rpartition("|")[2].split(",")} if rescale else {}


def _asked(question: Question) -> dict[str, Any]:
    """Return what people read: text, options, words for answers, the ends of a slider."""
    ends = [one for one in (question.min, question.max) if one is not None]
    is_slider = question.type == "slider" and len(ends) == 2
    answers = [f"{end:g}" for end in ends] if is_slider else list(question.options)
    known = len(question.labels) == len(answers)
    words = dict(zip(answers, question.labels, strict=True)) if known else {}
    asked = {
        "text": question.text,
        "options": list(question.options),
        "words": {answer: word for answer, word in words.items() if word != answer},
        "bounds": ends if is_slider else [],
        "scale": "text" if question.type == "text" else "",
    }
    return {name: one for name, one in asked.items() if one or name in ("text", "options")}


def study_facts(work: Work) -> dict[str, QuestionFacts]:
    """Return what a study declares about its questions: the form, then [questions.NAME].

    This is what `question_scales` takes as `facts`.
    """
    return {name: facts_of(one, where=name) for name, one in _study_tables(work).items()}


def facts_of_study(folder: Path) -> dict[str, QuestionFacts]:
    """Return what the study in a folder declares about its questions."""
    study = Study(folder)
    settings = study.settings
    return study_facts(Work(folder, {}, settings.sections, settings.seed, protocol=study.protocol))


def question_tables(folder: Path, form: Form) -> dict[str, dict[str, Any]]:
    """Return what a study declares about its questions, as the argument `questions` of verbs.

    Args:
        folder: The study folder; where it has no settings, as in a preview, the form says all.
        form: The form people fill in.
    """
    if not (folder / FILE).is_file():
        return {name: _present_facts(facts) for name, facts in form_facts(form).items()}
    study = Study(folder)
    settings = study.settings
    work = Work(folder, {}, settings.sections, settings.seed, protocol=study.protocol)
    return _study_tables(work)


def _study_tables(work: Work) -> dict[str, dict[str, Any]]:
    form = study_form(work)
    declared = {} if form is None else form_facts(form)
    tables = {name: _present_facts(facts) for name, facts in declared.items()}
    for name, own in work.settings.get(QUESTIONS, {}).items():
        if declared and name not in declared:
            place = work.path(FILE)
            raise StudyError(f"{place}: [{QUESTIONS}] {UnknownName('question', name, declared)}")
        before = dict(tables.get(name, {}))
        if "scale" in own:
            before.pop("reason", None)
        tables[name] = {**before, **own}
    return tables


def _present_facts(facts: QuestionFacts) -> dict[str, Any]:
    fields = {name: one for name, one in asdict(facts).items() if one}
    return {name: list(one) if isinstance(one, tuple) else one for name, one in fields.items()}


def study_questions(work: Work) -> dict[str, Any]:
    """Return the argument `questions` of a step: what is declared, then the tables of the step.

    `[label.questions.NAME]` and `[agree.questions.NAME]` hold options for one question.
    """
    tables = _study_tables(work)
    own = work.parameters.get(QUESTIONS) or {}
    if isinstance(own, str):
        own = work.path(own)
    if work.parameters.get("sides"):  # what a section sets for all overrules a form
        tables = {
            name: {key: one for key, one in table.items() if key != "sides"}
            for name, table in tables.items()
        }
    for name, options in questions_in(own).items():
        tables[name] = {**tables.get(name, {}), **options}
    return {QUESTIONS: tables} if tables else {}


def questions_in(source: Questions | str | Path | None) -> dict[str, dict[str, Any]]:
    """Return the table of each question, from a TOML file or a mapping.

    Args:
        source: A file with one table for each question, such as `[fit]` or `[questions.fit]`; or
            a mapping from a question to its options.

    >>> questions_in({"fit": {"scale": "interval"}})
    {'fit': {'scale': 'interval'}}
    """
    if source is None:
        return {}
    document = read_toml(Path(source)) if isinstance(source, str | Path) else source
    where = str(source) if isinstance(source, str | Path) else QUESTIONS
    if not isinstance(document, Mapping):
        raise StudyError(f"{where} must be tables of options by question; got {document!r}.")
    inner = document.get(QUESTIONS)
    if set(document) == {QUESTIONS} and _holds_tables(inner):
        document = inner  # type: ignore[assignment]
    for name, table in document.items():
        if not isinstance(table, Mapping):
            raise StudyError(f"{where}: {name} must be a table of options; got {table!r}.")
    return {str(name): dict(table) for name, table in document.items()}


def with_order(
    tables: Questions, order: str | Sequence[str] | None, ratings: pl.DataFrame
) -> dict[str, dict[str, Any]]:
    """Return the tables of questions with the order of answers, where they declare none.

    Args:
        tables: The table of each question.
        order: Answers in ascending order, as a list or separated by commas.
        ratings: Columns question and answer. Of several questions, those whose answers are all in
            the order have it.

    >>> rated = pl.DataFrame({"question": ["q", "n"], "answer": ["maybe", "4"]})
    >>> with_order({}, "no,maybe,yes", rated)
    {'q': {'order': ['no', 'maybe', 'yes']}}
    """
    parts = order.split(",") if isinstance(order, str) else order or ()
    words = [str(one).strip() for one in parts if str(one).strip()]
    own = {name: dict(table) for name, table in tables.items()}
    if not words:
        return own
    answers = dict(ratings.group_by("question").agg(pl.col("answer").unique()).rows())
    fitting = [name for name, given in answers.items() if {*given} - {None} <= {*words}]
    fitting = [*answers] if len(answers) == 1 else sorted(fitting)
    if not fitting:
        strange = next(one for given in answers.values() for one in given if one not in words)
        raise StudyError(
            f"{option('order')} fits no question: {strange!r} is an answer, but is not among "
            f"{', '.join(words)}. Declare the order of each question with {option('questions')}.",
            parameter="order",
        )
    for name in fitting:
        own[name] = {"order": words, **own.get(name, {})}
    return own


def _holds_tables(inner: object) -> bool:
    return isinstance(inner, Mapping) and all(isinstance(one, Mapping) for one in inner.values())


def declared_in_tables(tables: Questions) -> dict[str, QuestionFacts]:
    """Return what the tables of questions declare about scales."""
    return {name: facts_of(table, where=name) for name, table in tables.items()}


def options_in_tables(tables: Questions) -> dict[str, dict[str, Any]]:
    """Return the options of a verb in the tables of questions, without what is declared."""
    own = {
        name: {key: one for key, one in table.items() if key not in FACTS}
        for name, table in tables.items()
    }
    return {name: options for name, options in own.items() if options}
