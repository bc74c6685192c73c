"""Hostile calls end in one clear error: no traceback, nothing left behind, JSON whole."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

from fuzzing import SOUND, Case, cases, make_world, outcome

EACH = 75


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("world")
    make_world(folder)
    return folder


def test_every_call_is_sound_before_it_is_broken(world: Path, tmp_path: Path) -> None:
    """A call that failed for a reason of its own would hide what is broken about it."""
    for words in SOUND:
        plain = [word[1:] if word[0] in "@>" else word for word in words]
        verdict = outcome(Case("sound", tuple(plain)), world, tmp_path / "case")
        assert (verdict.code, verdict.fault) == (0, ""), " ".join(words)


@pytest.mark.parametrize("seed", range(4))
def test_hostile_calls_end_in_one_clear_error(world: Path, tmp_path: Path, seed: int) -> None:
    faults = [
        f"{case.what}: plausibly {' '.join(case.words)}\n{verdict.fault}"
        for case in islice(cases(seed), EACH)
        if (verdict := outcome(case, world, tmp_path / "case")).fault
    ]
    assert not faults, "\n".join(faults)
