"""Texts cut into what a parser takes at a time: paragraphs, in batches of bounded size."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sized
from typing import TypeVar

from plausibly.ports import Sentence

S = TypeVar("S", bound=Sized)

WRAPPED_AT = 100
LONGEST = 20_000
BATCH = 30_000

_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")


def paragraphs_of(text: str) -> list[str]:
    r"""Return the paragraphs of a text, blanks between words reduced to one space.

    A line is a paragraph; where no line is longer than 100 characters the text is taken for
    hard-wrapped, and blank lines part its paragraphs. No sentence runs across two paragraphs. A
    paragraph of more than 20,000 characters is cut at a blank, or in a word that long.

    >>> paragraphs_of("The dog chased\nthe cat.\n\nIt fled.")
    ['The dog chased the cat.', 'It fled.']
    """
    if "\n" not in text and len(text) <= LONGEST:
        whole = " ".join(text.split())
        return [whole] if whole else []
    lines = text.splitlines()
    wrapped = max(map(len, lines), default=0) <= WRAPPED_AT
    parts = _BLANK_LINE.split(text) if wrapped else lines
    joined = (" ".join(part.split()) for part in parts)
    return [piece for part in joined if part for piece in _cut(part)]


def _cut(paragraph: str) -> Iterator[str]:
    while len(paragraph) > LONGEST:
        blank = paragraph.rfind(" ", 0, LONGEST)
        end = blank if blank > 0 else LONGEST
        yield paragraph[:end]
        paragraph = paragraph[end:].lstrip(" ")
    if paragraph:
        yield paragraph


def parse_in_batches(
    texts: Iterable[str], parse: Callable[[list[str]], Iterable[list[Sentence]]]
) -> Iterator[list[Sentence]]:
    """Yield the sentences of each text, parsing paragraphs in batches of about 30,000 characters.

    Args:
        texts: What to parse; read no further ahead than one batch.
        parse: Returns the sentences of each paragraph of a batch.
    """
    unread: deque[int] = deque()
    parsed = (
        found for batch in groups_of(_paragraphs(texts, unread), BATCH) for found in parse(batch)
    )
    sentences: list[Sentence] = []
    for found in parsed:
        while unread[0] == 0:
            unread.popleft()
            yield []
        sentences += found
        unread[0] -= 1
        if unread[0] == 0:
            unread.popleft()
            yield sentences
            sentences = []
    yield from ([] for _ in unread)


def _paragraphs(texts: Iterable[str], unread: deque[int]) -> Iterator[str]:
    for text in texts:
        paragraphs = paragraphs_of(text)
        unread.append(len(paragraphs))
        yield from paragraphs


def groups_of(values: Iterable[S], least: int) -> Iterator[list[S]]:
    """Yield values in groups whose lengths add up to the least or more, but for the last.

    >>> list(groups_of(["ab", "c", "de", "f"], 3))
    [['ab', 'c'], ['de', 'f']]
    """
    group: list[S] = []
    size = 0
    for value in values:
        group.append(value)
        size += len(value)
        if size >= least:
            yield group
            group, size = [], 0
    if group:
        yield group
