"""Laws of PAP's sets: nothing attested is perturbed, no rating is split, nobody is lost."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.errors import StudyError
from plausibly.stimuli.balance.report import balance
from plausibly.stimuli.built import Built
from plausibly.stimuli.ledger import LEDGER
from plausibly.stimuli.pap.bins import separated_bins
from plausibly.stimuli.pap.building import build_pap
from plausibly.stimuli.pap.cells import PapPlan
from plausibly.stimuli.pap.perturb import ROLES, Exchange, perturbed
from worlds.svo import invented_norms, invented_svo, lexica_of

# Building is a few dozen joins: few examples are many, and their time says nothing.
LAW = settings(deadline=None, max_examples=20)

ratings = st.lists(
    st.integers(100, 500).map(lambda hundredths: hundredths / 100), min_size=5, max_size=300
).filter(lambda values: len(set(values)) >= 5)
seeds = st.integers(0, 2**31)
worlds = st.builds(
    lambda seed, nouns, verbs, rows: (
        norms := invented_norms(nouns=nouns, verbs=verbs, seed=seed),
        invented_svo(norms, rows=rows, seed=seed),
    ),
    seeds,
    st.integers(12, 40),
    st.integers(8, 20),
    st.integers(60, 400),
)
# So few words that draws fall on each other and on what is attested.
crowded = st.builds(
    lambda seed, nouns, verbs, share: (
        norms := invented_norms(nouns=nouns, verbs=verbs, seed=seed),
        invented_svo(norms, rows=nouns * verbs * nouns * share // 100, seed=seed),
    ),
    seeds,
    st.integers(12, 14),
    st.integers(8, 9),
    st.integers(20, 50),
)
World = tuple[pl.DataFrame, pl.DataFrame]


def built(world: World, seed: int, *, profane: tuple[str, ...] = (), per_cell: int = 2) -> Built:
    norms, svo = world
    plan = PapPlan(seed=seed, per_cell=per_cell, short_cells="take-all")
    return build_pap(svo, lexica_of(norms, profane=profane), plan=plan)


def triples(frame: pl.DataFrame) -> set[tuple[str, ...]]:
    return set(frame.select(ROLES).rows())


@LAW
@given(ratings)
def test_bins_never_split_a_rating(values: list[float]) -> None:
    found = separated_bins(pl.Series(values))
    assert all(low.high < high.low for low, high in pairwise(found.bins))
    assert sum(one.rows for one in found.bins) == len(values)
    placed = found.numbers(pl.Series(values)).to_list()
    for one, rows in zip(found.bins, range(5), strict=True):
        inside = [v for v, place in zip(values, placed, strict=True) if place == rows]
        assert len(inside) == one.rows > 0
        assert (min(inside), max(inside)) == (one.low, one.high)


@LAW
@given(st.lists(st.integers(0, 10**6), min_size=5, max_size=300, unique=True))
def test_bins_of_distinct_ratings_differ_by_one_row_at_most(values: list[int]) -> None:
    found = separated_bins(pl.Series(values, dtype=pl.Float64))
    sizes = [one.rows for one in found.bins]
    assert max(sizes) - min(sizes) <= 1


@LAW
@given(worlds, seeds)
def test_a_perturbed_triple_is_never_an_attested_one(world: World, seed: int) -> None:
    items = built(world, seed, per_cell=1000).items
    made = items.filter(pl.col("condition") == "perturbed")
    assert not triples(made) & triples(world[1])
    assert len(triples(made)) == made.height


@LAW
@given(worlds, seeds)
def test_new_words_are_attested_in_their_function(world: World, seed: int) -> None:
    made = perturbed(world[1].select(ROLES), exchange=Exchange(seed=seed))
    for role in ROLES:
        assert set(made[role]) <= set(world[1][role])


@LAW
@given(worlds, seeds, st.integers(0, 3))
def test_every_candidate_is_an_item_or_in_the_ledger(world: World, seed: int, rude: int) -> None:
    words = tuple(world[1]["subject"].unique().sort().head(rude))
    result = built(world, seed, profane=words)
    LEDGER.check(result.ledger)
    for condition in ("attested", "perturbed"):
        steps = [int(one["rows"]) for one in result.funnel[condition]]
        gone = result.ledger.filter(pl.col("condition") == condition)
        kept = result.items.filter(pl.col("condition") == condition)
        assert kept.height + gone.height == steps[0]
        assert kept.height == steps[-1]
        assert steps == sorted(steps, reverse=True)
    attested = result.ledger.filter(pl.col("condition") == "attested")["candidate"].to_list()
    items = result.items.filter(pl.col("condition") == "attested")
    named = [" ".join(row) for row in items.select(ROLES).iter_rows()]
    assert sorted(attested + named) == sorted(" ".join(row) for row in triples(world[1]))


def _named(items: pl.DataFrame) -> set[str]:
    return {" ".join(row) for row in items.select(ROLES).iter_rows()}


@LAW
@given(crowded, seeds, st.integers(0, 2))
def test_a_candidate_is_in_the_ledger_once_and_is_no_item(
    world: World, seed: int, rude: int
) -> None:
    words = tuple(world[1]["subject"].unique().sort().head(rude))
    result = built(world, seed, profane=words)
    assert result.ledger.select("condition", "candidate").is_duplicated().sum() == 0
    assert not _named(result.items) & set(result.ledger["candidate"])
    for condition, steps in result.funnel.items():
        gone = result.ledger.filter(pl.col("condition") == condition)
        rules = dict(gone["rule"].value_counts().iter_rows())
        for before, after in pairwise(steps):
            assert int(before["rows"]) - int(after["rows"]) == rules.pop(after["step"], 0)
        assert not rules


def test_words_with_blanks_do_not_make_two_candidates_one() -> None:
    norms = invented_norms(nouns=30, verbs=12)
    twins = pl.DataFrame(
        [("ice", "cream sell", "tea", 1), ("ice cream", "sell", "tea", 1)],
        schema=[*ROLES, "count"],
        orient="row",
    )
    ledger = built((norms, pl.concat([invented_svo(norms, rows=200), twins])), seed=1).ledger
    named = ledger.filter(pl.col("candidate").str.contains("cream"))["candidate"]
    assert sorted(named) == ["ice / cream sell / tea", "ice cream / sell / tea"]


@LAW
@given(worlds, seeds, st.randoms(use_true_random=False))
def test_the_order_of_rows_never_matters(world: World, seed: int, random: Random) -> None:
    norms, svo = world
    places = list(range(svo.height))
    random.shuffle(places)
    one = built(world, seed)
    other = built((norms.sample(fraction=1.0, shuffle=True, seed=1), svo[places]), seed)
    assert one.items.equals(other.items)
    assert one.ledger.equals(other.ledger)
    assert one.funnel == other.funnel
    assert one.documents == other.documents


@LAW
@given(worlds, seeds, st.integers(1, 5))
def test_a_cell_holds_what_was_asked_for_or_all_there_is(
    world: World, seed: int, per_cell: int
) -> None:
    result = built(world, seed, per_cell=per_cell)
    counts = {
        (row["condition"], row["combination"]): row["len"]
        for row in result.items.drop_nulls("condition")
        .group_by("condition", "combination")
        .len()
        .iter_rows(named=True)
    }
    for condition, combination, available, taken in result.tables["cells"].iter_rows():
        assert counts.get((condition, combination), 0) == taken == min(available, per_cell)


@LAW
@given(worlds, seeds)
def test_stopping_and_taking_all_agree_where_no_cell_is_short(world: World, seed: int) -> None:
    norms, svo = world
    loose = built(world, seed, per_cell=1)
    try:
        strict = build_pap(svo, lexica_of(norms), plan=PapPlan(seed=seed, per_cell=1))
    except StudyError:
        assert (loose.tables["cells"]["available"] < 1).any()
    else:
        assert strict.items.equals(loose.items)


def test_a_big_enough_table_fills_every_cell_with_forty() -> None:
    norms = invented_norms(nouns=900, verbs=250)
    svo = invented_svo(norms, rows=20_000)
    result = build_pap(svo, lexica_of(norms), plan=PapPlan(seed=1))
    counts = result.items.drop_nulls("condition").group_by("condition", "combination").len()
    assert counts.height == 54
    assert set(counts["len"]) == {40}


@LAW
@given(worlds, seeds, st.randoms(use_true_random=False))
def test_the_balance_report_does_not_depend_on_the_order_of_items(
    world: World, seed: int, random: Random
) -> None:
    items = built(world, seed).items
    places = list(range(items.height))
    random.shuffle(places)
    one, other = balance(items).as_json(), balance(items[places]).as_json()
    assert one["items"] == other["items"]
    assert one["repeats"] == other["repeats"]
    assert one["lexical_overlap"] == other["lexical_overlap"]
    assert one["artefact_probe"]["accuracy"] == other["artefact_probe"]["accuracy"]
