"""Mixed models against lmer, glmer and clmm, and what they do with designs of every kind."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy.stats import t

from plausibly.errors import StudyError, UnknownName
from plausibly.measures.mixed import laplace
from plausibly.measures.mixed.adjusted import adjusted_scores
from plausibly.measures.mixed.crossed import Floats, Integers, RandomFactor
from plausibly.measures.mixed.design import fixed_design, parse_terms
from plausibly.measures.mixed.laplace import LaplaceFit, Likelihood, OrderedTable, fit_laplace
from plausibly.measures.mixed.linear import Deviance, LinearFit, LinearTable, fit_linear
from plausibly.measures.mixed.model import AnswerColumns, MixedOptions, fit_mixed
from plausibly.measures.mixed.satterthwaite import curvature
from plausibly.measures.mixed.structure import grouping, random_structure
from worlds.golden import SETS, golden


@dataclass(frozen=True)
class Golden:
    annotators: list[str]
    groups: list[str]
    items: list[str]
    c: Floats
    answers: Floats


def golden_set(name: str) -> Golden:
    people, groups, items, c, answers = zip(*golden(*SETS[name]), strict=True)
    numbers = np.array(answers, dtype=np.float64)
    return Golden(list(people), list(groups), list(items), np.array(c), numbers)


def factors(table: Golden, names: str) -> list[RandomFactor]:
    """P, G, I are intercepts; Pc, Gc also have a slope."""
    columns = {"P": table.annotators, "G": table.groups, "I": table.items}
    made = []
    for name in names.split("+"):
        levels = grouping(name, columns[name[0]])
        ones = np.ones_like(table.c)
        both = np.column_stack([ones, table.c] if name[1:] else [ones])
        made.append(
            RandomFactor(name, levels.levels, levels.group, both, ("1", "c")[: both.shape[1]])
        )
    return made


def linear_table(table: Golden, names: str) -> LinearTable:
    fixed = np.column_stack([np.ones_like(table.c), table.c])
    return LinearTable(table.answers, fixed, factors(table, names))


def ordered_table(table: Golden, names: str) -> OrderedTable:
    codes = (table.answers - table.answers.min()).astype(np.int64)
    return OrderedTable(codes, table.c[:, None], factors(table, names))


def spreads(fit: LinearFit | LaplaceFit) -> list[float]:
    """Standard deviations and correlations in the order of the golden values."""
    values: list[float] = []
    for covariance in fit.covariances:
        sd = np.sqrt(np.diagonal(covariance))
        values += sd.tolist()
        if len(sd) == 2:
            values.append(float(covariance[0, 1] / sd[0] / sd[1]))
    return values


def errors(covariance: Floats) -> Floats:
    return np.asarray(np.sqrt(np.diagonal(covariance)))


@pytest.mark.parametrize(
    ("name", "rows", "total", "squares"),
    [
        ("g1", 360, 17063, 970489),
        ("g1s", 360, 16918, 970892),
        ("g2", 1000, 502, 502),
        ("g3", 1000, 2774, 9966),
    ],
)
def test_golden_tables_have_their_sums(name: str, rows: int, total: int, squares: int) -> None:
    answers = golden_set(name).answers
    assert (len(answers), answers.sum(), (answers**2).sum()) == (rows, total, squares)


@dataclass(frozen=True)
class Expected:
    """Intercept and c, each with SE and df; standard deviations and correlations in order."""

    effects: tuple[float, float]
    ses: tuple[float, float]
    dfs: tuple[float, float] | None
    sds: tuple[float, ...]
    residual: float
    likelihood: float


LINEAR = [
    ("g1", "P+I", True, Expected(
        (47.430979, 10.661963), (2.7291664, 4.4337098), (47.571278, 29.796480),
        (8.7187271, 11.734540), 14.825889, -1532.65899196)),
    ("g1", "Pc+I", True, Expected(
        (47.431454, 10.659565), (2.7165305, 4.6051159), (47.346771, 34.182060),
        (8.7944739, 7.7486036, -0.21978908, 11.640631), 14.276909, -1529.50607686)),
    ("g1", "Pc+G+I", True, Expected(
        (47.425421, 10.676884), (3.2894069, 2.6730516), (23.312207, 19.394481),
        (8.6567094, 7.5794334, -0.22620333, 10.594162, 4.8623836), 14.300396, -1524.06288868)),
    ("g1", "Pc+Gc", True, Expected(
        (47.424279, 10.678139), (3.2877305, 2.6754835), (23.317274, 19.427221),
        (8.6560099, 7.6062224, -0.22731711, 11.130567, 6.8763310, 0.11094809),
        14.298989, -1524.01977895)),
    ("g1", "Pc+Gc", False, Expected(
        (47.423715, 10.679958), (3.2199875, 2.6079761), None,
        (8.5939178, 7.4239467, -0.22804964, 10.834817, 6.5560993, 0.10767749),
        14.310069, -1528.00864267)),
    ("g1s", "Pc+Gc", True, Expected(
        (46.938224, 13.274947), (3.6130594, 2.0591249), (25.067327, 15.596733),
        (10.131747, 2.9133626, -1.0, 12.037654, 5.1426544, 0.5884701),
        14.392873, -1519.97653428)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "random", "restricted", "expected"), LINEAR)
def test_a_linear_model_equals_lmer_and_lmertest(
    name: str, random: str, restricted: bool, expected: Expected
) -> None:
    fit = fit_linear(linear_table(golden_set(name), random), restricted=restricted)
    assert fit.effects == pytest.approx(expected.effects, rel=1e-6)
    assert errors(fit.covariance) == pytest.approx(expected.ses, rel=1e-6)
    assert spreads(fit) == pytest.approx(expected.sds, rel=1e-5)
    assert fit.residual == pytest.approx(expected.residual, rel=1e-6)
    assert fit.log_likelihood == pytest.approx(expected.likelihood, abs=1e-6)
    if expected.dfs is not None:
        curve = curvature(fit)
        assert [curve.freedom(row) for row in np.eye(2)] == pytest.approx(expected.dfs, rel=1e-5)


LOGISTIC = [
    ("P+I", (0.022703449, 0.58697650), (0.21592754, 0.35402305),
     [0.87429531, 1.10346126], -605.244013579),
    ("Pc+Gc", (0.055630786, 0.64239433), (0.26957622, 0.28526817),
     [0.97992753, 1.0824436, 0.38473084, 1.0607265, 0.87257436, 0.082264885], -593.53610973),
]  # fmt: skip


@pytest.mark.parametrize(("random", "effects", "ses", "sds", "likelihood"), LOGISTIC)
def test_a_logistic_model_equals_glmer(
    random: str,
    effects: tuple[float, float],
    ses: tuple[float, float],
    sds: list[float],
    likelihood: float,
) -> None:
    fit = fit_laplace(ordered_table(golden_set("g2"), random))
    assert (-fit.cuts[0], fit.effects[0]) == pytest.approx(effects, rel=1e-4)
    assert errors(fit.covariance) == pytest.approx(ses, rel=1e-4)
    assert spreads(fit) == pytest.approx(sds, rel=1e-4)
    assert fit.log_likelihood == pytest.approx(likelihood, abs=1e-4)


ORDINAL = [
    ("P+I", "logit", [-1.2032516, -0.099617865, 0.85500106, 1.9099003, 0.90998397],
     [0.21722085, 0.21387524, 0.21574501, 0.22342671, 0.33945726],
     [[0.76131803], [1.2021837]], -1434.97615978),
    ("P+I", "probit", [-0.71166683, -0.06215884, 0.50054795, 1.1116345, 0.53595363],
     [0.12759425, 0.12622331, 0.12691654, 0.12993622, 0.19975872],
     [[0.26426337], [0.41721657]], -1434.76031138),
    ("Pc+Gc", "logit", [-1.2834303, -0.11187039, 0.89934064, 2.0203196, 0.94089467],
     [0.26869873, 0.26553401, 0.26734324, 0.27456538, 0.26811754],
     [[0.87462195, 0.15651840, 1.3253227], [1.1308461, 0.27973720, 0.70962869]], -1411.73028268),
]  # fmt: skip


@pytest.mark.parametrize(("random", "link", "effects", "ses", "variances", "likelihood"), ORDINAL)
def test_an_ordinal_model_equals_clmm(
    random: str,
    link: str,
    effects: list[float],
    ses: list[float],
    variances: list[list[float]],
    likelihood: float,
) -> None:
    fit = fit_laplace(ordered_table(golden_set("g3"), random), link=link)
    # clmm stops a little before the maximum: our likelihood is higher by up to 4e-6.
    assert [*fit.cuts, *fit.effects] == pytest.approx(effects, rel=1e-4, abs=4e-5)
    assert errors(fit.covariance) == pytest.approx(ses, rel=1e-4)
    for covariance, expected in zip(fit.covariances, variances, strict=True):
        assert covariance[np.tril_indices(len(covariance))] == pytest.approx(expected, rel=1.5e-4)
    assert fit.log_likelihood == pytest.approx(likelihood, abs=1e-4)
    assert fit.log_likelihood >= likelihood


def test_gradients_equal_differences_of_values() -> None:
    deviance = Deviance(linear_table(golden_set("g1"), "Pc+G+I"), restricted=True)
    theta = np.array([0.6, -0.1, 0.4, 0.7, 0.2])
    likelihood = Likelihood(ordered_table(golden_set("g3"), "Pc+Gc"), "probit")
    place = np.array([-1.2, 0.1, 0.2, 0.3, 0.7, 0.8, 0.2, 0.9, 0.6, -0.1, 0.5])
    for function, at in ((deviance.profiled, theta), (likelihood.negative, place)):
        sides = np.eye(len(at)) * 1e-5
        numeric = [(function(at + s)[0] - function(at - s)[0]) / 2e-5 for s in sides]
        assert function(at)[1] == pytest.approx(numeric, rel=1e-4, abs=1e-4)


def answer_columns(table: Golden, **terms: list[object]) -> AnswerColumns:
    condition: list[object] = ["b" if c > 0 else "a" for c in table.c]
    return AnswerColumns(
        table.answers.tolist(),
        table.items,
        table.annotators,
        table.groups,
        {"condition": condition, **terms},
    )


def test_items_are_left_out_where_groups_with_slopes_say_the_same() -> None:
    model = fit_mixed(answer_columns(golden_set("g1")), "condition", MixedOptions())
    assert [each.factor for each in model.random] == ["annotator", "group"]
    assert any("intercept by item" in warning for warning in model.warnings)
    condition = model.terms["condition"]
    assert (condition.value, condition.se, condition.df) == pytest.approx(
        (10.678139, 2.6754835, 19.427221), rel=1e-5
    )
    assert condition.p == pytest.approx(2 * t.sf(10.678139 / 2.6754835, 19.427221), rel=1e-4)
    difference = model.means[1].mean.value - model.means[0].mean.value
    assert difference == pytest.approx(condition.value)


def test_a_singular_fit_is_named_and_does_not_fail() -> None:
    model = fit_mixed(answer_columns(golden_set("g1s")), "condition", MixedOptions())
    assert any("Singular fit: condition by annotator" in warning for warning in model.warnings)
    assert model.terms["condition"].df == pytest.approx(15.596733, rel=1e-5)


@pytest.mark.parametrize(("family", "name"), [("logistic", "g2"), ("ordinal", "g3")])
def test_other_families_test_with_the_fewer_of_people_and_groups(family: str, name: str) -> None:
    model = fit_mixed(answer_columns(golden_set(name)), "condition", MixedOptions(family=family))
    assert model.criterion == "Laplace"
    assert model.terms["condition"].df == 23
    low, high = (cell.answer for cell in model.means)
    assert low.low < low.value < low.high
    assert low.value < high.value
    assert len(model.thresholds) == (4 if family == "ordinal" else 0)


def test_terms_are_parsed_and_wrong_ones_are_named() -> None:
    assert parse_terms("a*b") == (("a",), ("b",), ("a", "b"))
    assert parse_terms("a + a:b") == (("a",), ("a", "b"))
    with pytest.raises(StudyError, match="name is missing"):
        parse_terms("a + ")
    with pytest.raises(UnknownName, match="condition"):
        fixed_design("conditon", {"condition": ["a", "b"]})
    with pytest.raises(StudyError, match="all ratings have the value"):
        fixed_design("condition", {"condition": ["a", "a"]})


def test_coding_makes_a_value_the_difference() -> None:
    columns: dict[str, list[object]] = {
        "x": ["a", "b"] * 3,
        "y": ["u", "u", "v", "v", "w", "w"],
        "n": [1, 2, 3, 4, 5, 9],
    }
    design = fixed_design("x * y + n", columns)
    assert design.names == ("intercept", "x", "y[u]", "y[v]", "n", "x:y[u]", "x:y[v]")
    assert sorted(set(design.full[:, 1])) == [-0.5, 0.5]
    assert design.full[:, 2].sum() == 0
    assert design.full[:, 4].sum() == 0
    interaction = design.terms[-1]
    assert interaction.labels == ("x:y[u]", "x:y[v]", "x:y[w]")
    assert interaction.reported[2].tolist() == [-1, -1]


def three_levels(seed: int, *, people: int = 40, groups: int = 24) -> AnswerColumns:
    random = np.random.default_rng(seed)
    rows = [(p, g, (p + g) % 3) for p in range(people) for g in range(groups)]
    severity, level = random.normal(size=people), random.normal(size=groups)
    effect = (0.0, 2.0, 2.0)
    answers = [severity[p] + level[g] + effect[c] + random.normal() for p, g, c in rows]
    return AnswerColumns(
        answers,
        [f"g{g}c{c}" for _, g, c in rows],
        [f"p{p}" for p, _, _ in rows],
        [f"g{g}" for _, g, _ in rows],
        {"c": ["xyz"[c] for *_, c in rows], "l": ["ab"[p % 2] for p, *_ in rows]},
    )


def test_three_levels_get_a_joint_test_means_and_pairs() -> None:
    model = fit_mixed(three_levels(1), "c * l", MixedOptions())
    assert [test.name for test in model.tests] == ["c", "c:l"]
    assert model.tests[0].p < 1e-10
    assert model.tests[1].p > 1e-3
    assert sum(model.terms[f"c[{level}]"].value for level in "xyz") == pytest.approx(0, abs=1e-9)
    assert len(model.means) == 6
    pairs = {(pair.of, pair.against): pair for pair in model.contrasts}
    assert pairs["y", "x"].p_holm < 1e-6 < pairs["z", "y"].p_holm
    assert "l by annotator" not in " ".join(model.warnings)
    assert [each.names[0] for each in model.random] == ["intercept"] * 2


def test_empty_cells_are_named_and_have_no_mean() -> None:
    table = three_levels(2)
    kept = [
        n
        for n, (c, lang) in enumerate(zip(table.terms["c"], table.terms["l"], strict=True))
        if (c, lang) != ("z", "b")
    ]
    fewer = AnswerColumns(
        [table.answers[n] for n in kept],
        [table.items[n] for n in kept],
        [(table.annotators or [])[n] for n in kept],
        [(table.groups or [])[n] for n in kept],
        {name: [values[n] for n in kept] for name, values in table.terms.items()},
    )
    model = fit_mixed(fewer, "c * l", MixedOptions())
    assert len(model.means) == 5
    assert any("follow from others" in warning for warning in model.warnings)


def test_between_annotator_terms_have_slopes_by_group_only() -> None:
    table = three_levels(3)
    design = fixed_design("l", table.terms)
    found = random_structure(
        design,
        [
            grouping("annotator", table.annotators or [], slopes=True),
            grouping("group", table.groups or [], slopes=True),
            grouping("item", table.items),
        ],
    )
    assert {factor.name: factor.names for factor in found.factors} == {
        "annotator": ("intercept",),
        "group": ("intercept", "l"),
        "item": ("intercept",),
    }


def test_one_rating_per_annotator_and_condition_has_no_slope_by_annotator() -> None:
    rows = [(p, g, (p + g) % 2) for p in range(30) for g in ((2 * p) % 20, (2 * p + 1) % 20)]
    design = fixed_design("c", {"c": ["ab"[c] for *_, c in rows]})
    found = random_structure(
        design,
        [
            grouping("annotator", [p for p, *_ in rows], slopes=True),
            grouping("group", [g for _, g, _ in rows], slopes=True),
        ],
    )
    assert found.factors[0].names == ("intercept",)
    assert "slope of c by annotator" in " ".join(found.notes)


def test_few_levels_drop_correlations_before_variances() -> None:
    table = three_levels(4, groups=6)
    model = fit_mixed(table, "c", MixedOptions())
    group = next(each for each in model.random if each.factor == "group")
    assert group.names == ("intercept", "c")
    assert group.correlations is None
    assert "uncorrelated" in " ".join(model.warnings)


def test_one_variance_per_term_treats_all_levels_alike() -> None:
    options = MixedOptions(slopes=("group",))
    model = fit_mixed(three_levels(4, groups=6), "c", options)
    ses = [model.terms[f"c[{level}]"].se for level in "xyz"]
    assert ses == pytest.approx([ses[0]] * 3, rel=1e-6)


def test_answers_in_another_order_give_the_same_model() -> None:
    table = answer_columns(golden_set("g3"))
    order = np.random.default_rng(1).permutation(len(table.answers))
    shuffled = AnswerColumns(
        [table.answers[n] for n in order],
        [table.items[n] for n in order],
        [(table.annotators or [])[n] for n in order],
        [(table.groups or [])[n] for n in order],
        {"condition": [table.terms["condition"][n] for n in order]},
    )
    options = MixedOptions(family="ordinal")
    one, two = (fit_mixed(each, "condition", options) for each in (table, shuffled))
    assert one.log_likelihood == pytest.approx(two.log_likelihood, abs=1e-6)
    assert one.terms["condition"].value == pytest.approx(two.terms["condition"].value, rel=1e-5)


@pytest.mark.parametrize(
    ("family", "answers", "message"),
    [
        ("ordinal", list(range(40)), "at most 20"),
        ("logistic", [1, 2, 3, 4] * 10, "two different answers"),
        ("linear", [1] * 40, "are the same"),
        ("linear", [float("nan")] * 40, "missing"),
    ],
)
def test_answers_that_a_family_cannot_take_are_refused(
    family: str, answers: list[float], message: str
) -> None:
    columns = AnswerColumns(answers, ["i"] * 40, ["a"] * 40, None, {"c": ["x", "y"] * 20})
    with pytest.raises(StudyError, match=message):
        fit_mixed(columns, "c", MixedOptions(family=family))


def test_a_scale_in_other_units_changes_no_test() -> None:
    table = answer_columns(golden_set("g1"))
    small = replace(table, answers=[1e-6 * answer for answer in table.answers])
    one, two = (fit_mixed(each, "condition", MixedOptions()) for each in (table, small))
    assert two.terms["condition"].df == pytest.approx(one.terms["condition"].df, rel=1e-3)
    assert two.terms["condition"].p == pytest.approx(one.terms["condition"].p, rel=1e-3)


def test_answers_that_follow_from_a_term_are_no_discovery() -> None:
    table = answer_columns(golden_set("g2"))
    pairs = zip(table.terms["condition"], table.answers, strict=True)
    answers = [1.0 if condition == "b" else answer for condition, answer in pairs]
    model = fit_mixed(replace(table, answers=answers), "condition", MixedOptions(family="logistic"))
    assert (model.terms["condition"].p or 0.0) > 0.05
    assert "separated" in " ".join(model.warnings)


def test_answers_without_residuals_do_not_fail() -> None:
    table = answer_columns(golden_set("g2"))
    answers = [float(int(name[1:]) % 2) for name in table.annotators or []]
    model = fit_mixed(replace(table, answers=answers), "condition", MixedOptions())
    assert model.terms["condition"].value == pytest.approx(0.0, abs=1e-6)


def test_a_likelihood_without_a_maximum_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # Seven points, four annotators and sixteen ratings led here, but only in some orders of rows.
    table = answer_columns(golden_set("g2"))
    monkeypatch.setattr(laplace, "slopes_of_gradient", lambda *_: np.array([[np.nan]]))
    with pytest.raises(StudyError, match="do not determine the model"):
        fit_mixed(table, "condition", MixedOptions(family="logistic"))


def test_a_last_step_into_nowhere_is_not_taken() -> None:
    answers = np.array(
        [*"100010001100100000101111100100010011100111011111101000011111111011000001"]
    )
    people = np.array([*"045612370148256736780124156702480245167824670138124703683457012601234678"])
    c = np.tile(np.repeat([0.5, -0.5], 4), 9)
    both = np.column_stack([np.ones(72), c])
    groups = np.arange(72) // 8
    crossed = [
        RandomFactor(name, 9, group.astype(np.int64), both, ("1", "c"))
        for name, group in (("annotator", people), ("group", groups))
    ]
    fit = fit_laplace(OrderedTable(answers.astype(np.int64), c[:, None], crossed))
    assert np.isfinite([fit.log_likelihood, *fit.effects]).all()


def crossed_ratings(seed: int) -> tuple[Floats, Integers, Integers]:
    random = np.random.default_rng(seed)
    rows = [(i, p) for i in range(12) for p in range(9) if random.random() < 0.5 or p == i % 9]
    item, person = (np.array(each, dtype=np.int64) for each in zip(*rows, strict=True))
    person = np.unique(person, return_inverse=True)[1]
    numbers = random.normal(size=12)[item] + random.normal(size=9)[person]
    return numbers + 0.5 * random.normal(size=len(rows)), item, person


def test_adjusted_scores_solve_hendersons_equations() -> None:
    numbers, item, person = crossed_ratings(1)
    scores = adjusted_scores(numbers, item, person)
    rows = np.arange(len(numbers))
    z = np.zeros((len(numbers), 12 + person.max() + 1))
    z[rows, item] = z[rows, 12 + person] = 1.0
    factors = [
        RandomFactor(name, int(g.max()) + 1, g, np.ones((len(g), 1)), ("1",))
        for name, g in (("item", item), ("annotator", person))
    ]
    fit = fit_linear(LinearTable(numbers, np.ones((len(numbers), 1)), factors))
    spread = [float(each[0, 0]) for each in fit.covariances]
    penalty = np.repeat(fit.residual**2 / np.array(spread), [12, person.max() + 1])
    x = np.column_stack([np.ones(len(numbers)), z])
    inverse = np.linalg.inv(x.T @ x + np.diag([0.0, *penalty]))
    solved = inverse @ x.T @ numbers
    pick = np.hstack([np.ones((12, 1)), np.eye(12), np.zeros((12, person.max() + 1))])
    assert scores.scores == pytest.approx(pick @ solved, rel=1e-6)
    variance = np.diagonal(pick @ inverse @ pick.T) * fit.residual**2
    assert scores.errors == pytest.approx(np.sqrt(variance), rel=1e-6)
    left = np.diagonal(inverse)[1:13] * fit.residual**2
    assert scores.reliability == pytest.approx(1 - left.mean() / spread[0], rel=1e-6)


def test_adjusted_scores_do_not_depend_on_order_or_numbers_of_annotators() -> None:
    numbers, item, person = crossed_ratings(2)
    order = np.random.default_rng(3).permutation(len(numbers))
    turned = adjusted_scores(numbers[order], item[order], person.max() - person[order])
    assert (turned.scores == adjusted_scores(numbers, item, person).scores).all()


def test_scores_are_plain_means_where_nothing_tells_items_from_noise() -> None:
    once = adjusted_scores(np.array([1.0, 2.0, 4.0]), np.arange(3), np.arange(3))
    assert once.scores.tolist() == [1.0, 2.0, 4.0]
    assert once.reliability is None
    assert not once.adjusted
