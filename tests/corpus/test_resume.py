"""Resuming: a process killed half way leaves what it finished, and the same call goes on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

import pytest

from plausibly.backends.duckdb import DuckdbEngine
from plausibly.corpus import Request, Source, _staging, extract
from plausibly.io import read_table
from plausibly.ports import Sentence
from plausibly.tables import SVO
from worlds.trees import DOG, GIRL, LineParser

CALL = """
import sys
from pathlib import Path
from plausibly.backends.duckdb import DuckdbEngine
from plausibly.corpus import Request, Source, extract, _staging
from worlds.trees import LineParser

if __name__ == "__main__":
    _staging.CHARACTERS = 1
    folder = Path(sys.argv[1])
    engine = DuckdbEngine(workers=2)
    parser = LineParser(folder / "log", pause=float(sys.argv[2]))
    request = Request(Source("text"))
    extract([folder / "a.txt"], folder / "out", request, engine=engine, parser=parser)
"""


def start(folder: Path, pause: float) -> subprocess.Popen[bytes]:
    script = folder / "call.py"
    script.write_text(CALL, encoding="utf-8")
    path = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "PYTHONPATH": path}
    return subprocess.Popen(
        [sys.executable, script, folder, str(pause)], env=environment, start_new_session=True
    )


def children(process: int) -> list[int]:
    listed = Path(f"/proc/{process}/task/{process}/children").read_text()
    return [int(child) for child in listed.split()]


def finished(folder: Path) -> list[str]:
    return sorted(path.name for path in (folder / "out" / ".shards").glob("*.parquet"))


def until(condition: Callable[[], bool], seconds: float = 120) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_killed_run_goes_on_and_ends_as_if_it_had_not_been(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.txt").write_text("\n\n".join([DOG, GIRL] * 20), encoding="utf-8")
    running = start(tmp_path, pause=0.3)
    until(lambda: len(finished(tmp_path)) >= 6)
    orphans = children(running.pid)
    os.kill(running.pid, signal.SIGKILL)
    running.wait()
    until(lambda: not any(Path(f"/proc/{orphan}/fd").exists() for orphan in orphans))
    before, parsed = finished(tmp_path), len((tmp_path / "log").read_text().splitlines())
    assert 6 <= len(before) < 40
    assert not (tmp_path / "out" / "counts.parquet").exists()

    assert start(tmp_path, pause=0).wait() == 0
    again = len((tmp_path / "log").read_text().splitlines()) - parsed
    assert again == 40 - len(before)
    monkeypatch.setattr(_staging, "CHARACTERS", 1)
    engine, request = DuckdbEngine(workers=1), Request(Source("text"))
    extract([tmp_path / "a.txt"], tmp_path / "whole", request, engine=engine, parser=LineParser())
    engine.close()
    for name in ("counts.parquet", "svo.parquet", "quarantine.jsonl"):
        written = (tmp_path / "out" / name).read_bytes()
        assert written == (tmp_path / "whole" / name).read_bytes()
    assert not (tmp_path / "out" / ".shards").exists()


class Interrupted(LineParser):
    """Behaves like Ctrl-C, or kill -9 for all that is left on disk."""

    def parse(self, texts: Iterable[str]) -> Iterator[list[Sentence]]:
        """Yield nothing."""
        del texts
        raise KeyboardInterrupt


@pytest.mark.parametrize("times", [1, 2, 4, 9])
def test_however_often_a_whole_run_is_ended_no_document_is_to_blame(
    tmp_path: Path, times: int
) -> None:
    (tmp_path / "a.txt").write_text("\n\n".join([DOG, GIRL]), encoding="utf-8")
    files, request = [tmp_path / "a.txt"], Request(Source("text"))
    for _ in range(times):
        running = DuckdbEngine(workers=1)
        with pytest.raises(KeyboardInterrupt):
            extract(files, tmp_path / "out", request, engine=running, parser=Interrupted())
    engine = DuckdbEngine(workers=1)
    done = extract(files, tmp_path / "out", request, engine=engine, parser=LineParser())
    engine.close()
    assert done.manifest["quarantined"] == 0
    assert done.manifest["statistics"]["documents"] == 2


def _has_grown(log: Path, size: int) -> bool:
    return log.stat().st_size > size


def test_five_kills_of_the_whole_group_over_one_shard_leave_the_result_equal(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.txt").write_text(DOG, encoding="utf-8")
    log = tmp_path / "log"
    log.touch()
    for _ in range(5):
        begun = log.stat().st_size
        running = start(tmp_path, pause=60)
        until(partial(_has_grown, log, begun))
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
    assert start(tmp_path, pause=0).wait() == 0
    assert (tmp_path / "out" / "quarantine.jsonl").read_text() == ""
    assert read_table(tmp_path / "out" / "svo.parquet", SVO).height == 1


class Dying(LineParser):
    """Dies while its model is loaded, until the file it is given is there."""

    def parse(self, texts: Iterable[str]) -> Iterator[list[Sentence]]:
        """Yield the sentences of each text."""
        marks = Path(str(self.log))
        with marks.open("a") as log:
            log.write("x")
        if marks.stat().st_size < 5:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().parse(texts)


def test_a_process_that_ends_while_the_model_is_loaded_blames_no_document(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.txt").write_text(DOG, encoding="utf-8")
    engine, request = DuckdbEngine(workers=2), Request(Source("text"))
    parser = Dying(tmp_path / "log")
    done = extract([tmp_path / "a.txt"], tmp_path / "out", request, engine=engine, parser=parser)
    engine.close()
    assert done.manifest["quarantined"] == 0
    assert done.manifest["shards"]["retried"]
