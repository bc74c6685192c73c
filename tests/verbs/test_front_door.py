"""`import plausibly as pb`: everything by name, explained, and nothing loaded before it is used."""

from __future__ import annotations

import ast
import inspect
import pkgutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import polars as pl
import pytest

import plausibly as pb
from plausibly.errors import StudyError, TableError


def test_the_list_of_names_is_the_table_of_places() -> None:
    assert sorted(pb.__all__) == sorted(pb._PLACES)
    stub = Path(pb.__file__ or "").with_suffix(".pyi")
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    typed = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)} | {
        alias.asname
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname
    }
    assert set(pb.__all__) <= typed


@pytest.mark.parametrize("name", pb.__all__)
def test_every_name_is_explained(name: str) -> None:
    documented = inspect.getdoc(getattr(pb, name)) or ""
    assert len(documented.splitlines()[0]) > 20
    if inspect.isfunction(getattr(pb, name)):
        takes = inspect.signature(getattr(pb, name)).parameters
        assert "Args:" in documented or not takes


def test_importing_loads_no_third_party_package() -> None:
    code = (
        "import sys; import plausibly; "
        "print(sorted({m.partition('.')[0] for m in sys.modules} & "
        "{'polars', 'numpy', 'scipy', 'click', 'rich', 'duckdb', 'pyarrow', 'jinja2'}))"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


def test_no_function_bears_the_name_of_a_room() -> None:
    rooms = {one.name for one in pkgutil.iter_modules(pb.__path__)}
    assert not rooms & set(pb.__all__)
    for room in sorted(rooms - {"__main__"}):
        import_module(f"plausibly.{room}")
    assert all(callable(getattr(pb, name)) for name in pb.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'lable'"):
        _ = getattr(pb, "lable")  # noqa: B009


def test_every_name_given_as_text_is_there() -> None:
    from plausibly.datasets.schemes import SCHEMES
    from plausibly.labels import METHODS
    from plausibly.ratings import READERS, WRITERS
    from plausibly.study import PROTOCOLS

    for registry in (SCHEMES, METHODS, READERS, WRITERS, PROTOCOLS):
        assert all(registry[name] is not None for name in registry)


def test_what_cannot_receive_the_progress_is_refused() -> None:
    with pytest.raises(StudyError, match=r"watch= must have begin\(\) and advance\(\)"):
        pb.data_get(watch="1,2|4,5")  # type: ignore[arg-type]


def test_progress_may_be_received_by_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plausibly.verbs.data.fetch", lambda *_, **__: [])
    assert pb.data_get("pap", data=tmp_path, watch=None).files.is_empty()  # type: ignore[arg-type]


def test_items_that_cannot_be_names_end_in_our_error() -> None:
    ratings = pl.DataFrame({"item": ["t1"], "annotator": ["a"], "answer": [1]})
    items = pl.DataFrame({"item": [{"left": 0, "right": 1}]})
    with pytest.raises(TableError, match="items"):
        pb.describe(ratings, items=items)
