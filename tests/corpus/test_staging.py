"""Staging: documents are filtered, drawn and put together into shards."""

from __future__ import annotations

from pathlib import Path

import pytest

from plausibly.corpus import _staging
from plausibly.corpus._sampling import draw
from plausibly.corpus._staging import Source, Staging, read_staged
from plausibly.corpus.documents import Document

PAGE = (
    "  <page><title>T{n}</title><ns>0</ns><id>{n}</id><revision>"
    '<text xml:space="preserve">{text}</text></revision></page>\n'
)


@pytest.fixture
def dump(tmp_path: Path) -> Path:
    """Return a dump whose page n has n words and n links."""
    pages = "".join(PAGE.format(n=n, text=" ".join([f"[[w{n}]]"] * n)) for n in range(1, 11))
    path = tmp_path / "dump.xml"
    path.write_text(f"<mediawiki>{pages}</mediawiki>", encoding="utf-8")
    return path


def staged(files: list[Path], source: Source, state: Path) -> list[list[Document]]:
    return [read_staged(shard) for shard in Staging(files, source, state)]


def test_shards_hold_documents_in_order_and_lose_none(
    dump: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_staging, "CHARACTERS", 100)
    shards = staged([dump], Source("dump"), tmp_path)
    assert len(shards) > 2
    assert [int(one.name) for shard in shards for one in shard] == list(range(1, 11))


def test_pages_with_few_tokens_or_few_links_are_not_wanted(dump: Path, tmp_path: Path) -> None:
    ((*documents,),) = staged([dump], Source("dump"), tmp_path)
    for source in (Source("dump", min_tokens=6), Source("dump", min_links=6)):
        assert [int(one.name) for one in documents if source.includes(one)] == [6, 7, 8, 9, 10]


def test_pages_that_lack_both_alone_can_be_left_out(dump: Path, tmp_path: Path) -> None:
    ((*documents,),) = staged([dump], Source("dump"), tmp_path)
    for tokens, links in ((9, 6), (6, 9)):
        source = Source("dump", min_tokens=tokens, min_links=links, few="both")
        assert [int(one.name) for one in documents if source.includes(one)] == [6, 7, 8, 9, 10]
        either = Source("dump", min_tokens=tokens, min_links=links)
        assert [int(one.name) for one in documents if either.includes(one)] == [9, 10]
    assert all(Source("dump", few="both").includes(one) for one in documents)
    alone = Source("dump", min_links=6, few="both")
    assert [int(one.name) for one in documents if alone.includes(one)] == [6, 7, 8, 9, 10]


def test_a_sample_is_drawn_from_wanted_pages_only_and_kept(dump: Path, tmp_path: Path) -> None:
    source = Source("dump", articles=3, seed=4, min_tokens=6)
    (drawn,) = staged([dump], source, tmp_path)
    assert {int(one.name) for one in drawn} < {6, 7, 8, 9, 10}
    assert len(drawn) == 3
    assert [one.name for one in drawn] == sorted((one.name for one in drawn), key=int)
    dump.unlink()
    (again,) = staged([dump], source, tmp_path)
    assert again == drawn


def test_documents_without_a_name_go_by_their_place() -> None:
    documents = [Document("a", line, "", "x") for line in range(1, 50)]
    first = draw(documents, articles=5, seed=1)
    assert len({one.line for one in first}) == 5
    assert first == draw(documents, articles=5, seed=1)
    assert first != draw(documents, articles=5, seed=2)


def test_what_is_done_is_not_staged_again(dump: Path, tmp_path: Path) -> None:
    (shard,) = Staging([dump], Source("dump"), tmp_path)
    shard.path.unlink()
    shard.result(tmp_path).write_bytes(b"done")
    (again,) = Staging([dump], Source("dump"), tmp_path)
    assert again == shard
    assert not shard.path.exists()


def test_the_sizes_of_shards_add_up_to_the_input(
    dump: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_staging, "CHARACTERS", 100)
    other = tmp_path / "other.xml"
    other.write_bytes(dump.read_bytes())
    shards = list(Staging([dump, other], Source("dump"), tmp_path))
    assert sum(shard.size for shard in shards) <= 2 * dump.stat().st_size
    assert sum(shard.size for shard in shards) > dump.stat().st_size
