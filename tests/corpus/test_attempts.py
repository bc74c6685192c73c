"""Attempts: two as if nothing were wrong, then one document at a time to find the culprit."""

from __future__ import annotations

from pathlib import Path

import pytest

from plausibly.corpus._work import read_attempts


@pytest.mark.parametrize(
    ("trail", "careful", "deadly"),
    [
        ("", False, set()),
        ("begin", False, set()),
        ("begin begin", True, set()),
        ("begin begin begin 0 1 2", True, set()),
        ("begin begin begin 0 1 2 begin 0 1 2", True, {2}),
        ("begin begin begin 0 1 2 begin 0 1 2 begin 0 1 3 4 begin 0 1 3 4", True, {2, 4}),
        ("begin begin begin 0 1 2 begin 0 1 2 3", True, set()),
    ],
)
def test_the_last_document_of_an_attempt_is_the_deadly_one(
    tmp_path: Path, trail: str, careful: bool, deadly: set[int]
) -> None:
    path = tmp_path / "x.trail"
    if trail:
        path.write_text("\n".join(trail.split()) + "\n", encoding="utf-8")
    attempts = read_attempts(path)
    assert (attempts.careful, set(attempts.deadly)) == (careful, deadly)


def test_what_is_noted_is_read_back_and_a_finished_shard_leaves_no_trail(tmp_path: Path) -> None:
    attempts = read_attempts(tmp_path / "x.trail")
    for _ in range(2):
        attempts.begin()
        attempts.note(7)
    assert set(read_attempts(tmp_path / "x.trail").deadly) == {7}
    attempts.end()
    assert read_attempts(tmp_path / "x.trail").begun == 0
