"""Implicit knowledge: candidates numbered anew, the key kept aside, a sheet the importer reads."""

from __future__ import annotations

import json
from html import unescape
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plausibly as pb
from plausibly.cli import run
from plausibly.datasets.iks import QUESTIONS
from plausibly.datasets.iks.sheet import roman
from plausibly.datasets.iks.sheets import read_iks
from plausibly.errors import StudyError, TableError
from plausibly.ratings.forms import form_of
from plausibly.stimuli.built import Built
from plausibly.stimuli.iks import build_iks, read_candidates, read_sources
from plausibly.study import PROTOCOLS

SYSTEMS = ("gpt", "bart", "xlnet")


def sources(size: int) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "item": [f"s{n}" for n in range(size)],
            "source_1": [f"The kettle is hot {n}." for n in range(size)],
            "source_2": [f"The tea is ready {n}." for n in range(size)],
            "reference": [f"Kettles boil water for tea {n}." for n in range(size)],
            "relation": ["support"] * size,
            "genre": ["kitchen"] * size,
        }
    )


def candidates(size: int) -> pl.DataFrame:
    rows = [(f"s{n}", system, f"{system} on {n}") for n in range(size) for system in SYSTEMS]
    return pl.DataFrame(rows, schema=["item", "system", "sentence"], orient="row")


def built(size: int, *, seed: int = 1) -> tuple[Built, pl.DataFrame]:
    return build_iks(sources(size), candidates(size), number=roman, seed=seed)


@settings(deadline=None, max_examples=25)
@given(st.integers(1, 8), st.integers(0, 2**31))
def test_every_candidate_is_numbered_once_and_the_key_leads_back(size: int, seed: int) -> None:
    made, key = built(size, seed=seed)
    sheet = made.documents["sheet.csv"]
    told = sheet.with_columns(item=pl.concat_str("item", "candidate", separator="#"))
    back = told.join(key.select("item", "system", "source"), on="item")
    found = set(back.select("source", "system", "sentence").iter_rows())
    assert found == set(candidates(size).iter_rows())
    numbers = sheet.group_by("item").agg(pl.col("candidate").sort())["candidate"].to_list()
    assert numbers == [["i", "ii", "iii"]] * size
    turned = (sources(size).reverse(), candidates(size).reverse())
    again, _ = build_iks(*turned, number=roman, seed=seed)
    assert again.documents["sheet.csv"].equals(sheet)


def test_nothing_but_the_key_names_a_system() -> None:
    made, key = built(3)
    for frame in (made.items, made.ledger, *made.documents.values()):
        assert "system" not in frame.columns
    assert set(key["system"]) == set(SYSTEMS)


def test_places_of_a_system_vary_between_items() -> None:
    _, key = built(30)
    places = key.filter(system="gpt")["candidate"].unique()
    assert set(places) == {"i", "ii", "iii"}


def test_the_sheet_hides_the_reference() -> None:
    made, _ = built(2)
    assert "reference" not in made.documents["sheet.csv"].columns
    assert made.documents["references.csv"].height == 2
    assert made.items.filter(item="s0#i")["reference"].item() == "Kettles boil water for tea 0."


def test_missing_and_empty_candidates_are_in_the_ledger() -> None:
    some = candidates(2).filter(~((pl.col("item") == "s0") & (pl.col("system") == "gpt")))
    some = some.with_columns(sentence=pl.when(pl.col("sentence") != "bart on 1").then("sentence"))
    made, key = build_iks(sources(2), some, number=roman, seed=1)
    assert [(c, rule) for c, rule, _ in made.ledger.iter_rows()] == [
        ("s0#iii", "no_candidate"),
        ("s1#iii", "empty_candidate"),
    ]
    assert made.documents["sheet.csv"].height == 4
    behind = key.filter(pl.col("missing").is_not_null())
    assert behind.select("item", "system", "missing").rows() == [
        ("s0#iii", "gpt", "no_candidate"),
        ("s1#iii", "bart", "empty_candidate"),
    ]
    assert [(one["step"], one["rows"]) for one in made.funnel] == [
        ("asked_for", 6),
        ("no_candidate", 5),
        ("empty_candidate", 4),
    ]


