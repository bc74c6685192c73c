"""Label methods next to their references, for docs/make_validation.py."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import polars as pl
from validation_sets import (
    Comparison,
    References,
    complete,
    features,
    for_pandas,
    frame_of,
    workers,
)

from plausibly.labels import Effort
from plausibly.labels.adjusted import adjusted
from plausibly.labels.averages import mean, median
from plausibly.labels.dawid_skene import dawid_skene
from plausibly.labels.glad import glad
from plausibly.labels.mace import Training, mace
from plausibly.labels.one_coin import one_coin
from plausibly.labels.plurality import plurality
from plausibly.models.soft import fit_soft, soft_shares

ROUNDS = 100
JAVA = "java"


def posteriors(labels: pl.DataFrame) -> list[float]:
    """Return the distribution of every item, items and labels in order."""
    rows = [json.loads(text) for text in labels.sort("item")["distribution"]]
    return [float(row[label]) for row in rows for label in sorted(row)]


def crowds(references: References) -> Iterator[Comparison]:
    """Yield the label methods of crowd-kit that have a counterpart."""
    ratings = workers().ratings

    def probabilities(name: str, **options: object) -> list[float]:
        from crowdkit import aggregation

        fitted = getattr(aggregation, name)(**options).fit(for_pandas(ratings))
        table = fitted.probas_.sort_index().sort_index(axis=1)
        return [float(one) for one in table.to_numpy().ravel()]

    effort = Effort(iterations=ROUNDS, tolerance=-1)
    rows = {
        "plurality": (plurality(ratings), "MajorityVote", {}, ""),
        "one-coin": (
            one_coin(ratings, prior="none", effort=effort).labels,
            "OneCoinDawidSkene",
            {"n_iter": ROUNDS, "tol": -1},
            "`--prior none`; the default has a prior",
        ),
        "dawid-skene": (
            dawid_skene(ratings, prior="none", effort=effort).labels,
            "DawidSkene",
            {"n_iter": ROUNDS, "tol": -1},
            "`--prior none`; crowd-kit does not renormalise clipped probabilities",
        ),
    }
    for name, (labels, peer, options, note) in rows.items():
        chosen = ", ".join(f"{option}={value}" for option, value in options.items())
        yield Comparison(
            name,
            "crowd-kit",
            f"{peer}({chosen}).probas_",
            "crowd",
            tuple(posteriors(labels)),
            references.values("crowd-kit", name, partial(probabilities, peer, **options)),
            note,
        )
    yield able(references)


def able(references: References) -> Comparison:
    """Return the share of items that GLAD labels as crowd-kit's does."""
    ratings = workers().ratings.filter(pl.col("item") < "t0080")

    def theirs() -> list[float]:
        from crowdkit.aggregation import GLAD

        labels = GLAD(n_iter=10).fit_predict(for_pandas(ratings))
        return [float(labels[item]) for item in sorted(labels.index)]

    ours = glad(ratings).labels.sort("item")["label"].cast(pl.Float64).to_list()
    return Comparison(
        "glad, labels",
        "crowd-kit",
        "GLAD(n_iter=10)",
        "crowd",
        tuple(ours),
        references.values("crowd-kit", "glad", theirs),
        "the labels 0 to 3 of 80 items; crowd-kit stops before the maximum",
    )


