"""MediaWiki XML dumps to pages, read as they stream by."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

STEP = 1 << 20

_PAGE = b"<page>"
_END = b"</page>"
_TITLE = re.compile(rb"<title>([^<]*)</title>")
_SPACE = re.compile(rb"<ns>(-?[0-9]+)</ns>")
_ID = re.compile(rb"<id>([0-9]+)</id>")
_REDIRECT = re.compile(rb"\s*#\s*redirect\b", re.IGNORECASE)
_OTHER_SPACES = re.compile(
    rb"(?:Talk|User|Wikipedia|WP|Project|File|Image|Media|MediaWiki|Template|Help|Category|Portal"
    rb"|Book|Draft|TimedText|Module|Special)(?: talk)?:",
    re.IGNORECASE,
)


class Page(NamedTuple):
    """One article of a dump."""

    number: str
    title: str
    wikitext: str


class BadPage(NamedTuple):
    """A page that could not be read, and why."""

    number: str
    message: str


class Pages:
    """The articles of a dump, in order; redirects and pages of other kinds are passed over.

    The last revision of a page is read. A page the stream ends in is not; `damage` then says so,
    once the stream has been read, and stays empty otherwise.

    Args:
        stream: The dump, unpacked.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self.damage = ""
        self._stream = stream

    def __iter__(self) -> Iterator[Page | BadPage]:
        for raw in self._raw():
            page = _page(raw)
            if page is not None:
                yield page

    def _raw(self) -> Iterator[bytes]:
        """Yield what stands between <page> and </page>."""
        waiting = b""
        while more := self._stream.read(STEP):
            searched = max(0, len(waiting) - len(_END))
            waiting += more
            if waiting.find(_END, searched) < 0:
                continue
            *pages, waiting = waiting.split(_END)
            for page in pages:
                yield page.partition(_PAGE)[2]
        if _PAGE in waiting:
            self.damage = "it ends in the middle of a page"


def read_pages(stream: BinaryIO) -> Pages:
    """Return the articles of a dump, read as they are asked for."""
    return Pages(stream)


def _page(raw: bytes) -> Page | BadPage | None:
    title = _TITLE.search(raw)
    content = _content(raw)
    if title is None or content is None or not _is_article(raw, title.group(1)):
        return None
    number = _ID.search(raw)
    name = number.group(1).decode() if number else ""
    try:
        return Page(name, _plain(title.group(1)), _plain(content))
    except UnicodeDecodeError:
        return BadPage(name, "not UTF-8")


def _content(raw: bytes) -> bytes | None:
    """Return the text of the last revision, None for a redirect or a page without text."""
    end = raw.rfind(b"</text>")
    start = raw.rfind(b"<text", 0, end)
    start = raw.find(b">", start) + 1 if start >= 0 else 0
    if end < 0 or not start or raw.find(b"<redirect", 0, start) >= 0:
        return None
    return None if _REDIRECT.match(raw, start, end) else raw[start:end]


def _is_article(raw: bytes, title: bytes) -> bool:
    space = _SPACE.search(raw)
    return space.group(1) == b"0" if space else _OTHER_SPACES.match(title) is None


def _plain(raw: bytes) -> str:
    """Return XML text with its five entities resolved."""
    text = raw.decode()
    if "&" in text:
        for entity, character in (("lt", "<"), ("gt", ">"), ("quot", '"'), ("#039", "'")):
            text = text.replace(f"&{entity};", character)
        text = text.replace("&apos;", "'").replace("&amp;", "&")
    return text
