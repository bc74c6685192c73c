"""`plausibly experts` from the outside."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from plausibly.cli import run

ITEMS = "item,text,relation\nt0,a,r\nt1,b,r\nt2,c,r\n"
JUDGEMENTS = "item,annotator,answer\nt0,x,1\nt0,y,1\nt1,x,4\nt1,y,5\nt2,x,5\nt2,y,5\n"
LABELS = "item,question,method,label,support,ratings\nt0,rating,m,5,1,3\nt1,rating,m,4,1,3\n"


def file(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


def test_a_sample_is_drawn_and_written(tmp_path: Path) -> None:
    items, out = file(tmp_path, "items.csv", ITEMS), tmp_path / "sample.csv"
    assert run(["experts", "sample", items, "--size", "2", "--seed", "7", "-o", str(out)]) == 0
    assert pl.read_csv(out).height == 2
    assert run(["experts", "sample", items, "--size", "9", "-o", str(tmp_path / "no.csv")]) == 1
    assert not (tmp_path / "no.csv").exists()


def test_judgements_are_compared_and_disagreements_listed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    judged = file(tmp_path, "judged.csv", JUDGEMENTS)
    labels = file(tmp_path, "labels.csv", LABELS)
    listed = tmp_path / "list.csv"
    arguments = ["experts", "compare", judged, "--labels", labels, "--sides", "1,2|4,5"]
    assert run([*arguments, "--json", "-o", str(listed)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["experts"] == ["x", "y"]
    assert found["agreed"]["value"] == pytest.approx(2 / 3)
    assert found["unlabelled"] == 1
    assert [row["direction"] for row in found["disagreements"]] == ["conflicting", "same side"]
    assert pl.read_csv(listed).height == 2
    assert run(arguments) == 0
    assert "kappa between experts" in capsys.readouterr().out


def test_decisions_are_kept_with_their_reasons(tmp_path: Path) -> None:
    labels = file(tmp_path, "labels.csv", LABELS)
    told = file(tmp_path, "told.csv", "item,decision,reason\nt0,1,it is not so\n")
    out = tmp_path / "labels.parquet"
    command = ["experts", "decide", told, "--labels", labels, "--decided-by", "x"]
    assert run([*command, "-o", str(out)]) == 0
    first = pl.read_parquet(out).row(0, named=True)
    assert (first["label"], first["crowd_label"], first["reason"]) == ("1", "5", "it is not so")


def test_items_are_split_by_variance(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    judged = file(tmp_path, "judged.csv", JUDGEMENTS)
    items = file(tmp_path, "items.csv", ITEMS)
    out = tmp_path / "subset.csv"
    arguments = ["experts", "subset", judged, "--items", items, "--lowest", "2", "-o", str(out)]
    assert run(arguments) == 0
    assert "2 confident, 1 difficult." in capsys.readouterr().err


def test_the_labels_to_trust_most_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "t0,q,m,5,0.9,10\nt1,q,m,4,0.85,10\nt2,q,m,,0.5,10\nt3,q,m,1,1,3\n"
    labels = file(tmp_path, "labels.csv", LABELS.splitlines()[0] + "\n" + rows)
    out = tmp_path / "confident.csv"
    assert run(["experts", "confident", labels, "--min-support", "0.9", "-o", str(out)]) == 0
    assert pl.read_csv(out)["item"].to_list() == ["t0", "t3"]
    assert "2 of 4 labels are kept" in capsys.readouterr().err
    assert run(["experts", "confident", labels, "--min-support", "1.5", "-o", str(out)]) == 1
    assert "min_support must be in (0, 1]" in capsys.readouterr().err
