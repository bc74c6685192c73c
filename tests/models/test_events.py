"""Models of events learnt from people: features by name, folds of verbs, and what is stored."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import MissingExtra, PlausiblyError
from plausibly.models.counts import Floats
from plausibly.models.events import FEATURES, chosen_features, known_form, standardised
from plausibly.study.results import finite

VERBS = ("eats", "carries", "paints", "pushes", "sells", "washes", "holds", "drops", "finds")
GOOD, ODD = (("dog", "bone"), ("woman", "bread")), (("justice", "bone"), ("winter", "theory"))


def events(folder: Path, *, flip: str = "") -> Path:
    """Write events that words decide; those with the verb `flip` have the other label."""
    rows = [
        (subject, verb, thing, int(good != (verb == flip)))
        for verb in (*VERBS, "lifts")
        for good, pairs in ((True, GOOD), (False, ODD))
        for subject, thing in pairs
    ]
    file = folder / f"events{flip}.csv"
    pl.DataFrame(rows, schema=["subject", "verb", "object", "label"], orient="row").write_csv(file)
    return file


def counted(folder: Path) -> Path:
    rows = [("nsubj", verb.removesuffix("s"), "dog", 4) for verb in VERBS]
    rows += [("nsubj", verb.removesuffix("s"), "woman", 3) for verb in VERBS]
    rows += [("dobj", verb.removesuffix("s"), "bone", 2) for verb in VERBS]
    rows += [("dobj", verb.removesuffix("s"), "bread", 5) for verb in VERBS]
    rows += [("dobj", "read", "theory", 2), ("nsubj", "come", "winter", 3)]
    table = pl.DataFrame(rows, schema=["relation", "head", "dependent", "count"], orient="row")
    table.write_csv(folder / "counts.csv")
    return folder / "counts.csv"


def norms(folder: Path) -> Path:
    words = {"dog": 4.9, "bone": 4.8, "woman": 4.5, "bread": 4.9, "justice": 1.5, "theory": 1.7}
    lines = [f"{word}\t{value}\tNoun" for word, value in words.items()]
    (folder / "norms.tsv").write_text("\n".join(["Word\tConc.M\tDom_Pos", *lines]))
    return folder / "norms.tsv"


def letters(texts: Sequence[str]) -> Floats:
    """Return a vector of letter counts at length 1: an encoder that needs no weights."""
    table = np.array([[text.count(chr(97 + n)) + 0.1 for n in range(26)] for text in texts])
    unit: Floats = table / np.linalg.norm(table, axis=1, keepdims=True)
    return unit


@pytest.fixture
def encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put letters in the place of MiniLM."""

    def encode(texts: Sequence[str], *, purpose: str) -> Floats:
        assert "minilm" in purpose
        return letters(texts)

    monkeypatch.setattr("plausibly.verbs.models.fit_events.sentence_vectors", encode)
    monkeypatch.setattr("plausibly.verbs.models.predict.sentence_vectors", encode)


@pytest.mark.usefixtures("encoder")
@pytest.mark.parametrize("features", [*FEATURES, ",".join(FEATURES)])
def test_every_group_of_features_is_learnt_from_stored_and_asked_again(
    features: str, tmp_path: Path
) -> None:
    file = events(tmp_path)
    own = chosen_features(features)
    fitted = pb.models_fit_events(
        file,
        features=features,
        counts=counted(tmp_path) if "counts" in own else None,
        norms=norms(tmp_path) if "concreteness" in own else None,
        resamples=0,
    )
    assert fitted.predictions.height == 40
    assert list(fitted.as_json()["settings"]["columns"]) == list(own)
    assert fitted.as_json()["cross_validated"]["auc"]["value"] > (
        0.4 if features == "frequency" else 0.7
    )
    fitted.save(tmp_path / "events.model")
    again = pb.models_predict(tmp_path / "events.model", file).predictions
    assert again["score"].is_between(0, 1).all()
    score = pb.evaluate(again, against=file, scheme="events", resamples=0).as_json()
    assert score["auc"]["value"] > 0.7


def test_no_label_of_a_verb_bears_on_what_is_said_of_its_events(tmp_path: Path) -> None:
    plain, turned = (
        pb.models_fit_events(
            events(tmp_path, flip=flip), features="vectors", resamples=0
        ).predictions
        for flip in ("", "lifts")
    )
    own = pl.col("item").str.contains(" lifts ")
    assert plain.filter(own)["score"].equals(turned.filter(own)["score"])
    assert not plain.filter(~own)["score"].equals(turned.filter(~own)["score"])


def test_command_and_python_say_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, model = events(tmp_path), tmp_path / "events.model"
    words = ["models", "fit", "events", file, "--features", "frequency", "--resamples", 20]
    assert run([str(word) for word in [*words, "-o", model, "--json"]]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed == finite(
        pb.models_fit_events(file, features="frequency", resamples=20).as_json()
    )


def test_groups_weigh_alike_however_wide_they_are() -> None:
    generator = np.random.default_rng(1)
    table = standardised([generator.normal(size=(50, 1)), generator.normal(size=(50, 400))])
    assert np.isclose((table.values[:, :1] ** 2).sum(), (table.values[:, 1:] ** 2).sum())


def test_a_word_is_found_in_any_regular_form() -> None:
    assert known_form("Dogs", {"dog"}) == "dog"
    assert known_form("carries", {"carry", "carrie"}, verbs=True) == "carrie"
    assert known_form("xyzzy", {"dog"}) is None


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"features": "vector"}, "unknown features 'vector'. Did you mean 'vectors'?"),
        ({"features": ""}, "unknown features"),
        ({"features": "counts"}, "need counts="),
        ({"features": "concreteness"}, "need norms="),
        ({"features": "vectors", "norms": "n.tsv"}, "norms= is for the features 'concreteness'"),
        ({"features": "vectors", "counts": "c"}, "counts= is for the features 'counts'"),
        ({"features": "vectors", "folds": 1}, "folds= must be 2 or more"),
        ({"features": "vectors", "folds": 6}, "6 folds need 12 different verbs"),
    ],
)
def test_what_cannot_be_learnt_from_is_said(
    options: dict[str, str], message: str, tmp_path: Path
) -> None:
    with pytest.raises(PlausiblyError, match=message.replace("?", r"\?")):
        pb.models_fit_events(events(tmp_path), **options)  # type: ignore[arg-type]


def test_few_events_one_label_and_two_labels_are_refused(tmp_path: Path) -> None:
    head = "subject,verb,object,label\n"
    few, same, twice = (tmp_path / f"{name}.csv" for name in ("few", "same", "twice"))
    few.write_text(head + "dog,eat,bone,1\nstone,eat,song,0\n")
    same.write_text(head + "".join(f"dog,verb{n},bone,1\n" for n in range(20)))
    twice.write_text(head + "dog,eat,bone,1\ndog,eat,bone,0\n")
    for file, message in ((few, "10 events or more"), (same, "both labels"), (twice, "two labels")):
        with pytest.raises(PlausiblyError, match=message):
            pb.models_fit_events(file)


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtra, match=r"plausibly\[transformers\]"):
        pb.models_fit_events(events(tmp_path), features="minilm")


def test_a_model_of_events_takes_no_relation(tmp_path: Path) -> None:
    fitted = pb.models_fit_events(events(tmp_path), features="frequency", resamples=0)
    fitted.save(tmp_path / "events.model")
    with pytest.raises(PlausiblyError, match="judges triples"):
        pb.models_predict(tmp_path / "events.model", events(tmp_path), relation="dobj")
