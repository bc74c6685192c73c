"""`plausibly experts`: a sample judged again, compared with the crowd, decided with reasons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from plausibly.cli.options import options_of
from plausibly.cli.show import json_option, say, show, write_file
from plausibly.cli.source import FILE, ratings_source
from plausibly.verbs.experts import (
    experts_compare,
    experts_confident,
    experts_decide,
    experts_sample,
    experts_subset,
)

OUT = click.Path(path_type=Path, dir_okay=False)
output_option = click.option("-o", "--output", type=OUT, required=True, help="File to write.")


@click.group("experts")
def command() -> None:
    """Judge a sample again by experts, and keep their decisions beside the crowd's labels."""


@command.command("sample")
@click.argument("items", type=FILE)
@options_of(experts_sample)
@output_option
def sample(items: Path, *, output: Path, **options: Any) -> None:
    """Draw items from ITEMS for experts to judge."""
    drawn = experts_sample(items, **options)
    write_file(drawn, "items", output)
    say(drawn.talk[-1])


@command.command("compare")
@ratings_source
@options_of(experts_compare)
@click.option("-o", "--output", type=OUT, help="Write the list of disagreements here.")
@json_option
def compare(ratings: Path, *, output: Path | None, as_json: bool, **options: Any) -> None:
    """Compare the judgements of two or more experts in FILE with each other and with the crowd."""
    compared = experts_compare(ratings, **options)
    write_file(compared, "disagreements", output)
    show(compared, as_json=as_json)


@command.command("decide")
@click.argument("decisions", type=FILE)
@options_of(experts_decide)
@output_option
def decide(decisions: Path, *, output: Path, **options: Any) -> None:
    """Put the decisions in DECISIONS (item, decision, reason) beside the crowd's labels."""
    result = experts_decide(decisions, **options)
    write_file(result, "labels", output)
    say(result.talk[-1])


@command.command("subset")
@ratings_source
@options_of(experts_subset)
@output_option
def subset(ratings: Path, *, output: Path, **options: Any) -> None:
    """Split items into confident (least variance in their group) and difficult ones."""
    split = experts_subset(ratings, **options)
    write_file(split, "subsets", output)
    say(split.talk[-1])


@command.command("confident")
@click.argument("labels", type=FILE)
@options_of(experts_confident)
@output_option
def confident(labels: Path, *, output: Path, **options: Any) -> None:
    """Keep those of LABELS that nearly all ratings give and no expert overturned."""
    result = experts_confident(labels, **options)
    write_file(result, "labels", output)
    say(result.talk[-1])
