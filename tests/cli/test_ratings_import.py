"""`plausibly ratings import`: forms of platforms, and what becomes of people's ids."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from plausibly.cli import run
from plausibly.ratings.people import pseudonym

BATCH = (
    "HITId,WorkerId,LifetimeApprovalRate,Input.id,Answer.q\n"
    "h1,A1B2C3D4E5F6G7,98% (49/50),t1,5\nh1,A7G6F5E4D3C2B1,0% (0/0),t1,4\n"
)
EXPORT = "Submission id,Participant id,Status,Time taken\ns,A1B2C3D4E5F6G7,APPROVED,60\n"


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    (tmp_path / "batch.csv").write_text(BATCH)
    return tmp_path


def imported(folder: Path, *more: str) -> pl.DataFrame:
    out = folder / "ratings.parquet"
    command = ["ratings", "import", str(folder / "batch.csv"), "--format", "mturk", "-o", str(out)]
    assert run([*command, *more]) == 0
    return pl.read_parquet(out)


def test_worker_ids_become_numbers_unless_kept(batch: Path) -> None:
    assert imported(batch)["annotator"].to_list() == ["p001", "p002"]
    assert "A1B2C3D4E5F6G7" in imported(batch, "--keep-ids")["annotator"].to_list()


def test_the_key_comes_from_the_option_or_the_environment(
    batch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = pseudonym("A1B2C3D4E5F6G7", "secret")
    assert expected in imported(batch, "--key", "secret")["annotator"].to_list()
    monkeypatch.setenv("PLAUSIBLY_KEY", "secret")
    assert expected in imported(batch)["annotator"].to_list()
    assert "A1B2C3D4E5F6G7" in imported(batch, "--keep-ids")["annotator"].to_list()


def test_facts_about_people_are_joined_and_written(batch: Path) -> None:
    (batch / "prolific.csv").write_text(EXPORT)
    people = batch / "annotators.parquet"
    more = ["--annotators", str(people), "--people", str(batch / "prolific.csv"), "--key", "k"]
    imported(batch, *more)
    rows = pl.read_parquet(people).sort("approval", descending=True)
    assert rows["approval"].to_list() == [98.0, 0.0]
    assert rows["status"].to_list() == ["APPROVED", None]
    assert rows["annotator"][0] == pseudonym("A1B2C3D4E5F6G7", "k")


def test_an_impossible_sheet_leaves_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("candidate,Grammaticality,Coherence,Content B\ni,NO,-,YES\n")
    out = tmp_path / "ratings.parquet"
    assert run(["ratings", "import", str(sheet), "--format", "iks", "-o", str(out)]) == 1
    assert "sheet.csv:2: column Content B: answered YES" in capsys.readouterr().err
    assert not out.exists()
