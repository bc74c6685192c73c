"""The explorer in a real browser, from disk: it shows, filters, and obeys no text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import chdir
from io import BytesIO
from pathlib import Path
from typing import Any, Literal

import polars as pl
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

import plausibly as pb
from worlds.explored import HOSTILE, explored_predictions, explored_ratings, write_explored

pytestmark = pytest.mark.browser
VIEWS = ("", "#item/t010", "#people", "#person/a1", "#models", "#model/small", "#about")


@pytest.fixture(scope="module")
def explorer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("explored")
    _browsed(folder).write(folder / "out")
    return folder / "out" / "explorer.html"


def _browsed(folder: Path) -> Any:
    paths = write_explored(folder)
    items, predictions = paths["items"], paths["predictions"]
    return pb.browse(paths["ratings"], items=items, predictions=predictions, methods="mean")


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    page = chromium.new_page(viewport={"width": 1200, "height": 900}, locale="en")
    yield page
    page.close()


def opened(page: Page, explorer: Path, place: str = "") -> Page:
    page.goto("about:blank")
    page.goto(explorer.as_uri() + place)
    expect(page.locator("main h1")).to_be_visible()
    return page


def test_hostile_texts_are_shown_and_nothing_is_requested(page: Page, explorer: Path) -> None:
    asked: list[str] = []
    complaints: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    for place in (*VIEWS, "#item/t000", "#item/t001", "#no-such-view", "#item/nobody"):
        opened(page, explorer, place)
        assert page.evaluate("document.body.dataset.hit") is None
        assert page.locator("main img, main script").count() == 0
    opened(page, explorer)
    texts = page.locator(".rows .main").all_text_contents()
    assert texts[: len(HOSTILE)] == list(HOSTILE)
    assert {one.partition("#")[0] for one in asked} == {explorer.as_uri()}
    assert complaints == []


@pytest.mark.parametrize(("width", "theme"), [(1200, "light"), (1200, "dark"), (390, "light")])
def test_every_view_is_accessible_and_fits(
    chromium: Browser, explorer: Path, width: int, theme: Literal["light", "dark"]
) -> None:
    context = chromium.new_context(
        viewport={"width": width, "height": 900}, color_scheme=theme, bypass_csp=True
    )
    page = context.new_page()
    for place in VIEWS:
        findings = Axe().run(opened(page, explorer, place))
        assert findings.violations_count == 0, findings.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, place
    context.close()


def test_the_download_equals_the_python_line(page: Page, explorer: Path) -> None:
    query = "#items?condition=attested&condition=&mean=2..<4&sort=-entropy&q=OTTER"
    opened(page, explorer, query)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    content = Path(download.value.path()).read_bytes()
    line = page.locator("code.line").text_content() or ""
    call = re.match(r"pb\.browse\(.*?\)(?=\.rows)", line)
    assert call
    with chdir(explorer.parent.parent):
        again = eval(call[0], {"pb": pb})  # noqa: S307
    assert again.rows.equals(_browsed(explorer.parent.parent).rows)
    browsed = _browsed(explorer.parent.parent)
    line = line.replace(call[0], "browsed")
    expected = eval(line, {"pl": pl, "browsed": browsed})  # noqa: S307
    found = pl.read_csv(BytesIO(content), schema_overrides=browsed.rows.schema)
    assert found.equals(expected)
    independent = [
        row["item"]
        for row in browsed.rows.to_dicts()
        if row["condition"] in ("attested", None)
        and 2 <= row["mean"] < 4
        and "otter" in row["text"]
    ]
    assert sorted(found["item"]) == sorted(independent) != []


def test_cells_that_a_spreadsheet_would_run_get_a_quote(page: Page, explorer: Path) -> None:
    opened(page, explorer)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    texts = pl.read_csv(download.value.path())["text"].to_list()
    assert [one[0] for one in texts[3:7]] == ["'"] * 4
    assert texts[7] == HOSTILE[7]


def test_counts_of_a_facet_ignore_that_facet(page: Page, explorer: Path) -> None:
    opened(page, explorer, "#items?condition=attested")
    counts = page.locator(".facets details").first.locator(".facet i").all_text_contents()
    assert counts == ["14", "13", "13"]
    expect(page.get_by_role("status")).to_have_text("14 of 40 items")
    page.get_by_label("perturbed").check()
    expect(page.get_by_role("status")).to_have_text("27 of 40 items")
    assert page.url.endswith("#items?condition=attested&condition=perturbed")


def test_the_upper_end_of_a_scale_is_in_the_last_bin(page: Page, explorer: Path) -> None:
    opened(page, explorer)
    facet = page.locator(".facets details").filter(has_text="Label: mean")
    facet.locator("summary").click()
    means = _browsed(explorer.parent.parent).rows["mean"]
    assert means.max() == 5
    last = facet.locator(".facet").last.text_content() or ""
    assert re.findall(r"[\d.]+", last) == ["4.5", f"5{(means >= 4.5).sum()}"]
    counts = map(int, facet.locator(".facet i").all_text_contents())
    assert sum(counts) == means.len()


def test_the_figure_explains_its_colours(page: Page, explorer: Path) -> None:
    opened(page, explorer)
    page.locator("summary").filter(has_text="Figure").click()
    expect(page.get_by_text("Orange: a model is wrong about the item.")).to_be_visible()


def test_words_in_a_table_are_not_broken_on_a_phone(chromium: Browser, tmp_path: Path) -> None:
    differs = pl.when(pl.col("annotator") == "a5").then(pl.lit("plausible"))
    ratings = explored_ratings().with_columns(answer=differs.otherwise(pl.lit("implausible")))
    said = {"label": "plausible", "distribution": '{"plausible": 0.9, "implausible": 0.1}'}
    predictions = explored_predictions().with_columns(**{k: pl.lit(v) for k, v in said.items()})
    pb.browse(ratings, predictions=predictions).write(tmp_path / "words")
    page = chromium.new_page(viewport={"width": 390, "height": 900}, locale="en")
    opened(page, tmp_path / "words" / "explorer.html", "#model/large")
    lines = page.locator("td", has_text="implausible").evaluate_all(
        """cells => cells.map(cell => {
            const range = document.createRange();
            range.selectNodeContents(cell.querySelector("bdi") || cell);
            return new Set([...range.getClientRects()].map(one => Math.round(one.top))).size;
        })"""
    )
    page.close()
    assert set(lines) == {1}


def test_keys_step_through_the_filtered_list(page: Page, explorer: Path) -> None:
    opened(page, explorer, "#items?condition=perturbed")
    page.keyboard.press("/")
    page.keyboard.type("otter")
    expect(page.get_by_role("status")).to_have_text("10 of 40 items")
    page.locator(".scroll").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("main h1")).to_have_text("otter 5 paints a ladder")
    page.keyboard.press("ArrowRight")
    expect(page.locator("main h1")).to_have_text("otter 8 paints a ladder")
    expect(page.locator(".pager")).to_contain_text("3 of 10")


def test_a_model_that_is_wrong_where_people_are_split_is_listed_apart(
    page: Page, explorer: Path
) -> None:
    rows = _browsed(explorer.parent.parent).rows
    for model in ("large", "small"):
        opened(page, explorer, f"#model/{model}")
        headings = page.locator("main h2").all_text_contents()
        verdicts = rows[f"verdict:{model}"].to_list()
        assert headings[0] == f"Wrong with most confidence ({verdicts.count('wrong')})"
        assert headings[1] == f"Wrong where people are split ({verdicts.count('wrong (split)')})"


def test_each_answer_is_shown_with_the_mean_of_the_others(page: Page, explorer: Path) -> None:
    opened(page, explorer, "#item/t011")
    table = page.get_by_role("region", name="Ratings").locator("tbody tr")
    answers = [1 + (11 + person * 3) % 5 for person in range(6)]
    for person, cells in enumerate(table.all()):
        found = cells.locator("td").all_text_contents()
        others = [one for other, one in enumerate(answers) if other != person]
        assert found[1] == str(answers[person])
        assert float(found[2]) == pytest.approx(sum(others) / 5, abs=0.005)


def test_the_page_can_be_read_in_italian(page: Page, explorer: Path) -> None:
    opened(page, explorer)
    page.get_by_label("Language").select_option("it")
    expect(page.locator("main h1")).to_have_text("Elementi")
    assert page.evaluate("document.documentElement.lang") == "it"


def test_only_rows_in_view_are_in_the_page(page: Page, explorer: Path) -> None:
    opened(page, explorer)
    assert page.locator(".rows li").count() < 30
    page.locator(".scroll").evaluate("one => { one.scrollTop = one.scrollHeight }")
    expect(page.locator(".rows li").last).to_have_attribute("aria-posinset", "40")
