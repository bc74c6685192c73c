"""Mixed models of answers: from columns and terms to a fitted model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from plausibly.errors import StudyError, UnknownName, option
from plausibly.measures.mixed.crossed import Floats, Integers, RandomFactor
from plausibly.measures.mixed.design import FixedDesign, Term, fixed_design
from plausibly.measures.mixed.inference import Inference, between, estimate
from plausibly.measures.mixed.laplace import LaplaceFit, OrderedTable, fit_laplace
from plausibly.measures.mixed.linear import LinearTable, fit_linear
from plausibly.measures.mixed.links import LINKS
from plausibly.measures.mixed.results import Coefficient, MixedModel, RandomEffects
from plausibly.measures.mixed.satterthwaite import curvature
from plausibly.measures.mixed.structure import (
    Grouping,
    RandomStructure,
    carriers,
    grouping,
    random_structure,
)
from plausibly.measures.threads import one_thread

FAMILIES = ("linear", "logistic", "ordinal")
MOST_ANSWERS = 20
SEPARATED = 15.0


@dataclass(frozen=True, eq=False)
class AnswerColumns:
    """The answers to one question, and what describes them, column by column.

    Args:
        answers: Numbers, or positions on the scale.
        items: The item of each answer.
        annotators: Who gave it; null if the table does not say.
        groups: Items that belong together over conditions; null if there are none.
        terms: Columns that a formula may name.
        further: Other columns whose levels have a random intercept, for example verb.
    """

    answers: Sequence[float]
    items: Sequence[str]
    annotators: Sequence[str] | None = None
    groups: Sequence[str] | None = None
    terms: Mapping[str, Sequence[object]] = field(default_factory=dict)
    further: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class MixedOptions:
    """How a mixed model is fitted.

    Args:
        family: linear, logistic or ordinal.
        link: Of logistic and ordinal models: logit or probit.
        restricted: Whether a linear model maximises the restricted likelihood.
        slopes: Which of annotator and group have slopes.
    """

    family: str = "linear"
    link: str = "logit"
    restricted: bool = True
    slopes: tuple[str, ...] = ("annotator", "group")


@dataclass(frozen=True, eq=False)
class _Setting:
    design: FixedDesign
    groupings: tuple[Grouping, ...]
    structure: RandomStructure
    options: MixedOptions


def fit_mixed(columns: AnswerColumns, terms: str, options: MixedOptions) -> MixedModel:
    """Return the mixed model of one question's answers.

    Args:
        columns: Answers, items, annotators, groups and the columns of the terms.
        terms: For example "condition * language".
        options: Family, link, criterion and slopes.

    Raises:
        UnknownName: for an unknown family, link or column.
        StudyError: for answers or terms that the family cannot take.
    """
    if options.family not in FAMILIES:
        raise UnknownName("family", options.family, FAMILIES, parameter="family")
    if options.link not in LINKS:
        raise UnknownName("link", options.link, LINKS, parameter="link")
    answers = np.array(columns.answers, dtype=np.float64)
    _check(answers, options.family)
    design = fixed_design(terms, columns.terms)
    groupings = _groupings(columns, options.slopes)
    structure = random_structure(design, groupings)
    if not structure.factors:
        raise StudyError(
            "a mixed model needs two or more annotators or items with several ratings each; "
            "there are none. Check the item and annotator columns."
        )
    setting = _Setting(design, groupings, structure, options)
    with one_thread():
        return (_linear if options.family == "linear" else _ordered)(answers, setting)


def _check(answers: Floats, family: str) -> None:
    if not np.isfinite(answers).all():
        raise StudyError(
            f"{int((~np.isfinite(answers)).sum())} answers are missing or not numbers. "
            "Drop them before fitting a model."
        )
    distinct = len(np.unique(answers))
    if distinct < 2:
        raise StudyError(f"all {len(answers)} answers are the same; there is nothing to model.")
    if family == "logistic" and distinct > 2:
        raise StudyError(
            f"a logistic model needs two different answers; there are {distinct}. "
            f"Choose ordinal or linear with {option('family')}.",
            parameter="family",
        )
    if family == "ordinal" and distinct > MOST_ANSWERS:
        raise StudyError(
            f"an ordinal model takes at most {MOST_ANSWERS} different answers; there are "
            f"{distinct}. Choose linear with {option('family')}.",
            parameter="family",
        )


def _groupings(columns: AnswerColumns, slopes: Sequence[str]) -> tuple[Grouping, ...]:
    groupings = []
    if columns.annotators is not None:
        by_annotator = "annotator" in slopes
        groupings.append(grouping("annotator", columns.annotators, slopes=by_annotator))
    if columns.groups is not None:
        groupings.append(grouping("group", columns.groups, slopes="group" in slopes))
    alone = columns.groups is None and "group" in slopes
    groupings.append(grouping("item", columns.items, slopes=alone))
    further = [grouping(name, values) for name, values in columns.further.items()]
    return (*groupings, *further)


def _linear(answers: Floats, setting: _Setting) -> MixedModel:
    design, factors = setting.design, setting.structure.factors
    if len(answers) <= len(design.kept):
        raise StudyError(
            f"{len(answers)} ratings cannot determine {len(design.kept)} fixed effects. "
            f"Name fewer {option('terms')}."
        )
    table = LinearTable(answers, design.matrix, factors)
    fit = fit_linear(table, restricted=setting.options.restricted)
    curve = curvature(fit)

    def freedom(_: Term | None, rows: Floats) -> float:
        return curve.freedom(rows[0]) if len(rows) == 1 else curve.joint_freedom(rows)

    inference = Inference(design, fit.effects, fit.covariance, freedom)
    return MixedModel(
        family="linear",
        link="identity",
        criterion="REML" if fit.restricted else "ML",
        terms=inference.terms(),
        thresholds=(),
        tests=inference.tests(),
        means=inference.means(),
        contrasts=inference.contrasts(),
        random=_random(factors, fit.covariances, design),
        residual=fit.residual,
        log_likelihood=fit.log_likelihood,
        levels={each.name: each.levels for each in design.variables.values()},
        counts=_counts(answers, setting.groupings),
        warnings=_warnings(setting, fit.singular, converged=fit.converged),
        converged=fit.converged,
    )


def _ordered(answers: Floats, setting: _Setting) -> MixedModel:
    design, factors, options = setting.design, setting.structure.factors, setting.options
    values, codes = np.unique(answers, return_inverse=True)
    table = OrderedTable(codes.astype(np.int64), design.matrix[:, 1:], factors)
    fit = fit_laplace(table, link=options.link)
    inference = _ordered_inference(fit, values, setting)
    spread = max(float(np.diagonal(each).max()) for each in fit.covariances)
    separated = max(float(np.abs(fit.effects).max(initial=0.0)), spread**0.5) > SEPARATED
    ordinal = options.family == "ordinal"
    return MixedModel(
        family=options.family,
        link=options.link,
        criterion="Laplace",
        terms={k: v for k, v in inference.terms().items() if not ordinal or k != "intercept"},
        thresholds=_thresholds(fit, values, inference) if ordinal else (),
        tests=inference.tests(),
        means=inference.means(),
        contrasts=inference.contrasts(),
        random=_random(factors, fit.covariances, design),
        residual=None,
        log_likelihood=fit.log_likelihood,
        levels={each.name: each.levels for each in design.variables.values()},
        counts=_counts(answers, setting.groupings),
        warnings=_warnings(setting, fit.singular, converged=fit.converged, separated=separated),
        converged=fit.converged,
    )


def _ordered_inference(fit: LaplaceFit, values: Floats, setting: _Setting) -> Inference:
    """Return effects with an intercept: how far the average is above the thresholds' middle."""
    cuts, width = len(fit.cuts), len(fit.effects)
    turn = np.zeros((1 + width, cuts + width))
    turn[0, :cuts] = -1 / cuts
    turn[1:, cuts:] = np.eye(width)
    effects = turn @ np.concatenate([fit.cuts, fit.effects])

    def freedom(term: Term | None, _: Floats) -> float:
        return _carried(setting, term)

    def answer(row: Floats, df: float) -> Coefficient:
        value, se = _expected(fit, values, row[1:], setting.options.link)
        return between("answer", value, se, df, (float(values[0]), float(values[-1])))

    covariance = turn @ fit.covariance @ turn.T
    return Inference(setting.design, effects, covariance, freedom, answer)


