"""What [server] in study.toml may say: the pages, the door, limits; and what cannot work."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from functools import lru_cache, partial
from importlib.resources import files
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

from plausibly.errors import StudyError
from plausibly.io.setting_lines import setting
from plausibly.ratings.exits import check_exits

if TYPE_CHECKING:
    from plausibly.ratings.collection import Plan
    from plausibly.ratings.served import Served
    from plausibly.study.protocol import Protocol

ENGLISH = "en"
INTERFACES = (ENGLISH, "it", "de", "es", "fr", "nl", "pt")  # languages of the shipped pages
MOST = 1_000_000
YEAR = 366 * 24.0  # in hours
LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]+)*")
PATH = re.compile(r"(/[A-Za-z0-9._~-]+)*/?")  # where on a site a study may be
PAY = ("reward", "item_reward", "screened_reward", "platform_fee")
DOORS = ("panel", "links", "list", "open")

# The names a platform gives to the participant, the study and the submission in its links.
PLATFORMS: Mapping[str, tuple[str, str, str]] = {
    "prolific": ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID"),
    "connect": ("participantId", "projectId", "assignmentId"),
    "sona": ("survey_code", "experiment_id", "survey_code"),
    "custom": ("person", "study", "submission"),
}
# What platforms call themselves, by the sites people go back to.
SITES = {
    "prolific.com": "Prolific",
    "prolific.co": "Prolific",
    "cloudresearch.com": "CloudResearch",
    "mturk.com": "Mechanical Turk",
    "sona-systems.com": "Sona",
}


def server_of(
    protocol: Protocol, sections: Mapping[str, Mapping[str, Any]], *, where: str
) -> Mapping[str, Any]:
    """Return [server] with the language of the pages; raise on values nobody can be served with."""
    section = sections["server"]
    place = partial(setting, where, "server")
    at_most(section, "session_hours", YEAR, place)
    at_most(section, "confirm_days", YEAR / 24, place)
    for key in ("requests_per_minute", "answers_per_minute", "people_per_hour", "burst"):
        at_most(section, key, 10_000_000, place)
    interface = interface_of(protocol, sections, Path(where).parent)
    _check_interface(interface, Path(where).parent, place)
    one_of(section, "door", ("", *DOORS), place)
    one_of(section, "platform", ("", *PLATFORMS), place)
    if not 0 <= section["minutes"] <= 10_000:
        raise StudyError(
            f"{place('minutes')} must lie between 0 and 10000; got {section['minutes']}."
        )
    for key in (*PAY, "min_hourly", "platform_minutes", "min_seconds"):
        if not 0 <= section[key] <= MOST:
            raise StudyError(f"{place(key)} must be 0 or more; got {section[key]}.")
    if section["public_url"] and not _is_site(section["public_url"]):
        raise StudyError(
            f"{place('public_url')} must be the address people use, such as "
            f"https://study.example.org or https://lab.example.org/study1; "
            f"got {section['public_url']!r}."
        )
    for address in section["trusted_proxies"]:
        if not re.fullmatch(r"[^\s/]+", address):
            raise StudyError(
                f"{place('trusted_proxies')} must hold single addresses, such as 127.0.0.1, not "
                f"networks; got {address!r}."
            )
    _check_return(section, place)
    _check_deadline(section, place)
    return {**section, "interface": interface}


def interface_of(
    protocol: Protocol, sections: Mapping[str, Mapping[str, Any]], folder: Path
) -> str:
    """Return the language of a study's pages: as set, else that of its form, else English.

    The language of the form counts if there are pages in it.

    Args:
        protocol: What the study follows.
        sections: What study.toml says.
        folder: The study, which may hold pages of its own.
    """
    interface = str(sections.get("server", {}).get("interface") or "")
    written = str(protocol.form.get("language", "") or next(iter(protocol.languages), ""))
    spoken = str(sections.get("form", {}).get("language") or written)
    known = (one for one in (spoken, spoken.partition("-")[0]) if has_pages(one, folder))
    return interface or next(known, ENGLISH)


def has_pages(language: str, folder: Path) -> bool:
    """Return whether there are pages in a language: shipped, or in the study.

    >>> has_pages("pt", Path("study")), has_pages("fi", Path("study"))
    (True, False)
    """
    shaped = LANGUAGE.fullmatch(language) is not None
    return language in INTERFACES or (shaped and pages_file(folder, language).is_file())


def english_pages() -> Path:
    """Return the file to translate for pages in another language."""
    return Path(str(files("plausibly.web.locale").joinpath(f"{ENGLISH}.toml")))


def pages_file(folder: Path, language: str) -> Path:
    """Return where a study keeps the texts of its pages in a language."""
    return folder / f"pages.{language}.toml"


def _check_interface(language: str, folder: Path, place: Callable[[str], str]) -> None:
    """Raise unless the pages are there in a language: shipped, or in the study."""
    if not has_pages(language, folder):
        raise StudyError(
            f"{place('interface')} must be one of {', '.join(INTERFACES)}, or a language whose "
            f"texts are in the study; got {language!r}. To add it, translate a copy of "
            f"{english_pages()} and store it as {pages_file(folder, language)}."
        )


def _check_return(section: Mapping[str, Any], place: Callable[[str], str]) -> None:
    """Raise on an address to which nobody can return."""
    check_exits(section, place)
    for key in ("return_url", "screened_url", "full_url"):
        site = urlsplit(str(section[key]))
        if site.scheme == "http" and not is_loopback(site.hostname or ""):
            raise StudyError(
                f"{place(key)} must begin with https://, because people would send their code "
                f"unencrypted; got {section[key]!r}."
            )
    address, code = str(section["return_url"]), str(section["code"])
    if site_of(address) != "Prolific":
        return
    if not code and "{code}" in address:
        raise StudyError(
            f"{place('return_url')} leads to Prolific, which knows only the completion code of the "
            'study. Copy that code from Prolific and set it: code = "C1A2B3C4".'
        )
    carried = parse_qs(urlsplit(address).query).get("cc", [""])[-1]
    if carried != "{code}" and (not carried or (code and carried != code)):
        raise StudyError(
            f"{place('return_url')} leads to Prolific without the completion code of the study. "
            "Set it to https://app.prolific.com/submissions/complete?cc={code}."
        )


def _check_deadline(section: Mapping[str, Any], place: Callable[[str], str]) -> None:
    """Raise on a last day to withdraw that is not a date."""
    day = section["withdraw_until"]
    try:
        date.fromisoformat(day or "2026-01-01")
    except ValueError as error:
        raise StudyError(
            f"{place('withdraw_until')} must be a date such as 2026-12-31; got {day!r}."
        ) from error


def site_of(address: str) -> str:
    """Return the platform an address belongs to, empty for any other site.

    >>> site_of("https://app.prolific.com/submissions/complete?cc=X"), site_of("/")
    ('Prolific', '')
    """
    host = urlsplit(address).hostname or ""
    sites = [site for site in SITES if host == site or host.endswith(f".{site}")]
    return SITES[sites[0]] if sites else ""


@lru_cache(1024)
def is_loopback(address: str) -> bool:
    """Return whether an address is this machine's own.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    try:
        return address == "localhost" or ip_address(address).is_loopback
    except ValueError:
        return False


