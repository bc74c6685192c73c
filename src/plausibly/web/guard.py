"""Checks of every request: who sends it, how often, and strict headers."""

from __future__ import annotations

import hmac
from collections.abc import Callable
from itertools import chain
from time import monotonic
from typing import Any

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plausibly.web.context import Desk
from plausibly.web.logs import note_request
from plausibly.web.subpath import base_of, inside, outside

POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
)
RESEARCHER = "researcher"
REHEARSAL = "rehearsal"
MOST_KNOWN = 10_000
LONGEST_HEAD = 32 * 1024  # bytes of the address and the headers of a request


class Limiter:
    """Lets everyone ask so many times a minute; what is not used up adds up to one minute's worth.

    >>> limiter = Limiter(per_minute=2)
    >>> [limiter.allows("ann", now=0.0) for _ in range(3)]
    [True, True, False]
    >>> limiter.allows("ann", now=30.0)
    True
    """

    def __init__(self, *, per_minute: int) -> None:
        self._most = float(per_minute)
        self._left: dict[str, tuple[float, float]] = {}

    def allows(self, who: str, *, now: float) -> bool:
        """Return whether someone may ask once more, and count it."""
        left, before = self._left.get(who, (self._most, now))
        left = min(self._most, left + (now - before) * self._most / 60)
        allowed = left >= 1
        if len(self._left) > MOST_KNOWN:
            self._forget(now)
        self._left[who] = (left - allowed, now)
        return allowed

    def _forget(self, now: float) -> None:
        """Forget whoever has not asked for a minute: they have their full number again."""
        self._left = {who: kept for who, kept in self._left.items() if now - kept[1] < 60}


class Guard:
    """The outermost layer: finds out who asks, refuses too many requests, adds strict headers.

    Args:
        app: What is guarded.
        desk: Knows the keys, the researcher's token and the name of the cookie.
        limiter: Counts requests.
        refuse: Returns what answers a request that is refused with a status.
    """

    def __init__(
        self, app: ASGIApp, *, desk: Desk, limiter: Limiter, refuse: Callable[[int], ASGIApp]
    ) -> None:
        self._app = app
        self._keys = desk.keys
        self._researcher = desk.researcher.encode()
        self._rehearsal = desk.rehearsal.encode()
        self._cookie = desk.cookie.encode()
        self._addresses = desk.addresses
        self._base = base_of(desk.served.server)
        self._limiter = limiter
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers, state = dict(scope["headers"]), scope.setdefault("state", {})
        began, status = monotonic(), 500
        inside(scope, self._base)
        who = self._identify(headers, state)
        client = scope.get("client")
        state["address"] = self._addresses.address(client[0], headers) if client else ""
        if who is None:
            who = f"@{state['address']}"

        async def sends(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _harden(message, self._base)
            await send(message)

        allowed = scope["path"] == "/healthz" or self._limiter.allows(who, now=began)
        app = self._app if allowed else self._refuse(429)
        if _head_of(scope) > LONGEST_HEAD:
            app = self._refuse(431)
        try:
            await app(scope, receive, sends)
        finally:
            page = getattr(scope.get("endpoint"), "__name__", "")
            seconds = monotonic() - began
            note_request(page=page, method=scope["method"], status=status, seconds=seconds)

    def _identify(self, headers: dict[bytes, bytes], state: dict[str, Any]) -> str | None:
        """Return a name to count requests under; leave in the state who it is."""
        state |= {"annotator": None, "session": None, "researcher": False, "rehearsal": False}
        kind, _, token = headers.get(b"authorization", b"").partition(b" ")
        if kind.lower() == b"bearer" and token:
            if self._researcher and hmac.compare_digest(token, self._researcher):
                state["researcher"] = True
                return RESEARCHER
            if self._rehearsal and hmac.compare_digest(token, self._rehearsal):
                state["rehearsal"] = True
                return REHEARSAL
            annotator = self._keys.read_token(token.decode("latin-1"))
            state["annotator"] = annotator
            return annotator
        cookie = _cookie(headers.get(b"cookie", b""), self._cookie)
        session = self._keys.read_session(cookie) if cookie else None
        state["session"] = session
        return session.annotator if session is not None else None


def _head_of(scope: Scope) -> int:
    """Return how many bytes the address and the headers of a request have.

    >>> _head_of({"raw_path": b"/work", "query_string": b"a=1", "headers": [(b"host", b"x")]})
    13
    """
    fields = sum(map(len, chain.from_iterable(scope["headers"])))
    return len(scope.get("raw_path") or b"") + len(scope["query_string"]) + fields


def _cookie(header: bytes, name: bytes) -> str:
    """Return the value of a cookie, whatever others a browser sends next to it.

    >>> _cookie(b"seen=yes; plausibly-1=abc.def", b"plausibly-1"), _cookie(b"seen=yes", b"x")
    ('abc.def', '')
    """
    pairs = (one.strip().partition(b"=") for one in header.split(b";"))
    return next((value.decode("latin-1") for key, _, value in pairs if key == name), "")


def _harden(message: Message, base: str) -> None:
    headers = message["headers"] = list(message.get("headers", ()))
    if base:
        headers[:] = [(name, outside(name, value, base)) for name, value in headers]
    headers.extend(HEADERS)
    if not any(name == b"cache-control" for name, _ in headers):
        headers.append((b"cache-control", b"no-store"))
