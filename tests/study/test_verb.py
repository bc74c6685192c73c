"""A verb is one declaration: what is derived from it holds for every verb."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from plausibly.errors import PlausiblyError, StudyError, flag, option
from plausibly.study.made import INERT, being_made
from plausibly.study.results import Result
from plausibly.study.verb import verb


@dataclass(frozen=True, eq=False, repr=False)
class Doubled(Result):
    """Numbers twice as large."""

    ratings: pl.DataFrame

    def as_json(self) -> dict[str, Any]:
        return {"rows": self.ratings.height}


@verb(reads={"ratings": "ratings"}, writes={"ratings": "doubled.parquet"})
def double(
    ratings: object,
    *,
    missing: str | None = None,
    rule: object = None,
    seed: int = 1,
    output: str | Path | None = None,
) -> Doubled:
    """Double."""
    frame = pl.read_csv(ratings) if isinstance(ratings, Path) else ratings
    assert isinstance(frame, pl.DataFrame)
    rows = {"item": "a", "annotator": "b", "question": "q", "answer": "1", "value": 1.0}
    return Doubled(pl.DataFrame([rows] * min(1, frame.height)))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "ratings.csv"
    path.write_text("x\n1\n", encoding="utf-8")
    return path


def test_a_result_knows_every_argument_of_its_verb(table: Path) -> None:
    manifest = double(table, missing="9").manifest
    assert manifest["parameters"] == {"missing": "9", "rule": None}
    assert manifest["seed"] == 1
    assert manifest["inputs"]["ratings"]["file"] == "ratings.csv"
    assert len(manifest["inputs"]["ratings"]["sha256"]) == 64
    assert double(table).manifest["parameters"] != manifest["parameters"]
    assert being_made().verb == ""


def test_a_frame_and_a_file_are_described_by_their_content(table: Path) -> None:
    frame = pl.DataFrame({"x": [1]})
    one, other = (double(f).manifest["inputs"]["ratings"] for f in (frame, frame * 2))
    assert one["rows"] == 1
    assert one["sha256"] != other["sha256"]


def test_a_callable_is_recorded_by_module_name_and_source() -> None:
    def strict(ratings: object) -> object:
        return ratings

    rule = double(pl.DataFrame({"x": [1]}), rule=strict).manifest["parameters"]["rule"]
    assert rule["module"] == __name__
    assert rule["name"].endswith("strict")
    assert len(rule["sha256"]) == 64


def test_what_cannot_change_a_result_is_in_no_manifest(table: Path) -> None:
    assert "output" in INERT
    assert "output" not in double(table, output="here").manifest["parameters"]


def test_a_result_never_overwrites_what_it_was_made_from(tmp_path: Path) -> None:
    source = tmp_path / "ratings.parquet"
    source.write_text("x\n1\n", encoding="utf-8")
    result = double(source)
    for force in (False, True):
        with pytest.raises(StudyError, match="overwritten"):
            result.write(tmp_path, force=force)
        with pytest.raises(StudyError, match="overwritten"):
            result.write_table("ratings", source, force=force)
    assert source.read_text(encoding="utf-8") == "x\n1\n"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["ratings.parquet"]


def test_a_result_replaces_its_own_output_and_nothing_else(table: Path, tmp_path: Path) -> None:
    folder, result = tmp_path / "out", double(table)
    result.write(folder)
    result.write(folder)
    (folder / "ratings.parquet").write_bytes(b"edited by hand")
    with pytest.raises(StudyError, match="was changed after"):
        result.write(folder)
    assert (folder / "ratings.parquet").read_bytes() == b"edited by hand"
    result.write(folder, force=True)
    assert json.loads((folder / "manifest.json").read_text())["verb"] == "double"
    other = tmp_path / "notes.parquet"
    other.write_bytes(b"notes")
    with pytest.raises(StudyError, match="is something else"):
        result.write_table("ratings", other)
    assert not (tmp_path / "notes.parquet.manifest.json").exists()


def test_an_error_spells_a_parameter_as_its_reader_does() -> None:
    error = PlausiblyError(f"no items. Pass {option('per_cell')}.")
    assert str(error) == "no items. Pass per_cell=."
    assert error.spelled(flag) == "no items. Pass --per-cell."
    error.within("label")
    assert str(error) == "no items. Pass [label] per_cell."


def test_a_step_has_the_keys_and_defaults_of_the_verb() -> None:
    step = double.step(rule="few")
    assert dict(step.parameters) == {"rule": "few"}
    assert step.heeds == ("ratings.missing",)
    with pytest.raises(TypeError, match="no parameter 'nobody'"):
        double.step(nobody=1)
