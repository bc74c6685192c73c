"""`plausibly build sp10k` from the outside."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polars as pl
import pytest

from plausibly.cli import run

NAMES = ("relation", "head", "dependent", "count")


def counts(folder: Path, name: str = "counts.csv") -> str:
    rows = [
        ("dobj", head, dependent, 20 - place)
        for head in ("eat", "see", "buy")
        for place, dependent in enumerate(("apple", "boat", "cat", "door", "egg"))
    ]
    frame = pl.DataFrame(rows, schema=list(NAMES), orient="row")
    path = folder / name
    if path.suffix == ".parquet":
        frame.write_parquet(path)
    else:
        frame.write_csv(path)
    return str(path)


def arguments(folder: Path, *more: str) -> list[str]:
    given = ["--relations", "dobj", "--heads", "3", "--per-survey", "6", "--seed", "4"]
    return ["build", "sp10k", *given, "-o", str(folder / "out"), *more]


@pytest.mark.parametrize("name", ["counts.csv", "counts.parquet"])
def test_items_and_surveys_are_written(tmp_path: Path, name: str) -> None:
    assert run(arguments(tmp_path, "--counts", counts(tmp_path, name))) == 0
    items = pl.read_parquet(tmp_path / "out" / "items.parquet")
    assert {"relation", "head", "dependent", "source"} <= set(items.columns)
    assert sorted(items.filter(kind="item")["source"]) == ["frequent"] * 6 + ["random"] * 6
    surveys = pl.read_parquet(tmp_path / "out" / "surveys.parquet")
    assert surveys.columns == ["survey", "position", "item", "kind"]
    assert surveys.group_by("survey").len()["len"].to_list() == [9, 9]
    assert set(surveys["item"]) == set(items["item"])
    assert (tmp_path / "out" / "ledger.parquet").exists()
    balance = json.loads((tmp_path / "out" / "balance.json").read_text())
    assert balance["items"] == {"frequent": 6, "random": 6}
    assert json.loads((tmp_path / "out" / "funnel.json").read_text())[-1]["rows"] == 18


def test_the_folder_extract_wrote_is_taken_and_the_seed_decides(tmp_path: Path) -> None:
    counts(tmp_path, "counts.parquet")
    drawn = []
    for seed in ("4", "4", "5"):
        assert run([*arguments(tmp_path, "--counts", str(tmp_path)), "--seed", seed]) == 0
        drawn.append((tmp_path / "out" / "items.parquet").read_bytes())
        shutil.rmtree(tmp_path / "out")
    assert drawn[0] == drawn[1]
    assert drawn[0] != drawn[2]


def test_italian_needs_no_english_resource(tmp_path: Path) -> None:
    assert run(arguments(tmp_path, "--counts", counts(tmp_path), "--language", "it")) == 0
    items = pl.read_parquet(tmp_path / "out" / "items.parquet")
    assert items.filter(kind="item")["text"][0].startswith("Si può")


def test_too_few_heads_write_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    given = arguments(tmp_path, "--counts", counts(tmp_path), "--heads", "9")
    assert run(given) == 1
    assert "dobj 3; 9 were asked for" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_counts_without_a_column_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "counts.parquet"
    pl.DataFrame({"relation": ["dobj"]}).write_parquet(path)
    assert run(arguments(tmp_path, "--counts", str(path))) == 1
    assert f"{path}: no column 'head'" in capsys.readouterr().err
    path.write_text("no parquet")
    assert run(arguments(tmp_path, "--counts", str(path))) == 1
    assert "not a Parquet file" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("column", "values", "message"),
    [
        ("count", [1.5, 2.0], "column 'count' holds Float64, expected whole numbers"),
        ("count", [3, None], "1 rows have an empty relation, head or dependent, or a count below"),
        ("count", [3, -1], "1 rows have an empty"),
        ("head", [1, 2], "column 'head' holds Int64, expected text"),
        ("head", ["eat", None], "1 rows have an empty"),
        ("dependent", ["tea", "tea"], "'dobj eat tea' is there more than once"),
    ],
)
def test_broken_counts_are_refused(
    tmp_path: Path,
    column: str,
    values: list[object],
    message: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    good: dict[str, list[object]] = {
        "relation": ["dobj", "dobj"],
        "head": ["eat", "eat"],
        "dependent": ["tea", "cake"],
        "count": [3, 4],
    }
    path = tmp_path / "counts.parquet"
    pl.DataFrame({**good, column: values}).write_parquet(path)
    assert run(arguments(tmp_path, "--counts", str(path))) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_counts_with_a_damaged_page_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(counts(tmp_path, "counts.parquet"))
    content = bytearray(path.read_bytes())
    content[8:40] = b"\xff" * 32
    path.write_bytes(bytes(content))
    assert run(arguments(tmp_path, "--counts", str(path))) == 1
    assert "DuckDB cannot work with the table" in capsys.readouterr().err
