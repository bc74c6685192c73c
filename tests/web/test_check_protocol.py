"""A protocol is checked by a whole study, and each failure is named by file and key."""

from __future__ import annotations

import json
import re
from pathlib import Path

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from worlds.pages import ROOT

PAGE = ROOT / "docs" / "how-to" / "extend.md"
BLOCK = re.compile(r"```toml file=(\S+)\n(.*?)```", re.DOTALL)
CHECKS = """
[[checks]]
text = "Fire is cold."
expected = "1"

[[checks]]
text = "Water is wet."
expected = "5"
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of the page on extending, with two checks."""
    for name, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "my-protocol" / "checks.toml").write_text(CHECKS, encoding="utf-8")
    return tmp_path / "my-protocol"


def outcomes(report: pl.DataFrame) -> dict[str, str]:
    return dict(report.select("stage", "outcome").iter_rows())


def test_the_folder_of_the_page_passes_every_stage(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["check", "protocol", str(folder), "--strict", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["ok"]
    stages = {one["stage"]: one for one in document["stages"]}
    assert list(stages) == [
        *("files", "form", "items", "rehearse", "clean", "label", "agree"),
        *("describe", "analyse", "browse", "report", "release"),
    ]
    assert {one["outcome"] for one in stages.values()} == {"ok"}
    assert stages["items"]["message"] == "60 of kind item, 2 of kind check."
    kept, total = map(int, re.findall(r"\d+", stages["clean"]["message"])[:2])
    assert kept > total / 2, "most people pass the checks"


@pytest.mark.parametrize(
    ("name", "right", "wrong", "expected"),
    [
        ("checks.toml", '"5"', '"9"', ("items", "checks.toml", "check-02")),
        ("collection.toml", "target = 5", "target = 0", ("files", "[ratings] target")),
        ("collection.toml", "target = 5", "targt = 5", ("files", "[ratings] targt")),
        ("form.toml", '"slider"', '"slidr"', ("files", "natural")),
        ("form.it.toml", "questions.heard", "questions.herd", ("form", "form.it.toml", "'herd'")),
        ("protocol.toml", 'name = "natural"', "name =", ("files", "protocol.toml", "not TOML")),
        ("protocol.toml", '"1,2|4,5"', '"1,2|2,5"', ("rehearse", "[agree] sides")),
    ],
)
def test_a_failure_is_named_by_file_and_key(
    folder: Path, name: str, right: str, wrong: str, expected: tuple[str, ...]
) -> None:
    text = (folder / name).read_text(encoding="utf-8")
    assert right in text
    (folder / name).write_text(text.replace(right, wrong), encoding="utf-8")
    report = pb.check_protocol(str(folder), people=2)
    assert not report.ok
    stage, *parts = expected
    assert outcomes(report.stages)[stage] == "failed"
    assert outcomes(report.stages)["release"] == "not reached"
    (failure,) = report.noted
    for part in (name, *parts):
        assert part in failure
    assert "plausibly-check-" not in failure


def test_a_failure_exits_with_1_only_if_the_check_is_strict(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "form.toml").unlink()
    assert run(["check", "protocol", str(folder)]) == 0
    assert run(["check", "protocol", str(folder), "--strict"]) == 1
    assert "form.toml" in capsys.readouterr().err


def test_an_unknown_name_is_an_error() -> None:
    with pytest.raises(pb.PlausiblyError, match="Did you mean 'pap'"):
        pb.check_protocol("papp")


@pytest.mark.parametrize("name", ["pap", "iks"])
def test_protocols_of_the_package_pass_with_thirty_people(name: str) -> None:
    report = pb.check_protocol(name)
    assert report.noted == ()
    assert report.people == 30
