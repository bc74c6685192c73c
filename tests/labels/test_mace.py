"""MACE against its formulas, against a plain run of the published procedure, and at its edges."""

from __future__ import annotations

import itertools
import math

import numpy as np
import polars as pl
import pytest
from scipy.special import digamma

from labels.crowds import crowd, renamed
from plausibly.errors import StudyError, UnknownName
from plausibly.labels import Silent
from plausibly.labels._kernel import KERNELS, posteriors
from plausibly.labels._layout import lay_out
from plausibly.labels._mace_fit import fit
from plausibly.labels.mace import Known, Training, mace
from plausibly.labels.ties import ties
from plausibly.measures.coded import Coded, Floats, code
from worlds.tables import ratings_of

SPAMMERS = (0.9, 0.85, 0.8, 0.75, 0.1, 0.0, 0.95)


def parameters(coded: Coded, seed: int) -> tuple[Floats, Floats, Floats]:
    generator = np.random.default_rng(seed)
    guessing = generator.uniform(0.05, 0.9, coded.n_annotators)
    strategy = generator.dirichlet(np.ones(coded.n_answers), coded.n_annotators)
    return guessing, 1 - guessing, strategy


def by_enumeration(
    coded: Coded,
    weights: tuple[Floats, Floats, Floats],
    prior: Floats,
    known: dict[int, int],
) -> tuple[Floats, float]:
    """Return posterior and log likelihood by going through all labels of each item."""
    guessing, knowing, strategy = weights
    joint = np.tile(prior, (coded.n_items, 1))
    for item, annotator, answer in zip(coded.item, coded.annotator, coded.answer, strict=True):
        joint[item] *= guessing[annotator] * strategy[annotator, answer]
        joint[item, answer] += (
            joint[item, answer]
            / (guessing[annotator] * strategy[annotator, answer])
            * knowing[annotator]
        )
    for item, label in known.items():
        joint[item, np.arange(coded.n_answers) != label] = 0
    totals = joint.sum(axis=1)
    return joint / totals[:, None], float(np.log(totals).sum())


@pytest.mark.parametrize("backend", ["numpy", "numba"])
@pytest.mark.parametrize("case", ["plain", "priors", "controls"])
def test_the_e_step_is_the_sum_over_all_labels(backend: str, case: str) -> None:
    coded = code(crowd(items=30, knowing=SPAMMERS, each=4, seed=2).ratings)
    prior = np.full(4, 0.25) if case == "plain" else np.array([0.1, 0.2, 0.3, 0.4])
    known = {3: 1, 4: 0, 7: 3} if case == "controls" else {}
    control = np.full(coded.n_items, -1, dtype=np.int32)
    for item, label in known.items():
        control[item] = label
    layout = lay_out(
        coded,
        prior=None if case == "plain" else prior,
        control=control if known else None,
    )
    guessing, knowing, strategy = weights = parameters(coded, 5)
    chance = guessing[:, None] * strategy
    log_ratio = np.log1p(knowing[:, None] / chance).ravel()
    expected, log_likelihood = by_enumeration(coded, weights, prior, known)
    sums, logs = KERNELS[backend](layout)(np.stack([log_ratio, log_ratio], axis=1))
    found = (layout.used * np.log(chance)).sum() + logs - coded.n_items * np.log(4)
    assert found == pytest.approx([log_likelihood, log_likelihood], abs=1e-9)
    assert posteriors(layout, log_ratio, coded.n_items) == pytest.approx(expected, abs=1e-12)
    cells = np.zeros((coded.n_annotators, 4))
    np.add.at(cells, (coded.annotator, coded.answer), expected[coded.item, coded.answer])
    assert sums[:, 0].reshape(cells.shape) == pytest.approx(cells, abs=1e-10)


