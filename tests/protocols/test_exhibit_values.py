"""The numbers of a paper's figures and tables, from small studies whose answers are known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from plausibly.datasets.adept import CLASSES
from plausibly.protocols.adept.exhibits import exhibits as adept
from plausibly.protocols.gita.exhibits import exhibits as gita
from plausibly.protocols.iks.exhibits import exhibits as iks
from plausibly.protocols.pap.exhibits import exhibits as pap
from plausibly.protocols.sp10k.exhibits import exhibits as sp10k
from plausibly.study.protocol import Finished
from plausibly.tables import ITEMS, LABELS, RATINGS

Row = Mapping[str, Any]


def finished(
    folder: Path, items: Sequence[Row], answers: Mapping[str, str | Sequence[str]], **more: Any
) -> Finished:
    """Return a study: its items, the answers of each in the order of people, and its labels."""
    question = more.get("question", "q")
    labels = more.get("labels", {})
    rows = [
        {"item": item, "annotator": f"p{n}", "question": question, "answer": answer}
        for item, given in answers.items()
        for n, answer in enumerate(given)
    ]
    value = pl.col("answer").cast(pl.Float64, strict=False)
    ratings = pl.DataFrame(rows).with_columns(value=value)
    if "seconds" in more:
        seconds = pl.col("item").replace_strict(more["seconds"], return_dtype=pl.Float64)
        ratings = ratings.with_columns(seconds=seconds)
    decided = [
        {"item": item, "question": question, "method": "m", "label": label, "support": support}
        for item, (label, support) in labels.items()
    ]
    schema = {"label": pl.String, "support": pl.Float64}
    table = pl.DataFrame(decided, schema_overrides=schema) if decided else LABELS.empty()
    return Finished(
        folder=folder,
        items=ITEMS.check(pl.DataFrame(items, infer_schema_length=None)),
        ratings=RATINGS.check(ratings),
        labels=LABELS.check(table.with_columns(ratings=pl.lit(3, pl.Int64)) if decided else table),
        seed=1,
    )


def table_of(drawn: Any, name: str) -> pl.DataFrame:
    """Return the first table of an exhibit."""
    (exhibit,) = [one for one in drawn if one.name == name]
    assert not exhibit.reason, exhibit.reason
    table: pl.DataFrame = exhibit.figures[0].table
    return table


PAIRS = {
    "dead-cat": ("impossible", 1.0, ["impossible"] * 3),
    "dead-leaf": ("equally likely", 0.67, ["equally likely", "equally likely", "less likely"]),
    "dead-man": ("impossible", 0.67, ["impossible", "impossible", "less likely"]),
    "big-cat": ("more likely", 1.0, ["more likely"] * 3),
    "big-dog": (None, 0.33, ["impossible", "less likely", "more likely"]),
}


@pytest.fixture
def adept_study(tmp_path: Path) -> Finished:
    items = [
        {
            "item": name,
            "text": f"A {name.replace('-', ' ')} purrs.",
            "sentence1": f"A {name.partition('-')[2]} purrs.",
            "modifier": name.partition("-")[0],
            "noun": name.partition("-")[2],
            "condition": "non-subsective" if name.startswith("dead") else "subsective",
        }
        for name in PAIRS
    ]
    return finished(
        tmp_path,
        items,
        {name: answers for name, (_, _, answers) in PAIRS.items()},
        labels={name: (label, support) for name, (label, support, _) in PAIRS.items()},
        question="effect",
    )


def test_the_same_modifier_has_different_effects(adept_study: Finished) -> None:
    """ADEPT, section 1: a dead leaf and a dead cat."""
    table = table_of(adept(adept_study), "modifiers")
    columns = ["modifier", "pairs", "different labels", *CLASSES]
    assert table.select(columns).rows() == [
        ("dead", 3, 2, 2, 0, 1, 0, 0),
        ("big", 1, 1, 0, 0, 0, 1, 0),
    ]


def test_table_1_has_the_clearest_pair_of_each_label(adept_study: Finished) -> None:
    table = table_of(adept(adept_study), "table-1")
    assert table.select("label", "modifier", "support").rows() == [
        ("impossible", "dead", 1.0),
        ("equally likely", "dead", 0.67),
        ("more likely", "big", 1.0),
    ]
    assert table["sentence"][0] == "A dead cat purrs."
    assert table["without the modifier"][0] == "A cat purrs."


def test_table_4_counts_unanimous_pairs_majorities_and_disagreement(adept_study: Finished) -> None:
    table = table_of(adept(adept_study), "table-4")
    counts = {row["label"]: row for row in table.to_dicts()}
    found = {
        name: tuple(counts[name][one] for one in ("unanimous", "majority", "none"))
        for name in counts
    }
    assert found["impossible"] == (1, 1, 0)
    assert found["equally likely"] == (0, 1, 0)
    assert found["more likely"] == (1, 0, 0)
    assert found["no agreement"] == (0, 0, 1)
    assert counts["impossible"]["share"] == 0.5


def test_figure_4_has_labels_by_kind_of_adjective(adept_study: Finished) -> None:
    table = table_of(adept(adept_study), "figure-4").filter(pl.col("pairs") > 0)
    assert table.select("adjective", "label", "pairs", "share").rows() == [
        ("non-subsective", "impossible", 2, pytest.approx(2 / 3)),
        ("non-subsective", "equally likely", 1, pytest.approx(1 / 3)),
        ("subsective", "more likely", 1, 1.0),
    ]


@pytest.fixture
def sp10k_study(tmp_path: Path) -> Finished:
    pairs = {"eat-meal": "dobj", "eat-idea": "dobj", "loud-bun": "amod"}
    items = [
        {
            "item": name,
            "text": name.replace("-", ", "),
            "relation": relation,
            "head": name.partition("-")[0],
            "dependent": name.partition("-")[2],
        }
        for name, relation in pairs.items()
    ]
    surveys = [
        {"survey": survey, "position": 1, "item": item}
        for survey, item in (("one", "eat-meal"), ("one", "eat-idea"), ("two", "loud-bun"))
    ]
    pl.DataFrame(surveys).write_parquet(tmp_path / "surveys.parquet")
    return finished(
        tmp_path,
        items,
        {"eat-meal": "555", "eat-idea": "11", "loud-bun": "32"},
        labels={"eat-meal": ("10.0", 1.0), "eat-idea": ("0.0", 1.0), "loud-bun": ("3.75", 1.0)},
        seconds={"eat-meal": 2.0, "eat-idea": 4.0, "loud-bun": 1.5},
    )


def test_the_three_criteria_are_reported_with_evidence(sp10k_study: Finished) -> None:
    """SP-10K, section 2: clearly defined, representative, consistent and reliable."""
    table = table_of(sp10k(sp10k_study), "criteria")
    values = dict(table.select("evidence", "value").iter_rows())
    assert table["criterion"].unique(maintain_order=True).to_list() == [
        "clearly defined",
        "representative",
        "consistent and reliable",
    ]
    assert (values["questions asked about a pair"], values["different answers"]) == (1, 4)
    assert (values["relations"], values["words"], values["pairs"]) == (2, 5, 3)
    assert (values["pairs without an answer"], values["annotators"]) == (0, 3)
    assert values["fewest ratings of a pair"] == 2
    assert values["mean ratings of a pair"] == pytest.approx(7 / 3)
    assert 0 < values["alpha, ordinal"] < 1


def test_figure_1_has_the_time_for_100_questions(sp10k_study: Finished) -> None:
    """The mean over annotators: two took (2 + 4) / 2 seconds for a question, the third 2."""
    table = table_of(sp10k(sp10k_study), "figure-1")
    seconds = dict(table.select("relation", "seconds").iter_rows())
    assert seconds == {"dobj": round(100 * (3 + 3 + 2) / 3), "amod": 150}
    assert dict(table.select("relation", "time").iter_rows())["amod"] == "2m30s"


def test_groups_of_plausibility_are_counted_by_relation(sp10k_study: Finished) -> None:
    table = table_of(sp10k(sp10k_study), "groups")
    counts = {row["relation"]: row for row in table.to_dicts()}
    assert (counts["dobj"]["perfect"], counts["dobj"]["impossible"]) == (1, 1)
    assert counts["amod"]["unusual"] == 1


def test_table_2_has_the_pairs_of_one_head_per_relation(sp10k_study: Finished) -> None:
    table = table_of(sp10k(sp10k_study), "table-2")
    assert table.select("relation", "pair", "score").rows() == [
        ("amod", "(loud, bun)", 3.75),
        ("dobj", "(eat, idea)", 0.0),
        ("dobj", "(eat, meal)", 10.0),
    ]


def test_surveys_and_relations_have_their_means_times_and_people(sp10k_study: Finished) -> None:
    drawn = sp10k(sp10k_study)
    for name, column, part in (("surveys", "survey", "one"), ("relations", "relation", "dobj")):
        row = table_of(drawn, name).row(by_predicate=pl.col(column) == part, named=True)
        assert (row["pairs"], row["people"], row["ratings"]) == (2, 3, 5)
        assert row["mean answer"] == pytest.approx(17 / 5)
        assert row["seconds"] == pytest.approx(14 / 5)


def test_table_2_of_gita_counts_stories_by_kind_and_label(tmp_path: Path) -> None:
    kinds = {"1": "plausible", "1-C0": "cloze", "1-O0": "order", "2": "plausible"}
    items = [{"item": name, "text": name, "condition": kind} for name, kind in kinds.items()]
    study = finished(
        tmp_path,
        items,
        {name: ["true"] for name in kinds},
        labels={
            "1": ("true", 1.0),
            "1-C0": ("false", 1.0),
            "1-O0": ("true", 0.6),
            "2": (None, 0.5),
        },
        question="plausible",
    )
    assert table_of(gita(study), "table-2").rows() == [
        ("plausible", 2, 1, 0, 1),
        ("order", 1, 1, 0, 0),
        ("cloze", 1, 0, 1, 0),
        ("total", 4, 2, 1, 1),
    ]


def test_the_report_crosses_grammar_and_content(tmp_path: Path) -> None:
    """Manual, hints: grammaticality is judged apart from what the sentence says."""
    rows = [
        (f"one#{candidate}", "anna", question, answer)
        for candidate, answers in {"i": ("YES", "PARTLY"), "ii": ("ERRORS", "YES")}.items()
        for question, answer in zip(("grammaticality", "coherence"), answers, strict=True)
    ]
    names = ["item", "annotator", "question", "answer"]
    study = Finished(
        folder=tmp_path,
        items=ITEMS.check(pl.DataFrame({"item": ["one#i", "one#ii"], "text": ["a", "b"]})),
        ratings=RATINGS.check(pl.DataFrame(rows, schema=names, orient="row")),
        labels=LABELS.empty(),
        seed=1,
    )
    (exhibit,) = iks(study)
    (table,) = [one.table for one in exhibit.figures if one.name == "iks-grammar-coherence"]
    counts = {row[0]: dict(zip(table.columns[1:], row[1:], strict=True)) for row in table.rows()}
    assert counts["YES"]["PARTLY"] == counts["ERRORS"]["YES"] == 1
    assert counts["YES"]["YES"] == 0


def test_figures_and_table_1_of_pap_count_strict_majorities(tmp_path: Path) -> None:
    """PAP, section 5.2: plausible, implausible, or no majority of 70 %."""
    triples = {
        "t1": ("attested", "c-c-c", "5554", "plausible"),
        "t2": ("attested", "c-c-c", "5512", "no majority"),
        "t3": ("perturbed", "a-m-c", "1121", "implausible"),
        "t4": ("perturbed", "a-m-c", "4411", "no majority"),
    }
    items = [
        {
            "item": name,
            "text": name,
            "condition": condition,
            "combination": letters,
            **dict.fromkeys(("subject", "verb", "object"), name),
        }
        for name, (condition, letters, _, _) in triples.items()
    ]
    study = finished(tmp_path, items, {name: one[2] for name, one in triples.items()})
    drawn = pap(study)
    medians = table_of(drawn, "figure-3b")
    assert medians["triples"].sum() == 4
    (figure_5,) = [one for one in drawn if one.name == "figure-5"]
    attested, perturbed = (one.table for one in figure_5.figures)
    caption = "n = 2 triples, 2 per combination"
    assert all(one.caption.startswith(caption) for one in figure_5.figures)
    row = attested.row(by_predicate=pl.col("combination") == "c-c-c", named=True)
    assert sorted(value for name, value in row.items() if name != "combination") == [0, 1, 1]
    row = perturbed.row(by_predicate=pl.col("combination") == "a-m-c", named=True)
    assert row["implausible"] == 1
    cells = table_of(drawn, "table-1")
    assert [sum(int(n) for n in cells.row(0)[1:])] == [4]
