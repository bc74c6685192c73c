"""The page on notebooks runs from top to bottom, in one process, as its cells would."""

from __future__ import annotations

from pathlib import Path

import pytest

from worlds.pages import blocks


def test_the_cells_run_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    cells = blocks("docs/how-to/notebook.md", "python")
    assert len(cells) >= 7
    for cell in cells:
        exec(compile(cell, "notebook.md", "exec"), names)  # noqa: S102 - our own page
    said = capsys.readouterr().out
    assert "restarts= is an option of mace, not of mean" in said
    assert "'labels.parquet', 'manifest.json'" in said
    assert "('report', 'done')" in said
