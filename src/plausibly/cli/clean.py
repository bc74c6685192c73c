"""`plausibly clean`: rules in order, a ledger of what was set aside, and the cascade."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from plausibly.cli.show import json_option, print_json, say
from plausibly.cli.source import FILE, key_options, ratings_source

if TYPE_CHECKING:
    import polars as pl

    from plausibly.cleaning import CascadeStep, Cleaned, Context, Preset
    from plausibly.domain import LabelScheme
    from plausibly.measures.jaccard import Sides
    from plausibly.ratings.people import Naming

FOLDER = click.Path(path_type=Path, file_okay=False)


@click.command("clean")
@ratings_source
@click.option("--preset", required=True, metavar="NAME|RULES.toml", help="Rules to apply.")
@click.option("--items", "items_in", type=FILE, help="Items table, checks included.")
@click.option("--annotators", "people", type=FILE, help="Annotators table or Prolific export.")
@click.option("--withdraw", multiple=True, metavar="ITEM", help="A bad check; may be repeated.")
@click.option(
    "--sides", metavar="SIDES", help="Answers that count as one, lowest first: '1,2|4,5'."
)
@key_options
@click.option("--multiverse", is_flag=True, help="Try other thresholds, orders and boundaries.")
@click.option(
    "--resamples",
    type=click.IntRange(min=0),
    default=100,
    show_default=True,
    help="Draws for the intervals of agreement.",
)
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True)
@click.option("-o", "--output", type=FOLDER, required=True, help="Folder to write into.")
@json_option
@click.option("--strict", is_flag=True, help="Exit 1 if a step has a note.")
def command(
    file: Path,
    *,
    form: str,
    names: dict[str, str],
    preset: str,
    items_in: Path | None,
    people: Path | None,
    withdraw: tuple[str, ...],
    sides: str | None,
    naming: Naming,
    multiverse: bool,
    resamples: int,
    seed: int,
    output: Path,
    as_json: bool,
    strict: bool,
) -> None:
    """Clean the ratings in FILE and write what is kept, what is not, and why.

    NAME is pap, pap-text, adept, sp10k or recommended. Ratings of checks, gold and attention
    items are set aside before the first rule: they are no part of the data.
    """
    from plausibly.cleaning import cascade, clean, load_preset
    from plausibly.cleaning.showing import as_text
    from plausibly.errors import StudyError
    from plausibly.measures.jaccard import parse_sides
    from plausibly.measures.resampling import Resampling
    from plausibly.ratings import import_ratings
    from plausibly.ratings.prolific import join_people

    rules = load_preset(preset)
    spelled = sides or rules.sides
    parsed = None if spelled is None else parse_sides(spelled)
    imported = import_ratings(file, form=form, names=names, naming=naming)
    if people is not None:
        imported = join_people(imported, people, naming=naming)
    items = _renamed(_items(items_in, imported.items, form), preset)
    context = _context(items, imported.annotators, parsed, seed)
    cleaned = clean(imported.ratings, rules.build(), context, withdraw=withdraw)
    plan = Resampling(resamples=resamples, seed=seed)
    steps = cascade(cleaned, items, rules=rules.rules, sides=parsed, resampling=plan)
    explored = None
    if multiverse:
        explored = _explored(imported.ratings, rules, context, withdraw)
    document = _document(steps, rules)
    _write(output, cleaned, steps, document, explored)
    if as_json:
        print_json(document)
    else:
        click.echo(as_text(steps), nl=False)
    _talk(output, cleaned, rules)
    notes = [str(step["note"]) for step in document if step["note"]]
    if strict and notes:
        raise StudyError(f"{output}: {len(notes)} steps have a note (first: {notes[0]})")


def _items(path: Path | None, told: pl.DataFrame | None, form: str) -> pl.DataFrame:
    from plausibly.errors import StudyError
    from plausibly.io import read_table
    from plausibly.tables import ITEMS

    if path is not None:
        return read_table(path, ITEMS)
    if told is None:
        raise StudyError(f"the {form} form says nothing about items. Pass --items.")
    return told


def _renamed(items: pl.DataFrame, preset: str) -> pl.DataFrame:
    """Return the items with PAP's own names of conditions as ours, where PAP's rules apply."""
    import polars as pl

    from plausibly.datasets.pap import ORIGINALS

    theirs = items.filter(pl.col("condition").is_in(list(ORIGINALS))).height
    if preset not in ("pap", "pap-text") or not theirs:
        return items
    names = ", ".join(f"{old} as {new}" for old, new in ORIGINALS.items())
    say(f"items: the condition of {theirs} of {items.height} is read as PAP names it: {names}.")
    return items.with_columns(pl.col("condition").replace(ORIGINALS))


def _context(
    items: pl.DataFrame, annotators: pl.DataFrame | None, sides: Sides | None, seed: int
) -> Context:
    from plausibly.cleaning import Context

    def competence(ratings: pl.DataFrame) -> Mapping[str, float]:
        return _competence(ratings, sides, seed)

    return Context(items=items, annotators=annotators, sides=sides, competence=competence)


def _scheme(ratings: pl.DataFrame, sides: Sides | None) -> LabelScheme | None:
    """Return the sides as labels 0, 1, …, lowest first; an answer on none has no label."""
    from plausibly.domain import LabelScheme
    from plausibly.measures.jaccard import side_of

    if sides is None:
        return None
    answers = ratings["answer"].unique().to_list()
    places = side_of(answers, sides).tolist()
    of = {answer: str(place) for answer, place in zip(answers, places, strict=True) if place >= 0}
    return LabelScheme("sides", tuple(str(place) for place in range(len(sides))), of)


def _competence(ratings: pl.DataFrame, sides: Sides | None, seed: int) -> Mapping[str, float]:
    """Return everybody's MACE competence over the sides, averaged over questions."""
    import polars as pl

    from plausibly.labels.mace import mace

    if ratings.is_empty():
        return {}
    found = mace(ratings, seed=seed, scheme=_scheme(ratings, sides)).competence
    means = found.group_by("annotator").agg(pl.col("competence").fill_nan(None).mean())
    return dict(means.drop_nulls().iter_rows())


