"""What is loaded when: nothing heavy, and for --help not even Polars."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from plausibly.registry import PROTOCOLS

HEAVY = {"spacy", "stanza", "pyspark", "numba", "torch", "transformers", "pandas", "sqlalchemy"}


def loaded_after(code: str) -> set[str]:
    report = f"{code}\nimport sys; print(' '.join(sorted(sys.modules)), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", report], capture_output=True, text=True, check=True
    )
    return {name.partition(".")[0] for name in done.stderr.splitlines()[-1].split()}


def test_import_plausibly_loads_no_third_party_package() -> None:
    before, after = loaded_after(""), loaded_after("import plausibly")
    assert after - before - set(sys.stdlib_module_names) == {"plausibly"}


def test_help_loads_neither_polars_nor_numpy_nor_rich() -> None:
    loaded = loaded_after("from plausibly.cli import run; run(['--help'])")
    assert "click" in loaded
    assert not loaded & ({"polars", "numpy", "scipy", "rich", "pyarrow", "duckdb"} | HEAVY)


def test_init_and_status_load_neither_polars_nor_numpy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own").mkdir()
    Path("own/protocol.toml").write_text('name = "own"', encoding="utf-8")
    question = '[[questions]]\nid = "good"\ntype = "choice"\ntext = "?"\noptions = ["y", "n"]'
    Path("own/form.toml").write_text(question, encoding="utf-8")
    code = (
        "from plausibly.cli import run\n"
        f"for number, name in enumerate({[*PROTOCOLS, './own']}):\n"
        "    assert run(['init', name, f'study{number}']) == 0\n"
        "    assert run(['status', f'study{number}']) == 0\n"
    )
    loaded = loaded_after(code)
    assert not loaded & ({"polars", "numpy", "scipy", "rich", "pyarrow", "duckdb"} | HEAVY)


@pytest.mark.parametrize("room", ["labels", "measures", "ratings", "study", "analysis.report"])
def test_the_base_rooms_load_nothing_heavy(room: str) -> None:
    assert not loaded_after(f"import plausibly.{room}") & HEAVY


def test_label_reads_its_options_without_scipy() -> None:
    assert "scipy" not in loaded_after(
        "from plausibly.cli.groups import command_at; command_at('label')"
    )


def test_every_command_has_a_help_of_its_own(plausibly_command: str) -> None:
    from plausibly.cli.groups import below

    code = (
        "import io, contextlib\nfrom plausibly.cli import run\n"
        "from plausibly.cli.groups import below\n"
        "for name in below(''):\n"
        "    with contextlib.redirect_stdout(io.StringIO()) as page:\n"
        "        assert run([name, '--help']) == 0, name\n"
        "    assert 'Usage: plausibly ' + name in page.getvalue(), name\n"
    )
    assert not loaded_after(code) & HEAVY
    assert below("")
    assert plausibly_command


def test_the_picture_of_the_floors_is_the_contract() -> None:
    root = Path(__file__).resolve().parents[2]
    contracts = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    floors = next(
        one for one in contracts["tool"]["importlinter"]["contracts"] if one["id"] == "floors"
    )
    picture = re.search(
        r"```text\n(cli \| testing\n.*?)```",
        (root / "CONTRIBUTING.md").read_text(encoding="utf-8"),
        re.DOTALL,
    )
    assert picture is not None
    assert picture[1].splitlines() == floors["layers"]
