"""Prolific's export says who took part; it joins the annotators of ratings."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from plausibly.cli import run
from plausibly.errors import StudyError, TableError
from plausibly.ratings import Imported, import_ratings
from plausibly.ratings.people import Naming, pseudonym
from plausibly.ratings.prolific import join_people, read_people, read_prolific
from plausibly.tables import ANNOTATORS
from worlds.tables import ratings_of

HEADER = (
    "Submission id,Participant id,Status,Started at,Completed at,Time taken,"
    "Completion code,Total approvals,Age,Sex"
)


def export(folder: Path, *rows: str, header: str = HEADER) -> Path:
    path = folder / "prolific_export.csv"
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


def test_status_time_and_approvals_are_read_and_nothing_personal(tmp_path: Path) -> None:
    path = export(tmp_path, "s1,p1,APPROVED,2024-01-01,2024-01-02,600.5,CODE,120,30,Female")
    row = read_prolific(path).row(0, named=True)
    assert row == {
        "annotator": "p1",
        "kind": "person",
        "approval": None,
        "status": "APPROVED",
        "seconds": 600.5,
        "approved_tasks": 120,
        "started": "2024-01-01",
        "completed": "2024-01-02",
    }


def test_what_people_no_longer_share_is_missing(tmp_path: Path) -> None:
    path = export(tmp_path, "s1,p1,APPROVED,,,600,CODE,CONSENT_REVOKED,30,Female")
    assert read_prolific(path)["approved_tasks"].to_list() == [None]


def test_of_several_submissions_the_approved_one_counts(tmp_path: Path) -> None:
    path = export(
        tmp_path,
        "s1,p1,RETURNED,2024-01-03,,5,,1,,",
        "s2,p1,APPROVED,2024-01-01,,600,,1,,",
        "s3,p1,APPROVED,2024-01-02,,700,,1,,",
        "s4,p2,TIMED-OUT,2024-01-01,,9,,1,,",
    )
    people = read_prolific(path)
    assert people.select("annotator", "status", "seconds").rows() == [
        ("p1", "APPROVED", 700.0),
        ("p2", "TIMED-OUT", 9.0),
    ]


def test_older_headers_are_understood(tmp_path: Path) -> None:
    header = "session_id,participant_id,status,time_taken,num_approvals,num_rejections"
    path = export(tmp_path, "s,p1,AWAITING_REVIEW,60,98,2", "s,p2,Approved,60,0,0", header=header)
    people = read_prolific(path)
    assert people["approval"].to_list() == [98.0, None]
    assert people["status"].to_list() == ["AWAITING REVIEW", "APPROVED"]


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("s1,,APPROVED,,,1,,1,,", "no participant id"),
        ("s1,p1,LOST,,,1,,1,,", "status 'LOST' is unknown"),
        ("s1,p1,APPROVED,,,long,,1,,", "seconds 'long' is not a number"),
    ],
)
def test_a_broken_row_is_named_by_its_line(tmp_path: Path, row: str, message: str) -> None:
    path = export(tmp_path, "s0,p0,APPROVED,,,1,,1,,", row)
    with pytest.raises(TableError, match=rf"export.csv:3: {message}"):
        read_prolific(path)


def test_a_file_that_is_no_export_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="not a Prolific export"):
        read_prolific(export(tmp_path, "1", header="a"))


def test_people_are_read_from_an_export_or_a_table(tmp_path: Path) -> None:
    assert read_people(export(tmp_path, "s1,p1,APPROVED,,,1,,1,,"))["status"].to_list() == [
        "APPROVED"
    ]
    table = tmp_path / "annotators.csv"
    table.write_text("annotator,approval\np1,99\n")
    assert read_people(table)["approval"].to_list() == [99.0]


def test_a_table_of_people_may_have_decimal_commas_between_semicolons(tmp_path: Path) -> None:
    table = tmp_path / "people.csv"
    table.write_text("annotator;approval\nann;90,5\nbob;80\n", encoding="utf-8")
    assert read_people(table)["approval"].to_list() == [90.5, 80.0]


def ratings_by(*annotators: str) -> Imported:
    answers = {"t1": ["5"] * len(annotators)}
    people = {f"a{place}": name for place, name in enumerate(annotators)}
    return Imported(ratings_of(answers).with_columns(pl.col("annotator").replace(people)))


def told(folder: Path, *rows: str) -> Path:
    path = folder / "annotators.csv"
    path.write_text("\n".join(["annotator,approval", *rows]) + "\n")
    return path


def test_people_join_as_they_are_or_under_the_key(tmp_path: Path) -> None:
    path = told(tmp_path, "x,1", "y,2")
    plain = join_people(ratings_by("x"), path, naming=Naming()).annotators
    assert plain is not None
    assert plain.select("annotator", "approval").rows() == [("x", 1.0), ("y", 2.0)]
    hidden = ratings_by(pseudonym("x", "k"))
    keyed = join_people(hidden, path, naming=Naming(key="k")).annotators
    assert keyed is not None
    assert dict(keyed.select("annotator", "approval").iter_rows())[pseudonym("x", "k")] == 1.0
    with pytest.raises(StudyError, match="none of its 2 people gave a rating"):
        join_people(hidden, path, naming=Naming())


def test_what_the_file_says_goes_before_what_the_form_says(tmp_path: Path) -> None:
    known = pl.DataFrame({"annotator": ["x", "z"], "approval": [50.0, 60.0], "tasks": [1, 2]})
    imported = replace(ratings_by("x", "z"), annotators=ANNOTATORS.check(known))
    joined = join_people(imported, told(tmp_path, "x,99", "y,"), naming=Naming()).annotators
    assert joined is not None
    assert joined.select("annotator", "kind", "approval", "tasks").rows() == [
        ("x", "person", 99.0, 1),
        ("y", "person", None, None),
        ("z", "person", 60.0, 2),
    ]


PID = "5F1B2C3D4E5F60718293A4B5"


def test_answers_beside_prolific_ids_are_read_in_either_shape(tmp_path: Path) -> None:
    long = tmp_path / "long.csv"
    long.write_text(f"Participant id,Status,Item,Answer,Age\n{PID},APPROVED,i1,4,31\n")
    wide = tmp_path / "wide.csv"
    wide.write_text(f"PROLIFIC_PID,Started at,i1,i2,Sex\n{PID},2024-01-01,4,5,Male\n")
    for path, rows in ((long, [("i1", PID, "4")]), (wide, [("i1", PID, "4"), ("i2", PID, "5")])):
        found = import_ratings(path, form="prolific")
        assert found.ratings.select("item", "annotator", "answer").rows() == rows
        assert not {"Age", "Sex"} & set(found.ratings.columns)
    assert import_ratings(long, form="prolific").annotators is not None


def test_the_plain_export_gives_people_and_says_that_it_has_no_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = export(tmp_path, f"s1,{PID},APPROVED,2024-01-01,2024-01-02,600.5,CODE,120,30,Female")
    out, people = tmp_path / "r.parquet", tmp_path / "p.parquet"
    command = ["read", str(path), "--format", "prolific", "-o", str(out)]
    assert run(command) == 1
    assert "no answers, only facts about people" in capsys.readouterr().err
    assert not out.exists()
    assert run([*command, "--write-annotators", str(people)]) == 0
    assert pl.read_parquet(out).is_empty()
    assert pl.read_parquet(people)["annotator"].str.starts_with("p-").all()
    assert run(["agree", str(path), "--format", "prolific"]) == 1
    assert "--annotators" in capsys.readouterr().err


def test_what_people_told_prolific_is_never_an_item(tmp_path: Path) -> None:
    header = f"{HEADER},Fluent languages,Country of birth,Student status"
    rows = [
        f"s{n},{PID[:-1]}{n},APPROVED,2024-01-01,2024-01-02,600,C,120,30,Female,"
        f"{'English' if n else 'DATA_EXPIRED'},Spain,No"
        for n in range(4)
    ]
    more = [f"{row},No,{'No' if n else 'CONSENT_REVOKED'},Yes" for n, row in enumerate(rows)]
    path = export(tmp_path, *more, header=f"{header},Vegan,Smoker,Twin")
    with pytest.raises(TableError, match="no answers, only facts about people"):
        import_ratings(path)
    joined = [f"{row},{n + 1},{5 - n}" for n, row in enumerate(rows)]
    path = export(tmp_path, *joined, header=f"{header},i1,i2")
    assert {*import_ratings(path).ratings["item"]} == {"i1", "i2"}


def test_a_table_without_prolific_ids_is_no_such_table(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("item,annotator,answer\ni1,a,4\n")
    with pytest.raises(TableError, match=r"columns= \(annotator=NAME\)"):
        import_ratings(path, form="prolific")
    assert (
        import_ratings(path, form="prolific", names={"annotator": "annotator"}).ratings.height == 1
    )
