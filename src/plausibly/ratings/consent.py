"""What people agree to and are asked before they begin, for pages and programs alike."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from plausibly.ratings.forms import Form

ELIGIBLE = "eligible"
YES, NO = "yes", "no"
STATED = ("purpose", "controller", "storage", "withdraw_until")  # keys of [server]
BLANK = "«…»"


def entry_questions(form: Form) -> dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """Return the questions before a study: from a name to text, options, and what admits."""
    questions = {
        f"screening-{n}": (one.text, one.options, one.admit) for n, one in enumerate(form.screening)
    }
    if form.eligibility:
        questions = {ELIGIBLE: (form.eligibility, (YES, NO), (YES,)), **questions}
    return questions


def comprehension_questions(form: Form) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return the questions about the instructions: from a name to text and options."""
    return {f"comprehension-{n}": (q.text, q.options) for n, q in enumerate(form.comprehension)}


def is_understood(form: Form, said: Mapping[str, object]) -> bool:
    """Return whether every question about the instructions is answered rightly."""
    right = {f"comprehension-{n}": one.admit for n, one in enumerate(form.comprehension)}
    return all(said.get(name) in admit for name, admit in right.items())


def screens(form: Form) -> bool:
    """Return whether anybody can be screened out of a study."""
    return bool(form.eligibility or form.screening or form.comprehension)


def unanswered(form: Form, said: Mapping[str, object]) -> list[str]:
    """Return the names of the questions that have no answer among their options."""
    return [
        name
        for name, (_, options, _) in entry_questions(form).items()
        if said.get(name) not in options
    ]


def is_eligible(form: Form, said: Mapping[str, object]) -> bool:
    """Return whether a person may take part by their answers."""
    return all(said.get(name) in admit for name, (_, _, admit) in entry_questions(form).items())


def stated(server: Mapping[str, Any]) -> dict[str, str]:
    """Return what the consent states about the data, with blanks marked; empty without any.

    >>> stated({"purpose": "A study of verbs.", "controller": ""})["controller"]
    '«…»'
    """
    texts = {name: str(server.get(name, "")).strip() for name in STATED}
    return {name: text or BLANK for name, text in texts.items()} if any(texts.values()) else {}


def may_withdraw(server: Mapping[str, Any], *, now: float) -> bool:
    """Return whether the last day to withdraw is not over yet, in UTC.

    >>> may_withdraw({"withdraw_until": "1970-01-02"}, now=2 * 86400.0)
    False
    """
    day = str(server.get("withdraw_until", ""))
    return not day or datetime.fromtimestamp(now, UTC).date().isoformat() <= day


def consent_document(form: Form, server: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a program shows its person before they agree, and the version they agree to."""
    questions = [
        {"id": name, "text": text, "options": list(options)}
        for name, (text, options, _) in entry_questions(form).items()
    ]
    asked = [
        {"id": name, "text": text, "options": list(options)}
        for name, (text, options) in comprehension_questions(form).items()
    ]
    fields: dict[str, Any] = {"version": consent_version(form, server), "text": list(form.consent)}
    fields |= {"stated": stated(server), "questions": questions}
    return {**fields, "instructions": list(form.instructions), "comprehension": asked}


def consent_version(form: Form, server: Mapping[str, Any]) -> str:
    """Return a text that changes when what people agree to changes."""
    asked = [list(form.consent), entry_questions(form), *stated(server).items()]
    return hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:12]
