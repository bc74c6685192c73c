"""How ratings are collected: what study.toml may say about it, protocol by protocol."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from plausibly.errors import StudyError
from plausibly.ratings.forms import Form, form_of
from plausibly.ratings.guides import published_form

MOST = 1_000_000
YEAR = 366 * 24.0  # in hours
MOST_REPEATED = 0.5  # of a batch

SERVER: dict[str, Any] = {
    "title": "",  # heading of the pages; empty: the word "Study"
    "contact": "",  # whom a participant may write to
    "public_url": "",  # as participants see the server, for personal links
    "interface": "en",  # language of the pages: en or it
    "minutes": 0,  # how long it takes, told before people agree; 0: not told
    "pay": "",  # what they get for it, told before they agree
    "reward": 0.0,  # the same as a number, for one batch
    "min_hourly": 0.0,  # least an hour may be paid; the server does not open below it
    "code": "",  # one completion code for all; empty: one of their own for each
    "return_url": "",  # where a participant goes in the end; {code} stands for the code
    "anonymous": True,  # whether one may take part without a participant number
    "session_hours": 12.0,
    "requests_per_minute": 6000,  # by one person or address
    "held_per_address": 250,  # places handed out to one address and not answered
    "trusted_proxies": [],  # addresses of proxies whose X-Forwarded-For is believed
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
    "min_answered": 0.0,
    "lists": "",
    "decided": 0,
    "retest": 0.0,
}

# What [form] may replace in a published form.
_FORM: dict[str, Any] = {
    "consent": None,
    "instructions": None,
    "eligibility": None,
    "screening": None,
    "headings": None,
    "language": None,
    "practice": None,
    "guides": None,
}

COLLECTION: dict[str, dict[str, dict[str, Any]]] = {
    "pap": {
        "ratings": _RATINGS,
        "form": {"middle": "refuse", "arm": "", **_FORM},
        "server": SERVER,
    },
    # Emami et al. (2021), section 4.1: three people a pair, at most 100 pairs a person, roughly one
    # check in ten. Batches of twenty with two checks are ours.
    "adept": {
        "ratings": {**_RATINGS, "target": 3, "batch": 20, "checks_per_batch": 2, "quota": 100},
        "form": {**_FORM, "show": None, "arm": "", "per_page": None},
        "server": SERVER,
    },
    # Zhang et al. (2019), section 3.1: at least 11 people a pair, surveys of 100 pairs and three
    # checkpoints (surveys.parquet); appendix A.1: 80 % of the pairs must be judged.
    "sp10k": {
        "ratings": {
            **_RATINGS,
            "target": 11,
            "rule": "at least",
            "batch": 100,
            "checks_per_batch": 3,
            "quota": 0,
            "lease_minutes": 60.0,
            "min_answered": 0.8,
        },
        "form": _FORM,
        "server": SERVER,
    },
    # Pensa et al. (2024) name no number of people a story; three, and ten stories at a time, are
    # ours.
    "gita": {
        "ratings": {**_RATINGS, "target": 3, "batch": 10, "checks_per_batch": 0, "quota": 0},
        "form": _FORM,
        "server": {**SERVER, "interface": "it"},
    },
    # The manual names neither a number of people nor a size of batches; three people and five
    # items at a time, each with all its candidates, are ours.
    "iks": {
        "ratings": {**_RATINGS, "target": 3, "batch": 5, "checks_per_batch": 0, "quota": 0},
        "form": {**_FORM, "show": None, "reopen": None},
        "server": SERVER,
    },
    "custom": {
        "ratings": {**_RATINGS, "quota": 0},
        "form": {
            "id": "custom",
            "questions": None,  # written as [[form.questions]]
            "consent": [],
            "instructions": [],
            "eligibility": "",
            "screening": None,  # written as [[form.screening]]
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
        min_answered: Share of a batch's items that must be judged for it to count; answers that
            say nothing are not among them.
        lists: "latin-square" for lists over groups and conditions, empty for free draws.
        decided: Equal answers after which an item gets no more ratings; 0 to ask for the target.
        retest: Share of a batch's items that are shown twice, far apart; 0 for none.
    """

    target: int
    rule: str
    batch: int
    checks_per_batch: int
    quota: int
    lease: float
    failed_check: str
    seed: int
    min_answered: float = 0.0
    lists: str = ""
    decided: int = 0
    retest: float = 0.0

    @property
    def first_target(self) -> int:
        """Ratings an item wants before anybody has answered."""
        return self.decided or self.target

    def repeats(self, items: int) -> int:
        """Return how many of so many items are shown a second time."""
        return max(1, round(self.retest * items)) if self.retest and items > 2 else 0

    @property
    def exact(self) -> bool:
        """Whether no item may get more ratings than wanted."""
        return self.rule == "exactly"


