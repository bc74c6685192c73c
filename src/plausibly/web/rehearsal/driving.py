"""The real server in a thread of its own, and a clock that people's work moves on."""

from __future__ import annotations

import hashlib
import heapq
import http.client
import json
import os
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from plausibly.errors import StudyError
from plausibly.io import write_text
from plausibly.ports import SILENCE, Watch
from plausibly.ratings.answers import Answer, check_answers
from plausibly.ratings.served import Served
from plausibly.ratings.simulated.outlook import Outlook
from plausibly.ratings.simulated.people import SimulatedPerson
from plausibly.web.app import create_app
from plausibly.web.keys import FILE as KEY
from plausibly.web.keys import VARIABLE
from plausibly.web.logs import json_lines
from plausibly.web.running import threaded

START = 1_767_225_600.0  # the first of January 2026, so that a rehearsal has no date of its own
BETWEEN = 20.0  # mean seconds between two people who arrive
NEXT_DAY = 24 * 3600.0
TRIES = 3  # how often somebody who was asked to come later does
TOKEN = "a-token-of-a-rehearsal-alone"  # noqa: S105 - opens a server nobody else can reach
KEY_IN = secrets.token_urlsafe(24)  # lets simulated people in, on a server of this process alone
PATIENCE = 30.0


@dataclass
class Clock:
    """The time of a rehearsal; the server reads it, nobody who asks can move it."""

    now: float = START

    def __call__(self) -> float:
        """Return the time."""
        return self.now


@dataclass
class RehearsalTally:
    """What happened in a rehearsal."""

    joined: dict[str, str] = field(default_factory=dict)
    turned_away: int = 0
    answers: int = 0
    refused: int = 0
    finished: int = 0
    seconds: float = 0.0
    ended: float = START

    @property
    def days(self) -> float:
        """Days from the first who came to the last who answered."""
        return (self.ended - START) / 86400


@contextmanager
def rehearsal_server(served: Served, folder: Path, clock: Clock, seed: int) -> Iterator[int]:
    """Yield the port of a server of the study whose answers are in another folder."""
    secret = hashlib.sha256(f"rehearsal|{seed}".encode()).hexdigest()
    write_text(folder / KEY, secret)
    unlimited = {**served.server, "requests_per_minute": 10**9, "session_hours": 10**5}
    own = replace(served, folder=folder, server=unlimited)
    held = os.environ.pop(VARIABLE, None)
    try:
        app = create_app(own, database=None, token=TOKEN, clock=clock, rehearsal=KEY_IN)
    finally:
        if held is not None:
            os.environ[VARIABLE] = held
    with json_lines(), threaded(app) as port:
        yield port


