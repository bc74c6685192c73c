"""Examples: sentences kept for each relation, drawn by a seeded rank."""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import polars as pl

from plausibly.corpus.relations import Row
from plausibly.io import replacing
from plausibly.io.ranks import rank
from plausibly.ports import Sentence

COLUMNS = ("relation", "head", "dependent", "object", "hash", "document", "place", "sentence")
DIGITS = 16

_WINDOW = 400
_TEXT = re.compile(rb"^# text = (.+)$", re.MULTILINE)


class Place(NamedTuple):
    """Where a sentence is: its document, its start there, and its text as written."""

    document: str
    start: int
    text: str


@dataclass(frozen=True, slots=True)
class Keep:
    """How many sentences are kept for each relation, and how they are drawn.

    Args:
        most: The most sentences per relation.
        seed: The same seed draws the same sentences.
        folder: The folder that file names are relative to.
    """

    most: int
    seed: int = 1
    folder: str = ""


class Examples:
    """The sentences of one shard that rank first among those of each relation.

    The rank is a hash of seed, document and place, so the sentences kept do not depend on how the
    input is split; a shard keeps no more than `most` for each relation.
    """

    def __init__(self, keep: Keep) -> None:
        self._keep = keep
        self._kept: dict[Row, list[tuple[str, Place]]] = {}

    def add(self, rows: Iterable[Row], place: Place) -> None:
        """Consider a sentence for each of its relations, once."""
        rows = set(rows)
        if not rows:
            return
        drawn = rank(self._keep.seed, f"{place.document}|{place.start}")[:DIGITS]
        for row in rows:
            best = self._kept.setdefault(row, [])
            if len(best) == self._keep.most:
                if (drawn, place) >= best[-1]:
                    continue
                best.pop()
            insort(best, (drawn, place))

    def save(self, path: Path) -> None:
        """Write the kept sentences, completely or not at all."""
        rows = [(*row, drawn, *place) for row, best in self._kept.items() for drawn, place in best]
        columns = list(zip(*rows, strict=True)) or [()] * len(COLUMNS)
        frame = pl.DataFrame(
            dict(zip(COLUMNS, columns, strict=True)),
            schema={**dict.fromkeys(COLUMNS, pl.String()), "place": pl.Int64()},
        )
        with replacing(path) as temporary:
            frame.write_parquet(temporary, compression="lz4", statistics=False)


def located(text: str, sentences: Iterable[Sentence]) -> Iterator[tuple[int, str]]:
    """Yield where each sentence begins in a text, and its wording there.

    Words a parser made up (from a contraction, for example) are skipped; a sentence with no word
    in the text is returned as its words.

    >>> dogs = Sentence(("Dogs", "bark", "."), (), (), (), ())
    >>> list(located("So.  Dogs  bark.", [dogs]))
    [(5, 'Dogs bark.')]
    """
    cursor = 0
    for sentence in sentences:
        start = -1
        for form in sentence.forms:
            at = text.find(form, cursor, cursor + len(form) + _WINDOW)
            if at >= 0:
                start = at if start < 0 else start
                cursor = at + len(form)
        if start < 0:
            yield cursor, " ".join(sentence.forms)
        else:
            yield start, " ".join(text[start:cursor].split())


def pieces(block: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield where each sentence of a block of CoNLL-U begins, in bytes and lines, and its bytes."""
    start = line = 0
    for piece in block.split(b"\n\n"):
        if piece.strip():
            yield start, line, piece + b"\n"
        start += len(piece) + 2
        line += piece.count(b"\n") + 2


def text_of(piece: bytes, sentence: Sentence) -> str:
    """Return the text of a sentence: its comment `text`, or its words."""
    comment = _TEXT.search(piece)
    if comment is None:
        return " ".join(sentence.forms)
    return " ".join(comment[1].decode(errors="replace").split())
