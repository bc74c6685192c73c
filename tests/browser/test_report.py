"""The report in a real browser: it shows, it is accessible, it asks nobody for anything."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Literal

import polars as pl
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from plausibly.analysis.figures.cells import Cell, draw_rainclouds, draw_shares
from plausibly.analysis.figures.drawing import Bar, Segment, Span, axis, draw_bars, draw_spans
from plausibly.cli import run
from worlds.events import crowd, study_of
from worlds.pap import write_release

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("studies") / "otters"
    assert run(["init", "pap", str(folder), "--example"]) == 0
    assert run(["run", str(folder)]) == 0
    return folder / "report.html"


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_page(viewport={"width": 1000, "height": 900})
    yield page
    page.close()


def test_the_report_shows_and_asks_for_nothing_else(page: Page, report: Path) -> None:
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(report.as_uri())
    assert page.locator("#summary p").count() == 6
    assert page.locator("#agreement h2").is_visible()
    assert asked == [report.as_uri()]
    assert complaints == []


def test_the_first_screen_has_question_answer_certainty_and_people(
    page: Page, report: Path
) -> None:
    page.goto(report.as_uri())
    screen = page.viewport_size or {"height": 0}
    for one in (".asked", ".key", ".found", "#figure-question-plausible svg"):
        box = page.locator(one).bounding_box()
        assert box is not None, one
        assert box["y"] + box["height"] <= screen["height"], one
    assert "95 % interval" in page.locator(".found").inner_text()


@pytest.mark.parametrize(
    ("figure", "view"),
    [
        ("question-plausible", "item"),
        ("labels", "items"),
        ("answers", "items"),
        ("items", "item"),
        ("people", "person"),
        ("annotators", "person"),
        ("annotator-sides", "person"),
        ("pap-figure-4a", "item"),
    ],
)
def test_a_mark_says_what_it_is_and_leads_to_the_explorer(
    page: Page, report: Path, figure: str, view: str
) -> None:
    written = report.read_text(encoding="utf-8").partition(f'id="figure-{figure}"')[2]
    texts = {unescape(one) for one in re.findall("<title>(.*?)</title>", written)}
    page.goto(f"{report.as_uri()}#figure-{figure}")
    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
    shown, drawing = page.locator("#shown-mark"), page.locator(f"#figure-{figure} svg")
    mark = drawing.locator("[data-to]").first
    address = mark.get_attribute("data-to") or "?"
    assert address.startswith(f"{view}/" if view != "items" else "items?")
    drawing.scroll_into_view_if_needed()
    mark.hover(force=True)
    assert shown.locator("bdi").inner_text() in texts
    page.keyboard.press("Escape")
    assert not shown.is_visible()
    drawing.focus()
    for key in ("Home", "ArrowRight", "End"):
        page.keyboard.press(key)
        assert shown.locator("bdi").inner_text() in texts
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/explorer\.html#"))
    page.locator("main h1").wait_for()
    page.evaluate(f"location.hash = {address!r}")
    page.wait_for_function("location.hash.includes('/') || location.hash.includes('?')")
    assert "no such entry" not in page.locator("main h1").inner_text()
    assert page.locator("main table, main ol.rows li").count()


def test_what_is_folded_opens_by_its_address_and_methods_are_copied(
    page: Page, report: Path
) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(report.as_uri())
    assert not page.locator("#figure-people").is_visible()
    page.goto(f"{report.as_uri()}#ratings")
    page.reload()
    assert page.locator("#figure-people").is_visible()
    page.get_by_role("button", name="LaTeX").click()
    page.get_by_text("Copied.").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert r"\paragraph{References}" in copied
    assert "Krippendorff" in copied
    assert r"95 \%" in copied


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 360])
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
    shown = page.locator("figure").count() + page.locator("main table").count()
    links = page.locator("main a[download$='.csv']")
    assert links.count() == shown >= 10
    for form, kind in (("csv", "text/csv"), ("md", "text/markdown"), ("tex", "application/x-tex")):
        held = page.locator(f"main a[download$='.{form}']")
        every_item = page.locator("figure[id^='figure-question-']").count() if form != "csv" else 0
        assert held.count() == shown - every_item, "a table of all answers is too long to paste"
        assert (held.first.get_attribute("href") or "").startswith(f"data:{kind};base64,")


def test_a_click_on_a_heading_sorts_a_table(page: Page, report: Path) -> None:
    page.goto(report.as_uri())
    table = page.locator("#agreement table")
    button = table.get_by_role("button", name="value")
    cells = table.locator("tbody tr td:nth-child(2)")
    before = cells.all_inner_texts()
    for way in ("ascending", "descending"):
        button.click()
        assert button.locator("..").get_attribute("aria-sort") == way
        numbers = [float(one) for one in cells.all_inner_texts()]
        assert numbers == sorted(map(float, before), reverse=way == "descending")
    assert sorted(cells.all_inner_texts()) == sorted(before)


def test_the_report_can_be_read_without_scripts(chromium: Browser, report: Path) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    assert page.get_by_role("heading", name="Software and seeds").is_visible()
    assert page.locator("#agreement tbody tr").count() > 5
    context.close()


def test_the_report_fits_a_sheet_of_paper(page: Page, report: Path) -> None:
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 643, "height": 900})  # A4 less its margins
    page.goto(report.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 643
    assert not page.locator("nav").is_visible()


@pytest.fixture(scope="module")
def events(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = study_of(tmp_path_factory.mktemp("events") / "study", *crowd(people=10, groups=6))
    assert run(["run", str(folder)]) == 0
    return folder / "report.html"


@pytest.mark.parametrize(("width", "theme"), [(1200, "light"), (390, "dark")])
def test_the_sections_of_questions_are_accessible_and_fit(
    page: Page, events: Path, width: int, theme: Literal["light", "dark"]
) -> None:
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(events.as_uri())
    findings = Axe().run(page)
    assert findings.violations_count == 0, findings.generate_report()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for question in ("fit", "happens"):
        assert page.locator(f"#figure-question-{question} svg").is_visible()
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 643, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= 643


def test_print_keeps_short_tables_whole_and_headings_with_their_text(
    page: Page, events: Path
) -> None:
    page.goto(events.as_uri())
    page.emulate_media(media="print")
    kept = "(all) => all.map((one) => getComputedStyle(one).breakInside)"
    short = page.locator("#agreement table, #methods table, section table").filter(
        has_not=page.locator("tr:nth-child(15)")
    )
    assert set(short.evaluate_all(kept)) == {"avoid"}
    after = "(all) => all.map((one) => getComputedStyle(one).breakAfter)"
    assert set(page.locator("main h2, main h3, main summary").evaluate_all(after)) == {"avoid"}
    shown = "(all) => all.map((one) => getComputedStyle(one).display)"
    assert set(page.locator("thead").evaluate_all(shown)) == {"table-header-group"}
    # With a box of its own, a button keeps Chromium from repeating the header on the next sheet.
    assert set(page.locator("thead button").evaluate_all(shown)) == {"contents"}


def test_what_is_folded_is_open_on_paper(page: Page, events: Path) -> None:
    page.goto(events.as_uri())
    page.evaluate("document.querySelector('main').append(document.createElement('details'))")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("[...document.querySelectorAll('main details')].every((one) => one.open)")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not page.evaluate("document.querySelector('main > details').open")


def test_a_word_without_breaks_does_not_widen_the_page(page: Page, tmp_path: Path) -> None:
    word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk" * 3
    ratings, items = crowd(people=6, groups=3)
    items = items.with_columns(pl.col("condition").replace({"odd": word}))
    form = (
        '[[form.questions]]\nid = "fit"\ntype = "slider"\nmin = 0\nmax = 100\nstart = 50\n'
        f'text = "{word}?"\nlabels = ["{word}", "very"]\n'
    )
    folder = study_of(tmp_path / "long", ratings.filter(question="fit"), items, form)
    assert run(["run", str(folder)]) == 0
    page.set_viewport_size({"width": 390, "height": 900})
    page.goto((folder / "report.html").as_uri())
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("published")
    write_release(folder)
    command = ["replicate", "pap", "--figures", "--data", str(folder)]
    assert run([*command, "-o", str(folder / "out")]) == 0
    return folder / "out" / "report.html"


@pytest.mark.parametrize(("width", "theme"), [(1200, "light"), (360, "dark")])
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


LABELS = (
    "metaphorisch",
    "WWWWWWWWWWWW",
    "mmmmmmmmmmmmmmmmmmmmmm",
    "ПЛАУЗИБЕЛЬНОСТЬ щебёнка",
    "語" * 20,
    "a + b < c = d > e",
    "\u00b1\u00d7\u00f7\u2026" * 5,
)
NUMBERS = "\u221212.34 [\u221215.22, \u221210.11]"


def test_no_label_is_cut_off_in_any_script(page: Page) -> None:
    cells = [
        Cell(label, NUMBERS, value=1, low=0.5, high=1.5, shares={"yes": 1.0}) for label in LABELS
    ]
    spans = [Span(label, value=1, low=0.5, high=1.5, text=NUMBERS) for label in LABELS]
    rain = draw_rainclouds(cells, [[0.5, 1, 1.5]] * len(cells), title="t", name="answer")
    bars = draw_bars([Bar(label, [Segment(0, 1, 0, "all")], "3") for label in LABELS], title="t")
    ranges = draw_spans(spans, title="t", scale=axis("answer", [0.5, 1.5]))
    shares = draw_shares(cells, [[{"yes": 1.0}]] * len(cells), title="t", legend={"yes": "#000"})
    page.set_content(f"<body style='width:640px'>{rain}{bars}{ranges}{shares}</body>")
    boxes = page.evaluate(
        "() => [...document.querySelectorAll('svg text')].map(t => t.getBBox())"
        ".map(box => [box.x, box.x + box.width])"
    )
    assert min(left for left, _ in boxes) >= 0
    assert max(right for _, right in boxes) <= 640
