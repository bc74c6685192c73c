"""What `check adept` finds in the released pairs."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from plausibly.backends.english import LemminflectWords
from plausibly.io.ranks import rank
from plausibly.proofreading.pairs.check import PairReport, check_files
from worlds.faults import PAIR_FAULTS, with_fault

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


# Every kind a dictionary, a list or a rule finds in both files, and how many pairs: the release has
# these faults, so a larger number would be a false alarm of ours.
DICTIONARY = {
    "adverb_modifier": 20,
    "agreement": 124,
    "article_before_plural": 12,
    "bare_verb": 73,
    "compared_modifier": 1,
    "confused_word": 12,
    "cut_off": 2,
    "determiner": 6,
    "no_capital": 75,
    "no_plural": 3,
    "no_verb": 34,
    "noun_function_word": 53,
    "noun_modifier": 123,
    "small_i": 1,
    "two_determiners": 3,
    "two_prepositions": 15,
    "unknown_word": 357,
    "unlisted_modifier": 18,
    "verb_form": 36,
    "word_twice": 11,
    "chat_word": 2,
    "no_apostrophe": 9,
    "no_article": 147,
    "noun_name": 7,
    "other_language": 2,
    "predicative_modifier": 8,
}
# What a list or a plain rule of spelling finds in both files.
SPELLING = {
    "digit_in_word": 1,
    "fragment": 1,
    "modifier_function_word": 48,
    "no_space_after_comma": 2,
    "offensive_modifier": 2,
    "offensive_word": 15,
    "stray_sign": 23,
}


def test_finders_by_dictionary_name_no_more_than_is_documented(data_folder: Path) -> None:
    pytest.importorskip("lemminflect")
    pytest.importorskip("wordfreq")
    files = [data_folder / "adept" / f"{split}.json" for split in ("train", "val")]
    kinds = Counter(one.kind for one in check_files(files, words=LemminflectWords()).problems)
    plain = Counter(one.kind for one in checked(data_folder).problems)
    assert {kind: kinds[kind] for kind in DICTIONARY} == DICTIONARY
    assert {kind: plain[kind] for kind in SPELLING} == SPELLING
    assert set(kinds) == set(plain) | set(DICTIONARY)
    unheard = (
        *("modifier_words", "modifier_capital", "question", "odd_sign"),
        *("outer_space", "white_space", "several_sentences", "capitals", "capital_inside"),
        *("unbalanced", "long_sentence", "exclamation", "modifier_form", "nearly_duplicate"),
        *("one_label", "labels_shifted", "wrong_type", "unknown_field", "repeated_field"),
        *(
            "imperative",
            "pronoun",
            "preposition",
            "adverb",
            "opening",
            "compared_twice",
            "verb_modifier",
            "placeholder",
        ),
    )
    assert not set(unheard) & set(kinds)


def test_faults_put_into_released_pairs_are_found(data_folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("lemminflect")
    words = LemminflectWords()
    released = json.loads((data_folder / "adept" / "val.json").read_text(encoding="utf-8"))
    flawed = {one.idx for one in check_files([data_folder / "adept" / "val.json"]).problems}
    opens = [
        row
        for row in released
        if row["idx"] not in flawed and row["sentence1"].startswith(f"A {row['noun']} is ")
    ]
    sound = sorted(opens, key=lambda row: rank(3, row["sentence2"]))[:40]
    path = tmp_path / "val.json"
    before = {idx for idx, _ in _flaws(sound, path, words)}
    missed = []
    for name, fault in PAIR_FAULTS.items():
        rows = sound
        for place in range(0, 40, 8):
            rows = with_fault(rows, place, fault) if _long(sound[place]) else rows
        changed = [place for place in range(40) if rows[place] != sound[place]]
        after = {idx for idx, _ in _flaws(rows, path, words)} - before
        missed += [name] * max(0, len(changed) - len(after))
    assert len(missed) <= 0.1 * 5 * len(PAIR_FAULTS), Counter(missed)


def _long(row: dict[str, str]) -> bool:
    """Tell whether a sentence has a longer word that is not its noun."""
    words = row["sentence1"].rstrip(".").split()
    return any(word.islower() and len(word) > 3 and word != row["noun"] for word in words)


def _flaws(rows: list[dict[str, str]], path: Path, words: LemminflectWords) -> set[tuple[int, str]]:
    path.write_text(json.dumps(rows), encoding="utf-8")
    return {(one.idx, one.kind) for one in check_files([path], words=words).problems}
