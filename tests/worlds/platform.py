"""A platform that behaves as Prolific's documentation says, with faults on demand."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from typing import Any
from urllib.parse import parse_qs, urlsplit

TOKEN = "a token of the fake platform"  # noqa: S105


@dataclass
class FakePlatform:
    """Studies, submissions and money, as the platform keeps them.

    Args:
        faults: How often a request goes wrong: refused for now, an error before or after the work
            was done, or done and the reply lost.
        draw: Decides which.
    """

    faults: float = 0.0
    draw: Random = field(default_factory=lambda: Random(1))  # noqa: S311
    submissions: dict[str, dict[str, Any]] = field(default_factory=dict)
    studies: dict[str, dict[str, Any]] = field(default_factory=dict)
    bulks: dict[str, dict[str, Any]] = field(default_factory=dict)
    paid: list[tuple[str, int]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    jwks: list[dict[str, str]] = field(default_factory=list)
    pays_nothing: bool = False
    requests: int = 0
    happened: int = 0
    address: str = ""

    def add(self, person: str, status: str = "AWAITING REVIEW") -> None:
        """Let a person begin a submission."""
        number = f"sub-{person}"
        self.submissions[number] = {
            "id": number,
            "participant": person,
            "study_id": "ours",
            "status": status,
            "bonus_payments": [],
            "ip": "192.0.2.1",
        }

    def answer(self, method: str, path: str, query: dict[str, str], body: Any) -> tuple[int, Any]:
        """Return status and document of one request."""
        if path.startswith("/.well-known/study/"):
            return 200, {"keys": self.jwks}
        parts = [part for part in path.removeprefix("/api/v1").split("/") if part]
        named: dict[str, Callable[[], tuple[int, Any]]] = {
            "submissions": lambda: (200, self._page(query)),
            "submissions/bulk-approve": lambda: self._approve(body),
            "submissions/bonus-payments": lambda: self._set_up(body),
        }
        rooms: dict[str, Callable[[], tuple[int, Any]]] = {
            "bulk-bonus-payments": lambda: self._pay(parts[1]),
            "submissions": lambda: self._submission(parts),
            "studies": lambda: self._study(method, parts, body),
        }
        return (named.get("/".join(parts)) or rooms[parts[0]])()

    def _approve(self, body: Any) -> tuple[int, Any]:
        for number in body["submission_ids"]:
            self.submissions[number]["status"] = "APPROVED"
        return 200, {"message": "in progress"}

    def _page(self, query: dict[str, str]) -> dict[str, Any]:
        rows = [one for one in self.submissions.values() if one["study_id"] == query["study"]]
        size, page = int(query.get("page_size", 20)), int(query.get("page", 1))
        return {"results": rows[(page - 1) * size : page * size], "meta": {"count": len(rows)}}

    def _submission(self, parts: list[str]) -> tuple[int, Any]:
        if parts[1] not in self.submissions:
            return 404, _error(404)
        if parts[-1] == "request-return":
            self.asked.append(parts[1])
        return 200, self.submissions[parts[1]]

    def _study(self, method: str, parts: list[str], body: Any) -> tuple[int, Any]:
        if method == "POST" and len(parts) == 1:
            number = f"study-{len(self.studies) + 1}"
            self.studies[number] = {"id": number, "status": "UNPUBLISHED", **body}
            return 201, self.studies[number]
        if parts[1] not in self.studies:
            return 404, _error(404)
        if parts[-1] == "transition":
            if self.studies[parts[1]]["status"] != "UNPUBLISHED":
                return 400, _error(400)
            self.studies[parts[1]]["status"] = "ACTIVE"
        return 200, self.studies[parts[1]]

    def _set_up(self, body: Any) -> tuple[int, Any]:
        rows = [line.split(",") for line in body["csv_bonuses"].splitlines()]
        if not rows or len(rows) > 200:
            return 400, _error(400)
        cents = [(number, round(100 * float(amount))) for number, amount in rows]
        name = f"bulk-{len(self.bulks) + 1}"
        self.bulks[name] = {"id": name, "rows": cents}
        return 201, {"id": name, "amount": sum(amount for _, amount in cents), "fees": 0}

    def _pay(self, name: str) -> tuple[int, Any]:
        if self.pays_nothing:
            return 500, _error(500)
        for number, amount in self.bulks[name]["rows"]:  # not idempotent: again is paid again
            self.paid.append((number, amount))
            self.submissions[number]["bonus_payments"].append(amount)
        return 202, {}


def _error(status: int) -> dict[str, Any]:
    return {"error": {"status": status, "error_code": 1, "title": "no", "detail": "not possible"}}


class _Handler(BaseHTTPRequestHandler):
    platform: FakePlatform
    lock = threading.Lock()

    def do_GET(self) -> None:
        self._handle("GET")

    def do_POST(self) -> None:
        self._handle("POST")

    def _handle(self, method: str) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length)) if length else None
        url = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        with self.lock:
            platform = self.platform
            platform.requests += 1
            if self.headers.get("Authorization") != f"Token {TOKEN}":
                self._send(401, _error(401))
                return
            fault = ""
            if platform.draw.random() < platform.faults:
                platform.happened += 1
                fault = platform.draw.choice(("busy", "before", "after", "lost", "cut"))
            if fault == "busy":
                self._send(429, _error(429))
                return
            if fault == "before":
                self._send(503, _error(503))
                return
            if fault == "cut":
                return
            status, document = platform.answer(method, url.path, query, body)
            if fault == "after":
                self._send(502, _error(502))
            elif fault != "lost":
                self._send(status, document)

    def _send(self, status: int, document: Any) -> None:
        content = json.dumps(document).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        if status == 429:
            self.send_header("Retry-After", "0")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def fake_platform(**settings: Any) -> Iterator[FakePlatform]:
    """Yield a platform that listens on this machine."""
    platform = FakePlatform(**settings)
    handler = type("Handler", (_Handler,), {"platform": platform})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    platform.address = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield platform
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
