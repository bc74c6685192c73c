"""How ratings are collected: what study.toml may say about it, protocol by protocol."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from plausibly.errors import StudyError
from plausibly.ratings.forms import Form, form_of, published_form

SERVER: dict[str, Any] = {
    "title": "",  # heading of the pages; empty: the name of the study
    "contact": "",  # whom a participant may write to
    "public_url": "",  # as participants see the server, for personal links
    "code": "",  # one completion code for all; empty: one of their own for each
    "return_url": "",  # where a participant goes in the end; {code} stands for the code
    "anonymous": True,  # whether one may take part without a participant number
    "session_hours": 12.0,
    "requests_per_minute": 6000,  # by one person or address
}

# Eichel and Schulte im Walde (2023), section 4.1: 10 ratings a triple, batches of 24 with one
# check. The paper states no most; one batch a person is ours. Checks were used after the
# collection (appendix B.2), so a failed one keeps its ratings here and cleaning removes them.
_RATINGS: dict[str, Any] = {
    "target": 10,
    "rule": "exactly",
    "batch": 24,
    "checks_per_batch": 1,
    "quota": 24,
    "lease_minutes": 30.0,
    "failed_check": "keep",
}

COLLECTION: dict[str, dict[str, dict[str, Any]]] = {
    "pap": {
        "ratings": _RATINGS,
        "form": {"middle": "refuse", "consent": None, "instructions": None, "eligibility": None},
        "server": SERVER,
    },
    "custom": {
        "ratings": {**_RATINGS, "quota": 0},
        "form": {
            "id": "custom",
            "questions": [],
            "consent": [],
            "instructions": [],
            "eligibility": "",
            "show": [],
        },
        "server": SERVER,
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How many ratings are wanted, and how they are handed out.

    Args:
        target: Ratings wanted per item.
        rule: "exactly" as many, or "at least" as many.
        batch: Items a person gets at a time.
        checks_per_batch: Checks mixed in with them.
        quota: Most items a person may rate; 0 for no limit.
        lease: Seconds after which an item that was handed out is free again.
        failed_check: "keep" the ratings of who fails a check, or "exclude" the person.
        seed: Of the draw and the shuffle.
    """

    target: int
    rule: str
    batch: int
    checks_per_batch: int
    quota: int
    lease: float
    failed_check: str
    seed: int

    @property
    def exact(self) -> bool:
        """Whether no item may get more ratings than wanted."""
        return self.rule == "exactly"


def plan_of(section: Mapping[str, Any], *, seed: int, where: str) -> Plan:
    """Return the plan the section [ratings] describes; raise on values that make none."""
    at_least = {"target": 1, "batch": 1, "checks_per_batch": 0, "quota": 0}
    for key, least in at_least.items():
        if section[key] < least:
            raise StudyError(f"{where}: [ratings] {key} must be {least} or more.")
    if section["lease_minutes"] <= 0:
        raise StudyError(f"{where}: [ratings] lease_minutes must be above 0.")
    _one_of(section, "rule", ("exactly", "at least"), where)
    _one_of(section, "failed_check", ("keep", "exclude"), where)
    return Plan(
        target=section["target"],
        rule=section["rule"],
        batch=section["batch"],
        checks_per_batch=section["checks_per_batch"],
        quota=section["quota"],
        lease=section["lease_minutes"] * 60,
        failed_check=section["failed_check"],
        seed=seed,
    )


def collection_form(protocol: str, section: Mapping[str, Any], *, where: str) -> Form:
    """Return the form of a study: the protocol's, with what [form] in study.toml replaces."""
    said = {key: value for key, value in section.items() if value is not None}
    if protocol == "custom":
        return form_of(said, where=where)
    middle = said.pop("middle")
    _one_of(section, "middle", ("refuse", "accept"), where)
    form = {**published_form(protocol), **said}
    form["questions"] = [
        {**question, "middle": middle} if question["type"] == "slider" else question
        for question in form["questions"]
    ]
    return form_of(form, where=where)


def _one_of(section: Mapping[str, Any], key: str, known: tuple[str, ...], where: str) -> None:
    if section[key] not in known:
        raise StudyError(f"{where}: {key} must be one of {', '.join(known)}; got {section[key]!r}.")
