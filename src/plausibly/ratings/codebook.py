"""A form as a codebook to print: instructions, questions, answers, rules and worked examples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plausibly.ratings.forms import Form, Question
from plausibly.ratings.practice import Practice

DASH = "\N{EN DASH}"
WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "title": "Annotation manual",
        "step": "Step",
        "once": "One answer for all candidates.",
        "each": "One answer per candidate.",
        "several": "Several candidates if they are equally good.",
        "one": "Exactly one candidate.",
        "answer": "Answer",
        "meaning": "Meaning",
        "skip": "Not asked after",
        "barred": "Not for candidates with",
        "or": "or",
        "examples": "Worked examples",
        "example": "Example",
        "candidate": "Candidate",
        "all": "all candidates",
        "optional": "May be left blank.",
        "column": "Column of the sheet",
        "number": "Write its number, such as i.",
        "numbers": "Write its number, such as i; several as i;iii.",
        "shown": "Shown from this step on",
    },
    "it": {
        "title": "Manuale di annotazione",
        "step": "Passo",
        "once": "Una risposta per tutti i candidati.",
        "each": "Una risposta per ogni candidato.",
        "several": "Più candidati se sono ugualmente buoni.",
        "one": "Un solo candidato.",
        "answer": "Risposta",
        "meaning": "Significato",
        "skip": "Non si chiede dopo",
        "barred": "Non per candidati con",
        "or": "o",
        "examples": "Esempi svolti",
        "example": "Esempio",
        "candidate": "Candidato",
        "all": "tutti i candidati",
        "optional": "Si può lasciare vuoto.",
        "column": "Colonna del foglio",
        "number": "Scriva il suo numero, per esempio i.",
        "numbers": "Scriva il suo numero, per esempio i; più numeri come i;iii.",
        "shown": "Si vede da questo passo in poi",
    },
}


def codebook(form: Form, language: str = "en", columns: Mapping[str, str] | None = None) -> str:
    """Return the form as one HTML page that prints well.

    Args:
        form: The form, its texts in that language.
        language: Language of the words around them: en or it; any other is shown in English.
        columns: By question, the column of the sheet that takes its answers, if there is a sheet.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("plausibly.ratings", "."),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=True,
    )
    words = WORDS.get(language, WORDS["en"])
    return environment.get_template("codebook.html.jinja").render(
        form=form,
        language=language if language in WORDS else "en",
        words=words,
        columns=columns or {},
        steps=[(step, _in_step(form, step, words)) for step in range(1, form.steps + 1)],
        examples=[_example(form, one) for one in form.practice],
    )


def _in_step(form: Form, step: int, words: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        {
            "question": one,
            "answers": list(zip(one.options, one.labels or one.options, strict=True)),
            "note": _note(form, one, words),
            "skips": _skips(form, one, words),
        }
        for one in form.questions
        if one.form_step == step
    ]


def _note(form: Form, question: Question, words: Mapping[str, str]) -> str:
    """Return how often a question is answered, where a form has candidates."""
    parts = []
    if question.type == "best-of-n" and not question.hint:
        parts.append(words["several" if question.ties else "one"])
    elif question.type not in ("text", "best-of-n") and form.compares:
        parts.append(words["each" if question.per == "candidate" else "once"])
    if question.type == "slider":
        parts.append(f"{question.min:g}{DASH}{question.max:g}")
    if not question.required:
        parts.append(words["optional"])
    return " ".join(parts)


def _skips(form: Form, question: Question, words: Mapping[str, str]) -> str:
    """Return after which answers a question is not asked."""
    texts = {one.id: one.text or one.id for one in form.questions}
    either = f" {words['or']} "
    after = ((texts[name], either.join(answers)) for name, answers in question.skip_if.items())
    return "; ".join(f"“{text}” {answers}" for text, answers in after)


def _example(form: Form, practice: Practice) -> dict[str, Any]:
    """Return a worked example: one row per candidate, one column per question of its step."""
    asked = [one for one in form.questions if one.form_step == practice.form_step]
    whole = [one for one in asked if one.id in practice.expect]
    each = [
        one for one in asked if any(f"{one.id}:{n}" in practice.expect for n in practice.candidates)
    ]
    rows = [
        (name, text, [_expected(practice, f"{one.id}:{name}") for one in each])
        for name, text in practice.candidates.items()
    ]
    return {
        "lines": practice.sentences or practice.text.split("\n"),
        "shown": {form.headings.get(name, name): text for name, text in practice.columns.items()},
        "step": practice.form_step,
        "each": each,
        "rows": rows,
        "whole": [(one, _expected(practice, one.id)) for one in whole],
        "feedback": practice.feedback,
    }


def _expected(practice: Practice, name: str) -> str:
    answers: Sequence[str] = practice.expect.get(name, ())
    return " / ".join(answers) or DASH
