"""The audit of a study whose people are simulated."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import plausibly as pb


def test_simulated_people_who_take_care_support_a_ranking(done: Callable[[str], Path]) -> None:
    document = pb.audit(done("sp10k")).as_json()
    verdicts = {one["for"]: one["verdict"] for one in document["verdicts"]}
    assert verdicts["ranking"] == "yes"
    assert verdicts["model comparison"] == "no"  # sixty items are few
    assert verdicts["comparability"] == "with care"  # three surveys, nobody in two of them
    assert not [one for one in document["findings"] if one["severity"] == "serious"]
    assert "The people of this study are simulated." in document["sections"]["source"]["notes"]
