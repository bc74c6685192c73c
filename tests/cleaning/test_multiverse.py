"""Every other way of cleaning is tried once, and compared with the declared one."""

from __future__ import annotations

import json

import polars as pl
import pytest

from plausibly.cleaning import RuleSpec, clean, load_preset
from plausibly.cleaning.multiverse import BASELINE, crossed, explore, ranges, universes
from plausibly.errors import StudyError
from plausibly.tables import LABELS
from worlds.crowds import answers_of, attested, context, items_of

RULES = (
    RuleSpec("few_ratings", {"fewer_than": 3}, attempts={"fewer_than": [2]}),
    RuleSpec("few_ratings_per_item", {"at_least": 2}),
)
ITEMS = items_of(**attested(4))
CROWD = answers_of(
    {
        "a": {"t0": "5", "t1": "5", "t2": "1"},
        "b": {"t0": "5", "t1": "5", "t2": "5"},
        "c": {"t2": "1", "t3": "1"},
    }
)


def most_frequent(ratings: pl.DataFrame) -> pl.DataFrame:
    """Label by the one answer all give."""
    return LABELS.check(
        ratings.group_by("item", "question")
        .agg(
            label=pl.when(pl.col("answer").n_unique() == 1).then(pl.col("answer").first()),
            ratings=pl.len(),
        )
        .with_columns(method=pl.lit("unanimous"))
    )


def test_thresholds_boundaries_orders_and_omissions_are_all_tried() -> None:
    worlds = universes(RULES)
    assert [(world.kind, world.change) for world in worlds] == [
        (BASELINE, ""),
        ("threshold", "few_ratings: fewer_than 3 → 2"),
        ("boundary", "few_ratings: fewer_than → at_most 3"),
        ("boundary", "few_ratings_per_item: at_least → more_than 2"),
        ("order", "few_ratings_per_item · few_ratings"),
        ("without", "few_ratings"),
        ("without", "few_ratings_per_item"),
        ("without", "any rule"),
    ]


def test_the_first_universe_is_the_declared_one() -> None:
    explored = explore(CROWD, universes(RULES), context(ITEMS), labeller=most_frequent)
    first = explored.row(0, named=True)
    assert (first["annotators"], first["ratings"], first["items"]) == (2, 6, 3)
    assert first["labels_changed"] == 0
    assert json.loads(first["labels"]) == {"5": 2, "none": 1}


def test_changes_of_labels_are_counted_against_the_declared_rules() -> None:
    explored = explore(CROWD, universes(RULES), context(ITEMS), labeller=most_frequent)
    rows = {row["change"]: row for row in explored.iter_rows(named=True)}
    assert rows["few_ratings_per_item: at_least → more_than 2"]["items_lost"] == 3
    assert rows["any rule"]["items_gained"] == 1
    assert rows["few_ratings: fewer_than → at_most 3"]["ratings"] == 0
    assert rows["few_ratings: fewer_than → at_most 3"]["soft_jaccard"] is None


def test_ranges_name_the_change_that_leads_to_each_extreme() -> None:
    found = ranges(explore(CROWD, universes(RULES), context(ITEMS)))
    assert found["ratings"] == {
        "declared": 6,
        "low": 0,
        "low_by": "few_ratings: fewer_than → at_most 3",
        "high": 8,
        "high_by": "any rule",
    }
    assert "labels_changed" not in found


def test_the_published_presets_have_universes_of_every_kind() -> None:
    worlds = universes(load_preset("pap").rules)
    assert {world.kind for world in worlds} == {
        BASELINE,
        "threshold",
        "boundary",
        "order",
        "without",
    }
    assert len({tuple(map(str, world.rules)) for world in worlds}) == len(worlds)
    for world in worlds:
        for spec in world.rules:
            spec.build()


def test_crossing_combines_every_threshold_with_every_other() -> None:
    rules = (
        RuleSpec("few_ratings", {"fewer_than": 3}, attempts={"fewer_than": [2, 4]}),
        RuleSpec("few_ratings_per_item", {"at_least": 2}, attempts={"at_least": [1]}),
    )
    worlds = crossed(rules)
    assert len({tuple(map(str, world.rules)) for world in worlds}) == len(worlds) == 6
    assert (worlds[0].kind, worlds[0].rules) == (BASELINE, rules)
    assert worlds[-1].change == (
        "few_ratings: fewer_than 3 → 4; few_ratings_per_item: at_least 2 → 1"
    )


def test_too_many_combinations_are_refused() -> None:
    many = RuleSpec("few_ratings", {"fewer_than": 3}, attempts={"fewer_than": list(range(4, 50))})
    with pytest.raises(StudyError, match="gives 2209 ways to clean, more than 1000"):
        crossed((many, many))


def test_a_shared_beginning_leaves_what_cleaning_afresh_leaves() -> None:
    worlds = [*universes(RULES), *crossed(RULES), *universes(RULES[::-1])]
    explored = explore(CROWD, worlds, context(ITEMS), labeller=most_frequent)
    for world, row in zip(worlds, explored.iter_rows(named=True), strict=True):
        kept = clean(CROWD, [spec.build() for spec in world.rules], context(ITEMS)).ratings
        assert row["ratings"] == kept.height
        assert row["annotators"] == kept["annotator"].n_unique()
        assert row["labelled"] == most_frequent(kept)["label"].count()


def test_how_far_it_has_come_is_told() -> None:
    class Watch:
        begun: tuple[str, int | None] = ("", None)
        done = 0

        def begin(self, what: str, total: int | None = None) -> None:
            self.begun = (what, total)

        def advance(self, size: int = 1) -> None:
            self.done += size

    watch = Watch()
    explore(CROWD, universes(RULES), context(ITEMS), watch=watch)
    assert (watch.begun, watch.done) == (("ways to clean", 8), 8)
