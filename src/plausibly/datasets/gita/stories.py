"""GITA's stories in both released formats, and the meaning of their codes.

The first version is one object `{"test": {id: story}}` whose `states` are a list, one block of 20
attributes per sentence; the revised one has one story per line, whose `states` are one word. The
attributes and their codes are those of TRIP (Storks et al., 2021).
"""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import Any

from plausibly.errors import TableError, listed
from plausibly.io import read_bytes, read_records, suffix_of

OF_ACTOR = ("h_location", "conscious", "wearing", "h_wet", "hygiene")
OF_OBJECTS = (
    *("location", "exist", "clean", "power", "functional", "pieces", "wet", "open"),
    *("temperature", "solid", "contain", "running", "moveable", "mixed", "edible"),
)
ATTRIBUTES = (*OF_ACTOR, *OF_OBJECTS)

# The default of an attribute, which TRIP's scorer does not count as a state.
DEFAULTS = {
    name: 2 if name in ("conscious", "exist", "functional", "moveable") else 0
    for name in ATTRIBUTES
}
# Before and after; None is unknown or irrelevant.
CODES: dict[int, tuple[bool | None, bool | None]] = {
    0: (None, None),
    1: (False, False),
    2: (True, True),
    3: (True, False),
    4: (False, True),
    5: (None, False),
    6: (None, True),
    7: (False, None),
    8: (True, None),
}
# The two locations have different codes, which describe how a thing moves.
MOVES = {"h_location": range(3), "location": range(9)}

# The 14 states of GITA4CALAMITA, section 3. The paper does not map them to attributes; judging by
# their names, running, moveable and mixed have none.
STATE_OF = {
    "h_location": "location",
    "location": "location",
    "conscious": "conscious",
    "wearing": "wearing",
    "h_wet": "wet",
    "wet": "wet",
    "hygiene": "clean",
    "clean": "clean",
    "exist": "exist",
    "power": "power",
    "functional": "functional",
    "pieces": "in pieces",
    "open": "open",
    "temperature": "temperature",
    "solid": "solid",
    "contain": "occupied",
    "edible": "edible",
}
STATES = tuple(dict.fromkeys(STATE_OF.values()))

# Fields that the two formats write differently. A converted story keeps the fields of the other
# format under that format's name, so that converting back is exact.
APART = ("confl_sents", "confl_pairs", "states", "states_inferred")
FIRST, REVISED = FORMS = ("first", "revised")
TRANSLATION = "translation"
"""Field with the sentences in another language, shown next to them."""

Block = Mapping[str, Sequence[tuple[str, int]]]


@dataclass(frozen=True, slots=True)
class Story:
    """One story as written in a file, in either format.

    Args:
        row: Its place in the file, from 0.
        key: Its key in a file of the first format.
        story: The number a plausible story shares with its variants.
        example: The id in its fields.
        kind: `order`, `cloze` or null, as written.
        actor: The actor; several are joined by commas.
        objects: The objects in the story.
        sentences: In order, as written.
        plausible: As flagged; without a flag, whether nothing breaks.
        breakpoint: Where the story breaks, from 0; -1 if it does not.
        conflict: The earlier sentence of the conflict.
        state: The one physical state, in the revised format.
        inferred: Whether the state was derived from the blocks rather than written by somebody.
        blocks: Attributes of each sentence, in the first format.
        fields: Everything as written.
    """

    row: int
    key: str | None
    story: str
    example: str
    kind: str | None
    actor: str
    objects: tuple[str, ...]
    sentences: tuple[str, ...]
    plausible: bool
    breakpoint: int
    conflict: int | None
    state: str | None = None
    inferred: bool = False
    blocks: tuple[Block, ...] = ()
    fields: Mapping[str, Any] = field(default_factory=dict, repr=False)

    @property
    def breaks(self) -> bool:
        """Whether the story has a breakpoint, whatever it is flagged as."""
        return self.breakpoint >= 0

    @property
    def actors(self) -> tuple[str, ...]:
        """The names of the actors."""
        return names_in(self.actor)

    @property
    def translation(self) -> tuple[str, ...]:
        """The sentences in another language; empty unless there is one for each."""
        lines = _list(self.fields.get(TRANSLATION))
        complete = len(lines) == len(self.sentences) and all(isinstance(one, str) for one in lines)
        return tuple(lines) if complete else ()

    def place(self) -> str:
        """Return the name of the story in messages."""
        return self.key or self.example


