"""What people read: the questions of a study's form, in each of its languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plausibly.analysis.questions import chosen_question
from plausibly.datasets.lexica.language import LANGUAGES, language
from plausibly.ratings.collection import collection_form, form_texts
from plausibly.ratings.forms import Form, Question
from plausibly.ratings.server import interface_of
from plausibly.study.folder import Study
from plausibly.study.protocol import Protocol
from plausibly.study.steps import Work
from plausibly.tables import ITEMS


def form_of_study(work: Work) -> Form | None:
    """Return the form people filled in; None if the study knows of none."""
    protocol, section = protocol_of(work), work.settings.get("form", {})
    if not section.get("questions", protocol.form):
        return None
    where = work.path("study.toml")
    interface = interface_of(protocol, work.settings, where.parent)
    return collection_form(protocol, section, where=str(where), language=interface)


def page_question(work: Work, agreement: Mapping[str, Any]) -> str | None:
    """Return the question a page is about: as set, else the first of the form; None for one."""
    question = work.parameters.get("question")
    form = form_of_study(work) if question is None else None
    if form is not None:
        known = agreement.get("questions", {})
        question = next((one.id for one in form.questions if one.id in known), None)
    return chosen_question(agreement, question)


def protocol_of(work: Work) -> Protocol:
    """Return the protocol of the study that a step works in."""
    return work.protocol or Study(work.folder).protocol


def translations(work: Work, place: str) -> dict[str, Form]:
    """Return the form in each language of the items that a file of the study words it in."""
    items = work.read(place, ITEMS)
    spoken = set(items["language"].drop_nulls()) if "language" in items.columns else set()
    files = {str(one): work.path(f"form.{one}.toml") for one in sorted(spoken)}
    return {
        one: collection_form(
            protocol_of(work),
            work.settings.get("form", {}),
            where=str(path),
            language=one,
            texts={"language": one, **form_texts(path)},
        )
        for one, path in files.items()
        if path.is_file()
    }


def wording(form: Form, others: Mapping[str, Form]) -> list[dict[str, Any]]:
    """Return the questions of a form as people read them, in every language."""
    return [
        {
            **_worded(one),
            "others": [
                {"language": _name(spoken), **_worded(other)}
                for spoken, translated in others.items()
                for other in translated.questions
                if other.id == one.id and _worded(other) != _worded(one)
            ],
        }
        for one in form.questions
        if one.text
    ]


def _name(spoken: str) -> str:
    return language(spoken).name if spoken in LANGUAGES else spoken


def _worded(one: Question) -> dict[str, str]:
    answers = _slider(one) if one.type == "slider" else _listed(one.labels or one.options)
    return {"question": one.id, "text": one.text, "answers": answers}


def _listed(answers: Sequence[str]) -> str:
    """Return answers one after the other, so that it is clear where each ends.

    >>> _listed(["no", "yes"]), _listed(["no: it cannot happen", "yes"])
    ('no, yes', 'no: it cannot happen; yes')
    """
    return ("; " if any(set(",:") & set(one) for one in answers) else ", ").join(answers)


def _slider(one: Question) -> str:
    """Return the ends of a slider in words."""
    ends = [f"{end:g}" for end in (one.min, one.max) if end is not None]
    named = [f"{end}, {name}" for end, name in zip(ends, one.labels, strict=False)]
    return f"a slider from {', to '.join(named) or ' to '.join(ends)}"
