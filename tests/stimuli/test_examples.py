"""Sentences behind items: found by their words, whatever the case, beside the counts or named."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from plausibly.errors import TableError
from plausibly.stimuli.examples import examples_near, sentences_behind

ROWS = [
    ("amod", "dog", "old", None, 1, "b", "An old dog.", 3),
    ("amod", "dog", "old", None, 2, "a", "Old dogs.", 0),
    ("amod", "dog", "Old", None, 1, "c", "The Old Dog.", 9),
    ("dobj", "dog", "old", None, 1, "z", "Not this relation.", 0),
    ("svo", "see", "dog", "cat", 1, "a", "Dogs see cats.", 5),
    ("svo", "see", "dog", "moon", 1, "a", "Dogs see the moon.", 7),
]
COLUMNS = ["relation", "head", "dependent", "object", "rank", "document", "sentence", "place"]


def kept(folder: Path, **more: list[str]) -> Path:
    frame = pl.DataFrame(ROWS, schema=COLUMNS, orient="row").with_columns(
        pl.Series(name, values) for name, values in more.items()
    )
    frame.write_parquet(folder / "examples.parquet")
    return folder / "examples.parquet"


def test_an_item_has_the_sentences_of_its_words_in_one_order(tmp_path: Path) -> None:
    pair = {"item": "i", "relation": "amod", "head": "Dog", "dependent": "old"}
    found = sentences_behind(pl.DataFrame([pair]), kept(tmp_path))
    assert found["sentence"].to_list() == ["The Old Dog.", "An old dog.", "Old dogs."]
    assert found["rank"].to_list() == [1, 2, 3]
    assert found.columns == ["item", "rank", "document", "sentence", "place"]


def test_a_triple_needs_its_object_and_no_sentence_is_no_row(tmp_path: Path) -> None:
    triples = [
        {"item": thing, "relation": "svo", "head": "see", "dependent": "dog", "object": thing}
        for thing in ("cat", "sun")
    ]
    found = sentences_behind(pl.DataFrame(triples), kept(tmp_path))
    assert found["item"].to_list() == ["cat"]
    assert found["sentence"].to_list() == ["Dogs see cats."]


def test_merged_counts_keep_the_name_of_the_corpus(tmp_path: Path) -> None:
    pair = {"item": "i", "relation": "amod", "head": "dog", "dependent": "old"}
    path = kept(tmp_path, corpus=["news", "wiki", "wiki", "wiki", "news", "wiki"])
    found = sentences_behind(pl.DataFrame([pair]), path)
    assert sorted(found["corpus"]) == ["news", "wiki", "wiki"]


def test_sentences_lie_beside_counts_or_nowhere(tmp_path: Path) -> None:
    assert examples_near(tmp_path) is None
    path = kept(tmp_path)
    assert examples_near(str(tmp_path)) == path
    assert examples_near(tmp_path / "svo.parquet") == path
    assert examples_near(pl.DataFrame()) is None


def test_what_is_no_table_of_sentences_is_refused_by_name(tmp_path: Path) -> None:
    other = tmp_path / "other.parquet"
    pl.DataFrame({"relation": ["amod"]}).write_parquet(other)
    items = pl.DataFrame([{"item": "i", "relation": "amod", "head": "a", "dependent": "b"}])
    with pytest.raises(TableError, match=r"other.parquet: no column 'head'; sentences of"):
        sentences_behind(items, other)
    pl.read_parquet(kept(tmp_path)).with_columns(pl.col("rank").cast(pl.String)).write_parquet(
        other
    )
    with pytest.raises(TableError, match="column 'rank' holds String, expected Int64"):
        sentences_behind(items, other)
    other.write_bytes(b"no")
    with pytest.raises(TableError, match="not a Parquet file"):
        sentences_behind(items, other)


def test_a_text_file_of_sentences_will_do(tmp_path: Path) -> None:
    path = tmp_path / "seen.csv"
    pl.read_parquet(kept(tmp_path)).write_csv(path)
    pair = {"item": "i", "relation": "dobj", "head": "dog", "dependent": "old"}
    assert sentences_behind(pl.DataFrame([pair]), path)["document"].to_list() == ["z"]
