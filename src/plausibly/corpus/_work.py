"""Work: what is done with one shard, wherever it is done; a shard that is done is passed over."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, tee
from pathlib import Path
from typing import NamedTuple

from plausibly.corpus._archives import DAMAGED, is_archive, open_file
from plausibly.corpus._depcc import read_depcc
from plausibly.corpus._examples import Keep, Place, located, pieces, text_of
from plausibly.corpus._language import language_of
from plausibly.corpus._names import short_name
from plausibly.corpus._shards import BLOCK, Shard, shard_blocks, whole_sentences
from plausibly.corpus._staging import Source, read_staged
from plausibly.corpus._tally import Tally
from plausibly.corpus.documents import Document
from plausibly.corpus.relations import Patterns
from plausibly.errors import PlausiblyError
from plausibly.io.conllu import BadLine, read_block
from plausibly.io.conllu.columns import read_columns
from plausibly.ports import Parser, Sentence

CAREFUL_AFTER = 2
DEADLY = 2
_BEGIN = "begin"


@dataclass(frozen=True, slots=True)
class Attempts:
    """What earlier attempts at a shard left in its trail.

    A process can be ended by anything, so two attempts are made as if nothing were wrong. After
    that documents are taken one at a time, each noted before it is begun; one that two attempts
    did not come back from is the culprit. Only attempts of one run count: whoever ends a whole
    run, however often, says nothing about the document it was at.

    Args:
        trail: The file the trail is kept in; none if no attempt was made.
        begun: How many attempts were begun, and not finished.
        deadly: Places of the documents that ended two attempts.
    """

    trail: Path
    begun: int
    deadly: frozenset[int]

    @property
    def careful(self) -> bool:
        """Whether documents are to be taken one at a time."""
        return self.begun >= CAREFUL_AFTER

    def note(self, what: str | int) -> None:
        """Add to the trail, on disk before anything else is done."""
        with self.trail.open("a", encoding="utf-8") as trail:
            trail.write(f"{what}\n")

    def begin(self) -> None:
        """Note that another attempt begins."""
        self.note(_BEGIN)

    def end(self) -> None:
        """Remove the trail of a shard that is done."""
        self.trail.unlink(missing_ok=True)


def read_attempts(trail: Path) -> Attempts:
    """Return what a trail says."""
    marks = trail.read_text(encoding="utf-8").split() if trail.is_file() else []
    last = Counter(mark for mark, after in pairwise([*marks, _BEGIN]) if after == _BEGIN)
    deadly = frozenset(int(mark) for mark, n in last.items() if mark.isdecimal() and n >= DEADLY)
    return Attempts(trail, marks.count(_BEGIN), deadly)


# What a parser may raise over a text that it cannot take; not what ends a whole run.
POISON = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError),
    *(RuntimeError, TypeError, ValueError),
)


class DoneShard(NamedTuple):
    """A shard that is done: its key, the bytes of input it stood for, and whether it was before."""

    key: str
    size: int
    before: bool


@dataclass(frozen=True, slots=True)
class CountParsed:
    """Counts the relations of a shard that is parsed already.

    Args:
        state: Folder that holds what came of each shard.
        patterns: What counts.
        form: `conllu` or `depcc`.
        keep: How many sentences of each relation are kept as examples, if any.
    """

    state: Path
    patterns: Patterns
    form: str
    keep: Keep | None = None

    def __call__(self, shard: Shard) -> DoneShard:
        """Leave the counts of the shard in the state folder."""
        before = shard.result(self.state).exists()
        with _no_rounds():
            return _done(shard, self.state, None if before else self._count(shard))

    def _count(self, shard: Shard) -> Tally:
        tally = Tally(self.patterns, self.keep)
        counting = self._counting(tally, shard)
        if shard.staged or not is_archive(shard.path):
            for block in shard_blocks(shard):
                counting.add(block)
            return tally
        with open_file(shard.path) as opened:
            for block in whole_sentences(opened, BLOCK):
                counting.add(block)
            if opened.damage:
                tally.report.damage[str(shard.file)] = f"{DAMAGED} ({opened.damage})"
        return tally

    def _counting(self, tally: Tally, shard: Shard) -> _Blocks:
        read = read_depcc if self.form == "depcc" else read_block
        if self.keep is not None:
            document = short_name(str(shard.file), self.keep.folder)
            return _Placed(tally, str(shard.file), read, document, shard.before)
        by_columns = self.patterns.by_columns and self.form != "depcc"
        return (_Columns if by_columns else _Blocks)(tally, str(shard.file), read)


@dataclass(slots=True)
class _Blocks:
    """Counts the sentences of blocks, one block after the other.

    Args:
        tally: What the sentences are added to.
        file: The file the blocks are of.
        read: Turns a block into sentences and bad lines.
    """

    tally: Tally
    file: str
    read: Callable[[bytes], Iterable[Sentence | BadLine]]

    def add(self, block: bytes) -> None:
        """Count the sentences of the next block."""
        self.count(block)
        self.tally.report.lines += block.count(b"\n") + (not block.endswith(b"\n"))

    def count(self, block: bytes) -> None:
        self.take(self.read(block), after=self.tally.report.lines)

    def take(
        self, sentences: Iterable[Sentence | BadLine], *, after: int, place: _Placing | None = None
    ) -> None:
        for one in sentences:
            if isinstance(one, BadLine):
                self.tally.reject(one, file=self.file, after=after)
            else:
                self.tally.add(one, place(one) if place is not None else None)


class _Columns(_Blocks):
    """Counts what it can of a block all at once."""

    def count(self, block: bytes) -> None:
        words, odd = read_columns(block)
        self.tally.columns.add(words)
        self.take(odd, after=self.tally.report.lines)


@dataclass(slots=True)
class _Placed(_Blocks):
    """Counts sentences that know where they stand, so that they can be kept as examples."""

    document: str
    start: int

    def count(self, block: bytes) -> None:
        block = block.replace(b"\r\n", b"\n")
        for start, line, piece in pieces(block):
            where = partial(_place, piece, self.document, self.start + start)
            self.take(self.read(piece), after=self.tally.report.lines + line, place=where)
        self.start += len(block)


_Placing = Callable[[Sentence], Place]


def _place(piece: bytes, document: str, start: int, sentence: Sentence) -> Place:
    return Place(document, start, text_of(piece, sentence))


@dataclass(frozen=True, slots=True)
class ParseDocuments:
    """Parses the documents of a staged shard and counts their relations.

    A document the parser fails on is set aside with its error, be it that the process dies of it;
    the others are not lost with it.

    Args:
        state: Folder that holds what came of each shard.
        patterns: What counts.
        parser: Turns texts into trees; each process loads its model once.
        source: What the documents are, and which of them are wanted.
        run: Names the run; a process lost with an earlier run tells nothing about a document.
        keep: How many sentences of each relation are kept as examples, if any.
    """

    state: Path
    patterns: Patterns
    parser: Parser
    source: Source
    run: str = ""
    keep: Keep | None = None

    def __call__(self, shard: Shard) -> DoneShard:
        """Leave the counts of the shard in the state folder."""
        if shard.result(self.state).exists():
            return _done(shard, self.state, None)
        attempts = read_attempts(self.state / f"{shard.key}.{self.run}.trail")
        attempts.begin()
        done = _done(shard, self.state, self._count(read_staged(shard), attempts))
        attempts.end()
        return done

    def _count(self, documents: list[Document], attempts: Attempts) -> Tally:
        wanted = [one for one in documents if not self.source.filters or self.source.includes(one)]
        try:
            if attempts.careful:
                tally = self._count_alone(wanted, attempts)
            else:
                tally = self._count_together(wanted)
        except PlausiblyError:
            raise
        except POISON:
            tally = self._count_alone(wanted, attempts)
        tally.report.left_out = len(documents) - len(wanted)
        return tally

    def _count_together(self, documents: list[Document]) -> Tally:
        tally = Tally(self.patterns, self.keep)
        texts, kept = tee(map(self.source.text, documents))
        for document, sentences in zip(documents, self.parser.parse(texts), strict=True):
            self._add(tally, document, next(kept), sentences)
        return tally

    def _add(
        self, tally: Tally, document: Document, text: str, sentences: Iterable[Sentence]
    ) -> None:
        """Count the sentences of one document."""
        tally.report.documents += 1
        tally.report.hear(language_of(text))
        if self.keep is None:
            for sentence in sentences:
                tally.add(sentence)
            return
        sentences = list(sentences)
        name = document.name or f"{short_name(document.file, self.keep.folder)}:{document.line}"
        for sentence, (start, words) in zip(sentences, located(text, sentences), strict=True):
            tally.add(sentence, Place(name, start, words))

    def _count_alone(self, documents: list[Document], attempts: Attempts) -> Tally:
        tally = Tally(self.patterns, self.keep)
        if attempts.careful:
            self._load()
        for place, document in enumerate(documents):
            if place in attempts.deadly:
                tally.report.quarantined.append((*document[:3], "its parser process died"))
                continue
            if attempts.careful:
                attempts.note(place)
            try:
                text = self.source.text(document)
                parsed = [one for sentences in self.parser.parse([text]) for one in sentences]
            except POISON as error:
                what = f"{type(error).__name__}: {error}"
                tally.report.quarantined.append((*document[:3], what))
                continue
            self._add(tally, document, text, parsed)
        return tally

    def _load(self) -> None:
        """Load the model, so that a process which ends over that blames no document."""
        with suppress(*POISON):
            list(self.parser.parse([]))


@contextmanager
def _no_rounds() -> Iterator[None]:
    """Keep the garbage collector from going its rounds: rows are many, and none is a cycle."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _done(shard: Shard, state: Path, tally: Tally | None) -> DoneShard:
    """Save what came of a shard that was not done before, and clear its staged bytes away."""
    if tally is not None:
        tally.save(shard.result(state))
    if shard.staged:
        shard.path.unlink(missing_ok=True)
    return DoneShard(shard.key, shard.size, tally is None)
