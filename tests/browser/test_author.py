"""The pages authors write with: by keyboard, in both languages and themes, with large text."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from browsing import fine
from plausibly.web.author.drafts import drafts_in
from plausibly.web.author.running import author_of
from plausibly.web.running import threaded

pytestmark = pytest.mark.browser
SENTENCES = (
    *("Ada accende il forno.", "Ada prepara la torta.", "Ada inforna la torta nel forno."),
    *("Ada toglie la torta dal forno.", "Ada spegne il forno."),
)


@pytest.fixture(params=["en", "it"])
def author(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, Path]]:
    study = f'[study]\nname = "x"\nprotocol = "gita"\n[server]\ninterface = "{request.param}"\n'
    (tmp_path / "study.toml").write_text(study, encoding="utf-8")
    with threaded(author_of(tmp_path)) as port:
        yield f"http://127.0.0.1:{port}", tmp_path


def _picks_a_pair(page: Page) -> None:
    """A pair that cannot be is told at once, and pairs that can be stay open."""
    first = page.locator("fieldset").first
    said = first.locator(".error")
    pair = [first.locator("select").nth(n).input_value() for n in range(2)]
    expect(said).to_be_hidden()
    first.locator("select").nth(0).select_option(index=3)
    expect(said).to_be_visible()
    assert first.locator("select").nth(1).locator("option:not([disabled])").all_inner_texts() == [
        "5"
    ]
    first.locator("select").nth(1).select_option(index=4)
    expect(said).to_be_hidden()
    first.locator("[name=keep]").check()  # and what is kept names a state
    expect(said).to_be_visible()
    fine(page)
    first.locator("[name=keep]").uncheck()
    expect(said).to_be_hidden()
    for n in (0, 1):
        first.locator("select").nth(n).select_option(index=int(pair[n]))


def test_a_story_is_written_and_reviewed_by_keyboard(
    chromium: Browser, author: tuple[str, Path]
) -> None:
    address, folder = author
    context = chromium.new_context(viewport={"width": 360, "height": 740}, bypass_csp=True)
    context.set_default_timeout(30_000)
    page = context.new_page()
    page.goto(address)
    fine(page)
    page.get_by_role("button").press("Enter")
    expect(page.locator("#actor")).to_be_focused()
    fine(page)
    page.keyboard.type("Ada")
    for text in ("forno, torta", "cucina", "w1", *SENTENCES):
        page.keyboard.press("Tab")
        page.keyboard.type(text)
    page.keyboard.press("Enter")
    page.wait_for_url("**/variants")
    fine(page)
    number = page.locator(".numbered label").first
    tall = "label => label.offsetHeight / parseFloat(getComputedStyle(label).fontSize)"
    assert number.evaluate(tall) < 2  # "1." is on one line
    _picks_a_pair(page)
    page.locator("[name=state-0]").press_sequentially("exist")
    page.locator("[name=keep][value='0']").press("Space")
    page.get_by_role("button").press("Enter")
    page.wait_for_url("**/review")
    fine(page)
    page.locator("a[href$='/states']").press("Enter")
    page.wait_for_url("**/states")
    fine(page)
    page.get_by_role("button").press("Enter")
    page.wait_for_url("**/review")
    page.locator("#reviewer").press_sequentially("Ugo")
    page.keyboard.press("Enter")
    expect(page.locator(".stories li")).to_contain_text("Ugo")
    (variant,) = drafts_in(folder)[1].variants
    assert variant.state == "exist"
    context.close()


def test_the_benchmark_still_writes_a_story(chromium: Browser, author: tuple[str, Path]) -> None:
    path = Path(__file__).resolve().parents[2] / "benchmarks" / "author.py"
    benchmark = runpy.run_path(str(path))
    address, folder = author
    page = chromium.new_page()
    page.goto(address)
    benchmark["write_story"](page, benchmark["STORIES"][0])
    assert drafts_in(folder)[1].sentences == benchmark["STORIES"][0][2:]
    page.close()


def test_an_edited_variant_is_kept(chromium: Browser, author: tuple[str, Path]) -> None:
    address, folder = author
    page = chromium.new_page()
    page.set_default_timeout(30_000)
    page.goto(address)
    page.get_by_role("button").click()
    page.locator("#actor").fill("Ada")
    page.locator("#objects").fill("forno, torta")
    for n, text in enumerate(SENTENCES):
        page.locator(f"#sentence-{n}").fill(text)
    page.get_by_role("button").click()
    page.wait_for_url("**/variants")
    last = page.locator("fieldset").last
    edited = last.locator("input.line:not(.short)").last
    expect(last.locator("[name=keep]")).not_to_be_checked()
    edited.fill("Ada riaccende il forno.")
    expect(last.locator("[name=keep]")).to_be_checked()
    last.locator("[name^=state-]").select_option("power")
    page.get_by_role("button").click()
    page.wait_for_url("**/review")
    assert drafts_in(folder)[1].variants[0].sentences[4] == "Ada riaccende il forno."
    page.close()
