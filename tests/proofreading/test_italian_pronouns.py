"""Correct Italian is not reported: pronouns before verbs, `uno` alone, compounds and `loro`."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from plausibly.proofreading.stories.wording import strange_words
from worlds.boxes import fields, stories

CORRECT = {
    "Ada": (
        "Ada prese il tappo e lo portò in salotto.",
        "Il cane lo segue fino al cancello.",
        "Ada la spedisce per posta.",
        "Ada lava i piatti uno alla volta.",
        "Ada sceglie uno dei vestiti.",
        "Ada sbuccia le mele una per una.",
        "Nel prenderla, Ada rovescia la tazza.",
        "Ada rompe lo scolapasta e il parabrezza.",
        "Ada disegna un diagramma.",
        "Ada cammina molto.",
    ),
    "Ada, Ugo": (
        "Ada e Ugo chiudono la loro tenda.",
        "Ada e Ugo salutano i loro amici.",
        "Suo fratello le tende la mano.",
    ),
    "Io": ("Io prendo la tazza e la lavo.", "Io apro il libro e lo leggo."),
}


@pytest.mark.parametrize(
    ("actor", "sentence"), [(actor, one) for actor, some in CORRECT.items() for one in some]
)
def test_a_correct_sentence_is_not_reported(actor: str, sentence: str) -> None:
    story = fields(actor=actor, sentences=[sentence])
    assert [one.message for one in strange_words(stories(story), lang="it")] == []


class _List(dict[str, float]):
    def zipf(self, words: Sequence[str]) -> list[float | None]:
        return [self.get(word) for word in words]


def test_rare_forms_of_known_verbs_are_words() -> None:
    here = _List(dict.fromkeys(("ada", "la", "teglia", "sul", "treno"), 6.0))
    here |= {"imburrare": 1.5, "caricò": 2.0, "carico": 4.5}
    for sentence in ("Ada imburra la teglia.", "Ada la caricò sul treno."):
        said = strange_words(stories(fields(sentences=[sentence])), lang="it", frequency=here)
        assert [one.message for one in said] == []


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("Ada mette gli scarpe.", "gli scarpe"),
        ("Ada prende la sua pentole.", "sua pentole"),
        ("Ada gira il chiave.", "il chiave"),
        ("Ada va alla porta dal stazione.", "dal stazione"),
        ("Ada prende lo libro.", "lo libro"),
        ("Ada prende uno tazza.", "uno tazza"),
    ],
)
def test_an_article_of_another_gender_or_number_is_reported(sentence: str, words: str) -> None:
    found = [one.message for one in strange_words(stories(fields(sentences=[sentence])), lang="it")]
    assert any(f"'{words}'" in one for one in found)
