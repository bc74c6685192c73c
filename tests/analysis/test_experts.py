"""Experts judge a sample again; what they and the crowd say stays side by side."""

from __future__ import annotations

import polars as pl
import pytest
from sklearn.metrics import cohen_kappa_score

from plausibly.analysis.adjudication import decide
from plausibly.analysis.experts import compare_experts, disagreements, sample_for_experts
from plausibly.analysis.subsets import by_variance, high_confidence
from plausibly.errors import StudyError, TableError
from plausibly.measures.jaccard import parse_sides
from plausibly.tables import ITEMS, LABELS
from worlds.tables import ratings_of

SIDES = parse_sides("0,1|3,4")
FIRST = "0123401234"
SECOND = "0123411334"
CROWD = "0122404333"


def named(answers: str) -> dict[str, str]:
    return {f"t{place}": answer for place, answer in enumerate(answers)}


def judgements() -> pl.DataFrame:
    both = zip(FIRST, SECOND, strict=True)
    return ratings_of({f"t{place}": one + two for place, (one, two) in enumerate(both)})


def labels_of(answers: dict[str, str | None], *, support: float = 1.0) -> pl.DataFrame:
    return LABELS.check(
        pl.DataFrame(
            {
                "item": list(answers),
                "question": "rating",
                "method": "agreed-by",
                "label": list(answers.values()),
                "support": support,
                "ratings": 3,
            }
        )
    )


def items_of(count: int) -> pl.DataFrame:
    names = [f"t{place}" for place in range(count)]
    return ITEMS.check(pl.DataFrame({"item": names, "text": names}))


def test_a_sample_is_the_same_for_the_same_seed_in_any_row_order() -> None:
    items = items_of(50)
    one = sample_for_experts(items, size=10, seed=3)
    assert one.equals(sample_for_experts(items.reverse(), size=10, seed=3))
    assert not one.equals(sample_for_experts(items, size=10, seed=4))
    assert one.height == 10


def test_checks_are_not_drawn() -> None:
    items = items_of(4).with_columns(kind=pl.Series(["item", "check", "gold", "item"]))
    assert sample_for_experts(items, size=2, seed=1)["item"].to_list() == ["t0", "t3"]
    with pytest.raises(StudyError, match="there are 2 items to draw from"):
        sample_for_experts(items, size=3, seed=1)


def test_the_reliability_study_has_kappas_between_experts_and_with_the_crowd() -> None:
    study = compare_experts(judgements(), labels_of(dict(named(CROWD))), sides=SIDES)
    assert study.experts == ("a0", "a1")
    assert study.items == 10
    assert study.between.value == pytest.approx(cohen_kappa_score(list(FIRST), list(SECOND)))
    assert study.between.n == 10
    assert study.agreed.value == 0.8
    same = [(f, c) for f, s, c in zip(FIRST, SECOND, CROWD, strict=True) if f == s]
    assert study.agreed_with_crowd.value == pytest.approx(
        cohen_kappa_score([f for f, _ in same], [c for _, c in same])
    )
    assert study.agreed_with_crowd.n == 8
    for name, answers in (("a0", FIRST), ("a1", SECOND)):
        kappa = study.with_crowd[name]
        assert kappa.value == pytest.approx(cohen_kappa_score(list(answers), list(CROWD)))


def test_the_direction_of_every_disagreement_is_counted() -> None:
    study = compare_experts(judgements(), labels_of(dict(named(CROWD))), sides=SIDES)
    assert study.directions["a0 - a1"] == {
        "same": 8,
        "same side": 1,
        "conflicting": 0,
        "one undecided": 1,
    }
    for counts in study.directions.values():
        assert sum(counts.values()) == 10


def test_items_the_crowd_could_not_label_are_left_out_and_counted() -> None:
    crowd: dict[str, str | None] = {**named(CROWD), "t0": None}
    study = compare_experts(judgements(), labels_of(crowd), sides=SIDES)
    assert study.unlabelled == 1
    assert study.with_crowd["a0"].n == 9
    assert study.between.n == 10


def test_disagreements_are_listed_with_everybodys_answer() -> None:
    found = disagreements(judgements(), labels_of(dict(named(CROWD))), sides=SIDES)
    rows = {row["item"]: row for row in found.iter_rows(named=True)}
    assert rows["t5"]["direction"] == "same side"
    assert (rows["t6"]["a0"], rows["t6"]["crowd"], rows["t6"]["direction"]) == (
        "1",
        "4",
        "conflicting",
    )
    assert rows["t7"]["direction"] == "one undecided"
    assert "t0" not in rows


