"""People who visit the pages of a small study, answer with words of their own, and leave."""

from __future__ import annotations

import re
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

from starlette.testclient import TestClient

from plausibly.web.app import create_app
from plausibly.web.study import read_study
from serving import TOKEN
from worlds.served import form_address, items_of, study_folder

RATINGS = {"target": 4, "batch": 4, "quota": 4, "checks_per_batch": 1}
WORDS = "zanzibarquux"


def folder_of(path: Path, **server: Any) -> Path:
    """Return a study of four items and a check."""
    return study_folder(path / "s", items_of(4, 1), {"ratings": RATINGS, "server": server})


def client_of(folder: Path, later: float = 0.0) -> TestClient:
    """Return a client of a study, so many seconds later."""

    def clock() -> float:
        return time.time() + later

    return TestClient(create_app(read_study(folder), token=TOKEN, clock=clock))


def hidden(page: str) -> dict[str, str]:
    """Return what a page sends unseen."""
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))


def takes_part(client: TestClient, person: str) -> TestClient:
    """Return the browser of a person who has answered everything."""
    visitor = TestClient(client.app)
    visitor.portal = client.portal  # the server's loop, where its tasks go on after an answer
    said = {**hidden(visitor.get(f"/?person={person}").text), "agree": "yes", "eligible": "yes"}
    visitor.post("/consent", data=said)
    for _ in range(5):
        page = visitor.get("/work")
        sent = {**hidden(page.text), "plausible": "5", "comment": f"{WORDS}-{person}"}
        visitor.post(form_address(page.text), data=sent)
    return visitor


def rows(folder: Path, query: str) -> list[tuple[Any, ...]]:
    """Return what a query finds in the answers."""
    with closing(sqlite3.connect(folder / "answers.sqlite")) as connection:
        return connection.execute(query).fetchall()