class Caller:
    """Asks the server over HTTP, one connection kept open."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)

    def ask(self, method: str, path: str, token: str = "", body: object = None) -> tuple[int, Any]:
        """Return status and document of an answer."""
        headers = {"Content-Type": "application/json"}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        content = None if body is None else json.dumps(body)
        self._connection.request(method, path, content, headers)
        response = self._connection.getresponse()
        text = response.read().decode()
        return response.status, json.loads(text) if text.startswith(("{", "[")) else text

    def lines(self, path: str) -> list[dict[str, Any]]:
        """Return the documents of a stream of JSON lines the researcher asks for."""
        _, text = self._raw(path)
        return [json.loads(line) for line in text.splitlines() if line]

    def _raw(self, path: str) -> tuple[int, str]:
        self._connection.request("GET", path, headers={"Authorization": f"Bearer {TOKEN}"})
        response = self._connection.getresponse()
        return response.status, response.read().decode()

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


class Drive:
    """Lets everyone act in the order of the simulated time, one act after the other."""

    def __init__(self, served: Served, caller: Caller, clock: Clock, outlook: Outlook) -> None:
        self.served = served
        self.caller = caller
        self.clock = clock
        self.outlook = outlook
        self._coded: dict[str, str] = {}  # from a person to what the server calls them
        self._taken: dict[str, dict[tuple[str, str], Answer]] = {}
        self.tally = RehearsalTally()
        self._queue: list[tuple[float, int, Callable[[], None]]] = []
        self._turn = 0

    def run(self, people: Sequence[SimulatedPerson], watch: Watch = SILENCE) -> RehearsalTally:
        """Let all people take part, and return what happened."""
        arrival = START
        for person in people:
            arrival += float(person.draws("arrival").exponential(BETWEEN))
            self._later(arrival, partial(self._join, person, again=False))
        watch.begin("acts of simulated people")
        while self._queue:
            self.clock.now, _, act = heapq.heappop(self._queue)
            act()
            self.tally.ended = max(self.tally.ended, self.clock.now)
            watch.advance()
        return self.tally

    def _later(self, when: float, act: Callable[[], None]) -> None:
        self._turn += 1
        heapq.heappush(self._queue, (when, self._turn, act))

    def _join(self, person: SimulatedPerson, *, again: bool, tries: int = TRIES) -> None:
        sent = {"person": person.name, "source": "rehearsal"}
        status, document = self.caller.ask("POST", "/api/v1/join", KEY_IN, body=sent)
        if status == 409 and tries:  # places are only kept for others, who may not come back
            wait = float(document.get("retry_after") or BETWEEN)
            self._later(
                self.clock.now + wait, partial(self._join, person, again=again, tries=tries - 1)
            )
            return
        if status != 200:
            self.tally.turned_away += not again
            return
        self.tally.joined[document["annotator"]] = person.kind
        self._coded[person.name] = document["annotator"]
        self._ask(person, document["token"], 0, again=again)

    def _ask(self, person: SimulatedPerson, token: str, done: int, *, again: bool) -> None:
        if person.leaves_after is not None and done >= person.leaves_after:
            return
        status, shown = self.caller.ask("GET", "/api/v1/next", token)
        if status != 200 or shown.get("done"):
            finished = status == 200 and shown.get("code") is not None
            self.tally.finished += finished and not again
            if finished and person.kind == "returning" and not again:
                self._later(self.clock.now + NEXT_DAY, lambda: self._join(person, again=True))
            return
        item = shown["item"]
        content, step = self.served.contents[item], shown.get("step") or 1
        seconds = person.seconds(item, step, content, self.outlook)
        self._later(
            self.clock.now + seconds,
            lambda: self._answer(person, token, shown, done, seconds, again=again),
        )

    def _answer(
        self,
        person: SimulatedPerson,
        token: str,
        shown: dict[str, Any],
        done: int,
        seconds: float,
        *,
        again: bool,
    ) -> None:
        item, step = shown["item"], shown.get("step") or 1
        content = self.served.contents[item]
        form = self.served.form
        questions = [one for one in form.questions if one.form_step == step]
        taken = {} if step == 1 else self._taken.get(person.name, {})
        answers = person.answers(questions, item, content, taken=taken, outlook=self.outlook)
        own = check_answers(form, answers, candidates=content.names, step=step, earlier=taken)
        self._taken[person.name] = {**taken, **{(o.question, o.candidate): o for o in own.answers}}
        numbered = self.served.seen(item, self._coded[person.name]).outward
        sent = {
            "reservation": shown["reservation"],
            "answers": numbered.sent(answers),
            "key": f"{person.name}|{item}|{step}|{again}",
            **({"step": step} if form.steps > 1 else {}),
        }
        status, document = self.caller.ask("POST", "/api/v1/answers", token, sent)
        if status == 422:
            raise StudyError(
                f"{self.served.folder}: a rehearsed answer to {item!r} was refused "
                f"({document.get('errors')}): simulated people cannot answer this form."
            )
        self.tally.refused += status not in (200, 201)
        self.tally.answers += status == 201
        self.tally.seconds += seconds
        self._ask(person, token, done + 1, again=again)
