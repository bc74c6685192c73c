"""Counts of a relation as a sparse table, heads by dependents; words are lower-cased."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt
import polars as pl
from scipy import sparse

from plausibly.errors import TableError, UnknownName
from plausibly.io import read_table
from plausibly.tables import COUNTS

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

NOWHERE = -1
CORPUS = "corpus"


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Words by their place; looked up in lower case."""

    words: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def _place(self) -> dict[str, int]:
        return {word: number for number, word in enumerate(self.words)}

    def places(self, words: Sequence[str]) -> Ints:
        """Return the place of every word, -1 for one that is not there."""
        return np.array([self._place.get(word.lower(), NOWHERE) for word in words], dtype=int)


@dataclass(frozen=True, eq=False)
class PairCounts:
    """How often each head had each dependent in one relation."""

    heads: Vocabulary
    dependents: Vocabulary
    table: sparse.csr_array

    @cached_property
    def of_head(self) -> Floats:
        """How often each head occurs."""
        return np.asarray(self.table.sum(axis=1), dtype=np.float64).ravel()

    @cached_property
    def of_dependent(self) -> Floats:
        """How often each dependent occurs."""
        return np.asarray(self.table.sum(axis=0), dtype=np.float64).ravel()

    @cached_property
    def total(self) -> float:
        """How many pairs were counted."""
        return float(self.table.sum())

    def at(self, heads: Ints, dependents: Ints) -> Floats:
        """Return the count of every pair of places, 0 if either is nowhere."""
        known = (heads >= 0) & (dependents >= 0)
        counts = np.zeros(len(heads))
        rows, columns = heads[known], dependents[known]
        if len(rows):
            counts[known] = np.asarray(self.table[rows, columns]).ravel()
        return counts


def amount(values: Floats, places: Ints) -> Floats:
    """Return the value at every place, 0 for nowhere.

    >>> amount(np.array([4.0, 5.0]), np.array([1, -1])).tolist()
    [5.0, 0.0]
    """
    if len(values) == 0:
        return np.zeros(len(places))
    found: Floats = np.where(places >= 0, values[np.maximum(places, 0)], 0.0)
    return found


def read_counts(
    path: Path, *, relation: str | None = None, corpus: str | None = None
) -> dict[str, PairCounts]:
    """Return the counts of every relation in a file, or in the folder `extract` wrote.

    Counts of several corpora (`counts merge`) are added up, unless one is asked for.

    Args:
        path: A counts table, or a folder with `counts.parquet`.
        relation: Keep this relation only.
        corpus: Keep this corpus only.

    Raises:
        TableError: If there are no counts, or rows break the contract.
    """
    file = path / "counts.parquet" if path.is_dir() else path
    if not file.is_file():
        raise TableError(f"{path}: no counts.parquet here. Count a corpus: plausibly extract.")
    rows = _rows(file, corpus)
    if rows.is_empty():
        raise TableError(f"{file}: no counts in it. Count a corpus: plausibly extract.")
    relations = rows["relation"].unique().sort().to_list()
    if relation is not None and relation not in relations:
        raise UnknownName("relation", relation, relations)
    kept = [relation] if relation is not None else relations
    return {name: pair_counts(rows.filter(pl.col("relation") == name)) for name in kept}


def _rows(file: Path, corpus: str | None) -> pl.DataFrame:
    columns = list(COUNTS.schema)
    if file.suffix != ".parquet":
        counts = read_table(file, COUNTS).lazy()
        names = counts.collect_schema().names()
    else:
        try:
            counts = pl.scan_parquet(file)
            names = counts.collect_schema().names()
        except pl.exceptions.PolarsError as error:
            raise TableError(f"{file}: not a Parquet file ({error}).") from error
    missing = [column for column in columns if column not in names]
    if missing:
        raise TableError(f"{file}: no column {missing[0]!r}. Columns found: {', '.join(names)}.")
    if corpus is not None:
        counts = counts.filter(pl.col(CORPUS) == _known(corpus, counts, names, file))
    return COUNTS.arrange(counts.select(columns).collect())


