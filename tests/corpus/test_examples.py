"""Examples: the same sentences whatever cuts the input, with the place they stand at."""

from __future__ import annotations

import gzip
from pathlib import Path

import polars as pl
import pytest

from plausibly.backends.duckdb import DuckdbEngine
from plausibly.corpus import Patterns, Request, Source, _shards, _staging, extract
from plausibly.corpus._examples import located
from plausibly.errors import StudyError
from plausibly.ports import Sentence
from worlds.trees import DOG, GIRL, LineParser, conllu

TREES = b"".join(b"# text = Sentence %d.\n" % n + conllu(DOG if n % 3 else GIRL) for n in range(60))


def examples(folder: Path, file: Path, form: str, *, workers: int = 1, **asked: int) -> bytes:
    engine = DuckdbEngine(workers=workers)
    request = Request(Source(form, seed=asked.pop("seed", 1)), Patterns(), **asked)
    parser = LineParser() if form == "text" else None
    extract([file], folder, request, engine=engine, parser=parser)
    engine.close()
    return (folder / "examples.parquet").read_bytes()


def test_each_pair_and_triple_has_its_sentences_by_rank(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_bytes(TREES)
    examples(tmp_path / "out", tmp_path / "a.conllu", "conllu", examples=3)
    kept = pl.read_parquet(tmp_path / "out" / "examples.parquet")
    counts = pl.read_parquet(tmp_path / "out" / "counts.parquet")
    columns = ["relation", "head", "dependent", "object", "rank", "document", "sentence", "place"]
    assert kept.columns == columns
    assert kept.height == 3 * (counts.height + 2)
    triple = kept.filter(relation="svo", head="chase")
    assert triple["object"].to_list() == ["cat"] * 3
    assert triple["rank"].to_list() == [1, 2, 3]
    assert kept.filter(relation="amod")["object"].null_count() == 6
    for document, sentence, place in triple["document", "sentence", "place"].iter_rows():
        assert document == "a.conllu"
        assert TREES[place:].startswith(f"# text = {sentence}\n".encode())


@pytest.mark.parametrize("name", ["a.conllu", "a.conllu.gz"])
def test_how_the_input_is_cut_and_packed_never_matters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / "1").mkdir()
    (tmp_path / "1" / "a.conllu").write_bytes(TREES)
    whole = examples(tmp_path / "whole", tmp_path / "1" / "a.conllu", "conllu", examples=2)
    monkeypatch.setattr(_shards, "SHARD", 700)
    packed = gzip.compress(TREES) if name.endswith(".gz") else TREES
    (tmp_path / name).write_bytes(packed)
    cut = examples(tmp_path / "cut", tmp_path / name, "conllu", examples=2)
    rows = [pl.read_parquet(part).drop("document") for part in (whole, cut)]
    assert name.endswith(".gz") or rows[0].equals(rows[1])
    again = examples(tmp_path / "again", tmp_path / name, "conllu", examples=2)
    assert again == cut


def test_texts_keep_their_document_and_rare_pairs_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text("\n\n".join([DOG] * 5 + [GIRL]))
    bytes_ = examples(tmp_path / "out", tmp_path / "a.txt", "text", examples=2, min_count=2)
    monkeypatch.setattr(_staging, "CHARACTERS", 1)
    cut = examples(tmp_path / "cut", tmp_path / "a.txt", "text", examples=2, min_count=2)
    assert cut == bytes_
    kept = pl.read_parquet(bytes_)
    assert set(kept["head"]) == {"chase", "cat"}
    assert all(name.startswith("a.txt:") for name in kept["document"])


def test_another_seed_draws_other_sentences(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_bytes(TREES)
    drawn = [
        examples(tmp_path / str(seed), tmp_path / "a.conllu", "conllu", examples=1, seed=seed)
        for seed in (1, 2)
    ]
    assert drawn[0] != drawn[1]


def test_a_run_without_examples_leaves_none_behind(tmp_path: Path) -> None:
    (tmp_path / "a.conllu").write_bytes(TREES)
    examples(tmp_path / "out", tmp_path / "a.conllu", "conllu", examples=1)
    engine = DuckdbEngine(workers=1)
    extract([tmp_path / "a.conllu"], tmp_path / "out", Request(Source("conllu")), engine=engine)
    engine.close()
    assert not (tmp_path / "out" / "examples.parquet").exists()
    with pytest.raises(StudyError, match="examples must be at least 0"):
        Request(Source("conllu"), examples=-1)


def test_a_sentence_is_found_in_its_text_again() -> None:
    text = "Dogs  do\nn't bark.  (They sing.)"
    words = [("Dogs", "do", "n't", "bark", "."), ("(", "They", "sing", ".", ")"), ("made", "up")]
    sentences = [Sentence(forms, (), (), (), ()) for forms in words]
    assert list(located(text, sentences)) == [
        (0, "Dogs do n't bark."),
        (20, "(They sing.)"),
        (32, "made up"),
    ]
