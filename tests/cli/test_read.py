"""`plausibly read`: forms of platforms, and what becomes of people's ids."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.ratings.people import pseudonym

BATCH = (
    "HITId,WorkerId,LifetimeApprovalRate,Input.id,Answer.q\n"
    "h1,A1B2C3D4E5F6G7,98% (49/50),t1,5\nh1,A7G6F5E4D3C2B1,0% (0/0),t1,4\n"
)
WORKERS = ("A1B2C3D4E5F6G7", "A7G6F5E4D3C2B1")
EXPORT = "Submission id,Participant id,Status,Time taken\ns,A1B2C3D4E5F6G7,APPROVED,60\n"


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    (tmp_path / "batch.csv").write_text(BATCH)
    return tmp_path


def imported(folder: Path, *more: str) -> pl.DataFrame:
    out = folder / "ratings.parquet"
    command = ["read", str(folder / "batch.csv"), "--format", "mturk", "-o", str(out)]
    assert run([*command, *more]) == 0
    return pl.read_parquet(out)


def test_ids_are_hidden_under_a_secret_beside_the_table_unless_kept(
    batch: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hidden = imported(batch)["annotator"].to_list()
    key = batch / "ratings.parquet.key"
    assert hidden == sorted(pseudonym(name, key.read_text().strip()) for name in WORKERS)
    assert key.stat().st_mode & 0o777 == 0o600
    assert key.read_text().strip() not in (batch / "ratings.parquet.manifest.json").read_text()
    assert "show it to nobody" in capsys.readouterr().err
    assert imported(batch)["annotator"].to_list() == hidden, "the secret is used again"
    key.unlink()
    assert imported(batch)["annotator"].to_list() != hidden
    key.unlink()
    assert sorted(imported(batch, "--keep-ids")["annotator"]) == sorted(WORKERS)
    assert not key.exists()


IDS = "item,annotator,answer\ni1,5f0e2b1c9d3a7e4f6b8c0d12,4\ni1,anna@example.org,5\ni1,ben,3\n"


def test_ids_that_look_personal_are_hidden_in_any_form_and_in_the_people_file(
    tmp_path: Path,
) -> None:
    for name, text in {
        "ids.csv": IDS,
        "people.csv": "annotator,approval\nanna@example.org,99\nidle@example.org,98\nben,97\n",
    }.items():
        (tmp_path / name).write_text(text)
    out, people = tmp_path / "r.csv", tmp_path / "p.csv"
    line = ["read", str(tmp_path / "ids.csv"), "-o", str(out)]
    more = ["--annotators", str(tmp_path / "people.csv"), "--write-annotators", str(people)]
    assert run([*line, *more]) == 0
    written = out.read_text() + people.read_text()
    assert "example.org" not in written
    assert "5f0e2b1c9d3a7e4f6b8c0d12" not in written
    ratings, facts = pl.read_csv(out), pl.read_csv(people)
    assert "ben" in ratings["annotator"]
    assert ratings.join(facts, on="annotator").height == 2
    assert facts.height == 3


def test_ids_stay_in_memory_and_are_written_as_the_command_writes_them(tmp_path: Path) -> None:
    (tmp_path / "ids.csv").write_text(IDS)
    (tmp_path / "people.csv").write_text("annotator,approval\nanna@example.org,99\nben,97\n")
    facts = tmp_path / "people.csv"
    result = pb.read(tmp_path / "ids.csv", annotators=facts, key="k")
    assert "anna@example.org" in result.ratings["annotator"]
    assert result.annotators is not None
    assert "anna@example.org" in result.annotators["annotator"]
    folder = result.write(tmp_path / "python")
    out, people = tmp_path / "r.parquet", tmp_path / "p.parquet"
    line = ["read", str(tmp_path / "ids.csv"), "--annotators", str(facts), "--key", "k"]
    assert run([*line, "-o", str(out), "--write-annotators", str(people)]) == 0
    assert (folder / "ratings.parquet").read_bytes() == out.read_bytes()
    assert (folder / "annotators.parquet").read_bytes() == people.read_bytes()
    one, other = (
        json.loads(path.read_text())
        for path in (folder / "manifest.json", Path(f"{out}.manifest.json"))
    )
    assert one.pop("outputs")["ratings.parquet"] == other.pop("outputs")["r.parquet"]
    assert one == other
    assert pl.read_parquet(out)["annotator"].str.starts_with("p-").sum() == 2
    assert "anna@example.org" in result.ratings["annotator"], "writing changes nothing in memory"


def test_what_is_something_else_is_not_overwritten_unless_forced(tmp_path: Path) -> None:
    (tmp_path / "ids.csv").write_text(IDS)
    (tmp_path / "r.parquet").write_text("mine")
    line = ["read", str(tmp_path / "ids.csv"), "-o", str(tmp_path / "r.parquet")]
    assert run(line) == 1
    assert (tmp_path / "r.parquet").read_text() == "mine"
    assert not (tmp_path / "r.parquet.key").exists()
    assert run([*line, "--force"]) == 0
    assert run(line) == 0, "what the command wrote is replaced"


def test_the_secret_of_a_folder_is_kept_next_to_it_and_used_again(tmp_path: Path) -> None:
    (tmp_path / "ids.csv").write_text(IDS)
    result = pb.read(tmp_path / "ids.csv")
    first = pl.read_parquet(result.write(tmp_path / "out") / "ratings.parquet")
    secret = (tmp_path / "out.key").read_text().strip()
    assert pseudonym("anna@example.org", secret) in first["annotator"]
    assert secret not in repr(result) + repr(result.original) + json.dumps(result.manifest)
    again = pl.read_parquet(result.write(tmp_path / "out") / "ratings.parquet")
    assert again.equals(first)


def test_ids_that_are_kept_are_written_unchanged(tmp_path: Path) -> None:
    (tmp_path / "ids.csv").write_text(IDS)
    folder = pb.read(tmp_path / "ids.csv", keep_ids=True).write(tmp_path / "out")
    assert "anna@example.org" in pl.read_parquet(folder / "ratings.parquet")["annotator"]
    assert not (tmp_path / "out.key").exists()
    with pytest.raises(pb.PlausiblyError, match="exclude each other"):
        pb.read(tmp_path / "ids.csv", keep_ids=True, key="k")


def test_what_was_read_is_taken_wherever_ratings_are(tmp_path: Path) -> None:
    (tmp_path / "ids.csv").write_text(IDS)
    ratings = pb.read(tmp_path / "ids.csv")
    labels = pb.label(ratings, method="mean").labels
    assert labels.equals(pb.label(tmp_path / "ids.csv", method="mean").labels)
    assert pb.read(ratings).ratings.equals(ratings.ratings)
    pb.write(ratings, tmp_path / "crowd.csv", format="crowdkit")
    assert (tmp_path / "crowd.csv").read_text().startswith("task,worker,label")


def test_a_batch_that_is_read_twice_still_hides_every_worker(batch: Path) -> None:
    (batch / "batch.csv").write_text(BATCH.replace("A1B2C3D4E5F6G7", "ann"))
    once = pb.read(batch / "batch.csv", format="mturk", key="k")
    for result in (once, pb.read(once, key="k")):
        folder = result.write(batch / "out")
        assert pl.read_parquet(folder / "ratings.parquet")["annotator"].str.starts_with("p-").all()


def test_commands_that_read_directly_keep_ids(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ids.csv").write_text(IDS)
    assert run(["label", str(tmp_path / "ids.csv"), "--method", "wawa", "--json"]) == 0
    assert "anna@example.org" in capsys.readouterr().out


def test_missing_answers_are_counted_in_the_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "r.csv"
    path.write_text("item,annotator,answer\ni1,a,4\ni1,b,NA\ni1,c,not sure\ni2,a,NA\n")
    given = ["label", str(path), "--method", "mean", "--missing", "not sure", "--json"]
    assert run(given) == 0
    said = capsys.readouterr()
    document = json.loads(said.out)
    assert document["labels"] == {"i1": 4.0, "i2": None}
    assert document["missing"] == {"NA": 2, "not sure": 1}
    assert "3 answers are missing" in said.err


def test_a_mean_says_which_answers_are_no_numbers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "r.csv"
    path.write_text("item,annotator,answer\ni1,a,4\ni1,b,not sure\ni2,a,no\n")
    out = tmp_path / "labels.csv"
    assert run(["label", str(path), "--method", "mean", "-o", str(out)]) == 0
    assert "2 answers are not numbers, so the mean leaves them out" in capsys.readouterr().err
    labels = pl.read_csv(out, schema_overrides={"label": pl.Float64})
    assert labels.select("item", "label", "ratings").rows() == [("i1", 4.0, 1), ("i2", None, 0)]
    path.write_text("item,annotator,answer\ni1,a,yes\n")
    assert run(["label", str(path), "--method", "mean"]) == 1
    assert "mean needs numbers" in capsys.readouterr().err


def test_a_pipe_is_read(tmp_path: Path) -> None:
    table = "item;annotator;answer\ni1;a;4\ni1;b;5\n"
    command = [sys.executable, "-m", "plausibly", "label", "-", "--method", "mean", "--json"]
    ended = subprocess.run(command, input=table, capture_output=True, text=True, check=True)
    assert json.loads(ended.stdout)["labels"] == {"i1": 4.5}
    shell = f"{sys.executable} -m plausibly agree <(printf '{table}') --resamples 0 --json"
    subprocess.run(["bash", "-c", shell.replace("\n", "\\n")], check=True, capture_output=True)


def test_the_key_comes_from_the_option_or_the_environment(
    batch: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = pseudonym("A1B2C3D4E5F6G7", "secret")
    assert expected in imported(batch, "--key", "secret")["annotator"].to_list()
    monkeypatch.setenv("PLAUSIBLY_KEY", "secret")
    assert expected in imported(batch)["annotator"].to_list()
    assert "A1B2C3D4E5F6G7" in imported(batch, "--keep-ids")["annotator"].to_list()


def test_facts_about_people_are_joined_and_written(batch: Path) -> None:
    (batch / "prolific.csv").write_text(EXPORT)
    people = batch / "annotators.parquet"
    more = [
        "--write-annotators",
        str(people),
        "--annotators",
        str(batch / "prolific.csv"),
        "--key",
        "k",
    ]
    imported(batch, *more)
    rows = pl.read_parquet(people).sort("approval", descending=True)
    assert rows["approval"].to_list() == [98.0, 0.0]
    assert rows["status"].to_list() == ["APPROVED", None]
    assert rows["annotator"][0] == pseudonym("A1B2C3D4E5F6G7", "k")


def test_an_impossible_sheet_leaves_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("candidate,Grammaticality,Coherence,Content B\ni,NO,-,YES\n")
    out = tmp_path / "ratings.parquet"
    assert run(["read", str(sheet), "--format", "iks", "-o", str(out)]) == 1
    assert "sheet.csv:2: column Content B: answered YES" in capsys.readouterr().err
    assert not out.exists()


def test_no_column_leads_from_a_pseudonym_back_to_the_person(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ids = ["5f8d3c2b1a9e4d7f6c5b4a39", "jane@example.org"]
    rows = "".join(f"t1,{one},4,{one}\n" for one in ids)
    (tmp_path / "r.csv").write_text(f"item,annotator,answer,PROLIFIC_PID\n{rows}")
    people = "".join(f"{one},99,{ids[1]},x\n" for one in ids)
    (tmp_path / "p.csv").write_text(f"annotator,approval,mail,group\n{people}")
    arguments = ["read", str(tmp_path / "r.csv"), "-o", str(tmp_path / "out.csv")]
    arguments += [
        "--annotators",
        str(tmp_path / "p.csv"),
        "--write-annotators",
        str(tmp_path / "a.csv"),
    ]
    assert run(arguments) == 0
    written = (tmp_path / "out.csv").read_text() + (tmp_path / "a.csv").read_text()
    assert not any(one in written for one in ids)
    assert "group" in (tmp_path / "a.csv").read_text()
    assert "PROLIFIC_PID" in capsys.readouterr().err


@pytest.mark.parametrize(
    "name",
    ["5F1B2C3D4E5F60718293A4B5", "+49 170 1234567", "0170/1234567", "(555) 123-4567", "4917012345"],
)
def test_ids_in_capitals_and_phone_numbers_are_hidden(tmp_path: Path, name: str) -> None:
    path, out = tmp_path / "r.csv", tmp_path / "r.parquet"
    path.write_text(f"item,annotator,answer\ni1,{name},4\ni1,0007,5\ni1,2024-11-15,5\n")
    assert run(["read", str(path), "-o", str(out)]) == 0
    people = set(pl.read_parquet(out)["annotator"])
    assert people > {"0007", "2024-11-15"}
    assert name not in people


def test_columns_that_are_named_still_have_decimal_commas(tmp_path: Path) -> None:
    path, out = tmp_path / "r.csv", tmp_path / "r.parquet"
    path.write_text("item;who;answer\ni1;a;4,5\ni1;b;3,25\n")
    assert run(["read", str(path), "--columns", "annotator=who", "-o", str(out)]) == 0
    assert pl.read_parquet(out)["value"].to_list() == [4.5, 3.25]


@pytest.mark.parametrize("command", ["read", "load", "agree"])
def test_an_id_with_a_nul_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    path = tmp_path / "r.csv"
    path.write_text("item,annotator,answer\ni1,a,4\ni\0002,a,5\n")
    output = [] if command == "agree" else ["-o", str(tmp_path / "out.parquet")]
    assert run([*command.split(), str(path), *output]) == 1
    assert "holds a NUL" in capsys.readouterr().err
    assert not (tmp_path / "out.parquet").exists()
