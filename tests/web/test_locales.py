"""The shipped pages in every language: complete, nothing in English, and chosen by the form."""

from __future__ import annotations

import html
import re
import string
import tomllib
from datetime import date
from importlib.resources import files
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from starlette.testclient import TestClient

from plausibly.ratings.questions import asked_questions
from plausibly.ratings.server import ENGLISH, INTERFACES
from plausibly.tables import ITEMS
from plausibly.verbs.ask._form import form_set
from plausibly.web.app import create_app
from plausibly.web.ethics import ethics
from plausibly.web.locale.texts import Texts
from plausibly.web.serve import languages_read
from plausibly.web.study import previewed, read_study
from serving import TOKEN
from worlds.desk import desk_of, entered
from worlds.protocols import protocol_folder
from worlds.served import form_address, study_folder

OTHERS = tuple(language for language in INTERFACES if language != ENGLISH)
# Texts that other languages share with English: words in braces alone, and words spelled alike.
ALIKE = {"excluded.other", "status.field", "work.problem"}
SPELLED_ALIKE = {("it", "consent.no"), ("es", "consent.no"), ("es", "author.error")}
SAID = {
    "consent": ["⟨consent⟩"],
    "instructions": ["⟨instructions⟩"],
    "eligibility": "⟨eligible⟩",
}
QUESTIONS = """
[[form.questions]]
id = "fits"
type = "slider"
text = "⟨fits⟩"
min = 0
max = 10
start = 5
middle = "touch"
labels = ["⟨low⟩", "⟨high⟩"]

[[form.questions]]
id = "comment"
type = "text"
text = "⟨comment⟩"
required = false
"""


def catalogue(language: str) -> dict[str, str]:
    source = files("plausibly.web.locale").joinpath(f"{language}.toml")
    sections = tomllib.loads(source.read_text(encoding="utf-8"))
    return {f"{name}.{key}": text for name, part in sections.items() for key, text in part.items()}


def gaps(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name)


def custom(path: Path, spoken: str = "", **server: Any) -> Path:
    """Return a custom study whose form is in a language, empty if it does not say."""
    rows = {"item": ["i1"], "text": ["⟨text⟩"], "kind": ["item"]}
    form = {**SAID, **({"language": spoken} if spoken else {})}
    ratings = {"batch": 1, "quota": 1, "target": 1, "checks_per_batch": 0}
    sections: dict[str, dict[str, Any]] = {"ratings": ratings, "form": form, "server": server}
    items = pl.DataFrame(rows).with_columns(condition=pl.lit(None, pl.String))
    folder = study_folder(
        path / "study",
        ITEMS.check(items.with_columns(expected=pl.lit(None, pl.String))),
        sections,
        protocol="custom",
    )
    with (folder / "study.toml").open("a", encoding="utf-8") as file:
        file.write(QUESTIONS)
    return folder


def seen(page: str) -> str:
    """Return what a page says, with labels and texts that its script shows."""
    shown = re.sub(r'(?:data-[a-z]+|title|aria-label)="([^"]*)"', r">\1<", page)
    return html.unescape(re.sub(r"<[^>]*>", "\n", shown))


def hidden(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))


def journey(client: TestClient) -> list[str]:
    """Return the pages a person sees from consent to the deletion of everything."""
    begin = client.get("/").text
    refused = client.post("/consent", data={**hidden(begin), "eligible": ""}).text
    said = {**hidden(begin), "agree": "yes", "eligible": "yes"}
    instructions = client.post("/consent", data=said).text
    work = client.get("/work").text
    undecided = client.post(form_address(work), data={**hidden(work), "fits": "5"}).text
    done = client.post(form_address(work), data={**hidden(work), "fits": "7"}).text
    withdraw, erase = client.get("/withdraw").text, client.get("/withdraw/erase").text
    withdrawn = client.post("/withdraw", data=hidden(withdraw)).text
    lost = client.get("/nowhere").text
    pages = [begin, refused, instructions, work, undecided, done, withdraw, erase, withdrawn, lost]
    assert len(set(pages)) == len(pages)
    return pages


