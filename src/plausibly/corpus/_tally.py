"""Tallies: what the sentences of one shard add up to, and the file it is kept in."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import polars as pl

from plausibly.corpus._columns import ColumnCounter
from plausibly.corpus._report import Report, report_of
from plausibly.corpus.relations import SVO, Patterns, Row, find
from plausibly.errors import StudyError
from plausibly.io import replacing
from plausibly.io.conllu import BadLine
from plausibly.ports import Sentence

KEPT = 1000
COLUMNS = ("relation", "head", "dependent", "object")
_REPORT = "plausibly.report"


class Tally:
    """Counts relations as they come, and keeps the report beside them.

    Sentences are counted by `add`, blocks of them by `columns.add`; `save` puts both together.
    """

    def __init__(self, patterns: Patterns) -> None:
        self.patterns = patterns
        self.counts: Counter[Row] = Counter()
        self.columns = ColumnCounter(patterns)
        self.report = Report()

    def add(self, sentence: Sentence) -> None:
        """Count a sentence."""
        found = find(sentence, self.patterns)
        self.counts.update(found.rows)
        self.report.negated += found.negated
        self.report.sentences += 1
        self.report.words += len(sentence.forms)

    def reject(self, bad: BadLine, *, file: str, after: int) -> None:
        """Note a bad line that stands `after` lines further down; of many, the first thousand."""
        if self.report.bad_lines < KEPT:
            self.report.reject_line(file, bad.line + after, bad.message)
        else:
            self.report.bad_lines += 1

    def save(self, path: Path) -> None:
        """Write the counts with the report in one file, whole or not at all."""
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
        self.report.triples = sum(self.counts[row] for row in self.counts if row[0] == SVO)
        self.report.negated += self.columns.negated
        self.report.sentences += self.columns.sentences
        self.report.words += self.columns.words
        rows = pl.DataFrame(
            {name: [row[place] for row in self.counts] for place, name in enumerate(COLUMNS)},
            schema=dict.fromkeys(COLUMNS, pl.String()),
        ).with_columns(count=pl.Series(list(self.counts.values()), dtype=pl.Int64))
        pairs = self.columns.frame().with_columns(object=pl.lit("")).select(rows.columns)
        return pl.concat([rows, pairs])


def read_report(path: Path) -> Report:
    """Return the report kept with the counts of a shard."""
    return report_of(pl.read_parquet_metadata(path)[_REPORT])
