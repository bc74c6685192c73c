"""Staging: groups documents into shards, sampled and filtered on request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pyarrow.parquet as pq

from plausibly.corpus._lines import UTF_8, without_entities
from plausibly.corpus._names import common_folder
from plausibly.corpus._repair import ENTITY
from plausibly.corpus._report import ShardReport, report_of
from plausibly.corpus._sampling import draw
from plausibly.corpus._shards import Shard, key_of
from plausibly.corpus._wanted import wanted
from plausibly.corpus.documents import Document, Documents
from plausibly.corpus.wikitext import count_links, paragraphs
from plausibly.errors import StudyError, option
from plausibly.io import replacing
from plausibly.io.decoding import encoding_named
from plausibly.ports import SILENCE, Watch

CHARACTERS = 1 << 19
FINER = 8  # a sample is small: smaller shards keep all workers busy and the progress bar moving
SAMPLE = "sample.parquet"
ENCODED = ("text", "wikiextractor", "jsonl")
ESCAPED = ("text", "jsonl", "parquet")
_REPORT = b"plausibly.report"
_SCHEMA = pa.schema(
    [("file", pa.string()), ("line", pa.int64()), ("name", pa.string()), ("text", pa.string())]
)


@dataclass(frozen=True, slots=True)
class Source:
    """Where documents come from and which of them to use.

    Args:
        form: One of the text forms of `inputs.FORMS`.
        column: Column or key that holds the text, in Parquet and JSONL.
        articles: How many to draw; all by default.
        seed: The same seed draws the same documents.
        min_tokens: Documents with fewer tokens are left out (SP-10K, section 4: 100).
        min_links: Pages of a dump with fewer links are left out (SP-10K, section 4: 5).
        documents: What documents must be or not be, such as `title!=*novel*`.
        few: Whether `either` too few tokens or too few links exclude a page, or only `both`;
            SP-10K's sentence can be read either way.
        encoding: The encoding of the texts.
        entities: Whether to decode HTML entities in the texts.
    """

    form: str
    column: str = "text"
    articles: int | None = None
    seed: int = 1
    min_tokens: int = 0
    min_links: int = 0
    documents: tuple[str, ...] = ()
    few: Literal["either", "both"] = "either"
    encoding: str = UTF_8
    entities: bool = True

    def __post_init__(self) -> None:
        if self.articles is not None and self.articles < 1:
            raise StudyError(f"articles must be at least 1; got {self.articles}.")
        for name in ("min_tokens", "min_links"):
            if getattr(self, name) < 0:
                raise StudyError(f"{name} must be at least 0; got {getattr(self, name)}.")
        if self.min_links and self.form != "dump":
            raise StudyError(f"only a dump has links; {self.form} does not.")
        if encoding_named(self.encoding) != UTF_8 and self.form not in ENCODED:
            raise StudyError(
                f"{self.form} is always read in its standard encoding. {option('encoding')} is for "
                f"{', '.join(ENCODED)}.",
                parameter="encoding",
            )
        wanted(self.documents)

    @property
    def filters(self) -> bool:
        """Whether any document may be left out."""
        return bool(self.min_tokens or self.min_links)

    def text(self, document: Document) -> str:
        """Return the running text of a document."""
        if self.form == "dump":
            return "\n\n".join(paragraphs(document.text))
        return document.text

    def includes(self, document: Document) -> bool:
        """Return whether a document has enough tokens and links."""
        enough = []
        if self.min_links:
            enough.append(count_links(document.text) >= self.min_links)
        if self.min_tokens and (self.few == "both" or all(enough)):
            enough.append(len(self.text(document).split()) >= self.min_tokens)
        return any(enough) or not enough if self.few == "both" else all(enough)


class Staging:
    """Stages documents as shards of about half a million characters; yields the shards.

    Args:
        files: The files, in order.
        source: Their format and which documents to use.
        state: Folder for staged shards; a shard that already has a result is not staged again.
        watch: Receives how much has been read while a sample is drawn, and the total work.
    """

    def __init__(
        self,
        files: Sequence[Path],
        source: Source,
        state: Path,
        *,
        watch: Watch = SILENCE,
    ) -> None:
        self.report = ShardReport()
        self._files = files
        self._source = source
        self._state = state
        self._watch = watch
        self._read = 0
        self._reading: Documents | None = None

    def __iter__(self) -> Iterator[Shard]:
        sampled = self._source.articles is not None
        documents = self._sample() if sampled else self._documents()
        before = 0
        most = CHARACTERS // FINER if sampled else CHARACTERS
        for piece, group in enumerate(_groups(documents, most)):
            key = key_of(0, piece)
            now = before + sum(len(one.text) for one in group) if sampled else self._position()
            path = self._state / f"{key}.staged"
            shard = Shard(key, self._files[0], path, size=now - before)
            if not shard.result(self._state).exists():
                pq.write_table(_table(group), path, compression="lz4")
            yield shard
            before = now

    def _documents(self) -> Iterator[Document]:
        """Yield the documents of all files, counted; a file without any is noted."""
        report, source = self.report, self._source
        rules = wanted(source.documents)
        for file in self._files:
            about = [rule.field for rule in rules]
            self._reading = Documents(
                source.form,
                file,
                report,
                column=source.column,
                about=about,
                encoding=encoding_named(source.encoding),
            )
            bad, blank = report.bad_lines, True
            for document in self._reading:
                report.read += 1
                blank = blank and not document.text.strip()
                for rule in (one for one in rules if not one.knows(document)):
                    report.without[rule.field] = report.without.get(rule.field, 0) + 1
                if all(rule.holds(document) for rule in rules):
                    yield self._decoded(document)
                else:
                    report.left_out += 1
            if blank and report.bad_lines == bad:
                report.empty.append(str(file))
            self._read += file.stat().st_size
            self._reading = None

    def _decoded(self, document: Document) -> Document:
        """Return the kept part of a document, with HTML entities decoded on request."""
        text = document.text
        if self._source.entities and self._source.form in ESCAPED:
            text, entities = without_entities(text)
            if entities:
                before = self.report.repaired.get(ENTITY, 0)
                self.report.repaired[ENTITY] = before + entities
        return Document(*document[:3], text)

    def _position(self) -> int:
        return self._read + (self._reading.position if self._reading is not None else 0)

    def _watched(self) -> Iterator[Document]:
        before = 0
        for document in self._documents():
            yield document
            now = self._position()
            self._watch.advance(now - before)
            before = now

    def _sample(self) -> Iterator[Document]:
        """Yield the documents drawn; they are saved for a run that resumes."""
        kept = self._state / SAMPLE
        source = self._source
        if source.articles is not None and not kept.exists():
            drawn = draw(
                self._watched(),
                articles=source.articles,
                seed=source.seed,
                keep=source.includes if source.filters else None,
                folder=common_folder(self._files),
            )
            self.report.drawn = len(drawn)
            table = _table(drawn).replace_schema_metadata({_REPORT: self.report.dumped().encode()})
            with replacing(kept) as temporary:
                pq.write_table(table, temporary)
        self.report = report_of(pq.read_schema(kept).metadata[_REPORT])
        self._watch.begin("working", sum(len(document.text) for document in _rows(kept)))
        yield from _rows(kept)


def read_staged(shard: Shard) -> list[Document]:
    """Return the documents of a staged shard."""
    return list(_rows(shard.path))


def _groups(documents: Iterable[Document], most: int) -> Iterator[list[Document]]:
    group: list[Document] = []
    size = 0
    for document in documents:
        group.append(document)
        size += len(document.text)
        if size >= most:
            yield group
            group, size = [], 0
    if group:
        yield group


def _table(documents: Sequence[Document]) -> pa.Table:
    columns = list(zip(*(one[:4] for one in documents), strict=True)) or [()] * 4
    return pa.table([list(column) for column in columns], schema=_SCHEMA)


def _rows(path: Path) -> Iterator[Document]:
    with pq.ParquetFile(path) as staged:
        for batch in staged.iter_batches(batch_size=256):
            columns = [column.to_pylist() for column in batch.columns]
            yield from (Document(*row) for row in zip(*columns, strict=True))
