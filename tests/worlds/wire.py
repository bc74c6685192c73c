"""A server that sends exactly the bytes it is told to, when it is told to."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from typing import Any

RESET = "reset"
Part = bytes | float | str
"""Bytes to send, seconds to wait, or RESET to tear the line down."""
Script = Callable[[dict[str, Any], int], Sequence[Part]]
"""From what is asked and the how-manieth request it is, from 1, to what is sent."""


class Wire:
    """Counts requests, and how many are open at once, until their line is closed."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.door = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.lock = Lock()
        self.closing = Event()
        self.bodies: list[dict[str, Any]] = []
        self.whole: list[dict[str, Any]] = []
        self.open = 0
        self.most = 0

    @property
    def url(self) -> str:
        """The address that ends in /v1."""
        return f"http://127.0.0.1:{self.door.getsockname()[1]}/v1"

    def serve(self) -> None:
        """Let everybody in, a thread each."""
        with suppress(OSError):
            while True:
                line, _ = self.door.accept()
                Thread(target=self._talk, args=(line,), daemon=True).start()

    def _talk(self, line: socket.socket) -> None:
        with line, suppress(OSError, ValueError):
            line.settimeout(30)
            body = _request(line)
            with self.lock:
                self.bodies.append(body)
                number = len(self.bodies)
                self.open += 1
                self.most = max(self.most, self.open)
            try:
                self._send(line, self.script(body, number))
                with self.lock:
                    self.whole.append(body)
            finally:
                with self.lock:
                    self.open -= 1

    def _send(self, line: socket.socket, parts: Sequence[Part]) -> None:
        for part in parts:
            if isinstance(part, bytes):
                line.sendall(part)
            elif isinstance(part, float):
                self.closing.wait(part)
            else:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                return


def _request(line: socket.socket) -> dict[str, Any]:
    content = b""
    while b"\r\n\r\n" not in content:
        content += line.recv(65536) or _gone()
    head, _, body = content.partition(b"\r\n\r\n")
    if not head.startswith(b"POST"):
        return {"path": head.split()[1].decode()}
    length = next(
        int(one.split(b":")[1])
        for one in head.split(b"\r\n")
        if one.lower().startswith(b"content-length")
    )
    while len(body) < length:
        body += line.recv(65536) or _gone()
    document = json.loads(body)
    assert isinstance(document, dict)
    return document


def _gone() -> bytes:
    raise ValueError("the client is gone")


def http(
    document: object, *, status: str = "200 OK", headers: str = "", version: str = "1.1"
) -> bytes:
    """Return a whole answer; bytes are sent as they are, anything else as JSON."""
    content = document if isinstance(document, bytes) else json.dumps(document).encode()
    head = f"HTTP/{version} {status}\r\nContent-Length: {len(content)}\r\n{headers}\r\n"
    return head.encode() + content


def chat(text: str, **more: object) -> dict[str, object]:
    """Return a sound document of a conversation."""
    return {"choices": [{"message": {"role": "assistant", "content": text}, **more}]}


@contextmanager
def wire(script: Script) -> Iterator[Wire]:
    """Run the server while the block runs."""
    server = Wire(script)
    thread = Thread(target=server.serve, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.door.shutdown(socket.SHUT_RDWR)
        server.door.close()
        thread.join(5)
