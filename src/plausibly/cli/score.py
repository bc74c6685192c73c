"""`plausibly score`: published scorers over a model's own answers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from plausibly.cli.show import json_option, print_json, print_table, say
from plausibly.cli.source import FILE

if TYPE_CHECKING:
    from plausibly.evaluation.gita import GitaScores

FOLDER = click.Path(path_type=Path, exists=True, file_okay=False)


@click.group("score")
def command() -> None:
    """Score a model's answers by the published rules and by ours."""


@command.command("gita")
@click.argument("folder", metavar="DIR", type=FOLDER)
@click.option(
    "--rules",
    type=click.Choice(["gita-2024", "calamita", "clean"]),
    default="clean",
    show_default=True,
    help="Whose rules: the authors', the later benchmark's, or ours.",
)
@click.option("--stories", type=FILE, help="All stories, if DIR has no story_class file.")
@click.option("--differences", is_flag=True, help="Add the scores under every rule set.")
@click.option("--resamples", type=click.IntRange(min=0), default=1000, show_default=True)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@json_option
@click.option("--strict", is_flag=True, help="Exit 1 if anything is noted.")
def gita(
    folder: Path,
    *,
    rules: str,
    stories: Path | None,
    differences: bool,
    resamples: int,
    seed: int,
    as_json: bool,
    strict: bool,
) -> None:
    """Score the answers in DIR: accuracy, consistency, verifiability.

    DIR holds story_class, conflict_detec and physical_state as .jsonl or .jsonl.gz, or the
    sample files of the lm-evaluation-harness. Intervals resample whole stories.
    """
    from plausibly.datasets.gita.answers import read_answers
    from plausibly.datasets.gita.scored import read_story_table
    from plausibly.errors import StudyError
    from plausibly.evaluation import gita as scorer

    answers = read_answers(folder)
    told = read_story_table(stories) if stories else None
    scores = scorer.score_gita(answers, rules=rules, stories=told, resamples=resamples, seed=seed)
    table = scorer.differences(answers, stories=told) if differences else []
    if as_json:
        print_json(scores.as_json() | ({"differences": table} if differences else {}))
    else:
        _print_gita(scores, table)
    if strict and scores.notes:
        raise StudyError(f"{folder}: {len(scores.notes)} notes (first: {scores.notes[0]})")


def _print_gita(scores: GitaScores, table: list[dict[str, str | float | None]]) -> None:
    print_table(
        ("metric", "value", "low", "high", "right", "n"),
        [
            (name, m.value, m.low, m.high, scores.right.get(name), scores.out_of.get(name))
            for name, m in scores.measures.items()
        ],
    )
    if table:
        click.echo()
        print_table(tuple(table[0]), [tuple(row.values()) for row in table])
    tied = ", ".join(f"{task} {n}" for task, n in scores.ties.items() if n is not None)
    say(f"rules: {scores.rules}. Ties: {tied}.")
    for note in scores.notes:
        say(note)


@command.command("gita-trip")
@click.argument("file", type=FILE)
@json_option
def gita_trip(file: Path, as_json: bool) -> None:
    """Count the story pairs of FILE that are accurate, consistent and verifiable."""
    from plausibly.datasets.gita.trip import read_pairs
    from plausibly.evaluation.gita_trip import score_pairs

    counts = score_pairs(read_pairs(file)).as_json()
    if as_json:
        print_json(counts)
    else:
        print_table(tuple(counts), [tuple(counts.values())])
