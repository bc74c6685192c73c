"""Tallies: what the sentences of one shard add up to, and the file it is kept in."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.corpus.columns import ColumnCounter
from plausibly.corpus.relations import SVO, Patterns, Row, find
from plausibly.errors import StudyError
from plausibly.io import replacing
from plausibly.io.conllu import BadLine
from plausibly.ports import Sentence

KEPT = 1000
COLUMNS = ("relation", "head", "dependent", "object")
_REPORT = "plausibly.report"


@dataclass(slots=True)
class Report:
    """What a shard holds beside its relations.

    Args:
        sentences: Sentences counted.
        words: Words in them.
        lines: Lines read, bad and blank ones included.
        documents: Documents parsed; 0 for a corpus that was parsed before.
        triples: Triples found, each as often as it occurs.
        negated: How many of them are negated.
        bad: The first thousand bad lines, counted from 1 where the shard begins.
        bad_lines: How many there were in all.
        left_out: Documents a filter left out.
        quarantined: Documents that could not be parsed: file, line, name, error.
        damage: Why the archive the shard was read from ended early.
    """

    sentences: int = 0
    words: int = 0
    lines: int = 0
    documents: int = 0
    triples: int = 0
    negated: int = 0
    bad: list[tuple[int, str]] = field(default_factory=list)
    bad_lines: int = 0
    left_out: int = 0
    quarantined: list[tuple[str, int, str, str]] = field(default_factory=list)
    damage: str = ""

    def __add__(self, other: Report) -> Report:
        """Return both together."""
        return Report(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(Report)))


class Tally:
    """Counts relations as they come, and keeps the report beside them.

    Sentences are counted by `add`, blocks of them by `columns.add`; `save` puts both together.
    """

    def __init__(self, patterns: Patterns) -> None:
        self.patterns = patterns
        self.counts: Counter[Row] = Counter()
        self.columns = ColumnCounter(patterns)
        self.report = Report()

    def add(self, one: Sentence | BadLine, *, after: int = 0) -> None:
        """Count a sentence, or note a bad line that stands `after` lines further down."""
        if isinstance(one, BadLine):
            self.report.bad_lines += 1
            if len(self.report.bad) < KEPT:
                self.report.bad.append((one.line + after, one.message))
            return
        found = find(one, self.patterns)
        self.counts.update(found.rows)
        self.report.negated += found.negated
        self.report.sentences += 1
        self.report.words += len(one.forms)

    def save(self, path: Path) -> None:
        """Write the counts with the report in one file, whole or not at all."""
        frame = self._finished()
        metadata = {_REPORT: json.dumps(asdict(self.report))}
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
    kept: dict[str, Any] = json.loads(pl.read_parquet_metadata(path)[_REPORT])
    for name in ("bad", "quarantined"):
        kept[name] = [tuple(entry) for entry in kept[name]]
    return Report(**kept)
