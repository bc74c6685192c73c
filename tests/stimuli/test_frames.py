"""Builders refuse words that nobody knows, units that act, and verbs outside their frame."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from plausibly.stimuli.frames import FEWEST_SUBJECTS, without_object
from plausibly.stimuli.pap.building import build_pap
from plausibly.stimuli.pap.cells import PapPlan
from plausibly.verbs.build.pap import _without_object
from plausibly.verbs.build.sp10k import build_sp10k
from worlds.pair_counts import counts
from worlds.svo import invented_norms, invented_svo, lexica_of

JUNK = ("moc", "dpmus", "isssue", "hp")


def written(folder: Path, *extra: tuple[str, str, str, int]) -> Path:
    file = folder / "counts.parquet"
    counts(*extra).write_parquet(file)
    return file


def test_words_that_nothing_supports_are_dropped_with_a_warning(tmp_path: Path) -> None:
    rows = [("dobj", "eat", word, 9) for word in JUNK]
    built = build_sp10k(counts=written(tmp_path, *rows), heads=2, seed=1)
    dropped = built.ledger.filter(rule="unsupported")["candidate"].to_list()
    assert sorted(dropped) == [f"noun {word}" for word in sorted(JUNK)]
    assert not set(JUNK) & set(built.items["dependent"])
    assert any("4 words were dropped as unsupported" in note for note in built.notes)


def test_a_word_that_the_corpus_supports_stays_and_is_reported(tmp_path: Path) -> None:
    places = [("dobj", "eat"), ("nsubj", "eat"), ("amod", "big")]
    rows = [(relation, head, "fmg", 60) for relation, head in places[:2]]
    rows += [("amod", "fmg", "big", 60), ("nsubj_amod", "eat", "big", 1)][:1]
    built = build_sp10k(counts=written(tmp_path, *rows), heads=2, seed=1)
    assert built.ledger.filter(rule="unsupported").is_empty()
    drawn = built.items.filter(source="random")["dependent"]
    assert ("fmg" in set(drawn)) == any("no dictionary" in note for note in built.notes)


def test_words_in_the_list_of_the_user_are_not_looked_up(tmp_path: Path) -> None:
    file, listed = written(tmp_path, ("dobj", "eat", "dpmus", 9)), tmp_path / "list.csv"
    words = {*counts()["head"], *counts()["dependent"], "dpmus"}
    pl.DataFrame({"word": sorted(words)}).write_csv(listed)
    built = build_sp10k(counts=file, frequency=listed, heads=2, seed=1)
    assert built.ledger.filter(rule="unsupported").is_empty()


def test_units_and_times_do_not_act_but_can_be_objects(tmp_path: Path) -> None:
    rows = [(relation, "eat", "hour", 500) for relation in ("nsubj", "dobj")]
    built = build_sp10k(counts=written(tmp_path, *rows), heads=2, seed=1)
    pairs = built.items.filter(dependent="hour", source="frequent")
    assert pairs["relation"].to_list() == ["dobj"]
    assert built.ledger.filter(rule="unit_or_time")["candidate"].to_list() == [
        "nsubj dependent hour"
    ]


def test_a_verb_that_hardly_has_objects_is_no_head_of_one(tmp_path: Path) -> None:
    rows = [("nsubj", "collide", noun, 400) for noun in ("boat", "cat")]
    rows += [("dobj", "collide", noun, 30) for noun in ("door", "egg")]
    file = written(tmp_path, *rows)
    built = build_sp10k(counts=file, heads=9, short_heads="take-all", seed=1)
    relations = set(built.items.filter(head="collide")["relation"])
    assert "nsubj" in relations
    assert not relations & {"dobj", "dobj_amod"}
    assert "dobj collide" in built.ledger.filter(rule="outside_frame")["candidate"]


def test_an_extent_is_no_object_by_which_a_verb_has_objects(tmp_path: Path) -> None:
    rows = [("nsubj", "fall", noun, 400) for noun in ("boat", "cat")]
    rows += [("dobj", "fall", noun, 40) for noun in ("door", "dollar", "hour")]
    built = build_sp10k(counts=written(tmp_path, *rows), heads=9, short_heads="take-all", seed=1)
    assert "dobj fall" in built.ledger.filter(rule="outside_frame")["candidate"]


COUNT = st.integers(0, 400)


@given(COUNT, COUNT, st.integers(0, 50))
def test_more_objects_never_take_a_verb_out_of_its_frame(
    subjects: int, objects: int, more: int
) -> None:
    def judged(seen: int) -> bool:
        rows = [("nsubj", "Go", subjects), ("dobj", "go", seen)]
        heads = pl.DataFrame(rows, schema=["relation", "word", "count"], orient="row")
        return "go" in without_object(heads)

    assert judged(objects) or not judged(objects + more)
    assert subjects >= FEWEST_SUBJECTS or not judged(objects)


def test_pap_takes_no_unit_as_subject_and_no_verb_without_objects() -> None:
    norms = invented_norms(nouns=120, verbs=60)
    svo = invented_svo(norms, rows=4000)
    unit, verb = svo["subject"][0], svo["verb"][1]
    lexica = replace(lexica_of(norms), measures=frozenset({unit}), bare=frozenset({verb}))
    built = build_pap(svo, lexica, plan=PapPlan(seed=1, per_cell=1, short_cells="take-all"))
    events = built.items.filter(pl.col("kind") == "item")
    assert unit not in set(events["subject"])
    assert verb not in set(events["verb"])
    rules = set(built.ledger["rule"])
    assert {"unit_or_time", "outside_frame"} <= rules


def test_pap_takes_no_rare_word_of_another_class() -> None:
    norms = invented_norms(nouns=121, verbs=61)
    known = norms.filter(pl.int_range(pl.len()).over("pos") < pl.len().over("pos") - 1)
    svo = invented_svo(known, rows=4000)
    subject, verb, obj, _ = svo.row(0)
    noun, acts = norms.join(known, on="word", how="anti").sort("pos")["word"]
    rare = pl.DataFrame([(noun, verb, obj, 1), (subject, acts, obj, 1)], svo.schema, orient="row")
    judges = {"noun": lambda word: word not in (noun, subject), "verb": lambda word: word != acts}
    lexica = replace(lexica_of(norms), is_of=judges)
    plan = PapPlan(seed=1, per_cell=1, short_cells="take-all")
    ledger = build_pap(pl.concat([svo, rare]), lexica, plan=plan).ledger
    assert ledger.filter(rule="no_noun")["candidate"].to_list() == [f"{noun} {verb} {obj}"]
    assert ledger.filter(rule="no_verb")["candidate"].to_list() == [f"{subject} {acts} {obj}"]


def test_pap_reads_frames_from_the_counts_next_to_its_triples(tmp_path: Path) -> None:
    rows = [("nsubj", "collide", "boat", 90), ("dobj", "collide", "egg", 2)]
    rows += [("nsubj", "fall", "price", 90), ("dobj", "fall", "cent", 20)]
    written(tmp_path, *rows)
    measures = frozenset({"cent"})
    assert _without_object(tmp_path / "svo.parquet", measures) == {"collide", "fall"}
    assert _without_object(tmp_path, frozenset()) == {"collide"}
    assert _without_object(tmp_path / "elsewhere" / "svo.parquet", measures) == frozenset()
