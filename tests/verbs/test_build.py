"""The verbs `build` and `check`: one function for command and notebook."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from plausibly.cli import run
from plausibly.errors import StudyError, UnknownName
from plausibly.verbs.build import BUILDERS, build
from plausibly.verbs.build._items import ItemSet
from plausibly.verbs.check import CheckReport, check_adept, check_balance, check_gita
from worlds.builds import building_world, typed


@pytest.fixture
def world(tmp_path: Path) -> dict[str, dict[str, Any]]:
    return building_world(tmp_path)


@pytest.mark.parametrize("protocol", list(BUILDERS))
def test_the_command_prints_and_writes_what_the_function_returns(
    protocol: str,
    world: dict[str, dict[str, Any]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    made = build(protocol, **world[protocol])
    assert isinstance(made, ItemSet)
    made.write(tmp_path / "one")
    out = tmp_path / "two"
    assert run([*typed(protocol, world[protocol]), "-o", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(made.as_json()))
    names = sorted(path.name for path in out.iterdir())
    assert names == sorted(path.name for path in (tmp_path / "one").iterdir())
    assert {"items.parquet", "ledger.parquet", "funnel.json", "manifest.json"} <= set(names)
    for name in names:
        assert (out / name).read_bytes() == (tmp_path / "one" / name).read_bytes(), name
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["verb"] == f"build {protocol}"
    assert manifest["rows"]["items"] == made.items.height
    assert all(one["sha256"] for one in manifest["inputs"].values())
    assert str(tmp_path) not in json.dumps(manifest)
    assert str(made.items.height) in repr(made) or made.funnel


def test_a_folder_with_something_else_in_it_is_never_written_into(
    world: dict[str, dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    command = [*typed("gita", world["gita"]), "-o", str(out)]
    assert run(command) == 0
    before = (out / "items.parquet").read_bytes()
    assert run(command) == 0
    assert run([*command, "--swaps", "1"]) == 1
    assert "holds something other than these items" in capsys.readouterr().err
    assert (out / "items.parquet").read_bytes() == before
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("do not touch", encoding="utf-8")
    assert run([*command[:-1], str(tmp_path / "mine")]) == 1
    assert "not empty" in capsys.readouterr().err
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["thesis.txt"]


def test_the_folder_extract_wrote_is_taken_for_the_triples(
    world: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    file = build("pap", **world["pap"])
    folder = build("pap", **{**world["pap"], "svo": str(tmp_path)})
    assert folder.items.equals(file.items)
    frame = build("pap", **{**world["pap"], "svo": pl.read_parquet(world["pap"]["svo"])})
    assert frame.items.equals(file.items)


def test_the_blinding_key_is_its_owners_alone(
    world: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    made = build("iks", **world["iks"])
    made.write(tmp_path / "out")
    key = tmp_path / "out-key.parquet"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    shown = repr(made) + made._repr_html_() + json.dumps(made.as_json()) + str(made.manifest)
    for path in (tmp_path / "out").iterdir():
        shown += path.read_text(encoding="utf-8", errors="replace")
    shown = shown.replace("gpt says", "").replace("bart says", "")
    assert "gpt" not in shown
    assert "bart" not in shown
    assert "key" not in made.tables
    assert set(pl.read_parquet(key)["system"]) == {"gpt", "bart"}


def test_further_tables_are_attributes(world: dict[str, dict[str, Any]]) -> None:
    made = build("sp10k", **world["sp10k"])
    assert made.surveys.columns == ["survey", "position", "item", "kind"]
    with pytest.raises(AttributeError, match="no attribute 'survey'"):
        _ = made.survey


def test_wrong_names_draw_the_nearest() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'pap'"):
        build("papp")
    with pytest.raises(StudyError, match="is an option of pap, not of gita"):
        build("gita", stories="x.jsonl", per_cell=3)
    with pytest.raises(StudyError, match="gita needs stories="):
        build("gita")


CHECKS: dict[str, Callable[[str], CheckReport]] = {
    "gita": check_gita,
    "balance": partial(check_balance, language="en"),
    "adept": check_adept,
}


@pytest.mark.parametrize("kind", list(CHECKS))
def test_check_prints_what_the_function_returns(
    kind: str, world: dict[str, dict[str, Any]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("wordfreq")
    build("adept", **world["adept"]).write(tmp_path / "adept")
    file = {
        "gita": world["gita"]["stories"],
        "balance": world["match"]["items"],
        "adept": str(tmp_path / "adept" / "pairs.json"),
    }[kind]
    found = CHECKS[kind](file)
    language = ["--language", "en"] if kind == "balance" else []
    assert run(["check", kind, file, *language, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(found.as_json()))
    found.write(tmp_path / "checked")
    assert (tmp_path / "checked" / "findings.parquet").exists()


def sentences_for(protocol: str, made: ItemSet) -> pl.DataFrame:
    """Return two sentences for each word pair or triple a set of items attests, but the first."""
    items = made.items.filter(pl.col("kind") == "item")
    if protocol == "pap":
        rows = items.filter(condition="attested").select(
            "object", relation=pl.lit("svo"), head="verb", dependent="subject"
        )
    elif protocol == "adept":
        rows = items.select(relation=pl.lit("amod"), head="lemma", dependent="modifier")
    else:
        rows = items.filter(pl.col("count") > 0).select("relation", "head", "dependent")
    if "object" not in rows.columns:
        rows = rows.with_columns(object=pl.lit(None, dtype=pl.String))
    told = pl.format("{} of {}.", "head", "dependent")
    two = [
        rows.with_columns(rank=pl.lit(rank, pl.Int64), document=pl.lit(f"d{rank}"), sentence=told)
        for rank in (1, 2)
    ]
    return pl.concat(two).with_columns(place=pl.lit(0, pl.Int64))


@pytest.mark.parametrize("protocol", ["pap", "adept", "sp10k"])
def test_items_carry_the_sentences_that_attest_them(
    protocol: str,
    world: dict[str, dict[str, Any]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    without = build(protocol, **world[protocol])
    assert "examples" not in without.tables
    behind = sentences_for(protocol, without)
    behind.write_parquet(tmp_path / "kept.parquet")
    named = build(protocol, **world[protocol], examples=str(tmp_path / "kept.parquet"))
    assert named.items.equals(without.items)
    assert named.examples.height == behind.height
    assert named.examples["rank"].to_list() == [1, 2] * (behind.height // 2)
    assert set(named.examples["item"]) <= set(named.items["item"])
    assert "examples" in named.made.inputs
    half = behind.height // 2
    assert f"sentences: {half} of {half} attested items have one or more" in named.talk[-2]
    behind.write_parquet(tmp_path / "examples.parquet")  # where extract leaves them
    assert run([*typed(protocol, world[protocol]), "-o", str(tmp_path / "out")]) == 0
    assert pl.read_parquet(tmp_path / "out" / "examples.parquet").equals(named.examples)
    assert "sentences: " in capsys.readouterr().err
