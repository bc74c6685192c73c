"""Back, Forward and reload: what is sent belongs to what the person saw."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import position, send, slider, start
from serving import Client, Server

pytestmark = pytest.mark.browser
NUMBERS = count()


@pytest.fixture(params=[True, False], ids=["script", "no script"])
def page(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(java_script_enabled=request.param)
    context.set_default_timeout(30_000)
    yield context.new_page()
    context.close()


@pytest.fixture
def person() -> str:
    return f"returning{next(NUMBERS)}"


def sentence(page: Page) -> str:
    return page.locator("#text").inner_text()


def stored(server: Server) -> dict[str, tuple[str, str | None]]:
    """Return answer and comment by the text of the item, of whoever answered last."""
    ratings = Client(server.port).ratings()
    last = max(ratings, key=lambda row: row["submitted"])["annotator"]
    return {
        row["item"]: (row["answer"], row["comment"]) for row in ratings if row["annotator"] == last
    }


def answer(page: Page, key: str, comment: str) -> str:
    """Answer what the page shows, by keyboard, and return its sentence."""
    shown = sentence(page)
    slider(page).press(key)
    page.get_by_label("Any comments?").fill(comment)
    place = position(page)
    send(page)
    expect(page.locator(".progress label")).not_to_contain_text(f"Item {place} ")
    return shown


def test_back_shows_the_answered_item_with_its_answer(page: Page, pap: Server, person: str) -> None:
    start(page, pap, person)
    first = answer(page, "ArrowLeft", "about the first")
    second = sentence(page)
    page.go_back()
    assert sentence(page) == first
    expect(slider(page)).to_have_value("2")
    expect(page.get_by_label("Any comments?")).to_have_value("about the first")
    page.go_forward()
    assert sentence(page) == second
    expect(slider(page)).to_have_value("3")
    expect(page.get_by_label("Any comments?")).to_have_value("")


def test_what_is_sent_after_back_revises_the_item_that_is_shown(
    page: Page, pap: Server, person: str
) -> None:
    start(page, pap, person)
    answer(page, "ArrowLeft", "about the first")
    answer(page, "ArrowRight", "about the second")
    third = sentence(page)
    page.go_back()
    page.go_back()
    answer(page, "End", "about the first, again")
    assert sentence(page) == third
    expect(slider(page)).to_have_value("3")
    assert sorted(stored(pap).values()) == [
        ("4", "about the second"),
        ("5", "about the first, again"),
    ]


def test_after_the_batch_back_leads_to_the_last_item_to_be_corrected(
    page: Page, pap: Server, person: str
) -> None:
    start(page, pap, person)
    for place in range(1, 6):
        expect(page.locator(".progress label")).to_have_text(f"Item {place} of 5")
        slider(page).press("ArrowLeft")
        send(page)
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    page.go_back()
    expect(page.locator(".progress label")).to_have_text("Item 5 of 5")
    expect(slider(page)).to_have_value("2")
    page.go_forward()
    page.get_by_role("link", name="Correct your last answer").click()
    expect(page.locator(".progress label")).to_have_text("Item 5 of 5")
    slider(page).press("End")
    send(page)
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    assert sorted(answer for answer, _ in stored(pap).values()) == ["2", "2", "2", "2", "5"]


def test_every_item_has_an_address_of_its_own(page: Page, pap: Server, person: str) -> None:
    start(page, pap, person)
    addresses = [page.url]
    for _ in range(2):
        answer(page, "ArrowLeft", "")
        addresses.append(page.url)
    assert len(set(addresses)) == 3
    page.goto(addresses[0])
    assert position(page) == 1
