"""GITA stories as the paper prints them, judgements of single sentences, and opposites."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plausibly.datasets.gita.stories import read_stories, story_of
from plausibly.datasets.lexica.italian import ItalianNouns
from plausibly.errors import TableError
from plausibly.stimuli.gita.opposites import opposed
from plausibly.verbs.build.gita import build_gita
from plausibly.verbs.check import check_gita

PRINTED = """{
  "0-C0": {
    "story_id": 0, "worker_id": "GAP", "type": "cloze", "idx": 0, "aug": false, "actor": "Ada",
    "location": "cucina",
    "objects": "frigo , latte ,
               tazza",
    "sentences": ["Ada ha chiuso il frigo", ".", "Ada ha preso il latte", "dal frigo.",
      "Ada ha preso la tazza", ".", "Ada ha lavato", "la tazza.", "Ada ha messo il",
      "latte nella tazza", "."],
    "length": 5, "example_id": "0-C0", "plausible": false, "breakpoint": 1,
    "conflict_sents": [0], "conflict_pairs": [0, 1]
  },
  "0": {
    "story_id": 0, "worker_id": "GAP", "type": null, "idx": null, "aug": false, "actor": "Ada",
    "location": "cucina", "objects": "frigo , latte , tazza",
    "sentences": ["Ada ha aperto il frigo.", "Ada ha preso il latte dal frigo.",
      "Ada ha preso la tazza.", "Ada ha lavato la tazza.", "Ada ha messo il latte nella tazza."],
    "length": 5, "example_id": "0", "plausible": true, "breakpoint": -1,
    "conflict_sents": "", "conflict_pairs": ""
  }
}"""


def test_stories_as_the_paper_prints_them_are_read_with_the_names_of_its_appendix(
    tmp_path: Path,
) -> None:
    file = tmp_path / "printed.json"
    file.write_text(PRINTED, encoding="utf-8")
    broken, plausible = read_stories(file)
    assert broken.sentences[0] == "Ada ha chiuso il frigo."
    assert broken.sentences[1:] == plausible.sentences[1:]
    assert (broken.conflict, broken.breakpoint) == (0, 1)
    assert broken.objects == ("frigo", "latte", "tazza")
    items = build_gita(file).items
    assert items.filter(item="0-C0").select("conflict", "breakpoint").row(0) == (0, 1)
    assert set(check_gita(file).findings["kind"]) == {"missing_field"}


def test_pieces_are_joined_only_where_there_are_more_than_the_story_is_long() -> None:
    told = [" Ada apre il frigo.", "Ada prende il latte. Beve."]
    assert story_of({"sentences": told, "length": 2}).sentences == tuple(told)


def test_judgements_of_single_sentences_leave_stories_out(tmp_path: Path) -> None:
    file, read = tmp_path / "printed.json", tmp_path / "read.csv"
    file.write_text(PRINTED, encoding="utf-8")
    rows = [("Ada ha chiuso il frigo.", "no"), ("Ada ha chiuso il frigo.", "no")]
    rows += [("Ada ha chiuso il frigo.", "sì"), ("Ada ha preso la tazza.", "yes")]
    rows += [("Ada ha lavato la tazza.", ""), ("Ada ha aperto il frigo.", "no")]
    rows += [("Ada ha aperto il frigo.", "yes")]
    pl.DataFrame(rows, schema=["text", "answer"], orient="row").write_csv(read)
    built = build_gita(file, alone=read)
    assert built.ledger.filter(rule="implausible_alone")["candidate"].to_list() == ["0|0-C0"]
    assert "0-C0" not in built.items["item"]
    assert built.built.tables["reading"]["text"].to_list() == [
        "Ada ha aperto il frigo.",
        "Ada ha preso il latte dal frigo.",
        "Ada ha lavato la tazza.",
        "Ada ha messo il latte nella tazza.",
    ]
    read.write_text("text,answer\nx,maybe\n")
    with pytest.raises(TableError, match="neither yes nor no"):
        build_gita(file, alone=read)


@given(st.sampled_from(["il", "lo", "la", "l'", "i", "gli", "le"]), st.sampled_from("abcd"))
def test_a_preposition_follows_the_opposite_and_keeps_its_article(article: str, end: str) -> None:
    gap = "" if article.endswith("'") else " "
    nouns = ItalianNouns({}, {})
    there = nouns.join("Ada toglie tutto da ", f"{article}{gap}x{end}.")
    here = opposed(there, "toglie", "mette", lang="it")
    assert here == nouns.join("Ada mette tutto in ", f"{article}{gap}x{end}.")
    assert opposed(here, "mette", "toglie", lang="it") == there


def test_a_preposition_stays_where_the_verbs_do_not_ask_for_another() -> None:
    same = opposed("Ada accende la luce dal letto.", "accende", "spegne", lang="it")
    assert same == "Ada spegne la luce dal letto."
    idiom = opposed("Ada mette in moto l'auto.", "mette", "toglie", lang="it")
    assert idiom == "Ada toglie in moto l'auto."


@pytest.mark.parametrize(
    ("there", "here", "lang"),
    [
        ("Ada mette la pentola sul fuoco.", "Ada toglie la pentola dal fuoco.", "it"),
        ("Ada mette la panna sulla torta.", "Ada toglie la panna dalla torta.", "it"),
        ("Ada puts the cup on the table.", "Ada takes the cup from the table.", "en"),
        ("Ada puts the books in order.", "Ada takes the books in order.", "en"),
    ],
)
def test_what_is_put_on_a_thing_is_taken_from_it(there: str, here: str, lang: str) -> None:
    pair = {"it": ("mette", "toglie"), "en": ("puts", "takes")}[lang]
    assert opposed(there, *pair, lang=lang) == here
