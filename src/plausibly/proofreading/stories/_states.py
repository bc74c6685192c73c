"""The states of a story: attributes, entities and codes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from plausibly.datasets.gita.stories import (
    ATTRIBUTES,
    CODES,
    FIRST,
    MOVES,
    OF_ACTOR,
    REVISED,
    STATES,
    Block,
    Story,
    part_of,
)
from plausibly.datasets.gita.values import shown
from plausibly.proofreading.stories._form import Remark


def state_remarks(story: Story) -> Iterator[Remark]:
    """Yield what is wrong with attributes and codes."""
    state = (part_of(story.fields, REVISED) or {}).get("states")
    states = (part_of(story.fields, FIRST) or {}).get("states")
    written = [b for b in states if isinstance(b, dict)] if isinstance(states, list) else []
    if isinstance(state, str) and state not in STATES:
        known = ", ".join(STATES)
        what = f"{state!r} is not one of {known}" if state else "no state is chosen"
        yield "unknown_state", what, "error"
    if isinstance(states, list) and len(states) != len(story.sentences):
        blocks = f"{len(states)} blocks of states for {len(story.sentences)} sentences"
        yield "state_blocks", blocks, "error"
    for place, block in enumerate(story.blocks):
        strange = [name for name in block if name not in ATTRIBUTES]
        missing = [name for name in ATTRIBUTES if name not in block]
        if strange:
            yield "unknown_attribute", f"sentence {place}: {', '.join(strange)}", "error"
        if missing:
            yield "missing_attribute", f"sentence {place}: {', '.join(missing)}", "error"
        for name, pairs in block.items():
            if not isinstance(value := written[place][name], list) or len(value) != len(pairs):
                what = f"sentence {place}: {name} is {shown(value)}, expected [[entity, code]]"
                yield "state_pair", what, "error"
            allowed = MOVES.get(name, CODES)
            for entity, code in pairs:
                if code not in allowed or isinstance(code, bool):
                    what = f"sentence {place}: {name} of {entity} is {code}"
                    yield "unknown_code", what, "error"


def entity_remarks(story: Story) -> Iterator[Remark]:
    """Yield the entities that are missing, foreign or named twice."""
    named = _named(story)
    if not story.blocks:
        return
    for place, block in enumerate(story.blocks):
        for attribute, pairs in block.items():
            twice = [one for one, times in Counter(e for e, _ in pairs).items() if times > 1]
            if twice:
                what = f"sentence {place}: {attribute} names {twice[0]!r} twice"
                yield "entity_twice", what, "error"
        yield from _left_out(place, block, named)
    if not any(code for block in story.blocks for pairs in block.values() for _, code in pairs):
        yield "no_states_told", "every code is 0: the states are empty", "warning"
    for entity in sorted(named[False] - set(story.objects)):
        yield "entity", f"the states name {entity!r}, which is not among the objects", "warning"
    for entity in sorted(set(story.objects) - named[False]):
        yield "entity", f"the object {entity!r} has no states", "warning"
    for entity in sorted(named[True] - set(story.actors)):
        yield (
            "entity_actor",
            f"the states name {entity!r}, but the actor is {story.actor!r}",
            "warning",
        )


def _named(story: Story) -> dict[bool, set[str]]:
    """Return the actors and the objects that the states name."""
    named: dict[bool, set[str]] = {True: set(), False: set()}
    for block in story.blocks:
        for attribute, pairs in block.items():
            named[attribute in OF_ACTOR] |= {entity for entity, _ in pairs}
    return named


def _left_out(place: int, block: Block, named: Mapping[bool, set[str]]) -> Iterator[Remark]:
    """Yield the attributes of a sentence that lack an entity the others name."""
    for attribute, pairs in block.items():
        lacking = sorted(named[attribute in OF_ACTOR] - {entity for entity, _ in pairs})
        if lacking:
            what = f"sentence {place}: {attribute} does not name {lacking[0]!r}"
            yield "entity_left_out", what, "error"
