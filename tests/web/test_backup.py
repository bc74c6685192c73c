"""A study is backed up while people answer, and restored without anybody erased since."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import tarfile
import threading
from contextlib import closing
from io import BytesIO
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import StudyError
from plausibly.web.app import create_app
from plausibly.web.study import read_study
from serving import TOKEN
from worlds.served import form_address, items_of, study_folder

PANEL = {"door": "panel", "platform": "prolific", "platform_study": "ours", "code": "WHOLE"}
RATINGS = {"target": 40, "batch": 4, "quota": 4, "checks_per_batch": 1}
WORDS = "zanzibarquux"
ANN, BOB = f"{WORDS}-ann", f"{WORDS}-bob"


def hidden(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))


def answers(client: TestClient, person: str, number: int = 5) -> int:
    visitor = TestClient(client.app)
    link = f"/?PROLIFIC_PID={person}&STUDY_ID=ours&SESSION_ID=sub-{person}"
    said = {**hidden(visitor.get(link).text), "agree": "yes", "eligible": "yes"}
    visitor.post("/consent", data=said)
    sent = 0
    for _ in range(number):
        page = visitor.get("/work")
        if "/work/" not in page.url.path:
            break
        comment = {"plausible": "5", "comment": f"{person} " * 20}
        reply = visitor.post(form_address(page.text), data={**hidden(page.text), **comment})
        sent += reply.is_success
    return sent


def rows_of(database: Path, table: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(database)) as connection:
        return connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall()  # noqa: S608


def holding(folder: Path, words: str) -> list[str]:
    return [
        path.name
        for path in sorted(folder.rglob("*"))
        if path.is_file() and words.encode() in path.read_bytes()
    ]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A study in which ann and bob answered and commented."""
    folder = study_folder(
        tmp_path / "s", items_of(4, 1), {"ratings": RATINGS, "server": dict(PANEL)}
    )
    with TestClient(create_app(read_study(folder), token=TOKEN)) as client:
        assert answers(client, ANN) == answers(client, BOB) == 5
    return folder


def test_what_was_acknowledged_before_a_backup_is_in_it_while_people_answer(
    folder: Path, tmp_path: Path
) -> None:
    stop, acknowledged = threading.Event(), [10]
    app = create_app(read_study(folder), token=TOKEN)

    def crowd() -> None:
        with TestClient(app) as client:
            for n in range(200):
                if stop.is_set():
                    return
                acknowledged.append(acknowledged[-1] + answers(client, f"p{n}"))

    thread = threading.Thread(target=crowd)
    thread.start()
    sizes = []
    try:
        for n in range(4):
            before = acknowledged[-1]
            made = pb.backup(folder, output=tmp_path / f"{n}.tar.gz")
            assert made.counts["submissions"] >= before
            sizes.append(made.counts["submissions"])
    finally:
        stop.set()
        thread.join()
    assert acknowledged[-1] > 10
    shutil.rmtree(folder)  # the machine is gone
    restored = pb.restore(tmp_path / "3.tar.gz", tmp_path / "again")
    assert restored.counts["submissions"] == sizes[-1]
    assert len(rows_of(tmp_path / "again/answers.sqlite", "submissions")) == sizes[-1]
    with TestClient(create_app(read_study(tmp_path / "again"), token=TOKEN)) as client:
        assert answers(client, "someone-new") == 5


