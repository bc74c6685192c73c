"""Random histories of people who come, answer, leave and return, against a naive model."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from worlds.histories import random_study
from worlds.served import store_of
from worlds.walks import Walk, expire_all, joined_people


@pytest.mark.parametrize("seed", range(40))
def test_the_store_agrees_with_the_naive_model_after_every_step(tmp_path: Path, seed: int) -> None:
    draw = Random(seed)  # noqa: S311 - a history, not a secret
    served = random_study(draw)
    engine = store_of(tmp_path, served)
    with engine.begin() as connection:
        walk = Walk(connection, served, draw)
        walk.run(40)
        expire_all(walk)
        assert joined_people(connection) > 0
    engine.dispose()
