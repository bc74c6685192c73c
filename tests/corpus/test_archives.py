"""Archives: all members are read, and damage ends the stream without losing what came before."""

from __future__ import annotations

import bz2
import gzip
from collections.abc import Callable
from pathlib import Path

import pytest

from plausibly.corpus._archives import open_file
from plausibly.errors import TableError

CONTENT = b"".join(f"line {number}\n".encode() for number in range(50_000))
PACK: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".bz2": bz2.compress}


@pytest.fixture(params=sorted(PACK))
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_members_follow_each_other(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"x{kind}"
    path.write_bytes(PACK[kind](CONTENT[:1000]) + PACK[kind](b"") + PACK[kind](CONTENT[1000:]))
    with open_file(path) as opened:
        assert opened.stream.read() == CONTENT
        assert opened.damage == ""
        assert opened.position() == path.stat().st_size


def test_a_truncated_archive_keeps_what_was_read_and_says_so(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"x{kind}"
    whole = PACK[kind](CONTENT[:200_000]) + PACK[kind](CONTENT[200_000:])
    path.write_bytes(whole[:-20])
    with open_file(path) as opened:
        read = opened.stream.read()
        assert CONTENT.startswith(read)
        assert len(read) >= 200_000
        assert opened.damage == "it ends in the middle"


def test_garbage_after_a_member_is_damage(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"x{kind}"
    path.write_bytes(PACK[kind](CONTENT) + b"garbage that is no member")
    with open_file(path) as opened:
        assert opened.stream.read() == CONTENT
        assert opened.damage != ""


def test_a_file_that_is_no_archive_is_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"x{kind}"
    path.write_bytes(b"plain text")
    with pytest.raises(TableError, match="not a"):
        open_file(path)


def test_an_empty_archive_holds_nothing(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"x{kind}"
    path.write_bytes(b"")
    with open_file(path) as opened:
        assert (opened.stream.read(), opened.damage) == (b"", "")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="no such file"):
        open_file(tmp_path / "absent.gz")
