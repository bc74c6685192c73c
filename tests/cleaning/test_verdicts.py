"""Two verdicts a person: data by the rules, pay by what a platform would uphold."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.cleaning import clean
from plausibly.cleaning.answers import straight_lining, too_fast
from plausibly.cleaning.people import few_ratings, low_competence
from plausibly.cleaning.presets import RULES
from plausibly.cleaning.probes import failed_check
from plausibly.cleaning.rule import Rule
from plausibly.cleaning.verdicts import GROUNDS, OVERTURNED, measured_checks, verdicts
from plausibly.errors import StudyError, UnknownName
from worlds.crowds import answers_of, attested, context, items_of

CHECKS = {f"c{n}": "check:plausible" for n in range(3)}
ITEMS = items_of(**attested(3), **CHECKS)
GOOD = {"t0": "5", "t1": "1", "t2": "4", "c0": "5", "c1": "4", "c2": "5"}
RATINGS = answers_of(
    {
        "good": GOOD,
        "slip": {**GOOD, "c0": "1"},
        "clicks": {**GOOD, "c0": "1", "c1": "2"},
        "left": {"t0": "5"},
    }
)


def verdict(rules: list[Rule], **options: object) -> dict[str, dict[str, object]]:
    cleaned = clean(RATINGS, rules, context(ITEMS))
    table = verdicts(cleaned, cleaned.context, **options)  # type: ignore[arg-type]
    return {row["annotator"]: row for row in table.to_dicts()}


def test_one_failed_check_costs_data_where_a_rule_says_so_and_never_pay() -> None:
    told = verdict([failed_check()])
    assert told["slip"]["data"] == "excluded"
    assert told["slip"]["pay"] == "pay"
    assert "slip" in str(told["slip"]["pay_evidence"])
    assert (told["clicks"]["pay"], told["clicks"]["pay_rule"]) == ("may reject", "failed_check")
    assert told["clicks"]["pay_evidence"] == "failed 2 of 3 checks (c0, c1)"
    assert (told["good"]["data"], told["good"]["pay"], told["good"]["data_rule"]) == (
        "kept",
        "pay",
        None,
    )
    assert (told["good"]["checks"], told["clicks"]["failed"]) == (3, 2)


@pytest.mark.parametrize(
    ("rule", "name", "why"),
    [
        (failed_check(), "slip", "1 failed check is a slip"),
        (failed_check(), "good", "no rule excluded all of the ratings"),
        (few_ratings(fewer_than=2), "left", "stop early"),
    ],
)
def test_a_rejection_that_would_be_overturned_is_refused(rule: Rule, name: str, why: str) -> None:
    with pytest.raises(StudyError, match=f"{name}.*would be overturned: .*{why}"):
        verdict([rule], reject=[name])


def test_a_rejection_that_holds_is_written_down() -> None:
    assert verdict([failed_check()], reject=["clicks"])["clicks"]["pay"] == "reject"
    with pytest.raises(UnknownName, match="annotator to reject"):
        verdict([failed_check()], reject=["clicked"])


def test_competence_is_evidence_and_an_opinion_is_paid_for() -> None:
    knowing = replace(context(ITEMS), competence={"good": 0.1, "slip": 0.9})
    cleaned = clean(RATINGS, [low_competence(below=0.5)], knowing)
    told = verdicts(cleaned, cleaned.context, competence={"good": 0.1})
    row = told.filter(pl.col("annotator") == "good").to_dicts()[0]
    assert (row["data"], row["pay"], row["competence"]) == ("excluded", "pay", 0.1)
    assert "not show a lack of effort" in row["pay_evidence"]


def test_every_rule_says_whether_a_rejection_for_it_holds() -> None:
    assert set(GROUNDS) | set(OVERTURNED) == set(RULES)
    assert not set(GROUNDS) & set(OVERTURNED)


def test_lack_of_effort_that_shows_may_be_refused() -> None:
    ratings = RATINGS.with_columns(
        seconds=pl.when(pl.col("annotator") == "clicks").then(0.5).otherwise(6.0)
    )
    fast = [too_fast(seconds_below=2, more_than=0.5), straight_lining(at_least=9)]
    cleaned = clean(ratings, fast, context(ITEMS))
    table = verdicts(cleaned, cleaned.context)
    told = {row["annotator"]: (row["pay"], row["seconds"]) for row in table.to_dicts()}
    assert told["clicks"] == ("may reject", 0.5)
    assert told["good"] == ("pay", 6.0)


def test_a_check_that_good_annotators_fail_is_flagged() -> None:
    people = {f"p{n}": {**GOOD, "c2": "1" if n < 8 else "5"} for n in range(20)}
    cleaned = clean(answers_of(people), [], context(ITEMS))
    table = measured_checks(cleaned.context, set(people))
    told = {row["item"]: row for row in table.to_dicts()}
    assert told["c2"]["flag"] == "good annotators fail it"
    assert (told["c2"]["failed_by_good"], told["c2"]["good"]) == (8, 20)
    assert told["c0"]["flag"] is None
    result = pb.clean(answers_of(people), "recommended", items=ITEMS, resamples=0)
    assert any("check 'c2' is failed by 8 of 20" in line for line in result.talk)
    assert result.checks.equals(table)


def test_clean_writes_both_verdicts() -> None:
    result = pb.clean(RATINGS, "pap", items=ITEMS, resamples=0)
    assert result.verdicts["annotator"].to_list() == ["good", "slip", "clicks", "left"]
    with pytest.raises(StudyError, match="would be overturned"):
        pb.clean(RATINGS, "pap", items=ITEMS, resamples=0, reject=["good"])


def test_checks_that_name_a_side_are_no_evidence_where_sides_are_unknown() -> None:
    result = pb.clean(RATINGS, "adept", items=ITEMS, resamples=0)
    assert result.verdicts["failed"].sum() == 0
    assert set(result.verdicts["pay"]) == {"pay"}


@pytest.mark.parametrize("name", ["withdraw", "reject"])
def test_a_list_of_what_is_no_text_is_one_clear_line(name: str) -> None:
    ratings = pl.DataFrame({"item": ["t1"], "annotator": ["a"], "answer": [1]})
    items = pl.DataFrame({"item": ["t1"], "text": ["otter paints ladder"]})
    options: dict[str, Any] = {name: [1, {"a": 1}]}
    with pytest.raises(StudyError, match=rf"{name}= must be a list, each of it text; got \[1"):
        pb.clean(ratings, "pap", items=items, **options)
