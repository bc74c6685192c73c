"""Work: what is done with one shard, wherever it is done; a shard that is done is passed over."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from plausibly.corpus._archives import DAMAGED, is_archive, open_file
from plausibly.corpus._attempts import Attempts, read_attempts
from plausibly.corpus._depcc import read_depcc
from plausibly.corpus._shards import BLOCK, Shard, shard_blocks, whole_sentences
from plausibly.corpus._staging import Source, read_staged
from plausibly.corpus._tally import Tally
from plausibly.corpus.documents import Document
from plausibly.corpus.relations import Patterns
from plausibly.errors import PlausiblyError
from plausibly.io.conllu import BadLine, read_block
from plausibly.io.conllu.columns import read_columns
from plausibly.ports import Parser, Sentence

# What a parser may raise over a text that it cannot take; not what ends a whole run.
POISON = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError, MemoryError),
    *(RuntimeError, TypeError, ValueError),
)


class Done(NamedTuple):
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
    """

    state: Path
    patterns: Patterns
    form: str

    def __call__(self, shard: Shard) -> Done:
        """Leave the counts of the shard in the state folder."""
        before = shard.result(self.state).exists()
        with _no_rounds():
            return _done(shard, self.state, None if before else self._count(shard))

    def _count(self, shard: Shard) -> Tally:
        tally = Tally(self.patterns)
        file = str(shard.file)
        if shard.staged or not is_archive(shard.path):
            for block in shard_blocks(shard):
                self._add(tally, block, file)
            return tally
        with open_file(shard.path) as opened:
            for block in whole_sentences(opened, BLOCK):
                self._add(tally, block, file)
            if opened.damage:
                tally.report.damage[file] = f"{DAMAGED} ({opened.damage})"
        return tally

    def _add(self, tally: Tally, block: bytes, file: str) -> None:
        before = tally.report.lines
        for one in self._read(tally, block):
            if isinstance(one, BadLine):
                tally.reject(one, file=file, after=before)
            else:
                tally.add(one)
        tally.report.lines += block.count(b"\n") + (not block.endswith(b"\n"))

    def _read(self, tally: Tally, block: bytes) -> Iterable[Sentence | BadLine]:
        """Return the sentences of a block that were not counted all at once."""
        if self.form == "depcc":
            return read_depcc(block)
        if not self.patterns.by_columns:
            return read_block(block)
        words, odd = read_columns(block)
        tally.columns.add(words)
        return odd


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
    """

    state: Path
    patterns: Patterns
    parser: Parser
    source: Source
    run: str = ""

    def __call__(self, shard: Shard) -> Done:
        """Leave the counts of the shard in the state folder."""
        if shard.result(self.state).exists():
            return _done(shard, self.state, None)
        attempts = read_attempts(self.state / f"{shard.key}.{self.run}.trail")
        attempts.begin()
        done = _done(shard, self.state, self._count(read_staged(shard), attempts))
        attempts.end()
        return done

    def _count(self, documents: list[Document], attempts: Attempts) -> Tally:
        wanted = [one for one in documents if not self.source.filters or self.source.wants(one)]
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
        tally = Tally(self.patterns)
        texts = (self.source.text(document) for document in documents)
        for sentences in self.parser.parse(texts):
            tally.report.documents += 1
            for sentence in sentences:
                tally.add(sentence)
        return tally

    def _count_alone(self, documents: list[Document], attempts: Attempts) -> Tally:
        tally = Tally(self.patterns)
        if attempts.careful:
            self._load()
        for place, document in enumerate(documents):
            if place in attempts.deadly:
                tally.report.quarantined.append((*document[:3], "its parser process died"))
                continue
            if attempts.careful:
                attempts.note(place)
            try:
                parsed = list(self.parser.parse([self.source.text(document)]))
            except POISON as error:
                what = f"{type(error).__name__}: {error}"
                tally.report.quarantined.append((*document[:3], what))
                continue
            tally.report.documents += 1
            for sentence in (one for sentences in parsed for one in sentences):
                tally.add(sentence)
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


def _done(shard: Shard, state: Path, tally: Tally | None) -> Done:
    """Save what came of a shard that was not done before, and clear its staged bytes away."""
    if tally is not None:
        tally.save(shard.result(state))
    if shard.staged:
        shard.path.unlink(missing_ok=True)
    return Done(shard.key, shard.size, tally is None)
