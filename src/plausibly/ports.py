"""What we ask of a backend: the shapes a stage works with, whoever fills them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol, runtime_checkable


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

    def parse(self, texts: Iterable[str]) -> Iterator[list[Sentence]]:
        """Yield the sentences of each text, in the order of the texts; none for a blank text."""
        ...
