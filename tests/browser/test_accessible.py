"""Every page passes axe-core, and a form of one's own works in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from plausibly.tables import ITEMS
from serving import Client, Server, serving

pytestmark = pytest.mark.browser

CUSTOM = """
[study]
name = "sentences"
protocol = "custom"
[ratings]
target = 2
batch = 2
checks_per_batch = 0
[server]
title = "Which sentence explains it?"
[form]
id = "sentences"
consent = ["You will compare sentences."]
instructions = ["Judge every sentence, then say which is best."]
show = ["genre"]
[[form.questions]]
id = "grammar"
type = "likert"
text = "Is it grammatical?"
options = ["NO", "ALMOST", "YES"]
labels = ["No", "Almost", "Yes"]
per = "candidate"
[[form.questions]]
id = "coherent"
type = "choice"
text = "Does it fit?"
options = ["yes", "no"]
per = "candidate"
skip_if = { grammar = ["NO"] }
[[form.questions]]
id = "best"
type = "best-of-n"
text = "Which is best?"
ties = true
skip_if = { grammar = ["NO"] }
[[form.questions]]
id = "kinds"
type = "set"
text = "What is it about?"
options = ["cause", "part"]
required = false
[[form.questions]]
id = "sure"
type = "slider"
text = "How sure are you?"
min = 0
max = 10
start = 5
labels = ["not at all", "very"]
[[form.questions]]
id = "comment"
type = "text"
text = "Comments"
required = false
"""


@pytest.fixture(scope="module")
def custom(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("custom")
    (folder / "study.toml").write_text(CUSTOM, encoding="utf-8")
    rows = []
    for n in range(3):
        rows.append({"item": f"e{n}", "text": f"Pair {n}", "genre": "news"})
        rows += [
            {"item": f"e{n}#{name}", "text": f"Candidate {name}", "candidate": name}
            for name in ("i", "ii")
        ]
    columns = dict.fromkeys(("item", "text", "genre", "candidate"), pl.String())
    items = pl.DataFrame(rows, schema=columns).with_columns(
        source=pl.col("item").str.replace("#.*", "")
    )
    ITEMS.check(items).write_parquet(folder / "items.parquet")
    with serving(folder) as server:
        yield server


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context()
    context.set_default_timeout(15_000)
    yield context.new_page()
    context.close()


def accessible(page: Page) -> None:
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
            expect(page.get_by_text("still in the middle")).to_be_visible()
        if place < 3:
            accessible(page)
        page.get_by_role("slider").press("ArrowRight")
        page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("heading", name="Thank you")).to_be_visible()
    accessible(page)
    page.goto(f"http://127.0.0.1:{pap.port}/resume/nonsense")
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


def test_a_form_of_ones_own_skips_what_is_not_asked(page: Page, custom: Server) -> None:
    page.goto(f"http://127.0.0.1:{custom.port}/")
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("link", name="Start").click()
    accessible(page)
    first, second = page.locator(".candidate").nth(0), page.locator(".candidate").nth(1)
    first.get_by_label("No", exact=True).first.check()
    expect(first.get_by_text("Does it fit?")).to_be_hidden()
    second.get_by_label("Yes", exact=True).first.check()
    second.get_by_label("yes", exact=True).last.check()
    page.get_by_role("group", name="Which is best?").get_by_label("ii").check()
    page.get_by_role("slider").press("ArrowRight")
    page.reload()
    expect(first.get_by_text("Does it fit?")).to_be_hidden()
    page.get_by_role("button", name="Send").click()
    expect(page.locator(".progress label")).to_have_text("Item 2 of 2")
    ratings = {(row["item"][2:], row["question"]): row for row in Client(custom.port).ratings()}
    assert {key: row["answer"] for key, row in ratings.items()} == {
        ("#i", "grammar"): "NO",
        ("#ii", "grammar"): "YES",
        ("#ii", "coherent"): "yes",
        ("", "best"): "ii",
        ("", "sure"): "6",
    }
    assert ratings["#ii", "grammar"]["value"] == 3.0


def test_what_is_missing_is_named_where_it_is_missing(page: Page, custom: Server) -> None:
    page.goto(f"http://127.0.0.1:{custom.port}/?person=gaps")
    page.get_by_label("I have read this").check()
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("link", name="Start").click()
    page.get_by_label("Comments").fill("kept")
    page.get_by_role("button", name="Send").click()
    problems = page.get_by_role("alert").get_by_role("link")
    expect(problems.first).to_be_visible()
    assert problems.count() == 5
    expect(page.get_by_label("Comments")).to_have_value("kept")
    accessible(page)
