"""Three ways out of a study, each with its own code and a link back to the platform."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from plausibly.errors import StudyError
from plausibly.ratings.exits import exit_link
from plausibly.study.collection import SERVER
from plausibly.web.app import create_app
from plausibly.web.study import read_study
from worlds.served import form_address, items_of, study_folder

CODES = {"code": "DONE", "screened_code": "SCREEN", "full_code": "FULL"}
PROLIFIC = {"platform": "prolific", "platform_study": "ours", "door": "panel", **CODES}
BACK = "https://app.prolific.com/submissions/complete?cc="
YES = {"agree": "yes", "eligible": "yes"}


def hidden(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))


def visitor_of(client: TestClient, person: str) -> tuple[TestClient, Any]:
    visitor = TestClient(client.app)
    return visitor, visitor.get(f"/?PROLIFIC_PID={person}&STUDY_ID=ours&SESSION_ID=s-{person}")


def test_everybody_gets_back_to_the_platform(tmp_path: Path) -> None:
    ratings = {"target": 1, "batch": 1, "quota": 1, "checks_per_batch": 0}
    sections: dict[str, dict[str, Any]] = {"ratings": ratings, "server": PROLIFIC}
    folder = study_folder(tmp_path / "s", items_of(1), sections)
    with TestClient(create_app(read_study(folder))) as client:
        out, page = visitor_of(client, "joe")
        page = out.post("/consent", data={**hidden(page.text), **YES, "eligible": "no"})
        assert f'href="{BACK}SCREEN"' in page.text
        ann, page = visitor_of(client, "ann")
        ann.post("/consent", data={**hidden(page.text), **YES})
        _, held = visitor_of(client, "bob")
        assert (held.status_code, f'href="{BACK}FULL"' in held.text) == (409, True)
        page = ann.get("/work")
        done = ann.post(form_address(page.text), data={**hidden(page.text), "plausible": "5"})
        assert f'href="{BACK}DONE"' in done.text
        _, full = visitor_of(client, "cid")
        assert (full.status_code, f'href="{BACK}FULL"' in full.text) == (403, True)
        assert 'href="/work"' not in full.text
        left = ann.post("/withdraw", data=hidden(ann.get("/withdraw").text))
        assert f'href="{BACK}FULL"' in left.text


@pytest.mark.parametrize(
    ("server", "kind", "address"),
    [
        (
            {"platform": "connect"},
            "finished",
            "https://connect.cloudresearch.com/participant/project/C/complete",
        ),
        ({"platform": "connect", "screened_code": "S"}, "screened", ""),
        (
            {"platform": "connect", "screened_url": "https://c.example.org/partial"},
            "screened",
            "https://c.example.org/partial",
        ),
        (
            {"platform": "sona", "return_url": "https://u.sona-systems.com/x?survey_code={person}"},
            "finished",
            "https://u.sona-systems.com/x?survey_code=77",
        ),
        (
            {"platform": "sona", "return_url": "https://u.sona-systems.com/x?survey_code={person}"},
            "full",
            "",
        ),
        (
            {"platform": "custom", "return_url": "https://p.example.org/{code}", "full_code": "F"},
            "full",
            "https://p.example.org/F",
        ),
        ({"platform": "custom"}, "finished", ""),
    ],
)
def test_every_platform_has_its_own_ways_out(
    server: dict[str, str], kind: str, address: str
) -> None:
    assert exit_link({**SERVER, **server}, kind, code="C", person="77").address == address


@pytest.mark.parametrize(
    ("server", "message"),
    [
        ({"screened_url": "javascript:alert(1)"}, "screened_url must begin with https"),
        ({"code": "X", "full_code": "X"}, "full_code is 'X', like code"),
    ],
)
def test_ways_out_that_lead_nowhere_are_named(
    tmp_path: Path, server: dict[str, str], message: str
) -> None:
    folder = study_folder(tmp_path / "s", items_of(1), {"server": server})
    with pytest.raises(StudyError, match=re.escape(message)):
        read_study(folder)


@pytest.mark.parametrize("code", [" ", "C1 ", "A\r\nSet-Cookie: x=1"])
def test_a_code_nobody_could_copy_is_refused(tmp_path: Path, code: str) -> None:
    server = {"full_code": code}
    folder = study_folder(tmp_path / "s", items_of(1), {"server": server})
    with pytest.raises(StudyError, match=r"full_code must be a code people can copy"):
        read_study(folder)
