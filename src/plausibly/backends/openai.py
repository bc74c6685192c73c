"""Language models behind an address that answers as OpenAI's does, whoever runs it.

One query is one request. 429 and 5xx are asked again, after as long as the server says or twice
as long as last time, as long as `max_wait` allows; nothing that was answered is asked again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from threading import Event, Lock
from time import monotonic
from typing import Any, Literal

from plausibly.backends._requests import Answered, Unreachable, request
from plausibly.errors import StudyError
from plausibly.io import Flaw, json_value
from plausibly.ports import Query, Reply, Unanswered

Api = Literal["chat", "completions"]
PATHS = {"chat": "chat/completions", "completions": "completions"}
KEY = "OPENAI_API_KEY"
FIRST_WAIT = 0.1
LONGEST_WAIT = 30.0
TOP = 20
IN_A_ROW = 20
"""So many refusals and no answer in between end the asking."""
CLOSED = {401: "not allowed", 403: "not allowed", 404: "no such address", 405: "no such address"}


@dataclass
class _Pace:
    """When anybody may send again, and when an answer last came."""

    until: float = 0.0
    succeeded: float = 0.0
    refused: int = 0
    lock: Lock = field(default_factory=Lock)

    def hold(self, seconds: float) -> None:
        """Let nobody send for so long."""
        with self.lock:
            self.until = max(self.until, monotonic() + seconds)

    def wait(self) -> None:
        """Wait until sending is allowed."""
        while (left := self.until - monotonic()) > 0:
            Event().wait(left)


@dataclass(frozen=True)
class OpenAIModel:
    """A model behind an OpenAI-compatible address.

    Args:
        url: The address that ends in `/v1`.
        model: Its name there; None for the first that `GET /models` lists.
        api: Send messages, or a text to be continued.
        logprobs: Ask for log-probabilities: of the options themselves where a text is continued,
            of the first word where messages are sent.
        max_wait: Seconds a query may wait because the server asks for patience.
        timeout: Seconds a server may take for one answer.
    """

    url: str
    model: str | None = None
    api: Api = "chat"
    logprobs: bool = False
    max_wait: float = 300.0
    timeout: float = 300.0
    at_once: int | None = None
    _pace: _Pace = field(default_factory=_Pace, repr=False)

    @cached_property
    def name(self) -> str:
        """Return the name of the model, asked for where it was not given."""
        if self.model is not None:
            return self.model
        try:
            answered = self._patient("models", None)
        except Unanswered as error:
            raise StudyError(
                f"{self.url}/models: {error}. Name the model: openai:{self.url}#NAME"
            ) from error
        listed = answered.get("data") if isinstance(answered, dict) else None
        first = listed[0] if isinstance(listed, list) and listed else None
        name = first.get("id") if isinstance(first, dict) else None
        if not isinstance(name, str) or not name:
            raise StudyError(f"{self.url}/models: lists no model. Name one: openai:{self.url}#NAME")
        return name

    @cached_property
    def identity(self) -> str:
        """Return the model and how it is asked; where it runs does not change what it says."""
        return f"openai|{self.name}|{self.api}|{'logprobs' if self.logprobs else 'text'}"

    @property
    def source(self) -> str:
        """Return the address."""
        return self.url

    @property
    def converses(self) -> bool:
        """Tell whether messages are sent."""
        return self.api == "chat"

    @property
    def options_at_once(self) -> int:
        """Return 1 where a text is continued by an option and scored, else 0."""
        return 1 if self.api == "completions" and self.logprobs else 0

    def answer(self, query: Query) -> Reply:
        """Return the answer to one query."""
        document = self._patient(PATHS[self.api], self._body(query))
        choice = _choice(document)
        used = document.get("usage")
        usage = used if isinstance(used, dict) else {}
        read, written = (_count(usage.get(f"{name}_tokens")) for name in ("prompt", "completion"))
        if query.options:
            return Reply(*_scored(choice, query), None, read, written)
        text = _text(choice, self.api)
        first = _first_token(choice) if self.logprobs else None
        note = "no logprobs" if self.logprobs and first is None else None
        return Reply(None, None, text, read, written, note, first)

    def _body(self, query: Query) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.name, "temperature": 0}
        if self.api == "chat":
            turns = [{"role": role, "content": text} for role, text in query.messages]
            body |= {"messages": turns, "max_tokens": query.max_tokens}
            return body | ({"logprobs": True, "top_logprobs": TOP} if self.logprobs else {})
        if query.options:
            [option] = query.options
            scored = {"prompt": query.context + option, "echo": True, "logprobs": 1}
            return body | scored | {"max_tokens": 1}
        stop = {"prompt": query.context, "max_tokens": query.max_tokens, "stop": ["\n"]}
        return body | stop | ({"logprobs": 5} if self.logprobs else {})

    def _patient(self, path: str, body: Mapping[str, Any] | None) -> dict[str, Any]:
        """Return the document an address answers with, however often it asks for patience."""
        began, attempt = monotonic(), 0
        while True:
            self._pace.wait()
            try:
                answered = request(
                    f"{self.url}/{path}", body, key=os.environ.get(KEY), timeout=self.timeout
                )
            except Unreachable as error:
                reason, wait = "not reached", None
                detail = str(error)
            else:
                if answered.status == 200:
                    self._pace.succeeded, self._pace.refused = monotonic(), 0
                    return _document(answered)
                if answered.status != 429 and answered.status < 500:
                    self._pace.refused += 1
                    raise _refused(answered, self.api, final=self._pace.refused >= IN_A_ROW)
                reason, wait = f"HTTP {answered.status}", answered.retry_after
                detail = answered.message
            attempt += 1
            pause = max(wait or 0.0, min(LONGEST_WAIT, FIRST_WAIT * 2 ** min(attempt - 1, 20)))
            if monotonic() - began + pause > self.max_wait:
                lost = self._pace.succeeded < began
                raise Unanswered(f"{reason} until --max-wait", detail, final=lost)
            if reason == "HTTP 429":
                self._pace.hold(pause)
            else:
                Event().wait(pause)


def _refused(answered: Answered, api: Api, *, final: bool) -> Unanswered:
    status = answered.status
    if status not in CLOSED:
        return Unanswered(f"HTTP {status}", answered.message, final=final)
    hint = f"Is --api {api} right, and {KEY} set?"
    reason = f"HTTP {status}, {CLOSED[status]}"
    return Unanswered(reason, f"{answered.message} {hint}".strip(), final=True)


def _document(answered: Answered) -> dict[str, Any]:
    """Return the JSON object of an answer, or say what it is instead."""
    if answered.problem is not None:
        raise Unanswered(answered.problem, answered.message)
    document = json_value(answered.text)
    if isinstance(document, Flaw) or not isinstance(document, dict):
        raise Unanswered("malformed JSON", answered.message)
    return document


def _choice(document: Mapping[str, Any]) -> dict[str, Any]:
    choices = document.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise Unanswered("empty choice", "no choices in the answer")
    return choices[0]


def _text(choice: Mapping[str, Any], api: Api) -> str:
    message = choice.get("message")
    text = message.get("content") if isinstance(message, dict) else None
    text = choice.get("text") if api == "completions" else text
    if not isinstance(text, str) or not text.strip():
        raise Unanswered("empty choice", "the answer has no text")
    return text


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _scored(choice: Mapping[str, Any], query: Query) -> tuple[tuple[float], tuple[int]]:
    """Return the summed log-probability of the option, and its tokens."""
    probabilities = choice.get("logprobs")
    if not isinstance(probabilities, dict):
        raise Unanswered("no logprobs", "the server sends none; ask without --logprobs")
    offsets, values = probabilities.get("text_offset"), probabilities.get("token_logprobs")
    if not isinstance(offsets, list) or not isinstance(values, list):
        raise Unanswered("no logprobs", "the server does not send those of the prompt (echo)")
    first, last = len(query.context), len(query.context) + len(query.options[0])
    own = [v for o, v in zip(offsets, values, strict=False) if _inside(o, first, last)]
    if not own or not all(map(_finite, own)):
        raise Unanswered("no logprobs", "the server does not send those of the prompt (echo)")
    return (float(sum(own)),), (len(own),)


def _first_token(choice: Mapping[str, Any]) -> tuple[tuple[str, float], ...] | None:
    """Return the likeliest first tokens of an answer with their log-probabilities."""
    probabilities = choice.get("logprobs")
    if not isinstance(probabilities, dict):
        return None
    content, top = probabilities.get("content"), probabilities.get("top_logprobs")
    if isinstance(content, list) and content and isinstance(content[0], dict):
        listed = content[0].get("top_logprobs")
        rows = listed if isinstance(listed, list) else []
        pairs: list[tuple[object, Any]] = [
            (one.get("token"), one.get("logprob")) for one in rows if isinstance(one, dict)
        ]
    elif isinstance(top, list) and top and isinstance(top[0], dict):
        pairs = list(top[0].items())
    else:
        return None
    known = [(str(token), float(value)) for token, value in pairs if _finite(value)]
    return tuple(known) or None


def _finite(value: object) -> bool:
    return isinstance(value, float | int) and -1e9 < value < 1e9


def _inside(offset: object, first: int, last: int) -> bool:
    return isinstance(offset, int) and first <= offset < last
