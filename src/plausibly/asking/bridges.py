"""The same questions as folders that other harnesses run: lm-evaluation-harness and inspect_ai.

Every document holds its whole prompt, examples included: the other tool draws nothing itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from plausibly.asking.judged import UNKNOWN
from plausibly.asking.plan import Inquiry, rendered

PEOPLE_MEAN = "people_mean"
"""Where the document of an item on a slider has the mean of people's answers."""
READER = '''"""Reads the documents that are next to this file."""

import json
from pathlib import Path

HERE = Path(__file__).resolve().parent


def documents(name):
    lines = (HERE / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]
'''
LM_EVAL = """

def split(name):
    import datasets

    return {{"test": datasets.Dataset.from_list(documents(name))}}


def distance(doc, results):
    likeliest = max(range(len(results)), key=lambda place: results[place][0])
    return {{"distance": abs(float(doc["options"][likeliest]) - doc["people_mean"])}}

{loaders}
"""
LOADER = """
def {function}(**_):
    return split("{name}")
"""
YAML = """task: {task}
custom_dataset: !function reading.{function}
test_split: test
output_type: multiple_choice
num_fewshot: 0
doc_to_text: "{{{{context}}}}"
doc_to_choice: choices
doc_to_target: label
target_delimiter: " "
"""
RIGHT = """metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: true
"""
DISTANCE = """process_results: !function reading.distance
metric_list:
  - metric: distance
    aggregation: mean
    higher_is_better: false
"""
INSPECT = """
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageAssistant, ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import Score, accuracy, mean, scorer, stderr
from inspect_ai.solver import generate

from plausibly.asking.answers import written_number, written_option

ROLES = {{"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}}


@scorer(metrics=[accuracy(), stderr()])
def option():
    async def score(state, target):
        doc = state.metadata
        said = written_option(state.output.completion, dict(zip(doc["options"], doc["choices"])))
        return Score(value="C" if said == target.text else "I", answer=said or "unread")

    return score


@scorer(metrics=[mean(), stderr()])
def distance():
    async def score(state, target):
        said, people = written_number(state.output.completion), state.metadata["people_mean"]
        if said not in state.metadata["options"]:
            return Score(value=float("nan"), answer="unread")
        return Score(value=abs(float(said) - people), answer=said)

    return score


def made(name, scored=option):
    samples = [
        Sample(
            id=doc["item"],
            input=[ROLES[role](content=text) for role, text in doc["messages"]],
            target=doc["options"][doc["label"]],
            metadata=doc,
        )
        for doc in documents(name)
    ]
    return Task(dataset=MemoryDataset(samples), solver=[generate()], scorer=scored())

{tasks}
"""
INSPECT_TASK = """
@task
def {function}():
    return made("{name}"{scored})
"""


def document_sets(plan: Inquiry) -> dict[str, list[dict[str, Any]]]:
    """Return the documents of every task and way of asking, each set under its name.

    A harness counts what is right, so items that people are divided about are left out;
    `divided` counts them.
    """
    sets: dict[str, list[dict[str, Any]]] = {}
    talks = rendered(plan, converses=True)
    for (task, way, case, query), (_, _, _, talk) in zip(rendered(plan), talks, strict=True):
        if not case.truth[task]:
            continue
        options = list(way.prompt.tasks[task].options)
        document = {
            **case.line,
            "item": case.item,
            "task": task,
            "prompt": way.prompt.name,
            "shot_set": way.shot_set,
            "context": query.context,
            "messages": [list(turn) for turn in talk.messages],
            "choices": [option.removeprefix(" ") for option in query.options],
            "options": options,
            "label": options.index(case.truth[task]),
        }
        name = f"{plan.dataset}_{task}_{way.prompt.name}_{way.shot_set}"
        sets.setdefault(name, []).append(document)
    return sets


def divided(plan: Inquiry) -> dict[str, int]:
    """Return per task how many items are left out because people are divided about them."""
    without = {
        task: sum(case.truth.get(task) == UNKNOWN for case in plan.cases) for task in plan.tasks
    }
    return {task: number for task, number in without.items() if number}


def lm_eval_folder(sets: Mapping[str, list[dict[str, Any]]]) -> dict[str, str]:
    """Return the files of a folder for `lm_eval --include_path FOLDER --tasks NAME`."""
    functions = {name: _function(name) for name in sets}
    loaders = "\n".join(LOADER.format(function=f, name=name) for name, f in functions.items())
    files = {"reading.py": READER + LM_EVAL.format(loaders=loaders)}
    for name, documents in sets.items():
        files[f"{name}.jsonl"] = _lines(documents)
        counted = DISTANCE if _is_slider(documents) else RIGHT
        files[f"{name}.yaml"] = YAML.format(task=name, function=functions[name]) + counted
    return files


def inspect_folder(sets: Mapping[str, list[dict[str, Any]]]) -> dict[str, str]:
    """Return the files of a folder for `inspect eval FOLDER/tasks.py`.

    A model gets the messages that `ask` sends, and nothing around them; answers are read as ours
    are, so plausibly must be installed there.
    """
    tasks = "\n".join(
        INSPECT_TASK.format(
            function=_function(name),
            name=name,
            scored=", scored=distance" if _is_slider(documents) else "",
        )
        for name, documents in sets.items()
    )
    files = {"tasks.py": READER + INSPECT.format(tasks=tasks)}
    return files | {f"{name}.jsonl": _lines(documents) for name, documents in sets.items()}


def _is_slider(documents: list[dict[str, Any]]) -> bool:
    return PEOPLE_MEAN in documents[0]


def _function(name: str) -> str:
    return re.sub(r"\W", "_", name)


def _lines(documents: list[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in documents)
