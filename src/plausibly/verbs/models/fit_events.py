"""A model of events learnt from people's labels, with what it says about events it did not see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from plausibly.backends.sentences import sentence_vectors
from plausibly.datasets import pap
from plausibly.datasets.events import WORDS, read_labelled
from plausibly.datasets.norms import read_norms
from plausibly.datasets.pap.events import read_pap
from plausibly.errors import StudyError, option
from plausibly.evaluation.events import LABELS, NAMES, event_items, judge, score_events
from plausibly.evaluation.report import Evaluation
from plausibly.evaluation.soft import rating_counts
from plausibly.evaluation.truth import PAP_SCALE, strict_sides
from plausibly.io import read_rows
from plausibly.models.counts import Floats, Ints, read_counts
from plausibly.models.events import (
    EventSources,
    chosen_features,
    counted_sources,
    fit_event_model,
    held_out,
    raw_features,
    with_sources,
)
from plausibly.models.lite.events import predict_with
from plausibly.models.stored import Stored, write_model
from plausibly.study.results import Result, text_table
from plausibly.study.verb import Output, verb

PURPOSE = "the features 'minilm'"
FEWEST = 10
MODEL = "model"


@dataclass(frozen=True, eq=False, repr=False)
class FittedEvents(Result):
    """A model of events, and what it says about each event when its fold was left out.

    Args:
        predictions: Predictions for events that were not learnt from.
        model: The model, learnt from all events.
        evaluation: How well the predictions go with the labels.
        events: How many events there are.
    """

    predictions: pl.DataFrame
    model: Stored
    evaluation: Evaluation
    events: int

    def as_json(self) -> dict[str, Any]:
        """Return the document of `models fit events --json`."""
        return {
            "kind": self.model.kind,
            "events": self.events,
            "settings": dict(self.model.settings),
            "cross_validated": self.evaluation.as_json(),
        }

    def text(self) -> str:
        """Return how well events that were left out are told apart, as a table for people."""
        rows = [
            (metric, one.value, one.low, one.high, one.n)
            for metric, one in self.evaluation.slices["all"].items()
        ]
        return text_table(("cross-validated", "value", "low", "high", "n"), rows)

    def put(self, folder: Path) -> None:
        """Write the predictions, and the model as the file `model`."""
        super().put(folder)
        write_model(self.model, folder / MODEL)

    def put_one(self, name: str, path: Path) -> None:
        """Write the model, or a table, to a file."""
        if name == MODEL:
            write_model(self.model, path)
        else:
            super().put_one(name, path)

    def counted(self, name: str) -> str:
        """Return that a file holds a model."""
        return "a model of events" if name == MODEL else super().counted(name)

    def save(self, path: str | Path) -> None:
        """Write the model to a file, and the manifest next to it."""
        self.write_table(MODEL, Path(path))


@verb(output=Output(MODEL, help="File for the model.", required=True))
def models_fit_events(
    events: str | Path,
    *,
    features: str = "vectors,frequency",
    counts: str | Path | None = None,
    norms: str | Path | None = None,
    folds: int = 5,
    name: str | None = None,
    resamples: int = 1000,
    seed: int = 1,
) -> FittedEvents:
    r"""Learn from people how plausible events are, and report accuracy on verbs not seen.

    Every event is also judged by a fit that saw no event with its verb; the figures are about
    these judgements. The strength of regularisation is chosen within the training part of each fit.

    Args:
        events: Events with a label (subject, verb, object, label), or the table of PAP's release.
        features: Features to learn from, separated by commas: vectors, frequency, concreteness
            (needs norms), counts (PP and DS of subject and object), minilm (extra transformers).
        counts: Counts table, or the folder `extract` wrote, for the feature counts.
        norms: Norms with columns Word, Conc.M and Dom_Pos, for the feature concreteness.
        folds: Number of parts into which verbs are divided.
        name: Name of the model in its predictions (default: its features).
        resamples: Number of resamples for the intervals; 0 for none.
        seed: Seed for everything drawn at random.

    Examples:
        plausibly models fit events events.csv -o model
        plausibly models fit events events.csv --features vectors,minilm -o model

    >>> import tempfile
    >>> verbs = ("eat", "carry", "paint", "push", "sell", "wash", "hold", "drop", "find", "lift")
    >>> rows = [f"{s},{v},{o},{n % 2}" for n, v in enumerate(verbs)
    ...         for s, o in (("dog", "bone"), ("stone", "song"))]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "events.csv")
    ...     _ = file.write_text("subject,verb,object,label\n" + "\n".join(rows))
    ...     models_fit_events(file, features="frequency", resamples=0).as_json()["events"]
    20
    """
    names = chosen_features(features)
    triples, answers, truth = _learnt(Path(events))
    sources = _sources(names, counts, norms, seed=seed)
    groups = raw_features(triples, names, sources)
    verbs = _codes([verb for _, verb, _ in triples])
    _check(answers, verbs, folds)
    shares = held_out(groups, answers, verbs, folds=folds, seed=seed)
    called = name or "+".join(names)
    rows = [(item, *words) for item, words in zip(truth["item"], triples, strict=True)]
    asked = pl.DataFrame(rows, schema=["item", *WORDS], orient="row")
    predictions = predict_with(asked, shares, called)
    judged = judge(predictions, truth, model=called)
    model = fit_event_model(groups, answers, verbs, names, seed=seed)
    found = score_events(judged, scheme="events", model=called, resamples=resamples, seed=seed)
    return FittedEvents(predictions, with_sources(model, sources), found, len(triples))


def _learnt(path: Path) -> tuple[list[tuple[str, str, str]], Floats, pl.DataFrame]:
    """Return the events, how many people found each implausible and plausible, and their labels."""
    if {"event", "rating"} <= set(read_rows(path).frame.columns):
        counts = rating_counts(read_pap(path, names={}).ratings, PAP_SCALE)
        sides = [
            counts.select(
                pl.sum_horizontal(a for a in pap.ANSWERS if pap.BINARY.of[a] == side)
            ).to_series()
            for side in sorted(pap.BINARY.labels)
        ]
        words = [tuple(item.split()) for item in counts["item"]]
        odd = next(
            (item for item, one in zip(counts["item"], words, strict=True) if len(one) != 3), None
        )
        if odd is not None:
            raise StudyError(f"{path}: {odd!r} is not three words.")
        answers = np.stack([side.to_numpy().astype(np.float64) for side in sides], axis=1)
        return [(s, v, o) for s, v, o in words], answers, strict_sides(counts)
    labelled = event_items(read_labelled(path)).unique(["item", "label"], maintain_order=True)
    twice = labelled.filter(pl.col("item").is_duplicated())["item"]
    if len(twice):
        raise StudyError(
            f"{path}: {twice.n_unique()} events have two labels (first: {twice[0]!r})."
        )
    codes = [LABELS.index(NAMES[label]) for label in labelled["label"]]
    return labelled.select(WORDS).rows(), np.eye(2)[codes], labelled.select("item", "label")


def _codes(words: Sequence[str]) -> Ints:
    codes: Ints = np.unique(np.array(words), return_inverse=True)[1].astype(np.int64)
    return codes


def _check(answers: Floats, verbs: Ints, folds: int) -> None:
    """Raise if there is too little to learn from."""
    if folds < 2:
        raise StudyError(f"{option('folds')} must be 2 or more; got {folds}.", parameter="folds")
    if len(answers) < FEWEST or not answers.sum(axis=0).all():
        raise StudyError(
            f"learning needs {FEWEST} events or more and both labels among them; got "
            f"{len(answers)} events, {int((answers[:, 1] > 0).sum())} of them plausible to at "
            "least one person."
        )
    if len(np.unique(verbs)) < 2 * folds:
        raise StudyError(
            f"{folds} folds need {2 * folds} different verbs or more; the events have "
            f"{len(np.unique(verbs))}. Lower {option('folds')}."
        )


def _sources(
    names: Sequence[str], counts: str | Path | None, norms: str | Path | None, *, seed: int
) -> EventSources:
    """Return what the features are read from; an option that no feature needs is refused."""
    needs = {"counts": counts, "concreteness": norms}
    options = {"counts": "counts", "concreteness": "norms"}
    for feature, source in needs.items():
        if feature in names and source is None:
            message = f"the features {feature!r} need {option(options[feature])}."
            raise StudyError(message, parameter="features")
        if feature not in names and source is not None:
            message = (
                f"{option(options[feature])} is for the features {feature!r}; name them in "
                f"{option('features')}."
            )
            raise StudyError(message, parameter=options[feature])
    sources = (
        EventSources() if counts is None else counted_sources(read_counts(Path(counts)), seed=seed)
    )
    if norms is not None:
        rated = read_norms(Path(norms)).drop_nulls("concreteness")
        sources = replace(sources, norms=dict(rated.select("word", "concreteness").iter_rows()))
    encode = partial(sentence_vectors, purpose=PURPOSE) if "minilm" in names else None
    return replace(sources, encode=encode)
