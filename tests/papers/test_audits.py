"""Audits of the published sets: what was not released cannot be determined, and is no finding."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import plausibly as pb
from plausibly.cli import run

pytestmark = pytest.mark.data

NEEDS_RATINGS = ("means", "ranking", "labels", "disagreement", "people", "comparability")


def audited(name: str, folder: Path) -> tuple[dict[str, str], dict[str, Any]]:
    document = pb.audit(name, data=folder).as_json()
    return {one["for"]: one["verdict"] for one in document["verdicts"]}, document


def test_pap_has_ratings_but_no_people(data_folder: Path) -> None:
    verdicts, document = audited("pap", data_folder)
    assert verdicts["people"] == verdicts["comparability"] == "cannot be told"
    assert verdicts["ranking"] == verdicts["labels"] == "no"
    assert verdicts["conditions"] == "yes"
    own = document["sections"]["questions"]["plausible"]
    assert (own["design"]["ratings"], own["design"]["items"]) == (15_571, 1_733)
    assert own["reliability"]["means"]["value"] == pytest.approx(0.51, abs=0.01)
    assert own["scale"]["scale"] == "ordinal"
    assert {*own["reliability"]["variances"]} == {"item", "residual"}
    assert document["findings"] == []
    page = pb.audit("pap", data=data_folder).page
    assert "belongs to people cannot be determined" in page
    assert "People rated different items" not in page


def test_means_of_sp10k_leave_open_what_single_ratings_would_show(
    data_folder: Path, tmp_path: Path
) -> None:
    page = tmp_path / "audit.html"
    assert run(["audit", "sp10k", "--data", str(data_folder), "-o", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert "marked as missing" not in text
    assert "The released means run from 0 to 10." in text
    assert "too few words (head, dependent)" in text
    verdicts, document = audited("sp10k", data_folder)
    assert {verdicts[use] for use in NEEDS_RATINGS} == {"cannot be told"}
    assert verdicts["model comparison"] == "with care"
    assert {one["severity"] for one in document["findings"]} == {"minor"}


def test_splits_of_adept_share_a_few_texts(data_folder: Path) -> None:
    verdicts, document = audited("adept", data_folder)
    assert verdicts["test set"] == "with care"
    assert document["sections"]["splits"]["leaking_share"]["leaks"] == 4
