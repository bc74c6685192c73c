"""What a person sees and hears first: the item, and then what is wrong with the answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from plausibly.web.locale.texts import Texts
from serving import Client, Server, hosted
from worlds.served import items_of, study_folder

pytestmark = pytest.mark.browser

PHONE = ViewportSize(width=360, height=640)
TEXTS = Texts("en")
MIDDLE = TEXTS("refused.middle")
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
    with hosted(study_folder(folder, items, sections)) as server:
        yield server


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport=PHONE, has_touch=True)
    context.set_default_timeout(30_000)
    yield context.new_page()
    context.close()


def start(page: Page, server: Server, person: str) -> None:
    page.goto(f"http://127.0.0.1:{server.port}/?person={person}")
    page.get_by_label("Yes").check()
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("link", name="Start").click()
    expect(page.locator("#text")).to_be_visible()
    page.wait_for_load_state()


def test_a_long_item_is_read_from_its_beginning(phone: Page, long_items: Server) -> None:
    start(phone, long_items, "reader")
    for place in (1, 2):
        expect(phone.locator(".progress label")).to_have_text(f"Item {place} of 4")
        expect(phone.locator(".state")).to_have_text("Not decided yet")
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
    expect(phone.locator(".state")).to_have_text("Not decided yet")
    for key in ("ArrowDown", "PageDown", "Space"):
        phone.keyboard.press(key)
    expect(phone.get_by_role("slider")).to_have_value("3")
    phone.keyboard.press("4")
    expect(phone.get_by_role("slider")).to_have_value("4")
    expect(phone.get_by_role("slider")).to_be_focused()


def test_a_refusal_is_read_out_where_enter_was_pressed(phone: Page, pap: Server) -> None:
    start(phone, pap, "listener")
    alert = phone.get_by_role("alert")
    expect(phone.get_by_role("slider")).to_be_focused()
    assert alert.inner_text().strip() == ""
    for _ in range(2):
        alert.evaluate("box => { for (const part of box.children) part.id = 'old'; }")
        phone.keyboard.press("Enter")
        expect(alert).to_contain_text("Not stored yet")
        expect(alert.locator("#old")).to_have_count(0)  # what is new is read out
        expect(alert.get_by_role("link")).to_have_text(
            TEXTS("work.problem", question="Is this sentence plausible?", what=MIDDLE)
        )
        expect(phone.get_by_role("slider")).to_be_focused()
        expect(phone.get_by_role("slider")).to_be_in_viewport(ratio=1)
    phone.keyboard.press("ArrowRight")
    expect(alert).to_be_empty()
    expect(phone.locator(".error")).to_have_count(2)
    expect(phone.locator(".error").first).to_be_hidden()


def test_a_page_refused_by_the_server_begins_with_what_is_wrong(
    chromium: Browser, pap: Server
) -> None:
    context = chromium.new_context(java_script_enabled=False, viewport=PHONE)
    page = context.new_page()
    start(page, pap, "plain")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("alert")).to_be_focused()
    expect(page.get_by_role("alert").get_by_role("link")).to_be_in_viewport()
    assert page.title().startswith("Something is not right")
    context.close()


def test_where_the_middle_is_accepted_the_page_says_so(
    chromium: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    sections: dict[str, dict[str, object]] = {
        "ratings": {"batch": 2, "checks_per_batch": 0},
        "form": {"middle": "accept"},
    }
    context = chromium.new_context()
    page = context.new_page()
    with hosted(study_folder(tmp_path_factory.mktemp("accept"), items_of(2), sections)) as server:
        page.goto(f"http://127.0.0.1:{server.port}/?person=neither")
        page.get_by_label("Yes").check()
        page.get_by_label("I have read this").check()
        page.get_by_role("button", name="Continue").click()
        expect(page.locator(".study")).to_have_text("Study")  # no title: no name of a folder
        assert "otters" not in page.content()
        expect(page.get_by_text("leave it in the middle")).to_be_visible()
        expect(page.locator("main")).not_to_contain_text("not accepted")
        page.get_by_role("link", name="Start").click()
        expect(page.locator(".ticks .open")).to_have_count(0)
        expect(page.locator(".state")).to_have_text("Your answer: in the middle")
        assert "not accepted" not in page.content()
        page.get_by_role("button", name="Send").click()
        expect(page.locator(".progress label")).to_have_text("Item 2 of 2")
        assert [row["answer"] for row in Client(server.port).ratings()] == ["3"]
    context.close()


def test_the_places_of_the_slider_can_be_seen(phone: Page, pap: Server) -> None:
    start(phone, pap, "looker")
    slider = phone.get_by_role("slider")
    expect(phone.locator(".ticks i")).to_have_count(5)
    expect(phone.locator(".ticks i").nth(2)).to_have_class("open")
    for place in range(5):
        tick = phone.locator(".ticks i").nth(place).bounding_box()
        assert tick is not None
        phone.touchscreen.tap(tick["x"] + tick["width"] / 2, tick["y"] + tick["height"] / 2)
        expect(slider).to_have_value(str(place + 1))
    box = slider.bounding_box()
    last = phone.locator(".ticks i").last.bounding_box()
    assert box is not None
    assert last is not None
    assert last["x"] + last["width"] / 2 == pytest.approx(box["x"] + box["width"] - 16, abs=1)


def test_the_box_for_the_middle_is_in_line_with_the_slider(phone: Page, tmp_path: Path) -> None:
    sections: dict[str, dict[str, object]] = {
        "ratings": {"batch": 2, "checks_per_batch": 0},
        "form": {"middle": "touch", "practice": []},
    }
    with hosted(study_folder(tmp_path / "s", items_of(2), sections)) as server:
        start(phone, server, "middle")
        box, scale = (phone.locator(one).bounding_box() for one in (".meant input", ".scale"))
        assert box is not None
        assert scale is not None
        assert box["x"] == pytest.approx(scale["x"], abs=1)
        state = phone.locator(".meant").evaluate("one => getComputedStyle(one).display")
        assert state == "flex"  # box and words in the middle of one line


def test_a_short_item_is_ready_for_the_keyboard(phone: Page, pap: Server) -> None:
    start(phone, pap, "short")
    expect(phone.get_by_role("slider")).to_be_focused()
    assert phone.evaluate("window.scrollY") == 0


def test_text_twice_as_large_fits_a_narrow_phone(chromium: Browser, pap: Server) -> None:
    context = chromium.new_context(viewport=PHONE, bypass_csp=True)  # for larger text only
    context.set_default_timeout(30_000)
    page = context.new_page()

    def fits() -> None:
        page.add_style_tag(content="html { font-size: 200% }")
        wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert wide <= 0, page.url

    page.goto(f"http://127.0.0.1:{pap.port}/?person=large")
    page.get_by_label("Yes").check()
    page.get_by_label("I have read this").check()
    fits()
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("link", name="Start")).to_be_visible()
    fits()
    page.get_by_role("link", name="Start").click()
    expect(page.get_by_role("slider")).to_be_visible()
    fits()
    context.close()


def test_forced_colours_leave_scale_and_progress_to_be_seen(chromium: Browser, pap: Server) -> None:
    context = chromium.new_context(forced_colors="active")
    context.set_default_timeout(30_000)
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{pap.port}/?person=forced")
    page.get_by_label("Yes").check()
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("link", name="Start").click()
    expect(page.get_by_role("slider")).to_be_visible()
    rail = page.evaluate(
        "getComputedStyle(document.querySelector('.track'), '::before').borderStyle"
    )
    bar = page.evaluate("getComputedStyle(document.querySelector('progress')).borderStyle")
    assert (rail, bar) == ("solid", "solid")
    context.close()


def test_what_we_would_say_in_practice_is_read_before_the_slider(phone: Page, pap: Server) -> None:
    start(phone, pap, "learner")
    phone.goto(f"http://127.0.0.1:{pap.port}/practice/1")
    phone.get_by_role("slider").press("ArrowRight")
    phone.get_by_role("button", name="See what we would say").press("Enter")
    expect(phone.locator(".feedback")).to_be_focused()
