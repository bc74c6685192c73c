"""Findings of AUDIT F: manifests hold every argument, and no input is overwritten."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import StudyError
from worlds.tables import ratings_of

CROWD = {"t1": "5599", "t2": "1199", "t3": "4559", "t4": "2119", "t5": "5499", "t6": "2249"}
CONDITIONS = "item,text,condition\n" + "".join(
    f"t{n},text {n},{'odd' if n % 2 else 'even'}\n" for n in range(1, 7)
)
# Two columns either of which can be read as the answer.
TWO_ANSWERS = "item,annotator,first,second\n" + "".join(
    f"t{n},a{a},{1 + (n + a) % 5},{1 + (n * a) % 5}\n" for n in range(4) for a in range(3)
)

Verb = Callable[..., Any]
BY_MISSING: dict[str, tuple[Verb, dict[str, Any]]] = {
    "label": (pb.label, {"method": "plurality"}),
    "agree": (pb.agree, {"resamples": 0}),
    "clean": (pb.clean, {"preset": "recommended", "items": "items.csv"}),
    "export_r": (pb.export_r, {"output": "in-r", "items": "items.csv", "family": "ordinal"}),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "items.csv").write_text(CONDITIONS, encoding="utf-8")
    (tmp_path / "two.csv").write_text(TWO_ANSWERS, encoding="utf-8")
    ratings_of(CROWD).write_parquet(tmp_path / "ratings.parquet")
    ratings_of(CROWD).write_csv(tmp_path / "ratings.csv")
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("name", BY_MISSING)
def test_a_manifest_holds_the_answers_that_were_treated_as_missing(folder: Path, name: str) -> None:
    verb, options = BY_MISSING[name]
    plain = verb("ratings.csv", **options).manifest["parameters"]
    fewer = verb("ratings.csv", missing="9", **options).manifest["parameters"]
    assert plain != fewer


def test_a_manifest_holds_the_columns_that_were_read(folder: Path) -> None:
    first, second = (
        pb.label("two.csv", method="plurality", columns={"answer": column})
        for column in ("first", "second")
    )
    assert not first.labels.equals(second.labels)
    assert first.manifest["parameters"] != second.manifest["parameters"]


@pytest.mark.parametrize(
    ("file", "one", "other"),
    [
        pytest.param(
            *("ratings.csv", [], ["--missing", "9"]),
            id="missing",
        ),
        pytest.param(
            *("two.csv", ["--columns", "answer=first"], ["--columns", "answer=second"]),
            id="columns",
        ),
    ],
)
def test_labels_that_differ_have_manifests_that_differ(
    folder: Path, file: str, one: list[str], other: list[str]
) -> None:
    parameters = []
    for name, reading in {"one": one, "other": other}.items():
        target = folder / f"{name}.parquet"
        assert run(["label", file, "--method", "plurality", *reading, "-o", str(target)]) == 0
        manifest = json.loads((folder / f"{name}.parquet.manifest.json").read_text())
        parameters.append(manifest["parameters"])
    assert (folder / "one.parquet").read_bytes() != (folder / "other.parquet").read_bytes()
    assert parameters[0] != parameters[1]


def test_a_result_does_not_overwrite_the_file_it_was_read_from(folder: Path) -> None:
    cleaned = pb.clean("ratings.parquet", preset="recommended", items="items.csv")
    before = contents(folder)
    with pytest.raises(StudyError, match="would be overwritten"):
        cleaned.write(".")
    assert contents(folder) == before


def test_export_for_r_does_not_overwrite_its_input(folder: Path) -> None:
    before = contents(folder)
    with pytest.raises(StudyError, match="would be overwritten"):
        pb.export_r("ratings.csv", output=".", items="items.csv", family="ordinal")
    assert contents(folder) == before


def test_the_command_that_exports_for_r_does_not_overwrite_its_input(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(folder)
    call = ["export", "r", "ratings.csv", "--items", "items.csv", "--family", "ordinal"]
    assert run([*call, "-o", "."]) == 1
    assert "would be overwritten" in capsys.readouterr().err
    assert contents(folder) == before
