"""Cumulative-link mixed models: known answers, laws, and what R's ordinal says of the same rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from plausibly.analysis.ordinal import OrdinalTable, fit_ordinal, grouped
from plausibly.analysis.ordinal_terms import design, parsed_terms
from plausibly.errors import StudyError, UnknownName
from plausibly.verbs.analyse import analyse, export_r


def simulated() -> OrdinalTable:
    """Return 240 answers by 12 people about 20 items, made by a recurrence R can follow too."""
    state, draws = 12345, []
    for _ in range(240 + 12 + 20):
        state = (1103515245 * state + 12345) % 2**31
        draws.append((state + 0.5) / 2**31)
    people, items, noise = draws[:12], draws[12:32], draws[32:]
    answers, fixed, person, item = [], [], [], []
    for row in range(240):
        p, i = row % 12, row // 12
        warm = float(i % 2)
        odds = np.log(noise[row] / (1 - noise[row]))
        line = 1.2 * warm + 3 * (people[p] - 0.5) + 2 * (items[i] - 0.5) + odds
        answers.append(int(np.searchsorted([-1.0, 0.5, 2.0], line)))
        fixed.append([warm])
        person.append(p)
        item.append(i)
    groups = {"person": grouped(person), "item": grouped(item)}
    return OrdinalTable(np.eye(4)[answers], np.array(fixed), ("warm",), groups)


def test_a_model_without_groups_is_the_cumulative_logit_of_a_two_by_two_table() -> None:
    counts = np.array([[30.0, 10.0], [20.0, 40.0]])
    model = fit_ordinal(OrdinalTable(counts, np.array([[0.0], [1.0]]), ("x",)))
    assert model.effects[0].value == pytest.approx(np.log(30 * 40 / (10 * 20)), abs=1e-5)
    wald = np.sqrt(1 / 30 + 1 / 10 + 1 / 20 + 1 / 40)
    assert model.effects[0].error == pytest.approx(wald, abs=1e-4)
    assert model.thresholds[0].value == pytest.approx(np.log(30 / 10), abs=1e-5)


def test_rows_counted_together_say_what_they_say_apart() -> None:
    table = simulated()
    only = {"item": table.groups["item"]}
    apart = fit_ordinal(OrdinalTable(table.counts, table.fixed, table.names, only))
    first = np.unique(only["item"], return_index=True)[1]
    summed = np.stack([table.counts[only["item"] == n].sum(axis=0) for n in range(20)])
    together = OrdinalTable(summed, table.fixed[first], table.names, {"item": np.arange(20)})
    counted = fit_ordinal(together)
    assert counted.log_likelihood == pytest.approx(apart.log_likelihood, abs=1e-5)
    assert counted.effects[0].value == pytest.approx(apart.effects[0].value, abs=1e-3)
    assert counted.deviations["item"] == pytest.approx(apart.deviations["item"], abs=1e-3)


def test_names_of_groups_and_order_of_rows_do_not_matter() -> None:
    table = simulated()
    order = np.random.default_rng(1).permutation(len(table.counts))
    turned = {name: (group.max() - group)[order] for name, group in table.groups.items()}
    other = OrdinalTable(table.counts[order], table.fixed[order], table.names, turned)
    one, two = fit_ordinal(table), fit_ordinal(other)
    assert two.log_likelihood == pytest.approx(one.log_likelihood, abs=1e-5)
    assert two.effects[0].value == pytest.approx(one.effects[0].value, abs=1e-3)


def test_two_crossed_groups_as_r_fits_them() -> None:
    # clmm(answer ~ warm + (1 | person) + (1 | item)), ordinal 2022.11.16
    model = fit_ordinal(simulated())
    assert model.converged
    assert model.effects[0].value == pytest.approx(R_EFFECT[0], abs=6e-4)
    assert model.effects[0].error == pytest.approx(R_EFFECT[1], abs=6e-4)
    for threshold, printed in zip(model.thresholds, R_THRESHOLDS, strict=True):
        assert threshold.value == pytest.approx(printed, abs=6e-4)
    assert model.deviations == pytest.approx(R_DEVIATIONS, abs=6e-4)
    assert model.log_likelihood == pytest.approx(R_LOG_LIKELIHOOD, abs=6e-3)


def test_a_constant_column_an_answer_never_given_and_an_unknown_link_are_named() -> None:
    with pytest.raises(StudyError, match="constant"):
        fit_ordinal(OrdinalTable(np.eye(2), np.ones((2, 1)), ("x",)))
    with pytest.raises(StudyError, match="1 were never given"):
        fit_ordinal(OrdinalTable(np.array([[1.0, 0.0, 2.0]]), np.zeros((1, 0)), ()))
    with pytest.raises(UnknownName, match="probit"):
        fit_ordinal(OrdinalTable(np.eye(2), np.array([[0.0], [1.0]]), ("x",)), link="logistic")


def test_a_star_is_both_and_their_product() -> None:
    assert parsed_terms("a*b") == [("a",), ("b",), ("a", "b")]
    assert parsed_terms("a + a:b") == [("a",), ("a", "b")]
    with pytest.raises(StudyError, match="no term"):
        parsed_terms("a + ")


def ratings() -> pl.DataFrame:
    rows = [
        (f"t{i}", f"a{p}", "q", str(1 + place), 1.0 + place)
        for i in range(12)
        for p in range(5)
        for place in ((i * 7 + p * 3 + i * p) % 5,)
    ]
    return pl.DataFrame(
        rows, schema=["item", "annotator", "question", "answer", "value"], orient="row"
    )


def items() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "item": [f"t{i}" for i in range(12)],
            "text": ["x"] * 12,
            "condition": ["attested" if i % 2 else "perturbed" for i in range(12)],
            "weight": [float(i) for i in range(12)],
        }
    )


def test_categories_are_compared_with_the_first_and_groups_are_found() -> None:
    made = design(ratings(), items(), terms="condition*weight")
    assert made.table.names == (
        "condition=perturbed",
        "weight",
        "condition=perturbed:weight",
    )
    assert list(made.table.groups) == ["item", "annotator"]
    assert made.table.counts.sum() == 60
    assert made.answers == ("1", "2", "3", "4", "5")
    assert 0 <= made.eta_squared["condition"] <= 1


def test_an_unknown_column_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match="condition"):
        design(ratings(), items(), terms="conditon")


def test_the_verb_writes_itself_and_r_gets_the_same_rows(tmp_path: Path) -> None:
    table, known = ratings(), items()
    result = analyse(table, items=known, terms="condition", random="annotator")
    document = result.as_json()
    assert [one["name"] for one in document["effects"]] == ["condition=perturbed"]
    assert document["ratings"] == 60
    export_r(table, items=known, terms="condition", random="annotator", output=tmp_path / "r")
    assert pl.read_csv(tmp_path / "r" / "ratings.csv").height == 60
    script = (tmp_path / "r" / "model.R").read_text(encoding="utf-8")
    assert "value ~ condition + (1 | annotator)" in script


R_EFFECT = (1.24846444, 0.36352769)
R_THRESHOLDS = (-0.69767286, 0.59732685, 1.94971801)
R_DEVIATIONS = {"person": 0.58440959, "item": 0.58962624}
R_LOG_LIKELIHOOD = -314.36512211
