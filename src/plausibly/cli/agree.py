"""`plausibly agree`: how far annotators agree, every measure with its interval."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from plausibly.cli.show import json_option, print_json, print_table, say
from plausibly.cli.source import ratings_source, without_checks

if TYPE_CHECKING:
    from plausibly.measures.agreement import Agreement
    from plausibly.measures.jaccard import Sides
    from plausibly.measures.resampling import Units


def _sides(ctx: click.Context, parameter: click.Parameter, text: str | None) -> Sides | None:
    from plausibly.errors import StudyError
    from plausibly.measures.jaccard import parse_sides

    try:
        return None if text is None else parse_sides(text)
    except StudyError as error:
        raise click.BadParameter(str(error), ctx, parameter) from error


def _measures(ctx: click.Context, parameter: click.Parameter, text: str | None) -> list[str] | None:
    from plausibly.errors import UnknownName
    from plausibly.measures.agreement import check_names

    if text is None:
        return None
    try:
        return check_names([name.strip() for name in text.split(",") if name.strip()])
    except UnknownName as error:
        raise click.BadParameter(str(error), ctx, parameter) from error


@click.command("agree")
@ratings_source
@click.option(
    "--sides",
    callback=_sides,
    metavar="SIDES",
    help="Answers that count as one for soft_jaccard, as '1,2|4,5'; without it, equal answers.",
)
@click.option(
    "--separator",
    metavar="TEXT",
    help="Answers are sets with TEXT between members: add Krippendorff's alpha with MASI.",
)
@click.option(
    "--measures", callback=_measures, metavar="A,B,…", help="Only these measures (default: all)."
)
@click.option(
    "--resample",
    type=click.Choice(["items", "annotators", "both"]),
    default="both",
    show_default=True,
    help="What is drawn with replacement for the intervals.",
)
@click.option(
    "--resamples",
    type=click.IntRange(min=0),
    help="How many draws (default: 1000, fewer on very many ratings); 0 for no intervals.",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@json_option
def command(
    file: Path,
    *,
    form: str,
    names: dict[str, str],
    sides: Sides | None,
    separator: str | None,
    measures: list[str] | None,
    resample: Units,
    resamples: int | None,
    seed: int,
    as_json: bool,
) -> None:
    """Measure how far annotators agree on the ratings in FILE.

    Each measure has its 95 % interval and n, the units resampled; one without a value says why.
    """
    from plausibly.measures.agreement import agreement
    from plausibly.measures.resampling import Resampling
    from plausibly.ratings import import_ratings

    found = agreement(
        without_checks(import_ratings(file, form=form, names=names).ratings),
        sides=sides,
        separator=separator or None,
        measures=measures,
        resampling=Resampling(resample, resamples, seed),
    )
    if as_json:
        documents = {question: one.as_json() for question, one in found.items()}
        print_json({"questions": documents} if len(found) > 1 else next(iter(documents.values())))
    else:
        header = ("question", "measure", "value", "low", "high", "n", "note")
        own = slice(0 if len(found) > 1 else 1, None)
        print_table(header[own], [row[own] for row in _rows(found)])
    for question, one in found.items():
        say(f"{question}: {_counted(one, asked=resamples)}")


def _rows(found: Mapping[str, Agreement]) -> Iterator[tuple[object, ...]]:
    for question, one in found.items():
        for name, measure in one.measures.items():
            facts = [f"{key.replace('_', ' ')}: {count}" for key, count in measure.counts.items()]
            note = "; ".join([measure.reason] if measure.reason else facts)
            yield question, name, measure.value, measure.low, measure.high, measure.n, note


def _counted(one: Agreement, *, asked: int | None) -> str:
    from plausibly.measures.resampling import RESAMPLES

    plan = one.resampling
    drawn = "items and annotators" if plan.units == "both" else plan.units
    text = f"{one.ratings} ratings of {one.items} items by {one.annotators} annotators"
    if not plan.resamples:
        return f"{text}; no intervals."
    text += f"; 95 % intervals from {plan.resamples} resamples of {drawn}, seed {plan.seed}."
    if asked is None and plan.resamples < RESAMPLES:
        text += f" So many ratings get fewer than {RESAMPLES}; --resamples asks for more."
    return text
