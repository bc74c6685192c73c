"""`plausibly analyse`: figures and tables of publications, reports on ratings of a protocol."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from plausibly.cli.options import options_of
from plausibly.cli.show import json_option, say, show
from plausibly.cli.source import NO_FOLDER, ratings_source
from plausibly.verbs.analyse import analyse
from plausibly.verbs.ordinal import ordinal as fit
from plausibly.verbs.overlap import overlap as find_overlap

F = TypeVar("F", bound=Callable[..., Any])


@click.group("analyse")
def command() -> None:
    """Draw a publication's figures and tables, or say what ratings of one protocol show."""


@command.command("iks")
@ratings_source
@options_of(analyse)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for report.html, figures (SVG) and tables (CSV, Markdown, LaTeX).",
)
@json_option
def iks(ratings: Path, *, output: Path | None, as_json: bool, **options: Any) -> None:
    """Say how systems that write implicit knowledge fare, from the ratings in FILE.

    FILE is our ratings table, or the annotation sheet with --format iks. Slices by relation
    (support, attack, contradict) and genre come from the sheet or from --items.
    """
    result = analyse("iks", ratings, **options)
    if output is not None:
        result.write(output)
        say(f"{output / 'report.html'}: figures and tables beside it.")
    show(result, as_json=as_json)


@command.command("ordinal")
@ratings_source
@options_of(fit)
@json_option
def ordinal(ratings: Path, *, as_json: bool, **options: Any) -> None:
    """Say what moves the ordered answers in FILE: a cumulative-link mixed model.

    Fixed effects are columns of the ratings or of their items; items, people and words whose
    groups have several ratings vary at random. Fitted by the Laplace approximation.
    """
    show(fit(ratings, **options), as_json=as_json)


@command.command("overlap")
@click.argument("pairs", type=click.Path(path_type=Path, exists=True))
@options_of(find_overlap, without=("pairs",))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for matches, counts by relation, examples and their drawing.",
)
@json_option
def overlap(pairs: Path, *, output: Path | None, as_json: bool, **options: Any) -> None:
    """Say which rated PAIRS a collection of assertions holds, by group of plausibility.

    A pair is matched exactly if one end of an assertion is its head and the other its dependent,
    partially if each is a word of another end; regular forms of a word count as the word.
    """
    result = find_overlap(pairs, **options)
    if output is not None:
        result.write(output)
        say(f"{output}: {result.matches.height} matches.")
    show(result, as_json=as_json)


def _paper_options(function: F) -> F:
    for option in (
        json_option,
        click.option(
            "-o",
            "--output",
            type=click.Path(path_type=Path, file_okay=False),
            help="Folder for report.html, figures (SVG) and tables (CSV, Markdown, LaTeX).",
        ),
        click.option(
            "--data",
            envvar="PLAUSIBLY_DATA",
            type=click.Path(path_type=Path, file_okay=False, exists=True),
            help="Folder with the published datasets (default: $PLAUSIBLY_DATA).",
        ),
    ):
        function = option(function)
    return function


def _analyse(name: str, data: Path | None, output: Path | None, *, as_json: bool) -> None:
    from plausibly.replications.analysis import analyse_paper

    if data is None:
        raise click.BadParameter(NO_FOLDER, param_hint="'--data'")
    result = analyse_paper(name, data=data)
    if output is not None:
        result.write(output)
        say(f"{output / 'report.html'}: figures and tables beside it.")
    show(result, as_json=as_json)


@command.command("pap")
@_paper_options
def pap(*, data: Path | None, output: Path | None, as_json: bool) -> None:
    """Draw Figures 2 to 6 and Tables 1 to 3 of PAP, corrected, with the printed reading beside.

    Adds signs of where disagreement comes from and the triples on which raters agree.
    """
    _analyse("pap", data, output, as_json=as_json)


@command.command("adept")
@_paper_options
def adept(*, data: Path | None, output: Path | None, as_json: bool) -> None:
    """Draw Figures 2 to 4 and Tables 1 and 4 to 6 of ADEPT, as far as its data decide them."""
    _analyse("adept", data, output, as_json=as_json)


@command.command("sp10k")
@_paper_options
def sp10k(*, data: Path | None, output: Path | None, as_json: bool) -> None:
    """Draw Figure 1 and Tables 2, 5 and 8 to 11 of SP-10K, as far as its data decide them."""
    _analyse("sp10k", data, output, as_json=as_json)


@command.command("gita")
@_paper_options
def gita(*, data: Path | None, output: Path | None, as_json: bool) -> None:
    """Draw Tables 2 and 3 of GITA4CALAMITA from the stories and answers in the data folder."""
    _analyse("gita", data, output, as_json=as_json)