def read_stories(path: Path) -> list[Story]:
    """Return every story in a file, in order; a key that occurs twice gives two stories.

    Args:
        path: `.json` in the first format or as one array, or `.jsonl`; each also `.gz`.

    Raises:
        TableError: If the file has no story, or a NaN.
    """
    return [
        story_of(written.fields, row=row, key=written.key)
        for row, written in enumerate(read_written(path))
    ]


@dataclass(frozen=True, slots=True)
class WrittenStory:
    """The fields of a story as written, its key and its line, if known."""

    fields: dict[str, Any]
    key: str | None = None
    line: int | None = None


def read_written(path: Path) -> list[WrittenStory]:
    """Return the fields of every story in a file of either format, in order and unchanged.

    Raises:
        TableError: If the file has no story, or a NaN.
    """
    content = read_bytes(path).removeprefix(BOM_UTF8)
    if suffix_of(path) != ".json" or content.lstrip().startswith(b"["):
        stories = _listed(path)
    else:
        stories = _keyed(path, content)
    if not stories:
        raise TableError(
            f'{path}: no stories found. Expected {{"test": {{id: story}}}}, one array of stories, '
            "or one story per line (.jsonl)."
        )
    return stories


def _listed(path: Path) -> list[WrittenStory]:
    lines, records = read_records(path)
    broken = [
        f"{path}:{line}: {name!r} is NaN or Infinity, which is not JSON"
        for line, record in zip(lines, records, strict=True)
        for name, value in record.items()
        if _endless(value)
    ]
    if broken:
        raise TableError(
            listed(broken, total=len(broken), noun="bad field") + " Nothing was written."
        )
    return [WrittenStory(dict(r), line=line) for line, r in zip(lines, records, strict=True)]


def _endless(value: object) -> bool:
    if isinstance(value, float):
        return not isfinite(value)
    inner = value.values() if isinstance(value, Mapping) else _list(value)
    return any(_endless(one) for one in inner)


def _keyed(path: Path, content: bytes) -> list[WrittenStory]:
    """Return the stories of the first format; none if the document is something else."""
    try:
        document = json.loads(
            content, object_pairs_hook=_Pairs, parse_constant=_no_number, strict=False
        )
    except ValueError as error:
        raise TableError(f"{path}: not JSON ({error}).") from error
    outer = document.pairs if isinstance(document, _Pairs) else []
    # In the printed form of section 3.4, stories are not inside another object.
    bare = any(isinstance(part, _Pairs) and part.has("sentences") for _, part in outer)
    parts = [part for _, part in outer if isinstance(part, _Pairs)]
    stories = outer if bare else [pair for part in parts for pair in part.pairs]
    if not all(isinstance(story, _Pairs) for _, story in stories):
        return []
    return [WrittenStory(story.plain(), key) for key, story in stories]


