"""`plausibly init`: start a study folder."""

from __future__ import annotations

from pathlib import Path

import click

from plausibly.cli.show import say


@click.command("init")
@click.argument("protocol")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option("--example", is_flag=True, help="Fill it with an example: items and their ratings.")
@click.option("--seed", type=int, help="Seed of the study (default: the protocol's).")
def command(protocol: str, folder: Path, example: bool, seed: int | None) -> None:
    """Start a study of PROTOCOL in FOLDER: a study.toml with every parameter it may set."""
    from dataclasses import replace

    from plausibly.errors import StudyError
    from plausibly.io import make_folder
    from plausibly.protocols import PROTOCOLS
    from plausibly.study import write_settings

    study = PROTOCOLS[protocol]
    study = study if seed is None else replace(study, seed=seed)
    if (folder / "study.toml").exists():
        raise StudyError(f"{folder}: a study is there already. Choose another folder.")
    if example and study.example is None:
        raise StudyError(f"protocol {protocol!r} has no example yet. Leave --example away.")
    make_folder(folder)
    overrides = study.example(folder, study.seed) if example and study.example else {}
    write_settings(folder, study, name=folder.resolve().name, overrides=overrides)
    say(f"{folder}: study of {protocol} started. Next: plausibly run {folder}")
