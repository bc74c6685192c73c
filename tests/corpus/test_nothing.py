"""Nothing to read: one clear error, or a note where other inputs had something in them."""

from __future__ import annotations

import bz2
import gzip
import io
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from plausibly.backends.duckdb import DuckdbEngine
from plausibly.corpus import Request, Source, _shards, extract
from plausibly.errors import TableError
from worlds.trees import DOG, GIRL, LineParser, conllu


@pytest.fixture
def engine() -> Iterator[DuckdbEngine]:
    running = DuckdbEngine(workers=1)
    yield running
    running.close()


def no_rows() -> bytes:
    target = io.BytesIO()
    pq.write_table(pa.table({"text": pa.array([], pa.string())}), target)
    return target.getvalue()


NOTHING = [
    ("conllu", "a.conllu", b""),
    ("conllu", "a.conllu", b"\n\n\n"),
    ("conllu", "a.conllu", b"# only a comment\n"),
    ("conllu", "a.conllu", b"\xef\xbb\xbf"),
    ("conllu", "a.conllu.gz", b""),
    ("conllu", "a.conllu.gz", gzip.compress(b"", mtime=0)),
    ("conllu", "a.conllu.bz2", bz2.compress(b"\n")),
    ("depcc", "a.depcc", b"# nothing\n\n"),
    ("text", "a.txt", b""),
    ("text", "a.txt", b" \n\n"),
    ("wikiextractor", "a", b"\n"),
    ("wikiextractor", "a", b'<doc id="1" title="A">\nA\n\n</doc>\n'),
    ("jsonl", "a.jsonl", b"\n\n"),
    ("jsonl", "a.jsonl", b'{"text": " "}\n'),
    ("parquet", "a.parquet", no_rows()),
    ("dump", "a.xml", b""),
    ("dump", "a.txt", b"Dogs bark.\n"),
    ("dump", "a.conllu", conllu(DOG)),
    ("dump", "a.xml", b"<mediawiki><page><title>A</title><ns>1</ns><text>x</text></page>"),
]


@pytest.mark.parametrize(("form", "name", "content"), NOTHING)
def test_a_file_with_nothing_in_it_is_refused(
    tmp_path: Path, engine: DuckdbEngine, form: str, name: str, content: bytes
) -> None:
    (tmp_path / name).write_bytes(content)
    request = Request(Source(form))
    with pytest.raises(TableError, match=rf"{name}: no .* in it\. Look at .*format="):
        extract([tmp_path / name], tmp_path / "out", request, engine=engine, parser=LineParser())
    assert not (tmp_path / "out").exists()


def test_of_several_files_with_nothing_the_first_is_named(
    tmp_path: Path, engine: DuckdbEngine
) -> None:
    files = [tmp_path / f"{n}.conllu" for n in range(3)]
    for file in files:
        file.write_bytes(b"\n")
    with pytest.raises(TableError, match=r"0\.conllu: no sentence in CoNLL-U in it nor in 2 more"):
        extract(files, tmp_path / "out", Request(Source("conllu")), engine=engine)


@pytest.mark.parametrize(
    ("form", "empty", "full"),
    [
        ("conllu", b"", conllu(DOG, GIRL)),
        ("text", b" \n", f"{DOG}\n\n{GIRL}\n".encode()),
        ("jsonl", b"\n", f'{{"text": "{DOG}"}}\n'.encode()),
    ],
)
def test_beside_a_file_with_content_it_is_a_note(
    tmp_path: Path, engine: DuckdbEngine, form: str, empty: bytes, full: bytes
) -> None:
    (tmp_path / "empty").write_bytes(empty)
    (tmp_path / "full").write_bytes(full)
    files = [tmp_path / "empty", tmp_path / "full"]
    request = Request(Source(form))
    done = extract(files, tmp_path / "out", request, engine=engine, parser=LineParser())
    assert done.manifest["empty"] == [str(tmp_path / "empty")]
    assert any(note.startswith(f"{tmp_path / 'empty'}: no ") for note in done.notes)
    assert done.manifest["statistics"]["sentences"] > 0


def test_many_archives_with_nothing_in_them_are_refused_too(
    tmp_path: Path, engine: DuckdbEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_shards, "MANY_ARCHIVES", 2)
    files = [tmp_path / f"{n}.conllu.gz" for n in range(2)]
    for file in files:
        file.write_bytes(gzip.compress(b"\n", mtime=0))
    with pytest.raises(TableError, match="no sentence in CoNLL-U in it"):
        extract(files, tmp_path / "out", Request(Source("conllu")), engine=engine)


def test_documents_that_filters_leave_out_are_something(
    tmp_path: Path, engine: DuckdbEngine
) -> None:
    (tmp_path / "a.txt").write_text(DOG, encoding="utf-8")
    request = Request(Source("text", min_tokens=100))
    files = [tmp_path / "a.txt"]
    done = extract(files, tmp_path / "out", request, engine=engine, parser=LineParser())
    assert done.manifest["left_out"] == 1
    assert done.manifest["statistics"]["svo"]["negated"]["value"] is None
    assert "no sentence was found, so the tables are empty." in done.notes


def test_fewer_documents_than_asked_for_are_said(tmp_path: Path, engine: DuckdbEngine) -> None:
    (tmp_path / "a.txt").write_text("\n\n".join([DOG, GIRL, DOG]), encoding="utf-8")
    files = [tmp_path / "a.txt"]
    for asked, drawn in ((500, 3), (2, 2)):
        request = Request(Source("text", articles=asked))
        engine = DuckdbEngine(workers=1)
        done = extract(files, tmp_path / "out", request, engine=engine, parser=LineParser())
        engine.close()
        assert done.manifest["documents"] == {"read": 3, "drawn": drawn}
        said = f"3 documents were drawn, not {asked}: there are no more."
        assert (said in done.notes) == (asked == 500)
