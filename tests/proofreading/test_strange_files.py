"""Faults of files as a whole, of spelling and of grammar: each is found, and none stops a check."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from plausibly import check_adept, check_gita
from plausibly.datasets.lexica.identity import identity_terms
from plausibly.errors import TableError
from plausibly.io.written import written_records

Story = dict[str, Any]

TOLD = [
    "Ada ha aperto la scatola.",
    "Ada ha preso il martello.",
    "Ada ha messo il martello nella scatola.",
    "Ada ha chiuso la scatola.",
    "Ada ha portato la scatola in cucina.",
]


def story(number: int, kind: str | None = None) -> Story:
    told = [one.replace("Ada", ("Ada", "Ugo", "Eva", "Ivo")[number]) for one in TOLD]
    thing = ("scatola", "borsa", "valigia", "cassa")[number]
    told = [one.replace("scatola", thing) for one in told]
    if number:
        told = [one.replace("martello", ("", "libro", "vestito", "piatto")[number]) for one in told]
    made: Story = {
        "story_id": number,
        "worker_id": "W",
        "type": kind,
        "idx": 0 if kind else None,
        "aug": False,
        "actor": told[0].split()[0],
        "location": "cucina",
        "objects": f"{thing}, {told[1].split()[-1].rstrip('.')}",
        "sentences": told,
        "length": 5,
        "example_id": f"{number}-O0" if kind else str(number),
        "plausible": kind is None,
        "breakpoint": 3 if kind else -1,
        "confl_sents": [2] if kind else [],
        "confl_pairs": [],
        "states": "open",
    }
    if kind:
        made["sentences"] = [*told[:2], told[3], told[2], told[4]]
    return made


def sound() -> list[Story]:
    return [one for number in range(4) for one in (story(number), story(number, "order"))]


def found(path: Path, rows: list[Any], *, raw: str | None = None) -> set[str]:
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    lines += [raw] if raw is not None else []
    path.write_text("\n".join(lines), encoding="utf-8")
    return {one["kind"] for one in check_gita(path).as_json()}


def test_sound_stories_draw_no_finding(tmp_path: Path) -> None:
    assert found(tmp_path / "s.jsonl", sound()) == set()


def _told(change: Callable[[str], str]) -> Callable[[Story], Story]:
    return lambda row: row | {"sentences": [change(row["sentences"][0]), *row["sentences"][1:]]}


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("field_missing_here", lambda row: {k: v for k, v in row.items() if k != "location"}),
        ("unknown_field", lambda row: row | {"loaction": "cucina"}),
        ("type_differs", lambda row: row | {"story_id": "0"}),
        ("form_differs", lambda row: row | {"states": [{}] * 5}),
        ("wrong_type", lambda row: row | {"worker_id": 7}),
        ("plausible_with_idx", lambda row: row | {"idx": 0}),
        ("id_form", lambda row: row | {"example_id": "0b"}),
        ("conflict_without_breakpoint", lambda row: row | {"confl_pairs": [0, 1]}),
        ("object_form", lambda row: row | {"objects": "la scatola, martello"}),
        ("object_form", lambda row: row | {"objects": "scatola,, martello"}),
        ("object_form", lambda row: row | {"objects": "scatola, Ada"}),
        ("actor_form", lambda row: row | {"actor": "Ada "}),
        ("actor_form", lambda row: row | {"actor": "ada"}),
        ("odd_sign", _told(lambda one: one.replace("a", "\u0430", 1))),
        ("odd_sign", _told(lambda one: one.replace(" ", "\u00a0", 1))),
        ("white_space", _told(lambda one: one.replace(" ", "\t", 1))),
        ("several_sentences", _told(lambda one: f"{one} Poi esce.")),
        ("capitals", _told(str.upper)),
        ("word_twice", _told(lambda one: one.replace(" la ", " la la "))),
        ("stray_sign", _told(lambda one: f"- {one}")),
        ("article", _told(lambda one: one.replace(" la ", " il "))),
        ("other_language", _told(lambda _: "Then she opened the box with her hand.")),
        ("other_actor", _told(lambda one: one.replace("Ada", "Teodoro"))),
        ("verb_form", _told(lambda one: one.replace("ha aperto", "aprire"))),
        ("fragment", _told(lambda _: "Ada.")),
        ("breakpoint", lambda row: row | {"breakpoint": -2}),
        ("mixed_word", _told(lambda one: one.replace("scatola", "sc4tola"))),
        ("mixed_word", _told(lambda one: one.replace("scatola", "scaTola"))),
        ("spelling", _told(lambda one: one.replace(".", " perche' piove."))),
        ("spelling", _told(lambda one: one.replace(".", " un pò."))),
        ("article", _told(lambda one: one.replace(".", " con un'amico."))),
        ("article", _told(lambda one: one.replace(".", " in la cucina."))),
        ("article", _told(lambda one: one.replace(".", " con i libro."))),
        ("agreement", _told(lambda one: one.replace("scatola", "scatola rosso"))),
        ("verb_form", _told(lambda one: one.replace(" ha ", " a "))),
        ("verb_form", _told(lambda one: one.replace(" ha ", " hanno "))),
        ("verb_form", _told(lambda one: one.replace(".", " e ha andato via."))),
        ("verb_form", _told(lambda one: one.replace(".", " e ha chiudere la porta."))),
        ("verb_form", _told(lambda _: "Noi ho aperto la scatola.")),
        ("cut_off", _told(lambda one: one.replace(".", " con la."))),
        ("offensive", _told(lambda one: one.replace("scatola", "merda"))),
        ("long_sentence", _told(lambda one: one.replace(".", " e poi ancora" * 12 + "."))),
        ("absent_actor", lambda row: row | {"actor": "Ada e Teodoro"}),
    ],
)
def test_a_fault_of_one_story_is_named(
    kind: str, change: Callable[[Story], Story], tmp_path: Path
) -> None:
    rows = sound()
    assert kind in found(tmp_path / "s.jsonl", [change(rows[0]), *rows[1:]])


def test_words_that_are_none_are_named(tmp_path: Path) -> None:
    pytest.importorskip("wordfreq")
    rows = sound()
    rows[0]["sentences"][0] = "Ada ha apxerto la scatola."
    assert "unknown_word" in found(tmp_path / "s.jsonl", rows)


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("idx_against_id", lambda row: row | {"idx": 3}),
        ("idx_gap", lambda row: row | {"idx": 1, "example_id": "0-O1"}),
        ("conflict_count", lambda row: row | {"confl_sents": [2, 1]}),
        ("conflict_differs", lambda row: row | {"conflict_sents": [0]}),
        ("conflict_pair_differs", lambda row: row | {"confl_pairs": [3, 2]}),
        ("location_differs", lambda row: row | {"location": "garage"}),
        ("worker", lambda row: row | {"worker_id": "V"}),
        ("swap_apart_from_conflict", lambda row: row | {"confl_sents": [0], "breakpoint": 4}),
    ],
)
def test_a_fault_of_one_variant_is_named(
    kind: str, change: Callable[[Story], Story], tmp_path: Path
) -> None:
    rows = sound()
    assert kind in found(tmp_path / "s.jsonl", [rows[0], change(rows[1]), *rows[2:]])


def test_a_variant_most_stories_have_is_missed(tmp_path: Path) -> None:
    assert "no_variant" in found(tmp_path / "s.jsonl", sound()[:-1])
    assert found(tmp_path / "t.jsonl", [story(number) for number in range(4)]) == set()


def test_a_word_that_wants_a_double_letter_is_named(tmp_path: Path) -> None:
    pytest.importorskip("wordfreq")
    rows = sound()
    rows[0]["sentences"][0] = "Ada ha aperto la scattola."
    assert {"spelling", "unknown_word"} & found(tmp_path / "s.jsonl", rows)
    rows[0]["sentences"][0] = "Lorem ipsum dolor sit amet."
    assert "other_language" in found(tmp_path / "s.jsonl", rows)


def test_stories_told_twice_are_named(tmp_path: Path) -> None:
    again = story(0) | {"story_id": 9, "example_id": "9", "actor": "Lea"}
    renamed = again | {"sentences": [one.replace("Ada", "Lea") for one in again["sentences"]]}
    assert "nearly_identical" in found(tmp_path / "a.jsonl", [*sound(), renamed])
    turned = again | {"actor": "Ada", "sentences": TOLD[::-1]}
    assert "shared_sentences" in found(tmp_path / "b.jsonl", [*sound(), turned])
    second = story(0) | {"sentences": [one.rstrip(".") + " oggi." for one in TOLD]}
    assert "second_plausible" in found(tmp_path / "c.jsonl", [*sound(), second])


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        ("[1]", "broken_row"),
        ("null", "broken_row"),
        ('{"story_id": 3', "broken_row"),
        (json.dumps(story(3))[:-1] + ', "plausible": false}', "repeated_field"),
    ],
)
def test_no_bad_line_stops_a_check(raw: str, kind: str, tmp_path: Path) -> None:
    assert kind in found(tmp_path / "s.jsonl", sound(), raw=raw)


PAIR = {
    "sentence1": "A kettle is used to boil water.",
    "sentence2": "An old kettle is used to boil water.",
    "modifier": "old",
    "noun": "kettle",
    "label": 2,
    "idx": 0,
}


def pairs(*changed: dict[str, Any]) -> list[dict[str, Any]]:
    nouns = ("cup", "lamp", "chair", "table", "spoon")
    others = [
        PAIR
        | {
            "sentence1": f"A {noun} is used at home.",
            "sentence2": f"An old {noun} is used at home.",
            "noun": noun,
            "idx": place + 1,
        }
        for place, noun in enumerate(nouns)
    ]
    return [*(PAIR | one for one in changed), *others]


def flaws(path: Path, rows: list[Any]) -> set[str]:
    path.write_text(json.dumps(rows), encoding="utf-8")
    return {one["kind"] for one in check_adept(path).as_json()["problems"]}


def said(sentence: str, modifier: str = "old") -> dict[str, Any]:
    article = "An" if modifier[0] in "aeiou" else "A"
    second = sentence.replace("A kettle", f"{article} {modifier} kettle", 1)
    return {"sentence1": sentence, "sentence2": second, "modifier": modifier}


def test_sound_pairs_draw_no_finding(tmp_path: Path) -> None:
    pytest.importorskip("lemminflect")
    assert flaws(tmp_path / "p.json", pairs({})) == set()


def test_sound_sentences_that_look_strange_draw_no_finding(tmp_path: Path) -> None:
    pytest.importorskip("lemminflect")
    for sentence in (
        "A kettle often is hot.",
        "A kettle is made of iron.",
        "A kettle cover is on the stove.",
        "A kettle helps a man who leafs through a book.",
        "A kettle is used with these cups to drink tea.",
    ):
        assert flaws(tmp_path / "p.json", pairs(said(sentence))) == set(), sentence


def test_a_pair_goes_by_its_idx_or_by_its_row(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    rows = [PAIR | {"idx": idx} for idx in (1, 2, 3, "77", -5, 10**30, 1.5)]
    path.write_text(json.dumps(rows), encoding="utf-8")
    problems = check_adept(path).as_json()["problems"]
    strange = {(one["idx"], one["kind"]) for one in problems if one["kind"] in ("wrong_type",)}
    assert strange == {(77, "wrong_type"), (-7, "wrong_type")}
    bad = {one["idx"]: one["message"] for one in problems if one["kind"] == "bad_idx"}
    assert set(bad) == {-5, -6, -7}
    assert bad[-5] == "row 5: idx '-5' is not a whole number of at least 0"


def of(sentence: str, noun: str, modified: str) -> dict[str, Any]:
    return {"sentence1": sentence, "sentence2": modified, "noun": noun}


FAULTS: list[tuple[str, dict[str, Any]]] = [
    ("wrong_type", {"label": "2"}),
    ("wrong_type", {"noun": ["kettle"]}),
    ("unknown_field", {"lable": 2}),
    ("outer_space", said(" A kettle is used to boil water.")),
    ("odd_sign", said("A kettle is used to boil w\u0430ter.")),
    ("several_sentences", said("A kettle is hot. It boils water.")),
    ("capital_inside", said("A kettle is used to boil the Water.")),
    ("capitals", said("A kettle".upper() + " IS USED TO BOIL WATER.")),
    ("unbalanced", said("A kettle is used to (boil water.")),
    ("digit_in_word", said("A kettle is used to b0il water.")),
    ("stray_sign", said("A kettle is used to boil water , tea and milk.")),
    ("exclamation", said("A kettle is used to boil water!")),
    ("fragment", said("Kettle.")),
    ("modifier_form", said("A kettle is used to boil water.", "x")),
    ("modifier_function_word", said("A kettle is used to boil water.", "seven")),
    ("compared_modifier", said("A kettle is used to boil water.", "bigger")),
    *(
        ("compared_modifier", said("A kettle is used to boil water.", one))
        for one in ("southernmost", "topmost", "utmost", "eldest")
    ),
    ("confused_word", said("A kettle is as big than people.")),
    ("chat_word", said("A kettle is used 4 tea.")),
    ("compared_modifier", said("A kettle is used to boil water.", "most-expensive")),
    ("confused_word", said("A kettle is a thing who helps people.")),
    ("confused_word", said("A kettle is a person which works.")),
    ("confused_word", said("A kettle makes people loose money.")),
    ("confused_word", said("A kettle is n't useful.")),
    ("own_view", said("A kettle is useful I think.")),
    ("chat_word", said("A kettle is used by ppl.")),
    ("no_article", of("You use rifle to hunt.", "rifle", "You use old rifle to hunt.")),
    ("verb_form", said("A kettle helps sheep to sheared.")),
    ("confused_word", said("A kettle is for helping loose weight.")),
    ("stray_sign", said("A kettle is useful -.")),
    ("confused_word", said("A kettle is more useful then a cup.")),
    ("confused_word", said("A kettle is too be used.")),
    ("verb_form", said("A kettle has is useful.")),
    ("determiner", said("A kettle has many part.")),
    ("determiner", said("A kettle has less wheels.")),
    ("verb_form", said("A kettle not is useful.")),
    ("verb_form", said("A kettle is used to be sit on.")),
    ("agreement", said("A kettle is used by people who is old.")),
    ("preposition", said("A kettle is between a house.")),
    ("capital_inside", said("A kettle is used For tea.")),
    ("preposition", said("A kettle is made wood.")),
    ("preposition", said("A kettle consists iron.")),
    ("verb_form", said("A kettle is broke by people.")),
    ("verb_modifier", said("A kettle is used to boil water.", "brings")),
    ("noun_modifier", said("A kettle is used to boil water.", "children")),
    ("unlisted_modifier", said("A kettle is used to boil water.", "obama")),
    ("unknown_word", said("A kettle is used to seperate water.")),
    ("verb_form", said("A kettle is used to boils water.")),
    ("verb_form", said("A kettle bring water.")),
    ("verb_form", said("A kettle is bring water.")),
    ("bare_verb", said("A kettle is for bring water.")),
    ("two_prepositions", said("A kettle is used for to boil water.")),
    ("two_determiners", said("A kettle is used to boil the a water.")),
    ("compared_twice", said("A kettle is more bigger than people.")),
    ("compared_twice", said("A kettle is most best.")),
    ("confused_word", said("A kettle is used on there stove.")),
    ("confused_word", said("A kettle is for it's owner.")),
    ("confused_word", said("A kettle boils to much.")),
    ("confused_word", said("A kettle is worth more then gold.")),
    ("confused_word", said("A kettle helps you to boiling water.")),
    ("determiner", said("A kettle is used with these cup.")),
    ("determiner", said("A kettle is used with this cups.")),
    ("determiner", said("A kettle is used with two cup.")),
    ("double_negation", said("A kettle is used without no lid.")),
    ("own_view", said("I think A kettle is hot.")),
    ("other_language", said("A kettle is hot und das water.")),
    ("placeholder", said("A kettle is used TODO.")),
    ("opening", said("And A kettle is hot.")),
    ("no_plural", said("A kettle is for informations.")),
    ("verb_form", said("A kettle be hot.")),
    ("verb_form", said("A kettle is hot and it go well.")),
    ("verb_modifier", said("A kettle is used to boil water.", "went")),
    ("no_verb", said("A kettle good for people.")),
    ("no_apostrophe", said("A kettle is good if you dont drink.")),
    ("small_i", said("A kettle is what i want.")),
    ("cut_off", said("A kettle is used to boil the.")),
    ("no_capital", said("A kettle is used by a german.")),
    ("question", said("Is A kettle used at home.")),
    ("offensive_word", said("A kettle is used to fuck people.")),
    ("stray_sign", said("Worker 4: A kettle is hot.")),
    ("stray_sign", said("A kettle is hot (check this).")),
    ("stray_sign", said("A kettle boils /c/en/water.")),
    ("stray_sign", said("A kettle boils wa- ter.")),
    ("stray_sign", said("A kettle boils water'.")),
    ("word_twice", said("A kettle stands on a stove stove.")),
    ("other_language", said("A kettle is used by a gatto.")),
    ("placeholder", said("A kettle is used to boil nan.")),
    ("offensive_word", said("A kettle is used by bitches.")),
    ("chat_word", said("A kettle is used to boil water lol.")),
    ("determiner", said("A kettle is used to boil the to.")),
    ("determiner", said("A kettle is used by a mans wife.")),
    ("verb_form", said("A kettle boil the water.")),
    ("no_verb", said("A kettle containing water.")),
    ("bare_verb", said("A kettle is used for hold something.")),
    ("bare_verb", said("A kettle is used for eats.")),
    ("bare_verb", said("A kettle is for protected your hand.")),
    ("bare_verb", said("A kettle is capable of takes water.")),
    ("verb_form", said("A kettle is drinks water.")),
    ("verb_form", said("A kettle is using for boiling water.")),
    ("singular_with_plural_verb", said("A kettle don't need water.")),
    ("verb_form", said("A kettle does not needs water.")),
    ("confused_word", said("A kettle boils you're water.")),
    ("confused_word", said("A kettle warms there cups.")),
    ("cut_off", said("A kettle water boiling for used is.")),
    ("noun_modifier", said("A kettle is used to boil water.", "hospital")),
    ("compared_modifier", said("A kettle is used to boil water.", "better")),
    ("unknown_word", said("A kettle is used to boil water.", "grintish")),
    ("predicative_modifier", said("A kettle is used to boil water.", "asleep")),
    ("unlisted_modifier", said("A kettle is used to boil water.", "germany")),
    ("unknown_word", said("A kettle is used ot boil water.")),
    ("unknown_word", said("A kettle is on teh stove.")),
    ("confused_word", said("A kettle is made form iron.")),
    ("pronoun", said("A kettle it is hot.")),
    ("pronoun", said("A kettle is used by they.")),
    ("no_verb", said("A kettle that is used at home.")),
    ("verb_form", said("A kettle produce heat.")),
    ("verb_form", said("A kettle give light.")),
    ("verb_form", said("A kettle is having a lid.")),
    ("no_verb", said("A kettle red is on the stove.")),
    ("cut_off", said("A kettle is used.")),
    ("cut_off", said("A kettle is made.")),
    ("preposition", said("A kettle is used of boiling water.")),
    ("bare_verb", said("A kettle is used for cook.")),
    ("determiner", of("Your use a kettle to boil water.", "kettle", "Your use an old kettle.")),
    ("determiner", said("A kettle is used with these cup to drink tea.")),
    ("no_plural", said("A kettle is used to boil leafs.")),
    ("unknown_word", said("A kettle is used to boil water.", "tablish")),
    ("several_sentences", said("A kettle is hot, it is good.")),
    ("several_sentences", said("A kettle boils water it is good.")),
    ("verb_form", said("A kettle is no used at home.")),
    ("preposition", said("A kettle is capable to boil.")),
    ("verb_form", said("A kettle contracts and expand.")),
    ("verb_form", said("A kettle is used to boil and drying cups.")),
    ("verb_form", said("A kettle is wrote by people.")),
    ("verb_form", said("A kettle has been use at home.")),
    ("verb_form", said("A kettle is used to wrote letters.")),
    ("verb_form", said("A kettle helps to cutting bread.")),
    ("no_apostrophe", said("A kettle need's water.")),
    ("no_apostrophe", said("A kettle is used to boil egg's.")),
    ("agreement", said("A kettle am hot.")),
    ("determiner", said("A kettle has 4 leg.")),
    ("chat_word", said("A kettle hurts theirselves.")),
    ("adverb", said("A kettle makes a quickly meal.")),
    ("confused_word", said("A kettle is used to breath air.")),
    ("no_apostrophe", said("A kettle is in a persons hand.")),
    ("confused_word", said("A kettle works with out water.")),
    ("placeholder", said("A kettle is used for sth.")),
    ("opening", said("17 A kettle is hot.")),
    ("modifier_function_word", said("A kettle is used to boil water.", "same")),
    ("noun_modifier", said("A kettle is used to boil water.", "fish")),
    ("unknown_word", said("A kettle is used to boil water.", "diffrent")),
    ("long_sentence", said("A kettle is used by people" + " and people" * 10 + ".")),
    ("verb_form", of("You use a cup drink tea.", "cup", "You use an old cup drink tea.")),
    ("verb_form", of("You use a cup too drink.", "cup", "You use an old cup too drink.")),
    ("verb_form", of("You use a cup to a tea.", "cup", "You use an old cup to a tea.")),
    ("cut_off", of("You use a cup to.", "cup", "You use an old cup to.")),
    ("noun_function_word", of("A huge is hot.", "huge", "An old huge is hot.")),
    ("noun_function_word", of("An eat is hot.", "eat", "An old eat is hot.")),
    ("noun_function_word", of("Him is hot.", "him", "Old him is hot.")),
    ("noun_function_word", of("A q is hot.", "q", "An old q is hot.")),
    ("noun_name", of("London is used at home.", "london", "Old london is used at home.")),
    ("noun_name", of("A sarah is hot.", "sarah", "An old sarah is hot.")),
    ("no_capital", of("A cup is from germany.", "cup", "An old cup is from germany.")),
    ("no_verb", said("A kettle with a red roof.")),
    ("no_verb", said("A kettle made of iron.")),
    ("verb_form", said("A kettle is used boil water.")),
    ("verb_form", said("A kettle is been used.")),
    ("verb_form", said("A kettle used is for water.")),
    ("bare_verb", said("A kettle is used for hold water.")),
    ("bare_verb", said("A kettle is used for clean the house.")),
    ("cut_off", said("A kettle causes.")),
    ("cut_off", said("A kettle causes you to.")),
    ("cut_off", said("A kettle is a kind of.")),
    ("no_verb", of("You a cup to drink.", "cup", "You an old cup to drink.")),
    ("determiner", of("An advice is hot.", "advice", "An old advice is hot.")),
    ("noun_number", of("A 2nd is hot.", "2nd", "An old 2nd is hot.")),
    ("pronoun", of("Me use a cup to drink.", "cup", "Me use an old cup to drink.")),
    ("imperative", of("Use a cup to drink.", "cup", "Use an old cup to drink.")),
    ("opening", of("If a cup is hot.", "cup", "If an old cup is hot.")),
    ("agreement", of("The plumbers fits a pipe.", "plumbers", "The old plumbers fits a pipe.")),
    (
        "agreement",
        of("The children plays at sea.", "children", "The old children plays at sea."),
    ),
    ("agreement", of("There is two cups here.", "cups", "There is two old cups here.")),
    ("article_before_plural", of("A scissors cuts.", "scissors", "An old scissors cuts.")),
    ("placeholder", of("Please pick a cup.", "cup", "Please pick an old cup.")),
    ("no_article", of("Survey is at home.", "survey", "Old survey is at home.")),
]


@cache
def kinds_by_row() -> dict[int, set[str]]:
    """Return what is said of each faulty pair, all of them in one file: a check takes its time."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.json"
        rows = [PAIR | changed | {"idx": 100 + row} for row, (_, changed) in enumerate(FAULTS)]
        path.write_text(json.dumps(rows + pairs()), encoding="utf-8")
        kinds: dict[int, set[str]] = {}
        for one in check_adept(path).as_json()["problems"]:
            kinds.setdefault(one["idx"], set()).add(one["kind"])
    return kinds


