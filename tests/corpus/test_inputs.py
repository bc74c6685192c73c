"""Inputs: paths, folders and patterns name files, each once and in order."""

from __future__ import annotations

import bz2
import gzip
import os
from pathlib import Path

import pytest

from plausibly.corpus.inputs import find_files, form_of, passed_over
from plausibly.errors import StudyError, TableError, UnknownName


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b.conllu", "a.conllu.gz", "in/c.conllu.bz2", "README.md", ".d.conllu", "e.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"")
    return tmp_path


def names(files: list[Path], folder: Path) -> list[str]:
    return [str(file.relative_to(folder)) for file in files]


def test_a_folder_means_its_files_of_the_form_at_any_depth(folder: Path) -> None:
    found = find_files([folder], "conllu")
    assert names(found, folder) == ["a.conllu.gz", "b.conllu", "in/c.conllu.bz2"]


def test_a_pattern_means_what_it_matches(folder: Path) -> None:
    assert names(find_files([folder / "*.conllu*"], None), folder) == ["a.conllu.gz", "b.conllu"]
    assert names(find_files([folder / "**/c.*"], None), folder) == ["in/c.conllu.bz2"]


def test_a_file_named_twice_is_read_once(folder: Path) -> None:
    twice = [folder / "b.conllu", folder, folder / "in" / ".." / "b.conllu"]
    assert names(find_files(twice, "conllu"), folder)[0] == "b.conllu"
    assert len(find_files(twice, "conllu")) == 3


def test_a_file_named_by_itself_is_read_whatever_its_ending(folder: Path) -> None:
    assert names(find_files([folder / "README.md"], "text"), folder) == ["README.md"]


def test_an_empty_folder_is_refused_with_what_was_expected(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"no conllu files in this folder.*\.conllu"):
        find_files([tmp_path], "conllu")


def test_a_pipe_is_refused_by_name(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for pipe in (tmp_path / "pipe", Path("/dev/null")):
        with pytest.raises(TableError, match=f"{pipe}: not a regular file"):
            find_files([pipe], "conllu")


@pytest.mark.parametrize("name", ["absent.conllu", "absent*.conllu"])
def test_what_is_not_there_is_named(tmp_path: Path, name: str) -> None:
    with pytest.raises(TableError, match="absent"):
        find_files([tmp_path / name], None)


def test_an_unknown_form_is_refused(folder: Path) -> None:
    with pytest.raises(UnknownName, match="Did you mean 'conllu'"):
        find_files([folder], "conlu")


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("x.conllu.gz", "conllu"),
        ("x.txt", "text"),
        ("x.jsonl", "jsonl"),
        ("x.parquet", "parquet"),
        ("enwiki-pages-articles.xml.bz2", "dump"),
        ("enwiki-pages-articles1.xml-p10p30302.bz2", "dump"),
    ],
)
def test_the_ending_tells_the_form(name: str, form: str) -> None:
    assert form_of([Path(name)]) == form


def test_files_that_tell_no_or_several_forms_need_to_be_told() -> None:
    with pytest.raises(StudyError, match=r"wiki_00: the ending does not show the format.*format="):
        form_of([Path("a.txt"), Path("wiki_00")])
    told = r"more than one format: text \(a.txt\), conllu \(b.conllu\).*format="
    with pytest.raises(StudyError, match=told):
        form_of([Path("a.txt"), Path("b.conllu"), Path("c.txt")])


DOC = b'<doc id="1" url="u" title="Dogs">\nDogs\n\nDogs bark.\n</doc>\n'


@pytest.mark.parametrize("name", ["a.txt", "a.txt.gz", "wiki_00", "a.text", "a.md", "a.txt.bz2"])
def test_articles_of_wikiextractor_are_known_by_their_content(tmp_path: Path, name: str) -> None:
    packed = {".gz": gzip.compress(DOC), ".bz2": bz2.compress(DOC)}
    (tmp_path / name).write_bytes(packed.get(Path(name).suffix, DOC))
    assert form_of([tmp_path / name]) == "wikiextractor"
    assert find_files([tmp_path], None) == [tmp_path / name]
    with pytest.raises(StudyError, match=r"WikiExtractor's format.*format=, or pass wikiextractor"):
        find_files([tmp_path / name], "text")


def test_a_file_that_is_passed_over_is_named(folder: Path) -> None:
    (folder / "b.text").write_bytes(b"Dogs bark.")
    files = find_files([folder], None)
    assert folder / "b.text" in files
    (said,) = passed_over([folder], files)
    assert said.startswith("1 files in the folders are skipped")
    assert str(folder / "README.md") in said
    assert passed_over([folder / "b.text"], files) == []
