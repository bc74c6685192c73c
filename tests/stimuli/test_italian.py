"""Italian words are never inflected by English rules: by a list with genders, or not at all."""

from __future__ import annotations

import gzip
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from plausibly.cli import run
from plausibly.datasets.lexica.italian import (
    ItalianNouns,
    gender_by_ending,
    read_italian_nouns,
)
from plausibly.datasets.lexica.italian_forms import adjectives_in, italian_forms
from plausibly.datasets.lexica.italian_verbs import guesses, third_person
from plausibly.errors import StudyError, TableError
from plausibly.stimuli.custom import filled
from plausibly.verbs.build import build

TABLE = pl.DataFrame({"noun": ["mela", "uomo", "zaino"], "verb": ["cadere"] * 3})


def text_of(template: str, **options: Any) -> list[str]:
    made = build("custom", table=TABLE, templates=[{"text": template}], language="it", **options)
    texts: list[str] = made.items["text"].to_list()
    return texts


@pytest.mark.parametrize("form", ["a", "plural", "the", "the_plural"])
def test_forms_without_a_list_are_refused(form: str) -> None:
    with pytest.raises(StudyError, match=f"':{form}' needs the gender of nouns"):
        text_of(f"{{noun:{form}}} cade.")


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
    assert text_of("{noun:a} {verb:s(noun)}.", nouns=path)[0] == "una mela cade."
    assert text_of("{noun} {verb:s}.")[0] == "mela cade."


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
        *(("ufo", "m", "ufo"), ("zombie", "m", "zombie"), ("smartphone", "m", "smartphone")),
        *(("garage", "m", "garage"), ("logo", "m", "loghi"), ("austriaco", "m", "austriaci")),
        *(("zoo", "m", "zoo"), ("équipe", "f", "équipe"), ("città", "f", "città")),
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
    assert "it can be built only in English" in capsys.readouterr().err


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
        *(("chef", "m", "lo chef", "gli chef"), ("charter", "m", "il charter", "i charter")),
        *(("ftalato", "m", "lo ftalato", "gli ftalati"), ("ct", "m", "il ct", "i ct")),
    ],
)
def test_the_definite_article_goes_by_gender_and_sound(
    noun: str, gender: str, one: str, many: str
) -> None:
    nouns = ItalianNouns({noun: gender}, {})
    assert nouns.definite(noun) == one
    assert nouns.definite(noun, many=True) == many


@pytest.mark.parametrize(
    ("noun", "gender", "phrases"),
    [
        ("SMS", "m", "l'SMS, un SMS, bell'SMS"),
        ("FBI", "m", "l'FBI, un FBI, bell'FBI"),
        ("NBA", "f", "l'NBA, un'NBA, bella NBA"),
        ("IA", "f", "l'IA, un'IA, bella IA"),
        ("HTML", "m", "l'HTML, un HTML, bell'HTML"),
        ("PNRR", "m", "il PNRR, un PNRR, bel PNRR"),
        ("TSO", "m", "il TSO, un TSO, bel TSO"),
        ("SPID", "m", "lo SPID, uno SPID, bello SPID"),
        ("LED", "m", "il LED, un LED, bel LED"),
        ("GNOMO", "m", "lo GNOMO, uno GNOMO, bello GNOMO"),
    ],
)
def test_an_article_hears_the_letters_of_an_acronym_that_is_spelt(
    noun: str, gender: str, phrases: str
) -> None:
    nouns = ItalianNouns({noun: gender}, {})
    described = nouns.before("bello", noun)
    described += noun if described.endswith("'") else f" {noun}"
    assert ", ".join((nouns.definite(noun), nouns.phrase(noun), described)) == phrases


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
    with pytest.raises(StudyError, match=r"does not name its noun. Write .adjective:like.noun"):
        text_of("{noun:like} cade.", nouns=path)
    english: dict[str, Any] = {
        "table": table.with_columns(noun=pl.Series(["owl", "box"])),
        "language": "en",
    }
    made = build("custom", templates=[{"text": "{noun:the}, {noun:the_plural}"}], **english)
    assert made.items["text"].to_list() == ["the owl, the owls", "the box, the boxes"]


