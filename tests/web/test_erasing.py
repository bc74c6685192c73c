"""An erased person stays out of what a run writes meanwhile, and of what a killed one left."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from starlette.testclient import TestClient

import plausibly as pb
from plausibly.cli.people import command as people
from plausibly.errors import StudyError
from plausibly.study.runner import run
from plausibly.study.steps import Step, Work
from plausibly.web.app import create_app
from plausibly.web.study import read_study
from serving import TOKEN
from worlds.served import items_of, joins, study_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a study of which Ann and Bob have answered every item."""
    sections = {
        "ratings": {"source": "answers.sqlite", "target": 4, "batch": 4, "quota": 4},
        "server": {"door": "open", "api": True},
    }
    folder = study_folder(tmp_path / "s", items_of(4, 1), sections)
    with TestClient(create_app(read_study(folder), token=TOKEN)) as client:
        for person in ("ann", "bob"):
            head = {"Authorization": f"Bearer {joins(client, person).json()['token']}"}
            while "item" in (shown := client.get("/api/v1/next", headers=head).json()):
                sent = {"reservation": shown["reservation"], "answers": {"plausible": "5"}}
                sent["key"] = f"{person}-{shown['item']}"
                assert client.post("/api/v1/answers", json=sent, headers=head).status_code == 201
    return folder


def erased_during(step: Step, folder: Path) -> Step:
    """Return a step that reads, and writes only after Ann is erased."""

    def work(work: Work) -> str | None:
        waiting = step.run(work)
        files = {folder / name: (folder / name).read_bytes() for name in step.outputs}
        pb.people_erase(folder, "ann", yes=True)
        for path, content in files.items():
            path.write_bytes(content)
        return waiting

    return replace(step, run=work)


def test_whoever_is_erased_while_a_run_is_under_way_is_in_no_file(folder: Path) -> None:
    protocol = pb.Study(folder).active
    first = protocol.step("ratings")
    slow = erased_during(first, folder)
    steps = tuple(slow if step is first else step for step in protocol.steps)
    with pytest.raises(StudyError, match="Run the study again"):
        run(replace(protocol, steps=steps), folder, last="ratings")
    assert not (folder / "ratings.parquet").exists()
    run(protocol, folder, last="ratings")
    assert pb.read(folder / "ratings.parquet").ratings["annotator"].n_unique() == 1


def test_what_a_killed_process_left_half_written_goes_with_an_erased_person(folder: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    report = folder / f".report.{ended.pid}.tmp"
    report.mkdir()
    (report / "report.html").write_text("words of Ann", encoding="utf-8")
    (folder / f".ratings.parquet.{ended.pid}.tmp").write_bytes(b"rows of Ann")
    outcome = pb.people_erase(folder, "ann", yes=True)
    assert {report.name, f".ratings.parquet.{ended.pid}.tmp"} <= {*outcome.removed}
    assert not list(folder.rglob(".*.tmp"))


def test_what_is_written_next_to_the_study_is_named_from_wherever_one_erases(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(pb.Study(folder).active, folder, last="ratings")
    ann = create_app(read_study(folder)).state.desk.keys.annotator("ann")
    near = folder.parent
    (near / "pay").mkdir()
    (near / "pay" / "bonus.csv").write_text(f"{ann},1.50\n", encoding="utf-8")
    (near / "other.csv").write_text("item,answer\n", encoding="utf-8")
    (near / "empty.csv").touch()
    (near / "page.html").write_text("<p>H4sIAAAA</p>", encoding="utf-8")  # packed, but not by us
    pb.browse(folder).put_one("page", near / "explorer.html")
    shutil.copy(folder / "ratings.parquet", near / "copy.parquet")
    pb.backup(folder, output=near / "early.tar.gz")
    other = study_folder(near / "another-study", items_of(4, 1), {})
    (other / "notes.csv").write_text(f"{ann}\n", encoding="utf-8")
    monkeypatch.chdir(folder)
    outcome = pb.people_erase(".", "ann", yes=True)
    names = ("copy.parquet", "early.tar.gz", "explorer.html", "pay/bonus.csv")
    assert outcome.elsewhere == tuple(str(near / name) for name in names)


def test_every_copy_that_still_has_an_erased_person_is_printed_whole(folder: Path) -> None:
    ann = create_app(read_study(folder)).state.desk.keys.annotator("ann")
    copies = [folder.parent / f"a-copy-with-a-long-name-{n}.csv" for n in range(30)]
    for copy in copies:
        copy.write_text(f"{ann},1\n", encoding="utf-8")
    outcome = CliRunner().invoke(people, ["erase", str(folder), "ann", "--yes"])
    assert outcome.exit_code == 0
    assert {f"  {copy}" for copy in copies} <= set(outcome.stderr.splitlines())


def test_a_report_written_by_hand_is_named_whole_and_left_out_of_a_restored_backup(
    folder: Path,
) -> None:
    ann = create_app(read_study(folder)).state.desk.keys.annotator("ann")
    for report in (folder / "sent", folder.parent / "shared"):
        (report / "tables").mkdir(parents=True)
        (report / "report.html").write_text(f"<p>{ann}</p>", encoding="utf-8")
        (report / "tables" / "comments.csv").write_text("item,comment\nt1,hers\n", "utf-8")
    (folder / "notes.txt").write_text("of nobody", encoding="utf-8")
    archive = folder.parent / "early.tar.gz"
    pb.backup(folder, output=archive)
    outcome = pb.people_erase(folder, "ann", yes=True)
    reports = {str(folder / "sent"), str(folder.parent / "shared")}
    assert set(outcome.elsewhere) == {*reports, str(archive)}
    restored = pb.restore(archive, folder.parent / "back", erasures=folder)
    assert restored.left_out == ("sent",)
    assert not (folder.parent / "back" / "sent").exists()
    assert (folder.parent / "back" / "notes.txt").is_file()
