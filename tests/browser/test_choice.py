"""Two stories of GITA in a browser: both are shown, and one is chosen by keyboard."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from plausibly.tables import ITEMS
from serving import Client, Server, hosted
from worlds.served import study_folder

pytestmark = pytest.mark.browser
WHOLE, BROKEN = "Ada riempie la brocca. Ada versa l'acqua.", "Ada rompe la brocca. Ada versa."


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    items = pl.DataFrame(
        {
            "item": ["b-C0", "b-O0"],
            "text": [f"A: {WHOLE} B: {BROKEN}", f"A: {BROKEN} B: {WHOLE}"],
            "one": [f"A: {WHOLE}", f"A: {BROKEN}"],
            "other": [f"B: {BROKEN}", f"B: {WHOLE}"],
            "expected": ["first", "second"],
            "condition": ["cloze", "order"],
        }
    )
    folder: Path = tmp_path_factory.mktemp("pairs")
    sections = {
        "form": {"arm": "choice"},
        "label": {"only_if": ""},
        "report": {"question": "choice"},
        "server": {"interface": "it"},
    }
    with hosted(study_folder(folder, ITEMS.check(items), sections, protocol="gita")) as server:
        yield server


def test_the_story_that_can_happen_is_chosen_by_keyboard(chromium: Browser, pairs: Server) -> None:
    page = chromium.new_page()
    page.goto(f"http://127.0.0.1:{pairs.port}/?person=chooses")
    page.get_by_label("Ho letto").check()
    page.get_by_role("button", name="Continua").click()
    page.get_by_role("link", name="Inizia").click()
    for _ in range(2):
        legend = page.locator("legend", has_text="Quale storia può accadere?")
        expect(legend).to_be_visible()
        shown = page.locator("main").inner_text()
        assert "expected" not in page.content()
        assert shown.index("A: Ada") < shown.index("B: Ada")
        assert Axe().run(page).violations_count == 0
        page.locator("[name=choice]").first.focus()
        page.keyboard.press("1" if shown.index(WHOLE) < shown.index(BROKEN) else "2")
        page.get_by_role("button").first.focus()
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Grazie")).to_be_visible()
    said = {row["item"]: row["answer"] for row in Client(pairs.port).ratings()}
    assert said == {"b-C0": "first", "b-O0": "second"}
    page.close()
