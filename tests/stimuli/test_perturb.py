"""Perturbations: one word kept, two exchanged, by seed and triple alone."""

from __future__ import annotations

from collections import Counter

import polars as pl
import pytest

from plausibly.errors import StudyError
from plausibly.stimuli.pap.perturb import PATTERNS, ROLES, perturbed
from svo_inline import invented_norms, invented_svo, svo_of

TRIPLES = invented_svo(invented_norms(nouns=60, verbs=20), rows=3000)


def test_exactly_one_word_is_kept() -> None:
    made = perturbed(TRIPLES, seed=1)
    for row, old in zip(made.iter_rows(named=True), TRIPLES.iter_rows(named=True), strict=True):
        same = [role for role in ROLES if row[role] == old[role]]
        assert same == [row["kept"]]
        assert row["source"] == " ".join(old[role] for role in ROLES)


def test_each_pattern_is_about_as_frequent() -> None:
    counts = Counter(perturbed(TRIPLES, seed=1)["kept"])
    assert set(counts) == set(PATTERNS)
    assert all(abs(count - 1000) < 120 for count in counts.values())


def test_new_words_are_drawn_evenly_from_types_not_from_tokens() -> None:
    crowd = [f"people see thing{n}" for n in range(300)]
    few = ["dog hear sound", "cat smell fish", "cow eat grass"]
    made = perturbed(svo_of(*crowd, *few), seed=3)
    drawn = made.filter(pl.col("kept") != "subject")["subject"]
    counts = Counter(drawn)
    assert counts["people"] <= 3
    assert all(40 < counts[animal] < 100 for animal in ("dog", "cat", "cow"))


def test_another_seed_makes_other_triples() -> None:
    assert not perturbed(TRIPLES, seed=1).equals(perturbed(TRIPLES, seed=2))


def test_one_word_in_a_function_cannot_be_exchanged() -> None:
    with pytest.raises(StudyError, match="all triples share the verb 'see'"):
        perturbed(svo_of("dog see cat", "cow see grass"), seed=1)


def test_nothing_to_perturb_is_said() -> None:
    with pytest.raises(StudyError, match="no triple to perturb"):
        perturbed(svo_of("dog see cat").clear(), seed=1)
