"""What another harness computes from an exported folder is what we say, to the last digits.

The rule of lm-evaluation-harness 0.4.13 for a multiple choice, written out with plain transformers:
context and option are tokenised together, the tokens after the context's are the option's, and
their log-probabilities are summed. `test_harness.py` runs the harness itself.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import plausibly as pb
from plausibly.backends.causal import load_causal
from plausibly.datasets.gita import OPTIONS, TASKS
from plausibly.ports import Query
from worlds.gita import data_folder
from worlds.letters import save_letters

pytestmark = pytest.mark.weights


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return save_letters(tmp_path_factory.mktemp("tiny") / "letters")


def harness_loglik(model: Any, tokenizer: Any, context: str, option: str) -> float:
    import torch

    def encoded(text: str) -> list[int]:
        return list(tokenizer(text)["input_ids"])

    before, whole = encoded(context), encoded(context + option)
    with torch.inference_mode():
        logits = model(torch.tensor([whole[:-1]])).logits[0].double()
    logs = torch.log_softmax(logits, dim=-1)
    places = range(len(before), len(whole))
    return float(sum(logs[place - 1, whole[place]] for place in places))


def test_an_exported_folder_has_our_log_probabilities(tiny: Path, tmp_path: Path) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    data = data_folder(tmp_path / "data", 4)
    chosen: dict[str, Any] = {"data": data, "prompts": "it-vero,en-yes", "shots": "1", "limit": 3}
    pb.export_lm_eval("gita", **chosen).write(tmp_path / "tasks")
    asked = pb.ask("gita", model=f"hf:{tiny}", **chosen)
    own = {(s["task"], s["item"], s["prompt"]): s["loglik"] for s in asked.samples}
    model = AutoModelForCausalLM.from_pretrained(tiny).eval()
    tokenizer = AutoTokenizer.from_pretrained(tiny)
    seen = set()
    for path in (tmp_path / "tasks").glob("*.jsonl"):
        for doc in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            theirs = [
                harness_loglik(model, tokenizer, doc["context"], f" {choice}")
                for choice in doc["choices"]
            ]
            key = (doc["task"], doc["item"], doc["prompt"])
            assert own.pop(key) == pytest.approx(theirs, rel=1e-6, abs=1e-5)
            seen.add(doc["task"])
    assert seen == set(TASKS)
    assert not own


CONTEXT = "La tazza è sul tavolo. Ada beve. " * 6 + "Ada posa la tazza. La storia è"
CHOICES = (" vera", " vera e bella", " falsa", " una storia senza fine", " v")


@pytest.mark.parametrize("window", [None, 16])
@pytest.mark.parametrize(("dtype", "apart"), [("float64", 1e-9), ("float32", 1e-5)])
def test_one_pass_for_all_options_is_the_harness_rule(
    tmp_path: Path, window: int | None, dtype: str, apart: float
) -> None:
    """In double precision nothing is left of the difference: what float32 shows is rounding."""
    import torch

    ours = load_causal(save_letters(tmp_path / "letters", window=window), converses=False)
    ours._model = ours._model.to(getattr(torch, dtype))
    assert ours._shares
    for context in (CONTEXT, CONTEXT[:-3], f"{CONTEXT} quasi"):
        logliks = ours.answer(Query(context=context, options=CHOICES)).logliks
        rule = [harness_loglik(ours._model, ours._tokenizer, context, one) for one in CHOICES]
        assert logliks == pytest.approx(rule, rel=0, abs=apart)
        assert min(rule) < -40


@pytest.mark.parametrize("model", ["weights", "mock:1", "mock:4", "constant:true"])
def test_the_published_protocol_on_any_model(tiny: Path, tmp_path: Path, model: str) -> None:
    """Pools of examples, chain, denominators and ties are the paper's for any model."""
    data, out = data_folder(tmp_path / "data", 8), tmp_path / "out"
    wording = "".join(
        f'[{task}]\ndescription = "{task}?"\nitem = "{{story}}"\noptions = {list(options)}\n'
        for task, options in OPTIONS.items()
    )
    (data / "gita" / "prompts.toml").write_text(wording.replace("'", '"'))
    name = f"hf:{tiny}" if model == "weights" else model
    asked = pb.ask("gita", model=name, data=data, protocol="gita-2024", output=out)
    by_task = {task: [s for s in asked.samples if s["task"] == task] for task in TASKS}
    inputs = {TASKS[0]: {s["item"] for s in by_task[TASKS[0]]}}
    for before, task in pairwise(TASKS):
        inputs[task] = {
            s["item"]
            for s in by_task[before]
            if s["answer"] == s["expected"] and s["plausible"] is False
        }
    for task, samples in by_task.items():
        assert {s["item"] for s in samples} == inputs[task]
        for sample in samples:
            assert set(sample["shots"]) <= inputs[task] - {sample["item"]}
            assert len(sample["shots"]) == min(3, len(inputs[task]) - 1)
            best = max(sample["loglik"])
            assert sample["answer"] == sample["options"][sample["loglik"].index(best)]
    scored = pb.score_gita(out, rules="gita-2024", resamples=0).as_json()
    broken = [s for s in by_task[TASKS[0]] if s["plausible"] is False]
    right = [s for s in by_task[TASKS[1]] if s["answer"] == s["expected"]]
    assert scored["n"]["accuracy"] == len(by_task[TASKS[0]])
    assert scored["n"]["consistency"] == scored["n"]["verifiability"] == len(broken)
    assert scored["consistency"] == pytest.approx(len(right) / len(broken))
