"""Faults of Italian, of states and of variants that `check gita` sees in a story of one's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import plausibly
from plausibly.datasets.gita.stories import ATTRIBUTES, OF_ACTOR, Story, story_of
from plausibly.proofreading.stories._replaced import harmless_replacements
from plausibly.proofreading.stories.checks import check_stories
from plausibly.proofreading.stories.physics import state_findings
from plausibly.proofreading.stories.reading import unspoken_states
from plausibly.proofreading.stories.wording import strange_words

TOLD = (
    "Ada è entrata in cucina.",
    "Ada ha aperto il frigo.",
    "Ada ha preso la tazza dal frigo.",
    "Ada si è seduta.",
    "La tazza è caduta.",
)


def told(sentence: str = TOLD[1], place: int = 1, **changed: Any) -> Story:
    """Return a sound story with one sentence replaced."""
    sentences = [*TOLD[:place], sentence, *TOLD[place + 1 :]]
    fields = {"story_id": 1, "actor": "Ada", "objects": "frigo, tazza", "sentences": sentences}
    return story_of(fields | changed, row=0)


@pytest.mark.parametrize("word", ["fr1go", "p0m0d0r0", "1nd0ssa", "bevut0"])
def test_a_digit_for_a_letter_is_found(word: str) -> None:
    assert "mixed_word" in {one.kind for one in check_stories([told(f"Ada ha {word}.")])}


def test_numbers_with_their_unit_are_no_fault() -> None:
    for sentence in ("Ada corre 20km.", "Ada ha 30 anni.", "Ada ascolta un mp3."):
        assert "mixed_word" not in {one.kind for one in check_stories([told(sentence)])}


def kinds(story: Story) -> set[str]:
    return {one.kind for one in strange_words([told(), story], lang="it") if one.row == 0}


def test_sound_sentences_have_no_findings() -> None:
    assert not kinds(told())
    assert not kinds(told("Ada lo prende e poi si alza.")) | kinds(told("Ada di solito dorme."))
    assert not kinds(told("Ada ha bevuto acqua.")) | kinds(told("Ada ha rotto le uova."))
    assert not kinds(told("Luca è entrato in cucina.", place=0, actor="Luca, Ada"))


@pytest.mark.parametrize(
    "wrong",
    [
        *(
            "Ada annusa il fiori.",
            "Ada mangia la mele.",
            "Ada apre la finestre.",
            "Ada usa un libri.",
        ),
        *("Ada prende l'occhiali.", "Ada mangia le mela.", "Ada cerca la chiavi nel cassetti."),
        *("Ada apre lo zaini.", "Ada a aggiunto il sale.", "Ada aprirà la scatola."),
        *("Ada e Ugo usciranno.", "Io prenderò la tazza."),
    ],
)
def test_number_and_tense_that_do_not_fit_are_found(wrong: str) -> None:
    assert kinds(told(wrong)) & {"article", "verb_form", "tense"}


@pytest.mark.parametrize(
    "sound",
    [
        *("Ada girò la chiave.", "Ada entrò, però non parlò.", "Ada usa uno spremiagrumi."),
        *(
            "Ada prende un taxi.",
            "Ada apre la porta.",
            "Ada le porta la tazza.",
            "Ada va al di là.",
        ),
        *("Ada accende la luce.", "Ada appoggia la bici alla parete.", "Ada usa l'asciugacapelli."),
    ],
)
def test_singulars_in_i_and_e_and_past_tenses_are_no_fault(sound: str) -> None:
    messages = {one.message for one in strange_words([told(), told(sound)], lang="it")}
    assert not [one for one in messages if "article, a" in one or "a future" in one]


@pytest.mark.parametrize(
    ("sentence", "kind"),
    [
        ("Ada è andato via.", "agreement"),
        ("La tazza è caduto.", "agreement"),
        ("Ada ha aperta la tazza.", "agreement"),
        ("Ada ha preso la tazza bagnato.", "agreement"),
        ("Ada saluta l'amiche.", "article"),
        ("Ada ho aperto il frigo.", "verb_form"),
        ("Ada apro il frigo.", "verb_form"),
        ("Ada messo il frigo in cucina.", "verb_form"),
        ("Ada il frigo.", "no_verb"),
        ("Ada ha aperto frigo.", "no_article"),
        ("Ada apre frigo.", "no_article"),
        ("Ada ha preso le tazza.", "article"),
        ("Ada e andata via.", "spelling"),
        ("Ada si e seduta.", "spelling"),
        ("La tazza é caduta.", "spelling"),
        ("La tazza e caduta.", "spelling"),
        ("Ada a messo la tazza in cucina.", "verb_form"),
        ("In cucina ce una tazza.", "spelling"),
        ("Ada usa la tazza x bere.", "spelling"),
        ("Il non frigo funziona.", "article"),
        ("Ada scende dal'auto.", "article"),
        ("Ada ha distrutto le tazza.", "article"),
        ("Ada ha lavato questo tazza.", "article"),
        ("Ada esce con Bruna.", "other_actor"),
        ("Inserire qui la frase.", "unfinished"),
        ("Ada e lava la tazza.", "spelling"),
    ],
)
def test_a_fault_of_grammar_is_found(sentence: str, kind: str) -> None:
    assert kind in kinds(told(sentence))


def test_before_an_object_of_the_story_stands_an_article_and_no_pronoun() -> None:
    assert "article" in kinds(told("Ada ha preso lo omogeneizzato.", objects="omogeneizzato"))


def test_who_tells_a_story_says_what_others_do_by_naming_them() -> None:
    assert "other_actor" in kinds(told("Hanno aperto il frigo.", actor="Io"))
    assert "other_actor" not in kinds(told("Ho aperto il frigo.", actor="Io"))


def test_a_word_that_got_an_accent_is_rarer_than_without() -> None:
    here = _List({"": 6.0, "prestò": 2.0, "presto": 5.5})
    said = strange_words([told("Ada si alza prestò.")], lang="it", frequency=here)
    assert "spelling" in {one.kind for one in said}


def test_a_future_without_its_accent_is_found_and_a_past_with_it_is_not() -> None:
    here = _List({"": 6.0, "lavera": 1.5, "lavò": 2.0, "lavo": 4.5})
    sentences = [told(f"Ada {verb} la tazza.") for verb in ("lavera", "lavò")]
    said = strange_words(sentences, lang="it", frequency=here)
    spelt = [(one.row, one.message) for one in said if one.kind == "spelling"]
    assert [message.partition(": ")[2] for _, message in spelt] == [
        "'lavera' lacks an accent: 'laverà'"
    ]


def test_pairs_of_a_conflict_are_written_as_in_the_rest_of_the_file() -> None:
    rows = [told(confl_pairs=[2, 3], example_id=str(place)) for place in range(5)]
    assert not any(one.kind == "type_differs" for one in check_stories(rows))
    found = check_stories([*rows, told(confl_pairs=[[2, 3]], example_id="odd")])
    assert [one.example for one in found if one.kind == "type_differs"] == ["odd"]


def test_whoever_tells_a_story_is_of_one_gender() -> None:
    story = told("Sono uscita di casa.", actor="Io")
    sentences = ["Sono arrivato.", *story.sentences[1:]]
    again = story_of({**story.fields, "sentences": sentences}, row=0)
    assert "agreement" not in kinds(story)
    assert "agreement" in kinds(again)


class _List:
    def __init__(self, known: dict[str, float]) -> None:
        self.known = known

    def zipf(self, words: Any) -> list[float | None]:
        return [self.known.get(word, self.known.get("")) for word in words]


def test_an_english_word_is_found_among_others() -> None:
    here, there = _List({"": 5.0, "fridge": 1.7}), _List({"": 0.5, "fridge": 4.2})
    story = told("Ada ha aperto il fridge.")
    said = strange_words([story], lang="it", frequency=here, foreign=there)
    english = [one.message for one in said if one.kind == "other_language"]
    assert english == ["sentence 1: 'fridge' is English"]


def test_a_sentence_of_another_language_is_found_by_its_words() -> None:
    here = _List({"la": 7.0, "ha": 7.0, "aperto": 5.0, "frigo": 4.0, "il": 7.0, "e": 7.0})
    there = {"es": _List({"ha": 6.0, "abierto": 5.0, "la": 7.0, "puerta": 5.0, "il": 4.0})}
    for sentence, languages in (("Ada ha abierto la puerta.", ["es"]), ("Ada ha aperto la.", [])):
        said = strange_words([told(sentence)], lang="it", frequency=here, neighbours=there)
        whole = [one.message for one in said if one.message.endswith(" is es")]
        assert len(whole) == len(languages), sentence


def test_a_state_no_sentence_speaks_of_is_found() -> None:
    assert not list(unspoken_states([told(states="open")], lang="it"))
    [found] = unspoken_states([told(states="conscious")], lang="it")
    assert found.kind == "state_unspoken"


def _blocks(*codes: dict[str, int], sentences: int = 5) -> list[dict[str, Any]]:
    """Return states in which the fridge has these codes, sentence by sentence, and Ada acts."""
    return [
        {
            name: [["Ada", 2 if name == "conscious" else 0]]
            if name in OF_ACTOR
            else [
                ["frigo", (codes[place] if place < len(codes) else {}).get(name, 0)],
                ["tazza", 0],
            ]
            for name in ATTRIBUTES
        }
        for place in range(sentences)
    ]


def test_every_clash_of_a_plausible_story_is_told() -> None:
    story = told(states=_blocks({"open": 3, "wet": 3}, {"open": 2, "wet": 2}))
    assert [one.kind for one in state_findings([story])] == ["states_contradict"] * 2


@pytest.mark.parametrize("gone", [{"exist": 3}, {"location": 1}])
def test_what_is_gone_cannot_be_used(gone: dict[str, int]) -> None:
    story = told(states=_blocks(gone, {}, {"open": 4}))
    [found] = state_findings([story])
    assert "needs exist of 'frigo'" in found.message


def test_states_that_do_not_fit_their_sentence_are_found() -> None:
    sound = told(states=_blocks({}, {"open": 4}))
    assert not {one.kind for one in check_stories([sound])} & {"states_against_sentence"}
    unlike = told(states=_blocks({}, {"open": 3}))
    assert "states_against_sentence" in {one.kind for one in check_stories([unlike])}
    silent = _blocks({}, {"open": 4})
    silent[3] = {name: [[who, 0] for who, _ in of] for name, of in silent[3].items()}
    assert "no_states_told" in {one.kind for one in check_stories([told(states=silent)])}


def test_a_sentence_has_the_states_it_has_in_the_plausible_story() -> None:
    states = _blocks({}, {"open": 4}, {"open": 2})
    swapped = [TOLD[0], TOLD[2], TOLD[1], *TOLD[3:]]
    broken: dict[str, Any] = {
        "type": "order",
        "plausible": False,
        "breakpoint": 2,
        "confl_sents": [1],
    }
    moved = [states[0], states[2], states[1], *states[3:]]

    def found(blocks: list[dict[str, Any]]) -> list[str]:
        variant = told(states=blocks, example_id="1-O0", **broken)
        variant = story_of({**variant.fields, "sentences": swapped}, row=1)
        checked = check_stories([told(states=states, example_id="1"), variant])
        return [one.message for one in checked if one.kind == "states_differ"]

    assert found(moved) == []
    assert len(found(states)) == 2


def test_names_and_objects_stand_once_and_the_plausible_story_agrees() -> None:
    assert "actor_form" in {one.kind for one in check_stories([told(actor="Ada, Ada")])}
    assert "object_twice" in {one.kind for one in check_stories([told(objects="frigo, Frigo")])}
    broken: dict[str, Any] = {
        "type": "order",
        "plausible": False,
        "breakpoint": 2,
        "confl_sents": [1],
    }
    variants = [told(worker_id="w", **broken), told(worker_id="w", **broken)]
    checked = check_stories([told(worker_id="cucina"), *variants])
    assert "original_differs" in {one.kind for one in checked}


BROKEN: dict[str, Any] = {"plausible": False, "breakpoint": 2, "confl_sents": [1]}


@pytest.mark.parametrize(
    "changed",
    [{"sentence": "Ada guarda fuori."}, {"objects": "tazza"}, {"states": "wet"}],
)
def test_what_the_plausible_story_alone_says_is_found_there(changed: dict[str, Any]) -> None:
    swapped = [TOLD[0], TOLD[2], TOLD[1], *TOLD[3:]]
    variants = [
        told(type="order", states="open", **{**BROKEN, "sentences": swapped}),
        told("La tazza era rotta.", place=2, type="cloze", states="open", **BROKEN),
    ]
    sound = {"states": "open"}
    kinds = [
        {one.kind for one in check_stories([told(**(sound | more)), *variants])}
        for more in ({}, changed)
    ]
    assert ["original_differs" in one for one in kinds] == [False, True]


@pytest.mark.parametrize(
    ("sentence", "harmless"),
    [
        ("Ada ha aperto il frigo con calma.", True),
        ("Ada ha guardato fuori.", True),
        ("È una bella giornata.", True),
        ("Ada non ha aperto il frigo.", False),
        ("Ada ha rotto la tazza.", False),
        ("Ada ha chiuso ogni cosa.", False),
    ],
)
def test_a_replaced_sentence_that_conflicts_with_nothing_is_noted(
    sentence: str, harmless: bool
) -> None:
    variant = told(sentence, type="cloze", states="open", **BROKEN)
    noted = list(harmless_replacements([told(states="open"), variant], lang="it"))
    assert bool(noted) is harmless


def test_words_are_beside_what_the_other_stories_say_of_them() -> None:
    sound = [told("Ada ha indossato il costume."), told("Ada ha preso il costume.")]
    other = told(actor="Bruno", sentences=["Bruno scende."] * 5)
    for sentence, kind in (
        ("Ada ha lavato la costume.", "article"),
        ("Bruno esce.", "other_actor"),
        ("Ada ha preso i costume.", "article"),
    ):
        found = [one.kind for one in strange_words([*sound, other, told(sentence)], lang="it")]
        assert found == [kind]


def test_an_apostrophe_is_that_of_the_other_stories() -> None:
    straight = [told("Ada ha aperto l'anta.")] * 20
    odd = told("Ada ha aperto l\u2019anta.")
    said = strange_words([*straight, odd], lang="it")
    assert [one.kind for one in said] == ["odd_sign"]
    assert not list(strange_words([*straight[:3], odd], lang="it"))


@pytest.mark.parametrize(
    ("changed", "kind"),
    [
        ({"sentence": TOLD[1]}, "not_one_replaced"),
        ({"state": "colour"}, "unknown_state"),
        ({"breakpoint": 1}, "conflict_not_earlier"),
        ({"conflict": 3, "breakpoint": 4}, "replaced_apart_from_conflict"),
        ({"sentence": "Bruno ha chiuso il frigo."}, "other_actor"),
        ({"sentence": "Ada è uscito dal frigo."}, "agreement"),
        ({}, ""),
    ],
)
def test_variants_beside_a_story_are_checked(
    tmp_path: Path, changed: dict[str, Any], kind: str
) -> None:
    cloze = {"replace": 1, "sentence": "Ada ha chiuso il frigo.", "conflict": 1, "breakpoint": 2}
    story = {**told().fields, "cloze": [cloze | {"state": "open"} | changed]}
    story["sentences"] = [*TOLD[:4], "Ada ha preso la tazza."]
    file = tmp_path / "stories.jsonl"
    file.write_text(json.dumps(story), encoding="utf-8")
    found = {one["kind"] for one in plausibly.check_gita(file).document}
    assert (kind in found) if kind else not found


@pytest.mark.parametrize(
    ("sentence", "wrong"),
    [
        ("Ada prende il libro e lo legge.", False),
        ("Poi Ada lo chiude.", False),
        ("Quando il latte è caldo, Ada lo beve.", False),
        ("Ada chiama i gatti e gli dà il latte.", False),
        ("Ada prende il libro e lo tazza.", True),
        ("Ada prende il libro e lo coltello.", True),
        ("Ada mette lo libro in tasca.", True),
    ],
)
def test_a_pronoun_before_a_verb_is_not_taken_for_an_article(sentence: str, wrong: bool) -> None:
    assert ("article" in kinds(told(sentence, objects="tazza, coltello"))) is wrong
