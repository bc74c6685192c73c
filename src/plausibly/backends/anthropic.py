"""Language models behind Anthropic's Messages API, or a server that speaks like it.

Patience, keys and what is remembered of a server are those of `OpenAIModel`; only the wire differs.
Where a query has a list of answers, the model must call a tool that takes one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from plausibly.backends._openai_answers import count_of, signature_of
from plausibly.backends._requests import QUOTED
from plausibly.backends.generation import ANSWER, given_answer, schema_of
from plausibly.backends.openai import OpenAIModel
from plausibly.errors import StudyError, shown
from plausibly.ports import Query, Reply, Unanswered

ADDRESS = "https://api.anthropic.com/v1"
KEY = "ANTHROPIC_API_KEY"
VERSION = "2023-06-01"
ENDINGS = {"max_tokens": "length", "end_turn": "stop", "tool_use": "stop", "stop_sequence": "stop"}
"""What others call the reasons for which an answer ended."""
REFUSAL = "refusal"
NOT_SENT = ("reasoning_effort", "seed")
"""What this interface does not know."""
NO_SEED = "takes no seed"


@dataclass(frozen=True)
class AnthropicModel(OpenAIModel):
    """A model behind Anthropic's Messages API."""

    @cached_property
    def name(self) -> str:
        """Return the name of the model, which has to be given."""
        if self.model is None:
            raise StudyError("anthropic: no model named. Write anthropic:MODEL or URL#MODEL.")
        return self.model

    @cached_property
    def identity(self) -> str:
        """Return the model and how it is asked; where it runs does not change what it says."""
        return f"anthropic|{self.name}|chat|text{self.generation.identity}"

    @property
    def key_name(self) -> str:
        """Return the variable of the environment that holds the key."""
        return KEY

    @property
    def _hint(self) -> str:
        return f"Does the address end in /v1, and is {KEY} set?"

    def _headers(self, key: str | None) -> dict[str, str]:
        return {"anthropic-version": VERSION, **({"x-api-key": key} if key else {})}

    def _path(self) -> str:
        return "messages"

    def answer(self, query: Query) -> Reply:
        """Return the answer to one query."""
        document = self._accepted(query)
        self._pace.answered = True
        used = document.get("usage")
        usage = used if isinstance(used, dict) else {}
        read, written = (count_of(usage.get(f"{name}_tokens")) for name in ("input", "output"))
        ended = document.get("stop_reason")
        reason = ENDINGS.get(str(ended), shown(str(ended)[:QUOTED])) if ended else None
        text = _text(document, cut=reason == "length")
        lacks = [NO_SEED] if self.generation.seed_of(0) is not None else []
        note = "; ".join([*lacks, *(f"{one} refused" for one in sorted(self._pace.refused))])
        signed = signature_of(document, self.name)
        return Reply(None, None, text, read, written, note or None, None, signed, reason)

    def _body(self, query: Query) -> dict[str, Any]:
        refused = self._pace.refused
        fields = self.generation.fields.items()
        chosen = {name: value for name, value in fields if name not in NOT_SENT}
        body: dict[str, Any] = {"model": self.name, "max_tokens": query.max_tokens, **chosen}
        if "temperature" in refused:
            del body["temperature"]
        system = [text for role, text in query.messages if role == "system"]
        turns = [{"role": r, "content": text} for r, text in query.messages if r != "system"]
        body |= {"messages": turns or [{"role": "user", "content": query.context}]}
        body |= {"system": "\n\n".join(system)} if system else {}
        schema = schema_of(query)
        if schema is not None and "tools" not in refused:
            tool = {"name": ANSWER, "description": "Give the answer.", "input_schema": schema}
            body |= {"tools": [tool], "tool_choice": {"type": "tool", "name": ANSWER}}
        return body


def _text(document: Mapping[str, Any], *, cut: bool) -> str:
    """Return what was written: the answer of the tool, or the parts that are text.

    Thoughts are parts of their own and no answer.
    """
    if document.get("stop_reason") == REFUSAL:
        raise Unanswered("filtered answer", "the model refused to answer (stop_reason)")
    listed = document.get("content")
    parts = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    for part in parts:
        given = part.get("input")
        if part.get("type") == "tool_use" and isinstance(given, dict):
            said = given_answer(given)
            if said is not None:
                return said
    texts = [part.get("text") for part in parts if part.get("type") == "text"]
    text = "".join(one for one in texts if isinstance(one, str))
    if not text.strip() and not cut:
        raise Unanswered("empty choice", "the answer has no text")
    return text
