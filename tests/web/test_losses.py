"""Whom rules remove: spammers, and nobody for an opinion; how subtle a spammer may be is shown."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import plausibly as pb
from plausibly.io import read_table, write_table
from plausibly.protocols.pap.made_up import example_items
from plausibly.ratings.served import Served
from plausibly.ratings.simulated.kinds import KINDS
from plausibly.ratings.simulated.model import PeopleModel
from plausibly.tables import ITEMS
from plausibly.web.rehearsal import band as band_module
from plausibly.web.rehearsal.band import band
from plausibly.web.rehearsal.losses import ALL, Cleaning, curve, precision, together
from plausibly.web.study import read_study

EVERYONE = {kind: 1 / len(KINDS) for kind in KINDS}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> tuple[Served, Cleaning]:
    folder = tmp_path_factory.mktemp("losses") / "otters"
    pb.init("pap", folder, example=True)
    write_table(example_items(seed=1, per_cell=8), folder / "items.parquet", ITEMS)
    items = read_table(folder / "items.parquet", ITEMS)
    return read_study(folder), Cleaning("recommended", None, items, 1)


def removed(study: tuple[Served, Cleaning], preset: str, checks: int) -> dict[str, Any]:
    served, cleaning = study
    plan = replace(served.plan, checks_per_batch=checks)
    (point,) = curve(
        replace(served, plan=plan),
        replace(cleaning, preset=preset),
        subtleties=(0.0,),
        mix=EVERYONE,
        people=360,
    )
    return dict(point["removed"])


def test_what_is_recommended_removes_spammers_and_no_opinion(
    study: tuple[Served, Cleaning],
) -> None:
    lost = removed(study, "recommended", 3)[ALL]
    assert lost["careful"] <= 0.05
    assert lost["consistent-minority"] <= 0.05
    assert lost["uniform-spammer"] >= 0.95
    assert lost["straight-liner"] >= 0.95
    assert lost["bot"] >= 0.95


def test_a_cut_off_on_competence_removes_a_minority(study: tuple[Served, Cleaning]) -> None:
    assert removed(study, "recommended-competence", 3)[ALL]["consistent-minority"] > 0.5


def test_one_check_a_person_catches_about_half_of_uniform_spammers(
    study: tuple[Served, Cleaning],
) -> None:
    assert 0.35 <= removed(study, "pap", 1)["failed_check"]["uniform-spammer"] <= 0.65


def test_the_subtler_a_spammer_the_fewer_are_found(study: tuple[Served, Cleaning]) -> None:
    served, cleaning = study
    plan = replace(served.plan, checks_per_batch=3)
    mix = {"careful": 0.5, "uniform-spammer": 0.5}
    points = curve(
        replace(served, plan=plan), cleaning, subtleties=(0.0, 0.5, 1.0), mix=mix, people=180
    )
    recall = [point["removed"][ALL]["uniform-spammer"] for point in points]
    assert recall[0] > recall[1] > recall[2]
    assert recall[2] <= 0.05
    assert points[0]["precision"][ALL] == 1


def test_a_band_spans_what_is_assumed_about_checks(
    study: tuple[Served, Cleaning], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(band_module, "KNOWS_CHECKS", (0.5, 1.0))
    monkeypatch.setattr(band_module, "TIMES", (1.0,))
    served, cleaning = study
    plan = replace(served.plan, checks_per_batch=3)
    cleaning = replace(cleaning, preset="pap")
    spans = band(
        replace(served, plan=plan), cleaning, PeopleModel(), mix={"careful": 1.0}, people=40
    )
    low, high = spans["removed"]["careful"]
    assert low < 0.1
    assert high > 0.5


def test_tables_of_losses_add_up() -> None:
    one = {"few": {"bot": {"removed": 1, "kept": 2}}}
    two = {
        "few": {"careful": {"removed": 1, "kept": 0}},
        "fast": {"bot": {"removed": 0, "kept": 1}},
    }
    summed = together([one, two, one])
    assert summed["few"]["bot"] == {"removed": 2, "kept": 4}
    assert precision(summed) == {"few": pytest.approx(2 / 3), "fast": None}


@pytest.mark.parametrize("protocol", ["adept", "sp10k", "gita", "iks", "custom"])
def test_every_protocol_can_be_rehearsed_as_the_first_step_of_its_study(
    tmp_path: Path, protocol: str
) -> None:
    folder = tmp_path / protocol
    pb.init(protocol, folder, example=True)
    text = (folder / "study.toml").read_text(encoding="utf-8")
    text = text.replace('source = "answers.csv"', 'source = "rehearse"')
    text = text.replace("people = 100", "people = 5")
    (folder / "study.toml").write_text(text, encoding="utf-8")
    states = pb.Study(folder).run()
    assert {one.state for one in states} == {"run"}
    assert "simulated" in (folder / "report.html").read_text(encoding="utf-8")
