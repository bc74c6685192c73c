"""`plausibly rehearse`: simulated people take part before real ones are paid."""

from __future__ import annotations

from pathlib import Path

import click

from plausibly.cli.show import json_option, say, show
from plausibly.cli.source import STUDY


@click.command("rehearse")
@click.argument("study", type=STUDY)
@click.option("--people", type=click.IntRange(min=1), default=100, show_default=True)
@click.option(
    "--mix", metavar="KIND=SHARE,…", help="Kinds of people (default: careful=.8, others .05 each)."
)
@click.option("--pay", type=float, default=0.0, show_default=True, help="Pay an hour.")
@click.option(
    "--subtlety",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help="Share of items people of other kinds answer as careful ones would.",
)
@click.option(
    "--curve",
    default="",
    metavar="0,.25,…",
    help="Subtleties to show recall and precision of every rule for.",
)
@click.option(
    "--stop-at",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Say what closing an item at N equal answers would save and distort.",
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write into (default: STUDY, unless real ratings are there).",
)
@json_option
def command(
    study: Path,
    *,
    people: int,
    mix: str | None,
    pay: float,
    subtlety: float,
    curve: str,
    stop_at: int,
    seed: int,
    output: Path | None,
    as_json: bool,
) -> None:
    """Let simulated people take part in STUDY through its real server, in simulated time.

    Writes ratings.parquet, annotators.parquet (with simulated_kind) and rehearsal.json: cost,
    hours, coverage, and how many people of each kind every rule would remove. Kinds are careful,
    biased, consistent-minority, uniform-spammer, straight-liner, subtle-spammer, bot, dropout and
    returning. The study's own answers are not touched.
    """
    from plausibly.cli.progress import progress
    from plausibly.errors import MissingExtra

    try:
        from plausibly.web.rehearsal import rehearse
        from plausibly.web.rehearsal.rehearse import check_place
    except ImportError as error:
        raise MissingExtra("rehearsing", "web") from error
    target = check_place(output or study)
    with progress() as watch:
        done = rehearse(
            study,
            people=people,
            mix=mix,
            pay=pay,
            subtlety=subtlety,
            curve=curve,
            stop_at=stop_at,
            seed=seed,
            watch=watch,
        )
    done.write(target)
    show(done, as_json=as_json)
    say(f"{target / 'rehearsal.json'}: how the study would go.")
