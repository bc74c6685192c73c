"""The page of errata: accessible in both themes, on a phone and without JavaScript."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from plausibly.replications import replicate
from worlds.pap import write_norms, write_release

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def errata(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("errata")
    write_release(folder)
    write_norms(folder)
    path = folder / "errata.html"
    path.write_text(replicate("pap", data=folder).page("html"), encoding="utf-8")
    return path


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_of_errata_is_accessible(
    chromium: Browser, errata: Path, theme: Literal["light", "dark"], width: int
) -> None:
    page = chromium.new_page(color_scheme=theme, viewport={"width": width, "height": 800})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(errata.as_uri())
    assert Axe().run(page).response["violations"] == []
    overflow = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    background = page.evaluate("getComputedStyle(document.querySelector('main')).backgroundColor")
    page.close()
    assert asked == [errata.as_uri()]
    assert overflow <= 0
    assert background == ("rgb(255, 255, 255)" if theme == "light" else "rgb(22, 28, 35)")


def test_the_page_of_errata_can_be_read_without_javascript(chromium: Browser, errata: Path) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(errata.as_uri())
    article = page.locator("article", has_text="68.98 %")
    words = article.inner_text()
    context.close()
    for word in (
        "section 5.1, first paragraph",
        "printed",
        "recomputed",
        "erratum, numeric",
        "how",
    ):
        assert word in words
