"""The states of a story on a page: only what differs from the defaults is entered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plausibly.datasets.gita import SENTENCES
from plausibly.datasets.gita.stories import (
    CODES,
    DEFAULTS,
    MOVES,
    OF_ACTOR,
    OF_OBJECTS,
    names_in,
)
from plausibly.web.author.drafts import StateChange, StoryDraft


@dataclass(frozen=True, slots=True)
class StateCell:
    """One attribute of one entity in one sentence: its code, and the codes it may have."""

    name: str
    attribute: str
    code: int
    codes: tuple[int, ...]
    changed: bool


@dataclass(frozen=True, slots=True)
class StateRow:
    """One sentence of a story or variant, with the cells of every entity."""

    story: str
    sentence: str
    entities: tuple[tuple[str, tuple[StateCell, ...]], ...]


def state_rows(draft: StoryDraft) -> list[StateRow]:
    """Return every sentence of a story and its variants with all states, defaults filled in."""
    versions = [("", draft.sentences, draft.changes)]
    versions += [(one.kind, one.sentences, one.changes) for one in draft.variants]
    return [
        StateRow(kind, text, _entities(draft, str(story), place, changes))
        for story, (kind, sentences, changes) in enumerate(versions)
        for place, text in enumerate(sentences)
    ]


def _entities(
    draft: StoryDraft, story: str, place: int, changes: Sequence[StateChange]
) -> tuple[tuple[str, tuple[StateCell, ...]], ...]:
    said = {(one.entity, one.attribute): one.code for one in changes if one.sentence == place}
    return tuple(
        (
            entity,
            tuple(
                StateCell(
                    name=field_name(story, place, number, attribute),
                    attribute=attribute,
                    code=said.get((entity, attribute), DEFAULTS[attribute]),
                    codes=tuple(MOVES.get(attribute, CODES)),
                    changed=(entity, attribute) in said,
                )
                for attribute in attributes
            ),
        )
        for number, (entity, attributes) in enumerate(_attributes(draft))
    )


def _attributes(draft: StoryDraft) -> list[tuple[str, tuple[str, ...]]]:
    actors = [(entity, OF_ACTOR) for entity in names_in(draft.actor)]
    return [*actors, *((entity, OF_OBJECTS) for entity in draft.objects)]


def field_name(story: str, place: int, entity: int, attribute: str) -> str:
    """Return the name of a field."""
    return f"s-{story}-{place}-{entity}-{attribute}"


def read_changes(
    sent: Mapping[str, Sequence[str]], draft: StoryDraft, story: str
) -> tuple[StateChange, ...]:
    """Return what differs from the defaults in what a page sent about a story."""
    changes = []
    for place in range(SENTENCES):
        for number, (entity, attributes) in enumerate(_attributes(draft)):
            for attribute in attributes:
                text = sent.get(field_name(story, place, number, attribute), [""])[-1]
                allowed = {str(code): code for code in MOVES.get(attribute, CODES)}
                if text in allowed and allowed[text] != DEFAULTS[attribute]:
                    changes.append(
                        StateChange(
                            sentence=place,
                            entity=entity,
                            attribute=attribute,
                            code=allowed[text],
                        )
                    )
    return tuple(changes)
