"""Documents: what each text source holds, and what is noted about what it does not."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from plausibly.corpus._report import ShardReport
from plausibly.corpus.documents import PASSAGE, Document, Documents
from plausibly.errors import TableError


def read(form: str, file: Path, column: str = "text") -> tuple[list[Document], ShardReport]:
    report = ShardReport()
    documents = Documents(form, file, report, column=column)
    return [one._replace(about={}) for one in documents], report


def test_a_text_is_passages_between_blank_lines(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("One\ntwo.\n\n \nThree.\n", encoding="utf-8")
    documents, report = read("text", path)
    assert [(one.line, one.text) for one in documents] == [(1, "One\ntwo."), (5, "Three.")]
    assert report.lines == 5


def test_a_text_without_blank_lines_is_cut_after_sentences(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    line = "Dogs bark at cats and cats bark not.\n"
    path.write_text(line * 9000, encoding="utf-8")
    documents, _ = read("text", path)
    assert len(documents) > 2
    assert all(len(one.text) < 1.1 * PASSAGE for one in documents)
    assert "\n".join(one.text for one in documents) + "\n" == line * 9000
    assert documents[1].line == documents[0].text.count("\n") + 2


@pytest.mark.parametrize("blank", [" ", ""])
def test_a_line_of_ten_megabytes_is_read_in_parts(tmp_path: Path, blank: str) -> None:
    path = tmp_path / "a.txt"
    content = f"dogs{blank}" * (10_000_000 // (4 + len(blank)))
    path.write_text(content, encoding="utf-8")
    documents, report = read("text", path)
    assert "".join(one.text for one in documents) == content
    assert max(len(one.text) for one in documents) <= 2 * PASSAGE
    assert (report.lines, report.bad) == (1, [])


def test_lines_that_are_not_utf_8_are_noted_and_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("Ein naïfer Hund.\nDogs bark.\n".encode("latin-1"))
    documents, report = read("text", path)
    assert [one.text for one in documents] == ["Dogs bark."]
    assert report.bad == [(str(path), 1, "not UTF-8")]


def test_a_broken_off_line_of_a_damaged_archive_is_no_bad_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl.gz"
    records = "".join(json.dumps({"text": f"{number} " * 50}) + "\n" for number in range(5000))
    path.write_bytes(gzip.compress(records.encode())[:-5000])
    documents, report = read("jsonl", path)
    assert len(documents) > 100
    assert report.bad == []
    assert report.damage == {str(path): "the archive is damaged (it ends in the middle)"}


def test_wikiextractor_articles_lose_their_titles(tmp_path: Path) -> None:
    path = tmp_path / "wiki_00"
    path.write_text(
        '<doc id="12" url="?curid=12" title="Tom &amp; Jerry">\nTom & Jerry\n\n'
        "Tom &amp; Jerry () are animals.\nEarly life.\nThey were born in a house by a lake.\n\n"
        '</doc>\n<doc id="13" url="x" title="Empty">\nEmpty\n\n\n</doc>\n',
        encoding="utf-8",
    )
    documents, report = read("wikiextractor", path)
    assert [(one.line, one.name) for one in documents] == [(1, "12"), (9, "13")]
    text = "Tom & Jerry are animals.\n\nThey were born in a house by a lake."
    assert [one.text for one in documents] == [text, ""]
    assert report.bad == []


@pytest.mark.parametrize("end", ["", "</doc", "\n\n"])
def test_an_article_that_is_not_ended_is_kept_and_said(tmp_path: Path, end: str) -> None:
    path = tmp_path / "wiki_00"
    article = '<doc id="{n}" title="A">\nA\n\nDogs bark at {n} cats now.\n'
    path.write_text(article.format(n=1) + "</doc>\n" + article.format(n=2) + end)
    documents, report = read("wikiextractor", path)
    assert [one.name for one in documents] == ["1", "2"]
    assert documents[1].text.startswith("Dogs bark at 2 cats now.")
    assert report.damage == {str(path): "its last article has no </doc>"}


def test_an_article_the_next_one_begins_in_is_kept_and_noted(tmp_path: Path) -> None:
    path = tmp_path / "wiki_00"
    article = '<doc id="{n}" title="A">\nA\n\nDogs bark at {n} cats now.\n'
    path.write_text(article.format(n=1) + article.format(n=2) + "</doc>\n")
    documents, report = read("wikiextractor", path)
    assert [one.text for one in documents] == [f"Dogs bark at {n} cats now." for n in (1, 2)]
    assert report.bad == [(str(path), 1, "no </doc> before the next <doc …>")]
    assert report.damage == {}


def test_a_dump_that_ends_in_a_page_keeps_the_others_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    page = "<page><title>A</title><ns>0</ns><id>{n}</id><text>Dogs bark.</text></page>"
    path.write_text("<mediawiki>" + page.format(n=1) + page.format(n=2)[:-9])
    documents, report = read("dump", path)
    assert [one.name for one in documents] == ["1"]
    assert list(report.damage) == [str(path)]


def test_text_outside_articles_is_noted(tmp_path: Path) -> None:
    path = tmp_path / "wiki_00"
    path.write_text('stray\n<doc id="1" title="A">\nA\n\nDogs bark at cats now.\n</doc>\n')
    documents, report = read("wikiextractor", path)
    assert len(documents) == 1
    assert report.bad == [(str(path), 1, "outside <doc> and </doc>")]


def test_jsonl_rows_without_text_are_noted_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    lines = ['{"id": 7, "body": "Dogs bark."}', "{broken", '{"body": 5}', "[]", "", '{"x": "y"}']
    lines += ['{"body": "half \\ud800 a character"}']
    path.write_text("\n".join(lines), encoding="utf-8")
    documents, report = read("jsonl", path, column="body")
    assert documents == [Document(str(path), 1, "7", "Dogs bark.")]
    assert [line for _, line, _ in report.bad] == [2, 3, 4, 6, 7]


def test_parquet_rows_are_read_from_the_column_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"id": ["a", "b"], "body": ["Dogs bark.", None]}), path)
    documents, report = read("parquet", path, column="body")
    assert documents == [Document(str(path), 1, "a", "Dogs bark.")]
    assert report.bad == [(str(path), 2, "no text under 'body'")]
    with pytest.raises(TableError, match=r"no column 'text'.*column="):
        read("parquet", path)


def test_a_row_whose_id_is_null_has_no_name(tmp_path: Path) -> None:
    rows = pa.table({"id": [None, "b"], "text": ["Dogs bark.", "Cats do not."]})
    pq.write_table(rows, tmp_path / "a.parquet")
    (tmp_path / "a.jsonl").write_text(
        '{"id": null, "text": "Dogs bark."}\n{"id": "b", "text": "x"}'
    )
    for form in ("parquet", "jsonl"):
        documents, _ = read(form, tmp_path / f"a.{form}")
        assert [one.name for one in documents] == ["", "b"]


def test_a_file_that_is_not_parquet_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(TableError, match="not a Parquet file"):
        read("parquet", path)


def test_a_row_nested_too_deeply_is_a_bad_line(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "Dogs bark."}\n' + "[" * 100_000 + "]" * 100_000 + "\n")
    documents, report = read("jsonl", path)
    assert [one.text for one in documents] == ["Dogs bark."]
    assert [line for _, line, _ in report.bad] == [2]
