"""CoNLL-U to columns of numbers: all words of a block at once, for what must be quick."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plausibly.io.conllu import COLUMNS, LONGEST_LINE, BadLine, is_pair, read_block
from plausibly.ports import Sentence

Places = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.int32]
Codes = npt.NDArray[np.int8]
Flags = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
Spans = tuple[Places, Places]

UPOS = ("VERB", "NOUN", "ADJ", "PROPN", "AUX")
DEPRELS = ("nsubj", "obj", "amod", "root", "det", "compound", "aux")

_TAB, _NEWLINE, _HASH, _ZERO, _C = (np.uint8(ord(mark)) for mark in "\t\n#0c")
_WIDTH = 8
_MASKS = np.array([(1 << 8 * size) - 1 for size in range(_WIDTH + 1)], dtype=np.uint64)
_MOST_DIGITS = 4
_ROOT = DEPRELS.index("root") + 1
_COMPOUND = DEPRELS.index("compound") + 1


@dataclass(frozen=True, eq=False, slots=True)
class Words:
    """The words of a block's sound sentences; a word is known by its place in the columns.

    Args:
        block: The bytes the spans point into.
        forms: Where its form begins and ends.
        lemmas: Where its lemma begins and ends.
        tags: Where its part of speech begins and ends.
        relations: Where its relation begins and ends.
        upos: Place in `UPOS` plus one, 0 for any other tag.
        deprels: Place in `DEPRELS` plus one, 0 for any other relation; a subtype of `compound` is
            counted as it.
        heads: Place of the head among the words, -1 for a root.
        sentences: Number of the sentence each word is in, in ascending order.
    """

    block: bytes
    forms: Spans
    lemmas: Spans
    tags: Spans
    relations: Spans
    upos: Codes
    deprels: Codes
    heads: Places
    sentences: Places

    def __len__(self) -> int:
        return len(self.heads)

    def count_sentences(self) -> int:
        """Return how many sentences there are."""
        return int(np.count_nonzero(np.diff(self.sentences, prepend=-1)))

    def sentence_of(self, word: int) -> range:
        """Return the places of all words of the sentence that a word is in."""
        number = self.sentences[word]
        first, after = np.searchsorted(self.sentences, (number, number + 1)).tolist()
        return range(first, after)

    def children(self, places: Places) -> dict[int, list[int]]:
        """Return the words that depend on each of some words."""
        chosen = np.zeros(len(self) + 1, dtype=np.bool_)
        chosen[places] = True
        children = np.flatnonzero(chosen[self.heads])
        below: dict[int, list[int]] = {place: [] for place in places.tolist()}
        for child, head in zip(children.tolist(), self.heads[children].tolist(), strict=True):
            below[head].append(child)
        return below

    def key(self, word: int) -> str:
        """Return the lower-cased lemma of a word, or its form where it has no lemma."""
        cell = self.block[self.lemmas[0][word] : self.lemmas[1][word]]
        return (self.form(word) if cell == b"_" else cell.decode()).lower()

    def form(self, word: int) -> str:
        """Return the form of a word."""
        return self.block[self.forms[0][word] : self.forms[1][word]].decode()

    def tag(self, word: int) -> bytes:
        """Return the part of speech of a word, as in the file."""
        return self.block[self.tags[0][word] : self.tags[1][word]]

    def relation(self, word: int) -> bytes:
        """Return the relation of a word, as in the file."""
        return self.block[self.relations[0][word] : self.relations[1][word]]


@dataclass(frozen=True, eq=False, slots=True)
class _Lines:
    """Where the lines of a block begin, and which separator each of them ends with."""

    block: bytes
    text: Bytes
    separators: Places
    last: Places
    begin: Places
    sentence: Places

    def spans(self, column: int, lines: Places) -> Spans:
        """Return where a column of the given lines begins and ends."""
        end = self.separators[self.last[lines] - (COLUMNS - 1) + column]
        if column == 0:
            return self.begin[lines], end
        return self.separators[self.last[lines] - COLUMNS + column] + 1, end

    def piece(self, sentence: int) -> tuple[int, bytes]:
        """Return the first line and the bytes of one sentence."""
        first, after = np.searchsorted(self.sentence, (sentence, sentence + 1))
        begin, end = self.begin[first], self.separators[self.last[after - 1]]
        return int(first), self.block[begin : end + 1]


def read_columns(block: bytes) -> tuple[Words, list[Sentence | BadLine]]:
    """Return the words of a block, and what `read_block` says of sentences that look odd.

    A sentence is in one of the two, never in both; one with ranges (1-2) alone is not odd.
    """
    block = _tidy(block)
    if not _is_text(block):
        return _no_words(), list(read_block(block))
    lines = _lines(block)
    rows, ids, odd = _rows(lines)
    words, sound = _words(lines, rows, ids)
    odd |= set(words.sentences[~sound].tolist())
    found: list[Sentence | BadLine] = []
    for sentence in sorted(odd):
        first, piece = lines.piece(sentence)
        for one in read_block(piece):
            moved = one._replace(line=one.line + first) if isinstance(one, BadLine) else one
            found.append(moved)
    return (_without(words, odd) if odd else words), found


def _tidy(block: bytes) -> bytes:
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n")
    block = block.removeprefix(b"\xef\xbb\xbf")
    return block if block.endswith(b"\n") else block + b"\n"


def _is_text(block: bytes) -> bool:
    try:
        return block.isascii() or bool(block.decode())
    except UnicodeDecodeError:
        return False


def _lines(block: bytes) -> _Lines:
    text = np.frombuffer(block + bytes(_WIDTH), dtype=np.uint8)
    separators = np.flatnonzero(text[: len(block)] <= _NEWLINE)
    marks = text[separators]
    if marks.min(initial=_TAB) < _TAB:
        separators, marks = separators[marks >= _TAB], marks[marks >= _TAB]
    last = np.flatnonzero(marks == _NEWLINE)
    stop = separators[last]
    begin = np.concatenate(([0], stop[:-1] + 1))
    return _Lines(block, text, separators, last, begin, np.cumsum(text[begin] == _NEWLINE))


def _rows(lines: _Lines) -> tuple[Places, Numbers, set[int]]:
    """Return the lines that hold words, their ids, and sentences with a line of another kind."""
    first = lines.text[lines.begin]
    silent = (first == _NEWLINE) | (first == _HASH)
    length = lines.separators[lines.last] - lines.begin
    whole = (np.diff(lines.last, prepend=-1) == COLUMNS) & (length <= LONGEST_LINE) & ~silent
    odd = set(lines.sentence[~whole & ~silent].tolist())
    rows = np.flatnonzero(whole)
    begin, end = lines.spans(0, rows)
    ids = _numbers(lines.text, begin, end)
    numbered = ids >= 0
    for place in np.flatnonzero(~numbered).tolist():
        if not is_pair(lines.block[begin[place] : end[place]].decode()):
            odd.add(int(lines.sentence[rows[place]]))
    return rows[numbered], ids[numbered], odd


def _words(lines: _Lines, rows: Places, ids: Numbers) -> tuple[Words, Flags]:
    """Return the words of the given lines, and which of them are numbered and headed well."""
    sentence = lines.sentence[rows]
    begins = np.flatnonzero(np.diff(sentence, prepend=-1))
    sizes = np.diff(begins, append=len(rows))
    base, size = np.repeat(begins, sizes), np.repeat(sizes, sizes)
    heads = _numbers(lines.text, *lines.spans(6, rows))
    forms, lemmas, upos, deprels = (lines.spans(column, rows) for column in (1, 2, 3, 7))
    sound = ids == np.arange(len(rows)) - base + 1
    sound &= (heads >= 0) & (heads <= size)
    for start, end in (forms, lemmas, upos, deprels):
        sound &= end > start
    words = Words(
        lines.block,
        forms,
        lemmas,
        upos,
        deprels,
        _codes(lines, upos, UPOS),
        _deprels(lines, deprels, heads),
        np.where(heads > 0, base + heads - 1, -1),
        sentence,
    )
    return words, sound


def _numbers(text: Bytes, start: Places, end: Places) -> Numbers:
    """Return the whole number in each span, -1 if there is none, a large one or one like 01."""
    size = end - start
    number = np.zeros(len(start), dtype=np.int32)
    wrong = (size < 1) | (size > _MOST_DIGITS) | ((size > 1) & (text[start] == _ZERO))
    for place in range(min(int(size.max(initial=0)), _MOST_DIGITS)):
        inside = place < size
        digit = text[start + place] - _ZERO
        wrong |= inside & (digit > 9)
        number = np.where(inside, number * 10 + digit, number)
    number[wrong] = -1
    return number


def _codes(lines: _Lines, spans: Spans, known: tuple[str, ...]) -> Codes:
    """Return for each span the place of its word in `known` plus one, 0 if it is not there."""
    start, end = spans
    windows: npt.NDArray[np.uint64] = np.ndarray(
        (len(lines.text) - _WIDTH + 1,), dtype="<u8", buffer=lines.text.data, strides=(1,)
    )
    size = end - start
    seen = windows[start] & _MASKS[np.minimum(size, _WIDTH)]
    codes = np.zeros(len(start), dtype=np.int8)
    for code, name in enumerate(known, start=1):
        wanted = np.uint64(int.from_bytes(name.encode(), "little"))
        codes[(seen == wanted) & (size == len(name))] = code
    return codes


def _deprels(lines: _Lines, spans: Spans, heads: Numbers) -> Codes:
    """Return the codes of relations, subtypes of `compound` like `compound` itself.

    A word without a head is `root` in whatever case that is written.
    """
    start, end = spans
    codes = _codes(lines, spans, DEPRELS)
    headless = (heads == 0) & (codes == 0) & (end - start == len("root"))
    for place in np.flatnonzero(headless).tolist():
        if lines.block[start[place] : end[place]].lower() == b"root":
            codes[place] = _ROOT
    long = np.flatnonzero((end - start > len("compound")) & (lines.text[start] == _C))
    for place in long.tolist():
        if lines.block.startswith(b"compound:", start[place]):
            codes[place] = _COMPOUND
    return codes


def code_of(deprel: str) -> int:
    """Return the code of a relation, as `Words.deprels` has it.

    >>> code_of("nsubj"), code_of("nmod"), code_of("compound:prt") == code_of("compound")
    (1, 0, True)
    """
    name = "compound" if deprel.startswith("compound:") else deprel
    return DEPRELS.index(name) + 1 if name in DEPRELS else 0


def _without(words: Words, odd: set[int]) -> Words:
    """Return the words of the sentences that are not odd."""
    kept = ~np.isin(words.sentences, np.array(sorted(odd), dtype=np.int64))
    place = np.cumsum(kept) - 1
    heads = words.heads[kept]
    return Words(
        words.block,
        (words.forms[0][kept], words.forms[1][kept]),
        (words.lemmas[0][kept], words.lemmas[1][kept]),
        (words.tags[0][kept], words.tags[1][kept]),
        (words.relations[0][kept], words.relations[1][kept]),
        words.upos[kept],
        words.deprels[kept],
        np.where(heads >= 0, place[heads], -1),
        words.sentences[kept],
    )


def _no_words() -> Words:
    places, codes = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int8)
    spans = (places, places)
    return Words(b"", spans, spans, spans, spans, codes, codes, places, places)
