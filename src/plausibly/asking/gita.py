"""GITA's stories as cases: three tiers, and the choice between a story and its variant."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

from plausibly.asking.cases import Case, ShotSet, covering, shot_set
from plausibly.asking.prompts import Prompt, TaskWording, prompts_of
from plausibly.datasets.catalogue import locate
from plausibly.datasets.gita import CHOICE, CONFLICT, OPTIONS, STATE, STORIES, STORY, SWAPPED
from plausibly.datasets.gita.scored import read_story_table
from plausibly.datasets.gita.stories import Story, read_stories
from plausibly.datasets.gita.tables import story_names
from plausibly.datasets.gita.wording import read_wording
from plausibly.errors import StudyError
from plausibly.io import suffix_of

ALL_OPTIONS = {**OPTIONS, **dict.fromkeys((CHOICE, SWAPPED), ("first", "second"))}
QUESTIONS = {
    STORY: "plausible",
    CONFLICT: "conflict",
    STATE: "state",
    CHOICE: "choice",
    SWAPPED: "choice_swapped",
}
BEFORE = {CONFLICT: STORY, STATE: CONFLICT}
WHOLE = frozenset({"plausible"})
LINE = (
    *("row", "story_id", "example_id", "type", "plausible"),
    *("confl_sents", "breakpoint", "states"),
)

# The authors draw three examples for every story from the stories of the task itself, with the
# harness's own seed; four are drawn so that the story itself can be left out.
PUBLISHED_SEED = 1234
PUBLISHED_SHOTS = 3


def read_cases(folder: Path, *, flagged: bool = False) -> list[Case]:
    """Return a case for every story of the revised file, in its order.

    Args:
        folder: The data folder.
        flagged: Take a story as plausible if it is flagged so, as the authors' script does;
            otherwise if it has no breakpoint.
    """
    stories = read_stories(locate(folder, "gita", STORIES))
    return _cases(story_names(stories), stories, flagged=flagged)


def own_cases(path: Path, *, flagged: bool = False) -> list[Case]:
    """Return a case, with its right answers, for every story of a user's file.

    Args:
        path: Stories in either released form; a field `item` names them, else their example id.
        flagged: As for the published stories.

    Raises:
        StudyError: If the file is a table, or two stories have one name.
        TableError: If a story does not say what it is scored by.
    """
    if suffix_of(path) not in (".json", ".jsonl"):
        raise StudyError(
            f"{path}: expected labelled stories as .json or .jsonl. A study writes them to "
            "ask/stories.jsonl, `build gita` to revised.jsonl."
        )
    read_story_table(path, sentences=True)
    stories = [replace(story, row=row) for row, story in enumerate(read_stories(path))]
    named = [
        str(story.fields.get("item") or name)
        for name, story in zip(story_names(stories), stories, strict=True)
    ]
    twice = next((name for name, times in Counter(named).items() if times > 1), None)
    if twice is not None:
        raise StudyError(f"{path}: {named.count(twice)} stories are named {twice!r}. Rename one.")
    return _cases(named, stories, flagged=flagged)


def _cases(names: Sequence[str], stories: Sequence[Story], *, flagged: bool) -> list[Case]:
    whole = {story.story: story for story in stories if not story.breaks}
    return [
        _case(name, story, whole.get(story.story), flagged=flagged)
        for name, story in zip(names, stories, strict=True)
    ]


def _case(name: str, story: Story, whole: Story | None, *, flagged: bool) -> Case:
    sound = story.plausible if flagged else not story.breaks
    truth = {STORY: "true" if sound else "false"}
    traits: dict[str, str] = {}
    if not sound and story.conflict is not None and story.breaks:
        truth[CONFLICT] = f"{story.conflict} and {story.breakpoint}"
        if story.state in OPTIONS[STATE]:
            truth[STATE] = str(story.state)
    if story.state is not None:
        traits = dict.fromkeys((STORY, CONFLICT, STATE), str(story.state))
    fields = {
        "story": " ".join(story.sentences),
        "numbered": _numbered(story.sentences, 1),
        "numbered_story": _numbered(story.sentences, 0),
    }
    if not sound and whole is not None:
        fields |= {"one": " ".join(whole.sentences), "other": fields["story"]}
        truth |= {CHOICE: "first", SWAPPED: "second"}
    line = {field: story.fields.get(field) for field in LINE}
    line["row"] = story.row
    kind = "plausible" if sound else story.kind or "order"
    return Case(name, story.story, kind, fields, truth, traits, line)


def _numbered(sentences: Sequence[str], first: int) -> str:
    lines = [f"{place}. {sentence}" for place, sentence in enumerate(sentences, start=first)]
    return "\n".join(lines)


def composition(task: str, shots: int, implausible: int) -> list[frozenset[str]]:
    """Return the kinds of examples: so many implausible ones, order and cloze in turn.

    >>> [sorted(kinds) for kinds in composition(STORY, 3, 2)]
    [['plausible'], ['order'], ['cloze']]
    """
    if task != STORY:
        return [frozenset({("order", "cloze")[place % 2]}) for place in range(shots)]
    broken = [frozenset({("order", "cloze")[place % 2]}) for place in range(implausible)]
    return [WHOLE] * (shots - implausible) + broken


def shot_sets(
    cases: Sequence[Case], *, shots: int, implausible: int | None, sets: int, seed: int
) -> dict[str, dict[str, ShotSet]]:
    """Return sets of examples by name, each with a list for every task.

    Args:
        cases: All stories.
        shots: Examples shown before an item.
        implausible: How many of them are implausible in the story task; two in three if None.
        sets: How many sets.
        seed: The first set's; the next ones follow from it.
    """
    broken = -(-2 * shots // 3) if implausible is None else implausible
    if not 0 <= broken <= shots:
        raise StudyError(
            f"implausible must be from 0 to {shots} (the number of examples); got {broken}."
        )
    made: dict[str, dict[str, ShotSet]] = {}
    for number in range(1, sets + 1):
        name = f"{shots}-{broken}.{number}"
        made[name] = {
            task: shot_set(
                cases, composition(task, shots, broken), task=task, name=name, seed=seed + number
            )
            for task in ALL_OPTIONS
        }
    return made


def covering_sets(cases: Sequence[Case], *, sets: int, seed: int) -> dict[str, dict[str, ShotSet]]:
    """Return sets that show every pair of sentences in conflict, then every state left.

    In the story task every second example is a plausible story instead.
    """
    made: dict[str, dict[str, ShotSet]] = {}
    for number in range(1, sets + 1):
        able = [case for case in cases if set(ALL_OPTIONS) <= set(case.truth)]
        picked = covering(
            able,
            [lambda case: case.truth[CONFLICT], lambda case: case.truth[STATE]],
            seed=seed + number,
        )
        kinds = [frozenset({case.kind}) for case in picked]
        mixed = [WHOLE if place % 2 else kinds[place] for place in range(len(picked))]
        name = f"coverage.{number}"
        made[name] = {
            STORY: shot_set(cases, mixed, task=STORY, name=name, seed=seed + number),
            **{t: _fixed(picked, cases, name) for t in ALL_OPTIONS if t != STORY},
        }
    return made


def _fixed(picked: Sequence[Case], cases: Sequence[Case], name: str) -> ShotSet:
    able = [case for case in cases if set(ALL_OPTIONS) <= set(case.truth)]
    return ShotSet(name, tuple((one, *(c for c in able if c is not one)) for one in picked))


def published_shots(pool: Sequence[Case]) -> list[list[Case]]:
    """Return the three examples of every story of a task, as the authors' runs drew them.

    The pool is the task's own input: all stories, then those the model got right so far. So
    models see different examples, and a model that gets little right sees the same few.
    """
    drawing = Random(PUBLISHED_SEED)  # noqa: S311
    size = min(PUBLISHED_SHOTS + 1, len(pool))
    drawn = [drawing.sample(list(pool), size) for _ in pool]
    return [
        [shot for shot in shots if shot is not case][:PUBLISHED_SHOTS]
        for case, shots in zip(pool, drawn, strict=True)
    ]


def published_prompt(folder: Path) -> Prompt:
    """Return the authors' own wording, which is in the data folder."""
    tasks = {
        task: TaskWording(
            fields["description"], fields["item"], "", {option: option for option in OPTIONS[task]}
        )
        for task, fields in read_wording(folder).items()
    }
    return Prompt("gita-2024", "en", tasks, "the authors' wording")


def gita_prompts(document: Mapping[str, Any]) -> dict[str, Prompt]:
    """Return the prompts of a document; the choice between two stories is asked in both orders."""
    return {name: _both_orders(p) for name, p in prompts_of(document, ALL_OPTIONS).items()}


def _both_orders(prompt: Prompt) -> Prompt:
    wording = prompt.tasks[CHOICE]
    item = wording.item.replace("{one}", "{}").replace("{other}", "{one}").replace("{}", "{other}")
    return replace(prompt, tasks={**prompt.tasks, SWAPPED: replace(wording, item=item)})
