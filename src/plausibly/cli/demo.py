"""`plausibly demo`: the whole journey on one machine."""

from __future__ import annotations

import time
from pathlib import Path

import click

from plausibly.cli.guard import WrittenCommand
from plausibly.cli.show import json_option, say, show


@click.command("demo", cls=WrittenCommand)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--data",
    envvar="PLAUSIBLY_DATA",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Folder with published datasets: the demo uses its norms and also draws PAP's figures.",
)
@click.option(
    "--articles",
    type=click.IntRange(min=1),
    default=60,
    show_default=True,
    help="Articles of the dump to read.",
)
@click.option("--people", default=60, show_default=True, help="Simulated people, at least 24.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@json_option
def command(
    *, folder: Path, data: Path | None, articles: int, people: int, seed: int, as_json: bool
) -> None:
    """Take a piece of Wikipedia to a report and a release in FOLDER, with a simulated crowd.

    The steps are extract, build, collect (over HTTP), clean, label, agree and report, then labels
    by MACE, predictions of events-lite, and a release. Nobody is asked: the people are simulated,
    and without --data the norms are predicted; the report says so.
    """
    from plausibly.replications.demo import demo

    begun = time.process_time()
    done = demo(folder, data=data, articles=articles, people=people, seed=seed, say=say)
    show(done, as_json=as_json)
    say(f"{time.process_time() - begun:.0f} CPU seconds in this process.")
    say(f"Report:  {folder / 'study' / 'report.html'}")
    say(f"Release: {folder / 'release'}   (read it back: plausibly load {folder / 'release'})")
    if (folder / "published").is_dir():
        say(f"PAP as published, recomputed: {folder / 'published' / 'report.html'}")
