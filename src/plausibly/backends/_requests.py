"""One HTTP request and its result, however badly the server behaves."""

from __future__ import annotations

import json
import os
import ssl
from collections.abc import Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from io import BufferedReader, RawIOBase
from math import isfinite
from select import POLLIN, poll
from socket import gaierror, socket
from time import monotonic
from typing import Any
from urllib.parse import urlsplit

from plausibly.errors import PlausiblyError, StudyError, shown

LARGEST = 8 * 1024 * 1024
"""The most bytes of an answer that are kept."""
POURED = 256 * 1024 * 1024
"""Bytes of a longer answer that are read and discarded, to let the sender finish."""
LINGER = 1.0
"""Seconds to wait for a server to hang up after its answer and stop counting the connection."""
GLANCE = 0.05
"""Seconds to wait for a server that once did not hang up in time."""
PART = 64 * 1024
QUOTED = 200
LATE = "no answer in time"
GARBLED = "malformed JSON"


class Unreachable(PlausiblyError):
    """Nobody answered: no connection, or one that broke before an answer began.

    Args:
        message: What happened.
        absent: Whether there seems to be no such server at all.
    """

    def __init__(self, message: str, *, absent: bool = False) -> None:
        super().__init__(message)
        self.absent = absent


class Line:
    """The connection of an answer, which counts as open until the server hangs up."""

    def __init__(self, line: socket) -> None:
        self._end: int | None = os.dup(line.fileno())

    def left_open(self, seconds: float) -> bool:
        """Wait that long for the server to hang up, then close; return whether it did not."""
        if self._end is None:
            return False
        ending = poll()
        ending.register(self._end, POLLIN)
        stayed = not ending.poll(seconds * 1000)
        self.close()
        return stayed

    def close(self) -> None:
        """Close at once."""
        if self._end is not None:
            os.close(self._end)
            self._end = None

    def __del__(self) -> None:
        self.close()


@dataclass(frozen=True, slots=True)
class Answered:
    """What a server sent back.

    Args:
        status: The HTTP status.
        text: The body, as far as it is usable.
        retry_after: Seconds the server asks to wait, where it does.
        problem: What is wrong with the body, in a few words; None if it came whole.
        absent: Whether there is no server at all.
        line: The connection the answer came over, until the server hangs up.
    """

    status: int
    text: str
    retry_after: float | None = None
    problem: str | None = None
    absent: bool = False
    line: Line | None = field(default=None, compare=False)

    @property
    def message(self) -> str:
        """Return the beginning of the body, for a report."""
        return shown(self.text[:QUOTED].strip())


class _Timed(RawIOBase):
    """Bytes from a connection up to a fixed deadline, however slowly they trickle in."""

    def __init__(self, line: socket, until: float) -> None:
        self._line = line
        self._stream = line.makefile("rb", buffering=0)
        self._until = until

    def readable(self) -> bool:
        """Return True: it can be read."""
        return True

    def readinto(self, buffer: Any) -> int | None:
        """Fill the buffer with the bytes received; raise once the deadline has passed."""
        left = self._until - monotonic()
        if left <= 0:
            raise TimeoutError
        self._line.settimeout(left)
        return self._stream.readinto(buffer)

    def close(self) -> None:
        """Close the connection."""
        self._stream.close()
        super().close()


class _TimedResponse(HTTPResponse):
    """A response that must be complete, headers included, before the connection's deadline."""

    def __init__(self, sock: socket, *args: Any, **options: Any) -> None:
        super().__init__(sock, *args, **options)
        self.fp.close()
        self.fp = BufferedReader(_Timed(sock, monotonic() + (sock.gettimeout() or 0.0)))

    def begin(self) -> None:
        """Read the status and headers of the answer itself, skipping interim responses."""
        super().begin()
        while HTTPStatus.PROCESSING <= self.status < HTTPStatus.OK:
            self.headers = self.msg = None  # type: ignore[assignment]
            super().begin()


