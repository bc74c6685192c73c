"""The reference page of a protocol's folder, written from what the code declares."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click

from plausibly.cleaning.presets import RULES, Preset, RuleSpec
from plausibly.cli.groups import HEADINGS, command_at, index
from plausibly.ratings.forms import Form, Question
from plausibly.ratings.practice import Practice
from plausibly.ratings.screening import ScreeningQuestion
from plausibly.registry import OPEN
from plausibly.study import PROTOCOLS, Protocol
from plausibly.study.collection import ALSO, EXPLAINED, RATINGS, SERVER
from plausibly.study.parameters import argument_docs, parameters_of
from plausibly.study.protocol_folder import HEAD, SAID, SOURCES
from plausibly.verbs.build.protocol_checks import CHECK

# Commands of steps that are named differently.
COMMANDS = {"build": "build custom", "ratings": "read", "evaluate_ratings": "evaluate"}
# Texts of the option and of the section differ only in how they state the default.
DEFAULT = re.compile(r"( \(default: |\. Default: ).*")
BOUNDARY = ("The same, the boundary included.", "The same, but including the limit.")
START = """# Files of a protocol folder

Written by `docs/make_reference.py` from what the code declares. A folder with `protocol.toml` and
`form.toml` is a protocol; see [Extend](../how-to/extend.md). `plausibly check protocol FOLDER`
names each wrong key by file. In a study, `study.toml` overrides these defaults.
"""


def protocol_page() -> str:
    """Return the page."""
    own = PROTOCOLS[OPEN]
    head = {name: (default, text) for name, default, text in _fields(Protocol)}
    parts = [START, "## protocol.toml\n", _table((key, *head[key]) for key in HEAD)]
    sources = "where the defaults of a step are published; `study.toml` shows it above the section"
    parts.append(f"`[{SOURCES}]`: {sources}. One table per step holds its defaults:\n")
    for step in own.steps:
        held = {**step.parameters}
        held |= {key: step.usual.get(key) for key, one in held.items() if one is None}
        rows = [(key, one, step.explained.get(key, "")) for key, one in held.items()]
        begins = f"A study has this step if it sets `{step.begins}`.\n" if step.begins else ""
        parts += [f"### [{step.name}]\n", *([begins] if begins else []), *_step(step.name, rows)]
    parts += _form()
    parts += ["## collection.toml\n"]
    for name, defaults in (("ratings", RATINGS), ("server", SERVER)):
        rows = [(key, one, EXPLAINED[name][key]) for key, one in defaults.items()]
        parts += [f"### [{name}] of collection.toml\n", _table(rows)]
    parts += ["### [form] of collection.toml\n"]
    parts += [
        _table([(ALSO, None, "Keys of the form that a study may replace, besides its texts.")])
    ]
    parts += _rules()
    parts += ["## checks.toml\n", "Each check is a table `[[checks]]`.\n"]
    parts += [_table((key, None, text) for key, text in CHECK.items())]
    parts += ["## words.toml\n", _table((key, None, text) for key, text in SAID.items())]
    return "\n".join(parts)


def _step(name: str, rows: Sequence[tuple[str, Any, str]]) -> Iterable[str]:
    """Yield the keys of a step: those that its command explains in a list, others in a table."""
    words = COMMANDS.get(name, name.replace("_", " "))
    command = command_at(words) if words in index() else None
    texts = {str(one.name): _line(getattr(one, "help", "") or "") for one in _params(command)}
    known = [row for row in rows if row[2] and _same(_line(row[2]), texts.get(row[0], ""))]
    others = [row for row in rows if row not in known]
    if others:
        yield _table(others)
    if known:
        page = next(one for one, heads in HEADINGS.items() if words.split()[0] in heads)
        link = f"commands/{page.lower()}.md#plausibly-{words.replace(' ', '-')}"
        listed = ", ".join(f"`{key}{_shown(one, ' = ')}`" for key, one, _ in known)
        yield f"As the options of [`{words}`]({link}): {listed}.\n"


def _params(command: click.Command | None) -> Sequence[click.Parameter]:
    return command.params if command else ()


def _shown(value: Any, sign: str = "") -> str:
    empty = value in (None, "", [], (), {})
    return "" if empty else sign + json.dumps(_plain(value), ensure_ascii=False)


def _line(text: str) -> str:
    return " ".join(text.split())


def _same(key: str, option: str) -> bool:
    """Return whether the text of an option also explains a key."""
    bare = [DEFAULT.sub("", one).casefold() for one in (key, option)]
    return key in option or (bare[0] == bare[1] and bool(DEFAULT.search(option)))


def _form() -> list[str]:
    """Return the sections on form.toml."""
    texts = EXPLAINED["form"]
    keys = [key for key in inspect.signature(Form).parameters if key in texts]
    rows = [(key, None, texts[key].replace("[[form.", "[[")) for key in keys]
    parts = ["## form.toml\n", _table(rows)]
    parts.append(
        "`form.LANGUAGE.toml` has the same keys in another language, and `[questions.ID]` for the "
        "texts of a question.\n"
    )
    tables = {"questions": Question, "practice": Practice, "screening": ScreeningQuestion}
    for name, kind in tables.items():
        parts += [f"### [[{name}]]\n", _table(_fields(kind))]
    return parts


def _rules() -> list[str]:
    """Return the section on rules.toml: keys of the file, then each rule."""
    preset, spec = argument_docs(Preset), argument_docs(RuleSpec)
    keys = ("title", "source", "sides", "complete", "note", "conditions")
    parts = ["## rules.toml\n", _table((key, None, preset[key]) for key in keys)]
    parts += [
        "Each rule is a table `[[rules]]`; rules apply in their order. A rule with `below` "
        "or `fewer_than` also takes `at_most` in its place, and a rule with `more_than` takes "
        "`at_least`: the same limit, with the boundary included.\n"
    ]
    own = {"rule": spec["rule"], "row": spec["row"], "source": spec["source"]}
    parts += [_table((key, None, text) for key, text in own.items())]
    lines = ["| rule | key | default | meaning |", "|---|---|---|---|"]
    for name in RULES:
        given = parameters_of(RULES[name])
        shown = [(key, one) for key, one in given.items() if one.doc not in BOUNDARY]
        for place, (key, one) in enumerate(shown):
            default = f"`{_shown(one.default)}`" if not one.required and _shown(one.default) else ""
            text = one.doc.replace("|", "\\|")
            lines.append(f"| {'' if place else f'`{name}`'} | `{key}` | {default} | {text} |")
        lines += [] if shown else [f"| `{name}` | | | |"]
    parts.append(
        "[Clean ratings](../how-to/clean-ratings.md#rules) explains whom each rule suspects.\n"
    )
    parts.append("\n".join(lines) + "\n")
    return parts


def _fields(kind: type) -> Iterable[tuple[str, Any, str]]:
    texts = argument_docs(kind)
    for name, one in inspect.signature(kind).parameters.items():
        default = one.default if isinstance(one.default, str | int | float | tuple) else None
        yield name, default, texts[name]


def _table(rows: Iterable[tuple[str, Any, str]]) -> str:
    cells = [
        (f"`{key}`", f"`{_shown(default)}`" if _shown(default) else "", text.replace("|", "\\|"))
        for key, default, text in rows
    ]
    lines = ["| key | default | meaning |", "|---|---|---|"]
    if not any(default for _, default, _ in cells):
        lines = ["| key | meaning |", "|---|---|"]
        return "\n".join([*lines, *(f"| {key} | {text} |" for key, _, text in cells)]) + "\n"
    return "\n".join([*lines, *(f"| {' | '.join(row)} |" for row in cells)]) + "\n"


def _plain(value: Any) -> Any:
    return dict(value) if isinstance(value, Mapping) else value
