"""`plausibly extract`: the contract of the command, on good and on bad input."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import polars as pl
import pytest

from plausibly.cli import run
from worlds.trees import DOG, GIRL, conllu


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


def test_a_bad_page_of_a_dump_is_named_without_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = b"<page><title>T</title><ns>0</ns><id>%d</id><text>%s</text></page>"
    pages = page % (1, b"Dogs bark.") + page % (2, b"\xff")
    (tmp_path / "a.xml").write_bytes(b"<mediawiki>" + pages + b"</mediawiki>")
    assert extract(tmp_path / "a.xml", "-o", tmp_path / "out") == 1
    assert f"{tmp_path / 'a.xml'}: page 2: not UTF-8" in capsys.readouterr().err


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
    assert "in the way" in capsys.readouterr().err


def test_an_empty_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "empty").mkdir()
    assert extract(tmp_path / "empty", "--format", "conllu", "-o", tmp_path / "out") == 1
    assert "no conllu files in this folder" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("--relations", "nsubjj"), 2, "Did you mean 'nsubj'"),
        (("--engine", "duck"), 2, "unknown engine"),
        (("--format", "txt"), 2, "conllu"),
        (("--articles", "5"), 2, "articles cannot be drawn"),
        (("--min-count", "0"), 2, "min-count"),
        (("--min-tokens", "-5"), 2, "min-tokens"),
        (("--min-links", "-5"), 2, "min-links"),
        (("--parser", "embeded"), 2, "Did you mean 'embedded'"),
        (("--memory", "lots"), 2, "memory must be a size"),
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
    assert extract(tmp_path / "a.txt", "--parser", "embeded", "-o", tmp_path / "out") == 2
    assert "Did you mean 'embedded'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_depcc_is_read_when_named(tmp_path: Path) -> None:
    rows = [("Dogs", "dog", "NNS", 1, "nsubj"), ("chase", "chase", "VBP", 1, "ROOT")]
    rows += [("cats", "cat", "NNS", 1, "dobj")]
    lines = [
        f"{place}\t{form}\t{lemma}\t{tag}\t{tag}\t_\t{head}\t{label}\t_\tO"
        for place, (form, lemma, tag, head, label) in enumerate(rows)
    ]
    (tmp_path / "part.gz").write_bytes(gzip.compress("\n".join([*lines, "", ""]).encode() * 5))
    assert extract(tmp_path, "--format", "depcc", "-o", tmp_path / "out") == 0
    svo = pl.read_parquet(tmp_path / "out" / "svo.parquet")
    assert svo[:, :4].rows() == [("dog", "chase", "cat", 5)]


def test_texts_are_parsed_by_the_embedded_parser(tmp_path: Path) -> None:
    pytest.importorskip("spacy")
    (tmp_path / "a.txt").write_text("The hungry dog chased a black cat.\n", encoding="utf-8")
    asked = ("--format", "text", "--parser", "embedded")
    assert extract(tmp_path / "a.txt", *asked, "-o", tmp_path / "out") == 0
    svo = pl.read_parquet(tmp_path / "out" / "svo.parquet")
    assert svo[:, :4].rows() == [("dog", "chase", "cat", 1)]
    versions = json.loads((tmp_path / "out" / "manifest.json").read_text())["versions"]
    assert {"spacy", "lemminflect", "polars"} <= versions.keys()
    counts = pl.read_parquet(tmp_path / "out" / "counts.parquet")
    assert ("nsubj_amod", "chase", "hungry", 1) in counts.rows()


def test_a_sample_of_a_dump_is_the_same_for_one_worker_and_for_two(tmp_path: Path) -> None:
    pytest.importorskip("spacy")
    page = "<page><title>T</title><ns>0</ns><id>{n}</id><text>{text}</text></page>"
    texts = [
        f"Dog number {n} chased the old cat.&lt;ref&gt;Note {n}.&lt;/ref&gt; Cats ran."
        for n in range(30)
    ]
    pages = "".join(page.format(n=n, text=text) for n, text in enumerate(texts))
    dump = tmp_path / "dump.xml.gz"
    dump.write_bytes(gzip.compress(f"<mediawiki>{pages}</mediawiki>".encode()))
    hashes = []
    for workers in (1, 2):
        out = tmp_path / f"out{workers}"
        asked = ["--format", "dump", "--articles", "10", "--seed", "1", "--workers", str(workers)]
        assert run(["extract", str(dump), *asked, "-o", str(out)]) == 0
        manifest = json.loads((out / "manifest.json").read_text())
        assert manifest["statistics"]["documents"] == 10
        assert manifest["statistics"]["sentences"] == 20
        hashes.append(manifest["outputs"])
    assert hashes[0] == hashes[1]
