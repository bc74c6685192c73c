"""GITA4CALAMITA section 3: how many stories there are, how they are made, what is irregular."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from plausibly.datasets.gita import FIRST_VERSION, OPTIONS, SENTENCES, STATE, STORY
from plausibly.datasets.gita.answers import read_sample_lines
from plausibly.datasets.gita.stories import read_written
from plausibly.evaluation.gita_baselines import constant_baselines
from plausibly.evaluation.gita_rules import CALAMITA, CLEAN, GITA_2024
from plausibly.replications.claims import Claims
from plausibly.replications.gita.release import GitaRelease
from plausibly.replications.printed import Value

GROUPS = ("plausible", "order", "cloze")
# By the field type; by the letter in example_id; with every story where it belongs.
DEFINITIONS = {"by_type": CALAMITA, "by_example_id": GITA_2024, "corrected": CLEAN}


def stories(release: GitaRelease, claims: Claims) -> dict[str, Value]:
    """Return the numbers of the stories of both versions."""
    released = release.stories
    numbers = (
        {} if released is None else _numbers(released) | _construction(released) | _odd(released)
    )
    return {**numbers, **_of_first(release), **_of_shots(release), **_of_effort(claims)}


def _of_effort(claims: Claims) -> dict[str, Value]:
    """Return the hours that the printed minutes a story and its variants make."""
    stories = claims.number("gita.stories.by_type.plausible")
    minutes = claims.numbers("gita.effort.minutes")
    return {f"gita.effort.hours.{way}": stories * each / 60 for way, each in minutes.items()}


def _numbers(released: pl.DataFrame) -> dict[str, Value]:
    numbers: dict[str, Value] = {
        "gita.stories.total": released.height,
        "gita.stories.by_flag.plausible": released.filter("plausible").height,
        "gita.stories.by_flag.implausible": released.filter(~pl.col("plausible")).height,
        "gita.states.names": sorted(set(released["state"].drop_nulls()) & set(OPTIONS[STATE])),
    }
    for name, rules in DEFINITIONS.items():
        sizes = Counter(rules.group(released)["group"].to_list())
        numbers |= {f"gita.stories.{name}.{group}": sizes[group] for group in GROUPS}
    official = GITA_2024.group(released)
    states = Counter(official.filter("counted")["state"].to_list())
    numbers["gita.states.counts"] = dict(states.most_common())
    constant = constant_baselines(official)
    names = ("always_implausible", "most_frequent_pair", "most_frequent_state")
    return numbers | {f"gita.baseline.{name}": constant[name] for name in names}


def _construction(released: pl.DataFrame) -> dict[str, Value]:
    """Compare each implausible story with the plausible one of its number, place by place."""
    stories = released.select("story", "group", "sentences").rows()
    rows = [(story, group, _bare(sentences)) for story, group, sentences in stories]
    originals = {story: sentences for story, group, sentences in rows if group == "plausible"}
    swaps: list[int] = []
    replaced = 0
    for story, group, sentences in rows:
        if group == "plausible" or story not in originals:
            continue
        first = originals[story]
        apart = [place for place in range(SENTENCES) if first[place] != sentences[place]]
        if group == "cloze":
            replaced += len(apart) == 1
        elif len(apart) == 2 and [first[place] for place in apart[::-1]] == [
            sentences[place] for place in apart
        ]:
            swaps.append(apart[1] - apart[0])
    return {
        "gita.construction.order.one_swap": len(swaps),
        "gita.construction.order.adjacent": swaps.count(1),
        "gita.construction.cloze.one_replaced": replaced,
    }


def _bare(sentences: Sequence[str]) -> list[str]:
    """Return sentences without the sign at their end, which some lack."""
    return [sentence.strip().rstrip(".!?") for sentence in sentences]


def _odd(released: pl.DataFrame) -> dict[str, Value]:
    breaks = pl.col("breakpoint") >= 0
    earlier = pl.col("conflict").str.extract(r"^(\d+)").cast(pl.Int64)
    found = {
        "plausible_with_breakpoint": pl.col("plausible") & breaks,
        "plausible_with_type": ~breaks & pl.col("type").is_not_null(),
        "implausible_without_type": breaks & pl.col("type").is_null(),
        "conflict_after_breakpoint": breaks & (earlier >= pl.col("breakpoint")),
        "identical": pl.col("sentences").list.join(" ").is_duplicated(),
    }
    repeated = released.filter(pl.col("example_id").is_duplicated())["example_id"].unique()
    ids = {name: released.filter(rule)["example_id"].to_list() for name, rule in found.items()}
    typed = {name: ids.pop(name) for name in ("plausible_with_type", "implausible_without_type")}
    return {
        "gita.irregular.repeated_ids": sorted(repeated),
        **{f"gita.irregular.{name}": stories for name, stories in ids.items()},
        **{f"gita.irregular.{name}": len(stories) for name, stories in typed.items()},
        **{f"gita.irregular.{name}.ids": stories for name, stories in typed.items()},
    }


def _of_first(release: GitaRelease) -> dict[str, Value]:
    path = release.file(FIRST_VERSION)
    if path is None:
        return {}
    written = [(story.key or "", story.fields) for story in read_written(path)]
    keys = Counter(key for key, _ in written)
    blocks = [block for _, story in written for block in _list(story, "states")]
    attributes = {name for block in blocks if isinstance(block, dict) for name in block}
    return {
        "gita.first_version.written": len(written),
        "gita.first_version.readable": len(keys),
        "gita.first_version.repeated_keys": [key for key, count in keys.items() if count > 1],
        "gita.first_version.attributes": len(attributes),
        "gita.first_version.empty_sentences": [
            key
            for key, story in written
            if not all(str(sentence).strip() for sentence in _list(story, "sentences"))
        ],
        "gita.first_version.state_blocks": [
            key for key, story in written if len(_list(story, "states")) != SENTENCES
        ],
    }


def _list(story: Mapping[str, Any], field: str) -> list[Any]:
    """Return a field that should hold a list; none if it does not."""
    value = story.get(field)
    return value if isinstance(value, list) else []


def _of_shots(release: GitaRelease) -> dict[str, Value]:
    """Return what the examples shown with each story are, from the first model that has them."""
    for folder in release.models.values():
        path = next((p for p in folder.glob(f"{STORY}.jsonl*") if p.is_file()), None)
        lines = read_sample_lines(path) if path is not None else pl.DataFrame()
        if {"shots", "row", "story_id", "plausible"} <= set(lines.columns):
            return _shown(lines)
    return {}


def _shown(lines: pl.DataFrame) -> dict[str, Value]:
    rows = lines.select("row", "story_id", "plausible", "shots").rows()
    story = {row: number for row, number, _, _ in rows}
    plausible = {row: flag == "true" for row, _, flag, _ in rows}
    shown = {row: [str(shot) for shot in json.loads(shots)] for row, _, _, shots in rows}
    implausible = Counter(sum(not plausible[shot] for shot in shots) for shots in shown.values())
    return {
        "gita.shots.self": sum(row in shots for row, shots in shown.items()),
        "gita.shots.same_story": sum(
            any(story[shot] == story[row] for shot in shots) for row, shots in shown.items()
        ),
        "gita.shots.implausible": {str(n): implausible[n] for n in sorted(implausible)},
        "gita.shots.ratio": _ratio(implausible, sum(len(shots) for shots in shown.values())),
    }


def _ratio(implausible: Counter[int], shown: int) -> float | None:
    """Return how many implausible examples are shown for each plausible one."""
    number = sum(n * stories for n, stories in implausible.items())
    return number / (shown - number) if shown > number else None
