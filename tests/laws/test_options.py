"""No option is taken and then ignored: it changes what comes out, or it is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import plausibly as pb
from plausibly.errors import StudyError
from plausibly.labels import METHODS
from plausibly.measures.agreement import NAMES
from plausibly.study.parameters import parameters_of
from plausibly.verbs.label import RESCALED, options_of_methods
from worlds.values import TestValues

NEEDED: dict[str, dict[str, Any]] = {"agreed-by": {"at_least": 2}}
# A value far from the default, so that a method that heeds the option comes out otherwise.
VALUES = TestValues(
    __file__,
    "VALUES",
    {
        "answer": "5",
        "at_least": 4,
        "model": "m2",
        "min_share": 1.0,
        "iterations": 2,
        "tolerance": 1.0,
        "em": True,
        "restarts": 1,
        "alpha": 50.0,
        "beta": 50.0,
        "smoothing": 5.0,
        "controls": {"i0": "1"},
        "prior": "none",
        "priors": {"1": 100.0, "2": 1.0, "4": 1.0, "5": 1.0},
        "threshold": 0.25,
        "seed": 7,
        "rescale": "1,5|0,10",
        "separator": "1",
    },
)
FASTER = {"backend"}  # changes how long it takes, and by intent nothing else
BESIDE: dict[str, dict[str, Any]] = {"smoothing": {"em": True}}
PREDICTED = pl.DataFrame(
    [
        (f"i{item}", model, float(item * rank % 7))
        for item in range(30)
        for rank, model in enumerate(("m1", "m2"), 1)
    ],
    schema=["item", "model", "score"],
    orient="row",
).with_columns(question=pl.lit("rating"))
OF_SHARES: dict[str, dict[str, Any]] = {  # what an option of `share` is compared with
    "model": {"prior": PREDICTED, "model": "m1"},
    "prior": {"answer": "5"},
}


@pytest.fixture(scope="module")
def ratings() -> pl.DataFrame:
    """Return a crowd that leaves a method something to decide."""
    generator = np.random.default_rng(5)
    truth = generator.integers(0, 4, 30)
    rows = [
        (f"i{item}", f"a{person}", int(truth[item] if knows else guess), f"s{item % 2}")
        for item in range(30)
        for person in range(8)
        for knows, guess in [(generator.random() < 0.3 + 0.08 * person, generator.integers(4))]
        if generator.random() < 0.7
    ]
    table = pl.DataFrame(rows, schema=["item", "annotator", "answer", "survey"], orient="row")
    return table.with_columns(pl.col("answer").replace_strict({0: 1, 1: 2, 2: 4, 3: 5}))


@pytest.mark.parametrize("option", sorted({*options_of_methods(), "seed", "rescale"} - FASTER))
@pytest.mark.parametrize("method", sorted(METHODS))
def test_an_option_of_a_label_method_matters_or_is_refused(
    method: str, option: str, ratings: pl.DataFrame
) -> None:
    beside = {**NEEDED.get(method, {}), **(BESIDE.get(option, {}) if method == "mace" else {})}
    value = VALUES[option]
    if method == "share":
        beside |= OF_SHARES.get(option, {})
        value = PREDICTED.filter(pl.col("model") == "m1") if option == "prior" else value
    asked = {**beside, option: value}
    own = {*parameters_of(METHODS[method]), *(("rescale",) if method in RESCALED else ())}
    if option not in own:
        with pytest.raises(StudyError, match=f"{option}= is "):
            pb.label(ratings, method=method, **asked)
        return
    plain = pb.label(ratings, method=method, **beside)
    assert pb.label(ratings, method=method, **asked).as_json() != plain.as_json()


@pytest.mark.parametrize("prior", ["alpha", "beta"])
def test_a_prior_is_refused_beside_em_even_at_its_default(
    prior: str, ratings: pl.DataFrame
) -> None:
    asked: dict[str, Any] = {"em": True, prior: 0.5}
    with pytest.raises(StudyError, match=f"{prior} is a prior of variational Bayes"):
        pb.label(ratings, method="mace", **asked)


@pytest.mark.parametrize("measure", NAMES)
def test_an_option_of_a_measure_matters_or_is_refused(measure: str, ratings: pl.DataFrame) -> None:
    few: dict[str, Any] = {"measures": measure, "resamples": 10}
    plain = pb.agree(ratings, **few).as_json()
    for option in ({"seed": 7}, {"resample": "items"}, {"by": "survey"}, {"separator": ";"}):
        assert pb.agree(ratings, **few, **option).as_json() != plain, option
    if measure != "soft_jaccard":
        with pytest.raises(StudyError, match="sides= belongs to soft_jaccard"):
            pb.agree(ratings, **few, sides="1,2|4,5")
    else:
        assert pb.agree(ratings, **few, sides="1,2|4,5").as_json() != plain


@pytest.mark.parametrize("option", [{"seed": 0}, {"resample": "items"}])
def test_how_to_make_intervals_is_refused_where_there_are_none(
    option: dict[str, Any], ratings: pl.DataFrame
) -> None:
    with pytest.raises(StudyError, match=r"resamples = 0 leaves them out"):
        pb.agree(ratings, resamples=0, **option)


@pytest.mark.parametrize("name", ["krippendorff_alpha.ordinal", "icc.1,1", "icc.2,k"])
def test_every_name_that_is_printed_is_accepted(name: str, ratings: pl.DataFrame) -> None:
    every = pb.agree(ratings, resamples=0).scores
    one = pb.agree(ratings, resamples=0, measures=f"{name},gwet_ac1").scores
    assert set(one["measure"]) == {name, "gwet_ac1"}
    assert every.join(one, on=one.columns, how="semi", nulls_equal=True).height == one.height
