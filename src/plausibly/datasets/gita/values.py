"""What the fields of a story hold: in words, and as a test."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping

LONGEST = 40


def strange_values(
    fields: Mapping[str, object], *, may_be_null: Collection[str] = ()
) -> Iterator[str]:
    """Yield a message for each value of another kind than its field; missing ones are not here.

    >>> list(strange_values({"breakpoint": "3"}))
    ['breakpoint is "3", expected a whole number, -1 if nothing breaks']
    """
    for name, (expected, fits) in _KINDS.items():
        if name not in fields or (fields[name] is None and name in may_be_null):
            continue
        if not fits(fields[name]):
            yield f"{name} is {shown(fields[name])}, expected {expected}"


def shown(value: object) -> str:
    """Return a value as JSON writes it, a long one cut."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_count(value: object) -> bool:
    return _is_whole(value) and isinstance(value, int) and value >= 0


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(part, str) for part in value)


def _is_numbers(value: object) -> bool:
    """Return whether a list, however deep, holds whole numbers alone."""
    return isinstance(value, list) and all(_is_whole(part) or _is_numbers(part) for part in value)


def _is_states(value: object) -> bool:
    if isinstance(value, list):
        return all(isinstance(block, dict) for block in value)
    return value is None or isinstance(value, str)


_KINDS: dict[str, tuple[str, Callable[[object], bool]]] = {
    "story_id": ("a number from 0 or a text", lambda value: _is_count(value) or _is_text(value)),
    "worker_id": ("a text", lambda value: _is_text(value) and value != ""),
    "location": ("a text", lambda value: _is_text(value) and value != ""),
    "length": ("a whole number", _is_count),
    "idx": ("a whole number from 0, or null", lambda value: value is None or _is_count(value)),
    "type": ("order, cloze or null", lambda value: value is None or _is_text(value)),
    "actor": ("a text", _is_text),
    "objects": ("a text or a list of texts", lambda value: _is_text(value) or _is_texts(value)),
    "sentences": ("a list of sentences", _is_texts),
    "example_id": ("a text", _is_text),
    "aug": ("true or false", lambda value: value is None or isinstance(value, bool)),
    "plausible": ("true or false", lambda value: isinstance(value, bool)),
    "breakpoint": ("a whole number, -1 if nothing breaks", _is_whole),
    "confl_sents": ("a list of whole numbers", _is_numbers),
    "confl_pairs": ("a list of whole numbers", _is_numbers),
    "first": ("what the first form says", lambda value: isinstance(value, dict)),
    "revised": ("what the revised form says", lambda value: isinstance(value, dict)),
    "states_inferred": ("true or false", lambda value: isinstance(value, bool)),
    "states": ("one state, or a list with a block for each sentence", _is_states),
}
