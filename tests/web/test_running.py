"""The server as a process: what health reports, how it stops, and what its log contains."""

from __future__ import annotations

import json
import resource
import signal
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest
from starlette.testclient import TestClient
from uvicorn import Config
from uvicorn.supervisors import Multiprocess

from plausibly.web import running
from plausibly.web.app import create_app
from plausibly.web.study import read_study
from serving import Client, Participant, Server, hosted, serving
from worlds.served import items_of, study_folder

WITHIN = 2.0  # seconds


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    study = study_folder(tmp_path_factory.mktemp("running"), items_of(6), {})
    with serving(study) as running:
        yield running


def health(server: Server) -> tuple[int, str, float]:
    """Return status, reason and the seconds it took."""
    time.sleep(1.05)  # a result is used for a second
    began = time.monotonic()
    status, document = Client(server.port).ask("GET", "/healthz")
    return status, document.get("reason", ""), time.monotonic() - began


def test_health_reports_a_lock_in_time_and_recovers(server: Server) -> None:
    other = sqlite3.connect(server.study / "answers.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    status, reason, seconds = health(server)
    assert (status, reason) == (503, "locked")
    assert seconds < WITHIN
    other.execute("ROLLBACK")
    other.close()
    assert health(server)[:2] == (200, "")


def test_health_reports_a_disk_that_takes_nothing_and_recovers(server: Server) -> None:
    before = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (1, before[1]))  # files cannot grow
    try:
        status, reason, seconds = health(server)
    finally:
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, before)
    assert (status, reason) == (503, "disk")
    assert seconds < WITHIN
    assert health(server)[:2] == (200, "")


def begin(port: int, path: str, document: object, token: str = "") -> tuple[socket.socket, bytes]:
    """Send all of a request but its last byte; return the connection and that byte."""
    body = json.dumps(document).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    head += f"Authorization: Bearer {token}\r\n" if token else ""
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    connection.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body[:-1])
    return connection, body[-1:]


def finish(connection: socket.socket, rest: bytes) -> tuple[int, str]:
    """Send the rest of a request and return the status and the text of the answer."""
    connection.sendall(rest)
    with connection:
        answer = b"".join(iter(lambda: connection.recv(4096), b"")).decode()
    return int(answer.split(maxsplit=2)[1]), answer


