"""The bare install: a wheel in a fresh environment, base dependencies only, does the main job."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir")
    run(*pip, target, ROOT, cwd=target)
    return next(target.glob("plausibly-*.whl"))


def test_the_wheel_holds_the_package_its_data_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.partition("/")[0].partition("-")[0] for name in names} == {"plausibly"}
    for wanted in (
        "py.typed",
        "analysis/templates/report.html.jinja",
        "protocols/pap/form.it.toml",
        *(f"web/locale/{one}.toml" for one in ("en", "it", "de", "es", "fr", "nl", "pt")),
        "protocols/pap/example/items.toml",
    ):
        assert f"plausibly/{wanted}" in names
    assert not [name for name in names if name.endswith((".pyc", ".tsv", ".jsonl"))]


def test_the_bare_install_takes_a_study_to_its_report(wheel: Path, tmp_path: Path) -> None:
    # Our own pip fills the environment, and nothing is compiled that is not imported: quicker.
    run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv", cwd=tmp_path)
    python, pins = tmp_path / "venv" / "bin" / "python", ROOT / "constraints.txt"
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-compile")
    run(*pip, "-c", pins, wheel, cwd=tmp_path)
    plausibly = tmp_path / "venv" / "bin" / "plausibly"
    run(plausibly, "init", "pap", "study", "--example", cwd=tmp_path)
    run(plausibly, "run", "study", cwd=tmp_path)
    assert (tmp_path / "study" / "report.html").read_text().startswith("<!doctype html>")
