"""GITA4CALAMITA sections 3 and 3.4: what variants share with their plausible story, and fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from plausibly.datasets.catalogue import find
from plausibly.datasets.gita import SENTENCES, STORIES
from plausibly.datasets.gita.stories import read_written
from plausibly.replications.claims import Claims
from plausibly.replications.gita.release import GitaRelease
from plausibly.replications.printed import Value

Fields = Mapping[str, Any]
EXAMPLE = "0-C0"


def variants(release: GitaRelease, claims: Claims) -> dict[str, Value]:
    """Return what implausible stories keep of their plausible one, and which lack their pair."""
    del claims
    path = find(release.folder, "gita", STORIES)
    if path is None:
        return {}
    stories = [written.fields for written in read_written(path)]
    numbers: dict[str, Value] = {
        "gita.stories.five_sentences": sum(len(_sentences(one)) == SENTENCES for one in stories)
    }
    named = [one for one in stories if one.get("actor") and one.get("objects")]
    if not named:
        return numbers
    others = {"actor": _differing(named, _actor), "objects": _differing(named, _objects)}
    for name, ids in others.items():
        numbers[f"gita.variants.other_{name}"] = len(ids)
        numbers[f"gita.variants.other_{name}.ids"] = [*sorted(ids)]
    broken = [one for one in named if one.get("breakpoint") != -1]
    numbers["gita.variants.no_pair"] = sum(not one.get("confl_pairs") for one in broken)
    example = [one for one in named if one.get("example_id") == EXAMPLE]
    if example:
        numbers["gita.example.objects"] = [*sorted(_objects(example[0]))]
        numbers["gita.example.conflict"] = [
            *(example[0].get("confl_sents") or []),
            example[0].get("breakpoint"),
        ]
        number = example[0]["story_id"]
        numbers["gita.example.states"] = [
            one["states"] for one in broken if one["story_id"] == number
        ]
    return numbers


def _differing(stories: Sequence[Fields], of: Callable[[Fields], object]) -> list[str]:
    """Return the ids of implausible stories that differ from the plausible one of their number."""
    first = {one["story_id"]: of(one) for one in stories if one.get("breakpoint") == -1}
    return [
        str(one["example_id"])
        for one in stories
        if one.get("breakpoint") != -1 and of(one) != first.get(one["story_id"], of(one))
    ]


def _sentences(story: Fields) -> list[Any]:
    sentences = story.get("sentences")
    return sentences if isinstance(sentences, list) else []


def _actor(story: Fields) -> str:
    return str(story["actor"]).strip().lower()


def _objects(story: Fields) -> set[str]:
    return {name.strip().lower() for name in str(story["objects"]).split(",")}
