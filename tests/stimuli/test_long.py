"""Long tables: one row per item, groups that cross conditions, and the lists made of them."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import PlausiblyError, StudyError
from plausibly.study import PROTOCOLS
from plausibly.study.settings import write_settings
from plausibly.web.study import read_study

Row = dict[str, Any]


def rows_of(groups: int, conditions: int, languages: tuple[str, ...] = ("en", "it")) -> list[Row]:
    return [
        {
            "group": f"g{group}",
            "condition": f"c{condition}",
            "language": language,
            "text": f"An event {group} of sort {condition} ({language}).",
        }
        for group, condition, language in product(range(groups), range(conditions), languages)
    ]


def test_every_row_is_an_item_named_by_group_condition_and_language() -> None:
    built = pb.build_custom(pl.DataFrame(rows_of(2, 2)))
    assert built.items.filter(pl.col("item") == "g1-c0-it").select(
        "text", "item_group", "condition", "language"
    ).rows() == [("An event 1 of sort 0 (it).", "g1", "c0", "it")]
    assert built.items.height == 8
    assert "2 groups cross 2 conditions in each of 2 languages" in built.talk[0]
    assert "lists" not in built.tables


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 9), st.integers(2, 4), st.integers(1, 9), st.integers(0, 9))
def test_lists_have_every_group_once_conditions_even_and_one_language(
    groups: int, conditions: int, per_list: int, seed: int
) -> None:
    table = pl.DataFrame(rows_of(groups, conditions))
    built = pb.build_custom(table, lists="latin", per_list=per_list, seed=seed)
    assert sorted(built.lists["item"]) == sorted(built.items["item"])
    for part in built.lists.partition_by("survey"):
        assert part["item_group"].is_unique().all()
        assert part["language"].n_unique() == 1
        counts = Counter(part["condition"])
        shares = [counts[f"c{number}"] for number in range(conditions)]
        assert max(shares) - min(shares) <= 1
        assert part.height <= per_list


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (rows_of(3, 2)[1:], r"group 'g0' in en lacks 'c0'"),
        ([*rows_of(3, 2), {**rows_of(1, 1)[0], "text": "Another."}], "two rows are called"),
        (rows_of(3, 1), "two groups and two conditions or more; there are 3 and 1"),
        ([{"text": "Alone."}, {"text": "Too."}], "no item has both a group and a condition"),
        (rows_of(9, 2, ("en",))[1:2] + rows_of(9, 2, ("en",))[::2], "lacks 'c1', and 5 more"),
        (rows_of(3, 2)[1:], "Give fillers no condition, and the kind 'filler'"),
    ],
)
def test_groups_that_make_no_square_are_named(rows: list[Row], message: str) -> None:
    with pytest.raises(StudyError, match=message):
        pb.build_custom(pl.DataFrame(rows, infer_schema_length=None), lists="latin")


def test_rows_without_a_text_and_copies_are_in_the_ledger() -> None:
    rows = rows_of(2, 2, ("en",))
    table = pl.DataFrame([*rows, rows[0], {**rows[0], "group": "g9", "text": " "}])
    built = pb.build_custom(table)
    assert built.items.height == 4
    assert built.ledger.select("rule", "reason").rows() == [
        ("repeated", "the same as an earlier row"),
        ("empty_cell", "no text"),
    ]


def test_a_file_is_refused_by_line_where_two_rows_are_one_item(tmp_path: Path) -> None:
    table = [*rows_of(2, 2, ("en",)), {**rows_of(1, 1)[0], "text": "Another."}]
    pl.DataFrame(table).write_csv(tmp_path / "events.csv")
    with pytest.raises(PlausiblyError, match=r"events.csv:6: the same group and condition as row"):
        pb.build_custom(tmp_path / "events.csv")


def test_a_row_of_a_wide_table_is_a_group_where_lists_are_asked_for() -> None:
    nouns = pl.DataFrame({"noun": ["owl", "hour"]})
    templates = [
        {"name": name, "text": f"{{noun}} {name}", "condition": name} for name in ("flies", "ends")
    ]
    assert "item_group" not in pb.build_custom(nouns, templates=templates).items.columns
    lists = pb.build_custom(nouns, templates=templates, lists="latin").lists
    assert set(lists.group_by("survey").agg(pl.col("item_group").n_unique())["item_group"]) == {2}


def test_command_python_and_study_make_the_same_lists_which_are_served(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = tmp_path / "study"
    study.mkdir()
    pl.DataFrame(rows_of(4, 2)).write_csv(study / "events.csv")
    made = pb.build_custom(study / "events.csv", lists="latin", per_list=2, seed=1)
    out = tmp_path / "out"
    options = ["--lists", "latin", "--per-list", "2", "-o", str(out), "--json"]
    assert run(["build", "custom", str(study / "events.csv"), *options]) == 0
    assert json.loads(capsys.readouterr().out)["items"] == {"c0": 8, "c1": 8}
    question = {"id": "fits", "type": "choice", "options": ["yes", "no"], "text": "Does it fit?"}
    sections: dict[str, Any] = {
        "build": {"table": "events.csv", "lists": "latin", "per_list": 2},
        "form": {"questions": [question]},
    }
    write_settings(study, PROTOCOLS["custom"], name="study", overrides=sections)
    pb.Study(study).run(to="build")
    for folder in (out, study):
        assert pl.read_parquet(folder / "lists.parquet").equals(made.lists)
    served = read_study(study)
    assert served.surveys == {
        name: tuple(part["item"])
        for (name,), part in made.lists.group_by("survey", maintain_order=True)
    }
    assert served.plan.lists == "latin-square"
    sections["build"] = {"table": "events.csv"}
    write_settings(study, PROTOCOLS["custom"], name="study", overrides=sections)
    pb.Study(study).run(to="build")
    assert not (study / "lists.parquet").exists()
    assert read_study(study).surveys == {}


def test_a_factorial_table_in_another_language_makes_a_latin_square(tmp_path: Path) -> None:
    cells = pl.DataFrame(
        {"Nr": g, "動詞": verb, "目的語": thing, "文": f"文 {g} {verb} {thing}"}
        for g, verb, thing in product(range(1, 5), ("con", "abs"), ("typ", "odd"))
    )
    built = pb.build_custom(
        cells, text="文", group="Nr", condition=["動詞", "目的語"], lists="latin", language="ja"
    )
    items = built.items
    assert items.filter(pl.col("item") == "1-con-odd")["text"].item() == "文 1 con odd"
    assert set(items["condition"]) == {"con-typ", "con-odd", "abs-typ", "abs-odd"}
    assert {"動詞", "目的語"} <= set(items.columns)
    cells.write_csv(tmp_path / "cells.csv")
    words = ["--text", "文", "--group", "Nr", "--condition", "動詞,目的語", "--language", "ja"]
    table = str(tmp_path / "cells.csv")
    assert run(["build", "custom", table, *words, "-o", str(tmp_path / "out")]) == 0
    again = pl.read_parquet(tmp_path / "out/items.parquet")
    assert again["item", "text", "condition"].equals(items["item", "text", "condition"])


def test_a_column_that_is_asked_for_must_be_there_and_be_the_only_one_of_its_name() -> None:
    rows = pl.DataFrame({"satz": ["Es regnet."], "text": ["It rains."]})
    with pytest.raises(StudyError, match="the table has a column 'text', but"):
        pb.build_custom(rows, text="satz")
    with pytest.raises(PlausiblyError, match="unknown column 'sätze'"):
        pb.build_custom(rows, text="sätze")


def test_items_of_a_study_are_in_the_language_of_its_form(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pl.DataFrame({"text": ["雨が降る。", "空が歌う。"]}).write_csv(tmp_path / "rows.csv")
    asked = '[[form.questions]]\nid = "q"\ntype = "text"\ntext = "?"\n'
    head = '[study]\nname = "s"\nprotocol = "custom"\n[build]\ntable = "rows.csv"\n[form]\n'
    for spoken, noted in (("", True), ('language = "ja"\n', False)):
        (tmp_path / "study.toml").write_text(head + spoken + asked, encoding="utf-8")
        assert run(["run", str(tmp_path), "--to", "build"]) == 0
        assert ("language: not known" in capsys.readouterr().err) == noted


def test_a_column_of_kinds_marks_fillers_and_checks_and_is_else_empty() -> None:
    table = pl.DataFrame(
        {
            "group": ["1", "1", None, None],
            "condition": ["a", "b", None, None],
            "text": ["one", "two", "three", "four"],
            "kind": [None, " ", "filler", "check"],
            "expected": [None, None, None, "5"],
        }
    )
    built = pb.build_custom(table)
    assert dict(built.items.select("text", "kind").iter_rows()) == {
        "one": "item",
        "two": "item",
        "three": "filler",
        "four": "check",
    }
    odd = table.with_columns(kind=pl.lit("fillers"))
    with pytest.raises(StudyError, match=r"item '1-a': unknown kind of item 'fillers'. Did you me"):
        pb.build_custom(odd)
