"""The cascade counts what is left, by condition and in all, and says how far it agrees."""

from __future__ import annotations

import json
from itertools import pairwise

import polars as pl

import plausibly as pb
from plausibly.cleaning import Cleaned, RuleSpec, cascade, clean
from plausibly.cleaning.showing import as_latex, as_markdown, as_text, table_rows
from worlds.crowds import SIDES, answers_of, attested, context, items_of

ITEMS = items_of(t1="attested", t2="attested", p1="perturbed", c1="check:plausible")
RULES = (
    RuleSpec("failed_check", row="Failed checks/default submission"),
    RuleSpec("unmoved_slider", {"start": "3"}, row="Failed checks/default submission"),
    RuleSpec("low_agreement", {"below": 0.4}, row="Jaccard <0.4"),
    RuleSpec("few_ratings_per_item", {"at_least": 2}, row="items"),
)
RATINGS = answers_of(
    {
        "a": {"t1": "5", "t2": "5", "p1": "1", "c1": "5"},
        "b": {"t1": "4", "p1": "2", "c1": "5"},
        "c": {"t1": "5", "t2": "3", "p1": "1"},
        "bad": {"t1": "1", "t2": "1", "c1": "1"},
    }
)


def cleaned() -> Cleaned:
    return clean(RATINGS, [spec.build() for spec in RULES], context(ITEMS))


def steps_as_json() -> list[dict[str, object]]:
    steps = cascade(cleaned(), ITEMS, rules=RULES, sides=SIDES)
    return [step.as_json() for step in steps]


def test_the_first_step_is_raw_and_counts_without_checks() -> None:
    first = steps_as_json()[0]
    assert first["step"] == "raw"
    assert first["ratings"] == {"attested": 7, "perturbed": 3, "total": 10}
    assert first["annotators"] == {"attested": 4, "perturbed": 3, "total": 4}
    assert first["items"] == {"attested": 2, "perturbed": 1, "total": 3}


def test_every_step_adds_up_with_the_ledger() -> None:
    ledger = cleaned().exclusions
    steps = cascade(cleaned(), ITEMS, rules=RULES, sides=SIDES)
    for before, after in pairwise(steps):
        gone = ledger.filter(pl.col("step") == after.step).height
        assert before.ratings["total"] - gone == after.ratings["total"]
        assert sum(n for c, n in after.ratings.items() if c != "total") == after.ratings["total"]
    assert steps[-1].ratings["total"] == cleaned().ratings.height


def test_items_with_enough_ratings_are_counted_as_in_table_3() -> None:
    enough = [step["items_with_enough_ratings"] for step in steps_as_json()]
    assert enough[0] == {"attested": 2, "perturbed": 1, "total": 3}
    assert enough[2] == {"attested": 1, "perturbed": 1, "total": 2}


def test_agreement_has_its_n_and_says_when_it_was_selected_for() -> None:
    steps = steps_as_json()
    agreements = [step["agreement"] for step in steps]
    assert [a["selected_on_agreement"] for a in agreements if isinstance(a, dict)] == [
        False,
        False,
        False,
        True,
        True,
    ]
    last = agreements[-1]
    assert isinstance(last, dict)
    assert last["soft_jaccard"]["value"] == 1.0
    assert last["soft_jaccard"]["n"] == 2
    assert set(last["krippendorff_alpha"]) == {"nominal", "ordinal", "interval", "ratio"}
    json.dumps(steps, allow_nan=False)


def test_several_questions_have_their_own_agreement() -> None:
    both = pl.concat([RATINGS, RATINGS.with_columns(question=pl.lit("other"))])
    steps = cascade(clean(both, [], context(ITEMS)), ITEMS, sides=SIDES)
    found = steps[0].as_json()["agreement"]
    assert isinstance(found, dict)
    assert set(found["questions"]) == {"plausible", "other"}


def test_nothing_left_has_measures_without_a_value_and_says_why() -> None:
    every = RuleSpec("few_ratings", {"fewer_than": 100})
    for ratings in (RATINGS, RATINGS.clear()):
        steps = cascade(clean(ratings, [every.build()], context(ITEMS)), ITEMS, rules=[every])
        found = steps[-1].as_json()["agreement"]
        assert isinstance(found, dict)
        assert set(found["krippendorff_alpha"]) == {"nominal", "ordinal", "interval", "ratio"}
        for measure in (found["soft_jaccard"], *found["krippendorff_alpha"].values()):
            assert (measure["value"], measure["n"]) == (None, 0)
            assert measure["reason"] == "no rating is left"
        assert steps[-1].ratings["total"] == 0
        assert as_text(steps).splitlines()


def test_a_question_that_lost_all_its_ratings_keeps_its_place() -> None:
    rare = answers_of({"a": {"t1": "5"}}, question="other")
    rule = RuleSpec("few_ratings_per_item", {"at_least": 2})
    given = clean(pl.concat([RATINGS, rare]), [rule.build()], context(ITEMS))
    found = cascade(given, ITEMS, rules=[rule], sides=SIDES)[-1].as_json()["agreement"]
    assert isinstance(found, dict)
    assert found["questions"]["other"]["soft_jaccard"]["value"] is None
    assert found["questions"]["plausible"]["soft_jaccard"]["value"] is not None


def test_steps_of_one_row_are_shown_once() -> None:
    header, rows = table_rows(cascade(cleaned(), ITEMS, rules=RULES, sides=SIDES))
    assert [row[0] for row in rows] == [
        "Raw (without check instances)",
        "Failed checks/default submission",
        "Jaccard <0.4",
        "items",
    ]
    assert header[:4] == ["step", "annotators attested", "annotators perturbed", "annotators total"]
    assert rows[2][-2].endswith("*")


def test_tables_for_people_have_all_rows_and_the_remark() -> None:
    steps = cascade(cleaned(), ITEMS, rules=RULES, sides=SIDES)
    text, markdown, latex = as_text(steps), as_markdown(steps), as_latex(steps)
    assert text.splitlines()[2].startswith("Raw (without check instances)")
    assert markdown.startswith("| step | annotators attested |")
    assert r"Jaccard $<$0.4 &" in latex
    assert latex.count(r" \\") == 5
    for table in (text, markdown, latex):
        assert "higher by construction" in table
        assert "1 of 4 annotators answered no check" in table


def test_items_without_conditions_are_counted_in_all_only() -> None:
    items = items_of(t1="", t2="")
    ratings = answers_of({"a": {"t1": "5", "t2": "4"}})
    steps = cascade(clean(ratings, [], context(items)), items)
    assert steps[0].ratings == {"total": 2}


def test_the_last_row_has_the_interval_that_agree_prints() -> None:
    people = {f"a{n}": {f"t{i}": str((n * i) % 5 + 1) for i in range(80)} for n in range(7)}
    kept = pb.clean(answers_of(people), "recommended", items=items_of(**attested(80)), seed=3)
    alone = pb.agree(kept.ratings, seed=3).as_json()
    assert kept.as_json()[-1]["agreement"]["krippendorff_alpha"] == alone["krippendorff_alpha"]
