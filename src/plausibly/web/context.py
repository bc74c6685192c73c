"""What every request needs: the study, its keys and texts, the store; and how requests are read."""

from __future__ import annotations

import asyncio
import json
import math
import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from jinja2 import Environment
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DatabaseError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from plausibly.ratings.answers import Refusal
from plausibly.ratings.exits import exit_link
from plausibly.ratings.served import Served
from plausibly.ratings.server import site_of
from plausibly.ratings.store.allocation import expire, has_lapsed
from plausibly.ratings.store.ids import PlatformIds
from plausibly.ratings.store.opening import probe
from plausibly.ratings.store.places import Denied
from plausibly.ratings.store.writer import StoreWriter
from plausibly.web.addresses import Addresses
from plausibly.web.health import LOCKED, LONGEST_TRIAL, Health, reason_of
from plausibly.web.keys import Keys
from plausibly.web.locale.texts import Texts

T = TypeVar("T")

URLS = ("return_url", "screened_url", "full_url")
LONGEST_BODY = 64 * 1024
AT_DESK = "at the desk"  # in the state of a desk request: where a refusal leads back, and its text
LONGEST_NAME = 200
READ_SECONDS = 20.0  # for a whole body
UNFILLED = re.compile(r"\{\{|\}\}|\$\{|%[A-Z_]+%|\[\[|\]\]")  # a gap of a link nobody filled
CONTROL = re.compile(r"[\x00-\x1f\x7f]")

# What the store denies, as a status of HTTP.
STATUS = {
    "excluded": 403,
    "full": 403,
    "taken": 409,
    "short": 409,
    "paused": 409,
    "over": 403,
    "crowded": 409,
    "address": 409,
    "fast": 429,
    "door": 403,
    "consent": 403,
    "screened": 403,
    "comprehension": 403,
    "withdrew": 409,
    "released": 409,
    "unknown": 403,
    "forged": 403,
    "expired": 409,
    "closed": 409,
    "withdrawn": 409,
    "key": 409,
    "committed": 409,
    "other-answer": 409,
    "no-person": 404,
    "no-item": 404,
    "no-round": 409,
    "round-open": 409,
    "no-such-round": 404,
}


# What the API calls a reason, where the catalogue calls it something else.
REASONS = {
    "screened": "ineligible",
    "taken": "reserved",
    "crowded": "reserved",
    "address": "reserved",
}


@dataclass(frozen=True, slots=True)
class WayOut:
    """A way out as a page shows it: a code, a link, and the name of the site it leads to."""

    code: str
    address: str
    platform: str


