"""What file systems and broken files do to us: one line that names the place, nothing left."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import polars as pl
import pytest

from plausibly.errors import PlausiblyError, StudyError, TableError, shown
from plausibly.io import (
    file_hash,
    filling,
    make_folder,
    read_bytes,
    read_json,
    read_records,
    read_rows,
    read_table,
    read_text,
    read_toml,
    sparing,
    text_rows,
    write_json,
    write_table,
    write_tables,
    write_text,
)
from plausibly.tables import RATINGS
from worlds.tables import ratings_of

RATING = {"item": ["i"], "annotator": ["a"], "question": ["q"], "answer": ["1"]}


@pytest.mark.parametrize("read", [read_bytes, read_text, read_json, read_toml, file_hash])
def test_what_cannot_be_read_is_named(tmp_path: Path, read: object) -> None:
    assert callable(read)
    for path, what in [
        (tmp_path / "none.csv", "no such file"),
        (tmp_path, "a folder"),
        (tmp_path / ("x" * 300), "the name is too long"),
    ]:
        with pytest.raises(PlausiblyError, match=what) as raised:
            read(path)
        assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("[" * 100_000, "nested too deeply"),
        ("[" + "1" * 5000 + "]", "4300 digits"),
        ('["\\ud800"]', "surrogate"),
        ("[1,", "not JSON"),
    ],
)
def test_json_that_cannot_be_held_is_a_flaw_of_its_file(
    tmp_path: Path, content: str, what: str
) -> None:
    for name in ("x.json", "x.jsonl"):
        path = tmp_path / name
        path.write_text(content)
        for read in (read_json, read_rows, read_records):
            if read is read_rows and name == "x.jsonl":
                assert what in read_rows(path).broken[0][1]
                continue
            with pytest.raises(TableError, match=what):
                read(path)


def test_both_halves_of_a_pair_are_text(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(json.dumps([{"text": "\N{GRINNING FACE}"}]))
    assert read_rows(path).frame["text"].to_list() == ["\N{GRINNING FACE}"]


@pytest.mark.parametrize(
    ("content", "what"),
    [(b"a = ", "not TOML"), (b"\xff", "not UTF-8"), (b"a=" + b"[" * 9999, "deep")],
)
def test_broken_toml_names_its_file(tmp_path: Path, content: bytes, what: str) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes(content)
    with pytest.raises(PlausiblyError, match=rf"x\.toml.*{what}"):
        read_toml(path)


def test_a_mark_before_a_text_is_no_part_of_it(tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_bytes("\ufeffa = 1".encode())
    assert read_toml(path) == {"a": 1}


def test_a_stray_carriage_return_is_no_quote(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_bytes(b"a,b\n1,2\r3\n")
    assert read_rows(path).broken == ((2, "a carriage return in a cell without quotes"),)


@pytest.mark.parametrize(
    "value",
    [
        pl.Series([[1.0]]),
        pl.Series([{"a": 1}]),
        pl.Series([b"\xff"]),
        pl.Series(["x"], dtype=pl.Categorical),
        pl.Series([b"x"]),
    ],
    ids=lambda series: str(series.dtype),
)
def test_a_parquet_column_without_numbers_is_named(tmp_path: Path, value: pl.Series) -> None:
    path = tmp_path / "r.parquet"
    pl.DataFrame({**RATING, "value": value}).write_parquet(path)
    with pytest.raises(TableError, match="value") as raised:
        read_table(path, RATINGS)
    assert str(path) in str(raised.value)


def test_categories_and_whole_floats_are_read_as_what_they_say(tmp_path: Path) -> None:
    path = tmp_path / "r.parquet"
    answers = pl.Series([4.0, 4.5])
    people = pl.Series(["a", "b"], dtype=pl.Categorical)
    frame = {"item": ["i", "i"], "annotator": people, "question": ["q", "q"], "answer": answers}
    pl.DataFrame(frame).write_parquet(path)
    ratings = read_table(path, RATINGS)
    assert ratings["answer"].to_list() == ["4", "4.5"]
    assert ratings["annotator"].to_list() == ["a", "b"]


def test_every_column_has_a_form_as_text(tmp_path: Path) -> None:
    path = tmp_path / "r.parquet"
    pl.DataFrame({"n": [1], "f": [2.0], "b": [True], "l": [[1, 2]]}).write_parquet(path)
    assert text_rows(read_rows(path)).frame.rows() == [("1", "2", "true", "[1, 2]")]


@pytest.mark.parametrize("name", [".", "", "..", "/", "/dev/full", "/dev/null"])
def test_only_a_file_is_written(name: str) -> None:
    with pytest.raises(StudyError, match=r"a folder|a device"):
        write_text(Path(name), "x")


def test_a_name_too_long_and_a_place_without_rights_are_named(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="too long"):
        write_text(tmp_path / ("x" * 300), "x")
    with pytest.raises(StudyError, match="/proc/x"):
        write_text(Path("/proc/x"), "x")
    with pytest.raises(StudyError, match="in the way"):
        make_folder(Path("/dev/null"))
    with pytest.raises(StudyError, match="in the way"):
        make_folder(Path("/dev/null/x"))
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "r.parquet"
    write_table(ratings_of({"i": "12"}), path, RATINGS)
    before = path.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", full)
        with pytest.raises(StudyError, match="disk is full"):
            write_table(ratings_of({"i": "1234"}), path, RATINGS)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["r.parquet"]


def test_a_full_disk_is_recognised_in_what_polars_says(tmp_path: Path) -> None:
    link = tmp_path / "r.parquet"
    with pytest.raises(StudyError, match="disk is full"), filling(tmp_path / "d"):
        pl.DataFrame(RATING).write_parquet("/dev/full")
    assert not link.exists()
    assert list(tmp_path.iterdir()) == []


def test_a_link_is_followed_also_where_it_leads_to_nothing_yet(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "there")
    write_text(tmp_path / "link", "x")
    assert (tmp_path / "there").read_text() == "x"
    assert (tmp_path / "link").is_symlink()
    (tmp_path / "lost").symlink_to(tmp_path / "nowhere" / "there")
    with pytest.raises(StudyError, match="no such folder"):
        write_text(tmp_path / "lost", "x")


def _fill(target: Path, names: tuple[str, ...]) -> None:
    with filling(target) as folder:
        for name in names:
            (folder / name).write_text("new")


def test_what_is_read_is_not_written_over(tmp_path: Path) -> None:
    path, link = tmp_path / "x.json", tmp_path / "link.json"
    path.write_text("old")
    link.symlink_to(path)
    with sparing([path]):
        for target in (path, link, tmp_path / "." / "x.json"):
            with pytest.raises(StudyError, match="would be overwritten"):
                write_json(target, {})
        with pytest.raises(StudyError, match="would be overwritten"):
            _fill(tmp_path, ("a.json", "x.json"))
        write_json(tmp_path / "other.json", {})
    assert path.read_text() == "old"
    assert not (tmp_path / "a.json").exists(), "none of the files moves where one may not"
    write_json(path, {})


def test_the_folder_one_stands_in_may_be_filled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with filling(Path()) as folder:
        (folder / "x").write_text("new")
    assert [one.name for one in tmp_path.iterdir()] == ["x"]
    with pytest.raises(StudyError, match="root"), filling(Path("/")):
        pass


def test_a_message_is_printable_and_not_endless() -> None:
    error = TableError("x.csv:2: value '" + "y" * 200_000 + "\0'\nsecond line")
    first, second = str(error).split("\n")
    assert len(first) < 600
    assert "\\x00" in first
    assert second == "second line"
    assert shown("ü … «x»") == "ü … «x»"


def test_several_tables_are_written_or_none(tmp_path: Path) -> None:
    ratings = ratings_of({"i": "12"})
    with pytest.raises(StudyError, match="no such folder"):
        write_tables(
            (ratings, tmp_path / "one.csv", RATINGS), (ratings, tmp_path / "no" / "2.csv", RATINGS)
        )
    assert list(tmp_path.iterdir()) == []
    write_tables(
        (ratings, tmp_path / "one.csv", RATINGS), (ratings, tmp_path / "two.parquet", RATINGS)
    )
    assert read_table(tmp_path / "one.csv", RATINGS).equals(
        read_table(tmp_path / "two.parquet", RATINGS)
    )


def test_a_nul_in_a_name_is_said_in_reading_and_in_writing() -> None:
    with pytest.raises(TableError, match="cannot contain a NUL"):
        read_bytes(Path("a\0b"))
    with pytest.raises(StudyError, match="cannot contain a NUL"):
        write_text(Path("a\0b"), "text")
