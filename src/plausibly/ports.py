"""What we ask of a backend: the shapes a stage works with, whoever fills them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

from plausibly.errors import PlausiblyError

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
    """Receives the progress, such as a progress bar."""

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


@dataclass(frozen=True, slots=True)
class Query:
    """One thing asked of a language model.

    Args:
        context: What stands before the answer, for models that continue a text.
        messages: The same as pairs of role and text, for models that hold a conversation.
        options: The answers to choose from, as they would follow; none to let the model write.
        max_tokens: How long a written answer may become.
        repeat: Which of several times the same is asked, from 0.
        among: Where the model writes, the answers it may give; the words of the query list them.
        within: Where it writes a number, the least, the greatest and the step between two.
        names: What a record of answers may call it, the closest first; no part of what is asked.
    """

    context: str
    messages: tuple[tuple[str, str], ...] = ()
    options: tuple[str, ...] = ()
    max_tokens: int = 16
    repeat: int = 0
    among: tuple[str, ...] = field(default=(), compare=False)
    within: tuple[float, float, float] | None = field(default=None, compare=False)
    names: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a language model answered.

    Args:
        logliks: Summed log-likelihood of each option, None for a model that only writes.
        lengths: How many tokens each option has.
        text: What was written.
        prompt_tokens: Tokens read, where they are known.
        answer_tokens: Tokens written, where they are known.
        note: What was missing, in a word.
        first: The likeliest first tokens of what was written, with their log-probabilities.
        signed: Who says to have answered, where that is not who was asked.
        finish_reason: Why a written answer ended, in the server's words.
    """

    logliks: tuple[float, ...] | None = None
    lengths: tuple[int, ...] | None = None
    text: str | None = None
    prompt_tokens: int | None = None
    answer_tokens: int | None = None
    note: str | None = None
    first: tuple[tuple[str, float], ...] | None = None
    signed: str | None = None
    finish_reason: str | None = None


class Unanswered(PlausiblyError):
    """A language model gave no usable answer to one query; others may still be asked.

    Args:
        reason: What happened in a few words, the same for all of its kind.
        detail: What this one said.
        final: Whether no other query can fare better, so that asking stops.
        lasting: Whether asking the same again would end the same.
    """

    def __init__(
        self, reason: str, detail: str = "", *, final: bool = False, lasting: bool = False
    ) -> None:
        super().__init__(f"{reason}: {detail}" if detail else reason)
        self.reason = reason
        self.detail = detail
        self.final = final
        self.lasting = lasting


class LanguageModel(Protocol):
    """Answers queries: by the log-likelihood of options, by writing, or both."""

    @property
    def name(self) -> str:
        """Return the name predictions carry."""
        ...

    @property
    def identity(self) -> str:
        """Return what answers depend on besides the query: name, version, settings."""
        ...

    @property
    def source(self) -> str:
        """Return where the model is: an address, a file, or a word."""
        ...

    @property
    def converses(self) -> bool:
        """Return whether queries should hold messages."""
        ...

    @property
    def options_at_once(self) -> int:
        """Return how many options one query may have; 0 for a model that only writes."""
        ...

    @property
    def at_once(self) -> int | None:
        """Return how many queries may be open at the same time; None for any number."""
        ...

    def answer(self, query: Query) -> Reply:
        """Return the answer to one query; raise `Unanswered` where there is none."""
        ...

    def rest(self) -> None:
        """Let go of the query just answered, once its answer is kept."""
        ...

    def leave(self) -> None:
        """Send nothing any more: what waits to be sent again is given up."""
        ...


class Frequencies(Protocol):
    """How frequent words are."""

    def zipf(self, words: Sequence[str]) -> list[float | None]:
        """Return the Zipf value of every word, None for an unknown one."""
        ...
