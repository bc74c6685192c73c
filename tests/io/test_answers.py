"""No number is lost, no missing answer becomes a category, and what was guessed is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from plausibly.errors import TableError
from plausibly.io.imported import Imported
from plausibly.ratings import import_ratings

HEAD = "item,annotator,answer\n"


def imported(tmp_path: Path, text: str, name: str = "r.csv", **more: str) -> Imported:
    path = tmp_path / name
    path.write_text(text)
    return import_ratings(path, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "word",
    [
        "NA",
        "na",
        "N/A",
        "NaN",
        "nan",
        "None",
        "null",
        "NULL",
        "#N/A",
        "#NV",
        "<NA>",
        "",
        " ",
        '"NA"',
    ],
)
def test_a_missing_answer_is_counted_and_no_category(tmp_path: Path, word: str) -> None:
    found = imported(tmp_path, f"{HEAD}i1,a,4\ni1,b,{word}\ni2,b,{word}\n")
    assert found.ratings.select("item", "annotator", "answer", "value").rows() == [
        ("i1", "a", "4", 4.0)
    ]
    assert found.missing == {word.strip().strip('"') or "empty": 2}
    assert (found.silent_items, found.silent_annotators) == (("i2",), ("b",))
    assert "2 answers are missing" in found.notes[0]


def test_a_user_adds_words_or_wants_none(tmp_path: Path) -> None:
    text = f"{HEAD}i1,a,4\ni1,b,not sure\ni1,c,NA\n"
    assert imported(tmp_path, text, missing="not sure").missing == {"NA": 1, "not sure": 1}
    assert imported(tmp_path, text, missing="").ratings["answer"].to_list() == [
        "4",
        "not sure",
        "NA",
    ]
    with pytest.raises(TableError, match=r"r\.csv:2: no answer"):
        imported(tmp_path, f"{HEAD}i1,a,\n", missing="")


def test_what_may_be_an_answer_stays_and_is_said(tmp_path: Path) -> None:
    found = imported(tmp_path, f"{HEAD}i1,a,4\ni1,b,-\ni1,c,none\ni2,a,-\n")
    assert found.ratings["answer"].to_list() == ["4", "-", "none", "-"]
    assert found.missing == {}
    assert found.notes == (
        "Kept as answers: '-': 2, 'none': 1. If they are not answers, treat \"-,none\" as missing.",
    )
    assert imported(tmp_path, f"{HEAD}i1,a,4\ni1,b,-\n", missing="-").missing == {"-": 1}


@pytest.mark.parametrize(
    "words", ["weiß nicht", "Ich weiß nicht", "non so", "Je ne sais pas", "no sé", "I don't know"]
)
def test_an_answer_that_says_nothing_stays_and_is_suggested_as_missing(
    tmp_path: Path, words: str
) -> None:
    found = imported(tmp_path, f"{HEAD}i1,a,ja\ni1,b,{words}\n")
    assert found.ratings["answer"].to_list() == ["ja", words]
    assert any(f'treat "{words}" as missing' in note for note in found.notes)


def test_a_code_outside_the_range_of_a_slider_stays_and_is_suggested_as_missing(
    tmp_path: Path,
) -> None:
    slider = "".join(f"i{n},a,s,{n}\n" for n in range(0, 101, 5))
    inside = f"i1,b,s,99\ni1,b,t,-100\ni2,b,t,-99\ni3,b,t,30\n{slider}"
    found = imported(tmp_path, f"item,annotator,question,answer\n{inside}i9,b,s,-99\ni8,b,s,-99\n")
    assert found.missing == {}
    assert found.notes == (
        "Kept as answers: '-99': 2. If they are not answers, treat \"-99\" as missing.",
    )


SEMICOLONS = "item;annotator;answer\n"


def test_points_between_thousands_are_read_where_a_number_shows_them(tmp_path: Path) -> None:
    found = imported(tmp_path, f"{SEMICOLONS}i1;a;1.234,5\ni1;b;1.234\ni1;c;7,25\ni1;d;3\n")
    assert found.ratings["value"].to_list() == [1234.5, 1234.0, 7.25, 3.0]
    assert any(
        "points are read as separators of thousands in answer" in note for note in found.notes
    )


@pytest.mark.parametrize(
    ("answers", "line"),
    [
        (("4,5", "1.234", "3"), 3),
        (("4.5", "1,234", "3"), 3),
        (("1.234,5", "4.5", "3"), 3),
        (("1,234.5", "2", "3"), 2),
        (("1'234", "2", "3"), 2),
        (("1 234,5", "2", "3"), 2),
        (("1.234.567,5", "2", "1.23.4"), 4),
    ],
)
def test_a_number_with_two_readings_is_a_named_bad_row(
    tmp_path: Path, answers: tuple[str, ...], line: int
) -> None:
    rows = "".join(f"i1;{n};{answer}\n" for n, answer in enumerate(answers))
    with pytest.raises(TableError, match=rf"r\.csv:{line}: answer {answers[line - 2]!r}"):
        imported(tmp_path, SEMICOLONS + rows)


@pytest.mark.parametrize(
    "answer",
    ['"4,5"', '"1.234,5"', '"1,234.5"', "inf", "-Infinity", "1e999", "2024-05-01", "4-May"],
)
def test_what_was_meant_as_a_number_is_a_named_bad_row(tmp_path: Path, answer: str) -> None:
    with pytest.raises(TableError, match=r"r\.csv:3: answer .* is not a number.*\n1 bad row"):
        imported(tmp_path, f"{HEAD}i1,a,4\ni1,b,{answer}\ni1,c,5\n")


def test_words_and_dates_alone_are_categories(tmp_path: Path) -> None:
    for answers in (("yes", "no", "3-4"), ("1", "2", "not sure"), ("1", "5+", "3")):
        rows = "".join(f"i1,{n},{answer}\n" for n, answer in enumerate(answers))
        assert imported(tmp_path, HEAD + rows).ratings["answer"].to_list() == list(answers)


def test_decimal_commas_are_read_where_cells_are_not_separated_by_commas(tmp_path: Path) -> None:
    found = imported(tmp_path, "item;annotator;answer\ni1;a;4,5\ni1;b;3\ni1;c;NA\n")
    assert found.ratings["value"].to_list() == [4.5, 3.0]
    assert found.ratings["answer"].to_list() == ["4.5", "3"]
    assert any("semicolons" in note for note in found.notes)
    assert any("decimal commas" in note for note in found.notes)
    sets = imported(tmp_path, "item;annotator;answer\ni1;a;1,2\ni1;b;1,2,3\n")
    assert sets.ratings["answer"].to_list() == ["1,2", "1,2,3"]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("r.csv", "Item, annotator,ANSWER\ni1,a,4\n"),
        ("r.txt", "item\tannotator\tanswer\ni1\ta\t4\n"),
        ("r.csv", "item|annotator|answer\ni1|a|4\n"),
        ("r.txt", '{"item": "i1", "annotator": "a", "answer": 4}\n'),
        ("r.txt", '[{"item": "i1", "annotator": "a", "answer": 4}]\n'),
        ("r.csv", "\ufeffitem,annotator,answer,seconds,value\ni1,a,4,NA,NA\n"),
    ],
)
def test_headers_and_separators_are_recognised(tmp_path: Path, name: str, text: str) -> None:
    found = imported(tmp_path, text, name)
    assert found.ratings.select("item", "annotator", "answer").rows() == [("i1", "a", "4")]


def test_a_missing_column_proposes_the_map(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"columns=: annotator=Worker_ID\.$"):
        imported(tmp_path, "item,Worker_ID,answer\ni1,a,4\n", form="long")
    with pytest.raises(
        TableError,
        match=r"columns=: item=Task, annotator=rater, answer=NAME \(several",
    ):
        imported(tmp_path, "Task,rater,x\ni1,a,4\n")


@pytest.mark.parametrize("text", [HEAD, HEAD + "i1,a,NA\n"])
def test_a_file_without_a_rating_is_an_error(tmp_path: Path, text: str) -> None:
    with pytest.raises(TableError, match="no ratings"):
        imported(tmp_path, text)


def test_lines_are_those_of_the_file_though_answers_are_left_out(tmp_path: Path) -> None:
    text = f"{HEAD}i1,a,NA\ni1,b,4\n\ni1,,5\ni1,b,3\n"
    with pytest.raises(TableError) as raised:
        imported(tmp_path, text)
    assert "r.csv:5: no annotator" in str(raised.value)
    assert "r.csv:6: more than one row" in str(raised.value)


@pytest.mark.parametrize("form", ["mace", "crowdkit"])
def test_other_forms_leave_missing_answers_out_too(tmp_path: Path, form: str) -> None:
    text = "1,NA\n2,2\n" if form == "mace" else "Task,worker,label\nt1,a,NA\nt1,b,2\n"
    found = imported(tmp_path, text, form=form)
    assert "NA" not in found.ratings["answer"].to_list()


def test_the_first_sheet_of_a_workbook_is_read(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    for row in (
        ["Item", "annotator", "answer"],
        [],
        ["i1", "a", 4.0],
        ["i1", "b", 4.5],
        ["i2", "a"],
    ):
        book.active.append(row)
    path = tmp_path / "r.xlsx"
    book.save(path)
    found = import_ratings(path)
    assert found.ratings.select("item", "annotator", "answer").rows() == [
        ("i1", "a", "4"),
        ("i1", "b", "4.5"),
    ]
    assert found.missing == {"empty": 1}
    book.active.append(["i1", "a", 5])
    book.save(path)
    with pytest.raises(TableError, match=r"r\.xlsx:6: more than one row"):
        import_ratings(path)
    path.write_bytes(b"no workbook")
    with pytest.raises(TableError, match="not an Excel workbook"):
        import_ratings(path)
