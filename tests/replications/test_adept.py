"""`replicate adept` over data folders made here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plausibly.errors import StudyError
from plausibly.replications import Record, replicate

Pair = dict[str, object]


def pair(idx: int, modifier: str, label: int, noun: str = "kettle", **changed: object) -> Pair:
    article = "An" if modifier[0] in "aeiou" else "A"
    given: Pair = {
        "sentence1": f"A {noun} boils water.",
        "sentence2": f"{article} {modifier} {noun} boils water.",
        "modifier": modifier,
        "noun": noun,
        "label": label,
        "idx": idx,
    }
    return given | changed


VAL = [pair(10, "fake", 0), pair(11, "dead", 1), pair(12, "blue", 2), pair(13, "red", 3, "pot")]
TRAIN = [
    pair(0, "fake", 0),
    pair(1, "blue", 2, "pan"),
    pair(2, "blue", 2),
    pair(3, "red", 4, "lid"),
]


def data(folder: Path, *, words: bool = True, **splits: list[Pair]) -> Path:
    place = folder / "adept"
    place.mkdir()
    for split, pairs in splits.items():
        (place / f"{split}.json").write_text(json.dumps(pairs))
    if words:
        (place / "nonsubsective_60.tsv").write_text(
            "adjective\tclass\tin_nayak_60\nfake\tprivative\t1\nalleged\tplain\t1\ndead\tunlisted\t0\n"
        )
    return folder


def by_id(folder: Path) -> dict[str, Record]:
    records = replicate("adept", data=folder).records
    assert len({record.id for record in records}) == len(records)
    return {record.id: record for record in records}


def test_without_the_folder_there_is_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="adept: no such folder"):
        replicate("adept", data=tmp_path)


def test_baselines_follow_the_list_and_the_label(tmp_path: Path) -> None:
    records = by_id(data(tmp_path, train=TRAIN, val=VAL))
    assert records["adept.baseline.majority.5class"].recomputed == 1 / 4
    assert records["adept.baseline.normative.5class"].recomputed == 2 / 4
    assert records["adept.baseline.normative-0.5class"].recomputed == 2 / 4
    assert records["adept.baseline.normative.3class"].recomputed == 3 / 4
    assert records["adept.baseline.normative-60.3class"].recomputed == 2 / 4
    assert records["adept.baseline.majority.4class"].recomputed == 1 / 3
    assert records["adept.baseline.backoff.modifier.5class"].recomputed == 2 / 4
    assert records["adept.baseline.backoff.modifier.3class"].recomputed == 3 / 4


def test_a_missing_split_makes_its_numbers_not_computable(tmp_path: Path) -> None:
    records = by_id(data(tmp_path, train=TRAIN, val=VAL))
    assert records["adept.size.val"].recomputed == 4
    for name in ("adept.size.test", "adept.size.total", "adept.label.share.equally_likely"):
        assert (records[name].verdict, records[name].recomputed) == ("not computable", None)
    overlap = records["adept.overlap.sentences.test"]
    assert (overlap.verdict, overlap.recomputed) == ("unprinted", None)
    assert records["adept.label.count.equally_likely"].recomputed == 3


def test_with_the_third_split_the_total_is_known(tmp_path: Path) -> None:
    records = by_id(data(tmp_path, train=TRAIN, val=VAL, test=[pair(20, "old", 2)]))
    assert records["adept.size.total"].recomputed == 9
    assert records["adept.overlap.sentences.test"].recomputed == 1
    assert records["adept.label.share.equally_likely"].recomputed == 4 / 9


def test_only_the_train_split_leaves_the_baselines_not_computable(tmp_path: Path) -> None:
    records = by_id(data(tmp_path, train=TRAIN))
    assert records["adept.baseline.majority.5class"].verdict == "not computable"
    assert records["adept.figure2.row_sums"].verdict == "not computable"
    assert records["adept.figure2.accuracy"].verdict == "exact"


def test_without_the_list_the_normative_rule_is_not_computable(tmp_path: Path) -> None:
    records = by_id(data(tmp_path, words=False, train=TRAIN, val=VAL))
    assert records["adept.baseline.normative.5class"].verdict == "not computable"
    assert records["adept.baseline.majority.5class"].recomputed == 1 / 4
    assert records["adept.non_subsective.listed"].verdict == "not computable"


def test_pairs_the_rule_does_not_give_are_named(tmp_path: Path) -> None:
    odd = pair(21, "new", 2, sentence2="A new tea kettle boils water.")
    cut = pair(22, "odd", 2, "thing", sentence1="Nothing boils.", sentence2="Noodd thing boils.")
    records = by_id(data(tmp_path, train=[*TRAIN, odd, cut], val=VAL))
    assert records["adept.pairs.compared"].recomputed == 10
    assert records["adept.pairs.published.exact"].recomputed == 9
    assert records["adept.pairs.published.exceptions"].recomputed == [21]
    assert records["adept.pairs.whole_word.exceptions"].recomputed == [21, 22]


def test_irregular_pairs_are_counted(tmp_path: Path) -> None:
    again = pair(23, "fake", 2)
    there = pair(24, "hot", 4, sentence1="A kettle is hot.", sentence2="A hot kettle is hot.")
    modal = pair(25, "hot", 2, sentence1="A kettle may boil.", sentence2="A hot kettle may boil.")
    records = by_id(data(tmp_path, train=TRAIN, val=[*VAL, again, there, modal]))
    assert records["adept.duplicates"].recomputed == 2
    assert records["adept.duplicates.labels_differ"].recomputed == 1
    assert records["adept.duplicates.across_splits"].recomputed == 2
    assert records["adept.modifier_already_there"].recomputed == 1
    assert records["adept.modifier_already_there.necessarily_true"].recomputed == 1
    assert records["adept.modals"].recomputed == 1
    assert records["adept.overlap.sentences.val"].recomputed == 4


def test_models_and_people_are_not_computable(tmp_path: Path) -> None:
    records = by_id(data(tmp_path, train=TRAIN, val=VAL))
    for name in ("adept.table5.roberta.5class", "adept.table5.human.3class", "adept.kappa.authors"):
        assert records[name].verdict == "not computable"
        assert "not released" in records[name].note or "are released" in records[name].note
