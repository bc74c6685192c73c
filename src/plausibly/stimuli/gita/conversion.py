"""Converts a story from one released format to the other, and exactly back.

The formats differ in how conflicts are nested and in the states: 20 attributes per sentence, or one
word. Neither follows from the other. So a converted story keeps its original fields, under `first`
or `revised`, unless they can be derived from the new format.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from plausibly.datasets.gita.states import inferred_state
from plausibly.datasets.gita.stories import (
    APART,
    ATTRIBUTES,
    DEFAULTS,
    FIRST,
    FORMS,
    OF_ACTOR,
    REVISED,
    Block,
    Story,
    blocks_in,
    flattened,
    form_of,
    part_of,
    sentences_in,
)

Part = dict[str, Any]
_CONFLICT = ("confl_sents", "confl_pairs")
_STATES = ("states", "states_inferred")


def revised_form(story: Story) -> dict[str, Any]:
    """Return the story as the revised release writes it: flat conflicts, `states` one word or null.

    `states_inferred` marks a state derived from the blocks; `first` holds the blocks.
    """
    first, revised = _both(story)
    revised = _to_revised(story, first or {}) if revised is None else revised
    carried = {FIRST: first} if first not in (None, _to_first(story, revised)) else {}
    return {**_shared(story), **revised, **carried}


def first_form(story: Story) -> dict[str, Any]:
    """Return the story as the first release writes it: `states` is a block for each sentence.

    The one state of the revised format names neither a sentence nor an entity, so it cannot be put
    into blocks: these have their defaults, and `revised` holds the state.
    """
    first, revised = _both(story)
    first = _to_first(story, revised or {}) if first is None else first
    carried = {REVISED: revised} if revised not in (None, _to_revised(story, first)) else {}
    return {**_shared(story), **first, **carried}


def _shared(story: Story) -> dict[str, Any]:
    return {name: value for name, value in story.fields.items() if name not in (*APART, *FORMS)}


def _both(story: Story) -> tuple[Part | None, Part | None]:
    """Return the story's parts in the first and in the revised format, None if it has none.

    The story's fields take precedence over the kept ones: if the conflict was edited since, the
    kept one is out of date and is derived again.
    """
    first, revised = part_of(story.fields, FIRST), part_of(story.fields, REVISED)
    if first is None or revised is None:
        return first, revised
    if form_of(story.fields) == FIRST:
        return first, _renewed(
            revised, own=first, back=_to_first(story, revised), anew=_to_revised(story, first)
        )
    renewed = _renewed(
        first, own=revised, back=_to_revised(story, first), anew=_to_first(story, revised)
    )
    return renewed, revised


def _renewed(carried: Part, *, own: Part, back: Part, anew: Part) -> Part:
    """Return the kept part; derive its conflict again if it no longer matches the story's."""
    conflict = {
        name: carried[name] if name in carried and back[name] == own[name] else anew[name]
        for name in _CONFLICT
        if name in own
    }
    return conflict | {name: carried[name] for name in _STATES if name in carried}


def _to_revised(story: Story, first: Part) -> Part:
    conflict = {
        name: sentences_in(first[name]) if isinstance(first[name], list) else first[name]
        for name in _CONFLICT
        if name in first
    }
    stated = replace(story, blocks=blocks_in(first.get("states")), state=None, inferred=False)
    state = inferred_state(stated)
    mark = {} if state is None else {"states_inferred": True}
    return {**conflict, "states": state, **mark}


def _to_first(story: Story, revised: Part) -> Part:
    conflict = {name: revised[name] for name in _CONFLICT if name in revised}
    pair = flattened(conflict.get("confl_pairs"))
    if len(pair) == 2:
        conflict["confl_pairs"] = [[number] for number in pair]
    return {**conflict, "states": [_written(_blank(story)) for _ in story.sentences]}


def _blank(story: Story) -> Block:
    """Return one block of 20 attributes at their defaults."""
    return {
        name: tuple(
            (entity, DEFAULTS[name])
            for entity in (story.actors if name in OF_ACTOR else story.objects)
        )
        for name in ATTRIBUTES
    }


def _written(block: Mapping[str, Any]) -> dict[str, list[list[Any]]]:
    return {name: [[entity, code] for entity, code in pairs] for name, pairs in block.items()}
