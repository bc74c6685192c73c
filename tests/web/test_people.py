"""People of a study: listed with both verdicts, decided about, paid, and erased without a trace."""

from __future__ import annotations

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from starlette.testclient import TestClient

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import StudyError
from plausibly.ratings.collected import read_answers
from plausibly.web.app import create_app
from plausibly.web.people.derived import remove_derived
from plausibly.web.study import read_study
from serving import TOKEN
from worlds.served import form_address, items_of, joins, study_folder

PANEL = {"door": "panel", "platform": "prolific", "platform_study": "ours", "code": "WHOLE"}
PAID = {"reward": 2.0, "item_reward": 0.5, "short_code": "SHORT"}
RATINGS = {"target": 4, "batch": 4, "quota": 4, "checks_per_batch": 1}
YES = {"agree": "yes", "eligible": "yes"}
WORDS = "zanzibarquux"


def folder_of(path: Path, **server: Any) -> Path:
    sections = {"ratings": RATINGS, "server": {**PANEL, **PAID, **server}}
    return study_folder(path / "s", items_of(4, 1), sections)


def client_of(folder: Path) -> TestClient:
    return TestClient(create_app(read_study(folder), token=TOKEN))


def hidden(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))


def enters(client: TestClient, person: str, **said: str) -> TestClient:
    visitor = TestClient(client.app)
    link = f"/?PROLIFIC_PID={person}&STUDY_ID=ours&SESSION_ID=sub-{person}"
    visitor.post("/consent", data={**hidden(visitor.get(link).text), **YES, **said})
    return visitor


