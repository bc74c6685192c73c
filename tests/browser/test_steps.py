"""Implicit knowledge and GITA in a browser: by keyboard alone, with the network watched."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Response, expect

from plausibly.tables import ITEMS
from serving import Client, Server, hosted
from worlds.served import study_folder
from worlds.steps import REFERENCES, iks_folder

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def iks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with hosted(iks_folder(tmp_path_factory.mktemp("iks"))) as server:
        yield server


@pytest.fixture(scope="module")
def gita(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    sentences = [f"Ada fa la cosa {n}." for n in range(1, 6)]
    rows = [
        {"item": f"g{n}", "text": " ".join(sentences), "sentences": json.dumps(sentences)}
        for n in range(2)
    ]
    items = pl.DataFrame(rows).with_columns(condition=pl.lit(None, pl.String))
    sections = {"server": {"interface": "it"}}
    folder: Path = tmp_path_factory.mktemp("gita")
    with hosted(study_folder(folder, ITEMS.check(items), sections, protocol="gita")) as server:
        yield server


@pytest.fixture(params=["light", "dark"])
def page(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(color_scheme=request.param)
    context.set_default_timeout(30_000)
    yield context.new_page()
    context.close()


def accessible(page: Page) -> None:
    report = Axe().run(page)
    assert report.violations_count == 0, report.generate_report()


def answer_by_keyboard(page: Page, digits: dict[str, str]) -> None:
    """Answer every question that is asked, in order, by digits or by space, and send."""
    done: set[str] = set()
    while True:
        left = [
            field
            for field in page.locator(".field:visible").all()
            if field.locator("input").count()
            and field.locator("input").first.get_attribute("name") not in done
        ]
        if not left:
            break
        name = str(left[0].locator("input").first.get_attribute("name"))
        done.add(name)
        first = left[0].locator("input:enabled").first
        first.focus()
        question = name.partition(":")[0]
        page.keyboard.press(
            "Space" if question == "content_d" else digits.get(name, digits.get(question, "1"))
        )
    page.get_by_role("button").first.focus()
    page.keyboard.press("Enter")


def test_the_reference_does_not_reach_the_browser_before_step_1_is_sent(
    page: Page, iks: Server, request: pytest.FixtureRequest
) -> None:
    heard: list[str] = []

    def hear(response: Response) -> None:
        if response.status not in {302, 303}:
            heard.append(response.text())

    page.on("response", hear)
    person = request.node.name.encode().hex()[-40:]
    page.goto(f"http://127.0.0.1:{iks.port}/?person={person}")
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("link", name="Start").click()
    for _ in REFERENCES:
        expect(page.get_by_text("Is the candidate grammatical?").first).to_be_visible()
        page.wait_for_load_state("networkidle")
        (reference,) = [
            text for item, text in REFERENCES.items() if f"about {item}." in page.content()
        ]
        assert not any(reference in text for text in heard)
        accessible(page)
        answer_by_keyboard(page, {"grammaticality": "4", "coherence": "4"})
        expect(page.get_by_text("Reference sentence")).to_be_visible()
        expect(page.get_by_text(reference)).to_be_visible()
        accessible(page)
        page.go_back()  # step 1 is closed: the page of step 2 is what there is
        expect(page.get_by_text(reference)).to_be_visible()
        answer_by_keyboard(page, {"comparison_b": "2"})
        expect(page.get_by_text(reference)).to_have_count(0)
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    rows = Client(iks.port).ratings()
    last = max(rows, key=lambda row: row["submitted"])["annotator"]
    mine = [row for row in rows if row["annotator"] == last]
    assert len(mine) == 2 * (6 * 3 + 3)
    assert {row["answer"] for row in mine if row["question"] == "grammaticality"} == {"YES"}
    assert {row["answer"] for row in mine if row["question"] == "comparison_b"} == {"BOTH"}


def test_a_no_is_taken_back_and_the_last_sentence_is_no_conflict(
    chromium: Browser, gita: Server
) -> None:
    context = chromium.new_context()
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{gita.port}/?person=takes-back")
    page.get_by_label("Ho letto").check()
    page.get_by_role("button", name="Continua").click()
    announced = page.locator("main").inner_text()
    page.get_by_role("link", name="Inizia").click()
    of = page.locator("progress").get_attribute("max")
    assert f": {of}." in announced  # as many as the progress counts
    answer_by_keyboard(page, {"plausible": "2"})
    expect(page.locator("[name=conflict_sentence]")).to_have_count(4)
    expect(page.locator("[name=breakpoint]")).to_have_count(5)
    page.get_by_role("button").first.click()  # nothing answered: named, without an error of script
    expect(page.locator("#problems a")).to_have_count(2)
    page.get_by_role("link", name="Modifica le risposte precedenti").click()
    accessible(page)
    answer_by_keyboard(page, {"plausible": "1"})
    expect(page.locator("legend", has_text="La storia è plausibile?")).to_be_visible()
    answer_by_keyboard(page, {"plausible": "1"})
    expect(page.get_by_role("heading", name="Grazie")).to_be_visible()
    context.close()
    rows = Client(gita.port).ratings()
    last = max(rows, key=lambda row: row["submitted"])["annotator"]
    said = [(r["question"], r["answer"]) for r in rows if r["annotator"] == last]
    assert said == [("plausible", "true")] * 2


def test_gita_by_keyboard_in_italian(
    page: Page, gita: Server, request: pytest.FixtureRequest
) -> None:
    person = request.node.name.encode().hex()[-40:]
    page.goto(f"http://127.0.0.1:{gita.port}/?person={person}")
    accessible(page)
    page.get_by_label("Ho letto").check()
    page.get_by_role("button", name="Continua").click()
    page.get_by_role("link", name="Inizia").click()
    expect(page.locator("ol.text li")).to_have_count(5)
    answer_by_keyboard(page, {"plausible": "2"})
    expect(page.locator("legend", has_text="In quale frase")).to_be_visible()
    expect(page.locator("#q-breakpoint .option").nth(2)).to_have_text("3. Ada fa la cosa 3.")
    page.locator("[name=breakpoint]").first.focus()
    page.keyboard.press("3")
    page.locator("[name=conflict_sentence]").first.focus()
    page.keyboard.press("4")  # the breakpoint would come before it: told at once
    expect(page.locator("#q-breakpoint-error")).to_contain_text("Deve venire dopo")
    expect(page.locator("[name=breakpoint]:enabled")).to_have_count(1)  # only the fifth is left
    expect(page.locator("[name=breakpoint]:checked")).to_have_count(0)
    accessible(page)
    answer_by_keyboard(page, {"conflict_sentence": "2", "breakpoint": "4"})
    expect(page.locator("legend", has_text="Quale stato fisico")).to_be_visible()
    answer_by_keyboard(page, {"state": "3"})
    expect(page.locator("legend", has_text="La storia è plausibile?")).to_be_visible()
    answer_by_keyboard(page, {"plausible": "1"})
    expect(page.get_by_role("heading", name="Grazie")).to_be_visible()
    accessible(page)
    rows = Client(gita.port).ratings()
    last = max(rows, key=lambda row: row["submitted"])["annotator"]
    said = sorted((r["question"], r["answer"]) for r in rows if r["annotator"] == last)
    assert said == [
        ("breakpoint", "4"),
        ("conflict_sentence", "2"),
        ("plausible", "false"),
        ("plausible", "true"),
        ("state", "exist"),
    ]


def test_a_candidate_nothing_more_is_asked_about_leaves_no_empty_card(
    page: Page, iks: Server, request: pytest.FixtureRequest
) -> None:
    person = request.node.name.encode().hex()[-40:]
    page.goto(f"http://127.0.0.1:{iks.port}/?person=card{person}")
    page.locator("#agree").check()
    page.get_by_role("button").press("Enter")
    page.get_by_role("link", name="Start at once").press("Enter")
    cards = page.locator(".candidate:visible")
    expect(cards).to_have_count(6)  # three for the language, and again for what they say
    page.locator("[name^=grammaticality][value=NO]").first.check()
    expect(cards).to_have_count(5)
    page.locator("[name^=grammaticality][value=YES]").first.check()
    expect(cards).to_have_count(6)
