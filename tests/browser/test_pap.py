"""PAP in a browser: from consent to code, by keyboard, mouse and touch, with and without script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from browsing import open_study, position, send, slider, start
from serving import Client, Server

pytestmark = pytest.mark.browser
NUMBERS = count()


@pytest.fixture
def person() -> str:
    return f"participant{next(NUMBERS)}"


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context()
    context.set_default_timeout(30_000)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if "CSP" in said.text else None)
    yield page
    context.close()
    assert not complaints


def answers_of(server: Server, code: str) -> list[str]:
    """Return the answers of the one person who finished last."""
    assert re.fullmatch(r"[A-Z2-7]{10}", code)
    ratings = Client(server.port).ratings()
    last = max(ratings, key=lambda row: row["submitted"])["annotator"]
    mine = sorted((row for row in ratings if row["annotator"] == last), key=lambda r: r["position"])
    return [row["answer"] for row in mine]


def code_on(page: Page) -> str:
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    return page.locator(".code").inner_text()


def test_by_keyboard_only(page: Page, pap: Server, person: str) -> None:
    open_study(page, pap, person)
    keys = page.keyboard
    for key in ("Tab", "Tab", "Space", "Tab", "Space", "Tab", "Enter"):
        keys.press(key)
    expect(page.get_by_role("link", name="Start")).to_be_visible()
    for key in ("Tab", "Tab", "Tab", "Enter"):  # past the practice
        keys.press(key)
    for place in range(1, 6):
        expect(page.locator(".progress label")).to_have_text(f"Item {place} of 5")
        expect(slider(page)).to_be_focused()
        expect(page.locator(".state")).to_have_text("Not decided yet")
        keys.press("ArrowLeft" if place % 2 else "ArrowRight")
        keys.press("Enter")
    assert answers_of(pap, code_on(page)) == ["2", "4", "2", "4", "2"]


def test_by_mouse(page: Page, pap: Server, person: str) -> None:
    start(page, pap, person)
    for place in range(1, 6):
        expect(page.locator(".progress label")).to_have_text(f"Item {place} of 5")
        box = slider(page).bounding_box()
        assert box is not None
        middle, height = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.mouse.move(middle, height)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] - 4, height, steps=5)
        page.mouse.up()
        expect(page.locator(".state")).to_have_text("Your answer: plausible")
        send(page)
    assert answers_of(pap, code_on(page)) == ["5"] * 5


def test_by_touch(chromium: Browser, pap: Server, person: str) -> None:
    context = chromium.new_context(
        has_touch=True, is_mobile=True, viewport={"width": 390, "height": 800}
    )
    page = context.new_page()
    open_study(page, pap, person)
    page.get_by_label("Yes").tap()
    page.get_by_label("I have read this").tap()
    page.get_by_role("button", name="Continue").tap()
    page.get_by_role("link", name="Start").tap()
    for place in range(1, 6):
        expect(page.locator(".progress label")).to_have_text(f"Item {place} of 5")
        box = slider(page).bounding_box()
        assert box is not None
        page.touchscreen.tap(box["x"] + 6, box["y"] + box["height"] / 2)
        expect(page.locator(".state")).to_have_text("Your answer: implausible")
        page.get_by_role("button", name="Send and go on").tap()
    assert answers_of(pap, code_on(page)) == ["1"] * 5
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    context.close()


def test_without_script(chromium: Browser, pap: Server, person: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    start(page, pap, person)
    for place in range(1, 6):
        assert position(page) == place
        send(page)
        expect(page.get_by_role("alert")).to_contain_text("still in the middle")
        assert position(page) == place
        slider(page).press("ArrowRight")
        slider(page).press("ArrowRight")
        page.get_by_label("Any comments?").fill(f"note {place}")
        send(page)
    assert answers_of(pap, code_on(page)) == ["5"] * 5
    comments = {row["comment"] for row in Client(pap.port).ratings()}
    assert {f"note {place}" for place in range(1, 6)} <= comments
    context.close()


def test_the_middle_is_refused_also_after_moving_away_and_back(
    page: Page, pap: Server, person: str
) -> None:
    start(page, pap, person)
    for keys in ((), ("ArrowRight", "ArrowLeft"), ("ArrowLeft", "ArrowRight")):
        for key in keys:
            slider(page).press(key)
        send(page)
        expect(page.locator(".error").first).to_contain_text("still in the middle")
        expect(slider(page)).to_be_focused()
        expect(slider(page)).to_have_attribute("aria-invalid", "true")
        assert position(page) == 1
    slider(page).press("ArrowRight")
    expect(page.locator(".error").first).to_be_hidden()
    send(page)
    expect(page.locator(".progress label")).to_have_text("Item 2 of 5")


def test_half_filled_answers_survive_a_reload(page: Page, pap: Server, person: str) -> None:
    start(page, pap, person)
    slider(page).press("ArrowLeft")
    page.get_by_label("Any comments?").fill("half a thought")
    page.reload()
    expect(slider(page)).to_have_value("2")
    expect(page.get_by_label("Any comments?")).to_have_value("half a thought")
    expect(page.locator(".state")).to_have_text("Your answer: towards implausible")
    send(page)
    expect(page.locator(".progress label")).to_have_text("Item 2 of 5")
    expect(slider(page)).to_have_value("3")
    expect(page.get_by_label("Any comments?")).to_have_value("")


def test_half_filled_answers_survive_a_look_at_the_instructions(
    page: Page, pap: Server, person: str
) -> None:
    start(page, pap, person)
    slider(page).press("ArrowRight")
    page.get_by_label("Any comments?").fill("half a thought")
    page.goto(f"http://127.0.0.1:{pap.port}/instructions")
    page.goto(page.locator(".link code").inner_text())
    expect(page.get_by_label("Any comments?")).to_have_value("half a thought")
    expect(slider(page)).to_have_value("4")


def test_the_ring_of_what_is_focused_is_on_the_screen(page: Page, pap: Server, person: str) -> None:
    start(page, pap, person)
    button = page.get_by_role("button", name="Send and go on")
    page.set_viewport_size({"width": 390, "height": 400})
    page.get_by_label("Any comments?").focus()
    page.keyboard.press("Tab")
    expect(button).to_be_focused()
    assert button.evaluate("one => innerHeight - one.getBoundingClientRect().bottom") > 6


def test_nothing_half_filled_is_left_behind_in_the_end(
    page: Page, pap: Server, person: str
) -> None:
    start(page, pap, person)
    for place in range(1, 6):
        expect(page.locator(".progress label")).to_have_text(f"Item {place} of 5")
        page.wait_for_load_state()  # before it, the script does not hear a key
        slider(page).press("ArrowLeft")
        page.get_by_label("Any comments?").fill(f"my neighbour does this, {place}")
        assert page.evaluate("localStorage.length") == 1
        send(page)
    code_on(page)
    page.wait_for_load_state()
    assert page.evaluate("localStorage.length") == 0


def test_the_personal_link_takes_up_where_one_left(
    page: Page, chromium: Browser, pap: Server, person: str
) -> None:
    start(page, pap, person)
    slider(page).press("ArrowLeft")
    send(page)
    expect(page.locator(".progress label")).to_have_text("Item 2 of 5")
    sentence = page.locator("#text").inner_text()
    page.goto(f"http://127.0.0.1:{pap.port}/instructions")
    link = page.locator(".link").inner_text()
    other = chromium.new_context()
    elsewhere = other.new_page()
    elsewhere.goto(link)
    expect(elsewhere.locator(".progress label")).to_have_text("Item 2 of 5")
    assert elsewhere.locator("#text").inner_text() == sentence
    other.close()


def test_an_answer_can_be_changed_until_the_batch_is_finished(
    page: Page, pap: Server, person: str
) -> None:
    start(page, pap, person)
    slider(page).press("ArrowLeft")
    page.get_by_label("Any comments?").fill("first thought")
    send(page)
    page.get_by_role("link", name="Back to the one before").click()
    expect(slider(page)).to_have_value("2")
    expect(page.get_by_label("Any comments?")).to_have_value("first thought")
    slider(page).press("End")
    send(page)
    expect(page.locator(".progress label")).to_have_text("Item 2 of 5")
    latest = max(Client(pap.port).ratings(), key=lambda row: row["submitted"])
    assert (latest["answer"], latest["revision"]) == ("5", 2)


def test_two_tabs_store_one_answer_each_time(page: Page, pap: Server, person: str) -> None:
    start(page, pap, person)
    before = len(Client(pap.port).ratings())
    second = page.context.new_page()
    second.goto(f"http://127.0.0.1:{pap.port}/work")
    assert page.locator("#text").inner_text() == second.locator("#text").inner_text()
    slider(page).press("ArrowLeft")
    send(page)
    expect(page.locator(".progress label")).to_have_text("Item 2 of 5")
    slider(second).press("ArrowRight")
    send(second)
    expect(second.locator(".progress label")).to_have_text("Item 2 of 5")
    ratings = Client(pap.port).ratings()
    assert len(ratings) == before + 1
    latest = max(ratings, key=lambda row: row["submitted"])
    assert (latest["answer"], latest["revision"]) == ("4", 2)


def test_who_is_not_eligible_is_thanked_and_not_stored(
    page: Page, pap: Server, person: str
) -> None:
    before = Client(pap.port).progress()["people"]
    open_study(page, pap, person)
    page.get_by_label("No").check()
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("heading", name="Thank you for your interest")).to_be_visible()
    expect(page.get_by_text("only for people who can say yes")).to_be_visible()
    expect(page.get_by_text("Is English your native language?")).to_be_visible()
    assert Client(pap.port).progress()["people"] == before


def test_a_page_is_small_and_asks_for_little(
    page: Page, chromium: Browser, pap: Server, person: str
) -> None:
    start(page, pap, person)
    page.goto(f"http://127.0.0.1:{pap.port}/instructions")
    link = page.locator(".link").inner_text()
    fresh = chromium.new_context()  # nothing in its cache
    other = fresh.new_page()
    requests: list[Request] = []
    other.on("requestfinished", lambda request: requests.append(request))  # noqa: PLW0108
    other.goto(link)
    other.wait_for_load_state("networkidle")
    assert len([one for one in requests if one.redirected_to is None]) <= 3
    assert sum(weight(request) for request in requests) <= 40_000
    fresh.close()


def weight(request: Request) -> int:
    told = request.sizes()
    return int(told["responseBodySize"] + told["responseHeadersSize"])


def test_a_script_in_a_link_does_not_run(page: Page, pap: Server) -> None:
    number = "<script>document.title='owned'</script>"
    page.goto(f"http://127.0.0.1:{pap.port}/?person={number}")
    assert "owned" not in page.title()
    assert page.locator("script").count() == 0


def test_send_works_again_after_stop(page: Page, pap: Server, person: str) -> None:
    start(page, pap, person)
    stopped = "one => one.addEventListener('submit', e => e.preventDefault(), { once: true })"
    page.locator("#form").evaluate(stopped)  # as if the browser had stopped what was on its way
    page.keyboard.press("5")
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    send(page)
    expect(page.locator(".progress label")).to_have_text("Item 2 of 5")