def _is_address(address: str) -> bool:
    try:
        ip_address(address)
    except ValueError:
        return False
    return True


def door_of(server: Mapping[str, Any], host: str = "127.0.0.1") -> str:
    """Return who may enter: as the study says, or the strictest door that can work.

    >>> door_of({"door": "", "public_url": "", "platform": ""})
    'open'
    >>> door_of({"door": "", "public_url": "", "platform": ""}, "0.0.0.0")
    'links'
    """
    if server["door"]:
        return str(server["door"])
    if server["platform"]:
        return "panel"
    return "open" if is_loopback(host) and not server["public_url"] else "links"


def refuse_unworkable(served: Served, *, host: str, where: str) -> None:
    """Raise on settings with which a server would open and people could not take part."""
    server, place = served.server, partial(setting, where, "server")
    site = urlsplit(str(server["public_url"]))
    public = bool(site.hostname and not is_loopback(site.hostname)) or not is_loopback(host)
    if public and site.scheme != "https":
        raise StudyError(
            f"{place('public_url')} must begin with https://, because people would send personal "
            f"links and answers unencrypted to {site.hostname or host}. Put a web server with "
            "https in front, and name its address."
        )
    asked = public or door_of(server, host) == "panel"
    if asked and not any(one.strip() for one in served.form.consent):
        consent = setting(where, "form", "consent")
        raise StudyError(f"{consent} is empty. Write what people agree to.")
    for address in server["trusted_proxies"]:
        if not _is_address(address):
            raise StudyError(
                f"{place('trusted_proxies')} must hold numeric addresses, such as "
                f"127.0.0.1; got {address!r}."
            )
    _check_short(served, place)
    if served.plan.lists and served.plan.batch > served.whole_round:
        raise StudyError(
            f"{setting(where, 'ratings', 'batch')} = {served.plan.batch}, but a list has at most "
            f"{served.whole_round} items, one of each item_group. Set batch = {served.whole_round}."
        )
    places = served.plan.batch + served.plan.checks_per_batch
    if server["held_per_address"] < places:
        raise StudyError(
            f"{place('held_per_address')} = {server['held_per_address']} is less than the "
            f"{places} places of a batch, so nobody could begin. Set it to {places} or more."
        )
    panel = door_of(server, host) == "panel"
    if server["signed_links"] and not (panel and server["platform"] == "prolific"):
        raise StudyError(
            f'{place("signed_links")} = true needs platform = "prolific" and door = "panel". '
            "Set it to false."
        )
    if panel:
        _check_panel(served, where)


