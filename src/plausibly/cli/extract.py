"""`plausibly extract`: corpora to counts of relations."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from plausibly.cli.progress import progress
from plausibly.cli.show import json_option, show
from plausibly.errors import StudyError

F = TypeVar("F", bound=Callable[..., Any])

_COUNT = click.IntRange(min=0)

FORMS = ("conllu", "depcc", "text", "wikiextractor", "jsonl", "parquet", "dump")
PATTERNS = {
    "passives": "Count the subject of a passive as object, its by-phrase as subject.",
    "conjuncts": "Let conjuncts share their head, and verbs their subject.",
    "relative_clauses": "Put a noun into the place of its relative pronoun.",
    "proper_nouns": "Count proper nouns as nouns.",
    "particles": "Count events whose verb has a particle (put off), which PAP leaves out.",
    "drop_negated": "Leave out what a negated verb governs.",
    "drop_modal": "Leave out what a verb with a modal governs.",
}


def pattern_options(command: F) -> F:
    """Give a command one flag per pattern that is off by default."""
    for name, text in reversed(PATTERNS.items()):
        command = click.option(f"--{name.replace('_', '-')}", is_flag=True, help=text)(command)
    return command


def source_options(command: F) -> F:
    """Give a command the options that say which documents of a source are wanted."""
    for decorate in (
        click.option(
            "--documents",
            multiple=True,
            metavar="FIELD[!]=PATTERN",
            help="Keep (or with != leave out) documents by title, category or any column.",
        ),
        click.option(
            "--encoding",
            default="utf-8",
            metavar="NAME",
            help="Encoding of texts, such as cp1252 or utf-16 (default: utf-8).",
        ),
        click.option("--column", default="text", help="Where JSONL and Parquet hold the text."),
        click.option(
            "--min-links",
            type=_COUNT,
            default=0,
            help="Leave out pages of a dump with fewer links.",
        ),
        click.option(
            "--few",
            type=click.Choice(["either", "both"]),
            default="either",
            help="Leave out pages with too few tokens or links (default), or only with both.",
        ),
        click.option(
            "--min-tokens", type=_COUNT, default=0, help="Leave out documents with fewer tokens."
        ),
        click.option(
            "--seed", type=_COUNT, default=1, help="Draws the same documents again (default: 1)."
        ),
        click.option("--articles", type=click.IntRange(min=1), help="Draw so many documents."),
    ):
        command = decorate(command)
    return command


@click.command("extract")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--format",
    type=click.Choice(FORMS),
    help="Format of the files, if their endings and contents do not show it.",
)
@click.option("--parser", default="embedded", help="embedded, stanza or spacy:NAME; for texts.")
@click.option("--language", metavar="CODE", help="Language the parser reads; Stanza has many.")
@source_options
@click.option("--relations", metavar="A,B,…", help="Only these (default: all).")
@click.option(
    "--profile",
    type=click.Choice(("basic", "enhanced")),
    default="basic",
    help="enhanced: passives, conjuncts and relative clauses together.",
)
@pattern_options
@click.option(
    "--repair",
    type=click.Choice(("on", "none")),
    default="on",
    help="Correct objects of reporting verbs, quantity nouns and HTML entities (default: on).",
)
@click.option("--min-count", type=click.IntRange(min=1), default=1, help="Leave out rarer pairs.")
@click.option(
    "--max-bad-share",
    type=click.FloatRange(0, 1),
    default=0.01,
    help="Share of bad lines to pass over (default: 0.01).",
)
@click.option(
    "--examples",
    type=_COUNT,
    default=0,
    metavar="K",
    help="Keep K sentences of each pair and triple in examples.parquet.",
)
@click.option("--engine", default="duckdb", help="duckdb, spark or spark://HOST:PORT.")
@click.option("--workers", type=click.IntRange(min=1), help="Processes (default: one a processor).")
@click.option("--memory", metavar="SIZE", help="The most a statement may hold, such as 2GB.")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder to write into.",
)
@click.option("--strict", is_flag=True, help="Exit 1 if anything was wrong with the input.")
@json_option
def command(
    *, files: tuple[Path, ...], output: Path, strict: bool, as_json: bool, **options: Any
) -> None:
    """Count relations in FILES: dumps, texts or parsed corpora; folders and patterns too.

    Writes counts.parquet, svo.parquet, manifest.json and quarantine.jsonl into a folder, and
    examples.parquet if asked to. A run that was interrupted goes on when the same command is
    given again.
    """
    from plausibly.verbs.extract import extract

    with progress(in_bytes=True) as watch:
        extracted = extract(files, output=output, watch=watch, **options)
    show(extracted, as_json=as_json)
    if strict and extracted.unsound:
        raise StudyError(extracted.unsound)
