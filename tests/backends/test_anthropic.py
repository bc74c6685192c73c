"""Models behind the Messages API: its wire, structured answers, patience, and no key anywhere."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import plausibly as pb
from plausibly.backends.language_models import Reaching, language_model
from plausibly.errors import StudyError, UnknownName
from plausibly.ports import Query, Unanswered
from worlds.gita import data_folder

Reply = Callable[[dict[str, Any], int], tuple[int, dict[str, Any]]]
TALK = Query("", (("system", "Be brief."), ("user", "Is tea wet?")), max_tokens=16)
SECRET = "sk-ant-test-0123456789"  # noqa: S105


class Messages(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, reply: Reply) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.reply = reply
        self.seen: list[tuple[str, dict[str, str], dict[str, Any]]] = []


class _Handler(BaseHTTPRequestHandler):
    server: Messages

    def log_message(self, format: str, *args: Any) -> None: ...

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.server.seen.append((self.path, headers, body))
        status, document = self.server.reply(body, len(self.server.seen))
        content = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


@contextmanager
def messages(reply: Reply) -> Iterator[tuple[Messages, str]]:
    with Messages(reply) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server, f"anthropic:http://127.0.0.1:{server.server_address[1]}/v1#tiny"
        server.shutdown()


def said(*parts: dict[str, Any], stop: str = "end_turn") -> dict[str, Any]:
    usage = {"input_tokens": 9, "output_tokens": 3}
    return {"model": "tiny", "content": list(parts), "stop_reason": stop, "usage": usage}


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def test_a_query_is_sent_as_documented(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    thought = {"type": "thinking", "thinking": "no"}
    with messages(lambda *_: (200, said(thought, text("yes")))) as (server, name):
        reply = language_model(name, Reaching(max_wait=5)).answer(TALK)
    path, headers, body = server.seen[0]
    assert path == "/v1/messages"
    assert headers["x-api-key"] == SECRET
    assert headers["anthropic-version"] == "2023-06-01"
    assert "authorization" not in headers
    assert body == {
        "model": "tiny",
        "max_tokens": 16,
        "temperature": 0.0,
        "system": "Be brief.",
        "messages": [{"role": "user", "content": "Is tea wet?"}],
    }
    assert (reply.text, reply.prompt_tokens, reply.answer_tokens) == ("yes", 9, 3)
    assert reply.finish_reason == "stop"


def test_an_answer_from_a_list_comes_through_a_tool(tmp_path: Path) -> None:
    def reply(body: dict[str, Any], _: int) -> tuple[int, dict[str, Any]]:
        options = body["tools"][0]["input_schema"]["properties"]["answer"]["enum"]
        used = {"type": "tool_use", "name": "answer", "input": {"answer": options[-1]}}
        return 200, said(used, stop="tool_use")

    data = data_folder(tmp_path / "data", 4)
    with messages(reply) as (server, name):
        asked = pb.ask("gita", model=name, data=data, shots="0", tasks="story_class", limit=2)
    assert server.seen[0][2]["tool_choice"] == {"type": "tool", "name": "answer"}
    assert asked.predictions["label"].null_count() == 0
    assert {sample["decided_by"] for sample in asked.samples} == {"text"}


def test_a_server_without_tools_is_asked_without_from_then_on() -> None:
    def reply(body: dict[str, Any], _: int) -> tuple[int, dict[str, Any]]:
        if "tools" in body:
            return 400, {"error": {"message": "tools: not supported by this model"}}
        return 200, said(text("yes"))

    with messages(reply) as (server, name):
        model = language_model(name, Reaching(max_wait=5))
        one = Query("", TALK.messages, among=("no", "yes"))
        assert model.answer(one).note == "tools refused"
        model.answer(one)
    assert [("tools" in body) for _, _, body in server.seen] == [True, False, False]


def test_cut_off_refused_and_empty_answers_are_told_apart() -> None:
    replies = [
        said({"type": "thinking", "thinking": "hm"}, stop="max_tokens"),
        said(stop="refusal"),
        said(),
    ]
    with messages(lambda _, n: (200, replies[n - 1])) as (_, name):
        model = language_model(name, Reaching(max_wait=5))
        assert model.answer(TALK).finish_reason == "length"
        with pytest.raises(Unanswered, match="filtered answer"):
            model.answer(TALK)
        with pytest.raises(Unanswered, match="empty choice"):
            model.answer(TALK)


def test_patience_is_had_and_the_key_is_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)

    def reply(body: dict[str, Any], place: int) -> tuple[int, dict[str, Any]]:
        if place == 1:
            return 529, {"error": {"type": "overloaded_error", "message": f"later, {SECRET}"}}
        return 200, said(text("false"))

    data = data_folder(tmp_path / "data", 4)
    out = tmp_path / "out"
    with messages(reply) as (server, name):
        options = {"data": data, "shots": "0", "tasks": "story_class", "limit": 2, "output": out}
        pb.ask("gita", model=name, **options)  # type: ignore[call-overload]
        before = len(server.seen)
        pb.ask("gita", model=name, **options)  # type: ignore[call-overload]
    assert len(server.seen) == before
    for file in out.rglob("*"):
        assert SECRET.encode() not in file.read_bytes()


def test_log_probabilities_and_missing_names_are_refused() -> None:
    with pytest.raises(StudyError, match="no log-probabilities"):
        language_model("anthropic:tiny", Reaching(logprobs=True))
    with pytest.raises(UnknownName, match="unknown model 'anthropic:'"):
        language_model("anthropic:")


def test_openai_servers_get_a_schema_and_may_refuse_it() -> None:
    def reply(body: dict[str, Any], _: int) -> tuple[int, dict[str, Any]]:
        if "response_format" in body and body["model"] == "old":
            return 400, {"error": {"message": "response_format is not supported"}}
        written = json.dumps({"answer": "yes"}) if body["model"] == "new" else "yes"
        return 200, {"choices": [{"message": {"content": written}, "finish_reason": "stop"}]}

    one = Query("", TALK.messages, among=("no", "yes"))
    with messages(reply) as (server, name):
        address = name.partition(":")[2].partition("#")[0]
        for model in ("new", "old"):
            reached = language_model(f"openai:{address}#{model}", Reaching(max_wait=5))
            assert reached.answer(one).text == "yes"
            assert reached.answer(one).text == "yes"
    schema = server.seen[0][2]["response_format"]["json_schema"]
    assert schema["strict"] is True
    assert schema["schema"]["properties"]["answer"]["enum"] == ["no", "yes"]
    sent = [(body["model"], "response_format" in body) for _, _, body in server.seen]
    assert sent == [("new", True)] * 2 + [("old", True)] + [("old", False)] * 2


def test_a_place_on_a_long_slider_is_a_number_in_its_range() -> None:
    def reply(body: dict[str, Any], _: int) -> tuple[int, dict[str, Any]]:
        if "tools" in body:
            used = {"type": "tool_use", "name": "answer", "input": {"answer": 412}}
            return 200, said(used, stop="tool_use")
        return 200, {"choices": [{"message": {"content": '{"answer": 412}'}}]}

    one = Query("", TALK.messages, within=(0.0, 500.0, 1.0))
    with messages(reply) as (server, name):
        address = name.partition(":")[2].partition("#")[0]
        for model in (name, f"openai:{address}#new"):
            assert language_model(model, Reaching(max_wait=5)).answer(one).text == "412"
    (_, _, tool), (_, _, chat) = server.seen
    schemas = (
        tool["tools"][0]["input_schema"],
        chat["response_format"]["json_schema"]["schema"],
    )
    for schema in schemas:
        assert schema["properties"]["answer"] == {"type": "integer", "minimum": 0, "maximum": 500}


def test_an_address_without_its_end_is_explained() -> None:
    refusal = {"error": {"type": "not_found_error", "message": "no such path"}}
    with messages(lambda *_: (404, refusal)) as (_, name):
        model = language_model(name, Reaching(max_wait=5))
        with pytest.raises(Unanswered, match=r"end in /v1, and is ANTHROPIC_API_KEY set\?"):
            model.answer(TALK)
