"""A study on Prolific: draft, publish, sync, approve, pay bonuses; nothing is sent unasked."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from plausibly.backends.prolific import (
    MOST_BONUSES,
    TOKEN,
    PlatformRefused,
    PlatformSilent,
    ProlificClient,
    client_from_environment,
)
from plausibly.errors import StudyError
from plausibly.ratings.payroll import BonusDue, payroll
from plausibly.ratings.served import Served
from plausibly.ratings.store.ids import Payment, PlatformId
from plausibly.ratings.store.statuses import follow_status
from plausibly.study.arguments import checked
from plausibly.web.people.opening import OpenPeople, opened_people
from plausibly.web.study import read_study

BONUS, RETURN = "bonus", "return"
SETTLE_SECONDS = 48 * 3600.0  # after which a bonus the platform does not show was not paid
DEVICES = ("desktop", "tablet", "mobile")


@dataclass(frozen=True, slots=True)
class PlatformStep:
    """What was done on a platform, or would be.

    Args:
        what: The step.
        done: Whether it was done; else it is a dry run.
        counts: How many submissions, people or payments it is about.
        document: What is sent, where that is one document.
        notes: What to do next, one sentence each.
    """

    what: str
    done: bool
    counts: Mapping[str, int | float | str] = field(default_factory=dict)
    document: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """Return what was done, in numbers."""
        more = {"document": dict(self.document)} if self.document else {}
        return {"what": self.what, "done": self.done, **self.counts, **more}


@checked
def prolific_draft(study: str | Path, *, yes: bool = False) -> PlatformStep:
    """Create the study on Prolific as a draft, from what study.toml says.

    Args:
        study: The study folder.
        yes: Do it; without this, only show what would be done.

    Examples:
        plausibly prolific draft my-study
        plausibly prolific draft my-study --yes

    >>> import tempfile
    >>> import plausibly as pb
    >>> with tempfile.TemporaryDirectory() as place:
    ...     study = pb.init("pap", Path(place, "otters"), example=True)
    ...     prolific_draft(Path(place, "otters"))
    Traceback (most recent call last):
    plausibly.errors.StudyError: [server] public_url is empty. A draft on Prolific needs it.
    """
    served = read_study(Path(study))
    document = draft_of(served)
    if not yes:
        return PlatformStep("draft", done=False, document=document)
    number = _client().create(document)
    note = f'Set [server] platform = "prolific" and platform_study = "{number}" in study.toml.'
    return PlatformStep("draft", done=True, counts={"study": number}, notes=(note,))


def draft_of(served: Served) -> dict[str, Any]:
    """Return a study as Prolific takes it; raise if study.toml does not say enough."""
    server = served.server
    for key in ("public_url", "minutes", "reward", "code"):
        if not server[key]:
            raise StudyError(f"[server] {key} is empty. A draft on Prolific needs it.")
    minutes = float(server["minutes"])
    longest = float(server["platform_minutes"]) or math.ceil(2 + 2 * minutes + 2 * minutes**0.5)
    ids = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
    query = "&".join(f"{name}={{{{%{name}%}}}}" for name in ids)
    items = sum(one.kind == "item" for one in served.contents.values())
    codes = [_code(str(server["code"]), "COMPLETED", "MANUALLY_REVIEW")]
    if server["short_code"]:
        codes.append(_code(str(server["short_code"]), "OTHER", "MANUALLY_REVIEW"))
    if server["screened_code"]:
        codes.append(_code(str(server["screened_code"]), "SCREENED_OUT", "REQUEST_RETURN"))
    if server["full_code"]:
        codes.append(_code(str(server["full_code"]), "OTHER", "REQUEST_RETURN"))
    return {
        "name": server["title"] or served.name,
        "internal_name": served.name,
        "description": "\n\n".join(served.form.consent),
        "external_study_url": f"{str(server['public_url']).rstrip('/')}/?{query}",
        "prolific_id_option": "url_parameters",
        "completion_codes": codes,
        "total_available_places": math.ceil(items * served.plan.target / served.whole_round),
        "estimated_completion_time": round(minutes),
        "maximum_allowed_time": round(longest),
        "reward": round(100 * float(server["reward"])),
        "device_compatibility": list(DEVICES),
    }


def _code(code: str, kind: str, action: str) -> dict[str, Any]:
    return {
        "code": code,
        "code_type": kind,
        "actor": "participant",
        "actions": [{"action": action}],
    }


@checked
def prolific_publish(study: str | Path, *, yes: bool = False) -> PlatformStep:
    """Publish the study on Prolific; a study that is published already stays unchanged.

    Args:
        study: The study folder.
        yes: Do it; without this, only show its state.

    Examples:
        plausibly prolific publish my-study
        plausibly prolific publish my-study --yes

    >>> import tempfile
    >>> import plausibly as pb
    >>> with tempfile.TemporaryDirectory() as place:
    ...     study = pb.init("pap", Path(place, "otters"), example=True)
    ...     prolific_publish(Path(place, "otters"))
    Traceback (most recent call last):
    plausibly.errors.StudyError: [server] platform_study is empty. Create a draft first.
    """
    served = read_study(Path(study))
    number = _number(served)
    client = _client()
    state = client.publish(number) if yes else client.status(number)
    return PlatformStep("publish", done=yes, counts={"study": number, "state": state})


@checked
def prolific_sync(
    study: str | Path,
    *,
    every: float = 0.0,
    say: Callable[[str], object] | None = None,
    database: str | None = None,
) -> PlatformStep:
    """Read the state of people on Prolific: confirm them, and free the places of those who left.

    Args:
        study: The study folder.
        every: Seconds after which to read again, until you interrupt; 0 to read once.
        say: Called with a sentence after each reading.
        database: Where answers are kept (default: STUDY/answers.sqlite).

    Examples:
        plausibly prolific sync my-study
        plausibly prolific sync my-study --every 60

    >>> import tempfile
    >>> import plausibly as pb
    >>> with tempfile.TemporaryDirectory() as place:
    ...     study = pb.init("pap", Path(place, "otters"), example=True)
    ...     prolific_sync(Path(place, "otters"))
    Traceback (most recent call last):
    plausibly.errors.StudyError: answers.sqlite: nobody has been invited or has taken part yet.
    """
    while True:
        with opened_people(study, database) as people:
            step = _sync(people, _client())
        if not every:
            return step
        if say is not None:
            say(", ".join(f"{number} {name}" for name, number in step.counts.items()))
        time.sleep(every)


def _sync(people: OpenPeople, client: ProlificClient) -> PlatformStep:
    """Follow every submission of the study once."""
    rows = client.submissions(_number(people.desk.served))
    here = set(people.roster()["annotator"].to_list())
    now, changes = time.time(), Counter[str]()
    latest = {people.desk.keys.annotator(one.person): one for one in rows}
    known = {name: one for name, one in latest.items() if name in here}
    changes["strangers"] = len(latest) - len(known)
    people.ids.keep(
        {name: PlatformId(one.person, one.submission, one.status) for name, one in known.items()}
    )
    with people.engine.begin() as connection:
        for annotator, one in known.items():
            changes[follow_status(connection, annotator, one.status, now=now) or "unchanged"] += 1
    names = ("left", "back", "unchanged", "strangers")
    counts = {"submissions": len(rows), **{name: changes[name] for name in names}}
    return PlatformStep("sync", done=True, counts=counts)


@checked
def prolific_approve(
    study: str | Path, *, yes: bool = False, database: str | None = None
) -> PlatformStep:
    """Approve people who finished, and request returns from those you decided not to pay.

    Safe to repeat: an approval twice is one approval, and a return is asked for once.

    Args:
        study: The study folder.
        yes: Do it; without this, only show what would be done.
        database: Where answers are kept (default: STUDY/answers.sqlite).

    Examples:
        plausibly prolific approve my-study
        plausibly prolific approve my-study --yes

    >>> import tempfile
    >>> import plausibly as pb
    >>> with tempfile.TemporaryDirectory() as place:
    ...     study = pb.init("pap", Path(place, "otters"), example=True)
    ...     prolific_approve(Path(place, "otters"))
    Traceback (most recent call last):
    plausibly.errors.StudyError: answers.sqlite: nobody has been invited or has taken part yet.
    """
    with _paying(study, database) as people:
        client = _client()
        _sync(people, client)
        rows = people.roster()
        due = payroll(rows, people.ids.of(rows["annotator"].to_list()))
        asked = people.ids.payments(RETURN)
        returns = [one for one in due.returns if one.submission not in asked]
        counts = {"approve": len(due.approve), "return": len(returns)}
        if yes:
            client.approve(due.approve)
            for one in returns:
                people.ids.intend([Payment(RETURN, one.submission)], now=time.time())
                client.ask_return(one.submission, one.reason)
                people.ids.mark(RETURN, [one.submission], "sent")
        return PlatformStep("approve", done=yes, counts=counts)


@checked
def prolific_bonus(
    study: str | Path, *, yes: bool = False, database: str | None = None
) -> PlatformStep:
    """Pay the bonuses that are due, each once.

    What is about to be paid is stored first. If Prolific does not answer, the outcome is unknown,
    and the bonus is not sent again until Prolific shows whether it was paid.

    Args:
        study: The study folder.
        yes: Do it; without this, only show what would be done.
        database: Where answers are kept (default: STUDY/answers.sqlite).

    Examples:
        plausibly prolific bonus my-study
        plausibly prolific bonus my-study --yes

    >>> import tempfile
    >>> import plausibly as pb
    >>> with tempfile.TemporaryDirectory() as place:
    ...     study = pb.init("pap", Path(place, "otters"), example=True)
    ...     prolific_bonus(Path(place, "otters"))
    Traceback (most recent call last):
    plausibly.errors.StudyError: answers.sqlite: nobody has been invited or has taken part yet.
    """
    with _paying(study, database) as people:
        client = _client()
        _sync(people, client)
        if yes:
            resolve(people, client, now=time.time())
        rows = people.roster()
        due = payroll(rows, people.ids.of(rows["annotator"].to_list())).bonuses
        before = people.ids.payments(BONUS)
        fresh = [one for one in due if one.submission not in before]
        if yes:
            for start in range(0, len(fresh), MOST_BONUSES):
                _pay(people, client, fresh[start : start + MOST_BONUSES])
        states = Counter(one.state for one in people.ids.payments(BONUS).values())
        cents = sum(one.cents for one in fresh)
        counts = {"due": len(fresh), "amount": cents / 100}
        counts |= {"sent": states["sent"], "unknown": states["unknown"]}
        waits = states["unknown"]
        note = (
            f"{waits} bonuses have an unknown outcome. Run this again later: they are not sent "
            "again before Prolific shows whether they were paid."
        )
        return PlatformStep("bonus", done=yes, counts=counts, notes=(note,) if waits else ())


def resolve(people: OpenPeople, client: ProlificClient, *, now: float) -> None:
    """Find out what became of bonuses that were begun.

    One that was only intended was never sent. One of unknown outcome was paid if the platform
    shows it; if it does not, after two days, it was not.
    """
    for one in people.ids.payments(BONUS).values():
        if one.state == "intended":
            people.ids.drop(BONUS, [one.submission])
        if one.state != "unknown":
            continue
        seen = client.submission(one.submission)
        if seen is not None and seen.bonuses >= one.before + one.cents:
            people.ids.mark(BONUS, [one.submission], "sent")
        elif seen is not None and now - one.made > SETTLE_SECONDS:
            people.ids.drop(BONUS, [one.submission])


def _pay(people: OpenPeople, client: ProlificClient, due: Sequence[BonusDue]) -> None:
    """Pay some bonuses at once: intended, set up, marked as unknown, sent."""
    payments = []
    for one in due:
        seen = client.submission(one.submission)
        before = seen.bonuses if seen is not None else 0
        payments.append(Payment(BONUS, one.submission, one.cents, before))
    fresh = people.ids.intend(payments, now=time.time())
    names = [one.submission for one in fresh]
    if not fresh:
        return
    amounts = [(one.submission, one.cents) for one in fresh]
    total = sum(one.cents for one in fresh)
    try:
        number, cents = client.prepare_bonuses(_number(people.desk.served), amounts)
    except (PlatformRefused, PlatformSilent):
        people.ids.drop(BONUS, names)  # nothing is paid before it is asked for
        raise
    if cents != total:
        people.ids.drop(BONUS, names)
        raise StudyError(f"Prolific would pay {cents / 100:.2f}, not {total / 100:.2f}.")
    people.ids.mark(BONUS, names, "unknown", number)
    try:
        client.pay_bonuses(number)
    except PlatformRefused:
        people.ids.drop(BONUS, names)
        raise
    except PlatformSilent as error:
        if not error.sent:
            people.ids.drop(BONUS, names)
        return
    people.ids.mark(BONUS, names, "sent")


@contextmanager
def _paying(study: str | Path, database: str | None) -> Iterator[OpenPeople]:
    """Yield the people of a study while nobody else pays them."""
    with opened_people(study, database) as people, people.ids.alone():
        yield people


def _client() -> ProlificClient:
    client = client_from_environment()
    if client is None:
        raise StudyError(f"{TOKEN} is not set. Copy the token of your account from Prolific.")
    return client


def _number(served: Served) -> str:
    number = str(served.server["platform_study"])
    if not number:
        raise StudyError("[server] platform_study is empty. Create a draft first.")
    return number