# Written out by hand, not derived: what a grammar has for a, di, da, in and su before each noun.
CONTRACTED = {
    ("m", "al del dal nel sul"): "gatto libro fiume ferro cane",
    ("m", "allo dello dallo nello sullo"): "zaino studente gnomo scoglio psicologo yogurt xilofono",
    ("m", "all' dell' dall' nell' sull'"): "albero orologio uovo hotel",
    ("f", "all' dell' dall' nell' sull'"): "isola erba",
    ("f", "alla della dalla nella sulla"): "casa zia scuola mano moto psiche iena",
}


GENDERS = {noun: gender for (gender, _), some in CONTRACTED.items() for noun in some.split()}
GENDERS |= {"amico": "m", "oro": "m", "mela": "f", "idea": "f", "amica": "f", "ora": "f"}


@pytest.mark.parametrize("place", range(5))
def test_a_preposition_joins_the_article_of_every_noun(place: int) -> None:
    preposition = ("a", "di", "da", "in", "su")[place]
    assert sum(len(some.split()) for some in CONTRACTED.values()) == 25
    nouns = ItalianNouns(GENDERS, {})
    for (_, joined), some in CONTRACTED.items():
        for noun in some.split():
            before = joined.split()[place]
            wanted = f"Pensa {before}{'' if before.endswith(APOSTROPHE) else ' '}{noun}."
            assert filled(f"Pensa {preposition} {{noun:the}}.", {"noun": noun}, nouns) == wanted


APOSTROPHE = "'"


@pytest.mark.parametrize(
    ("template", "text"),
    [
        *(("A {noun:the} piace.", "Allo gnomo piace."), ("con {noun:the}", "con lo gnomo")),
        *(("«Di {noun:the}»", "«Dello gnomo»"), ("(a {noun:the})", "(allo gnomo)")),
        *(("per {noun:the}", "per lo gnomo"), ("di {noun:the_plural}", "degli gnomi")),
        *(("di {noun:a}", "di uno gnomo"), ("di {noun:the(size)}", "del grande gnomo")),
        *(("casa {noun:the}", "casa lo gnomo"), ("di {noun}", "di gnomo")),
    ],
)
def test_only_prepositions_before_a_definite_article_are_joined(template: str, text: str) -> None:
    row = {"noun": "gnomo", "size": "grande"}
    assert filled(template, row, ItalianNouns(GENDERS, {})) == text


@pytest.mark.parametrize(
    ("adjective", "noun", "one", "many"),
    [
        *(("bello", "cane", "il bel cane", "i bei cani"),),
        *(("bello", "zaino", "il bello zaino", "i begli zaini"),),
        *(("bello", "amico", "il bell'amico", "i begli amici"),),
        *(("bello", "mela", "la bella mela", "le belle mele"),),
        *(("buono", "amico", "il buon amico", "i buoni amici"),),
        *(("buono", "gnomo", "il buono gnomo", "i buoni gnomi"),),
        *(("altro", "cane", "l'altro cane", "gli altri cani"),),
        *(("stesso", "idea", "la stessa idea", "le stesse idee"),),
        *(("vecchio", "albero", "il vecchio albero", "i vecchi alberi"),),
    ],
)
def test_an_adjective_before_its_noun_has_its_form_and_the_article(
    adjective: str, noun: str, one: str, many: str
) -> None:
    row, nouns = {"noun": noun, "word": adjective}, ItalianNouns(GENDERS, {})
    assert filled("{noun:the(word)}", row, nouns) == one
    assert filled("{noun:the_plural(word)}", row, nouns) == many