def is_refused(port: int) -> bool:
    """Return whether new connections are refused before long."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        time.sleep(0.05)
        with suppress(ConnectionResetError), socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)):
                return True
    return False


def started(server: Server, workers: int) -> str:
    """Return the log up to the start of the last worker; one that still starts just ends."""
    assert server.process is not None
    assert server.process.stderr is not None
    log = ""
    for line in server.process.stderr:
        log += line
        if log.count('"what": "started"') == workers:
            break
    return log


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_server_that_stops_answers_what_is_under_way_and_begins_nothing(
    tmp_path: Path, workers: str, number: signal.Signals
) -> None:
    study = study_folder(tmp_path, items_of(6), {})
    with serving(study, "--workers", workers) as server:
        log = started(server, int(workers))
        ann = Participant(server.port, "person-ann", answer=lambda *_: 5)
        ann.join()
        _, shown = ann.client.ask("GET", "/api/v1/next", token=ann.token)
        sent = {"reservation": shown["reservation"], "answers": {"plausible": 5}, "key": "k"}
        bob = Client(server.port).joining("person-bob")
        answering = begin(server.port, "/api/v1/answers", sent, ann.token)
        joining = begin(server.port, "/api/v1/join", bob)
        assert server.process is not None
        server.process.send_signal(number)
        assert is_refused(server.port)
        assert finish(*answering)[0] == 201
        status, text = finish(*joining)
        assert (status, "retry-after: 10" in text.lower()) == (503, True)
        assert server.process.stderr is not None
        log += server.process.stderr.read()
        assert server.process.wait(20) in (0, -number)  # as a service manager expects
        server.process.stderr.close()
    assert not list(study.glob("*.run"))  # the key of addresses ends with the server
    count = "SELECT COUNT(*) FROM people"
    with closing(sqlite3.connect(study / "answers.sqlite")) as connection:
        assert connection.execute(count).fetchone() == (1,)
        answers = connection.execute("SELECT COUNT(*) FROM answers").fetchone()
    assert answers == (1,)
    lines = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    assert [line["what"] for line in lines].count("stopped") == int(workers)
    failed = [line for line in lines if line["what"] == "request"]
    assert [(line["page"], line["status"]) for line in failed] == [("join_study", 503)]
    hidden = ("127.0.0.1", "person-", ann.annotator, shown["reservation"])
    assert not [word for word in hidden for line in lines if word in json.dumps(line)]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_preview_leaves_nothing_behind_however_it_is_ended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    study, scratch = study_folder(tmp_path, items_of(6), {}), tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))
    with serving(study, "--preview") as server:
        started(server, 1)
        assert list(scratch.glob("plausibly-preview-*"))
        assert server.process is not None
        server.process.send_signal(number)
        server.process.wait(20)
        assert server.process.stderr is not None
        server.process.stderr.close()
    assert not list(scratch.iterdir())


def test_a_study_under_a_path_keeps_its_links_cookies_and_redirects_there(tmp_path: Path) -> None:
    server = {"public_url": "https://lab.example.org/study1", "door": "open"}
    served = read_study(study_folder(tmp_path, items_of(2), {"server": server}))
    with TestClient(create_app(served), base_url="https://lab.example.org") as client:
        for path in ("/study1/", "/"):  # with a proxy that passes the path on, or takes it off
            page = client.get(path)
            assert 'action="/study1/consent"' in page.text
            assert 'href="/study1/static/' in page.text
        assert [cookie.path for cookie in client.cookies.jar] == ["/study1"]
        style = page.text.partition('stylesheet" href="')[2].partition('"')[0]
        assert client.get(style).status_code == 200
        assert client.get("/study1/work").status_code == 401


def heard(port: int, *pieces: bytes, pause: float = 0.0) -> bytes:
    """Send pieces of a request until the server closes; return what it answered."""
    answer = b""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        with suppress(ConnectionError):
            for piece in pieces:
                connection.sendall(piece)
                time.sleep(pause)
        with suppress(ConnectionError):  # what came before a reset counts
            while piece := connection.recv(4096):
                answer += piece
    return answer


HEAD = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"


def test_a_head_that_is_too_long_is_refused_with_431(server: Server) -> None:
    whole = heard(server.port, HEAD + b"X-Long: " + b"a" * 40_000 + b"\r\n\r\n")
    many = heard(server.port, HEAD + b"X-Many: abc\r\n" * 4_000 + b"\r\n")
    endless = heard(server.port, HEAD + b"X-Long: ", *[b"a" * 20_000] * 3)
    statuses = [int(answer.split()[1]) for answer in (whole, many, endless)]
    assert statuses == [431, 431, 431]
    assert b"too long" in whole
    assert b" 200 OK" in heard(server.port, HEAD + b"X-Long: " + b"a" * 8_000 + b"\r\n\r\n")


def test_a_head_that_drips_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plausibly.web.running.SECONDS", 0.3)
    with hosted(study_folder(tmp_path, items_of(2), {})) as slow:
        began = time.monotonic()
        answer = heard(slow.port, HEAD, *[b"a"] * 40, pause=0.05)
    assert answer == b""
    assert time.monotonic() - began < 10


def test_a_worker_on_a_slow_machine_gets_time_to_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    patience = []

    class Watched(running.Supervisor):
        def run(self) -> None:
            patience.append(self.config.timeout_worker_healthcheck)

    monkeypatch.setattr(running, "Supervisor", Watched)
    served = read_study(study_folder(tmp_path, items_of(2), {"server": {"door": "open"}}))
    for name in (running.STUDY, running.DATABASE, running.DOOR):
        monkeypatch.setenv(name, "")
    monkeypatch.setattr("signal.signal", lambda *_: None)
    with running.listen("127.0.0.1", 0) as listening:
        running.serve(served, listening, database=None, workers=2, ready=lambda *_: None)
    assert patience == [120]  # uvicorn waits 5 seconds, and replaces a slow worker for ever


class SilentWorker:
    """A worker that lives and does not answer, as one that starts or hangs; it heeds no signal."""

    def __init__(self) -> None:
        self.process = self
        self.killed = False

    def ping(self, timeout: float) -> bool:
        time.sleep(timeout)
        return False

    def is_alive(self, timeout: float = 0.0) -> bool:
        time.sleep(timeout)
        return not self.killed

    def kill(self) -> None:
        self.killed = True

    def join(self, timeout: float | None = None) -> None:
        assert self.killed or timeout is not None  # else this would never end


@pytest.fixture
def supervisor(monkeypatch: pytest.MonkeyPatch) -> tuple[running.Supervisor, SilentWorker]:
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr(running, "ANSWER_SECONDS", 0.01)
    monkeypatch.setattr(running, "END_SECONDS", 0.01)
    config = Config(running.FACTORY, **running.OPTIONS)
    supervisor, worker = running.Supervisor(config, sockets=[]), SilentWorker()
    supervisor.processes = [worker]  # type: ignore[list-item]
    return supervisor, worker


def test_a_stop_is_heard_while_a_worker_is_silent(
    supervisor: tuple[running.Supervisor, SilentWorker],
) -> None:
    parent, worker = supervisor
    parent.signal_queue.append(signal.SIGTERM)
    began = time.monotonic()
    parent.keep_subprocess_alive()
    assert time.monotonic() - began < 10  # not the two minutes a worker has for its start
    assert parent.should_exit.is_set()
    assert not worker.killed


def test_a_worker_that_heeds_no_signal_is_killed_in_the_end(
    supervisor: tuple[running.Supervisor, SilentWorker],
) -> None:
    parent, worker = supervisor
    parent.join_all()
    assert worker.killed


def test_a_worker_that_is_silent_for_too_long_is_killed(
    supervisor: tuple[running.Supervisor, SilentWorker], monkeypatch: pytest.MonkeyPatch
) -> None:
    parent, worker = supervisor
    monkeypatch.setattr(running, "WORKER_SECONDS", 0.05)
    monkeypatch.setattr(Multiprocess, "keep_subprocess_alive", lambda _: None)
    parent.keep_subprocess_alive()
    assert worker.killed
