"""What study.toml may say about collecting ratings, with the defaults of every protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plausibly.errors import StudyError, UnknownName

SERVER: dict[str, Any] = {
    "title": "",  # heading of the pages; empty: the word "Study"
    "contact": "",  # whom a participant may write to
    "public_url": "",  # as participants see the server, for personal links
    "interface": "en",  # language of the pages: en or it
    "minutes": 0,  # how long it takes, shown before people agree; 0: not shown
    "pay": "",  # what they get for it, shown before they agree
    "reward": 0.0,  # the same as a number, for one batch
    "min_hourly": 0.0,  # least an hour may be paid; the server does not open below it
    "currency": "",  # of reward and item_reward, such as GBP
    "item_reward": 0.0,  # for one item of a short round; 0: the share of reward
    "short_code": "",  # completion code of short rounds; empty: there are none
    "code": "",  # one completion code for all; empty: a different one for each person
    "return_url": "",  # where a participant goes in the end; {code} stands for the code
    "screened_code": "",  # completion code of people who are screened out
    "screened_url": "",  # where they go; empty: return_url, where that takes codes
    "full_code": "",  # completion code of people who find the study full, or withdraw
    "full_url": "",  # where they go; empty: return_url, where that takes codes
    "door": "",  # who may enter: panel, links, list or open; empty: see the manual
    "platform": "",  # where people come from: prolific, connect, sona or custom
    "platform_study": "",  # the study's id on the platform
    "platform_minutes": 0.0,  # most time the platform gives people; 0: not known
    "signed_links": False,  # whether people need a link that Prolific has signed
    "confirm_days": 3.0,  # how long places wait for a platform to confirm a person
    "api": False,  # whether programs may take part through the participant API
    "session_hours": 12.0,
    "requests_per_minute": 6000,  # by one person or address
    "answers_per_minute": 60,  # pages one person may send
    "min_seconds": 0.0,  # per item; whoever takes less is flagged, never refused
    "burst": 20,  # new people from one source in ten minutes; later ones wait for your decision
    "people_per_hour": 60,  # new people from one address
    "held_per_address": 250,  # places handed out to one address and not answered
    "trusted_proxies": [],  # addresses of proxies whose X-Forwarded-For is believed
}

RATINGS: dict[str, Any] = {
    "target": 10,
    "rule": "exactly",
    "batch": 24,
    "least": 0,
    "checks_per_batch": 1,
    "quota": 0,
    "lease_minutes": 30.0,
    "failed_check": "keep",
    "min_answered": 0.0,
    "lists": "",
    "decided": 0,
    "retest": 0.0,
}

REPLACED: dict[str, Any] = dict.fromkeys(
    (
        *("consent", "instructions", "eligibility", "screening", "headings", "language"),
        *("comprehension", "practice", "guides"),
    )
)
"""What [form] may replace in the form of a protocol."""

WRITTEN: dict[str, Any] = {
    "id": "form",
    "questions": None,  # written as [[form.questions]]
    "consent": [],
    "instructions": [],
    "eligibility": "",
    "screening": None,  # written as [[form.screening]]
    "comprehension": None,  # written as [[form.comprehension]]
    "show": [],
    "order": "shuffled",
    "reveal": {},
    "headings": {},
    "reopen": False,
    "lines": [],
    "numbered": "",
    "language": "",
    "practice": None,  # written as [[form.practice]]
    "guided_by": "",
    "guides": {},
    "per_page": 1,
}
"""What [form] says where a protocol has no form: all of it."""

ALSO = "also"


def collection(
    document: Mapping[str, Any] | None = None, *, has_form: bool = False, where: str = ""
) -> dict[str, dict[str, Any]]:
    """Return the sections [ratings], [form] and [server] of a protocol, with its defaults.

    Args:
        document: What `collection.toml` of the protocol says: its values of these sections, and
            in `[form] also` what else of its form a study may replace.
        has_form: Whether the protocol has a form; without one, [form] writes all of it.
        where: The file, for errors.

    >>> collection({"ratings": {"target": 3}})["ratings"]["target"]
    3
    """
    given = {name: dict(values) for name, values in (document or {}).items()}
    form = given.get("form", {})
    also = dict.fromkeys(form.pop(ALSO, ()))
    known = {"ratings": RATINGS, "form": {**REPLACED, **WRITTEN, "middle": "", "arm": ""}}
    known["server"] = SERVER
    for section, values in given.items():
        if section not in known:
            raise StudyError(f"{where}: {UnknownName('section', section, known)}")
        for key in values:
            if key not in known[section]:
                wrong = UnknownName(f"key of [{section}]", key, known[section])
                raise StudyError(f"{where}: {wrong}")
    return {
        "ratings": {**RATINGS, **given.get("ratings", {})},
        "form": {**form, **REPLACED, **also} if has_form else {**WRITTEN, **form},
        "server": {**SERVER, **given.get("server", {})},
    }
