"""How the server starts and ends: what is wrong is said once, before anyone is invited."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import time
from pathlib import Path

import pytest

from plausibly.cli import run
from plausibly.errors import StudyError
from plausibly.web.running import listen
from serving import Server
from worlds.served import items_of, study_folder

INVITED = "People answer at"


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return study_folder(tmp_path / "s", items_of(2), {})


@pytest.mark.parametrize("workers", ["1", "2"])
@pytest.mark.parametrize("file", ["answers.key", "answers.sqlite"])
def test_nobody_is_invited_before_database_and_key_are_right(
    study: Path, file: str, workers: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (study / file).write_bytes(b"neither a key nor a database" * 50)
    assert run(["serve", str(study), "--port", "0", "--workers", workers]) == 1
    said = capsys.readouterr().err
    assert str(study / file) in said
    assert INVITED not in said
    assert "Traceback" not in said


def test_nobody_is_invited_before_the_items_are_right(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = Server(study)
    server.start()
    server.stop()
    with sqlite3.connect(study / "answers.sqlite") as connection:
        connection.execute("DROP TRIGGER items_count")
        connection.execute("UPDATE items SET taken = 11, exact = 0")
    connection.close()
    assert run(["serve", str(study), "--port", "0"]) == 1
    said = capsys.readouterr().err
    assert "11 ratings already" in said
    assert INVITED not in said


def test_a_host_that_is_not_there_is_not_taken_for_a_port(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study_folder(study, items_of(2), {"server": {"public_url": "https://study.example.org"}})
    assert run(["serve", str(study), "--port", "0", "--host", "nosuch.invalid"]) == 1
    said = capsys.readouterr().err
    assert "Pass another --host" in said
    assert "--port" not in said


@pytest.mark.parametrize("host", ["192.0.2.1", "..", "x" * 70])
def test_a_host_that_is_not_ours_is_said(host: str) -> None:
    with pytest.raises(StudyError, match="Pass another host="):
        listen(host, 0)


def test_a_port_that_is_taken_is_said() -> None:
    with listen("127.0.0.1", 0) as taken:
        taken.listen()
        with pytest.raises(StudyError, match="Pass another port="):
            listen("127.0.0.1", taken.getsockname()[1])


def children(pid: int) -> set[int]:
    """Return the processes a process started."""
    found = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = re.sub(r"\(.*\)", "x", stat.read_text(encoding="ascii")).split()
        except OSError:
            continue
        if int(fields[3]) == pid and fields[2] != "Z":
            found.add(int(fields[0]))
    return found


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_workers_end_with_the_process_that_started_them(study: Path) -> None:
    server = Server(study, "--workers", "2")
    server.start()
    workers = children(server.pid)
    assert len(workers) >= 2
    server.kill(workers=False)
    until = time.monotonic() + 20
    while any(alive(pid) for pid in workers) and time.monotonic() < until:
        time.sleep(0.1)
    left = [pid for pid in workers if alive(pid)]
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    assert not left
