"""Bytes on the line that no honest server sends: each has a name, none takes us along."""

from __future__ import annotations

import gzip
import json
import signal
import subprocess
from collections import Counter
from collections.abc import Sequence
from email.utils import formatdate
from hashlib import md5
from pathlib import Path
from time import monotonic, sleep, time
from typing import Any

import pytest

import plausibly as pb
from plausibly.backends import openai
from plausibly.backends._requests import GLANCE, Line
from plausibly.backends.openai import OpenAIModel
from plausibly.errors import StudyError
from plausibly.ports import Query, Unanswered
from plausibly.verbs.ask import Asked
from worlds.gita import data_folder
from worlds.wire import RESET, Part, Script, Wire, chat, http, wire

TALK = Query("", (("user", "Può accadere?"),))
OPTION = Query("Risposta:", options=(" vero",))
GOOD = chat("Vero.")
CLOSED = {2: 404, 4: 403, 5: 401, 7: 405}


def model(url: str, **settings: Any) -> OpenAIModel:
    return OpenAIModel(url, **{"model": "tiny", "max_wait": 0.3, "timeout": 20.0, **settings})


def chunked(*parts: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"".join(parts)


WHOLE = json.dumps(GOOD).encode()
PACKED = gzip.compress(b" " * 50_000_000)


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ([http(GOOD)], "Vero."),
        ([http(GOOD, version="1.0")], "Vero."),
        ([b"HTTP/1.0 200 OK\r\n\r\n" + WHOLE], "Vero."),
        ([http(GOOD, headers="Content-Type: text/plain\r\n")], "Vero."),
        ([chunked(b"5\r\n", WHOLE[:5], b"\r\n", b"%x\r\n" % (len(WHOLE) - 5)),
          0.01, WHOLE[5:] + b"\r\n0\r\n\r\n"], "Vero."),
        ([b"HTTP/1.1 100 Continue\r\n\r\n", http(GOOD)], "Vero."),
        ([b"HTTP/1.1 103 Early Hints\r\nLink: </x.css>\r\n\r\n" * 3, http(GOOD)], "Vero."),
        ([b"HTTP/1.1 102 Processing\r\n\r\n", b"HTTP/1.1 100 Continue\r\n\r\n", http(GOOD)],
         "Vero."),
        ([b"HTTP/1.1 103 Early Hints\r\n\r\n", http(b"", status="400 Bad")], "HTTP 400"),
        ([http(chat("x") | {"choices": [{"message": {"content": [{"text": "Vero."}]}}]})], "Vero."),
        ([http(b"\xef\xbb\xbf" + WHOLE)], "Vero."),
        ([http(GOOD, status="201 Created")], "Vero."),
        ([http(WHOLE.replace(b"Vero", b"Ver\xec"))], "malformed JSON"),
        ([http(chat("Ver", finish_reason="content_filter"))], "filtered answer"),
        ([http({"choices": [{"index": 1, "message": {"content": "Falso."}},
                            {"index": 0, "message": {"content": "Vero."}}]})], "Vero."),
        ([chunked(b"zz\r\n", WHOLE)], "truncated answer"),
        ([chunked(b"ffffff\r\n", WHOLE)], "truncated answer"),
        ([http(GOOD)[:-9]], "truncated answer"),
        ([http(WHOLE[:-9])], "malformed JSON"),
        ([http(b"<html>Sign in</html>", headers="Content-Type: text/html\r\n")], "malformed JSON"),
        ([http([GOOD])], "malformed JSON"),
        ([http(b"[" * 200_000)], "malformed JSON"),
        ([http(b'{"choices": ' + b"9" * 5000 + b"}")], "malformed JSON"),
        ([http(b'{"choices": [{"message": {"content": "\\ud800"}}]}')], "malformed JSON"),
        ([http(PACKED, headers="Content-Encoding: gzip\r\n")], "packed answer"),
        ([http({"error": {"message": "overloaded"}})], "empty choice"),
        ([http("Vero.", status="204 No Content")], "HTTP 204"),
        ([http(b"", status="307 Temporary Redirect", headers="Location: http://x/\r\n")],
         "HTTP 307"),
        ([http(b"", status="401 Unauthorized")], "HTTP 401, not allowed"),
        ([b"SSH-2.0-OpenSSH_9.6\r\n"], "not reached until --max-wait"),
        ([b"HTTP/1.1 200 OK\r\nX: " + b"x" * 70_000 + b"\r\n\r\n"], "not reached until --max-wait"),
        ([RESET], "not reached until --max-wait"),
        ([http(b"", status="429 Wait", headers="Retry-After: 1e300\r\n")],
         "HTTP 429 until --max-wait"),
        ([http(b"", status="503 Wait", headers=f"Retry-After: {formatdate(time() + 9999)}\r\n")],
         "HTTP 503 until --max-wait"),
    ],
)  # fmt: skip
def test_every_answer_has_a_name(parts: Sequence[Part], said: str) -> None:
    with wire(lambda *_: parts) as server:
        try:
            answer = str(model(server.url).answer(TALK).text)
        except Unanswered as failure:
            answer = failure.reason
    assert answer == said
    if "max-wait" not in said:
        assert len(server.bodies) == 1


