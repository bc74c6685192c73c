"""Comments and extremes coded by two people: sheets, agreement, counts, and the report."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import StudyError, TableError, UnknownName
from plausibly.study import Study

CODES = ("subjectivity", "ambiguity", "error", "scheme")


def rated() -> pl.DataFrame:
    """Return ratings of 12 items by two people, one of whom comments."""
    rows = [
        {"item": f"t{n:02}", "annotator": who, "answer": answer, "comment": wrote}
        for n in range(12)
        for who, answer, wrote in (("p1", "1", f"depends on {n}"), ("p2", "5", "" if n else " "))
    ]
    return pl.DataFrame(rows)


def labels() -> pl.DataFrame:
    """Return labels: two extremes, and items without a label."""
    given = ["impossible"] * 4 + ["equally likely"] * 4 + [None] * 4
    return pl.DataFrame(
        {
            "item": [f"t{n:02}" for n in range(12)],
            "question": "rating",
            "method": "agreed-by",
            "label": given,
            "support": 1.0,
            "ratings": 2,
        }
    )


def filled(sheet: pl.DataFrame, folder: Path, **coders: list[str]) -> list[Path]:
    """Write a copy of the sheet for each coder, filled in by case."""
    paths = []
    for name, codes in coders.items():
        own = sheet.sort("case").with_columns(code=pl.Series(codes, dtype=pl.String))
        own.sort("comment").write_csv(folder / f"{name}.csv")  # coders may sort it
        paths.append(folder / f"{name}.csv")
    return paths


def test_sources_of_disagreement_are_coded_in_comments_by_two_coders(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """PAP, section 2.4: subjectivity, annotation error, the scheme and the interface."""
    rated().write_csv(tmp_path / "rated.csv")
    sheet_file = str(tmp_path / "sheet.csv")
    assert run(["experts", "sheet", str(tmp_path / "rated.csv"), "-o", sheet_file]) == 0
    assert "sheet.csv: 12 cases to code" in capsys.readouterr().err
    sheet = pb.experts_sheet(rated()).sheet
    assert sheet.height == 12  # blank comments are not cases
    assert "p1" not in sheet.write_csv()
    assert sheet["case"].to_list() != sorted(sheet["case"])
    anna = [CODES[n % 4] for n in range(12)]
    ben = ["error", *anna[1:]]
    (tmp_path / "half").mkdir()
    paths = filled(sheet, tmp_path, anna=anna, ben=ben)
    coded = pb.experts_codes(paths)
    counts = {row["code"]: row for row in coded.codes.to_dicts()}
    assert (counts["subjectivity"]["anna"], counts["subjectivity"]["ben"]) == (3, 2)
    assert counts["subjectivity"]["share"] == pytest.approx(2.5 / 12)
    assert counts["subjectivity"]["all coders"] == 2
    half = pb.experts_codes(filled(sheet, tmp_path / "half", anna=["", *anna[1:]], ben=anna)).codes
    assert half.filter(code=anna[0])["all coders"].item() == 2  # one of three by Ben alone
    assert counts["ambiguity"]["kappa"] == 1.0
    assert counts["interface"]["anna"] == counts["interface"]["share"] == 0
    assert coded.agreement["percent_agreement"].value == pytest.approx(11 / 12)
    assert coded.agreement["cohen_kappa"].value == pytest.approx(0.888, abs=0.01)
    assert coded.disagreements.select("anna", "ben").rows() == [("subjectivity", "error")]
    assert run(["experts", "codes", *map(str, paths), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == coded.as_json()


def test_the_extremes_are_coded_with_several_codes_per_pair(tmp_path: Path) -> None:
    """ADEPT, section 4.2: closely inspecting instances marked as impossible."""
    options: dict[str, Any] = {"of": "items", "labels": labels(), "codebook": "extremes"}
    sheet = pb.experts_sheet(rated(), labelled=["impossible"], **options).sheet
    assert sorted(sheet["item"]) == ["t00", "t01", "t02", "t03"]
    assert set(sheet["answers"]) == {"1, 5"}
    assert pb.experts_sheet(rated(), size=2, **options).sheet.height == 2
    both = ["clear", "sense; ungrammatical", "already", "not_extreme"]
    paths = filled(sheet, tmp_path, anna=both, ben=["clear", "sense", "already", "clear"])
    coded = pb.experts_codes(paths, codebook="extremes")
    alpha = coded.agreement["krippendorff_alpha_masi"].value
    assert alpha is not None
    assert 0 < alpha < 1
    assert coded.codes.filter(code="ungrammatical")["anna"].item() == 1
    assert coded.figure().caption.startswith("n = 4 cases")


def test_what_cannot_be_coded_is_refused(tmp_path: Path) -> None:
    sheet = pb.experts_sheet(rated()).sheet
    one = filled(sheet, tmp_path, anna=["error"] * 12)
    with pytest.raises(StudyError, match="two coders or more"):
        pb.experts_codes(one)
    two = [*one, *filled(sheet, tmp_path, ben=["eror"] * 12)]
    with pytest.raises(TableError, match=r"ben.csv:2: unknown code 'eror'\. Codes: subjectivity"):
        pb.experts_codes(two)
    with pytest.raises(TableError, match="no column 'comment'"):
        pb.experts_sheet(rated().drop("comment"))
    with pytest.raises(UnknownName, match="label 'odd'"):
        pb.experts_sheet(rated(), of="items", labels=labels(), labelled=["odd"])
    with pytest.raises(StudyError, match="labelled= is only for items"):
        pb.experts_sheet(rated(), labelled=["odd"])
    with pytest.raises(StudyError, match="to code items, pass labels="):
        pb.experts_sheet(rated(), of="items")
    (tmp_path / "codes.csv").write_text("code,description\na,one\na,two\n", encoding="utf-8")
    with pytest.raises(TableError, match="'a' is there twice"):
        pb.experts_sheet(rated(), codebook=tmp_path / "codes.csv")


def test_a_study_writes_the_sheet_and_reports_the_codes(tmp_path: Path) -> None:
    folder = pb.init("custom", tmp_path / "study", example=True).folder
    text = (folder / "study.toml").read_text(encoding="utf-8")
    (folder / "why.csv").write_text(
        "code,description,example\nknown,They know it,x\nread,They read it twice,y\n",
        encoding="utf-8",
    )
    section = '[experts_sheet]\ncodebook = "why.csv"\nof = "items"\nlabelled = ["5,6,7"]\n'
    settings = folder / "study.toml"
    settings.write_text(f"{_without(text)}\n{section}", encoding="utf-8")
    Study(folder).run(to="experts_sheet")
    sheet = pl.read_csv(folder / "coding" / "sheet.csv")
    by_hand = pb.experts_sheet(
        folder / "clean" / "ratings.parquet",
        of="items",
        codebook=folder / "why.csv",
        items=folder / "items.parquet",
        labels=folder / "labels.parquet",
        labelled=["5,6,7"],
        seed=Study(folder).settings.seed,
    )
    assert sheet["case"].to_list() == by_hand.sheet["case"].to_list()
    codes = ["known" if n % 2 else "read" for n in range(sheet.height)]
    filled(sheet, folder / "coding", anna=codes, ben=[*codes[:-1], "known"])
    more = '[experts_codes]\ncodebook = "why.csv"\nsheets = ["coding/anna.csv", "coding/ben.csv"]\n'
    settings.write_text(f"{settings.read_text(encoding='utf-8')}\n{more}", encoding="utf-8")
    page = pb.report(folder).page
    assert "Reasons that coders found" in page
    assert "coded by anna and ben" in page
    assert page.count('id="figure-codes"') == 1


def _without(text: str) -> str:
    """Return study.toml without the sections of coding."""
    parts = text.split("\n[")
    kept = [one for one in parts if not one.startswith("experts_")]
    return "\n[".join(kept)


def test_no_sheet_is_refused() -> None:
    with pytest.raises(StudyError, match="no sheet is named"):
        pb.experts_codes([])
