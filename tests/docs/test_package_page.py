"""The package that the page on extending writes works under the names of its entry points."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from worlds.pages import ROOT, blocks, page_blocks, type_blocks

PAGE = ROOT / "docs" / "how-to" / "extend.md"
BLOCK = re.compile(
    r"```(?:python|toml) file=(mylab\S*|my-protocol/\S+|pyproject.toml)\n(.*?)```", re.S
)
ROWS = [("t1", "a", 1), ("t1", "b", 3), ("t2", "a", 2), ("t2", "b", 5)]


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what pip would install, and a file in the page's format."""
    site = tmp_path_factory.mktemp("site")
    for name, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        (site / name).parent.mkdir(exist_ok=True)
        (site / name).write_text(text, encoding="utf-8")
    points = tomllib.loads((site / "pyproject.toml").read_text(encoding="utf-8"))
    groups = points["project"]["entry-points"]
    lines = [
        line
        for group, names in groups.items()
        for line in (f"[{group}]", *(f"{name} = {place}" for name, place in names.items()))
    ]
    metadata = site / "mylab-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: mylab\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("\n".join(lines) + "\n")
    (site / "r.txt").write_text("".join(f"{i}|{a}|{n}\n" for i, a, n in ROWS))
    (site / "rules.toml").write_text('[[rules]]\nrule = "too_loud"\nabove = 4\n')
    return site


def python(site: Path, code: str) -> str:
    places = os.pathsep.join([str(site), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=site,
        env={**os.environ, "PYTHONPATH": places},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_name_of_the_page_works_like_ours(installed: Path) -> None:
    code = """
from plausibly.cli import run
assert run(["read", "r.txt", "--format", "pipes", "-o", "r.parquet"]) == 0
assert run(["read", "r.txt", "--format", "mylab:read_pipes", "-o", "again.parquet"]) == 0
assert run(["label", "r.parquet", "--method", "loudest", "--json"]) == 0
"""
    out = python(installed, code)
    assert json.loads(out[out.index("{") :])["labels"] == {"t1": "3", "t2": "5"}
    code = """
from plausibly.cli import run
assert run(["agree", "r.parquet", "--measures", "extremes", "--resamples", "0", "--json"]) == 0
"""
    assert '"extremes"' in python(installed, code)
    code = """
import plausibly as pb
import polars as pl
from plausibly.backends.language_models import language_model
items = pl.DataFrame({"item": ["t1", "t2"], "text": ["a", "b"]})
print(pb.clean("r.parquet", "rules.toml", items=items).exclusions["rule"].to_list())
print(language_model("agreeable").name, language_model("mylab:agreeable").name)
"""
    assert python(installed, code).splitlines() == ["['too_loud']", "constant:yes constant:yes"]


def test_the_protocol_of_the_package_starts_a_study(installed: Path) -> None:
    code = """
from plausibly.cli import run
assert run(["init", "spoken", "one"]) == 0
assert run(["init", "mylab_protocols:NATURAL", "two"]) == 0
assert run(["init", "--help"]) == 0
"""
    assert "spoken" in python(installed, code)
    code = """
import sys
from plausibly.cli import run
assert run(["status", "one"]) == 0
assert not {"mylab", "mylab_protocols"} & set(sys.modules)
"""
    assert "agree" in python(installed, code)
    one, two = (installed / name / "study.toml" for name in ("one", "two"))
    assert one.read_text().replace('"one"', '"two"') == two.read_text()


def test_the_test_of_the_page_passes(installed: Path) -> None:
    (block,) = blocks("docs/how-to/extend.md", "python")
    (name,) = re.findall(r"^def (\w+)", block, re.MULTILINE)
    python(installed, f"{block}\n{name}()")


def test_the_commands_of_the_page_run_as_printed(installed: Path) -> None:
    typed = [one for one in page_blocks("docs/how-to/extend.md") if one.language == "sh"]
    assert [one.reason for one in typed] == ["", ""]
    type_blocks(typed, installed)
    assert (installed / "my-study" / "protocol" / "form.toml").is_file()