@pytest.mark.parametrize("language", OTHERS)
def test_a_shipped_language_has_the_names_and_gaps_of_english_in_other_words(language: str) -> None:
    english, other = catalogue(ENGLISH), catalogue(language)
    assert other.keys() == english.keys()
    for name, text in other.items():
        assert text.strip() or name == "number.thousands", name
        assert text == text.strip() or name == "number.thousands", name
        assert gaps(text) == gaps(english[name]), name
    same = {name for name in english if english[name] == other[name]}
    assert same <= ALIKE | {name for one, name in SPELLED_ALIKE if one == language}


@pytest.mark.parametrize("language", OTHERS)
def test_a_form_in_a_shipped_language_has_pages_in_it_and_no_english_sentence(
    tmp_path: Path, language: str
) -> None:
    served = read_study(
        custom(tmp_path, language, minutes=5, pay="2 €", purpose="⟨why⟩", contact="a@example.org")
    )
    assert (served.server["interface"], languages_read(served)) == (language, [])
    with TestClient(create_app(served, token=TOKEN)) as client:
        pages = journey(client)
    assert all(f'<html lang="{language}" dir="ltr">' in page for page in pages)
    own, shown = Texts(language), "\n".join(map(seen, pages))
    for name in ("consent.agree", "instructions.start", "refused.untouched", "done.finished"):
        assert own(name) in shown
    assert own("work.progress", position=1, of=1) in shown
    parts = [part for text in catalogue(ENGLISH).values() for part in re.split(r"\{\w+\}", text)]
    sentences = {part.strip() for part in parts if len(part.strip()) > 10}
    assert len(sentences) > 200
    assert [one for one in sentences if one in shown] == []


@pytest.mark.parametrize(
    ("language", "number", "day"),
    [
        ("en", "1,234.50", "2027-06-03"),
        ("it", "1.234,50", "03/06/2027"),
        ("de", "1.234,50", "03.06.2027"),
        ("es", "1.234,50", "03/06/2027"),
        ("fr", "1\u202f234,50", "03/06/2027"),
        ("nl", "1.234,50", "03-06-2027"),
        ("pt", "1.234,50", "03/06/2027"),
    ],
)
def test_numbers_and_dates_are_written_as_in_the_language(
    tmp_path: Path, language: str, number: str, day: str
) -> None:
    assert Texts(language).number(1234.5, 2) == number
    assert Texts(language).day(date(2027, 6, 3)) == day
    folder = custom(tmp_path, language, withdraw_until="2027-06-03")
    with TestClient(create_app(read_study(folder), token=TOKEN)) as client:
        assert f'<dd dir="auto">{day}</dd>' in client.get("/").text


def test_a_file_of_pages_writes_numbers_as_it_says_and_else_as_english(tmp_path: Path) -> None:
    pages = files("plausibly.web.locale").joinpath("en.toml").read_text(encoding="utf-8")
    bare = re.sub(r"(?s)\[number\].*?\[page\]", "[page]", pages)
    (tmp_path / "pages.fi.toml").write_text(bare, encoding="utf-8")
    assert Texts("fi", tmp_path).number(1234.5, 1) == "1,234.5"
    signs = '[number]\nthousands = " "\ndecimal = ","\n'
    (tmp_path / "pages.fi.toml").write_text(signs + bare, encoding="utf-8")
    assert Texts("fi", tmp_path).number(1234.5, 1) == "1 234,5"


def test_the_desk_of_a_language_without_one_is_english_with_english_numbers(tmp_path: Path) -> None:
    with desk_of(tmp_path, interface="de") as client:
        page = entered(client, "owner").get("/desk/money").text
    assert '<html lang="en">' in page
    assert re.search(r"\d\.\d\d GBP", page)
    assert not re.search(r"\d,\d\d GBP", page)


@pytest.mark.parametrize(
    ("spoken", "interface"), [("", "en"), ("pt-BR", "pt"), ("fi", "en"), ("DE-at!", "en")]
)
def test_pages_follow_the_language_of_the_form_if_there_are_any(
    tmp_path: Path, spoken: str, interface: str
) -> None:
    assert read_study(custom(tmp_path, spoken)).server["interface"] == interface


def test_what_is_set_and_pages_of_the_study_come_first(tmp_path: Path) -> None:
    folder = custom(tmp_path / "set", "de", interface="fr")
    assert read_study(folder).server["interface"] == "fr"
    folder = custom(tmp_path / "own", "pt-BR")
    (folder / "pages.pt-BR.toml").write_text('[page]\nskip = "x"', encoding="utf-8")
    assert read_study(folder).server["interface"] == "pt-BR"