def test_a_backup_is_for_its_owner_and_has_no_addresses(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "b.tar.gz"
    assert rows_of(folder / "answers.sqlite", "arrivals")
    made = pb.backup(folder, output=file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert {"answers.sqlite", "answers.key", "study.toml", "items.parquet"} < set(made.files)
    assert {"answers.platform.sqlite", "answers.platform.key"} < set(made.files)
    pb.restore(file, tmp_path / "again")
    assert not rows_of(tmp_path / "again/answers.sqlite", "arrivals")
    assert (tmp_path / "again/answers.key").stat().st_mode & 0o777 == 0o600
    people = pb.people_list(folder).people.drop("joined")
    assert pb.people_list(tmp_path / "again").people.drop("joined").equals(people)


@pytest.mark.parametrize("lost", [False, True])
def test_whoever_was_erased_after_a_backup_is_in_no_restored_file(
    folder: Path, tmp_path: Path, lost: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    file, again = tmp_path / "b.tar.gz", tmp_path / "again"
    ids = f"sub-{ANN}", f"sub-{BOB}", f"sub-{ANN}e"  # the last is somebody else
    (folder / "approve.csv").write_text("\n".join(ids[1:]) + "\n", encoding="utf-8")
    (folder / "bonus.csv").write_text("".join(f"{one},1.50\n" for one in ids), encoding="utf-8")
    assert run(["backup", str(folder), "-o", str(file), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"]["people"] == 2
    pb.people_erase(folder, ANN, yes=True)
    if lost:  # only the list of erasures is left
        (folder / "answers.sqlite").unlink()
    checked = pb.restore(file, folder, check=True)
    assert (checked.done, len(checked.erased), checked.compared) == (False, 1, True)
    assert run(["restore", str(file), str(again), "--erasures", str(folder)]) == 0
    assert "Erased again: " in (said := capsys.readouterr().err)
    assert "(5 answers, 5 comments)" in said
    assert holding(again, ANN) == ["approve.csv", "bonus.csv"]  # somebody else's line
    assert (again / "approve.csv").read_text() == (folder / "approve.csv").read_text()
    assert (again / "bonus.csv").read_text() == "".join(f"{one},1.50\n" for one in ids[1:])
    assert holding(again, BOB)
    assert pb.people_list(again).people.height == 1
    assert pb.restore(file, tmp_path / "blind", erasures=again / "answers.erased.json").erased


def test_without_a_list_the_gap_is_named(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = pb.backup(folder, output=tmp_path / "b.tar.gz")
    assert run(["restore", str(tmp_path / "b.tar.gz"), str(tmp_path / "again")]) == 0
    assert f"It may still contain people erased after {made.made}" in capsys.readouterr().err


def test_checking_writes_nothing_and_a_folder_in_use_is_refused(
    folder: Path, tmp_path: Path
) -> None:
    file = tmp_path / "b.tar.gz"
    pb.backup(folder, output=file)
    assert pb.restore(file, tmp_path / "new", check=True).counts["answers"] == 10
    assert not (tmp_path / "new").exists()
    with pytest.raises(StudyError, match=r"is in use\. Restore into a new folder"):
        pb.restore(file, folder)


@pytest.mark.parametrize("damage", ["changed", "missing", "cut", "outside", "other"])
def test_a_damaged_backup_is_refused_and_leaves_nothing(
    folder: Path, tmp_path: Path, damage: str
) -> None:
    file, worse = tmp_path / "b.tar.gz", tmp_path / "worse.tar.gz"
    pb.backup(folder, output=file)
    with tarfile.open(file) as source, tarfile.open(worse, "w:gz") as target:
        for member in source:
            content = source.extractfile(member)
            assert content is not None
            data = content.read()
            if member.name == "study.toml":
                if damage == "missing":
                    continue
                member.name = "../study.toml" if damage == "outside" else member.name
                data = data.replace(b"4", b"5") if damage == "changed" else data
            member.size = len(data)
            target.addfile(member, BytesIO(data))
    if damage == "cut":
        worse.write_bytes(file.read_bytes()[: file.stat().st_size // 2])
    if damage == "other":
        worse.write_bytes(b"something else")
    with pytest.raises(StudyError, match=r"worse\.tar\.gz"):
        pb.restore(worse, tmp_path / "again")
    assert not (tmp_path / "again").exists()


def test_erasures_of_another_study_are_refused(folder: Path, tmp_path: Path) -> None:
    pb.backup(folder, output=tmp_path / "b.tar.gz")
    other = tmp_path / "other.json"
    other.write_text('{"study": "another", "erased": []}')
    with pytest.raises(StudyError, match="belongs to another study"):
        pb.restore(tmp_path / "b.tar.gz", tmp_path / "again", erasures=other)


def test_earlier_backups_and_what_was_derived_are_not_backed_up(folder: Path) -> None:
    pb.backup(folder, output=folder / "first.tar.gz")
    made = pb.backup(folder, output=folder / "second.tar.gz")
    assert not [name for name in made.files if name.endswith(".tar.gz")]
