"""Sampling: a seeded uniform sample in one pass, independent of the reading order."""

from __future__ import annotations

import heapq
import zlib
from collections.abc import Callable, Iterable
from functools import cache

from plausibly.corpus._names import short_name
from plausibly.corpus.documents import Document
from plausibly.io.ranks import rank


def draw(
    documents: Iterable[Document],
    *,
    articles: int,
    seed: int,
    keep: Callable[[Document], bool] | None = None,
    folder: str = "",
) -> list[Document]:
    """Return `articles` documents drawn uniformly from those kept, in their order.

    Only documents that may still be drawn are checked and held, compressed, so that one pass is
    enough and memory holds only the sample.

    Args:
        documents: All documents; one without a name is identified by its file and line.
        articles: How many to draw; all if there are fewer.
        seed: The same seed draws the same documents, whatever their order.
        keep: Whether a document may be drawn; by default, every document may.
        folder: The folder that file names are relative to, so that their spelling never matters.
    """
    drawn: list[_Ranked] = []
    named = cache(lambda file: short_name(file, folder))
    for place, document in enumerate(documents):
        name = document.name or f"{named(document.file)}:{document.line}"
        ranked = _Ranked(rank(seed, name), name, place, document)
        full = len(drawn) >= articles
        if (full and not drawn[0] < ranked) or (keep is not None and not keep(document)):
            continue
        if full:
            heapq.heapreplace(drawn, ranked.packed())
        else:
            heapq.heappush(drawn, ranked.packed())
    return [ranked.unpacked() for ranked in sorted(drawn, key=lambda ranked: ranked.place)]


class _Ranked:
    """A document with its rank; the first to be replaced sorts lowest, as a heap needs it."""

    __slots__ = ("content", "document", "name", "place", "rank")

    def __init__(self, rank: str, name: str, place: int, document: Document) -> None:
        self.rank = rank
        self.name = name
        self.place = place
        self.document = document
        self.content = b""

    def __lt__(self, other: _Ranked) -> bool:
        return (self.rank, self.name, self.place) > (other.rank, other.name, other.place)

    def packed(self) -> _Ranked:
        """Return it with its text compressed."""
        self.content = zlib.compress(self.document.text.encode(), 1)
        self.document = self.document._replace(text="")
        return self

    def unpacked(self) -> Document:
        """Return the document with its text restored."""
        return self.document._replace(text=zlib.decompress(self.content).decode())
