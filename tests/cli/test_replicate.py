"""`plausibly replicate`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pap_inline import write_checks, write_norms, write_release
from plausibly import replications
from plausibly.cli import run
from plausibly.replications import Record, Value


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_release(tmp_path)
    write_norms(tmp_path)
    write_checks(tmp_path)
    return tmp_path


def test_json_is_one_list_of_records(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replicate", "pap", "--data", str(folder), "--json"]) == 0
    said = capsys.readouterr()
    records = json.loads(said.out)
    keys = ["id", "published", "recomputed", "verdict", "rule", "note"]
    assert all(list(record) == keys for record in records)
    by_id = {record["id"]: record for record in records}
    assert by_id["pap.ratings.total"] == {
        "id": "pap.ratings.total",
        "published": 15571,
        "recomputed": 63,
        "verdict": "erratum",
        "rule": by_id["pap.ratings.total"]["rule"],
        "note": by_id["pap.ratings.total"]["note"],
    }
    assert "published numbers:" in said.err


def test_the_table_fits_120_columns(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replicate", "pap", "--data", str(folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 120
    [total] = [place for place, line in enumerate(lines) if line.startswith("pap.ratings.total ")]
    assert lines[total].split() == ["pap.ratings.total", "15571", "63", "erratum"]
    assert lines[total + 1].startswith("    ")


def test_notes_are_shown_where_something_needs_explaining(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    words: list[Value] = ["a-word"] * 30
    records = [
        Record("x.fine", 1, 1, "exact", "rule", "A note nobody needs."),
        Record("x.wrong", 0.5, 0.25, "erratum", "rule", "A note that explains."),
        Record("x.too", 0.5, 0.25, "erratum", "rule", "A note that explains."),
        Record("x.long", words, None, "not computable", "rule", "A note."),
    ]

    def replication(folder: Path) -> list[Record]:
        return records

    monkeypatch.setattr(replications, "REPLICATIONS", {"x": replication})
    assert run(["replicate", "x", "--data", str(tmp_path)]) == 0
    said = capsys.readouterr()
    assert "nobody needs" not in said.out
    assert said.out.count("A note that explains.") == 1
    assert said.out.count("a-word") == 30
    assert max(map(len, said.out.splitlines())) <= 120
    assert said.err.splitlines()[0] == "4 published numbers: 2 erratum, 1 exact, 1 not computable."


def test_strict_makes_errata_a_failure(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["replicate", "pap", "--data", str(folder), "--strict", "--json"]) == 1
    assert "published numbers do not follow" in capsys.readouterr().err


def test_a_missing_dataset_is_one_clear_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replicate", "pap", "--data", str(tmp_path), "--json"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"{tmp_path / 'pap'}: no such folder")
    assert "Traceback" not in said.err


def test_no_data_folder_is_a_usage_error(
    without_data: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replicate", "pap"]) == 2
    assert "PLAUSIBLY_DATA" in capsys.readouterr().err


def test_an_unknown_replication_gets_a_proposal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["replicate", "papp", "--data", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert "Did you mean 'pap'?" in said
    assert "Known: adept, all, gita, pap, sp10k." in said
