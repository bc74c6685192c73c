"""`plausibly model`: fit models on counts, and let models predict."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.options import FILE, options_of
from plausibly.cli.show import json_option, say, show, write_file
from plausibly.verbs.audit import audit as audit_verb
from plausibly.verbs.fit import fit as fit_verb
from plausibly.verbs.fit_events import fit_events as fit_events_verb
from plausibly.verbs.predict import predict as predict_verb
from plausibly.verbs.solve_winograd import solve_winograd

OUTPUT = click.Path(path_type=Path, dir_okay=False)


@click.group("model")
def command() -> None:
    """Fit models and let them predict."""


@command.command("fit")
@click.argument("kind", type=click.Choice(["pp", "ds", "nn", "ppmi", "resnik", "combined"]))
@click.option(
    "--vectors",
    metavar="NAME|FILE",
    help="Word vectors for ds and combined: glove (extra stimuli), or a text file of words and "
    "numbers (default: made from the counts).",
)
@options_of(fit_verb, without=("kind", "vectors"))
@click.option("-o", "--output", type=OUTPUT, required=True, help="File of the model.")
@json_option
def fit(kind: Any, *, output: Path, as_json: bool, **options: Any) -> None:
    """Fit a model of selectional preference on counts.

    pp is the posterior probability, ds similarity to attested dependents, nn a neural network, ppmi
    mutual information, resnik association with WordNet's classes of nouns, combined several of
    them with vectors.
    """
    fitted = fit_verb(kind, **options)
    fitted.save(output)
    show(fitted, as_json=as_json)
    say(f"{output}: a model of kind {kind}.")


@command.command("fit-events")
@click.argument("events", type=FILE)
@options_of(fit_events_verb, without=("events",))
@click.option("-o", "--output", type=OUTPUT, required=True, help="File of the model.")
@json_option
def fit_events(events: Path, *, output: Path, as_json: bool, **options: Any) -> None:
    """Learn how plausible EVENTS are from people, and say how well that holds on other verbs.

    EVENTS has subject, verb, object and label, or is PAP's own table. The figures are of events
    judged by a fit that saw none with their verb; the model is learnt from all.
    """
    fitted = fit_events_verb(events, **options)
    fitted.save(output)
    show(fitted, as_json=as_json)
    say(f"{output}: a model of events.")


@command.command("predict")
@click.argument("model", metavar="MODEL|NAME")
@click.argument("file", type=FILE)
@click.option(
    "--data",
    envvar="PLAUSIBLY_DATA",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder with the published datasets (default: $PLAUSIBLY_DATA).",
)
@options_of(predict_verb, without=("model", "file", "data"))
@click.option("-o", "--output", type=OUTPUT, required=True, help="Predictions table to write.")
@json_option
def predict(model: str, file: Path, *, output: Path, as_json: bool, **options: Any) -> None:
    """Let a model predict what people would say about the items of FILE.

    MODEL is the file of a fitted model, or the name of one that comes with the package.
    """
    predicted = predict_verb(model, file, **options)
    write_file(predicted, "predictions", output)
    show(predicted, as_json=as_json)


@command.command("winograd")
@click.argument("model", metavar="MODEL|PAIRS", type=click.Path(path_type=Path, exists=True))
@options_of(solve_winograd, without=("model",))
@click.option("-o", "--output", type=OUTPUT, help="Scores to write, as 'plausibly winograd' reads.")
@json_option
def winograd(model: Path, *, output: Path | None, as_json: bool, **options: Any) -> None:
    """Answer Winograd questions: the higher of two scores of a verb and an adjective.

    MODEL is the file of a fitted model, PAIRS a file or folder of pairs with people's scores. Roles
    and adjectives are found by parsing --schemas, or read from --lookups.
    """
    solved = solve_winograd(model, **options)
    write_file(solved, "answers", output)
    show(solved, as_json=as_json)


@command.command("audit")
@click.argument("model", metavar="NAME|PREDICTIONS")
@click.option(
    "--data",
    envvar="PLAUSIBLY_DATA",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder with the published datasets, for the backoff models (default: $PLAUSIBLY_DATA).",
)
@click.option(
    "--pairs", type=OUTPUT, help="Write the pairs of the audit in ADEPT's form, and stop."
)
@options_of(audit_verb, without=("predictions",))
@click.option("-o", "--output", type=OUTPUT, help="Table of comparisons to write.")
@json_option
def audit(
    model: str,
    *,
    data: Path | None,
    pairs: Path | None,
    output: Path | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Say how a model moves when an adjective groups people and nothing else changes.

    NAME is a model that comes with the package; PREDICTIONS what any other said about the pairs
    that --pairs writes. Frames and adjectives are our own, and no group bears on any of them.
    """
    from plausibly.models.adept.audit import write_pairs

    if pairs is not None:
        say(f"{pairs}: {write_pairs(pairs)} pairs.")
        return
    if Path(model).is_file():
        audited = audit_verb(Path(model), **options)
    else:
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "pairs.json"
            write_pairs(place)
            said = predict_verb(model, place, data=data).predictions
        audited = audit_verb(said, **options)
    write_file(audited, "comparisons", output)
    show(audited, as_json=as_json)
