"""Irregularities in a file of GITA stories: every finding with its row, kind and severity.

Findings are not failures: the released files have many. An `error` contradicts the schema or
another field, a `warning` breaks a rule of construction (GITA4CALAMITA, section 3), and a `note`
asks a person to look.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from plausibly.datasets.gita import SENTENCES
from plausibly.datasets.gita.findings import Severity, StoryFinding
from plausibly.datasets.gita.stories import Story, flattened, sentences_in
from plausibly.datasets.gita.values import strange_values
from plausibly.datasets.gita.variants import difference, kind_of, originals, written_cloze
from plausibly.proofreading.plain import same_key
from plausibly.proofreading.stories._families import numbering, odd_originals, whole_families
from plausibly.proofreading.stories._file import alike, shared_sentences, unlike_others
from plausibly.proofreading.stories._form import Remark, form_remarks
from plausibly.proofreading.stories._retold import contradicted_sentences, differing_states
from plausibly.proofreading.stories._states import entity_remarks, state_remarks

FIELDS = (
    *("story_id", "type", "actor", "objects", "sentences", "example_id", "plausible"),
    *("breakpoint", "confl_sents", "states"),
)
# Without these there is no story; missing other fields have an interpretation.
ESSENTIAL = ("story_id", "actor", "objects", "sentences")
_NAMED = (*ESSENTIAL, "example_id")
_LETTERS = {"O": "order", "C": "cloze"}
_SEVERITY: dict[str, Severity] = {
    "unknown_field": "warning",
    "nearly_identical": "warning",
    "shared_sentences": "warning",
    "field_missing_here": "warning",
    "idx_gap": "warning",
    "no_variant": "warning",
    "states_differ": "note",
    "original_differs": "warning",
}


def check_stories(stories: Sequence[Story]) -> list[StoryFinding]:
    """Return every finding on a set of stories, by row."""
    alone = [
        StoryFinding(story.row, story.example, *remarks)
        for story in stories
        for check in _ALONE
        for remarks in check(story)
    ]
    together = [
        StoryFinding(story.row, story.example, kind, what, _SEVERITY.get(kind, "error"))
        for check in _TOGETHER
        for story, kind, what in check(stories)
    ]
    apart = [*_stateless(stories), *_repeated(stories), *_against_originals(stories)]
    found = [*alone, *together, *apart, *_written(stories)]
    return sorted(found, key=lambda finding: (finding.row, finding.kind, finding.message))


def compare_versions(stories: Sequence[Story], others: Sequence[Story]) -> list[StoryFinding]:
    """Return the differences from another version of the same stories, in the same order."""
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


def _missing(story: Story) -> Iterator[Remark]:
    # A story as written by its author has only the essential fields, so nothing is missing.
    written = set(FIELDS) & set(story.fields)
    for name in ESSENTIAL if written <= set(ESSENTIAL) else FIELDS:
        severity: Severity = "error" if name in ESSENTIAL else "warning"
        if name not in story.fields:
            yield "missing_field", f"no field {name!r}", severity
        elif name in _NAMED and story.fields[name] in (None, "", []):
            yield "missing_field", f"field {name!r} is empty", severity


def _schema(story: Story) -> Iterator[Remark]:
    if len(story.sentences) != SENTENCES:
        yield "sentence_count", f"{len(story.sentences)} sentences, expected {SENTENCES}", "error"
    for place, sentence in enumerate(story.sentences):
        if not sentence.strip():
            yield "empty_sentence", f"sentence {place} is empty", "error"
    length = story.fields.get("length")
    if length is not None and length != len(story.sentences):
        yield (
            "length",
            f"length is {length}, not {len(story.sentences)}, the number of sentences",
            "error",
        )
    for name in ("confl_sents", "confl_pairs"):
        value = story.fields.get(name)
        if isinstance(value, list) and _nested(name, value):
            yield "nested_list", f"{name} is {value}, expected {flattened(value)}", "error"


def _people(story: Story) -> Iterator[Remark]:
    worker, location = story.fields.get("worker_id"), story.fields.get("location")
    if worker and worker == location:
        yield "worker", f"worker_id {worker!r} is the location", "error"
    elif worker and worker == story.actor:
        yield "worker", f"worker_id {worker!r} is the actor", "error"
    if location and location == story.actor:
        yield "location", f"location {location!r} is the actor", "error"
    if story.fields.get("aug") is True:
        yield "augmented", "aug is true: the story was made by a program", "note"


def _types(story: Story) -> Iterator[Remark]:
    for message in strange_values(story.fields, may_be_null=_NAMED):
        yield "wrong_type", message, "error"


def _nested(name: str, value: list[object]) -> bool:
    """Return whether a list holds lists, other than `[[i], [j]]`, the usual form of a pair."""
    inner = [part for part in value if isinstance(part, list)]
    if name == "confl_sents":
        return bool(inner)
    return any(isinstance(deeper, list) for part in inner for deeper in part)


def _flags(story: Story) -> Iterator[Remark]:
    if story.plausible and story.breaks:
        what = f"flagged plausible, though it breaks at sentence {story.breakpoint}"
        yield "plausible_with_breakpoint", what, "error"
    if not story.plausible and not story.breaks:
        yield "implausible_without_breakpoint", "flagged implausible without breakpoint", "error"
    if not story.breaks and story.kind is not None:
        yield "plausible_with_type", f"type is {story.kind!r} though nothing breaks", "error"
    place = story.fields.get("breakpoint")
    if isinstance(place, int) and place < -1:
        yield "breakpoint", f"breakpoint is {place}, expected -1 if nothing breaks", "error"
    if not story.breaks and not story.plausible and story.kind is not None:
        yield "no_breakpoint", "flagged implausible with a type, but nothing breaks", "error"
    if story.breaks and story.kind is None:
        yield "implausible_without_type", "it breaks, but its type is null", "error"
    if story.breaks and story.fields.get("idx", 0) is None:
        yield "implausible_without_idx", "it breaks, but its idx is null", "warning"
    if story.kind not in (None, "order", "cloze"):
        yield "unknown_type", f"type {story.kind!r} is not one of order, cloze, null", "error"


def _conflict(story: Story) -> Iterator[Remark]:
    pair = flattened(story.fields.get("confl_pairs"))
    if not story.breaks:
        if story.conflict is not None:
            what = f"conflicting sentence {story.conflict} without breakpoint"
            yield "conflict_without_breakpoint", what, "error"
        if any(number >= 0 for number in pair):
            yield "conflict_without_breakpoint", f"confl_pairs {pair} without breakpoint", "error"
        return
    if story.conflict is None:
        yield "no_conflict", "it breaks, but confl_sents is empty", "error"
        return
    if story.conflict >= story.breakpoint:
        what = f"conflicting sentence {story.conflict} is not before {story.breakpoint}"
        yield "conflict_not_earlier", what, "error"
    if max(story.conflict, story.breakpoint) >= len(story.sentences):
        yield "conflict_outside", "the conflict names a sentence that does not exist", "error"
    if story.kind == "cloze" and not pair:
        yield "no_conflict_pair", "a cloze story without confl_pairs", "warning"
    if pair and pair != [story.conflict, story.breakpoint]:
        what = f"confl_pairs is {pair}, the fields {[story.conflict, story.breakpoint]}"
        yield "conflict_pair_differs", what, "warning"


def _several(story: Story) -> Iterator[Remark]:
    named = sentences_in(story.fields.get("confl_sents", story.fields.get("conflict_sents")))
    other = story.fields.get("conflict_sents")
    if "confl_sents" in story.fields and other and other != story.fields["confl_sents"]:
        yield "conflict_differs", "confl_sents and conflict_sents differ", "error"
    if len(named) > 1:
        what = f"confl_sents names {named}, expected the one sentence the break conflicts with"
        yield "conflict_count", what, "error"


def _names(story: Story) -> Iterator[Remark]:
    number, _, letter = story.example.partition("-")
    index = story.fields.get("idx")
    if index is not None and not story.breaks and story.kind is None:
        yield "plausible_with_idx", f"idx is {index!r} though nothing breaks", "error"
    form = rf"{re.escape(story.story)}-[OC]\d+" if story.kind else re.escape(story.story)
    if story.example and story.story and not re.fullmatch(form, story.example):
        expected = f"{story.story}-O0 or {story.story}-C0" if story.kind else story.story
        yield "id_form", f"example_id is {story.example!r}, expected {expected}", "error"
    elif story.kind and isinstance(index, int) and not letter.endswith(str(index)):
        yield "idx_against_id", f"idx is {index}, example_id {story.example}", "error"
    if story.example and number != story.story:
        yield "id_against_story", f"story {story.story} has example_id {story.example}", "error"
    kind = _LETTERS.get(letter[:1])
    if story.example and story.kind not in (None, kind) and (letter or story.breaks):
        what = f"a story of type {story.kind} has example_id {story.example}"
        yield "id_against_type", what, "error"
    if story.key is not None and story.key != story.example:
        what = f"its key is {story.key}, but its example_id is {story.example}"
        yield "key_against_id", what, "error"


_ALONE: tuple[Callable[[Story], Iterator[Remark]], ...] = (
    *(
        _missing,
        _types,
        _schema,
        _people,
        _several,
        state_remarks,
        entity_remarks,
        contradicted_sentences,
        _flags,
        _conflict,
        _names,
        form_remarks,
    ),
)


_TOGETHER = (
    *(unlike_others, alike, shared_sentences, numbering, whole_families, odd_originals),
    differing_states,
)


def _written(stories: Sequence[Story]) -> Iterator[StoryFinding]:
    """Yield the irregularities in the variants that authors wrote with their stories."""
    for story in stories:
        known = set(form_remarks(story))
        for one in written_cloze(story):
            if isinstance(one, Story):
                checks = (state_remarks(one), _conflict(one), _construction(one, story))
                remarks = [*(each for check in checks for each in check), *form_remarks(one)]
                yield from (
                    StoryFinding(story.row, one.example, *each)
                    for each in remarks
                    if each not in known
                )


def _stateless(stories: Sequence[Story]) -> Iterator[StoryFinding]:
    """Yield the stories without a state if others in the file have one."""
    if any(story.fields.get("states") for story in stories):
        for story in stories:
            if "states" in story.fields and story.fields["states"] is None:
                what = "field 'states' is empty, though other stories have a state"
                yield StoryFinding(story.row, story.example, "no_state", what, "warning")


def _repeated(stories: Sequence[Story]) -> Iterator[StoryFinding]:
    keys = Counter(story.key for story in stories if story.key is not None)
    ids = Counter(story.example for story in stories if story.example)
    texts = Counter(story.sentences for story in stories)
    for story in stories:
        remarks: list[Remark] = []
        if story.key is not None and keys[story.key] > 1:
            what = f"key {story.key!r} occurs {keys[story.key]} times; readers keep the last"
            remarks.append(("repeated_key", what, "error"))
        if ids[story.example] > 1:
            what = f"{ids[story.example]} stories have example_id {story.example}"
            remarks.append(("repeated_id", what, "error"))
        if texts[story.sentences] > 1 and any(story.sentences):
            remarks.append(("identical", "another story has the same sentences", "error"))
        yield from (StoryFinding(story.row, story.example, *one) for one in remarks)


def _against_originals(stories: Sequence[Story]) -> Iterator[StoryFinding]:
    first = originals(stories)
    for story in stories:
        if not story.breaks:
            continue
        original = first.get(story.story)
        remarks: list[Remark] = []
        if original is None:
            remarks.append(("no_original", f"story {story.story} has no plausible one", "error"))
        else:
            remarks += _preserved(story, original)
            remarks += _construction(story, original)
        yield from (StoryFinding(story.row, story.example, *one) for one in remarks)


def _preserved(story: Story, original: Story) -> Iterator[Remark]:
    if story.actor != original.actor:
        what = f"the actor is {story.actor!r}, in the plausible story {original.actor!r}"
        yield "actor_differs", what, "warning"
    if None not in (story.state, original.state) and story.state != original.state:
        what = f"the state is {story.state!r}, in the plausible story {original.state!r}"
        yield "state_differs", what, "note"
    here, there = story.fields.get("location"), original.fields.get("location")
    if None not in (here, there) and here != there:
        what = f"the location is {here!r}, in the plausible story {there!r}"
        yield "location_differs", what, "warning"
    worker, first = story.fields.get("worker_id"), original.fields.get("worker_id")
    if None not in (worker, first) and first != worker != here:
        what = f"worker_id is {worker!r}, in the plausible story {first!r}"
        yield "worker", what, "error"
    apart = sorted(set(story.objects) ^ set(original.objects))
    if apart:
        yield "objects_differ", f"not in both stories: {', '.join(apart)}", "warning"


def _construction(story: Story, original: Story) -> Iterator[Remark]:
    change = difference(original.sentences, story.sentences)
    if change is None:
        return
    alike = list(map(same_key, original.sentences)) == list(map(same_key, story.sentences))
    if alike and change.places:
        what = f"sentence {_places(change.places)} differs only in punctuation, spaces or case"
        yield "nothing_changed", what, "warning"
    conflict = {story.conflict, story.breakpoint}
    kind = kind_of(story, original)
    if kind == "order" and change.swap is None:
        yield "not_one_swap", _differing(change.places, "not by one swap"), "warning"
    elif kind == "order" and set(change.places) != conflict:
        what = f"sentences {_places(change.places)} are swapped, the conflict is {_marked(story)}"
        yield "swap_apart_from_conflict", what, "note" if conflict & {*change.places} else "warning"
    if kind == "cloze" and len(change.places) != 1:
        yield "not_one_replaced", _differing(change.places, "not one"), "warning"
    elif kind == "cloze" and story.conflict is not None and not set(change.places) <= conflict:
        what = f"sentence {_places(change.places)} is replaced, the conflict is {_marked(story)}"
        yield "replaced_apart_from_conflict", what, "note"


def _differing(places: Sequence[int], how: str) -> str:
    if not places:
        return "no sentence differs from the plausible story"
    one = len(places) == 1
    return f"sentence{'' if one else 's'} {_places(places)} differ{'s' if one else ''}, {how}"


def _marked(story: Story) -> str:
    return f"{story.conflict} and {story.breakpoint}"


def _places(places: Sequence[int]) -> str:
    return ", ".join(str(place) for place in places) or "none"