def published_procedure(coded: Coded, *, em: bool, seed: int) -> float:
    """Return the best likelihood of ten plain random starts of fifty iterations."""
    generator = np.random.default_rng(seed)
    labels = coded.n_answers
    layout = lay_out(coded)
    step = KERNELS["numpy"](layout)
    best = -math.inf
    for _ in range(10):
        spam = 1 + 0.5 * generator.random((coded.n_annotators, 2))
        spam /= spam.sum(axis=1, keepdims=True)
        strategy = 1 + 0.5 * generator.random((coded.n_annotators, labels))
        strategy /= strategy.sum(axis=1, keepdims=True)
        for iteration in range(51):
            chance = spam[:, :1] * strategy
            sums, logs = step(np.log1p(spam[:, 1:] / chance).reshape(-1, 1))
            likelihood = (layout.used * np.log(chance)).sum() + logs[0]
            known = sums.reshape(chance.shape) * spam[:, 1:] / (spam[:, 1:] + chance)
            guessed = layout.used - known
            counts = np.stack([guessed.sum(axis=1), known.sum(axis=1)], axis=1)
            if iteration == 50:
                best = max(best, likelihood - coded.n_items * math.log(labels))
            elif em:
                extra = 0.01 / labels
                spam = (counts + extra) / (counts + extra).sum(axis=1, keepdims=True)
                strategy = (guessed + extra) / (guessed + extra).sum(axis=1, keepdims=True)
            else:
                spam = np.exp(digamma(counts + 0.5) - digamma(counts.sum(axis=1) + 1)[:, None])
                strategy = np.exp(
                    digamma(guessed + 10) - digamma(guessed.sum(axis=1) + 10 * labels)[:, None]
                )
    return float(best)


