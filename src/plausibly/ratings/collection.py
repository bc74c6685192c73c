"""How ratings are collected: the plan, the form and the server that study.toml describes."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from plausibly.errors import StudyError, UnknownName, about
from plausibly.io import read_toml
from plausibly.io.setting_lines import setting
from plausibly.ratings.forms import Form, form_of
from plausibly.ratings.server import MOST, YEAR, at_most, one_of, server_of
from plausibly.study.protocol import Protocol, translated

LATIN = ("latin", "latin-square")  # lists over groups and conditions, by two names
MOST_REPEATED = 0.5  # of a batch


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How many ratings are wanted, and how they are handed out.

    Args:
        target: Target number of ratings per item.
        rule: "exactly" as many, or "at least" as many.
        batch: Items a person gets at a time.
        checks_per_batch: Checks mixed in with them.
        quota: Most items a person may rate; 0 for no limit.
        lease: Seconds after which an item that was handed out is free again.
        failed_check: "keep" the ratings of people after a failed check, or "exclude" these people.
        seed: Of the draw and the shuffle.
        min_answered: Share of a batch's items that must be judged for it to count; answers that
            say nothing are not among them.
        lists: "latin-square" for lists over groups and conditions, empty for free draws.
        decided: Equal answers after which an item gets no more ratings; 0 to ask for the target.
        retest: Share of a batch's items that are shown twice, far apart; 0 for none.
        least: Fewest items of a first batch, unless no more are left; 0 for half a batch.
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
    least: int = 0

    @property
    def first_target(self) -> int:
        """Ratings an item needs before anybody has answered."""
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
    place = partial(setting, where, "ratings")
    at_least = {"target": 1, "batch": 1, "checks_per_batch": 0, "quota": 0, "least": 0}
    for key, least in at_least.items():
        if not least <= section[key] <= MOST:
            raise StudyError(
                f"{place(key)} must lie between {least} and {MOST}; got {section[key]}."
            )
    if section["least"] > section["batch"]:
        raise StudyError(
            f"{place('least')} must not be above batch = {section['batch']}; "
            f"got {section['least']}."
        )
    at_most(section, "lease_minutes", 60 * YEAR, place)
    if not 0 <= section["min_answered"] <= 1:
        raise StudyError(
            f"{place('min_answered')} must lie between 0 and 1; got {section['min_answered']}."
        )
    one_of(section, "rule", ("exactly", "at least"), place)
    one_of(section, "failed_check", ("keep", "exclude"), place)
    one_of(section, "lists", ("", *LATIN), place)
    _check_decided(section, place)
    if not 0 <= section["retest"] <= MOST_REPEATED:
        raise StudyError(
            f"{place('retest')} must lie between 0 and {MOST_REPEATED}; got {section['retest']}."
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
        lists=LATIN[-1] if section["lists"] else "",
        decided=section["decided"],
        retest=section["retest"],
        least=section["least"],
    )


def _check_decided(section: Mapping[str, Any], place: Callable[[str], str]) -> None:
    """Raise if items cannot be closed as soon as enough people agree."""
    decided, target = section["decided"], section["target"]
    if not decided:
        return
    if not target < 2 * decided <= 2 * target:
        raise StudyError(
            f"{place('decided')} must be more than half of target = {target} and not above "
            f"it, because answers that are no longer asked for must not change the majority; "
            f"got {decided}."
        )
    if section["rule"] != "exactly" or section["lists"]:
        raise StudyError(
            f'{place("decided")} = {decided} needs rule = "exactly" and no lists: items are closed '
            "one by one."
        )


def refuse_undecidable(plan: Plan, form: Form, *, surveys: bool, where: str) -> None:
    """Raise if items are to be closed early and the form's first question cannot tell when."""
    if not plan.decided:
        return
    first = form.questions[0]
    if surveys or first.per != "item" or first.type in {"text", "set", "best-of-n"}:
        decided = setting(where, "ratings", "decided")
        raise StudyError(
            f"{decided} = {plan.decided} works only without surveys, and if the first question is "
            "about the whole item and takes one answer. Set decided = 0."
        )


def check_collection(
    protocol: Protocol, sections: Mapping[str, Mapping[str, Any]], where: str
) -> None:
    """Raise where [ratings], [form] or [server] could not be collected with."""
    plan = plan_of(sections["ratings"], seed=0, where=where)
    server_of(protocol, sections, where=where)
    _check_arm(protocol, sections, where)
    if protocol.form or sections["form"]["questions"]:
        form = collection_form(protocol, sections["form"], where=where)
        refuse_undecidable(plan, form, surveys=False, where=where)


