"""Processes: one that dies costs the shards it and its siblings had begun, and is found out."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from plausibly.backends.processes import each_in_processes
from shards_inline import DieOnce


def test_only_shards_that_were_begun_count_as_run_again(tmp_path: Path) -> None:
    work = DieOnce(tmp_path / "log")
    outcomes = list(each_in_processes(work, range(6), workers=2))
    assert sorted(outcome.result for outcome in outcomes) == [0, 2, 4, 6, 8, 10]
    runs = Counter(int(number) for number in (tmp_path / "log").read_text().split())
    retried = {outcome.result // 2 for outcome in outcomes if outcome.attempt > 1}
    assert retried == {number for number, times in runs.items() if times > 1}
    assert len(retried) < 4
