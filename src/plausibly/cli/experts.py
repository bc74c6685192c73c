"""`plausibly experts`: a sample judged again, compared with the crowd, decided with reasons."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from plausibly.cli.show import json_option, print_json, print_table, say
from plausibly.cli.source import FILE, ratings_source

if TYPE_CHECKING:
    from plausibly.analysis.experts import ExpertStudy

OUT = click.Path(path_type=Path, dir_okay=False)
output_option = click.option("-o", "--output", type=OUT, required=True, help="File to write.")
seed_option = click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)


@click.group("experts")
def command() -> None:
    """Judge a sample again by experts, and keep their decisions beside the crowd's labels."""


@command.command("sample")
@click.argument("items_in", metavar="ITEMS", type=FILE)
@click.option("--size", type=click.IntRange(min=1), default=100, show_default=True)
@seed_option
@output_option
def sample(items_in: Path, *, size: int, seed: int, output: Path) -> None:
    """Draw items from ITEMS for experts to judge."""
    from plausibly.analysis.experts import sample_for_experts
    from plausibly.io import read_table, write_table
    from plausibly.tables import ITEMS

    drawn = sample_for_experts(read_table(items_in, ITEMS), size=size, seed=seed)
    write_table(drawn, output, ITEMS)
    say(f"{output}: {drawn.height} items, seed {seed}.")


@command.command("compare")
@ratings_source
@click.option("--labels", "labels_in", type=FILE, required=True, help="The crowd's labels.")
@click.option("--sides", metavar="SIDES", help="Answers that point one way, as '0,1|3,4'.")
@click.option("-o", "--output", type=OUT, help="Write the list of disagreements here.")
@json_option
def compare(
    file: Path,
    *,
    form: str,
    names: dict[str, str],
    labels_in: Path,
    sides: str | None,
    output: Path | None,
    as_json: bool,
) -> None:
    """Compare the judgements of two or more experts in FILE with each other and with the crowd."""
    from plausibly.analysis.experts import compare_experts, disagreements
    from plausibly.io import read_table, write_frame
    from plausibly.measures.jaccard import parse_sides
    from plausibly.ratings import read_ratings
    from plausibly.tables import LABELS

    judgements = read_ratings(file, form=form, names=names)
    labels = read_table(labels_in, LABELS)
    parsed = None if sides is None else parse_sides(sides)
    study = compare_experts(judgements, labels, sides=parsed)
    listed = disagreements(judgements, labels, sides=parsed)
    if output is not None:
        write_frame(listed, output)
        say(f"{output}: {listed.height} disagreements.")
    if as_json:
        print_json({**study.as_json(), "disagreements": listed.to_dicts()})
    else:
        _show(study)


def _show(study: ExpertStudy) -> None:
    measures = {
        "kappa between experts": study.between,
        "share experts agree on": study.agreed,
        "kappa of these with the crowd": study.agreed_with_crowd,
        **{f"kappa of {name} with the crowd": m for name, m in study.with_crowd.items()},
    }
    rows = [(name, m.value, m.low, m.high, m.n) for name, m in measures.items()]
    print_table(("measure", "value", "low", "high", "n"), rows)
    click.echo()
    kinds = list(next(iter(study.directions.values())))
    counted = [(pair, *counts.values()) for pair, counts in study.directions.items()]
    print_table(("pair", *kinds), counted)


@command.command("decide")
@click.argument("decisions_in", metavar="DECISIONS", type=FILE)
@click.option("--labels", "labels_in", type=FILE, required=True, help="The crowd's labels.")
@click.option("--by", "adjudicator", default="", help="Who decided, unless DECISIONS says it.")
@output_option
def decide(decisions_in: Path, *, labels_in: Path, adjudicator: str, output: Path) -> None:
    """Put the decisions in DECISIONS (item, decision, reason) beside the crowd's labels."""
    from plausibly.analysis.adjudication import decide as decided
    from plausibly.io import read_rows, read_table, write_table
    from plausibly.tables import LABELS

    rows = read_rows(decisions_in)
    rows.reject([])
    labels = decided(read_table(labels_in, LABELS), rows.frame, adjudicator=adjudicator)
    write_table(labels, output, LABELS)
    say(f"{output}: {rows.frame.height} of {labels.height} labels decided by experts.")


@command.command("subset")
@ratings_source
@click.option("--items", "items_in", type=FILE, required=True, help="Items table.")
@click.option("--by", default="relation", show_default=True, help="Column that groups items.")
@click.option("--lowest", type=click.IntRange(min=1), default=1000, show_default=True)
@output_option
def subset(
    file: Path,
    *,
    form: str,
    names: dict[str, str],
    items_in: Path,
    by: str,
    lowest: int,
    output: Path,
) -> None:
    """Split items into confident (least variance in their group) and difficult ones."""
    from plausibly.analysis.subsets import by_variance
    from plausibly.io import read_table, write_frame
    from plausibly.ratings import read_ratings
    from plausibly.tables import ITEMS

    ratings = read_ratings(file, form=form, names=names)
    split = by_variance(ratings, read_table(items_in, ITEMS), lowest=lowest, by=by)
    write_frame(split, output)
    counts = Counter(split["subset"].fill_null("without variance").to_list())
    say(f"{output}: " + ", ".join(f"{n} {name}" for name, n in sorted(counts.items())) + ".")