@pytest.mark.parametrize("row", range(len(FAULTS)), ids=lambda row: f"{FAULTS[row][0]}-{row}")
def test_a_fault_of_one_pair_is_named(row: int) -> None:
    pytest.importorskip("lemminflect")
    pytest.importorskip("wordfreq")
    assert FAULTS[row][0] in kinds_by_row()[100 + row]


def test_a_noun_wants_the_article_that_the_rest_of_a_file_gives_it(tmp_path: Path) -> None:
    pytest.importorskip("lemminflect")
    bare = of("Gadget is used at home.", "gadget", "Old gadget is used at home.")
    assert "no_article" not in flaws(tmp_path / "few.json", pairs(bare))
    others = [
        PAIR | of(f"A gadget is used {how}.", "gadget", f"An old gadget is used {how}.")
        for how in ("at sea", "in bed", "by people", "with water", "on ice")
    ]
    rows = pairs(bare) + [one | {"idx": 10 + place} for place, one in enumerate(others)]
    assert "no_article" in flaws(tmp_path / "many.json", rows)


def test_peoples_that_are_verbs_too_want_no_capital_as_verbs(tmp_path: Path) -> None:
    pytest.importorskip("lemminflect")
    assert identity_terms().groups("polish", "player")
    assert identity_terms().groups("maldivian", "actor")
    assert "no_capital" not in flaws(
        tmp_path / "p.json", pairs(said("A kettle is easy to polish."))
    )
    assert "no_capital" in flaws(tmp_path / "q.json", pairs(said("A kettle speaks cantonese.")))


