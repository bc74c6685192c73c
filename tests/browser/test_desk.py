"""The desk in a browser: accessible, by keyboard, on a phone, in the dark, for both links."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect

import plausibly as pb
from serving import Participant, Server, hosted
from worlds.served import items_of, study_folder

pytestmark = pytest.mark.browser
SCREEN: ViewportSize = {"width": 1200, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A study in which two people finished and one is at work."""
    sections: dict[str, dict[str, object]] = {
        "ratings": {"target": 3, "batch": 4, "quota": 4, "checks_per_batch": 1},
        "server": {"door": "open", "api": True, "reward": 1.2, "currency": "GBP"},
    }
    folder = study_folder(tmp_path_factory.mktemp("desk") / "s", items_of(8, 2), sections)
    with hosted(folder) as server:
        for person in ("ann", "bob"):
            someone = Participant(server.port, person, lambda _, item: 4 + int(item[-1]) % 2)
            someone.join()
            someone.work()
        at_work = Participant(server.port, "cat", lambda *_: 5)
        at_work.join()
        at_work.step()
        yield server


def links(study: Path, port: int) -> tuple[str, str]:
    """Return both links, at the port the server listens on."""
    found = pb.people_desk(study)
    owner, viewer = (one.replace(":8000/", f":{port}/") for one in (found.owner, found.viewer))
    return owner, viewer


def accessible(page: Page) -> None:
    """Check a page as it is, then its contrasts in the dark and what scrolls on a phone."""
    page.wait_for_load_state()
    passes(page, {})
    page.emulate_media(color_scheme="dark")
    passes(page, {"runOnly": ["color-contrast"]})
    page.set_viewport_size(PHONE)
    passes(page, {"runOnly": ["scrollable-region-focusable", "target-size"]})
    wide = page.evaluate("document.documentElement.scrollWidth > window.innerWidth")
    assert not wide, f"{page.url} scrolls sideways"
    page.emulate_media(color_scheme="light")
    page.set_viewport_size(SCREEN)


def passes(page: Page, options: dict[str, list[str]]) -> None:
    found = Axe().run(page, options=options)
    assert found.violations_count == 0, found.generate_report()


def test_every_page_of_the_desk_is_accessible(chromium: Browser, server: Server) -> None:
    page = chromium.new_page(viewport=SCREEN)
    refused: list[str] = []
    page.on("console", lambda one: refused.append(one.text) if one.type == "error" else None)
    page.goto(links(server.study, server.port)[0])
    menu = page.get_by_role("navigation").get_by_role("link")
    expect(menu).to_have_count(11)
    for place in range(11):
        menu.nth(place).click()
        expect(menu.nth(place)).to_have_attribute("aria-current", "page")
        accessible(page)
    page.get_by_role("link", name="People", exact=True).click()
    page.locator("tbody a").first.click()
    accessible(page)
    page.get_by_role("link", name="Exclude and refill").click()
    accessible(page)
    assert refused == [], "the policy of the pages forbids nothing they need"
    page.close()


def test_the_owner_pauses_excludes_and_restores_by_keyboard(
    chromium: Browser, server: Server
) -> None:
    page = chromium.new_page()
    page.goto(links(server.study, server.port)[0])
    page.get_by_role("button", name="Pause").press("Enter")
    expect(page.get_by_role("heading", name="The study is paused")).to_be_visible()
    page.get_by_role("button", name="Open again").press("Enter")
    expect(page.get_by_role("heading", name="The study is open")).to_be_visible()
    page.get_by_role("link", name="People", exact=True).press("Enter")
    page.get_by_label("State").select_option("finished")
    page.get_by_role("button", name="Filter").press("Enter")
    expect(page.locator("tbody tr")).to_have_count(2)
    page.locator("tbody a").first.press("Enter")
    page.get_by_role("link", name="Exclude and refill").press("Enter")
    expect(page.get_by_text("costs about 1.20 GBP")).to_be_visible()
    page.get_by_label("Reason").fill("answered for somebody else")
    page.get_by_label("Reason").press("Enter")
    expect(page.get_by_text("answered for somebody else")).to_be_visible()
    page.get_by_role("button", name="Restore").press("Enter")
    expect(page.get_by_role("link", name="Exclude and refill")).to_be_visible()
    page.close()


def test_times_are_on_one_line_and_bars_in_one_column(chromium: Browser, server: Server) -> None:
    page = chromium.new_page(viewport=PHONE)
    page.goto(links(server.study, server.port)[0])
    for name, cells in (("Log", ".when"), ("Progress", ".when"), ("People", ".when")):
        page.get_by_role("link", name=name, exact=True).click()
        expect(page.locator(cells).first).to_be_visible()
        heights = page.locator(cells).evaluate_all(
            "cells => cells.map(one => { const text = document.createRange();"
            " text.selectNodeContents(one); return text.getClientRects().length; })"
        )
        assert set(heights) == {1}, (name, heights)
    page.get_by_role("link", name="Order", exact=True).click()
    bars = page.locator("td progress").evaluate_all("bars => bars.map(one => one.offsetLeft)")
    assert len(set(bars)) == 1, bars
    page.close()


def test_a_viewer_finds_no_button(chromium: Browser, server: Server) -> None:
    page = chromium.new_page()
    page.goto(links(server.study, server.port)[1])
    menu = page.get_by_role("navigation").get_by_role("link")
    expect(menu).to_have_count(7)
    for place in range(7):
        menu.nth(place).click()
        expect(menu.nth(place)).to_have_attribute("aria-current", "page")
        expect(page.get_by_role("button")).to_have_count(0)
    accessible(page)
    page.close()
