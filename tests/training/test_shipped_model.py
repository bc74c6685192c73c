"""The model that comes with the package: what lies beside it, and how good it is."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from training.evaluate_parser import attachment_of, relation_scores, with_gold_words
from training.treebank import read_trees

from plausibly.backends.spacy import MODEL, EmbeddedParser, embedded_reader


def test_the_model_is_small_and_brings_card_and_licence() -> None:
    assert sum(path.stat().st_size for path in MODEL.rglob("*") if path.is_file()) <= 12_000_000
    assert "CC BY-SA 4.0" in (MODEL / "LICENSE.md").read_text(encoding="utf-8")
    card = (MODEL / "README.md").read_text(encoding="utf-8")
    assert all(part in card for part in ("## Data and licence", "## Scores", "## How to retrain"))


def test_no_path_of_the_training_machine_is_left_in_the_model() -> None:
    for name in ("config.cfg", "meta.json"):
        assert not re.search(r'"/|conllu', (MODEL / name).read_text(encoding="utf-8"))


def of_card(row: str, column: int) -> float:
    """Return a figure of the card's tables, as a fraction."""
    card = (MODEL / "README.md").read_text(encoding="utf-8")
    line = next(line for line in card.splitlines() if line.startswith(f"| {row} |"))
    return float(line.split("|")[column + 1].split("[")[0]) / 100


@pytest.mark.data
def test_attachment_on_ewt_test_is_what_the_card_says(data_folder: Path) -> None:
    groups = [[tree] for tree in read_trees(data_folder / "ud" / "en_ewt-ud-test.conllu.gz")]
    measured = attachment_of(groups, with_gold_words(embedded_reader(MODEL), groups))
    row = "EWT test, gold words, gold sentences"
    assert measured["upos"] == pytest.approx(of_card(row, 3), abs=0.005)
    assert measured["lemma"] == pytest.approx(of_card(row, 4), abs=0.005)
    assert measured["las"] == pytest.approx(of_card(row, 6), abs=0.005)
    assert measured["las"] >= 0.84


@pytest.mark.data
def test_relations_on_gum_dev_are_what_the_card_says(data_folder: Path) -> None:
    trees = read_trees(data_folder / "ud" / "en_gum-ud-dev.conllu.gz")
    measured = relation_scores(EmbeddedParser(), trees)["gold words, gold sentences"]
    assert (measured["svo, loose"]["n"], measured["svo, strict (PAP)"]["n"]) == (219, 70)
    for name in measured:
        assert measured[name]["value"] == pytest.approx(of_card(name, 1), abs=0.02)
    assert measured["svo, loose"]["value"] >= 0.82
    assert measured["amod"]["value"] >= 0.87