def plan_of(section: Mapping[str, Any], *, seed: int, where: str) -> Plan:
    """Return the plan the section [ratings] describes; raise on values that make none."""
    at_least = {"target": 1, "batch": 1, "checks_per_batch": 0, "quota": 0}
    for key, least in at_least.items():
        if not least <= section[key] <= MOST:
            raise StudyError(
                f"{where}: [ratings] {key} must lie between {least} and {MOST}; got {section[key]}."
            )
    _at_most(section, "lease_minutes", 60 * YEAR, f"{where}: [ratings]")
    if not 0 <= section["min_answered"] <= 1:
        raise StudyError(
            f"{where}: [ratings] min_answered must lie between 0 and 1; "
            f"got {section['min_answered']}."
        )
    _one_of(section, "rule", ("exactly", "at least"), f"{where}: [ratings]")
    _one_of(section, "failed_check", ("keep", "exclude"), f"{where}: [ratings]")
    _one_of(section, "lists", ("", "latin-square"), where)
    _check_decided(section, f"{where}: [ratings]")
    if not 0 <= section["retest"] <= MOST_REPEATED:
        raise StudyError(
            f"{where}: [ratings] retest must lie between 0 and {MOST_REPEATED}; "
            f"got {section['retest']}."
        )
    return Plan(
        target=section["target"],
        rule=section["rule"],
        batch=section["batch"],
        checks_per_batch=section["checks_per_batch"],
        quota=section["quota"],
        lease=section["lease_minutes"] * 60,
        failed_check=section["failed_check"],
        seed=seed,
        min_answered=section["min_answered"],
        lists=section["lists"],
        decided=section["decided"],
        retest=section["retest"],
    )


def _check_decided(section: Mapping[str, Any], place: str) -> None:
    """Raise where items cannot be closed as soon as enough people agree."""
    decided, target = section["decided"], section["target"]
    if not decided:
        return
    if not target < 2 * decided <= 2 * target:
        raise StudyError(
            f"{place} decided must be more than half of target = {target} and not above it, so "
            f"that answers nobody is asked for could not change the majority; got {decided}."
        )
    if section["rule"] != "exactly" or section["lists"]:
        raise StudyError(
            f'{place} decided = {decided} needs rule = "exactly" and no lists: items are closed '
            "one by one."
        )


def refuse_undecidable(plan: Plan, form: Form, *, surveys: bool, where: str) -> None:
    """Raise where items are to be closed early and the form's first question cannot tell when."""
    if not plan.decided:
        return
    first = form.questions[0]
    if surveys or first.per != "item" or first.type in {"text", "set", "best-of-n"}:
        raise StudyError(
            f"{where}: [ratings] decided = {plan.decided} needs a first question about the whole "
            "item that takes one answer, and no surveys. Set decided = 0."
        )


def check_collection(protocol: str, sections: Mapping[str, Mapping[str, Any]], where: str) -> None:
    """Raise where [ratings], [form] or [server] could not be collected with."""
    plan = plan_of(sections["ratings"], seed=0, where=where)
    server_of(sections["server"], where=where)
    if protocol != "custom" or sections["form"]["questions"]:
        form = collection_form(protocol, sections["form"], where=where)
        refuse_undecidable(plan, form, surveys=False, where=where)


