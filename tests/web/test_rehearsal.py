"""A rehearsal drives the real server, is the same twice, and leaves the study's answers alone."""

from __future__ import annotations

import json
import logging
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import StudyError, UnknownName
from plausibly.io import content_hash
from plausibly.ratings.simulated.kinds import KINDS, parse_mix
from plausibly.tables import RATINGS
from plausibly.web.rehearsal import Rehearsed, rehearse

EVERYONE = {kind: 1 / len(KINDS) for kind in KINDS}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rehearsals") / "otters"
    pb.init("pap", folder, example=True)
    return folder


@pytest.fixture(scope="module")
def rehearsed(study: Path) -> Rehearsed:
    return rehearse(study, people=18, mix=EVERYONE, pay=12.0, seed=1)


def test_the_same_seed_gives_the_same_ratings(study: Path, rehearsed: Rehearsed) -> None:
    again = rehearse(study, people=18, mix=EVERYONE, pay=12.0, seed=1)
    assert content_hash(again.ratings, RATINGS) == content_hash(rehearsed.ratings, RATINGS)
    assert again.report == rehearsed.report
    other = rehearse(study, people=18, mix=EVERYONE, seed=2)
    assert content_hash(other.ratings, RATINGS) != content_hash(rehearsed.ratings, RATINGS)


def test_handlers_of_the_process_that_rehearses_stay_open(study: Path) -> None:
    closed = []

    class Kept(logging.NullHandler):
        def close(self) -> None:
            closed.append(self)
            super().close()

    handlers = [Kept(), *logging.getLogger("plausibly").handlers]
    rehearse(study, people=2, seed=3)
    assert not closed
    assert logging.getLogger("plausibly").handlers == handlers[1:]


def test_people_behave_as_their_kind_does(rehearsed: Rehearsed) -> None:
    kinds = dict(rehearsed.annotators.select("annotator", "simulated_kind").iter_rows())
    assert set(kinds.values()) == set(KINDS)
    answers: dict[str, list[str]] = {}
    for name, answer in rehearsed.ratings.select("annotator", "answer").iter_rows():
        answers.setdefault(kinds[name], []).append(answer)
    liner = next(name for name, kind in kinds.items() if kind == "straight-liner")
    own = rehearsed.ratings.filter(pl.col("annotator") == liner)
    assert own["answer"].n_unique() == 1
    assert len(answers["dropout"]) < 2 * 8
    assert "3" not in {one for given in answers.values() for one in given}


def test_the_report_says_what_it_costs_and_whom_rules_remove(rehearsed: Rehearsed) -> None:
    report = rehearsed.report
    assert report["cost"] == pytest.approx(12 * report["hours"])
    assert report["coverage"]["target"] == 10
    assert list(report["rules"])[-1] == "all rules"
    for cells in report["rules"].values():
        for kind, cell in cells.items():
            assert cell["removed"] + cell["kept"] == report["kinds"][kind]


def test_a_band_names_how_many_people_it_is_about(rehearsed: Rehearsed) -> None:
    removed = {"careful": [0.01, 0.04], "bot": [0.8, 1.0]}
    band = {"people": 204, "removed": removed, "precision": [0.5, 0.6]}
    text = replace(rehearsed, report={**rehearsed.report, "band": band}).text()
    assert "of 204 people, removed by all rules" in text


def test_nothing_of_the_study_is_touched(study: Path, rehearsed: Rehearsed) -> None:
    assert rehearsed.ratings.height
    assert not list(study.glob("answers.sqlite*"))
    assert not (study / "answers.key").exists()


def test_the_command_writes_beside_the_study_and_the_study_runs_on(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    arguments = ["rehearse", str(study), "--people", "4", "-o", str(out), "--json"]
    assert run(arguments) == 0
    said = json.loads(capsys.readouterr().out)
    assert said == json.loads((out / "rehearsal.json").read_text())
    assert set(pl.read_parquet(out / "annotators.parquet")["kind"]) == {"simulated"}


def test_ratings_that_people_gave_are_not_replaced(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "ratings.parquet").write_bytes(b"of people")
    assert run(["rehearse", str(study), "--people", "2", "-o", str(tmp_path)]) == 1
    assert "are not from a rehearsal" in capsys.readouterr().err
    assert (tmp_path / "ratings.parquet").read_bytes() == b"of people"


def test_a_study_may_be_rehearsed_as_its_first_step(tmp_path: Path) -> None:
    folder = tmp_path / "otters"
    pb.init("pap", folder, example=True)
    text = (folder / "study.toml").read_text()
    text = text.replace('source = "answers.csv"', 'source = "rehearse"')
    (folder / "study.toml").write_text(text.replace("people = 100", "people = 6"))
    (first, *_) = pb.Study(folder).run(to="ratings")
    assert first.state == "run"
    assert pl.read_parquet(folder / "annotators.parquet")["simulated_kind"].len() == 6


@pytest.mark.parametrize(
    ("mix", "kind"),
    [("careful=.5", StudyError), ("careful=x", StudyError), ("carefull=1", UnknownName)],
)
def test_a_mix_must_be_whole_and_known(mix: str, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        parse_mix(mix)
