"""study.toml: what a user may override, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, time
from math import isfinite
from pathlib import Path
from textwrap import wrap
from typing import Any

from plausibly.errors import StudyError, UnknownName, about
from plausibly.io import read_toml, write_text
from plausibly.io.setting_lines import at_line, setting
from plausibly.measures.question_facts import facts_of
from plausibly.study.protocol import Protocol

FILE = "study.toml"
READING = (
    *("format", "columns", "missing", "encoding", "duplicates", "header_row", "sheet", "decimal"),
)
"""How a file of ratings is read: a study sets it once, in [ratings]."""
WIDTH = 96
HEAD = {"name": str, "protocol": str, "seed": int}
QUESTIONS = "questions"
"""The section that declares scales: one table for each question."""
OF_A_QUESTION = ("scale", "order", "sides", "bounds", "unsure")


@dataclass(frozen=True)
class Settings:
    """What study.toml says, over the protocol's defaults."""

    name: str
    protocol: str
    seed: int
    sections: Mapping[str, Mapping[str, Any]]


def read_head(folder: Path) -> dict[str, Any]:
    """Return the [study] section of a study folder: name, protocol, seed."""
    head = _parse(folder).get("study")
    if not isinstance(head, dict) or "protocol" not in head:
        raise StudyError(f"{folder / FILE}: no [study] section with a protocol. Add one.")
    for key, value in head.items():
        if key not in HEAD:
            known = UnknownName("key of [study]", key, HEAD)
            raise StudyError(f"{at_line(folder / FILE, 'study', key)}: {known}", parameter=key)
        if type(value) is not HEAD[key]:
            raise StudyError(
                f"{setting(folder / FILE, 'study', key)} must be {HEAD[key].__name__}; "
                f"got {value!r}.",
                parameter=key,
            )
    return head


def read_settings(folder: Path, protocol: Protocol) -> Settings:
    """Return the settings of a study folder; a key the protocol does not declare raises."""
    head = read_head(folder)
    declared = protocol.declared()
    given = {name: section for name, section in _parse(folder).items() if name != "study"}
    for name, section in given.items():
        if name not in declared:
            known = UnknownName("section", name, declared)
            raise StudyError(f"{at_line(folder / FILE, name)}: {known}", parameter=name)
        if name == QUESTIONS:
            check_questions(section, where=str(folder / FILE))
            continue
        _check_section(folder, name, section, declared[name])
    sections = {name: {**defaults, **given.get(name, {})} for name, defaults in declared.items()}
    for name, table in sections.get(QUESTIONS, {}).items():
        sections[QUESTIONS][name] = {**declared[QUESTIONS].get(name, {}), **table}
    for (name, key), (other, theirs) in protocol.shared.items():
        if key not in given.get(name, {}) and sections[other][theirs] is not None:
            sections[name][key] = sections[other][theirs]
    if protocol.check is not None:
        with about(FILE):
            protocol.check(protocol, sections, str(folder / FILE))
    return Settings(
        name=head.get("name", folder.resolve().name),
        protocol=head["protocol"],
        seed=head.get("seed", protocol.seed),
        sections=sections,
    )


def _check_section(
    folder: Path, name: str, section: Mapping[str, Any], declared: Mapping[str, Any]
) -> None:
    """Raise at the first key that the protocol does not declare, or that is of another type."""
    for key, value in section.items():
        if key not in declared and key in READING:
            raise StudyError(
                f"{setting(folder / FILE, name, key)}: how answers are read is set once, as "
                f"[ratings] {key}.",
                parameter=key,
            )
        if key not in declared:
            known = UnknownName(f"key of [{name}]", key, declared)
            raise StudyError(f"{at_line(folder / FILE, name, key)}: {known}", parameter=key)
        _check_type(folder, name, key, value, declared[key])


def check_questions(section: Mapping[str, Any], *, where: str) -> None:
    """Raise at the first table of [questions] that declares nothing about a question.

    >>> check_questions({"fit": {"scle": "ordinal"}}, where="study.toml")
    Traceback (most recent call last):
    plausibly.errors.StudyError: study.toml: unknown key of [questions.fit] 'scle'. Did you mean \
'scale'? Known: bounds, order, scale, sides, unsure.
    """
    for name, table in section.items():
        if not isinstance(table, Mapping):
            raise StudyError(f"{where}: [{QUESTIONS}] {name} must be a table; got {table!r}.")
        for key in table:
            if key not in OF_A_QUESTION:
                wrong = UnknownName(f"key of [{QUESTIONS}.{name}]", key, OF_A_QUESTION)
                raise StudyError(f"{where}: {wrong}")
        facts_of(table, where=f"{where}: [{QUESTIONS}.{name}]")


