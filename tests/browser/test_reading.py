"""What a person sees and hears first: the item, and then what is wrong with the answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from served_inline import items_of, study_folder
from serving import Server, serving

pytestmark = pytest.mark.browser

PHONE = ViewportSize(width=360, height=640)
LONG = " ".join(["The otter that paints the ladder of the house tells the cook a story."] * 11)


@pytest.fixture(scope="module")
def long_items(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A study whose items fill more than the screen of a phone."""
    folder: Path = tmp_path_factory.mktemp("long")
    items = items_of(4).with_columns(text=items_of(4)["item"] + f" {LONG}")
    sections: dict[str, dict[str, object]] = {
        "ratings": {"batch": 4, "checks_per_batch": 0},
        "server": {"title": "Long stories"},
    }
    with serving(study_folder(folder, items, sections)) as server:
        yield server


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport=PHONE, has_touch=True)
    context.set_default_timeout(15_000)
    yield context.new_page()
    context.close()


def start(page: Page, server: Server, person: str) -> None:
    page.goto(f"http://127.0.0.1:{server.port}/?person={person}")
    page.get_by_label("Yes").check()
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("link", name="Start").click()
    expect(page.locator("#text")).to_be_visible()


def test_a_long_item_is_read_from_its_beginning(phone: Page, long_items: Server) -> None:
    start(phone, long_items, "reader")
    for place in (1, 2):
        expect(phone.locator(".progress label")).to_have_text(f"Item {place} of 4")
        assert phone.evaluate("window.scrollY") == 0
        top = phone.locator("#text").bounding_box()
        assert top is not None
        assert 0 <= top["y"] < PHONE["height"] / 2
        phone.get_by_role("slider").press("ArrowRight")
        phone.get_by_role("button", name="Send").click()


def test_keys_that_scroll_do_not_answer_an_item_that_is_still_read(
    phone: Page, long_items: Server
) -> None:
    start(phone, long_items, "scroller")
    for key in ("ArrowDown", "PageDown", "Space"):
        phone.keyboard.press(key)
    expect(phone.get_by_role("slider")).to_have_value("3")
    phone.keyboard.press("4")
    expect(phone.get_by_role("slider")).to_have_value("4")
    expect(phone.get_by_role("slider")).to_be_focused()


def test_a_short_item_is_ready_for_the_keyboard(phone: Page, pap: Server) -> None:
    start(phone, pap, "short")
    expect(phone.get_by_role("slider")).to_be_focused()
    assert phone.evaluate("window.scrollY") == 0