def test_everything_that_reads_a_study_takes_the_language_of_its_pages(tmp_path: Path) -> None:
    folder = custom(tmp_path, "de")
    documents = ethics(folder)
    assert "consent.de.md.jinja" in documents.missing
    assert "consent.en.md" in documents.texts
    assert form_set(str(folder), None).forms[""].language == "de"
    assert asked_questions(folder)["fits"]["text"] == "⟨fits⟩"


def test_the_advice_for_a_language_without_pages_works(tmp_path: Path) -> None:
    folder = custom(tmp_path, "fi")
    warning = languages_read(read_study(folder))[0]
    advised = re.search(
        r'translate a copy of (\S+), store it as (\S+) in the study, and set (.+ = "fi")\.', warning
    )
    assert advised is not None
    source, name, line = advised.groups()
    (folder / name).write_text(Path(source).read_text(encoding="utf-8"), encoding="utf-8")
    assert read_study(folder).server["interface"] == "fi"
    path = folder / "study.toml"
    path.write_text(path.read_text().replace("[server]", line.replace("] ", "]\n", 1)))
    assert languages_read(read_study(folder)) == []


def test_the_advice_for_a_language_with_pages_works(tmp_path: Path) -> None:
    folder = custom(tmp_path, "de", interface="en")
    assert 'Set [server] interface = "de".' in languages_read(read_study(folder))[0]


@pytest.mark.parametrize("protocol", ["pap", "adept", "sp10k", "gita", "iks"])
def test_a_published_form_is_asked_in_words_that_exist_and_this_is_announced(
    tmp_path: Path, protocol: str
) -> None:
    first = "it" if protocol == "gita" else "en"
    folders = {
        language: protocol_folder(tmp_path / language, protocol, server={"interface": language})
        for language in (first, "de")
    }
    usual, german = read_study(folders[first]), read_study(folders["de"])
    assert german.form == usual.form
    warning = (
        f"so its questions are in {first}, and the words around them (buttons, notices) in de."
    )
    assert warning in languages_read(german)[0]
    assert languages_read(usual) == []
    default = read_study(protocol_folder(tmp_path / "default", protocol))
    assert default.server["interface"] == first


def test_a_preview_has_the_pages_of_the_study(tmp_path: Path) -> None:
    folder = custom(tmp_path, "he")
    english = files("plausibly.web.locale").joinpath("en.toml").read_text(encoding="utf-8")
    marked = re.sub(r'^(\S+ = ")', r"\1§ ", english, flags=re.MULTILINE)
    (folder / "pages.he.toml").write_text(marked, encoding="utf-8")
    with previewed(read_study(folder)) as served, TestClient(create_app(served)) as client:
        assert "§ Skip to the content" in client.get("/").text


def test_texts_of_the_study_have_their_own_direction_on_pages_of_another(tmp_path: Path) -> None:
    """Hebrew texts on English pages: without a direction, a full stop is at the wrong end."""
    folder = custom(tmp_path, "he", interface="en")
    spoken = 'dir="auto" lang="he"'
    with TestClient(create_app(read_study(folder), token=TOKEN)) as client:
        consent = client.get("/").text
        assert 'lang="en" dir="ltr"' in consent
        assert f"<p {spoken}>" in consent
        agreed = {**hidden(consent), "agree": "yes", "eligible": "yes"}
        assert f"<p {spoken}>" in client.post("/consent", data=agreed).text
        item = client.get("/work").text
    assert f"<span {spoken}>⟨fits⟩" in item
    assert f'<p class="text" id="text" {spoken}>' in item


def test_margins_and_bars_follow_the_direction_of_the_page() -> None:
    style = files("plausibly.web").joinpath("static", "style.css").read_text(encoding="utf-8")
    assert re.findall(r"(?:margin|padding|border)-(?:left|right)", style) == []


def test_the_offer_of_a_short_round_is_as_wide_as_the_page() -> None:
    """Its class names an offer; the narrow field in which authors number a variant has two."""
    style = files("plausibly.web").joinpath("static", "style.css").read_text(encoding="utf-8")
    assert not re.search(r"(?m)^\.short\b", style)
