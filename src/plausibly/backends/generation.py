"""How an address is asked to write: sampling, effort, and whatever else it understands."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from plausibly.errors import StudyError, option
from plausibly.io import Flaw, json_value
from plausibly.ports import Query

HOTTEST = 5.0
OURS = frozenset(
    {"model", "messages", "prompt", "stream", "n", "stop", "echo", "logprobs", "top_logprobs"}
    | {"max_tokens", "max_completion_tokens", "temperature", "top_p", "reasoning_effort"}
    | {"response_format", "tools", "tool_choice", "system", "seed"}
)
"""Fields of a request that are set by other options or by us."""
DENIALS = (
    *("unsupported", "not support", "unrecognized", "unknown", "not permitted", "not allowed"),
    *("may not be enabled", "may only be set to", "cannot both", "deprecated", "compatible"),
)
GIVES_WAY = {
    "response_format": ("response_format", "json_schema"),
    "tools": ("tools", "tool_choice"),
    "max_tokens": ("max_tokens",),
    "temperature": ("temperature",),
    "seed": ("seed",),
}
"""Parameters a server may refuse, by what it calls them; it is then asked without them."""


@dataclass(frozen=True, slots=True)
class Generation:
    """How answers are generated, where they are written.

    Args:
        temperature: 0 for the likeliest token.
        top_p: Draw from the likeliest tokens with this share of the probability.
        reasoning_effort: How much a model thinks first, in the server's words.
        more: Further fields of a request, as JSON.
        seed: Seed for drawing answers, at a temperature above 0.
    """

    temperature: float = 0.0
    top_p: float | None = None
    reasoning_effort: str | None = None
    more: str = "{}"
    seed: int | None = None

    @property
    def fields(self) -> dict[str, Any]:
        """Return the fields of a request, without those left to the server."""
        return self.fields_of(0)

    @property
    def drawn(self) -> bool:
        """Return whether answers are drawn, so that a seed matters."""
        return self.temperature > 0

    def seed_of(self, repeat: int) -> int | None:
        """Return the seed of one of several times the same is asked; None if none matters."""
        return None if self.seed is None or not self.drawn else self.seed + repeat

    def fields_of(self, repeat: int) -> dict[str, Any]:
        """Return the fields of a request that is one of several for the same.

        >>> Generation(1.0, seed=7).fields_of(2)
        {'temperature': 1.0, 'seed': 9}
        """
        chosen = {
            "top_p": self.top_p,
            "reasoning_effort": self.reasoning_effort,
            "seed": self.seed_of(repeat),
        }
        set_ = {name: value for name, value in chosen.items() if value is not None}
        return {"temperature": self.temperature, **set_, **json.loads(self.more)}

    @property
    def identity(self) -> str:
        """Return what answers depend on, empty if nothing was chosen.

        >>> Generation().identity, Generation(temperature=1.0).identity
        ('', '|{"temperature": 1.0}')
        """
        plain = Generation().fields
        return "" if self.fields == plain else f"|{json.dumps(self.fields, sort_keys=True)}"


def generation(
    temperature: float,
    top_p: float | None,
    reasoning_effort: str | None,
    param: Sequence[str],
    seed: int | None = None,
) -> Generation:
    """Return how answers are generated, as options write it.

    >>> generation(0.0, None, "low", ["top_k=5", "user=ada"]).fields["top_k"]
    5
    """
    if not 0 <= temperature <= HOTTEST:
        what = f"{option('temperature')} must lie between 0 and {HOTTEST:g}; got {temperature}."
        raise StudyError(what, parameter="temperature")
    if top_p is not None and not 0 < top_p <= 1:
        what = f"{option('top_p')} must be above 0 and at most 1; got {top_p}."
        raise StudyError(what, parameter="top_p")
    more = json.dumps(dict(map(_pair, param)), sort_keys=True)
    return Generation(temperature, top_p, reasoning_effort or None, more, seed)


def _pair(text: str) -> tuple[str, Any]:
    """Return one KEY=VALUE; a value that is not JSON is a text."""
    key, equals, value = text.partition("=")
    key = key.strip()
    if not key or not equals:
        what = f"{option('param')} must be KEY=VALUE; got {text!r}."
        raise StudyError(what, parameter="param")
    if key in OURS:
        what = f"{option('param')}: {key} is set by other options. Pass something else."
        raise StudyError(what, parameter="param")
    read = json_value(value)
    return key, value if isinstance(read, Flaw) else read


ANSWER = "answer"
"""The one field of a structured answer."""


def schema_of(query: Query) -> dict[str, Any] | None:
    """Return the JSON schema of an answer: one of a list, or a number in a range; None for others.

    >>> schema_of(Query("Tea?", among=("no", "yes")))["properties"]
    {'answer': {'type': 'string', 'enum': ['no', 'yes']}}
    >>> schema_of(Query("How hot?", within=(0.0, 500.0, 1.0)))["properties"]
    {'answer': {'type': 'integer', 'minimum': 0, 'maximum': 500}}
    """
    said: dict[str, Any] = {"type": "string", "enum": list(query.among)}
    if query.within is not None:
        least, greatest, step = query.within
        whole = all(one.is_integer() for one in query.within) and step == 1
        ends = {"minimum": least, "maximum": greatest}
        said = {"type": "number", **ends}
        if whole:
            said = {"type": "integer", **{name: int(one) for name, one in ends.items()}}
    elif not query.among:
        return None
    return {
        "type": "object",
        "properties": {ANSWER: said},
        "required": [ANSWER],
        "additionalProperties": False,
    }


def structured_text(text: str) -> str:
    """Return the answer in a structured one; any other text unchanged.

    >>> [structured_text(text) for text in ('{"answer": "yes"}', '{"answer": 3}', "yes")]
    ['yes', '3', 'yes']
    """
    document = json_value(text)
    alone = isinstance(document, dict) and len(document) == 1
    return (given_answer(document) if alone else None) or text


def given_answer(document: Mapping[str, Any]) -> str | None:
    """Return the field of a structured answer as a text; None if it is neither text nor number.

    >>> given_answer({"answer": 12.5}), given_answer({"answer": True})
    ('12.5', None)
    """
    said = document.get(ANSWER)
    if isinstance(said, int | float) and not isinstance(said, bool):
        return json.dumps(said)
    return said if isinstance(said, str) and said.strip() else None


def unwanted(message: str, text: str, body: Mapping[str, Any] | None) -> str | None:
    """Return the parameter of a request that a server refuses to know, if there is one.

    >>> said = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
    >>> unwanted(said, "", {"max_tokens": 16, "temperature": 0})
    'max_tokens'
    >>> said = "Thinking may not be enabled when tool_choice forces tool use."
    >>> unwanted(said, "", {"tools": [], "tool_choice": {}})
    'tools'
    >>> unwanted("temperature must be a number", "", {"temperature": 0})
    """
    document = json_value(text)
    error = document.get("error") if isinstance(document, dict) else None
    named = error.get("param") if isinstance(error, dict) else None
    said = f"{message} {text}".casefold()
    if not any(denial in said for denial in DENIALS):
        return None
    able = [name for name in GIVES_WAY if name in (body or {})]
    if named in able:
        return str(named)
    return next((name for name in able if any(word in said for word in GIVES_WAY[name])), None)
