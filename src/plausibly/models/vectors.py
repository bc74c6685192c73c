"""Word vectors: made from the counts themselves, or read from a file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse.linalg import svds

from plausibly.errors import StudyError, TableError, option
from plausibly.io import read_bytes
from plausibly.models.counts import Floats, Ints, PairCounts, Vocabulary
from plausibly.models.ppmi import ppmi_table

Vectors32 = npt.NDArray[np.float32]

SIZE = 100
# Levy, Goldberg and Dagan (2015): the square root of the singular values beats the values.
EXPONENT = 0.5
WHOLE = 1000


@dataclass(frozen=True, eq=False)
class WordVectors:
    """Vectors by word in lower case."""

    name: str
    words: Vocabulary
    table: Vectors32

    def unit(self, words: Sequence[str]) -> tuple[Vectors32, npt.NDArray[np.bool_]]:
        """Return the vectors of the words at length 1, and which words have one."""
        return self.unit_at(self.words.places(words))

    def unit_at(self, places: Ints) -> tuple[Vectors32, npt.NDArray[np.bool_]]:
        """Return the vectors at these places at length 1, and which there are."""
        if len(self.words) == 0:
            return np.zeros((len(places), 0), np.float32), np.zeros(len(places), np.bool_)
        rows = self.table[np.maximum(places, 0)]
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        there = (places >= 0) & (lengths[:, 0] > 0)
        unit = np.where(there[:, None], rows / np.where(lengths > 0, lengths, 1), 0)
        return unit.astype(np.float32), there


def ppmi_svd(counts: Mapping[str, PairCounts], *, size: int = SIZE, seed: int = 1) -> WordVectors:
    """Return vectors from the mutual information of words with the heads and dependents they have.

    A word's contexts are its heads and its dependents in every relation; the table of words by
    contexts is cut to its `size` largest singular values.
    """
    if size < 1:
        raise StudyError(f"size of vectors must be 1 or more; got {size}.")
    words = Vocabulary(
        tuple(
            sorted(
                {
                    w
                    for own in counts.values()
                    for side in (own.heads, own.dependents)
                    for w in side.words
                }
            )
        )
    )
    blocks = [block for own in counts.values() for block in _blocks(own, words)]
    table = sparse.csr_array(sparse.hstack(blocks))
    rank = min(size, min(table.shape) - 1)
    if rank < 1 or table.nnz == 0:
        raise TableError(
            f"counts: too few pairs to make vectors from. Pass {option('vectors')}, or count a "
            "larger corpus."
        )
    left, values = _largest(table, rank, seed)
    vectors = left * values**EXPONENT
    return WordVectors(f"PPMI-SVD, {rank} dimensions", words, vectors.astype(np.float32))


def _largest(table: sparse.csr_array, rank: int, seed: int) -> tuple[Floats, Floats]:
    """Return the left singular vectors of the largest singular values, and these values.

    Where few values differ, as in a small table, ARPACK starts again at a vector that no seed
    fixes; small tables are therefore decomposed as a whole.
    """
    if min(table.shape) <= WHOLE:
        whole, sizes, _ = np.linalg.svd(table.toarray(), full_matrices=False)
        return whole[:, :rank], sizes[:rank]
    start = np.random.default_rng(seed).standard_normal(min(table.shape))
    left, values, _ = svds(table, k=rank, v0=start)
    order = np.argsort(-values)
    return left[:, order], np.asarray(values[order], dtype=np.float64)


def _blocks(counts: PairCounts, words: Vocabulary) -> Iterator[sparse.csr_array]:
    """Yield words by dependents and words by heads of one relation."""
    table = ppmi_table(counts)
    for side, block in ((counts.heads, table), (counts.dependents, table.T)):
        places = words.places(side.words)
        own = sparse.coo_array(block)
        yield sparse.csr_array(
            (own.data, (places[own.row], own.col)), shape=(len(words), block.shape[1])
        )


Look = Callable[[Sequence[str]], tuple[Sequence[int], Vectors32]]


def looked_up(name: str, counts: Mapping[str, PairCounts], look: Look) -> WordVectors:
    """Return the vectors another package has for the words of the counts.

    Args:
        name: What the vectors are called.
        counts: Whose words are wanted.
        look: From words to which of them (their places in the list) have a vector, and those.
    """
    words = sorted(
        {w for own in counts.values() for side in (own.heads, own.dependents) for w in side.words}
    )
    places, table = look(words)
    return WordVectors(name, Vocabulary(tuple(words[place] for place in places)), table)


def read_vectors(path: Path) -> WordVectors:
    """Return the vectors of a text file: a word and its numbers on each line.

    A first line of two numbers (how many words, how many dimensions) is skipped. The first
    spelling of a word counts, in lower case.

    Raises:
        TableError: With FILE:LINE for the first line that is not a word and as many numbers.
    """
    words: dict[str, int] = {}
    rows: list[Vectors32] = []
    for number, line in enumerate(_lines(path), start=1):
        word, *cells = line.rstrip().split(" ")
        if number == 1 and len(cells) == 1 and (word + cells[0]).isdecimal():
            continue
        row = _row(cells)
        if row is None or not word or (rows and len(row) != len(rows[0])):
            wanted = f"{len(rows[0])} numbers" if rows else "numbers"
            raise TableError(f"{path}:{number}: expected a word and {wanted}, separated by spaces.")
        if word.lower() not in words:
            words[word.lower()] = len(rows)
            rows.append(row)
    if not rows:
        raise TableError(f"{path}: no vectors in it.")
    return WordVectors(path.name, Vocabulary(tuple(words)), np.stack(rows))


def _lines(path: Path) -> Iterator[str]:
    content = read_bytes(path)
    try:
        yield from content.decode().splitlines()
    except UnicodeDecodeError as error:
        raise TableError(f"{path}: not UTF-8 text ({error}).") from error


def _row(cells: Sequence[str]) -> Vectors32 | None:
    try:
        row = np.array(cells, dtype=np.float32)
    except ValueError:
        return None
    return row if len(row) and bool(np.isfinite(row).all()) else None
