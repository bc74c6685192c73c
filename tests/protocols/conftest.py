"""Example studies that several files of tests go on from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from plausibly.cli import run


@pytest.fixture(scope="session")
def done(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Return the example study of a protocol, run up to its agreement; take a copy of it."""
    root, made = tmp_path_factory.mktemp("studies"), set()

    def folder(name: str) -> Path:
        if name not in made:
            assert run(["init", name, str(root / name), "--example"]) == 0
            assert run(["run", str(root / name), "--to", "agree"]) == 0
            made.add(name)
        return root / name

    return folder
