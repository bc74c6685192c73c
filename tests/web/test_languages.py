"""One study in several languages: lists, draws, forms and pages keep to a person's own."""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from starlette.testclient import TestClient

from plausibly.errors import PlausiblyError, StudyError
from plausibly.tables import ITEMS
from plausibly.web.app import create_app
from plausibly.web.locale.texts import Texts
from plausibly.web.serve import languages_read
from plausibly.web.study import read_study
from serving import TOKEN
from worlds.served import Clock, study_folder

ITALIAN = """
instructions = ["Leggi ogni frase."]
consent = ["Acconsenti a partecipare."]
[questions.fits]
text = "Va bene?"
labels = ["sì", "no"]
"""


def study_of(path: Path, **ratings: Any) -> Path:
    rows = [
        {
            "item": f"g{g}-{c}-{language}",
            "text": f"{c} {g} ({language})",
            "item_group": f"g{g}",
            "condition": c,
            "language": language,
            "kind": "item",
            "expected": None,
        }
        for g, c, language in product(range(4), ("odd", "usual"), ("en", "it"))
    ]
    rows += [
        {"item": f"check-{one}", "text": one, "language": one, "kind": "check", "expected": "yes"}
        for one in ("en", "it")
    ]
    said = {"batch": 4, "quota": 4, "checks_per_batch": 1, "target": 2, **ratings}
    form = {"consent": ["You agree to take part."], "instructions": ["Read every sentence."]}
    folder = study_folder(
        path / "study",
        ITEMS.check(pl.DataFrame(rows, infer_schema_length=None)),
        {"ratings": said, "form": form},
        protocol="custom",
    )
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        file.write('[[form.questions]]\nid = "fits"\ntype = "choice"\n')
        file.write('options = ["yes", "no"]\ntext = "Does it fit?"\n')
    (folder / "form.it.toml").write_text(ITALIAN, encoding="utf-8")
    return folder


def join(client: TestClient, name: str, **more: str) -> dict[str, str]:
    query = f"?language={more['language']}" if more else ""
    version = client.get(f"/api/v1/consent{query}").json()["version"]
    sent = {"person": name, "source": "link", "consent": version, **more}
    answer = client.post("/api/v1/join", json=sent)
    assert answer.status_code == 200, answer.text
    return {"Authorization": f"Bearer {answer.json()['token']}"}


def shown(client: TestClient, headers: dict[str, str]) -> list[dict[str, Any]]:
    """Return all a person is shown, answering yes to everything."""
    seen: list[dict[str, Any]] = []
    while "item" in (one := client.get("/api/v1/next", headers=headers).json()):
        seen.append(one)
        sent = {"reservation": one["reservation"], "answers": {"fits": "yes"}, "key": one["item"]}
        assert client.post("/api/v1/answers", json=sent, headers=headers).status_code == 201
    return seen


@pytest.mark.parametrize("lists", ["", "latin"])
def test_a_person_stays_in_the_language_they_come_with_or_are_given_first(
    tmp_path: Path, lists: str
) -> None:
    folder = study_of(tmp_path, lists=lists)
    with TestClient(create_app(read_study(folder), token=TOKEN, clock=Clock())) as client:
        for number in range(4):
            language = ("en", "it")[number % 2]
            seen = shown(client, join(client, f"asked-{number}", language=language))
            assert len(seen) == 5
            assert {one["item"].rpartition("-")[2] for one in seen} == {language}
            text = {"en": "Does it fit?", "it": "Va bene?"}[language]
            assert {one["form"]["questions"][0]["text"] for one in seen} == {text}
        for number in range(4):
            seen = shown(client, join(client, f"any-{number}"))
            assert len({one["item"].rpartition("-")[2] for one in seen}) == 1


def test_a_language_the_study_does_not_have_is_refused(tmp_path: Path) -> None:
    with TestClient(create_app(read_study(study_of(tmp_path)), token=TOKEN)) as client:
        version = client.get("/api/v1/consent").json()["version"]
        sent = {"person": "p", "source": "link", "consent": version, "language": "fr"}
        answer = client.post("/api/v1/join", json=sent)
        assert answer.status_code == 422
        assert "en, it" in answer.text


def test_pages_follow_the_language_of_the_link(tmp_path: Path) -> None:
    with TestClient(create_app(read_study(study_of(tmp_path)), token=TOKEN)) as client:
        assert "You agree to take part." in client.get("/").text
        page = client.get("/?language=it").text
        assert "Acconsenti a partecipare." in page
        assert 'lang="it"' in page
        assert "Acconsenti a partecipare." in client.get("/").text  # the browser keeps it


def test_a_personal_link_opens_in_the_language_somebody_began_with(tmp_path: Path) -> None:
    app = create_app(read_study(study_of(tmp_path)), token=TOKEN, clock=Clock())
    with TestClient(app) as client:
        join(client, "ann", language="it")
        keys = app.state.desk.keys
        link = f"/resume/{keys.link(keys.annotator('ann'))}"
        phone = TestClient(app)
        page = phone.get(link)
        assert page.url.path.startswith("/work/")
        assert 'lang="it"' in page.text
        assert "Elemento 1 di" in phone.get("/work").text
        assert TestClient(app).get(f"{link}?language=en").status_code == 200