def _check_arm(protocol: Protocol, sections: Mapping[str, Mapping[str, Any]], where: str) -> None:
    """Raise if other sections do not have the values that the arm of the form needs."""
    arm = sections["form"].get("arm") or ""
    needed = protocol.form.get("arms", {}).get(arm, {}).get("needs", {})
    missing = [
        f"[{name}] {key} = {json.dumps(value)}"
        for name, values in needed.items()
        for key, value in values.items()
        if sections.get(name, {}).get(key) != value
    ]
    if missing:
        place = setting(where, "form", "arm")
        raise StudyError(f'{place} = "{arm}" needs {" and ".join(missing)}. Set that, too.')


def collection_form(
    protocol: Protocol,
    section: Mapping[str, Any],
    *,
    where: str,
    language: str = "",
    texts: Mapping[str, Any] | None = None,
) -> Form:
    """Return the form of a study: the protocol's, with what [form] in study.toml replaces.

    Args:
        protocol: The protocol; where it has no form, [form] writes all of it.
        section: What [form] says.
        where: The file, for errors.
        language: Of the pages; a published form is asked in it where it is written in it.
        texts: Replacements for the study's texts, for items of another language.
    """
    said = {key: value for key, value in section.items() if value is not None}
    if not protocol.form:
        form = translated(said, texts or {}, where=where) if said.get("questions") else said
        with about("form"):
            return form_of(form, where=where)
    published = protocol.form_in(language)
    if "middle" in published:
        middle = said.pop("middle", "refuse")
        one_of(
            {"middle": middle},
            "middle",
            tuple(published["middle"]),
            partial(setting, where, "form"),
        )
        published = _with_middle(published, middle)
    arm = said.pop("arm", "")
    published = _spoken(_with_arm(published, arm, where), said.get("language", ""))
    return form_of(translated({**published, **said}, texts or {}, where=where), where=where)


TEXTS = ("consent", "instructions", "eligibility", "headings", "guides", "practice", "language")
"""What form.LANGUAGE.toml of a study may say, with the texts of questions."""
QUESTION_TEXTS = ("text", "hint", "labels")


def form_texts(path: Path) -> dict[str, Any]:
    """Return what participants read in a language, from form.LANGUAGE.toml; nothing without it."""
    if not path.is_file():
        return {}
    texts = read_toml(path)
    for key in texts:
        if key not in (*TEXTS, "questions"):
            raise StudyError(f"{path}: {UnknownName('key', key, (*TEXTS, 'questions'))}")
    for name, own in texts.get("questions", {}).items():
        strange = [key for key in own if key not in QUESTION_TEXTS]
        if strange:
            unknown = UnknownName("key", strange[0], QUESTION_TEXTS)
            raise StudyError(f"{path}: question {name!r}: {unknown}")
    return texts


def _spoken(published: Mapping[str, Any], language: object) -> dict[str, Any]:
    """Return a published form with what it has for items of a language: practice, eligibility."""
    form = {key: value for key, value in published.items() if key not in ("practised", "native")}
    lang = str(language).partition("-")[0]
    texts = published.get("practised", {}).get(lang, [])
    if texts:
        pairs = zip(form["practice"], texts, strict=True)
        form["practice"] = [{**one, "text": text} for one, text in pairs]
    if lang in published.get("native", {}):
        form["eligibility"] = published["native"][lang]
    return form


def _with_arm(published: Mapping[str, Any], arm: str, where: str) -> dict[str, Any]:
    """Return a published form as one of its arms asks it; without a name, as published."""
    arms = published.get("arms", {})
    form = {key: value for key, value in published.items() if key != "arms"}
    if not arm:
        return form
    one_of({"arm": arm}, "arm", tuple(arms), partial(setting, where, "form"))
    changes = dict(arms[arm])
    texts = changes.pop("questions", {})
    if isinstance(texts, list):  # other questions, not other words for those of the form
        form["questions"] = texts
    else:
        form["questions"] = [{**one, **texts.get(one["id"], {})} for one in form["questions"]]
    changes.pop("needs", None)
    further = changes.pop("further", [])  # instructions besides those of the form
    form["instructions"] = [*form["instructions"], *further]
    return {**form, **changes}


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
