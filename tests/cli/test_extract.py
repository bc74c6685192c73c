"""`plausibly extract`: the contract of the command, on good and on bad input."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import polars as pl
import pytest

from plausibly.cli import run
from trees_inline import DOG, GIRL, conllu


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "a.conllu"
    path.write_bytes(conllu(*[DOG, GIRL] * 100))
    return path


def extract(*arguments: object) -> int:
    return run(["extract", *map(str, arguments), "--workers", "1"])


def test_four_files_are_written_and_statistics_shown(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert extract(corpus, "-o", tmp_path / "out") == 0
    written = {path.name for path in (tmp_path / "out").iterdir()}
    assert written == {"counts.parquet", "svo.parquet", "manifest.json", "quarantine.jsonl"}
    shown = capsys.readouterr()
    assert "sentences" in shown.out
    assert "svo triples" in shown.out
    assert "rows in counts.parquet" in shown.err


def test_json_is_one_document_with_the_manifest(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert extract(corpus, "-o", tmp_path / "out", "--json") == 0
    document = json.loads(capsys.readouterr().out)
    assert document == json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert document["statistics"]["relations"]["nsubj"]["pairs"] == 200


def test_options_reach_the_patterns(corpus: Path, tmp_path: Path) -> None:
    asked = ("--relations", "amod,svo", "--passives", "--drop-modal", "--min-count", 2)
    assert extract(corpus, "-o", tmp_path / "out", *asked) == 0
    parameters = json.loads((tmp_path / "out" / "manifest.json").read_text())["parameters"]
    assert parameters["relations"] == ["amod", "svo"]
    assert (parameters["passives"], parameters["drop_modal"]) == (True, True)
    assert (parameters["conjuncts"], parameters["min_count"]) == (False, 2)
    counts = pl.read_parquet(tmp_path / "out" / "counts.parquet")
    assert counts["relation"].unique().to_list() == ["amod"]


def test_a_gz_cut_in_half_keeps_what_was_read_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed = gzip.compress(conllu(*[f"w{n}/NOUN/2/nsubj run/VERB/0/root" for n in range(9000)]))
    (tmp_path / "a.conllu.gz").write_bytes(packed[: len(packed) // 2])
    assert extract(tmp_path / "a.conllu.gz", "-o", tmp_path / "out") == 0
    assert "a.conllu.gz: the archive is damaged" in capsys.readouterr().err
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["truncated"][0]["file"].endswith("a.conllu.gz")
    assert manifest["bad_lines"]["count"] == 0
    assert 1000 < manifest["statistics"]["sentences"] < 9000


def test_a_file_that_is_not_utf_8_is_refused_line_by_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = conllu(*["naïf/NOUN/2/nsubj run/VERB/0/root"] * 30).decode()
    (tmp_path / "a.conllu").write_bytes(text.encode("latin-1"))
    assert extract(tmp_path / "a.conllu", "-o", tmp_path / "out") == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines[0] == f"{tmp_path / 'a.conllu'}:1: not UTF-8"
    assert lines[19] == f"{tmp_path / 'a.conllu'}:58: not UTF-8"
    assert lines[20].startswith("30 bad lines.")
    assert not (tmp_path / "out").exists()


def test_a_line_of_ten_megabytes_is_one_bad_line(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus.write_bytes(corpus.read_bytes() + b"x" * 10_000_000 + b"\n\n" + conllu(DOG))
    assert extract(corpus, "-o", tmp_path / "out") == 0
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["bad_lines"]["count"] == 1
    assert manifest["statistics"]["sentences"] == 201
    assert f"{corpus}:1201: 10000000 bytes in one line" in capsys.readouterr().err


def test_strict_turns_findings_into_exit_1_once_all_is_written(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert extract(corpus, "-o", tmp_path / "sound", "--strict") == 0
    corpus.write_bytes(corpus.read_bytes() + b"broken\n")
    assert extract(corpus, "-o", tmp_path / "out", "--strict") == 1
    assert "the input is not sound: 1 bad lines" in capsys.readouterr().err
    assert (tmp_path / "out" / "counts.parquet").exists()


def test_a_folder_that_cannot_be_written_into_is_named(
    corpus: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert extract(corpus, "-o", corpus / "out") == 1
    assert "cannot be written into" in capsys.readouterr().err


def test_an_empty_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    assert extract(tmp_path / "empty", "--from", "conllu", "-o", tmp_path / "out") == 1
    assert "no conllu files in this folder" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--relations", "nsubjj"), 1, "Did you mean 'nsubj'"),
        (("--engine", "duck"), 1, "unknown engine"),
        (("--from", "txt"), 2, "conllu"),
        (("--articles", "5"), 1, "articles cannot be drawn"),
        (("--min-count", "0"), 2, "min-count"),
        (("--memory", "lots"), 1, "DuckDB cannot start"),
    ],
)
def test_wrong_options_are_refused_before_anything_is_written(
    corpus: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    code: int,
    said: str,
) -> None:
    assert extract(corpus, "-o", tmp_path / "out", *arguments) == code
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_an_unknown_parser_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_text("Dogs bark.", encoding="utf-8")
    assert extract(tmp_path / "a.txt", "--parser", "embeded", "-o", tmp_path / "out") == 1
    assert "Did you mean 'embedded'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
