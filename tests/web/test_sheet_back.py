"""The sheet of an implicit-knowledge study that was collected here reads back unchanged."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import polars as pl
from starlette.testclient import TestClient

from plausibly.cli import run
from plausibly.ratings import import_ratings
from plausibly.ratings.formats import export_ratings
from plausibly.tables import RATINGS
from plausibly.web.app import create_app
from plausibly.web.study import read_study
from worlds.served import joins
from worlds.steps import first_step, iks_folder, second_step

KEYS = count()


def collected(folder: Path) -> pl.DataFrame:
    """Let two people judge everything, and return what is stored."""
    with TestClient(create_app(read_study(folder))) as client:
        for name in ("ann", "bob"):
            token = joins(client, name).json()["token"]
            headers = {"Authorization": f"Bearer {token}"}
            while "item" in (shown := client.get("/api/v1/next", headers=headers).json()):
                names = [one["id"] for one in shown["content"]["candidates"]]
                step = first_step if shown["step"] == 1 else second_step
                sent = {"reservation": shown["reservation"], "answers": step(names)}
                sent["key"] = f"k{next(KEYS)}"
                answer = client.post("/api/v1/answers", json=sent, headers=headers)
                assert answer.status_code == 201, answer.text
    return import_ratings(folder / "answers.sqlite", form="answers").ratings


def test_a_sheet_that_was_exported_is_imported_unchanged(tmp_path: Path) -> None:
    folder = iks_folder(tmp_path / "study")
    ratings = collected(folder)
    assert ratings.height == 2 * 2 * (3 + 2 * 3 + 2 * 2 + 3)
    items = pl.read_parquet(folder / "items.parquet")
    export_ratings(ratings, tmp_path / "sheet.csv", form="iks", items=items)
    back = import_ratings(tmp_path / "sheet.csv", form="iks")
    key = [*RATINGS.key, "answer"]
    assert back.ratings.select(key).sort(key).equals(ratings.select(key).sort(key))
    export_ratings(back.ratings, tmp_path / "again.csv", form="iks", items=items)
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "sheet.csv").read_bytes()


def test_so_it_is_by_command(tmp_path: Path) -> None:
    folder = iks_folder(tmp_path / "study")
    collected(folder)
    table, sheet, back = (tmp_path / name for name in ("r.parquet", "s.csv", "b.parquet"))
    answers = str(folder / "answers.sqlite")
    assert run(["read", answers, "--format", "answers", "-o", str(table)]) == 0
    export = ["write", str(table), "--format", "iks", "-o", str(sheet)]
    assert run([*export, "--items", str(folder / "items.parquet")]) == 0
    keep = ["--keep-ids", "-o", str(back)]
    assert run(["read", str(sheet), "--format", "iks", *keep]) == 0
    key = [*RATINGS.key, "answer"]
    one, other = (pl.read_parquet(path).select(key).sort(key) for path in (table, back))
    assert one.equals(other)
