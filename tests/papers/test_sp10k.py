"""SP-10K's published numbers from its published data."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from plausibly.replications import Record, replicate

pytestmark = pytest.mark.data


@cache
def replicated(folder: Path) -> dict[str, Record]:
    return {record.id: record for record in replicate("sp10k", data=folder).records}


@pytest.fixture
def records(data_folder: Path) -> dict[str, Record]:
    return replicated(data_folder)


def test_groups_have_the_sizes_the_lower_bounds_give(records: dict[str, Record]) -> None:
    names = ("perfect", "good", "normal", "unusual", "impossible")
    sizes = [records[f"sp10k.groups.all.{name}"].recomputed for name in names]
    assert sizes == [755, 2602, 2808, 2395, 1440]
    by_relation = records["sp10k.groups.nsubj_amod"].recomputed
    assert isinstance(by_relation, dict)
    assert list(by_relation.values()) == [42, 477, 890, 497, 94]


def test_the_vocabulary_is_larger_than_printed(records: dict[str, Record]) -> None:
    assert records["sp10k.vocabulary.verbs"].verdict == "exact"
    assert records["sp10k.vocabulary.nouns"].recomputed == 1715
    assert records["sp10k.vocabulary.adjectives"].recomputed == 832
    assert records["sp10k.vocabulary.words"].recomputed == 3047


def test_one_printed_score_was_changed(records: dict[str, Record]) -> None:
    examples = [
        record
        for name, record in records.items()
        if name.startswith("sp10k.examples.") and name.count(".") > 2
    ]
    assert len(examples) == 46
    changed = [record.id for record in examples if record.verdict != "exact"]
    assert changed == ["sp10k.examples.good.dobj_amod.see-new"]


def test_table_9_follows_from_the_scores(records: dict[str, Record]) -> None:
    for row in ("table9.sp10k", "winograd.all_annotated"):
        for column in ("correct", "wrong", "none", "a_p", "a_o"):
            assert records[f"sp10k.{row}.{column}"].verdict == "exact"
    assert records["sp10k.table9.sp10k.a_o"].recomputed == (13 + 0.5 * 59) / 72
    assert records["sp10k.winograd.all_annotated.by_label"].recomputed == [46, 8, 18]
    assert records["sp10k.winograd.all_annotated.by_pairs"].recomputed == [52, 16, 4]


def test_the_last_question_is_another_one(records: dict[str, Record]) -> None:
    assert records["sp10k.winograd.last_question"].recomputed == 283
    assert records["sp10k.winograd.last_question"].verdict == "erratum"
    assert records["sp10k.winograd.adjective_elsewhere"].recomputed == 19
