"""`plausibly build pap`: attested and perturbed events by abstractness."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from plausibly.cli.lexica import (
    PREDICTED,
    frequency_list,
    inflected_forms,
    norms_for,
    profanity_list,
    realiser_for,
)
from plausibly.cli.show import json_option, print_json, print_table, say
from plausibly.cli.source import FILE

if TYPE_CHECKING:
    import polars as pl

    from plausibly.stimuli.built import Built
    from plausibly.stimuli.lexica.frequency import FrequencyList
    from plausibly.stimuli.pap.building import PapLexica
    from plausibly.stimuli.pap.cells import PapPlan

OUT = click.Path(path_type=Path, file_okay=False)


@click.command("pap")
@click.option("--svo", "svo_file", type=FILE, required=True, help="Triples with their counts.")
@click.option(
    "--norms",
    required=True,
    metavar="FILE|predicted",
    help="Norms with columns Word, Conc.M and Dom_Pos, or our own estimate.",
)
@click.option("--per-cell", type=click.IntRange(min=1), default=40, show_default=True)
@click.option(
    "--draw",
    type=click.Choice(["matched", "token", "type"]),
    default="matched",
    show_default=True,
    help="Words of perturbed triples: as frequent as those they replace; by token; by type.",
)
@click.option(
    "--per-word",
    type=click.FloatRange(0, 1),
    default=0.02,
    show_default=True,
    help="Largest share of a condition with one word in one place; 0 as published.",
)
@click.option(
    "--exchanged",
    type=click.IntRange(1, 2),
    default=2,
    show_default=True,
    help="Words of a triple to exchange: 2, or 1 as a comparison arm.",
)
@click.option(
    "--match",
    multiple=True,
    metavar="COLUMN:TOLERANCE",
    help="Pair attested and perturbed triples: frequency:0.3, length:1, concreteness:0.5, ...",
)
@click.option(
    "--short-cells",
    type=click.Choice(["stop", "take-all"]),
    default="stop",
    show_default=True,
    help="What to do when a cell holds fewer triples.",
)
@click.option("--seed", type=click.IntRange(min=0), required=True)
@click.option("-o", "--output", type=OUT, help="Folder to write.")
@click.option("--frequency", type=FILE, help="Frequency list (default: wordfreq).")
@click.option(
    "--min-zipf", type=float, help="Rarest rated words to use (default: 2); 0 for all of them."
)
@click.option("--profanity", type=FILE, help="List of profane lemmas (default: our own).")
@click.option(
    "--profanity-classifier",
    type=click.FloatRange(0, 1, min_open=True),
    metavar="P",
    help="Also drop what alt-profanity-check rates P or higher (default: off).",
)
@click.option("--no-negation", is_flag=True, help="Leave out triples the column negated marks.")
@click.option("--no-fiction", is_flag=True, help="Leave out triples the column fiction marks.")
@click.option("--sentences", is_flag=True, help="Texts with articles; PAP shows bare words.")
@click.option("--lang", default="en", show_default=True, help="Language of the triples: en, it.")
@click.option(
    "--feasibility",
    type=click.IntRange(min=1),
    metavar="ROWS",
    help="Write nothing; say how full each cell would be with ROWS triples.",
)
@json_option
def command(
    svo_file: Path,
    *,
    norms: str,
    per_cell: int,
    short_cells: str,
    draw: str,
    per_word: float,
    exchanged: int,
    match: tuple[str, ...],
    seed: int,
    output: Path | None,
    no_negation: bool,
    no_fiction: bool,
    sentences: bool,
    feasibility: int | None,
    as_json: bool,
    **lists: Any,
) -> None:
    """Build PAP's two sets of events from the triples of a corpus.

    Writes items.parquet, ledger.parquet (every candidate that is no item, with the reason),
    bins.json, funnel.json, cells.json, lexica.json and balance.json into the folder.
    """
    from plausibly.stimuli.lexica.language import require
    from plausibly.stimuli.matching import tolerances
    from plausibly.stimuli.pap.building import build_pap
    from plausibly.stimuli.pap.cells import PapPlan
    from plausibly.stimuli.pap.svo import read_svo

    if output is None and feasibility is None:
        raise click.UsageError("missing option '-o' / '--output': the folder to write.")
    given = frozenset() if norms == PREDICTED else frozenset({"norms"})
    require(lists["lang"], "pap", given=given)
    marks = {"negated": no_negation, "fiction": no_fiction}
    plan = PapPlan(
        seed=seed,
        per_cell=per_cell,
        short_cells=short_cells,
        without=tuple(name for name, wanted in marks.items() if wanted),
        as_sentence=sentences,
        source=str(svo_file),
        draw=draw,
        per_word=per_word,
        exchanged=exchanged,
        match=tolerances(match),
    )
    svo = read_svo(svo_file, marks=plan.without)
    lexica, report, frequencies = _lexica(svo, norms, sentences, **lists)
    _talk(report)
    if feasibility is not None:
        _feasible(svo, lexica, plan, feasibility, as_json)
    elif output is not None:
        built = build_pap(svo, lexica, plan=plan)
        _write(built, report, output, frequencies)
        _show(built, report, as_json, per_cell)
        items, dropped = built.items.height, built.ledger.height
        say(f"{output}: {items} items, {dropped} candidates in the ledger.")


def _lexica(
    svo: pl.DataFrame,
    norms: str,
    sentences: bool,
    *,
    frequency: Path | None,
    min_zipf: float | None,
    profanity: Path | None,
    profanity_classifier: float | None,
    lang: str,
) -> tuple[PapLexica, dict[str, Any], FrequencyList | None]:
    from plausibly.stimuli.lexica.norms import MIN_ZIPF
    from plausibly.stimuli.pap.lexica import Filtering, pap_lexica

    least = MIN_ZIPF if min_zipf is None else min_zipf
    frequencies = frequency_list(frequency, lang) if least > 0 else None
    filtering = Filtering(frequencies, least, inflected_forms(lang) if least > 0 else None)
    lexica, report = pap_lexica(
        svo,
        norms_for(svo, norms),
        profanity=profanity_list(profanity, profanity_classifier, lang),
        realiser=realiser_for(lang, as_sentence=sentences),
        filtering=filtering,
    )
    return lexica, report, frequencies


def _show(built: Built, report: dict[str, Any], as_json: bool, per_cell: int) -> None:
    cells = built.tables["cells"]
    short = cells.filter(cells["taken"] < per_cell)
    if as_json:
        print_json({"funnel": built.funnel, "cells": cells.to_dicts(), "lexica": report})
    elif isinstance(built.funnel, dict):
        steps = {name: built.funnel[name] for name in ("attested", "perturbed")}
        rows = [(name, s["step"], s["rows"]) for name, found in steps.items() for s in found]
        print_table(("condition", "step", "rows"), rows)
    if not short.is_empty():
        say(f"{short.height} of {cells.height} cells are short:")
        for row in short.iter_rows(named=True):
            say(f"  {row['condition']} {row['combination']}: {row['taken']} of {per_cell}")


def _write(
    built: Built, report: dict[str, Any], output: Path, frequencies: FrequencyList | None
) -> None:
    from dataclasses import replace

    from plausibly.io import filling
    from plausibly.stimuli.balance.report import balance

    spread = balance(built.items, frequency=frequencies).as_json()
    norms = "predicted" if report["norms"]["predicted"] else "rated"
    more = {"lexica.json": report, "balance.json": {**spread, "norms": norms}}
    with filling(output) as folder:
        replace(built, documents={**built.documents, **more}).write(folder)


def _feasible(
    svo: pl.DataFrame, lexica: PapLexica, plan: PapPlan, rows: int, as_json: bool
) -> None:
    from plausibly.stimuli.pap.building import placed_sets
    from plausibly.stimuli.pap.cells import cell_counts, expected_cells

    placed = placed_sets(svo, lexica, plan=plan)
    cells = cell_counts({name: one.sieve.kept for name, one in placed.items()}, plan=plan)
    expected = expected_cells(cells, rows=svo.height, of=rows, per_cell=plan.per_cell)
    if as_json:
        print_json({"rows": svo.height, "of": rows, "cells": expected.to_dicts()})
    else:
        print_table(tuple(expected.columns), expected.iter_rows())
    unsure = expected.filter(expected["chance_full"] < 0.95).height
    say(
        f"{svo.height} triples now, {rows} then: {unsure} of {expected.height} cells are less than "
        f"95 % sure to hold {plan.per_cell}. Shares are taken to stay as they are."
    )


def _talk(report: dict[str, Any]) -> None:
    norms = report["norms"]
    if norms["predicted"]:
        say(norms["note"])
    if report["frequency"] and report["frequency"]["note"]:
        say(report["frequency"]["note"])
    if report["profanity"]["note"]:
        say(report["profanity"]["note"])
    for pos, found in norms["filter"].items():
        printed = ""
        if found["published"] is not None:
            printed = f" (published {found['published']}, difference {found['difference']})"
        say(
            f"{pos}s: {found['rated']} rated, {found['frequent_enough']} pass the filter"
            f"{printed}, {found['seen_in_the_corpus']} of them in the corpus."
        )
