"""Laws of cleaning: nothing is lost, order of rows and names never matter, boundaries are exact."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.cleaning import Cleaned, Context, Rule, RuleSpec, cascade, clean
from plausibly.cleaning.answers import few_ratings_per_item
from plausibly.cleaning.people import against_label, few_ratings, low_agreement, low_approval
from plausibly.cleaning.presets import RULES
from worlds.crowds import SIDES, answers_of, approvals, attested, context, items_of
from worlds.values import TestValues

# Cleaning is a dozen joins: few examples are many, and their time says nothing.
LAW = settings(deadline=None, max_examples=40)

KEY = ["item", "annotator", "question"]
ITEMS = items_of(
    t0="attested",
    t1="attested",
    t2="attested",
    p0="perturbed",
    p1="perturbed",
    c0="check:plausible",
    c1="check:implausible",
    g0="gold:2",
    x0="attention:4",
).with_columns(start=pl.lit("3"))
PEOPLE = [f"a{number}" for number in range(6)]
COMPETENCE = {person: number / 5 for number, person in enumerate(PEOPLE)}

SPECS = (
    RuleSpec("failed_check"),
    RuleSpec("failed_attention"),
    RuleSpec("off_gold", {"more_than": 0.1}),
    RuleSpec("unmoved_slider"),
    RuleSpec("against_label", {"more_than": 0.5}),
    RuleSpec("few_ratings", {"fewer_than": 3}),
    RuleSpec("too_many_items", {"more_than": 4}),
    RuleSpec("low_approval", {"below": 80}),
    RuleSpec("few_approved_tasks", {"fewer_than": 80}),
    RuleSpec("unqualified", {"needs": ["80"], "column": "approval"}),
    RuleSpec("low_agreement", {"below": 0.4}),
    RuleSpec("low_competence", {"below": 0.3}),
    RuleSpec("unsure_share", {"more_than": 0.4, "answers": ["3"]}),
    RuleSpec("straight_lining", {"at_least": 3}),
    RuleSpec("duplicate_answers", {"at_least": 2}),
    RuleSpec("too_fast", {"seconds_below": 1.0}),
    RuleSpec("few_ratings_per_item", {"at_least": 2}),
    RuleSpec("refused_by_platform", {"statuses": ["rejected"]}),
)

TestValues(__file__, "SPECS", {spec.rule: spec for spec in SPECS}).require(list(RULES))

crowds = st.dictionaries(
    st.sampled_from(PEOPLE),
    st.dictionaries(st.sampled_from(ITEMS["item"].to_list()), st.sampled_from("12345"), min_size=1),
    min_size=1,
).map(answers_of)
orders = st.lists(st.sampled_from(SPECS), unique_by=lambda spec: spec.rule, max_size=6)


def known_people() -> pl.DataFrame:
    annotators = approvals(a0=0, a1=79, a2=80, a3=100, a4=None)
    status = pl.Series(["REJECTED", *["APPROVED"] * 4])
    return annotators.with_columns(status=status)


def cleaned_by(
    ratings: pl.DataFrame, specs: list[RuleSpec], withdraw: tuple[str, ...] = ()
) -> Cleaned:
    given_context = Context(
        items=ITEMS, annotators=known_people(), sides=SIDES, competence=COMPETENCE
    )
    return clean(ratings, [spec.build() for spec in specs], given_context, withdraw=withdraw)


@LAW
@given(crowds, orders)
def test_kept_and_excluded_are_all_at_every_step(
    ratings: pl.DataFrame, specs: list[RuleSpec]
) -> None:
    cleaned = cleaned_by(ratings, specs)
    for stage in cleaned.stages:
        until = cleaned.exclusions.filter(pl.col("step") <= stage.step).select(KEY)
        both = pl.concat([stage.ratings.select(KEY), until])
        assert both.sort(KEY).equals(ratings.select(KEY).sort(KEY))
    assert cleaned.stages[-1].ratings.equals(cleaned.ratings)


@LAW
@given(crowds, orders)
def test_the_cascade_adds_up_at_every_step(ratings: pl.DataFrame, specs: list[RuleSpec]) -> None:
    cleaned = cleaned_by(ratings, specs)
    steps = cascade(cleaned, ITEMS, rules=specs, sides=SIDES)
    gone = 0
    for step in steps[1:]:
        gone += cleaned.exclusions.filter(pl.col("step") == step.step).height
        assert step.ratings["total"] == steps[0].ratings["total"] - gone
        assert step.ratings["attested"] + step.ratings["perturbed"] == step.ratings["total"]
    assert steps[-1].ratings["total"] == cleaned.ratings.height


@LAW
@given(crowds, orders, st.randoms(use_true_random=False))
def test_the_order_of_rows_never_matters(
    ratings: pl.DataFrame, specs: list[RuleSpec], random: Random
) -> None:
    places = list(range(ratings.height))
    random.shuffle(places)
    one, two = cleaned_by(ratings, specs), cleaned_by(ratings[places], specs)
    assert one.ratings.equals(two.ratings)
    assert one.exclusions.equals(two.exclusions)


NAMELESS = [
    spec
    for spec in SPECS
    if spec.rule not in ("low_approval", "low_competence", "refused_by_platform", "unqualified")
]


@LAW
@given(
    crowds,
    st.lists(st.sampled_from(NAMELESS), unique_by=lambda spec: spec.rule, max_size=6),
    st.permutations(PEOPLE),
)
def test_the_names_of_people_never_matter(
    ratings: pl.DataFrame, specs: list[RuleSpec], others: list[str]
) -> None:
    other = pl.col("annotator").replace_strict(PEOPLE, others)
    renamed = cleaned_by(ratings.with_columns(other), specs)
    expected = cleaned_by(ratings, specs).exclusions.with_columns(other)
    columns = [*KEY, "rule", "step"]
    assert renamed.exclusions.select(columns).equals(expected.select(columns).sort(KEY))


@LAW
@given(crowds, orders)
def test_withdrawing_every_check_restores_what_the_checks_cost(
    ratings: pl.DataFrame, specs: list[RuleSpec]
) -> None:
    withdrawn = cleaned_by(ratings, specs, withdraw=("c0", "c1"))
    never = cleaned_by(ratings, [spec for spec in specs if spec.rule != "failed_check"])
    assert withdrawn.ratings.equals(never.ratings)
    own = withdrawn.exclusions.filter(pl.col("item").is_in(["c0", "c1"]))
    assert set(own["rule"]) <= {"withdrawn_check_item"}


@LAW
@given(crowds, st.sampled_from(["c0", "c1"]))
def test_withdrawing_one_check_restores_exactly_those_who_failed_no_other(
    ratings: pl.DataFrame, check: str
) -> None:
    rule = [RuleSpec("failed_check")]
    strict, lenient = cleaned_by(ratings, rule), cleaned_by(ratings, rule, withdraw=(check,))
    other = cleaned_by(ratings.filter(pl.col("item") != check), rule)
    assert lenient.ratings.equals(other.ratings)
    assert strict.ratings.join(lenient.ratings, on=KEY, how="anti").is_empty()


@LAW
@given(crowds, orders)
def test_cleaning_what_is_clean_of_people_changes_no_rating(
    ratings: pl.DataFrame, specs: list[RuleSpec]
) -> None:
    cleaned = cleaned_by(ratings, specs)
    left = ratings.join(cleaned.ratings, on=KEY, how="semi")
    assert left.sort(KEY).equals(cleaned.ratings)


def kept_people(ratings: pl.DataFrame, rule: Rule, items: pl.DataFrame) -> set[str]:
    return set(clean(ratings, [rule], context(items)).ratings["annotator"])


@LAW
@given(st.integers(1, 40), st.data())
def test_a_share_against_the_label_that_equals_the_limit_stays(
    total: int, data: st.DataObject
) -> None:
    against = data.draw(st.integers(0, total))
    items = items_of(**attested(total))
    ratings = answers_of({"a": {f"t{n}": "1" if n < against else "5" for n in range(total)}})
    assert kept_people(ratings, against_label(more_than=against / total), items) == {"a"}
    assert kept_people(ratings, against_label(at_least=against / total), items) == set()
    if against:
        tighter = float(Fraction(against, total) - Fraction(1, 2 * total))
        assert kept_people(ratings, against_label(more_than=tighter), items) == set()


@LAW
@given(st.integers(1, 30))
def test_as_many_ratings_as_asked_for_stay(count: int) -> None:
    items = items_of(**attested(count))
    ratings = answers_of({"a": {f"t{n}": "5" for n in range(count)}})
    assert kept_people(ratings, few_ratings(fewer_than=count), items) == {"a"}
    assert kept_people(ratings, few_ratings(fewer_than=count + 1), items) == set()
    assert kept_people(ratings, few_ratings(at_most=count), items) == set()


@LAW
@given(st.integers(1, 20))
def test_as_many_ratings_per_item_as_asked_for_stay(count: int) -> None:
    ratings = answers_of({f"a{n}": {"t0": "5"} for n in range(count)})
    items = items_of(t0="attested")
    assert kept_people(ratings, few_ratings_per_item(at_least=count), items)
    assert not kept_people(ratings, few_ratings_per_item(at_least=count + 1), items)
    assert not kept_people(ratings, few_ratings_per_item(more_than=count), items)


@LAW
@given(st.floats(0, 100))
def test_an_approval_that_equals_the_limit_stays(approval: float) -> None:
    ratings = answers_of({"a": {"t0": "5"}})
    given_context = context(items_of(t0="attested"), approvals(a=approval))
    assert clean(ratings, [low_approval(below=approval)], given_context).ratings.height == 1
    assert clean(ratings, [low_approval(at_most=approval)], given_context).ratings.is_empty()
    assert clean(ratings, [low_approval(below=approval + 0.5)], given_context).ratings.is_empty()


# From person to (shared items, of them on the same side).
partners = st.lists(
    st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n))),
    min_size=1,
    max_size=7,
)


@LAW
@given(partners)
def test_a_mean_soft_jaccard_that_equals_the_limit_stays(pairs: list[tuple[int, int]]) -> None:
    people: dict[str, dict[str, str]] = {"x": {}}
    for number, (shared, same) in enumerate(pairs):
        for place in range(shared):
            people["x"][f"t{number}_{place}"] = "5"
            other = people.setdefault(f"b{number}", {})
            other[f"t{number}_{place}"] = "4" if place < same else "1"
    items = items_of(**dict.fromkeys(people["x"], "attested"))
    ratings = answers_of(people)
    mean = sum((Fraction(same, shared) for shared, same in pairs), Fraction(0)) / len(pairs)
    assert "x" in kept_people(ratings, low_agreement(below=float(mean)), items)
    assert "x" not in kept_people(ratings, low_agreement(at_most=float(mean)), items)
    assert "x" not in kept_people(ratings, low_agreement(below=float(mean) + 1e-6), items)
