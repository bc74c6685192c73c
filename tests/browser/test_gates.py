"""The questions about the instructions, a short round and the ways out pass axe-core."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from serving import Server, hosted
from worlds.served import items_of, study_folder

pytestmark = pytest.mark.browser

SERVER = {
    "door": "open",
    "reward": 2.0,
    "currency": "GBP",
    "code": "WHOLE",
    "short_code": "SHORT",
    "screened_code": "SCREEN",
    "full_code": "FULL",
    "return_url": "https://panel.example.org/{code}",
}
RATINGS = {"target": 1, "batch": 4, "quota": 4, "checks_per_batch": 0}
QUESTION = """
[[form.comprehension]]
text = "What do you judge?"
options = ["spelling", "plausibility"]
admit = ["plausibility"]
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    folder = study_folder(tmp_path / "s", items_of(5), {"ratings": RATINGS, "server": SERVER})
    with (folder / "study.toml").open("a", encoding="utf-8") as settings:
        settings.write(QUESTION)
    with hosted(folder) as running:
        yield running


def enter(browser: Browser, server: Server) -> Page:
    """Return the page of somebody new, before they agree."""
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(f"http://127.0.0.1:{server.port}/")
    return page


def agree(page: Page) -> None:
    page.get_by_label("Yes").check()
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("link", name="Continue").click()


def accessible(page: Page) -> None:
    page.wait_for_load_state()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_the_gate_a_short_round_and_the_ways_out_are_accessible(
    chromium: Browser, server: Server
) -> None:
    first = enter(chromium, server)
    agree(first)
    accessible(first)
    first.get_by_label("spelling").check()
    first.get_by_role("button", name="Continue").click()
    expect(first.get_by_role("alert")).to_be_visible()
    accessible(first)
    last = enter(chromium, server)
    expect(last.locator(".short")).to_contain_text("short round")
    accessible(last)
    agree(last)
    late = enter(chromium, server)
    expect(late.get_by_role("link", name="Back to where you came from")).to_be_visible()
    accessible(late)
    first.get_by_label("spelling").check()
    first.get_by_role("button", name="Continue").click()
    expect(first.locator(".code")).to_have_text("SCREEN")
    accessible(first)
    for page in (first, last, late):
        page.context.close()
