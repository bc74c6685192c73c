"""The server as a process or as a thread, and a client that knows the published interface only."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from plausibly.ratings.server import door_of
from plausibly.web.app import create_app
from plausibly.web.running import threaded
from plausibly.web.study import read_study

TOKEN = "researcher-token"  # noqa: S105 - of a test server
PATIENCE = 30.0


class Server:
    """`plausibly serve` on a port of its own; may be killed and started again."""

    def __init__(self, study: Path, *options: str) -> None:
        self.study = study
        self.options = options
        self.port = 0
        self.process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start, on the same port as before, and wait until it is ready."""
        command = [str(Path(sys.executable).parent / "plausibly"), "serve", str(self.study)]
        self.process = subprocess.Popen(
            [*command, "--port", str(self.port), *self.options],
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PLAUSIBLY_TOKEN": TOKEN},
        )
        assert self.process.stderr is not None
        for line in self.process.stderr:
            if "http://" in line:
                self.port = int(line.rsplit(":", 1)[1])
                break
        self._wait()

    def _wait(self) -> None:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                if Client(self.port).ask("GET", "/healthz")[0] == 200:
                    return
            except OSError:
                time.sleep(0.01)
        raise TimeoutError("the server did not get ready")

    @property
    def pid(self) -> int:
        """Number of the process."""
        assert self.process is not None
        return self.process.pid

    def kill(self, *, workers: bool = True) -> None:
        """Kill it as a power cut would; without its workers, they must notice by themselves."""
        assert self.process is not None
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        self.process.kill()
        for child in children if workers else ():
            with suppress(ProcessLookupError):
                os.kill(int(child), signal.SIGKILL)
        self.process.wait()
        self._close()

    def stop(self) -> int:
        """Ask it to stop and return how it ended."""
        assert self.process is not None
        self.process.terminate()
        code = self.process.wait(PATIENCE)
        self._close()
        return code

    def _close(self) -> None:
        assert self.process is not None
        assert self.process.stderr is not None
        self.process.stderr.close()


@contextmanager
def serving(study: Path, *options: str) -> Iterator[Server]:
    """Yield a running server and end it afterwards."""
    server = Server(study, *options)
    server.start()
    try:
        yield server
    finally:
        if server.process is not None and server.process.poll() is None:
            server.stop()


@contextmanager
def hosted(study: Path) -> Iterator[Server]:
    """Yield a server in a thread of this process: the same pages, for tests that kill nothing."""
    served, server = read_study(study), Server(study)
    settings = {**served.server, "door": door_of(served.server, "127.0.0.1")}
    with threaded(create_app(replace(served, server=settings), database=None, token=TOKEN)) as port:
        server.port = port
        yield server


class Client:
    """Speaks HTTP to the server and nothing else."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)

    def __del__(self) -> None:
        self.connection.close()

    def ask(self, method: str, path: str, body: object = None, token: str = "") -> tuple[int, Any]:
        """Return status and document."""
        status, _, content = self.raw(method, path, body, token)
        return status, json.loads(content) if content.startswith(b"{") else content

    def raw(
        self, method: str, path: str, body: object = None, token: str = ""
    ) -> tuple[int, Mapping[str, str], bytes]:
        """Return status, headers and bytes."""
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        content = json.dumps(body).encode() if body is not None else None
        self.connection.request(method, path, content, headers)
        response = self.connection.getresponse()
        return response.status, dict(response.headers), response.read()

    def ratings(self, query: str = "") -> list[dict[str, Any]]:
        """Return the ratings as the researcher gets them."""
        status, _, content = self.raw("GET", f"/api/v1/ratings{query}", token=TOKEN)
        assert status == 200
        return [json.loads(line) for line in content.splitlines()]

    def joining(self, person: str) -> dict[str, Any]:
        """Return what a person sends to join who agrees and is eligible."""
        _, asked = self.ask("GET", "/api/v1/consent")
        said = {one["id"]: one["options"][0] for one in asked["questions"]}
        return {"person": person, "consent": asked["version"], "screening": said}

    def progress(self) -> dict[str, Any]:
        """Return how far the collection is."""
        status, document = self.ask("GET", "/api/v1/progress", token=TOKEN)
        assert status == 200
        return dict(document)


@dataclass
class Participant:
    """One person who answers, with a ledger of what was acknowledged."""

    port: int
    person: str
    answer: Any
    client: Client = field(init=False)
    token: str = ""
    annotator: str = ""
    ledger: dict[str, str] = field(default_factory=dict)
    seen: list[str] = field(default_factory=list)
    code: str | None = None

    def __post_init__(self) -> None:
        self.client = Client(self.port)

    def join(self) -> int:
        """Join and return the status."""
        sent = {**self.client.joining(self.person), "source": "prolific"}
        status, document = self.client.ask("POST", "/api/v1/join", sent, self.token)
        if status == 200:
            self.token, self.annotator = document["token"], document["annotator"]
        return status

    def step(self) -> bool:
        """Answer one item; False when there is none."""
        status, shown = self.client.ask("GET", "/api/v1/next", token=self.token)
        assert status == 200, shown
        if shown.get("done"):
            self.code = shown["code"]
            return False
        item = shown["item"]
        assert item not in self.ledger, f"{item} was shown again after it was answered"
        self.seen.append(item)
        given = str(self.answer(self.person, item))
        sent = {"reservation": shown["reservation"], "answers": {"plausible": given}}
        key = f"{self.person}-{item}"
        status, document = self.client.ask(
            "POST", "/api/v1/answers", {**sent, "key": key}, self.token
        )
        assert status in {200, 201}, document
        self.ledger[item] = given
        return True

    def work(self) -> None:
        """Answer until nothing is left."""
        while self.step():
            pass


def ledger_of(people: list[Participant]) -> set[tuple[str, str, str]]:
    """Return what was acknowledged, as annotator, item and answer."""
    return {(p.annotator, item, given) for p in people for item, given in p.ledger.items()}


def stored(ratings: list[dict[str, Any]]) -> set[tuple[str, str, str]]:
    """Return what is stored, as annotator, item and answer."""
    rows = [(row["annotator"], row["item"], row["answer"]) for row in ratings]
    assert len(rows) == len(set(rows))
    return set(rows)
