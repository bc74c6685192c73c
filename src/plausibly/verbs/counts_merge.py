"""Counts of several corpora merged into one folder, each row with its corpus."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.backends.engines import engine_named
from plausibly.corpus.merging import VERB, check_corpora, corpora, merge
from plausibly.io import filling, write_json
from plausibly.study.results import MANIFEST, Made, Result


@dataclass(frozen=True, eq=False, repr=False)
class MergedCounts(Result):
    """Counts of several corpora, read when they are asked for.

    Args:
        counts: relation, head, dependent, count, corpus.
        svo: subject, verb, object, count and marks, corpus.
        examples: Sentences of each, None unless every corpus has them.
        folder: Where the tables lie.
        outputs: Rows and hash of each file.
        made: How this came about.
    """

    counts: pl.LazyFrame
    svo: pl.LazyFrame
    examples: pl.LazyFrame | None
    folder: Path
    outputs: dict[str, Any]
    made: Made

    def as_json(self) -> dict[str, Any]:
        """Return the rows and the hash of each table."""
        return {"corpora": list(self.made.inputs), "outputs": self.outputs}

    @property
    def talk(self) -> tuple[str, ...]:
        """How many corpora were merged into how many rows."""
        rows = ", ".join(f"{one['rows']} rows in {name}" for name, one in self.outputs.items())
        away = tuple(
            f"{name} has no column {column!r}: {', '.join(without)} was counted without it. "
            "Extract again to know it."
            for name, one in self.outputs.items()
            for column, without in one.get("left_away", {}).items()
        )
        return (*away, f"{self.folder}: {len(self.made.inputs)} corpora, {rows}.")


def counts_merge(
    folders: Sequence[str | Path], *, output: str | Path, memory: str | None = None
) -> MergedCounts:
    """Merge what was extracted from several corpora; a column says which a row is from.

    Args:
        folders: Folders that extract has written, each as DIR or NAME=DIR.
        output: Folder to write into.
        memory: The most a statement may hold, such as 2GB.

    >>> counts_merge(["news/"], output="both")
    Traceback (most recent call last):
    plausibly.errors.StudyError: one folder is nothing to merge; got 1. Name two or more.
    """
    sources = corpora([str(folder) for folder in folders])
    target = Path(output)
    check_corpora(sources, target)
    made = Made(VERB, inputs={one.name: one.folder / "counts.parquet" for one in sources})
    engine = engine_named("duckdb", workers=1, memory=memory, scratch=target.resolve().parent)
    try:
        with filling(target) as inside:
            outputs = merge(sources, inside, engine=engine)
            rows = {name.removesuffix(".parquet"): one["rows"] for name, one in outputs.items()}
            write_json(inside / MANIFEST, made.as_json(rows))
    finally:
        engine.close()
    return MergedCounts(
        pl.scan_parquet(target / "counts.parquet"),
        pl.scan_parquet(target / "svo.parquet"),
        pl.scan_parquet(target / "examples.parquet") if "examples.parquet" in outputs else None,
        target,
        outputs,
        made,
    )