def _explored(
    ratings: pl.DataFrame, preset: Preset, context: Context, withdraw: tuple[str, ...]
) -> pl.DataFrame:
    from plausibly.cleaning.multiverse import explore, universes
    from plausibly.labels.strict_majority import strict_majority

    scheme = _scheme(ratings, context.sides)
    return explore(
        ratings,
        universes(preset.rules),
        context,
        withdraw=withdraw,
        labeller=lambda kept: strict_majority(kept, scheme=scheme),
    )


def _document(steps: tuple[CascadeStep, ...], preset: Preset) -> list[dict[str, object]]:
    """Return cascade.json: one object per step; an incomplete preset says so in each."""
    told = {"preset": preset.name, "complete": preset.complete}
    document = [{**step.as_json(), **told} for step in steps]
    if preset.note:
        document[0]["note"] = preset.note
    return document


def _write(
    output: Path,
    cleaned: Cleaned,
    steps: tuple[CascadeStep, ...],
    document: list[dict[str, object]],
    explored: pl.DataFrame | None,
) -> None:
    from plausibly.cleaning.multiverse import ranges
    from plausibly.cleaning.showing import as_latex, as_markdown, as_text, multiverse_markdown
    from plausibly.io import filling, write_frame, write_json, write_table, write_text
    from plausibly.tables import EXCLUSIONS, RATINGS

    with filling(output) as folder:
        write_table(cleaned.ratings, folder / "ratings.parquet", RATINGS)
        write_table(cleaned.exclusions, folder / "exclusions.parquet", EXCLUSIONS)
        write_json(folder / "cascade.json", document)
        write_text(folder / "cascade.txt", as_text(steps))
        write_text(folder / "cascade.md", as_markdown(steps))
        write_text(folder / "cascade.tex", as_latex(steps))
        if explored is not None:
            write_frame(explored, folder / "multiverse.parquet")
            worlds = {"ranges": ranges(explored), "universes": explored.to_dicts()}
            write_json(folder / "multiverse.json", worlds)
            write_text(folder / "multiverse.md", multiverse_markdown(explored))


def _talk(output: Path, cleaned: Cleaned, preset: Preset) -> None:
    if preset.note:
        say(f"{preset.name}: {preset.note}.")
    total = cleaned.ratings.height + cleaned.exclusions.height
    say(
        f"{output}: {cleaned.ratings.height} of {total} ratings kept, "
        f"{cleaned.exclusions.height} in the ledger."
    )