@pytest.mark.parametrize("em", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_the_likelihood_is_at_least_that_of_plain_random_starts(seed: int, em: bool) -> None:
    generator = np.random.default_rng(seed)
    knowing = generator.uniform(0, 1, 15).tolist()
    ratings = crowd(items=120, knowing=knowing, each=5, labels=2 + seed, seed=seed).ratings
    found = fit(code(ratings), Training(em=em), seed=1)
    assert found.log_likelihood is not None
    assert found.log_likelihood >= published_procedure(code(ratings), em=em, seed=seed) - 1e-3


def test_annotators_who_guess_are_found_out() -> None:
    known = crowd(items=200, knowing=SPAMMERS, each=5, seed=1)
    fitted = mace(known.ratings)
    competence = dict(fitted.competence["annotator", "competence"].iter_rows())
    order = sorted(competence, key=lambda name: competence[name])
    assert set(order[:2]) == {"a004", "a005"}
    assert known.right(fitted.labels) > 0.97
    assert fitted.labels["method"].unique().to_list() == ["mace"]
    assert (fitted.restarts, fitted.iterations, fitted.seed) == (10, {"rating": 50}, 1)


@pytest.mark.parametrize("em", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_names_and_order_do_not_matter(seed: int, em: bool) -> None:
    knowing = np.random.default_rng(seed).uniform(0, 0.8, 9).tolist()
    ratings = crowd(items=60, knowing=knowing, each=3, seed=seed).ratings
    other, back = renamed(ratings, seed)
    fitted, again = mace(ratings, training=Training(em=em)), mace(other, training=Training(em=em))
    assert again.log_likelihood["rating"] == pytest.approx(
        fitted.log_likelihood["rating"], abs=1e-6
    )
    tied = set(ties(fitted.labels)["item"])
    labels = dict(fitted.labels["item", "label"].iter_rows())
    for item, label in again.labels["item", "label"].iter_rows():
        assert back[item] in tied or back[label] == labels[back[item]]


def test_another_seed_gives_another_start_and_the_same_labels_on_easy_data() -> None:
    known = crowd(items=100, knowing=(0.9,) * 6, each=4, seed=3)
    one, two = (mace(known.ratings, seed=seed) for seed in (1, 2))
    assert one.labels.equals(two.labels) or known.right(one.labels) == known.right(two.labels)
    few = Training(restarts=1, iterations=1)
    first, second = (mace(known.ratings, seed=seed, training=few) for seed in (1, 2))
    assert first.log_likelihood != second.log_likelihood


def test_two_annotators_who_contradict_each_other_tie() -> None:
    ratings = ratings_of({"t1": "ab", "t2": "ba", "t3": "ab", "t4": "ba"})
    fitted = mace(ratings)
    assert fitted.labels["label"].to_list() == ["a"] * 4
    assert ties(fitted.labels)["item"].to_list() == ["t1", "t2", "t3", "t4"]
    assert fitted.entropy["entropy"].to_list() == pytest.approx([math.log(2)] * 4)


@pytest.mark.parametrize("backend", ["numpy", "numba"])
def test_a_thousand_annotators_on_an_item_do_not_underflow(backend: str) -> None:
    answers = {f"t{n}": "ab"[n % 2] * 700 + "ba"[n % 2] * 300 for n in range(6)}
    fitted = mace(ratings_of(answers), training=Training(backend=backend))
    assert fitted.labels["label"].to_list() == ["a", "b"] * 3
    likelihood = fitted.log_likelihood["rating"]
    assert likelihood is not None
    assert math.isfinite(likelihood)
    assert ties(fitted.labels).is_empty()


def test_numba_and_numpy_agree() -> None:
    ratings = crowd(items=80, knowing=SPAMMERS, each=4, seed=8).ratings
    numpy, numba = (
        mace(ratings, training=Training(backend=backend)) for backend in ("numpy", "numba")
    )
    assert numba.log_likelihood["rating"] == pytest.approx(numpy.log_likelihood["rating"])
    assert numba.labels["label"].equals(numpy.labels["label"])


def test_an_unknown_backend_is_refused_by_name() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'numba'"):
        mace(ratings_of({"t1": "11"}), training=Training(backend="nunba"))


def test_the_silent_keep_their_place() -> None:
    silent = Silent(items=("t0",), annotators=("a9",))
    fitted = mace(ratings_of({"t1": "11", "t2": "12"}), silent=silent)
    assert fitted.labels["item"].to_list() == ["t0", "t1", "t2"]
    assert fitted.labels.row(0, named=True)["label"] is None
    assert fitted.labels.row(0, named=True)["distribution"] is None
    assert fitted.entropy["entropy"][0] is None
    competence = dict(fitted.competence["annotator", "competence"].iter_rows())
    assert competence["a9"] == pytest.approx(0.25, abs=1e-12)


def test_a_silent_annotator_is_even_under_em() -> None:
    fitted = mace(
        ratings_of({"t1": "11"}), training=Training(em=True), silent=Silent(annotators=("z",))
    )
    assert dict(fitted.competence["annotator", "competence"].iter_rows())["z"] == 0.5


def test_no_rating_at_all_is_no_error() -> None:
    fitted = mace(ratings_of({}), silent=Silent(items=("t1", "t2"), annotators=("a",)))
    assert fitted.labels["label"].to_list() == [None, None]
    assert fitted.competence["competence"].to_list() == pytest.approx([0.25])


def test_controls_pin_their_items_and_teach_about_annotators() -> None:
    ratings = ratings_of({f"t{n}": "ab" for n in range(8)})
    fitted = mace(ratings, known=Known(controls={"t0": "b", "t1": "b", "t2": "b"}))
    rows = fitted.labels.filter(pl.col("item").is_in(["t0", "t1", "t2"]))
    assert rows["label"].to_list() == ["b"] * 3
    assert rows["support"].to_list() == [1.0] * 3
    assert fitted.labels["label"].to_list() == ["b"] * 8
    competence = fitted.competence["competence"].to_list()
    assert competence[0] < competence[1]


def test_a_control_may_contradict_every_annotator() -> None:
    ratings = ratings_of({"t1": "aa", "t2": "bb", "t3": "ab"})
    fitted = mace(ratings, known=Known(controls={"t1": "b"}))
    assert fitted.labels.row(0, named=True)["distribution"] == '{"a": 0.0, "b": 1.0}'


def test_an_unknown_control_names_itself_and_the_labels() -> None:
    ratings = ratings_of({"t1": "12"})
    with pytest.raises(StudyError, match=r"item 't1' has the label '7'.*Known: 1, 2\."):
        mace(ratings, known=Known(controls={"t1": "7"}))
    with pytest.raises(StudyError, match=r"1 of 1 items are not in the ratings \(first: 't9'\)"):
        mace(ratings, known=Known(controls={"t9": "1"}))


def test_label_priors_decide_where_ratings_do_not() -> None:
    ratings = ratings_of({"t1": "ab", "t2": "ba"})
    fitted = mace(ratings, known=Known(priors={"a": 1, "b": 3}))
    assert fitted.labels["label"].to_list() == ["b", "b"]
    with pytest.raises(StudyError, match="priors: no weight for 'b'"):
        mace(ratings, known=Known(priors={"a": 1}))
    with pytest.raises(StudyError, match="priors: unknown label 'c'"):
        mace(ratings, known=Known(priors={"a": 1, "b": 1, "c": 1}))
    with pytest.raises(StudyError, match="greater than 0"):
        mace(ratings, known=Known(priors={"a": 1, "b": 0}))


def test_only_the_surest_items_are_labelled_when_few_are_kept() -> None:
    ratings = ratings_of({"t1": "aaaa", "t2": "aaab", "t3": "aabb", "t4": "bbbb", "t5": "abab"})
    everything = mace(ratings)
    entropy = everything.entropy["entropy"].to_numpy()
    for keep in (0.0, 0.2, 0.4, 0.6, 0.99, 1.0):
        kept = mace(ratings, known=Known(threshold=keep)).labels["label"].is_not_null().to_numpy()
        count = math.floor(5 * keep + 1e-9)
        limit = np.sort(entropy)[count - 1] if count else -1.0
        assert kept.tolist() == (entropy <= limit).tolist()


@pytest.mark.parametrize(
    ("training", "message"),
    [
        (Training(restarts=0), "restarts must be in 1 to 1000; got 0"),
        (Training(restarts=99999999999999999999), "restarts must be in 1 to 1000; got 9999"),
        (Training(iterations=0), "iterations must be in 1 to 100000; got 0"),
        (Training(alpha=0), "alpha must be a number greater than 0; got 0"),
        (Training(alpha=math.inf), "alpha must be a number greater than 0; got inf"),
        (Training(beta=-1), "beta must be a number greater than 0; got -1"),
        (Training(em=True, beta=2.0), "beta is a prior of variational Bayes; EM has none"),
        (Training(em=True, smoothing=-0.1), "smoothing must be a number, 0 or more"),
        (Training(em=True, smoothing=math.inf), "smoothing must be a number, 0 or more; got inf"),
        (Training(smoothing=0.1), "smoothing is an option of EM"),
    ],
)
def test_parameters_outside_their_range_are_refused(training: Training, message: str) -> None:
    with pytest.raises(StudyError, match=message):
        mace(ratings_of({"t1": "12"}), training=training)


def test_a_share_to_keep_outside_nought_and_one_is_refused() -> None:
    with pytest.raises(StudyError, match=r"threshold must be in \[0, 1\]; got 1\.5"):
        mace(ratings_of({"t1": "12"}), known=Known(threshold=1.5))


def test_em_without_smoothing_stays_finite() -> None:
    ratings = ratings_of({"t1": "aab", "t2": "bba", "t3": "aaa"})
    fitted = mace(
        ratings, training=Training(em=True, smoothing=0.0), silent=Silent(("t9",), ("z",))
    )
    likelihood = fitted.log_likelihood["rating"]
    assert likelihood is not None
    assert math.isfinite(likelihood)


def test_questions_are_fitted_apart() -> None:
    one = crowd(items=20, knowing=SPAMMERS, each=4, seed=4).ratings
    two = crowd(items=25, knowing=SPAMMERS, each=3, seed=5).ratings
    both = pl.concat(
        [one.with_columns(question=pl.lit("q1")), two.with_columns(question=pl.lit("q2"))]
    )
    fitted = mace(both)
    for question, ratings in (("q1", one), ("q2", two)):
        alone = mace(ratings)
        assert fitted.log_likelihood[question] == pytest.approx(alone.log_likelihood["rating"])
        own = fitted.labels.filter(pl.col("question") == question)
        assert own["label"].equals(alone.labels["label"])


def test_annotators_who_answered_alike_are_equally_competent() -> None:
    answers = {f"t{n}": pattern for n, pattern in enumerate(itertools.product("ab", repeat=3))}
    ratings = ratings_of({item: "".join((a, a, b, c)) for item, (a, b, c) in answers.items()})
    competence = mace(ratings).competence["competence"].to_list()
    assert competence[0] == pytest.approx(competence[1], abs=1e-12)
