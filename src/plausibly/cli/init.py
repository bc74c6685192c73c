"""`plausibly init`: start a study folder."""

from __future__ import annotations

from pathlib import Path

import click

from plausibly.cli.guard import WrittenCommand
from plausibly.cli.names import Name
from plausibly.cli.show import say
from plausibly.registry import PROTOCOLS, Registry, noting_outside

KNOWN: Registry[object] = Registry("protocol", PROTOCOLS, group="plausibly.protocols")


@click.command("init", cls=WrittenCommand)
@click.argument("protocol", type=Name(KNOWN, unless="/:"))
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--example", is_flag=True, help="Fill it with an example: items and their ratings.")
@click.option("--seed", type=click.IntRange(min=0), help="Seed (default: the protocol's).")
def command(protocol: str, folder: Path, example: bool, seed: int | None) -> None:
    """Start a study of PROTOCOL in FOLDER: a study.toml with every parameter it may set.

    PROTOCOL is a name, the path of a folder with protocol.toml and form.toml, such as
    ./my-protocol, or package.module:NAME; the folder is copied into the study.
    """
    from plausibly.verbs.init import init

    with noting_outside() as outside:
        study = init(protocol, folder, example=example, seed=seed)
    for place in outside:
        say(f"init ran code from outside plausibly: {place}.")
    step = "run" if (folder / "items.parquet").is_file() else "serve"
    items = "" if step == "run" else f" put the items into {folder}/items.parquet, then"
    say(f"{folder}: study of {study.outline.name} started. Next:{items} plausibly {step} {folder}")
    if items:
        begins = {step.name: step.begins for step in study.outline.steps}.get("build")
        if begins:
            say(f"Items to build: {folder}/study.toml, {begins}; then plausibly run {folder}")
        say(f"Answers you have: {folder}/study.toml, [ratings] source; then plausibly run {folder}")