def _check_short(served: Served, place: Callable[[str], str]) -> None:
    """Raise if people of short rounds would not be paid, or could not return with their code."""
    server = served.server
    if not server["short_code"]:
        return
    if not server["item_reward"] and not server["reward"]:
        raise StudyError(
            f"{place('short_code')} is set, but the pay per item is not. Set item_reward, "
            "or reward for a whole batch."
        )
    if server["return_url"] and "{code}" not in server["return_url"]:
        raise StudyError(
            f"{place('return_url')} must hold {{code}} in place of the code, because short "
            "and whole rounds have different codes."
        )


def is_paid(server: Mapping[str, Any]) -> bool:
    """Return whether people are paid for a round, by the study or by a platform.

    >>> is_paid({"reward": 0.0, "platform": "prolific"})
    True
    """
    return bool(server["reward"] or server["platform"])


def paid_once(plan: Plan, server: Mapping[str, Any]) -> Plan:
    """Return a plan in which nobody works on after the round they are paid for."""
    longer = not plan.quota or plan.quota > plan.batch
    return replace(plan, quota=plan.batch) if is_paid(server) and longer else plan


def _check_panel(served: Served, where: str) -> None:
    """Raise if a panel's people could not enter, or would lose their places while they work."""
    server, place = served.server, partial(setting, where, "server")
    if not server["platform"]:
        known = ", ".join(PLATFORMS)
        raise StudyError(f'{place("door")} = "panel" needs a platform. Set it to one of: {known}.')
    if not server["platform_study"]:
        raise StudyError(
            f"{place('platform_study')} is empty. Set it to the study's id on the platform, to "
            "prevent people of other studies from entering."
        )
    lease = served.plan.lease / 60
    if lease < server["platform_minutes"]:
        raise StudyError(
            f"{setting(where, 'ratings', 'lease_minutes')} = {lease:g} is shorter than [server] "
            f"platform_minutes = {server['platform_minutes']:g}: people would lose their places "
            "while the platform still gives them time. Raise lease_minutes."
        )
    if server["platform"] == "prolific" and not server["code"]:
        raise StudyError(
            f"{place('code')} is empty. Prolific knows only the completion code of the study: copy "
            'it from there, as in code = "C1A2B3C4".'
        )


def at_most(section: Mapping[str, Any], key: str, most: float, place: Callable[[str], str]) -> None:
    """Raise unless a number is above 0 and not above `most`; what is not a number is neither."""
    if not 0 < section[key] <= most:
        raise StudyError(
            f"{place(key)} must be above 0 and not above {most:g}; got {section[key]}."
        )


def one_of(
    section: Mapping[str, Any], key: str, known: tuple[str, ...], place: Callable[[str], str]
) -> None:
    """Raise unless a setting is one of those that are known."""
    if section[key] not in known:
        names = ", ".join(name for name in known if name)
        raise StudyError(f"{place(key)} must be one of {names}; got {section[key]!r}.")


def _is_site(address: str) -> bool:
    try:
        url = urlsplit(address)
        named = url.hostname and url.port != 0
    except ValueError:
        return False
    ours = (
        url.scheme in {"http", "https"} and bool(PATH.fullmatch(url.path)) and "@" not in url.netloc
    )
    plain = address.isascii() and address.isprintable() and " " not in address
    return bool(named and ours and plain and not url.query and not url.fragment)
