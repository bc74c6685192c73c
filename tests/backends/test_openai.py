"""An address that behaves badly is reported clearly; nothing is lost, nothing is asked twice."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from hashlib import md5
from pathlib import Path
from time import monotonic, sleep

import pytest

import plausibly as pb
from plausibly.backends.language_models import language_model
from plausibly.backends.openai import OpenAIModel
from plausibly.cli import run
from plausibly.errors import StudyError
from plausibly.ports import Query, Unanswered
from worlds.gita import data_folder
from worlds.hostile import Mood, hostile

TALK = Query("", (("user", "Può accadere?"),))


def model(url: str, **settings: object) -> OpenAIModel:
    return OpenAIModel(url, **{"max_wait": 20.0, "timeout": 10.0, **settings})  # type: ignore[arg-type]


def said_by(asked: OpenAIModel, query: Query) -> str:
    """Return what was answered, or the name of what was wrong with it."""
    try:
        return str(asked.answer(query).text)
    except Unanswered as failure:
        return failure.reason


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return data_folder(tmp_path / "data", 8)


def by_hash(*moods: str) -> Mood:
    """Answer a question in the mood its hash picks, from the second time on soundly."""

    def mood(asked: str, attempt: int) -> str:
        place = md5(asked.encode(), usedforsecurity=False).digest()[0] % len(moods)
        return moods[place] if attempt == 1 else "sound"

    return mood


@pytest.mark.parametrize(
    ("mood", "reason"),
    [
        ("truncated", "truncated answer"),
        ("malformed", "malformed JSON"),
        ("empty", "empty choice"),
        ("blank", "empty choice"),
        ("huge", "answer over 8 MiB"),
        ("400", "HTTP 400"),
        ("404", "HTTP 404, no such address"),
    ],
)
def test_an_unusable_answer_has_a_name_and_is_not_asked_again(mood: str, reason: str) -> None:
    with hostile(lambda *_: mood) as server, pytest.raises(Unanswered) as caught:
        model(server.url).answer(TALK)
    assert caught.value.reason == reason
    assert sum(server.asked.values()) == 1


@pytest.mark.parametrize("mood", ["429", "500", "503", "hang up"])
def test_patience_is_asked_for_and_had(mood: str) -> None:
    with hostile(lambda _, attempt: mood if attempt < 4 else "sound") as server:
        assert model(server.url).answer(TALK).text == "Vero."
    assert sum(server.asked.values()) == 4


def test_patience_ends_at_max_wait() -> None:
    began = monotonic()
    with hostile(lambda *_: "500") as server, pytest.raises(Unanswered, match="--max-wait"):
        model(server.url, max_wait=0.5).answer(TALK)
    assert monotonic() - began < 10


def test_an_answer_that_never_comes_is_given_up() -> None:
    with hostile(lambda *_: "late 3") as server, pytest.raises(Unanswered) as caught:
        model(server.url, timeout=0.3).answer(TALK)
    assert caught.value.reason == "no answer in time"


def test_the_first_listed_model_is_asked_unless_one_is_named() -> None:
    with hostile(lambda *_: "sound") as server:
        assert model(server.url).name == "tiny"
        assert model(server.url, model="mine").name == "mine"


def test_nobody_at_the_address_is_one_line(tmp_path: Path, data: Path) -> None:
    with pytest.raises(StudyError, match="Is a server running there"):
        pb.ask("gita", model="openai:http://127.0.0.1:9/v1", data=data, max_wait=0.2)
    with pytest.raises(StudyError, match="not an address"):
        pb.ask("gita", model="openai:nowhere", data=data, output=tmp_path / "out")


def test_options_are_scored_by_what_the_echo_says() -> None:
    query = Query("Può accadere?\nRisposta:", options=(" vero",))
    with hostile(lambda *_: "sound") as server:
        reply = model(server.url, api="completions", logprobs=True).answer(query)
    assert reply.logliks is not None
    assert reply.logliks[0] < 0
    assert reply.lengths == (1,)
    assert server.bodies[-1]["prompt"].endswith("Risposta: vero")


def test_missing_logprobs_have_a_name() -> None:
    query = Query("Può accadere?", options=(" vero",))

    class Silent(OpenAIModel):
        def _body(self, query: Query) -> dict[str, object]:
            return {k: v for k, v in super()._body(query).items() if k != "echo"}

    with hostile(lambda *_: "sound") as server, pytest.raises(Unanswered) as caught:
        Silent(server.url, "tiny", api="completions", logprobs=True).answer(query)
    assert caught.value.reason == "no logprobs"


def test_everything_at_once_is_reported_and_the_second_run_asks_what_is_missing(
    tmp_path: Path, data: Path
) -> None:
    moods = ("sound", "late 0.05", "429", "500", "truncated", "malformed", "empty", "sound")
    out = tmp_path / "out"
    with hostile(by_hash(*moods)) as server:
        name = f"openai:{server.url}"
        first = pb.ask("gita", model=name, data=data, output=out, concurrency=3, max_wait=30)
        answered = dict(server.answered)
        second = pb.ask("gita", model=name, data=data, output=out, concurrency=3, max_wait=30)
        third = pb.ask("gita", model=name, data=data, output=out, concurrency=3, max_wait=30)
    assert server.most <= 3
    assert set(first.account.failed) <= {"truncated answer", "malformed JSON", "empty choice"}
    assert first.account.answered == len(answered)
    assert first.account.answered + sum(first.account.failed.values()) == first.account.queries
    assert second.account.answered == sum(first.account.failed.values())
    assert not second.account.failed
    assert third.account.answered == 0
    assert set(server.answered.values()) == {1}
    assert len(second.samples) == second.account.queries == len(server.answered)
    assert {body["temperature"] for body in server.bodies} == {0}
    assert any("Run the same command again" in note for note in first.notes)


@pytest.mark.parametrize(
    "document",
    [
        None,
        [],
        {"choices": 5},
        {"choices": [5]},
        {"choices": [{"message": 5}]},
        {"choices": [{"message": {"content": 5}}]},
        {"choices": [{"message": {"content": "Vero."}, "logprobs": {"content": [{}]}}]},
        {"choices": [{"message": {"content": "Vero."}, "logprobs": {"content": [5]}}]},
        {
            "choices": [
                {
                    "message": {"content": "Vero."},
                    "logprobs": {
                        "content": [{"top_logprobs": [5, {"token": "a", "logprob": "x"}]}]
                    },
                }
            ],
            "usage": 5,
        },
        {
            "choices": [
                {
                    "text": "Vero.",
                    "logprobs": {"text_offset": [0, "x"], "token_logprobs": [None, 1e400]},
                }
            ]
        },
    ],
)
@pytest.mark.parametrize("api", ["chat", "completions"])
def test_an_odd_document_is_an_answer_or_has_a_name(
    document: object, api: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worlds.hostile.answer_to", lambda _: document)
    query = Query("Può?", (("user", "Può?"),), (" vero",) if api == "completions" else ())
    with hostile(lambda *_: "sound") as server:
        asked = model(server.url, model="tiny", api=api, logprobs=True)
        said = said_by(asked, query)
    assert said in {"Vero.", "malformed JSON", "empty choice", "no logprobs"}


def test_a_closed_door_ends_the_asking_and_says_why(tmp_path: Path, data: Path) -> None:
    with hostile(lambda *_: "404") as server, pytest.raises(StudyError, match="--api chat"):
        pb.ask("gita", model=f"openai:{server.url}", data=data, output=tmp_path / "out")
    assert sum(server.asked.values()) <= 4


def test_a_killed_run_goes_on_where_it_was(
    tmp_path: Path, data: Path, plausibly_command: str
) -> None:
    out, slots = tmp_path / "out", 3
    with hostile(lambda *_: "late 0.05") as server:
        command = [plausibly_command, "ask", "gita", "--model", f"openai:{server.url}"]
        command += ["--data", str(data), "--concurrency", str(slots), "-o", str(out), "--json"]
        for wanted in (6, 12):
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            began = monotonic()
            while len(server.answered) < wanted and monotonic() - began < 60:
                sleep(0.01)
            os.kill(process.pid, signal.SIGKILL)
            process.communicate()
            while server.open:
                sleep(0.02)
        kept = {line for line in (out / "answers.jsonl").read_text().splitlines() if line}
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    account = json.loads(done.stdout)["account"]
    assert account["known"] == len(kept) >= 6
    assert account["known"] + account["answered"] == account["queries"] == 56
    twice = [asked for asked, times in server.answered.items() if times > 1]
    assert len(twice) <= 2 * slots  # those under way when the process was killed, and no others
    assert server.most <= slots


def test_two_processes_do_not_ask_into_one_folder(tmp_path: Path, data: Path) -> None:
    from plausibly.asking.journal import journal

    with journal(tmp_path / "out"), pytest.raises(StudyError, match="another process"):
        pb.ask("gita", model="mock:1", data=data, output=tmp_path / "out")


def test_strict_makes_a_lost_answer_a_failure(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with hostile(by_hash("sound", "empty")) as server:
        arguments = ["ask", "gita", "--model", f"openai:{server.url}#tiny", "--data", str(data)]
        arguments += ["-o", str(tmp_path / "out"), "--json"]
        assert run([*arguments, "--strict"]) == 1
        assert "have no answer" in capsys.readouterr().err
        assert run([*arguments, "--strict"]) == 0
    assert set(server.answered.values()) == {1}


def test_vllm_is_asked_through_its_server() -> None:
    with pytest.raises(StudyError, match=r"vllm serve MODEL .* openai:http://127.0.0.1:8000/v1"):
        language_model("vllm:meta-llama/Llama-3")
