"""What `check adept` finds in the released pairs."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from plausibly.stimuli.adept.check import PairReport, check_files

pytestmark = pytest.mark.data


@cache
def checked(folder: Path) -> PairReport:
    return check_files([folder / "adept" / f"{split}.json" for split in ("train", "val")])


def test_all_but_seven_pairs_follow_the_rule(data_folder: Path) -> None:
    report = checked(data_folder)
    assert (report.pairs, report.exact, len(report.exceptions)) == (14_503, 14_496, 7)
    assert {7911, 7945} <= set(report.exceptions)


def test_the_splits_share_pairs_sentences_and_nouns(data_folder: Path) -> None:
    report = checked(data_folder)
    assert report.shared == {"val.json in train.json": {"sentences": 201, "nouns": 1475}}
    assert len(report.duplicates) == 11
    assert set(report.cross_split) < set(report.duplicates)
    assert len(report.cross_split) == 4


def test_the_known_irregularities_are_found(data_folder: Path) -> None:
    kinds = Counter(problem.kind for problem in checked(data_folder).problems)
    assert kinds["broken_verb"] == 6
    assert kinds["noun_number"] == 3
    inside = {p.idx for p in checked(data_folder).problems if p.kind == "noun_inside_word"}
    assert inside == {1611, 5269, 7419, 7779, 13077}
