"""Laws of SP-10K: every pair once, one relation a survey, the seed alone decides."""

from __future__ import annotations

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.datasets.sp10k import RELATIONS, word_class
from plausibly.stimuli.sp10k.surveys import surveys
from plausibly.stimuli.sp10k.vocabulary import SIZES, vocabulary

sizes = st.integers(1, 40)
seeds = st.integers(0, 2**31)


def pairs_of(counts: dict[str, int]) -> pl.DataFrame:
    rows = [(f"{relation}|{n}", relation) for relation, size in counts.items() for n in range(size)]
    return pl.DataFrame(rows, schema=["item", "relation"], orient="row")


def checks_of(relations: list[str], each: int) -> pl.DataFrame:
    rows = [(f"check|{relation}|{n}", relation) for relation in relations for n in range(each)]
    return pl.DataFrame(rows, schema={"item": pl.String, "relation": pl.String}, orient="row")


@settings(deadline=None)
@given(
    st.dictionaries(st.sampled_from(RELATIONS), sizes, min_size=1),
    st.integers(1, 12),
    st.integers(0, 3),
    seeds,
)
def test_every_pair_is_asked_once_and_surveys_keep_to_one_relation(
    counts: dict[str, int], per_survey: int, checks: int, seed: int
) -> None:
    pairs = pairs_of(counts)
    layout = surveys(
        pairs,
        checks_of(list(counts), checks),
        per_survey=per_survey,
        checks_each=checks,
        seed=seed,
    )
    asked = layout.filter(kind="item")
    assert sorted(asked["item"]) == sorted(pairs["item"])
    relations = asked.join(pairs, on="item").group_by("survey").agg(pl.col("relation").n_unique())
    assert set(relations["relation"]) == {1}
    per = layout.group_by("survey").agg(
        pl.len(), checks=(pl.col("kind") == "check").sum(), last=pl.col("position").max()
    )
    assert set(per["checks"]) == {checks}
    assert (per["len"] == per["last"]).all()
    assert per["len"].max() <= per_survey + checks  # type: ignore[operator]


@settings(deadline=None)
@given(st.integers(2, 40), seeds)
def test_the_order_of_rows_does_not_matter(size: int, seed: int) -> None:
    pairs = pairs_of({"dobj": size})
    checks = checks_of(["dobj"], 3)
    one = surveys(pairs, checks, per_survey=7, checks_each=2, seed=seed)
    other = surveys(
        pairs.sample(fraction=1, shuffle=True, seed=size),
        checks.reverse(),
        per_survey=7,
        checks_each=2,
        seed=seed,
    )
    assert one.equals(other)


words = st.lists(
    st.tuples(
        st.sampled_from(["dobj", "amod"]),
        st.sampled_from(["head", "dependent"]),
        st.text(st.sampled_from("ab1-"), min_size=1, max_size=4),
        st.integers(1, 50),
    ),
    min_size=1,
    max_size=30,
    unique_by=lambda row: row[:3],
)


@settings(deadline=None)
@given(words, st.integers(1, 5))
def test_every_word_is_once_in_the_vocabulary_or_in_the_ledger(
    rows: list[tuple[str, str, str, int]], size: int
) -> None:
    table = pl.DataFrame(rows, schema=["relation", "role", "word", "count"], orient="row")
    known = vocabulary(
        table, frequency=None, profane={"ab": "test"}, sizes=dict.fromkeys(SIZES, size)
    )
    kept = set(known.words.select("class", "word").iter_rows())
    dropped = {tuple(name.split(" ", 1)) for name in known.sieve.ledger["candidate"]}
    assert not kept & dropped
    assert len(dropped) == known.sieve.ledger.height
    considered = {(word_class(row[0], row[1]), row[2].lower()) for row in rows}
    assert {(kind, word.lower()) for kind, word in kept | dropped} == considered
    assert all(word != "ab" and word.replace("-", "").isalpha() for _, word in kept)
    for name in {kind for kind, _ in kept}:
        assert sum(kind == name for kind, _ in kept) <= size
