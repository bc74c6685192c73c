"""The page of an audit in a real browser: it shows, it fits, it asks nobody for anything."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import numpy as np
import polars as pl
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

import plausibly as pb

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    draw = np.random.default_rng(1)
    item, person = np.repeat(np.arange(60), 15), np.tile(np.arange(15), 60)
    felt = 3 + draw.normal(0, 1, 60)[item] + draw.normal(0, 1, len(item))
    answer = np.clip(np.round(felt), 1, 5).astype(int)
    answer = np.where(person < 3, draw.integers(1, 6, len(item)), answer)
    ratings = pl.DataFrame(
        {
            "item": [f"t{number}" for number in item],
            "annotator": [f"a{number}" for number in person],
            "answer": answer,
            "condition": ["odd" if number % 2 else "plain" for number in item],
            "text": [f"the otter paints ladder {number}" for number in item],
        }
    )
    path = tmp_path_factory.mktemp("audits") / "audit.html"
    path.write_text(pb.audit(ratings).page, encoding="utf-8")
    return path


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_page(viewport={"width": 1000, "height": 900})
    yield page
    page.close()


def test_the_page_shows_ten_verdicts_and_asks_for_nothing_else(page: Page, audit: Path) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(audit.as_uri())
    assert page.locator("#verdicts tbody tr").count() == 10
    assert page.locator("#findings li").count() == 1
    page.locator("#verdicts tbody a").nth(1).click()
    assert page.url.endswith("#reliability")
    assert page.locator("#reliability figure svg").is_visible()
    assert asked == [audit.as_uri()]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 390])
def test_the_page_is_accessible_and_fits(
    page: Page, audit: Path, width: int, theme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(audit.as_uri())
    findings = Axe().run(page)
    assert findings.violations_count == 0, findings.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
