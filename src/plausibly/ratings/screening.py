"""Screening questions: who may take part, and what a platform should filter beforehand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from plausibly.errors import StudyError, UnknownName
from plausibly.io.setting_lines import Spot


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreeningQuestion:
    """One screening question.

    Args:
        text: What is asked.
        options: The answers to choose from.
        admit: The answers with which a person may take part.
        filter: What to set on the platform, to prevent people from coming in vain.
    """

    text: str
    options: tuple[str, ...]
    admit: tuple[str, ...]
    filter: str = ""


def screening_of(
    raw: object, *, where: str, name: str = "screening"
) -> tuple[ScreeningQuestion, ...]:
    """Return the questions of a gate that a form describes; raise on one nobody can pass.

    Args:
        raw: What the form says.
        where: The file, for errors.
        name: Of the gate: screening, or comprehension of the instructions.
    """
    if not isinstance(raw, list | tuple):
        raise StudyError(
            f"{Spot(where, 'form').at(name)}: {name} must be a list of tables; got {raw!r}."
        )
    return tuple(
        _question(one, Spot(where, f"form.{name}", n, f"{name} {n}"))
        for n, one in enumerate(raw, 1)
    )


def _question(raw: object, place: Spot) -> ScreeningQuestion:
    needed = ("text", "options", "admit")
    if not isinstance(raw, Mapping) or any(name not in raw for name in needed):
        raise StudyError(f"{place}: a question needs {', '.join(needed)}; got {raw!r}.")
    known = [one.name for one in fields(ScreeningQuestion)]
    for name in raw:
        if name not in known:
            raise StudyError(f"{place.at(str(name))}: {UnknownName('key', str(name), known)}")
    options, admit = (
        tuple(str(one) for one in raw[name]) if isinstance(raw[name], list | tuple) else ()
        for name in ("options", "admit")
    )
    strange = [one for one in admit if one not in options]
    if strange:
        raise StudyError(
            f"{place.at('admit')}: admit: {UnknownName('option', strange[0], options)}"
        )
    if len(options) < 2 or not admit or set(admit) == set(options):
        raise StudyError(
            f"{place.at('options')}: two options or more are needed: at least one that admits "
            f"and one that does not; got options {list(options)}, admit {list(admit)}."
        )
    text, wanted = str(raw["text"]), str(raw.get("filter", ""))
    return ScreeningQuestion(text=text, options=options, admit=admit, filter=wanted)
