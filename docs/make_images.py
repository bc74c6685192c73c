"""Take the screenshots of the annotation pages and of a report, after `make docs`.

Run it with PYTHONPATH=tests python docs/make_images.py.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import polars as pl
from playwright.sync_api import Browser, Page, ViewportSize, sync_playwright

from needs import browser
from plausibly import init
from plausibly.protocols.pap.made_up import example_items
from plausibly.tables import ITEMS
from serving import Server, serving
from worlds.protocols import protocol_folder
from worlds.served import study_folder

IMAGES = Path(__file__).resolve().parent / "images"
DEMO = IMAGES.parents[1] / "build" / "gallery" / "demo" / "report.html"
SCREEN: ViewportSize = {"width": 860, "height": 680}
SECTIONS: dict[str, dict[str, object]] = {
    "ratings": {"target": 10, "batch": 3, "quota": 3},
    "server": {
        "title": "How plausible is it?",
        "contact": "plausibility@example.org",
        "minutes": 10,
        "pay": "2 £",
        "return_url": "https://app.prolific.com/submissions/complete?cc={code}",
        "code": "C1A2B3C4",
        "door": "open",
        "public_url": "https://plausibility.example.org",
    },
}


def agree(page: Page) -> None:
    """Go from the consent page to the instructions."""
    if page.locator("#eligible").count():
        page.locator("#eligible").check()
    page.locator("#agree").check()
    page.locator("button[type=submit]").click()
    page.wait_for_url("**/instructions")


def send(page: Page) -> None:
    """Send what a page of questions says, and wait for the next."""
    with page.expect_navigation():
        page.locator("form button[type=submit]").first.click()


def answer_first(page: Page) -> None:
    """Choose the first option of every question that is asked, and send."""
    done: set[str] = set()
    while left := [
        field
        for field in page.locator(".field[data-unanswered]:visible").all()
        if str(field.locator("input").first.get_attribute("name")) not in done
    ]:
        name = str(left[0].locator("input").first.get_attribute("name"))
        done.add(name)
        choice = left[0].locator("input:enabled")
        (choice.last if name.startswith(("grammaticality", "coherence")) else choice.first).check()
    send(page)


def shoot_practice(page: Page) -> None:
    """Take the picture of a practice item and what is said about the answer."""
    page.goto(page.url.replace("/instructions", "/practice/2"))
    page.get_by_role("slider").press("ArrowRight")
    send(page)
    page.screenshot(path=IMAGES / "practice.png")


def shoot_adept(page: Page) -> None:
    """Take the picture of an item of ADEPT."""
    page.get_by_role("link", name="Start at once").click()
    while "broken" not in page.content():
        page.get_by_label("more likely").check()
        send(page)
    page.get_by_label("less likely").check()
    page.screenshot(path=IMAGES / "adept.png", full_page=True)


def shoot_four(page: Page) -> None:
    """Take the picture of four pairs of ADEPT on a page."""
    page.get_by_role("link", name="Start at once").click()
    page.locator("[name='1.effect']").nth(1).check()
    page.locator("[name='2.effect']").nth(2).check()
    page.screenshot(path=IMAGES / "adept-four.png", full_page=True)


def shoot_instructions(page: Page) -> None:
    """Take the picture of what is said about the relation of a survey of SP-10K."""
    page.screenshot(path=IMAGES / "sp10k-instructions.png")


def shoot_sp10k(page: Page) -> None:
    """Take the picture of a pair of SP-10K."""
    page.get_by_role("link", name="Start at once").click()
    while "climb, mountain" not in page.content():
        page.get_by_label("perfectly").check()
        send(page)
    page.get_by_label("perfectly").check()
    page.screenshot(path=IMAGES / "sp10k.png", full_page=True)


def shoot_gita(page: Page) -> None:
    """Take the picture of the two sentences in conflict, in Italian."""
    page.get_by_role("link", name="Inizia subito").click()
    while "inforna" not in page.content():
        page.get_by_label("Sì: può accadere").check()
        send(page)
    page.get_by_label("No: qualcosa").check()
    send(page)
    page.locator("[name=conflict_sentence][value='3']").check()
    page.locator("[name=breakpoint][value='4']").check()
    page.screenshot(path=IMAGES / "gita.png", full_page=True)


def shoot_iks(page: Page) -> None:
    """Take the pictures of both steps of an implicit-knowledge item."""
    page.get_by_role("link", name="Start at once").click()
    page.screenshot(path=IMAGES / "iks-step1.png")
    answer_first(page)
    page.screenshot(path=IMAGES / "iks-step2.png")


PICTURES: dict[str, tuple[str, Callable[[Page], None]]] = {
    "adept": ("light", shoot_adept),
    "sp10k": ("dark", shoot_sp10k),
    "gita": ("light", shoot_gita),
    "iks": ("light", shoot_iks),
}


def protocols(chromium: Browser, folder: Path) -> None:
    """Take the pictures of the other published protocols."""
    for protocol, (theme, shoot) in PICTURES.items():
        with serving(protocol_folder(folder / protocol, protocol)) as server:
            page = visitor(chromium, server, dark=theme == "dark")
            shoot(page)
            page.context.close()
    sections: dict[str, dict[str, object]] = {
        "ratings": {"batch": 4, "quota": 4, "checks_per_batch": 0, "target": 3},
        "form": {"per_page": 4},
        "server": {"title": "What does the adjective do?"},
    }
    four = study_folder(folder / "four", example_pairs(), sections, protocol="adept")
    with serving(four) as server:
        shoot_four(visitor(chromium, server, dark=False))
    init("sp10k", folder / "pairs", example=True)
    with serving(folder / "pairs") as server:
        shoot_instructions(visitor(chromium, server, dark=False))


def example_pairs() -> pl.DataFrame:
    """Return pairs of ADEPT to take a picture of."""
    pairs = {
        "A broken clock tells the time.": "A clock tells the time.",
        "A red bus stops here.": "A bus stops here.",
        "A hungry cat eats the fish.": "A cat eats the fish.",
        "A wooden spoon melts.": "A spoon melts.",
    }
    empty = pl.lit(None, pl.String)
    items = pl.DataFrame({"text": list(pairs), "sentence1": list(pairs.values())})
    named = items.with_row_index("item").with_columns(pl.format("a{}", "item").alias("item"))
    return ITEMS.check(named.with_columns(kind=pl.lit("item"), expected=empty, condition=empty))


def visitor(chromium: Browser, server: Server, *, dark: bool) -> Page:
    """Return the instructions as someone sees them who has agreed."""
    scheme: Literal["dark", "light"] = "dark" if dark else "light"
    context = chromium.new_context(viewport=SCREEN, color_scheme=scheme)
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{server.port}/?person=picture")
    agree(page)
    return page


def walk(page: Page, address: str) -> None:
    """Go through a study on a large screen, taking a picture of every kind of page."""
    page.goto(f"{address}/?PROLIFIC_PID=large")
    page.screenshot(path=IMAGES / "consent.png")
    agree(page)
    page.screenshot(path=IMAGES / "instructions.png")
    shoot_practice(page)
    page.goto(f"{address}/work")
    slider = page.get_by_role("slider")
    for place in range(1, 5):
        page.get_by_text(f"Item {place} of 4").first.wait_for()
        if place == 2:
            page.get_by_role("button", name="Send").click()
            page.screenshot(path=IMAGES / "item-refused.png")
        slider.press("ArrowRight")
        if place == 2:
            page.screenshot(path=IMAGES / "item.png")
        page.get_by_role("button", name="Send").click()
    page.wait_for_url("**/done")
    page.screenshot(path=IMAGES / "done.png")


def shoot_report(chromium: Browser) -> None:
    """Take the picture of the first screen of the demo's report, which `make docs` builds."""
    page = chromium.new_page(viewport={"width": 1180, "height": 800})
    page.goto(DEMO.as_uri())
    page.screenshot(path=IMAGES / "report.png")
    page.close()


def main() -> None:
    """Write all screenshots."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        study = study_folder(Path(name) / "s", example_items(seed=1), SECTIONS)
        with serving(study) as server:
            address = f"http://127.0.0.1:{server.port}"
            chromium = playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox"])
            shoot_report(chromium)
            large = chromium.new_context(viewport=SCREEN)
            walk(large.new_page(), address)
            small = chromium.new_context(viewport={"width": 390, "height": 720}, has_touch=True)
            page = small.new_page()
            page.goto(f"{address}/?PROLIFIC_PID=small")
            agree(page)
            page.get_by_role("link", name="Start").tap()
            page.get_by_role("slider").press("ArrowLeft")
            page.screenshot(path=IMAGES / "item-phone.png")
            protocols(chromium, Path(name))
            chromium.close()


if __name__ == "__main__":
    main()
