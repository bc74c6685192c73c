"""Batch files of Mechanical Turk."""

from __future__ import annotations

import csv
from pathlib import Path

import polars as pl
import pytest

from plausibly.errors import StudyError, TableError
from plausibly.ratings import Imported, import_ratings
from plausibly.ratings.people import Naming

COLUMNS = (
    "HITId",
    "AssignmentId",
    "WorkerId",
    "AssignmentStatus",
    "AcceptTime",
    "SubmitTime",
    "WorkTimeInSeconds",
    "LifetimeApprovalRate",
)
WHOLE = {
    "HITId": "H1",
    "WorkerId": "A1",
    "AssignmentStatus": "Approved",
    "WorkTimeInSeconds": "30",
    "LifetimeApprovalRate": "98% (49/50)",
}
KEPT = Naming()


def batch(folder: Path, *rows: dict[str, str]) -> Path:
    names = list(dict.fromkeys([*COLUMNS, *(name for row in rows for name in row)]))
    path = folder / "Batch_1_batch_results.csv"
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, names)
        writer.writeheader()
        writer.writerows({**WHOLE, **row} for row in rows)
    return path


def mturk(path: Path, **names: str) -> Imported:
    return import_ratings(path, form="mturk", names=names, naming=KEPT)


def rows(imported: Imported) -> list[tuple[str, str, str, str]]:
    return imported.ratings.select("item", "annotator", "question", "answer").rows()


def test_every_answer_column_is_a_question(tmp_path: Path) -> None:
    path = batch(
        tmp_path,
        {"Input.id": "t1", "Input.text": "a b c", "Answer.plausible": "4", "Answer.sure": "yes"},
        {"WorkerId": "A2", "Input.id": "t1", "Input.text": "a b c", "Answer.plausible": "5"},
    )
    imported = mturk(path)
    assert rows(imported) == [
        ("t1", "A1", "plausible", "4"),
        ("t1", "A1", "sure", "yes"),
        ("t1", "A2", "plausible", "5"),
    ]
    assert imported.ratings["seconds"].to_list() == [30.0] * 3
    assert imported.ratings["batch"].unique().to_list() == ["H1"]
    assert imported.ratings["status"].unique().to_list() == ["Approved"]
    assert imported.items is not None
    assert imported.items["text"].to_list() == ["a b c"]


def test_without_an_input_the_hit_is_the_item(tmp_path: Path) -> None:
    path = batch(tmp_path, {"Input.a": "x", "Input.b": "y", "Answer.q": "1"})
    assert rows(mturk(path)) == [("H1", "A1", "q", "1")]
    assert rows(mturk(path, item="Input.a")) == [("x", "A1", "q", "1")]


def test_several_items_in_one_hit_are_told_by_their_number(tmp_path: Path) -> None:
    path = batch(
        tmp_path,
        {
            "Input.id1": "t1",
            "Input.id2": "t2",
            "Input.text1": "one",
            "Input.text2": "two",
            "Answer.rating1": "5",
            "Answer.rating2": "1",
            "Answer.comment": "fine",
        },
    )
    imported = mturk(path, item="Input.id{n}", text="Input.text{n}", answer="Answer.rating{n}")
    assert rows(imported) == [("t1", "A1", "rating", "5"), ("t2", "A1", "rating", "1")]
    assert imported.ratings["seconds"].to_list() == [15.0, 15.0]
    assert imported.ratings["comment"].to_list() == ["fine", "fine"]
    assert imported.items is not None
    assert imported.items["text"].to_list() == ["one", "two"]


def test_buttons_of_one_question_are_one_answer(tmp_path: Path) -> None:
    path = batch(
        tmp_path,
        {"Input.id": "t1", "Answer.q.yes": "true", "Answer.q.no": "false", "Answer.s.label": "4"},
    )
    assert rows(mturk(path)) == [("t1", "A1", "q", "yes"), ("t1", "A1", "s", "4")]


def test_what_crowd_elements_wrote_is_read(tmp_path: Path) -> None:
    written = '[{"q": {"yes": true, "no": false}, "s": {"label": "Good"}, "t": "free", "n": 3}]'
    path = batch(tmp_path, {"Input.id": "t1", "Answer.taskAnswers": written})
    assert rows(mturk(path)) == [
        ("t1", "A1", "n", "3"),
        ("t1", "A1", "q", "yes"),
        ("t1", "A1", "s", "Good"),
        ("t1", "A1", "t", "free"),
    ]