def test_a_noun_behind_a_preposition_wants_the_article_it_has_elsewhere(tmp_path: Path) -> None:
    pytest.importorskip("lemminflect")
    bare = said("A kettle is used by teacher.")
    assert "no_article" not in flaws(tmp_path / "few.json", pairs(bare))
    others = [
        PAIR | said(f"A kettle is used {how}.")
        for how in ("by a teacher", "with a teacher", "by your teacher", "for the teacher")
    ]
    rows = pairs(bare) + [one | {"idx": 10 + place} for place, one in enumerate(others)]
    assert "no_article" in flaws(tmp_path / "many.json", rows)


def test_a_row_that_is_no_pair_goes_by_its_place(tmp_path: Path) -> None:
    rows = pairs({})
    path = tmp_path / "p.json"
    path.write_text(json.dumps([rows[0], "x", None, *rows[1:], {**rows[1], "idx": None}]))
    found = {
        (one["idx"], one["kind"]): one["message"] for one in check_adept(path).as_json()["problems"]
    }
    assert found[-2, "broken_row"] == "row 2, line 1: not a JSON object"
    assert found[-3, "broken_row"] == "row 3, line 1: not a JSON object"
    assert (-9, "bad_idx") in found


def test_labels_that_cannot_be_peoples_are_named(tmp_path: Path) -> None:
    rows = [PAIR | {"idx": place, "label": 4} for place in range(30)]
    assert "one_label" in flaws(tmp_path / "one.json", rows)
    shifted = [PAIR | {"idx": place, "label": 3 if place % 4 else 1} for place in range(30)]
    assert "labels_shifted" in flaws(tmp_path / "shifted.json", shifted)