def test_a_language_without_texts_of_its_own_is_asked_as_the_study_says(tmp_path: Path) -> None:
    folder = study_of(tmp_path)
    (folder / "form.it.toml").unlink()
    served = read_study(folder)
    assert served.forms["it"].questions[0].text == "Does it fit?"
    assert served.forms["it"].language == "it"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[questions.fits]\noptions = ['a']", "unknown key 'options'"),
        ("[questions.fit]\ntext = 'x'", "unknown question 'fit'"),
        ("colour = 'red'", "unknown key 'colour'"),
    ],
)
def test_texts_that_would_change_the_form_are_refused(
    tmp_path: Path, text: str, message: str
) -> None:
    folder = study_of(tmp_path)
    (folder / "form.it.toml").write_text(text, encoding="utf-8")
    with pytest.raises(StudyError, match=message):
        read_study(folder)


def speak(folder: Path, language: str, pages: str) -> Path:
    study = folder / "study.toml"
    said = study.read_text(encoding="utf-8")
    study.write_text(said.replace("[server]", f'[server]\ninterface = "{language}"'))
    (folder / f"pages.{language}.toml").write_text(pages, encoding="utf-8")
    return folder


def translated() -> str:
    """Return the English file with every text marked, as a translation would change it."""
    english = files("plausibly.web.locale").joinpath("en.toml").read_text(encoding="utf-8")
    return re.sub(r'^(\S+ = ")', r"\1§ ", english, flags=re.MULTILINE)


@pytest.mark.parametrize(("language", "direction"), [("am", "ltr"), ("he", "rtl")])
def test_a_study_brings_the_pages_of_its_language(
    tmp_path: Path, language: str, direction: str
) -> None:
    folder = speak(study_of(tmp_path), language, translated())
    with TestClient(create_app(read_study(folder), token=TOKEN)) as client:
        page = client.get("/").text
        assert f'lang="{language}" dir="{direction}"' in page
        assert "§ Skip to the content" in page
        assert client.get("/nowhere").text.count("§ There is nothing here.") == 1


def test_a_study_rewords_single_texts_of_pages_that_are_there(tmp_path: Path) -> None:
    folder = speak(study_of(tmp_path), "en", '[page]\nskip = "Straight to it"')
    with TestClient(create_app(read_study(folder), token=TOKEN)) as client:
        assert "Straight to it" in client.get("/").text


@pytest.mark.parametrize(
    ("pages", "message"),
    [
        ("[page]\nskipp = 'x'", "Did you mean 'page.skip'"),
        ("[page]\nskip = 3", "page.skip must be a text; got 3"),
        ("[page]\nskip = 'Zum {inhalt}'", r"page.skip has the placeholder \{inhalt\}"),
        ("[page]\nskip = 'Zum {'", "page.skip: a brace without its partner"),
        ("[page", r"pages\.fi\.toml"),
    ],
)
def test_pages_that_cannot_be_shown_are_refused_before_anybody_comes(
    tmp_path: Path, pages: str, message: str
) -> None:
    folder = speak(study_of(tmp_path), "fi", pages)
    with pytest.raises(PlausiblyError, match=message):
        create_app(read_study(folder), token=TOKEN)


def test_texts_that_pages_lack_are_shown_in_english_and_named(tmp_path: Path) -> None:
    """A file written for an earlier version, or begun and not finished, stops no study."""
    older = re.sub(r"^(preview|again|pay) = .*\n", "", translated(), flags=re.MULTILINE)
    folder = speak(study_of(tmp_path), "fi", older)
    served = read_study(folder)
    (warning,) = [one for one in languages_read(served) if "pages.fi.toml" in one]
    assert re.search(r"pages\.fi\.toml lacks \d texts of the pages, which people read", warning)
    assert "page.preview" in warning
    assert "consent.pay" in warning
    with TestClient(create_app(served, token=TOKEN)) as client:
        assert "§ Skip to the content" in client.get("/").text
    assert Texts("fi", folder)("page.preview") == Texts("en")("page.preview")


def test_a_translation_that_lost_a_word_in_braces_is_announced(tmp_path: Path) -> None:
    pages = translated().replace("§ Payment: {pay}.", "§ Maksu.")
    served = read_study(speak(study_of(tmp_path), "fi", pages))
    (warning,) = [one for one in languages_read(served) if "pages.fi.toml" in one]
    assert "a word in braces of the English text is missing in consent.pay;" in warning


def test_pages_of_a_region_fall_back_on_those_of_their_language(tmp_path: Path) -> None:
    folder = speak(study_of(tmp_path), "pt-BR", '[page]\nskip = "Ir direto"')
    texts = Texts("pt-BR", folder)
    assert texts.missing == ()
    assert (texts("page.skip"), texts("consent.yes")) == ("Ir direto", Texts("pt")("consent.yes"))


def test_a_language_without_pages_is_refused_with_the_file_to_translate(tmp_path: Path) -> None:
    folder = speak(study_of(tmp_path), "fi", "")
    (folder / "pages.fi.toml").unlink()
    with pytest.raises(StudyError, match=r"translate a copy of .*en\.toml and store it as .*fi"):
        read_study(folder)


@pytest.mark.parametrize("interface", ["en", "it"])
def test_words_around_the_texts_in_another_language_are_announced(
    tmp_path: Path, interface: str
) -> None:
    path = study_of(tmp_path) / "study.toml"
    told = path.read_text(encoding="utf-8").replace("[form]", '[form]\nlanguage = "it"', 1)
    told = told.replace("[server]", f'[server]\ninterface = "{interface}"', 1)
    path.write_text(told, encoding="utf-8")
    lines = " ".join(languages_read(read_study(path.parent)))
    assert ("the texts are in it, the words around them" in lines) == (interface == "en")
