"""Language models behind any OpenAI-compatible address.

One query is one request. After 429, 5xx and the like it is sent again: when the server says, or
else after twice the last pause, until `max_wait` is over. Answered queries are not sent again. The
API key never appears in a message, even if the server echoes it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from threading import Event, Lock, local
from time import monotonic
from typing import Any, Literal

from plausibly.backends._openai_answers import (
    choice_of,
    count_of,
    document_of,
    ending_of,
    first_tokens,
    score_of,
    signature_of,
    text_of,
)
from plausibly.backends._requests import GLANCE, LATE, LINGER, Answered, Line, Unreachable, request
from plausibly.backends.generation import (
    ANSWER,
    Generation,
    schema_of,
    structured_text,
    unwanted,
)
from plausibly.errors import PlausiblyError, StudyError
from plausibly.ports import Query, Reply, Unanswered

Api = Literal["chat", "completions"]
PATHS = {"chat": "chat/completions", "completions": "completions"}
KEY = "OPENAI_API_KEY"
FIRST_WAIT = 0.1
LONGEST_WAIT = 8.0
LONGEST_ADDED = 1.0
TOP = 20
IN_A_ROW = 20
"""Asking stops after this many consecutive requests without an answer."""
LONGEST_NAME = 200
AT_FIRST = 15.0
"""Seconds to keep trying an address that has never answered."""
PATIENT = (408, 409, 425, 429)
"""Statuses below 500 with which a server asks us to retry."""
UNFIT = (413, 422)
"""Statuses with which a server refuses one query, and would refuse it again."""
TOO_LONG = re.compile(r"context|too (?:long|large|many)|maximum|content.?(?:filter|policy)", re.I)
"""What a server writes that refuses one query with another status for what the query holds."""
TELLING = 8
"""The fewest characters of a key; a shorter value (`none`) means that there is no key."""
NOT_REACHED = "not reached"
HIDDEN = "[key]"
CLOSED = {401: "not allowed", 403: "not allowed", 404: "no such address", 405: "no such address"}


@dataclass
class _Pace:
    """When sending is allowed again, when the last answer came, and what the server supports."""

    until: float = 0.0
    succeeded: float = 0.0
    in_vain: int = 0
    answered: bool = False
    kept_open: bool = False
    refused: set[str] = field(default_factory=set)
    stopped: Event = field(default_factory=Event)
    lock: Lock = field(default_factory=Lock)

    def hold(self, seconds: float) -> None:
        """Block sending for that long."""
        with self.lock:
            self.until = max(self.until, monotonic() + seconds)

    def wait(self) -> None:
        """Wait until sending is allowed, or until asking has stopped."""
        while (left := self.until - monotonic()) > 0 and not self.stopped.wait(left):
            pass

    def success(self) -> None:
        """Remember that an answer came."""
        with self.lock:
            self.succeeded, self.in_vain = monotonic(), 0

    def failure(self) -> bool:
        """Remember that no answer came; return whether this has happened too often."""
        with self.lock:
            self.in_vain += 1
            return self.in_vain >= IN_A_ROW


class _Unwanted(PlausiblyError):
    """A server does not know a parameter; the query can be sent without it."""


class _Slot(local):
    """The connection of this thread's last answer, until the server hangs up."""

    line: Line | None = None


