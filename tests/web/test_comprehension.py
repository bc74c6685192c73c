"""Questions about the instructions: two attempts, then the way out."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import plausibly as pb
from plausibly.web.app import create_app
from plausibly.web.locale.texts import Texts
from plausibly.web.study import read_study
from worlds.served import items_of, joins, study_folder

RATINGS = {"target": 1, "batch": 2, "quota": 2, "checks_per_batch": 0}
YES = {"agree": "yes", "eligible": "yes"}
QUESTION = """
[[form.comprehension]]
text = "What do you judge?"
options = ["spelling", "plausibility"]
admit = ["plausibility"]
"""
texts = Texts("en")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    server = {"screened_code": "SCREEN", "code": "DONE", "api": True}
    sections: dict[str, dict[str, Any]] = {"ratings": RATINGS, "server": server}
    folder = study_folder(tmp_path / "s", items_of(2), sections)
    with (folder / "study.toml").open("a", encoding="utf-8") as settings:
        settings.write(QUESTION)
    return folder


def hidden(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))


def enters(client: TestClient) -> TestClient:
    visitor = TestClient(client.app)
    visitor.post("/consent", data={**hidden(visitor.get("/").text), **YES})
    return visitor


def says(visitor: TestClient, given: str) -> Any:
    sent = {**hidden(visitor.get("/understood").text), "comprehension-0": given}
    return visitor.post("/understood", data=sent)


def test_no_item_is_shown_before_the_questions_are_answered(folder: Path) -> None:
    with TestClient(create_app(read_study(folder))) as client:
        visitor = enters(client)
        assert visitor.get("/work").url.path == "/understood"
        assert 'href="/understood"' in visitor.get("/instructions").text
        again = says(visitor, "spelling")
        assert (again.status_code, texts("comprehension.wrong") in again.text) == (422, True)
        assert says(visitor, "plausibility").status_code == 200
        assert visitor.get("/work").url.path.startswith("/work/")
        assert texts("comprehension.out") not in says(visitor, "spelling").text


def test_after_two_attempts_a_person_is_out_and_their_places_are_open(folder: Path) -> None:
    with TestClient(create_app(read_study(folder))) as client:
        visitor = enters(client)
        says(visitor, "spelling")
        assert TestClient(client.app).get("/").status_code == 409  # all places are kept for them
        out = says(visitor, "")
        assert "SCREEN" in out.text
        assert texts("comprehension.out") in out.text
        back = visitor.get("/work")  # a reload, or the personal link
        assert (back.url.path, "SCREEN" in back.text) == ("/understood", True)
        assert texts("comprehension.out") in back.text
        assert TestClient(client.app).get("/").status_code == 200
        people = pb.people_list(folder).people
        assert people["state"].to_list() == ["screened out"]
        pb.people_restore(folder, people["annotator"].to_list())
        assert says(visitor, "plausibility").status_code == 200
        assert visitor.get("/work").url.path.startswith("/work/")


def test_programs_send_the_answers_when_they_join(folder: Path) -> None:
    with TestClient(create_app(read_study(folder))) as client:
        (asked,) = client.get("/api/v1/consent").json()["comprehension"]
        assert asked["options"] == ["spelling", "plausibility"]
        first = joins(client, "ann", comprehension={asked["id"]: "spelling"}).json()
        assert first["understood"] is False
        head = {"Authorization": f"Bearer {first['token']}"}
        refused = client.get("/api/v1/next", headers=head)
        assert (refused.status_code, refused.json()["reason"]) == (403, "comprehension")
        right = {asked["id"]: "plausibility"}
        assert joins(client, "ann", headers=head, comprehension=right).json()["understood"] is True
        assert "item" in client.get("/api/v1/next", headers=head).json()
