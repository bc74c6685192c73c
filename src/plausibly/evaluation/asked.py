"""The headline figures of a model that was asked about a dataset, over ways of asking."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import fsum, sqrt
from pathlib import Path

import polars as pl

from plausibly.datasets.adept.pairs import read_pairs
from plausibly.datasets.catalogue import locate
from plausibly.datasets.gita.answers import read_ways
from plausibly.datasets.pap import EVENTS
from plausibly.datasets.sp10k import RELATIONS
from plausibly.errors import UnknownName
from plausibly.evaluation.gita_ways import score_ways
from plausibly.evaluation.report import WHOLE, Evaluation
from plausibly.evaluation.scoring import evaluations
from plausibly.evaluation.truth import read_truth

PAP_FIGURES = ("wasserstein_1", "soft_accuracy", "mean_spearman", "mean_mae", "decided_accuracy")
TIERS = ("accuracy", "consistency", "verifiability")
SCHEMA = {
    "dataset": pl.String(),
    "model": pl.String(),
    "metric": pl.String(),
    "value": pl.Float64(),
    "sd": pl.Float64(),
    "lowest": pl.Float64(),
    "highest": pl.Float64(),
    "ways": pl.Int64(),
    "items": pl.Int64(),
}

Figures = Mapping[str, Sequence[float]]


def headlines(dataset: str, folder: Path, data: Path, *, model: str) -> pl.DataFrame:
    """Return mean and spread of a model's headline figures, one row per metric.

    Args:
        dataset: What it was asked about.
        folder: What `ask` wrote.
        data: The data folder, for what people say.
        model: Its name.
    """
    if dataset not in _FIGURES:
        raise UnknownName("dataset", dataset, _FIGURES)
    predictions = pl.read_parquet(folder / "predictions.parquet")
    figures = _FIGURES[dataset](predictions, folder, data)
    items = predictions["item"].n_unique()
    rows = [
        {"dataset": dataset, "model": model, "metric": m, **_spread(values), "items": items}
        for m, values in figures.items()
    ]
    return pl.DataFrame(rows, schema=SCHEMA)


def _spread(values: Sequence[float]) -> dict[str, float | int | None]:
    if not values:
        return {"value": None, "sd": None, "lowest": None, "highest": None, "ways": 0}
    mean = fsum(values) / len(values)
    apart = fsum((value - mean) ** 2 for value in values)
    return {
        "value": mean,
        "sd": sqrt(apart / (len(values) - 1)) if len(values) > 1 else None,
        "lowest": min(values),
        "highest": max(values),
        "ways": len(values),
    }


def _gita(predictions: pl.DataFrame, folder: Path, data: Path) -> Figures:
    del predictions, data
    ways = read_ways(folder) or {}
    scores = [score_ways({name: one}, resamples=0) for name, one in ways.items()]
    return {
        tier: [value for one in scores if (value := one.value(tier)) is not None] for tier in TIERS
    }


def _adept(predictions: pl.DataFrame, folder: Path, data: Path) -> Figures:
    del folder
    path = locate(data, "adept", "val.json")
    asked = predictions["item"].unique().to_list()
    truths = {scheme: read_truth(path, scheme) for scheme in ("adept-3", "adept-5")}
    figures = {
        f"{scheme} accuracy": _values(
            evaluations(predictions, truth, resamples=0, seed=0), "accuracy"
        )
        for scheme, truth in truths.items()
    }
    labels = read_pairs(path).filter(pl.col("idx").cast(pl.String).is_in(asked))["label"]
    commonest = int(labels.value_counts()["count"].max()) / labels.len()  # type: ignore[arg-type]
    return {**figures, "adept-5 commonest label": [commonest]}


def _pap(predictions: pl.DataFrame, folder: Path, data: Path) -> Figures:
    del folder
    truth = read_truth(locate(data, "pap", EVENTS), "pap-soft")
    if predictions["distribution"].is_null().all():
        return {f"pap-soft {metric}": [] for metric in PAP_FIGURES}
    made = evaluations(predictions, truth, resamples=0, seed=0)
    return {f"pap-soft {metric}": _values(made, metric) for metric in PAP_FIGURES}


def _sp10k(predictions: pl.DataFrame, folder: Path, data: Path) -> Figures:
    del folder
    truth = read_truth(locate(data, "sp10k", f"{RELATIONS[0]}.tsv").parent, "sp10k")
    made = evaluations(predictions, truth, resamples=0, seed=0)
    return {
        f"{relation} spearman_pooled": [
            value
            for one in made
            if (part := one.slices.get(f"{relation}/all")) is not None
            and (value := part["spearman_pooled"].value) is not None
        ]
        for relation in RELATIONS
    }


def _values(made: Sequence[Evaluation], metric: str) -> list[float]:
    values = [one.slices[WHOLE][metric].value for one in made]
    return [value for value in values if value is not None]


_FIGURES: Mapping[str, Callable[[pl.DataFrame, Path, Path], Figures]] = {
    "adept": _adept,
    "gita": _gita,
    "pap": _pap,
    "sp10k": _sp10k,
}