@dataclass(frozen=True)
class OpenAIModel:
    """A model behind an OpenAI-compatible address.

    Args:
        url: The address that ends in `/v1`.
        model: Its name there; None for the first that `GET /models` lists.
        api: Whether to send messages, or a text to be continued.
        logprobs: Ask for log-probabilities: of the options themselves where a text is continued,
            of the first word where messages are sent.
        max_wait: Seconds a query may wait when the server asks us to retry later.
        timeout: Seconds a server may take for one answer, to its last byte.
        generation: How answers are written.
    """

    url: str
    model: str | None = None
    api: Api = "chat"
    logprobs: bool = False
    max_wait: float = 300.0
    timeout: float = 300.0
    generation: Generation = field(default_factory=Generation)
    at_once: int | None = None
    _pace: _Pace = field(default_factory=_Pace, repr=False)
    _slot: _Slot = field(default_factory=_Slot, repr=False)

    @cached_property
    def name(self) -> str:
        """Return the name of the model; for a path on the server, only the file name."""
        return self.called.rsplit("/", 1)[-1] if self.called.startswith("/") else self.called

    @cached_property
    def called(self) -> str:
        """Return the server's name of the model; ask the server if no name was given."""
        if self.model is not None:
            return self.model
        try:
            answered = self._patient("models", None)
            self.rest()
        except Unanswered as error:
            hint = f"Name the model: openai:{self.url}#NAME"
            if error.reason.startswith(NOT_REACHED):
                hint = "Is a server running there, and is http or https right?"
            message = str(error).rstrip(".")
            end = "" if message.endswith("?") else "."
            raise StudyError(f"{self.url}/models: {message}{end} {hint}") from error
        listed = answered.get("data") if isinstance(answered, dict) else None
        first = listed[0] if isinstance(listed, list) and listed else None
        name = first.get("id") if isinstance(first, dict) else None
        if not isinstance(name, str) or not name.strip() or not _bearable(name):
            raise StudyError(f"{self.url}/models: lists no model. Name one: openai:{self.url}#NAME")
        return name

    @cached_property
    def identity(self) -> str:
        """Return the model and how it is asked; where it runs does not change its answers."""
        read = "logprobs" if self.logprobs else "text"
        return f"openai|{self.name}|{self.api}|{read}{self.generation.identity}"

    @property
    def key_name(self) -> str:
        """Return the environment variable that holds the key."""
        return KEY

    @property
    def _hint(self) -> str:
        """Return what to look at when a server does not know the address or the key."""
        return f"Is --api {self.api} right, and {self.key_name} set?"

    def _headers(self, key: str | None) -> dict[str, str]:
        """Return what a request carries besides its body."""
        return {"Authorization": f"Bearer {key}"} if key else {}

    @property
    def source(self) -> str:
        """Return the address."""
        return self.url

    @property
    def converses(self) -> bool:
        """Return whether messages are sent."""
        return self.api == "chat"

    @property
    def options_at_once(self) -> int:
        """Return 1 if a text is continued by an option and scored, else 0."""
        return 1 if self.api == "completions" and self.logprobs else 0

    def answer(self, query: Query) -> Reply:
        """Return the answer to one query."""
        document = self._accepted(query)
        self._pace.answered = True
        choice = choice_of(document)
        used = document.get("usage")
        usage = used if isinstance(used, dict) else {}
        read, written = (count_of(usage.get(f"{name}_tokens")) for name in ("prompt", "completion"))
        signed = signature_of(document, self.called)
        if query.options:
            return Reply(*score_of(choice, query), None, read, written, signed=signed)
        text = text_of(choice, converses=self.converses)
        text = text if schema_of(query) is None else structured_text(text)
        first = first_tokens(choice) if self.logprobs else None
        lacks = ["no logprobs"] if self.logprobs and first is None else []
        note = "; ".join([*lacks, *(f"{one} refused" for one in sorted(self._pace.refused))])
        return Reply(
            None, None, text, read, written, note or None, first, signed, ending_of(choice)
        )

    def _accepted(self, query: Query) -> dict[str, Any]:
        """Return the answer to a query, sent without the parameters the server rejects."""
        while True:
            try:
                return self._patient(self._path(), self._body(query))
            except _Unwanted as refusal:
                with self._pace.lock:
                    self._pace.refused.add(str(refusal))

    def _path(self) -> str:
        """Return where queries are sent."""
        return PATHS[self.api]

    def _body(self, query: Query) -> dict[str, Any]:
        refused = self._pace.refused
        length = "max_completion_tokens" if "max_tokens" in refused else "max_tokens"
        writing = Generation() if query.options else self.generation
        chosen = writing.fields_of(query.repeat)
        left_out = refused & {"temperature", "seed"}
        body: dict[str, Any] = {
            "model": self.called,
            **{name: value for name, value in chosen.items() if name not in left_out},
        }
        if self.api == "chat":
            turns = [{"role": role, "content": text} for role, text in query.messages]
            body |= {"messages": turns, length: query.max_tokens}
            if self.logprobs:
                return body | {"logprobs": True, "top_logprobs": TOP}
            schema = schema_of(query)
            if schema is not None and "response_format" not in refused:
                named = {"name": ANSWER, "strict": True, "schema": schema}
                body |= {"response_format": {"type": "json_schema", "json_schema": named}}
            return body
        if query.options:
            [option] = query.options
            scored = {"prompt": query.context + option, "echo": True, "logprobs": 1}
            return body | scored | {length: 1}
        stop = {"prompt": query.context, length: query.max_tokens, "stop": ["\n"]}
        return body | stop | ({"logprobs": 5} if self.logprobs else {})

    def rest(self) -> None:
        """Wait for the server to hang up, so that it never counts one query as two.

        The caller saves the answer first, so it is not lost if the run is stopped here.
        """
        line, self._slot.line = self._slot.line, None
        if line is not None:
            linger = GLANCE if self._pace.kept_open else LINGER
            self._pace.kept_open |= line.left_open(linger)

    def leave(self) -> None:
        """Stop waiting to send queries again; answers already under way still arrive."""
        self._pace.stopped.set()

    def _patient(self, path: str, body: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return the document an address answers with, retrying as often as it asks us to."""
        began, attempt, reason, detail = monotonic(), 0, "not sent", ""
        while True:
            self._pace.wait()
            if self._pace.stopped.is_set():
                raise Unanswered(f"{reason}, and asking stopped", detail)
            answered = self._sent(path, body)
            if answered.status in (200, 201, 202, 203):
                return self._whole(answered)
            if answered.status not in PATIENT and 0 < answered.status < 500:
                name = unwanted(answered.message, answered.text, body)
                raise self._refused(answered) if name is None else _Unwanted(name)
            reason = f"HTTP {answered.status}" if answered.status else NOT_REACHED
            detail = answered.message
            attempt += 1
            seconds = pause(answered.retry_after, attempt)
            patience = self.max_wait
            if answered.absent and not self._pace.succeeded:
                patience = min(patience, AT_FIRST)
            if monotonic() - began + seconds > patience:
                raise self._given_up(reason, detail, began, patience)
            if answered.status == 429:
                self._pace.hold(seconds)
            else:
                self._pace.stopped.wait(seconds)

    def _sent(self, path: str, body: Mapping[str, Any] | None) -> Answered:
        """Return the result of one request; its status is 0 if nobody answered."""
        self.rest()
        url, key = f"{self.url}/{path}", key_in(self.key_name)
        try:
            answered = request(url, body, headers=self._headers(key), timeout=self.timeout)
        except Unreachable as error:
            return Answered(0, _without(key, str(error)), absent=error.absent)
        self._slot.line = answered.line
        return replace(answered, text=_without(key, answered.text))

    def _whole(self, answered: Answered) -> dict[str, Any]:
        if answered.problem == LATE:
            raise Unanswered(LATE, f"after {self.timeout:g} s", final=self._pace.failure())
        self._pace.success()
        return document_of(answered)

    def _refused(self, answered: Answered) -> Unanswered:
        """Return the failure of a rejected query; it is final if all others would fail alike."""
        status, many = answered.status, self._pace.failure()
        if status not in CLOSED:
            unfit = status in UNFIT or bool(status == 400 and TOO_LONG.search(answered.message))
            same = unfit and not many
            return Unanswered(f"HTTP {status}", answered.message, final=many, lasting=same)
        hint = self._hint
        reason = f"HTTP {status}, {CLOSED[status]}"
        final = many or not self._pace.answered
        return Unanswered(reason, f"{answered.message} {hint}".strip(), final=final)

    def _given_up(self, reason: str, detail: str, began: float, patience: float) -> Unanswered:
        """Return the failure of a query whose time is up; it is final if all others' is, too."""
        waited = monotonic() - began > patience / 2
        many = self._pace.failure()
        final = self._pace.succeeded < began and (waited or many)
        until = "--max-wait" if patience == self.max_wait else f"{patience:g} s had passed"
        return Unanswered(f"{reason} until {until}", detail, final=final)


def pause(after: float | None, attempt: int) -> float:
    """Return the seconds until a query is sent again: a little more than the server asks for.

    >>> pause(None, 1), pause(None, 5), pause(2.0, 5)
    (0.1, 1.6, 3.0)
    """
    doubled = FIRST_WAIT * float(2 ** min(attempt - 1, 20))
    return min(LONGEST_WAIT, doubled) if after is None else after + min(LONGEST_ADDED, doubled)


def _bearable(name: str) -> bool:
    return name.isprintable() and len(name) <= LONGEST_NAME


def key_in(name: str) -> str | None:
    """Return the API key in a form that a header can carry."""
    key = os.environ.get(name, "").strip()
    if not key.isascii() or not key.isprintable():
        raise StudyError(f"{name}: a character in it cannot be in a header. Copy the key again.")
    return key or None


def _without(key: str | None, text: str) -> str:
    r"""Return a server's message without our key, which it may have echoed, escaped or not.

    >>> _without("sk/12345678", r"no sk/12345678, no sk\/12345678, no \u0073k/12345678")
    'no [key], no [key], no [key]'
    """
    if key is None or len(key) < TELLING:
        return text
    text = text.replace(key, HIDDEN)
    return _escaped(key).sub(HIDDEN, text) if "\\" in text else text


@cache
def _escaped(key: str) -> re.Pattern[str]:
    """Return the ways in which JSON may write a key."""
    ways = (rf"(?:\\?{re.escape(one)}|\\u(?i:{ord(one):04x}))" for one in key)
    return re.compile("".join(ways))