@dataclass(frozen=True)
class Desk:
    """Everything a request is handled with."""

    served: Served
    keys: Keys
    texts: Texts
    store: StoreWriter
    reader: Engine
    templates: Environment
    clock: Callable[[], float]
    cookie: str
    researcher: str
    addresses: Addresses
    ids: PlatformIds
    place: Path  # the file with the answers
    health: Health
    platform: Any = None  # asks the platform about people at the door; None: nobody is asked
    rehearsal: str = ""  # lets simulated people in; empty: there are none
    blank: dict[tuple[int, int], str] = field(default_factory=dict)  # questions nobody answered yet
    help: dict[tuple[str, ...], str] = field(default_factory=dict)  # by the guide it holds
    counted: dict[str, Any] = field(default_factory=dict)  # what the researcher was shown last
    draining: threading.Event = field(default_factory=threading.Event)  # set: the server stops
    tasks: set[asyncio.Task[None]] = field(default_factory=set)  # which go on after an answer
    language: str = ""  # in which the study is shown; empty where it has one alone
    others: dict[str, Desk] = field(default_factory=dict)  # the same desk in other languages

    @property
    def language_cookie(self) -> str:
        """The cookie that keeps in which language a browser is shown the study."""
        return f"{self.cookie}-language"

    def speaking(self, language: str | None) -> Desk:
        """Return the desk in a language of the study; as it is where that is not one of it."""
        if not language or language == self.language or language not in self.served.forms:
            return self
        if language not in self.others:
            texts = self.texts.speaking(language, self.served.folder)
            self.others[language] = replace(
                self,
                served=self.served.speaking(language),
                texts=texts,
                blank={},
                help={},
                language=language,
            )
        return self.others[language]

    def address(self, request: Request) -> str:
        """Return a hash of the address of a request; empty if nobody is counted by it."""
        return self.addresses.hashed(request.scope["state"]["address"])

    def per_minute(self, request: Request) -> int:
        """Return how many pages the person of a request may send in a minute; 0: no limit."""
        return int(self.served.server["answers_per_minute"]) if self.address(request) else 0

    async def write(self, job: Callable[[Connection], T], *, lasting: bool = True) -> T:
        """Return what a job returns, once it is committed.

        Args:
            job: What is done.
            lasting: Whether it must outlast a power cut, as an answer must; when something was
                first shown need not.
        """
        return await self.store.run(job, lasting=lasting)

    async def free_lapsed(self) -> None:
        """Free what was not answered in time, before what is stored is read or judged.

        A full or locked disk does not keep anybody from reading.
        """
        now = self.clock()
        if self.store.failure is None and await run_in_threadpool(self._has_lapsed, now):
            job = self.write(partial(expire, served=self.served, now=now))
            with suppress(DatabaseError, TimeoutError):
                await asyncio.wait_for(job, LONGEST_TRIAL)

    def _has_lapsed(self, now: float) -> bool:
        with self.reader.begin() as connection:
            return has_lapsed(connection, now=now)

    async def cannot_write(self) -> str:
        """Return why answers cannot be stored: disk or locked; empty if they can.

        After a failure, one more answer's worth is written the way answers are.
        """
        if self.store.failure is None:
            return await self.health.problem()
        try:
            await asyncio.wait_for(self.store.run(probe), LONGEST_TRIAL)
        except TimeoutError:
            return LOCKED
        except DatabaseError as error:
            return reason_of(error)
        return ""

    def dispose(self) -> None:
        """Let go of the database when nothing waits."""
        self.store.dispose()
        self.reader.dispose()
        self.health.dispose()

    def code(self, annotator: str, *, short: bool = False) -> str:
        """Return a completion code: that of short rounds, the study's, or a personal one."""
        if short and self.served.server["short_code"]:
            return str(self.served.server["short_code"])
        return str(self.served.server["code"] or self.keys.code(annotator))

    def way_out(self, kind: str, annotator: str = "", *, code: str = "") -> WayOut:
        """Return the code and the link of a way out, and what the site there is called."""
        server = self.served.server
        carries = any("{person}" in str(server[key]) for key in URLS)
        known = self.ids.of([annotator]).get(annotator) if carries and annotator else None
        link = exit_link(server, kind, code=code, person=known.person if known else "")
        return WayOut(link.code, link.address, site_of(link.address))

    def refused(self, refusals: tuple[Refusal, ...]) -> list[dict[str, str]]:
        """Return refusals as the API and the pages show them."""
        return [
            {
                "question": refusal.question,
                **({"candidate": refusal.candidate} if refusal.candidate else {}),
                "reason": refusal.reason,
                "message": self.texts(f"refused.{refusal.reason}", **refusal.detail),
            }
            for refusal in refusals
        ]


