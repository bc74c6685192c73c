"""What a report says about each question: computed from what was described and modelled."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import polars as pl
import pytest

import plausibly as pb
from plausibly.analysis.questions import question_rows
from plausibly.verbs.report import Report
from worlds.events import crowd, study_of


def shown(folder: Path, section: str) -> str:
    """Return the words of a section of the report."""
    page = (folder / "report.html").read_text(encoding="utf-8")
    part = re.split(rf'<section id="{section}"[^>]*>', page)[1].split("</section>")[0]
    part = re.sub(r"<svg.*?</svg>", " ", part, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", part)).split())


def drawing(report: Report, name: str) -> str:
    return next(str(one.svg) for one in report.figures if one.name == name)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = study_of(tmp_path_factory.mktemp("events") / "study", *crowd())
    pb.run(folder)
    return folder


@pytest.fixture(scope="module")
def report(folder: Path) -> Report:
    return pb.report(folder)


def test_every_question_but_texts_has_a_section(folder: Path, report: Report) -> None:
    assert re.findall(r'<section id="question-([a-z]+)"', report.page) == ["fit", "happens"]
    assert "There is no section about note: it is answered in free text." in report.page
    assert "How" not in shown(folder, "question-fit"), "the wording is not known"


def test_numbers_of_one_question_are_not_said_of_the_study(folder: Path, report: Report) -> None:
    summary, methods = shown(folder, "summary"), shown(folder, "methods")
    assert "“fit” was asked about 32 items; an item is one thing to judge" in summary
    assert "For this question, " in summary
    assert "one of 2 that were not answered in free text; a table has all of them" in summary
    assert "ratings of 32 items for the question “fit”" in methods
    rules = re.search(r"<caption>([^<]*) in the ledger by the rule", report.page)
    assert rules is None or rules[1] == "Ratings of “fit”"


def test_the_numbers_of_a_section_are_those_of_the_steps(folder: Path) -> None:
    described = json.loads((folder / "describe.json").read_text())["questions"]["fit"]
    model = json.loads((folder / "analyse.json").read_text())["questions"]["fit"]
    words = shown(folder, "question-fit").replace("\N{MINUS SIGN}", "-")
    for row in described["rows"]:
        assert f"{row['value']:.2f} {row['low']:.2f} to {row['high']:.2f}" in words
    for one in described["contrasts"]:
        assert f"{one['value']:.2f} {one['low']:.2f} to {one['high']:.2f}" in words
    for one in model["terms"].values():
        assert f"{one['value']:.2f} {one['low']:.2f} to {one['high']:.2f}" in words
    assert "with condition, language and their interaction as fixed effects" in words
    assert "Satterthwaite's degrees of freedom" in words
    assert f"The {model['ratings']} answers to “fit” were analysed" in shown(folder, "methods")
    for warning in model["warnings"]:
        assert warning in words


def test_methods_give_labels_and_agreement_of_every_question_by_its_measure(folder: Path) -> None:
    agreed = json.loads((folder / "agree.json").read_text())["questions"]
    words = shown(folder, "methods")
    for name, metric in (("fit", "interval"), ("happens", "nominal")):
        one = agreed[name]["krippendorff_alpha"][metric]
        limits = f"[{one['low']:.2f}, {one['high']:.2f}] over {one['n']} items"
        clause = f"for “{name}”, Krippendorff's alpha ({metric}) = {one['value']:.2f} {limits}"
        assert clause in words
    assert "Labels of “fit” were made by the mean of an item's ratings; all 32 items" in words
    labels = pl.read_parquet(folder / "labels.parquet").filter(question="happens")
    undecided = labels["label"].null_count()
    assert f"Labels of “happens” were made by plurality; {undecided} of 32 items" in words
    assert " 0 have none" not in (folder / "report.html").read_text()


def test_steps_of_cleaning_are_compared_by_the_measure_that_suits_the_scale(
    folder: Path, report: Report
) -> None:
    raw = json.loads((folder / "clean.json").read_text())[0]["agreement"]["questions"]["fit"]
    alpha = raw["krippendorff_alpha"]["interval"]
    words = shown(folder, "cleaning")
    assert "and agreement then: Krippendorff's alpha (interval) with its" in words
    assert f"{alpha['value']:.2f} ({alpha['low']:.2f} to {alpha['high']:.2f})" in words
    table = next(one.table for one in report.figures if one.name == "cleaning-steps")
    assert table["krippendorff_alpha.interval"][0] == pytest.approx(alpha["value"])


def test_a_raincloud_has_a_dot_for_each_item_and_shares_a_column(report: Report) -> None:
    rain, shares = drawing(report, "question-fit"), drawing(report, "question-happens")
    assert rain.count('r="2.4"') == 32
    assert rain.count("<polygon") == 4
    table = next(one.table for one in report.figures if one.name == "question-happens")
    assert shares.count("<rect") >= table["item"].n_unique()
    assert set(re.findall(r">(no|yes)<", shares)) == {"no", "yes"}


def test_ten_thousand_values_become_neither_labels_nor_colours(tmp_path: Path) -> None:
    rows = [
        (f"t{item:04}", f"p{(item + turn) % 9}", item * 7.25 + turn, f"c{item % 2}")
        for item in range(2500)
        for turn in range(4)
    ]
    columns = ["item", "annotator", "answer", "condition"]
    table = pl.DataFrame(rows, schema=columns, orient="row")
    items = table.select("item", "condition").unique(maintain_order=True)
    items = items.with_columns(text=pl.format("event {}", "item"))
    folder = study_of(tmp_path / "many", table.drop("condition"), items)
    report = pb.report(folder)
    assert table["answer"].n_unique() == 10_000
    assert "No figure shows how often each answer was given: there are 10,000" in report.page
    assert report.page.count("<th") < 300
    rain = drawing(report, "question-rating")
    assert rain.count('r="2.4"') <= 600
    assert "one item in 5 is drawn" in next(
        one.caption for one in report.figures if one.name == "question-rating"
    )


def test_answers_without_order_share_colours_only_beyond_the_fifth(tmp_path: Path) -> None:
    ratings, items = crowd(people=8, groups=4)
    words = ["ash", "birch", "cedar", "elm", "fir", "oak", "yew", "<b>pine</b>"]
    tree = pl.col("answer").cast(pl.Int64).mod(len(words)).replace_strict(dict(enumerate(words)))
    trees = ratings.filter(question="fit").with_columns(answer=tree)
    folder = study_of(tmp_path / "trees", trees, items)
    pb.run(folder)
    report = pb.report(folder)
    figure = drawing(report, "question-fit")
    assert "other answers" in figure
    assert len(set(re.findall(r'fill="(#[0-9a-f]{6})"', figure))) == 6
    assert "<b>pine" not in report.page
    assert (
        "There is no model of “fit”: no model fits 8 different answers without an order"
        in report.page
    )


def test_ordered_words_keep_their_order(tmp_path: Path) -> None:
    ratings, items = crowd(people=8, groups=4)
    step = pl.col("answer").cast(pl.Int64) // 34
    words = {0: "never", 1: "at times", 2: "always"}
    answers = ratings.filter(question="fit").with_columns(answer=step.replace_strict(words))
    order = "never,at times,always"
    folder = study_of(
        tmp_path / "words",
        answers,
        items,
        f'[describe]\norder = "{order}"\n[analyse]\norder = "{order}"',
    )
    pb.run(folder)
    figure = drawing(pb.report(folder), "question-fit")
    assert re.findall(r">(never|at times|always)<", figure) == order.split(",")
    assert "cumulative-link mixed model" in shown(folder, "methods")


def test_choices_are_drawn_and_listed_in_the_order_of_the_form(tmp_path: Path) -> None:
    ratings, items = crowd(people=8, groups=4)
    words = {0: "yes", 1: "no", 2: "do not know"}
    said = (pl.col("answer").cast(pl.Int64) // 34).replace_strict(words)
    answers = ratings.filter(question="fit").with_columns(answer=said)
    form = '[[form.questions]]\nid = "fit"\ntype = "choice"\ntext = "Fits?"\noptions = '
    folder = study_of(tmp_path / "choice", answers, items, f"{form}{list(words.values())}")
    pb.run(folder)
    report = pb.report(folder)
    offered = re.findall(r">(yes|no|do not know)<", drawing(report, "question-fit"))
    assert offered == list(words.values())
    listed = re.findall(r"<td>(yes|no|do not know)</td>", report.page)
    assert listed[:3] == list(words.values())


def test_a_study_without_conditions_reports_what_is_not_shown(tmp_path: Path) -> None:
    ratings, items = crowd(people=6, groups=4)
    plain = items.drop("language").with_columns(condition=pl.lit(None, pl.String))
    folder = study_of(tmp_path / "plain", ratings.filter(question="fit"), plain)
    pb.run(folder)
    words = shown(folder, "question-fit")
    assert "There is no model of “fit”: the items have no conditions" in words
    unmodelled = " Answers to “fit” were not modelled: the items have no conditions"
    assert unmodelled in shown(folder, "methods")


def test_a_scale_that_the_answers_do_not_decide_is_asked_for(tmp_path: Path) -> None:
    ratings, items = crowd(people=6, groups=4)
    code = (pl.col("answer").cast(pl.Int64) // 25).replace_strict({0: 1, 1: 2, 2: 4, 3: 5, 4: 5})
    coded = ratings.filter(question="fit").with_columns(answer=code.cast(pl.String))
    folder = study_of(tmp_path / "codes", coded, items, '[label]\nmethod = "plurality"')
    pb.run(folder)
    words = shown(folder, "question-fit")
    assert "The scale of “fit” is not known" in words
    assert "Declare its scale" in words
    settings = folder / "study.toml"
    settings.write_text(f'{settings.read_text()}\n[describe]\nscale = "interval"\n')
    pb.run(folder)
    words = shown(folder, "question-fit")
    assert "The question “fit” is on an interval scale (set by the user)." in words
    assert "linear mixed model" in words


def test_people_on_a_slider_are_compared_by_correlation(report: Report) -> None:
    assert "correlation with the others" in drawing(report, "people")


def test_agreement_is_by_the_measure_that_suits_the_scale(folder: Path, report: Report) -> None:
    agreement = json.loads((folder / "agree.json").read_text())["questions"]
    for question, scale in (("fit", "interval"), ("happens", "nominal")):
        alpha = agreement[question]["krippendorff_alpha"][scale]
        words = f"Agreement (Krippendorff's alpha, {scale}) is {alpha['value']:.2f}"
        assert words in shown(folder, f"question-{question}")
    assert "On average, two people" not in report.page
    assert "Krippendorff's alpha, interval" in shown(folder, "questions")


def test_methods_give_the_wording_in_every_language(tmp_path: Path) -> None:
    ratings, items = crowd(people=6, groups=4)
    form = (
        '[[form.questions]]\nid = "fit"\ntype = "slider"\nmin = 0\nmax = 100\nstart = 50\n'
        'text = "How likely?"\nlabels = ["not at all", "very"]\n'
    )
    folder = study_of(tmp_path / "worded", ratings.filter(question="fit"), items, form)
    (folder / "form.it.toml").write_text(
        '[questions.fit]\ntext = "Quanto è probabile?"\nlabels = ["per niente", "molto"]\n',
        encoding="utf-8",
    )
    pb.run(folder)
    words = shown(folder, "methods")
    asked = (
        "They were asked “How likely?” (a slider from 0, not at all, to 100, very); in Italian, “Qu"
    )
    assert asked in words
    assert "(a slider from 0, per niente, to 100, molto)" in words
    assert "How likely?" in shown(folder, "answer")


def test_shares_of_candidates_are_not_undecided() -> None:
    ratings = pl.DataFrame(
        {"item": ["t1"] * 3, "annotator": ["a", "b", "c"], "question": ["best"] * 3}
    ).with_columns(answer=pl.Series(["x", "y", "x"]))
    shares = pl.DataFrame(
        {"item": ["t1"], "question": ["best"], "method": ["shares"], "label": [None]},
        schema_overrides={"label": pl.String},
    )
    alpha = {"nominal": {"value": 0.5, "low": None, "high": None, "n": 1}}
    agreement = {"questions": {"best": {"krippendorff_alpha": alpha}}}
    (row,) = question_rows(agreement, ratings, shares)
    assert (row["of_candidates"], row["labelled"]) == (True, 1)
    chosen = shares.with_columns(method=pl.lit("plurality"))
    assert not question_rows(agreement, ratings, chosen)[0]["of_candidates"]
