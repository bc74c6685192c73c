"""What study.toml may say about collecting ratings, with the defaults of every protocol."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plausibly.errors import StudyError, UnknownName

Explained = Mapping[str, tuple[Any, str]]

_SERVER: Explained = {
    "title": ("", "Heading of the pages. Empty: the word Study."),
    "contact": ("", "Whom a participant may write to."),
    "public_url": ("", "Address of the server as participants see it, for personal links."),
    "interface": (
        "",
        "Language of the pages: en, it, de, es, fr, nl, pt, or that of a pages.LANGUAGE.toml. "
        "Empty: that of [form] if there are pages in it, else en.",
    ),
    "minutes": (0, "Minutes a batch takes, shown before people agree; 0: not shown."),
    "pay": ("", "What participants get, in words, shown before they agree."),
    "reward": (0.0, "What participants get for one batch, as a number."),
    "min_hourly": (0.0, "Lowest hourly pay; the server does not open below it."),
    "currency": ("", "Currency of reward and item_reward, such as GBP."),
    "item_reward": (0.0, "Pay for one item of a short round; 0: reward divided by batch."),
    "screened_reward": (0.0, "Pay for people who are screened out, as a number."),
    "platform_fee": (
        0.0,
        "The platform's fee as a share of the pay, such as 0.333; 0: not declared.",
    ),
    "short_code": ("", "Completion code of short rounds. Empty: there are none."),
    "code": ("", "One completion code for all. Empty: a different one for each person."),
    "return_url": ("", "Where a participant goes in the end; {code} stands for the code."),
    "screened_code": ("", "Completion code of people who are screened out."),
    "screened_url": ("", "Where screened-out people go. Empty: return_url, if it takes codes."),
    "full_code": ("", "Completion code of people who find the study full, or withdraw."),
    "full_url": (
        "",
        "Where people go if the study is full or they withdraw. "
        "Empty: return_url, if it takes codes.",
    ),
    "purpose": ("", "What the answers are for, as the consent page states it."),
    "controller": ("", "Who is responsible for the data: name and address."),
    "storage": ("", "Where the answers are stored, and for how long."),
    "withdraw_until": (
        "",
        "Last day to withdraw, before the release: 2026-12-31. Empty: any time.",
    ),
    "door": ("", "Who may enter: panel, links, list or open. Empty: see Collect ratings."),
    "platform": ("", "Where people come from: prolific, connect, sona or custom."),
    "platform_study": ("", "Id of the study on the platform."),
    "platform_minutes": (0.0, "Maximum number of minutes the platform gives people; 0: not known."),
    "signed_links": (False, "Whether people need a link that Prolific has signed."),
    "confirm_days": (3.0, "Days that places wait for a platform to confirm a person."),
    "api": (False, "Whether programs may take part through the participant API."),
    "session_hours": (12.0, "Hours after which a participant has to enter again."),
    "requests_per_minute": (
        6000,
        "Maximum number of requests per minute by one person or address.",
    ),
    "answers_per_minute": (60, "Maximum number of pages that one person may send per minute."),
    "min_seconds": (0.0, "Minimum seconds per item; people below it are flagged, never refused."),
    "burst": (20, "If more new people than this come from an address in 10 minutes, all are held."),
    "people_per_hour": (60, "Maximum number of new people per hour from one address."),
    "held_per_address": (250, "Maximum number of unanswered places held by one address."),
    "trusted_proxies": ([], "Addresses of proxies whose X-Forwarded-For is trusted."),
}

_RATINGS: Explained = {
    "target": (10, "Target number of ratings per item."),
    "rule": ("exactly", 'Whether an item gets "exactly" or "at least" that many ratings.'),
    "batch": (24, "Number of items a person gets at a time."),
    "least": (0, "Minimum number of items of a full round; 0: half a batch."),
    "checks_per_batch": (1, "Number of checks among the items of a batch."),
    "quota": (0, "Maximum items per person; 0: no limit. In paid studies, at most one batch."),
    "lease_minutes": (30.0, "Minutes after which an item that was not answered is free again."),
    "failed_check": ("keep", '"keep" the ratings of people who fail a check, or "exclude" them.'),
    "min_answered": (0.0, "Share of a batch's items that must be judged for it to count."),
    "lists": ("", '"latin-square": each list shows one condition per group. Empty: free draws.'),
    "decided": (0, "Number of equal answers that close an item; 0: items stay open."),
    "retest": (0.0, "Share of a batch's items that are shown twice, far apart."),
}

_REPLACED: Explained = {
    "consent": (None, "Paragraphs a person agrees to before taking part."),
    "instructions": (None, "Paragraphs on how to answer."),
    "eligibility": (None, "A yes-or-no question; only people who answer yes may take part."),
    "screening": (None, "Questions that decide who may take part, each as [[form.screening]]."),
    "comprehension": (
        None,
        "Questions about the instructions, each as [[form.comprehension]].",
    ),
    "headings": (None, "Maps each column that is shown to its heading."),
    "language": (None, "Language of the items, as in en or it."),
    "practice": (None, "Items to practise on, each as [[form.practice]]."),
    "guides": (None, "Maps values of the column guided_by to paragraphs shown with the item."),
}

_WRITTEN: Explained = {
    "id": ("form", "Name of the form."),
    "questions": (None, "The questions, each as [[form.questions]]."),
    "consent": ([], _REPLACED["consent"][1]),
    "instructions": ([], _REPLACED["instructions"][1]),
    "eligibility": ("", _REPLACED["eligibility"][1]),
    "screening": (None, _REPLACED["screening"][1]),
    "comprehension": (None, _REPLACED["comprehension"][1]),
    "show": ([], "Columns of the items that are shown with the text."),
    "order": ("shuffled", "Order of the candidates of an item: shuffled, or given by the table."),
    "candidates": ("blind", "Names of candidates in pages and API: blind (numbers), or shown."),
    "reveal": ({}, "Maps steps of the item to columns that are shown from that step on."),
    "headings": ({}, _REPLACED["headings"][1]),
    "reopen": (False, "Whether a step of an item may be revised after the next one was shown."),
    "lines": ([], "Columns of the items that are shown one below the other, in place of the text."),
    "numbered": ("", "Column with the sentences of an item, shown by number."),
    "translated": ("", "Column with translations of these sentences, shown next to them."),
    "language": ("", _REPLACED["language"][1]),
    "practice": (None, _REPLACED["practice"][1]),
    "guided_by": ("", "Column of the items that decides which guide is shown."),
    "guides": ({}, _REPLACED["guides"][1]),
    "per_page": (1, "Items on one page."),
}

_FURTHER: Explained = {
    "middle": ("", 'What an answer at the start of a slider is: "refuse", "accept" or "touch".'),
    "arm": ("", "Which version of the form is used, if the protocol has several."),
}

_PEOPLE: Explained = {
    "pilot": ("", "File of ratings to estimate the model from, where it is not set here."),
    "effect": (
        1.0,
        "Difference between the extreme conditions, in units of an answer's noise.",
    ),
    "effects": (None, "By column and level, such as { condition = { a = 0.5, b = -0.5 } }."),
    "items": (0.6, "Standard deviation between items, in units of an answer's noise."),
    "groups": (0.4, "Standard deviation between groups of items."),
    "group_slopes": (0.3, "How much the difference of two conditions varies between groups (SD)."),
    "severity": (0.5, "Standard deviation between people."),
    "slopes": (0.3, "How much the difference of two conditions varies between people (SD)."),
    "spread": (0.2, "How much people differ in how far they use the scale, in logarithms."),
    "coherence": (0.7, "Correlation between the effects on two questions."),
    "ends": (0.04, "Share of the scale, at each end, that becomes the end of a slider."),
    "rounding": (
        {"1": 0.3, "5": 0.3, "10": 0.4},
        "Shares of people who round to 1, 5 or 10 percent of the scale.",
    ),
    "knows_checks": (0.98, "Probability that somebody who reads passes a check."),
    "unsure": (0.02, "Probability of the answer not sure, where the form offers it."),
    "comments": (0.0, "Probability that a text that is not required is written."),
    "seconds": (4.2, "Seconds an answer takes without reading."),
    "seconds_per_word": (0.25, "Seconds of reading per word."),
    "seconds_spread": (0.5, "Standard deviation of the logarithm of one person's seconds."),
    "pace": (0.2, "Standard deviation between people of the logarithm of their seconds."),
    "appeal": (None, "By condition, the Beta distribution of the places of items on the scale."),
    "questions": (None, "[people.questions.NAME]: direction, shares, quantiles, effects."),
}

_SAMPLE: Explained = {
    "random": (False, "Whether the rated items are a random sample of all items."),
    "inclusion": (
        "",
        "Column of the items with the probability that an item was chosen to be rated.",
    ),
}

_DESK: Explained = {
    "effects": (False, "Show means by condition at the desk before the study is closed."),
    "blinded": (False, "Hide conditions and candidates at the desk until the study is closed."),
}

SERVER: dict[str, Any] = {key: default for key, (default, _) in _SERVER.items()}
RATINGS: dict[str, Any] = {key: default for key, (default, _) in _RATINGS.items()}
REPLACED: dict[str, Any] = {key: default for key, (default, _) in _REPLACED.items()}
"""What [form] may replace in the form of a protocol."""
PEOPLE: dict[str, Any] = {key: default for key, (default, _) in _PEOPLE.items()}
"""The model that simulated people are drawn from."""
SAMPLE: dict[str, Any] = {key: default for key, (default, _) in _SAMPLE.items()}
"""How the items that people rate were drawn."""
DESK: dict[str, Any] = {key: default for key, (default, _) in _DESK.items()}
"""What the researcher sees at the desk."""
WRITTEN: dict[str, Any] = {key: default for key, (default, _) in _WRITTEN.items()}
"""What [form] holds where a protocol has no form: all of it."""
EXPLAINED: dict[str, dict[str, str]] = {
    "ratings": {key: text for key, (_, text) in _RATINGS.items()},
    "form": {key: text for key, (_, text) in {**_REPLACED, **_WRITTEN, **_FURTHER}.items()},
    "server": {key: text for key, (_, text) in _SERVER.items()},
    "people": {key: text for key, (_, text) in _PEOPLE.items()},
    "sample": {key: text for key, (_, text) in _SAMPLE.items()},
    "desk": {key: text for key, (_, text) in _DESK.items()},
}
"""From a section to what each of its keys means."""

ALSO = "also"


def collection(
    document: Mapping[str, Any] | None = None, *, has_form: bool = False, where: str = ""
) -> dict[str, dict[str, Any]]:
    """Return the sections that every protocol has: those of this module, and [questions].

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
    known = {"ratings": RATINGS, "form": {**REPLACED, **WRITTEN, **_FURTHER}}
    known |= {"server": SERVER, "people": PEOPLE, "sample": SAMPLE, "desk": DESK}
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
        "people": {**PEOPLE, **given.get("people", {})},
        "sample": {**SAMPLE, **given.get("sample", {})},
        "desk": {**DESK, **given.get("desk", {})},
        "questions": {},
    }
