"""Counts as an engine holds them: registered, checked, and asked by statements.

One SQL text for every engine. Rules of the shared dialect: keys are never null, sums are cast to
BIGINT, order is explicit and by bytes, lower-casing happens in Python, literals hold no backslash.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from plausibly.errors import TableError
from plausibly.io import read_table, write_frame
from plausibly.ports import Engine
from plausibly.tables import COUNTS

# How many words of a role are looked at before list, letters and profanity have their say.
CONSIDERED = 50_000
_WORD_COUNTS = {
    "relation": pl.String(),
    "role": pl.String(),
    "word": pl.String(),
    "count": pl.Int64(),
}

_BAD_ROWS = """
SELECT CAST(count(*) AS BIGINT) AS bad
FROM counts
WHERE relation IS NULL OR head IS NULL OR dependent IS NULL OR count IS NULL OR count < 1
"""
_REPEATED = """
SELECT relation, head, dependent
FROM counts
GROUP BY :corpus relation, head, dependent
HAVING count(*) > 1
ORDER BY relation, head, dependent
LIMIT 1
"""
WORDS = """
SELECT relation, role, word, count FROM (
  SELECT relation, role, word, count,
    row_number() OVER (PARTITION BY relation, role ORDER BY count DESC, word) AS place
  FROM (
    SELECT relation, 'head' AS role, head AS word, CAST(sum(count) AS BIGINT) AS count
    FROM counts GROUP BY relation, head
    UNION ALL
    SELECT relation, 'dependent' AS role, dependent AS word, CAST(sum(count) AS BIGINT) AS count
    FROM counts GROUP BY relation, dependent
  ) totals
) ranked
WHERE place <= :at_most
ORDER BY relation, role, count DESC, word
"""
"""The most frequent words of each relation and role."""
_MEASURED = """
SELECT head AS word, CAST(sum(count) AS BIGINT) AS count
FROM counts
WHERE relation = 'dobj' AND dependent IN (SELECT word FROM measures)
GROUP BY head
ORDER BY word
"""


@dataclass(frozen=True, slots=True)
class CountStore:
    """The engine with the counts, and a folder for what statements are given.

    Args:
        engine: Has the counts under the name `counts`.
        scratch: A folder every worker of the engine can read.
        corpora: Whether the counts say which corpus they are of; `:corpus` of a statement then
            stands for that column.
    """

    engine: Engine
    scratch: Path
    corpora: bool = False

    def give(self, name: str, frame: pl.DataFrame) -> None:
        """Let statements use a frame under a name."""
        path = self.scratch / f"{name}.parquet"
        write_frame(frame, path)
        self.engine.register(name, [path])

    def ask(
        self, statement: str, schema: Mapping[str, pl.DataType], **numbers: int
    ) -> pl.DataFrame:
        """Return the rows of a statement with a whole number in the place of each `:name`."""
        statement = statement.replace(":corpus", "corpus," if self.corpora else "")
        for name, number in numbers.items():
            statement = statement.replace(f":{name}", str(int(number)))
        parts = [pl.DataFrame(schema=schema)]
        for batch in self.engine.rows(statement):
            part = pl.from_arrow(batch)
            if isinstance(part, pl.DataFrame):
                parts.append(part.select(pl.col(n).cast(t) for n, t in schema.items()))
        return pl.concat(parts)

    def words(self) -> pl.DataFrame:
        """Return relation, role, word and count of the most frequent words."""
        return self.ask(WORDS, _WORD_COUNTS, at_most=CONSIDERED)

    def measured(self, measures: frozenset[str]) -> pl.DataFrame:
        """Return the verbs whose object is a unit or a time: word, count."""
        self.give("measures", pl.DataFrame({"word": sorted(measures)}, schema={"word": pl.String}))
        return self.ask(_MEASURED, {"word": pl.String(), "count": pl.Int64()})


def open_counts(path: Path, engine: Engine, scratch: Path) -> CountStore:
    """Give the engine the table `counts`: a file, or what is in the folder `extract` wrote.

    Files of other types than Parquet are checked against the contract and written to the scratch
    folder; Parquet may be too large for that, so the engine checks it.
    """
    files = _files(path, scratch)
    engine.register("counts", files)
    corpora = all("corpus" in pl.read_parquet_schema(file) for file in files)
    store = CountStore(engine, scratch, corpora)
    bad = store.ask(_BAD_ROWS, {"bad": pl.Int64()})["bad"][0]
    if bad:
        raise TableError(
            f"{path}: {bad} rows have an empty relation, head or dependent, or a count below 1. "
            "Leave them out, or count the corpus again with 'plausibly extract'."
        )
    key = dict.fromkeys(("relation", "head", "dependent"), pl.String())
    for pair in store.ask(_REPEATED, key).iter_rows():
        raise TableError(
            f"{path}: the pair {' '.join(pair)!r} is there more than once. "
            "Add its counts up and keep one row."
        )
    return store


def _files(path: Path, scratch: Path) -> list[Path]:
    if path.is_dir():
        files = sorted(path.glob("counts*.parquet"))
        if not files:
            raise TableError(f"{path}: no counts.parquet in this folder. Name the counts file.")
    elif path.suffix == ".parquet":
        files = [path]
    else:
        files = [scratch / "counts.parquet"]
        write_frame(read_table(path, COUNTS), files[0])
    for file in files:
        _check_schema(file)
    return files


def _check_schema(file: Path) -> None:
    """Raise a TableError unless a Parquet file has the columns of counts in their types."""
    try:
        schema = pl.read_parquet_schema(file)
    except (pl.exceptions.ComputeError, OSError) as error:
        raise TableError(f"{file}: not a Parquet file ({error}).") from error
    for column in COUNTS.schema:
        if column not in schema:
            raise TableError(f"{file}: no column {column!r}. Columns found: {', '.join(schema)}.")
        kind = schema[column]
        fits = kind.is_integer() if column == "count" else kind in (pl.String, pl.Categorical)
        if not fits:
            expected = "whole numbers" if column == "count" else "text"
            raise TableError(f"{file}: column {column!r} holds {kind}, expected {expected}.")
