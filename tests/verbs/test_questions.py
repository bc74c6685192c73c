"""Every question has labels and agreement by its scale, by command, study and Python alike."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import PlausiblyError
from plausibly.study.results import finite

FORM = """
[[form.questions]]
id = "fit"
type = "slider"
min = 0
max = 100
start = 50
middle = "accept"

[[form.questions]]
id = "happens"
type = "choice"
options = ["no", "yes"]

[[form.questions]]
id = "why"
type = "text"
required = false
"""
# What this form declares, for who has the ratings alone.
QUESTIONS: dict[str, dict[str, Any]] = {
    "fit": {"scale": "interval", "reason": "a slider", "type": "slider", "bounds": [0, 100]},
    "happens": {
        "scale": "nominal",
        "reason": "a choice among answers without a declared order",
        "type": "choice",
        "order": ["no", "yes"],
    },
    "why": {"scale": "text", "reason": "a text", "type": "text"},
}


def crowd() -> pl.DataFrame:
    """Return ratings on a slider, a yes/no question and a text."""
    draw = np.random.default_rng(4)
    rows: list[dict[str, Any]] = []
    for person in range(6):
        for item in range(8):
            value = int(np.clip(draw.normal(30 + 5 * item, 15), 0, 100))
            base = {"item": f"t{item}", "annotator": f"p{person}"}
            rows.append({**base, "question": "fit", "answer": str(value)})
            rows.append({**base, "question": "happens", "answer": "yes" if value > 50 else "no"})
            if (person + item) % 4 == 0:
                rows.append({**base, "question": "why", "answer": "odd" if item else "nice"})
    return pl.DataFrame(rows)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of one's own with three questions, run to its report."""
    folder = tmp_path_factory.mktemp("questions") / "otters"
    pb.init("custom", folder)
    crowd().write_csv(folder / "answers.csv")
    path = folder / "study.toml"
    text = path.read_text(encoding="utf-8").replace('source = "serve"', 'source = "answers.csv"')
    path.write_text(text + FORM, encoding="utf-8")
    pb.Study(folder).run()
    return folder