def test_approval_tasks_and_masters_become_annotator_columns(tmp_path: Path) -> None:
    path = batch(
        tmp_path,
        {"Input.id": "t1", "Answer.q": "1", "Masters": "yes"},
        {
            "Input.id": "t2",
            "Answer.q": "1",
            "LifetimeApprovalRate": "97% (97/100)",
            "Masters": "yes",
        },
        {"WorkerId": "A2", "Input.id": "t1", "Answer.q": "1", "LifetimeApprovalRate": "0% (0/0)"},
    )
    annotators = mturk(path, masters="Masters").annotators
    assert annotators is not None
    assert annotators.select(
        "annotator", "approval", "approved_tasks", "tasks", "masters"
    ).rows() == [
        ("A1", 97.0, 97, 100, 1),
        ("A2", 0.0, 0, 0, 0),
    ]


def test_rejected_assignments_are_counted_and_kept_with_their_status(tmp_path: Path) -> None:
    path = batch(
        tmp_path,
        {"Input.id": "t1", "Answer.q": "1", "AssignmentStatus": "Rejected"},
        {"Input.id": "t2", "Answer.q": "1"},
    )
    imported = mturk(path)
    assert imported.ratings["status"].to_list() == ["Rejected", "Approved"]
    assert any("1 assignment was rejected." in note for note in imported.notes)


def test_worker_ids_do_not_survive_unless_asked_for(tmp_path: Path) -> None:
    path = batch(
        tmp_path,
        {"WorkerId": "A1B2C3D4E5F6G7", "Input.id": "t1", "Answer.q": "1"},
        {"WorkerId": "odd", "Input.id": "t1", "Answer.q": "1"},
    )
    assert "odd" in import_ratings(path, form="mturk").ratings["annotator"]
    keyed = import_ratings(path, form="mturk", naming=Naming(key="secret"))
    other = import_ratings(path, form="mturk", naming=Naming(key="other"))
    assert not set(keyed.ratings["annotator"]) & set(other.ratings["annotator"])
    assert keyed.annotators is not None
    assert set(keyed.annotators["annotator"]) == set(keyed.ratings["annotator"])


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"WorkerId": ""}, "no WorkerId"),
        ({"AssignmentStatus": "Lost"}, "AssignmentStatus 'Lost' is not one of"),
        ({"LifetimeApprovalRate": "good"}, "approval 'good' is not a rate"),
        ({"WorkTimeInSeconds": "long"}, "WorkTimeInSeconds 'long' is not a number"),
        ({"Input.id": ""}, "an answer but no Input.id"),
        ({"Input.id": "t1", "WorkerId": "A1", "Answer.q": "2"}, "more than one row for item='t1'"),
        ({"Answer.taskAnswers": "{"}, "Answer.taskAnswers: not JSON"),
    ],
)
def test_a_broken_row_is_named_by_its_line(
    tmp_path: Path, row: dict[str, str], message: str
) -> None:
    good = {"Input.id": "t1", "Answer.q": "1"}
    path = batch(tmp_path, good, {"WorkerId": "A2", "Input.id": "t1", "Answer.q": "1", **row})
    with pytest.raises(TableError, match=rf"results.csv:3: {message}"):
        mturk(path)


def test_a_file_without_workers_or_answers_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(TableError, match="no column 'WorkerId'"):
        mturk(path)
    path.write_text("WorkerId,b\n1,2\n")
    with pytest.raises(TableError, match="no column 'Answer"):
        mturk(path)


def test_only_known_columns_can_be_mapped(tmp_path: Path) -> None:
    path = batch(tmp_path, {"Input.id": "t1", "Answer.q": "1"})
    with pytest.raises(StudyError, match="no 'nothing' to map"):
        mturk(path, nothing="Input.id")
    with pytest.raises(StudyError, match="Number both"):
        mturk(path, answer="Answer.q{n}")


def test_conditions_and_checks_travel_with_the_input(tmp_path: Path) -> None:
    told = {"Input.condition": "attested", "Input.kind": "check", "Input.expected": "plausible"}
    items = mturk(batch(tmp_path, {"Input.id": "c1", "Answer.q": "1", **told})).items
    assert items is not None
    checks = items.filter(pl.col("kind") == "check")
    assert checks.select("condition", "expected").rows() == [("attested", "plausible")]
