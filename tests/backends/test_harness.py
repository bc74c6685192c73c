"""The lm-evaluation-harness itself runs our folder unchanged and says of it what we say.

Its HF backend reads a model that the test draws, once in single and once in double precision. In
single precision it also rounds its sums, so the test's options are a few pieces of words, as real
tokenizers cut them: at a sum of -100 the last digit it keeps is worth 8e-6.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import plausibly as pb
from plausibly.backends.causal import CausalModel, load_causal
from plausibly.cli import run as plausibly
from plausibly.datasets.gita import TASKS
from plausibly.ports import Query
from worlds.gita import data_folder
from worlds.letters import save_pieces

pytestmark = [pytest.mark.weights, pytest.mark.harness]

STORIES = 3
PROMPTS = "it-vero,en-yes"
APART = {"float32": 1e-5, "float64": 1e-9}

RUN = """
import sys
from lm_eval import simple_evaluate
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager
model, folder, out, tasks, *dtypes = sys.argv[1:]
known = TaskManager(include_path=folder, include_defaults=False)  # its own 14,000 take 15 s
for dtype in dtypes:
    tracker = EvaluationTracker(output_path=f"{out}/{dtype}")
    found = simple_evaluate(
        model="hf", model_args=f"pretrained={model},dtype={dtype}", device="cpu", batch_size=1,
        tasks=tasks.split(","), task_manager=known, evaluation_tracker=tracker,
        log_samples=True, bootstrap_iters=0,
    )
    logged = found.pop("samples")
    tracker.save_results_aggregated(results=found, samples=logged)
    for task, samples in logged.items():
        tracker.save_results_samples(task_name=task, samples=samples)
"""


@dataclass(frozen=True)
class Run:
    """A folder we exported, the drawn model, and what the harness wrote about both."""

    data: Path
    tasks: dict[str, int]
    model: Path
    written: Path

    def samples(self, dtype: str) -> Iterator[dict[str, Any]]:
        """Yield the lines of its sample files."""
        for path in sorted((self.written / dtype).rglob("samples_*.jsonl")):
            yield from map(json.loads, path.read_text(encoding="utf-8").splitlines())


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    place = tmp_path_factory.mktemp("harness")
    data, folder = data_folder(place / "data", STORIES), place / "tasks"
    command = ["export", "lm-eval", "gita", "--data", str(data), "--shots", "1"]
    assert plausibly([*command, "--prompts", PROMPTS, "-o", str(folder)]) == 0
    documents = {
        path.stem: [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        for path in sorted(folder.glob("*.jsonl"))
    }
    tasks = {name: len(docs) for name, docs in documents.items()}
    texts = [
        f"{doc['context']} {choice}"
        for docs in documents.values()
        for doc in docs
        for choice in doc["choices"]
    ]
    model = save_pieces(place / "model", texts)
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    offline = {"HF_HOME": str(place / "hf"), "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    asked = [sys.executable, "-c", RUN, str(model), str(folder), str(place / "out")]
    done = subprocess.run(
        [*asked, ",".join(tasks), *APART],
        env=os.environ | offline,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert before == {name: (folder / name).read_bytes() for name in before}
    return Run(data, tasks, model, place / "out")


def logliks(line: dict[str, Any]) -> list[float]:
    """Return what the harness logged of each option."""
    return [float(one[0]) for one in line["filtered_resps"]]


def test_log_probabilities_are_ours(run: Run) -> None:
    """What `ask` stores, in single precision: the same to 1e-5, options likewise chosen."""
    asked = pb.ask("gita", model=f"hf:{run.model}", data=run.data, shots="1", prompts=PROMPTS)
    own = {(one["task"], one["item"], one["prompt"]): one for one in asked.samples}
    seen = set()
    for line in run.samples("float32"):
        doc = line["doc"]
        ours = own.pop((doc["task"], doc["item"], doc["prompt"]))
        assert logliks(line) == pytest.approx(ours["loglik"], rel=0, abs=APART["float32"])
        assert line["acc"] == float(ours["answer"] == ours["expected"])
        seen.add(doc["task"])
    assert seen == set(TASKS)
    assert not own
    assert sum(run.tasks.values()) == len(asked.samples)


@pytest.fixture(scope="module")
def double(run: Run) -> CausalModel:
    ours = load_causal(run.model)
    ours._model = ours._model.double()
    return ours


def test_in_double_precision_nothing_is_left_of_the_difference(
    run: Run, double: CausalModel
) -> None:
    lines = list(run.samples("float64"))
    assert len(lines) == sum(run.tasks.values())
    for line in lines:
        doc = line["doc"]
        options = tuple(f" {choice}" for choice in doc["choices"])
        ours = double.answer(Query(context=doc["context"], options=options)).logliks
        assert logliks(line) == pytest.approx(ours, rel=0, abs=APART["float64"])


def test_its_sample_files_are_scored_as_our_own_answers(run: Run, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    pb.ask("gita", model=f"hf:{run.model}", data=run.data, shots="1", prompts=PROMPTS, output=asked)
    ours = pb.score_gita(asked, resamples=0).as_json()
    theirs = pb.score_gita(run.written / "float32", resamples=0).as_json()
    for measure in ("accuracy", "consistency", "verifiability"):
        assert theirs[measure] == ours[measure]
    assert theirs["n"] == ours["n"]
