"""`plausibly analyse`: reports on ratings of one protocol."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from plausibly.cli.show import json_option, print_json, print_table, say
from plausibly.cli.source import FILE, ratings_source

if TYPE_CHECKING:
    from plausibly.analysis.iks import IksReport


@click.group("analyse")
def command() -> None:
    """Say what ratings of one protocol show."""


@command.command("iks")
@ratings_source
@click.option("--items", "items_in", type=FILE, help="Items table with system, relation or genre.")
@click.option("--resamples", type=click.IntRange(min=0), default=1000, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@json_option
def iks(
    file: Path,
    *,
    form: str,
    names: dict[str, str],
    items_in: Path | None,
    resamples: int,
    seed: int,
    as_json: bool,
) -> None:
    """Say how systems that write implicit knowledge fare, from the ratings in FILE.

    FILE is our ratings table, or the annotation sheet with --format iks. Slices by relation
    (support, attack, contradict) and genre come from the sheet or from --items.
    """
    from plausibly.analysis.iks import analyse_iks
    from plausibly.analysis.iks_profiles import Draws
    from plausibly.datasets.iks import SCALES
    from plausibly.io import read_table
    from plausibly.ratings import import_ratings
    from plausibly.tables import ITEMS

    imported = import_ratings(file, form=form, names=names)
    items = read_table(items_in, ITEMS) if items_in else imported.items
    draws = Draws(resamples=resamples, seed=seed)
    report = analyse_iks(imported.ratings, scales=SCALES, items=items, draws=draws)
    if as_json:
        print_json(report.as_json())
    else:
        _print(report)
    for note in report.notes:
        say(note)


def _print(report: IksReport) -> None:
    print_table(
        ("system", "sentences", "stopped", "best", "closest", "win rate", "low", "high"),
        [
            (
                name,
                profile.candidates,
                profile.stopped["all"].value,
                profile.best.value,
                profile.closest.value,
                profile.wins.value,
                profile.wins.low,
                profile.wins.high,
            )
            for name, profile in report.systems.items()
        ],
    )
    click.echo()
    print_table(
        ("question", "distance", "alpha", "low", "high", "items"),
        [
            (question, found.distance, m.value, m.low, m.high, m.n)
            for question, found in report.agreement.items()
            for m in (found.alpha,)
        ],
    )
    said = ", ".join(f"{count} {name}" for name, count in report.counts.items())
    say(f"{said}; {len(report.disagreements)} disagreements (--json lists them).")
