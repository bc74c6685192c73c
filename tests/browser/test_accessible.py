"""Every page passes axe-core, and a form of one's own works in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from plausibly.web.people import people_exclude
from serving import Client, Server, hosted
from worlds.protocols import protocol_folder

pytestmark = pytest.mark.browser


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context()
    context.set_default_timeout(30_000)
    yield context.new_page()
    context.close()


def accessible(page: Page) -> None:
    page.wait_for_load_state()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_every_page_of_pap_is_accessible(page: Page, pap: Server) -> None:
    page.goto(f"http://127.0.0.1:{pap.port}/?person=axe")
    accessible(page)
    page.get_by_label("Yes").check()
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("link", name="Start")).to_be_visible()
    accessible(page)
    page.get_by_role("link", name="Start").click()
    for place in range(1, 6):
        expect(page.locator(".progress label")).to_have_text(f"Item {place} of 5")
        if place == 1:
            page.get_by_role("button", name="Send").click()
            expect(page.locator(".error").first).to_contain_text("still in the middle")
        if place < 3:
            accessible(page)
        page.get_by_role("slider").press("ArrowRight")
        page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    accessible(page)
    page.goto(f"http://127.0.0.1:{pap.port}/resume/nonsense")
    accessible(page)


def test_the_pages_of_people_who_leave_are_accessible(page: Page, pap: Server) -> None:
    site = f"http://127.0.0.1:{pap.port}"
    page.goto(f"{site}/?person=leaves")
    page.get_by_label("Yes").check()
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("link", name="Start").click()
    people_exclude(pap.study, ["leaves"], reason="Seven answers in four seconds.")
    page.goto(f"{site}/excluded")
    expect(page.get_by_text("Seven answers in four seconds.")).to_be_visible()
    accessible(page)
    page.get_by_role("textbox").fill("I read fast.")
    page.get_by_role("main").get_by_role("button").click()
    expect(page.get_by_text("I read fast.").first).to_be_visible()
    accessible(page)
    page.goto(f"{site}/withdraw")
    accessible(page)
    page.goto(f"{site}/withdraw/erase")
    accessible(page)
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name="Delete everything now").click()
    expect(page.get_by_role("heading", name="Everything is deleted")).to_be_visible()
    accessible(page)


def test_the_refused_page_without_script_is_accessible(chromium: Browser, pap: Server) -> None:
    context = chromium.new_context()
    page = context.new_page()
    page.route("**/*.js", lambda route: route.abort())
    page.goto(f"http://127.0.0.1:{pap.port}/?person=axe2")
    page.get_by_role("button", name="Continue").evaluate("b => b.form.noValidate = true")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert")).to_be_visible()
    accessible(page)
    page.get_by_label("Yes").check()
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("link", name="Start").click()
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("alert")).to_be_visible()
    accessible(page)
    context.close()


def test_a_form_of_ones_own_is_accessible(page: Page, custom: Server) -> None:
    page.goto(f"http://127.0.0.1:{custom.port}/")
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("link", name="Start").click()
    expect(page.get_by_role("button", name="Send")).to_be_visible()
    accessible(page)
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("alert").get_by_role("link").first).to_be_visible()
    accessible(page)


def test_several_items_on_a_page_are_accessible_and_answered_by_keyboard(
    page: Page, tmp_path: Path
) -> None:
    folder = protocol_folder(tmp_path / "s", "adept", batch=3, quota=3, target=5)
    text = (folder / "study.toml").read_text(encoding="utf-8")
    (folder / "study.toml").write_text(f"{text}\n[form]\nper_page = 4\n", encoding="utf-8")
    with hosted(folder) as server:
        page.goto(f"http://127.0.0.1:{server.port}/?person=four")
        page.get_by_label("I have read this").check()
        page.get_by_role("button", name="Continue").click()
        page.get_by_role("link", name="Start at once").click()
        expect(page.locator(".part")).to_have_count(3)
        page.wait_for_load_state()
        page.get_by_role("button", name="Send").press("Enter")
        expect(page.get_by_role("alert").get_by_role("link")).to_have_count(3)
        accessible(page)
        for place in (1, 2, 3):
            page.locator(f"[name='{place}.effect']").first.focus()
            page.keyboard.press("4")
        expect(page.locator("input:checked")).to_have_count(3)
        expect(page.locator(".problems")).to_have_count(0)
        page.get_by_role("button", name="Send").press("Enter")
        expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
        assert {row["answer"] for row in Client(server.port).ratings()} == {"more likely"}
