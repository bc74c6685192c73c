"""The lm-evaluation-harness, where it is installed, says of our folder what we say."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import plausibly as pb
from worlds.gita import data_folder
from worlds.letters import save_letters

pytestmark = [
    pytest.mark.weights,
    pytest.mark.skipif(find_spec("lm_eval") is None, reason="lm-eval is not installed"),
]

RUN = """
import json, sys
from lm_eval import simple_evaluate
from lm_eval.models.huggingface import HFLM
from lm_eval.tasks import TaskManager
model, folder, out, *tasks = sys.argv[1:]
found = simple_evaluate(
    model=HFLM(pretrained=model, device="cpu", dtype="float32"),
    tasks=tasks, task_manager=TaskManager(include_path=folder, include_defaults=False),
    log_samples=True, bootstrap_iters=0,
)
lines = [
    {"item": one["doc"]["item"], "task": one["doc"]["task"],
     "loglik": [resp[0] for resp in one["filtered_resps"]]}
    for samples in found["samples"].values() for one in samples
]
json.dump(lines, open(out, "w"))
"""


def test_log_probabilities_are_the_same(tmp_path: Path) -> None:
    model, folder = save_letters(tmp_path / "letters"), tmp_path / "tasks"
    data = data_folder(tmp_path / "data", 6)
    tasks = pb.export("lm-eval", "gita", data=data, shots="1", output=folder).sizes
    command = [sys.executable, "-c", RUN, str(model), str(folder), str(tmp_path / "out.json")]
    done = subprocess.run([*command, *tasks], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    lines = json.loads((tmp_path / "out.json").read_text())
    asked = pb.ask("gita", model=f"hf:{model}", data=data, shots="1")
    own = {(sample["task"], sample["item"]): sample["loglik"] for sample in asked.samples}
    assert len(lines) == len(own) == sum(tasks.values())
    for line in lines:
        assert line["loglik"] == pytest.approx(own[line["task"], line["item"]], abs=1e-5)
