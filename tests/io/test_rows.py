"""Reading files: every broken row is named by its line, and nothing else is said."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import polars as pl
import pytest

from plausibly.errors import TableError
from plausibly.io import read_rows, read_table
from plausibly.ratings import read_ratings, sources
from plausibly.tables import RATINGS

HEADER = "item,annotator,question,answer"


def written(folder: Path, name: str, *lines: str) -> Path:
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def complaint(path: Path) -> list[str]:
    with pytest.raises(TableError) as caught:
        read_table(path, RATINGS)
    return str(caught.value).splitlines()


def test_three_broken_rows_in_twenty_thousand_are_named_by_line(tmp_path: Path) -> None:
    lines = [f"t{row},a1,q,{1 + row % 5}" for row in range(20_000)]
    lines[16] = "t16,,q,3"
    lines[499] = "t499,a1"
    lines[7_000] = "t6999,a1,q,2"
    path = written(tmp_path, "ratings.csv", HEADER, *lines)
    said = complaint(path)
    assert said[0] == f"{path}:18: no annotator"
    assert said[1] == f"{path}:501: 2 columns, the header has 4"
    assert said[2].startswith(f"{path}:7002: more than one row for item='t6999'")
    assert said[3].startswith("3 bad rows.")
    assert len(said) == 4


def test_only_the_first_twenty_are_shown_but_all_are_counted(tmp_path: Path) -> None:
    path = written(tmp_path, "ratings.csv", HEADER, *(f"t{row},,q,3" for row in range(50)))
    said = complaint(path)
    assert len(said) == 21
    assert said[19].startswith(f"{path}:21: ")
    assert said[20].startswith("50 bad rows.")


def test_a_row_with_two_faults_counts_once(tmp_path: Path) -> None:
    said = complaint(written(tmp_path, "ratings.csv", HEADER, "t1,,q,", "t2,a,q,1"))
    assert said[-1].startswith("1 bad row.")


def test_lines_are_right_after_a_quoted_line_break_and_blank_lines(tmp_path: Path) -> None:
    path = written(tmp_path, "r.csv", HEADER, '"t\n1",a,q,1', "", "t2,,q,2")
    assert complaint(path)[0] == f"{path}:5: no annotator"


def test_a_value_that_is_no_number_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, "r.csv", HEADER + ",value", "t1,a,q,x,1", "t2,a,q,x,many", "t3,a,q,x,")
    assert complaint(path) == [
        f"{path}:3: value 'many' is not a number",
        "1 bad row. Nothing was written.",
    ]


@pytest.mark.parametrize("value", ["nan", "inf", "-Infinity"])
def test_a_value_that_is_not_finite_is_named(tmp_path: Path, value: str) -> None:
    path = written(tmp_path, "r.csv", HEADER + ",value", f"t1,a,q,x,{value}")
    assert complaint(path)[0] == f"{path}:2: value {value!r} is not a number"


def test_bytes_that_are_not_utf8_are_named(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes(HEADER.encode() + b"\nt1,a,q,1\nt2,\xff\xfe,q,1\n")
    assert complaint(path)[0] == f"{path}:3: not UTF-8"


def test_json_lines_are_named_by_line(tmp_path: Path) -> None:
    good = json.dumps({"item": "t1", "annotator": "a", "question": "q", "answer": 5})
    path = written(tmp_path, "r.jsonl", good, "", "{broken", "[1]")
    said = complaint(path)
    assert said[0].startswith(f"{path}:3: not JSON")
    assert said[1] == f"{path}:4: not a JSON object"


def test_elements_of_a_json_array_are_named_by_line(tmp_path: Path) -> None:
    rows = [{"item": f"t{row}", "annotator": "a", "question": "q", "answer": "1"} for row in "12"]
    rows[1]["annotator"] = ""
    path = tmp_path / "r.json"
    path.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    line = 1 + path.read_text().splitlines().index(" {", 2)
    assert complaint(path)[0] == f"{path}:{line}: no annotator"


@pytest.mark.parametrize("suffix", [".jsonl", ".json"])
def test_a_key_that_occurs_twice_is_named_by_line_and_never_overwritten(
    tmp_path: Path, suffix: str
) -> None:
    good = '{"item": "t1", "annotator": "a", "answer": 5, "more": [{"x": 1}]}'
    twice = '{"item": "t1", "annotator": "b", "answer": 5, "answer": 1}'
    inner = '{"item": "t1", "annotator": "c", "answer": 2, "more": [{"x": 1, "x": 2}]}'
    lines = [good, twice, inner]
    path = tmp_path / f"r{suffix}"
    path.write_text("[" + ",\n".join(lines) + "]" if suffix == ".json" else "\n".join(lines))
    with pytest.raises(TableError) as caught:
        read_rows(path).reject([])
    assert str(caught.value).splitlines()[:2] == [
        f"{path}:2: the key 'answer' occurs twice in one object",
        f"{path}:3: the key 'x' occurs twice in one object",
    ]


def test_numbers_in_json_become_answers_as_written(tmp_path: Path) -> None:
    row = {"item": "t", "annotator": "a", "question": "q", "answer": 5, "value": 5}
    frame = read_table(written(tmp_path, "r.jsonl", json.dumps(row)), RATINGS)
    assert frame.row(0) == ("t", "a", "q", "5", 5.0)


def test_a_packed_file_reads_like_the_plain_one(tmp_path: Path) -> None:
    plain = written(tmp_path, "r.tsv", HEADER.replace(",", "\t"), "t1\ta\tq\t1")
    packed = tmp_path / "r.tsv.gz"
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    assert read_table(packed, RATINGS).equals(read_table(plain, RATINGS))


def test_half_an_archive_is_one_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "r.csv.gz"
    path.write_bytes(gzip.compress(b"item\n" * 5000)[:-20])
    with pytest.raises(TableError, match="the archive is damaged"):
        read_rows(path)


@pytest.mark.parametrize(
    ("name", "content", "what"),
    [
        ("r.docx", "", "unknown file type"),
        ("r.csv", "", "the file is empty"),
        ("r.csv", "item,item\n", "is in the header twice"),
        ("r.json", "{}", "expected one JSON array"),
        ("r.json", "[\n{\n]", "r.json:3: not JSON"),
        ("r.parquet", "no", "not a Parquet file"),
    ],
)
def test_a_file_that_is_no_table_is_one_clear_error(
    tmp_path: Path, name: str, content: str, what: str
) -> None:
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises(TableError, match=what):
        read_rows(path)


def test_a_missing_column_is_named_with_those_found(tmp_path: Path) -> None:
    path = written(tmp_path, "r.csv", "item,annotator", "t,a")
    with pytest.raises(TableError, match=r"no column 'question'. Columns found: item, annotator"):
        read_table(path, RATINGS)


def test_columns_can_be_called_otherwise(tmp_path: Path) -> None:
    path = written(tmp_path, "r.csv", "task,who,question,answer,item", "t,a,q,1,other")
    frame = read_table(path, RATINGS, names={"item": "task", "annotator": "who"})
    assert frame.select("item", "annotator").row(0) == ("t", "a")


def test_a_header_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes(b"\xef\xbb\xbf" + HEADER.encode() + b"\r\nt1,a,q,1\r\n")
    assert read_table(path, RATINGS)["item"].to_list() == ["t1"]


def test_an_empty_optional_cell_is_null(tmp_path: Path) -> None:
    path = written(tmp_path, "r.csv", HEADER + ",comment,seconds", "t1,a,q,1,,", "t2,a,q,1,ok,1.5")
    frame = read_table(path, RATINGS)
    assert frame["comment"].to_list() == [None, "ok"]
    assert frame.schema["seconds"] == pl.Float64


def test_a_quote_that_never_closes_is_named_and_swallows_nothing(tmp_path: Path) -> None:
    lines = [f"t{row},a1,q,{1 + row % 5}" for row in range(20_000)]
    lines[4_999] = "t4999,a1"
    lines[9_999] = 't9999,a1,q,"2'
    lines[14_999] = "t1,a1,q,2"
    path = written(tmp_path, "ratings.csv", HEADER, *lines)
    said = complaint(path)
    assert said[0] == f"{path}:5001: 2 columns, the header has 4"
    assert said[1] == f"{path}:10001: a quote is opened and not closed"
    assert said[2].startswith(f"{path}:15001: more than one row for item='t1'")
    assert said[3].startswith("3 bad rows.")


def test_two_stray_quotes_are_two_bad_rows(tmp_path: Path) -> None:
    path = written(tmp_path, "r.csv", HEADER, 't1,a,q,"1', "t2,a,q,1", 't3,a,q,"1', "t4,a,q,1")
    assert [line.partition(": ")[0] for line in complaint(path)[:2]] == [f"{path}:2", f"{path}:4"]


def test_a_row_that_is_short_and_not_utf8_is_one_bad_row(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes(HEADER.encode() + b"\nt1,a,q,1\nt2\xff,a\n")
    assert complaint(path)[0] == f"{path}:3: not UTF-8"


@pytest.mark.parametrize(
    ("head", "message"),
    [
        (b"it\xffem,annotator\n", ":1: not UTF-8"),
        ("item,annotator\n".encode("utf-16"), ": begins as UTF-16 and is not"),
    ],
)
def test_a_header_that_is_not_utf8_is_one_clear_error(
    tmp_path: Path, head: bytes, message: str
) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes(head + b"t1,a\n")
    with pytest.raises(TableError, match=f"{path}{message}"):
        read_rows(path)


def test_an_archive_damaged_in_the_middle_is_one_clear_error(tmp_path: Path) -> None:
    packed = bytearray(gzip.compress(b"".join(b"%d,x\n" % row for row in range(5000))))
    packed[200:260] = bytes(60)
    path = tmp_path / "r.csv.gz"
    path.write_bytes(packed)
    with pytest.raises(TableError, match="the archive is damaged"):
        read_rows(path)


def test_endings_may_be_in_capitals(tmp_path: Path) -> None:
    path = tmp_path / "R.CSV.GZ"
    path.write_bytes(gzip.compress(f"{HEADER}\nt1,a,q,1\n".encode()))
    assert read_table(path, RATINGS).height == 1


def test_a_very_long_cell_does_not_hide_a_broken_row(tmp_path: Path) -> None:
    long = "x" * 200_000
    path = written(tmp_path, "r.csv", HEADER + ",comment", f"t1,a,q,1,{long}", "t2,a,q,1")
    assert complaint(path)[0] == f"{path}:3: 4 columns, the header has 5"


@pytest.mark.parametrize("answer", [[["1"], ["2"]], [b"\xff", b"\xfe"]])
def test_answers_of_a_strange_type_are_one_clear_error(
    tmp_path: Path, answer: list[object]
) -> None:
    path = tmp_path / "r.parquet"
    pl.DataFrame({"item": ["t1", "t2"], "annotator": "a", "answer": answer}).write_parquet(path)
    with pytest.raises(TableError, match="column 'answer'"):
        read_ratings(path)


def test_a_bare_string_is_not_a_row(tmp_path: Path) -> None:
    path = written(tmp_path, "r.jsonl", '"oops"', '{"item": NaN}')
    said = complaint(path)
    assert said[0] == f"{path}:1: not a JSON object"
    assert said[1] == f"{path}:2: NaN or Infinity"


def test_json_with_a_byte_order_mark_is_read(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_bytes(b'\xef\xbb\xbf[{"item": "t", "annotator": "a", "question": "q", "answer": 1}]')
    assert read_table(path, RATINGS).height == 1


def test_a_byte_of_json_that_is_not_utf8_is_named_by_line(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_bytes(b'[\n{"item":\n"\xff"}]')
    with pytest.raises(TableError, match=f"{path}:3: not UTF-8"):
        read_rows(path)


@pytest.mark.parametrize("coding", ["utf-16", "utf-16-be", "utf-32"])
@pytest.mark.parametrize("name", ["r.tsv", "r.txt"])
def test_a_file_in_utf16_reads_like_one_in_utf8(tmp_path: Path, name: str, coding: str) -> None:
    text = "item\tannotator\tanswer\r\nMädchen\ta\t4\r\nt2\tb\t5\r\n"
    mark = "\ufeff" if coding == "utf-16-be" else ""
    path = tmp_path / name
    path.write_bytes((mark + text).encode(coding))
    ratings = sources.read_ratings(path).ratings
    assert ratings["item"].to_list() == ["Mädchen", "t2"]
    assert ratings["answer"].to_list() == ["4", "5"]


def test_half_a_file_in_utf16_is_one_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes("item,annotator,answer\nt1,a,4\n".encode("utf-16")[:-1])
    with pytest.raises(TableError, match="begins as UTF-16 and is not"):
        read_rows(path)


def test_the_line_that_names_the_separator_is_no_header(tmp_path: Path) -> None:
    path = written(tmp_path, "r.csv", "sep=;", "item;annotator;answer", "t1;a;4,5", "t2;b;3,5")
    assert sources.read_ratings(path).ratings["answer"].to_list() == ["4.5", "3.5"]
    path = written(tmp_path, "r.csv", "sep=;", "item;annotator;question;answer", "t1;;q;4")
    assert complaint(path)[0] == f"{path}:3: no annotator"


def test_rows_of_nothing_but_separators_are_passed_over(tmp_path: Path) -> None:
    path = written(tmp_path, "r.csv", HEADER, "t1,a,q,4", ",,", ",,,,,,")
    assert read_table(path, RATINGS).height == 1


def test_names_of_rows_without_a_header_are_passed_over_and_said(tmp_path: Path) -> None:
    path = written(tmp_path, "r.csv", "item,annotator,answer", '"1","t1","a",4', '"7","t1","b",5')
    imported = sources.read_ratings(path)
    assert imported.ratings["annotator"].to_list() == ["a", "b"]
    assert "every row begins with a row name" in " ".join(imported.notes)
    path = written(tmp_path, "r.csv", "item,annotator,answer", "t1,a,4,5", "t2,a,3,5")
    with pytest.raises(TableError, match="4 columns, the header has 3"):
        sources.read_ratings(path)


def test_a_carriage_return_amid_lines_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes(b"item,annotator,answer\r\ni1,a,4\r+i2,a,4\r\ni1,a,5\r\n")
    with pytest.raises(TableError, match=r"r\.csv:2: a carriage return in a cell without quotes"):
        read_ratings(path)
