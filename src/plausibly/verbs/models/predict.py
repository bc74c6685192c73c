"""What a model says: a stored one about pairs, or one that comes with the package by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.backends.sentences import sentence_vectors
from plausibly.datasets.events import WORDS
from plausibly.datasets.pairs import read_pair_table
from plausibly.datasets.triples import read_events
from plausibly.errors import StudyError, UnknownName, option
from plausibly.evaluation.in_study import (
    ASKED_FILE,
    COMPARED_FILE,
    FITTED_FILES,
    ITEMS_FILE,
    PREDICTIONS_FILE,
    TUNED_FILE,
    fitted_kinds,
    judges,
    predicted_from,
    predicts,
    texts,
)
from plausibly.evaluation.people import with_distinct_names
from plausibly.io.imported import QUESTION
from plausibly.io.predicted import predictions_table
from plausibly.models.events import KIND, event_shares, needs_encoder
from plausibly.models.lite.events import predict_with
from plausibly.models.pairs import predictions_of
from plausibly.models.selection import asked, relations_of
from plausibly.models.stored import Stored, read_model
from plausibly.ratings.questions import study_facts
from plausibly.study.made import Made, being_made, described
from plausibly.study.results import Result, finite, text_table
from plausibly.study.steps import Work
from plausibly.study.verb import InStudy, Output, Places, verb
from plausibly.tables import PREDICTIONS
from plausibly.verbs.models._named import KEYS, NAMED, named_predictions, train_file
from plausibly.verbs.models._tuned import is_tuned, predict_tuned

PURPOSE = "the features 'minilm'"


@dataclass(frozen=True, eq=False, repr=False)
class Predicted(Result):
    """What a model says about each item."""

    predictions: pl.DataFrame
    notes: tuple[str, ...] = ()

    @property
    def talk(self) -> tuple[str, ...]:
        """Return which pairs the model could not judge."""
        return self.notes

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


def _in_study(work: Work, places: Places) -> None:
    del places
    chosen, items = work.parameters, work.path(ITEMS_FILE)
    predict = models_predict.declaration.call  # distributions as files have them
    train = work.path(str(chosen["train"])) if chosen["train"] else None
    parts = []
    for name in texts(chosen, "models"):
        place = work.path(name)
        model = place if name not in NAMED and place.exists() else name
        result = predict(model, items, train=train)
        work.notes.extend(f"{name}: {note}" for note in result.talk)
        parts.append((Path(name).stem, result.predictions))
    fitted = {kind: work.path(FITTED_FILES[kind]) for kind in fitted_kinds(work.settings)}
    for kind, one in fitted.items():
        result = predict(one, items)
        work.notes.extend(f"{kind}: {note}" for note in result.talk)
        parts.append((kind, result.predictions))
    questions = _questions(work)
    parts += [
        (Path(name).stem, predictions_table(work.path(name), questions))
        for name in texts(chosen, "files")
    ]
    if TUNED_FILE in judges(work.settings):
        parts.append(("tuned", work.read(TUNED_FILE, PREDICTIONS)))
    if ASKED_FILE in judges(work.settings):
        parts.append(("ask", work.read(COMPARED_FILE, PREDICTIONS)))
    table = with_distinct_names([(name, _plain(one)) for name, one in parts])
    result = Predicted(PREDICTIONS.sort(table))
    work.write(PREDICTIONS_FILE, result.predictions, PREDICTIONS)
    work.write_json("models_predict.json", finite(result.as_json()))


def _questions(work: Work) -> list[str]:
    """Return what people were asked, without texts; `rating` if the study has no form."""
    facts = study_facts(work)
    return [name for name, one in facts.items() if one.scale != "text"] or [QUESTION]


def _plain(table: pl.DataFrame) -> pl.DataFrame:
    """Return the columns that bear on an evaluation."""
    evidence = [pl.col("evidence").cast(pl.String)] if "evidence" in table.columns else []
    return table.select(*PREDICTIONS.schema, *evidence)


@verb(
    texts=("model",),
    output=Output("predictions", help="Predictions table to write.", required=True),
    study=InStudy(
        run=_in_study,
        keys={"models": [], "files": [], "train": None},
        explained={
            "models": "Models that predict: names, files of fitted models, or folders of tuned "
            "ones, with a slash.",
            "files": "Files of predictions.",
        },
        inputs=(ITEMS_FILE, COMPARED_FILE, TUNED_FILE, *FITTED_FILES.values()),
        outputs=(PREDICTIONS_FILE, "models_predict.json"),
        external=predicted_from,
        wanted=predicts,
        heeds=(
            "form",
            "questions",
            "ask.model",
            "models_fit.kind",
            "models_tune.encoder",
            "models_tune.folds",
        ),
    ),
)
def models_predict(
    model: str | Path,
    file: str | Path,
    *,
    relation: str | None = None,
    name: str | None = None,
    train: str | Path | None = None,
    data: str | Path | None = None,
) -> Predicted:
    r"""Let a model predict what people would say about the items of a file.

    Args:
        model: File of a fitted model, folder of a tuned one, or the name of one that comes with the
            package.
        file: Pairs (relation, head, dependent), ADEPT's pairs, items with a text, or events, as the
            model needs.
        relation: Relation of the pairs in a file without header.
        name: Name of the model in its predictions.
        train: Labelled ADEPT pairs whose counts the backoff models use.
        data: Folder with the published datasets, for the backoff models if train is not set.

    Examples:
        plausibly models predict model pairs.tsv -o predictions.parquet
        plausibly models predict majority val.json -o predictions.parquet

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     events = Path(folder, "events.csv")
    ...     _ = events.write_text("subject,verb,object\ndog,eat,bone\nbone,eat,dog\n")
    ...     models_predict("events-lite", events).predictions["score"].len()
    2
    """
    if str(model) in NAMED:
        learnt = train_file(train, data) if str(model) in KEYS else None
        named = name or str(model)
        table = named_predictions(str(model), Path(file), train=learnt, called=named)
        return Predicted(table, made=_made(learnt))
    if is_tuned(Path(model)):
        if relation is not None:
            message = f"{option('relation')} is for pairs of words; a tuned model reads texts."
            raise StudyError(message, parameter="relation")
        return Predicted(predict_tuned(Path(model), Path(file), called=name))
    stored = _stored(Path(model))
    return _fitted(stored, Path(file), relation=relation, called=name or stored.kind)


def _made(train: Path | None) -> Made:
    """Return how predictions come about, with the labelled pairs that were found."""
    made = being_made()
    if train is None or not made.verb:
        return made
    return replace(made, inputs={**made.inputs, "train": described(train)})


def _fitted(model: Stored, file: Path, *, relation: str | None, called: str) -> Predicted:
    if model.kind != KIND:
        pairs, notes = _of_known_relations(read_pair_table(file, relation=relation), model)
        return Predicted(predictions_of(pairs, asked(model), model=called), notes)
    if relation is not None:
        message = f"{option('relation')} is for pairs of words; a model of events judges triples."
        raise StudyError(message, parameter="relation")
    events = read_events(file)
    encode = partial(sentence_vectors, purpose=PURPOSE) if needs_encoder(model) else None
    shares = event_shares(model, events.select(WORDS).rows(), encode)
    return Predicted(predict_with(events, shares, called))


def _of_known_relations(pairs: pl.DataFrame, model: Stored) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """Return the pairs a model can judge, and how many it cannot; all if it can judge none."""
    known = relations_of(model)
    is_known = pl.col("relation").is_in(known) | pl.col("relation").str.to_lowercase().is_in(known)
    kept = pairs.filter(is_known)
    if kept.height in (0, pairs.height):
        return pairs, ()
    others = pairs.filter(~is_known).group_by("relation").len().sort("relation")
    left_out = ", ".join(f"{relation} {count}" for relation, count in others.iter_rows())
    return kept, (
        f"{pairs.height - kept.height} of {pairs.height} pairs have no prediction, because the "
        f"model was not fitted on their relation ({left_out}).",
    )


def _stored(path: Path) -> Stored:
    if not path.exists() and path.suffix == "" and path.parent == Path():
        raise UnknownName("model", str(path), NAMED, parameter="model")
    return read_model(path)
