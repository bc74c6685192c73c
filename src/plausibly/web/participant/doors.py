"""The door: what a link or a program shows of a person, and as whom they may enter."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, fields

from starlette.concurrency import run_in_threadpool

from plausibly.ratings.consent import consent_version
from plausibly.ratings.server import PLATFORMS
from plausibly.ratings.store.doors import Person
from plausibly.ratings.store.ids import PlatformId
from plausibly.ratings.store.places import Denied
from plausibly.web.context import Desk, is_name, is_person
from plausibly.web.keys import Session

# How platforms name the participant in their links, where no platform is set.
SOURCES = {"PROLIFIC_PID": "prolific", "person": "link"}


@dataclass(frozen=True, slots=True)
class EntryClaim:
    """What someone shows at the door.

    Args:
        person: A participant number.
        source: Where they come from.
        study: The platform's id of the study.
        submission: The platform's id of this participation.
        link: The end of a personal link.
        short: Items of the short round that was announced; empty if none was.
        proof: That we have checked the platform's signature; empty if there was none.
    """

    person: str = ""
    source: str = "link"
    study: str = ""
    submission: str = ""
    link: str = ""
    short: str = ""
    proof: str = ""


CLAIMS = tuple(one.name for one in fields(EntryClaim))


def claim_of(desk: Desk, query: Mapping[str, str]) -> EntryClaim:
    """Return what the address of a page carries."""
    platform = str(desk.served.server["platform"])
    if platform:
        person, study, submission = (query.get(name, "") for name in PLATFORMS[platform])
        return EntryClaim(person, platform, study, submission)
    for name, source in SOURCES.items():
        if query.get(name):
            return EntryClaim(query[name], source)
    return EntryClaim()


def is_complete(desk: Desk, claim: EntryClaim) -> bool:
    """Return whether a claim holds what the door asks for, whoever it is about."""
    server = desk.served.server
    if claim.link:
        return desk.keys.read_link(claim.link) is not None
    if not is_name(claim.source) or (claim.person and not is_person(claim.person)):
        return False
    if server["door"] == "panel":
        ours = not server["platform_study"] or claim.study == server["platform_study"]
        return bool(claim.person) and ours and is_person(claim.submission)
    if server["door"] == "list":
        return bool(claim.person)
    return bool(server["door"] == "open")


def at_page(desk: Desk, claim: EntryClaim, session: Session) -> Person:
    """Return the person who enters through the pages with consent."""
    other = desk.keys.visitor(session.nonce)
    browser = desk.keys.hashed("browser", session.nonce)
    return _person(desk, claim, (session.annotator, other, "pages", browser))


def at_program(desk: Desk, claim: EntryClaim, holder: str | None) -> Person:
    """Return the person who enters through the API with consent; a token names `holder`."""
    other = desk.keys.visitor(secrets.token_urlsafe(16))
    return _person(desk, claim, (holder, other, "api", None))


def hidden(denied: Denied, claim: EntryClaim) -> Denied:
    """Return a refusal that does not show whoever enters a number that its person was screened out.

    A personal link shows it: only that person has it.

    >>> hidden(Denied("screened"), EntryClaim("4711")).reason
    'door'
    """
    return Denied("door") if denied.reason == "screened" and not claim.link else denied


async def keep_ids(desk: Desk, claim: EntryClaim, annotator: str) -> None:
    """Store what the platform calls a person, in a file of its own."""
    if desk.served.server["door"] == "panel" and claim.person and claim.submission:
        found = PlatformId(claim.person.strip(), claim.submission.strip())
        await run_in_threadpool(desk.ids.keep, {annotator: found})


def consent_of(desk: Desk) -> tuple[str, str]:
    """Return the version of the consent, and the language of its page."""
    server = desk.served.server
    return consent_version(desk.served.form, server), str(server["interface"])


def _person(desk: Desk, claim: EntryClaim, who: tuple[str | None, str, str, str | None]) -> Person:
    holder, other, channel, browser = who
    door = str(desk.served.server["door"])
    linked = desk.keys.read_link(claim.link) if claim.link else None
    annotator = linked or (desk.keys.annotator(claim.person) if claim.person else other)
    submission = desk.keys.hashed("submission", claim.submission) if claim.submission else None
    return Person(
        annotator,
        claim.source,
        consented=True,
        channel=channel,
        returning=linked is not None or holder == annotator,
        other=other if door == "open" and annotator != other else None,
        door="list" if door == "list" else "",
        confirmed=door != "panel" or linked is not None,
        submission=submission if door == "panel" else None,
        browser=browser,
        language=desk.language,
        consent=consent_of(desk),
        short=int(claim.short) if claim.short.isdecimal() and len(claim.short) < 7 else 0,
        mark="" if linked is None else desk.keys.hashed("erased", linked),
    )
