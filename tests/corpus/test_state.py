"""State: a folder that is not ours stays as it is, and a full disk is one clear error."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plausibly.backends.duckdb import DuckdbEngine
from plausibly.corpus import Extraction, Request, Source, extract
from plausibly.errors import StudyError
from worlds.trees import DOG, GIRL, conllu

WRITTEN = ["counts.parquet", "manifest.json", "quarantine.jsonl", "svo.parquet"]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    (tmp_path / "a.conllu").write_bytes(conllu(DOG, GIRL))
    return tmp_path / "a.conllu"


@pytest.fixture
def engine() -> Iterator[DuckdbEngine]:
    running = DuckdbEngine(workers=1)
    yield running
    running.close()


def ran(corpus: Path, out: Path, engine: DuckdbEngine) -> Extraction:
    return extract([corpus], out, Request(Source("conllu")), engine=engine)


def contents(folder: Path) -> dict[str, bytes | None]:
    return {
        str(path.relative_to(folder)): path.read_bytes() if path.is_file() else None
        for path in folder.rglob("*")
    }


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        (".shards/notes.txt", "mine", "not what an unfinished extract leaves"),
        (".shards/lock", "held by another program", "not what an unfinished extract leaves"),
        (".shards/plan.json", '{"my": "plan"}', "not what an unfinished extract leaves"),
        (".shards/000000-00000000.parquet", "mine", "not what an unfinished extract leaves"),
        (".shards", "a file", "not what an unfinished extract leaves"),
        ("manifest.json", '{"steps": {}}', "not a manifest of extract"),
        ("manifest.json", "no JSON", "not a manifest of extract"),
        ("counts.parquet", "mine", "not written by extract"),
        ("quarantine.jsonl", "{}", "not written by extract"),
        ("counts.parquet/x", "mine", "a folder is in the way"),
        ("manifest.json/x", "mine", "a folder is in the way"),
    ],
)
def test_a_folder_that_is_not_ours_is_refused_and_left_alone(
    corpus: Path, tmp_path: Path, engine: DuckdbEngine, name: str, content: str, said: str
) -> None:
    foreign = tmp_path / "out" / name
    foreign.parent.mkdir(parents=True)
    foreign.write_text(content, encoding="utf-8")
    before = contents(tmp_path)
    with pytest.raises(StudyError, match=said):
        ran(corpus, tmp_path / "out", engine)
    assert contents(tmp_path) == before


def test_a_folder_is_used_beside_what_else_is_in_it_and_used_again(
    corpus: Path, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "notes.txt").write_text("mine")
    for _ in range(2):
        again = DuckdbEngine(workers=1)
        ran(corpus, tmp_path / "out", again)
        again.close()
    assert sorted(contents(tmp_path / "out")) == sorted([*WRITTEN, "notes.txt"])


def test_a_folder_a_person_made_is_never_removed(
    corpus: Path, tmp_path: Path, engine: DuckdbEngine
) -> None:
    corpus.write_bytes(b"broken\n" * 30)
    (tmp_path / "mine").mkdir()
    for name in ("mine", "ours"):
        with pytest.raises(ValueError, match="max_bad_share"):
            ran(corpus, tmp_path / name, engine)
    assert contents(tmp_path / "mine") == {}
    assert (tmp_path / "mine").is_dir()
    assert not (tmp_path / "ours").exists()


def test_a_file_put_among_our_shards_is_not_removed(corpus: Path, tmp_path: Path) -> None:
    class Stopping(DuckdbEngine):
        def register(self, name: str, files: object) -> None:
            del name, files
            raise KeyboardInterrupt

    stopping = Stopping(workers=1)
    with pytest.raises(KeyboardInterrupt):
        ran(corpus, tmp_path / "out", stopping)
    stopping.close()
    mine = tmp_path / "out" / ".shards" / "notes.txt"
    mine.write_text("mine")
    corpus.write_bytes(conllu(DOG))
    engine = DuckdbEngine(workers=1)
    done = ran(corpus, tmp_path / "out", engine)
    engine.close()
    assert done.manifest["shards"]["before"] == 0
    assert mine.read_text() == "mine"
    assert sorted(contents(tmp_path / "out")) == sorted([*WRITTEN, ".shards", ".shards/notes.txt"])


@pytest.mark.parametrize("left", [(), ("lock",), ("made", "lock"), ("lock", ".plan.json.9.tmp")])
def test_what_a_run_killed_before_it_had_a_plan_leaves_is_ours(
    corpus: Path, tmp_path: Path, engine: DuckdbEngine, left: tuple[str, ...]
) -> None:
    (tmp_path / "out" / ".shards").mkdir(parents=True)
    for name in left:
        (tmp_path / "out" / ".shards" / name).touch()
    ran(corpus, tmp_path / "out", engine)
    assert sorted(contents(tmp_path / "out")) == WRITTEN


def test_outputs_half_moved_by_a_killed_run_are_ours(
    corpus: Path, tmp_path: Path, engine: DuckdbEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = Path.replace

    def killed(self: Path, target: Path) -> Path:
        if target.name == "svo.parquet" and target.parent.name == "out":
            raise KeyboardInterrupt
        return replace(self, target)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", killed)
        with pytest.raises(KeyboardInterrupt):
            ran(corpus, tmp_path / "out", engine)
    assert sorted(contents(tmp_path / "out"))[-1] == "counts.parquet"
    again = DuckdbEngine(workers=1)
    assert ran(corpus, tmp_path / "out", again).manifest["shards"]["before"] == 1
    again.close()


CALL = """
import resource, sys
from pathlib import Path
from plausibly.cli import run

if __name__ == "__main__":
    most = int(sys.argv[3])
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))
    sys.exit(run(["extract", sys.argv[1], "-o", sys.argv[2], "--workers", sys.argv[4]]))
"""


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("most", [0, 100, 2000, 12_000])
def test_a_disk_without_room_is_one_clear_error(tmp_path: Path, most: int, workers: int) -> None:
    words = [f"w{n}/NOUN/2/nsubj run{n}/VERB/0/root" for n in range(3000)]
    (tmp_path / "a.conllu").write_bytes(conllu(*words))
    (tmp_path / "call.py").write_text(CALL, encoding="utf-8")
    out = tmp_path / "out"
    asked = [sys.executable, tmp_path / "call.py", tmp_path / "a.conllu", out, most, workers]
    done = subprocess.run(list(map(str, asked)), capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert re.search("cannot be written|too large for that disk", done.stderr)
    assert not (out / "counts.parquet").exists()


def test_a_folder_without_permission_is_named(
    corpus: Path, tmp_path: Path, engine: DuckdbEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out").mkdir()
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(StudyError, match="cannot be written into"):
        ran(corpus, tmp_path / "out", engine)


def test_shards_that_may_not_be_looked_into_are_named(
    corpus: Path, tmp_path: Path, engine: DuckdbEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "out" / ".shards").mkdir(parents=True)

    def denied(self: Path) -> Iterator[Path]:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "iterdir", denied)
    with pytest.raises(StudyError, match=r"Permission denied: .*\.shards"):
        ran(corpus, tmp_path / "out", engine)


def test_shards_that_cannot_be_locked_are_named(
    corpus: Path, tmp_path: Path, engine: DuckdbEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: Any = Path.open

    def denied(self: Path, *rest: Any, **options: Any) -> Any:
        if self.name == "lock":
            raise PermissionError(13, "Permission denied", str(self))
        return opened(self, *rest, **options)

    monkeypatch.setattr(Path, "open", denied)
    with pytest.raises(StudyError, match="Permission denied"):
        ran(corpus, tmp_path / "out", engine)
