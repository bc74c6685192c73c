"""What a model says: a stored one about pairs, or one that comes with the package by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
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
from plausibly.backends.sentences import sentence_vectors
from plausibly.backends.weights import encoder_folder
from plausibly.datasets.adept.pairs import read_pairs
from plausibly.datasets.catalogue import find
from plausibly.datasets.events import WORDS
from plausibly.datasets.pairs import read_pair_table
from plausibly.datasets.triples import read_events
from plausibly.errors import StudyError, TableError, UnknownName
from plausibly.evaluation.in_study import (
    ASKED_FILE,
    COMPARED_FILE,
    ITEMS_FILE,
    PREDICTIONS_FILE,
    judges,
    texts,
)
from plausibly.evaluation.people import told_apart
from plausibly.models.adept import baselines
from plausibly.models.events import KIND, event_shares, needs_encoder
from plausibly.models.lite import minilm
from plausibly.models.lite.adept import predict_effects
from plausibly.models.lite.events import predict_events, predict_frequency, predict_with
from plausibly.models.pairs import predictions_of
from plausibly.models.selection import asked
from plausibly.models.stored import Stored, read_model
from plausibly.study.results import Made, Result, finite, text_table
from plausibly.study.steps import Parameters, Step, Work
from plausibly.tables import PREDICTIONS

KEYS = {
    "backoff": ("modifier", "noun"),
    "backoff-modifier": ("modifier",),
    "backoff-noun": ("noun",),
}
RULES = {"normative": baselines.LESS_LIKELY, "normative-0": baselines.IMPOSSIBLE}
EFFECTS = "adept-lite"
PURPOSE = "the features 'minilm'"
UPDATED = "adept-minilm"
EVENTS = {"events-lite": predict_events, "events-frequency": predict_frequency}
LACKING = ("no field", "no column")
NAMED = ("majority", *RULES, *KEYS, EFFECTS, UPDATED, *EVENTS)


@dataclass(frozen=True, eq=False, repr=False)
class Predicted(Result):
    """What a model says about each item.

    Args:
        predictions: The predictions table.
        made: How this came about.
    """

    predictions: pl.DataFrame
    made: Made

    def as_json(self) -> dict[str, Any]:
        """Return the document of `models predict --json`: how many predictions, on what evidence.

        One model flat, several under `models`.
        """
        names = self.predictions["model"].unique().sort().to_list()
        if len(names) < 2:
            return _account(self.predictions)
        own = {name: self.predictions.filter(pl.col("model") == name) for name in names}
        return {"models": {name: _account(table) for name, table in own.items()}}

    def text(self) -> str:
        """Return the same as a table for people."""
        document = _account(self.predictions)
        rows: list[tuple[object, object]] = []
        for name, value in document.items():
            if isinstance(value, Mapping):
                rows += [(f"{name} {inner}", count) for inner, count in value.items()]
            else:
                rows.append((name, value))
        return text_table(("what", "value"), rows)


def _account(table: pl.DataFrame) -> dict[str, Any]:
    """Return how many predictions of one model there are, and on what evidence."""
    document: dict[str, Any] = {
        "model": table["model"][0] if table.height else None,
        "predictions": table.height,
        "without": int((table["score"].is_null() & table["label"].is_null()).sum()),
    }
    for column in ("evidence", "label"):
        if column in table.columns and table[column].is_not_null().any():
            counts = table.group_by(column).len().sort(column).drop_nulls()
            document[column] = dict(counts.iter_rows())
    return document


def models_predict(
    model: str | Path,
    file: str | Path,
    *,
    relation: str | None = None,
    name: str | None = None,
    train: str | Path | None = None,
    data: str | Path | None = None,
) -> Predicted:
    r"""Let a models predict what people would say about the items of a file.

    Args:
        model: File of a fitted model, or the name of one that comes with the package.
        file: Pairs (relation, head, dependent), ADEPT's pairs, or events, as the model needs.
        relation: Relation of the pairs in a file without header.
        name: What the predictions call the model.
        train: Labelled ADEPT pairs the backoff models count in.
        data: Folder with the published datasets, where they are found otherwise.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     events = Path(folder, "events.csv")
    ...     _ = events.write_text("subject,verb,object\ndog,eat,bone\nbone,eat,dog\n")
    ...     models_predict("events-lite", events).predictions["score"].len()
    2
    """
    called = name or (str(model) if str(model) in NAMED else None)
    if str(model) in NAMED:
        table = _named(str(model), Path(file), train=train, data=data, called=str(called))
    else:
        stored = _stored(Path(model))
        called = called or stored.kind
        table = _fitted(stored, Path(file), relation=relation, called=called)
    made = Made(
        "models predict",
        inputs={"model": model if Path(model).is_file() else None, "file": file, "train": train},
        parameters={"model": str(model) if str(model) in NAMED else None, "name": called},
    )
    return Predicted(table, made)


def _fitted(model: Stored, file: Path, *, relation: str | None, called: str) -> pl.DataFrame:
    if model.kind != KIND:
        pairs = read_pair_table(file, relation=relation)
        return predictions_of(pairs, asked(model), model=called)
    if relation is not None:
        raise StudyError("--relation is for pairs of words; a model of events judges triples.")
    events = read_events(file)
    encode = partial(sentence_vectors, purpose=PURPOSE) if needs_encoder(model) else None
    return predict_with(events, event_shares(model, events.select(WORDS).rows(), encode), called)


def _stored(path: Path) -> Stored:
    if not path.exists() and path.suffix == "" and path.parent == Path():
        raise UnknownName("model", str(path), NAMED)
    return read_model(path)


def _named(
    model: str, file: Path, *, train: str | Path | None, data: str | Path | None, called: str
) -> pl.DataFrame:
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
        shares = baselines.by_rule(pairs, baselines.listed_adjectives(), label=RULES[model])
    else:
        shares = baselines.by_key(read_pairs(_train(train, data)), pairs, KEYS[model])
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


def _train(train: str | Path | None, data: str | Path | None) -> Path:
    if train is not None:
        return Path(train)
    path = find(Path(data), "adept", "train.json") if data is not None else None
    if path is None:
        raise StudyError(
            "the backoff models count labels in ADEPT's train.json, which was not found. Pass "
            "--train FILE, or --data DIR with adept/train.json ('plausibly data get adept')."
        )
    return path


def _in_study(work: Work) -> None:
    chosen, items = work.parameters, work.path(ITEMS_FILE)
    train = work.path(str(chosen["train"])) if chosen["train"] else None
    parts = []
    for name in texts(chosen, "models"):
        model = name if name in NAMED else work.path(name) if Path(name).suffix else name
        parts.append((Path(name).stem, models_predict(model, items, train=train).predictions))
    parts += [(Path(name).stem, work.read(name, PREDICTIONS)) for name in texts(chosen, "files")]
    if ASKED_FILE in judges(work.settings):
        parts.append(("ask", work.read(COMPARED_FILE, PREDICTIONS)))
    table = told_apart([(name, _plain(one)) for name, one in parts])
    result = Predicted(PREDICTIONS.sort(table), Made("models predict"))
    work.write(PREDICTIONS_FILE, result.predictions, PREDICTIONS)
    work.write_json("models_predict.json", finite(result.as_json()))


def _plain(table: pl.DataFrame) -> pl.DataFrame:
    """Return the columns that bear on an evaluation."""
    evidence = [pl.col("evidence").cast(pl.String)] if "evidence" in table.columns else []
    return table.select(*PREDICTIONS.schema, *evidence)


def _named_files(parameters: Parameters) -> tuple[str, ...]:
    """Return the files that [models_predict] names: fitted models, predictions, pairs."""
    listed = [*texts(parameters, "models"), *texts(parameters, "files"), parameters["train"]]
    return tuple(one for one in listed if one and Path(one).suffix)


STEP = Step(
    "models_predict",
    _in_study,
    inputs=(ITEMS_FILE, COMPARED_FILE),
    outputs=(PREDICTIONS_FILE, "models_predict.json"),
    parameters={"models": [], "files": [], "train": None},
    external=_named_files,
    wanted=lambda sections: bool(judges(sections)),
    heeds=("ask.model",),
)
