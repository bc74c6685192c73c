"""Physical states over a story: what each sentence needs and leaves, and where that clashes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from plausibly.datasets.gita.findings import StoryFinding
from plausibly.datasets.gita.stories import CODES, DEFAULTS, MOVES, OF_ACTOR, Block, Story

# Attributes that do not show whether a thing can be used.
_NO_USE = (*OF_ACTOR, "exist")


@dataclass(frozen=True, slots=True)
class Clash:
    """A sentence that needs a state which an earlier one undid.

    Args:
        earlier: The sentence that undid the state, from 0.
        later: The sentence that needs it.
        entity: The entity.
        attribute: The attribute, one of 20.
        needed: The state that the later sentence needs.
    """

    earlier: int
    later: int
    entity: str
    attribute: str
    needed: bool

    def __str__(self) -> str:
        wanted, left = ("true", "false") if self.needed else ("false", "true")
        return (
            f"sentence {self.later} needs {self.attribute} of {self.entity!r} to be {wanted}, "
            f"sentence {self.earlier} leaves it {left}"
        )


def clashes(blocks: Sequence[Block]) -> list[Clash]:
    """Return every clash: a precondition that differs from the last effect on it.

    Locations are left out: their codes show how things and people move, not what must hold.
    """
    left: dict[tuple[str, str], tuple[bool, int]] = {}
    found: list[Clash] = []
    for place, block in enumerate(blocks):
        after: dict[tuple[str, str], tuple[bool, int]] = {}
        for attribute, pairs in block.items():
            for entity, code in () if attribute in MOVES else pairs:
                needs, leaves = CODES.get(code, (None, None))
                known = left.get((entity, attribute))
                if needs is not None and known is not None and known[0] != needs:
                    found.append(Clash(known[1], place, entity, attribute, needs))
                if leaves is not None:
                    after[entity, attribute] = (leaves, place)
        left |= after
    return found


def lost_and_used(blocks: Sequence[Block]) -> list[Clash]:
    """Return the uses of things that an earlier sentence made disappear."""
    gone: dict[str, int] = {}
    found: list[Clash] = []
    for place, block in enumerate(blocks):
        for attribute, pairs in block.items():
            happens = range(2, 9) if attribute == "location" else (3, 4, 6)
            for entity, code in () if attribute in _NO_USE else pairs:
                if entity in gone and code in happens:
                    found.append(Clash(gone[entity], place, entity, "exist", needed=True))
        gone = _gone(gone, block, place)
    return found


def _gone(gone: dict[str, int], block: Block, place: int) -> dict[str, int]:
    """Return what has disappeared after a sentence, and where."""
    left = dict(gone)
    for entity, code in block.get("exist", ()):
        _, leaves = CODES.get(code, (None, None))
        if leaves:
            left.pop(entity, None)
        elif leaves is False and code != 1:
            left[entity] = place
    return left | {entity: place for entity, code in block.get("location", ()) if code == 1}


def _says_more(block: Block) -> bool:
    """Return whether somebody wrote a state besides everything's continued existence."""
    return any(
        code not in (0, DEFAULTS.get(attribute, 0))
        for attribute, pairs in block.items()
        for _, code in pairs
    )


def state_findings(stories: Iterable[Story]) -> Iterator[StoryFinding]:
    """Yield where states contradict a story: a clash in a plausible one, no clash in another.

    An implausible story should clash at the break its author marked; if it clashes elsewhere, a
    person is asked to look. Stories without states are skipped.
    """
    stories = list(stories)
    if not any(_says_more(block) for story in stories for block in story.blocks):
        return
    for story in stories:
        if len(story.blocks) != len(story.sentences) or not story.blocks:
            continue
        found = clashes(story.blocks)
        row, example = story.row, story.example
        if story.plausible:
            all_clashes = [*found, *lost_and_used(story.blocks)]
            first = {(one.entity, one.attribute): one for one in reversed(all_clashes)}
            for one in sorted(first.values(), key=lambda clash: (clash.later, clash.entity)):
                yield StoryFinding(row, example, "states_contradict", str(one), "warning")
        elif not found:
            what = "flagged implausible, but no sentence needs a state that an earlier one undid"
            yield StoryFinding(row, example, "no_contradiction", what, "warning")
        elif not _at_the_break(found, story):
            what = f"the states clash, but not at the marked conflict: {found[0]}"
            yield StoryFinding(row, example, "contradiction_elsewhere", what, "note")


def _at_the_break(found: Sequence[Clash], story: Story) -> bool:
    return any((one.earlier, one.later) == (story.conflict, story.breakpoint) for one in found)
