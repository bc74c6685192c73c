"""Perturbations: one word kept, two exchanged, by seed and triple alone."""

from __future__ import annotations

from collections import Counter

import polars as pl
import pytest

from plausibly.errors import StudyError, UnknownName
from plausibly.stimuli.pap.perturb import (
    ALIKE,
    DRAWS,
    NEIGHBOURS,
    PATTERNS,
    ROLES,
    Exchange,
    perturbed,
)
from worlds.svo import invented_norms, invented_svo, svo_of

TRIPLES = invented_svo(invented_norms(nouns=60, verbs=20), rows=3000)


def test_exactly_one_word_is_kept() -> None:
    made = perturbed(TRIPLES, exchange=Exchange(seed=1))
    for row, old in zip(made.iter_rows(named=True), TRIPLES.iter_rows(named=True), strict=True):
        same = [role for role in ROLES if row[role] == old[role]]
        assert same == [row["kept"]]
        assert row["source"] == " ".join(old[role] for role in ROLES)


def test_each_pattern_is_about_as_frequent() -> None:
    counts = Counter(perturbed(TRIPLES, exchange=Exchange(seed=1))["kept"])
    assert set(counts) == set(PATTERNS)
    assert all(abs(count - 1000) < 120 for count in counts.values())


def test_new_words_are_drawn_evenly_from_types_not_from_tokens() -> None:
    crowd = [f"people see thing{n}" for n in range(300)]
    few = ["dog hear sound", "cat smell fish", "cow eat grass"]
    made = perturbed(svo_of(*crowd, *few), exchange=Exchange(seed=3))
    drawn = made.filter(pl.col("kept") != "subject")["subject"]
    counts = Counter(drawn)
    assert counts["people"] <= 3
    assert all(40 < counts[animal] < 100 for animal in ("dog", "cat", "cow"))


def test_another_seed_makes_other_triples() -> None:
    assert not perturbed(TRIPLES, exchange=Exchange(seed=1)).equals(
        perturbed(TRIPLES, exchange=Exchange(seed=2))
    )


def test_one_word_in_a_function_cannot_be_exchanged() -> None:
    with pytest.raises(StudyError, match="all triples share the verb 'see'"):
        perturbed(svo_of("dog see cat", "cow see grass"), exchange=Exchange(seed=1))


def test_nothing_to_perturb_is_said() -> None:
    with pytest.raises(StudyError, match="no triple to perturb"):
        perturbed(svo_of("dog see cat").clear(), exchange=Exchange(seed=1))


def zipf_of(triples: pl.DataFrame) -> dict[str, dict[str, float]]:
    """Return a made-up frequency for every word: the later in the alphabet, the rarer."""
    return {
        role: {word: 6 - n / len(words) for n, word in enumerate(words)}
        for role in ROLES
        if (words := triples[role].unique().sort().to_list())
    }


def test_matched_words_are_about_as_frequent_as_those_they_replace() -> None:
    zipf = zipf_of(TRIPLES)
    made = perturbed(TRIPLES, exchange=Exchange(seed=1, draw="matched", zipf=zipf))
    for role in ROLES:
        pairs = zip(made[role], TRIPLES[role], strict=True)
        gaps = [abs(zipf[role][new] - zipf[role][old]) for new, old in pairs]
        assert max(gaps) <= ALIKE + 1e-6
        assert max(gaps) > ALIKE / 2


def test_a_word_alone_in_its_frequency_is_replaced_by_one_of_the_five_nearest() -> None:
    letters = "abcdefghijklmnop"
    triples = svo_of(*(f"{s} {v} {o}" for s in letters for v in letters for o in letters))
    far = {word: 10.0 * place for place, word in enumerate(letters)}
    zipf = dict.fromkeys(ROLES, far)
    made = perturbed(triples, exchange=Exchange(seed=1, draw="matched", zipf=zipf))
    for role in ROLES:
        others = dict.fromkeys(letters, frozenset[str]())
        for new, old in zip(made[role], triples[role], strict=True):
            others[old] |= {new} - {old}
        assert {len(new) for new in others.values()} == {NEIGHBOURS}
        assert others["a"] == set("bcdef")
        assert max(abs(far[new] - far["h"]) for new in others["h"]) == 30


def test_two_words_are_enough_for_matched_draws() -> None:
    triples = svo_of("a x p", "b y q")
    zipf = dict.fromkeys(ROLES, dict.fromkeys("abxypq", 3.0))
    made = perturbed(triples, exchange=Exchange(seed=1, draw="matched", zipf=zipf))
    assert made.height == 2


def test_words_drawn_by_token_stay_as_frequent_as_they_are() -> None:
    crowd = [f"people see thing{n}" for n in range(300)] + [f"dog see thing{n}" for n in range(300)]
    few = ["cat smell fish", "cow eat grass"]
    made = perturbed(svo_of(*crowd, *few), exchange=Exchange(seed=3, draw="token"))
    drawn = Counter(made.filter(pl.col("kept") != "subject")["subject"])
    assert drawn["people"] + drawn["dog"] > 0.97 * drawn.total()
    assert 0.8 < drawn["people"] / drawn["dog"] < 1.25


@pytest.mark.parametrize("draw", DRAWS)
def test_one_word_can_be_exchanged_as_a_comparison_arm(draw: str) -> None:
    exchange = Exchange(seed=1, draw=draw, words=1, zipf=zipf_of(TRIPLES))
    made = perturbed(TRIPLES, exchange=exchange)
    for row, old in zip(made.iter_rows(named=True), TRIPLES.iter_rows(named=True), strict=True):
        changed = [role for role in ROLES if row[role] != old[role]]
        assert [f"not {role}" for role in changed] == [row["kept"]]


def test_ways_to_draw_that_are_not_there_are_refused() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'token'"):
        Exchange(seed=1, draw="tokens")
    with pytest.raises(StudyError, match="1 or 2 words"):
        Exchange(seed=1, words=3)
