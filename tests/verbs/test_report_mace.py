"""What the report says of MACE on all ratings is fitted once, and kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.verbs.report import _mace, report_of


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Return the arguments of every fit the report makes."""
    made: list[dict[str, Any]] = []
    fitted = _mace._fitted

    def counted(ratings: pl.DataFrame, **arguments: Any) -> Any:
        made.append(arguments)
        return fitted(ratings, **arguments)

    monkeypatch.setattr(_mace, "_fitted", counted)
    return made


@pytest.mark.parametrize("method", ["mace", "plurality"])
def test_run_and_report_fit_mace_once(
    method: str, fits: list[dict[str, Any]], tmp_path: Path
) -> None:
    folder = pb.init("custom", tmp_path / "study", example=True).folder
    settings = folder / "study.toml"
    written = settings.read_text(encoding="utf-8")
    before, label, after = written.partition("[label]\n")
    assert "# method = (not set)\n" in after
    after = after.replace("# method = (not set)\n", f'method = "{method}"\n', 1)
    chosen = f"{before}{label}{after}"
    chosen = chosen.replace('ties = "undecided"\n', "").replace("at_least = 2\n", "")
    settings.write_text(chosen, encoding="utf-8")
    pb.run(folder)
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert len(fits) == 1
    again = pb.report(folder)
    assert len(fits) == 1
    assert again.page == page
    assert ("From all ratings, before cleaning" in page) == (method == "mace")
    kept = json.loads((folder / _mace.KEPT).read_text(encoding="utf-8"))
    assert len(kept["competence"]) == 14
    (folder / _mace.KEPT).unlink()
    assert report_of(folder).page == page
