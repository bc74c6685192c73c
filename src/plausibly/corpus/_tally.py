"""Tallies: what the sentences of one shard add up to, and the file it is kept in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from operator import add
from pathlib import Path

import polars as pl

from plausibly.corpus._columns import ColumnCounter
from plausibly.corpus._examples import Examples, Keep, Place
from plausibly.corpus._repair import repaired
from plausibly.corpus._report import ShardReport, report_of
from plausibly.corpus.relations import Marks, Patterns, Row, find
from plausibly.errors import StudyError
from plausibly.io import replacing
from plausibly.io.conllu import BadLine
from plausibly.ports import Sentence

KEPT = 1000
COLUMNS = ("relation", "head", "dependent", "object")
UNMARKED = (0,) * len(Marks._fields)
_REPORT = "plausibly.report"


class Tally:
    """Counts relations as they come, and keeps the report next to them.

    Sentences are counted by `add`, blocks of them by `columns.add`; `save` puts both together.
    """

    def __init__(self, patterns: Patterns, keep: Keep | None = None) -> None:
        self.patterns = patterns
        self.counts: Counter[Row] = Counter()
        self.marks: dict[Row, tuple[int, ...]] = {}
        self.columns = ColumnCounter(patterns)
        self.examples = Examples(keep) if keep is not None else None
        self.report = ShardReport()

    def add(self, sentence: Sentence, place: Place | None = None) -> None:
        """Count a sentence; where examples are kept, one needs to know where it stands."""
        if self.patterns.repair == "on":
            sentence, actions = repaired(sentence, self.patterns.roles)
            for rule in actions:
                self.report.repaired[rule] = self.report.repaired.get(rule, 0) + 1
        found = find(sentence, self.patterns)
        self.counts.update(found.rows)
        if found.marks:
            self._mark(found.rows[-len(found.marks) :], found.marks)
        if self.examples is not None and place is not None:
            self.examples.add(found.rows, place)
        self.report.sentences += 1
        self.report.words += len(sentence.forms)

    def _mark(self, rows: Iterable[Row], marks: Iterable[Marks]) -> None:
        for row, mark in zip(rows, marks, strict=True):
            before = self.marks.get(row, UNMARKED)
            self.marks[row] = tuple(map(add, before, mark))

    def reject(self, bad: BadLine, *, file: str, after: int) -> None:
        """Note a bad line that stands `after` lines further down; of many, the first thousand."""
        if self.report.bad_lines < KEPT:
            self.report.reject_line(file, bad.line + after, bad.message)
        else:
            self.report.bad_lines += 1

    def save(self, path: Path) -> None:
        """Write the examples, then the counts and the report in one file, whole or not at all."""
        if self.examples is not None:
            self.examples.save(examples_of(path))
        frame = self._finished()
        metadata = {_REPORT: self.report.dumped()}
        with replacing(path) as temporary:
            try:
                frame.write_parquet(
                    temporary, compression="lz4", statistics=False, metadata=metadata
                )
            except pl.exceptions.ComputeError as error:
                raise StudyError(f"{path}: cannot be written ({error}).") from error

    def _finished(self) -> pl.DataFrame:
        """Return all rows, and complete the report with what was counted in columns."""
        self.counts.update(self.columns.triples)
        self._mark(self.columns.triples, self.columns.marks)
        self.report.sentences += self.columns.sentences
        self.report.words += self.columns.words
        for rule, times in self.columns.repaired.items():
            self.report.repaired[rule] = self.report.repaired.get(rule, 0) + times
        rows = pl.DataFrame(
            {name: [row[place] for row in self.counts] for place, name in enumerate(COLUMNS)},
            schema=dict.fromkeys(COLUMNS, pl.String()),
        ).with_columns(
            pl.Series("count", list(self.counts.values()), dtype=pl.Int64),
            *(
                pl.Series(
                    name,
                    [self.marks.get(row, UNMARKED)[place] for row in self.counts],
                    dtype=pl.Int64,
                )
                for place, name in enumerate(Marks._fields)
            ),
        )
        unmarked = dict.fromkeys(Marks._fields, pl.lit(0, dtype=pl.Int64()))
        pairs = self.columns.frame().with_columns(object=pl.lit(""), **unmarked)
        return pl.concat([rows, pairs.select(rows.columns)])


def examples_of(path: Path) -> Path:
    """Return the file that holds the examples of the shard whose counts are in a file."""
    return path.with_suffix(".examples")


def read_report(path: Path) -> ShardReport:
    """Return the report kept with the counts of a shard."""
    return report_of(pl.read_parquet_metadata(path)[_REPORT])
