"""Laws of ADEPT pairs: one adjective apart, no leak between splits, nothing lost."""

from __future__ import annotations

import re

import polars as pl
from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.datasets.adept.articles import BY_SOUND
from plausibly.datasets.adept.pairs import modified
from plausibly.datasets.conceptnet import RELATIONS, SCHEMA
from plausibly.datasets.lexica.identity import identity_terms
from plausibly.datasets.lexica.language import language
from plausibly.proofreading.pairs.check import check_pairs
from plausibly.stimuli.adept.building import build_adept
from plausibly.stimuli.adept.candidates import adjectives_of, candidates
from plausibly.stimuli.adept.lexicon import lexicon
from plausibly.stimuli.adept.splits import leak_free_split, random_split
from plausibly.stimuli.built import Built

NOUNS = ("anchor", "kettle", "dog", "dogs", "water", "unicorn", "hour")
ADJECTIVES = ("small", "old", "unique", "honest", "former", "fake", "Dutch", "eager")
PREDICATES = ("light room", "bright", "made of water", "tail", "boiling water", "not nice", "of it")

assertions = st.lists(
    st.tuples(st.sampled_from(RELATIONS), st.sampled_from(NOUNS), st.sampled_from(PREDICATES)),
    min_size=1,
    max_size=12,
    unique=True,
)
counts = st.lists(
    st.tuples(st.sampled_from(NOUNS), st.sampled_from(ADJECTIVES), st.integers(10, 99)),
    max_size=20,
    unique_by=lambda row: row[:2],
)
seeds = st.integers(0, 2**31)


def built(rows: list[tuple[str, str, str]], extra: list[tuple[str, str, int]], seed: int) -> Built:
    """Return a set that always has one pair, from words that are all known."""
    table = [("CapableOf", "bell", "ring"), *rows]
    pairs = [("bell", adjective, 10) for adjective in ADJECTIVES] + extra
    told = pl.DataFrame([(*row, None, None) for row in table], schema=SCHEMA, orient="row")
    words = [("amod", "head", noun, 9) for noun in (*NOUNS, "bell", "room", "tail")]
    words += [("dobj", "head", "ring", 9), ("amod", "dependent", "bright", 9)]
    known = lexicon(
        pl.DataFrame(words, schema=["relation", "role", "word", "count"], orient="row"),
        [end for _, _, end in table],
        language=language("en"),
    )
    adjectives = adjectives_of(
        pl.DataFrame(pairs, schema=["noun", "adjective", "count"], orient="row"),
        nouns=told["start"].to_list(),
        non_subsective={"former": "privative", "fake": "privative"},
        profane={},
        lexicon=known,
        people=(identity_terms(), "apart"),
    )
    return build_adept(candidates(told, adjectives, known, profane={}), adjectives, seed=seed)


def plain(sentence: str, adjective: str) -> list[str]:
    """Return the words of a sentence without one adjective, articles made alike, small letters."""
    words = re.findall(r"[\w-]+", sentence.casefold())
    words.remove(adjective.casefold())
    return ["a" if word == "an" else word for word in words]


@settings(deadline=None, max_examples=60)
@given(assertions, counts, seeds)
def test_the_second_sentence_differs_by_adjective_article_and_capital_only(
    rows: list[tuple[str, str, str]], extra: list[tuple[str, str, int]], seed: int
) -> None:
    for pair in built(rows, extra, seed).documents["pairs.json"]:
        first = re.findall(r"[\w-]+", str(pair["sentence1"]).casefold())
        first = ["a" if word == "an" else word for word in first]
        assert plain(str(pair["sentence2"]), str(pair["modifier"])) == first
        assert str(pair["sentence2"])[0].isupper()
        assert str(pair["sentence2"]).endswith(".")


@settings(deadline=None, max_examples=60)
@given(assertions, counts, seeds)
def test_every_assertion_becomes_an_item_or_a_line_of_the_ledger(
    rows: list[tuple[str, str, str]], extra: list[tuple[str, str, int]], seed: int
) -> None:
    made = built(rows, extra, seed)
    trace = made.documents["trace.jsonl"]
    kept = {f"{one['relation']}|{one['noun']}|{one['predicate']}" for one in trace}
    gone = set(made.ledger.filter(~pl.col("candidate").str.starts_with("amod|"))["candidate"])
    assert not kept & gone
    assert kept | gone == {"CapableOf|bell|ring", *("|".join(row) for row in rows)}


@settings(deadline=None, max_examples=40)
@given(assertions, counts, seeds)
def test_the_same_seed_gives_the_same_set_in_any_order_of_rows(
    rows: list[tuple[str, str, str]], extra: list[tuple[str, str, int]], seed: int
) -> None:
    one, other = built(rows, extra, seed), built(rows[::-1], extra[::-1], seed)
    assert one.documents["pairs.json"] == other.documents["pairs.json"]
    assert one.items.equals(other.items)
    assert one.ledger.equals(other.ledger)


@settings(deadline=None, max_examples=40)
@given(assertions, counts, seeds)
def test_our_own_pairs_pass_our_own_check(
    rows: list[tuple[str, str, str]], extra: list[tuple[str, str, int]], seed: int
) -> None:
    made = built(rows, extra, seed)
    pairs = pl.DataFrame(
        [{**pair, "label": None, "split": "all"} for pair in made.documents["pairs.json"]]
    )
    report = check_pairs(pairs)
    assert report.exact == report.pairs
    wrong = {"article_before_modifier", "noun_inside_word", "modifier_already_there"}
    assert not wrong & {problem.kind for problem in report.problems}
    for one in made.documents["trace.jsonl"]:
        kinds = [adjective["class"] for adjective in one["adjectives"]]
        assert sum(kind != "subsective" for kind in kinds) <= 2
        assert len(set(one["variants"])) == 4


rows_of_pairs = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.sampled_from("stuvwxyz")), min_size=1, max_size=40
)


@settings(deadline=None)
@given(rows_of_pairs, seeds)
def test_no_noun_or_sentence_is_in_two_splits(rows: list[tuple[str, str]], seed: int) -> None:
    table = pl.DataFrame(
        [(str(n), noun, sentence) for n, (noun, sentence) in enumerate(rows)],
        schema=["item", "noun", "sentence1"],
        orient="row",
    )
    split = leak_free_split(table, seed=seed)
    assert set(split) == set(table["item"])
    for column in ("noun", "sentence1"):
        places: dict[str, set[str]] = {}
        for item, value in table.select("item", column).iter_rows():
            places.setdefault(value, set()).add(split[item])
        assert all(len(found) == 1 for found in places.values())


@given(st.integers(0, 300), seeds)
def test_a_random_split_has_the_published_shares(size: int, seed: int) -> None:
    split = random_split([str(n) for n in range(size)], seed=seed)
    assert len(split) == size
    sizes = [list(split.values()).count(name) for name in ("train", "val", "test")]
    assert all(abs(n - share * size) <= 1 for n, share in zip(sizes, (0.8, 0.1, 0.1), strict=True))


@given(st.sampled_from(NOUNS), st.sampled_from(ADJECTIVES), st.sampled_from(["A", "The", "An"]))
def test_the_article_always_sounds_right(noun: str, adjective: str, article: str) -> None:
    made = modified(f"{article} {noun} sings.", noun=noun, modifier=adjective, rule=BY_SOUND)
    if article == "The":
        assert made == f"The {adjective} {noun} sings."
    else:
        expected = BY_SOUND.article(adjective).capitalize()
        assert made == f"{expected} {adjective} {noun} sings."
