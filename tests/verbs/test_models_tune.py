"""Encoders fine-tuned by `models tune`, resumed after a kill, and what they predict."""

from __future__ import annotations

import json
import shutil
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import plausibly as pb
from plausibly.backends.finetuning import training
from plausibly.cli import run
from plausibly.errors import StudyError, UnknownName
from plausibly.verbs.models._tuned import judged_texts, recipes_of
from worlds.encoders import SPECIAL, tiny_encoder

MODIFIERS = {"dead": 0, "big": 2, "loud": 3}
NOUNS = ("dog", "cat", "cow", "hen", "owl", "ant", "fox", "bee")
WORDS = (*SPECIAL, "a", "barks", ".", *MODIFIERS, *NOUNS)
GRID = """
rate = [5e-3, 1e-6]
epochs = 12
batch = 8
"""
BRIEF = "epochs = 1\nbatch = 8\nrate = 1e-3\n"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with an encoder, pairs whose label is in the modifier, and a grid."""
    folder = tmp_path_factory.mktemp("tuning")
    encoder = folder / "encoder"
    encoder.mkdir()
    tiny_encoder(encoder, WORDS)
    rows = [
        {
            "idx": number,
            "sentence1": f"A {noun} barks.",
            "sentence2": f"A {modifier} {noun} barks.",
            "modifier": modifier,
            "noun": noun,
            "label": label,
        }
        for number, (noun, (modifier, label)) in enumerate(
            (noun, one) for noun in NOUNS for one in MODIFIERS.items()
        )
    ]
    (folder / "pairs.json").write_text(json.dumps(rows), encoding="utf-8")
    (folder / "grid.toml").write_text(GRID, encoding="utf-8")
    return folder


def tune(world: Path, output: Path, **options: Any) -> Any:
    """Tune the tiny encoder on the pairs."""
    chosen: dict[str, Any] = {"items": world / "pairs.json", "encoder": world / "encoder"}
    return pb.models_tune(**chosen, output=output, **options)


@pytest.fixture(scope="module")
def tuned(world: Path) -> Any:
    """Return a model tuned on nouns in folds, by the better of two recipes."""
    grid = world / "grid.toml"
    return tune(world, world / "tuned", grid=grid, folds="noun", seeds=1)


def test_the_recipe_that_predicts_nouns_it_has_not_seen_is_chosen(tuned: Any) -> None:
    assert tuned.grid.filter("chosen")["rate"].to_list() == [5e-3]
    assert tuned.grid.filter("chosen")["accuracy"].item() > 0.7
    assert tuned.predictions.height == len(NOUNS) * len(MODIFIERS)
    assert tuned.about["recipe"]["rate"] == 5e-3
    assert tuned.about["labels"][0] == "impossible"


def test_a_tuned_model_predicts_and_its_predictions_are_evaluated(
    world: Path, tuned: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, said = str(world / "pairs.json"), str(tmp_path / "p.parquet")
    assert run(["models", "predict", str(tuned.folder), file, "-o", said]) == 0
    capsys.readouterr()
    command = ["evaluate", said, "--against", file, "--scheme", "adept-5", "--resamples", "0"]
    assert run([*command, "--json"]) == 0
    pairs = pl.read_json(world / "pairs.json")
    names = pl.read_parquet(said).sort(pl.col("item").cast(pl.Int64))["label"].to_list()
    right = [
        tuned.about["labels"][n] == name for n, name in zip(pairs["label"], names, strict=True)
    ]
    assert json.loads(capsys.readouterr().out)["accuracy"]["value"] == np.mean(right) > 0.5
    assert set(pl.read_parquet(said)["model"]) == {"encoder"}
    again = tuned.write(tmp_path / "copied")
    plain = pl.all().exclude("distribution")  # a mapping in Python, a text in a file
    predicted = pb.models_predict(again, file).predictions
    assert predicted.select(plain).equals(pl.read_parquet(said).select(plain))


def test_a_fit_that_was_killed_goes_on_after_its_last_epoch_and_ends_the_same(
    world: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "grid.toml").write_text("epochs = 2\nbatch = 24\nrate = 1e-3\n", encoding="utf-8")
    options: dict[str, Any] = {"grid": tmp_path / "grid.toml", "folds": "noun", "seeds": 1}
    whole = tune(world, tmp_path / "whole", **options)
    write, epochs = training.Checkpoint.write, []

    def killed(kept: Any, torch: Any, state: dict[str, Any]) -> None:
        epochs.append(state["epoch"])
        write(kept, torch, state)
        if len(epochs) in (1, 4):
            raise KeyboardInterrupt

    monkeypatch.setattr(training.Checkpoint, "write", killed)
    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            tune(world, tmp_path / "cut", **options)
    cut = tune(world, tmp_path / "cut", **options)
    fits = 1 + len(list((tmp_path / "cut" / "cells").glob("*.npz")))
    assert epochs == [1, 2] * fits
    assert not list((tmp_path / "cut").rglob("*.part"))
    assert cut.predictions.equals(whole.predictions)
    heads = [np.load(tmp_path / name / "seed-1" / "head.npz") for name in ("cut", "whole")]
    assert np.array_equal(heads[0]["weight"], heads[1]["weight"])
    monkeypatch.setattr(training.Checkpoint, "write", None)
    assert tune(world, tmp_path / "cut", **options).predictions.equals(whole.predictions)


@pytest.mark.parametrize(
    ("context", "seen"),
    [
        ("full", ("A cat purrs.", "A dead cat purrs.")),
        ("none", ("cat", "dead")),
        ("noun", ("cat", "dead cat")),
    ],
)
def test_the_encoder_sees_sentences_or_noun_and_modifier(
    tmp_path: Path, context: Any, seen: tuple[str, str]
) -> None:
    """ADEPT, section 5.2: without context, models see the noun and the modifier only."""
    sentences = {"sentence1": "A cat purrs.", "sentence2": "A dead cat purrs."}
    pair = {"idx": 0, **sentences, "modifier": "dead", "noun": "cat", "label": 0}
    (tmp_path / "pairs.json").write_text(json.dumps([pair]), encoding="utf-8")
    texts = judged_texts(tmp_path / "pairs.json", context)
    assert texts.seconds is not None
    assert (texts.firsts[0], texts.seconds[0]) == seen


def test_frozen_and_without_context_as_in_section_5(world: Path, tmp_path: Path) -> None:
    (tmp_path / "grid.toml").write_text(BRIEF, encoding="utf-8")
    brief: dict[str, Any] = {"grid": tmp_path / "grid.toml", "frozen": True, "seeds": 1}
    for context in ("none", "noun"):
        made = tune(world, tmp_path / context, context=context, **brief)
        said = pb.models_predict(made.folder, world / "pairs.json").predictions
        assert said.height == 24
    before = (world / "encoder" / "model.safetensors").read_bytes()
    after = (tmp_path / "none" / "seed-1" / "model.safetensors").read_bytes()
    torch = pytest.importorskip("safetensors.torch")
    one, two = torch.load(before), torch.load(after)
    assert all(bool((one[name] == two[name]).all()) for name in two)


def test_a_model_learns_the_distribution_of_answers_about_single_texts(
    world: Path, tmp_path: Path
) -> None:
    items = {"item": ["t1", "t2"] * 12, "text": ["A dog barks.", "A dead cat barks."] * 12}
    names = [f"{item}-{n}" for n, item in enumerate(items["item"])]
    pl.DataFrame({**items, "item": names}).write_csv(tmp_path / "items.csv")
    shares = ['{"1": 0.25, "5": 0.75}', '{"1": 1.0}'] * 12
    labels = {"item": names, "question": "plausible", "method": "mace", "label": ["5", "1"] * 12}
    pl.DataFrame({**labels, "distribution": shares}).write_csv(tmp_path / "labels.csv")
    (tmp_path / "grid.toml").write_text(
        "epochs = 40\nrate = 5e-3\nbatch = 8\nsmoothing = 0\n", encoding="utf-8"
    )
    made = pb.models_tune(
        items=tmp_path / "items.csv",
        labels=tmp_path / "labels.csv",
        encoder=world / "encoder",
        soft=True,
        grid=tmp_path / "grid.toml",
        seeds=1,
        output=tmp_path / "soft",
    )
    said = pb.models_predict(made.folder, tmp_path / "items.csv").predictions
    first = said.filter(pl.col("item") == "t1-0")["distribution"].item()
    assert first["5"] == pytest.approx(0.75, abs=0.1)
    assert set(said["question"]) == {"plausible"}


@pytest.mark.filterwarnings("ignore:.*torch.jit.script:DeprecationWarning")
@pytest.mark.parametrize("kind", ["Roberta", "DebertaV2", "DistilBert"])
def test_whatever_automodel_loads_can_be_tuned(world: Path, tmp_path: Path, kind: str) -> None:
    (tmp_path / "encoder").mkdir()
    encoder = tiny_encoder(tmp_path / "encoder", WORDS, kind=kind)
    (tmp_path / "grid.toml").write_text(BRIEF, encoding="utf-8")
    options: dict[str, Any] = {"grid": tmp_path / "grid.toml", "seeds": 1}
    made = pb.models_tune(
        items=world / "pairs.json", encoder=encoder, output=tmp_path / "m", **options
    )
    assert pb.models_predict(made.folder, world / "pairs.json").predictions.height == 24


def test_the_publications_grid_has_36_recipes(tmp_path: Path) -> None:
    page = (Path(pb.__file__).parents[2] / "docs" / "how-to" / "evaluate-models.md").read_text(
        encoding="utf-8"
    )
    block = page.split("```toml", 1)[1].split("```", 1)[0]
    tomllib.loads(block)
    (tmp_path / "grid.toml").write_text(block, encoding="utf-8")
    recipes = recipes_of(tmp_path / "grid.toml", frozen=False)
    assert len({(one.rate, one.epochs, one.batch) for one in recipes}) == 3 * 4 * 3


def test_what_cannot_be_tuned_is_refused_before_any_work(world: Path, tmp_path: Path) -> None:
    (tmp_path / "odd.toml").write_text("speed = 3\n", encoding="utf-8")
    with pytest.raises(UnknownName, match="speed"):
        tune(world, tmp_path / "m", grid=tmp_path / "odd.toml", folds="noun")
    with pytest.raises(StudyError, match="folds"):
        tune(world, tmp_path / "m", grid=world / "grid.toml")
    with pytest.raises(StudyError, match="verb"):
        tune(world, tmp_path / "m", folds="verb")
    with pytest.raises(StudyError, match="distributions"):
        tune(world, tmp_path / "m", soft=True)
    assert not (tmp_path / "m").exists()


def test_a_study_tunes_on_its_labels_and_evaluates_what_was_held_out(
    world: Path, tmp_path: Path
) -> None:
    folder = pb.init("adept", tmp_path / "study", example=True).folder
    (folder / "grid.toml").write_text(BRIEF, encoding="utf-8")
    shutil.copytree(world / "encoder", folder / "encoder")
    settings = folder / "study.toml"
    lines = ['encoder = "encoder"', 'grid = "grid.toml"', 'folds = "noun"', "seeds = 1"]
    section = "\n".join(["[models_tune]", *lines])
    parts = settings.read_text(encoding="utf-8").split("\n[")
    kept = "\n[".join(one for one in parts if not one.startswith("models_tune]"))
    settings.write_text(f"{kept}\n{section}\n", encoding="utf-8")
    study = pb.Study(folder)
    study.run(to="evaluate")
    said = pl.read_parquet(folder / "predictions.parquet")
    assert set(said["model"]) == {"encoder"}
    judged = pl.read_parquet(folder / "items.parquet").filter(kind="item")
    assert set(said["item"]) == set(judged["item"])
    assert "accuracy" in set(pl.read_parquet(folder / "scores.parquet")["metric"])
    again = pb.models_tune(
        items=folder / "items.parquet",
        labels=folder / "labels.parquet",
        encoder=folder / "encoder",
        grid=folder / "grid.toml",
        folds="noun",
        seeds=1,
        seed=study.settings.seed,
        output=tmp_path / "by-hand",
    )
    stored = json.loads((folder / "models_tune.json").read_text(encoding="utf-8"))
    assert stored == json.loads(json.dumps(again.as_json()))
