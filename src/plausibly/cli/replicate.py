"""`plausibly replicate`: published numbers beside what the published data says."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from plausibly.cli.show import MISSING, json_option, print_json, say
from plausibly.cli.source import data_option

if TYPE_CHECKING:
    from plausibly.replications import Record

WIDTH = 120
VALUE_WIDTH = 18
INDENT = "    "


@click.command("replicate")
@click.argument("name")
@data_option
@json_option
@click.option("--strict", is_flag=True, help="Exit 1 if any number is an erratum.")
def command(name: str, data: Path, as_json: bool, strict: bool) -> None:
    """Recompute the numbers a publication prints; NAME is pap, adept, sp10k, gita or all."""
    from plausibly.errors import StudyError, UnknownName
    from plausibly.replications import REPLICATIONS

    if name not in (*REPLICATIONS, "all"):
        raise UnknownName("replication", name, (*REPLICATIONS, "all"))
    names = _present(list(REPLICATIONS), data) if name == "all" else [name]
    records = [record for known in names for record in REPLICATIONS[known](data)]
    if as_json:
        print_json([record.as_json() for record in records])
    else:
        for line in _lines(records):
            click.echo(line)
    printed = Counter(record.verdict for record in records if record.published is not None)
    unprinted = sum(record.published is None for record in records)
    counts = [f"{count} {verdict}" for verdict, count in printed.most_common()]
    say(f"{sum(printed.values())} published numbers: {', '.join(counts)}.")
    say(f"{unprinted} more follow from the data and were not printed.")
    if strict and printed["erratum"]:
        raise StudyError(f"{name}: {printed['erratum']} published numbers do not follow.")


def _present(names: Sequence[str], data: Path) -> list[str]:
    """Return the datasets that have a folder; say which have none."""
    from plausibly.errors import StudyError

    present = [name for name in names if (data / name).is_dir()]
    if not present:
        raise StudyError(f"{data}: none of {', '.join(names)} is here. See 'plausibly data list'.")
    for name in names:
        if name not in present:
            say(f"{data / name}: no such folder, left out. Get it with: plausibly data get {name}")
    return present


def _lines(records: Sequence[Record]) -> Iterator[str]:
    """Yield a table of at most `WIDTH` columns; notes stand under the row that needs them, once."""
    longest = max((len(record.id) for record in records), default=2)
    yield _row(longest, "id", "published", "recomputed", "verdict")
    yield _row(longest, "-" * longest, "-" * VALUE_WIDTH, "-" * VALUE_WIDTH, "-" * 14)
    said = ""
    for record in records:
        published, recomputed = _text(record.published), _text(record.recomputed)
        yield _row(longest, record.id, _fit(published), _fit(recomputed), record.verdict)
        if len(published) > VALUE_WIDTH:
            yield from _below(f"published: {published}")
        if len(recomputed) > VALUE_WIDTH:
            yield from _below(f"recomputed: {recomputed}")
        if record.verdict != "exact" and record.note != said:
            said = record.note
            yield from _below(said)


def _row(longest: int, name: str, published: str, recomputed: str, verdict: str) -> str:
    values = f"{published:>{VALUE_WIDTH}}  {recomputed:>{VALUE_WIDTH}}"
    return f"{name:{longest}}  {values}  {verdict}".rstrip()


def _fit(text: str) -> str:
    return text if len(text) <= VALUE_WIDTH else "see below"


def _below(text: str) -> Iterator[str]:
    yield from textwrap.wrap(
        text, WIDTH, initial_indent=INDENT, subsequent_indent=INDENT, break_on_hyphens=False
    )


def _text(value: object) -> str:
    if value is None:
        return MISSING
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_inner(inner)}" for key, inner in value.items())
    if isinstance(value, list):
        return ", ".join(_inner(inner) for inner in value) or "none"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _inner(value: object) -> str:
    return f"[{_text(value)}]" if isinstance(value, list | Mapping) else _text(value)
