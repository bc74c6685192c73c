"""States of a story: as one long table, and from one released form to the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import polars as pl

from plausibly.stimuli.gita_forms import (
    ATTRIBUTES,
    CODES,
    DEFAULTS,
    MOVES,
    OF_ACTOR,
    STATE_OF,
    Block,
    Story,
)

SCHEMA = {
    "item": pl.String(),
    "sentence": pl.Int64(),
    "entity": pl.String(),
    "attribute": pl.String(),
    "code": pl.Int64(),
    "before": pl.String(),
    "after": pl.String(),
}


def state_table(stories: Mapping[str, Story]) -> pl.DataFrame:
    """Return one row per item, sentence, entity and attribute, with what it is before and after."""
    rows = [
        (item, place, entity, attribute, code, *_told(attribute, code))
        for item, story in stories.items()
        for place, block in enumerate(story.blocks)
        for attribute, pairs in block.items()
        for entity, code in pairs
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _told(attribute: str, code: int) -> tuple[str | None, str | None]:
    before, after = (None, None) if attribute in MOVES else CODES.get(code, (None, None))
    return _word(before), _word(after)


def _word(truth: bool | None) -> str | None:
    return None if truth is None else str(truth).lower()


def conflicts(first: Block, second: Block) -> list[tuple[str, str]]:
    """Return entity and attribute wherever what one sentence leaves is not what the next needs."""
    left = {(entity, name): code for name, pairs in first.items() for entity, code in pairs}
    found = []
    for name, pairs in second.items():
        for entity, code in pairs:
            if name in MOVES or (entity, name) not in left:
                continue
            after = CODES.get(left[entity, name], (None, None))[1]
            before = CODES.get(code, (None, None))[0]
            if None not in (after, before) and after != before:
                found.append((entity, name))
    return found


def one_state(story: Story) -> str | None:
    """Return the physical state behind the conflict, or None if the blocks do not tell.

    A story that already says it keeps it. Otherwise it is the state in which the breakpoint
    needs something else than the earlier sentence leaves; with several, the one that concerns
    most entities, then the first in the order of the attributes.
    """
    if story.state is not None:
        return story.state
    if not story.breaks or story.conflict is None:
        return None
    if max(story.breakpoint, story.conflict) >= len(story.blocks):
        return None
    clashes = conflicts(story.blocks[story.conflict], story.blocks[story.breakpoint])
    counted = Counter(STATE_OF[name] for _, name in clashes if name in STATE_OF)
    order = [STATE_OF[name] for name in ATTRIBUTES if name in STATE_OF]
    return min(counted, key=lambda state: (-counted[state], order.index(state)), default=None)


def in_blocks(story: Story) -> tuple[Block, ...]:
    """Return one block of 20 attributes per sentence, at their defaults where none are written.

    The one state of the revised form names no sentence and no entity, so it cannot be put into
    the blocks; it stays beside them as `state`.
    """
    if story.blocks:
        return story.blocks
    blank: Block = {
        name: tuple((entity, DEFAULTS[name]) for entity in _entities(story, name))
        for name in ATTRIBUTES
    }
    return (blank,) * len(story.sentences)


def _entities(story: Story, attribute: str) -> tuple[str, ...]:
    return story.actors if attribute in OF_ACTOR else story.objects


def revised_form(story: Story) -> dict[str, Any]:
    """Return the story as the revised release writes it: `states` is one word or null."""
    fields = {name: value for name, value in story.fields.items() if name != "state"}
    return {**fields, "states": one_state(story)}


def first_form(story: Story) -> dict[str, Any]:
    """Return the story as the first release writes it: `states` is a list of blocks."""
    fields = {name: value for name, value in story.fields.items() if name != "row"}
    blocks = [
        {name: [[entity, code] for entity, code in pairs] for name, pairs in block.items()}
        for block in in_blocks(story)
    ]
    state = {"state": story.state} if story.state is not None else {}
    return {**fields, "states": blocks, **state}
