"""What tests in a browser share: a look at any page, and acts on the pages of a PAP study."""

from __future__ import annotations

import re
from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from serving import Server

# The dark theme changes colours only.
THEMES: tuple[tuple[Literal["light", "dark"], dict[str, list[str]]], ...] = (
    ("light", {}),
    ("dark", {"runOnly": ["color-contrast"]}),
)


def fine(page: Page) -> None:
    """Look at a page as axe does in both themes, and as a person with large text does."""
    for theme, options in THEMES:
        page.emulate_media(color_scheme=theme)
        report = Axe().run(page, options=options)
        assert report.violations_count == 0, f"{page.url} {theme}: {report.generate_report()}"
    style = page.add_style_tag(content="html { font-size: 200% !important }")
    wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    assert wide <= 0, f"{page.url}: {wide} px too wide"
    style.evaluate("style => style.remove()")


def open_study(page: Page, server: Server, person: str) -> None:
    page.goto(f"http://127.0.0.1:{server.port}/?PROLIFIC_PID={person}")


def start(page: Page, server: Server, person: str) -> None:
    open_study(page, server, person)
    page.get_by_label("Yes").check()
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("link", name="Start").click()
    expect(slider(page)).to_be_visible()
    page.wait_for_load_state()


def slider(page: Page) -> Locator:
    return page.get_by_role("slider", name="Is this sentence plausible?")


def position(page: Page) -> int:
    return int(re.findall(r"\d+", page.locator(".progress label").inner_text())[0])


def send(page: Page) -> None:
    page.wait_for_load_state()  # before it, the script does not hear a click
    page.get_by_role("button", name="Send and go on").click()