def test_a_word_that_points_has_the_forms_of_an_article() -> None:
    nouns, row = ItalianNouns(GENDERS, {}), {"word": "quello"}
    made = [
        filled("{word:before(noun)} {noun}", {**row, "noun": noun}, nouns)
        for noun in ("cane", "zaino", "amico", "mela", "amica")
    ]
    assert made == ["quel cane", "quello zaino", "quell'amico", "quella mela", "quell'amica"]


def test_forms_before_a_noun_follow_the_article() -> None:
    genders = {"hostess": "f", "hotel": "m", "dio": "m", "tsunami": "m"}
    nouns = ItalianNouns(genders, {})
    singular = [(nouns.definite(noun), nouns.before("quello", noun)) for noun in genders]
    plural = [
        (nouns.definite(noun, many=True), nouns.before("quello", noun, many=True))
        for noun in genders
    ]
    assert singular == [
        ("la hostess", "quella"),
        ("l'hotel", "quell'"),
        ("il dio", "quel"),
        ("lo tsunami", "quello"),
    ]
    assert plural == [
        ("le hostess", "quelle"),
        ("gli hotel", "quegli"),
        ("gli dei", "quegli"),
        ("gli tsunami", "quegli"),
    ]


@pytest.mark.data
def test_italian_verbs_of_the_treebanks_have_their_form(data_folder: Path) -> None:
    forms: dict[str, Counter[str]] = {}
    wanted = {"Mood=Ind", "Number=Sing", "Person=3", "Tense=Pres"}
    for name in ("it_partut-ud-train", "it_partut-ud-dev", "it_isdt-ud-dev"):
        with gzip.open(data_folder / "ud" / f"{name}.conllu.gz", "rt", encoding="utf-8") as lines:
            for cells in (line.split("\t") for line in lines):
                if (
                    len(cells) == 10
                    and cells[3] in ("VERB", "AUX")
                    and wanted <= {*cells[5].split("|")}
                ):
                    forms.setdefault(cells[2].lower(), Counter())[cells[1].lower()] += 1
    right = [third_person(verb) == seen.most_common(1)[0][0] for verb, seen in forms.items()]
    assert len(right) > 250
    assert sum(right) / len(right) >= 0.95
    assert guesses(forms) == []


def test_forms_of_another_word_are_not_taken_for_nouns() -> None:
    nouns = {"gatto": 9, "gatti": 2, "amica": 4, "amiche": 1, "sole": 7, "crisi": 5, "limite": 3}
    tags = pl.DataFrame(
        [(word, count, 0) for word, count in nouns.items()]
        + [("stressati", 3, 0), ("soldato", 2, 0), ("stressare", 0, 1)],
        schema=["word", "noun", "verb"],
        orient="row",
    )
    is_form = italian_forms(tags, None)
    assert [word for word in tags["word"] if is_form(word, "noun")] == [
        "gatti",
        "amiche",
        "stressati",
    ]
    assert not is_form("stressati", "verb")
    counts = pl.DataFrame(
        {
            "relation": ["amod", "nsubj", "amod"],
            "head": ["piano", "parlare", "critico"],
            "dependent": ["ultimo", "ultimo", "critico"],
            "count": [3, 1, 1],
        }
    )
    assert adjectives_in(counts) == {"ultimo"}
    assert italian_forms(tags, None, adjectives_in(counts))("ultimo", "noun")


@pytest.mark.parametrize("form", ["a", "the", "the_plural"])
def test_a_determiner_does_not_follow_an_article(form: str) -> None:
    nouns, row = ItalianNouns({"cane": "m"}, {}), {"word": "quello", "noun": "cane"}
    with pytest.raises(StudyError, match=r"'quello' takes the place of an article"):
        filled(f"{{noun:{form}(word)}}", row, nouns)


def test_saints_have_the_form_their_name_asks_for() -> None:
    men = dict.fromkeys(("Pietro", "Antonio", "Stefano", "Zeno", "uomo", "SUV"), "m")
    nouns = ItalianNouns(men | dict.fromkeys(("Maria", "Anna"), "f"), {})
    made = [
        filled("{word:before(noun)} {noun}", {"word": "santo", "noun": noun}, nouns)
        for noun in nouns.genders
    ]
    assert made == [
        *("san Pietro", "sant'Antonio", "santo Stefano", "san Zeno", "santo uomo"),
        *("santo SUV", "santa Maria", "sant'Anna"),
    ]


