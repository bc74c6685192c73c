"""`plausibly score iks` from the outside."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run

HEADER = (
    "item,annotator,candidate,system,relation,Grammaticality,Coherence,Content A,Content B,"
    "Content C,Content D,Comparison A,Comparison B,Comparison C\n"
)
ROWS = (
    "one,anna,i,gpt,support,YES,YES,YES,YES,YES,i;ii,YES,GS,i\n"
    "one,anna,ii,bart,support,YES,PARTLY,,YES,NEUTRAL,,NO,RS,\n"
    "one,ben,i,gpt,support,ALMOST,YES,YES,YES,YES,i,YES,BOTH,i\n"
    "one,ben,ii,bart,support,NO,-,,-,-,,-,-,\n"
)


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "sheet.csv"
    path.write_text(HEADER + ROWS)
    return path


def test_a_sheet_is_analysed_at_once(sheet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["score", "iks", str(sheet), "--format", "iks", "--resamples", "20", "--json"]
    assert run(command) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["systems"]["gpt"]["best"]["value"] == 0.75
    assert document["systems"]["gpt"]["win_rate"]["value"] == 0.75
    assert document["systems"]["bart"]["skipped"]["all"]["value"] == 0.5
    assert set(document["slices"]["relation"]) == {"support"}
    assert set(document["agreement"]["coherence"]["alpha"]) >= {"value", "n", "low", "high"}
    assert document["disagreements"]


def test_the_ratings_table_gives_the_same_report(
    sheet: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = tmp_path / "ratings.parquet"
    assert run(["read", str(sheet), "--format", "iks", "-o", str(table)]) == 0
    capsys.readouterr()
    documents = []
    for source in ([str(sheet), "--format", "iks"], [str(table)]):
        assert run(["score", "iks", *source, "--resamples", "0", "--json"]) == 0
        documents.append(json.loads(capsys.readouterr().out))
    assert documents[0] == documents[1]


def test_the_key_names_the_systems_of_blinded_candidates(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the key systems are not compared; with it they are."""
    pl.DataFrame({"item": ["a", "b"], "source_1": "x", "source_2": "y"}).write_csv(
        tmp_path / "pairs.csv"
    )
    for system in ("gpt", "bart"):
        rows = {"item": ["a", "b"], "sentence": [f"{system} one", f"{system} two"]}
        pl.DataFrame(rows).write_csv(tmp_path / f"{system}.csv")
    written = [tmp_path / f"{system}.csv" for system in ("gpt", "bart")]
    key = tmp_path / "key.parquet"
    pairs = str(tmp_path / "pairs.csv")
    pb.build_iks(sources=pairs, candidates=written, seed=1, blind_key=str(key)).write(
        tmp_path / "sheet"
    )
    systems = dict(pl.read_parquet(key).select("item", "system").iter_rows())
    judged = [
        {"item": item, "annotator": "anna", "question": "grammaticality", "answer": answer}
        for item, answer in ((i, "YES" if s == "gpt" else "NO") for i, s in systems.items())
    ]
    ratings = tmp_path / "ratings.csv"
    pl.DataFrame(judged).write_csv(ratings)
    command = ["score", "iks", str(ratings), "--resamples", "0", "--json"]
    assert run(command) == 0
    assert not json.loads(capsys.readouterr().out)["systems"]
    assert run([*command, "--blind-key", str(key)]) == 0
    said = json.loads(capsys.readouterr().out)
    shares = {s: one["questions"]["grammaticality"]["shares"] for s, one in said["systems"].items()}
    assert (shares["gpt"]["YES"], shares["bart"]["NO"]) == (1.0, 1.0)
    own = pb.score_iks(ratings, blind_key=key, resamples=0).as_json()
    assert json.loads(json.dumps(own))["systems"] == said["systems"]


def test_slices_come_from_an_items_table(
    sheet: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items = tmp_path / "items.csv"
    pl.DataFrame({"item": ["one"], "text": ["a / b"], "genre": ["blog"]}).write_csv(items)
    source = [str(sheet), "--format", "iks", "--items", str(items)]
    assert run(["score", "iks", *source, "--resamples", "0", "--json"]) == 0
    assert set(json.loads(capsys.readouterr().out)["slices"]["genre"]) == {"blog"}


def test_a_page_has_the_numbers_of_the_document(
    sheet: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    source = ["score", "iks", str(sheet), "--format", "iks", "--resamples", "0"]
    assert run([*source, "--json", "-o", str(out)]) == 0
    document = json.loads(capsys.readouterr().out)
    systems = pl.read_csv(out / "tables" / "iks-systems.csv")
    best = {name: one["best"]["value"] for name, one in document["systems"].items()}
    assert dict(systems.select("system", "best").iter_rows()) == best
    sliced = pl.read_csv(out / "tables" / "iks-relation.csv")
    assert sliced.select("value", "system").rows() == [("support", "bart"), ("support", "gpt")]
    cases = pl.read_csv(out / "tables" / "iks-disagreements.csv")
    assert cases.height == len(document["disagreements"])
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "quality of explanations" in page
    for name in ("iks-systems", "iks-best", "iks-relation", "iks-agreement"):
        assert (out / "figures" / f"{name}.svg").is_file()
        assert f'id="figure-{name}"' in page


def test_people_get_tables(sheet: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["score", "iks", str(sheet), "--format", "iks", "--resamples", "0"]) == 0
    said = capsys.readouterr()
    assert "win rate" in said.out
    assert "masi" in said.out
    assert "1 items, 2 candidates, 2 annotators" in said.err


def test_an_impossible_sheet_is_refused_with_its_cell(
    sheet: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet.write_text(HEADER + ROWS.replace("NO,-,,-", "NO,YES,,-"))
    assert run(["score", "iks", str(sheet), "--format", "iks", "--json"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert f"{sheet}:5: column Coherence" in said.err
