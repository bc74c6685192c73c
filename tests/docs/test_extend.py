"""The page on extending, applied to a copy of the package: what it adds works."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import plausibly
from worlds.pages import ROOT

PAGE = ROOT / "docs" / "how-to" / "extend.md"
BLOCK = re.compile(r"```(python|diff) file=(\S+)( append)?\n(.*?)```", re.DOTALL)


def apply(package: Path) -> list[str]:
    """Do to a copy of the package what the page says, and return the files it touched."""
    touched = []
    for language, name, append, text in BLOCK.findall(PAGE.read_text(encoding="utf-8")):
        if name.startswith("mylab"):  # outside the package; see tests/docs/test_package_page.py
            continue
        path = package / name
        touched.append(name)
        if language == "python":
            assert not path.exists(), f"{name} is there already"
            path.write_text(text, encoding="utf-8")
            continue
        lines = text.splitlines()
        added = [line[1:] for line in lines if line.startswith("+")]
        source = path.read_text(encoding="utf-8")
        if append:
            path.write_text(source + "\n".join(added) + "\n", encoding="utf-8")
            continue
        (context,) = [line[1:] for line in lines if line.startswith(" ")]
        assert source.count(f"{context}\n") == 1, f"{name}: {context!r}"
        before = lines[0].startswith("+")
        block = "\n".join([*added, context] if before else [context, *added])
        path.write_text(source.replace(f"{context}\n", f"{block}\n"), encoding="utf-8")
    return touched


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the extended package in `src`, a file of ratings and a data folder."""
    folder = tmp_path_factory.mktemp("extended")
    source = Path(plausibly.__file__ or "").parent
    ignored = shutil.ignore_patterns("__pycache__", "en_plausibly*", "norms_model")
    shutil.copytree(source, folder / "src" / "plausibly", ignore=ignored)
    assert len(apply(folder / "src" / "plausibly")) == 14
    rows = ["item,annotator,answer,submitted"]
    rows += [f"t1,{name},{n},2026-01-01T{hour}:00:00" for name, n, hour in PEOPLE]
    (folder / "r.csv").write_text("\n".join(rows) + "\n")
    (folder / "items.csv").write_text("item,text\nt1,otter paints ladder\n")
    rule = '[[rules]]\nrule = "answered_at_night"\nbefore_hour = 4\n'
    (folder / "rules.toml").write_text(f'title = "Night"\n{rule}')
    (folder / "data" / "toy").mkdir(parents=True)
    (folder / "data" / "toy" / "events.csv").write_text("event,label\notters swim,plausible\n")
    return folder


PEOPLE = [("a", 2, "03"), ("b", 3, "12"), ("c", 5, "13")]


def type_command(folder: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "plausibly", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_new_method_has_its_options_everywhere(extended: Path) -> None:
    said = type_command(
        extended, "label", "r.csv", "--method", "lowest", "--at-rank", "2", "--json"
    )
    assert '"t1": "3"' in said
    assert "--at-rank" in type_command(extended, "label", "--help")


def test_a_new_rule_sets_ratings_aside(extended: Path) -> None:
    arguments = ["--preset", "rules.toml", "--items", "items.csv", "-o", "clean", "--json"]
    assert "answered_at_night" in type_command(extended, "clean", "r.csv", *arguments)


def test_a_new_measure_is_measured(extended: Path) -> None:
    arguments = ["--measures", "extremes", "--resamples", "0", "--json"]
    assert '"extremes"' in type_command(extended, "agree", "r.csv", *arguments)


def test_a_new_protocol_starts_a_study(extended: Path) -> None:
    type_command(extended, "init", "pairs", "study")
    assert "min_share = 0.6" in (extended / "study" / "study.toml").read_text()


def run_python(folder: Path, code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_a_new_dataset_is_loaded(extended: Path) -> None:
    code = (
        "from pathlib import Path; from plausibly.datasets.loading import load_set; "
        "print(load_set('toy', Path('data')).tables)"
    )
    assert "otters swim" in run_python(extended, code)


def test_a_new_backend_is_found_by_name(extended: Path) -> None:
    code = (
        "from plausibly.backends.parsers import parser_named; "
        "print(next(parser_named('capitals').parse(['Otters swim']))[0].upos)"
    )
    assert run_python(extended, code) == "['NOUN', 'X']"