def test_candidates_for_unknown_items_and_none_at_all_are_refused() -> None:
    with pytest.raises(TableError, match=r"1 items are not among the sources \(first: 's1'\)"):
        build_iks(sources(1), candidates(2), number=roman, seed=1)
    none = candidates(1).with_columns(sentence=pl.lit(None, dtype=pl.String))
    with pytest.raises(StudyError, match="no source item has a candidate"):
        build_iks(sources(1), none, number=roman, seed=1)


def test_bad_sources_are_named_by_line(tmp_path: Path) -> None:
    path = tmp_path / "sources.csv"
    path.write_text("item,source_1,source_2,stance\na,x,y,Support\na,x,,agree\n")
    with pytest.raises(TableError) as refused:
        read_sources(path)
    said = str(refused.value)
    assert f"{path}:3: no source_2" in said
    assert f"{path}:3: relation 'agree' is not one of support, attack, contradict" in said
    assert f"{path}:3: more than one row for item='a'" in said
    path.write_text("item,source_1\na,x\n")
    with pytest.raises(TableError, match="no column 'source_2'"):
        read_sources(path)


def test_a_file_names_its_system_unless_a_column_does(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("item,text\na,x\n")
    (tmp_path / "two.csv").write_text("item,sentence,model\na,y,three\n")
    read = read_candidates([tmp_path / "one.csv", tmp_path / "two.csv"])
    assert read.rows() == [("a", "one", "x"), ("a", "three", "y")]
    (tmp_path / "two.csv").write_text("item,sentence,model\na,y,one\n")
    with pytest.raises(TableError, match="more than one sentence of system 'one'"):
        read_candidates([tmp_path / "one.csv", tmp_path / "two.csv"])


def written(folder: Path) -> list[str]:
    """Write the files of a command and return the beginning of it."""
    sources(2).write_csv(folder / "sources.csv")
    some = candidates(2).filter(~((pl.col("item") == "s0") & (pl.col("system") == "gpt")))
    some.write_csv(folder / "told.csv")
    given = ["--sources", str(folder / "sources.csv"), "--candidates", str(folder / "told.csv")]
    return ["build", "iks", *given, "-o", str(folder / "out")]


def test_no_file_annotators_get_names_a_system(tmp_path: Path) -> None:
    assert run([*written(tmp_path), "--seed", "1"]) == 0
    found = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert found == [
        *("balance.json", "funnel.json", "items.parquet", "ledger.parquet", "manifest.json"),
        "manual.html",
        "references.csv",
        "sheet.csv",
    ]
    for path in (tmp_path / "out").iterdir():
        sentences = [f"{system} on {n}" for system in SYSTEMS for n in range(2)]
        text = pl.read_parquet(path).write_csv() if path.suffix == ".parquet" else path.read_text()
        for sentence in sentences:
            text = text.replace(sentence, "")
        assert not any(system in text for system in SYSTEMS), path
    assert pl.read_parquet(tmp_path / "out-key.parquet").height == 6
    funnel = json.loads((tmp_path / "out" / "funnel.json").read_text())
    assert [step["rows"] for step in funnel] == [6, 5, 5]
    assert json.loads((tmp_path / "out" / "balance.json").read_text())["items"] == {"support": 5}


@pytest.mark.parametrize(
    ("key", "said"),
    [
        ("nowhere/key.parquet", "no such folder to write key.parquet into"),
        ("k.xyz", "unknown file type"),
        ("out/items.parquet", "which annotators get"),
        ("out/key.parquet", "which annotators get"),
        ("told.csv", "would be overwritten"),
    ],
)
def test_with_a_key_that_cannot_be_written_nothing_is(
    key: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = written(tmp_path)
    before = sorted(tmp_path.rglob("*"))
    assert run([*given, "--seed", "1", "--blind-key", str(tmp_path / key)]) == 1
    assert said in capsys.readouterr().err
    assert sorted(tmp_path.rglob("*")) == before


def test_an_older_key_beside_the_sheet_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "key.parquet").touch()
    assert run([*written(tmp_path), "--seed", "1"]) == 1
    assert "not empty" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["key.parquet"]


def test_a_header_alone_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = written(tmp_path)
    (tmp_path / "told.csv").write_text("item,sentence\n")
    assert run([*given, "--seed", "1"]) == 1
    assert "told.csv: no rows, only a header" in capsys.readouterr().err


def test_the_importer_reads_the_sheet_once_it_is_filled_in(tmp_path: Path) -> None:
    sources(2).write_csv(tmp_path / "sources.csv")
    for system in SYSTEMS:
        candidates(2).filter(system=system).drop("system").write_csv(tmp_path / f"{system}.csv")
    files = [str(tmp_path / f"{system}.csv") for system in SYSTEMS]
    out, key = tmp_path / "out", tmp_path / "key.parquet"
    given = ["build", "iks", "--sources", str(tmp_path / "sources.csv"), "--candidates", *files]
    assert run([*given, "--blind-key", str(key), "--seed", "1", "-o", str(out)]) == 0
    assert not (out / "key.parquet").exists()
    sheet = pl.read_csv(out / "sheet.csv", infer_schema=False)
    assert [title for title in sheet.columns if title in QUESTIONS.values()] == [
        *QUESTIONS.values()
    ]
    filled = sheet.with_columns(pl.lit("YES").alias("Grammaticality"))
    filled.write_csv(tmp_path / "ann.csv")
    imported = read_iks(tmp_path / "ann.csv", names={})
    assert imported.ratings.height == 6
    assert set(imported.ratings["item"]) == set(pl.read_parquet(key)["item"])
    assert imported.items is not None
    assert set(imported.items["item"]) == set(pl.read_parquet(out / "items.parquet")["item"])


@pytest.mark.parametrize("language", ["en", "it"])
def test_the_manual_explains_every_question_and_answer(tmp_path: Path, language: str) -> None:
    written(tmp_path)
    made = pb.build_iks(
        sources=tmp_path / "sources.csv",
        candidates=[tmp_path / "told.csv"],
        language=language,
        seed=1,
    )
    manual = unescape(str(made.documents["manual.html"]))
    form = form_of(PROTOCOLS["iks"].form_in(language), where="form")
    for question in form.questions:
        assert question.text in manual
        assert all(label in manual for label in question.labels)
    assert all(f"<b>{column}</b>" in manual for column in QUESTIONS.values())
    for practice in form.practice:
        assert all(text in manual for text in practice.candidates.values())
        assert practice.feedback in manual
    assert len({name for one in form.practice for name in one.candidates}) == 5
    assert {one.form_step for one in form.practice} == {1, 2}
    assert "http" not in manual


def test_identical_candidates_are_named_before_anybody_is_asked(tmp_path: Path) -> None:
    (tmp_path / "pairs.csv").write_text("item,source_1,source_2\na,x,y\nb,x,z\n")
    rows = "item,system,sentence\na,one,Rain is wet.\na,two,rain  is wet\nb,one,Rain.\nb,two,Sun.\n"
    (tmp_path / "told.csv").write_text(rows)
    made = pb.build_iks(sources=tmp_path / "pairs.csv", candidates=[tmp_path / "told.csv"], seed=1)
    assert made.as_json()["identical"] == [{"item": "a", "candidates": ["i", "ii"]}]
    assert "a: candidates i and ii are identical." in made.talk


@pytest.mark.parametrize(
    ("language", "words"),
    [
        (
            "en",
            ("furthermore", "second one first", "lower-case letters", "apart from what it"),
        ),
        ("it", ("inoltre", "seconda", "minuscol", "grammatica")),
    ],
)
def test_the_hints_of_the_manual_are_in_the_instructions(
    language: str, words: tuple[str, ...]
) -> None:
    """Manual, hints: discourse markers, reverse order, lower case, and grammar by itself."""
    form = form_of(PROTOCOLS["iks"].form_in(language), where="form")
    shown = " ".join(form.instructions).casefold()
    assert [word for word in words if word.casefold() not in shown] == []
