"""Items from any table: forms of words, empty cells, repeats."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from plausibly.cli import run
from plausibly.datasets.lexica.language import language
from plausibly.errors import StudyError, UnknownName
from plausibly.stimuli.custom import Template, build_custom, read_templates
from plausibly.stimuli.realise import Realiser

SAY = Realiser(language("en"))
TABLE = pl.DataFrame({"who": ["engineer", "police"], "do": ["carry", "carry"], "group": ["x", "y"]})


def test_words_take_the_form_their_place_asks_for() -> None:
    template = Template("t", "{who:cap} {do:s(who)} {who:plural} and {who:a}.")
    texts = build_custom(TABLE, (template,), SAY).items["text"].to_list()
    assert texts == [
        "Engineer carries engineers and an engineer.",
        "Police carry police and police.",
    ]


def test_conditions_come_from_the_template_or_the_table() -> None:
    templates = (
        Template("plain", "{who} {do:s(who)} it", condition="{group}"),
        Template("check", "{who} is {who}", kind="check", expected="5"),
    )
    items = build_custom(TABLE, templates, SAY, name="who").items
    assert items.select("item", "condition", "kind", "expected").rows() == [
        ("engineer-check", None, "check", "5"),
        ("engineer-plain", "x", "item", None),
        ("police-check", None, "check", "5"),
        ("police-plain", "y", "item", None),
    ]
    assert items["group"].to_list() == ["x", "x", "y", "y"]


def test_empty_cells_and_repeats_are_in_the_ledger() -> None:
    table = pl.DataFrame({"who": ["dog", None, "", "dog"]})
    built = build_custom(table, (Template("t", "{who} barks"),), SAY)
    assert built.items["item"].to_list() == ["1"]
    assert built.ledger.rows() == [
        ("2/t", "empty_cell", "no who"),
        ("3/t", "empty_cell", "no who"),
        ("4/t", "repeated", "the text 'dog barks' was made before"),
    ]
    assert built.funnel[-1] == {"step": "repeated", "rows": 1}


def test_a_column_that_is_not_there_is_named() -> None:
    with pytest.raises(UnknownName, match=r"unknown column 'whom'. Did you mean 'who'"):
        build_custom(TABLE, (Template("t", "{whom}"),), SAY)


def test_templates_are_read_from_toml(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text("[[template]]\ntext = '{who} barks'\n[[template]]\ntext = '{who:a} sits'\n")
    assert [template.name for template in read_templates(path)] == ["t1", "t2"]
    assert read_templates(path)[1].columns == ("who",)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no \\[\\[template\\]\\]"),
        ("[[template]]\ntext = 'nothing'", "no text with a place"),
        ("[[template]]\ntext = '{who}'\ncolour = 'red'", "unknown key of template 1 'colour'"),
        ("[[template]]\ntext = '{who:past}'", "unknown form of a word 'past'"),
        ("[[template]]\ntext = '{who}'\nkind = 'chek'", "Did you mean 'check'"),
        ("[[template]]\ntext = '{a}'\nname = 'x'\n[[template]]\ntext = '{b}'\nname = 'x'", "two"),
        ("[[template", "not TOML"),
        ("template = ['x']", "template 1 is 'x'"),
        (
            "[[template]]\ntext = '{who}'\ncondition = '{who:zz}'",
            "condition of template 't1': unknown form",
        ),
        (
            "[[template]]\ntext = '{who}'\nexpected = '{who:zz}'",
            "expected of template 't1': unknown form",
        ),
        ("[[template]]\ntext = '{who} {who:}'", "text of template 't1': a brace"),
        ("[[template]]\ntext = '{who} {'", "text of template 't1': a brace"),
    ],
)
def test_wrong_templates_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "t.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(StudyError, match=message) as refused:
        read_templates(path)
    assert str(refused.value).startswith(f"{path}: ")


def test_templates_in_another_encoding_are_refused_by_line(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_bytes("[[template]]\ntext = 'café {who}'".encode("latin-1"))
    with pytest.raises(StudyError, match=r"t\.toml:2: not UTF-8"):
        read_templates(path)


@pytest.mark.parametrize(
    ("table", "template", "said"),
    [
        ("who\n", "{who}", "t.csv: no rows, only a header"),
        ("who\ndog\n", "{a b}", "t.csv: template 't1': unknown column 'a b'"),
        ("who\ndog\n", "{who:s(whom)}", "Did you mean 'who'"),
        ("who,x\ndog,1\n,2\n", "{x}", "t.csv:3: no who"),
        ("who,x\ndog,1\ndog,2\n", "{x}", "t.csv:3: more than one row for who='dog'"),
        ("who,x\ndog,\ncat,\n", "{x}", "no item can be made: 2 rows have an empty cell"),
    ],
)
def test_tables_that_do_not_fit_are_refused_and_nothing_is_written(
    table: str, template: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "t.csv").write_text(table)
    (tmp_path / "t.toml").write_text(f"[[template]]\ntext = '{template}'\n")
    given = ["build", "custom", str(tmp_path / "t.csv"), "--templates", str(tmp_path / "t.toml")]
    assert run([*given, "--name", "who", "-o", str(tmp_path / "out")]) == 1
    assert said in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_column_may_have_a_space_in_its_name() -> None:
    items = build_custom(pl.DataFrame({"a b": ["dog"]}), (Template("t", "{a b:a} barks"),), SAY)
    assert items.items["text"].to_list() == ["a dog barks"]


def test_each_step_stands_once_in_the_funnel() -> None:
    table = pl.DataFrame({"who": ["dog", None, "cat"], "do": ["bark", "sit", None]})
    built = build_custom(table, (Template("t", "{who} {do:s}"), Template("u", "{who}")), SAY)
    assert built.funnel == [
        {"step": "read", "rows": 6},
        {"step": "empty_cell", "rows": 3},
        {"step": "repeated", "rows": 3},
    ]
    assert built.ledger.rows() == [
        ("2/t", "empty_cell", "no who"),
        ("2/u", "empty_cell", "no who"),
        ("3/t", "empty_cell", "no do"),
    ]
