"""Processes: one that dies costs the shards it and its siblings had begun, and is found out."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from plausibly.backends.processes import each_in_processes
from worlds.shards import DieOnce


def test_only_shards_that_were_begun_count_as_run_again(tmp_path: Path) -> None:
    work = DieOnce(tmp_path / "log")
    outcomes = list(each_in_processes(work, range(6), workers=2))
    assert sorted(outcome.result for outcome in outcomes) == [0, 2, 4, 6, 8, 10]
    runs = Counter(int(number) for number in (tmp_path / "log").read_text().split())
    retried = {outcome.result // 2 for outcome in outcomes if outcome.attempt > 1}
    assert retried == {number for number, times in runs.items() if times > 1}
    assert len(retried) < 4


SLEEPING = """
import sys
from pathlib import Path
import pytest

from plausibly.backends.processes import each_in_processes
from worlds.shards import Sleep

try:
    list(each_in_processes(Sleep(Path(sys.argv[1]), 60), range(9), workers=int(sys.argv[2])))
except KeyboardInterrupt:
    sys.exit(130)
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupt_ends_the_work_at_once(tmp_path: Path, workers: int) -> None:
    asleep = tmp_path / "asleep"
    process = subprocess.Popen(
        [sys.executable, "-c", SLEEPING, str(asleep), str(workers)],
        cwd=Path(__file__).parents[1],
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    while not asleep.exists():
        time.sleep(0.05)
    pressed = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    _, talk = process.communicate(timeout=30)
    assert process.returncode == 130
    assert time.monotonic() - pressed < 20
    assert talk == b""


def test_a_script_without_a_guard_is_not_run_again_by_its_workers(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from plausibly.backends.processes import each_in_processes\n"
        "print('once', flush=True)\n"
        "done = each_in_processes(abs, [-1, -2, -3], workers=2)\n"
        "print(sorted(one.result for one in done))\n"
    )
    ran = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split("\n")[:2] == ["once", "[1, 2, 3]"]
