"""TRIP's tiers on story pairs, recomputed from the predictions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plausibly.datasets.gita.trip import read_pairs
from plausibly.errors import TableError
from plausibly.evaluation.gita_trip import TripCounts, score_pairs

Cells = dict[str, object]


def pair(**changed: object) -> Cells:
    """Return a verifiable pair whose stored flags are wrong."""
    cells: Cells = {
        "example_id": "0-O0",
        "story_label": 1,
        "story_pred": 1,
        "conflict_label": [1, 3],
        "conflict_pred": [3, 1],
        "consistent": False,
        "valid_explanation": False,
        "preconditions_label": {"box": {"3": {"open": 2, "power": 1}}},
        "preconditions_pred": {"box": {"0": {"open": 1}, "3": {"open": 2}}},
        "effects_label": {"box": {"1": {"wet": 2}}},
        "effects_pred": {"box": {"1": {}, "3": {"open": 1}}},
    }
    return cells | changed


def counted(folder: Path, *pairs: Cells) -> TripCounts:
    path = folder / "pairs.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in pairs))
    return score_pairs(read_pairs(path))


def test_stored_flags_are_not_believed(tmp_path: Path) -> None:
    assert counted(tmp_path, pair()) == TripCounts(1, 1, 1, 1)


def test_the_wrong_story_reaches_no_tier(tmp_path: Path) -> None:
    wrong = pair(story_pred=0, consistent=True, valid_explanation=True)
    assert counted(tmp_path, wrong) == TripCounts(1, 0, 0, 0)


@pytest.mark.parametrize("named", [[], [1], [1, 2], [1, 2, 3]])
def test_the_conflict_must_be_the_right_set(tmp_path: Path, named: list[int]) -> None:
    assert counted(tmp_path, pair(conflict_pred=named)) == TripCounts(1, 1, 0, 0)


@pytest.mark.parametrize(
    "changed",
    [
        {"preconditions_pred": {}},
        {"preconditions_pred": {"box": {"3": {"open": 1}}}},
        {"preconditions_pred": {"box": {"3": {"open": 2, "wet": 2}}}},
        {"effects_pred": {"box": {"1": {"wet": 1}}}},
        {"effects_pred": {"lid": {"1": {"wet": 2}}}},
    ],
    ids=["nothing predicted", "wrong value", "spurious state", "wrong effect", "other entity"],
)
def test_states_at_the_conflict_must_be_there_and_right(tmp_path: Path, changed: Cells) -> None:
    assert counted(tmp_path, pair(**changed)) == TripCounts(1, 1, 1, 0)


def test_defaults_are_no_states(tmp_path: Path) -> None:
    only_defaults = pair(preconditions_pred={"box": {"3": {"exist": 2, "open": 0}}})
    also = pair(
        preconditions_pred={"box": {"3": {"exist": 2, "open": 2}}},
        effects_pred={"box": {"1": {"wet": 0}}},
    )
    assert counted(tmp_path, only_defaults, also) == TripCounts(2, 2, 2, 1)


def test_states_elsewhere_do_not_matter(tmp_path: Path) -> None:
    elsewhere = pair(effects_pred={"box": {"0": {"wet": 1}, "3": {"clean": 1}}})
    assert counted(tmp_path, elsewhere) == TripCounts(1, 1, 1, 1)


def test_lines_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    bad = [
        pair(story_pred=None),
        pair(conflict_pred="1 and 3"),
        pair(effects_pred={"box": {"1": {"wet": "yes"}}}),
    ]
    path.write_text("".join(json.dumps(one) + "\n" for one in [pair(), *bad]))
    with pytest.raises(TableError) as error:
        read_pairs(path)
    assert str(error.value).splitlines()[:3] == [
        f"{path}:2: story_pred is not a whole number",
        f"{path}:3: conflict_pred is not a list of sentence numbers",
        f"{path}:4: effects_pred is not entity, sentence, attribute and whole number",
    ]


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "pairs.jsonl"
    path.write_text('{"story_label": 1}\n')
    with pytest.raises(TableError, match="no field 'story_pred'"):
        read_pairs(path)
    path.write_text("")
    with pytest.raises(TableError, match="no pairs"):
        read_pairs(path)
