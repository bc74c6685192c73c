"""Take the screenshots of the annotation pages: PYTHONPATH=tests python docs/make_images.py."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from needs import browser
from plausibly.ratings.example import example_items
from serving import serving
from worlds.served import study_folder

IMAGES = Path(__file__).resolve().parent / "images"
SECTIONS: dict[str, dict[str, object]] = {
    "ratings": {"target": 10, "batch": 3, "quota": 3},
    "server": {
        "title": "How plausible is it?",
        "contact": "plausibility@example.org",
        "public_url": "https://plausibility.example.org",
    },
}


def agree(page: Page) -> None:
    """Go from the consent page to the instructions."""
    page.get_by_label("Yes").check()
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Continue").click()
    page.wait_for_url("**/instructions")


def walk(page: Page, address: str) -> None:
    """Go through a study on a large screen, taking a picture of every kind of page."""
    page.goto(f"{address}/?PROLIFIC_PID=large")
    page.screenshot(path=IMAGES / "consent.png")
    agree(page)
    page.screenshot(path=IMAGES / "instructions.png")
    page.get_by_role("link", name="Start").click()
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


def main() -> None:
    """Write all screenshots."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        study = study_folder(Path(name) / "s", example_items(seed=1), SECTIONS)
        with serving(study) as server:
            address = f"http://127.0.0.1:{server.port}"
            chromium = playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox"])
            large = chromium.new_context(viewport={"width": 860, "height": 680})
            walk(large.new_page(), address)
            small = chromium.new_context(viewport={"width": 390, "height": 720}, has_touch=True)
            page = small.new_page()
            page.goto(f"{address}/?PROLIFIC_PID=small")
            agree(page)
            page.get_by_role("link", name="Start").tap()
            page.get_by_role("slider").press("ArrowLeft")
            page.screenshot(path=IMAGES / "item-phone.png")
            chromium.close()


if __name__ == "__main__":
    main()
