"""Scores and tests of predictions next to their references, for docs/make_validation.py."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, Literal

import numpy as np
import polars as pl
from validation_measures import number
from validation_sets import (
    Comparison,
    References,
    complete,
    frame_of,
    labels,
    model_answers,
    scores,
    shares,
    texts,
)

from plausibly.evaluation.pairs import head_correlations
from plausibly.measures import correlation, graded
from plausibly.measures.alternative_annotator import alternative_annotator, benjamini_yekutieli
from plausibly.measures.distances import DISTANCES, wasserstein
from plausibly.measures.holm import holm
from plausibly.measures.mcnemar import mcnemar
from plausibly.measures.permutation import sign_flip_test
from plausibly.measures.proportion import proportion
from plausibly.measures.ranking import auc_draws, sorted_column
from plausibly.measures.rouge import rouge_l, rouge_n

Weights = Literal["none", "linear", "quadratic"]


def predictions(references: References) -> Iterator[Comparison]:
    """Yield the measures of labels, scores and distributions."""
    truth, said = labels()
    table = np.zeros((1, 4, 4))
    np.add.at(table[0], (truth, said), 1)

    def theirs(name: str) -> list[float]:
        from sklearn import metrics

        calls: dict[str, Any] = {
            "accuracy": metrics.accuracy_score,
            "balanced_accuracy": metrics.balanced_accuracy_score,
            "macro_f1": partial(metrics.f1_score, average="macro"),
            "mcc": metrics.matthews_corrcoef,
            "quadratic_kappa": partial(metrics.cohen_kappa_score, weights="quadratic"),
        }
        return [float(calls[name](truth, said))]

    called = {
        "accuracy": "accuracy_score",
        "balanced_accuracy": "balanced_accuracy_score",
        "macro_f1": "f1_score(average='macro')",
        "mcc": "matthews_corrcoef",
        "quadratic_kappa": "cohen_kappa_score(weights='quadratic')",
    }
    for name, call in called.items():
        value = float(graded.MEASURES[name](table)[0])
        them = references.values("scikit-learn", name, partial(theirs, name))
        yield Comparison(name, "scikit-learn", call, "labels", (value,), them)
    yield from correlations(references)
    yield from distances(references)


def correlations(references: References) -> Iterator[Comparison]:
    """Yield rank correlations and the area under the curve."""
    one, other = scores()
    positive = other > 6

    def by_scipy(name: str) -> list[float]:
        from scipy import stats

        return [float(getattr(stats, name)(one, other)[0])]

    def area() -> list[float]:
        from sklearn.metrics import roc_auc_score

        return [float(roc_auc_score(positive, one))]

    for name, call in (("spearman", "spearmanr"), ("kendall", "kendalltau")):
        value = number(getattr(correlation, name)(one, other))
        them = references.values("scipy", name, partial(by_scipy, call))
        yield Comparison(name, "scipy", f"stats.{call}", "scores", (value,), them)
    heads = np.arange(len(one)) // 4

    def inside() -> list[float]:
        from scipy import stats

        rho = [stats.spearmanr(one[heads == n], other[heads == n])[0] for n in range(heads[-1] + 1)]
        return [float(np.mean(rho))]

    within = float(np.mean(head_correlations(one, other, heads)))
    them = references.values("scipy", "spearman_within_head", inside)
    note = "mean over 20 heads of four rows"
    yield Comparison(
        "spearman_within_head", "scipy", "stats.spearmanr", "scores", (within,), them, note
    )
    drawn = auc_draws([sorted_column(one)], positive, np.ones((1, len(one))))
    them = references.values("scikit-learn", "auc", area)
    yield Comparison("auc", "scikit-learn", "roc_auc_score", "scores", (float(drawn[0, 0]),), them)


def distances(references: References) -> Iterator[Comparison]:
    """Yield the distances of distributions."""
    people, model, places = shares()

    def theirs(name: str) -> list[float]:
        from scipy import stats
        from scipy.spatial.distance import cityblock, jensenshannon

        calls: dict[str, Any] = {
            "wasserstein": partial(stats.wasserstein_distance, places, places),
            "jsd": lambda a, b: jensenshannon(a, b, base=2) ** 2,
            "kl_people_model": stats.entropy,
            "cross_entropy": lambda a, b: stats.entropy(a) + stats.entropy(a, b),
            "manhattan": cityblock,
        }
        return [float(calls[name](a, b)) for a, b in zip(people, model, strict=True)]

    calls = {
        "wasserstein": "stats.wasserstein_distance",
        "jsd": "spatial.distance.jensenshannon(base=2) ** 2",
        "kl_people_model": "stats.entropy(people, model)",
        "cross_entropy": "stats.entropy(people) + stats.entropy(people, model)",
        "manhattan": "spatial.distance.cityblock",
    }
    for name, call in calls.items():
        distance = wasserstein(places) if name == "wasserstein" else DISTANCES[name]
        them = references.values("scipy", name, partial(theirs, name))
        yield Comparison(
            name, "scipy", call, "shares", tuple(map(float, distance(people, model))), them
        )


def tests(references: References) -> Iterator[Comparison]:
    """Yield tests and intervals."""
    truth, said = (np.array(column) for column in labels())
    first = said == truth
    second = np.where(np.arange(len(said)) < 30, ~first, first)
    ps = np.random.default_rng(11).beta(0.5, 3, size=12).tolist()

    def adjusted(method: str) -> list[float]:
        from statsmodels.stats.multitest import multipletests

        return [float(one) for one in multipletests(ps, method=method)[1]]

    def exact() -> list[float]:
        from statsmodels.stats.contingency_tables import mcnemar as reference

        table = [[np.sum((first == a) & (second == b)) for b in (1, 0)] for a in (1, 0)]
        return [float(reference(table, exact=True).pvalue)]

    def half() -> list[float]:
        from scipy.stats import binom

        k, n = int(np.sum(first & ~second)), int(np.sum(first != second))
        k = min(k, n - k)
        return [float(2 * binom.cdf(k, n, 0.5) - binom.pmf(k, n, 0.5))]

    def wilson() -> list[float]:
        from statsmodels.stats.proportion import proportion_confint

        return [float(one) for one in proportion_confint(17, 60, method="wilson")]

    for name, ours, method in (
        ("holm", holm, "holm"),
        ("benjamini_yekutieli", benjamini_yekutieli, "fdr_by"),
    ):
        them = references.values("statsmodels", name, partial(adjusted, method))
        call = f"multipletests(method={method!r})"
        yield Comparison(name, "statsmodels", call, "12 p-values (seed 11)", tuple(ours(ps)), them)
    yield Comparison(
        "mcnemar, exact",
        "statsmodels",
        "mcnemar(exact=True)",
        "labels",
        (mcnemar(first, second, exact=True),),
        references.values("statsmodels", "mcnemar", exact),
    )
    yield Comparison(
        "mcnemar, mid-p",
        "scipy",
        "2 * stats.binom.cdf(k, n, .5) - stats.binom.pmf(k, n, .5)",
        "labels",
        (mcnemar(first, second),),
        references.values("scipy", "mcnemar mid-p", half),
    )
    share = proportion(17, 60)
    yield Comparison(
        "proportion, limits",
        "statsmodels",
        "proportion_confint(method='wilson')",
        "17 of 60",
        (float(share.low or 0), float(share.high or 0)),
        references.values("statsmodels", "wilson", wilson),
    )
    yield flips(references, exact=True)
    yield flips(references, exact=False)
    yield alternative(references)


def flips(references: References, *, exact: bool) -> Comparison:
    """Return the permutation test of paired differences next to all permutations."""
    name = "exact" if exact else "mid-p"
    gaps_of = np.array([1.1, 2.0, 0.4, 3.5, -0.5, 0.9, -1.2, 1.7, 0.3, 0.8])

    def theirs() -> list[float]:
        from scipy.stats import permutation_test

        found = permutation_test(
            (gaps_of, np.zeros(10)),
            lambda a, b: float(np.sum(a - b)),
            permutation_type="samples",
            n_resamples=np.inf,
        )
        excess = np.abs(found.null_distribution) - abs(gaps_of.sum())
        tied = np.mean(np.abs(excess) < 1e-9)
        return [float(found.pvalue if exact else np.mean(excess > 1e-9) + tied / 2)]

    note = "20,000 draws here, all 1,024 there"
    return Comparison(
        f"sign_flip_test, {name}",
        "scipy",
        "stats.permutation_test(permutation_type='samples')",
        "10 differences",
        (sign_flip_test(gaps_of, permutations=20_000, seed=1, exact=exact),),
        references.values("scipy", f"flips {name}", theirs),
        note if exact else f"{note}, ties of its null distribution count half",
    )


def alternative(references: References) -> Comparison:
    """Return the p-values of the alternative-annotator test next to one-sided t tests."""
    grid, answers = complete(), [float(one) for one in model_answers()]

    def theirs() -> list[float]:
        from scipy.stats import ttest_1samp

        values = []
        for row, own in enumerate(grid):
            others = np.delete(grid, row, axis=0)
            person, machine = (others == own).mean(axis=0), (others == answers).mean(axis=0)
            gap = (person >= machine).astype(float) - (machine >= person)
            values.append(float(ttest_1samp(gap, 0.1, alternative="less").pvalue))
        return values

    rows = frame_of(grid)
    model = pl.DataFrame({"item": sorted(rows["item"].unique()), "answer": model_answers()})
    test = alternative_annotator(rows.select("item", "annotator", "answer"), model)
    return Comparison(
        "alternative_annotator, p",
        "scipy",
        "stats.ttest_1samp(alternative='less')",
        "model",
        tuple(test.people["p"].to_list()),
        references.values("scipy", "alternative", theirs),
        "one per person, from the paper's definition",
    )


def overlaps(references: References) -> Iterator[Comparison]:
    """Yield the overlap of texts."""

    def theirs(kind: str) -> list[float]:
        from rouge_score.rouge_scorer import RougeScorer

        scorer = RougeScorer([kind], use_stemmer=False)
        return [scorer.score(wanted, own)[kind].fmeasure for own, wanted in texts()]

    for kind, ours in (
        ("rouge1", partial(rouge_n, n=1)),
        ("rouge2", partial(rouge_n, n=2)),
        ("rougeL", rouge_l),
    ):
        yield Comparison(
            kind,
            "rouge-score",
            f"RougeScorer([{kind!r}])",
            "texts",
            tuple(ours(own, wanted) for own, wanted in texts()),
            references.values("rouge-score", kind, partial(theirs, kind)),
        )
