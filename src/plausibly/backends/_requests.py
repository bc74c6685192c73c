"""One request over HTTP and what came of it, however badly the other side behaves."""

from __future__ import annotations

import json
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from math import isfinite
from time import monotonic
from urllib.parse import urlsplit

from plausibly.errors import PlausiblyError, StudyError, shown

LARGEST = 8 * 1024 * 1024
"""Bytes of an answer that are read at most."""
PART = 64 * 1024
QUOTED = 200
LATE = "no answer in time"


class Unreachable(PlausiblyError):
    """Nobody answered: no connection, or one that broke before an answer began."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What a server sent back.

    Args:
        status: The HTTP status.
        text: The body, as far as it is usable.
        retry_after: Seconds the server asks to wait, where it does.
        problem: What is wrong with the body, in a few words; None if it came whole.
    """

    status: int
    text: str
    retry_after: float | None = None
    problem: str | None = None

    @property
    def message(self) -> str:
        """Return the beginning of the body, for a report."""
        return shown(self.text[:QUOTED].strip())


def request(
    url: str, body: Mapping[str, object] | None, *, key: str | None, timeout: float
) -> Answered:
    """Return what an address answers: to a JSON document, or to being asked for one.

    Raises:
        Unreachable: If no answer began.
        StudyError: If the address is none.
    """
    connection, path = _connection(url, timeout)
    headers = {"Accept": "application/json", "Connection": "close"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    content = None
    if body is not None:
        content = json.dumps(body).encode()
        headers["Content-Type"] = "application/json"
    try:
        connection.request("GET" if body is None else "POST", path, content, headers)
        return _read(connection.getresponse(), monotonic() + timeout)
    except TimeoutError:
        return Answered(200, "", problem=LATE)
    except (OSError, HTTPException) as error:
        raise Unreachable(f"{type(error).__name__}: {error}") from error
    finally:
        connection.close()


def _connection(url: str, timeout: float) -> tuple[HTTPConnection, str]:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise StudyError(f"{url}: no address ({error}).") from error
    if parts.scheme not in ("http", "https") or not host:
        raise StudyError(f"{url}: no address. Expected http://HOST:PORT/v1 or https://HOST/v1.")
    if parts.scheme == "https":
        context = ssl.create_default_context()
        return HTTPSConnection(host, port, timeout=timeout, context=context), parts.path
    return HTTPConnection(host, port, timeout=timeout), parts.path


def _read(response: HTTPResponse, deadline: float) -> Answered:
    status, wait = response.status, _seconds(response.getheader("Retry-After"))
    content = b""
    try:
        while len(content) <= LARGEST and monotonic() < deadline:
            part = response.read1(PART)
            if not part:
                break
            content += part
    except TimeoutError:
        return Answered(status, "", wait, LATE)
    except (OSError, HTTPException) as error:
        return Answered(status, shown(error), wait, "truncated answer")
    if monotonic() >= deadline:
        return Answered(status, "", wait, LATE)
    if len(content) > LARGEST:
        beginning = _decoded(content[:QUOTED])
        return Answered(status, beginning, wait, f"answer over {LARGEST // 2**20} MiB")
    text = _decoded(content)
    length = response.getheader("Content-Length")
    if length is not None and length.isdecimal() and len(content) < int(length):
        return Answered(status, text, wait, "truncated answer")
    return Answered(status, text, wait)


def _decoded(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _seconds(header: str | None) -> float | None:
    """Return how long a server asks to wait: a number of seconds, or until a date."""
    if not header:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            moment = parsedate_to_datetime(header)
        except ValueError:
            return None
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        seconds = (aware - datetime.now(UTC)).total_seconds()
    return max(seconds, 0.0) if isfinite(seconds) else None
