"""Scripted language models: one constant answer, random answers, or recorded ones."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from plausibly.domain import as_number
from plausibly.errors import StudyError
from plausibly.io import file_hash, read_records
from plausibly.ports import Query, Reply, Unanswered


@dataclass(frozen=True)
class ConstantModel:
    """Gives one answer to everything: the option with that text, or at that position.

    >>> ConstantModel("no").answer(Query("Is tea dry?", options=(" yes", " no"))).logliks
    (-1.0, 0.0)
    """

    text: str
    converses: bool = False
    options_at_once: int = 1_000_000
    at_once: int | None = 1
    source: str = "constant"

    @property
    def name(self) -> str:
        """Return `constant:` and the answer."""
        return f"constant:{self.text}"

    @property
    def identity(self) -> str:
        """Return the name: nothing else matters."""
        return self.name

    def rest(self) -> None:
        """Do nothing: an answer leaves nothing open."""

    def leave(self) -> None:
        """Do nothing: no query ever waits."""

    def answer(self, query: Query) -> Reply:
        """Return the constant answer; every other option is less likely."""
        wanted = self.text.strip().casefold()
        plain = [option.strip().casefold() for option in query.options]
        if wanted not in plain and wanted.isdecimal() and int(wanted) < len(plain):
            wanted = plain[int(wanted)]
        return Reply(
            logliks=tuple(0.0 if option == wanted else -1.0 for option in plain) or None,
            lengths=tuple(1 for _ in plain) or None,
            text=self.text,
        )


@dataclass(frozen=True)
class MockModel:
    """Gives every option a log-likelihood drawn from the seed and the query.

    >>> query = Query("Is tea dry?", options=(" yes", " no"))
    >>> MockModel(1).answer(query) == MockModel(1).answer(query)
    True
    """

    seed: int = 0
    converses: bool = False
    options_at_once: int = 1_000_000
    at_once: int | None = None
    source: str = "mock"

    @property
    def name(self) -> str:
        """Return `mock:` and the seed."""
        return f"mock:{self.seed}"

    @property
    def identity(self) -> str:
        """Return the name: nothing else matters."""
        return self.name

    def rest(self) -> None:
        """Do nothing: an answer leaves nothing open."""

    def leave(self) -> None:
        """Do nothing: no query ever waits."""

    def answer(self, query: Query) -> Reply:
        """Return drawn log-likelihoods, and the likeliest option as the text."""
        drawn = [self._drawn(query, option) for option in query.options]
        best = drawn.index(max(drawn)) if drawn else None
        return Reply(
            logliks=tuple(drawn) or None,
            lengths=tuple(len(option.split()) for option in query.options) or None,
            text=self._sentence(query) if best is None else query.options[best].strip(),
            prompt_tokens=len(query.context.split()),
            answer_tokens=1,
        )

    def _sentence(self, query: Query) -> str:
        """Return randomly drawn words of the query."""
        words = " ".join([query.context, *(text for _, text in query.messages)]).split()
        chosen = sorted(words, key=lambda word: self._drawn(query, word))[:6]
        return " ".join(chosen)

    def _drawn(self, query: Query, option: str) -> float:
        parts = [self.seed, query.context, query.messages, option]
        parts += [query.repeat] if query.repeat else []
        digest = sha256(json.dumps(parts).encode()).digest()
        return -20.0 * int.from_bytes(digest[:6], "big") / 2**48


@dataclass(frozen=True)
class ReplayModel:
    """Answers from a record: the samples of an earlier run, or a model's released outputs.

    A line has `task`, `item` or `row`, and `loglik` (one number per option) or `text`; or it is a
    line of the lm-evaluation-harness's log of tasks we exported. Queries that were not recorded
    fail.
    """

    path: Path
    converses: bool = False
    options_at_once: int = 1_000_000
    at_once: int | None = 1

    @property
    def name(self) -> str:
        """Return `replay:` and the name of the file or folder."""
        return f"replay:{self.path.name}"

    @property
    def source(self) -> str:
        """Return the name of the file or folder."""
        return self.path.name

    @cached_property
    def _files(self) -> list[Path]:
        if self.path.is_file():
            return [self.path]
        ends = (".jsonl", ".jsonl.gz")
        files = sorted(path for path in self.path.glob("*") if path.name.endswith(ends))
        files = files or sorted(self.path.glob("*/samples_*.jsonl"))
        own = [path for path in files if path.name != "answers.jsonl"]
        if not own:
            raise StudyError(f"{self.path}: no recorded answers. Expected .jsonl or .jsonl.gz.")
        return own

    @cached_property
    def identity(self) -> str:
        """Return the hashes of the recorded answers."""
        return "replay:" + ",".join(file_hash(path) for path in self._files)

    @cached_property
    def _replies(self) -> dict[str, Reply]:
        replies: dict[str, Reply] = {}
        for path in self._files:
            lines, records = read_records(path)
            for line, raw in zip(lines, records, strict=True):
                record = _unlogged(raw)
                reply = _recorded(record)
                if reply is None or record.get("task") is None:
                    raise StudyError(
                        f"{path}:{line}: not a recorded answer. Expected task, item or row, and "
                        "loglik or text."
                    )
                for name in _names(record):
                    replies.setdefault(name, reply)
        return replies

    def rest(self) -> None:
        """Do nothing: an answer leaves nothing open."""

    def leave(self) -> None:
        """Do nothing: no query ever waits."""

    def answer(self, query: Query) -> Reply:
        """Return the answer recorded for the item, without scores if none were recorded."""
        if not query.names:
            return Reply(note="not recorded")
        reply = next((self._replies[n] for n in query.names if n in self._replies), None)
        if reply is None:
            detail = f"{self.path.name} has no answer to it"
            raise Unanswered("not recorded", detail, lasting=True)
        if reply.logliks is not None and len(reply.logliks) != len(query.options):
            detail = f"{len(reply.logliks)} were recorded, not those of the query"
            raise Unanswered("other options", detail, lasting=True)
        return reply


def _names(record: Mapping[str, object]) -> Iterator[str]:
    """Yield the keys by which a query may find a recorded answer."""
    task = record["task"]
    if record.get("item") is not None:
        if record.get("prompt") is not None:
            way = f"{task}|{record['item']}|{record['prompt']}|{record.get('shot_set')}"
            if record.get("sample") is not None:
                yield f"{way}|{record['sample']}"
            yield way
        yield f"{task}|{record['item']}"
    if record.get("row") is not None:
        yield f"{task}|row {record['row']}"


def _unlogged(record: Mapping[str, object]) -> Mapping[str, object]:
    """Return a line of the harness's log in our format; any other line unchanged."""
    doc, scored = record.get("doc"), record.get("filtered_resps")
    if not isinstance(doc, dict) or not isinstance(scored, list):
        return record
    values: list[object] = []
    for one in scored:
        value = one
        while isinstance(value, list) and value:
            value = value[0]
        values.append(as_number(str(value)))
    return {**doc, "loglik": values}


def _recorded(record: Mapping[str, object]) -> Reply | None:
    logliks, text = record.get("loglik"), record.get("text")
    if isinstance(logliks, list) and all(isinstance(one, int | float) for one in logliks):
        return Reply(logliks=tuple(map(float, logliks)), text=str(text) if text else None)
    return Reply(text=text) if isinstance(text, str) and text else None
