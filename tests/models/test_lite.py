"""The small models that come with the package: they run without extras and hold to their card."""

from __future__ import annotations

import json
from importlib import resources
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from plausibly.cli import run
from plausibly.datasets.triples import read_events
from plausibly.errors import TableError
from plausibly.models.lite.adept import predict_effects
from plausibly.models.lite.events import places_of, predict_events
from plausibly.models.lite.words import baked_vectors
from plausibly.verbs.evaluate import evaluate
from plausibly.verbs.models.predict import models_predict

SHIPPED = resources.files("plausibly.models.lite") / "shipped"
LARGEST = 5 * 1024 * 1024


def events(*texts: str) -> pl.DataFrame:
    rows = [(text, *text.split()) for text in texts]
    return pl.DataFrame(rows, schema=["item", "subject", "verb", "object"], orient="row")


def scores(*texts: str) -> dict[str, float]:
    return dict(predict_events(events(*texts)).select("item", "score").iter_rows())


def test_what_is_shipped_is_small_and_has_a_card() -> None:
    sizes = [Path(str(SHIPPED / name)).stat().st_size for name in ("adept.npz", "vectors.npz")]
    assert sum(sizes) <= LARGEST
    assert sum(path.stat().st_size for path in Path(str(SHIPPED)).iterdir()) <= LARGEST
    card = json.loads((SHIPPED / "card.json").read_text(encoding="utf-8"))
    assert all("licence" in card[name] for name in ("vectors", "events-lite", "adept-lite"))


def test_inflected_words_are_taken_for_their_lemmas() -> None:
    vectors = baked_vectors()
    lemma, inflected = places_of([("dog", "eat", "apple"), ("dogs", "eats", "apples")], vectors)
    assert (lemma == inflected).all()
    assert vectors.places(["glass", "bus"]).tolist() == [
        vectors.place["glass"],
        vectors.place["bus"],
    ]


def test_plain_events_beat_their_reversal_on_the_whole() -> None:
    plain = [
        *("dog eats bone", "man drives car", "woman reads book", "child drinks milk"),
        *("cat chases mouse", "teacher teaches student", "farmer grows wheat", "bird builds nest"),
    ]
    turned = [" ".join((o, v, s)) for s, v, o in (text.split() for text in plain)]
    found = scores(*plain, *turned)
    better = [found[one] > found[other] for one, other in zip(plain, turned, strict=True)]
    assert sum(better) >= 6


def test_words_without_a_vector_lower_the_evidence_and_break_nothing() -> None:
    found = predict_events(events("dog eats bone", "qzx eats bone", "qzx wvv zzk"))
    evidence = dict(found.select("item", "evidence").iter_rows())
    assert evidence == {
        "dog eats bone": "seen",
        "qzx eats bone": "backed-off",
        "qzx wvv zzk": "unknown",
    }
    assert found["score"].is_between(0, 1).all()


def pairs(*rows: tuple[str, str, str]) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=["modifier", "noun", "sentence1"], orient="row")


def test_effects_are_distributions_over_five_classes() -> None:
    found = predict_effects(pairs(("dead", "dog", "A dog barks."), ("qzx", "vvw", "Qzx.")))
    assert found.shape == (2, 5)
    np.testing.assert_allclose(found.sum(axis=1), 1)
    assert found[0, :2].sum() > found[1, :2].sum()


def test_no_pairs_have_no_effects() -> None:
    assert predict_effects(pairs()).shape == (0, 5)


def test_both_are_asked_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("events.csv").write_text(
        "subject,verb,object,label\ndog,eats,bone,1\nbone,eats,dog,0\n", encoding="utf-8"
    )
    assert run(["models", "predict", "events-lite", "events.csv", "-o", "e.parquet"]) == 0
    asked = ["evaluate", "e.parquet", "--against", "events.csv", "--scheme", "events"]
    assert run(asked) == 0
    pair = {"idx": 7, "sentence1": "A dog barks.", "sentence2": "A dead dog barks."}
    Path("pairs.json").write_text(
        json.dumps([{**pair, "modifier": "dead", "noun": "dog", "label": 0}]), encoding="utf-8"
    )
    assert run(["models", "predict", "adept-lite", "pairs.json", "-o", "a.parquet"]) == 0
    for scheme in ("adept-5", "adept-3"):
        assert run(["evaluate", "a.parquet", "--against", "pairs.json", "--scheme", scheme]) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("subject,verb\na,b\n", "no column 'subject'|no column"),
        ("event\nit rains\n", "not three words"),
        ("subject,verb,object\na,,c\n", "no verb"),
        ("subject,verb,object\n", "no events"),
    ],
)
def test_broken_events_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "events.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(TableError, match=message):
        read_events(path)


def test_physical_events_are_told_apart_where_frequency_is_not() -> None:
    """150 events written for this test, verbs with both kinds; not among the kinds that choose."""
    file = Path(__file__).with_name("physical_events.csv")
    areas = {}
    for name in ("events-lite", "events-frequency"):
        said = models_predict(name, file).predictions
        areas[name] = evaluate(said, against=file, scheme="events").as_json()["auc"]
    assert areas["events-lite"]["value"] >= 0.63
    assert areas["events-lite"]["low"] > areas["events-frequency"]["value"]
    assert abs(areas["events-frequency"]["value"] - 0.5) < 0.05
