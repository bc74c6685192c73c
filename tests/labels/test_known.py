from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from plausibly.errors import StudyError, TableError
from plausibly.labels.known import read_controls, read_priors


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_controls_are_read_by_line(tmp_path: Path) -> None:
    path = written(tmp_path, "controls.txt", "a\n\n b \n")
    assert read_controls(path, lines=["0", "1", "2"]) == {"0": "a", "2": "b"}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("c.csv", "item,label\nt1,a\nt2,\n"),
        ("c.tsv", "label\titem\na\tt1\n"),
        ("c.jsonl", '{"item": "t1", "label": "a"}\n'),
    ],
)
def test_controls_are_read_from_a_table(tmp_path: Path, name: str, text: str) -> None:
    assert read_controls(written(tmp_path, name, text)) == {"t1": "a"}


def test_controls_are_read_from_parquet(tmp_path: Path) -> None:
    path = tmp_path / "c.parquet"
    pl.DataFrame({"item": ["t1"], "label": ["a"]}).write_parquet(path)
    assert read_controls(path) == {"t1": "a"}


def test_controls_that_contradict_each_other_are_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "c.csv", "item,label\nt1,a\nt1,b\n")
    with pytest.raises(TableError, match="item 't1' has more than one label"):
        read_controls(path)


def test_lines_without_a_form_that_has_lines_are_refused(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="expected a table with the columns item and label"):
        read_controls(written(tmp_path, "c.txt", "a\nb\n"))
    with pytest.raises(TableError, match="no column 'label'"):
        read_controls(written(tmp_path, "c.jsonl", '{"item": "t1"}\n'))


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.csv"
    path.write_bytes(b"item,label\nt1,\xff\n")
    with pytest.raises(TableError, match=r"not UTF-8 \(byte 14\)"):
        read_controls(path)


def test_priors_may_stand_behind_tabs_or_commas(tmp_path: Path) -> None:
    assert read_priors(written(tmp_path, "p.tsv", "a\t1\n\nb, c\t2.5\n")) == {"a": 1, "b, c": 2.5}
    assert read_priors(written(tmp_path, "p.csv", "label,weight\na,1\n")) == {"a": 1}


@pytest.mark.parametrize("text", ["a\n", "a\tmany\n", "a\t1\na\t2\n", "", "a\t1\t2\n"])
def test_priors_that_say_nothing_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(TableError, match=r"p\.tsv"):
        read_priors(written(tmp_path, "p.tsv", text))
