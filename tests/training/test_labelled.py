"""Text that teachers read: what is stored comes back, and what is no tree is left out."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from spacy.language import Language
from training.continue_parser import averaged
from training.labelled import (
    LONGEST_SENTENCE,
    Paragraph,
    article_paragraphs,
    read_labelled,
    tokenised,
    write_labelled,
)
from training.treebank import Tree

from plausibly.backends.spacy import MODEL

WORDS = ["Dogs", "bark", ".", "Cats", "sleep", "all", "day", "."]
SPACES = [True, False, True, True, True, True, False, False]


def tree(start: int, stop: int, heads: list[int], labels: list[str]) -> Tree:
    size = stop - start
    return Tree(
        document=start,
        forms=WORDS[start:stop],
        spaces=SPACES[start:stop],
        upos=["X"] * size,
        features=["Number=Plur"] + [""] * (size - 1),
        heads=heads,
        deprels=labels,
    )


def stored(tmp_path: Path, trees: dict[int, list[Tree]]) -> list[list[Tree]]:
    write_labelled(tmp_path / "labelled.npz", [Paragraph("1", WORDS, SPACES)] * 2, trees)
    return read_labelled(tmp_path / "labelled.npz")


def test_trees_come_back_in_runs_of_neighbours(tmp_path: Path) -> None:
    first = tree(0, 3, [2, 0, 2], ["nsubj", "root", "punct"])
    second = tree(3, 8, [2, 0, 4, 2, 2], ["nsubj", "root", "det", "obl:tmod", "punct"])
    runs = stored(tmp_path, {0: [first, second], 1: [second]})
    assert [[one.forms for one in run] for run in runs] == [
        [first.forms, second.forms],
        [second.forms],
    ]
    assert runs[0][1].heads == second.heads
    assert runs[0][1].deprels == second.deprels
    assert runs[0][0].features == first.features
    assert runs[0][0].spaces == first.spaces


def test_a_sentence_that_is_missing_ends_a_run(tmp_path: Path) -> None:
    ends = tree(0, 3, [2, 0, 2], ["nsubj", "root", "punct"])
    late = tree(5, 8, [0, 1, 1], ["root", "dep", "punct"])
    assert [len(run) for run in stored(tmp_path, {0: [ends, late]})] == [1, 1]


def test_very_long_sentences_are_left_out(tmp_path: Path) -> None:
    size = LONGEST_SENTENCE + 1
    long = Tree(
        forms=["a"] * size,
        spaces=[True] * size,
        upos=["X"] * size,
        features=[""] * size,
        heads=[0] + [1] * (size - 1),
        deprels=["root"] + ["dep"] * (size - 1),
    )
    paragraph = Paragraph("1", long.forms, long.spaces)
    write_labelled(tmp_path / "labelled.npz", [paragraph], {0: [long]})
    assert read_labelled(tmp_path / "labelled.npz") == []


def test_titles_and_short_lines_of_articles_are_no_paragraphs(tmp_path: Path) -> None:
    text = "A line that is long enough to be read as a paragraph of its own article."
    with gzip.open(tmp_path / "a.txt.gz", "wt", encoding="utf-8") as file:
        file.write(f'<doc id="7" title="x">\nThe title of this article {text}\n\n{text}\nShort.\n')
        file.write("</doc>\n")
    everything = list(article_paragraphs(tmp_path / "a.txt.gz", 1.0, 1))
    assert everything == [("7", text)]
    assert list(article_paragraphs(tmp_path / "a.txt.gz", 0.0, 1)) == []
    (paragraph,) = tokenised(spacy.blank("en"), everything)
    assert (
        "".join(
            form + " " * blank
            for form, blank in zip(paragraph.forms, paragraph.spaces, strict=True)
        )
        == text
    )


@given(st.lists(st.integers(0, 6), min_size=1, max_size=6))
def test_a_tree_has_one_root_that_every_word_reaches(heads: list[int]) -> None:
    pytest.importorskip("torch")
    from training.teach_parser import is_tree

    heads = [min(head, len(heads)) for head in heads]

    def reaches(word: int) -> bool:
        for _ in heads:
            word = heads[word - 1] if word else 0
        return word == 0

    words = range(1, len(heads) + 1)
    assert is_tree(heads) == (heads.count(0) == 1 and all(map(reaches, words)))


@given(st.lists(st.sampled_from(["a", "b", "."]), min_size=1, max_size=700))
def test_windows_cover_a_paragraph_without_a_gap(forms: list[str]) -> None:
    pytest.importorskip("torch")
    from training.teach_parser import WINDOW, windows

    spans = list(windows(Paragraph("1", forms, [True] * len(forms))))
    assert [start for start, _ in spans] == [0, *(stop for _, stop in spans[:-1])]
    assert spans[-1][1] == len(forms)
    assert all(0 < stop - start <= WINDOW for start, stop in spans)


def model_of(nlp: Language, name: str) -> Any:
    return cast("Any", nlp.get_pipe(name)).model


def test_the_mean_of_a_model_and_another_lies_between_them() -> None:
    one, two, fresh = (spacy.load(MODEL) for _ in range(3))
    before = model_of(one, "parser").to_bytes()
    for node in model_of(two, "tok2vec").walk():
        for name in filter(node.has_param, node.param_names):
            node.set_param(name, node.get_param(name) + 2)
    mean = averaged([one, two])
    assert model_of(mean, "parser").to_bytes() == before
    pairs = zip(model_of(mean, "tok2vec").walk(), model_of(fresh, "tok2vec").walk(), strict=True)
    for ours, theirs in pairs:
        for name in filter(theirs.has_param, theirs.param_names):
            assert np.allclose(ours.get_param(name), theirs.get_param(name) + 1, atol=1e-5)