def _expected(fit: LaplaceFit, values: Floats, row: Floats, link: str) -> tuple[float, float]:
    """Return the expected answer of a typical annotator to a typical item, with its error."""
    cumulated, derivatives = LINKS[link]
    edges = fit.cuts - row @ fit.effects
    gaps = np.diff(values)
    density = gaps * derivatives(edges)[0]
    slope = np.concatenate([-density, density.sum() * row])
    value = float(values[-1] - gaps @ cumulated(edges))
    return value, float(np.sqrt(slope @ fit.covariance @ slope))


def _carried(setting: _Setting, term: Term | None) -> float:
    """Return one less than the annotators or groups that carry a term, whichever are fewer."""
    counts = []
    own = [each for each in setting.groupings if each.name in ("annotator", "group", "item")]
    shown = [each for each in own if each.name != "item"]
    for each in shown if len(shown) == 2 else own:
        varying = carriers(each, setting.design.columns_of(term)) if term else 0
        counts.append(varying or each.levels)
    return float(max(min(counts) - 1, 1))


def _thresholds(fit: LaplaceFit, values: Floats, inference: Inference) -> tuple[Coefficient, ...]:
    df = inference.freedom(None, fit.cuts[None, :])
    errors = np.sqrt(np.diagonal(fit.covariance))
    return tuple(
        estimate(f"{values[n]:g}|{values[n + 1]:g}", float(cut), float(errors[n]), df, tested=False)
        for n, cut in enumerate(fit.cuts)
    )


