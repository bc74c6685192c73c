"""What we ask of a backend: the shapes a stage works with, whoever fills them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

if TYPE_CHECKING:
    import pyarrow as pa

T = TypeVar("T")
R = TypeVar("R")


class Sentence(NamedTuple):
    """One parsed sentence as five columns of equal length, one entry per word.

    Labels are those of Universal Dependencies 2. Positions count as in CoNLL-U: words from 1,
    and a head of 0 is the root. An empty lemma means that the parser gives none.

    >>> Sentence(("Dogs", "bark"), ("dog", "bark"), ("NOUN", "VERB"), (2, 0), ("nsubj", "root"))
    Sentence(forms=('Dogs', 'bark'), lemmas=('dog', 'bark'), upos=('NOUN', 'VERB'), \
heads=(2, 0), deprels=('nsubj', 'root'))
    """

    forms: Sequence[str]
    lemmas: Sequence[str]
    upos: Sequence[str]
    heads: Sequence[int]
    deprels: Sequence[str]


@runtime_checkable
class Parser(Protocol):
    """Turns texts into trees; `name` goes into the manifest (`embedded`, `stanza`, `spacy:x`)."""

    @property
    def name(self) -> str:
        """Return the name the parser was asked for by, with its version."""
        ...

    @property
    def language(self) -> str:
        """Return the code of the language the parser reads, such as `en`."""
        ...

    def parse(self, texts: Iterable[str]) -> Iterator[list[Sentence]]:
        """Yield the sentences of each text, in the order of the texts; none for a blank text."""
        ...


class Outcome(NamedTuple, Generic[R]):
    """What came of one shard, and the how-manieth attempt it took, from 1."""

    result: R
    attempt: int = 1


class Engine(Protocol):
    """Runs the same work over shards and the same SQL text, on one machine or on many."""

    @property
    def name(self) -> str:
        """Return the name of the engine, with its version."""
        ...

    def each(self, work: Callable[[T], R], shards: Iterable[T]) -> Iterator[Outcome[R]]:
        """Yield what the work makes of each shard, in any order.

        Work and shards must be picklable. Shards are taken no further ahead than they are needed.
        """
        ...

    def register(self, name: str, files: Sequence[Path]) -> None:
        """Give Parquet files of one schema a name that statements can use."""
        ...

    def rows(self, statement: str) -> Iterator[pa.RecordBatch]:
        """Yield the rows of a statement in their order."""
        ...

    def close(self) -> None:
        """Give back what the engine holds."""
        ...


class Watch(Protocol):
    """Is told how far something long has come, such as a progress bar."""

    def begin(self, what: str, total: int | None = None) -> None:
        """Something begins that takes so many steps, bytes or characters, if that is known."""

    def advance(self, size: int = 1) -> None:
        """So many more are done."""


class _Silence:
    """Watches and says nothing."""

    def begin(self, what: str, total: int | None = None) -> None:
        """Something begins."""

    def advance(self, size: int = 1) -> None:
        """Some is done."""


SILENCE: Watch = _Silence()
