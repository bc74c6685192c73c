"""`plausibly data list|get|verify`."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from plausibly.cli import run
from plausibly.datasets import catalogue as known
from plausibly.datasets.catalogue import DataFile, Dataset, catalogue
from worlds.web import serving

TOY = Dataset(
    name="toy",
    title="A toy",
    licence="CC0",
    citation="Nobody (2020). Nothing.",
    repository="someone/somewhere",
    commit="c0ffee",
    files=(
        DataFile(
            name="a.tsv",
            path="data/a.txt",
            repository="someone/somewhere",
            commit="c0ffee",
            size=6,
            sha256=hashlib.sha256(b"first\n").hexdigest(),
        ),
    ),
)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the toy the only dataset there is."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(known, "catalogue", lambda: {"toy": TOY})


def test_list_prints_licence_and_citation_of_every_dataset(
    without_data: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["data", "list"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for dataset in catalogue().values():
        assert f"{dataset.name}: {dataset.title}" in shown
        assert dataset.licence in shown
        assert dataset.citation in shown


def test_list_json_has_files_sizes_checksums_and_addresses(
    without_data: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["data", "list", "--json"]) == 0
    listed = {entry["name"]: entry for entry in json.loads(capsys.readouterr().out)}
    assert {"pap", "adept", "sp10k", "gita", "norms"} <= set(listed)
    [events] = [f for f in listed["pap"]["files"] if f["name"] == "events_with_ratings.tsv"]
    assert events["size"] > 0
    assert len(events["sha256"]) == 64
    assert events["url"].startswith("https://")
    assert events["url"].endswith(f"{listed['pap']['commit']}/dataset.tsv")
    assert events["found"] is None
    [test] = [f for f in listed["adept"]["files"] if f["name"] == "test.json"]
    assert (test["pinned"], test["sha256"], test["size"]) == (False, None, None)


def test_list_of_one_dataset_says_which_files_are_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "pap").mkdir()
    (tmp_path / "pap/dataset.tsv").write_text("x")
    assert run(["data", "list", "pap", "--data", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    [events] = [line for line in lines if line.startswith("events_with_ratings.tsv")]
    [checks] = [line for line in lines if line.startswith("check_instances.tsv")]
    assert " yes " in events
    assert " no " in checks


def test_an_unknown_dataset_gets_a_proposal(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["data", "list", "adapt"]) == 1
    assert "Did you mean 'adept'?" in capsys.readouterr().err


def test_get_fetches_and_says_so_and_then_finds_it_present(
    toy: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "web/someone/somewhere/c0ffee/data/a.txt"
    source.parent.mkdir(parents=True)
    source.write_bytes(b"first\n")
    folder = tmp_path / "data"
    with serving(tmp_path / "web") as address:
        arguments = ["data", "get", "toy", "--data", str(folder), "--mirror", address]
        assert run([*arguments, "--json"]) == 0
        said = capsys.readouterr()
        assert run(arguments) == 0
    [result] = json.loads(said.out)
    assert result["outcome"] == "fetched"
    assert Path(result["path"]).read_bytes() == b"first\n"
    assert "CC0. Cite: Nobody (2020). Nothing." in said.err
    assert "1 present." in capsys.readouterr().err


def test_get_without_a_network_names_files_and_folder(
    toy: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["data", "get", "--data", str(tmp_path), "--mirror", "http://127.0.0.1:9"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert f"put these files into {tmp_path / 'toy'}:" in said.err
    assert "a.tsv or data/a.txt" in said.err
    assert "Traceback" not in said.err


def test_get_needs_a_folder(without_data: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["data", "get", "pap"]) == 2
    assert "--data" in capsys.readouterr().err


def test_verify_reports_and_strict_fails(
    toy: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def states() -> list[str]:
        assert run(["data", "verify", "--data", str(tmp_path), "--json"]) == 0
        return [finding["state"] for finding in json.loads(capsys.readouterr().out)]

    strict = ["data", "verify", "toy", "--data", str(tmp_path), "--strict"]
    assert states() == ["missing"]
    assert run(strict) == 1
    assert "1 of 1 files are missing or different" in capsys.readouterr().err
    (tmp_path / "toy").mkdir()
    (tmp_path / "toy/a.tsv").write_bytes(b"other\n")
    assert states() == ["different"]
    (tmp_path / "toy/a.tsv").write_bytes(b"first\n")
    assert states() == ["ok"]
    assert run(strict) == 0
    assert capsys.readouterr().err == "1 ok.\n"
