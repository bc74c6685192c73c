"""What `read` says about the columns of an export is what it does with them."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path

import polars as pl

import plausibly as pb
from plausibly.verbs.read._result import ReadRatings


def table(path: Path, rows: Sequence[Sequence[object]], *, tab: bool = False) -> Path:
    """Write rows of cells, the header first."""
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter="\t" if tab else ",").writerows(rows)
    return path


def columns(result: ReadRatings) -> dict[str, tuple[str, str | None]]:
    """Return the role of each column and the table that stores it."""
    return {one.name: (one.role, one.stored) for one in result.layout.columns}


def test_how_long_a_question_of_limesurvey_took_is_not_an_item(tmp_path: Path) -> None:
    questions = [f"plau{number}" for number in range(1, 5)]
    header = ["id", "submitdate", "lastpage", "startlanguage", *questions]
    header += ["interviewtime", *(f"{question}Time" for question in questions)]
    rows = [
        [n, "2026-01-01 10:00:00", 2, "en", 1 + n % 5, 2, 3 + n % 3, 4, 30 + n, 2.5, 3, 1.2, 4.75]
        for n in range(6)
    ]
    result = pb.read(table(tmp_path / "results.csv", [header, *rows]))
    assert result.ratings["item"].unique().sort().to_list() == questions
    assert columns(result)["plau1Time"] == ("time", None)


def test_names_of_rows_are_the_evidence_for_r_and_are_not_stored(tmp_path: Path) -> None:
    header = ["", "stimulus", "participant", "rating"]
    rows = [[n + 1, f"t{n % 3}", f"p{n // 3}", 1 + n % 5] for n in range(9)]
    result = pb.read(table(tmp_path / "r.csv", [header, *rows]))
    assert result.layout.tool == "R"
    assert "row names" in result.layout.evidence
    assert columns(result)["column_0"] == ("ignored", None)
    assert "column_0" not in result.ratings.columns


def test_a_matrix_without_a_header_has_no_header_line_and_a_column_per_annotator(
    tmp_path: Path,
) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("1,2,\n2,2,1\n,1,1\n", encoding="utf-8")
    layout = pb.read(path).layout
    assert (layout.tool, layout.header_lines, layout.delimiter) == ("MACE", (), ",")
    assert [(one.name, one.role, one.blanks) for one in layout.columns] == [
        ("0", "answer", 1),
        ("1", "answer", 0),
        ("2", "answer", 1),
    ]


def test_the_table_of_potato_is_shown_with_its_own_columns(tmp_path: Path) -> None:
    header = ["user", "instance_id", "displayed_text", "sense:::no", "sense:::yes"]
    rows = [["u1", "i1", "A dog.", "", "yes"], ["u2", "i1", "A dog.", "no", ""]]
    result = pb.read(table(tmp_path / "annotated_instances.tsv", [header, *rows], tab=True))
    assert columns(result) == {
        "user": ("annotator", "ratings"),
        "instance_id": ("item", "ratings"),
        "displayed_text": ("item", "items"),
        "sense:::no": ("answer", "ratings"),
        "sense:::yes": ("answer", "ratings"),
    }


def test_the_evidence_for_doccano_is_keys_that_are_there(tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    marks = [{"label": 1, "user": 1}, {"label": 2, "user": 2}]
    record = {"id": 1, "text": "A dog.", "annotations": marks, "annotation_approver": None}
    path.write_text(json.dumps(record) + "\n", encoding="utf-8")
    assert pb.read(path).layout.evidence == "the keys id, text, annotation_approver"


def test_control_items_are_rated_and_only_checks_check_attention(tmp_path: Path) -> None:
    header = ["subject", "trial_type", "trial_index", "item", "phase", "rt", "response"]
    phases = {"t1": "control", "t2": "main", "c1": "attention_check"}
    rows = [
        [person, "html-slider-response", n, item, phase, 900, 10 * n]
        for person in ("p1", "p2")
        for n, (item, phase) in enumerate(phases.items(), start=1)
    ]
    result = pb.read(table(tmp_path / "trials.csv", [header, *rows]))
    kinds = dict(result.ratings.select("item", "kind").unique().iter_rows())
    assert kinds == {"t1": "item", "t2": "item", "c1": "check"}
    assert columns(result)["phase"] == ("check", None)


def test_an_empty_field_of_mechanical_turk_is_no_answer(tmp_path: Path) -> None:
    header = ["HITId", "WorkerId", "Input.item", "Input.type", "Answer.natural", "Answer.comment"]
    rows: list[list[object]] = [
        ["H1", "A1", "t1", "test", 4, "{}"],
        ["H1", "A2", "t1", "test", "{}", "odd"],
        ["H2", "A1", "c1", "gold", 1, "{}"],
    ]
    result = pb.read(table(tmp_path / "batch.csv", [header, *rows]))
    answers = result.ratings.select("item", "answer", "kind").rows()
    assert answers == [("c1", "1", "check"), ("t1", "4", "item")]
    assert result.ratings.get_column("comment", default=None) is None


def test_a_column_that_describes_items_of_pcibex_belongs_to_the_item(tmp_path: Path) -> None:
    names = ["Results reception time", "MD5 hash of participant's IP address", "Controller name"]
    names += ["Order number of item", "Inner element number", "Label", "Latin Square Group"]
    names += ["PennElementType", "PennElementName", "Parameter", "Value", "EventTime"]
    names += ["item", "condition"]
    lines = [f"# {n}. {name}." for n, name in enumerate(names, start=1)]
    start = "1770000000,abc,PennController"
    lines += [
        f"{start},{n},0,main,NULL,Scale,natural,Choice,{n + 2},17700000{n}0,t{n},swapped"
        for n in (1, 2)
    ]
    path = tmp_path / "results.csv"
    path.write_text("# Columns below this comment are as follows:\n" + "\n".join(lines) + "\n")
    assert columns(pb.read(path))["condition"] == ("item", "items")


def test_what_people_want_to_tell_is_a_comment(tmp_path: Path) -> None:
    header = ["Timestamp", "Dogs bark", "Dogs fly", "Cats purr", "Anything you want to tell us?"]
    rows: list[list[object]] = [
        [f"2026/01/0{n} 10:00:00 AM CET", n, 6 - n, 5, "so be it"] for n in (1, 2, 3, 4, 5)
    ]
    result = pb.read(table(tmp_path / "form.csv", [header, *rows]))
    assert columns(result)[header[-1]] == ("comment", "annotators")


def test_one_rating_is_counted_in_the_singular(tmp_path: Path) -> None:
    rows: list[list[object]] = [
        ["item", "annotator", "answer"],
        ["t1", "anna@example.org", 4],
        ["t1", "b", "NA"],
    ]
    result = pb.read(table(tmp_path / "one.csv", rows))
    assert "1 rating of 1 item by 1 annotator, 1 question.\n" in result.text()
    assert "there is only 1 answer" in result.text()
    assert result.talk[-1] == "1 rating of 1 item by 1 annotator."
    written = result.as_written(tmp_path / "ratings.parquet")
    assert "1 id of a person was replaced by a pseudonym." in written.notes


def test_one_answer_outside_a_scheme_is_counted_in_the_singular() -> None:
    rows = {"item": ["t1"] * 3, "annotator": ["a", "b", "c"], "answer": ["1", "2", "9"]}
    labelled = pb.label(pl.DataFrame(rows), method="strict-majority", scheme="low=1|high=2")
    assert any(note.startswith("1 answer is in no class") for note in labelled.talk)


def test_a_pattern_does_not_take_a_comment_box_for_an_item(tmp_path: Path) -> None:
    texts = {"ResponseId": "Response ID", "Q1_1": "Dogs bark", "Q1_2": "Dogs fly", "Q2": "Comments"}
    ids = ["_recordId", "QID1_1", "QID1_2", "QID2_TEXT"]
    rows = [[*texts], [*texts.values()], [json.dumps({"ImportId": one}) for one in ids]]
    rows += [[f"R_{n}", str(n), str(6 - n), "so be it"] for n in (1, 2, 3)]
    path = table(tmp_path / "survey.csv", rows)
    result = pb.read(path, format="wide", columns={"item": "Q*"})
    assert result.ratings["item"].unique().sort().to_list() == ["Q1_1", "Q1_2"]
    assert columns(result)["Q2"] == ("comment", "annotators")
    named = pb.read(path, format="wide", columns={"item": "Q1_1,Q2"})
    assert named.ratings["item"].unique().sort().to_list() == ["Q1_1", "Q2"]
