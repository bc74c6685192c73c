"""What is irregular in a file of GITA stories: every finding with its row, kind and severity.

Findings are no failures: the released files have many. An `error` contradicts the schema or
another field, a `warning` breaks a rule of construction (GITA4CALAMITA, section 3), a `note` asks a
person to look.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from plausibly.datasets.gita import SENTENCES
from plausibly.datasets.gita.stories import (
    ATTRIBUTES,
    CODES,
    FIRST,
    MOVES,
    OF_ACTOR,
    REVISED,
    STATES,
    Story,
    flattened,
    part_of,
)
from plausibly.datasets.gita.values import shown, strange_values
from plausibly.stimuli.gita.variants import difference, kind_of, originals

Severity = Literal["error", "warning", "note"]
FIELDS = (
    *("story_id", "type", "actor", "objects", "sentences", "example_id", "plausible"),
    *("breakpoint", "confl_sents", "states"),
)
# Without these there is no story; the others have a reading of their own when they are missing.
ESSENTIAL = ("story_id", "actor", "objects", "sentences")
_NAMED = (*ESSENTIAL, "example_id")
_LETTERS = {"O": "order", "C": "cloze"}

# Signs of mark-up, and what letters with accents become when they are read in a wrong encoding.
_ODD = re.compile("[<>{}\\[\\]|\\\\^~#*_=@\ufffd]|[\u00c2\u00c3][\u0080-\u00bf]?|\u00e2\u20ac")

Said = tuple[str, str, Severity]


@dataclass(frozen=True, slots=True)
class StoryFinding:
    """One irregularity of one story."""

    row: int
    example: str
    kind: str
    message: str
    severity: Severity

    def as_json(self) -> dict[str, str | int]:
        """Return the finding as `check gita --json` prints it."""
        return {
            "row": self.row,
            "example_id": self.example,
            "kind": self.kind,
            "message": self.message,
            "severity": self.severity,
        }


def check_stories(stories: Sequence[Story]) -> list[StoryFinding]:
    """Return every finding on a set of stories, by row."""
    alone = [
        StoryFinding(story.row, story.example, *said)
        for story in stories
        for check in _ALONE
        for said in check(story)
    ]
    found = [*alone, *_stateless(stories), *_repeated(stories), *_against_originals(stories)]
    return sorted(found, key=lambda finding: (finding.row, finding.kind, finding.message))


def compare_versions(stories: Sequence[Story], others: Sequence[Story]) -> list[StoryFinding]:
    """Return what another version of the same stories, in the same order, says differently."""
    found = []
    for story, other in zip(stories, others, strict=False):
        pairs = {
            "sentences": (story.sentences, other.sentences),
            "breakpoint": (story.breakpoint, other.breakpoint),
            "plausible": (story.plausible, other.plausible),
            "confl_sents": (story.fields.get("confl_sents"), other.fields.get("confl_sents")),
        }
        for name, (here, there) in pairs.items():
            if here != there:
                message = f"{name}: {_short(here)} here, {_short(there)} in the other version"
                found.append(StoryFinding(story.row, story.example, "version", message, "note"))
    return found


def _short(value: object) -> str:
    return f"{len(value)} sentences" if isinstance(value, tuple) else repr(value)


def _missing(story: Story) -> Iterator[Said]:
    # A story as its author writes it has the essential fields alone, and nothing is missing.
    written = set(FIELDS) & set(story.fields)
    for name in ESSENTIAL if written <= set(ESSENTIAL) else FIELDS:
        severity: Severity = "error" if name in ESSENTIAL else "warning"
        if name not in story.fields:
            yield "missing_field", f"no field {name!r}", severity
        elif name in _NAMED and story.fields[name] in (None, "", []):
            yield "missing_field", f"nothing in field {name!r}", severity


def _schema(story: Story) -> Iterator[Said]:
    if len(story.sentences) != SENTENCES:
        yield "sentence_count", f"{len(story.sentences)} sentences, expected {SENTENCES}", "error"
    for place, sentence in enumerate(story.sentences):
        if not sentence.strip():
            yield "empty_sentence", f"sentence {place} is empty", "error"
    length = story.fields.get("length")
    if length is not None and length != len(story.sentences):
        yield "length", f"length is {length}, there are {len(story.sentences)} sentences", "error"
    for name in ("confl_sents", "confl_pairs"):
        value = story.fields.get(name)
        if isinstance(value, list) and _nested(name, value):
            yield "nested_list", f"{name} is {value}, expected {flattened(value)}", "error"
    worker = story.fields.get("worker_id")
    if worker and worker == story.fields.get("location"):
        yield "worker", f"worker_id {worker!r} is the location", "error"


def _types(story: Story) -> Iterator[Said]:
    for message in strange_values(story.fields, may_be_null=_NAMED):
        yield "wrong_type", message, "error"


def _nested(name: str, value: list[object]) -> bool:
    """Tell whether a list holds lists; a pair of lists `[[i], [j]]` is how pairs are written."""
    inner = [part for part in value if isinstance(part, list)]
    if name == "confl_sents":
        return bool(inner)
    return any(isinstance(deeper, list) for part in inner for deeper in part)


def _states(story: Story) -> Iterator[Said]:
    state = (part_of(story.fields, REVISED) or {}).get("states")
    states = (part_of(story.fields, FIRST) or {}).get("states")
    written = [b for b in states if isinstance(b, dict)] if isinstance(states, list) else []
    if isinstance(state, str) and state not in STATES:
        yield "unknown_state", f"{state!r} is none of {', '.join(STATES)}", "error"
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
            if not isinstance(told := written[place][name], list) or len(told) != len(pairs):
                what = f"sentence {place}: {name} is {shown(told)}, expected [[entity, code]]"
                yield "state_pair", what, "error"
            allowed = MOVES.get(name, CODES)
            for entity, code in pairs:
                if code not in allowed:
                    what = f"sentence {place}: {name} of {entity} is {code}"
                    yield "unknown_code", what, "error"


def _entities(story: Story) -> Iterator[Said]:
    named: dict[bool, set[str]] = {True: set(), False: set()}
    for block in story.blocks:
        for attribute, pairs in block.items():
            named[attribute in OF_ACTOR] |= {entity for entity, _ in pairs}
    if not story.blocks:
        return
    for place, block in enumerate(story.blocks):
        for attribute, pairs in block.items():
            twice = [one for one, times in Counter(e for e, _ in pairs).items() if times > 1]
            if twice:
                what = f"sentence {place}: {attribute} names {twice[0]!r} twice"
                yield "entity_twice", what, "error"
    for entity in sorted(named[False] - set(story.objects)):
        yield "entity", f"the states name {entity!r}, which is not among the objects", "warning"
    for entity in sorted(set(story.objects) - named[False]):
        yield "entity", f"the object {entity!r} has no states", "warning"
    for entity in sorted(named[True] - set(story.actors)):
        yield "entity_actor", f"the states name {entity!r}, the actor is {story.actor!r}", "warning"


def _flags(story: Story) -> Iterator[Said]:
    if story.plausible and story.breaks:
        what = f"flagged plausible, though it breaks at sentence {story.breakpoint}"
        yield "plausible_with_breakpoint", what, "error"
    if not story.plausible and not story.breaks:
        yield "implausible_without_breakpoint", "flagged implausible without breakpoint", "error"
    if not story.breaks and story.kind is not None:
        yield "plausible_with_type", f"type is {story.kind!r} though nothing breaks", "error"
    if not story.breaks and not story.plausible and story.kind is not None:
        yield "no_breakpoint", "flagged implausible with a type, but nothing breaks", "error"
    if story.breaks and story.kind is None:
        yield "implausible_without_type", "it breaks, but its type is null", "error"
    if story.breaks and story.fields.get("idx", 0) is None:
        yield "implausible_without_idx", "it breaks, but its idx is null", "warning"
    if story.kind not in (None, "order", "cloze"):
        yield "unknown_type", f"type {story.kind!r} is none of order, cloze, null", "error"


def _conflict(story: Story) -> Iterator[Said]:
    if not story.breaks:
        if story.conflict is not None:
            what = f"conflicting sentence {story.conflict} without breakpoint"
            yield "conflict_without_breakpoint", what, "error"
        return
    if story.conflict is None:
        yield "no_conflict", "it breaks, but confl_sents is empty", "error"
        return
    if story.conflict >= story.breakpoint:
        what = f"conflicting sentence {story.conflict} is not before {story.breakpoint}"
        yield "conflict_not_earlier", what, "error"
    if max(story.conflict, story.breakpoint) >= len(story.sentences):
        yield "conflict_outside", "the conflict names a sentence that is not there", "error"
    pair = flattened(story.fields.get("confl_pairs"))
    if story.kind == "cloze" and not pair:
        yield "no_conflict_pair", "a cloze story without confl_pairs", "warning"
    if pair and sorted(pair) != sorted((story.conflict, story.breakpoint)):
        what = f"confl_pairs say {pair}, the fields {[story.conflict, story.breakpoint]}"
        yield "conflict_pair_differs", what, "warning"


def _names(story: Story) -> Iterator[Said]:
    number, _, letter = story.example.partition("-")
    if story.example and number != story.story:
        yield "id_against_story", f"example_id {story.example} on story {story.story}", "error"
    told = _LETTERS.get(letter[:1])
    if story.example and story.kind not in (None, told) and (letter or story.breaks):
        what = f"example_id {story.example} on a story of type {story.kind}"
        yield "id_against_type", what, "error"
    if story.key is not None and story.key != story.example:
        what = f"stands under {story.key} and calls itself {story.example}"
        yield "key_against_id", what, "error"


def _form(story: Story) -> Iterator[Said]:
    for place, sentence in enumerate(story.sentences):
        if sentence != sentence.strip():
            yield "outer_space", f"sentence {place} has spaces around it", "warning"
        if sentence.strip() and not sentence.strip().endswith("."):
            yield "not_declarative", f"sentence {place} does not end in a full stop", "warning"
        if sentence.strip()[:1].islower():
            yield "lower_case_start", f"sentence {place} begins with a small letter", "warning"
        if "  " in sentence.strip():
            yield "double_space", f"sentence {place} has two spaces in a row", "warning"
        if odd := _ODD.search(sentence):
            yield "odd_sign", f"sentence {place}: {odd[0]!r} is no sign of a plain text", "warning"
    again = [one for one, times in Counter(story.objects).items() if times > 1]
    if again:
        yield "object_twice", f"the object {again[0]!r} is listed twice", "error"
    if len(set(story.sentences)) < len(story.sentences):
        yield "repeated_sentence", "the same sentence stands there twice", "warning"


_ALONE: tuple[Callable[[Story], Iterator[Said]], ...] = (
    *(_missing, _types, _schema, _states, _entities, _flags, _conflict, _names, _form),
)


def _stateless(stories: Sequence[Story]) -> Iterator[StoryFinding]:
    """Yield the stories without a state, where others of the file have one."""
    if any(story.fields.get("states") for story in stories):
        for story in stories:
            if "states" in story.fields and story.fields["states"] is None:
                what = "nothing in field 'states', though others have a state"
                yield StoryFinding(story.row, story.example, "no_state", what, "warning")


def _repeated(stories: Sequence[Story]) -> Iterator[StoryFinding]:
    keys = Counter(story.key for story in stories if story.key is not None)
    ids = Counter(story.example for story in stories if story.example)
    told = Counter(story.sentences for story in stories)
    for story in stories:
        said: list[Said] = []
        if story.key is not None and keys[story.key] > 1:
            what = f"key {story.key!r} occurs {keys[story.key]} times; readers keep the last"
            said.append(("repeated_key", what, "error"))
        if ids[story.example] > 1:
            what = f"example_id {story.example} is on {ids[story.example]} stories"
            said.append(("repeated_id", what, "error"))
        if told[story.sentences] > 1 and any(story.sentences):
            said.append(("identical", "another story has the same sentences", "error"))
        yield from (StoryFinding(story.row, story.example, *one) for one in said)


def _against_originals(stories: Sequence[Story]) -> Iterator[StoryFinding]:
    first = originals(stories)
    for story in stories:
        if not story.breaks:
            continue
        original = first.get(story.story)
        said: list[Said] = []
        if original is None:
            said.append(("no_original", f"story {story.story} has no plausible one", "error"))
        else:
            said += _preserved(story, original)
            said += _construction(story, original)
        yield from (StoryFinding(story.row, story.example, *one) for one in said)


def _preserved(story: Story, original: Story) -> Iterator[Said]:
    if story.actor != original.actor:
        what = f"the actor is {story.actor!r}, in the plausible story {original.actor!r}"
        yield "actor_differs", what, "warning"
    if None not in (story.state, original.state) and story.state != original.state:
        what = f"the state is {story.state!r}, in the plausible story {original.state!r}"
        yield "state_differs", what, "note"
    apart = sorted(set(story.objects) ^ set(original.objects))
    if apart:
        yield "objects_differ", f"not in both stories: {', '.join(apart)}", "warning"


def _construction(story: Story, original: Story) -> Iterator[Said]:
    change = difference(original.sentences, story.sentences)
    if change is None:
        return
    conflict = {story.conflict, story.breakpoint}
    kind = kind_of(story, original)
    if kind == "order" and change.swap is None:
        yield (
            "not_one_swap",
            f"sentences {_places(change.places)} differ, not by one swap",
            "warning",
        )
    elif kind == "order" and set(change.places) != conflict:
        what = f"sentences {_places(change.places)} are exchanged, the conflict is elsewhere"
        yield "swap_apart_from_conflict", what, "note"
    if kind == "cloze" and len(change.places) != 1:
        yield "not_one_replaced", f"sentences {_places(change.places)} differ, not one", "warning"
    elif kind == "cloze" and not set(change.places) <= conflict:
        what = f"sentence {_places(change.places)} is replaced, the conflict is elsewhere"
        yield "replaced_apart_from_conflict", what, "note"


def _places(places: Sequence[int]) -> str:
    return ", ".join(str(place) for place in places) or "none"
