"""Each rule names the people and ratings it is about, and nobody else."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

from plausibly.cleaning import Context, Rule, clean
from plausibly.cleaning.answers import (
    duplicate_answers,
    few_ratings_per_item,
    straight_lining,
    too_fast,
    unmoved_slider,
)
from plausibly.cleaning.people import (
    against_label,
    few_ratings,
    low_agreement,
    low_approval,
    low_competence,
    refused_by_platform,
    too_many_items,
    unsure_share,
)
from plausibly.cleaning.probes import failed_attention, failed_check, off_gold
from plausibly.errors import StudyError, UnknownName
from worlds.crowds import answers_of, approvals, attested, context, items_of
from worlds.tables import ratings_of


def excluded(ratings: pl.DataFrame, rule: Rule, given: Context) -> pl.DataFrame:
    return clean(ratings, [rule], given).exclusions.filter(pl.col("step") == 1)


def people(ratings: pl.DataFrame, rule: Rule, given: Context) -> set[str]:
    return set(excluded(ratings, rule, given)["annotator"])


def rated(count: int, answer: str = "5") -> dict[str, str]:
    return {f"t{number}": answer for number in range(count)}


def test_one_failed_check_drops_everything_of_the_person() -> None:
    items = items_of(t1="attested", t2="perturbed", c1="check:plausible")
    ratings = answers_of(
        {
            "good": {"t1": "5", "t2": "1", "c1": "4"},
            "bad": {"t1": "5", "t2": "1", "c1": "2"},
            "unchecked": {"t1": "5", "t2": "1"},
        }
    )
    gone = excluded(ratings, failed_check(), context(items))
    assert set(gone["annotator"]) == {"bad"}
    assert set(gone["item"]) == {"t1", "t2"}
    assert gone["reason"].unique().to_list() == ["failed 1 of 1 checks (c1)"]


@pytest.mark.parametrize(
    ("expected", "answer", "fails"),
    [
        ("plausible", "4", False),
        ("plausible", "3", True),
        ("implausible", "2", False),
        ("implausible", "5", True),
        ("5", "4", False),
        ("5", "1", True),
        ("4,5", "4", False),
        ("1|2", "5", True),
        ("4.0", "4", False),
    ],
)
def test_a_check_is_failed_off_the_expected_side(expected: str, answer: str, fails: bool) -> None:
    items = items_of(t1="attested", c1=f"check:{expected}")
    ratings = answers_of({"a": {"t1": "5", "c1": answer}})
    assert people(ratings, failed_check(), context(items)) == ({"a"} if fails else set())


def test_without_sides_the_expected_answer_itself_is_wanted() -> None:
    items = items_of(t1="attested", c1="check:5")
    ratings = answers_of({"a": {"t1": "5", "c1": "4"}, "b": {"t1": "5", "c1": "5"}})
    assert people(ratings, failed_check(), Context(items=items)) == {"a"}


def test_an_expected_side_without_sides_asks_for_them() -> None:
    items = items_of(t1="attested", c1="check:plausible")
    ratings = answers_of({"a": {"t1": "5", "c1": "4"}})
    with pytest.raises(StudyError, match="with sides"):
        clean(ratings, [failed_check()], Context(items=items))


def test_several_checks_may_be_asked_for_before_anybody_is_judged() -> None:
    checks = {f"c{number}": "check:plausible" for number in range(3)}
    items = items_of(t1="attested", **checks)
    ratings = answers_of(
        {
            "one of two": {"t1": "5", "c0": "1", "c1": "5"},
            "one of three": {"t1": "5", "c0": "1", "c1": "5", "c2": "5"},
            "two of three": {"t1": "5", "c0": "1", "c1": "1", "c2": "5"},
        }
    )
    rule = failed_check(min_checks=3, more_than=0.34)
    assert people(ratings, rule, context(items)) == {"two of three"}
    assert clean(ratings, [rule], context(items)).stages[1].note == (
        "1 of 3 annotators answered fewer than 3 checks, so checks do not judge them."
    )


def test_the_form_says_where_a_slider_started() -> None:
    items = items_of(t1="attested")
    ratings = answers_of({"a": {"t1": "50"}, "b": {"t1": "70"}})
    (asked,) = ratings["question"].unique()
    form = replace(context(items), starts={asked: "50"})
    gone = clean(ratings, [unmoved_slider()], form)
    assert gone.exclusions["annotator"].to_list() == ["a"]
    moved = clean(ratings, [unmoved_slider()], replace(form, starts={}))
    assert moved.exclusions.is_empty()
    assert not any(stage.unable for stage in moved.stages)


def test_an_unmoved_slider_costs_that_rating_only() -> None:
    items = items_of(t1="attested", t2="attested")
    ratings = answers_of({"a": {"t1": "3", "t2": "4"}, "b": {"t1": "3.0", "t2": "1"}})
    gone = excluded(ratings, unmoved_slider(start="3"), context(items))
    assert gone.select("item", "annotator").rows() == [("t1", "a"), ("t1", "b")]


def test_the_start_of_an_item_goes_before_the_start_of_the_rule() -> None:
    items = items_of(t1="attested", t2="attested").with_columns(start=pl.Series(["50", None]))
    ratings = answers_of({"a": {"t1": "50", "t2": "3"}, "b": {"t1": "3", "t2": "50"}})
    gone = excluded(ratings, unmoved_slider(start="3"), context(items))
    assert gone.select("item", "annotator").rows() == [("t1", "a"), ("t2", "a")]


def test_a_slider_whose_start_is_unknown_is_not_judged() -> None:
    items = items_of(t1="attested")
    cleaned = clean(answers_of({"a": {"t1": "3"}}), [unmoved_slider()], context(items))
    assert cleaned.ratings.height == 1
    assert cleaned.stages[1].note == "1 of 1 ratings have no known start value."


@pytest.mark.parametrize(("count", "goes"), [(9, True), (10, False)])
def test_fewer_than_ten_ratings_go_and_ten_stay(count: int, goes: bool) -> None:
    items = items_of(**attested(12))
    ratings = answers_of({"a": rated(count), "b": rated(12)})
    assert people(ratings, few_ratings(fewer_than=10), context(items)) == ({"a"} if goes else set())


def test_at_most_ten_takes_the_boundary_with_it() -> None:
    ratings = answers_of({"a": rated(10), "b": rated(12)})
    assert people(ratings, few_ratings(at_most=10), context(items_of(**attested(12)))) == {"a"}


@pytest.mark.parametrize(("against", "goes"), [(15, False), (16, True)])
def test_exactly_three_quarters_against_the_label_stay(against: int, goes: bool) -> None:
    items = items_of(**attested(20))
    given = {f"t{n}": "1" if n < against else "5" for n in range(20)}
    ratings = answers_of({"a": given})
    rule = against_label(more_than=0.75)
    assert people(ratings, rule, context(items)) == ({"a"} if goes else set())
    assert people(ratings, against_label(at_least=0.75), context(items)) == {"a"}


def test_disagreement_with_perturbed_items_is_not_held_against_anybody() -> None:
    items = items_of(t1="attested", p1="perturbed", p2="perturbed", p3="perturbed")
    ratings = answers_of({"a": {"t1": "5", "p1": "5", "p2": "4", "p3": "5"}})
    assert people(ratings, against_label(more_than=0.5), context(items)) == set()
    assert people(ratings, against_label(more_than=0.5, on="both"), context(items)) == {"a"}


def test_the_middle_is_not_against_the_label_but_counts_in_the_whole() -> None:
    items = items_of(**attested(4))
    ratings = answers_of({"a": {"t0": "1", "t1": "1", "t2": "3", "t3": "3"}})
    assert people(ratings, against_label(more_than=0.5), context(items)) == set()
    assert people(ratings, against_label(at_least=0.5), context(items)) == {"a"}


@pytest.mark.parametrize(("condition", "told"), [("attested", False), ("plausible", True)])
def test_against_label_says_when_no_item_is_attested(condition: str, told: bool) -> None:
    ratings = answers_of({"a": {"t0": "1"}})
    rule = against_label(more_than=0.75)
    note = clean(ratings, [rule], context(items_of(t0=condition))).stages[-1].note
    assert (note is not None and "attested" in note) == told


def test_against_label_asks_for_sides() -> None:
    ratings = answers_of({"a": {"t0": "1"}})
    with pytest.raises(StudyError, match="which answers are plausible"):
        clean(ratings, [against_label(more_than=0.75)], Context(items=items_of(**attested(1))))


@pytest.mark.parametrize(
    ("approval", "goes"), [(79.9, True), (80, False), (0, True), (100, False), (None, False)]
)
def test_approval_below_80_goes_zero_included_and_missing_stays(
    approval: float | None, goes: bool
) -> None:
    given = context(items_of(**attested(1)), approvals(a=approval, b=100))
    ratings = answers_of({"a": {"t0": "5"}, "b": {"t0": "5"}})
    assert people(ratings, low_approval(below=80), given) == ({"a"} if goes else set())


def test_an_approval_of_zero_may_be_kept() -> None:
    given = context(items_of(**attested(1)), approvals(a=0, b=50))
    ratings = answers_of({"a": {"t0": "5"}, "b": {"t0": "5"}})
    assert people(ratings, low_approval(below=80, zero=False), given) == {"b"}


def test_unknown_approvals_are_counted_in_the_note() -> None:
    given = context(items_of(**attested(1)), approvals(a=90))
    ratings = answers_of({"a": {"t0": "5"}, "b": {"t0": "5"}})
    cleaned = clean(ratings, [low_approval(below=80)], given)
    assert cleaned.stages[1].note == "the approval of 1 of 2 annotators is unknown; they stay."
    without = replace(given, annotators=None)
    note = clean(ratings, [low_approval(below=80)], without).stages[1].note
    assert note == "the approval of 2 of 2 annotators is unknown; they stay."


def test_low_agreement_is_the_mean_over_people_one_shares_items_with() -> None:
    items = items_of(**attested(5))
    ratings = answers_of(
        {
            "odd": dict.fromkeys(["t0", "t1", "t2", "t3", "t4"], "1"),
            "b": dict.fromkeys(["t0", "t1", "t2", "t3", "t4"], "5"),
            "c": dict.fromkeys(["t0", "t1", "t2", "t3", "t4"], "4"),
            "alone": {},
        }
    )
    assert people(ratings, low_agreement(below=0.4), context(items)) == {"odd"}


def test_who_shares_no_item_is_not_judged_by_agreement() -> None:
    items = items_of(**attested(2))
    ratings = answers_of({"a": {"t0": "5"}, "b": {"t1": "1"}})
    assert people(ratings, low_agreement(below=0.9), context(items)) == set()


def test_low_competence_takes_a_mapping_or_a_function() -> None:
    given = context(items_of(**attested(1)))
    ratings = answers_of({"a": {"t0": "5"}, "b": {"t0": "5"}, "c": {"t0": "5"}})
    mapping = {"a": 0.1, "b": 0.2}
    rule = low_competence(below=0.2)
    assert people(ratings, rule, replace(given, competence=mapping)) == {"a"}
    assert people(ratings, rule, replace(given, competence=lambda _: mapping)) == {"a"}
    with pytest.raises(StudyError, match="Pass `competence`"):
        clean(ratings, [rule], given)


def test_competence_is_found_from_the_ratings_that_are_left() -> None:
    seen: list[int] = []

    def competence(ratings: pl.DataFrame) -> dict[str, float]:
        seen.append(ratings.height)
        return {}

    given = replace(context(items_of(**attested(12))), competence=competence)
    ratings = answers_of({"a": rated(9), "b": rated(12)})
    clean(ratings, [few_ratings(fewer_than=10), low_competence(below=0.5)], given)
    assert seen == [12]


def test_an_attention_item_wants_its_very_answer() -> None:
    items = items_of(t1="attested", x1="attention:4")
    ratings = answers_of({"a": {"t1": "5", "x1": "5"}, "b": {"t1": "5", "x1": "4"}})
    assert people(ratings, failed_attention(), context(items)) == {"a"}


def test_ten_percent_off_gold_stay_and_more_go() -> None:
    gold = {f"g{number}": "gold:0" for number in range(10)}
    items = items_of(t1="", **gold)
    near = {**dict.fromkeys(gold, "1"), "g0": "2"}
    far = {**dict.fromkeys(gold, "1"), "g0": "2", "g1": "4"}
    ratings = answers_of({"near": {"t1": "2", **near}, "far": {"t1": "2", **far}})
    rule = off_gold(at_least_steps=2, more_than=0.10)
    assert people(ratings, rule, Context(items=items)) == {"far"}


def test_the_denominator_of_gold_is_a_choice() -> None:
    items = items_of(g1="gold:0", **dict.fromkeys([f"t{n}" for n in range(20)], ""))
    ratings = answers_of({"a": {"g1": "2", **rated(20, "2")}})
    given = Context(items=items)
    assert people(ratings, off_gold(more_than=0.1), given) == {"a"}
    assert people(ratings, off_gold(more_than=0.1, denominator="all"), given) == set()
    with pytest.raises(UnknownName, match="Did you mean 'gold'"):
        off_gold(more_than=0.1, denominator="golds")  # type: ignore[arg-type]


def test_steps_may_be_counted_on_a_scale_of_words() -> None:
    scale = ["impossible", "less likely", "equally likely"]
    items = items_of(t1="", g1="gold:impossible")
    ratings = answers_of(
        {"far": {"t1": "x", "g1": "equally likely"}, "near": {"t1": "x", "g1": "less likely"}}
    )
    rule = off_gold(at_least_steps=2, more_than=0.1, scale=scale)
    assert people(ratings, rule, Context(items=items)) == {"far"}


def test_people_with_too_many_items_go() -> None:
    ratings = answers_of({"a": rated(4), "b": rated(3)})
    assert people(ratings, too_many_items(more_than=3), context(items_of(**attested(4)))) == {"a"}


def test_four_fifths_labelled_are_too_few() -> None:
    given = context(items_of(**attested(10)))
    ratings = answers_of(
        {
            "a": {f"t{n}": "not sure" if n < 2 else "5" for n in range(10)},
            "b": {f"t{n}": "not sure" if n < 1 else "5" for n in range(10)},
        }
    )
    rule = unsure_share(answers=["not sure"], at_least=0.2)
    assert people(ratings, rule, given) == {"a"}
    assert people(ratings, unsure_share(answers=["not sure"], more_than=0.2), given) == set()


def timed(**people_seconds: list[float | None]) -> pl.DataFrame:
    rows = [
        {"item": f"t{n}", "annotator": who, "question": "q", "answer": "5", "seconds": seconds}
        for who, all_seconds in people_seconds.items()
        for n, seconds in enumerate(all_seconds)
    ]
    return pl.DataFrame(rows, schema_overrides={"seconds": pl.Float64})


def test_fast_ratings_go_alone_or_with_the_person() -> None:
    given = context(items_of(**attested(4)))
    ratings = timed(a=[0.5, 2.0, 3.0, None], b=[0.5, 0.5, 0.5, 2.0])
    alone = excluded(ratings, too_fast(seconds_below=1), given)
    assert alone.select("annotator", "item").sort("annotator", "item").rows() == [
        ("a", "t0"),
        ("b", "t0"),
        ("b", "t1"),
        ("b", "t2"),
    ]
    assert people(ratings, too_fast(seconds_below=1, more_than=0.5), given) == {"b"}


def test_ratings_without_times_are_not_fast() -> None:
    ratings = answers_of({"a": {"t0": "5"}})
    cleaned = clean(ratings, [too_fast(seconds_below=1)], context(items_of(**attested(1))))
    assert cleaned.ratings.height == 1
    assert cleaned.stages[1].note == "1 of 1 ratings have no time."


def test_straight_liners_go_if_they_had_time_to_vary() -> None:
    given = context(items_of(**attested(5)))
    ratings = answers_of(
        {"a": rated(5), "b": {**rated(5), "t0": "4"}, "c": rated(3), "d": rated(5, "1")}
    )
    assert people(ratings, straight_lining(at_least=5), given) == {"a", "d"}
    assert people(ratings, straight_lining(at_least=5, min_share=0.8), given) == {"a", "b", "d"}


def test_a_line_that_everyone_draws_is_no_fault() -> None:
    given = context(items_of(**attested(12)))
    crowd = {f"p{n}": rated(12) for n in range(30)}
    against = {"odd": rated(12, "1")}
    rule = straight_lining(at_least=5, min_share=0.9, chance_below=0.001)
    assert people(answers_of({**crowd, **against}), rule, given) == {"odd"}
    assert len(people(answers_of({**crowd, **against}), straight_lining(at_least=5), given)) == 31


def test_attention_items_count_as_checks_where_asked() -> None:
    checks = {f"c{n}": "attention:2" for n in range(3)}
    given = context(items_of(**attested(2), **checks))
    ratings = answers_of(
        {
            "reads": {**rated(2), "c0": "2", "c1": "2", "c2": "2"},
            "clicks": {**rated(2), "c0": "1", "c1": "1", "c2": "2"},
        }
    )
    rule = failed_check(min_checks=3, more_than=0.34, attention=True)
    assert people(ratings, rule, given) == {"clicks"}
    assert people(ratings, failed_check(min_checks=3, more_than=0.34), given) == set()


def test_the_first_items_of_the_busy_stay_where_asked() -> None:
    ratings = answers_of({"a": rated(4), "b": rated(3)}).with_columns(
        submitted=pl.col("item").replace({"t0": "4", "t1": "3", "t2": "2", "t3": "1"})
    )
    given = context(items_of(**attested(4)))
    cleaned = clean(ratings, [too_many_items(more_than=3, keep="first")], given)
    assert cleaned.exclusions.select("annotator", "item").rows() == [("a", "t0")]
    untimed = clean(ratings.drop("submitted"), [too_many_items(more_than=3, keep="first")], given)
    assert untimed.exclusions.select("annotator", "item").rows() == [("a", "t3")]
    assert "by name" in str(untimed.stages[1].note)


def test_people_with_the_same_answers_everywhere_are_both_suspects() -> None:
    given = context(items_of(**attested(6)))
    one = {"t0": "5", "t1": "1", "t2": "4", "t3": "2", "t4": "5"}
    ratings = answers_of({"a": one, "b": one, "c": {**one, "t0": "4"}, "d": {"t0": "5", "t1": "1"}})
    assert people(ratings, duplicate_answers(at_least=5), given) == {"a", "b"}
    assert people(ratings, duplicate_answers(at_least=6), given) == set()


@pytest.mark.parametrize(("count", "stays"), [(7, False), (8, True)])
def test_items_stay_with_eight_ratings(count: int, stays: bool) -> None:
    ratings = answers_of({f"a{n}": {"t0": "5"} for n in range(count)})
    given = context(items_of(**attested(1)))
    assert excluded(ratings, few_ratings_per_item(at_least=8), given).is_empty() == stays
    assert not excluded(ratings, few_ratings_per_item(more_than=8), given).is_empty()


def test_submissions_the_platform_refused_go() -> None:
    annotators = approvals(a=None, b=None).with_columns(status=pl.Series(["RETURNED", "APPROVED"]))
    given = context(items_of(**attested(1)), annotators)
    ratings = answers_of({"a": {"t0": "5"}, "b": {"t0": "5"}, "c": {"t0": "5"}})
    assert people(ratings, refused_by_platform(statuses=["returned", "rejected"]), given) == {"a"}


def test_a_refused_assignment_costs_its_own_ratings() -> None:
    ratings = answers_of({"a": {"t0": "5", "t1": "5"}}).with_columns(
        status=pl.Series(["Rejected", "Approved"])
    )
    rule = refused_by_platform(statuses=["REJECTED"])
    gone = excluded(ratings, rule, context(items_of(**attested(2))))
    assert gone.select("item", "reason").rows() == [("t0", "the submission was rejected")]


def test_a_rule_wants_exactly_one_limit() -> None:
    with pytest.raises(StudyError, match="give one of fewer_than or at_most; got none"):
        few_ratings()
    with pytest.raises(StudyError, match="got fewer_than, at_most"):
        few_ratings(fewer_than=10, at_most=9)
    with pytest.raises(StudyError, match="must be a number"):
        few_ratings(fewer_than="ten")  # type: ignore[arg-type]


def test_a_total_divided_by_items_is_not_a_time_of_an_answer() -> None:
    ratings = ratings_of({"t1": "55", "t2": "55"}).with_columns(seconds=pl.lit(0.2))
    items = pl.DataFrame({"item": ["t1", "t2"]})
    rule = too_fast(seconds_below=1)
    assert rule.find(ratings, Context(items)).height == 4
    whole = ratings.with_columns(together=pl.lit(2))
    assert rule.find(whole, Context(items)).is_empty()
    assert rule.unable is not None
    why = "times are totals divided by items: speed was not judged."
    assert rule.unable(whole, Context(items)) == why


def test_answers_to_fillers_are_set_aside_and_judge_nobody() -> None:
    items = items_of(t1="attested", f1="attested").with_columns(
        kind=pl.when(pl.col("item") == "f1").then(pl.lit("filler")).otherwise("kind")
    )
    cleaned = clean(
        answers_of({"a": {"t1": "3", "f1": "1"}}), [failed_check(more_than=0)], context(items)
    )
    assert cleaned.ratings["item"].to_list() == ["t1"]
    assert cleaned.exclusions.select("item", "rule", "reason").rows() == [
        ("f1", "filler_item", "filler items are not data")
    ]