def server_of(section: Mapping[str, Any], *, where: str) -> Mapping[str, Any]:
    """Return the section [server]; raise on values nobody can be served with."""
    place = f"{where}: [server]"
    _at_most(section, "session_hours", YEAR, place)
    _at_most(section, "requests_per_minute", 10_000_000, place)
    _one_of(section, "interface", ("en", "it"), place)
    if not 0 <= section["minutes"] <= 10_000:
        raise StudyError(f"{place} minutes must lie between 0 and 10000; got {section['minutes']}.")
    for key in ("reward", "min_hourly"):
        if not 0 <= section[key] <= MOST:
            raise StudyError(f"{place} {key} must be 0 or more; got {section[key]}.")
    if section["public_url"] and not _is_site(section["public_url"]):
        raise StudyError(
            f"{place} public_url must be the address of a site of its own, without a path, such as "
            f"https://study.example.org; got {section['public_url']!r}."
        )
    return section


def _at_most(section: Mapping[str, Any], key: str, most: float, place: str) -> None:
    """Raise unless a number is above 0 and not above `most`; what is not a number is neither."""
    if not 0 < section[key] <= most:
        raise StudyError(
            f"{place} {key} must be above 0 and not above {most:g}; got {section[key]}."
        )


def _is_site(address: str) -> bool:
    try:
        url = urlsplit(address)
        named = url.hostname and url.port != 0
    except ValueError:
        return False
    ours = url.scheme in {"http", "https"} and url.path in {"", "/"} and "@" not in url.netloc
    plain = address.isascii() and address.isprintable() and " " not in address
    return bool(named and ours and plain and not url.query and not url.fragment)


def collection_form(
    protocol: str, section: Mapping[str, Any], *, where: str, language: str = ""
) -> Form:
    """Return the form of a study: the protocol's, with what [form] in study.toml replaces.

    Args:
        protocol: The protocol.
        section: What [form] says.
        where: The file, for errors.
        language: Of the pages; a published form is asked in it where it is written in it.
    """
    said = {key: value for key, value in section.items() if value is not None}
    if protocol == "custom":
        return form_of(said, where=where)
    published = published_form(protocol, language)
    if "middle" in published:
        middle = said.pop("middle", "refuse")
        _one_of({"middle": middle}, "middle", tuple(published["middle"]), f"{where}: [form]")
        published = _with_middle(published, middle)
    arm = said.pop("arm", "")
    published = _practised(_with_arm(published, arm, where), said.get("language", ""))
    return form_of({**published, **said}, where=where)


def _practised(published: Mapping[str, Any], language: object) -> dict[str, Any]:
    """Return a published form with practice items in the language of the items, if it has them."""
    form = {key: value for key, value in published.items() if key != "practised"}
    texts = published.get("practised", {}).get(str(language).partition("-")[0], [])
    if texts:
        pairs = zip(form["practice"], texts, strict=True)
        form["practice"] = [{**one, "text": text} for one, text in pairs]
    return form


def _with_arm(published: Mapping[str, Any], arm: str, where: str) -> dict[str, Any]:
    """Return a published form as one of its arms asks it; without a name, as published."""
    arms = published.get("arms", {})
    form = {key: value for key, value in published.items() if key != "arms"}
    if not arm:
        return form
    _one_of({"arm": arm}, "arm", tuple(arms), where)
    told = dict(arms[arm])
    texts = told.pop("questions", {})
    form["questions"] = [{**one, **texts.get(one["id"], {})} for one in form["questions"]]
    further = told.pop("further", [])  # instructions besides those of the form
    form["instructions"] = [*form["instructions"], *further]
    return {**form, **told}


def _with_middle(published: Mapping[str, Any], middle: str) -> dict[str, Any]:
    """Return a published form with what is said about the middle of its sliders."""
    words = published["middle"][middle]
    form = {key: value for key, value in published.items() if key != "middle"}
    form["instructions"] = [
        line.replace("{middle}", words["instruction"]) for line in published["instructions"]
    ]
    form["questions"] = [
        {**question, "middle": middle, "hint": words["hint"]}
        if question["type"] == "slider"
        else question
        for question in published["questions"]
    ]
    return form


def _one_of(section: Mapping[str, Any], key: str, known: tuple[str, ...], place: str) -> None:
    if section[key] not in known:
        raise StudyError(f"{place} {key} must be one of {', '.join(known)}; got {section[key]!r}.")
