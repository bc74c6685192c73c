"""Prolific's API, as far as a study needs it: submissions, approvals, returns, bonuses.

What may be sent twice is sent again after 429, 5xx and lost replies. Paying a bonus may not: a
reply that is lost leaves its outcome unknown, and the caller must not send it again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import sleep
from typing import Any
from urllib.parse import quote, urlencode

from plausibly.backends._requests import Answered, Unreachable, request
from plausibly.errors import StudyError

TOKEN = "PROLIFIC_TOKEN"  # noqa: S105 - the name of the variable, not a token
ADDRESS = "PROLIFIC_URL"
BASE = "https://api.prolific.com"
TRIES = 6
LONGEST_WAIT = 60.0
PAGE = 100
MOST_APPROVED = 1000
MOST_BONUSES = 200
RESERVED = ("RESERVED", "ACTIVE", "AWAITING REVIEW")


class PlatformRefused(StudyError):
    """The platform answered, and nothing was done: the request was wrong or not allowed."""


class PlatformSilent(StudyError):
    """Nobody knows whether a request was carried out."""

    def __init__(self, message: str, *, sent: bool = True) -> None:
        super().__init__(message)
        self.sent = sent


@dataclass(frozen=True, slots=True)
class Submission:
    """One participation, as the platform knows it; its network address is never read."""

    submission: str
    person: str
    study: str
    status: str
    code: str | None = None
    bonuses: int = 0  # what was paid besides, in cents


class ProlificClient:
    """Speaks to Prolific with the token of an account.

    Args:
        token: The token.
        base: Where the API is.
        timeout: Seconds to wait for one answer.
        wait: Waits between two tries.
    """

    def __init__(
        self,
        token: str,
        *,
        base: str = BASE,
        timeout: float = 30.0,
        wait: Callable[[float], object] = sleep,
    ) -> None:
        self._token = token
        self._base = base.rstrip("/")
        self._timeout = timeout
        self._wait = wait

    def submission(self, number: str, *, timeout: float | None = None) -> Submission | None:
        """Return a submission; None if the platform does not know it.

        Args:
            number: The platform's id of the submission.
            timeout: Seconds after which nobody waits any longer; then it is asked only once.
        """
        path = f"/api/v1/submissions/{quote(number, safe='')}/"
        try:
            return _submission(self._ask(path, once=timeout is not None, timeout=timeout))
        except PlatformRefused as error:
            if error.args and "(404)" in str(error):
                return None
            raise

    def submissions(self, study: str) -> list[Submission]:
        """Return every submission of a study."""
        rows: list[Submission] = []
        page = 1
        while True:
            query = urlencode({"study": study, "page": page, "page_size": PAGE})
            results = self._ask("/api/v1/submissions/", query=query).get("results", [])
            rows += [_submission({"study": study, **one}) for one in results]
            if len(results) < PAGE:
                return rows
            page += 1

    def create(self, document: Mapping[str, object]) -> str:
        """Create a draft, and return its id; a reply that is lost is not sent again."""
        return str(self._ask("/api/v1/studies/", document, once=True)["id"])

    def status(self, study: str) -> str:
        """Return the state of a study."""
        return str(self._ask(f"/api/v1/studies/{quote(study, safe='')}/").get("status", "UNKNOWN"))

    def publish(self, study: str) -> str:
        """Publish a study, and return its state; one that is published stays so."""
        path = f"/api/v1/studies/{quote(study, safe='')}/transition/"
        for last in (False, True):
            before = self.status(study)
            if before != "UNPUBLISHED":
                return before
            try:
                self._ask(path, {"action": "PUBLISH"}, once=True)
            except PlatformSilent:
                if last:
                    raise
        return self.status(study)

    def approve(self, submissions: Sequence[str]) -> None:
        """Approve submissions; sending this twice changes nothing."""
        for start in range(0, len(submissions), MOST_APPROVED):
            some = list(submissions[start : start + MOST_APPROVED])
            self._ask("/api/v1/submissions/bulk-approve/", {"submission_ids": some})

    def ask_return(self, submission: str, reason: str) -> None:
        """Ask a person to return their submission."""
        path = f"/api/v1/submissions/{quote(submission, safe='')}/request-return/"
        self._ask(path, {"request_return_reasons": [reason]})

    def prepare_bonuses(self, study: str, cents: Iterable[tuple[str, int]]) -> tuple[str, int]:
        """Set up bonuses without paying them, and return their number and sum in cents."""
        lines = "".join(f"{one},{amount / 100:.2f}\n" for one, amount in cents)
        document = {"study_id": study, "csv_bonuses": lines}
        answer = self._ask("/api/v1/submissions/bonus-payments/", document)
        return str(answer["id"]), round(float(answer["amount"]))

    def pay_bonuses(self, number: str) -> None:
        """Pay bonuses that were set up; never twice.

        Raises:
            PlatformRefused: If they were not paid.
            PlatformSilent: If nobody knows; `sent` is False if nothing can have arrived.
        """
        self._ask(f"/api/v1/bulk-bonus-payments/{quote(number, safe='')}/pay/", {}, once=True)

    def keys(self, *, timeout: float | None = None) -> list[dict[str, Any]]:
        """Return the public keys links are signed with; asked for once if there is a time limit."""
        path = "/.well-known/study/jwks.json"
        answer = self._ask(path, once=timeout is not None, timeout=timeout)
        return list(answer.get("keys", []))

    def _ask(
        self,
        path: str,
        body: Mapping[str, object] | None = None,
        *,
        query: str = "",
        once: bool = False,
        timeout: float | None = None,
    ) -> dict[str, Any]:
        """Return the document of an answer; tried again where that is harmless."""
        problem = PlatformSilent(f"{path}: no answer.")
        for number in range(TRIES):
            try:
                answer = self._send(path, body, query, timeout or self._timeout)
            except PlatformSilent as error:
                if once or number == TRIES - 1:
                    raise
                problem, pause = error, None
            else:
                if not isinstance(answer, Answered):
                    return answer
                # Refused for now: nothing was done, so that even a payment may be sent again.
                problem = PlatformSilent(f"{path}: too many requests.", sent=False)
                pause = answer.retry_after
                if timeout is not None:
                    raise problem
            if number < TRIES - 1:
                self._wait(min(pause if pause is not None else 2.0**number, LONGEST_WAIT))
        raise problem

    def _send(
        self, path: str, body: Mapping[str, object] | None, query: str, timeout: float
    ) -> dict[str, Any] | Answered:
        """Return the document of one answer, or the answer itself if it says to wait."""
        try:
            answer = request(
                f"{self._base}{path}",
                body,
                headers={"Authorization": f"Token {self._token}"},
                timeout=timeout,
                query=query,
            )
        except Unreachable as error:
            raise PlatformSilent(f"{path}: {error}", sent=not error.absent) from error
        if answer.line is not None:
            answer.line.close()
        if answer.status == 429:
            return answer
        if answer.status >= 500 or answer.problem is not None:
            raise PlatformSilent(f"{path}: no usable answer ({answer.problem or answer.status}).")
        if answer.status >= 400:
            raise PlatformRefused(f"{path}: refused ({answer.status}): {_detail(answer)}")
        return _document(answer, path)


def client_from_environment() -> ProlificClient | None:
    """Return a client with the token in PROLIFIC_TOKEN; None without one."""
    token = os.environ.get(TOKEN, "")
    return ProlificClient(token, base=os.environ.get(ADDRESS) or BASE) if token else None


def _document(answer: Answered, path: str) -> dict[str, Any]:
    if not answer.text.strip():
        return {}
    try:
        document = json.loads(answer.text)
    except ValueError as error:
        raise PlatformSilent(f"{path}: the answer is not JSON.") from error
    return document if isinstance(document, dict) else {"results": document}


def _detail(answer: Answered) -> str:
    """Return what the platform says is wrong, nested or flat."""
    try:
        document = json.loads(answer.text)
    except ValueError:
        return answer.message
    error = document.get("error", document) if isinstance(document, dict) else document
    detail = error.get("detail") or error.get("title") if isinstance(error, dict) else error
    return str(detail or answer.message)[:300]


def _submission(row: Mapping[str, Any]) -> Submission:
    """Return a submission without anything else its row may hold, such as an address."""
    paid = row.get("bonus_payments") or []
    amounts = [one.get("amount", 0) if isinstance(one, dict) else one for one in paid]
    return Submission(
        submission=str(row["id"]),
        person=str(row.get("participant") or row.get("participant_id") or ""),
        study=str(row.get("study_id") or row.get("study") or ""),
        status=str(row.get("status") or "UNKNOWN"),
        code=row.get("entered_code") or row.get("study_code"),
        bonuses=round(sum(float(one) for one in amounts)),
    )