def answers(visitor: TestClient, number: int, given: str = "5", comment: str = "") -> None:
    for _ in range(number):
        page = visitor.get("/work")
        if "/work/" not in page.url.path:
            return
        sent = {**hidden(page.text), "plausible": given, "comment": comment}
        visitor.post(form_address(page.text), data=sent)
    visitor.get("/work")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A study in which ann finished, bob stopped, eve failed the check, and joe was turned away."""
    folder = folder_of(tmp_path)
    with client_of(folder) as client:
        answers(enters(client, "ann-platform-id"), 5)
        answers(enters(client, "bob-platform-id"), 2)
        enters(client, "joe-platform-id", eligible="no")
    return folder


def pseudonym(folder: Path, number: str) -> str:
    return str(create_app(read_study(folder)).state.desk.keys.annotator(number))


def test_everybody_is_listed_with_state_and_both_verdicts(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["people", "list", str(folder), "--json"]) == 0
    rows = {row["annotator"]: row for row in json.loads(capsys.readouterr().out)}
    ann, bob, joe = (rows[pseudonym(folder, f"{one}-platform-id")] for one in ("ann", "bob", "joe"))
    assert (ann["state"], ann["items"], ann["passed"], ann["pay"]) == ("finished", 4, 1, "pay")
    assert (ann["data"], ann["amount"]) == ("unconfirmed", 2.0)
    assert (bob["state"], bob["pay"]) == ("working", "none")
    assert (joe["state"], joe["items"], joe["data"]) == ("screened out", 0, "none")
    assert "platform-id" not in json.dumps(rows)


def test_a_condition_is_previewed_and_cannot_do_anything_else(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = "channel = 'pages' and items >= 4"
    assert pb.people_exclude(folder, where=where).done is False
    assert pb.people_list(folder, where="data = 'excluded'").people.is_empty()
    assert run(["people", "exclude", str(folder), "--where", where]) == 0
    assert "1 person would be excluded. Add --yes" in capsys.readouterr().err
    decided = pb.people_exclude(folder, where=where, yes=True)
    assert (decided.people.height, decided.voided) == (1, 5)
    assert pb.people_list(folder, where="data = 'excluded'").people["pay"].to_list() == ["pay"]
    assert pb.people_restore(folder, where="data = 'excluded'", yes=True).restored == 5
    for bad in ("1; DROP TABLE people", "nobody = 3", "items in (select 1)", "("):
        with pytest.raises(StudyError, match="Write a condition as in SQL over"):
            pb.people_exclude(folder, where=bad, yes=True)


def test_people_are_named_by_pseudonym_or_number_and_strangers_are_refused(folder: Path) -> None:
    assert pb.people_withdraw(folder, ["ann-platform-id"]).voided == 5
    states = pb.people_list(folder, where="data = 'withdrawn'").people["annotator"].to_list()
    assert states == [pseudonym(folder, "ann-platform-id")]
    with pytest.raises(StudyError, match="nobody here is called 'eve'"):
        pb.people_exclude(folder, ["eve"])


def test_pay_writes_what_prolific_accepts(folder: Path, tmp_path: Path) -> None:
    export = tmp_path / "export.csv"
    lines = ["Submission id,Participant id,Status"]
    lines += ["sub-ann-platform-id,ann-platform-id,AWAITING REVIEW"]
    lines += ["sub-bob-platform-id,bob-platform-id,RETURNED", "sub-x,nobody,AWAITING REVIEW"]
    export.write_text("\n".join(lines) + "\n", encoding="utf-8")
    with closing(sqlite3.connect(folder / "answers.sqlite")) as connection, connection:
        connection.execute("UPDATE slots SET expires = 0 WHERE state = 'reserved'")  # bob is away
    paid = pb.people_pay(folder, output=tmp_path / "pay", platform_export=export)
    assert (tmp_path / "pay" / "approve.csv").read_text() == "sub-ann-platform-id\n"
    assert (tmp_path / "pay" / "approve.csv").stat().st_mode & 0o077 == 0
    bonus = (tmp_path / "pay" / "bonus.csv").read_text()
    items = pb.people_list(folder, where="pay = 'part'").people["items"].to_list()[0]
    assert bonus == f"sub-bob-platform-id,{items * 0.5:.2f}\n"
    assert (paid.payroll.strangers, paid.payroll.missing) == (1, 0)
    pb.people_exclude(folder, ["ann-platform-id"], reason="Failed two checks.", ask_return=True)
    pb.people_pay(folder, output=tmp_path / "pay")
    assert (tmp_path / "pay" / "approve.csv").read_text() == ""
    asked = (tmp_path / "pay" / "return.csv").read_text().splitlines()
    assert asked == ["Submission id,Reason", "sub-ann-platform-id,Failed two checks."]


def test_ids_of_the_platform_are_in_a_file_of_their_own(folder: Path) -> None:
    for path in folder.iterdir():
        held = b"ann-platform-id" in path.read_bytes()
        assert held == (path.name == "answers.platform.sqlite"), path
        if path.name.startswith("answers") and path.suffix != ".run":
            assert path.stat().st_mode & 0o077 == 0, path
    with closing(sqlite3.connect(folder / "answers.platform.sqlite")) as connection:
        refs = {ref for (ref,) in connection.execute("SELECT ref FROM ids")}
    assert pseudonym(folder, "ann-platform-id") not in refs


def test_no_byte_of_an_erased_person_is_left(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, door="open", platform="", platform_study="", api=True)
    with client_of(folder) as client:
        for person in ("ann", "bob", "cid"):
            head = {"Authorization": f"Bearer {joins(client, person).json()['token']}"}
            while "item" in (shown := client.get("/api/v1/next", headers=head).json()):
                said = {"plausible": "5", "comment": f"{WORDS}-{person} " * 40}
                sent = {"reservation": shown["reservation"], "answers": said}
                sent["key"] = f"{person}-{shown['item']}"
                assert client.post("/api/v1/answers", json=sent, headers=head).status_code == 201
        gone, stays = f"{WORDS}-ann".encode(), f"{WORDS}-bob".encode()
        annotator = pseudonym(folder, "ann")
        settings = (folder / "study.toml").read_text(encoding="utf-8")
        source = settings.replace("[ratings]", '[ratings]\nsource = "answers.sqlite"')
        (folder / "study.toml").write_text(source, encoding="utf-8")
        pb.run(folder, to="ratings")
        assert annotator in pl.read_parquet(folder / "ratings.parquet")["annotator"].to_list()
        report = pb.people_erase(folder, "ann", yes=True)
        assert (report.items, report.comments, report.unpaid) == (5, 5, True)
        assert "ratings.parquet" in report.removed
        files = [path for path in folder.rglob("*") if path.is_file()]
        assert any(stays in path.read_bytes() for path in files)
        for path in files:
            content = path.read_bytes()
            assert gone not in content, path
            assert annotator.encode() not in content, path
        assert not (folder / "ratings.parquet").exists()
        pb.run(folder, to="ratings")
        assert annotator not in pl.read_parquet(folder / "ratings.parquet")["annotator"].to_list()
        progress = client.get("/api/v1/progress", headers={"Authorization": f"Bearer {TOKEN}"})
        assert progress.json()["slots"]["open"] > 0
        assert joins(client, "dan").status_code == 200
    with closing(sqlite3.connect(folder / "answers.sqlite")) as connection:
        (row,) = connection.execute("SELECT items, answers, comments FROM erased").fetchall()
    assert row == (5, 5, 5)
    assert read_answers(folder / "answers.sqlite", names={}).ratings.height > 0


def test_erasing_asks_first_and_names_copies_made_earlier(folder: Path) -> None:
    with pytest.raises(StudyError, match="cannot be undone"):
        pb.people_erase(folder, "bob-platform-id")
    (folder / "answers.sqlite.v3").write_bytes(b"")
    release = folder.parent / "release-1"
    (folder / "release.toml").write_text('licence = "CC-BY-4.0"\n', encoding="utf-8")
    pb.release(folder).write(release)
    backup, pay = folder.parent / "early.tar.gz", folder / "pay"
    pb.backup(folder, output=backup)
    export = folder.parent / "export.csv"
    row = "sub-bob-platform-id,bob-platform-id,RETURNED"
    export.write_text(f"Submission id,Participant id,Status\n{row}\n", encoding="utf-8")
    with closing(sqlite3.connect(folder / "answers.sqlite")) as connection, connection:
        connection.execute("UPDATE slots SET expires = 0 WHERE state = 'reserved'")  # bob is away
    pb.people_pay(folder, output=pay, platform_export=export)
    report = pb.people_erase(folder, "bob-platform-id", yes=True)
    copies = (backup, export, release, folder / "answers.sqlite.v3")
    assert report.elsewhere == (*map(str, copies), str(pay / "bonus.csv"))
    for path in folder.iterdir():
        assert path == pay or b"bob-platform-id" not in path.read_bytes(), path
    again = pb.people_erase(folder, "bob-platform-id", yes=True)  # finishes what was left
    assert (again.items, again.removed, again.unpaid) == (report.items, (), False)
    with pytest.raises(StudyError, match="nobody here is called 'eve'"):
        pb.people_erase(folder, "eve", yes=True)


def test_what_was_derived_is_found_by_what_it_was_made_from(tmp_path: Path) -> None:
    database = tmp_path / "answers.sqlite"
    entry = {"parameters": {}, "seed": 1}
    steps = {
        "ratings": {
            "inputs": {"answers.sqlite": "x"},
            "outputs": {"ratings.parquet": {"sha256": ""}},
        },
        "label": {
            "inputs": {"ratings.parquet": "x"},
            "outputs": {"labels.parquet": {"sha256": ""}},
        },
        "build": {"inputs": {"counts.csv": "x"}, "outputs": {"items.parquet": {"sha256": ""}}},
    }
    document = {"steps": {name: {**entry, **one} for name, one in steps.items()}}
    (tmp_path / "manifest.json").write_text(json.dumps(document), encoding="utf-8")
    for name in ("answers.sqlite", "ratings.parquet", "labels.parquet", "items.parquet"):
        (tmp_path / name).write_bytes(b"")
    assert remove_derived(tmp_path, database) == (("labels.parquet", "ratings.parquet"), ())
    assert (tmp_path / "items.parquet").exists()
