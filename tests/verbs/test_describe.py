"""Means and shares by cell: what `describe` says, from every way of calling it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run


def crowd(people: int = 12, groups: int = 8) -> tuple[pl.DataFrame, pl.DataFrame]:
    """Return ratings on a slider and a yes/no question, and items in groups of two conditions."""
    draw = np.random.default_rng(3)
    items = [
        {"item": f"g{g}{c}", "text": f"{g} {c}", "condition": c, "item_group": f"g{g}"}
        for g in range(groups)
        for c in ("odd", "plain")
    ]
    rows: list[dict[str, Any]] = []
    for person in range(people):
        for item in items:
            level = 40 + 20 * (item["condition"] == "plain") + draw.normal(0, 12)
            value = round(float(np.clip(level, 0, 100)), 1)
            base = {"item": item["item"], "annotator": f"p{person}"}
            rows.append({**base, "question": "fit", "answer": str(value)})
            rows.append({**base, "question": "happens", "answer": "yes" if value > 50 else "no"})
    return pl.DataFrame(rows), pl.DataFrame(items)


def test_printed_contrasts_of_shares_name_their_answer() -> None:
    ratings, items = crowd()
    printed = pb.describe(ratings, items=items, by="condition").text()
    contrasts = printed[printed.index("against") :].splitlines()
    assert [line.split()[1] for line in contrasts if line.startswith("happens")] == ["no", "yes"]


def test_every_question_has_its_scale_and_its_cells() -> None:
    ratings, items = crowd()
    document = pb.describe(ratings, items=items, by="condition", bounds=None).as_json()
    fit, happens = document["questions"]["fit"], document["questions"]["happens"]
    assert (fit["scale"], happens["scale"]) == ("interval", "nominal")
    assert [row["by"] for row in fit["rows"]] == [{"condition": "odd"}, {"condition": "plain"}]
    values = ratings.filter(question="fit").join(items, on="item")
    for row in fit["rows"]:
        cell = values.filter(condition=row["by"]["condition"])
        assert row["value"] == pytest.approx(cell["answer"].cast(pl.Float64).mean())
        assert row["low"] < row["value"] < row["high"]
        assert (row["items"], row["annotators"], row["ratings"]) == (8, 12, 96)
    shares = [row for row in happens["rows"] if row["by"] == {"condition": "odd"}]
    assert sum(row["value"] for row in shares) == pytest.approx(1)
    (contrast,) = fit["contrasts"]
    assert (contrast["of"], contrast["against"]) == ("plain", "odd")
    difference = fit["rows"][1]["value"] - fit["rows"][0]["value"]
    assert contrast["value"] == pytest.approx(difference)
    assert contrast["p"] < 0.001


def test_order_of_rows_and_names_of_people_do_not_matter() -> None:
    ratings, items = crowd(people=6)
    again = ratings.sample(fraction=1, shuffle=True, seed=2).with_columns(
        annotator=pl.col("annotator").str.replace("p", "z")
    )
    one, other = (pb.describe(r, items=items, by="condition").means for r in (ratings, again))
    numbers = one.select(pl.col(pl.Float64)).to_numpy()
    assert numbers == pytest.approx(other.select(pl.col(pl.Float64)).to_numpy())


def test_an_item_counts_once_unless_ratings_are_weighed() -> None:
    rows = [("a", f"p{n}", 1.5) for n in range(9)] + [("b", "p0", 3.5)]
    table = pl.DataFrame(rows, schema=["item", "annotator", "answer"], orient="row")

    def mean(**options: Any) -> float:
        document = pb.describe(table, scale="interval", **options).as_json()
        return float(document["questions"]["rating"]["rows"][0]["value"])

    assert mean() == pytest.approx(2.5)
    assert mean(weigh="ratings") == pytest.approx(1.7)


def test_codes_are_asked_about_and_words_need_a_declared_order() -> None:
    rows = {"item": ["a", "a", "b"], "annotator": ["p", "q", "p"], "answer": [10, 30, 20]}
    with pytest.raises(pb.PlausiblyError, match=r"Declare its scale with scale="):
        pb.describe(pl.DataFrame(rows))
    declared = pb.describe(pl.DataFrame(rows), scale="interval").as_json()
    assert declared["questions"]["rating"]["reason"] == "set by the user"
    words = pl.DataFrame({**rows, "answer": ["bad", "good", "fair"]})
    graded = pb.describe(words, order="bad,fair,good").as_json()["questions"]["rating"]
    assert graded["order"] == ["bad", "fair", "good"]
    assert graded["scale"] == "ordinal"
    assert graded["rows"][0]["value"] == pytest.approx(2)


def test_command_and_function_say_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ratings, items = crowd(people=5)
    ratings.write_csv(tmp_path / "r.csv")
    items.write_csv(tmp_path / "i.csv")
    call = ["describe", str(tmp_path / "r.csv"), "--items", str(tmp_path / "i.csv")]
    assert run([*call, "--by", "condition", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    asked = pb.describe(tmp_path / "r.csv", items=tmp_path / "i.csv", by="condition")
    assert document == json.loads(json.dumps(asked.as_json()))
    assert run([*call, "--by", "nobody"]) == 2
    assert run([*call, "--bounds", "0;100"]) == 2
    assert "--bounds must be two numbers" in capsys.readouterr().err


@pytest.mark.parametrize("column", ["answer", "value"])
def test_answers_are_not_split_by_themselves(column: str) -> None:
    ratings, items = crowd(people=3, groups=2)
    with pytest.raises(pb.PlausiblyError, match="which is what is described"):
        pb.describe(ratings, items=items, by=column)


@pytest.mark.parametrize("column", ["item", "question", "annotator"])
def test_any_other_column_of_the_ratings_splits_them(column: str) -> None:
    ratings, items = crowd(people=3, groups=2)
    described = pb.describe(ratings, items=items, by=column)
    cells = ratings.filter(question="fit")[column].n_unique()
    assert len(described.questions["fit"].rows) == cells
    assert described.items.columns.count(column) == 1


@pytest.mark.parametrize(("kind", "shares"), [("set", (2 / 3, 1.0)), ("best-of-n", (1 / 3, 2 / 3))])
def test_options_of_a_set_and_candidates_have_shares(kind: str, shares: tuple[float, ...]) -> None:
    rows = {"item": ["a", "b", "c"] * 2, "annotator": list("wwwxxx")}
    ratings = pl.DataFrame({**rows, "answer": ["i;ii", "ii", "i;ii"] * 2})
    tables = {"rating": {"scale": "nominal", "type": kind}}
    found = pb.describe(ratings, questions=tables).as_json()["questions"]["rating"]["rows"]
    assert [row["answer"] for row in found] == ["i", "ii"]
    assert [row["value"] for row in found] == pytest.approx(shares)


def test_limits_of_ordered_answers_stay_within_the_scale() -> None:
    """Nearly everybody gives the highest answer: a plain interval would pass the end."""
    rows = [
        {"item": f"t{i}", "annotator": f"p{j}", "answer": "6" if (i + j) % 7 == 0 else "7"}
        for i in range(8)
        for j in range(6)
    ]
    tables = {"rating": {"scale": "ordinal", "order": list("1234567")}}
    row = pb.describe(pl.DataFrame(rows), questions=tables).as_json()["questions"]["rating"]
    (mean,) = row["rows"]
    assert mean["low"] < mean["value"] < mean["high"] <= 7
    assert "logit" in mean["method"]


@pytest.mark.parametrize("verb", [pb.describe, pb.agree, pb.label, pb.audit])
def test_items_need_no_text_to_have_a_condition(verb: Any, tmp_path: Path) -> None:
    ratings = pl.DataFrame(
        [(f"t{i}", f"a{k}", (i + k) % 5 + 1) for i in range(8) for k in range(5)],
        schema=["item", "annotator", "answer"],
        orient="row",
    )
    items = pl.DataFrame(
        {"item": [f"t{i}" for i in range(8)], "condition": ["a", "b"] * 4, "kind": "item"}
    ).with_columns(kind=pl.when(pl.col("item") == "t7").then(pl.lit("check")).otherwise("kind"))
    path = tmp_path / "items.csv"
    items.write_csv(path)
    same = verb(ratings, items=items.with_columns(text="item")).as_json()
    assert same != verb(ratings).as_json()
    for source in (items, path, items.to_pandas()):
        assert verb(ratings, items=source).as_json() == same


def test_shares_of_candidates_that_are_named_anew_say_that_they_compare_nobody() -> None:
    rows = [(f"t{i}", f"a{p}", "i" if (i + p) % 3 else "ii") for i in range(6) for p in range(6)]
    table = pl.DataFrame(rows, schema=["item", "annotator", "answer"], orient="row")
    facts = {"rating": {"type": "best-of-n", "scale": "nominal"}}
    (question,) = pb.describe(table, questions=facts).as_json()["questions"].values()
    assert all("named anew in each item" in row["warning"] for row in question["rows"])


def test_shares_of_candidates_with_the_names_of_systems_do_not_warn_of_new_names() -> None:
    rows = [
        (f"t{i}", f"a{p}", "gpt" if (i + p) % 3 else "human") for i in range(6) for p in range(6)
    ]
    table = pl.DataFrame(rows, schema=["item", "annotator", "answer"], orient="row")
    facts = {"rating": {"type": "best-of-n", "scale": "nominal"}}
    (question,) = pb.describe(table, questions=facts).as_json()["questions"].values()
    assert not any("named anew" in row.get("warning", "") for row in question["rows"])


def test_systems_are_compared_within_the_items_their_candidates_belong_to() -> None:
    """Items differ far more than the systems do, so only a paired difference is narrow."""
    fits = {"gpt": 1, "human": 2}
    ratings = [
        (f"t{i}#{name}", f"a{p}", str(fit + 8 * i + (i + p) % 2))
        for i in range(12)
        for name, fit in fits.items()
        for p in range(6)
    ]
    table = pl.DataFrame(ratings, schema=["item", "annotator", "answer"], orient="row")
    sources = [(f"t{i}", "An item.", None, None) for i in range(12)]
    rows = [(f"t{i}#{name}", "A text.", name, f"t{i}") for i in range(12) for name in fits]
    columns = ["item", "text", "candidate", "source"]
    items = pl.DataFrame([*sources, *rows], schema=columns, orient="row")
    described = pb.describe(table, items=items, by="candidate", scale="interval").as_json()
    (question,) = described["questions"].values()
    assert [row["by"]["candidate"] for row in question["rows"]] == ["gpt", "human"]
    assert all(row["high"] - row["low"] > 10 for row in question["rows"])
    (contrast,) = question["contrasts"]
    assert (contrast["of"], contrast["against"], contrast["groups"]) == ("human", "gpt", 12)
    assert contrast["value"] == pytest.approx(1)
    alone = items.drop("source")
    described = pb.describe(table, items=alone, by="candidate", scale="interval").as_json()
    assert not next(iter(described["questions"].values()))["contrasts"]
