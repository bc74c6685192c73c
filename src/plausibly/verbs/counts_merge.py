"""Counts of several corpora merged into one folder, each row with its corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.backends.engines import engine_named
from plausibly.corpus.merging import check_corpora, corpora, merge
from plausibly.io import filling, write_json
from plausibly.study.made import being_made
from plausibly.study.results import MANIFEST, Result
from plausibly.study.verb import Output, verb


@dataclass(frozen=True, eq=False, repr=False)
class MergedCounts(Result):
    """Counts of several corpora, read when they are asked for.

    Args:
        counts: relation, head, dependent, count, corpus.
        svo: subject, verb, object, count and marks, corpus.
        examples: Sentences of each, None unless every corpus has them.
        folder: Where the tables lie.
        outputs: Rows and hash of each file.
        corpora: Their names.
    """

    counts: pl.LazyFrame
    svo: pl.LazyFrame
    examples: pl.LazyFrame | None
    folder: Path
    outputs: dict[str, Any]
    corpora: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return the rows and the hash of each table."""
        return {"corpora": list(self.corpora), "outputs": self.outputs}

    @property
    def talk(self) -> tuple[str, ...]:
        """How many corpora were merged into how many rows."""
        rows = ", ".join(f"{one['rows']} rows in {name}" for name, one in self.outputs.items())
        away = tuple(
            f"{name} has no column {column!r}: {', '.join(without)} was counted without it. "
            "Extract that corpus again to get it."
            for name, one in self.outputs.items()
            for column, without in one.get("left_away", {}).items()
        )
        return (*away, f"{self.folder}: {len(self.corpora)} corpora, {rows}.")


def _sources(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the counts of each corpus, by its name."""
    named = corpora([str(folder) for folder in arguments["folders"]])
    return {"folders": {one.name: one.folder / "counts.parquet" for one in named}}


@verb(
    texts=("folders",),
    sources=_sources,
    output=Output(help="Folder to write into.", required=True),
)
def counts_merge(
    folders: Sequence[str | Path], *, output: str | Path, memory: str | None = None
) -> MergedCounts:
    """Merge counts from several corpora; a column names the corpus of each row.

    Args:
        folders: Folders that extract has written, each as DIR or NAME=DIR; the column corpus
            has NAME, or the name of the folder.
        output: Folder to write into.
        memory: Maximum memory of a query, such as 2GB.

    Examples:
        plausibly counts merge wiki-counts news-counts -o counts
        plausibly counts merge wiki=a news=b -o counts --json

    >>> counts_merge(["news/"], output="both")
    Traceback (most recent call last):
    plausibly.errors.StudyError: merging needs two or more folders; got 1.
    """
    sources = corpora([str(folder) for folder in folders])
    target = Path(output)
    check_corpora(sources, target)
    engine = engine_named("duckdb", workers=1, memory=memory, scratch=target.resolve().parent)
    try:
        with filling(target) as inside:
            outputs = merge(sources, inside, engine=engine)
            rows = {name.removesuffix(".parquet"): one["rows"] for name, one in outputs.items()}
            hashes = {name: one["sha256"] for name, one in outputs.items()}
            write_json(inside / MANIFEST, {**being_made().as_json(rows), "outputs": hashes})
    finally:
        engine.close()
    return MergedCounts(
        pl.scan_parquet(target / "counts.parquet"),
        pl.scan_parquet(target / "svo.parquet"),
        pl.scan_parquet(target / "examples.parquet") if "examples.parquet" in outputs else None,
        target,
        outputs,
        tuple(one.name for one in sources),
    )