def test_one_expert_is_no_comparison() -> None:
    with pytest.raises(StudyError, match="two experts or more; got a0"):
        compare_experts(ratings_of({"t0": "1"}), labels_of({"t0": "1"}))
    apart = ratings_of({"t0": "1-", "t1": "-1"})
    with pytest.raises(StudyError, match="no item that all of a0, a1 judged"):
        compare_experts(apart, labels_of({"t0": "1"}))


def decisions(*rows: tuple[str, str, str]) -> pl.DataFrame:
    return pl.DataFrame(list(rows), schema=["item", "decision", "reason"], orient="row")


def test_a_decision_stands_beside_the_label_it_replaces() -> None:
    crowd = labels_of({"t0": "1", "t1": None, "t2": "3"})
    told = decisions(("t0", "0", "dead things do not"), ("t1", "2", "no change"))
    decided = decide(crowd, told, adjudicator="anna")
    columns = ["item", "label", "method", "crowd_label", "decided_by", "reason"]
    assert decided.select(columns).rows() == [
        ("t0", "0", "adjudicated", "1", "anna", "dead things do not"),
        ("t1", "2", "adjudicated", None, "anna", "no change"),
        ("t2", "3", "agreed-by", "3", None, None),
    ]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([("t0", "0", "")], "Every decision needs its reason"),
        ([("t9", "0", "so")], "'t9' has no label to decide on"),
        ([("t0", "0", "so"), ("t0", "1", "no")], "'t0' is decided twice"),
    ],
)
def test_a_decision_without_ground_is_refused(
    rows: list[tuple[str, str, str]], message: str
) -> None:
    with pytest.raises(TableError, match=message):
        decide(labels_of({"t0": "1"}), decisions(*rows))


def test_decisions_need_their_columns() -> None:
    with pytest.raises(TableError, match="no column 'reason'"):
        decide(labels_of({"t0": "1"}), decisions(("t0", "0", "so")).drop("reason"))


def test_high_confidence_keeps_large_majorities_that_experts_upheld() -> None:
    crowd = pl.concat(
        [labels_of({"t0": "1", "t1": "1", "t3": None}), labels_of({"t2": "1"}, support=0.6)]
    )
    assert high_confidence(crowd, min_support=0.8)["item"].to_list() == ["t0", "t1"]
    overturned = decide(crowd, decisions(("t0", "0", "so"), ("t1", "1", "upheld")))
    assert high_confidence(overturned, min_support=0.8)["item"].to_list() == ["t1"]
    with pytest.raises(StudyError, match="min_support must be in"):
        high_confidence(crowd, min_support=0)


def test_confident_items_vary_least_within_their_relation() -> None:
    ratings = ratings_of({"t0": "555", "t1": "515", "t2": "545", "t3": "135", "t4": "5--"})
    items = items_of(5).with_columns(relation=pl.Series(["a", "a", "a", "b", "b"]))
    split = by_variance(ratings, items, lowest=1)
    assert dict(zip(split["item"], split["subset"], strict=True)) == {
        "t0": "confident",
        "t1": "difficult",
        "t2": "difficult",
        "t3": "confident",
        "t4": None,
    }


def test_ties_at_the_boundary_go_by_name_in_any_row_order() -> None:
    ratings = ratings_of({f"t{place}": "45" for place in range(6)})
    items = items_of(6).with_columns(relation=pl.lit("r"))
    one = by_variance(ratings, items, lowest=3)
    assert one.equals(by_variance(ratings.reverse(), items.reverse(), lowest=3))
    assert one.filter(pl.col("subset") == "confident")["item"].to_list() == ["t0", "t1", "t2"]


def test_an_unknown_group_is_refused() -> None:
    with pytest.raises(StudyError, match="no column 'relation'"):
        by_variance(ratings_of({"t0": "45"}), items_of(1), lowest=1)


def test_where_there_are_no_labels_there_is_nothing_to_decide() -> None:
    decisions = pl.DataFrame({"item": ["t0"], "decision": ["1"], "reason": ["so"]})
    with pytest.raises(TableError, match="nothing to decide on"):
        decide(LABELS.empty(), decisions)