@pytest.mark.parametrize(
    "drip",
    [
        [b"HTTP/1.1 200 OK\r\n", *[b"X: 1\r\n", 0.05] * 90],
        [b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n", *[b" ", 0.05] * 900],
        [chunked(), *[b"0", 0.05] * 900],
        [*[b"HTTP/1.1 100 Continue\r\n\r\n", 0.05] * 900],
        [*[b"HTTP/1.1 103 Early Hints\r\n\r\n", 0.05] * 900],
    ],
)
def test_no_trickle_of_bytes_outlasts_the_timeout(drip: Sequence[Part]) -> None:
    with wire(lambda *_: drip) as server, pytest.raises(Unanswered) as caught:
        model(server.url, timeout=0.4).answer(TALK)
    assert caught.value.reason == "no answer in time"


SECRET = "sk-very-secret-0123456789"  # noqa: S105


@pytest.mark.parametrize(
    "said",
    [
        http({"error": {"message": f"Incorrect API key provided: {SECRET}"}}, status="400 Bad"),
        http({"error": {"message": f"no quota for {SECRET}"}}, status="429 Wait"),
        http({"error": f"{SECRET} is asleep"}, status="503 Wait"),
        http({"error": {"message": f"unknown key {SECRET}"}}),
        http(f"Bearer {SECRET}".encode()),
        http(b"x" * 199 + SECRET.encode() + b" " * 9 * 2**20),
        http(b"", status="308 Gone", headers=f"Location: http://x/?key={SECRET}\r\n"),
        f"NOHTTP {SECRET}\r\n\r\n".encode(),
        http(chat(f"Vero, {SECRET}.")),
        http(json.dumps(chat(f"Vero, {SECRET}.")).replace("k-v", r"\u006B\u002dv").encode()),
    ],
)
def test_a_key_is_never_repeated(said: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", f" {SECRET}\n")
    with wire(lambda *_: [said]) as server:
        try:
            heard = str(model(server.url).answer(TALK).text)
        except Unanswered as failure:
            heard = str(failure)
    assert heard
    assert SECRET[:12] not in heard


def test_a_word_for_no_key_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "e")
    with wire(lambda *_: [http(GOOD)]) as server:
        assert model(server.url).answer(TALK).text == "Vero."
    monkeypatch.setenv("OPENAI_API_KEY", "sk-\x07-bell")
    with pytest.raises(StudyError, match="cannot be in a header") as caught:
        model("http://127.0.0.1:9/v1").answer(TALK)
    assert "sk-" not in str(caught.value)


@pytest.mark.parametrize("address", ["http://me:secret@127.0.0.1:9/v1", "http://h/v1?key=secret"])
def test_an_address_holds_no_password(address: str) -> None:
    with pytest.raises(StudyError, match="put a key into the environment") as caught:
        model(address).answer(TALK)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("status", ["408 Late", "409 Busy", "425 Early"])
def test_who_would_rather_be_asked_again_is_asked_again(status: str) -> None:
    def script(_: dict[str, Any], number: int) -> Sequence[Part]:
        return [http(GOOD) if number > 2 else http(b"", status=status)]

    with wire(script) as server:
        assert model(server.url, max_wait=20.0).answer(TALK).text == "Vero."
    assert len(server.bodies) == 3


@pytest.mark.parametrize(
    ("after", "attempt", "seconds"),
    [(None, 1, 0.1), (None, 3, 0.4), (None, 40, 8.0), (0.0, 1, 0.1), (0.0, 40, 1.0), (7.0, 2, 7.2)],
)
def test_who_names_a_time_is_asked_again_soon_after(
    after: float | None, attempt: int, seconds: float
) -> None:
    assert openai.pause(after, attempt) == pytest.approx(seconds)


def nine_asked(server: Wire, folder: Path) -> Asked:
    """Ask about nine stories, one after the other."""
    return pb.ask(
        "gita",
        model=f"openai:{server.url}#tiny",
        data=data_folder(folder / "data", 3),
        tasks="story_class",
        concurrency=1,
    )


def test_one_door_closed_among_open_ones_ends_nothing(tmp_path: Path) -> None:
    def script(_: dict[str, Any], number: int) -> Sequence[Part]:
        return [http(b"", status=f"{CLOSED[number]} No") if number in CLOSED else http(GOOD)]

    with wire(script) as server:
        asked = nine_asked(server, tmp_path)
    assert asked.account.unsent == 0
    assert asked.account.answered == 9 - len(CLOSED)
    assert sum(asked.account.failed.values()) == len(CLOSED)


def test_where_nobody_ever_answered_is_not_waited_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openai, "AT_FIRST", 0.2)
    with wire(lambda *_: [http(GOOD)]) as server:
        gone = model(server.url, max_wait=3600.0)
    with pytest.raises(Unanswered) as caught:
        gone.answer(TALK)
    assert caught.value.reason == "not reached until 0.2 s had passed"
    assert caught.value.final