@pytest.mark.parametrize(
    ("gender", "nouns"),
    [
        ("f", "norma riforma forma firma somma trama stima opinione unione gestione alluvione"),
        ("f", "canzone salute frase fonte pista vista rivista percentuale immagine automobile"),
        ("m", "problema sistema programma clima diploma panorama trauma enigma dilemma fantasma"),
        ("m", "campione leone milione artista animale stile fiume bastone giornale padrone"),
    ],
)
def test_genders_follow_the_ending_or_the_list_of_exceptions(gender: str, nouns: str) -> None:
    assert {noun: gender_by_ending(noun) for noun in nouns.split()} == dict.fromkeys(
        nouns.split(), (gender, False)
    )


def test_verbs_that_fill_and_forbid_are_not_guessed() -> None:
    verbs = ["riempire", "interdire", "conferire", "interagire", "rifinire"]
    verbs += ["fuoriuscire", "trasparire", "indire", "ridire"]
    assert guesses(verbs) == []
    assert [third_person(verb) for verb in verbs] == [
        *("riempie", "interdice", "conferisce", "interagisce", "rifinisce"),
        *("fuoriesce", "traspare", "indice", "ridice"),
    ]


@pytest.mark.parametrize("form", ["a", "the", "plural", "s", "like(verb)"])
def test_forms_of_a_third_language_are_refused_with_what_to_do(form: str) -> None:
    with pytest.raises(StudyError, match="made in English and Italian, not in the language 'de'"):
        build("custom", table=TABLE, templates=[{"text": f"{{noun:{form}}}"}], language="de")


def test_a_capital_is_made_in_any_language() -> None:
    table = pl.DataFrame({"noun": ["öl", "haus"]})
    made = build("custom", table=table, templates=[{"text": "{noun:cap}!"}], language="de")
    assert made.items["text"].to_list() == ["Öl!", "Haus!"]


def test_a_list_of_italian_nouns_is_not_read_for_other_languages(tmp_path: Path) -> None:
    nouns = tmp_path / "nouns.csv"
    nouns.write_text("noun,gender\nmela,f\n", encoding="utf-8")
    with pytest.raises(StudyError, match="lists Italian nouns, but the words are in the language"):
        build("custom", table=TABLE, templates=[{"text": "{noun:a}"}], language="en", nouns=nouns)


def test_verbs_whose_ending_looks_regular_are_not_made_by_rule() -> None:
    forms = {
        "asservire": "asservisce",
        "bipartire": "bipartisce",
        "tossire": "tossisce",
        "sbollire": "sbollisce",
        "soprassedere": "soprassiede",
        "torrefare": "torrefà",
        "rivolere": "rivuole",
        "sottrarsi": "si sottrae",
        "distrarsi": "si distrae",
        "incontrarsi": "si incontra",
    }
    assert {verb: third_person(verb) for verb in forms} == forms
    assert guesses(forms) == []


def test_ciascuno_is_cut_where_uno_is() -> None:
    nouns = ItalianNouns(dict.fromkeys(("cane", "amico", "zaino"), "m"), {})
    made = [nouns.before("ciascuno", noun) for noun in nouns.genders]
    assert made == ["ciascun", "ciascun", "ciascuno"]


def test_a_guessed_verb_of_a_template_is_reported() -> None:
    table = pl.DataFrame({"noun": ["Ugo", "Ada"], "verb": ["sbollentire", "mangiare"]})
    made = build("custom", table=table, templates=[{"text": "{noun} {verb:s}."}], language="it")
    assert [note for note in made.notes if "guess" in note] == [
        "1 verb not in our lists, so the form is a guess: sbollentire. Read these items."
    ]
