"""Words are looked up in the language of their item; where nothing shows it, nothing is assumed."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import plausibly as pb
from plausibly.errors import StudyError

ENGLISH = ["The dog eats the bone.", "The child reads the book."]
ITALIAN = ["Il cane mangia un osso.", "La bambina legge un libro."]


def events(texts: list[str], language: str | None = None) -> pl.DataFrame:
    """Return two items of two conditions for each text."""
    rows = [
        {"item": f"{language}{number}{condition}", "text": text, "condition": condition}
        for number, text in enumerate(texts)
        for condition in ("odd", "plain")
    ]
    column = {} if language is None else {"language": pl.lit(language)}
    return pl.DataFrame(rows).with_columns(**column)


def test_partners_share_a_language_in_which_their_words_are_looked_up() -> None:
    both = pl.concat([events(ENGLISH, "en"), events(ITALIAN, "it")])
    built = pb.build_match(both, match=["frequency:0.01"], seed=1)
    assert built.items.height == both.height
    assert built.items.group_by("match").agg(pl.col("language").n_unique())["language"].max() == 1
    alone = pb.build_match(events(ITALIAN, "it"), match=["frequency:0.01"], seed=1)
    zipf = dict(alone.items.select("item", "zipf").iter_rows())
    assert {item: dict(built.items.select("item", "zipf").iter_rows())[item] for item in zipf} == (
        zipf
    )
    assert set(built.built.documents["balance.json"]["languages"]) == {"en", "it"}
    assert not [name for name in built.items.columns if name.startswith("__")]


def test_a_language_that_nobody_names_is_recognised_and_reported() -> None:
    named = pb.build_match(events(ITALIAN), match=["frequency:0.01"], language="it", seed=1)
    found = pb.build_match(events(ITALIAN), match=["frequency:0.01"], seed=1)
    assert found.items.equals(named.items)
    assert "language: it, by the words of the texts" in found.talk[0]
    own = pb.build_custom(events(ITALIAN))
    assert any("language: it" in note for note in own.talk)


def test_items_whose_language_nothing_shows_are_refused_where_words_are_looked_up() -> None:
    strange = events(["Zzq vvx.", "Qqv zzx."])
    with pytest.raises(StudyError, match=r"needs the language of the items.*column language"):
        pb.build_match(strange, match=["frequency:0.3"], seed=1)
    built = pb.build_match(strange, match=["length:1"], seed=1)
    assert "not known for 4 items" in built.talk[0]
    notes = built.built.documents["balance.json"]["notes"]
    assert notes == ["No frequency list was given; frequency is left out."]


def test_forms_of_words_follow_the_language_of_rows_or_are_refused() -> None:
    template = [{"text": "{agent} {verb:s(agent)} un libro."}]
    rows = pl.DataFrame({"agent": ["la donna", "il cane"], "verb": ["leggere", "mangiare"]})
    made = pb.build_custom(rows, templates=template)
    assert made.items["text"].to_list() == ["la donna legge un libro.", "il cane mangia un libro."]
    strange = pl.DataFrame({"agent": ["zzq"], "verb": ["vvx"]})
    with pytest.raises(StudyError, match="the form of a word needs the language"):
        pb.build_custom(strange, templates=[{"text": "{agent} {verb:s(agent)}."}])
    both = rows.with_columns(language=pl.Series(["en", "it"]))
    with pytest.raises(StudyError, match="several languages"):
        pb.build_custom(both, templates=template)
    plain = pb.build_custom(strange, templates=[{"text": "{agent} {verb}."}])
    assert plain.items["text"].to_list() == ["zzq vvx."]


@pytest.mark.parametrize(("sentences", "spoken"), [(ENGLISH, "en"), (ITALIAN, "it")])
def test_stories_are_checked_and_built_in_the_language_of_their_words(
    tmp_path: Path, sentences: list[str], spoken: str
) -> None:
    actor, thing = sentences[0].split()[1], sentences[0].split()[-1].strip(".")
    told = [sentences[0], *(f"{one[:-1]} {number}." for number, one in enumerate(sentences * 2))]
    story = {"story_id": 1, "actor": actor, "objects": thing, "sentences": told}
    file = tmp_path / "stories.jsonl"
    file.write_text(json.dumps(story) + "\n", encoding="utf-8")
    note = f"language: {spoken}, by the words of the texts"
    checked = pb.check_gita(file)
    assert note in checked.talk[0]
    assert checked.findings.equals(pb.check_gita(file, language=spoken).findings)
    assert note in pb.build_gita(file).talk[0]
    file.write_text(json.dumps(story | {"language": "en"}) + "\n", encoding="utf-8")
    assert note not in pb.check_gita(file).talk[0]


def test_stories_whose_language_nothing_shows_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "stories.jsonl"
    file.write_text(json.dumps({"sentences": ["Zzq vvx.", "Qqv zzx."]}), encoding="utf-8")
    with pytest.raises(StudyError, match="language"):
        pb.check_gita(file)
