"""ADEPT pairs: how a new set is built."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from plausibly.backends.duckdb import DuckdbEngine
from plausibly.datasets.adept.articles import article_by_sound
from plausibly.datasets.adept.nonsubsective import shipped_nonsubsective
from plausibly.datasets.conceptnet import SCHEMA
from plausibly.datasets.lexica.identity import identity_terms
from plausibly.datasets.lexica.language import language
from plausibly.errors import StudyError
from plausibly.proofreading.pairs.check import check_pairs
from plausibly.stimuli.adept._nouns import NounRefusal
from plausibly.stimuli.adept._phrases import sentence
from plausibly.stimuli.adept._surface import declarative
from plausibly.stimuli.adept.building import build_adept
from plausibly.stimuli.adept.candidates import AMOD, PAIR_COUNTS, adjectives_of, candidates
from plausibly.stimuli.adept.lexicon import Lexicon, lexicon
from plausibly.stimuli.built import Built
from plausibly.stimuli.counts import open_counts


@pytest.mark.parametrize(
    ("word", "article"),
    [
        *(("unique", "a"), ("used", "a"), ("European", "a"), ("one-time", "a")),
        *(("hourly", "an"), ("honest", "an"), ("unusual", "an"), ("unimportant", "an")),
        *(("8th", "an"), ("18th", "an"), ("11", "an"), ("180", "a"), ("1", "a"), ("80", "an")),
        *(("x", "an"), ("u", "a"), ("small", "a"), ("old", "an")),
    ],
)
def test_the_article_goes_by_sound(word: str, article: str) -> None:
    assert article_by_sound(word) == article


NOUNS = ("candle", "kettle", "dog", "water")


ADJECTIVES = ("small", "old", "green", "unique", "former", "fake", "dead")


def amod(**counts: int) -> pl.DataFrame:
    """Return every noun with every adjective ten times, and what else is given."""
    rows = [(noun, adjective, 10) for noun in NOUNS for adjective in ADJECTIVES]
    rows += [("spoon", adjective, count) for adjective, count in counts.items()]
    return pl.DataFrame(rows, schema=["noun", "adjective", "count"], orient="row")


def known_words() -> Lexicon:
    words = [
        *(("dobj", "head", verb, 5) for verb in ("light", "boil", "have", "chase")),
        *(("amod", "head", noun, 50) for noun in (*NOUNS, "shed", "tail", "whisker", "building")),
        *(("amod", "dependent", one, 50) for one in (*ADJECTIVES, "bright")),
    ]
    table = pl.DataFrame(words, schema=["relation", "role", "word", "count"], orient="row")
    return lexicon(table, ["light shed", "sheds", "buildings"], language=language("en"))


def asserted(*rows: tuple[str, str, str], surface: str | None = None) -> pl.DataFrame:
    told = [(*row, surface, "/d/conceptnet/4/en" if surface else None) for row in rows]
    return pl.DataFrame(told, schema=SCHEMA, orient="row")


def made(assertions: pl.DataFrame, *, seed: int = 1, pairs: pl.DataFrame | None = None) -> Built:
    known = known_words()
    adjectives = adjectives_of(
        amod() if pairs is None else pairs,
        nouns=assertions["start"].to_list(),
        non_subsective={"former": "privative", "fake": "privative", "dead": "unlisted"},
        profane={"idiot": "insult"},
        lexicon=known,
        people=(identity_terms(), "apart"),
    )
    return build_adept(
        candidates(assertions, adjectives, known, profane={"idiot": "insult"}),
        adjectives,
        seed=seed,
    )


@pytest.mark.parametrize(
    ("relation", "noun", "predicate", "expected"),
    [
        ("CapableOf", "candle", "light shed", "A candle lights a shed."),
        ("CapableOf", "dogs", "chase dog", "Dogs chase a dog."),
        ("CapableOf", "candle", "have tail bright", "A candle has a tail bright."),
        ("CapableOf", "dogs", "chase gloobing", "Dogs chase gloobing."),
        ("CapableOf", "dogs", "chase building", "Dogs chase a building."),
        ("HasProperty", "candle", "bright", "A candle is bright."),
        ("ReceivesAction", "candle", "made of water", "A candle is made of water."),
        ("HasA", "dog", "tail", "A dog has a tail."),
        ("HasA", "water", "whiskers", "Water has whiskers."),
        ("HasA", "dog", "museum", "A dog has a museum."),
        ("HasA", "dog", "expertise", "A dog has expertise."),
        ("UsedFor", "candle", "lighting shed", "A candle is used for lighting a shed."),
        ("UsedFor", "kettle", "boil water", "A kettle is used to boil water."),
        ("UsedFor", "kettle", "water", "A kettle is used for water."),
    ],
)
def test_bare_predicates_become_sentences(
    relation: str, noun: str, predicate: str, expected: str
) -> None:
    assert sentence(relation, noun, predicate, known_words()) == expected


@pytest.mark.parametrize(
    ("relation", "predicate", "rule"),
    [
        ("CapableOf", "running", "no_verb"),
        ("CapableOf", "the shed", "no_verb"),
        ("HasProperty", "whiskers", "no_property"),
        ("ReceivesAction", "shed", "no_participle"),
        ("HasA", "made shed", "no_thing"),
    ],
)
def test_predicates_of_another_kind_are_refused(relation: str, predicate: str, rule: str) -> None:
    told = sentence(relation, "candle", predicate, known_words())
    assert isinstance(told, NounRefusal)
    assert told.rule == rule


@pytest.mark.parametrize(
    ("surface", "noun", "expected"),
    [
        ("[[A candle]] can [[light a shed]]", "candle", "A candle lights a shed."),
        ("[[Dogs]] can [[chase cats]]", "dogs", "Dogs chase cats."),
        ("[[A dog]] can often [[carry sticks]].", "dog", "A dog often carries sticks."),
        ("[[a dog]] may be [[brown]]", "dog", "A dog is brown."),
        (
            "*You can use [[a kettle]] to [[boil syrup]]",
            "kettle",
            "You use a kettle to boil syrup.",
        ),
        ("[[a kettle]] is for [[boiling water]]", "kettle", "A kettle is for boiling water."),
        ("Something [[A dog]] does is [[bark]]", "dog", "Something a dog does is bark."),
    ],
)
def test_surface_text_becomes_declarative(surface: str, noun: str, expected: str) -> None:
    assert declarative(surface, noun, known_words()) == expected


@pytest.mark.parametrize(
    ("surface", "rule"),
    [
        ("[[A candle]] cannot [[speak]]", "negated"),
        ("Can [[a candle]] [[burn]]?", "no_statement"),
        ("[[A torch]] can [[light a shed]]", "no_noun"),
        ("[[A candle]] can burn and may [[melt]]", "modal_left"),
    ],
)
def test_surface_text_that_is_no_plain_statement_is_refused(surface: str, rule: str) -> None:
    told = declarative(surface, "candle", known_words())
    assert isinstance(told, NounRefusal)
    assert told.rule == rule


def test_a_pair_has_the_form_of_the_release_and_follows_the_rule() -> None:
    built = made(asserted(("CapableOf", "candle", "light shed")))
    [one] = built.documents["pairs.json"]
    assert set(one) == {"sentence1", "sentence2", "modifier", "noun", "idx"}
    assert one["sentence1"] == "A candle lights a shed."
    report = check_pairs(pl.DataFrame([{**one, "label": None, "split": "all"}]))
    assert report.exact == 1
    assert not report.problems


def test_the_trace_shows_adjectives_with_counts_and_four_variants() -> None:
    text = "[[A candle]] can [[light a shed]]"
    [trace] = made(asserted(("CapableOf", "candle", "light shed"), surface=text)).documents[
        "trace.jsonl"
    ]
    assert trace["surface"] == text
    assert trace["predicate"] == "light shed"
    assert len(trace["variants"]) == len(trace["adjectives"]) == 4
    kinds = [one["class"] for one in trace["adjectives"]]
    assert sum(kind != "subsective" for kind in kinds) == 2
    assert all(one["count"] == 10 for one in trace["adjectives"])
    assert trace["variants"][trace["annotated"]] != trace["original"]


@pytest.mark.parametrize(
    ("row", "rule"),
    [
        (("CapableOf", "table lamp", "light shed"), "not_one_word"),
        (("CapableOf", "spoon", "light shed"), "few_adjectives"),
        (("CapableOf", "candle", "light idiots"), "profane_word"),
        (("CapableOf", "candle", "not light"), "no_plain_statement"),
        (("CapableOf", "candle", "light shed of"), "dangling"),
        (("CapableOf", "candle", "light candle"), "noun_repeated"),
        (("CapableOf", "candle", "light 2 sheds"), "odd_letters"),
        (("CapableOf", "candle", "light a b c d e f g h"), "too_long"),
        (("UsedFor", "candle", "for shed"), "dangling"),
    ],
)
def test_every_dropped_assertion_is_in_the_ledger(row: tuple[str, str, str], rule: str) -> None:
    built = made(asserted(row, ("CapableOf", "kettle", "boil water")), pairs=amod(small=10, old=10))
    gone = built.ledger.filter(candidate="|".join(row))
    assert gone["rule"].to_list() == [rule]


def test_a_noun_keeps_three_predicates_and_the_rest_is_in_the_ledger() -> None:
    rows = [("UsedFor", "kettle", one) for one in ("water", "shed", "tail", "dog", "dogs")]
    built = made(asserted(*rows))
    assert len(built.documents["pairs.json"]) == 3
    assert built.ledger.filter(rule="beyond_three").height == 2


def test_adjectives_that_describe_nothing_are_dropped_with_the_reason() -> None:
    extra = pl.DataFrame({"noun": "candle", "adjective": ["such", "x9"], "count": [99, 99]})
    built = made(asserted(("CapableOf", "candle", "light shed")), pairs=amod().vstack(extra))
    rules = dict(built.ledger.select("candidate", "rule").iter_rows())
    assert rules == {"amod|candle|such": "no_adjective", "amod|candle|x9": "no_word"}


def test_an_ordinal_describes_a_noun_as_in_table_2_of_the_paper() -> None:
    adjectives = adjectives_of(
        pl.DataFrame({"noun": "candle", "adjective": ["third", "first"], "count": 10}),
        nouns=["candle"],
        non_subsective={},
        profane={},
        lexicon=replace(known_words(), is_adjective=str.isdigit),
        people=(identity_terms(), "apart"),
    )
    assert dict(adjectives.of["candle"]) == {"third": 10}


def test_superlatives_are_not_built_with_an_article() -> None:
    words = ("southernmost", "topmost", "utmost", "eldest")
    extra = pl.DataFrame({"noun": "candle", "adjective": words, "count": [99] * 4})
    built = made(asserted(("CapableOf", "candle", "light shed")), pairs=amod().vstack(extra))
    reasons = {
        candidate.rpartition("|")[2]: reason
        for candidate, reason in built.ledger.select("candidate", "reason").iter_rows()
    }
    assert reasons == dict.fromkeys(words, "a superlative, which needs 'the'")


def test_a_dictionary_has_the_last_word_on_adjectives() -> None:
    adjectives = adjectives_of(
        pl.DataFrame({"noun": "candle", "adjective": ["old", "cable", "dutch"], "count": 10}),
        nouns=["candle"],
        non_subsective={},
        profane={},
        lexicon=replace(known_words(), is_adjective=lambda word: word == "old"),
        people=(identity_terms(), "apart"),
    )
    assert dict(adjectives.of["candle"]) == {"old": 10}
    assert adjectives.sieve.ledger.select("candidate", "rule").rows() == [
        ("amod|candle|dutch", "capitalised"),
        ("amod|candle|cable", "no_adjective"),
    ]


def people_of(mode: str, *extra: str) -> Built:
    """Return pairs about kings and candles, with adjectives that group people among others."""
    words = [*extra, "small", "old", "new", "odd", "muslim", "black", "former"]
    pairs = pl.DataFrame(
        [(noun, word, 10) for noun in ("king", "candle") for word in words],
        schema=["noun", "adjective", "count"],
        orient="row",
    )
    rows = asserted(("CapableOf", "candle", "light shed"), ("CapableOf", "king", "light shed"))
    known = known_words()
    adjectives = adjectives_of(
        pairs,
        nouns=["candle", "king"],
        non_subsective={"former": "privative"},
        profane={},
        lexicon=known,
        people=(identity_terms(), mode),
    )
    return build_adept(candidates(rows, adjectives, known, profane={}), adjectives, seed=1)


def test_pairs_that_group_people_are_set_apart_and_a_colour_stays_a_colour() -> None:
    built = people_of("apart")
    rules = dict(built.ledger.select("candidate", "rule").iter_rows())
    assert rules["amod|king|muslim"] == rules["amod|king|black"] == "identity"
    assert rules["amod|candle|muslim"] == "capitalised"
    assert "amod|candle|black" not in rules
    assert set(built.items.filter(kind="item")["stratum"]) == {"plain"}


def test_pairs_that_group_people_are_built_on_request_alone() -> None:
    built = people_of("only")
    items = built.items.filter(kind="item")
    assert items["noun"].to_list() == ["king"]
    assert items["stratum"].to_list() == ["identity"]
    assert items["modifier"][0] in ("Muslim", "black")
    few = built.ledger.filter(candidate="CapableOf|candle|light shed")
    assert few["reason"].to_list() == ["none of its adjectives groups people"]
    strata = people_of("with").items.filter(kind="item")["stratum"]
    assert set(strata) <= {"plain", "identity"}


def test_names_among_modifiers_are_refused_by_their_capital() -> None:
    rules = dict(people_of("apart", "Tesla").ledger.select("candidate", "rule").iter_rows())
    assert rules["amod|candle|Tesla"] == "capitalised"


@pytest.mark.parametrize(("ratio", "special"), [(4.0, 2), (1.0, 5), (0.0, None)])
def test_non_subsective_pairs_are_as_many_as_asked(ratio: float, special: int | None) -> None:
    nouns = [f"{one}{two}g" for one in "bdfgkl" for two in "ae"][:10]
    words = ("small", "old", "new", "former")
    pairs = [(noun, word, 10) for noun in nouns for word in words]
    known = known_words()
    adjectives = adjectives_of(
        pl.DataFrame(pairs, schema=["noun", "adjective", "count"], orient="row"),
        nouns=nouns,
        non_subsective={"former": "privative"},
        profane={},
        lexicon=known,
        people=(identity_terms(), "apart"),
    )
    rows = asserted(*(("CapableOf", noun, "light shed") for noun in nouns))
    items = build_adept(
        candidates(rows, adjectives, known, profane={}), adjectives, ratio=ratio, seed=1
    ).items
    found = items.filter(kind="item", condition="non-subsective").height
    assert found == special if special is not None else 0 <= found <= 10


def test_a_word_of_the_dictionary_is_valid_though_no_count_has_it() -> None:
    counted = replace(known_words(), uses={"verb": {f"v{n}": 1 for n in range(5000)}, "noun": {}})
    assert counted.judges
    assert not counted.knows("happily")
    assert replace(counted, is_word=lambda word: word == "happily").knows("happily")


def test_the_list_of_nayak_comes_with_the_package(tmp_path: Path) -> None:
    shipped = shipped_nonsubsective()
    assert sum(kind == "privative" for kind in shipped.values()) == 24
    assert sum(kind == "plain" for kind in shipped.values()) == 36
    assert shipped["dead"] == "unlisted"


def test_a_pair_must_be_frequent_enough_in_one_corpus(tmp_path: Path) -> None:
    rows = [("amod", "bell", "old", 6, "a"), ("amod", "bell", "old", 6, "b")]
    rows += [("amod", "bell", "new", 10, "a"), ("amod", "bell", "new", 1, "b")]
    columns = ["relation", "head", "dependent", "count", "corpus"]
    pl.DataFrame(rows, schema=columns, orient="row").write_parquet(tmp_path / "counts.parquet")
    engine = DuckdbEngine(workers=1)
    store = open_counts(tmp_path / "counts.parquet", engine, tmp_path)
    found = store.ask(AMOD, PAIR_COUNTS, min_count=10)
    engine.close()
    assert found.rows() == [("bell", "new", 10)]


def test_singular_and_plural_of_a_noun_stay_in_one_split() -> None:
    rows = [("UsedFor", noun, "shed") for noun in ("dog", "dogs", "candle", "candles", "kettle")]
    items = made(asserted(*rows)).items.filter(kind="item")
    splits = items.group_by("lemma").agg(pl.len(), pl.col("split").n_unique())
    assert dict(splits.select("lemma", "split").iter_rows()) == dict.fromkeys(
        ("dog", "candle", "kettle"), 1
    )
    assert items.height == 5


def test_check_items_carry_what_is_expected() -> None:
    items = made(asserted(("CapableOf", "candle", "light shed"))).items
    checks = items.filter(pl.col("kind") != "item")
    assert set(checks["kind"]) == {"gold", "attention"}
    assert set(checks["expected"]) == {"0", "1", "2", "3", "4"}
    assert items.filter(kind="item")["expected"].null_count() == 1


def test_nothing_to_build_from_is_an_error() -> None:
    with pytest.raises(StudyError, match="no assertion became a pair; 1 not_one_word"):
        made(asserted(("CapableOf", "table lamp", "light shed")))


def test_plurals_and_masses_are_told_without_a_dictionary() -> None:
    words = known_words()
    assert words.is_plural("dogs")
    assert not words.is_plural("dog")
    assert words.is_mass("water")
    assert words.is_mass("kindness")
    assert not words.is_mass("candle")
