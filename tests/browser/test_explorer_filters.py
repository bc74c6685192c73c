"""The explorer in a real browser: ranges, texts that turn round, candidates, other predictions."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from playwright.sync_api import Page, expect

import plausibly as pb
from worlds.explored import explored_items, explored_predictions, explored_ratings

from .test_explorer import explorer, opened, page

__all__ = ["explorer", "page"]
pytestmark = pytest.mark.browser
DRAWN = """
window.drawn = [];
const fill = CanvasRenderingContext2D.prototype.fillText;
CanvasRenderingContext2D.prototype.fillText = function (text, x, y, most = Infinity) {
  const half = Math.min(most, this.measureText(text).width) / 2;
  drawn.push({ text, left: x - half, right: x + half });
  fill.call(this, text, x, y, most === Infinity ? undefined : most);
};
"""


def test_a_range_drawn_in_the_figure_can_be_seen_and_removed(page: Page, explorer: Path) -> None:
    opened(page, explorer)
    page.locator("summary").filter(has_text="Figure").click()
    box = page.locator("canvas").bounding_box()
    assert box
    page.mouse.move(box["x"] + 150, box["y"] + 60)
    page.mouse.down()
    page.mouse.move(box["x"] + 400, box["y"] + 250, steps=3)
    page.mouse.up()
    ticked = page.locator(".facets input:checked")
    expect(ticked).to_have_count(2)  # that of the mean and that of the score of a model
    ticked.first.click()
    ticked.click()
    expect(page.locator(".facets input:checked")).to_have_count(0)
    assert "mean=" not in page.url
    assert "score" not in page.url


def test_a_tick_keeps_the_focus(page: Page, explorer: Path) -> None:
    opened(page, explorer, "#items?mean=1.1..4.9")
    box = page.get_by_label("perturbed")
    box.focus()
    page.keyboard.press("Space")
    expect(box).to_be_checked()
    expect(box).to_be_focused()


def test_a_text_that_turns_round_leaves_its_neighbours_alone(page: Page, tmp_path: Path) -> None:
    turned = explored_ratings().with_columns(answer=pl.lit("\u202eyes"))
    items = explored_items().with_columns(condition=pl.lit("attested"))
    pb.browse(turned, items=items).write(tmp_path)
    opened(page, tmp_path / "explorer.html")
    parts = page.locator(".rows .meta").first.locator("bdi").all_text_contents()
    assert parts == ["Label: \u202eyes", "attested"]


def test_an_item_shows_its_candidates(page: Page, tmp_path: Path) -> None:
    items = pl.DataFrame(
        {
            "item": ["p", "p#i", "p#ii"],
            "text": ["At the river", "An otter.", "<b>A fox.</b>"],
            "candidate": [None, "i", "ii"],
            "source": [None, "p", "p"],
        }
    )
    rated = [
        {"item": item, "question": question, "annotator": who, "answer": answer}
        for who in "ab"
        for item, question, answer in (("p", "best", "i"), ("p#ii", "natural", "yes"))
    ]
    pb.browse(pl.DataFrame(rated), items=items).write(tmp_path)
    opened(page, tmp_path / "explorer.html", "#item/p")
    shown = page.locator(".asked dd").all_text_contents()
    assert shown == ["An otter.", "<b>A fox.</b>"]
    opened(page, tmp_path / "explorer.html", "#item/p%23ii")
    expect(page.locator(".asked")).to_contain_text("A candidate for: At the river")
    tied = [{"item": "p", "question": "best", "annotator": "c", "answer": "i;ii"}]
    pb.browse(pl.DataFrame([*rated, *tied]), items=items).write(tmp_path, force=True)
    opened(page, tmp_path / "explorer.html", "#item/p")
    answers = page.get_by_role("region", name="Answers").locator("td:first-child")
    assert answers.all_text_contents() == ["i", "i + ii"]


def test_predictions_that_are_no_labels_are_not_called_wrong(page: Page, tmp_path: Path) -> None:
    said = {"item": ["t010"], "question": ["plausible"], "model": ["other"], "label": ["blue"]}
    predictions = pl.DataFrame(said).with_columns(score=pl.lit(0.5), distribution=pl.lit("{}"))
    pb.browse(explored_ratings(), predictions=predictions).write(tmp_path)
    opened(page, tmp_path / "explorer.html", "#models")
    cells = page.get_by_role("region", name="Models").locator("tbody td").all_text_contents()
    assert cells == ["other", "1", *"\u2013" * 4, "1"]
    opened(page, tmp_path / "explorer.html", "#model/other")
    expect(page.get_by_text("They are not compared with labels")).to_be_visible()
    expect(page.locator("main h2")).to_have_count(0)


def test_long_names_and_texts_do_not_widen_or_fill_a_page(page: Page, tmp_path: Path) -> None:
    items = explored_items().with_columns(text=pl.lit("long text " * 1000), **{"C" * 90: "item"})
    predictions = explored_predictions().with_columns(model=pl.lit("M" * 90))
    predictions = predictions.unique(["item", "question"], maintain_order=True)
    pb.browse(explored_ratings(), items=items, predictions=predictions).write(tmp_path)
    for width in (1100, 390):
        page.set_viewport_size({"width": width, "height": 850})
        for place in ("", "#item/t010", "#person/a1", f"#model/{'M' * 90}"):
            opened(page, tmp_path / "explorer.html", place)
            page.locator("details").evaluate_all("all => all.forEach(one => { one.open = true })")
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{place}: {wide}"
        opened(page, tmp_path / "explorer.html", "#person/a1")
        lines = page.get_by_role("region", name="Ratings").locator("tbody tr")
        assert max(line.bounding_box()["height"] for line in lines.all()) < 150  # type: ignore[index]


def test_an_item_counts_its_own_answers_where_a_question_has_many(
    page: Page, tmp_path: Path
) -> None:
    said = [
        {"item": f"t{at:02}", "annotator": who, "answer": f"no {at}{who}"}
        for at in range(60)
        for who in "ab"
    ]
    pb.browse(pl.DataFrame(said).with_columns(question=pl.lit("comment"))).write(tmp_path)
    for at in (0, 59):
        opened(page, tmp_path / "explorer.html", f"#item/t{at:02}")
        expect(page.get_by_role("heading", name="Answers (n = 2)")).to_be_visible()
        answers = page.get_by_role("region", name="Answers").locator("td:first-child")
        assert answers.all_text_contents() == [f"no {at}a", f"no {at}b"]


def test_the_names_of_the_axes_fit_into_the_figure(page: Page, tmp_path: Path) -> None:
    model = "a-model-with-a-name-that-is-longer-than-a-phone-is-wide-or-a-page-of-it-tall"
    said = explored_predictions().with_columns(model=pl.lit(model)).unique("item")
    pb.browse(explored_ratings(), predictions=said).write(tmp_path)
    page.add_init_script(DRAWN)
    page.set_viewport_size({"width": 390, "height": 844})
    opened(page, tmp_path / "explorer.html")
    page.locator("summary").filter(has_text="Figure").click()
    for axis in ("Horizontal axis", "Vertical axis"):
        page.get_by_label(axis).select_option(f"score:{model}")
    box = page.locator("canvas").bounding_box()
    assert box
    wide, tall = page.evaluate("drawn.slice(-2)")
    assert (wide["text"], tall["text"]) == (f"Score: {model}", f"Score: {model}")
    assert wide["left"] >= 0
    assert wide["right"] <= box["width"]
    assert tall["right"] <= box["height"] / 2


@pytest.mark.parametrize("name", ["constructor", "__proto__", "toString"])
def test_names_that_every_object_inherits_are_names_like_others(
    page: Page, tmp_path: Path, name: str
) -> None:
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    rated = {"item": [name] * 2, "annotator": ["a", "b"], "question": name, "answer": ["1", name]}
    items = pl.DataFrame({"item": [name, "other"], "text": ["An otter.", "A fox."]})
    items = items.with_columns(source=pl.lit(name), **{name: pl.lit("a column")})
    pb.browse(pl.DataFrame(rated), items=items).write(tmp_path)
    opened(page, tmp_path / "explorer.html", f"#item/{name}")
    expect(page.get_by_role("heading", name="An otter.")).to_be_visible()
    expect(page.get_by_role("heading", name="Answers (n = 2)")).to_be_visible()
    expect(page.locator("dd", has_text="a column")).to_be_visible()
    page.goto(f"{(tmp_path / 'explorer.html').as_uri()}#{name}")
    expect(page).to_have_title(f"ratings: {name}")
    assert complaints == []
