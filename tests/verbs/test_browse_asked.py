"""What an explorer says first: what was asked, by whom it was answered, where items come from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import plausibly as pb
from plausibly.analysis.explorer import explorer_page
from plausibly.datasets.catalogue import catalogue
from plausibly.errors import StudyError
from plausibly.io import write_table
from plausibly.tables import RATINGS
from verbs.test_browse import unpacked
from worlds.explored import explored_ratings

FORM = """
[[form.questions]]
id = "smooth"
type = "slider"
text = "How smooth?"
min = 0
max = 100
start = 50
labels = ["rough", "smooth"]

[[form.questions]]
id = "fine"
type = "choice"
text = "Is it fine?"
options = ["yes", "no"]
labels = ["yes, it is", "no"]
"""


@pytest.fixture
def asked(tmp_path: Path) -> Path:
    """Return the folder of a study with a slider and a choice, rated by two people."""
    folder = tmp_path / "study"
    folder.mkdir()
    head = '[study]\nname = "study"\nprotocol = "custom"\nseed = 1\n'
    (folder / "study.toml").write_text(head + FORM, "utf-8")
    rated = {"annotator": ["p", "q"] * 2, "question": ["fine", "fine", "smooth", "smooth"]}
    rows = {"item": ["t1"] * 4, **rated, "answer": ["yes", "no", "3", "7"]}
    pl.DataFrame(rows).write_parquet(folder / "ratings.parquet")
    pl.DataFrame({"item": ["t1", "t2"], "text": ["a", "b"]}).write_parquet(folder / "items.parquet")
    return folder


def test_a_study_shows_the_ends_of_a_scale_and_what_people_read_for_an_option(asked: Path) -> None:
    smooth, fine = unpacked(pb.browse(asked).page)["questions"]
    assert smooth["text"] == "How smooth?"
    assert smooth["bounds"] == [0, 100]
    assert smooth["words"] == {"0": "0 (rough)", "100": "100 (smooth)"}
    assert fine["options"] == ["yes", "no"]
    assert fine["words"] == {"yes": "yes, it is"}
    assert "bounds" not in fine


def test_a_question_counts_its_ratings_and_people(asked: Path) -> None:
    smooth = unpacked(pb.browse(asked).page)["questions"][0]
    assert (smooth["collected"], smooth["kept"], smooth["people"]) == (2, 2, 2)
    unlinked = pl.DataFrame({"item": ["a", "a"], "annotator": ["p", "q"], "answer": ["1", "2"]})
    assert unpacked(pb.browse(unlinked).page)["questions"][0]["people"] == 0


@pytest.mark.parametrize("name", ["pap", "sp10k", "adept", "gita"])
def test_published_questions_have_a_text_and_the_source_of_its_wording(name: str) -> None:
    for question in catalogue()[name].questions.values():
        assert question["text"].endswith("?")
        assert question["note"].startswith("The wording is ours")
        assert {*question.get("words", {})} <= {
            *question.get("options", []),
            *(f"{end}" for end in question.get("bounds", [])),
        }


def test_an_item_has_the_first_sentence_it_was_read_from(asked: Path) -> None:
    behind = {"item": ["t1", "t1"], "rank": [2, 1], "document": ["B", "A"], "sentence": ["y", "x"]}
    (asked / "build").mkdir()
    pl.DataFrame(behind).write_parquet(asked / "build" / "examples.parquet")
    sources = '[{ name = "A corpus", licence = "CC BY 4.0" }, { name = "n", use = "consulted" }]'
    (asked / "release.toml").write_text(f"sources = {sources}\n", "utf-8")
    browsed = pb.browse(asked)
    rows = browsed.rows.filter(question="smooth").sort("item")
    assert rows["source_sentence"].to_list() == ["x", None]
    assert rows["source_document"].to_list() == ["A", None]
    assert dict(unpacked(browsed.page)["about"])["sources"] == "A corpus (CC BY 4.0)"


def test_a_slider_has_a_deviation_and_no_entropy() -> None:
    rated = explored_ratings().with_row_index("row")
    slider = rated.with_columns(answer=(pl.col("row") * 37 % 101).cast(pl.String)).drop("row")
    rows = pb.browse(slider).rows
    assert rows["entropy"].null_count() == rows.height
    assert rows["deviation"].null_count() == 0
    assert pb.browse(explored_ratings()).rows["entropy"].null_count() == 0


@pytest.mark.parametrize(
    ("kinds", "said"),
    [
        (["simulated", "person"], "1 of 2 annotators are simulated."),
        (["simulated", "simulated"], "All 2 annotators are simulated."),
    ],
)
def test_a_simulated_crowd_is_named_in_a_plain_sentence(kinds: list[str], said: str) -> None:
    crowd = pl.DataFrame({"annotator": ["a0", "a1"], "kind": kinds})
    material = replace(pb.browse(explored_ratings()).material, annotators=crowd)
    head = unpacked(explorer_page(material))
    assert head["notices"] == ["simulated"]
    assert head["words"]["en"]["simulated"] == said


def test_an_answer_that_is_only_part_of_a_word_is_shown_with_its_words() -> None:
    asked = {"options": ["solid", "wet"], "words": {"solid": "solidity", "wet": "it is wet"}}
    material = replace(pb.browse(explored_ratings()).material, questions={"plausible": asked})
    words = unpacked(explorer_page(material))["questions"][0]["words"]
    assert words == {"solid": "solid (solidity)", "wet": "it is wet"}


def test_a_release_keeps_source_sentences_where_it_names_the_corpus(
    asked: Path, tmp_path: Path
) -> None:
    behind = {"item": ["t1"], "rank": [1], "document": ["A"], "sentence": ["Otters paint."]}
    (asked / "build").mkdir()
    pl.DataFrame(behind).write_parquet(asked / "build" / "examples.parquet")
    assert "source_sentence" not in pb.release(asked).get_table("items").columns
    sources = '[{ name = "A corpus", licence = "CC BY 4.0" }]'
    (asked / "release.toml").write_text(f"sources = {sources}\n", "utf-8")
    folder = pb.release(asked).write(tmp_path / "release")
    browsed = pb.browse(folder)
    assert "Otters paint." in browsed.rows["source_sentence"].to_list()
    assert dict(unpacked(browsed.page)["about"])["sources"] == "A corpus (CC BY 4.0)"
    dropped = f'drop = ["source_sentence"]\nsources = {sources}\n'
    (asked / "release.toml").write_text(dropped, "utf-8")
    assert "source_sentence" not in pb.release(asked).get_table("items").columns


def test_a_study_may_have_the_name_of_a_dataset(
    asked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked.rename(tmp_path / "iks")
    monkeypatch.chdir(tmp_path)
    browsed = pb.browse("iks", data=tmp_path)
    assert browsed.material.kind == "study"
    assert browsed.page


def test_answers_in_words_show_the_number_behind_them() -> None:
    said = {"item": ["a", "a"], "annotator": ["p", "q"], "answer": ["no", "yes"]}
    rated = pl.DataFrame({**said, "value": [1.0, 2.0]})
    words = unpacked(pb.browse(rated).page)["questions"][0]["words"]
    assert words == {"no": "no = 1", "yes": "yes = 2"}


def test_candidates_are_shown_with_their_item_and_not_as_items_of_their_own() -> None:
    items = pl.DataFrame(
        {
            "item": ["p", "p#i", "p#ii"],
            "text": ["At the river", "An otter.", "A fox."],
            "candidate": [None, "i", "ii"],
            "source": [None, "p", "p"],
        }
    )
    rated = pl.DataFrame({"item": ["p", "p"], "annotator": ["a", "b"], "answer": ["i", "ii"]})
    labels = pb.label(rated, method="shares").labels
    browsed = pb.browse(rated, items=items, labels=labels)
    assert browsed.rows["item"].to_list() == ["p"]
    head = unpacked(browsed.page)
    whole = {"text": "At the river", "candidates": [["i", "An otter."], ["ii", "A fox."]]}
    assert head["sets"] == {"p": whole}
    assert head["methodsOf"] == {}


def test_a_method_labels_the_questions_whose_answers_it_can_label(asked: Path) -> None:
    text = '[[form.questions]]\nid = "why"\ntype = "text"\ntext = "Why?"\nrequired = false\n'
    settings = asked / "study.toml"
    settings.write_text(settings.read_text("utf-8") + text, "utf-8")
    said = {"item": ["t1"] * 2, "annotator": ["p", "q"], "question": ["why"] * 2}
    reasons = pl.DataFrame({**said, "answer": ["It is.", "It is."]})
    rated = pl.read_parquet(asked / "ratings.parquet")
    pl.concat([rated, reasons]).write_parquet(asked / "ratings.parquet")
    made = pb.browse(asked, methods="mean,plurality").material.labels
    methods = {
        question: sorted(own["method"].unique())
        for (question,), own in made.group_by("question", maintain_order=True)
    }
    assert methods == {"smooth": ["mean", "plurality"], "fine": ["plurality"]}
    with pytest.raises(StudyError, match="mean needs numbers: 2 of 2 answers to question 'fine'"):
        pb.browse(rated.filter(pl.col("question") == "fine"), methods="mean")


def test_comments_in_a_file_have_no_labels() -> None:
    said = {"item": ["t1"] * 3, "annotator": [*"pqr"], "question": ["comment"] * 3}
    comments = pl.DataFrame({**said, "answer": ["odd", "odd", "no"]})
    assert "comment" not in pb.browse(comments).material.labels["question"]


def test_the_declared_type_decides_whether_answers_are_numbers(asked: Path) -> None:
    text = '[[form.questions]]\nid = "why"\ntype = "text"\ntext = "Why?"\nrequired = false\n'
    settings = asked / "study.toml"
    settings.write_text(settings.read_text("utf-8") + text, "utf-8")
    said = {"item": ["t1"] * 2, "annotator": ["p", "q"], "question": ["why"] * 2}
    reasons = pl.DataFrame({**said, "answer": ["0", "It is."], "value": [0.0, None]})
    rated = pl.read_parquet(asked / "ratings.parquet")
    pl.concat([rated, reasons], how="diagonal").write_parquet(asked / "ratings.parquet")
    (row,) = pb.browse(asked).rows.filter(question="why").to_dicts()
    assert (row["ratings"], row["mean"]) == (2, None)


@pytest.mark.parametrize(("ties", "label"), [("undecided", None), ("smallest", "no")])
def test_further_methods_treat_ties_as_the_study_does(
    tmp_path: Path, ties: str, label: str | None
) -> None:
    folder = tmp_path / "mine"
    pb.init("custom", folder)
    settings = folder / "study.toml"
    settings.write_text(f'[study]\nprotocol = "custom"\n[label]\nties = "{ties}"\n', "utf-8")
    rows = {"item": ["t1"] * 4, "annotator": [*"pqrs"], "question": ["fine"] * 4}
    rated = pl.DataFrame({**rows, "answer": ["yes", "no", "no", "yes"]})
    write_table(RATINGS.check(rated), folder / "ratings.parquet", RATINGS)
    assert pb.browse(folder, methods="mace,plurality").rows["label:plurality"].to_list() == [label]


def test_what_simulated_people_lean_to_is_no_fact_about_an_item() -> None:
    rated = pl.DataFrame({"item": ["t1"] * 2, "annotator": ["p", "q"], "answer": ["yes", "no"]})
    items = pl.DataFrame({"item": ["t1"], "text": ["An otter."], "leans_to": ['{"rating": "yes"}']})
    assert "leans_to" not in pb.browse(rated, items=items).rows.columns
