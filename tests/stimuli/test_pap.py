"""Building PAP's sets: steps, cells, ledger and items."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from plausibly.datasets.lexica.language import language
from plausibly.errors import StudyError, TableError, UnknownName
from plausibly.stimuli.built import Built
from plausibly.stimuli.pap.building import build_pap
from plausibly.stimuli.pap.cells import COMBINATIONS, PapPlan, expected_cells
from plausibly.stimuli.pap.checks import check_items, matched_checks, with_seen
from plausibly.stimuli.pap.perturb import ROLES
from plausibly.stimuli.pap.svo import read_svo
from plausibly.stimuli.realise import Realiser
from worlds.svo import invented_norms, invented_svo, lexica_of, svo_of

NORMS = invented_norms(nouns=400, verbs=120)
SVO = invented_svo(NORMS, rows=6000)


def built(svo: pl.DataFrame = SVO, *, profane: tuple[str, ...] = (), **plan: Any) -> Built:
    asked = PapPlan(**{"seed": 1, "per_cell": 5} | plan)
    return build_pap(svo, lexica_of(NORMS, profane=profane), plan=asked)


def events(result: Built) -> pl.DataFrame:
    return result.items.filter(pl.col("kind") == "item")


def steps(result: Built, condition: str) -> dict[str, int]:
    return {str(one["step"]): int(one["rows"]) for one in result.funnel[condition]}


def test_every_cell_holds_what_was_asked_for() -> None:
    counts = events(built()).group_by("condition", "combination").len()
    assert counts.height == 2 * 27
    assert set(counts["len"]) == {5}


def test_letters_are_those_of_the_bins() -> None:
    result = built()
    for row in events(result).iter_rows(named=True):
        for role, letter in zip(ROLES, row["combination"].split("-"), strict=True):
            found = next(
                one
                for one in result.documents["bins.json"][row["condition"]][role]
                if one["letter"] == letter
            )
            assert found["low"] <= row[f"{role}_concreteness"] <= found["high"]


def test_each_condition_is_binned_on_its_own() -> None:
    bins = built().documents["bins.json"]
    assert set(bins) == {"attested", "perturbed"}
    assert set(bins["attested"]) == {*ROLES, "triple"}
    assert any(bins["attested"][role] != bins["perturbed"][role] for role in ROLES)


def test_the_funnel_names_every_step_in_order() -> None:
    result = built()
    assert [one["step"] for one in result.funnel["attested"]] == [
        "read",
        "same_but_case",
        "profane",
        "no_rating",
        "outside_bins",
        "per_word",
        "not_sampled",
    ]
    assert steps(result, "attested")["not_sampled"] == 27 * 5
    assert steps(result, "perturbed")["read"] == steps(result, "attested")["no_rating"]


def test_profane_triples_are_in_the_ledger_with_the_word() -> None:
    word = SVO["subject"].mode().sort()[0]
    result = built(profane=(word,))
    gone = result.ledger.filter(pl.col("rule") == "profane")
    assert gone.height == SVO.filter(pl.any_horizontal(pl.col(ROLES) == word)).height
    assert gone["reason"].str.contains(f"'{word}' is in the profanity list").all()
    assert not events(result)["text"].str.contains(word).any()


def test_triples_without_a_rating_are_in_the_ledger_with_the_word() -> None:
    result = built(pl.concat([SVO, svo_of("stranger see tree")]))
    row = result.ledger.row(by_predicate=pl.col("candidate") == "stranger see tree", named=True)
    assert row["rule"] == "no_rating"
    assert row["reason"] == "no rating for the noun 'stranger' (subject)"


def test_two_spellings_of_a_triple_are_one_event() -> None:
    shouted = SVO.head(1).with_columns(pl.col(ROLES).str.to_uppercase(), count=pl.lit(10**6))
    result = built(pl.concat([SVO, shouted.cast(SVO.schema)]))
    gone = result.ledger.filter(pl.col("rule") == "same_but_case")
    assert gone["candidate"].to_list() == [" ".join(SVO.select(ROLES).row(0))]


@pytest.mark.parametrize("mark", ["negated", "fiction"])
def test_marked_triples_are_left_out_when_asked(mark: str) -> None:
    every_tenth = (pl.int_range(pl.len()) % 10 == 0).cast(pl.Int64)
    marked = SVO.with_columns(every_tenth.alias(mark))
    result = built(marked, without=(mark,))
    assert steps(result, "attested")[mark] == SVO.height - 600
    assert result.ledger.filter(pl.col("rule") == mark).height == 600
    assert built(marked).funnel == built().funnel


@pytest.mark.parametrize(
    ("yes", "no"),
    [(True, False), ("true", "false"), ("YES", "no"), ("1", "0"), (1.0, 0.0), ("Yes", None)],
)
def test_a_mark_may_be_written_in_any_way_people_do(yes: object, no: object) -> None:
    said = [yes if row % 10 == 0 else no for row in range(SVO.height)]
    result = built(SVO.with_columns(negated=pl.Series(said)), without=("negated",))
    assert result.ledger.filter(pl.col("rule") == "negated").height == 600


@pytest.mark.parametrize("odd", ["maybe", "2", "-1"])
def test_a_mark_that_is_neither_yes_nor_no_is_an_error(odd: str) -> None:
    wrong = SVO.with_columns(negated=pl.Series(["0", "yes", odd] + ["no"] * (SVO.height - 3)))
    with pytest.raises(TableError, match=rf"row 3: negated '{odd}' is neither yes nor no"):
        built(wrong, without=("negated",))


@pytest.mark.parametrize("count", [0, -3, 1.5, float("nan")])
def test_a_count_that_counts_nothing_is_an_error(count: float) -> None:
    wrong = SVO.with_columns(count=pl.Series([1.0, count] + [1.0] * (SVO.height - 2)))
    with pytest.raises(TableError, match=r"first: row 2: count .* is not a whole number above 0"):
        built(wrong)


@pytest.mark.parametrize(
    "counts", [[[7], [8]], [{"a": 1}, {"a": 2}], [date(2026, 1, 1)] * 2, [True, False]]
)
def test_a_column_of_counts_that_holds_none_is_an_error(tmp_path: Path, counts: object) -> None:
    words = {"subject": ["otter", "cat"], "verb": ["eat"] * 2, "object": ["fish"] * 2}
    path = tmp_path / "svo.parquet"
    pl.DataFrame({**words, "count": counts}).write_parquet(path)
    with pytest.raises(TableError, match=r"svo.parquet:1: count .* is not a whole number above 0"):
        read_svo(path)


def test_a_mark_that_is_not_there_is_an_error() -> None:
    with pytest.raises(TableError, match="no column 'fiction'"):
        built(without=("fiction",))


def test_the_step_that_left_no_triple_is_named() -> None:
    marked = SVO.with_columns(negated=pl.lit(True))
    with pytest.raises(StudyError, match=r"svo: no triple to perturb\. All 6000 .* 'negated'"):
        built(marked, without=("negated",))
    with pytest.raises(StudyError, match=r"mine\.csv: no triple to perturb\. There are no rows"):
        built(SVO.clear(), source="mine.csv")


def test_short_cells_stop_with_their_table() -> None:
    with pytest.raises(StudyError) as caught:
        built(per_cell=10_000)
    message = str(caught.value)
    assert all(f" {combination} " in message for combination in COMBINATIONS)
    assert "54 of 54 cells" in message
    assert "take-all" in message


def test_take_all_takes_what_there_is() -> None:
    result = built(per_cell=10_000, short_cells="take-all")
    assert events(result).height == sum(result.tables["cells"]["available"])
    assert not result.ledger["rule"].is_in(["not_sampled"]).any()


def test_cells_are_the_product_of_the_letters() -> None:
    assert sorted(COMBINATIONS) == sorted("-".join(letters) for letters in product("acm", repeat=3))
    assert built().tables["cells"].height == 54


def test_checks_are_our_own_and_expect_an_answer() -> None:
    checks = built().items.filter(pl.col("kind") == "check")
    assert checks["expected"].value_counts().sort("expected").rows() == [
        ("implausible", 10),
        ("plausible", 10),
    ]
    assert checks["condition"].is_null().all()
    pool = check_items(Realiser(language("en")))
    assert set(checks["text"]) <= set(pool["text"])


def test_a_language_without_checks_of_its_own_has_none() -> None:
    strange = Realiser(replace(language("en"), lang="xx"))
    assert check_items(strange).is_empty()
    assert check_items(strange).columns == check_items(Realiser(language("en"))).columns


@pytest.mark.parametrize("lang", ["en", "it"])
def test_check_items_are_distinct_and_never_both_expected(lang: str) -> None:
    checks = check_items(Realiser(language(lang)))
    assert checks["text"].n_unique() == checks["item"].n_unique() == checks.height >= 140
    for row in checks.iter_rows(named=True):
        assert row["text"].startswith(f"{row['subject']} ")
        assert row["text"].endswith(f" {row['object']}")
        assert row["verb"] not in row["text"].split()


@pytest.mark.parametrize("abstract", [True, False])
def test_checks_are_as_concrete_as_the_items_around_them(abstract: bool) -> None:
    realiser = Realiser(language("en"))
    words = {word for role in ROLES for word in check_items(realiser)[role]}
    known = {word: 1.5 + 3 * (n % 7) / 6 for n, word in enumerate(sorted(words))}
    pool = check_items(realiser, concreteness=known)
    low, high = (1.5, 3.0) if abstract else (3.0, 4.5)
    spread = [low + (high - low) * n / 29 for n in range(30)]
    items = pl.DataFrame({role: [f"{role}{n}" for n in range(30)] for role in ROLES}).with_columns(
        pl.Series(f"{role}_concreteness", spread) for role in ROLES
    )
    drawn = matched_checks(pool, {"attested": items, "perturbed": items}, seed=3)
    assert drawn["expected"].value_counts().sort("expected")["count"].to_list() == [10, 10]
    for role in ROLES:
        assert (drawn[f"{role}_concreteness"].to_numpy().mean() < 3.0) == abstract


def test_checks_are_drawn_from_the_words_of_the_corpus() -> None:
    pool = check_items(Realiser(language("it")))
    some = pool.group_by("expected", maintain_order=True).head(25)
    svo = some.select(*ROLES, (pl.int_range(pl.len()) % 4 + 1).alias("count"))

    def foreign(checks: pl.DataFrame, items: pl.DataFrame) -> int:
        drawn = matched_checks(checks, {"attested": items, "perturbed": items}, seed=1)
        return sum(int((~drawn[role].is_in(svo[role].implode())).sum()) for role in ROLES)

    assert foreign(with_seen(pool, svo), with_seen(svo, svo)) <= 2
    assert foreign(pool, svo) > 10


def test_checks_of_one_answer_share_no_word_in_the_same_place() -> None:
    near = pl.int_range(pl.len()).over("expected") < 20
    pool = check_items(Realiser(language("it"))).with_columns(
        verb=pl.when(near).then(pl.lit("scrivere")).otherwise("verb"),
        verb_length=pl.when(near).then(8).otherwise(3),
    )
    items = pl.DataFrame({role: [f"{role}{n}" for n in range(30)] for role in ROLES}).with_columns(
        verb_length=pl.Series([8, 9] * 15)
    )
    drawn = matched_checks(pool, {"attested": items, "perturbed": items}, seed=1)
    for _, some in drawn.group_by("expected"):
        assert [some[role].n_unique() for role in ROLES] == [10, 10, 10]


def test_the_seed_decides_which_checks_are_drawn() -> None:
    def texts(seed: int) -> list[str]:
        found = built(seed=seed).items.filter(pl.col("kind") == "check")
        return found["text"].to_list()

    assert texts(1) == texts(1)
    assert texts(1) != texts(2)


def test_texts_agree_with_their_lemmas() -> None:
    row = events(built()).row(0, named=True)
    assert row["text"] == f"{row['subject']} {row['verb']}s {row['object']}"
    sentence = events(built(as_sentence=True)).row(0, named=True)["text"]
    assert sentence == f"A {row['subject']} {row['verb']}s a {row['object']}."


def test_a_perturbed_item_names_the_triple_it_came_from() -> None:
    made = events(built()).filter(pl.col("condition") == "perturbed")
    attested = {" ".join(row) for row in SVO.select(ROLES).iter_rows()}
    assert set(made["source"]) <= attested


@pytest.mark.parametrize("wrong", [{"per_cell": 0}, {"short_cells": "ignore"}])
def test_wrong_plans_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(StudyError):
        PapPlan(seed=1, **wrong)


def test_expected_cells_grow_in_proportion() -> None:
    cells = built().tables["cells"]
    expected = expected_cells(cells, rows=SVO.height, of=10 * SVO.height, per_cell=5)
    assert expected["expected"].to_list() == [10.0 * n for n in cells["available"]]
    assert (expected["low"] <= expected["expected"]).all()
    assert expected["chance_full"].is_between(0, 1).all()


def test_an_empty_cell_is_never_sure_and_has_no_number() -> None:
    cells = pl.DataFrame(
        {"condition": ["attested"], "combination": ["a-a-a"], "available": [0], "taken": [0]}
    )
    row = expected_cells(cells, rows=100, of=1000, per_cell=40).row(0, named=True)
    assert row["rows_needed"] is None
    assert row["chance_full"] < 0.01


def crowded() -> pl.DataFrame:
    """Return triples of which every third has the same verb."""
    verb = NORMS.filter(pl.col("pos") == "verb").sort("concreteness")["word"][0]
    third = pl.int_range(pl.len()) % 3 == 0
    many = SVO.with_columns(verb=pl.when(third).then(pl.lit(verb)).otherwise("verb"))
    return many.unique(ROLES, maintain_order=True)


def test_no_word_fills_more_than_its_share_and_the_ledger_says_what_was_cut() -> None:
    free = events(built(crowded(), per_word=0)).filter(pl.col("condition") == "attested")
    before = free["verb"].value_counts().sort("count", descending=True).row(0)
    result = built(crowded(), per_word=0.05)
    bound = int(0.05 * 27 * 5)
    attested = events(result).filter(pl.col("condition") == "attested")
    after = dict(attested["verb"].value_counts().iter_rows())
    cells = attested.filter(pl.col("verb") == before[0])["combination"].n_unique()
    assert before[1] > 3 * bound
    # The verb is the only one of its bin, so its cells would be empty without it.
    assert after[before[0]] <= max(bound, 5 * cells)
    others = [n for word, n in after.items() if word != before[0]]
    assert max(others) <= bound
    cut = result.ledger.filter(pl.col("rule") == "per_word")
    assert cut["reason"].str.contains("at most 6").all()
    assert not cut.is_empty()


def test_a_word_above_its_share_fills_no_more_items_than_full_cells_need() -> None:
    result = built(crowded(), per_word=0.05)
    words = result.documents["words.json"]
    assert words
    for one in words:
        assert one["items"] == one["least_possible"] == sum(one["cells_that_need_it"].values())
    assert not built(crowded(), per_word=0).documents["words.json"]


def test_what_was_set_back_and_would_fit_now_is_called_not_sampled() -> None:
    result = built(crowded(), per_word=0.05)
    cut = result.ledger.filter(pl.col("rule") == "per_word")["reason"]
    filled = cut.str.extract(r"fills (\d+) of").cast(pl.Int64)
    assert (filled >= int(0.05 * 27 * 5)).all()


def test_cells_stay_full_whatever_the_share() -> None:
    counts = events(built(per_word=0.001)).group_by("condition", "combination").len()
    assert counts.height == 2 * 27
    assert set(counts["len"]) == {5}


def test_triples_of_several_corpora_are_added_up(tmp_path: Path) -> None:
    parts = [SVO.with_columns(corpus=pl.lit(name), negated=pl.lit(0)) for name in ("news", "wiki")]
    merged = pl.concat(parts)
    merged.write_parquet(tmp_path / "svo.parquet")
    read = read_svo(tmp_path / "svo.parquet", marks=["negated"])
    assert read["count"].sum() == 2 * SVO["count"].sum()
    assert read.height == SVO.height
    assert set(read["corpus"]) == {"news, wiki"}
    assert events(built(merged)).equals(events(built(read)))
    twice = pl.concat([merged, merged.head(1)])
    with pytest.raises(TableError, match="more than one row"):
        built(twice)


def test_items_carry_frequency_length_and_count() -> None:
    made = events(built())
    for role in ROLES:
        assert made[f"{role}_zipf"].null_count() == 0
        assert made[f"{role}_length"].to_list() == made[role].str.len_chars().to_list()
    counts = dict(zip(SVO.select(ROLES).rows(), SVO["count"], strict=True))
    for row in made.iter_rows(named=True):
        triple = tuple(row[role] for role in ROLES)
        assert row["count"] == counts.get(triple, 0)


def test_matched_items_come_in_pairs_within_the_tolerance() -> None:
    result = built(match={"frequency": 0.5, "length": 1}, short_cells="take-all")
    made = events(result)
    report = result.documents["matching.json"]
    assert set(report) == {f"{role}_{name}" for role in ROLES for name in ("zipf", "length")}
    attested = made.filter(pl.col("condition") == "attested")
    other = made.filter(pl.col("condition") == "perturbed")
    pairs = attested.join(other, on="match", suffix="_other", how="full", coalesce=True)
    assert pairs.height == attested.height == other.height > 50
    for role in ROLES:
        assert ((pairs[f"{role}_zipf"] - pairs[f"{role}_zipf_other"]).abs() <= 0.5 + 1e-6).all()
    assert (pairs["combination"] == pairs["combination_other"]).all()
    assert (result.ledger["rule"] == "unmatched").any()


def test_a_column_to_match_by_that_is_not_there_is_named() -> None:
    with pytest.raises(UnknownName, match="column to match by 'frequence'"):
        built(match={"frequence": 1})
