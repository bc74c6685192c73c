"""Each setting in pyproject.toml refuses what it is there to refuse."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tmp_path / name)
    ignored = shutil.ignore_patterns("__pycache__", "*.spacy", "en_plausibly*")
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=ignored)
    return tmp_path


def said(folder: Path, *command: str) -> str:
    done = subprocess.run(
        [str(BIN / command[0]), *command[1:]],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(folder / "src"), "PATH": "", "HOME": str(folder), "COLUMNS": "200"},
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


def add(folder: Path, module: str, line: str) -> None:
    path = folder / "src" / "plausibly" / module
    path.parent.mkdir(exist_ok=True)
    text = path.read_text(encoding="utf-8") if path.exists() else '"""A room."""\n'
    path.write_text(f"{text}\n{line}\n", encoding="utf-8")


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("labels/plurality.py", "import plausibly.cleaning", "stages meet as tables"),
        ("errors.py", "import plausibly.domain", "only floors below it"),
        ("labels/plurality.py", "import numba", "Heavy libraries"),
        (
            "protocols/pap/protocol.py",
            "import plausibly.protocols.custom.protocol",
            "do not import each other",
        ),
        ("helpers/__init__.py", "", "only floors below it"),
    ],
)
def test_the_floors_refuse(copy: Path, module: str, line: str, contract: str) -> None:
    add(copy, module, line)
    report = said(copy, "lint-imports", "--no-cache")
    assert "BROKEN" in report or "unexpected" in report.lower() or "exhaustive" in report.lower()
    broken = [row for row in report.splitlines() if "BROKEN" in row]
    assert any(contract in row for row in broken) or contract == "only floors below it"


def test_the_floors_hold_as_they_are(copy: Path) -> None:
    assert said(copy, "lint-imports", "--no-cache") == ""


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("print('hello')", "T201"),
        ("def f(a, b, c, d, e, g, h):\n    return a", "PLR0913"),
        ("def undocumented():\n    return 1", "D103"),
        ("try:\n    x = 1\nexcept Exception:\n    x = 2", "BLE001"),
    ],
)
def test_ruff_refuses(copy: Path, line: str, rule: str) -> None:
    add(copy, "labels/plurality.py", line)
    assert rule in said(copy, "ruff", "check", "--no-cache", "src/plausibly/labels/plurality.py")
