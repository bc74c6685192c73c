"""Rows that repeat a rating: copies are dropped, of others you choose."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import TableError
from plausibly.io.choices import Duplicates

HEADER = "item,annotator,answer,seconds\n"
DIFFERENT = "t1,a,2,7\nt2,a,5,3\nt1,a,2,7\nt1,a,5,9\n"


def table(folder: Path, rows: str) -> Path:
    path = folder / "ratings.csv"
    path.write_text(HEADER + rows)
    return path


def test_exact_copies_are_dropped_and_counted(tmp_path: Path) -> None:
    result = pb.read(table(tmp_path, "t1,a,2,7\nt1,b,5,3\nt1,a,2,7\nt1,a,2,7\n"))
    assert result.ratings.select("annotator", "answer").rows() == [("a", "2"), ("b", "5")]
    assert any("2 exact copies of rows were dropped" in note for note in result.notes)


def test_copies_with_the_row_names_of_r_are_copies(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    path.write_text('"","item","annotator","answer"\n"1","t","a",4\n"2","t","a",4\n')
    result = pb.read(path)
    assert result.ratings.height == 1
    assert any("1 exact copy of a row was dropped" in note for note in result.notes)


def test_rows_that_differ_are_named_by_both_lines_and_the_choices(tmp_path: Path) -> None:
    path = table(tmp_path, DIFFERENT)
    with pytest.raises(TableError) as caught:
        pb.read(path)
    assert f"{path}:5: more than one row for item='t1', annotator='a'" in str(caught.value)
    assert "lines 2 and 5 differ" in str(caught.value)
    assert "duplicates= first, last or mean" in str(caught.value)
    with pytest.raises(TableError, match="lines 3 and 4 differ"):
        pb.read(table(tmp_path, "t2,a,5,3\nt1,a,2,7\nt1,a,5,9\n"))


@pytest.mark.parametrize(
    ("duplicates", "answer", "value", "seconds"),
    [("first", "2", 2.0, 7.0), ("last", "5", 5.0, 9.0), ("mean", "3.5", 3.5, 7.0)],
)
def test_you_choose_what_is_kept(
    tmp_path: Path, duplicates: Duplicates, answer: str, value: float, seconds: float
) -> None:
    frame = pl.read_csv(table(tmp_path, DIFFERENT))
    for source in (tmp_path / "ratings.csv", frame):
        result = pb.read(source, duplicates=duplicates)
        rows = result.ratings.select("item", "answer", "value", "seconds").rows()
        assert rows == [("t1", answer, value, seconds), ("t2", "5", 5.0, 3.0)]
        assert any("1 row contradicts an earlier row" in note for note in result.notes)


def test_words_have_no_mean(tmp_path: Path) -> None:
    path = table(tmp_path, "t1,a,yes,1\nt1,a,no,1\n")
    with pytest.raises(TableError, match="have no mean; use duplicates= first or last"):
        pb.read(path, duplicates="mean")


def test_other_broken_rows_are_named_by_their_lines(tmp_path: Path) -> None:
    path = table(tmp_path, "t1,a,2,7\nt1,a,2,7\nt1,a,3,7\nt2,a,inf,3\nt3,,4,3\n")
    with pytest.raises(TableError) as caught:
        pb.read(path)
    for line in (4, 5, 6):
        assert f"{path}:{line}: " in str(caught.value)


def test_two_responses_of_one_person_to_a_survey(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("annotator,t1,t2\na,1,2\nb,3,4\na,1,2\nb,3,5\n")
    assert run(["read", str(path), "--format", "wide", "-o", str(tmp_path / "r.csv")]) == 1
    reading = ["--format", "wide", "--duplicates", "last", "-o", str(tmp_path / "r.csv")]
    assert run(["read", str(path), *reading]) == 0
    answers = pl.read_csv(tmp_path / "r.csv").select("item", "annotator", "answer").rows()
    assert answers == [("t1", "a", 1), ("t1", "b", 3), ("t2", "a", 2), ("t2", "b", 5)]
