"""CoNLL-U to sentences and back: a lean reader over bytes that names every line it cannot use."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import BinaryIO, NamedTuple

from plausibly.ports import Sentence

COLUMNS = 10
LONGEST_LINE = 1 << 20
LONGEST_SENTENCE = 1 << 26

_USED = (1, 2, 3, 7)
_SHORT = 1000
_IDS = tuple(str(place) for place in range(1, _SHORT))
_NUMBER = {str(place): place for place in range(_SHORT)}.__getitem__
is_pair = re.compile(r"[0-9]{1,9}[-.][0-9]{1,9}").fullmatch


class BadLine(NamedTuple):
    """A line that could not be used; `line` counts from 1 where reading began."""

    line: int
    message: str


def blocks(stream: BinaryIO, size: int) -> Iterator[bytes]:
    """Yield the bytes of a stream in blocks of at least `size` that end on a blank line.

    The cuts depend on the content alone, so a file and its archive are cut alike. Where no blank
    line comes for 64 MiB, the block ends there and what it cuts is reported by the reader.
    """
    while block := stream.read(size):
        yield b"".join((block, *to_blank_line(stream)))


def blocks_of(content: bytes, size: int) -> Iterator[bytes]:
    """Yield bytes that are all at hand in blocks of about `size` that end on a blank line."""
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n")
    start = 0
    while start < len(content):
        blank = content.find(b"\n\n", start + size)
        end = blank + 2 if blank >= 0 else len(content)
        yield content[start:end]
        start = end


def to_blank_line(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the rest of the line a stream is in, then its lines up to a blank one."""
    yield stream.readline(LONGEST_SENTENCE)
    length = 0
    while length < LONGEST_SENTENCE and (line := stream.readline(LONGEST_SENTENCE)):
        yield line
        length += len(line)
        if line in (b"\n", b"\r\n"):
            break


def read_block(block: bytes) -> Iterator[Sentence | BadLine]:
    r"""Yield the sentences of a block of CoNLL-U; one with a bad line is left out and shows why.

    Ranges (1-2) and empty nodes (1.1) are passed over, as are comments.

    >>> block = b"1-2\tDon't\t_" + b"\t_" * 7 + b"\n"
    >>> block += b"1\tDo\tdo\tAUX\t_\t_\t0\troot\t_\t_\n2\tn't\tnot\tPART\t_\t_\t1"
    >>> [sentence.heads for sentence in read_block(block + b"\tadvmod\t_\t_\n")]
    [[0, 1]]
    >>> list(read_block(b"1\tDogs\tdog\tNOUN\n"))
    [BadLine(line=1, message='4 columns separated by tabs, expected 10')]
    """
    if b"\r" in block:
        block = block.replace(b"\r\n", b"\n")
    line = 1
    for piece in block.removeprefix(b"\xef\xbb\xbf").split(b"\n\n"):
        raw = piece.strip(b"\n")
        if raw:
            sentence = _quick(raw)
            if sentence is None:
                blank = len(piece) - len(piece.lstrip(b"\n"))
                yield from _careful(raw, line + blank)
            else:
                yield sentence
        line += piece.count(b"\n") + 2


def _quick(raw: bytes) -> Sentence | None:
    """Return a sentence whose words are plainly numbered; None if a closer look is needed."""
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        return None
    start = 0
    while text.startswith("#", start):
        start = text.find("\n", start) + 1
        if not start:
            return None
    if len(text) > LONGEST_LINE:
        return None
    rows = [line.split("\t") for line in text[start:].split("\n")]
    sentence = _sentence(rows)
    if sentence is None:
        sentence = _sentence([row for row in rows if len(row) != COLUMNS or not is_pair(row[0])])
    return sentence


def _sentence(rows: list[list[str]]) -> Sentence | None:
    """Return the sentence of rows that are all words in their order, None if they are not."""
    try:
        ids, forms, lemmas, upos, _, _, heads, deprels, _, _ = zip(*rows, strict=True)
        numbers = list(map(_NUMBER, heads))
    except (ValueError, KeyError):
        return None
    if ids != _IDS[: len(ids)] or max(numbers) > len(ids):
        return None
    if "" in forms or "" in lemmas or "" in upos or "" in deprels:
        return None
    return Sentence(forms, lemmas, upos, numbers, deprels)


def _careful(raw: bytes, first: int) -> Iterator[Sentence | BadLine]:
    """Yield the sentence of a piece with ranges, or every line that is wrong with it."""
    words: list[tuple[int, list[str]]] = []
    bad: list[BadLine] = []
    for line, content in enumerate(raw.split(b"\n"), start=first):
        cells = _cells(content)
        if isinstance(cells, str):
            bad.append(BadLine(line, cells))
        elif cells:
            words.append((line, cells))
    if not bad:
        bad = list(_misnumbered(words))
    if bad:
        yield from bad
    elif words:
        heads = [int(cells[6]) for _, cells in words]
        forms, lemmas, upos, deprels = [[row[place] for _, row in words] for place in _USED]
        yield Sentence(forms, lemmas, upos, heads, deprels)


def _cells(content: bytes) -> list[str] | str:
    """Return the cells of a word's line, none for other lines, or what is wrong as text."""
    if len(content) > LONGEST_LINE and not content.startswith(b"#"):
        return f"{len(content)} bytes in one line, at most {LONGEST_LINE} are read"
    try:
        text = content.decode()
    except UnicodeDecodeError:
        return "not UTF-8"
    cells = [] if text.startswith("#") else text.split("\t")
    wrong = _wrong(cells) if cells else ""
    return wrong or ([] if cells and is_pair(cells[0]) else cells)


def _wrong(cells: list[str]) -> str:
    """Return what is wrong with the cells of one line, empty if nothing is."""
    if len(cells) != COLUMNS:
        return f"{len(cells)} columns separated by tabs, expected {COLUMNS}"
    if is_pair(cells[0]):
        return ""
    empty = [place for place in _USED if not cells[place]]
    if empty:
        return f"column {empty[0] + 1} is empty, expected _ or a value"
    for name, cell in (("id", cells[0]), ("head", cells[6])):
        if not is_number(cell):
            return f"{name} {cell[:40]!r} is not a number"
    return ""


def _misnumbered(words: list[tuple[int, list[str]]]) -> Iterator[BadLine]:
    for place, (line, cells) in enumerate(words, start=1):
        if cells[0] != str(place):
            yield BadLine(line, f"id {cells[0][:40]} where {place} was expected")
            return
        if int(cells[6]) > len(words):
            yield BadLine(line, f"head {cells[6]} lies outside a sentence of {len(words)} words")


def is_number(text: str) -> bool:
    """Return whether a cell is a whole number of a size that a sentence can have."""
    return text.isascii() and text.isdecimal() and len(text) <= 9


def write_block(sentences: Iterable[Sentence]) -> bytes:
    """Return sentences as CoNLL-U, what a sentence does not hold as _."""
    return "".join(chain.from_iterable(_lines(sentence) for sentence in sentences)).encode()


def _lines(sentence: Sentence) -> Iterator[str]:
    for place, (form, lemma, upos, head, deprel) in enumerate(zip(*sentence, strict=True), 1):
        yield f"{place}\t{form}\t{lemma or '_'}\t{upos}\t_\t_\t{head}\t{deprel}\t_\t_\n"
    yield "\n"
