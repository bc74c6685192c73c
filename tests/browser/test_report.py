"""The report in a real browser: it shows, it is accessible, it asks nobody for anything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, sync_playwright

from needs import browser
from plausibly.cli import run
from worlds.pap import write_release

pytestmark = pytest.mark.browser
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("studies") / "otters"
    assert run(["init", "pap", str(folder), "--example"]) == 0
    assert run(["run", str(folder)]) == 0
    return folder / "report.html"


@pytest.fixture
def page() -> Iterator[Page]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser(), args=FLAGS)
        yield chromium.new_page(viewport={"width": 1000, "height": 900})
        chromium.close()


def test_the_report_shows_and_asks_for_nothing_else(page: Page, report: Path) -> None:
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(report.as_uri())
    assert page.locator("#summary p").count() == 5
    assert page.get_by_role("heading", name="Agreement").is_visible()
    assert asked == [report.as_uri()]
    assert complaints == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 390])
def test_the_report_is_accessible_and_fits(
    page: Page, report: Path, width: int, theme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(report.as_uri())
    findings = Axe().run(page)
    assert findings.violations_count == 0, findings.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_the_dark_theme_is_dark(page: Page, report: Path) -> None:
    colours = {}
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        page.goto(report.as_uri())
        style = "getComputedStyle(document.querySelector('main')).backgroundColor"
        colours[theme] = page.evaluate(style)
    assert colours["light"] == "rgb(255, 255, 255)"
    assert colours["dark"] != colours["light"]


def test_every_table_can_be_taken_along(page: Page, report: Path) -> None:
    page.goto(report.as_uri())
    links = page.locator("figcaption a[download]")
    assert links.count() == page.locator("figure").count() >= 5
    for place in range(links.count()):
        assert (links.nth(place).get_attribute("href") or "").startswith("data:text/csv;base64,")


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("published")
    write_release(folder)
    assert run(["analyse", "pap", "--data", str(folder), "-o", str(folder / "out")]) == 0
    return folder / "out" / "report.html"


@pytest.mark.parametrize(("width", "theme"), [(1200, "light"), (390, "dark")])
def test_the_page_of_a_publication_is_accessible_and_fits(
    page: Page, paper: Path, width: int, theme: Literal["light", "dark"]
) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(paper.as_uri())
    findings = Axe().run(page)
    assert findings.violations_count == 0, findings.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert asked == [paper.as_uri()]