def toml(tables: Mapping[str, Mapping[str, Any]], path: Path) -> Path:
    lines = []
    for name, table in tables.items():
        lines += [f"[{name}]", *(f"{key} = {json.dumps(one)}" for key, one in table.items())]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def printed(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    capsys.readouterr()
    assert run([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize(
    ("verb", "more"), [("label", {"ties": "undecided"}), ("agree", {"seed": 1})]
)
def test_the_questions_of_a_form_are_judged_the_same_in_three_ways(
    study: Path,
    verb: str,
    more: dict[str, Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    kept, items = study / "clean" / "ratings.parquet", study / "items.parquet"
    mine = getattr(pb, verb)(kept, items=items, questions=QUESTIONS, **more).as_json()
    file = toml(QUESTIONS, tmp_path / "questions.toml")
    flags = [part for key, one in more.items() for part in (f"--{key}", str(one))]
    command = [verb, str(kept), "--items", str(items), "--questions", str(file), *flags]
    stored = json.loads((study / f"{verb}.json").read_text(encoding="utf-8"))
    assert printed(command, capsys) == finite(mine) == stored
    assert list(stored["questions"]) == ["fit", "happens"]
    assert set(stored["left_out"]) == {"why"}


def test_each_question_has_the_method_and_the_measure_of_its_scale(study: Path) -> None:
    labels = json.loads((study / "label.json").read_text(encoding="utf-8"))["questions"]
    assert {name: one["method"] for name, one in labels.items()} == {
        "fit": "mean",
        "happens": "plurality",
    }
    assert labels["fit"]["scale_reason"] == "a slider"
    assert labels["fit"]["method_reason"] == "interval answers have a mean"
    agreement = json.loads((study / "agree.json").read_text(encoding="utf-8"))["questions"]
    assert agreement["fit"]["headline"] == "krippendorff_alpha.interval"
    assert agreement["happens"]["headline"] == "krippendorff_alpha.nominal"
    table = pl.read_parquet(study / "labels.parquet")
    assert set(table["question"]) == {"fit", "happens"}
    moved = crowd().filter(pl.col("answer") != "50", question="fit")  # where the slider starts
    means = moved.group_by("item").agg(pl.col("answer").cast(int).mean())
    own = table.filter(question="fit").select("item", answer=pl.col("label").cast(pl.Float64))
    assert own.sort("item")["answer"].to_list() == pytest.approx(means.sort("item")["answer"])


def test_a_report_is_about_the_first_question_of_the_form(study: Path, tmp_path: Path) -> None:
    folder = tmp_path / "turned"
    shutil.copytree(study, folder)
    path = folder / "study.toml"
    text = path.read_text(encoding="utf-8")
    slider, choice, rest = FORM.split("[[form.questions]]")[1:]
    turned = "".join(f"[[form.questions]]{one}" for one in (choice, slider, rest))
    path.write_text(text.replace(FORM.lstrip("\n"), turned), encoding="utf-8")
    pb.Study(folder).run()
    first, second = (json.loads((one / "report.json").read_text()) for one in (study, folder))
    assert isinstance(first["lowest"], float), "means of a slider"
    assert second["lowest"] is None, "labels of a choice"


def test_items_without_conditions_are_not_counted_as_one_condition(study: Path) -> None:
    assert json.loads((study / "report.json").read_text(encoding="utf-8"))["conditions"] == 0


def test_one_question_of_a_study_may_have_its_own_method(study: Path, tmp_path: Path) -> None:
    path = study / "study.toml"
    before = path.read_text(encoding="utf-8")
    own = """
[label.questions.fit]
method = "median"

[agree.questions.fit]
measures = "icc"

[questions.happens]
scale = "ordinal"
"""
    try:
        path.write_text(before + own, encoding="utf-8")
        states = {one.step: one.state for one in pb.Study(study).run(to="agree")}
        labels = json.loads((study / "label.json").read_text(encoding="utf-8"))["questions"]
        agreement = json.loads((study / "agree.json").read_text(encoding="utf-8"))["questions"]
    finally:
        path.write_text(before, encoding="utf-8")
    assert states["label"] == states["agree"] == "run"
    assert labels["fit"]["method"] == "median"
    assert "method_reason" not in labels["fit"]
    assert agreement["happens"]["headline"] == "krippendorff_alpha.ordinal"
    assert agreement["happens"]["scale_source"] == "set"
    assert "icc" in agreement["fit"]
    assert "krippendorff_alpha" not in agreement["fit"]


def test_without_any_option_questions_are_labelled_by_their_inferred_scales() -> None:
    labelled = pb.label(crowd())
    assert {name: one.method for name, one in labelled.choices.items()} == {
        "fit": "mean",
        "happens": "plurality",
        "why": "plurality",
    }
    assert "words" in labelled.scales["why"].reason
    again = pb.label(crowd(), scale="why=text")
    assert set(again.labels["question"]) == {"fit", "happens"}
    assert again.as_json()["left_out"] == {"why": "set by the user: texts have no labels"}
    assert any("why: text" in sentence for sentence in again.talk)


def test_a_method_that_needs_numbers_loses_no_question_in_words() -> None:
    labelled = pb.label(crowd(), method="mean", scale={"why": "text"})
    methods = {name: one["method"] for name, one in labelled.as_json()["questions"].items()}
    assert methods == {"fit": "mean", "happens": "plurality"}
    assert labelled.choices["happens"].reason.startswith("mean needs numbers")


def test_ordinal_answers_have_sides_or_a_score() -> None:
    rows = {"item": ["a"] * 4 + ["b"] * 3, "annotator": list("wxyzwxy")}
    ratings = pl.DataFrame({**rows, "answer": ["1", "2", "2", "3", "3", "4", "5"]})
    scored = pb.label(ratings).as_json()
    assert (scored["method"], scored["scale"]) == ("score", "ordinal")
    assert scored["labels"] == {"a": 2.0, "b": 4.0}
    assert scored["positions"]["b"]["se"] == pytest.approx(1 / 3**0.5)
    assert scored["distribution"]["a"]["2"] == 0.5
    sided = pb.label(ratings, questions={"rating": {"sides": "1,2|4,5"}}).as_json()
    assert sided["method"] == "strict-majority"
    assert sided["labels"] == {"a": "1,2", "b": None}


def test_words_are_scored_by_their_declared_order() -> None:
    rows = {"item": ["a", "a", "b", "b"], "annotator": list("wxwx")}
    ratings = pl.DataFrame({**rows, "answer": ["never", "often", "often", "not sure"]})
    table = {"scale": "ordinal", "order": ["never", "often"], "unsure": ["not sure"]}
    labelled = pb.label(ratings, questions={"rating": table}).as_json()
    assert labelled["labels"] == {"a": 1.5, "b": 2.0}
    assert labelled["missing"] == {"not sure": 1}
    agreed = pb.agree(ratings, questions={"rating": table}, resamples=0).as_json()
    assert agreed["ratings"] == 3
    assert agreed["krippendorff_alpha"]["ordinal"]["value"] is not None


def test_missing_answers_of_several_questions_are_counted_once() -> None:
    rows = {"item": ["a", "a", "b"] * 2, "annotator": list("wxw") * 2}
    questions = ["fit"] * 3 + ["odd"] * 3
    ratings = pl.DataFrame(
        {**rows, "question": questions, "answer": ["1", "2", "NA"] + ["yes"] * 3}
    )
    labelled = pb.label(ratings).as_json()
    assert labelled["missing"] == {"NA": 1}
    assert not any("missing" in own for own in labelled["questions"].values())


def test_an_item_with_nothing_but_missing_answers_keeps_its_row() -> None:
    rows = {"item": ["a", "a", "b"], "annotator": list("wxw")}
    ratings = pl.DataFrame({**rows, "answer": ["yes", "yes", "not sure"]})
    table = {"scale": "nominal", "unsure": ["not sure"]}
    labels = pb.label(ratings, questions={"rating": table}).labels
    assert labels.select("item", "label", "ratings").rows() == [("a", "yes", 2), ("b", None, 0)]


def test_a_median_between_two_answers_is_undecided() -> None:
    rows = {"item": ["a", "a", "b", "b", "b"], "annotator": list("wxwxy")}
    ratings = pl.DataFrame({**rows, "answer": [2, 3, 1, 2, 5]})
    assert pb.label(ratings, method="median").as_json()["labels"] == {"a": 2.5, "b": 2.0}
    open_ = pb.label(ratings, method="median", ties="undecided").as_json()
    assert open_["labels"] == {"a": None, "b": 2.0}
    assert open_["ties"] == ["a"]


def test_sets_are_labelled_option_by_option_and_candidates_have_shares() -> None:
    rows = {"item": ["a"] * 3, "annotator": list("wxy"), "answer": ["i;ii", "ii", "i;ii;iii"]}
    ratings = pl.DataFrame(rows)
    chosen = pb.label(ratings, questions={"rating": {"scale": "nominal", "type": "set"}}).as_json()
    assert (chosen["method"], chosen["labels"]) == ("per-option", {"a": "i;ii"})
    best = {"rating": {"scale": "nominal", "type": "best-of-n"}}
    shared = pb.label(ratings, questions=best).as_json()
    assert (shared["method"], shared["labels"]) == ("shares", {"a": None})
    assert shared["distribution"]["a"] == pytest.approx({"i": 5 / 18, "ii": 11 / 18, "iii": 1 / 9})
    agreed = pb.agree(ratings, questions={"rating": {"scale": "nominal", "type": "set"}})
    assert agreed.as_json()["headline"] == "krippendorff_alpha_masi"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_share": 0.7}, "min_share= is about a method"),
        ({"seed": 3}, "seed= has no effect"),
        ({"questions": {"fitt": {"method": "mean"}}}, "Did you mean 'fit'"),
        ({"questions": {"fit": {"method": "mean", "em": True}}}, "fit: em= is an option of mace"),
        ({"questions": {"fit": "mean"}}, "must be a table"),
        ({"questions": 3}, "must be tables of options by question"),
        ({"scale": "fit=odd"}, "unknown scale 'odd'"),
        ({"scale": "happens=ordinal"}, "words without an order. Declare it with order="),
    ],
)
def test_what_cannot_be_meant_is_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(PlausiblyError, match=message):
        pb.label(crowd(), **options)


def test_the_seed_reaches_the_question_that_draws() -> None:
    tables = {"happens": {"method": "mace"}, "why": {"scale": "text"}}
    labelled = pb.label(crowd(), method="mean", questions=tables, seed=7).as_json()["questions"]
    assert (labelled["fit"]["seed"], labelled["happens"]["seed"]) == (None, 7)
    with pytest.raises(PlausiblyError, match="seed= is an option of mace"):
        pb.label(crowd(), method="mean", seed=7)


def test_agree_refuses_what_a_question_does_not_take() -> None:
    with pytest.raises(PlausiblyError, match="unknown option of fit 'method'"):
        pb.agree(crowd(), questions={"fit": {"method": "mean"}}, resamples=0)


def test_one_question_may_have_its_own_sides_and_measures() -> None:
    tables = {"fit": {"measures": "icc"}, "happens": {"sides": "yes|no"}}
    scores = pb.agree(crowd(), questions=tables, resamples=0).scores
    own = {
        q: set(part["measure"])
        for (q,), part in scores.partition_by("question", as_dict=True).items()
    }
    assert own["fit"] == {"icc.1,1", "icc.1,k", "icc.2,1", "icc.2,k"}
    assert "soft_jaccard" in own["happens"]


def test_only_first_answers_count_where_items_were_closed_early() -> None:
    rows = {"item": ["a"] * 3 + ["b"] * 2, "annotator": list("wxywx")}
    ratings = pl.DataFrame({**rows, "answer": list("yynyy"), "early": [1, 1, 0, 1, 1]})
    agreed = pb.agree(ratings, resamples=0)
    assert agreed.as_json()["ratings"] == 4
    assert any("1 answers after the first ones are left out" in one for one in agreed.talk)
    shares = pb.describe(ratings).as_json()["questions"]["rating"]["rows"]
    assert [row["value"] for row in shares] == [1.0]
    assert pb.label(ratings).labels["ratings"].to_list() == [3, 2]
