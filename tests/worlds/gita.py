"""Small sets of GITA stories and answers to them, written inline."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.datasets.gita import CONFLICT, OPTIONS, STATE, STORY
from plausibly.datasets.gita.answers import ANSWERS, Answers
from plausibly.proofreading.stories.proofread import before_building
from plausibly.stimuli.gita import building

Doc = dict[str, Any]
Line = dict[str, object]

build_gita = partial(building.build_gita, check=partial(before_building, lang="it"))
"""Builds stories with the checks that the command makes."""

LETTER = {"plausible": "", "order": "-O0", "cloze": "-C0"}

WRITTEN: Doc = {
    "story_id": 1,
    "type": None,
    "actor": "Ada",
    "objects": "tazza",
    "sentences": [f"Ada sposta la tazza {n} volte." for n in range(5)],
    "example_id": "1",
    "plausible": True,
    "breakpoint": -1,
    "confl_sents": [],
    "states": "location",
}
"""A plausible story in the revised form, words included."""


def story(row: int, number: int, kind: str, **changed: object) -> Doc:
    """Return one story: the plausible one of a number, or its order or cloze variant."""
    breaks = kind != "plausible"
    doc: Doc = {
        "row": row,
        "story_id": number,
        "example_id": f"{number}{LETTER[kind]}",
        "type": kind if breaks else None,
        "plausible": not breaks,
        "confl_sents": [number % 3] if breaks else [],
        "breakpoint": number % 3 + 1 if breaks else -1,
        "states": OPTIONS[STATE][number % 14],
    }
    return doc | changed


def stories(numbers: int) -> list[Doc]:
    """Return so many plausible stories, each with an order and a cloze variant."""
    kinds = [(number, kind) for number in range(numbers) for kind in LETTER]
    return [story(row, number, kind) for row, (number, kind) in enumerate(kinds)]


def gold(task: str, doc: Mapping[str, object]) -> str:
    """Return the right option, by the flags of the story."""
    if task == STORY:
        return "true" if doc["plausible"] else "false"
    if task == STATE:
        return str(doc["states"])
    earlier = doc["confl_sents"]
    assert isinstance(earlier, list)
    return f"{earlier[0]} and {doc['breakpoint']}"


def line(task: str, doc: Doc, *best: str) -> Line:
    """Return one line of a sample file in which the options `best` are the likeliest."""
    logliks = [
        -1.5 if option in best else -2.0 - place for place, option in enumerate(OPTIONS[task])
    ]
    right = next(option for option in OPTIONS[task] if option in best) == gold(task, doc)
    return {"task": task, **doc, "loglik": logliks, "official_acc": int(right)}


def harness(task: str, logged: Line) -> Line:
    """Return the same line as the lm-evaluation-harness writes it."""
    doc = {key: value for key, value in logged.items() if key not in ("row", "loglik", "task")}
    logliks = logged["loglik"]
    assert isinstance(logliks, list)
    asked = {
        f"gen_args_{place}": {"arg_0": "a prompt", "arg_1": f" {option}"}
        for place, option in enumerate(OPTIONS[task])
    }
    return {
        "doc_id": 0,
        "doc": doc | {"sentences": [f"sentence {logged['row']}"]},
        "arguments": asked,
        "filtered_resps": [[str(number), "False"] for number in logliks],
        "acc": float(str(logged["official_acc"])),
    }


def chain(
    docs: Sequence[Doc], wrong: Mapping[str, Sequence[int]] | None = None
) -> dict[str, list[Line]]:
    """Return the lines of a model that errs on the given rows of each task; the rest is right."""
    wrong = wrong or {}
    asked, lines = list(docs), {}
    for task in (STORY, CONFLICT, STATE):
        lines[task] = [
            line(
                task,
                doc,
                _other(task, doc) if doc["row"] in wrong.get(task, ()) else gold(task, doc),
            )
            for doc in asked
        ]
        right = {number for number, said in enumerate(lines[task]) if said["official_acc"]}
        asked = [
            doc for number, doc in enumerate(asked) if number in right and not doc["plausible"]
        ]
    return lines


def _other(task: str, doc: Doc) -> str:
    return next(option for option in OPTIONS[task] if option != gold(task, doc))


def write(folder: Path, tasks: Mapping[str, Sequence[Line]], *, packed: bool = False) -> Path:
    """Write one file per task and return the folder."""
    for task, lines in tasks.items():
        text = "".join(json.dumps(said) + "\n" for said in lines)
        if packed:
            (folder / f"{task}.jsonl.gz").write_bytes(gzip.compress(text.encode()))
        else:
            (folder / f"{task}.jsonl").write_text(text)
    return folder


def answers_of(tasks: Mapping[str, Sequence[Line]]) -> Answers:
    """Return the answers these lines hold, without writing them to a file."""
    return Answers({task: _frame(task, lines) for task, lines in tasks.items()})


def _frame(task: str, lines: Sequence[Line]) -> pl.DataFrame:
    rows = []
    for said in lines:
        logliks, earlier = said["loglik"], said["confl_sents"]
        assert isinstance(logliks, list)
        best = [o for o, n in zip(OPTIONS[task], logliks, strict=True) if n == max(logliks)]
        rows.append(
            {
                "key": str(said["row"]),
                "story": str(said["story_id"]),
                "example_id": said["example_id"],
                "type": said["type"],
                "plausible": said["plausible"],
                "breakpoint": said["breakpoint"],
                "conflict": gold(CONFLICT, said) if earlier else None,
                "state": said["states"],
                "answer": best[0],
                "best": best,
                "tied": len(best),
                "logged": said["official_acc"],
            }
        )
    return pl.DataFrame(rows, schema=ANSWERS, orient="row")


def data_folder(folder: Path, numbers: int) -> Path:
    """Write so many stories, each with its variants, as a data folder has them; return it."""
    lines = []
    for doc in stories(numbers):
        said = [f"Ada muove la cosa {doc['example_id']} {n} volte." for n in range(5)]
        written = {**WRITTEN, **doc, "sentences": said}
        lines.append(json.dumps(written, ensure_ascii=False) + "\n")
    (folder / "gita").mkdir(parents=True)
    (folder / "gita" / "gita4calamita_356.jsonl").write_text("".join(lines), encoding="utf-8")
    return folder
