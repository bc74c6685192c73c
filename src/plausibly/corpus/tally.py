"""Tallies: what the sentences of one shard add up to, and the file it is kept in."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from plausibly.corpus.relations import SVO, Found, Patterns, Row, find
from plausibly.io import replacing
from plausibly.io.conllu import BadLine
from plausibly.ports import Sentence

KEPT = 1000
SCHEMA = pa.schema(
    [
        *(pa.field(name, pa.string()) for name in ("relation", "head", "dependent", "object")),
        pa.field("count", pa.int64()),
    ]
)
_REPORT = b"plausibly.report"


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
    """Counts relations as they come, and keeps the report beside them."""

    def __init__(self, patterns: Patterns) -> None:
        self.patterns = patterns
        self.counts: Counter[Row] = Counter()
        self.report = Report()

    def add(self, one: Sentence | BadLine, *, after: int = 0) -> None:
        """Count a sentence, or note a bad line that stands `after` lines further down."""
        if isinstance(one, BadLine):
            self.report.bad_lines += 1
            if len(self.report.bad) < KEPT:
                self.report.bad.append((one.line + after, one.message))
            return
        self.add_found(find(one, self.patterns), sentences=1, words=len(one.forms))

    def add_found(self, found: Found, *, sentences: int, words: int) -> None:
        """Count what was found in so many sentences."""
        self.counts.update(found.rows)
        self.report.negated += found.negated
        self.report.sentences += sentences
        self.report.words += words

    def save(self, path: Path) -> None:
        """Write the counts with the report in one file, whole or not at all."""
        self.report.triples = sum(n for row, n in self.counts.items() if row[0] == SVO)
        columns = list(zip(*self.counts, strict=True)) or [()] * 4
        table = pa.table([*columns, list(self.counts.values())], schema=SCHEMA)
        report = json.dumps(asdict(self.report)).encode()
        with replacing(path) as temporary:
            pq.write_table(table.replace_schema_metadata({_REPORT: report}), temporary)


def read_report(path: Path) -> Report:
    """Return the report kept with the counts of a shard."""
    kept: dict[str, Any] = json.loads(pq.read_schema(path).metadata[_REPORT])
    for name in ("bad", "quarantined"):
        kept[name] = [tuple(entry) for entry in kept[name]]
    return Report(**kept)
