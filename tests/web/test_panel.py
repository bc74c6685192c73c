"""A whole panel against the fake platform: places, codes, pay and verdicts add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import plausibly as pb
from plausibly.backends import prolific
from plausibly.ratings.collected import read_answers
from worlds.panel import Panel, panel_study, take_part
from worlds.paying import check_panel
from worlds.platform import TOKEN, FakePlatform, fake_platform

PEOPLE = {"careful": 22, "dropout": 4, "returned": 4, "late": 2, "screened": 3, "bot": 2}


@pytest.fixture
def platform(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakePlatform]:
    with fake_platform() as fake:
        monkeypatch.setenv("PROLIFIC_TOKEN", TOKEN)
        monkeypatch.setenv("PROLIFIC_URL", fake.address)
        monkeypatch.setattr(prolific, "LONGEST_WAIT", 0.0)
        yield fake


def test_places_codes_pay_and_verdicts_of_a_panel_add_up(
    tmp_path: Path, platform: FakePlatform
) -> None:
    panel = Panel(panel_study(tmp_path, places=80), platform)
    take_part(panel, PEOPLE)
    report = check_panel(panel, faults=0.4, most=25)
    assert report.faults >= 25
    assert report.paid_twice == 0
    assert report.unpaid == 0
    ratings = read_answers(panel.folder / "answers.sqlite", names={}).ratings
    assert max(Counter(ratings["item"].to_list()).values()) <= 10
    assert {panel.codes[name] for name, kind in panel.kinds.items() if kind == "bot"} == {""}
    screened = {panel.codes[name] for name, kind in panel.kinds.items() if kind == "screened"}
    assert screened <= {"SCREEN", "FULL"}
    assert pb.people_list(panel.folder).people["annotator"].n_unique() >= 25
