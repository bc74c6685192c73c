"""The three ways out of a study, each with a code and a link back: done, screened out, full."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlsplit

from plausibly.errors import StudyError

FINISHED, SCREENED, FULL = "finished", "screened", "full"
# Where a platform takes people back; one that has a link for each way out needs them in the study.
RETURNS: Mapping[str, str] = {
    "prolific": "https://app.prolific.com/submissions/complete?cc={code}",
    "connect": "https://connect.cloudresearch.com/participant/project/{code}/complete",
}
# Platforms whose completion link says that a person is done, whatever code it carries.
DONE_ONLY = ("connect", "sona")


@dataclass(frozen=True, slots=True)
class ExitLink:
    """A way out: a code to copy and a link to follow; either may be empty."""

    code: str = ""
    address: str = ""


def exit_link(
    server: Mapping[str, Any], kind: str, *, code: str = "", person: str = ""
) -> ExitLink:
    """Return the link by which a participant leaves a study.

    Args:
        server: The section [server].
        kind: finished, screened or full (which those take who withdraw, too).
        code: The code of whoever has finished; the others are in the section.
        person: The platform's id of the person, where the link carries it.

    >>> base = dict.fromkeys(("screened_url", "full_url", "return_url", "full_code"), "")
    >>> server = {**base, "platform": "prolific", "screened_code": "S"}
    >>> exit_link(server, "finished", code="C").address
    'https://app.prolific.com/submissions/complete?cc=C'
    >>> exit_link(server, "screened").address, exit_link(server, "full")
    ('https://app.prolific.com/submissions/complete?cc=S', ExitLink(code='', address=''))
    """
    usual = str(server["return_url"] or RETURNS.get(str(server["platform"]), ""))
    if kind == FINISHED:
        return ExitLink(code, _filled(usual, code, person) if code else "")
    shown = str(server[f"{kind}_code"])
    own = str(server[f"{kind}_url"])
    if own:
        return ExitLink(shown, _filled(own, shown, person))
    shared = "{code}" in usual and server["platform"] not in DONE_ONLY
    return ExitLink(shown, _filled(usual, shown, person) if shown and shared else "")


def _filled(address: str, code: str, person: str) -> str:
    """Return an address with its gaps filled."""
    return address.replace("{code}", quote(code)).replace("{person}", quote(person))


def check_exits(section: Mapping[str, Any], place: Callable[[str], str]) -> None:
    """Raise on ways out that lead nowhere, or that say of everybody that they are done."""
    for key in ("return_url", "screened_url", "full_url"):
        address = str(section[key])
        parts = urlsplit(address)
        if address and (parts.scheme not in {"http", "https"} or not parts.hostname):
            raise StudyError(
                f"{place(key)} must begin with https:// and name a site; got {address!r}."
            )
    ways: dict[str, str] = {}
    for key in ("code", "short_code", "screened_code", "full_code"):
        code = str(section[key])
        if code != code.strip() or not code.isprintable():
            raise StudyError(
                f"{place(key)} must be a code people can copy, on one line and without spaces "
                f"around it; got {code!r}."
            )
        if code and ways.setdefault(code, key) != key:
            raise StudyError(
                f"{place(key)} is {code!r}, like {ways[code]}. Set a different code for each "
                "outcome, so that each is paid correctly."
            )
