"""What every replicated number has, whichever paper prints it."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from plausibly.replications import REPLICATIONS, Verdict

pytestmark = pytest.mark.data


@pytest.mark.parametrize("name", list(REPLICATIONS))
def test_every_record_has_an_id_of_its_own_a_verdict_and_one_sentence(
    data_folder: Path, name: str
) -> None:
    records = REPLICATIONS[name](data_folder)
    assert len({record.id for record in records}) == len(records) > 0
    for record in records:
        assert record.id.startswith(f"{name}.")
        assert record.verdict in get_args(Verdict)
        assert record.rule
        assert record.note.endswith(".")
