"""PAP's goals of design: each is measured on the items, and can be missed."""

from __future__ import annotations

from itertools import product

import polars as pl
import pytest

from plausibly.stimuli.pap.goals import design_goals


def items() -> pl.DataFrame:
    """Return one event of each combination and condition; every third attested one seen twice."""
    cells = ["-".join(letters) for letters in product("acm", repeat=3)]
    rows: list[tuple[object, ...]] = [
        ("item", condition, cell, (1 + (place % 3 == 0)) * (condition == "attested"))
        for condition in ("attested", "perturbed")
        for place, cell in enumerate(cells)
    ]
    rows.append(("check", None, None, None))
    schema = ["kind", "condition", "combination", "count"]
    return pl.DataFrame(rows, schema=schema, orient="row")


def test_a_whole_design_reaches_all_four() -> None:
    goals = design_goals(items(), per_cell=1)
    assert [one["reached"] for one in goals.values()] == [True] * 4
    assert goals["preferred_and_unusual"]["seen_more_often"] == 9
    assert goals["abstract_and_concrete"]["share_by_place"]["verb"]["a"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("change", "goal"),
    [
        (pl.col("count").clip(upper_bound=1), "preferred_and_unusual"),
        (pl.lit(0).alias("count"), "attested"),
        (pl.lit("a-a-a").alias("combination"), "abstract_and_concrete"),
    ],
)
def test_a_goal_can_be_missed(change: pl.Expr, goal: str) -> None:
    goals = design_goals(items().with_columns(change), per_cell=1)
    assert not goals[goal]["reached"]


def test_fewer_events_than_asked_for_are_no_whole_design() -> None:
    assert not design_goals(items(), per_cell=2)["abstract_and_concrete"]["reached"]
