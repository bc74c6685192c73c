"""States of a story: as one long table, and the one behind its conflict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import polars as pl

from plausibly.datasets.gita.stories import ATTRIBUTES, CODES, MOVES, STATE_OF, Block, Story

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
        (item, place, entity, attribute, code, *_meaning(attribute, code))
        for item, story in stories.items()
        for place, block in enumerate(story.blocks)
        for attribute, pairs in block.items()
        for entity, code in pairs
    ]
    return pl.DataFrame(rows, schema=SCHEMA, orient="row")


def _meaning(attribute: str, code: int) -> tuple[str | None, str | None]:
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
    """Return the physical state behind the conflict: as written, or else inferred."""
    return story.state if state_source(story) == "written" else inferred_state(story)


def state_source(story: Story) -> str | None:
    """Return whether the state is `written` by somebody or `inferred`; None if there is none."""
    if story.state is not None and not story.inferred:
        return "written"
    return None if inferred_state(story) is None else "inferred"


def inferred_state(story: Story) -> str | None:
    """Return the state that the blocks show, or else the one inferred before; None without either.

    It is the state in which the breakpoint needs something other than the earlier sentence leaves;
    with several, the one that concerns most entities, then the first in the order of the
    attributes.
    """
    before = story.state if story.inferred else None
    if not story.breaks or story.conflict is None:
        return before
    if max(story.breakpoint, story.conflict) >= len(story.blocks):
        return before
    clashes = conflicts(story.blocks[story.conflict], story.blocks[story.breakpoint])
    counted = Counter(STATE_OF[name] for _, name in clashes if name in STATE_OF)
    order = [STATE_OF[name] for name in ATTRIBUTES if name in STATE_OF]
    return min(counted, key=lambda state: (-counted[state], order.index(state)), default=before)
