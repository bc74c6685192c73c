"""Queries to answers: what is known is not asked, what is asked is kept before more is sent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from time import perf_counter

from plausibly.asking.forecast import CHARACTERS_A_TOKEN, Price, tokens_about
from plausibly.asking.journal import Journal, KeptAnswer, key_of
from plausibly.errors import PlausiblyError, StudyError
from plausibly.ports import SILENCE, LanguageModel, Query, Reply, Unanswered, Watch

LAST_ANSWERS = 20.0
"""Seconds to wait for answers under way when asking is interrupted."""
CUT = "length"
"""How a server names an answer that was cut off for want of room."""
CUT_OFF = "cut off by length"
STOPPED = "cut off by length, and asking stopped"
UNFORESEEN = (
    "asking stopped at an answer nobody foresaw; what was answered is kept. Please report it."
)


@dataclass
class Account:
    """What asking took.

    Args:
        queries: Different queries there are.
        known: Of these, answered before.
        answered: Of these, answered now.
        failed: From a reason to how many queries failed for it.
        examples: From a reason to what the first of them said.
        unsent: Queries never sent, because asking stopped.
        elsewhere: Known answers that came from another place than the one asked now.
        prompt_tokens: Tokens read, as far as they are known.
        answer_tokens: Tokens written, as far as they are known.
        seconds: Time spent waiting for answers, summed over queries.
        price: What tokens cost, where somebody said.
        cut: Answers cut off by length; each was asked for again with more room, as far as allowed.
        known_prompt_tokens: Tokens read for the answers that were known before.
        known_answer_tokens: Tokens written for these.
        budget: What may be spent; asking stops when every answer so far, repeats included, has
            cost as much.
        waiting: Tasks not asked yet, as their examples depend on answers that are missing.
        passing: Failed queries that asking again could bring.
    """

    queries: int = 0
    known: int = 0
    answered: int = 0
    failed: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    unsent: int = 0
    elsewhere: int = 0
    prompt_tokens: int = 0
    answer_tokens: int = 0
    seconds: float = 0.0
    price: Price | None = None
    waiting: tuple[str, ...] = ()
    cut: int = 0
    budget: float | None = None
    spent: float = 0.0
    known_prompt_tokens: int = 0
    known_answer_tokens: int = 0
    passing: int = 0

    @property
    def is_spent(self) -> bool:
        """Return whether nothing is left of the budget."""
        return self.budget is not None and self.spent >= self.budget

    @property
    def is_settled(self) -> bool:
        """Return whether no answer is missing that asking again could bring."""
        return not self.passing and not self.unsent

    @property
    def cost(self) -> float | None:
        """What answers of this run cost, as far as their tokens are known."""
        if self.price is None:
            return None
        return self.price.of(self.prompt_tokens, self.answer_tokens)

    @property
    def total(self) -> dict[str, float | int]:
        """What all answers took, whenever they were given: tokens and, with a price, money."""
        read = self.known_prompt_tokens + self.prompt_tokens
        written = self.known_answer_tokens + self.answer_tokens
        counts: dict[str, float | int] = {"prompt_tokens": read, "answer_tokens": written}
        return counts if self.price is None else counts | {"cost": self.price.of(read, written)}

    def losses(self, what: str) -> list[str]:
        """Return what is missing and why, a line for each reason.

        >>> Account(queries=3, failed=Counter(refused=2)).losses("queries have no answer")
        ['2 of 3 queries have no answer (refused)']
        """
        lost = [
            f"{count} of {self.queries} {what} ({reason}): {self.examples.get(reason, '')}".rstrip(
                ": "
            )
            for reason, count in sorted(self.failed.items())
        ]
        if self.unsent:
            why = f"the budget of {self.budget:g} is spent" if self.is_spent else "asking stopped"
            lost.append(f"{self.unsent} {what}: {why}{'' if self.is_spent else ' before'}.")
        if self.waiting:
            tasks = " and ".join(self.waiting)
            lost.append(f"{tasks}: not asked until the task before has all its answers.")
        return lost

    def as_json(self) -> dict[str, object]:
        """Return the account as the manifest has it."""
        return {
            "queries": self.queries,
            "known": self.known,
            "answered": self.answered,
            "failed": dict(sorted(self.failed.items())),
            "examples": dict(sorted(self.examples.items())),
            "unsent": self.unsent,
            "elsewhere": self.elsewhere,
            "prompt_tokens": self.prompt_tokens,
            "answer_tokens": self.answer_tokens,
            "cut_off": self.cut,
            "seconds": round(self.seconds, 3),
            "total": self.total,
            **({} if self.cost is None else {"cost": self.cost}),
            **({"waiting": list(self.waiting)} if self.waiting else {}),
        }


class Asker:
    """Puts queries to one model and keeps the answers in a journal."""

    def __init__(
        self,
        model: LanguageModel,
        answers: Journal,
        *,
        concurrency: int = 4,
        watch: Watch = SILENCE,
        max_room: int | None = None,
    ) -> None:
        self.model = model
        self.account = Account()
        self._answers = answers
        self._slots = min(concurrency, model.at_once or concurrency)
        self._watch = watch
        self._max_room = max_room
        self._room = 0
        self._counted: set[str] = set()
        self._stop = Event()
        self._lock = Lock()
        self._broken: list[PlausiblyError] = []
        self._tried: set[Query] = set()

    def unknown(self, queries: Iterable[Query]) -> list[Query]:
        """Return the queries that would be sent, each once."""
        return [query for query in dict.fromkeys(queries) if self._key(query) not in self._answers]

    @property
    def settled(self) -> bool:
        """Return whether no answer is missing that asking again could bring."""
        return self.account.is_settled

    def ask(self, queries: Sequence[Query]) -> list[Reply | None]:
        """Return the answer to each query, None if there is none.

        Raises:
            PlausiblyError: If answers can no longer be kept; those kept stay.
        """
        missing = self.unknown(queries)
        self._count(queries)
        if missing and not self._stop.is_set():
            self._watch.begin("asking", len(missing))
            self._work(missing)
        self.account.unsent += sum(self._unsent(query) for query in missing)
        if self._broken:
            raise self._broken[0]
        return [self.reply(query) for query in queries]

    def _key(self, query: Query) -> str:
        return key_of(self.model.identity, query)

    def reply(self, query: Query) -> Reply | None:
        """Return the known answer to a query; None if it must be asked."""
        key = self._key(query)
        return self._answers[key].reply if key in self._answers else None

    def _count(self, queries: Iterable[Query]) -> None:
        for query in dict.fromkeys(queries):
            key = self._key(query)
            if key in self._counted:
                continue
            self._counted.add(key)
            self.account.queries += 1
            if key in self._answers:
                self.account.known += 1
                self.account.elsewhere += self._answers[key].source != self.model.source
                reply = self._answers[key].reply
                self.account.known_prompt_tokens += reply.prompt_tokens or 0
                self.account.known_answer_tokens += reply.answer_tokens or 0

    def _unsent(self, query: Query) -> bool:
        return self._stop.is_set() and query not in self._tried

    def _work(self, missing: Sequence[Query]) -> None:
        waiting: SimpleQueue[Query] = SimpleQueue()
        for query in missing:
            waiting.put(query)
        if self._slots == 1:
            self._slot(waiting)
            return
        threads = [
            Thread(target=self._slot, args=(waiting,), daemon=True)
            for _ in range(min(self._slots, len(missing)))
        ]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.2)
        except KeyboardInterrupt:
            self._end()
            for thread in threads:
                if thread.is_alive():
                    thread.join(LAST_ANSWERS / len(threads))
            raise

    def _end(self) -> None:
        """Send nothing more; answers under way are still kept."""
        self._stop.set()
        self.model.leave()

    def _slot(self, waiting: SimpleQueue[Query]) -> None:
        """Ask one query after the other; what nobody foresaw ends the asking of all slots."""
        sound = False
        try:
            while not self._stop.is_set():
                query = waiting.get_nowait()
                self._one(query)
                self._watch.advance()
            sound = True
        except Empty:
            sound = True
        finally:
            if not sound:
                self._broken.append(StudyError(UNFORESEEN))
                self._end()

    def _one(self, query: Query) -> None:
        with self._lock:
            self._tried.add(query)
        began = perf_counter()
        try:
            reply = self._whole(query)
            seconds = perf_counter() - began
            self._answers.add(self._key(query), KeptAnswer(reply, self.model.source, seconds))
        except Unanswered as failure:
            self._failure(failure)
        except PlausiblyError as error:
            self._broken.append(error)
            self._end()
        else:
            self._success(seconds)
            self._pay(query, reply)
        self.model.rest()

    def _whole(self, query: Query) -> Reply:
        """Return a whole answer: one cut off by length is asked for again with twice the room.

        Further queries begin with the room that was enough.
        """
        room = query.max_tokens
        if self._max_room is not None and not query.options:
            room = max(room, self._room)
        while True:
            reply = self.model.answer(replace(query, max_tokens=room))
            if reply.finish_reason != CUT or reply.logliks is not None:
                if room > query.max_tokens:
                    self._room = max(self._room, room)
                return reply
            if self._max_room is None and (reply.text or "").strip():
                return reply
            self._cut(query, reply)
            if room >= (self._max_room or 0):
                raise Unanswered(CUT_OFF, f"{room} tokens were not enough", lasting=True)
            if self._stop.is_set():
                raise Unanswered(STOPPED, f"{room} tokens were not enough")
            room = min(2 * room, self._max_room or room)

    def _cut(self, query: Query, reply: Reply) -> None:
        with self._lock:
            self.account.cut += 1
        self._pay(query, reply)

    def _pay(self, query: Query, reply: Reply) -> None:
        """Add what a reply took; where the model gives no tokens, the budget pays an estimate."""
        account = self.account
        read = tokens_about(query) if reply.prompt_tokens is None else reply.prompt_tokens
        written = len(reply.text or "") // CHARACTERS_A_TOKEN + 1
        written = written if reply.answer_tokens is None else reply.answer_tokens
        with self._lock:
            account.prompt_tokens += reply.prompt_tokens or 0
            account.answer_tokens += reply.answer_tokens or 0
            account.spent += 0.0 if account.price is None else account.price.of(read, written)
        if account.is_spent:
            self._end()

    def _failure(self, failure: Unanswered) -> None:
        with self._lock:
            self.account.passing += not failure.lasting
            self.account.failed[failure.reason] += 1
            self.account.examples.setdefault(failure.reason, failure.detail)
        if failure.final:
            self._end()

    def _success(self, seconds: float) -> None:
        with self._lock:
            self.account.answered += 1
            self.account.seconds += seconds
