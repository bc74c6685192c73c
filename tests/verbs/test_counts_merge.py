"""Merged counts: every row is there once, with its corpus."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

from plausibly.cli import run
from plausibly.errors import StudyError, TableError
from plausibly.verbs.counts_merge import counts_merge
from plausibly.verbs.extract import extract
from worlds.trees import DOG, GIRL, conllu


@pytest.fixture
def folders(tmp_path: Path) -> list[Path]:
    for name, trees in {"news": [DOG, GIRL], "wiki": [DOG, DOG]}.items():
        (tmp_path / f"{name}.conllu").write_bytes(conllu(*trees))
        file = tmp_path / f"{name}.conllu"
        extract(file, output=tmp_path / name, workers=1, examples=1)
    return [tmp_path / "news", tmp_path / "wiki"]


def test_every_row_is_kept_with_its_corpus(folders: list[Path], tmp_path: Path) -> None:
    merged = counts_merge([f"papers={folders[0]}", folders[1]], output=tmp_path / "both")
    counts = merged.counts.collect()
    for name, folder in (("papers", folders[0]), ("wiki", folders[1])):
        own = counts.filter(corpus=name).drop("corpus")
        assert own.equals(pl.read_parquet(folder / "counts.parquet"))
    assert counts.equals(counts.sort("relation", "head", "dependent", "corpus"))
    assert merged.svo.collect().filter(verb="chase")["corpus"].to_list() == ["papers", "wiki"]
    assert merged.examples is not None
    manifest = json.loads((tmp_path / "both" / "manifest.json").read_text())
    assert manifest["rows"]["counts"] == counts.height
    assert set(manifest["inputs"]["folders"]) == {"papers", "wiki"}


def test_the_command_says_what_the_function_says(
    folders: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    merged = counts_merge(folders, output=tmp_path / "both")
    assert run(["counts", "merge", *map(str, folders), "-o", str(tmp_path / "2"), "--json"]) == 0
    shown = capsys.readouterr()
    assert json.loads(shown.out) == merged.as_json()
    assert "2 corpora" in shown.err


def test_a_column_one_corpus_lacks_is_left_away_and_said(
    folders: list[Path], tmp_path: Path
) -> None:
    older = pl.read_parquet(folders[0] / "svo.parquet").drop("negated", "modal")
    older.write_parquet(folders[0] / "svo.parquet")
    merged = counts_merge(folders, output=tmp_path / "both")
    assert merged.outputs["svo.parquet"]["left_away"] == {"negated": ["news"], "modal": ["news"]}
    columns = merged.svo.collect_schema().names()
    assert not {"negated", "modal"} & set(columns)
    assert {"subject", "verb", "object", "count", "corpus"} <= set(columns)
    assert "svo.parquet has no column 'negated': news was counted without it" in merged.talk[0]
    older.drop("count").write_parquet(folders[0] / "svo.parquet")
    with pytest.raises(TableError, match=r"no column 'count'\. Extract this corpus again"):
        counts_merge(folders, output=tmp_path / "again")


def test_what_cannot_be_merged_is_refused(folders: list[Path], tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="needs two or more folders"):
        counts_merge(folders[:1], output=tmp_path / "both")
    with pytest.raises(StudyError, match="two corpora are called 'a'"):
        counts_merge([f"a={folders[0]}", f"a={folders[1]}"], output=tmp_path / "both")
    with pytest.raises(StudyError, match="cannot name a corpus"):
        counts_merge([f"a'b={folders[0]}", folders[1]], output=tmp_path / "both")
    (folders[0] / "svo.parquet").unlink()
    with pytest.raises(TableError, match=r"svo.parquet: no such file"):
        counts_merge(folders, output=tmp_path / "both")
    assert not (tmp_path / "both").exists()


def test_no_corpus_is_counted_twice(folders: list[Path], tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(folders[0], copy)
    for other in (folders[0], copy):
        with pytest.raises(StudyError, match="'a' and 'b' hold the same counts"):
            counts_merge([f"a={folders[0]}", f"b={other}"], output=tmp_path / "both")
    counts_merge(folders, output=tmp_path / "both")
    with pytest.raises(StudyError, match="merged already"):
        counts_merge([tmp_path / "both", copy], output=tmp_path / "three")


def test_nothing_else_is_written_over(folders: list[Path], tmp_path: Path) -> None:
    before = (folders[0] / "counts.parquet").read_bytes()
    with pytest.raises(StudyError, match="merging would overwrite its input"):
        counts_merge(folders, output=folders[0])
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("do not touch", encoding="utf-8")
    with pytest.raises(StudyError, match="not written by counts merge"):
        counts_merge(folders, output=tmp_path / "mine")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.txt"]
    assert (folders[0] / "counts.parquet").read_bytes() == before
    counts_merge(folders, output=tmp_path / "both")
    counts_merge(folders, output=tmp_path / "both")
    (folders[1] / "counts.parquet").write_text("x", encoding="utf-8")
    with pytest.raises(TableError, match=r"counts\.parquet: not Parquet"):
        counts_merge(folders, output=tmp_path / "other")
