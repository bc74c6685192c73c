"""Dumps: articles are read, redirects and other pages passed over, damage survived."""

from __future__ import annotations

import bz2
import io
import re
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest

from plausibly.corpus._archives import open_file
from plausibly.corpus._dump import BadPage, Page, read_pages
from plausibly.corpus._report import ShardReport
from plausibly.corpus.documents import Documents
from plausibly.corpus.wikitext import count_links, paragraphs

PAGE = """  <page>
    <title>{title}</title>
    <ns>{space}</ns>
    <id>{number}</id>
    {redirect}<revision>
      <id>99</id>
      <text bytes="5" xml:space="preserve">{text}</text>
    </revision>
  </page>
"""


def page(number: int, text: str, *, title: str = "T", space: int = 0, redirect: str = "") -> str:
    return PAGE.format(number=number, text=text, title=title, space=space, redirect=redirect)


def read(*pages: str, head: str = "<mediawiki>\n", tail: str = "</mediawiki>") -> list[object]:
    return list(read_pages(io.BytesIO((head + "".join(pages) + tail).encode())))


def test_articles_are_read_with_their_own_number_and_entities_resolved() -> None:
    (found,) = read(page(7, "A &lt;b&gt; &amp;amp; &quot;c&quot;", title="Tom &amp; Jerry"))
    assert found == Page("7", "Tom & Jerry", 'A <b> &amp; "c"')


@pytest.mark.parametrize(
    "other",
    [
        page(1, "x", space=4),
        page(1, "x", redirect='<redirect title="Y" />'),
        page(1, "#REDIRECT [[Y]]"),
        page(1, "x", title="Category:Y").replace("<ns>0</ns>", ""),
        page(1, "x").replace("<text ", "<txt ").replace("</text>", "</txt>"),
    ],
)
def test_redirects_and_other_pages_are_passed_over(other: str) -> None:
    assert [one for one in read(other, page(2, "kept")) if isinstance(one, Page)] == [
        Page("2", "T", "kept")
    ]


def test_the_last_revision_is_the_one_that_counts() -> None:
    older = '<revision><text xml:space="preserve">old</text></revision>'
    assert read(page(3, "new", redirect=older)) == [Page("3", "T", "new")]


def test_pages_longer_than_a_read_are_read_whole() -> None:
    long = "word " * 700_000
    found = read(page(1, long), page(2, "b"))
    assert found == [Page("1", "T", long), Page("2", "T", "b")]


def test_a_page_the_dump_breaks_off_in_is_not_read() -> None:
    assert read(page(1, "a"), page(2, "b")[:-30], tail="") == [Page("1", "T", "a")]


@pytest.mark.parametrize("left_out", [2, 30, 90])
def test_a_dump_that_ends_in_a_page_is_said_to_and_keeps_the_pages_before(left_out: int) -> None:
    whole = "<mediawiki>\n" + page(1, "a") + page(2, "b").rstrip()
    pages = read_pages(io.BytesIO(whole[:-left_out].encode()))
    assert list(pages) == [Page("1", "T", "a")]
    assert pages.damage == "it ends in the middle of a page"


@pytest.mark.parametrize("tail", ["", "\n", "</mediawiki>", "</mediawi"])
def test_a_dump_that_ends_after_a_page_is_whole(tail: str) -> None:
    pages = read_pages(io.BytesIO((page(1, "a") + tail).encode()))
    assert len(list(pages)) == 1
    assert pages.damage == ""


def test_a_plain_dump_cut_inside_a_page_is_noted_as_damaged(tmp_path: Path) -> None:
    path = tmp_path / "dump.xml"
    path.write_text("<mediawiki>\n" + page(1, "a") + page(2, "b")[:-30])
    report = ShardReport()
    documents = list(Documents("dump", path, report, column="text"))
    assert [document.name for document in documents] == ["1"]
    assert report.damage == {str(path): "it ends in the middle of a page"}


def test_a_page_that_is_not_utf_8_is_said_to_be() -> None:
    content = page(5, "na\xefve").encode("latin-1") + page(6, "b").encode()
    assert list(read_pages(io.BytesIO(content))) == [
        BadPage("5", "not UTF-8"),
        Page("6", "T", "b"),
    ]


@pytest.fixture(scope="module")
def real_dump() -> Path:
    """Return the dump that comes with gensim as test data."""
    found = find_spec("gensim")
    if found is None or found.submodule_search_locations is None:
        pytest.skip("gensim is not installed: pip install 'plausibly[demo]'")
    folder = Path(found.submodule_search_locations[0]) / "test" / "test_data"
    return folder / "enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"


def test_a_real_dump_has_106_articles_of_running_text(real_dump: Path) -> None:
    with open_file(real_dump) as opened:
        pages = [one for one in read_pages(opened.stream) if isinstance(one, Page)]
    assert len(pages) == 106
    assert len({one.number for one in pages}) == 106
    texts = [paragraphs(one.wikitext) for one in pages]
    joined = "\n".join(line for text in texts for line in text)
    assert not any(mark in joined for mark in ("{{", "}}", "[[", "]]", "<ref", "'''", "|-"))
    assert re.search(r"\b(?:File|Image):|ISBN|thumb\||\(\s*[),;]|https?:|,,", joined) is None
    short = sum(len(line) < 60 for text in texts for line in text)
    assert short < 0.03 * sum(map(len, texts))
    assert sum(len(text) > 5 for text in texts) > 90
    assert count_links(pages[0].wikitext) > 100


def test_a_real_dump_cut_in_half_keeps_the_pages_before_the_cut(
    real_dump: Path, tmp_path: Path
) -> None:
    path = tmp_path / "dump.xml.bz2"
    packed = real_dump.read_bytes()
    path.write_bytes(packed[: len(packed) // 2])
    with open_file(path) as opened:
        kept = list(read_pages(opened.stream))
        assert opened.damage == "it ends in the middle"
    with open_file(real_dump) as opened:
        whole = list(read_pages(opened.stream))
    assert 10 < len(kept) < 106
    assert kept == whole[: len(kept)]


def test_a_multistream_dump_is_read_like_a_plain_one(real_dump: Path, tmp_path: Path) -> None:
    content = bz2.decompress(real_dump.read_bytes())
    cuts = [0, 1000, 1_000_000, 3_000_000, len(content)]
    streams = [content[start:end] for start, end in pairwise(cuts)]
    path = tmp_path / "multistream.xml.bz2"
    path.write_bytes(b"".join(bz2.compress(stream) for stream in streams))
    with open_file(path) as opened:
        found = list(read_pages(opened.stream))
        assert opened.damage == ""
    assert len(found) == 106
