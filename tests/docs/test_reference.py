"""The reference names everything there is: commands, tables, columns, methods, errors."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from plausibly import errors
from plausibly.cli import groups
from plausibly.cli.groups import below
from plausibly.labels import METHODS
from plausibly.measures.agreement import NAMES
from plausibly.ratings import READERS
from plausibly.study.outline import INDEX
from plausibly.tables import TABLES

HERE = Path(errors.__file__).parent
DOCS = Path(__file__).resolve().parents[2] / "docs"


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("command", sorted(below("")))
def test_every_command_is_on_the_page_of_its_group_and_in_the_index(command: str) -> None:
    first = command.split(maxsplit=1)[0]
    (heading,) = [one for one, names in groups.HEADINGS.items() if first in names]
    place = f"commands/{heading.lower()}.md"
    assert f"## plausibly {command}\n" in page(f"reference/{place}")
    anchor = f"plausibly-{command.replace(' ', '-')}"
    assert f"[`{command}`]({place}#{anchor})" in page("reference/commands.md")


@pytest.mark.parametrize("table", sorted(TABLES))
def test_every_table_and_column_is_in_the_reference(table: str) -> None:
    text = page("reference/tables.md").partition(f"## {table}\n")[2].partition("\n## ")[0]
    for column in (*TABLES[table].schema, *TABLES[table].optional):
        assert f"`{column}`" in text, column


@pytest.mark.parametrize("form", sorted(READERS))
def test_every_format_is_in_the_reference(form: str) -> None:
    assert f"`{form}`" in page("reference/commands.md")


@pytest.mark.parametrize("method", sorted(METHODS))
def test_every_label_method_is_in_the_guide(method: str) -> None:
    assert f"`{method}`" in page("how-to/label-items.md")


@pytest.mark.parametrize("measure", NAMES)
def test_every_measure_is_in_the_reference(measure: str) -> None:
    assert f"`{measure}`" in page("reference/commands.md")


def test_every_error_is_in_the_reference() -> None:
    ours = [
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.PlausiblyError)
    ]
    assert len(ours) == 5
    assert all(f"`{name}`" in page("reference/errors.md") for name in ours)


def test_every_link_leads_somewhere() -> None:
    root = DOCS.parent
    for path in [*DOCS.rglob("*.md"), root / "README.md", root / "CONTRIBUTING.md"]:
        for target in re.findall(r"\]\(([^)#:]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), f"{path.name}: {target}"


def test_the_reference_is_what_the_code_says(tmp_path: Path) -> None:
    # In a process of its own: a command that ran before shows its help in another form.
    script = [sys.executable, str(DOCS / "make_reference.py"), str(tmp_path)]
    subprocess.run(script, check=True, timeout=120)
    pages = {str(one.relative_to(tmp_path)) for one in tmp_path.rglob("*.md")}
    assert {"commands.md", "tables.md", "python.md", "protocol.md"} <= pages
    assert {f"commands/{one.name}" for one in DOCS.glob("reference/commands/*")} <= pages
    for name in pages:
        written = (tmp_path / name).read_text(encoding="utf-8")
        assert page(f"reference/{name}") == written, "run docs/make_reference.py"
    for own in (HERE / "cli" / groups.INDEX, HERE / "protocols" / INDEX, HERE / "__init__.pyi"):
        written = (tmp_path / own.name).read_text(encoding="utf-8")
        assert own.read_text(encoding="utf-8") == written, "run docs/make_reference.py"
