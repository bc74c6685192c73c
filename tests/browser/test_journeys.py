"""Every protocol from consent to code, by keyboard alone, in both languages and both themes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from browsing import fine
from serving import Client, Server, hosted
from worlds.protocols import PROTOCOLS, protocol_folder

pytestmark = pytest.mark.browser
LANGUAGES = ("en", "it")
PHONE: ViewportSize = {"width": 360, "height": 740}
MOST_TABS = 120

# What a person presses at the first option of a question; the first option where nothing is said.
PRESSED = {"conflict_sentence": "3", "breakpoint": "4", "plausible": "2", "effect": "4"}


@pytest.fixture(
    scope="module",
    params=[(protocol, language) for protocol in PROTOCOLS for language in LANGUAGES],
    ids="-".join,
)
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Server]:
    protocol, language = request.param
    said = {"interface": language, "minutes": 5, "pay": "1 £", "contact": "ada@example.org"}
    folder = protocol_folder(tmp_path_factory.mktemp(protocol), protocol, server=said)
    with hosted(folder) as server:
        yield server


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport=PHONE, bypass_csp=True)  # for larger text only
    context.set_default_timeout(30_000)
    yield context.new_page()
    context.close()


def reach(page: Page, selector: str) -> None:
    """Press Tab until what is wanted has the focus."""
    for _ in range(MOST_TABS):
        if page.evaluate("css => document.activeElement.matches(css)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{page.url}: {selector} cannot be reached by keyboard")


def leads_on(page: Page) -> None:
    """Press Enter on what has the focus, and wait for the page it leads to."""
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.wait_for_load_state()


def names_asked(page: Page) -> list[str]:
    """Return the names of the fields that are asked and not optional, in their order."""
    return [
        str(field.locator("input").first.get_attribute("name"))
        for field in page.locator(".field[data-unanswered]:visible").all()
    ]


def answer(page: Page) -> None:
    """Answer every question that is asked, by Tab and digits, and send."""
    done: list[str] = []
    while left := [name for name in names_asked(page) if name not in done]:
        name = left[0]
        done.append(name)
        reach(page, f"[name={json.dumps(name)}]")
        several = page.evaluate("document.activeElement.type === 'checkbox'")
        page.keyboard.press("Space" if several else PRESSED.get(name.partition(":")[0], "1"))
    reach(page, "form button[type=submit]")
    leads_on(page)


def test_from_consent_to_code_by_keyboard(page: Page, server: Server) -> None:
    looked: set[str] = set()

    def look(kind: str) -> None:
        if kind not in looked:
            looked.add(kind)
            fine(page)

    page.goto(f"http://127.0.0.1:{server.port}/?person=keyboard")
    look("consent")
    if page.locator("#eligible").count():
        reach(page, "[name=eligible]")
        page.keyboard.press("Space")
    reach(page, "[name=agree]")
    page.keyboard.press("Space")
    reach(page, "button[type=submit]")
    leads_on(page)
    look("instructions")
    reach(page, "a.button")
    leads_on(page)
    _practise(page, look)
    reservations: set[str] = set()
    while "/work/" in page.url:
        reservations.add(page.url.split("/work/")[1].partition("/")[0])
        step = page.url.split("/work/")[1].partition("/")[2] or "1"
        look(f"work {step}")
        answer(page)
    assert page.url.endswith("/done")
    expect(page.locator(".code code")).not_to_be_empty()
    look("done")
    reach(page, "a[href='/withdraw']")
    leads_on(page)
    look("withdraw")
    assert {"consent", "instructions", "practice", "feedback", "work 1", "done"} <= looked
    stored = Client(server.port).ratings()
    assert {row["item"].partition("#")[0] for row in stored} >= {
        row["item"] for row in stored if "#" not in row["item"]
    }
    assert len({row["item"].partition("#")[0] for row in stored}) == len(reservations)


def _practise(page: Page, look: Callable[[str], None]) -> None:
    while "/practice/" in page.url:
        look("practice")
        answer(page)
        expect(page.locator(".feedback")).to_be_visible()
        look("feedback")
        reach(page, ".actions a.button")
        leads_on(page)