def _random(
    factors: Sequence[RandomFactor], covariances: Sequence[Floats], design: FixedDesign
) -> tuple[RandomEffects, ...]:
    terms = {design.names[place]: term.name for term in design.terms for place in term.places}
    effects = []
    for factor, covariance in zip(factors, covariances, strict=True):
        spread = np.sqrt(np.diagonal(covariance))
        safe = np.where(spread > 0, spread, 1.0)
        shared = covariance / np.outer(safe, safe) if factor.correlated else None
        table = shared if factor.size > 1 else None
        deviations = dict(zip(factor.names, map(float, spread), strict=True))
        names, values = tuple(deviations), tuple(deviations.values())
        sloped = tuple(dict.fromkeys(terms.get(name, name) for name in names[1:]))
        effects.append(RandomEffects(factor.name, factor.levels, names, values, table, sloped))
    return tuple(effects)


def _counts(answers: Floats | Integers, groupings: Sequence[Grouping]) -> dict[str, int]:
    return {"ratings": len(answers), **{f"{each.name}s": each.levels for each in groupings}}


def _warnings(
    setting: _Setting, singular: Sequence[str], *, converged: bool, separated: bool = False
) -> tuple[str, ...]:
    warnings = [*setting.structure.notes, *singular]
    if setting.design.aliased:
        names = ", ".join(setting.design.aliased)
        warnings.append(f"Columns that follow from others are held at zero: {names}.")
    if separated:
        warnings.append("Answers are separated perfectly; some estimates have no finite value.")
    if not converged:
        warnings.append("The search did not end at an optimum; do not report this fit.")
    return tuple(warnings)