def request(
    url: str,
    body: Mapping[str, object] | None,
    *,
    headers: Mapping[str, str],
    timeout: float,
    query: str = "",
) -> Answered:
    """Return the answer of an address to a JSON document (POST) or to a plain request (GET).

    Args:
        url: The address.
        body: The document to send; None for a GET.
        headers: Headers to send with it, such as the API key.
        timeout: Seconds until the last byte of the answer.
        query: The query string, without its question mark.

    Returns:
        The answer, with the connection it came over, which the caller must close.

    Raises:
        Unreachable: If no answer began.
        StudyError: If the address is not valid.
    """
    connection, path = _connection(url, timeout)
    path = f"{path}?{query}" if query else path
    connection.response_class = _TimedResponse
    sent = {"Accept": "application/json", "Connection": "close", **headers}
    content = None
    if body is not None:
        content = json.dumps(body).encode()
        sent["Content-Type"] = "application/json"
    deadline = monotonic() + timeout
    try:
        connection.connect()
        with ExitStack() as stack:
            line = stack.enter_context(closing(Line(connection.sock)))
            connection.request("GET" if body is None else "POST", path, content, sent)
            connection.sock.settimeout(max(deadline - monotonic(), 0.001))
            answered = _read(connection.getresponse(), deadline)
            if answered.problem == LATE:
                return answered
            stack.pop_all()
            return replace(answered, line=line)
    except TimeoutError:
        return Answered(200, "", problem=LATE)
    except (OSError, HTTPException, ValueError) as error:
        absent = isinstance(error, ConnectionRefusedError | gaierror | ssl.SSLError)
        raise Unreachable(f"{type(error).__name__}: {shown(error)}", absent=absent) from error
    finally:
        connection.close()


def _connection(url: str, timeout: float) -> tuple[HTTPConnection, str]:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise StudyError(f"{url}: not an address ({error}).") from error
    if parts.scheme not in ("http", "https") or not host:
        raise StudyError(f"{url}: not an address. Expected http://HOST:PORT/v1 or https://HOST/v1.")
    if parts.username or parts.query:
        raise StudyError(
            f"{parts.scheme}://{host}: the address contains a user name, a password or a query. "
            "Expected http://HOST:PORT/v1; put a key into the environment."
        )
    if parts.scheme == "https":
        context = ssl.create_default_context()
        return HTTPSConnection(host, port, timeout=timeout, context=context), parts.path
    return HTTPConnection(host, port, timeout=timeout), parts.path


def _read(response: HTTPResponse, deadline: float) -> Answered:
    status, wait = response.status, _seconds(response.getheader("Retry-After"))
    content, poured = bytearray(), 0
    try:
        while poured <= POURED and (part := response.read1(PART)):
            if monotonic() >= deadline:
                return Answered(status, "", wait, LATE)
            poured += len(part)
            if len(content) <= LARGEST:
                content += part
    except TimeoutError:
        return Answered(status, "", wait, LATE)
    except (OSError, HTTPException, ValueError) as error:
        return Answered(status, shown(error), wait, "truncated answer")
    return _weighed(response, bytes(content), wait)


def _weighed(response: HTTPResponse, content: bytes, wait: float | None) -> Answered:
    """Return the answer, noting a problem with its size or compression."""
    status, length = response.status, response.getheader("Content-Length") or ""
    if len(content) > LARGEST:
        beginning = _decoded(content[:PART])
        return Answered(status, beginning, wait, f"answer over {LARGEST // 2**20} MiB")
    packed = (response.getheader("Content-Encoding") or "identity").strip().casefold()
    if packed != "identity":
        return Answered(status, f"asked for plain text, got {packed[:40]}", wait, "packed answer")
    text = _decoded(content)
    if length.isdecimal() and len(length) < 19 and len(content) < int(length):
        return Answered(status, text, wait, "truncated answer")
    goal = response.getheader("Location")
    if 300 <= status < 400 and goal:
        text = f"name the right address; this one redirects to {shown(goal)}"
    return Answered(status, text, wait, None if _is_text(content) else GARBLED)


def _is_text(content: bytes) -> bool:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _decoded(content: bytes) -> str:
    return content.decode("utf-8-sig", "replace")


def _seconds(header: str | None) -> float | None:
    """Return how many seconds a server asks us to wait; it may send seconds or a date."""
    if not header:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            moment = parsedate_to_datetime(header)
        except (ValueError, OverflowError, TypeError, IndexError):
            return None
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        seconds = (aware - datetime.now(UTC)).total_seconds()
    return max(seconds, 0.0) if isfinite(seconds) else None