def test_an_array_that_breaks_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "p.json"
    path.write_text('[\n{"a": 1}\n{"a": 2, "a": 3},\n{"a": \n{"a": 4},\n', encoding="utf-8")
    records = written_records(path)
    assert [one.fields for one in records if one.fields] == [{"a": 1}, {"a": 3}, {"a": 4}]
    assert [one.repeated for one in records if one.fields][1] == ("a",)
    flawed = [(one.line, one.flaw) for one in records if one.fields is None]
    assert flawed[0] == (2, "no comma after it, so the rest is not valid JSON")
    assert flawed[-1][1] == "the array has no end"


def test_half_of_a_surrogate_pair_becomes_a_sign_no_text_has(tmp_path: Path) -> None:
    path = tmp_path / "pairs.json"
    path.write_text('[{"idx": 1, "noun": "\\ud800x", "\\udc00": "\\ud83d\\ude00"}]')
    (record,) = written_records(path)
    assert record.fields == {
        "idx": 1,
        "noun": "\N{REPLACEMENT CHARACTER}x",
        "\N{REPLACEMENT CHARACTER}": "\N{GRINNING FACE}",
    }


@pytest.mark.parametrize("name", ["pairs.json", "pairs.jsonl"])
def test_what_is_nested_too_deeply_is_one_record_with_a_flaw(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("[" * 100_000)
    assert [one.flaw for one in written_records(path)] == ["nested too deeply"]
    path.write_text('{"a":' * 100_000)
    if name == "pairs.json":
        with pytest.raises(TableError, match="nested more deeply"):
            written_records(path)
