"""A study that is paused or closed takes nobody new, and lets people finish."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import plausibly as pb
from plausibly.cli import run
from plausibly.web.app import create_app
from plausibly.web.locale.texts import Texts
from plausibly.web.study import read_study
from serving import TOKEN
from worlds.served import form_address, items_of, joins, study_folder

RATINGS = {"target": 9, "batch": 2, "quota": 0, "checks_per_batch": 0}
YES = {"agree": "yes", "eligible": "yes"}
texts = Texts("en")


def hidden(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))


def answer(visitor: TestClient) -> str:
    """Answer the item that is shown, and return the next page."""
    page = visitor.get("/work").text
    return visitor.post(form_address(page), data={**hidden(page), "plausible": "5"}).text


def test_whoever_has_begun_goes_on_and_nobody_else_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    server = {"api": True, "full_code": "FULL"}
    folder = study_folder(tmp_path / "s", items_of(6), {"ratings": RATINGS, "server": server})
    with TestClient(create_app(read_study(folder), token=TOKEN)) as client:
        ann, late = TestClient(client.app), TestClient(client.app)
        ann.post("/consent", data={**hidden(ann.get("/").text), **YES})
        seen = late.get("/").text
        assert run(["people", "pause", str(folder), "--json"]) == 0
        paused = json.loads(capsys.readouterr().out)
        assert paused == {"state": "paused", "before": "open", "working": 1}
        for page in (late.post("/consent", data={**hidden(seen), **YES}), client.get("/")):
            assert (page.status_code, texts("denied.paused") in page.text) == (409, True)
            assert "FULL" in page.text
        assert joins(client, "bob").json()["reason"] == "paused"
        for _ in range(3):  # further batches too
            answer(ann)
        pb.people_close(folder)
        assert (client.get("/").status_code, joins(client, "bob").status_code) == (403, 403)
        assert texts("done.title") in answer(ann)  # the batch is finished, and there is no other
        progress = client.get("/api/v1/progress", headers={"Authorization": f"Bearer {TOKEN}"})
        assert progress.json()["gate"] == "closed"
        pb.people_reopen(folder)
        assert joins(client, "bob").status_code == 200
