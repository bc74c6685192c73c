"""GITA: actors and entities of sentences, stories told with another actor, translations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from plausibly.datasets.gita.stories import read_stories, story_of
from plausibly.errors import StudyError
from plausibly.ratings.collection import collection_form
from plausibly.ratings.served import read_contents
from plausibly.stimuli.gita.augmentation import augmented
from plausibly.stimuli.gita.entities import entities
from plausibly.study import PROTOCOLS
from plausibly.verbs.build.gita import build_gita

TEA = [
    *("Ada ha aperto la scatola.", "Ha preso una bustina dalla scatola.", "La tazza è vuota."),
    *("Ada ha messo la bustina nella tazza.", "Ada ha chiesto ad Ada l'acqua."),
]
IN_ENGLISH = [
    *("Ada opened the box.", "She took a bag from the box.", "The cup is empty."),
    *("Ada put the bag into the cup.", "Ada asked Ada for water."),
]
STORY = {
    "story_id": 4,
    "actor": "Ada",
    "objects": "scatola, bustina, tazza",
    "sentences": TEA,
    "translation": IN_ENGLISH,
    "cloze": [
        {
            "replace": 0,
            "sentence": "Ada ha perso la scatola.",
            "translation": "Ada lost the box.",
            "conflict": 0,
            "breakpoint": 1,
            "state": "exist",
        }
    ],
}
OTHERS = [
    {"story_id": n, "actor": name, "objects": "luce", "sentences": [f"{name} {verb} la luce."] * 5}
    for n, (name, verb) in enumerate((("Rita", "accende"), ("Marco", "spegne")), start=5)
]


@pytest.fixture
def stories(tmp_path: Path) -> Path:
    path = tmp_path / "stories.jsonl"
    lines = [STORY, *({**one, "sentences": _varied(one["sentences"])} for one in OTHERS)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def _varied(sentences: Any) -> list[str]:
    places = ("in cucina", "in bagno", "in camera", "in cantina", "in soffitta")
    return [f"{one[:-1]} {place}." for one, place in zip(sentences, places, strict=True)]


def test_entities_and_actors_of_each_sentence_are_organised_for_annotation(stories: Path) -> None:
    built = build_gita(stories).built.tables["entities"]
    tea = built.filter(item="4").sort("sentence")
    assert tea["actors"].to_list() == ["Ada", "Ada", "", "Ada", "Ada"]
    assert tea["implied"].to_list() == [False, True, False, False, False]
    assert tea["objects"][3] == "bustina, tazza"
    assert tea["unlisted"].to_list() == ["", "", "", "", "acqua"]
    assert built.filter(item="4-C0").height == 5


def test_an_english_pronoun_stands_for_the_actor() -> None:
    fields = {"actor": "Tom", "objects": "cup", "sentences": ["He took the cup.", "It fell."]}
    found = entities({"0": story_of(fields)}, lang="en")
    assert found.select("actors", "implied").rows() == [("Tom", True), ("", False)]


def test_stories_are_augmented_with_names_of_the_same_gender(stories: Path, tmp_path: Path) -> None:
    build_gita(stories, augment=3).write(tmp_path / "out")
    copies = read_stories(tmp_path / "out" / "augmented.jsonl")
    assert {copy.fields["augmented_from"]: copy.actor for copy in copies} == {
        "4": "Rita",
        "4-C0": "Rita",
        "5": "Ada",
    }
    assert all(copy.fields["aug"] is True for copy in copies)
    retold = next(copy for copy in copies if copy.fields["augmented_from"] == "4-C0")
    assert (retold.conflict, retold.breakpoint, retold.state) == (0, 1, "exist")
    assert retold.sentences[4] == "Rita ha chiesto a Rita l'acqua."
    assert not any("Ada" in sentence for sentence in retold.sentences)
    items = pl.read_parquet(tmp_path / "out" / "items.parquet")
    assert not any("Rita" in text for text in items.filter(story="4")["text"])


def test_names_of_a_story_with_a_gendered_pronoun_stay_in_english() -> None:
    told = {"actor": "Tom", "sentences": ["Tom took his cup."], "story_id": 1}
    other = {"actor": "Ann", "sentences": ["Ann ran."], "story_id": 2}
    named = {"1": story_of(told), "2": story_of(other)}
    made = augmented(named, copies=1, lang="en")
    assert [(copy["augmented_from"], copy["sentences"]) for copy in made] == [("2", ["Tom ran."])]


def test_fewer_copies_than_none_are_refused(stories: Path) -> None:
    with pytest.raises(StudyError, match="augment"):
        build_gita(stories, augment=-1)


def test_a_translation_follows_its_sentence_into_variants_and_onto_the_page(
    stories: Path, tmp_path: Path
) -> None:
    build_gita(stories, swaps=1).write(tmp_path / "out")
    gita = PROTOCOLS["gita"]
    form = collection_form(gita, gita.sections["form"], where="gita", language="it")
    contents = read_contents(tmp_path / "out" / "items.parquet", form)
    assert contents["4"].translations == tuple(IN_ENGLISH)
    assert contents["4-C0"].translations[0] == "Ada lost the box."
    swapped = next(one for name, one in contents.items() if name.startswith("4-S"))
    pairs = dict(zip(swapped.sentences, swapped.translations, strict=True))
    assert pairs == dict(zip(TEA, IN_ENGLISH, strict=True))
    assert contents["5"].translations == ()
    assert "translations" not in contents["5"].as_json()


def test_only_names_of_one_person_are_exchanged() -> None:
    told = {
        "Marco": "Marco apre la porta.",
        "Paolo": "Paolo apre il frigo.",
        "Io": "Io apro la porta.",
        "Marco e Paolo": "Marco e Paolo aprono la porta.",
        "zio": "Lo zio apre la porta.",
    }
    named = {
        name: story_of({"story_id": n, "actor": name, "sentences": [text]}, row=n)
        for n, (name, text) in enumerate(told.items())
    }
    made = augmented(named, copies=3, lang="it")
    heard = sorted(copy["sentences"][0] for copy in made)
    assert heard == ["Marco apre il frigo.", "Paolo apre la porta."]
