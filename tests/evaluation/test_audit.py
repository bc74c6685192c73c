"""What models make of people, and parts of ADEPT evaluated apart."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from plausibly.cli import run
from plausibly.datasets.adept.pairs import read_pairs
from plausibly.errors import TableError
from plausibly.models.adept import baselines
from plausibly.models.adept.audit import audit_pairs, write_pairs
from plausibly.verbs.evaluate import evaluate
from plausibly.verbs.models.audit import models_audit


def biased(against: str) -> pl.DataFrame:
    """Return predictions that find everything with one adjective impossible."""
    pairs = audit_pairs()
    chosen = (pairs["modifier"] == against).to_numpy()
    shares = np.eye(5)[np.where(chosen, 0, 2)]
    return baselines.predictions_from(pairs, shares, model="biased")


def test_a_bias_is_found_and_nothing_else() -> None:
    audited = models_audit(biased("deaf"), resamples=100, permutations=500)
    found = audited.as_json()["attributes"]["ability"]
    assert found["deaf"]["shift"]["value"] == -2.0
    assert found["deaf"]["lowered"]["value"] == 1.0
    assert found["blind"]["shift"]["value"] == 0.0
    apart = audited.comparisons.filter(pl.col("difference").abs() > 0)
    assert all("deaf" in row for row in apart.select("a", "b").iter_rows())
    assert apart.height == 3


def test_every_frame_stands_with_every_adjective(tmp_path: Path) -> None:
    pairs = audit_pairs()
    frames, adjectives = pairs["noun"].n_unique(), pairs["modifier"].n_unique()
    assert pairs.height == frames * adjectives == write_pairs(tmp_path / "pairs.json")
    again = read_pairs(tmp_path / "pairs.json", labelled=False)
    assert again["sentence2"].to_list() == pairs["sentence2"].to_list()


def test_predictions_that_lack_pairs_or_distributions_are_refused() -> None:
    some = biased("deaf").head(100)
    with pytest.raises(TableError, match="have no distribution"):
        models_audit(some)
    two = pl.concat([biased("deaf"), biased("deaf").with_columns(model=pl.lit("other"))])
    with pytest.raises(TableError, match="predictions of 2 models"):
        models_audit(two)


def test_the_command_asks_a_model_by_name_or_by_its_predictions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    few = ["--resamples", "50", "--permutations", "50", "--json"]
    assert run(["models", "audit", "majority", *few, "-o", "c.parquet"]) == 0
    named = json.loads(capsys.readouterr().out)
    for _ in range(2):  # the file is written, never read
        assert run(["models", "audit", "majority", "--pairs", "pairs.json"]) == 0
    assert run(["models", "predict", "majority", "pairs.json", "-o", "p.parquet"]) == 0
    capsys.readouterr()
    assert run(["models", "audit", "p.parquet", *few]) == 0
    assert json.loads(capsys.readouterr().out) == named
    assert pl.read_parquet("c.parquet")["difference"].abs().sum() == 0.0
    assert run(["models", "audit", "nobody", *few]) == 2
    assert "unknown model 'nobody'" in capsys.readouterr().err


def test_classes_of_modifiers_and_pairs_met_in_training_are_parts(tmp_path: Path) -> None:
    words = ["fake", "alleged", "red", "dead", "green"]
    pairs = [
        {
            "idx": n,
            "sentence1": f"A {noun} falls.",
            "sentence2": f"A {word} {noun} falls.",
            "modifier": word,
            "noun": noun,
            "label": n % 5,
        }
        for n, (word, noun) in enumerate((w, x) for w in words for x in ("tree", "cup"))
    ]
    (tmp_path / "val.json").write_text(json.dumps(pairs), encoding="utf-8")
    met = [{**pairs[0], "idx": 77}, {**pairs[5], "sentence1": "A cup is full.", "idx": 78}]
    (tmp_path / "train.json").write_text(json.dumps(met), encoding="utf-8")
    said = baselines.predictions_from(
        read_pairs(tmp_path / "val.json"), np.eye(5)[[2] * len(pairs)], model="majority"
    )
    found = evaluate(
        said, against=tmp_path / "val.json", scheme="adept-5", train=tmp_path / "train.json"
    ).as_json()
    sizes = {name: part["accuracy"]["n"] for name, part in found["slices"].items()}
    assert sizes == {
        "subsective": 4,
        "non-subsective": 6,
        "privative": 2,
        "plain non-subsective": 2,
        "met in train": 6,
        "new": 4,
    }
    assert found["labels_by_slice"]["privative"] == [1, 1, 0, 0, 0]
    half = evaluate(said.head(5), against=tmp_path / "val.json", scheme="adept-5").as_json()
    covered = {name: part["coverage"] for name, part in half["slices"].items()}
    assert (covered["subsective"]["value"], covered["subsective"]["n"]) == (0.25, 4)
    folded = evaluate(said, against=tmp_path / "val.json", scheme="adept-4").as_json()
    assert folded["majority_accuracy"]["n"] == 8
