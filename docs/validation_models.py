"""Mixed models and language models next to their references, for docs/make_validation.py."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from validation_sets import Comparison, Floats, References, installed

from plausibly.measures.mixed.crossed import RandomFactor
from plausibly.measures.mixed.laplace import LaplaceFit, OrderedTable, fit_laplace
from plausibly.measures.mixed.linear import LinearFit, LinearTable, fit_linear
from plausibly.measures.mixed.satterthwaite import curvature
from plausibly.measures.mixed.structure import grouping
from worlds.golden import SETS, golden

# P, G and I: people, groups and items; c: their slopes for the condition.
LINEAR = ("g1 P+I", "g1 Pc+I", "g1 Pc+G+I", "g1 Pc+Gc", "g1s Pc+Gc")
LOGISTIC = ("g2 P+I", "g2 Pc+Gc")
ORDINAL = ("g3 P+I logit", "g3 P+I probit", "g3 Pc+Gc logit")
FORMULAE = {
    "P": "person (1)",
    "G": "group (1)",
    "I": "item (1)",
    "Pc": "person (1 + c)",
    "Gc": "group (1 + c)",
}
TEXTS = 200


def parts(name: str) -> tuple[Floats, Floats, list[RandomFactor]]:
    """Return answers, condition and random factors of a generated table."""
    people, groups, items, c, answers = zip(*golden(*SETS[name.partition(" ")[0]]), strict=True)
    condition = np.array(c)
    columns = {"P": people, "G": groups, "I": items}
    factors = []
    for factor in name.split()[1].split("+"):
        levels = grouping(factor, list(columns[factor[0]]))
        ones = np.ones_like(condition)
        both = np.column_stack([ones, condition] if factor[1:] else [ones])
        terms = ("1", "c")[: both.shape[1]]
        factors.append(RandomFactor(factor, levels.levels, levels.group, both, terms))
    return np.array(answers, dtype=np.float64), condition, factors


def formula(name: str) -> str:
    """Return the random effects of the formula R reads; a table cannot hold its bars."""
    return "; ".join(FORMULAE[one] for one in name.split()[1].split("+"))


def spreads(fit: LinearFit | LaplaceFit) -> list[float]:
    """Return standard deviations and correlations of the random effects."""
    values: list[float] = []
    for covariance in fit.covariances:
        deviations = np.sqrt(np.diagonal(covariance))
        values += deviations.tolist()
        if len(deviations) == 2:
            values.append(float(covariance[0, 1] / deviations[0] / deviations[1]))
    return values


def errors(covariance: Floats) -> list[float]:
    """Return standard errors."""
    return [float(one) for one in np.sqrt(np.diagonal(covariance))]


def mixed(references: References) -> Iterator[Comparison]:
    """Yield the mixed models: log likelihoods, effects and standard errors."""
    for name in LINEAR:
        answers, condition, factors = parts(name)
        fixed = np.column_stack([np.ones_like(condition), condition])
        fit = fit_linear(LinearTable(answers, fixed, factors), restricted=True)
        curve = curvature(fit)
        values = [*map(float, fit.effects), *errors(fit.covariance)]
        values += [*(curve.freedom(row) for row in np.eye(2)), *spreads(fit), fit.residual]
        yield from rows(references, ("linear", "lme4", "lmer", name), fit.log_likelihood, values)
    for name in (*LOGISTIC, *ORDINAL):
        answers, condition, factors = parts(name)
        codes = (answers - answers.min()).astype(np.int64)
        link = name.split()[2] if name in ORDINAL else "logit"
        laplace = fit_laplace(OrderedTable(codes, condition[:, None], factors), link=link)
        cuts = laplace.cuts if name in ORDINAL else -laplace.cuts
        values = [*map(float, cuts), *map(float, laplace.effects), *errors(laplace.covariance)]
        values += spreads(laplace) if name in LOGISTIC else []
        what = ("ordinal", "ordinal", "clmm") if name in ORDINAL else ("logistic", "lme4", "glmer")
        yield from rows(references, (*what, name), laplace.log_likelihood, values)


def rows(
    references: References, what: tuple[str, str, str, str], likelihood: float, values: list[float]
) -> Iterator[Comparison]:
    """Yield one row for the log likelihood and one for everything that was estimated."""
    family, package, function, name = what
    height, *theirs = references.stored(package, name)
    link = f"; {name.split()[2]}" if name in ORDINAL else ""
    call, data = f"{function}, random: {formula(name)}{link}", name.partition(" ")[0]
    yield Comparison(
        f"{family}: log likelihood", package, call, data, (float(likelihood),), (height,)
    )
    note = "effects, standard errors"
    note += ", degrees of freedom (lmerTest)" if family == "linear" else ""
    note += "" if family == "ordinal" else ", deviations and correlations"
    yield Comparison(
        f"{family}: estimates", package, call, data, tuple(values), tuple(theirs), note
    )


def language(references: References) -> Iterator[Comparison]:
    """Yield log-probabilities of options and surprisals of words, as they were recorded."""
    for name, package, call, data in (
        ("ask, log-probability of options", "lm_eval", "HFLM.loglikelihood", "letters"),
        ("surprisal, bits of words", "minicons", "IncrementalLMScorer", "drawn"),
    ):
        theirs = references.stored(package, "theirs")
        ours = references.stored(package, "ours")
        note = "both recorded in one run"
        note += f"; of {TEXTS} texts the one that differs most" if package == "minicons" else ""
        yield Comparison(name, package, call, data, ours, theirs, note)


def record_language(references: References) -> None:
    """Record what lm-eval and minicons, and we, make of models with drawn weights."""
    with TemporaryDirectory() as folder:
        options(references, Path(folder) / "letters")
        surprisals(references, Path(folder) / "drawn")


def options(references: References, folder: Path) -> None:
    """Record the log-probabilities of options under the rule of lm-eval's multiple choice."""
    from lm_eval.api.instance import Instance
    from lm_eval.models.huggingface import HFLM

    from plausibly.backends.causal import load_causal
    from plausibly.ports import Query
    from worlds.letters import save_letters

    path = save_letters(folder)
    contexts = ["The cup is on the table. The story is", "Ada drinks. It is", "Ice is"]
    choices = (" true", " false", " very cold", " a long story without an end")
    requests = [
        Instance("loglikelihood", {}, (context, choice), number)
        for number, (context, choice) in enumerate((a, b) for a in contexts for b in choices)
    ]
    peer = HFLM(pretrained=str(path), device="cpu", dtype="float32", batch_size=1)
    theirs = [float(value) for value, _ in peer.loglikelihood(requests)]
    model = load_causal(path, converses=False)
    asked = [model.answer(Query(context=one, options=choices)).logliks for one in contexts]
    named = installed("lm_eval")
    references.keep("lm_eval", "theirs", theirs, named)
    references.keep("lm_eval", "ours", [float(one) for row in asked for one in row], named)


def surprisals(references: References, folder: Path) -> None:
    """Record the surprisal of words, with the correction for leading spaces."""
    import sys

    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))
    import surprisal as bench
    from minicons.scorer import IncrementalLMScorer

    from plausibly.backends.causal import load_causal
    from plausibly.backends.surprisal import Surprisals

    sentences = bench.sentences(TEXTS, seed=1)
    bench.save_model(folder, sentences, layers=2, width=64)
    theirs = bench.theirs(IncrementalLMScorer(str(folder), "cpu"), sentences)
    ours = [[one.bits for one in words] for words in Surprisals(load_causal(folder)).of(sentences)]
    named = installed("minicons")
    # Of all texts, the one with the largest difference is kept.
    worst = max(
        range(TEXTS),
        key=lambda n: max(abs(a - b) for a, b in zip(ours[n], theirs[n], strict=True)),
    )
    references.keep("minicons", "theirs", [float(one) for one in theirs[worst]], named)
    references.keep("minicons", "ours", [float(one) for one in ours[worst]], named)
