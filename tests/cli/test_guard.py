"""What holds for every command: inputs are spared, names are names, pipes may end early."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from plausibly.cli import run

RATINGS = "item,annotator,question,answer\n" + "".join(
    f"i{i},a{a},rating,{1 + (i * a) % 5}\n" for i in range(4) for a in range(3)
)
ITEMS = "item,text,relation\n" + "".join(f"i{i},text {i},r\n" for i in range(4))
LABELS = "item,question,method,label,ratings\n" + "".join(
    f"i{i},rating,plurality,1,3\n" for i in range(4)
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "r.csv": RATINGS,
        "i.csv": ITEMS,
        "l.csv": LABELS,
        "d.csv": "item,decision,reason\ni1,2,because\n",
    }.items():
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    "line",
    [
        "label r.csv --method plurality -o r.csv",
        "label r.csv --method plurality -o ./r.csv",
        "experts sample i.csv --size 2 -o i.csv",
        "experts compare r.csv --labels l.csv -o r.csv",
        "experts compare r.csv --labels l.csv -o l.csv",
        "experts decide d.csv --labels l.csv -o l.csv",
        "experts subset r.csv --items i.csv -o i.csv",
        "write r.csv --format long -o r.csv",
        "read r.csv -o r.csv",
    ],
)
def test_an_output_that_is_an_input_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert run(line.split()) == 1
    assert "would be overwritten" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_folder_to_write_must_not_hold_the_input_under_the_name_of_an_output(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["read", "r.csv", "-o", "ratings.parquet"]) == 0
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert (
        run(["clean", "ratings.parquet", "--preset", "recommended", "--items", "i.csv", "-o", "."])
        == 1
    )
    assert "would be overwritten" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize(
    "name", ["", " ", ".", "/", "x" * 300 + ".csv", "none/x.csv", "/proc/x.csv"]
)
def test_a_name_nothing_can_be_written_to_is_one_clear_line(
    folder: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert run(["label", "r.csv", "--method", "plurality", "-o", name]) in (1, 2)
    assert run(["clean", "r.csv", "--preset", "recommended", "-o", name or " "]) in (0, 1, 2)
    assert "not foreseen" not in capsys.readouterr().err


def test_init_over_a_device_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["init", "pap", "/dev/null"]) == 1
    assert "in the way" in capsys.readouterr().err


COMMAND = f"{sys.executable} -m plausibly label r.csv --method plurality --json"


def test_a_reader_that_has_enough_ends_the_command_quietly(folder: Path) -> None:
    items = "".join(f"i{i},a,rating,1\n" for i in range(20_000))
    (folder / "r.csv").write_text("item,annotator,question,answer\n" + items)
    shell = ["bash", "-c", f"set -o pipefail; {COMMAND} | true"]
    ended = subprocess.run(shell, cwd=folder, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_full_device_behind_stdout_is_one_line(folder: Path) -> None:
    shell = ["bash", "-c", f"{COMMAND} > /dev/full"]
    ended = subprocess.run(shell, cwd=folder, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr.startswith("standard output: No space left")
    assert ended.stderr.count("\n") == 1


def test_a_note_quotes_no_cell_of_any_length(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "r.csv").write_text(f"item,annotator,answer\ni1,a,4\ni1,b,{'x' * 200_000}\n")
    assert run(["label", "r.csv", "--method", "mean", "-o", "l.parquet"]) == 0
    assert max(map(len, capsys.readouterr().err.splitlines())) < 1000


def test_an_id_of_any_length_is_imported_soon(folder: Path) -> None:
    (folder / "r.csv").write_text(f"item,annotator,answer\ni1,{'x' * 200_000},4\n")
    assert run(["read", "r.csv", "-o", "out.parquet"]) == 0


@pytest.mark.parametrize(
    ("line", "word"), [("run x", "Steps that were finished are kept"), ("label x", "begin again")]
)
def test_who_interrupts_hears_how_to_go_on(
    line: str, word: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("plausibly.cli.app.main", interrupt)
    assert run(line.split()) == 130
    said = capsys.readouterr().err
    assert said.startswith("Interrupted. ")
    assert word in said
    assert said.endswith("the same command.\n")
