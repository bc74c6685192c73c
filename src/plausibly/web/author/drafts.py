"""Stories as their author writes them: drafts with versions, and the file that comes of them.

A folder of drafts holds `versions.jsonl`, every version of every draft in the order they were
saved, and `stories.jsonl`, the drafts of which `plausibly check gita` finds no error.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from plausibly.datasets.gita import SENTENCES
from plausibly.datasets.gita.stories import (
    ATTRIBUTES,
    DEFAULTS,
    FIRST,
    OF_ACTOR,
    Story,
    names_in,
    story_of,
)
from plausibly.errors import TableError
from plausibly.io import write_text
from plausibly.proofreading.stories.proofread import while_writing
from plausibly.stimuli.gita._exchanges import SentenceExchange, exchanges
from plausibly.stimuli.gita.opposites import opposed_sentences

VERSIONS = "versions.jsonl"
STORIES = "stories.jsonl"
_LETTER = {"order": "O", "cloze": "C"}


@dataclass(frozen=True, slots=True, kw_only=True)
class StateChange:
    """What a sentence says about an entity that is not as when nothing is said."""

    sentence: int
    entity: str
    attribute: str
    code: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryVariant:
    """An implausible variant of a story; sentences are counted from 0."""

    kind: str
    sentences: tuple[str, ...]
    conflict: int
    breakpoint: int
    state: str
    changes: tuple[StateChange, ...] = ()
    idx: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryDraft:
    """A plausible story and its variants, as far as they are written.

    Args:
        number: Of the story.
        actor: Who acts.
        objects: With what.
        sentences: The plausible story.
        variants: The implausible ones.
        changes: What the sentences of the plausible story change.
        reviewer: Who read this version.
        room: Where the story takes place, empty if that is not given.
        worker: Who writes it, empty if that is not given.
        seconds: How long its author has spent on its pages.
    """

    number: int
    actor: str = ""
    objects: tuple[str, ...] = ()
    sentences: tuple[str, ...] = ("",) * SENTENCES
    variants: tuple[StoryVariant, ...] = ()
    changes: tuple[StateChange, ...] = ()
    reviewer: str = ""
    room: str = ""
    worker: str = ""
    seconds: int = 0

    @property
    def entities(self) -> tuple[str, ...]:
        """Who and what the story is about."""
        return (*names_in(self.actor), *self.objects)


def written_stories(draft: StoryDraft) -> list[dict[str, Any]]:
    """Return a draft as stories of the revised form, blocks of states carried where there are any.

    The plausible story bears the state of its first variant, as in the release.
    """
    state = draft.variants[0].state if draft.variants else None
    plausible = {
        **_shared(draft, draft.sentences, kind=None, idx=None),
        "example_id": str(draft.number),
        "plausible": True,
        "breakpoint": -1,
        "confl_sents": [],
        "confl_pairs": [],
        "states": state,
    }
    stories = [_with_blocks(plausible, draft, draft.changes)]
    counts = dict.fromkeys(_LETTER, 0)
    for variant in draft.variants:
        idx = counts[variant.kind] if variant.idx is None else variant.idx
        counts[variant.kind] = idx + 1
        values = {
            **_shared(draft, variant.sentences, kind=variant.kind, idx=idx),
            "example_id": f"{draft.number}-{_LETTER[variant.kind]}{idx}",
            "plausible": False,
            "breakpoint": variant.breakpoint,
            "confl_sents": [variant.conflict],
            "confl_pairs": [variant.conflict, variant.breakpoint],
            "states": variant.state,
        }
        stories.append(_with_blocks(values, draft, variant.changes))
    return stories


def _shared(
    draft: StoryDraft, sentences: Sequence[str], *, kind: str | None, idx: int | None
) -> dict[str, Any]:
    """Return the fields of GITA4CALAMITA, section 3.4, that every story has."""
    worker = {"worker_id": draft.worker} if draft.worker else {}
    room = {"location": draft.room} if draft.room else {}
    return {
        "story_id": draft.number,
        **worker,
        "type": kind,
        "idx": idx,
        "aug": False,
        "actor": draft.actor,
        **room,
        "objects": ", ".join(draft.objects),
        "sentences": list(sentences),
        "length": len(sentences),
    }


def _with_blocks(
    values: dict[str, Any], draft: StoryDraft, changes: Sequence[StateChange]
) -> dict[str, Any]:
    """Return a story with a block of 20 attributes per sentence, defaults where nothing is said."""
    if not changes:
        return values
    said = {(one.sentence, one.entity, one.attribute): one.code for one in changes}
    actors = names_in(draft.actor)
    blocks = [
        {
            name: [
                [entity, said.get((place, entity, name), DEFAULTS[name])]
                for entity in (actors if name in OF_ACTOR else draft.objects)
            ]
            for name in ATTRIBUTES
        }
        for place in range(len(draft.sentences))
    ]
    pairs = [[number] for number in values["confl_pairs"]]
    carried = {"confl_sents": values["confl_sents"], "confl_pairs": pairs, "states": blocks}
    return {**values, FIRST: carried}


def sound_drafts(drafts: Mapping[int, StoryDraft], *, lang: str = "it") -> dict[int, StoryDraft]:
    """Return the drafts that may be in the file: no errors, and no story of an earlier draft."""
    sound: dict[int, StoryDraft] = {}
    taken: set[tuple[str, ...]] = set()
    for number, draft in sorted(drafts.items()):
        texts = {tuple(fields["sentences"]) for fields in written_stories(draft)}
        if taken.isdisjoint(texts) and _is_sound(draft, lang):
            sound[number] = draft
            taken |= texts
    return sound


def _is_sound(draft: StoryDraft, lang: str) -> bool:
    stories = [story_of(fields, row=row) for row, fields in enumerate(written_stories(draft))]
    return not any(one.severity == "error" for one in while_writing(stories, lang=lang))


def proposed_exchanges(draft: StoryDraft, most: int = 3) -> list[SentenceExchange]:
    """Return the exchanges likeliest to break a story that are not among its variants."""
    named: dict[str, Story] = {
        str(fields["example_id"]): story_of(fields) for fields in written_stories(draft)
    }
    free = [one for one in exchanges(named) if one.rank is not None]
    return free[:most]


def proposed_cloze(
    draft: StoryDraft, opposites: Mapping[str, str], *, lang: str = "it"
) -> list[tuple[int, str]]:
    """Return sentences with a verb turned into its opposite, and their places."""
    return [
        (one.place, one.sentence)
        for one in opposed_sentences(draft.sentences, opposites, lang=lang)
    ]


def versions_of(folder: Path, number: int) -> list[StoryDraft]:
    """Return every version of a draft, oldest first."""
    return [draft for draft in _saved(folder) if draft.number == number]


def drafts_in(folder: Path) -> dict[int, StoryDraft]:
    """Return the latest version of every draft by its number."""
    return {draft.number: draft for draft in _saved(folder)}


def save_draft(folder: Path, draft: StoryDraft, *, lang: str = "it") -> None:
    """Add a version of a draft, and write the stories anew."""
    path = folder / VERSIONS
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    line = json.dumps(asdict(draft), ensure_ascii=False)
    write_text(path, f"{before}{line}\n")
    sound = sound_drafts(drafts_in(folder), lang=lang).values()
    lines = [
        json.dumps(story, ensure_ascii=False) for one in sound for story in written_stories(one)
    ]
    write_text(folder / STORIES, "".join(f"{line}\n" for line in lines))


def _saved(folder: Path) -> Iterator[StoryDraft]:
    path = folder / VERSIONS
    if not path.is_file():
        return
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            yield _draft(json.loads(line))
        except (ValueError, KeyError, TypeError) as error:
            raise TableError(
                f"{path}:{number}: not a version of a story ({error}). Put the line back as it "
                "was saved, or remove it."
            ) from error


def _draft(values: Mapping[str, Any]) -> StoryDraft:
    """Return a draft as it was saved."""
    variants = tuple(
        StoryVariant(**{**one, "sentences": tuple(one["sentences"]), "changes": _changes(one)})
        for one in values["variants"]
    )
    return StoryDraft(
        number=values["number"],
        actor=values["actor"],
        objects=tuple(values["objects"]),
        sentences=tuple(values["sentences"]),
        variants=variants,
        changes=_changes(values),
        reviewer=values["reviewer"],
        room=values.get("room", ""),
        worker=values.get("worker", ""),
        seconds=values.get("seconds", 0),
    )


def _changes(values: Mapping[str, Any]) -> tuple[StateChange, ...]:
    return tuple(StateChange(**one) for one in values["changes"])