def test_who_else_signs_an_answer_is_told(tmp_path: Path) -> None:
    def script(body: dict[str, Any], number: int) -> Sequence[Part]:
        return [http(chat("Vero.") | {"model": "tiny-2" if number == 2 else body["model"]})]

    with wire(script) as server:
        asked = nine_asked(server, tmp_path)
    assert "Answers signed by a model other than the one asked: tiny-2 (1)." in asked.notes
    assert Counter(sample["signed"] for sample in asked.samples) == {None: 8, "tiny-2": 1}


def test_an_empty_answer_says_how_it_ended() -> None:
    filtered = {"choices": [{"message": {"content": None}, "finish_reason": "content_filter"}]}
    with wire(lambda *_: [http(filtered)]) as server, pytest.raises(Unanswered) as caught:
        model(server.url).answer(TALK)
    assert caught.value.detail == "the answer has no text (finish_reason content_filter)"


def echo(offsets: object, values: object) -> bytes:
    return http({"choices": [{"logprobs": {"text_offset": offsets, "token_logprobs": values}}]})


@pytest.mark.parametrize(
    ("offsets", "values", "sum_"),
    [
        ([0, 9], [None, -1.5], -1.5),
        ([0, 9, 12, 14], [None, -1.5, -0.25, -9.0], -1.75),
        ([0, 7, 12], [None, -2.0, -0.5], -2.5),  # ": ve" is one token
        ([0, 9], [None, None], None),
        ([0, 9], [None, "-1.5"], None),
        ([0, 9], [None, True], None),
        ([0, 9], [None, 7.5], None),
        ([0, 9], [None, -1e400], None),
        ([0, 9], [-1.5], None),
        ([9, 0], [-1.0, -1.0], None),
        ([0, None], [-1.0, -1.0], None),
        ([0], [-1.0], None),
        ([14, 15], [-1.0, -1.0], None),
        ([], [], None),
        (None, [-1.0], None),
    ],
)
def test_an_option_has_the_sum_of_its_own_tokens_or_none(
    offsets: object, values: object, sum_: float | None
) -> None:
    with wire(lambda *_: [echo(offsets, values)]) as server:
        asked = model(server.url, api="completions", logprobs=True)
        if sum_ is not None:
            assert asked.answer(OPTION).logliks == (sum_,)
            return
        with pytest.raises(Unanswered) as caught:
            asked.answer(OPTION)
    assert caught.value.reason == "no logprobs"


def test_counts_and_tokens_that_cannot_be_are_left_out() -> None:
    top = [{"token": None, "logprob": -1}, {"token": "Vero", "logprob": -0.5}, {"token": "x"}]
    document = chat("Vero.", logprobs={"content": [{"top_logprobs": top}]})
    document["usage"] = {"prompt_tokens": -4, "completion_tokens": 10**40}
    with wire(lambda *_: [http(document)]) as server:
        reply = model(server.url, logprobs=True).answer(TALK)
    assert reply.first == (("Vero", -0.5),)
    assert reply.prompt_tokens is reply.answer_tokens is None