def _known(corpus: str, counts: pl.LazyFrame, names: Sequence[str], file: Path) -> str:
    """Return the corpus, if the counts have rows of it."""
    if CORPUS not in names:
        raise TableError(
            f"{file}: no column {CORPUS!r}. Put corpora together first: plausibly counts merge."
        )
    known = counts.select(pl.col(CORPUS).cast(pl.String).unique().sort()).collect()[CORPUS]
    if corpus not in known:
        raise UnknownName("corpus", corpus, known.drop_nulls().to_list())
    return corpus


def pair_counts(rows: pl.DataFrame) -> PairCounts:
    """Return the counts of one relation; spellings that differ in case are added up."""
    bad = rows.filter(
        pl.any_horizontal(pl.col("head", "dependent").is_null())
        | (pl.col("count").fill_null(0) < 1)
    )
    if not bad.is_empty():
        raise TableError(
            f"counts: {bad.height} of {rows.height} rows have no head or dependent, or a count "
            "below 1. Leave them out, or count the corpus again."
        )
    folded = rows.select(pl.col("head", "dependent").str.to_lowercase(), "count")
    vocabularies: list[Vocabulary] = []
    codes: list[npt.NDArray[np.int32]] = []
    for role in ("head", "dependent"):
        words = folded[role].unique().sort()
        place = pl.DataFrame({role: words}).with_row_index("place")
        coded = folded.select(role).join(place, on=role, how="left", maintain_order="left")
        vocabularies.append(Vocabulary(tuple(words.to_list())))
        codes.append(coded["place"].to_numpy().astype(np.int32))
    shape = (len(vocabularies[0]), len(vocabularies[1]))
    counts = folded["count"].to_numpy().astype(np.float64)
    table = sparse.csr_array(sparse.coo_array((counts, (codes[0], codes[1])), shape=shape))
    table.sum_duplicates()
    return PairCounts(vocabularies[0], vocabularies[1], table)


def arrays_of(counts: Mapping[str, PairCounts]) -> dict[str, npt.NDArray[np.generic]]:
    """Return the counts as plain arrays, to be stored."""
    arrays: dict[str, npt.NDArray[np.generic]] = {}
    for relation, own in counts.items():
        arrays[f"{relation}/heads"] = packed(own.heads.words)
        arrays[f"{relation}/dependents"] = packed(own.dependents.words)
        arrays[f"{relation}/indptr"] = own.table.indptr
        arrays[f"{relation}/indices"] = own.table.indices
        arrays[f"{relation}/data"] = own.table.data.astype(np.float32)
    return arrays


def counts_from(
    arrays: Mapping[str, npt.NDArray[np.generic]], relations: Sequence[str]
) -> dict[str, PairCounts]:
    """Return the counts that `arrays_of` made arrays of."""
    found: dict[str, PairCounts] = {}
    for relation in relations:
        heads, dependents = (
            Vocabulary(unpacked(arrays[f"{relation}/{role}"])) for role in ("heads", "dependents")
        )
        data = arrays[f"{relation}/data"].astype(np.float64)
        indices = arrays[f"{relation}/indices"].astype(np.int64)
        starts = arrays[f"{relation}/indptr"].astype(np.int64)
        shape = (len(heads), len(dependents))
        table = sparse.csr_array((data, indices, starts), shape=shape)
        found[relation] = PairCounts(heads, dependents, table)
    return found


def packed(words: Sequence[str]) -> npt.NDArray[np.uint8]:
    """Return words as bytes, a line each."""
    return np.frombuffer("\n".join(words).encode(), dtype=np.uint8)


def unpacked(content: npt.NDArray[np.generic]) -> tuple[str, ...]:
    """Return the words `packed` made bytes of."""
    text = content.tobytes().decode()
    return tuple(text.split("\n")) if text else ()
