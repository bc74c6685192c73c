"""Prompts: how a task is put in words, read from data files and filled with an item.

A prompt has a language, and for every task an instruction, the text of the item, the
words before the answer, and the words of each option. The same prompt becomes one text for a model
that continues texts, and a conversation for one that holds them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from string import Formatter
from typing import Any

from plausibly.errors import StudyError, UnknownName
from plausibly.ports import Query

BETWEEN = "\n\n"
MAX_TOKENS = 16
"""Tokens a written answer may have at first."""
MAX_ROOM = 4096
"""Tokens one may have at most, after it was cut off and asked for again."""
FORMATS = {
    "en": "Answer with exactly one of the following and nothing else:",
    "it": "Rispondi con una sola delle risposte seguenti e nient'altro:",
}
"""By language, how a conversation ends: what an answer may be."""


@dataclass(frozen=True, slots=True)
class TaskWording:
    """How one task is put in words.

    Args:
        instruction: What to do, said once.
        item: The text of an item, with fields in braces.
        answer: What stands before the answer, for models that continue a text.
        options: From an option to how it is written, in the order options are scored; a word in
            braces is a field of the item.
        ending: What a conversation ends with before the options, so that the answer can be read.
    """

    instruction: str
    item: str
    answer: str
    options: Mapping[str, str]
    ending: str = ""

    def words(self, fields: Mapping[str, str]) -> dict[str, str]:
        """Return how each option is written for one item."""
        return {option: word.format_map(fields) for option, word in self.options.items()}

    @property
    def fields(self) -> set[str]:
        """Return the fields an item must have."""
        return {name for _, name, _, _ in Formatter().parse(self.item) if name}


@dataclass(frozen=True, slots=True)
class Prompt:
    """A named way of asking, for every task of a dataset.

    Args:
        name: As `--prompts` knows it.
        language: The language of its words.
        tasks: From a task to its wording.
        about: What sets it apart.
    """

    name: str
    language: str
    tasks: Mapping[str, TaskWording] = field(default_factory=dict)
    about: str = ""

    @property
    def digest(self) -> str:
        """Return the hash of every word of the prompt."""
        words = {
            task: [one.instruction, one.item, one.answer, list(one.options.items()), one.ending]
            for task, one in self.tasks.items()
        }
        return sha256(json.dumps(words).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Shot:
    """An example in a prompt: the fields of its item, and the right option."""

    fields: Mapping[str, str]
    option: str


def prompts_of(
    document: Mapping[str, Any], options: Mapping[str, Sequence[str]]
) -> dict[str, Prompt]:
    """Return the prompts of a protocol, by name.

    Args:
        document: Their words, as in `prompts.toml` of the protocol.
        options: From a task to its options, in the order they are scored.
    """
    return {name: _prompt(name, fields, options) for name, fields in document.items()}


def _prompt(name: str, fields: Mapping[str, Any], options: Mapping[str, Sequence[str]]) -> Prompt:
    ending = FORMATS.get(fields["language"], FORMATS["en"])
    tasks = {
        task: _wording(fields[task], known, ending)
        for task, known in options.items()
        if task in fields
    }
    return Prompt(name, fields["language"], tasks, fields.get("about", ""))


def _wording(fields: Mapping[str, Any], options: Sequence[str], ending: str) -> TaskWording:
    written = fields.get("options", {})
    pair = fields.get("pair")
    words = {option: written.get(option) or _paired(option, pair) for option in options}
    ending = ending if len(words) > 1 else ""
    return TaskWording(fields["instruction"], fields["item"], fields["answer"], words, ending)


def _paired(option: str, pair: str | None) -> str:
    """Return a pair of sentences as a prompt writes it: counted from 1."""
    if pair is None:
        return option
    first, _, second = option.partition(" and ")
    return pair.format(first=int(first) + 1, second=int(second) + 1)


def chosen_prompts(prompts: Mapping[str, Prompt], names: str | None) -> list[Prompt]:
    """Return the prompts by name: all of them, those named, separated by commas, or the first.

    >>> chosen_prompts({"a": Prompt("a", "en"), "b": Prompt("b", "it")}, "all")[1].name
    'b'
    """
    if names is None:
        return [next(iter(prompts.values()))]
    if names.strip() == "all":
        return list(prompts.values())
    wanted = list(dict.fromkeys(part.strip() for part in names.split(",") if part.strip()))
    if not wanted:
        raise StudyError(f"no prompt named. Known: {', '.join(prompts)}, or all.")
    for name in wanted:
        if name not in prompts:
            raise UnknownName("prompt", name, prompts)
    return [prompts[name] for name in wanted]


def query_for(
    wording: TaskWording, fields: Mapping[str, str], shots: Sequence[Shot], *, converses: bool
) -> Query:
    """Return what is asked about one item.

    Args:
        wording: The task in words.
        fields: What fills the text of the item.
        shots: Examples shown before it.
        converses: Put it as a conversation: instruction, then item and answer in turn, and what
            an answer may be at the end.
    """
    if converses:
        turns = [("system", wording.instruction)] if wording.instruction else []
        for shot in shots:
            turns.append(("user", wording.item.format_map(shot.fields)))
            turns.append(("assistant", wording.words(shot.fields)[shot.option]))
        turns.append(("user", _closed(wording, fields)))
        options = tuple(wording.words(fields).values())
        return Query("", tuple(turns), options, MAX_TOKENS)
    head = [wording.instruction] if wording.instruction else []
    solved = [
        f"{_opened(wording, shot.fields)} {wording.words(shot.fields)[shot.option]}"
        for shot in shots
    ]
    context = BETWEEN.join([*head, *solved, _opened(wording, fields)])
    options = tuple(f" {word}" for word in wording.words(fields).values())
    return Query(context, (), options, MAX_TOKENS)


def _closed(wording: TaskWording, fields: Mapping[str, str]) -> str:
    """Return an item with the form of its answer."""
    text = wording.item.format_map(fields)
    listed = "; ".join(wording.words(fields).values())
    return f"{text}{BETWEEN}{wording.ending}\n{listed}" if wording.ending else text


def _opened(wording: TaskWording, fields: Mapping[str, str]) -> str:
    """Return an item with everything but its answer."""
    text = wording.item.format_map(fields)
    return f"{text}\n{wording.answer}" if wording.answer else text


def bare_query(wording: TaskWording, fields: Mapping[str, str], *, converses: bool) -> Query:
    """Return the options without an item, for how likely they are by themselves."""
    last = wording.item.rsplit("\n", 1)[-1].rsplit("}", 1)[-1].strip()
    before = wording.answer or last or "Answer:"
    words = wording.words(fields).values()
    if converses:
        return Query("", (("user", before),), tuple(words), MAX_TOKENS)
    return Query(before, (), tuple(f" {word}" for word in words), MAX_TOKENS)