class RequestProblem(HTTPException):
    """A request that is not answered as asked; `errors` says more, and so do keys of its own."""

    def __init__(
        self,
        status: int,
        text: str = "",
        errors: list[Any] | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        more = more or {}
        later = more.get("retry_after")
        headers = None if later is None else {"Retry-After": str(later)}
        super().__init__(status, detail=text, headers=headers)
        self.errors = errors or []
        self.more = more


def desk_of(request: Request) -> Desk:
    """Return the desk a request is handled at."""
    desk = request.app.state.desk
    if not isinstance(desk, Desk):
        raise TypeError("the application was started without a desk")
    if not desk.served.forms:
        return desk
    kept = request.cookies.get(desk.language_cookie)
    return desk.speaking(request.query_params.get("language") or kept)


def deny(desk: Desk, denied: Denied) -> NoReturn:
    """Refuse a request for a reason the store gave."""
    reason = REASONS.get(denied.reason, denied.reason)
    more: dict[str, Any] = {"reason": reason}
    details: dict[str, Any] = {}
    if denied.places is not None:
        details = {"places": denied.places}
    if denied.seconds is not None:
        details = {"minutes": max(1, math.ceil(denied.seconds / 60))}
        more["retry_after"] = math.ceil(denied.seconds)
    text = desk.texts(f"denied.{denied.reason}", **details)
    raise RequestProblem(STATUS[denied.reason], text, [{"reason": reason, **details}], more)


async def read_body(request: Request) -> bytes:
    """Return the body of a request, refusing one that is too long before it is read whole."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > LONGEST_BODY:
        raise RequestProblem(413)
    body = bytearray()
    try:
        async with asyncio.timeout(READ_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > LONGEST_BODY:
                    raise RequestProblem(413)
    except TimeoutError:
        raise RequestProblem(408) from None
    except ClientDisconnect:
        raise RequestProblem(400) from None
    return bytes(body)


async def read_object(request: Request, *, optional: bool = False) -> Mapping[str, Any]:
    """Return the JSON object a request carries; an optional one may be missing."""
    texts = desk_of(request).texts
    body = await read_body(request)
    if optional and not body:
        return {}
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RequestProblem(415)
    try:
        document = json.loads(body, parse_constant=_not_json)
    except (ValueError, RecursionError):
        raise RequestProblem(400, texts("status.json")) from None
    if b"\\u" in body and not _encodable(document):
        raise RequestProblem(400, texts("status.json"))
    if not isinstance(document, dict):
        raise RequestProblem(422, texts("status.object"))
    return document


def _not_json(name: str) -> NoReturn:
    raise ValueError(name)


def _encodable(document: object) -> bool:
    """Return whether every text can be written as UTF-8: half of a surrogate pair cannot.

    What could just be read may still be nested too deep to be written.
    """
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        return False
    return True


def is_person(text: str) -> bool:
    """Return whether a text can be a participant number: not blank, nor a gap nobody filled.

    >>> [is_person(text) for text in ("5f3c", "  ", "{{%PROLIFIC_PID%}}", "x" * 300)]
    [True, False, False, False]
    """
    return is_name(text) and bool(text.strip()) and not UNFILLED.search(text)


def is_name(text: str) -> bool:
    """Return whether a text is as short and as clean as a number, a source or a key must be."""
    return 1 <= len(text) <= LONGEST_NAME and not CONTROL.search(text)


def refuse_unknown(desk: Desk, given: Iterable[str], known: Sequence[str]) -> None:
    """Refuse a request that carries a name nothing answers to."""
    for name in given:
        if name not in known:
            refuse_field(desk, name[:LONGEST_NAME], "known", known=", ".join(known))


def text_field(
    desk: Desk, document: Mapping[str, Any], name: str, *, default: str | None = None
) -> str:
    """Return a short text from a JSON object."""
    given = document.get(name, default)
    if not isinstance(given, str) or not 1 <= len(given) <= LONGEST_NAME:
        refuse_field(desk, name, "text", longest=LONGEST_NAME)
    if CONTROL.search(given):
        refuse_field(desk, name, "control")
    return given


def refuse_field(desk: Desk, name: str, wanted: str, **filled: object) -> NoReturn:
    """Refuse a request because of one field of its JSON object."""
    what = desk.texts(f"status.field_{wanted}", **filled)
    message = desk.texts("status.field", field=name, what=what)
    raise RequestProblem(422, message, [{"field": name, "message": what}])
