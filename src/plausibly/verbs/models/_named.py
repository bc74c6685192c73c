"""Models that come with the package: what each says about the items of a file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.backends.finetuning.encoder import (
    scores,
    tokenised,
    torch_module,
    with_small_weights,
)
from plausibly.backends.weights import encoder_folder
from plausibly.datasets.adept.nonsubsective import shipped_nonsubsective
from plausibly.datasets.adept.pairs import read_pairs
from plausibly.datasets.catalogue import find
from plausibly.datasets.triples import read_events
from plausibly.errors import StudyError, TableError, option
from plausibly.models.adept import baselines
from plausibly.models.lite import minilm
from plausibly.models.lite.adept import predict_effects
from plausibly.models.lite.events import predict_events, predict_frequency

KEYS = {
    "backoff": ("modifier", "noun"),
    "backoff-modifier": ("modifier",),
    "backoff-noun": ("noun",),
}
RULES = {"normative": baselines.LESS_LIKELY, "normative-0": baselines.IMPOSSIBLE}
EFFECTS = "adept-lite"
UPDATED = "adept-minilm"
EVENTS = {"events-lite": predict_events, "events-frequency": predict_frequency}
LACKING = ("no field", "no column")
NAMED = ("majority", *RULES, *KEYS, EFFECTS, UPDATED, *EVENTS)


def named_predictions(model: str, file: Path, *, train: Path | None, called: str) -> pl.DataFrame:
    """Return what a model that comes with the package says about the items of a file.

    Args:
        model: Its name, one of `NAMED`.
        file: ADEPT's pairs, or events, as the model needs.
        train: Labelled pairs, for the backoff models; see `train_file`.
        called: What the predictions call the model.
    """
    if model in EVENTS:
        return EVENTS[model](_judged(read_events, file, model), model=called)
    pairs = _judged(partial(read_pairs, labelled=False), file, model)
    if pairs.is_empty():
        raise StudyError(f"{file}: no pairs in it.")
    if model == "majority":
        shares = baselines.always(pairs)
    elif model == EFFECTS:
        shares = predict_effects(pairs)
    elif model == UPDATED:
        shares = _updated(pairs)
    elif model in RULES:
        shares = baselines.by_rule(pairs, shipped_nonsubsective(), label=RULES[model])
    else:
        labelled = read_pairs(train_file(None, None) if train is None else train)
        shares = baselines.by_key(labelled, pairs, KEYS[model])
    return baselines.predictions_from(pairs, shares, model=called)


def _judged(read: Callable[[Path], pl.DataFrame], file: Path, model: str) -> pl.DataFrame:
    """Return the items of a file; where they are not what the model judges, say what it does."""
    try:
        return read(file)
    except TableError as error:
        if not any(part in str(error) for part in LACKING):
            raise
        kind = "events (subject, verb, object)" if model in EVENTS else "ADEPT's pairs"
        others = [name for name in NAMED if (name in EVENTS) != (model in EVENTS)]
        more = f"{model} judges {kind}; for others: {', '.join(others)}."
        raise TableError(f"{error} {more}") from error


def _updated(pairs: pl.DataFrame) -> Any:
    """Return what `adept-minilm` says: MiniLM with our update, pooled with `adept-lite`."""
    torch_module()
    folder = encoder_folder(minilm.ENCODER)
    texts = tokenised(folder, pairs["sentence1"].to_list(), pairs["sentence2"].to_list())
    logits = scores(with_small_weights(folder, minilm.update_weights()), texts)
    return minilm.pooled_effects(pairs, logits)


def train_file(train: str | Path | None, data: str | Path | None) -> Path:
    """Return the labelled pairs that backoff models count in: those named, or the published."""
    if train is not None:
        return Path(train)
    path = find(Path(data), "adept", "train.json") if data is not None else None
    if path is None:
        raise StudyError(
            "the backoff models count labels in ADEPT's train.json, which was not found. Pass "
            f"{option('train')}, or {option('data')} with adept/train.json "
            "('plausibly data get adept')."
        )
    return path
