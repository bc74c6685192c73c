"""GITA4CALAMITA section 3: how many stories there are, how they are made, what is irregular."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

import polars as pl

from plausibly.datasets.gita import FIRST_VERSION, OPTIONS, SENTENCES, STATE, STORY
from plausibly.datasets.gita.answers import read_sample_lines
from plausibly.datasets.gita.stories import read_written
from plausibly.evaluation.gita_baselines import constant_baselines
from plausibly.evaluation.gita_rules import CALAMITA, CLEAN, GITA_2024, RuleSet
from plausibly.replications.claims import Claim, judge
from plausibly.replications.gita_release import Release
from plausibly.replications.record import Record, Value

# Table 2.
COUNTS = {"plausible": 117, "order": 122, "cloze": 117}
TOTAL = 356
# Section 3.
STATES = (
    *("location", "conscious", "dressed", "wet", "exist", "clean", "power"),
    *("functional", "in pieces", "open", "temperature", "solid", "occupied", "edible"),
)
DEFINITIONS: dict[str, tuple[RuleSet, str, str]] = {
    "by_type": (
        CALAMITA,
        "the field type",
        "It gives Table 2 because two wrong types cancel out.",
    ),
    "by_example_id": (
        GITA_2024,
        "the letter in example_id, which the authors' scorer uses",
        "Wrong ids put cloze stories among order ones and implausible ones among plausible ones.",
    ),
    "corrected": (
        CLEAN,
        "breakpoint, then type, letter or the variant its story lacks",
        "With every story where it belongs Table 2 comes out.",
    ),
}
NO_STORIES = "The evaluated stories are not in the data folder."
NO_FIRST = "The first version of the stories is not in the data folder."
NO_ANSWERS = "No answers with the examples shown are in the data folder."


def _counts() -> Iterator[Claim]:
    yield Claim("gita.stories.total", TOTAL, "evaluated stories", "As printed.")
    for name, (_, what, note) in DEFINITIONS.items():
        for group, printed in COUNTS.items():
            yield Claim(f"gita.stories.{name}.{group}", printed, f"stories by {what}", note)
    flag = "The flag is wrong for one implausible story."
    yield Claim(
        "gita.stories.by_flag.plausible", COUNTS["plausible"], "stories flagged plausible", flag
    )
    yield Claim(
        "gita.stories.by_flag.implausible",
        COUNTS["order"] + COUNTS["cloze"],
        "stories flagged implausible",
        flag,
    )


def _made() -> Iterator[Claim]:
    yield Claim(
        "gita.construction.order.one_swap",
        COUNTS["order"],
        "order stories that are their plausible story with two sentences exchanged",
        "The rest changes wording or moves more sentences; a check may warn, not reject.",
    )
    yield Claim(
        "gita.construction.order.adjacent",
        None,
        "of these, those whose two sentences are neighbours",
        "The paper does not print it.",
    )
    yield Claim(
        "gita.construction.cloze.one_replaced",
        COUNTS["cloze"],
        "cloze stories that differ from their plausible story in one sentence",
        "The rest differs in two or three sentences.",
    )
    printed: list[Value] = [*sorted(STATES)]
    yield Claim(
        "gita.states.names",
        printed,
        "states of the evaluated stories",
        "The paper says 'dressed' where the answer option is 'wearing'.",
    )
    yield Claim(
        "gita.states.counts", None, "implausible stories by state", "The paper does not print it."
    )
    for name, what, note in (
        (
            "always_implausible",
            "accuracy of calling every story implausible",
            "Three models of Table 3 score less: both Gemma base models and Llama 8B.",
        ),
        (
            "most_frequent_pair",
            "consistency of the commonest pair, all stories told right",
            "Two models of Table 3 score less.",
        ),
        (
            "most_frequent_state",
            "verifiability of the commonest state, all conflicts found",
            "One model of Table 3 reaches it.",
        ),
    ):
        yield Claim(f"gita.baseline.{name}", None, what, note)


def _irregular() -> Iterator[Claim]:
    for name, what in {
        "repeated_ids": "example_ids on two stories",
        "plausible_with_breakpoint": "stories flagged plausible that have a breakpoint",
        "plausible_with_type": "stories without breakpoint that have a type",
        "implausible_without_type": "stories with a breakpoint that have no type",
        "conflict_after_breakpoint": "stories whose earlier conflict sentence is not earlier",
        "identical": "stories with the same sentences as another",
    }.items():
        yield Claim(f"gita.irregular.{name}", None, what, "Rows are the only unique key.")


def _first_version() -> Iterator[Claim]:
    yield Claim("gita.first_version.written", TOTAL, "stories written in the file", "As printed.")
    yield Claim(
        "gita.first_version.readable",
        TOTAL,
        "stories an ordinary JSON reader yields",
        "One key occurs twice, and its later story overwrites the plausible one.",
    )
    for name, what in {
        "repeated_keys": "keys that occur twice",
        "attributes": "attributes of the states",
        "empty_sentences": "stories with an empty sentence",
        "state_blocks": "stories without one block of states per sentence",
    }.items():
        yield Claim(f"gita.first_version.{name}", None, what, "The first version only.")


def _shots() -> Iterator[Claim]:
    yield Claim("gita.shots.self", None, "stories shown as their own example", "It never happens.")
    yield Claim(
        "gita.shots.same_story",
        None,
        "stories shown beside a variant of themselves",
        "Examples are drawn from the test set itself.",
    )
    yield Claim(
        "gita.shots.implausible",
        None,
        "stories by how many of their examples are implausible",
        "The draw is seeded, so all models see the same examples in the story task.",
    )


OF_STORIES = (*_counts(), *_made(), *_irregular())
OF_FIRST = tuple(_first_version())
OF_SHOTS = tuple(_shots())


def stories(release: Release) -> list[Record]:
    """Return the records on the stories of both versions."""
    told = release.stories
    numbers = {} if told is None else _numbers(told) | _construction(told) | _odd(told)
    return [
        *judge(OF_STORIES, numbers, missing=NO_STORIES),
        *judge(OF_FIRST, _of_first(release), missing=NO_FIRST),
        *judge(OF_SHOTS, _of_shots(release), missing=NO_ANSWERS),
    ]


def _numbers(told: pl.DataFrame) -> dict[str, Value]:
    numbers: dict[str, Value] = {
        "gita.stories.total": told.height,
        "gita.stories.by_flag.plausible": told.filter("plausible").height,
        "gita.stories.by_flag.implausible": told.filter(~pl.col("plausible")).height,
        "gita.states.names": sorted(set(told["state"].drop_nulls()) & set(OPTIONS[STATE])),
    }
    for name, (rules, _, _) in DEFINITIONS.items():
        sizes = Counter(rules.group(told)["group"].to_list())
        numbers |= {f"gita.stories.{name}.{group}": sizes[group] for group in COUNTS}
    official = GITA_2024.group(told)
    states = Counter(official.filter("counted")["state"].to_list())
    numbers["gita.states.counts"] = dict(states.most_common())
    constant = constant_baselines(official)
    names = ("always_implausible", "most_frequent_pair", "most_frequent_state")
    return numbers | {f"gita.baseline.{name}": constant[name] for name in names}


def _construction(told: pl.DataFrame) -> dict[str, Value]:
    """Compare each implausible story with the plausible one of its number, place by place."""
    rows = told.select("story", "group", "sentences").rows()
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


def _odd(told: pl.DataFrame) -> dict[str, Value]:
    breaks = pl.col("breakpoint") >= 0
    earlier = pl.col("conflict").str.extract(r"^(\d+)").cast(pl.Int64)
    found = {
        "plausible_with_breakpoint": pl.col("plausible") & breaks,
        "plausible_with_type": ~breaks & pl.col("type").is_not_null(),
        "implausible_without_type": breaks & pl.col("type").is_null(),
        "conflict_after_breakpoint": breaks & (earlier >= pl.col("breakpoint")),
        "identical": pl.col("sentences").list.join(" ").is_duplicated(),
    }
    repeated = told.filter(pl.col("example_id").is_duplicated())["example_id"].unique()
    return {
        "gita.irregular.repeated_ids": sorted(repeated),
        **{
            f"gita.irregular.{name}": told.filter(rule)["example_id"].to_list()
            for name, rule in found.items()
        },
    }


def _of_first(release: Release) -> dict[str, Value]:
    path = release.file(FIRST_VERSION)
    if path is None:
        return {}
    written = [(story.key or "", story.fields) for story in read_written(path)]
    keys = Counter(key for key, _ in written)
    attributes = {name for _, story in written for block in story["states"] for name in block}
    return {
        "gita.first_version.written": len(written),
        "gita.first_version.readable": len(keys),
        "gita.first_version.repeated_keys": [key for key, count in keys.items() if count > 1],
        "gita.first_version.attributes": len(attributes),
        "gita.first_version.empty_sentences": [
            key
            for key, story in written
            if any(not sentence.strip() for sentence in story["sentences"])
        ],
        "gita.first_version.state_blocks": [
            key for key, story in written if len(story["states"]) != SENTENCES
        ],
    }


def _of_shots(release: Release) -> dict[str, Value]:
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
    }