def _check_type(folder: Path, section: str, key: str, value: object, default: object) -> None:
    """Raise when a value is of another type than the default; a number may be whole."""
    if not _is_finite(value):
        what = f"{setting(folder / FILE, section, key)} is not a finite number. Write one."
        raise StudyError(what, parameter=key)
    if _has_date(value):
        what = f"{setting(folder / FILE, section, key)} holds a date. Write it as text, in quotes."
        raise StudyError(what, parameter=key)
    same = type(value) is type(default) or (isinstance(default, float) and type(value) is int)
    if default is not None and not same:
        raise StudyError(
            f"{setting(folder / FILE, section, key)} must be {type(default).__name__}; "
            f"got {value!r}.",
            parameter=key,
        )


def _is_finite(value: object) -> bool:
    """Return whether a value, and all it holds, can be written down: nan and inf cannot."""
    if isinstance(value, list | dict):
        return all(map(_is_finite, value.values() if isinstance(value, dict) else value))
    return not isinstance(value, float) or isfinite(value)


def _has_date(value: object) -> bool:
    """Return whether a value of TOML is a date or a time, or holds one."""
    if isinstance(value, list | dict):
        return any(map(_has_date, value.values() if isinstance(value, dict) else value))
    return isinstance(value, date | time)


def _parse(folder: Path) -> dict[str, Any]:
    path = folder / FILE
    if not path.is_file():
        raise StudyError(f"{path}: no such file. Start a study with: plausibly init PROTOCOL DIR")
    return read_toml(path)


def write_settings(
    folder: Path, protocol: Protocol, *, name: str, overrides: Mapping[str, Any]
) -> None:
    """Write a study.toml that lists every declared parameter with its meaning and default.

    What has no value, or the value of another key, is a comment.

    Args:
        folder: The study folder.
        protocol: What the study follows.
        name: Name of the study.
        overrides: From section to the keys that differ from the defaults.
    """
    lines = [
        "[study]",
        f"name = {_toml(name)}",
        f"protocol = {_toml(protocol.folder or protocol.name)}",
    ]
    lines += [f"seed = {protocol.seed}"]
    steps = {step.name: step for step in protocol.steps}
    explained = protocol.explained()
    for section, defaults in protocol.declared().items():
        values = {**defaults, **overrides.get(section, {})}
        if section == QUESTIONS:
            lines += _questions(values)
        if section == QUESTIONS or not values:
            continue
        step = steps.get(section)
        lines += ["", *([f"# {step.source}"] if step and step.source else []), f"[{section}]"]
        shared = {
            key: other
            for (name, key), other in protocol.shared.items()
            if name == section and key not in overrides.get(section, {})
        }
        usual = {} if step is None else step.usual
        for key, one in values.items():
            lines += _comment(explained.get(section, {}).get(key, ""))
            lines.append(_line(key, one, usual.get(key), shared.get(key)))
    write_text(folder / FILE, "\n".join(lines) + "\n")


def _comment(text: str) -> list[str]:
    """Return the lines of a comment.

    >>> _comment("Target number of ratings per item.")
    ['# Target number of ratings per item.']
    """
    return [f"# {line}" for line in wrap(text.replace("`", ""), WIDTH, break_on_hyphens=False)]


def _questions(tables: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the lines of [questions.NAME]; a comment shows how to set a scale."""
    lines = (
        [] if tables else ["", "# [questions.NAME]", "# scale = (that of the form, or inferred)"]
    )
    for name, table in tables.items():
        lines += ["", f"[{QUESTIONS}.{json.dumps(name)}]"]
        lines += [f"{key} = {_toml(one)}" for key, one in table.items()]
    return lines


def _line(key: str, value: object, usual: object, shared: tuple[str, str] | None) -> str:
    """Return the line of a key: what is not set is a comment with what then holds.

    >>> _line("sides", "", None, ("agree", "sides"))
    '# sides = (as in [agree] sides)'
    """
    if shared is not None:
        return f"# {key} = (as in [{shared[0]}] {shared[1]})"
    if value is not None:
        return f"{key} = {_toml(value)}"
    return f"# {key} = {'(not set)' if usual in (None, {}) else _toml(usual)}"


def _toml(value: object) -> str:
    """Return a scalar, list or table as TOML; JSON's strings, numbers and lists are TOML too."""
    if isinstance(value, Mapping):
        inner = ", ".join(f"{json.dumps(key)} = {_toml(one)}" for key, one in value.items())
        return f"{{ {inner} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_toml(one) for one in value)}]"
    return json.dumps(value, ensure_ascii=False)
