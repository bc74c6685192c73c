"""`plausibly check balance`: what besides the design sets the conditions of items apart."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from plausibly.cli.show import json_option, print_json, print_table, say
from plausibly.cli.source import FILE

if TYPE_CHECKING:
    import polars as pl

    from plausibly.domain import Measure


@click.command("balance")
@click.argument("items", type=FILE)
@click.option("--by", default="condition", show_default=True, help="Column to compare by.")
@click.option("--frequency", type=FILE, help="Frequency list (default: wordfreq).")
@click.option("--norms", type=FILE, help="Concreteness of words: Word, Conc.M, Dom_Pos.")
@click.option("--lang", default="en", show_default=True, help="Language of the texts.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True)
@json_option
def balance(
    items: Path,
    *,
    by: str,
    frequency: Path | None,
    norms: Path | None,
    lang: str,
    seed: int,
    as_json: bool,
) -> None:
    """Compare the conditions of an items table in all that should not tell them apart.

    Length, frequency and norms by condition, words that conditions share, how well these
    variables alone predict the condition, and texts that repeat each other.
    """
    from plausibly.cli.lexica import frequency_list
    from plausibly.stimuli.balance.report import balance as report_on
    from plausibly.stimuli.lexica.norms import read_norms

    table = _read(items)
    listed = frequency_list(frequency, lang)
    rated = read_norms(norms) if norms else None
    report = report_on(table, frequency=listed, norms=rated, by=by, lang=lang, seed=seed)
    if as_json:
        print_json(report.as_json())
        return
    rows = [(s.variable, s.condition, s.n, s.mean, s.sd, s.low, s.high) for s in report.spreads]
    print_table(("variable", by, "n", "mean", "sd", "min", "max"), rows)
    click.echo()
    print_table(("variable", "standardised difference"), report.differences.items())
    click.echo()
    print_table(
        ("words", "conditions", "jaccard"),
        [(one.words, " / ".join(one.conditions), one.jaccard) for one in report.overlaps],
    )
    click.echo()
    print_table(
        ("probe", "value", "low", "high", "n"),
        [(name, m.value, m.low, m.high, m.n) for name, m in report.probe.items()],
    )
    probes = [("frequency only", "", *_auc(report.frequency_only))]
    probes += [("single word", slot, *_auc(found)) for slot, found in report.single_word.items()]
    click.echo()
    print_table(("probe", "slot", "auc", "low", "high", "n"), probes)
    if report.words:
        click.echo()
        print_table(
            ("slot", by, "most frequent", "items", "share"),
            [(w.slot, w.condition, w.word, w.items, w.share) for w in report.words],
        )
    for name, light in report.light_verbs.items():
        say(f"{name}: {light['items']} items with a light verb or a copula ({light['share']:.1%}).")
    leaking = {column: len(groups) for column, groups in report.repeats.leaking.items()}
    across = ", ".join(f"{number} across {column}" for column, number in leaking.items())
    say(
        f"{len(report.repeats.same)} groups of items share a text ({across}); "
        f"{report.repeats.near_items} items are one word from another."
    )
    for note in report.notes:
        say(note)


def _auc(measures: dict[str, Measure]) -> tuple[float | int | None, ...]:
    auc = measures.get("auc")
    return (None, None, None, None) if auc is None else (auc.value, auc.low, auc.high, auc.n)


def _read(path: Path) -> pl.DataFrame:
    from plausibly.errors import TableError
    from plausibly.io import check_rows, read_rows
    from plausibly.stimuli.balance.report import norm_problems
    from plausibly.tables import ITEMS

    rows = read_rows(path)
    rows.reject(norm_problems(rows.frame))
    table = check_rows(rows, ITEMS)
    if table.filter(table["kind"] == "item").is_empty():
        raise TableError(f"{path}: no items to compare, only a header or checks. Add rows.")
    return table
