"""The last places: offered as a short round where that has a code, never left over."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from plausibly.errors import StudyError
from plausibly.ratings.server import refuse_unworkable
from plausibly.web.app import create_app
from plausibly.web.locale.texts import Texts
from plausibly.web.study import read_study
from serving import TOKEN
from worlds.served import Clock, form_address, items_of, joins, study_folder

RATINGS = {"target": 1, "batch": 4, "quota": 4, "checks_per_batch": 0}
PAID = {"reward": 2.0, "code": "WHOLE", "currency": "GBP", "short_code": "SHORT"}
YES = {"agree": "yes", "eligible": "yes"}
texts = Texts("en")


def client_of(path: Path, items: int, **server: Any) -> TestClient:
    sections = {"ratings": RATINGS, "server": server}
    folder = study_folder(path / "s", items_of(items), sections)
    return TestClient(create_app(read_study(folder), token=TOKEN, clock=Clock()))


def hidden(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))


def finish(visitor: TestClient) -> str:
    """Answer everything, and return the last page."""
    page = visitor.get("/work")
    while "/work/" in page.url.path:
        sent = {**hidden(page.text), "plausible": "5"}
        page = visitor.post(form_address(page.text), data=sent)
    return page.text


def enter(client: TestClient) -> tuple[TestClient, str, str]:
    """Return a new browser, what it was shown before consent, and afterwards."""
    visitor = TestClient(client.app)
    before = visitor.get("/").text
    after = visitor.post("/consent", data={**hidden(before), **YES}).text
    return visitor, before, after


def progress(client: TestClient) -> dict[str, Any]:
    answer = client.get("/api/v1/progress", headers={"Authorization": f"Bearer {TOKEN}"})
    return dict(answer.json())


def test_a_short_round_is_announced_before_consent_and_has_its_own_code(tmp_path: Path) -> None:
    with client_of(tmp_path, 5, **PAID) as client:
        first, before, _ = enter(client)
        assert "short round" not in before
        assert "WHOLE" in finish(first)
        last, before, after = enter(client)
        assert texts("consent.short", items=1) in before
        assert "0.50 GBP" in before
        assert texts("instructions.count", of=1) in after
        assert "SHORT" in finish(last)
        arrivals = sorted(progress(client)["last_arrivals"], key=lambda one: one["items"])
        assert [(one["items"], one["pay"], one["short"]) for one in arrivals] == [
            (1, 0.5, True),
            (4, 2.0, False),
        ]


def test_the_pay_of_a_short_round_is_written_as_in_the_language_of_the_pages(
    tmp_path: Path,
) -> None:
    with client_of(tmp_path, 5, **PAID, interface="de") as client:
        finish(enter(client)[0])
        assert "insgesamt 0,50 GBP (0,50 je Aufgabe)" in enter(client)[1]


def test_nobody_begins_a_short_round_that_was_not_announced(tmp_path: Path) -> None:
    with client_of(tmp_path, 5, **PAID) as client:
        slow = TestClient(client.app)
        seen = slow.get("/").text
        enter(client)
        again = slow.post("/consent", data={**hidden(seen), **YES})
        assert again.status_code == 422
        assert texts("consent.short_first") in again.text
        assert texts("consent.short", items=1) in again.text
        sent = {**hidden(again.text), **YES}
        assert texts("instructions.title") in slow.post("/consent", data=sent).text


def test_a_program_agrees_to_a_short_round_by_its_size(tmp_path: Path) -> None:
    with client_of(tmp_path, 5, **PAID, api=True) as client:
        joins(client, "ann")
        refused = joins(client, "bob")
        assert (refused.status_code, refused.json()["reason"]) == (409, "short")
        assert refused.json()["errors"][0]["places"] == 1
        assert joins(client, "bob", short=1).json()["places"] == 1


def test_nobody_gets_more_by_claiming_a_longer_round(tmp_path: Path) -> None:
    with client_of(tmp_path, 20, **PAID, api=True) as client:
        joined = joins(client, "ann", short=1000).json()
        assert joined["places"] == RATINGS["batch"]
        assert [one["short"] for one in progress(client)["last_arrivals"]] == [False]


def test_without_a_code_the_last_places_wait_until_no_whole_round_can_come(tmp_path: Path) -> None:
    with client_of(tmp_path, 5, reward=2.0) as client:
        first, _, _ = enter(client)
        waiting = TestClient(client.app).get("/")
        assert waiting.status_code == 409
        finish(first)
        last, before, _ = enter(client)
        assert "short round" not in before
        assert texts("done.title") in finish(last)
        assert progress(client)["slots"]["open"] == 0


@pytest.mark.parametrize(
    ("server", "message"),
    [
        ({"short_code": "SHORT"}, "short_code is set, but the pay per item is not"),
        (
            {**PAID, "return_url": "https://app.prolific.com/submissions/complete?cc=WHOLE"},
            "return_url must hold {code}",
        ),
    ],
)
def test_short_rounds_that_cannot_work_are_refused(
    tmp_path: Path, server: dict[str, Any], message: str
) -> None:
    sections = {"ratings": RATINGS, "server": server}
    folder = study_folder(tmp_path / "s", items_of(5), sections)
    with pytest.raises(StudyError, match=re.escape(message)):
        refuse_unworkable(read_study(folder), host="127.0.0.1", where="study.toml")
