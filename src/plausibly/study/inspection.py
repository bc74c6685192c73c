"""What reading a file of ratings yields, before anything is stored."""

from __future__ import annotations

import json
import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.io.layout import FileLayout
from plausibly.measures.scales import InferredScale
from plausibly.study.results import text_table

SHOWN = 5
STORED = "ratings.parquet"
_SIGNS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "spaces"}
_DUPLICATES = {
    "copies": ("exact copy of a row", "exact copies of rows"),
    "retests": ("rating given again at another time", "ratings given again at another time"),
    "differing": ("row that contradicts an earlier one", "rows that contradict an earlier one"),
}


@dataclass(frozen=True, kw_only=True)
class Inspection:
    """How a file was read and what will be stored.

    Args:
        source: The file; None for a table in memory.
        layout: What wrote the file, how it is laid out, and what each column is.
        counts: How many ratings, items, annotators and questions there are.
        missing: How often each word occurred where there is no answer.
        scales: The scale of each question.
        orders: For questions in words, the answers from least to most, where wording suggests it.
        rows: The first rows as they will be stored.
        command: The command that stores them; None for a table in memory.
    """

    source: str | None
    layout: FileLayout
    counts: Mapping[str, int]
    missing: Mapping[str, int]
    scales: Mapping[str, InferredScale]
    rows: Sequence[Mapping[str, Any]] = field(repr=False)
    command: str | None
    orders: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the part of `read --json` about the file."""
        layout = self.layout
        return {
            "file": self.source,
            "format": layout.form,
            "tool": layout.tool,
            "evidence": layout.evidence or None,
            "encoding": layout.encoding,
            "delimiter": layout.delimiter,
            "header_lines": list(layout.header_lines),
            "sheet": layout.sheet,
            "language": layout.language,
            "columns": [column.as_json() for column in layout.columns],
            "missing": dict(self.missing),
            "duplicates": dict(layout.duplicates),
            "dropped": dict(layout.dropped),
            "scales": {
                name: {"scale": one.scale, "reason": one.reason, **self._order_of(name)}
                for name, one in self.scales.items()
            },
            "rows": [dict(row) for row in self.rows],
            "command": self.command,
        }

    def text(self) -> str:
        """Return the same for people."""
        parts = [self._origin(), self._columns(), self._amount(), self._scales(), self._rows()]
        if self.command is not None:
            parts.append(f"Nothing was written. To store this:\n  {self.command}\n")
        parts.append(self._orders())
        return "\n".join(part for part in parts if part)

    def _origin(self) -> str:
        layout = self.layout
        tool = f"written by {layout.tool}" if layout.tool else "written by an unknown program"
        why = f" ({layout.evidence})" if layout.evidence else ""
        facts = [f"encoding {layout.encoding}"] if layout.encoding else []
        facts += [f"cells separated by {_SIGNS[layout.delimiter]}"] if layout.delimiter else []
        facts += [f"sheet {layout.sheet!r}"] if layout.sheet else []
        facts += [_lines(layout.header_lines)] if layout.header_lines else []
        facts += [f"headers in {layout.language}"] if layout.language else []
        known = ", ".join(facts)
        first = f"{self.source or 'ratings'}: {tool}{why}, read as {layout.form}."
        return f"{first}\n{known[:1].upper()}{known[1:]}.\n" if known else f"{first}\n"

    def _columns(self) -> str:
        header = ("column", "role", "example", "blanks", "stored")
        rows = [
            (one.name, one.role, one.example, one.blanks, one.stored or "no")
            for one in self.layout.columns
        ]
        return text_table(header, rows) if rows else ""

    def _amount(self) -> str:
        counts = self.counts
        sentences = [f"{amount_of(counts)}, {_number(counts['questions'], 'question')}."]
        if self.missing:
            words = ", ".join(f"{word}: {count}" for word, count in self.missing.items())
            total = sum(self.missing.values())
            sentences.append(f"Missing: {_number(total, 'answer')} ({words}).")
        for what, count in self.layout.duplicates.items():
            one, many = _DUPLICATES[what]
            sentences.append(f"Duplicates: {count} {one if count == 1 else many}.")
        if self.layout.dropped:
            words = ", ".join(f"{what}: {count}" for what, count in self.layout.dropped.items())
            sentences.append(f"Dropped: {words}.")
        return "\n".join(sentences) + "\n"

    def _scales(self) -> str:
        rows = [(name, one.scale, one.reason) for name, one in self.scales.items()]
        return text_table(("question", "scale", "because"), rows) if rows else ""

    def _order_of(self, question: str) -> dict[str, Any]:
        order = self.orders.get(question)
        return {} if order is None else {"proposed_order": list(order)}

    def _orders(self) -> str:
        """Return what to write if the words of a question are in the order they suggest."""
        if not self.orders:
            return ""
        what = "These answers look ordered, but are compared as words until you declare the order."
        words = [f"  {name}: {' < '.join(order)}" for name, order in self.orders.items()]
        stored = STORED if self.source is None else _stored_as(self.source)
        orders = [*self.orders.values()]
        if len(orders) == 1 and not any("," in word for word in orders[0]):
            command = ["plausibly", "agree", stored, "--order", ",".join(orders[0])]
            return "\n".join([what, *words, "If it is right:", f"  {shlex.join(command)}", ""])
        tables = [
            f"  [{json.dumps(name)}]\n  order = {json.dumps(list(order), ensure_ascii=False)}"
            for name, order in self.orders.items()
        ]
        command = ["plausibly", "agree", stored, "--questions", "questions.toml"]
        use = ["If it is right, save this as questions.toml:", *tables, "and run:"]
        return "\n".join([what, *words, *use, f"  {shlex.join(command)}", ""])

    def _rows(self) -> str:
        if not self.rows:
            return ""
        table = text_table(tuple(self.rows[0]), [tuple(row.values()) for row in self.rows])
        what = f"{len(self.rows)} rows" if len(self.rows) > 1 else "1 row"
        return f"{what} as stored:\n{table}"


def amount_of(counts: Mapping[str, Any]) -> str:
    """Return how many ratings there are, of what and by whom.

    >>> amount_of({"ratings": 2, "items": 1, "annotators": 2})
    '2 ratings of 1 item by 2 annotators'
    """
    ratings, items, people = (
        _number(counts[f"{noun}s"], noun) for noun in ("rating", "item", "annotator")
    )
    return f"{ratings} of {items} by {people}"


def _number(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _lines(lines: Sequence[int]) -> str:
    if len(lines) == 1:
        return f"header on line {lines[0]}"
    return f"header on lines {lines[0]} to {lines[-1]}"


def first_rows(ratings: pl.DataFrame) -> list[dict[str, Any]]:
    """Return the first rows of a table, without columns in which they have nothing."""
    head = ratings.head(SHOWN)
    return head.select(c for c in head.columns if head[c].null_count() < head.height).to_dicts()


def storing_command(
    source: str | Path,
    layout: FileLayout,
    options: Mapping[str, object],
    *,
    tables: Collection[str] = (),
) -> str:
    """Return the command that reads a file in the same way and stores what it holds.

    Args:
        source: The file.
        layout: How it was read: the format is named, and columns that were read by their sense.
        options: Further options, by keyword; None and False stand for options not used.
        tables: Tables to store besides the ratings.

    >>> storing_command("my file.csv", FileLayout(form="wide"), {"decimal": ",", "keep_ids": False})
    "plausibly read 'my file.csv' --format wide --decimal , -o 'my file-ratings.parquet'"
    """
    words = ["plausibly", "read", str(source), "--format", layout.form]
    for ours, theirs in layout.names.items():
        words += ["--columns", f"{ours}={theirs}"]
    chosen = {**options}
    if layout.sheet is not None and chosen.get("sheet") is None:
        chosen["sheet"] = layout.sheet
    for name, value in chosen.items():
        flag = f"--{name.replace('_', '-')}"
        if value is True:
            words.append(flag)
        elif value is not None and value is not False:
            words += [flag, str(value)]
    for table in tables:
        words += [f"--write-{table}", _stored_as(source, table)]
    return shlex.join([*words, "-o", _stored_as(source)])


def _stored_as(source: str | Path, table: str = "ratings") -> str:
    return f"{Path(source).name.partition('.')[0] or 'stored'}-{table}.parquet"
