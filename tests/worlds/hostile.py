"""A server that answers like OpenAI's when it feels like it, and keeps count of everything."""

from __future__ import annotations

import json
import random
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from time import sleep
from typing import Any

Mood = Callable[[str, int], str]
"""From what is asked and the how-manieth time it is, from 1, to how it is answered."""


class Hostile(ThreadingHTTPServer):
    """Counts what was asked and answered, and how many requests were open at once."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, mood: Mood) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.mood = mood
        self.lock = Lock()
        self.asked: Counter[str] = Counter()
        self.answered: Counter[str] = Counter()
        self.bodies: list[dict[str, Any]] = []
        self.open = 0
        self.most = 0

    @property
    def url(self) -> str:
        """The address that ends in /v1."""
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients may hang up."""


class _Handler(BaseHTTPRequestHandler):
    server: Hostile
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self._send(200, {"data": [{"id": "tiny"}, {"id": "other"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        asked = json.dumps(body, sort_keys=True)
        server = self.server
        with server.lock:
            server.open += 1
            server.most = max(server.most, server.open)
            server.asked[asked] += 1
            server.bodies.append(body)
            attempt = server.asked[asked]
        try:
            self._answer(server.mood(asked, attempt), body, asked)
        finally:
            with server.lock:
                server.open -= 1

    def _answer(self, mood: str, body: dict[str, Any], asked: str) -> None:
        good = json.dumps(answer_to(body)).encode()
        if mood in ("429", "500", "503", "400", "404"):
            extra = {"Retry-After": "0"} if mood == "429" else {}
            self._send(int(mood), {"error": {"message": "not now"}}, **extra)
        elif mood == "hang up":
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
        elif mood == "truncated":
            self._bytes(good[: len(good) // 2], len(good))
        elif mood == "malformed":
            self._bytes(good[:-2] + b",,", None)
        elif mood == "huge":
            self._huge()
        elif mood == "empty":
            self._send(200, {"choices": []})
        elif mood == "blank":
            self._send(200, {"choices": [{"message": {"content": ""}, "text": ""}]})
        else:
            if mood.startswith("late"):
                sleep(float(mood.removeprefix("late ")))
            with self.server.lock:
                self.server.answered[asked] += 1
            self._bytes(good, None)

    def _huge(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(100 * 2**20))
        self.end_headers()
        block = b" " * 2**20
        for _ in range(100):
            self.wfile.write(block)

    def _send(self, status: int, document: object, **headers: str) -> None:
        content = json.dumps(document).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _bytes(self, content: bytes, length: int | None) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(content) if length is None else length))
        self.end_headers()
        self.wfile.write(content)
        self.close_connection = True


def answer_to(body: dict[str, Any]) -> dict[str, Any]:
    """Return a sound answer: always the same to the same question."""
    usage = {"prompt_tokens": 7, "completion_tokens": 1}
    if "messages" in body:
        choice: dict[str, Any] = {"message": {"role": "assistant", "content": "Vero."}}
        return {"choices": [choice], "usage": usage}
    text = body["prompt"]
    choice = {"text": " vero"}
    if body.get("echo"):
        drawn = random.Random(text)  # noqa: S311
        starts = [place for place, sign in enumerate(text) if place == 0 or sign == " "]
        values = [None, *(-drawn.random() for _ in starts[1:])]
        choice["logprobs"] = {"text_offset": starts, "token_logprobs": values}
    return {"choices": [choice], "usage": usage}


@contextmanager
def hostile(mood: Mood) -> Iterator[Hostile]:
    """Run the server while the block runs."""
    with Hostile(mood) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