def _no_number(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON; write null")


class _Pairs:
    """A JSON object as the pairs in the file, which keeps repeated keys."""

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        self.pairs = pairs

    def plain(self) -> dict[str, Any]:
        return {key: _plain(value) for key, value in self.pairs}

    def has(self, name: str) -> bool:
        return any(key == name for key, _ in self.pairs)


def _plain(value: object) -> object:
    if isinstance(value, _Pairs):
        return value.plain()
    return [_plain(inner) for inner in value] if isinstance(value, list) else value


def story_of(fields: Mapping[str, Any], *, row: int = 0, key: str | None = None) -> Story:
    """Return a story from its fields, as far as they can be read."""
    fields = _as_released(fields)
    first, revised = part_of(fields, FIRST) or {}, part_of(fields, REVISED) or {}
    conflict = sentences_in(fields.get("confl_sents"))
    state, breaks_at = revised.get("states"), _whole(fields.get("breakpoint"), -1)
    return Story(
        row=_whole(fields.get("row"), row),
        key=key,
        story=_text(fields.get("story_id")),
        example=_text(fields.get("example_id")) or key or "",
        kind=fields["type"] if isinstance(fields.get("type"), str) else None,
        actor=str(fields.get("actor") or "").strip(),
        objects=names_in(fields.get("objects")),
        sentences=tuple(str(sentence) for sentence in _list(fields.get("sentences"))),
        plausible=fields.get("plausible", breaks_at < 0) is True,
        breakpoint=breaks_at,
        conflict=conflict[0] if conflict else None,
        state=state if isinstance(state, str) else None,
        inferred=revised.get("states_inferred") is True,
        blocks=blocks_in(first.get("states")),
        fields=fields,
    )


def _as_released(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields of a story under the release's names, with whole sentences.

    GITA4CALAMITA calls two fields `conflict_sents` and `conflict_pairs` in its appendix, blank in
    plausible stories; its section 3.4 prints sentences in pieces, with their number in `length`.
    """
    for name in ("sents", "pairs"):
        other = f"conflict_{name}"
        if other in fields and f"confl_{name}" not in fields:
            fields = {**fields, f"confl_{name}": fields[other] if fields[other] else []}
    pieces, length = _list(fields.get("sentences")), fields.get("length")
    if isinstance(length, int) and len(pieces) > length == len(_joined(pieces)):
        fields = {**fields, "sentences": _joined(pieces)}
    return fields


def _joined(pieces: Sequence[object]) -> list[str]:
    """Return sentences joined from printed pieces; each ends with a full stop.

    >>> _joined(["Ada ha chiuso il frigo", ".", "Ada ha preso il", "latte."])
    ['Ada ha chiuso il frigo.', 'Ada ha preso il latte.']
    """
    text = " ".join(" ".join(str(piece).split()) for piece in pieces)
    text = re.sub(r" (?=[.!?])", "", text)
    return [part for part in re.split(r"(?<=[.!?]) ", text) if part]


def form_of(fields: Mapping[str, object]) -> str:
    """Return the format a story is written in: `first` or `revised`."""
    return FIRST if isinstance(fields.get("states"), list) or REVISED in fields else REVISED


def part_of(fields: Mapping[str, Any], form: str) -> dict[str, Any] | None:
    """Return a story's fields in one of the formats: its fields, or those kept from the other."""
    if form_of(fields) == form:
        return {name: fields[name] for name in APART if name in fields}
    carried = fields.get(form)
    return dict(carried) if isinstance(carried, Mapping) else None


def blocks_in(states: object) -> tuple[Block, ...]:
    """Return the blocks of attributes in a list of states."""
    return tuple(_block(block) for block in _list(states) if isinstance(block, Mapping))


def _block(block: Mapping[str, object]) -> Block:
    return {
        name: tuple(
            (str(pair[0]).strip(), pair[1])
            for pair in _list(pairs)
            if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], int)
        )
        for name, pairs in block.items()
    }


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _whole(value: object, otherwise: int) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else otherwise


def names_in(value: object) -> tuple[str, ...]:
    """Return the names of a comma-separated text or a list.

    >>> names_in("cup, fridge"), names_in(["cup"])
    (('cup', 'fridge'), ('cup',))
    """
    parts: Iterable[object] = value.split(",") if isinstance(value, str) else _list(value)
    return tuple(name for part in parts if (name := str(part).strip()))


def sentences_in(value: object) -> list[int]:
    """Return the sentences a list names, at any depth; -1 means none.

    >>> sentences_in([[[]], [-1]]), sentences_in([[2], [3]])
    ([], [2, 3])
    """
    return [number for number in flattened(value) if number >= 0]


def flattened(value: object) -> list[int]:
    """Return the whole numbers of a list, at any depth.

    >>> flattened([[2], []])
    [2]
    """
    if isinstance(value, bool):
        return []
    if isinstance(value, int):
        return [value]
    return [number for inner in _list(value) for number in flattened(inner)]


_WORD = re.compile(r"[^\W\d_]+")


def names(thing: str, sentence: str) -> bool:
    """Return whether a sentence names a thing, possibly with another ending.

    >>> names("mela", "Ada mangia le mele."), names("mela", "Ada dorme.")
    (True, False)
    """
    words = [word.casefold() for word in _WORD.findall(thing)]
    mentioned = {word.casefold() for word in _WORD.findall(sentence)}
    return any(_alike(word, other) for word in words for other in mentioned)


def _alike(word: str, other: str) -> bool:
    """Return whether two words may be forms of one word: they share all but a short ending."""
    shortest = min(len(word), len(other))
    shared = next((i for i in range(shortest) if word[i] != other[i]), shortest)
    return word == other or (shared >= 3 and max(len(word), len(other)) - shared <= 2)
