"""Language models that inspect_ai reaches, by provider and name: `inspect:PROVIDER/MODEL`.

inspect_ai knows providers, keys and patience; words, reading and journal stay ours. It is
asynchronous and we ask from threads, so one loop of its own runs all requests of a process.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from math import ceil
from threading import Thread
from typing import Any

from plausibly.backends._openai_answers import count_of, signature_of
from plausibly.backends._requests import LATE, QUOTED
from plausibly.backends.generation import Generation
from plausibly.errors import MissingExtra, StudyError, shown
from plausibly.ports import Query, Reply, Unanswered

ENDINGS = {"max_tokens": "length", "model_length": "length"}
"""What others call the reasons for which an answer ended."""
FILTERED = "content_filter"
PASSED = ("temperature", "top_p", "seed", "reasoning_effort")


@dataclass(frozen=True)
class InspectModel:
    """A model behind one of inspect_ai's providers.

    Args:
        model: Provider and name, as `openai/gpt-5` or `mockllm/model`.
        max_wait: Seconds a query may take with all its repetitions.
        timeout: Seconds one answer may take.
        generation: How answers are written.
    """

    model: str
    max_wait: float = 300.0
    timeout: float = 300.0
    generation: Generation = field(default_factory=Generation)
    at_once: int | None = None
    converses: bool = True
    options_at_once: int = 0
    source: str = "inspect"

    @property
    def name(self) -> str:
        """Return provider and name."""
        return self.model

    @property
    def identity(self) -> str:
        """Return the model and how it is asked."""
        return f"inspect|{self.model}|chat|text{self.generation.identity}"

    def rest(self) -> None:
        """Do nothing: an answer leaves nothing open."""

    def leave(self) -> None:
        """Do nothing: answers under way still come."""

    def answer(self, query: Query) -> Reply:
        """Return the answer to one query."""
        turns = query.messages or (("user", query.context),)
        messages = [self._roles[role](content=text) for role, text in turns]
        output = self._waited(self._reached.generate(messages, config=self._config(query)))
        choices = list(getattr(output, "choices", None) or ())
        ended = str(getattr(choices[0], "stop_reason", "") or "") if choices else ""
        text = str(getattr(output, "completion", "") or "")
        reason = ENDINGS.get(ended, shown(ended[:QUOTED])) or None
        if ended == FILTERED:
            raise Unanswered("filtered answer", "the provider's filter cut it (stop_reason)")
        if not text.strip() and reason != "length":
            said = shown(str(getattr(output, "error", None) or "no text")[:QUOTED])
            raise Unanswered("empty choice", said)
        used = getattr(output, "usage", None)
        read, written = (count_of(getattr(used, f"{one}_tokens", None)) for one in _COUNTED)
        signed = signature_of({"model": getattr(output, "model", None)}, self._bare_name)
        return Reply(None, None, text, read, written, signed=signed, finish_reason=reason)

    @property
    def _bare_name(self) -> str:
        return self.model.partition("/")[2]

    @cached_property
    def _reached(self) -> Any:
        """Return inspect_ai's model; an unknown provider or a missing key ends here."""
        library = _library()
        try:
            return library.get_model(self.model)
        except (ValueError, ImportError, library.PrerequisiteError) as error:
            said = shown(str(error)[: 4 * QUOTED])
            raise StudyError(f"inspect:{self.model}: {said}") from error

    @cached_property
    def _roles(self) -> dict[str, Any]:
        return dict(_library().roles)

    def _config(self, query: Query) -> Any:
        fields = self.generation.fields_of(query.repeat)
        known = {name: fields[name] for name in PASSED if name in fields}
        more = json.loads(self.generation.more)
        extra = {"extra_body": more} if more else {}
        limits = {"max_tokens": query.max_tokens, "timeout": max(1, ceil(self.max_wait))}
        return _library().config(**known, **limits, **extra)

    def _waited(self, coroutine: Coroutine[Any, Any, Any]) -> Any:
        """Return what a request brings; any error of a provider is a missing answer."""
        future: Future[Any] = asyncio.run_coroutine_threadsafe(coroutine, _loop())
        try:
            error = future.exception(timeout=self.timeout)
        except TimeoutError:
            future.cancel()
            raise Unanswered(LATE, f"after {self.timeout:g} s") from None
        if error is not None:
            raise Unanswered(type(error).__name__, shown(str(error)[:QUOTED])) from error
        return future.result()


_COUNTED = ("input", "output")


@dataclass(frozen=True)
class _Inspect:
    """What we need of inspect_ai."""

    get_model: Any
    config: Any
    roles: dict[str, Any]
    PrerequisiteError: type[Exception]


@cache
def _library() -> _Inspect:
    try:
        model = import_module("inspect_ai.model")
        errors = import_module("inspect_ai._util.error")
    except ImportError as error:
        raise MissingExtra("asking through inspect_ai", "inspect") from error
    roles = {
        "system": model.ChatMessageSystem,
        "user": model.ChatMessageUser,
        "assistant": model.ChatMessageAssistant,
    }
    return _Inspect(model.get_model, model.GenerateConfig, roles, errors.PrerequisiteError)


@cache
def _loop() -> asyncio.AbstractEventLoop:
    """Return the loop that runs every request, in a thread that ends with the process."""
    loop = asyncio.new_event_loop()
    Thread(target=loop.run_forever, daemon=True).start()
    return loop
