"""A real server that speaks OpenAI's protocol: llama.cpp with the weights of SmolLM2."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import pytest

import plausibly as pb
from plausibly.backends.weights import WEIGHTS, weights_folder
from plausibly.errors import StudyError
from plausibly.verbs.ask import Asked

pytestmark = [
    pytest.mark.weights,
    pytest.mark.skipif(find_spec("xllamacpp") is None, reason="xllamacpp is not installed"),
]

SERVE = """
import sys
import xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.port = sys.argv[1], 0
params.n_ctx, params.n_parallel, params.warmup = 2048, 2, False
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
server = xllamacpp.Server(params)
print("listening", server.listening_address, flush=True)
sys.stdin.read()
"""
PAIRS = (
    ("A cup holds tea.", "A broken cup holds tea.", "broken", "cup", 1),
    ("A dog barks.", "A stuffed dog barks.", "stuffed", "dog", 0),
)


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    weights = weights_folder("smollm2") / next(iter(WEIGHTS["smollm2"].files))
    command = [sys.executable, "-c", SERVE, str(weights)]
    pipe, nowhere = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, text=True, stdin=pipe, stdout=pipe, stderr=nowhere) as server:
        assert server.stdout is not None
        lines = (line.split() for line in server.stdout)
        yield next(line[1] for line in lines if line[:1] == ["listening"])
        server.kill()


@pytest.fixture
def data(tmp_path: Path) -> Path:
    names = ("sentence1", "sentence2", "modifier", "noun", "label")
    rows = [{**dict(zip(names, pair, strict=True)), "idx": n} for n, pair in enumerate(PAIRS)]
    (tmp_path / "data" / "adept").mkdir(parents=True)
    (tmp_path / "data" / "adept" / "val.json").write_text(json.dumps(rows))
    return tmp_path / "data"


def asked(address: str, data: Path, api: Literal["chat", "completions"]) -> Asked:
    return pb.ask(
        "adept",
        model=f"openai:{address}/v1",
        data=data,
        output=data / "answers",
        prompts="en-grade",
        shots="0",
        api=api,
        logprobs=True,
        concurrency=2,
    )


def test_a_real_server_is_asked_once(address: str, data: Path) -> None:
    first, again = asked(address, data, "chat"), asked(address, data, "chat")
    assert (first.account.answered, first.account.failed) == (len(PAIRS), {})
    assert (again.account.answered, again.account.known) == (0, len(PAIRS))
    assert list(first.samples) == list(again.samples)
    for line in (data / "answers" / "answers.jsonl").read_text().splitlines():
        reply = json.loads(line)["reply"]
        best, *others = reply["first"]
        assert reply["text"].startswith(best[0])
        assert all(number <= best[1] <= 0.0 for _, number in others)


def test_a_real_server_without_log_probabilities_of_the_prompt_is_named(
    address: str, data: Path
) -> None:
    with pytest.raises(StudyError, match="no logprobs: the server does not send those"):
        asked(address, data, "completions")