def test_a_server_that_never_hangs_up_is_waited_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    original = Line.left_open

    def counted(line: Line, seconds: float) -> bool:
        waits.append(seconds)
        return original(line, seconds)

    monkeypatch.setattr(Line, "left_open", counted)
    monkeypatch.setattr("plausibly.backends.openai.LINGER", 0.2)
    with wire(lambda *_: [http(GOOD), 20.0]) as server:
        asked = model(server.url)
        assert [asked.answer(TALK).text for _ in range(3)] == ["Vero."] * 3
        asked.rest()
        asked.rest()
    assert waits == [0.2, GLANCE, GLANCE]


def test_an_answer_is_kept_before_its_server_hangs_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[int] = []

    def counted(line: Line, _: float) -> bool:
        line.close()
        kept.append(len((tmp_path / "out" / "answers.jsonl").read_text().splitlines()))
        return True

    monkeypatch.setattr(Line, "left_open", counted)
    with wire(lambda *_: [http(GOOD), 20.0]) as server:
        pb.ask(
            "gita",
            model=f"openai:{server.url}#tiny",
            data=data_folder(tmp_path / "data", 3),
            tasks="story_class",
            concurrency=1,
            output=tmp_path / "out",
        )
    assert kept == list(range(1, 10))


def test_late_answers_in_a_row_end_the_asking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(openai, "IN_A_ROW", 4)
    data = data_folder(tmp_path / "data", 8)
    with wire(lambda *_: [20.0]) as server, pytest.raises(StudyError, match="no answer in time"):
        pb.ask("gita", model=f"openai:{server.url}#tiny", data=data, timeout=0.2, concurrency=2)
    assert len(server.bodies) <= 8


STORM: dict[str, list[Part]] = {
    "sound": [http(GOOD)],
    "429": [http(b"", status="429 Wait", headers="Retry-After: 0\r\n")],
    "429 huge": [http(b"", status="429 Wait", headers="Retry-After: 86400\r\n")],
    "500": [http(b"{", status="500 Oops")],
    "reset": [RESET],
    "cut": [http(GOOD)[:-20]],
    "shape": [http([1, 2])],
    "long": [http(b" " * 9 * 2**20)],
    "late": [0.05, http(GOOD)],
}


def storm() -> Script:
    """Return a server that answers every question badly a few times, each time otherwise."""
    times: Counter[bytes] = Counter()
    moods = list(STORM)

    def script(body: dict[str, Any], number: int) -> Sequence[Part]:
        del number
        asked = json.dumps(body, sort_keys=True).encode()
        times[asked] += 1
        place = md5(asked, usedforsecurity=False).digest()[0] + times[asked]
        return STORM[moods[place % len(moods)] if times[asked] < 6 else "sound"]

    return script


def test_a_storm_loses_nothing_and_asks_nothing_twice(tmp_path: Path) -> None:
    data, out = data_folder(tmp_path / "data", 2), tmp_path / "out"
    with wire(storm()) as server:
        for _ in range(6):
            name = f"openai:{server.url}#tiny"
            asked = pb.ask("gita", model=name, data=data, output=out, shots="0", max_wait=20)
            account = asked.account
            lost = sum(account.failed.values()) + account.unsent
            assert account.known + account.answered + lost == account.queries
            assert len(asked.samples) == account.known + account.answered
            if not lost:
                break
    assert not lost
    assert server.most <= 4
    kept = [json.loads(line)["key"] for line in (out / "answers.jsonl").read_text().splitlines()]
    assert len(kept) == len(set(kept)) == account.queries


def test_an_interrupt_in_a_storm_ends_at_once_and_keeps_what_came(
    tmp_path: Path, plausibly_command: str
) -> None:
    data, out = data_folder(tmp_path / "data", 8), tmp_path / "out"

    def wait(body: dict[str, Any], number: int) -> Sequence[Part]:
        del body
        wanted = "429 Wait" if number > 6 else "200 OK"
        return [http(GOOD, status=wanted, headers="Retry-After: 250\r\n")]

    with wire(wait) as server:
        command = [plausibly_command, "ask", "gita", "--model", f"openai:{server.url}#tiny"]
        command += ["--data", str(data), "-o", str(out), "--json"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        began = monotonic()
        kept = out / "answers.jsonl"
        while len(server.bodies) < 7 or not kept.exists() or kept.read_bytes().count(b"\n") < 6:
            assert monotonic() - began < 60
            sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, complaint = process.communicate(timeout=60)
    assert process.returncode == 130, complaint.decode()
    assert b"Interrupted" in complaint
    assert kept.read_bytes().count(b"\n") == 6
