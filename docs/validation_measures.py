"""Agreement next to its references, for docs/make_validation.py."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import combinations
from typing import Any, Literal, cast, get_args

import numpy as np
import polars as pl
from validation_sets import (
    Comparison,
    References,
    coded,
    complete,
    frame_of,
    gaps,
    set_answers,
)

from plausibly.measures import chance, reliability, spearman
from plausibly.measures._crossing import Crossing
from plausibly.measures.coded import code
from plausibly.measures.cohen import cohen_kappa
from plausibly.measures.krippendorff import Metric, krippendorff_alpha
from plausibly.measures.masi import masi_alpha

Weights = Literal["none", "linear", "quadratic"]


def agreement(references: References) -> Iterator[Comparison]:
    """Yield the measures of agreement."""
    yield from alphas(references)
    yield from by_irrcac(references)
    yield from kappas(references)
    yield from intraclass(references)
    yield components(references)
    yield from ranks(references)
    yield sets(references)


def alphas(references: References) -> Iterator[Comparison]:
    """Yield Krippendorff's alpha for every metric."""

    def theirs(metric: str) -> list[float]:
        import krippendorff

        return [krippendorff.alpha(gaps(), level_of_measurement=metric)]

    for metric in get_args(Metric):
        yield Comparison(
            f"krippendorff_alpha, {metric}",
            "krippendorff",
            f"alpha(level_of_measurement={metric!r})",
            "gaps",
            (number(krippendorff_alpha(coded(gaps()), metric)),),
            references.values("krippendorff", metric, partial(theirs, metric)),
        )


def number(measure: Any) -> float:
    """Return the value of a measure that has one."""
    return float(measure.value)


def by_irrcac(references: References) -> Iterator[Comparison]:
    """Yield percent agreement, Fleiss' kappa and Gwet's coefficients on ratings with gaps."""

    def theirs(method: str, weights: str, key: str) -> list[float]:
        import pandas as pd
        from irrCAC.raw import CAC

        found = getattr(CAC(pd.DataFrame(gaps().T), weights=weights, digits=12), method)()
        return [float(found["est"][key])]

    rows = {
        "percent_agreement": (chance.percent_agreement, "gwet", "identity", "pa"),
        "fleiss_kappa": (chance.fleiss_kappa, "fleiss", "identity", "coefficient_value"),
        "gwet_ac1": (chance.gwet_ac1, "gwet", "identity", "coefficient_value"),
        "gwet_ac2": (chance.gwet_ac2, "gwet", "quadratic", "coefficient_value"),
    }
    for name, (ours, method, weights, key) in rows.items():
        yield Comparison(
            name,
            "irrCAC",
            f"CAC(weights={weights!r}).{method}()",
            "gaps",
            (number(ours(coded(gaps()))),),
            references.values("irrCAC", name, partial(theirs, method, weights, key)),
        )


def kappas(references: References) -> Iterator[Comparison]:
    """Yield Fleiss' kappa without gaps, and Cohen's with every weighting."""

    def fleiss() -> list[float]:
        from statsmodels.stats import inter_rater

        counts, _ = inter_rater.aggregate_raters(complete().T)
        return [inter_rater.fleiss_kappa(counts, method="fleiss")]

    def cohen(weights: str | None) -> list[float]:
        from sklearn.metrics import cohen_kappa_score

        one = partial(cohen_kappa_score, weights=weights, labels=[1, 2, 3, 4])
        grid = complete().astype(int)
        return [float(np.mean([one(a, b) for a, b in combinations(grid, 2)]))]

    yield Comparison(
        "fleiss_kappa",
        "statsmodels",
        "inter_rater.fleiss_kappa",
        "complete",
        (number(chance.fleiss_kappa(coded(complete()))),),
        references.values("statsmodels", "fleiss", fleiss),
    )
    for weights in get_args(Weights):
        asked = None if weights == "none" else weights
        yield Comparison(
            "cohen_kappa" if asked is None else f"cohen_kappa_{weights}",
            "scikit-learn",
            f"cohen_kappa_score(weights={asked!r})",
            "complete",
            (number(cohen_kappa(coded(complete()), weights)),),
            references.values("scikit-learn", weights, partial(cohen, asked)),
            "mean over pairs of people",
        )


