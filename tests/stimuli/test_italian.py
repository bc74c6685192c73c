"""Italian words are never inflected by English rules: by a list with genders, or not at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from plausibly.cli import run
from plausibly.errors import StudyError, TableError
from plausibly.stimuli.italian import ItalianNouns, read_italian_nouns
from plausibly.verbs.build import build

TABLE = pl.DataFrame({"noun": ["mela", "uomo", "zaino"], "verb": ["cadere"] * 3})


def text_of(template: str, **options: Any) -> list[str]:
    made = build("custom", table=TABLE, templates=[{"text": template}], language="it", **options)
    texts: list[str] = made.items["text"].to_list()
    return texts


@pytest.mark.parametrize("form", ["a", "plural", "s", "the", "the_plural"])
def test_forms_without_a_list_are_refused(form: str) -> None:
    column = "verb" if form == "s" else "noun"
    with pytest.raises(StudyError, match=f"':{form}' is not made in the language 'it'"):
        text_of(f"{{{column}:{form}}} cade.")


def test_words_as_they_stand_are_taken() -> None:
    assert text_of("{noun} cade.")[0] == "mela cade."
    assert text_of("{noun:cap} cade.")[0] == "Mela cade."


def test_listed_nouns_have_article_and_plural(tmp_path: Path) -> None:
    path = tmp_path / "nouns.csv"
    path.write_text("noun,gender\nmela,f\nuomo,m\nzaino,m\n", encoding="utf-8")
    assert text_of("{noun:a} cade.", nouns=path) == [
        "una mela cade.",
        "un uomo cade.",
        "uno zaino cade.",
    ]
    assert text_of("{noun:plural} cadono.", nouns=path) == [
        "mele cadono.",
        "uomini cadono.",
        "zaini cadono.",
    ]
    with pytest.raises(StudyError, match="':s' is not made"):
        text_of("{noun:a} {verb:s(noun)}.", nouns=path)


def test_a_noun_that_is_not_listed_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "nouns.csv"
    path.write_text("noun,gender\nmela,f\n", encoding="utf-8")
    with pytest.raises(StudyError, match="gender of the noun 'uomo' is not known"):
        text_of("{noun:a} cade.", nouns=path)
    path.write_text("noun,gender\nmela,x\n", encoding="utf-8")
    with pytest.raises(TableError, match="neither m nor f"):
        read_italian_nouns(path)


@pytest.mark.parametrize(
    ("noun", "gender", "plural"),
    [
        *(("gatto", "m", "gatti"), ("cane", "m", "cani"), ("chiave", "f", "chiavi")),
        *(("banca", "f", "banche"), ("bottega", "f", "botteghe"), ("ciliegia", "f", "ciliegie")),
        *(("provincia", "f", "province"), ("figlio", "m", "figli"), ("amico", "m", "amici")),
        *(("fungo", "m", "funghi"), ("collega", "m", "colleghi"), ("bar", "m", "bar")),
        *(("virtù", "f", "virtù"), ("tesi", "f", "tesi"), ("problema", "m", "problemi")),
        *(("foto", "f", "foto"), ("radio", "f", "radio"), ("mano", "f", "mani")),
        *(("serie", "f", "serie"), ("moglie", "f", "mogli"), ("gru", "f", "gru")),
        *(("dialogo", "m", "dialoghi"), ("biologo", "m", "biologi"), ("sindaco", "m", "sindaci")),
        *(("cinema", "m", "cinema"), ("rosa", "f", "rose"), ("mormorio", "m", "mormorii")),
    ],
)
def test_plurals_by_rule_and_exception(noun: str, gender: str, plural: str) -> None:
    assert ItalianNouns({noun: gender}, {}).plural(noun) == plural


def test_adept_in_italian_says_that_no_option_helps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "c.csv").write_text("relation,head,dependent,count\namod,a,b,1\n", encoding="utf-8")
    files = ["--counts", str(tmp_path / "c.csv"), "--conceptnet", str(tmp_path / "c.csv")]
    given = [
        "build",
        "adept",
        *files,
        "--language",
        "it",
        "--seed",
        "1",
        "-o",
        str(tmp_path / "out"),
    ]
    assert run(given) == 1
    assert "it is built in English alone" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("noun", "gender", "one", "many"),
    [
        *(("amica", "f", "l'amica", "le amiche"), ("iena", "f", "la iena", "le iene")),
        *(("albero", "m", "l'albero", "gli alberi"), ("hotel", "m", "l'hotel", "gli hotel")),
        *(("studente", "m", "lo studente", "gli studenti"), ("zio", "m", "lo zio", "gli zii")),
        *(("psicologo", "m", "lo psicologo", "gli psicologi"), ("dio", "m", "il dio", "gli dei")),
        *(("gnomo", "m", "lo gnomo", "gli gnomi"), ("iato", "m", "lo iato", "gli iati")),
        *(("cane", "m", "il cane", "i cani"), ("sole", "m", "il sole", "i soli")),
        *(("uovo", "m", "l'uovo", "le uova"), ("braccio", "m", "il braccio", "le braccia")),
        *(("uomo", "m", "l'uomo", "gli uomini"), ("mano", "f", "la mano", "le mani")),
    ],
)
def test_the_definite_article_goes_by_gender_and_sound(
    noun: str, gender: str, one: str, many: str
) -> None:
    nouns = ItalianNouns({noun: gender}, {})
    assert nouns.definite(noun) == one
    assert nouns.definite(noun, many=True) == many


def test_an_article_is_not_cut_before_a_glide() -> None:
    assert ItalianNouns({"iena": "f"}, {}).phrase("iena") == "una iena"


@pytest.mark.parametrize(
    ("adjective", "noun", "one", "many"),
    [
        *(("maturo", "mela", "matura", "mature"), ("verde", "mela", "verde", "verdi")),
        *(("bianco", "uovo", "bianco", "bianche"), ("vecchio", "uomo", "vecchio", "vecchi")),
        *(("grigio", "mela", "grigia", "grigie"), ("antico", "uomo", "antico", "antichi")),
        *(("blu", "mela", "blu", "blu"), ("egoista", "uomo", "egoista", "egoisti")),
    ],
)
def test_adjectives_agree_with_their_noun(adjective: str, noun: str, one: str, many: str) -> None:
    nouns = ItalianNouns({"mela": "f", "uovo": "m", "uomo": "m"}, {})
    assert nouns.like(adjective, noun) == one
    assert nouns.like(adjective, noun, many=True) == many


def test_templates_ask_for_all_of_it(tmp_path: Path) -> None:
    path = tmp_path / "nouns.csv"
    path.write_text("noun,gender\nmela,f\nuomo,m\nzaino,m\n", encoding="utf-8")
    told = text_of("{noun:the} e {noun:the_plural}.", nouns=path)
    assert told == ["la mela e le mele.", "l'uomo e gli uomini.", "lo zaino e gli zaini."]
    table = pl.DataFrame({"noun": ["mela", "zaino"], "word": ["rosso", "vuoto"]})
    text = "{noun:the_plural} {word:like_plural(noun)}, {noun:a} {word:like(noun)}"
    made = build("custom", table=table, templates=[{"text": text}], language="it", nouns=str(path))
    assert made.items["text"].to_list() == [
        "le mele rosse, una mela rossa",
        "gli zaini vuoti, uno zaino vuoto",
    ]
    with pytest.raises(StudyError, match=r"does not say which noun. Write .adjective:like.noun"):
        text_of("{noun:like} cade.", nouns=path)
    english: dict[str, Any] = {
        "table": table.with_columns(noun=pl.Series(["owl", "box"])),
        "language": "en",
    }
    made = build("custom", templates=[{"text": "{noun:the}, {noun:the_plural}"}], **english)
    assert made.items["text"].to_list() == ["the owl, the owls", "the box, the boxes"]
