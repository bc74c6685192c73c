"""The explorer in a real browser: what was asked, of how many people, and where items come from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest
from playwright.sync_api import Browser, Page, expect

import plausibly as pb
from plausibly.analysis.explorer import explorer_page
from worlds.explored import explored_items, explored_predictions, explored_ratings

from .test_explorer import opened, page

__all__ = ["page"]
pytestmark = pytest.mark.browser
ASKED = {
    "text": "How <b>likely</b> is it?",
    "bounds": [1, 5],
    "words": {"1": "never", "5": "always"},
    "note": "The wording is ours.",
}


@pytest.fixture(scope="module")
def explorer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an explorer with a question, source sentences, and items without a majority."""
    sentence = pl.when(pl.col("item") == "t010").then(pl.lit("Otters paint ladders."))
    items = explored_items().with_columns(
        source_sentence=sentence, source_document=pl.lit("7"), length=pl.col("text").str.len_chars()
    )
    labels = pb.label(explored_ratings(), method="strict-majority").labels
    browsed = pb.browse(
        explored_ratings(), items=items, labels=labels, predictions=explored_predictions()
    )
    about = {**browsed.material.about, "title": "Otters at work", "sources": "A corpus (CC0)"}
    material = replace(browsed.material, questions={"plausible": ASKED}, about=about)
    path = tmp_path_factory.mktemp("asked") / "explorer.html"
    path.write_text(explorer_page(material), encoding="utf-8")
    return path


def test_items_an_item_and_about_say_what_was_asked(page: Page, explorer: Path) -> None:
    for place in ("", "#item/t010", "#about", "#model/small"):
        asked = opened(page, explorer, place).locator(".asked").first
        expect(asked).to_contain_text("People were asked: How <b>likely</b> is it?")
        expect(asked).to_contain_text("Scale: 1 (never) to 5 (always).")
        expect(asked).to_contain_text("The wording is ours.")
    opened(page, explorer)
    expect(page.locator("main h1")).to_have_text("Otters at work")
    expect(page.locator(".amounts")).to_have_text("Ratings: 240; people: 6; all ratings were kept.")


def test_answers_have_the_words_of_the_form(page: Page, explorer: Path) -> None:
    opened(page, explorer, "#item/t011")
    cells = page.get_by_role("region", name="Answers").locator("tbody td:first-child")
    assert cells.all_text_contents() == ["1 (never)", "2", "3", "4", "5 (always)"]


def test_an_item_shows_its_source_sentence_with_corpus_and_licence(
    page: Page, explorer: Path
) -> None:
    opened(page, explorer, "#item/t010")
    behind = page.locator(".asked").nth(1)
    expect(behind).to_have_text("Source sentence: Otters paint ladders. A corpus (CC0), document 7")
    opened(page, explorer, "#item/t011")
    expect(page.locator(".asked")).to_have_count(1)


def test_undecided_is_grey(page: Page, explorer: Path) -> None:
    opened(page, explorer)
    facet = page.locator(".facets details").filter(has_text="Label: strict-majority")
    colours = facet.locator(".facet b").evaluate_all(
        "bars => bars.map(bar => getComputedStyle(bar).backgroundColor)"
    )
    assert colours[-1] == "rgb(138, 146, 155)"
    assert colours[-1] not in colours[:-1]
    page.locator("summary").filter(has_text="Figure").click()
    expect(page.get_by_text("Grey: people are undecided.")).to_be_visible()


def test_an_item_is_called_unrated_only_where_this_question_lacks_ratings(
    page: Page, tmp_path: Path
) -> None:
    odd = explored_ratings(20).with_columns(question=pl.lit("odd"), answer=pl.lit("1"))
    ratings = pl.concat([explored_ratings(), odd])
    labels = pb.label(ratings, method="strict-majority").labels
    predictions = explored_predictions().with_columns(question=pl.lit("odd"))
    pb.browse(ratings, labels=labels, predictions=predictions).write(tmp_path)
    for question, said in (("plausible", "undecided"), ("odd", "no ratings kept")):
        opened(page, tmp_path / "explorer.html", f"#items?question={question}")
        facet = page.locator(".facets details").filter(has_text="Label: strict-majority")
        expect(facet.locator(".facet bdi").last).to_have_text(said)


