"""Reads the answers of an OpenAI-compatible server, and reports what is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from plausibly.backends._requests import GARBLED, QUOTED, Answered
from plausibly.errors import shown
from plausibly.io import Flaw, json_value
from plausibly.ports import Query, Unanswered

NO_ECHO = "the server does not send those of the prompt (echo)"
MOST_TOKENS = 10**9
FILTERED = "content_filter"
CUT = "length"


def document_of(answered: Answered) -> dict[str, Any]:
    """Return the JSON object of an answer; raise with a description if it is something else."""
    if answered.problem is not None:
        raise Unanswered(answered.problem, answered.message)
    document = json_value(answered.text)
    if isinstance(document, Flaw):
        raise Unanswered(GARBLED, answered.message)
    if not isinstance(document, dict):
        raise Unanswered(GARBLED, f"no object: {answered.message}")
    return document


def choice_of(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the first choice of a document, by its index where choices have one."""
    listed = document.get("choices")
    choices = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    if choices:
        return next((one for one in choices if one.get("index") == 0), choices[0])
    said = document.get("error")
    message = said.get("message") if isinstance(said, dict) else said
    detail = f", but: {shown(str(message)[:QUOTED])}" if message else ""
    raise Unanswered("empty choice", f"no choices in the answer{detail}")


def ending_of(choice: Mapping[str, Any]) -> str | None:
    """Return why an answer ended, in the server's words.

    >>> ending_of({"finish_reason": "length"}), ending_of({})
    ('length', None)
    """
    ended = choice.get("finish_reason")
    return shown(ended[:QUOTED]) if isinstance(ended, str) and ended else None


def text_of(choice: Mapping[str, Any], *, converses: bool) -> str:
    """Return the text of an answer, joining its parts; raise if the server's filter cut it.

    An answer cut off for length may be empty: reasoning may have used up its tokens.
    """
    message = choice.get("message")
    text = message.get("content") if isinstance(message, dict) else None
    text = text if converses else choice.get("text")
    if not text and isinstance(message, dict):  # a refusal is an answer that nobody can read
        text = message.get("refusal") or text
    if isinstance(text, list):
        parts = [part.get("text") for part in text if isinstance(part, dict)]
        text = "".join(part for part in parts if isinstance(part, str))
    ended = choice.get("finish_reason")
    if ended == FILTERED and isinstance(text, str) and text.strip():
        raise Unanswered(
            "filtered answer", "the server's filter cut it (finish_reason)", lasting=True
        )
    if ended == CUT and not text:
        return ""
    if not isinstance(text, str) or (not text.strip() and ended != CUT):
        why = f" (finish_reason {shown(ended[:QUOTED])})" if isinstance(ended, str) else ""
        raise Unanswered("empty choice", f"the answer has no text{why}", lasting=bool(why))
    return text


def signature_of(document: Mapping[str, Any], asked: str) -> str | None:
    """Return the model an answer names, unless it is the one that was requested.

    >>> signature_of({"model": "tiny-2"}, "tiny"), signature_of({"model": "tiny"}, "tiny")
    ('tiny-2', None)
    """
    name = document.get("model")
    if not isinstance(name, str) or not name.strip() or name == asked:
        return None
    return shown(name[:QUOTED])


def count_of(value: object) -> int | None:
    """Return a number of tokens; None for anything that cannot be one."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and 0 <= value < MOST_TOKENS else None  # type: ignore[operator,return-value]


def score_of(choice: Mapping[str, Any], query: Query) -> tuple[tuple[float], tuple[int]]:
    """Return the summed log-probability of the option, and its tokens.

    A token that the end of the context and the beginning of the option share belongs to the
    option.
    """
    probabilities = choice.get("logprobs")
    if not isinstance(probabilities, dict):
        raise Unanswered("no logprobs", "the server sends none; ask without --logprobs")
    offsets, values = probabilities.get("text_offset"), probabilities.get("token_logprobs")
    if not isinstance(offsets, list) or not isinstance(values, list):
        raise Unanswered("no logprobs", NO_ECHO)
    if len(offsets) != len(values) or not _rising(offsets):
        raise Unanswered("no logprobs", "positions and log-probabilities of tokens do not match")
    first, last = len(query.context), len(query.context) + len(query.options[0])
    ends = [*offsets[1:], max(last, offsets[-1] + 1)] if offsets else []
    places = zip(offsets, ends, values, strict=True)
    own = [value for begin, end, value in places if begin < last and end > first]
    if not own or offsets[0] > first or (first and len(own) == len(values)):
        raise Unanswered("no logprobs", NO_ECHO)
    if not all(map(is_log_probability, own)):
        raise Unanswered(
            "no logprobs", "a log-probability of the option is not a number, or is above 0"
        )
    return (float(sum(own)),), (len(own),)


def _rising(offsets: Sequence[object]) -> bool:
    """Return whether offsets are positions in a text, in ascending order."""
    whole = [one for one in offsets if isinstance(one, int) and not isinstance(one, bool)]
    return len(whole) == len(offsets) and whole == sorted(whole) and min(whole, default=0) >= 0


def first_tokens(choice: Mapping[str, Any]) -> tuple[tuple[str, float], ...] | None:
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
    known = [
        (token, float(value))
        for token, value in pairs
        if isinstance(token, str) and is_log_probability(value)
    ]
    return tuple(known) or None


def is_log_probability(value: object) -> bool:
    """Return whether a value is the logarithm of a probability, give or take rounding.

    >>> [is_log_probability(one) for one in (-0.5, 0, 0.5, True, None, "x", float("-inf"))]
    [True, True, False, False, False, False, False]
    """
    if isinstance(value, bool) or not isinstance(value, float | int):
        return False
    return -1e9 < value < 1e-3
