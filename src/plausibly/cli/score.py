"""`plausibly score`: published scorers over a model's own answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.options import options_of
from plausibly.cli.show import json_option, say, show, write_file
from plausibly.cli.source import FILE, ratings_source
from plausibly.errors import StudyError
from plausibly.verbs.score_candidates import score_candidates
from plausibly.verbs.score_gita import score_gita
from plausibly.verbs.score_gita_trip import score_gita_trip
from plausibly.verbs.score_iks import score_iks
from plausibly.verbs.score_overlap import score_overlap
from plausibly.verbs.score_winograd import WinogradAnswers, score_winograd


@click.group("score")
def command() -> None:
    """Score a model's answers by the published rules and by ours."""


@command.command("gita")
@click.argument(
    "folder", metavar="DIR", type=click.Path(path_type=Path, exists=True, file_okay=False)
)
@options_of(score_gita)
@json_option
@click.option("--strict", is_flag=True, help="Exit 1 if anything is noted.")
def gita(folder: Path, *, as_json: bool, strict: bool, **options: Any) -> None:
    """Score the answers in DIR: accuracy, consistency, verifiability.

    DIR holds story_class, conflict_detec and physical_state as .jsonl or .jsonl.gz, the sample
    files of the lm-evaluation-harness, or what 'plausibly ask gita' wrote; with several ways of
    asking, scores are their mean. Intervals resample whole stories.
    """
    result = score_gita(folder, **options)
    show(result, as_json=as_json)
    notes = result.talk[1:]
    if strict and notes:
        raise StudyError(f"{folder}: {len(notes)} notes (first: {notes[0]})")


@command.command("gita-trip")
@click.argument("file", type=FILE)
@json_option
def gita_trip(file: Path, as_json: bool) -> None:
    """Count the story pairs of FILE that are accurate, consistent and verifiable."""
    show(score_gita_trip(file), as_json=as_json)


@command.command("candidates")
@click.argument("files", metavar="FILE…", type=FILE, nargs=-1, required=True)
@options_of(score_candidates, without=("candidates", "sources", "ratings", "blind_key"))
@click.option("--sources", type=FILE, required=True, help="item, source_1, source_2 and reference.")
@click.option("--ratings", type=FILE, help="People's ratings of what 'build iks' numbered.")
@click.option("--blind-key", type=FILE, help="The key 'build iks' wrote.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False), help="Table to write."
)
@json_option
def candidates(
    files: tuple[Path, ...], *, output: Path | None, as_json: bool, **options: Any
) -> None:
    """Score the sentences in FILE against their references: BLEU, chrF, ROUGE, similarity.

    FILE has item, sentence and, for several systems, system, as 'plausibly generate' writes it.
    With --ratings and --blind-key, each metric is correlated with what people say, within items.
    """
    result = score_candidates(list(files), **options)
    write_file(result, "scores", output)
    show(result, as_json=as_json)


@command.command("iks")
@ratings_source
@options_of(score_iks)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for report.html, figures (SVG) and tables (CSV, Markdown, LaTeX).",
)
@json_option
def iks(ratings: Path, *, output: Path | None, as_json: bool, **options: Any) -> None:
    """Score systems that write implicit knowledge by the ratings in FILE.

    FILE is our ratings table, or the annotation sheet with --format iks. Slices by relation
    (support, attack, contradict) and genre come from the sheet or from --items.
    """
    result = score_iks(ratings, **options)
    if output is not None:
        result.write(output)
        say(f"{output / 'report.html'}: with its figures and tables.")
    show(result, as_json=as_json)


@command.command("overlap")
@click.argument("pairs", type=click.Path(path_type=Path, exists=True))
@options_of(score_overlap, without=("pairs",))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for matches, counts by relation, examples and their drawing.",
)
@json_option
def overlap(pairs: Path, *, output: Path | None, as_json: bool, **options: Any) -> None:
    """Report which rated PAIRS a collection of assertions holds, by group of plausibility.

    A pair is matched exactly if one end of an assertion is its head and the other its dependent,
    partially if each is a word of another end; regular forms of a word count as the word.
    """
    result = score_overlap(pairs, **options)
    if output is not None:
        result.write(output)
        say(f"{output}: {result.matches.height} matches.")
    show(result, as_json=as_json)


@command.command("winograd")
@click.argument("scores", metavar="FILE", type=FILE)
@options_of(score_winograd)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Scores of the model to write, which this command reads.",
)
@json_option
def winograd(scores: Path, *, output: Path | None, as_json: bool, **options: Any) -> None:
    """Count the Winograd questions of FILE answered right, wrong and not at all.

    FILE has columns by position: question, score of A, score of B, a label that is ignored, and the
    right answer. With --model, FILE holds the questions (the XML of the collection, or a table of
    look-ups made by hand) and the model gives both scores. A_p leaves unanswered questions out, A_o
    counts each as a coin flip.
    """
    if output is not None and options["model"] is None:
        raise click.UsageError("-o writes the scores of a model; pass --model as well.")
    result = score_winograd(scores, **options)
    if isinstance(result, WinogradAnswers):
        write_file(result, "answers", output)
    show(result, as_json=as_json)
