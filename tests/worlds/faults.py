"""Faults put into sound pairs and stories, one kind each, for checkers that should find them."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Mapping
from typing import Any

from plausibly.datasets.adept.pairs import modified

Row = dict[str, Any]
Fault = Callable[[Row], Row]


def with_fault(rows: list[Row], place: int, fault: Fault) -> list[Row]:
    """Return the rows with one of them at fault; the others are as they were."""
    changed = copy.deepcopy(rows)
    changed[place] = fault(changed[place])
    return changed


def _both(row: Row, old: str, new: str) -> Row:
    """Return the pair with a change in both sentences."""
    return row | {name: row[name].replace(old, new, 1) for name in ("sentence1", "sentence2")}


def _second(change: Callable[[str, Row], str]) -> Fault:
    return lambda row: row | {"sentence2": change(row["sentence2"], row)}


def _other_modifier(modifier: str) -> Fault:
    """Return a fault that puts another word in the place of the modifier, as the release would."""

    def fault(row: Row) -> Row:
        second = modified(row["sentence1"], noun=row["noun"], modifier=modifier)
        return row | {"modifier": modifier, "sentence2": second}

    return fault


def _misspelt(word: str) -> str:
    return word[:2] + "q" + word[2:]


def _wrong_article(text: str, row: Row) -> str:
    right = "an" if row["modifier"][0] in "aeiou" else "a"
    wrong = "a" if right == "an" else "an"
    found = re.sub(
        rf"\b{right} {row['modifier']}\b", f"{wrong} {row['modifier']}", text, flags=re.IGNORECASE
    )
    return found[:1].upper() + found[1:]


PAIR_FAULTS: Mapping[str, Fault] = {
    "modifier not put in": lambda row: row | {"sentence2": row["sentence1"]},
    "modifier after the noun": _second(
        lambda text, row: re.sub(
            rf"\b{row['modifier']} {row['noun']}\b",
            f"{row['noun']} {row['modifier']}",
            text,
            flags=re.IGNORECASE,
        )
    ),
    "another word changed": _second(lambda text, _: text.replace(".", " today.")),
    "sentences exchanged": lambda row: (
        row | {"sentence1": row["sentence2"], "sentence2": row["sentence1"]}
    ),
    "wrong article before the modifier": _second(_wrong_article),
    "field names another modifier": lambda row: row | {"modifier": "purple"},
    "field names another noun": lambda row: row | {"noun": "zebra"},
    "modifier twice": _second(
        lambda text, row: re.sub(
            rf"\b({row['modifier']})\b", rf"\1 {row['modifier']}", text, flags=re.IGNORECASE
        )
    ),
    "second sentence without its stop": _second(lambda text, _: text.rstrip(".")),
    "both without their stop": lambda row: (
        row | {name: row[name].rstrip(".") for name in ("sentence1", "sentence2")}
    ),
    "lower-case start of both": lambda row: (
        row | {name: row[name][:1].lower() + row[name][1:] for name in ("sentence1", "sentence2")}
    ),
    "lower-case start of the second": _second(lambda text, _: text[:1].lower() + text[1:]),
    "misspelt in both": lambda row: _both(
        row, longest := max(_rest(row), key=len), _misspelt(longest)
    ),
    "misspelt in the first": lambda row: (
        row
        | {"sentence1": row["sentence1"].replace(w := max(_rest(row), key=len), _misspelt(w), 1)}
    ),
    "misspelt modifier": lambda row: _other_modifier(_misspelt(row["modifier"]))(row),
    "a word twice in a row in both": lambda row: _both(row, w := _rest(row)[0], f"{w} {w}"),
    "two spaces in both": lambda row: _both(row, " ", "  "),
    "space before the stop in both": lambda row: _both(row, ".", " ."),
    "empty first sentence": lambda row: row | {"sentence1": ""},
    "no second sentence": lambda row: row | {"sentence2": None},
    "no modifier": lambda row: row | {"modifier": ""},
    "label out of range": lambda row: row | {"label": 7},
    "label below range": lambda row: row | {"label": -1},
    "label that is a word": lambda row: row | {"label": "likely"},
    "label missing": lambda row: {name: one for name, one in row.items() if name != "label"},
    "label null": lambda row: row | {"label": None},
    "idx that is a word": lambda row: row | {"idx": "seven"},
    "idx missing": lambda row: {name: one for name, one in row.items() if name != "idx"},
    "profane modifier": _other_modifier("fucking"),
    "noun as modifier": _other_modifier("election"),
    "adverb as modifier": _other_modifier("quickly"),
    "verb as modifier": _other_modifier("eat"),
    "function word as modifier": _other_modifier("the"),
    "modifier of two words": lambda row: _other_modifier(f"very {row['modifier']}")(row),
    "modifier with a capital": lambda row: (
        row
        | {
            "modifier": row["modifier"].capitalize(),
            "sentence2": row["sentence2"].replace(row["modifier"], row["modifier"].capitalize(), 1),
        }
    ),
    "modifier is the noun": lambda row: _other_modifier(row["noun"])(row),
    "modal in both": lambda row: (
        _both(row, " is ", " might be ")
        if " is " in row["sentence1"]
        else _both(row, row["noun"], f"{row['noun']} might")
    ),
    "plural verb of one thing": lambda row: _both(row, " is ", " are "),
    "question": lambda row: _both(row, ".", "?"),
    "stray mark-up": lambda row: _both(row, row["noun"], f"[[{row['noun']}]]"),
    "broken letters": lambda row: _both(row, row["noun"], row["noun"] + "â€™s"),
    "noun of many with one thing's article": lambda row: (
        _both(row, row["noun"], row["noun"] + "s") | {"noun": row["noun"] + "s"}
    ),
    "noun field of one, sentence of many": lambda row: _both(row, row["noun"], row["noun"] + "s"),
}
"""Faults of one ADEPT pair, whatever pair that is."""


def _rest(row: Row) -> list[str]:
    """Return the words of both sentences that are neither noun nor modifier."""
    words = re.findall(r"[a-z]+", row["sentence1"])
    return [word for word in words if word != row["noun"] and len(word) > 3]


def _told(change: Callable[[list[str], Row], list[str]]) -> Fault:
    return lambda row: row | {"sentences": change(list(row["sentences"]), row)}


def _one_sentence(place: int, change: Callable[[str], str]) -> Fault:
    return _told(lambda told, _: [change(one) if n == place else one for n, one in enumerate(told)])


def _without(name: str) -> Fault:
    return lambda row: {key: value for key, value in row.items() if key != name}


def _put(**values: Any) -> Fault:
    return lambda row: row | values


STORY_FAULTS: Mapping[str, tuple[str, Fault]] = {
    "a sentence too few": ("any", _told(lambda told, _: told[:-1])),
    "a sentence too many": ("any", _told(lambda told, _: [*told, told[-1]])),
    "an empty sentence": ("any", _one_sentence(2, lambda _: "")),
    "a sentence twice": ("any", _told(lambda told, _: [*told[:4], told[0]])),
    "no full stop": ("any", _one_sentence(1, lambda one: one.rstrip(".!"))),
    "a question": ("any", _one_sentence(1, lambda one: one.rstrip(".!") + "?")),
    "a lower-case start": ("any", _one_sentence(1, lambda one: one[:1].lower() + one[1:])),
    "two spaces in a row": ("any", _one_sentence(1, lambda one: one.replace(" ", "  ", 1))),
    "spaces around a sentence": ("any", _one_sentence(1, lambda one: f" {one} ")),
    "broken letters": ("any", _one_sentence(1, lambda one: one.replace("a", "Ã", 1))),
    "mark-up": ("any", _one_sentence(1, lambda one: f"<b>{one}")),
    "a sentence cut off": ("any", _one_sentence(1, lambda one: one[: len(one) // 2])),
    "flagged plausible though it breaks": ("broken", _put(plausible=True)),
    "flagged implausible though nothing breaks": ("plausible", _put(plausible=False)),
    "a flag that is a word": ("any", _put(plausible="yes")),
    "plausible with a type": ("plausible", _put(type="cloze")),
    "a type that is none": ("broken", _put(type="swap")),
    "the other type": (
        "broken",
        lambda row: row | {"type": "order" if row["type"] == "cloze" else "cloze"},
    ),
    "a breakpoint out of range": ("broken", _put(breakpoint=7)),
    "a breakpoint below -1": ("broken", _put(breakpoint=-3)),
    "a breakpoint that is a text": ("broken", _put(breakpoint="3")),
    "a breakpoint on a plausible story": ("plausible", _put(breakpoint=3)),
    "no breakpoint": ("broken", _put(breakpoint=-1)),
    "a conflict after the break": ("broken", lambda row: row | {"confl_sents": [4]}),
    "a conflict at the break": (
        "broken",
        lambda row: row | {"confl_sents": [row["breakpoint"]]},
    ),
    "no conflict": ("broken", _put(confl_sents=[])),
    "a conflict on a plausible story": ("plausible", _put(confl_sents=[1])),
    "a conflict out of range": ("broken", _put(confl_sents=[-4])),
    "a state that is none": ("revised", _put(states="broken")),
    "no state": ("revised", _put(states=None)),
    "a state unlike the mother story's": (
        "revised broken",
        lambda row: row | {"states": "wet" if row["states"] != "wet" else "open"},
    ),
    "an actor no sentence names": ("any", _put(actor="Zebedeo")),
    "no actor": ("any", _put(actor="")),
    "an object no sentence names": (
        "any",
        lambda row: row | {"objects": f"{_text(row)}, astronave"},
    ),
    "an object too few": (
        "broken",
        lambda row: row | {"objects": ", ".join(_text(row).split(", ")[1:])},
    ),
    "an object twice": (
        "any",
        lambda row: row | {"objects": f"{_text(row)}, {_text(row).split(', ')[0]}"},
    ),
    "no objects": ("any", _put(objects="")),
    "another story's number": ("any", _put(story_id=999)),
    "an id on a wrong story": ("any", _put(example_id="999-C0")),
    "no id": ("any", _without("example_id")),
    "no sentences": ("any", _without("sentences")),
    "sentences as one text": ("any", lambda row: row | {"sentences": " ".join(row["sentences"])}),
    "a sentence that is a number": ("any", _told(lambda told, _: [*told[:4], 5])),  # type: ignore[list-item]
    "a wrong length": ("any", _put(length=9)),
    "three sentences changed": (
        "broken",
        _told(lambda told, _: [f"{one[:-1]} ancora." for one in told[:3]] + told[3:]),
    ),
    "a code that is none": ("first", lambda row: _state(row, 1, "open", 12)),
    "a code that is a text": ("first", lambda row: _state(row, 1, "open", "two")),
    "an attribute that is none": (
        "first",
        lambda row: _blocks(row, lambda block: block | {"colour": block["open"]}),
    ),
    "an attribute missing": (
        "first",
        lambda row: _blocks(row, lambda block: {k: v for k, v in block.items() if k != "open"}),
    ),
    "a block of states too few": ("first", lambda row: row | {"states": row["states"][:-1]}),
    "an entity twice": (
        "first",
        lambda row: _blocks(
            row, lambda block: block | {"open": [*block["open"], block["open"][0]]}
        ),
    ),
    "an entity that is no object": (
        "first",
        lambda row: _blocks(
            row, lambda block: block | {"open": [*block["open"], ["astronave", 1]]}
        ),
    ),
    "a foreign actor in the states": (
        "first",
        lambda row: _blocks(row, lambda block: block | {"conscious": [["Zebedeo", 2]]}),
    ),
    "contradictory states in a plausible story": (
        "first plausible",
        lambda row: _state(_state(row, 1, "open", 3), 2, "open", 3),
    ),
}
"""Faults of one GITA story, and the stories each can be put into."""


def _text(row: Row) -> str:
    objects = row["objects"]
    return objects if isinstance(objects, str) else ", ".join(objects)


def _blocks(row: Row, change: Callable[[Row], Row]) -> Row:
    """Return the story with a change in the block of its second sentence."""
    states = copy.deepcopy(row["states"])
    states[1] = change(states[1])
    return row | {"states": states}


def _state(row: Row, place: int, attribute: str, code: object) -> Row:
    states = copy.deepcopy(row["states"])
    states[place][attribute][0][1] = code
    return row | {"states": states}
