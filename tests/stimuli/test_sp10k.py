"""SP-10K: the vocabulary, the pairs and the surveys."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from plausibly.backends.duckdb import DuckdbEngine
from plausibly.backends.english import is_noun
from plausibly.datasets.sp10k import RELATIONS
from plausibly.errors import StudyError, TableError, UnknownName
from plausibly.stimuli.built import Built
from plausibly.stimuli.counts import CountStore
from plausibly.stimuli.sp10k._statements import FREQUENT
from plausibly.stimuli.sp10k.building import PairDesign, build_sp10k
from plausibly.stimuli.sp10k.judging import WordJudges
from plausibly.stimuli.sp10k.surveys import LANGUAGES, surveys, wording
from plausibly.stimuli.sp10k.vocabulary import read_frequency, vocabulary
from worlds.pair_counts import ADJECTIVES, NOUNS, VERBS, counts


def built(
    folder: Path, table: pl.DataFrame, design: PairDesign, *, frequency: pl.DataFrame | None = None
) -> Built:
    table.write_parquet(folder / "counts.parquet")
    engine = DuckdbEngine(workers=1)
    engine.register("counts", [folder / "counts.parquet"])
    made = build_sp10k(
        CountStore(engine, folder),
        design=design,
        wording=wording("en"),
        frequency=frequency,
        profane={"boat": "test"},
    )
    engine.close()
    return made


def small(**changed: object) -> PairDesign:
    return PairDesign(**{"seed": 1, "heads": 3, "per_survey": 5, **changed})  # type: ignore[arg-type]


def test_every_head_has_two_frequent_and_two_random_dependents(tmp_path: Path) -> None:
    items = built(tmp_path, counts(), small()).items.filter(kind="item")
    per_head = items.group_by("relation", "head", "source").len()
    assert set(per_head["len"]) == {2}
    assert per_head.height == 5 * 3 * 2
    assert items["item"].n_unique() == items.height


def test_frequent_dependents_are_the_most_frequent_of_the_vocabulary(tmp_path: Path) -> None:
    items = built(tmp_path, counts(), small()).items
    eaten = items.filter(relation="dobj", head="eat", source="frequent").sort("dependent")
    assert eaten["dependent"].to_list() == ["apple", "cat"]
    assert eaten["count"].to_list() == [100, 98]


def test_a_profane_word_and_one_of_odd_letters_are_in_the_ledger(tmp_path: Path) -> None:
    made = built(tmp_path, counts(("dobj", "eat", "x-1", 5000)), small())
    rules = {(candidate, rule) for candidate, rule, _ in made.ledger.iter_rows()}
    assert {("noun boat", "profane_word"), ("noun x-1", "no_word")} <= rules
    assert "boat" not in made.items["dependent"].to_list()
    assert ("dobj paint", "beyond_heads") in rules


def test_verbs_that_fit_every_relation_come_first(tmp_path: Path) -> None:
    table = counts().filter(~((pl.col("head") == "eat") & (pl.col("relation") == "nsubj_amod")))
    made = built(tmp_path, table, small())
    verbs = made.items.filter(pl.col("relation") != "amod", kind="item")
    heads = verbs.group_by("relation").agg(pl.col("head").unique().sort())
    assert {tuple(found) for found in heads["head"]} == {("buy", "paint", "see")}


def test_a_head_with_too_few_dependents_is_dropped_with_the_reason(tmp_path: Path) -> None:
    table = counts(("dobj", "zip", "cat", 9000), ("nsubj", "zip", "cat", 9000))
    made = built(tmp_path, table, small())
    gone = made.ledger.filter(candidate="dobj zip")
    seen = "1 of 2 dependents seen 5 times or more"
    assert gone.select("rule", "reason").row(0) == ("few_dependents", seen)


def test_a_vocabulary_too_small_for_the_heads_is_doubled(tmp_path: Path) -> None:
    tight = {"verb": 2, "noun": 2, "adjective": 2}
    made = built(tmp_path, counts(), small(sizes=tight))
    assert made.items.filter(kind="item").height == 5 * 3 * 4
    assert made.funnel[0] == {"step": "vocabulary doubled", "rows": 1, "of": "times"}
    assert built(tmp_path, counts(), small()).funnel[0]["rows"] == 0


def test_too_few_words_to_draw_from_stop(tmp_path: Path) -> None:
    few = counts().filter(pl.col("dependent").is_in(["apple", "cat", "door", "big", "calm", "dry"]))
    with pytest.raises(StudyError, match="random pairs"):
        built(tmp_path, few, small(relations=("dobj",)))


def test_too_few_heads_stop_or_give_way(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="amod 5, nsubj_amod 4"):
        built(tmp_path, counts(), small(heads=9))
    made = built(tmp_path, counts(), small(heads=9, short="take-all"))
    assert made.items.filter(kind="item", relation="dobj").height == 4 * 4


def test_counts_without_the_relations_are_refused(tmp_path: Path) -> None:
    other = counts().with_columns(relation=pl.lit("iobj"))
    with pytest.raises(StudyError, match="hold no heads"):
        built(tmp_path, other, small(short="take-all"))


def test_a_frequency_list_chooses_the_words_and_their_class(tmp_path: Path) -> None:
    listed = [*((v, "v") for v in VERBS), *((n, "n") for n in NOUNS[:5])]
    listed += [*((a, "j") for a in ADJECTIVES[:4]), ("fan", "v"), ("fresh", "n")]
    path = tmp_path / "list.tsv"
    lines = [f"{rank}\t{word}\t{pos}" for rank, (word, pos) in enumerate(listed)]
    path.write_text("rank\tlemma\tPoS\n" + "\n".join(lines) + "\n")
    made = built(tmp_path, counts(), small(), frequency=read_frequency(path))
    used = set(made.items.filter(kind="item")["dependent"])
    assert used <= {*NOUNS[:5], *ADJECTIVES[:4]} - {"boat"}


def test_a_list_without_classes_serves_every_class_and_needs_words(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("word,zipf\nsee,3\nApple,6\n")
    listed = read_frequency(path)
    assert listed.rows() == [("apple", "any", 0), ("see", "any", 1)]
    words = pl.DataFrame(
        {"relation": ["dobj"] * 2, "role": ["dependent", "head"], "word": ["apple", "see"]}
    ).with_columns(count=pl.lit(1))
    sizes = {"noun": 5, "verb": 5}
    known = vocabulary(words, frequency=listed, profane={}, sizes=sizes)
    assert sorted(known.words["word"]) == ["apple", "see"]
    path.write_text("token,zipf\nsee,3\n")
    with pytest.raises(TableError, match="needs a column 'word'"):
        read_frequency(path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("word,count\nsee,3\napple,many\n", "list.csv:3: its frequency or rank is not a number"),
        ("word,count\nsee,\n", "list.csv:2: its frequency"),
        ("word,pos,count\n", "no verb, noun or adjective in it"),
        ("word,pos,count\nof,prep,9\n", "no verb, noun or adjective in it"),
    ],
)
def test_a_broken_frequency_list_is_blamed(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "list.csv"
    path.write_text(text)
    with pytest.raises(TableError, match=message):
        read_frequency(path)


@pytest.mark.parametrize(
    ("relation", "head", "dependent", "asked"),
    [
        ("dobj", "accept", "invitation", "Can one 'accept' an 'invitation'?"),
        ("dobj", "show", "expertise", "Can one 'show' 'expertise'?"),
        ("dobj", "use", "contents", "Can one 'use' 'contents'?"),
        ("dobj", "pay", "overgrazing", "Can one 'pay' 'overgrazing'?"),
        ("dobj", "win", "distress", "Can one 'win' 'distress'?"),
        ("nsubj", "come", "management", "Can 'management' 'come'?"),
        ("dobj", "consider", "accounting", "Can one 'consider' 'accounting'?"),
        ("dobj", "cause", "damage", "Can one 'cause' 'damage'?"),
        ("dobj", "hold", "meeting", "Can one 'hold' a 'meeting'?"),
        ("dobj", "feed", "duckling", "Can one 'feed' a 'duckling'?"),
        ("nsubj", "predict", "remains", "Can 'remains' 'predict'?"),
        ("amod", "identity", "chinese", "Can an 'identity' be 'Chinese'?"),
        ("nsubj", "run", "dog", "Can a 'dog' 'run'?"),
    ],
)
def test_questions_have_the_article_a_noun_wants(
    relation: str, head: str, dependent: str, asked: str
) -> None:
    assert wording("en").question(relation, head, dependent).startswith(asked)


def test_nobody_is_asked_about_words_of_grammar(tmp_path: Path) -> None:
    found = counts(("dobj", "eat", "one", 99), ("nsubj", "be", "dog", 99))
    made = built(tmp_path, found, small())
    assert "one" not in set(made.items["dependent"])
    assert "be" not in set(made.items["head"])
    dropped = made.ledger.filter(pl.col("candidate").is_in(["noun one", "verb be"]))
    assert dropped["rule"].to_list() == ["grammar", "grammar"]


def test_unknown_relations_and_languages_are_named() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'dobj'"):
        PairDesign(seed=1, relations=("doobj",))
    with pytest.raises(UnknownName, match="Known: en, it"):
        wording("fr")


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_relation_has_a_question_and_three_checks(lang: str) -> None:
    words = wording(lang)
    for relation in RELATIONS:
        asked = words.question(relation, "HEAD", "DEPENDENT")
        assert "HEAD" in asked
        assert "DEPENDENT" in asked
        checks = [check for check in words.checks if check["relation"] == relation]
        assert len(checks) == 3
        assert {check["expected"] for check in checks} == {"1", "5"}
        assert {check["expected"] for check in checks} <= set(words.answers)


def test_ten_thousand_pairs_make_a_hundred_surveys_of_103() -> None:
    pairs = pl.DataFrame(
        {"item": [f"{r}{n}" for r in RELATIONS for n in range(2000)]}
    ).with_columns(relation=pl.col("item").str.extract(r"^(\D+)"))
    checks = pl.DataFrame({"item": [f"c{r}{n}" for r in RELATIONS for n in range(3)]})
    checks = checks.with_columns(relation=pl.col("item").str.extract(r"^c(\D+)"))
    layout = surveys(pairs, checks, per_survey=100, checks_each=3, seed=1)
    sizes = layout.group_by("survey").agg(pl.len(), checks=(pl.col("kind") == "check").sum())
    assert (sizes.height, set(sizes["len"]), set(sizes["checks"])) == (100, {103}, {3})
    with pytest.raises(StudyError, match="has 3 check items, but a survey needs 4"):
        surveys(pairs, checks, per_survey=100, checks_each=4, seed=1)


def test_a_frequent_pair_was_seen_often_enough(tmp_path: Path) -> None:
    rare = [("dobj", "zip", noun, 4) for noun in NOUNS] + [("dobj", "zap", n, 5) for n in NOUNS]
    made = built(tmp_path, counts(*rare), small(heads=5, short="take-all", relations=("dobj",)))
    heads = set(made.items.filter(source="frequent")["head"])
    assert "zap" in heads
    assert "zip" not in heads
    assert made.items.filter(source="frequent")["count"].min() == 5


def test_ties_go_by_the_seed_and_not_by_the_alphabet(tmp_path: Path) -> None:
    flat = counts().with_columns(count=pl.lit(20))
    chosen = [
        set(built(tmp_path, flat, small(seed=seed)).items.filter(source="frequent")["dependent"])
        for seed in (1, 2, 3)
    ]
    assert len({tuple(sorted(one)) for one in chosen}) > 1 or len(chosen[0]) > 4


def test_adjectives_that_are_names_or_nouns_are_left_out() -> None:
    rows = [("amod", "dependent", word, 9) for word in ("big", "Tesla", "election", "american")]
    words = pl.DataFrame(rows, schema=["relation", "role", "word", "count"], orient="row")
    known = vocabulary(
        words,
        frequency=None,
        profane={},
        sizes={"verb": 9, "noun": 9, "adjective": 9},
        judges=WordJudges(is_adjective=lambda word: word == "big"),
    )
    assert set(known.words["word"]) == {"big", "american"}
    assert dict(known.sieve.ledger.select("candidate", "rule").iter_rows()) == {
        "adjective Tesla": "name",
        "adjective election": "no_adjective",
    }


def test_rare_nouns_that_are_other_words_in_the_dictionary_are_left_out() -> None:
    seen = {"boat": 2, "distraught": 2, "announce": 2, "cooling": 2, "podcast": 2, "proper": 20}
    rows = [("dobj", "dependent", word, count) for word, count in seen.items()]
    words = pl.DataFrame(rows, schema=["relation", "role", "word", "count"], orient="row")
    known = vocabulary(
        words,
        frequency=None,
        profane={},
        sizes={"verb": 9, "noun": 9, "adjective": 9},
        judges=WordJudges(is_noun=is_noun),
    )
    assert set(known.words["word"]) == {"boat", "cooling", "podcast", "proper"}
    assert set(known.sieve.ledger["rule"]) == {"no_noun"}


def test_memory_does_not_hold_every_head_with_every_dependent(tmp_path: Path) -> None:
    draw, many = np.random.default_rng(1), 1500
    pairs = {
        (relation, *(f"{role}{int(3 * many * draw.random() ** 3)}" for role in ("head", "word")))
        for relation in RELATIONS
        for _ in range(8 * many)
    }
    table = pl.DataFrame(sorted(pairs), schema=["relation", "head", "dependent"], orient="row")
    table.with_columns(count=pl.lit(7)).write_parquet(tmp_path / "counts.parquet")
    engine = DuckdbEngine(workers=1, memory="150MB")
    engine.register("counts", [tmp_path / "counts.parquet"])
    store = CountStore(engine, tmp_path)
    for name, role in (("heads", "head"), ("dependents", "word")):
        words = [(relation, f"{role}{n}") for relation in RELATIONS for n in range(many)]
        store.give(name, pl.DataFrame(words, schema=["relation", "word"], orient="row"))
    kept = store.ask(FREQUENT, {"head": pl.String()}, at_most=2, min_frequent=5, seed=1)
    engine.close()
    assert kept.height > many
