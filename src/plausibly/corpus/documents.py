"""Documents: the contents of text sources, one by one, with the place each came from."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from html import unescape
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq

from plausibly.corpus._archives import DAMAGED, open_file
from plausibly.corpus._dump import BadPage, read_pages
from plausibly.corpus._lines import UTF_8, TextLines
from plausibly.corpus._report import ShardReport
from plausibly.errors import TableError, option

PASSAGE = 100_000
TITLE_WORDS = 4

_NAME = re.compile(r'\bid="([^"]*)"')
_TITLE = re.compile(r'\btitle="([^"]*)"')
_SENTENCE_END = re.compile(r"[.!?][\"')\]\N{RIGHT DOUBLE QUOTATION MARK}]*\s*\Z")
_HALF = re.compile(r"[\ud800-\udfff]")
_EMPTY = re.compile(r"\s*\([\s,;:-]*\)")
_EMPTY_BRACKETS = re.compile(r"\([\s,;:-]*\)")  # begins with a literal character, which is faster


class Document(NamedTuple):
    """One text; `line` is where it begins, 0 if it has no lines; `name` comes from the source.

    `about` holds the source's other fields, for filters; it is not kept.
    """

    file: str
    line: int
    name: str
    text: str
    about: Mapping[str, Any] = MappingProxyType({})


class Documents:
    """The documents of one file, in order; `position` is how many bytes of it have been read.

    Args:
        form: `text`, `wikiextractor`, `jsonl`, `parquet` or `dump`.
        file: The file.
        report: Records what cannot be read.
        column: Name of the column or key that holds the text, if there are any.
        about: Further columns of Parquet to read.
        encoding: The encoding of the text.
    """

    def __init__(
        self,
        form: str,
        file: Path,
        report: ShardReport,
        *,
        column: str = "text",
        about: Collection[str] = (),
        encoding: str = UTF_8,
    ) -> None:
        self.position = 0
        self._form, self._file, self._report, self._column = form, file, report, column
        self._about, self._encoding = about, encoding

    def __iter__(self) -> Iterator[Document]:
        if self._form == "parquet":
            yield from self._parquet()
            return
        with open_file(self._file) as opened:
            lines = TextLines(opened, self._report, self._encoding)
            for document in _READERS[self._form](lines, self._column):
                self.position = opened.position()
                yield document
            if opened.damage:
                self._report.damage[str(self._file)] = f"{DAMAGED} ({opened.damage})"
        self.position = self._file.stat().st_size

    def _parquet(self) -> Iterator[Document]:
        file, column = self._file, self._column
        try:
            rows = pq.ParquetFile(file)
        except (pa.ArrowInvalid, OSError) as error:
            raise TableError(f"{file}: not a Parquet file ({error}).") from error
        names = rows.schema_arrow.names
        for one, key in [(column, "column"), *((one, "documents") for one in self._about)]:
            if one not in names:
                raise TableError(
                    f"{file}: no column {one!r}. Columns found: {', '.join(names)}. "
                    f"Name one of them with {option(key)}."
                )
        number = 0
        wanted = [name for name in names if name in {column, "id", *self._about}]
        for batch in rows.iter_batches(batch_size=1024, columns=wanted):
            for record in batch.to_pylist():
                number += 1
                self._report.lines += 1
                if isinstance(record[column], str):
                    yield Document(str(file), number, _name(record), record[column], record)
                else:
                    self._report.reject_line(str(file), number, f"no text under {column!r}")
            self.position = file.stat().st_size * number // max(1, rows.metadata.num_rows)


def _text(source: TextLines, column: str) -> Iterator[Document]:
    """Yield passages: the text between blank lines, split if it is long."""
    del column
    file = source.file
    first, passage, size = 1, list[str](), 0
    for number, line in source:
        if line.strip():
            first = first if passage else number
            passage.append(line)
            size += len(line)
        long = size >= PASSAGE and (_SENTENCE_END.search(line) or size >= 2 * PASSAGE)
        if passage and (long or not line.strip()):
            yield from _passages(file, first, "\n".join(passage))
            passage, size = [], 0
    if passage:
        yield from _passages(file, first, "\n".join(passage))


def _passages(file: str, line: int, text: str) -> Iterator[Document]:
    """Yield a text; a very long one is split at blanks."""
    while len(text) > 2 * PASSAGE:
        blank = max(text.rfind(mark, 0, PASSAGE) for mark in (". ", " ", "\n"))
        end = blank + 1 if blank > 0 else PASSAGE
        yield Document(file, line, "", text[:end])
        text = text[end:]
    yield Document(file, line, "", text)


def _wikiextractor(source: TextLines, column: str) -> Iterator[Document]:
    """Yield the articles between <doc …> and </doc>, without titles; also an unfinished one."""
    del column
    file, report = source.file, source.report
    header: _Header | None = None
    lines: list[str] = []
    for number, line in source:
        if line.startswith("<doc "):
            if header is not None:
                yield header.document(file, lines)
                report.reject_line(file, header.line, "no </doc> before the next <doc …>")
            header, lines = _header(number, line), []
        elif line.startswith("</doc>") and header is not None:
            yield header.document(file, lines)
            header = None
        elif header is None and line.strip():
            report.reject_line(file, number, "outside <doc> and </doc>")
        else:
            lines.append(unescape(line))
    if header is not None:
        yield header.document(file, lines)
        report.damage[file] = "its last article has no </doc>"


class _Header(NamedTuple):
    """The first line of a WikiExtractor article."""

    line: int
    name: str
    title: str

    def document(self, file: str, lines: list[str]) -> Document:
        """Return the article."""
        about = {"title": self.title, "id": self.name}
        return Document(file, self.line, self.name, _without_titles(lines, self.title), about)


def _header(number: int, line: str) -> _Header:
    name, title = _NAME.search(line), _TITLE.search(line)
    return _Header(number, name[1] if name else "", unescape(title[1]) if title else "")


def _without_titles(lines: list[str], title: str) -> str:
    """Return the paragraphs of an article; a short line that ends in a full stop is a title."""
    kept = [line for line in (line.strip() for line in lines) if line and not _is_title(line)]
    if kept and title and kept[0] == title:
        del kept[0]
    return "\n\n".join(
        _EMPTY.sub("", line) if _EMPTY_BRACKETS.search(line) else line for line in kept
    )


def _is_title(line: str) -> bool:
    return line.endswith(".") and line.count(" ") < TITLE_WORDS


def _jsonl(source: TextLines, column: str) -> Iterator[Document]:
    file, report = source.file, source.report
    for number, line in source:
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            report.reject_line(file, number, f"not JSON ({error})")
            continue
        text = record.get(column) if isinstance(record, dict) else None
        if not isinstance(text, str) or _HALF.search(text):
            wrong = "half a surrogate pair" if isinstance(text, str) else "no text"
            report.reject_line(file, number, f"{wrong} under {column!r}")
            continue
        yield Document(file, number, _name(record), text, record)


def _name(record: Mapping[str, Any]) -> str:
    """Return the `id` of a row, empty if there is none."""
    name = record.get("id")
    return "" if name is None else str(name)


def _dump(source: TextLines, column: str) -> Iterator[Document]:
    del column
    file, report = source.file, source.report
    pages = read_pages(source.opened.stream)
    for page in pages:
        report.lines += 1
        if isinstance(page, BadPage):
            report.reject_line(file, 0, f"page {page.number}: {page.message}")
            continue
        about = {"title": page.title, "id": page.number}
        yield Document(file, 0, page.number, page.wikitext, about)
    if pages.damage:
        report.damage[file] = pages.damage


_READERS: dict[str, Callable[[TextLines, str], Iterator[Document]]] = {
    "text": _text,
    "wikiextractor": _wikiextractor,
    "jsonl": _jsonl,
    "dump": _dump,
}
