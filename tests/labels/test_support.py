"""What ratings cannot support, and why."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from plausibly.labels import METHODS, Fitted, Silent
from plausibly.labels._contrary import contrary
from plausibly.labels.support import (
    doubts,
    groups,
    n_parameters,
    on_scale,
    single_raters,
    supported,
)
from plausibly.measures.coded import code
from worlds.stranger_crowds import neighbours
from worlds.tables import ratings_of

FITTED = ["dawid-skene", "glad", "mace", "one-coin", "wawa"]
APART = {"t1": "ab--", "t2": "bb--", "t3": "--ab", "t4": "--bb"}


@pytest.mark.parametrize("name", FITTED)
def test_an_item_with_one_rating_has_a_label_but_no_support(name: str) -> None:
    fitted = METHODS[name](ratings_of({"t1": "aa", "t2": "bb", "t3": "a-"}))
    assert isinstance(fitted, Fitted)
    labels = fitted.labels
    assert labels["label"].to_list()[2] == "a"
    assert labels["support"].is_null().to_list() == [False, False, True]
    assert any("1 of 3 items have one rating (first: 't3')" in one for one in fitted.warnings)


@pytest.mark.parametrize("name", ["dawid-skene", "one-coin", "mace"])
def test_a_control_with_one_rating_keeps_its_support(name: str) -> None:
    fitted = METHODS[name](
        ratings_of({"t1": "aa", "t2": "bb", "t3": "a-"}),
        **({"known": _known()} if name == "mace" else {"controls": {"t3": "a"}}),
    )
    assert isinstance(fitted, Fitted)
    assert fitted.labels["support"].to_list()[2] == 1.0


def _known() -> object:
    from plausibly.labels.mace import Known

    return Known(controls={"t3": "a"})


def test_silent_items_have_no_support_and_no_warning() -> None:
    fitted = METHODS["one-coin"](ratings_of({"t1": "aa", "t2": "bb"}), silent=Silent(("z",)))
    assert isinstance(fitted, Fitted)
    assert fitted.warnings == ()


def test_groups_are_linked_by_shared_items_only() -> None:
    coded = code(ratings_of(APART))
    assert groups(coded).tolist() == [0, 0, 2, 2]
    text = " ".join(doubts(coded, "q", method="one-coin", pooled=True))
    assert "2 groups that share no item" in text


def test_a_long_chain_of_annotators_is_one_group() -> None:
    answers = {f"t{n:02}": "-" * n + "ab" + "-" * (30 - n) for n in range(31)}
    assert set(groups(code(ratings_of(answers))).tolist()) == {0}


def test_ratings_by_people_who_rated_nothing_else_support_a_pooled_posterior_only() -> None:
    coded = code(ratings_of({"t1": "ab--", "t2": "--ab"}))
    assert len(single_raters(coded)) == 4
    assert supported(coded, method="wawa", pooled=True).all()
    assert not supported(coded, method="wawa", pooled=False).any()


def test_more_numbers_than_ratings_are_reported() -> None:
    coded = code(ratings_of({"t1": "abc", "t2": "aab"}))
    assert n_parameters("dawid-skene", coded) == 3 * 3 * 2 + 2
    assert n_parameters("plurality", coded) is None
    assert (
        "learns 20 numbers from 6 ratings"
        in doubts(coded, "q", method="dawid-skene", pooled=False)[0]
    )
    assert (
        doubts(code(ratings_of({"t1": "aa", "t2": "bb"})), "q", method="wawa", pooled=False) == ()
    )


def _crowd(*, scale: bool) -> pl.DataFrame:
    """Return 60 items rated by 6 of 12 people: points of a scale, or numbers without an order."""
    generator = np.random.default_rng(3)
    rows = []
    for item, place in enumerate(generator.uniform(0.5, 5.5, 60)):
        for person in generator.choice(12, 6, replace=False):
            near = round(float(np.clip(place + generator.normal(0, 0.7), 1, 5)))
            other = int(generator.integers(1, 6))
            apart = round(float(np.clip(place, 1, 5))) if generator.random() < 0.6 else other
            rows.append((f"t{item}", f"a{person}", "q", str(near if scale else apart)))
    return pl.DataFrame(rows, schema=["item", "annotator", "question", "answer"], orient="row")


@pytest.mark.parametrize("name", ["dawid-skene", "one-coin", "glad", "mace"])
@pytest.mark.parametrize("prior", ["pooled", "none"])
def test_on_a_scale_a_model_of_classes_has_no_support_and_names_ordinal(
    name: str, prior: str
) -> None:
    options = {} if name in ("glad", "mace") else {"prior": prior}
    fitted = METHODS[name](_crowd(scale=True), **options)
    assert isinstance(fitted, Fitted)
    (warning,) = (one for one in fitted.warnings if "points of a scale" in one)
    tried = "so support is null: use ordinal."
    untried = "dawid-skene with its prior if the answers are classes."
    assert warning.endswith(tried if options.get("prior") == "pooled" else untried)
    labels = fitted.labels
    assert labels["support"].null_count() == labels.height
    assert labels["label"].null_count() == labels["distribution"].null_count() == 0


@pytest.mark.parametrize("name", ["dawid-skene", "one-coin"])
def test_classes_whose_errors_go_to_neighbouring_numbers_keep_their_support(name: str) -> None:
    crowd = neighbours(1)
    ratings = pl.DataFrame(
        {
            "item": crowd.item.astype(str),
            "annotator": crowd.annotator.astype(str),
            "question": "q",
            "answer": crowd.answer.astype(str),
        }
    )
    assert on_scale(code(ratings))
    fitted = METHODS[name](ratings)
    assert isinstance(fitted, Fitted)
    assert fitted.labels["support"].null_count() == 0
    assert not any("points of a scale" in one for one in fitted.warnings)


def test_with_too_many_ratings_for_a_trial_neighbours_decide(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("plausibly.labels.support.MOST_RATINGS", 10)
    monkeypatch.setattr("plausibly.labels.support.fit", None)
    for scale in (True, False):
        fitted = METHODS["dawid-skene"](_crowd(scale=scale))
        assert isinstance(fitted, Fitted)
        null = fitted.labels["support"].null_count() == fitted.labels.height
        assert null is scale


def test_fewer_ratings_than_numbers_to_learn_leave_no_support_without_a_prior() -> None:
    ratings = ratings_of({"t1": "abc", "t2": "aab", "t3": "bbb"})
    for options, null in (({}, False), ({"prior": "none"}, True)):
        fitted = METHODS["dawid-skene"](ratings, **options)
        assert isinstance(fitted, Fitted)
        assert fitted.labels["support"].is_null().to_list() == [null] * 3
        assert any("so support is null" in one for one in fitted.warnings) is null


def test_numbers_without_an_order_and_the_method_of_scales_need_no_such_warning() -> None:
    for name, scale in (("one-coin", False), ("ordinal", True)):
        fitted = METHODS[name](_crowd(scale=scale))
        assert isinstance(fitted, Fitted)
        assert not any("points of a scale" in one for one in fitted.warnings)
    words = _crowd(scale=True).with_columns(pl.concat_str(pl.lit("x"), "answer").alias("answer"))
    fitted = METHODS["one-coin"](words)
    assert isinstance(fitted, Fitted)
    assert not any("points of a scale" in one for one in fitted.warnings)


@pytest.mark.parametrize("name", ["dawid-skene", "glad", "mace", "one-coin"])
def test_items_that_annotators_disagree_about_do_not_make_the_majority_wrong(name: str) -> None:
    generator = np.random.default_rng(6)
    votes = ["".join(generator.permuted(list("yyx" if n < 37 else "xxy"))) for n in range(80)]
    rows = {f"t{n:02}": "-" * (3 * n) + row for n, row in enumerate(votes)}
    fitted = METHODS[name](ratings_of({item: row.ljust(240, "-") for item, row in rows.items()}))
    assert isinstance(fitted, Fitted)
    majority = [max("xy", key=row.count) for row in votes]
    assert fitted.labels["label"].to_list() == majority
    assert fitted.labels["support"].is_null().all()
    assert any("agree less than by chance" in one for one in fitted.warnings)


def test_controls_show_who_is_right_where_annotators_agree_less_than_by_chance() -> None:
    ratings = ratings_of({f"t{n:02}": "xy" if n % 2 else "yx" for n in range(60)})
    fitted = METHODS["one-coin"](ratings, controls={f"t{n:02}": "xy"[n % 2] for n in range(20)})
    assert isinstance(fitted, Fitted)
    assert fitted.labels["label"].to_list() == ["x", "y"] * 30
    assert not fitted.labels["support"].is_null().any()
    assert fitted.warnings == ()


def test_annotators_with_opposite_habits_do_not_agree_less_than_by_chance() -> None:
    generator = np.random.default_rng(7)
    seen = generator.normal(size=(200, 2)) + np.repeat([0.0, 1.2], 100)[:, None]
    answers = np.where(seen > np.array([-0.8, 2.2]), "y", "n")
    rows = {f"t{number:03}": "".join(row) for number, row in enumerate(answers)}
    assert not contrary(code(ratings_of(rows)))


def _sparse(*, each: int, accuracy: float = 0.75) -> pl.DataFrame:
    generator = np.random.default_rng(1)
    right = np.clip(generator.beta(6 * accuracy, 6 * (1 - accuracy), 40), 0.3, 1.0)
    rows = []
    for item in range(120):
        truth = generator.integers(4)
        for annotator in generator.choice(40, each, replace=False):
            wrong = (truth + generator.integers(1, 4)) % 4
            answer = truth if generator.random() < right[annotator] else wrong
            rows.append((f"t{item}", f"a{annotator}", "rating", "pqrs"[answer]))
    return pl.DataFrame(rows, schema=["item", "annotator", "question", "answer"], orient="row")


@pytest.mark.parametrize("name", ["mace", "glad"])
def test_a_method_that_is_too_sure_says_so_and_keeps_its_support(name: str) -> None:
    fitted, many = METHODS[name](_sparse(each=3, accuracy=0.65)), METHODS[name](_sparse(each=8))
    assert isinstance(fitted, Fitted)
    assert isinstance(many, Fitted)
    too_sure = [one for one in fitted.warnings if f"{name} is probably too sure" in one]
    assert len(too_sure) == 1
    assert " of these labels to be right" in too_sure[0]
    assert fitted.labels["support"].null_count() == 0
    assert many.warnings == ()


@pytest.mark.parametrize(("prior", "says"), [("pooled", False), ("none", True)])
def test_only_without_its_prior_is_one_coin_too_sure(prior: str, says: bool) -> None:
    fitted = METHODS["one-coin"](_sparse(each=3, accuracy=0.65), prior=prior)
    assert isinstance(fitted, Fitted)
    assert any("too sure" in one for one in fitted.warnings) is says
