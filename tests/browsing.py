"""What tests in a browser do on the pages of a PAP study."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from serving import Server


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
