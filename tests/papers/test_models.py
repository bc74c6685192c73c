"""Models on published data they were not trained on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plausibly.datasets.adept.pairs import read_pairs
from plausibly.datasets.triples import read_events
from plausibly.evaluation.scoring import comparisons, evaluations
from plausibly.evaluation.truth import read_truth
from plausibly.models.adept import baselines
from plausibly.models.lite.adept import predict_effects
from plausibly.models.lite.events import predict_events
from plausibly.verbs.models.predict import models_predict

pytestmark = pytest.mark.data


def value(found: object, metric: str) -> float:
    measure = found.slices["all"][metric].value  # type: ignore[attr-defined]
    assert isinstance(measure, float)
    return measure


@pytest.mark.parametrize(
    ("name", "scheme", "accuracy"),
    [
        ("majority", "adept-5", 0.6642),
        ("majority", "adept-3", 0.6642),
        ("majority", "adept-4", 0.7782),
        ("normative", "adept-3", 0.7014),
        ("normative", "adept-5", 0.6151),
        ("normative-0", "adept-5", 0.6363),
    ],
)
def test_baselines_reach_what_the_data_give(
    name: str, scheme: str, accuracy: float, data_folder: Path
) -> None:
    file = data_folder / "adept" / "val.json"
    (found,) = evaluations(
        models_predict(name, file).predictions, read_truth(file, scheme), resamples=0, seed=1
    )
    assert value(found, "accuracy") == pytest.approx(accuracy, abs=5e-5)


def test_adept_lite_holds_to_its_card(data_folder: Path) -> None:
    file = data_folder / "adept" / "val.json"
    pairs = read_pairs(file)
    table = baselines.predictions_from(pairs, predict_effects(pairs), model="adept-lite")
    from importlib import resources

    place = resources.files("plausibly.models.lite") / "shipped" / "card.json"
    card = json.loads(place.read_text(encoding="utf-8"))["adept-lite"]["measured"]
    for scheme, classes in {"adept-5": 5, "adept-3": 3}.items():
        (found,) = evaluations(table, read_truth(file, scheme), resamples=0, seed=1)
        told = card["val, never trained on"][f"accuracy, {classes} classes"]
        assert value(found, "accuracy") == pytest.approx(told, abs=2e-3)
        assert value(found, "accuracy") > value(found, "majority_accuracy")


def test_events_lite_ranks_events_it_never_saw(data_folder: Path) -> None:
    file = data_folder / "pap" / "events_with_ratings.tsv"
    table = predict_events(read_events(file))
    for scheme in ("pap-binary", "pap-perturbed"):
        (found,) = evaluations(table, read_truth(file, scheme), resamples=0, seed=1)
        assert value(found, "auc") > 0.58


def test_pap_against_itself_has_the_known_labels(data_folder: Path) -> None:
    file = data_folder / "pap" / "events_with_ratings.tsv"
    counts = read_truth(file, "pap-binary").rows["label"].value_counts().rows()
    assert dict(counts) == {"1": 931, "0": 57, None: 745}


def test_the_slot_of_the_survey_goes_with_people_as_known(data_folder: Path) -> None:
    import polars as pl

    from plausibly.evaluation.comparison import Chance
    from plausibly.evaluation.pairs import pair_items

    truth = read_truth(data_folder / "sp10k", "sp10k")
    slot = pair_items(truth.rows).select(
        "item",
        question=pl.lit("preference"),
        model=pl.lit("slot"),
        score=(pl.col("source") == "frequent").cast(pl.Float64),
    )
    (found,) = evaluations(slot, truth, resamples=0, seed=1)
    known = {"dobj": 0.736, "nsubj": 0.713, "amod": 0.761, "dobj_amod": 0.595, "nsubj_amod": 0.466}
    for relation, rho in known.items():
        pooled = found.slices[f"{relation}/all"]["spearman_pooled"].value
        assert pooled == pytest.approx(rho, abs=6e-4)
    people = slot.with_columns(model=pl.lit("people"), score=truth.rows["score"])
    rows = comparisons(pl.concat([people, slot]), truth, Chance(50, 50, 1))
    assert all(row.difference.value is not None and row.difference.value > 0 for row in rows)
