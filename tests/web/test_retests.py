"""Items shown twice to the same person: far apart, counted once, and told as noise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest
from starlette.testclient import TestClient

import plausibly as pb
from plausibly.errors import StudyError
from plausibly.ratings.collected import read_answers
from plausibly.ratings.retests import AGAIN, retest_report, with_retests
from plausibly.ratings.served import Content
from plausibly.web.app import create_app
from plausibly.web.rehearsal import rehearse
from plausibly.web.study import read_study
from serving import TOKEN
from worlds.served import items_of, joins, study_folder

RATINGS = {"target": 3, "batch": 12, "quota": 12, "checks_per_batch": 1, "retest": 0.25}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return study_folder(tmp_path / "s", items_of(12, 2), {"ratings": RATINGS})


def works(client: TestClient, person: str, second: str = "5") -> list[str]:
    """Answer everything with 5, and what is shown again otherwise; return the items in order."""
    token = joins(client, person).json()["token"]
    mine, seen = {"Authorization": f"Bearer {token}"}, []
    while "item" in (document := client.get("/api/v1/next", headers=mine).json()):
        seen.append(document["item"])
        said = second if document["item"].endswith(AGAIN) else "5"
        sent = {"reservation": document["reservation"], "key": document["item"]}
        status = client.post(
            "/api/v1/answers", json={**sent, "answers": {"plausible": said}}, headers=mine
        ).status_code
        assert status == 201
    return seen


def test_a_share_is_shown_twice_and_far_apart(folder: Path) -> None:
    with TestClient(create_app(read_study(folder), token=TOKEN)) as client:
        for person in ("ann", "bob", "cat"):
            seen = works(client, person)
            assert len(seen) == 12 + 1 + 3
            places = {item: place for place, item in enumerate(seen)}
            repeats = [item for item in seen if item.endswith(AGAIN)]
            assert len(repeats) == 3
            gaps = [places[item] - places[item.removesuffix(AGAIN)] for item in repeats]
            assert min(gaps) > len(seen) / 4
            assert not any(item.startswith("c") for item in repeats)


def test_a_repeat_is_shown_like_the_item_and_counts_for_no_target(folder: Path) -> None:
    served = read_study(folder)
    assert served.contents["t0001"].as_json() == served.contents[f"t0001{AGAIN}"].as_json()
    with TestClient(create_app(served, token=TOKEN)) as client:
        for person in ("ann", "bob", "cat"):
            works(client, person)
        mine = {"Authorization": f"Bearer {TOKEN}"}
        document = client.get("/api/v1/progress", headers=mine).json()
        assert document["items"]["complete"] == document["items"]["total"] == 12
        assert joins(client, "dan").status_code == 403
    stored = read_answers(folder / "answers.sqlite", names={})
    assert not stored.ratings["item"].str.ends_with(AGAIN).any()
    assert stored.ratings.filter(pl.col("kind") == "item").height == 36
    assert stored.notes == ("9 answers to items shown a second time were left out.",)


def test_progress_tells_noise_from_difference(folder: Path) -> None:
    with TestClient(create_app(read_study(folder), token=TOKEN)) as client:
        works(client, "ann")
        works(client, "bob", second="1")
        mine = {"Authorization": f"Bearer {TOKEN}"}
        report = client.get("/api/v1/progress", headers=mine).json()["retests"]
    assert (report["repeats"], report["people"]) == (6, 2)
    assert report["noise"] == report["same"] == 0.5
    assert report["disagreement"] == 0.0
    assert report["mean_change"] == 2.0


def test_a_withdrawn_item_is_not_shown_again(folder: Path) -> None:
    served = read_study(folder)
    with TestClient(create_app(served, token=TOKEN)) as client:
        mine = {"Authorization": f"Bearer {TOKEN}"}
        for n in range(12):
            client.post(f"/api/v1/items/t{n:04}/withdraw", headers=mine)
        assert joins(client, "ann").status_code == 403
        for n in range(12):
            client.post(f"/api/v1/items/t{n:04}/restore", headers=mine)
        assert len(works(client, "ann")) == 16


def test_what_was_begun_with_repeats_goes_on_with_them(folder: Path) -> None:
    with TestClient(create_app(read_study(folder), token=TOKEN)) as client:
        works(client, "ann")
    path = folder / "study.toml"
    path.write_text(path.read_text().replace("retest = 0.25", "retest = 0.0"))
    with pytest.raises(StudyError, match=r"retest was set when people began"):
        create_app(read_study(folder), token=TOKEN)


@pytest.mark.parametrize("share", [-0.1, 0.6, 2])
def test_more_than_half_cannot_be_repeated(tmp_path: Path, share: float) -> None:
    sections: dict[str, Any] = {"ratings": {**RATINGS, "retest": share}}
    with pytest.raises(StudyError, match=r"retest must lie between 0 and 0\.5"):
        read_study(study_folder(tmp_path / "s", items_of(4), sections))


def test_an_item_cannot_have_the_name_of_a_repeat() -> None:
    contents = {"t1": Content("x"), f"t1{AGAIN}": Content("y")}
    with pytest.raises(StudyError, match="second showing"):
        with_retests(contents, where="items.parquet")


def test_a_rehearsal_with_repeats_reports_noise_and_keeps_them_out(tmp_path: Path) -> None:
    folder = tmp_path / "otters"
    pb.init("pap", folder, example=True)
    path = folder / "study.toml"
    path.write_text(path.read_text().replace("retest = 0.0", "retest = 0.2"))
    done = rehearse(folder, people=20, mix={"careful": 0.5, "straight-liner": 0.5})
    assert done.report["retests"]["repeats"] > 0
    assert 0 < done.report["retests"]["noise"] < 1
    assert not done.ratings["item"].str.ends_with(AGAIN).any()
    assert "noise" in done.text()


def test_without_repeats_nothing_is_said_about_noise() -> None:
    columns = ("item", "annotator", "question", "answer", "kind")
    ratings = pl.DataFrame(schema={**dict.fromkeys(columns, pl.String), "value": pl.Float64})
    assert retest_report(ratings, question="q")["noise"] is None