def test_labels_have_the_order_of_the_form(page: Page, tmp_path: Path) -> None:
    words = {"1": "unlikely", "2": "neutral", "3": "likely"}
    ratings = explored_ratings().with_columns(
        pl.col("answer").replace_strict(words, default="sure")
    )
    labels = pb.label(ratings, method="strict-majority", min_share=0.6).labels
    browsed = pb.browse(ratings.drop("value", strict=False), items=explored_items(), labels=labels)
    options = [*words.values(), "sure"]
    material = replace(browsed.material, questions={"plausible": {**ASKED, "options": options}})
    (tmp_path / "explorer.html").write_text(explorer_page(material), encoding="utf-8")
    opened(page, tmp_path / "explorer.html")
    facet = page.locator(".facets details").filter(has_text="Label: strict-majority")
    shown = facet.locator(".facet bdi").all_text_contents()
    assert [one for one in shown if one in options] == [one for one in options if one in shown]
    assert shown[-1] == "undecided"
    assert len(shown) > 2


def test_a_search_without_a_match_leaves_no_empty_box(page: Page, explorer: Path) -> None:
    opened(page, explorer, "#items?q=zebra")
    expect(page.get_by_text("No item matches.")).to_be_visible()
    expect(page.locator(".scroll")).to_be_hidden()


def test_data_without_people_offer_no_view_of_them(page: Page, tmp_path: Path) -> None:
    numbered = explored_ratings().with_row_index("annotator_number")
    unlinked = numbered.select(
        "item", "question", "answer", annotator=pl.col("annotator_number").cast(str)
    )
    pb.browse(unlinked).write(tmp_path)
    opened(page, tmp_path / "explorer.html")
    assert page.locator("header nav a").all_text_contents() == ["Items", "About"]
    expect(page.locator(".amounts")).to_have_text(
        "240 ratings. The data do not show who gave which."
    )
    opened(page, tmp_path / "explorer.html", "#item/t010")
    expect(page.get_by_text("The data do not show who gave which rating.")).to_be_visible()


def test_a_long_text_has_two_lines_in_the_list(chromium: Browser, tmp_path: Path) -> None:
    items = explored_items().with_columns(text=pl.lit("an otter paints a ladder " * 6))
    pb.browse(explored_ratings(), items=items).write(tmp_path)
    page = chromium.new_page(viewport={"width": 1200, "height": 900}, locale="en")
    opened(page, tmp_path / "explorer.html")
    row, main = page.locator(".rows li").first, page.locator(".rows .main").first
    assert row.evaluate("one => one.clientHeight") == 88 - 1
    assert main.evaluate("one => one.clientHeight") > 36
    page.close()


def test_an_item_has_a_row_for_every_option_and_says_where_it_has_no_label(
    page: Page, tmp_path: Path
) -> None:
    rated = pl.DataFrame(
        {
            "item": ["a", "a", "b", "b", "c", "c"],
            "annotator": ["p", "q"] * 3,
            "answer": ["5", "5", "4", "5", "2", "2"],
        }
    )
    labels = pb.label(rated, scale="nominal", ties="undecided").labels.filter(pl.col("item") != "c")
    browsed = pb.browse(rated, labels=labels)
    asked = {"rating": {"text": "Fits?", "options": ["5", "4", "3", "2", "unsure"]}}
    material = replace(browsed.material, questions=asked)
    replace(browsed, material=material).write(tmp_path)
    opened(page, tmp_path / "explorer.html", "#item/c")
    rows = page.get_by_role("region", name="Answers").locator("tbody tr")
    assert [one.split()[0] for one in rows.all_inner_texts()] == asked["rating"]["options"]
    expect(page.get_by_role("region", name="Labels")).to_contain_text("no label")
    opened(page, tmp_path / "explorer.html", "#items")
    facet = page.locator(".facets details").filter(has_text="Label: ")
    expect(facet.locator(".facet bdi").last).to_have_text("undecided or no label")
    heights = (
        page.locator(".rows li")
        .last.locator("rect")
        .evaluate_all("bars => bars.map(bar => Number(bar.getAttribute('height')))")
    )
    assert heights == [34, 0, 0, 0, 0]
