"""Sets of events that are plausible or not: PEP-3K and 20 Questions.

PEP-3K (Wang, Durrett and Erk, 2018) is two files without a header, one `subject verb object` per
line, one of plausible and one of implausible events. 20 Questions (Porada et al., 2021) is a table
subject, verb, object, label; in the format in which Porada et al. release both sets, there is no
header and the label comes first.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import polars as pl

from plausibly.datasets.catalogue import find
from plausibly.datasets.headers import spelt
from plausibly.errors import Problem, StudyError, TableError, listed
from plausibly.io import Rows, read_cells, read_rows, read_text, suffix_of
from plausibly.tables import ITEMS, LABELS

QUESTION = "plausible"
WORDS = ("subject", "verb", "object")
NAMES = {"1": "plausible", "0": "implausible"}
"""The labels in the files, and their meaning."""

_SCHEMA = {**dict.fromkeys(WORDS, pl.String()), "label": pl.String(), "split": pl.String()}
_SPELLINGS = {**NAMES, **{name: name for name in NAMES.values()}}
_ENDINGS = ("-all.txt", "_all.txt", ".txt", "-all.tsv", ".tsv", "")
_SIDES = {"plausible": ("pos", "positive"), "implausible": ("neg", "negative")}


def read_triples(path: Path, *, label: str) -> pl.DataFrame:
    """Return the events of a file without a header, three words per line, all with one label."""
    rows: list[tuple[str, ...]] = []
    problems: list[str] = []
    for line, text in enumerate(read_text(path).splitlines(), start=1):
        words = text.split("\t") if "\t" in text else text.split()
        if len(words) == len(WORDS) and all(word.strip() for word in words):
            rows.append((*(word.strip() for word in words), label, ""))
        elif text.strip():
            problems.append(f"{path}:{line}: {len(words)} words, expected subject verb object")
    if problems:
        raise TableError(listed(problems, total=len(problems), noun="bad row"))
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")


def read_labelled(path: Path) -> pl.DataFrame:
    """Return the events of a table subject, verb, object, label (or label first, no header)."""
    rows = spelt(read_event_rows(path), (*WORDS, "label"))
    missing = [name for name in (*WORDS, "label") if name not in rows.frame.columns]
    if missing:
        raise TableError(
            f"{path}: no column {missing[0]!r}. Expected {', '.join(WORDS)}, label. "
            f"Columns found: {', '.join(rows.frame.columns)}."
        )
    frame = rows.frame.select(*WORDS, "label").cast(pl.String)
    label = pl.col("label").str.to_lowercase().str.replace(r"^([01])\.0+$", "$1")
    frame = frame.with_columns(label)
    empty = frame.select(pl.any_horizontal(pl.col(WORDS).is_null())).to_series()
    odd = ~frame["label"].is_in(list(_SPELLINGS)).fill_null(False)
    problems = [Problem(row, f"one of {', '.join(WORDS)} is empty") for row in empty.arg_true()]
    problems += [
        Problem(row, f"label {frame['label'][row]!r} is not one of {', '.join(_SPELLINGS)}")
        for row in odd.arg_true()
    ]
    rows.reject(problems, count=len({problem.row for problem in problems}))
    split = path.name.partition(".")[0]
    return frame.with_columns(pl.col("label").replace(_SPELLINGS), split=pl.lit(split))


def read_event_rows(path: Path) -> Rows:
    """Return the rows of a table of events, or of a file without a header, the label first."""
    return read_rows(path) if _has_header(path) else _headerless(path)


def _has_header(path: Path) -> bool:
    if suffix_of(path) not in (".csv", ".tsv"):
        return True
    first = next(iter(read_cells(path)), (0, []))[1]
    return not first or first[0].strip() not in _SPELLINGS


def _headerless(path: Path) -> Rows:
    records = [(line, cells) for line, cells in read_cells(path) if any(cells)]
    odd = [(line, cells) for line, cells in records if len(cells) != 1 + len(WORDS)]
    if odd:
        shown = [f"{path}:{line}: {len(cells)} columns, expected 4" for line, cells in odd]
        raise TableError(listed(shown, total=len(odd), noun="bad row"))
    frame = pl.DataFrame(
        [[cell.strip() or None for cell in cells] for _, cells in records],
        schema=dict.fromkeys(("label", *WORDS), pl.String()),
        orient="row",
    )
    lines = [line for line, _ in records]
    return Rows(path, frame, (), lambda rows: [lines[row] for row in rows])


def event_tables(events: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """Return items and labels of events; the same event twice is one item.

    Raises:
        TableError: If an event is plausible in one row and implausible in another.
    """
    events = events.with_columns(item=pl.concat_str(*WORDS, separator=" ")).unique(
        ["item", "label"], keep="first", maintain_order=True
    )
    both = events.filter(pl.col("item").is_duplicated())["item"].unique().sort()
    if len(both):
        raise TableError(
            f"{len(both)} events are both plausible and implausible (first: {both[0]!r})."
        )
    splits = [] if events["split"].eq("").all() else ["split"]
    items = events.select("item", *WORDS, *splits, text="item")
    labels = events.select(
        "item",
        "label",
        question=pl.lit(QUESTION),
        method=pl.lit("released"),
        ratings=pl.lit(0, dtype=pl.Int64),
    )
    return {
        "items": ITEMS.sort(ITEMS.check(items)),
        "labels": LABELS.sort(LABELS.check(labels)),
    }


def pep3k(folder: Path) -> dict[str, pl.DataFrame]:
    """Return the events of the folder `pep3k` of a data folder: two files, or labelled tables."""
    place = folder / "pep3k"
    sides = {
        side: find(folder, "pep3k", f"{names[0]}-all.txt") or _side(place, names)
        for side, names in _SIDES.items()
    }
    found = {side: path for side, path in sides.items() if path is not None}
    if len(found) == len(_SIDES):
        return event_tables(pl.concat(read_triples(p, label=side) for side, p in found.items()))
    return event_tables(_labelled_files(place, "pos-all.txt and neg-all.txt"))


def twenty_questions(folder: Path) -> dict[str, pl.DataFrame]:
    """Return the events of the folder `20q` of a data folder: tables with a label."""
    return event_tables(_labelled_files(folder / "20q", "valid.csv and test.csv"))


def pep3k_files(paths: Sequence[Path]) -> dict[str, pl.DataFrame]:
    """Return the events of two files, plausible first unless its name has `neg`; or of tables."""
    if not all(path.suffix in (".txt", "") for path in paths):
        return event_tables(pl.concat(read_labelled(path) for path in paths))
    if len(paths) != 2:
        raise StudyError(f"PEP-3K needs two files, plausible and implausible; got {len(paths)}.")
    first, second = paths
    if "neg" in first.name.lower() and "neg" not in second.name.lower():
        first, second = second, first
    return event_tables(
        pl.concat(
            [read_triples(first, label="plausible"), read_triples(second, label="implausible")]
        )
    )


def labelled_files(paths: Iterable[Path]) -> dict[str, pl.DataFrame]:
    """Return the events of tables with a label."""
    return event_tables(pl.concat(read_labelled(path) for path in paths))


def _side(place: Path, names: tuple[str, ...]) -> Path | None:
    wanted = [f"{name}{end}" for name in names for end in _ENDINGS]
    return next((place / name for name in wanted if (place / name).is_file()), None)


def _labelled_files(place: Path, expected: str) -> pl.DataFrame:
    if not place.is_dir():
        raise StudyError(f"{place}: no such folder. Put {expected} there.")
    paths = sorted(path for path in place.iterdir() if path.suffix in (".csv", ".tsv", ".jsonl"))
    if not paths:
        raise StudyError(f"{place}: no events. Put {expected} there.")
    return pl.concat(read_labelled(path) for path in paths)
