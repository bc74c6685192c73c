"""Wide tables as survey tools export them: one row a person, one column an item."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import plausibly as pb
from plausibly.errors import StudyError, TableError
from plausibly.measures.timed import own_times
from plausibly.ratings import Imported, import_ratings

STANDARD = [
    *("StartDate", "EndDate", "Status", "IPAddress", "Progress", "Duration (in seconds)"),
    *("Finished", "RecordedDate", "ResponseId", "RecipientLastName", "RecipientFirstName"),
    *("RecipientEmail", "ExternalReference", "LocationLatitude", "LocationLongitude"),
    *("DistributionChannel", "UserLanguage"),
]
QUESTIONS = ["Q1", "Q2_1", "Q3", "Q3_First Click", "Age", "Q9_TEXT", "PROLIFIC_PID"]
QUESTION_IDS = ["QID1", "QID2_1", "1_QID3", "QID4_FIRST_CLICK", "QID5", "QID9_TEXT", "PROLIFIC_PID"]
LABELS = ["A dog\nbarks.", "A stone barks.", "Rain is wet.", "Timing", "Your age?", "Why?", "pid"]


def response(
    number: int, *answers: str, status: str = "IP Address", done: str = "True"
) -> list[str]:
    person = f"5f0e2b{number:018x}"
    standard = [
        *("2024-05-01 10:00:00", "2024-05-01 10:05:00", status, "192.0.2.7", "100", "300", done),
        *("2024-05-01 10:05:01", f"R_{number}", "Doe", "Jo", "jo@example.org", "", "52.1", "13.4"),
        *("anonymous", "EN"),
    ]
    return [*standard, *answers, "1.5", "34", "because", person]


def qualtrics(folder: Path, *responses: list[str], delimiter: str = ",") -> Path:
    path = folder / "export.csv"
    header = [*STANDARD, *QUESTIONS]
    ids = ['{"ImportId":"' + name + '"}' for name in (*STANDARD, *QUESTION_IDS)]
    with path.open("w", newline="", encoding="utf-8-sig") as target:
        labels = [*STANDARD, *LABELS]
        csv.writer(target, delimiter=delimiter).writerows([header, labels, ids, *responses])
    return path


def wide(path: Path, **names: str) -> Imported:
    return import_ratings(path, form="wide", names=names)


def test_an_export_of_qualtrics_with_its_three_header_rows(tmp_path: Path) -> None:
    path = qualtrics(
        tmp_path,
        response(1, "5", "1", "4"),
        response(2, "4", "", "5"),
        response(3, "1", "1", "1", status="Survey Preview"),
        response(4, "2", "2", "", done="False"),
    )
    found = wide(path)
    assert found.ratings.select("item", "annotator", "question", "answer", "value").rows() == [
        ("Q1", "5f0e2b000000000000000001", "rating", "5", 5.0),
        ("Q1", "5f0e2b000000000000000002", "rating", "4", 4.0),
        ("Q2_1", "5f0e2b000000000000000001", "rating", "1", 1.0),
        ("Q3", "5f0e2b000000000000000001", "rating", "4", 4.0),
        ("Q3", "5f0e2b000000000000000002", "rating", "5", 5.0),
    ]
    assert found.items is not None
    assert found.items.select("item", "text").rows() == [
        ("Q1", "A dog barks."),
        ("Q2_1", "A stone barks."),
        ("Q3", "Rain is wet."),
    ]
    assert found.ratings["seconds"].to_list() == [100.0, 150.0, 100.0, 100.0, 150.0]
    assert own_times(found.ratings)["seconds"].null_count() == 5  # a total divided by items
    assert found.annotators is not None
    assert found.annotators["seconds"].to_list() == [300.0, 300.0]
    said = " ".join(found.notes)
    for sentence in (
        "3 columns are items",
        "1 preview is",
        "1 unfinished response is",
        "1 answer is",
    ):
        assert sentence in said
    assert "Left out: Age" in said


def test_addresses_places_names_and_mail_are_nowhere(tmp_path: Path) -> None:
    found = wide(qualtrics(tmp_path, response(1, "5", "1", "4"), response(2, "4", "2", "5")))
    assert found.items is not None
    assert found.annotators is not None
    tables = (found.ratings, found.items, found.annotators)
    stored = " ".join(table.write_json() for table in tables) + " ".join(found.notes)
    for personal in ("192.0.2.7", "Doe", "jo@example.org", "52.1", "13.4", "because"):
        assert personal not in stored


def test_google_forms(tmp_path: Path) -> None:
    path = tmp_path / "form.csv"
    path.write_text(
        '"Timestamp","Email Address","A dog barks.","A stone barks, loudly.","Any comments?"\n'
        '"2024/05/01 10:00:00 AM GMT+2","a@example.org","5","1","nice"\n'
        '"2024/05/01 10:01:00 AM GMT+2","b@example.org","4","2",""\n'
    )
    found = wide(path)
    assert found.ratings.select("item", "annotator", "answer").rows() == [
        ("A dog barks.", "1", "5"),
        ("A dog barks.", "2", "4"),
        ("A stone barks, loudly.", "1", "1"),
        ("A stone barks, loudly.", "2", "2"),
    ]
    assert "example.org" not in found.ratings.write_json()
    named = wide(path, annotator="Email Address")
    assert named.ratings["annotator"].to_list()[0] == "a@example.org"


def test_what_is_below_the_people_or_stands_for_no_answer_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "sheet.csv"
    rows = "r1,anna,4,1\nr1,anna,4,1\nr2,bob,99,2\nr3,cleo,5,3\n,,,\nMean,,4.5,2\n"
    path.write_text("Row,annotator,t1,t2\n" + rows)
    result = pb.read(path)
    assert result.ratings.select("item", "annotator", "value").rows() == [
        ("t1", "anna", 4.0),
        ("t1", "cleo", 5.0),
        ("t2", "anna", 1.0),
        ("t2", "bob", 2.0),
        ("t2", "cleo", 3.0),
    ]
    assert result.layout.dropped == {"rows of means or sums": 1}
    assert result.layout.duplicates == {"copies": 1}
    assert result.missing == {"99": 1}
    assert "99" in pb.read(path, missing="").ratings["answer"]


def test_a_sentence_quoted_in_the_header_is_the_item(tmp_path: Path) -> None:
    path = tmp_path / "form.csv"
    sentences = ("A dog barks.", "A stone barks.")
    asked = [f"{n}. «{s}» {q}" for n, s in enumerate(sentences, 1) for q in ("True?", "Nice?")]
    cells = ["2026/05/01 10:00:00,5,4,1,1", "2026/05/01 10:01:00,4,5,2,1"]
    path.write_text("\n".join([",".join(["Timestamp", *asked]), *cells, ""]))
    ratings = pb.read(path).ratings
    assert ratings["item"].unique().sort().to_list() == [*sentences]
    assert ratings["question"].unique().sort().to_list() == ["Nice?", "True?"]
    assert ratings.filter(question="Nice?", annotator="2")["answer"].to_list() == ["5", "1"]


def test_any_table_with_semicolons_and_decimal_commas(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("annotator;t1;t2\nanna;4,5;3\nbob;2;NA\n")
    found = wide(path)
    assert found.ratings.select("item", "annotator", "value").rows() == [
        ("t1", "anna", 4.5),
        ("t1", "bob", 2.0),
        ("t2", "anna", 3.0),
    ]
    assert found.missing == {"NA": 1}


def test_items_are_those_that_are_named(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("who,Q1,Q2,X,Age\na,1,2,3,40\nb,2,3,4,41\n")
    assert set(wide(path, annotator="who").ratings["item"]) == {"Q1", "Q2", "X"}
    assert set(wide(path, annotator="who", item="Q*,Age").ratings["item"]) == {"Q1", "Q2", "Age"}
    for names in ({"item": "Z*"}, {"annotator": "Z"}):
        with pytest.raises(TableError, match="no column 'Z"):
            wide(path, **names)
    with pytest.raises(StudyError, match="no 'answer' to map"):
        wide(path, answer="Q1")


def test_what_qualtrics_adds_is_not_an_item_even_if_it_is_named(tmp_path: Path) -> None:
    path = qualtrics(tmp_path, response(1, "5", "1", "4"), response(2, "4", "2", "5"))
    with pytest.raises(TableError, match="'UserLanguage' is not a question: its import id"):
        wide(path, item="UserLanguage")


def test_a_pattern_takes_no_timing_and_no_text_box(tmp_path: Path) -> None:
    path = qualtrics(tmp_path, response(1, "5", "1", "4"), response(2, "4", "2", "5"))
    assert set(wide(path, item="Q*").ratings["item"]) == {"Q1", "Q2_1", "Q3"}
    assert set(wide(path, item="Q3_First Click").ratings["item"]) == {"Q3_First Click"}


def test_import_ids_without_a_question_leave_the_guess_to_names(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    ids = ",".join(["\"{'ImportId': 'q'}\""] * 3)
    path.write_text(f"ResponseId,Q1,Q_RecaptchaScore\nid,A dog.,x\n{ids}\nR1,5,0.9\nR2,4,0.8\n")
    for names in ({}, {"item": "Q*"}):
        assert set(wide(path, **names).ratings["item"]) == {"Q1"}


@pytest.mark.parametrize(
    ("header", "proposal"),
    [
        ("ResponseId,Q1,Q2,Q_RecaptchaScore", "item=Q*"),
        ("annotator,t1,t2,Age", "item=t*"),
        ("annotator,t1,Age,u2", "item=t1,u2"),
        ('annotator,"Hot, or [not]?",Age,b*', "item=Hot? or [[]not][?],b[*]"),
    ],
)
def test_the_proposal_reads_the_columns_it_was_printed_for(
    tmp_path: Path, header: str, proposal: str
) -> None:
    path = tmp_path / "r.csv"
    path.write_text(f"{header}\na,1,2,3\nb,2,3,4\n")
    guess = wide(path)
    assert f"as in {proposal}." in guess.notes[0]
    named = wide(path, item=proposal.removeprefix("item="))
    assert named.ratings.equals(guess.ratings)


def test_a_bad_cell_is_named_by_line_and_column(tmp_path: Path) -> None:
    path = qualtrics(tmp_path, response(1, "5", "1", "4"), response(2, "inf", "1", "5"))
    with pytest.raises(TableError, match=r"export\.csv:6: Q1 'inf' is not a number"):
        wide(path)


def test_a_table_without_items_says_how_to_name_them(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("annotator,comment\na,hello\n")
    with pytest.raises(TableError, match="no column looks like an item"):
        wide(path)
    unfinished = qualtrics(tmp_path, response(1, "5", "1", "4", done="False"))
    with pytest.raises(TableError, match="no finished response"):
        wide(unfinished)


def test_labels_without_import_ids_are_not_a_person(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text(
        "StartDate,ResponseId,Finished,Q1,Q2\nStart Date,Response ID,Finished,A dog.,A stone.\n"
        "2026-05-01,R1,True,5,1\n2026-05-01,R2,True,4,2\n"
    )
    found = wide(path)
    assert found.ratings["value"].to_list() == [5, 4, 1, 2]
    assert found.items is not None
    assert found.items["text"].to_list() == ["A dog.", "A stone."]


def test_a_column_answered_unlike_the_items_is_left_out_and_reported(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("annotator,t1,t2,t3,t4,x,year\n" + "a,1,5,2,5,yes,1990\nb,2,5,1,5,no,1985\n")
    found = wide(path)
    assert set(found.ratings["item"]) == {"t1", "t2", "t3", "t4"}
    assert "Left out: x, year." in found.notes[0]
    assert set(wide(path, item="t1,x").ratings["item"]) == {"t1", "x"}


def test_words_that_no_item_shares_are_not_an_item_but_a_unanimous_answer_is(
    tmp_path: Path,
) -> None:
    path = tmp_path / "r.csv"
    path.write_text(
        "annotator,t1,t2,t3,t4,first time\na,good,bad,good,awful,yes\nb,bad,good,good,awful,no\n"
    )
    found = wide(path)
    assert set(found.ratings["item"]) == {"t1", "t2", "t3", "t4"}
    assert "Left out: first time." in found.notes[0]


def answered(found: Imported) -> dict[str, list[tuple[str, str]]]:
    """Return item and answer of every rating, by question."""
    rows = found.ratings.select("question", "item", "answer").sort("question", "item", "answer")
    by: dict[str, list[tuple[str, str]]] = {}
    for question, item, answer in rows.rows():
        by.setdefault(question, []).append((item, answer))
    return by


def test_two_arrays_of_limesurvey_are_two_questions_about_the_same_items(tmp_path: Path) -> None:
    path = tmp_path / "survey.csv"
    path.write_text(
        "id,submitdate,lastpage,startlanguage,seed,G01Q01[SQ001],G01Q01[SQ002],G02Q02[SQ001],"
        "G02Q02[SQ002]\n"
        "1,2024-01-01 10:00:00,2,en,7,6,1,Y,N\n2,2024-01-01 11:00:00,2,en,8,5,2,Y,Y\n"
    )
    assert answered(import_ratings(path)) == {
        "G01Q01": [("SQ001", "5"), ("SQ001", "6"), ("SQ002", "1"), ("SQ002", "2")],
        "G02Q02": [("SQ001", "Y"), ("SQ001", "Y"), ("SQ002", "N"), ("SQ002", "Y")],
    }


def matrices(folder: Path, first: list[list[str]], second: list[list[str]]) -> Path:
    """Write an export of Qualtrics with one matrix of four rows, or two with the same rows."""
    tags = [f"Q{q}_{n}" for q, block in ((1, first), (2, second)) if block for n in (1, 2, 3, 4)]
    texts = ("A dog barks.", "A stone barks.", "Rain is wet.", "Rain is dry.")
    labels = [f"How {tag[:2]}? - {texts[int(tag[-1]) - 1]}" for tag in tags]
    ids = ['{"ImportId":"QID' + tag[1:] + '"}' for tag in tags]
    blocks = zip(first, second or [[] for _ in first], strict=True)
    people = [[f"R_{n}", *a, *b] for n, (a, b) in enumerate(blocks)]
    header = [["ResponseId", *tags], ["Response ID", *labels], ['{"ImportId":"_recordId"}', *ids]]
    path = folder / "matrices.csv"
    with path.open("w", newline="") as target:
        csv.writer(target).writerows([*header, *people])
    return path


def test_a_slider_with_the_rows_of_a_matrix_is_a_second_question_and_loses_no_row(
    tmp_path: Path,
) -> None:
    path = matrices(
        tmp_path,
        [["7", "1", "6", "2"], ["6", "2", "7", "1"]],
        [["90", "0", "75", "20"], ["80", "12", "99", "30"]],
    )
    by = answered(import_ratings(path))
    assert {question: len(given) for question, given in by.items()} == {"Q1": 8, "Q2": 8}
    assert {item for item, _ in by["Q1"]} == {item for item, _ in by["Q2"]}


def test_a_row_of_a_matrix_answered_mostly_in_words_is_an_item_like_its_neighbours(
    tmp_path: Path,
) -> None:
    ends = "Completely plausible"
    path = matrices(
        tmp_path, [[ends, "2", "3", "1"], [ends, "3", "5", "2"], ["6", "2", ends, "1"]], []
    )
    assert answered(import_ratings(path))["rating"][:3] == [
        ("Q1_1", "6"),
        ("Q1_1", ends),
        ("Q1_1", ends),
    ]