def intraclass(references: References) -> Iterator[Comparison]:
    """Yield the intraclass correlations."""

    def theirs(place: int) -> list[float]:
        import pingouin

        rows = frame_of(complete()).with_columns(answer=pl.col("answer").cast(pl.Float64))
        table = pingouin.intraclass_corr(
            rows.to_pandas(), targets="item", raters="annotator", ratings="answer"
        )
        return [float(table["ICC"].iloc[place])]

    # pingouin lists one-way, two-way random and two-way mixed, for one rating and for the mean.
    for form, place in {"1,1": 0, "2,1": 1, "1,k": 3, "2,k": 4}.items():
        yield Comparison(
            f"icc, {form}",
            "pingouin",
            "intraclass_corr",
            "complete",
            (number(reliability.icc(coded(complete()), cast(reliability.Form, form))),),
            references.values("pingouin", form, partial(theirs, place)),
        )


def components(references: References) -> Comparison:
    """Return the variances of items, people and the rest next to an analysis of variance."""

    def theirs() -> list[float]:
        from statsmodels.formula.api import ols
        from statsmodels.stats.anova import anova_lm

        rows = frame_of(complete()).with_columns(answer=pl.col("answer").cast(pl.Float64))
        fitted = ols("answer ~ C(item) + C(annotator)", rows.to_pandas()).fit()
        item, person, rest = anova_lm(fitted)["mean_sq"]
        people, items = complete().shape
        return [(item - rest) / people, max((person - rest) / items, 0.0), rest]

    ours = reliability.variance_components(Crossing(coded(complete()))) or {}
    return Comparison(
        "variance_components",
        "statsmodels",
        "stats.anova.anova_lm(ols(...))",
        "complete",
        tuple(ours.values()),
        references.values("statsmodels", "components", theirs),
        "none below 0",
    )


def ranks(references: References) -> Iterator[Comparison]:
    """Yield the two means of rank correlations."""

    def pairs() -> list[float]:
        from scipy.stats import spearmanr

        return [float(np.mean([spearmanr(a, b)[0] for a, b in combinations(complete(), 2)]))]

    def others() -> list[float]:
        from scipy.stats import spearmanr

        grid = complete()
        means = [np.delete(grid, row, axis=0).mean(axis=0) for row in range(len(grid))]
        return [float(np.mean([spearmanr(a, b)[0] for a, b in zip(grid, means, strict=True)]))]

    for name, measure, theirs in (
        ("pairwise_spearman", spearman.pairwise_spearman, pairs),
        ("one_vs_rest_spearman", spearman.one_vs_rest_spearman, others),
    ):
        yield Comparison(
            name,
            "scipy",
            "stats.spearmanr",
            "complete",
            (number(measure(coded(complete()))),),
            references.values("scipy", name, theirs),
            "mean over pairs of people" if theirs is pairs else "mean over people",
        )


def sets(references: References) -> Comparison:
    """Return alpha with the distance of sets."""

    def theirs() -> list[float]:
        from nltk.metrics.agreement import AnnotationTask
        from nltk.metrics.distance import masi_distance

        return [AnnotationTask(data=set_answers(), distance=masi_distance).alpha()]

    rows = [(person, item, ";".join(sorted(members))) for person, item, members in set_answers()]
    frame = pl.DataFrame(rows, schema=["annotator", "item", "answer"], orient="row")
    return Comparison(
        "masi_alpha",
        "nltk",
        "AnnotationTask(distance=masi_distance).alpha()",
        "sets",
        (number(masi_alpha(code(frame.with_columns(question=pl.lit("rating"))))),),
        references.values("nltk", "masi", theirs),
    )