def numbers(references: References) -> Iterator[Comparison]:
    """Yield means and medians, and a regression on shares of answers."""
    ratings = frame_of(complete())
    for name, ours in (("mean", mean), ("median", median)):
        labels = ours(ratings).sort("item")["label"].cast(pl.Float64).to_list()
        average = getattr(np, name)
        them = references.values("numpy", name, lambda a=average: a(complete(), axis=0))
        yield Comparison(name, "numpy", name, "complete", tuple(labels), them)
    table, counts = features()

    def theirs() -> list[float]:
        from sklearn.linear_model import LogisticRegression

        rows, answers = np.repeat(table, 3, axis=0), np.tile(np.arange(3), len(table))
        model = LogisticRegression(C=0.5, tol=1e-10, max_iter=10_000)
        model.fit(rows, answers, sample_weight=counts.ravel())
        return [float(one) for one in model.predict_proba(table).ravel()]

    shares = soft_shares(table, fit_soft(table, counts, penalty=2.0))
    yield Comparison(
        "soft regression, shares",
        "scikit-learn",
        "LogisticRegression(C=0.5)",
        "features",
        tuple(map(float, shares.ravel())),
        references.values("scikit-learn", "soft", theirs),
        "both stop by their tolerance",
    )


def competence(references: References, jar: Path | None) -> Iterator[Comparison]:
    """Yield MACE's likelihoods; the program draws its starts and has no seed."""
    for name, em in (("variational Bayes", False), ("EM", True)):
        if jar is not None:
            references.keep("MACE.jar", name, [likelihood(jar, em=em)], "0.3")
        fitted = mace(workers().ratings, training=Training(em=em))
        yield Comparison(
            f"mace, {name}: log likelihood",
            "MACE.jar",
            "--em" if em else "(default)",
            "crowd",
            (float(fitted.log_likelihood["rating"] or 0),),
            references.stored("MACE.jar", name),
            "best of 10 starts of 50 iterations; the greater, the better",
        )


def likelihood(jar: Path, *, em: bool) -> float:
    """Return the best log likelihood that MACE.jar prints."""
    wide = workers().ratings.pivot("annotator", index="item", values="answer").sort("item")
    with TemporaryDirectory() as folder:
        file = Path(folder) / "crowd.csv"
        wide.drop("item").write_csv(file, include_header=False)
        command = [JAVA, "-jar", str(jar), *(["--em"] if em else []), str(file)]
        done = subprocess.run(  # noqa: S603
            command, cwd=folder, capture_output=True, text=True, check=True
        )
    printed = re.search(r"log marginal likelihood: (-[\d.]+)\)", done.stdout + done.stderr)
    if printed is None:
        raise ValueError(f"MACE.jar printed no likelihood: {done.stdout[-200:]}")
    return float(printed[1])


def blups(references: References, script: str | None) -> Comparison:
    """Return scores adjusted for annotators next to lme4's predictions of random effects."""
    if script is not None:
        found, named = by_r(script)
        references.keep("lme4", "adjusted", found, named)
    labels = adjusted(frame_of(complete())).labels.sort("item")["label"].cast(pl.Float64)
    return Comparison(
        "adjusted",
        "lme4",
        "lmer, fixef + ranef; random: item (1); annotator (1)",
        "complete",
        tuple(labels.to_list()),
        references.stored("lme4", "adjusted"),
    )


SCRIPT = """
suppressMessages(library(lme4))
d <- read.csv("ratings.csv", colClasses = c("character", "character", "numeric"))
m <- lmer(answer ~ 1 + (1 | item) + (1 | annotator), d,
          control = lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-10)))
r <- ranef(m)$item
cat(as.character(packageVersion("lme4")), "\\n")
cat(format(fixef(m)[[1]] + r[order(rownames(r)), 1], digits = 12), "\\n")
"""


def by_r(script: str) -> tuple[list[float], str]:
    """Return what R prints: numbers, and the version of lme4."""
    with TemporaryDirectory() as folder:
        frame_of(complete()).select("item", "annotator", "answer").write_csv(
            Path(folder) / "ratings.csv"
        )
        (Path(folder) / "model.R").write_text(script, encoding="utf-8")
        done = subprocess.run(
            ["Rscript", "model.R"],  # noqa: S607
            cwd=folder,
            capture_output=True,
            text=True,
            check=True,
        )
    named, values = done.stdout.strip().split("\n", 1)
    return [float(one) for one in values.split()], named.strip()
