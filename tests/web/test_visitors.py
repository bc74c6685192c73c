"""What participants and researchers were missing: languages, time and pay, leaving, CSV."""

from __future__ import annotations

import csv
import json
import re
import string
import tomllib
from importlib.resources import files
from io import StringIO
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from plausibly.errors import StudyError
from plausibly.ratings.collected import read_answers
from plausibly.web.app import create_app
from plausibly.web.locale.texts import Texts
from plausibly.web.study import read_study
from worlds.served import form_address, items_of, joins, study_folder, token_of

RESEARCHER = {"Authorization": "Bearer secret-of-the-researcher"}


def client_of(path: Path, **server: object) -> TestClient:
    ratings = {"batch": 2, "quota": 2, "target": 3}
    study = study_folder(path, items_of(2), {"ratings": ratings, "server": server})
    app = create_app(read_study(study), token="secret-of-the-researcher")  # noqa: S106
    return TestClient(app)


def hidden(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))


def visitor_of(client: TestClient, person: str = "ann") -> TestClient:
    visitor = TestClient(client.app)
    page = visitor.get("/", params={"person": person}).text
    visitor.post("/consent", data={**hidden(page), "agree": "yes", "eligible": "yes"})
    return visitor


def answer(visitor: TestClient, comment: str = "") -> None:
    page = visitor.get("/work").text
    sent = {**hidden(page), "plausible": "5", "comment": comment}
    assert visitor.post(form_address(page), data=sent).status_code == 200


def catalogue(language: str) -> dict[str, str]:
    folder = files("plausibly.web.locale")
    texts = [folder.joinpath(f"{room}{language}.toml").read_text("utf-8") for room in ("", "desk.")]
    sections = [part for text in texts for part in tomllib.loads(text).items()]
    return {f"{name}.{key}": text for name, part in sections for key, text in part.items()}


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_every_language_says_the_same_things_and_fills_the_same_gaps() -> None:
    english, italian = catalogue("en"), catalogue("it")
    assert english.keys() == italian.keys()
    plain = {name for name in english if '"close": true' in english[name]}
    for name in english.keys() - plain:
        assert gaps(english[name]) == gaps(italian[name]), name
    same = [name for name in english if english[name] == italian[name]]
    alike = {"consent.no", "excluded.other", "status.field", "work.problem", "desk_word.api"}
    assert set(same) <= alike | {"desk_download.csv", "desk_people.talk_one"}


def test_the_pages_speak_the_language_of_the_study(tmp_path: Path) -> None:
    with client_of(tmp_path, interface="it") as client:
        page = client.get("/?person=ann").text
        assert '<html lang="it"' in page
        assert Texts("it")("consent.agree") in page
        visitor = visitor_of(client)
        assert "Elemento 1 di 2" in visitor.get("/work").text
        refused = joins(client, " ")
        assert Texts("it")("status.field_person") in refused.json()["error"]


def test_a_language_nobody_has_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=r"interface must be one of en, it, de, .*got 'xx'"):
        client_of(tmp_path, interface="xx")


def test_time_and_pay_are_told_before_anyone_agrees(tmp_path: Path) -> None:
    with client_of(tmp_path, minutes=12, pay="2 £") as client:
        page = client.get("/?person=ann").text
        assert "Expected time: 12 minutes." in page
        assert "Payment: 2 £." in page
    with client_of(tmp_path / "other") as client:
        assert "Expected time" not in client.get("/?person=ann").text


def test_who_takes_back_their_consent_takes_their_answers_along(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        ann, bob = visitor_of(client, "ann"), visitor_of(client, "bob")
        for visitor in (ann, bob):
            answer(visitor)
        page = ann.get("/withdraw")
        assert "undo this for 7 days" in page.text
        assert ann.post("/withdraw", data={"_csrf": "forged"}).status_code == 403
        done = ann.post("/withdraw", data=hidden(page.text))
        assert "You have withdrawn your consent" in done.text
        assert ann.get("/work").status_code == 401
        for query in ("", "?state=all"):
            rows = client.get(f"/api/v1/ratings{query}", headers=RESEARCHER).text.splitlines()
            assert len(rows) == 1
        restored = client.post("/api/v1/people/ann/restore", headers=RESEARCHER)
        assert restored.status_code == 409
        assert joins(client, "ann", headers=token_of(client, "ann")).status_code == 403
    imported = read_answers(tmp_path / "answers.sqlite", names={})
    assert imported.ratings.height == 1
    assert imported.annotators is not None
    assert imported.annotators.height == 1


def test_ratings_come_as_csv_too_and_no_text_becomes_a_formula(tmp_path: Path) -> None:
    with client_of(tmp_path) as client:
        answer(visitor_of(client), comment='=1+1, "so"\nnext')
        lines = client.get("/api/v1/ratings", headers=RESEARCHER).text.splitlines()
        response = client.get("/api/v1/ratings?format=csv", headers=RESEARCHER)
        assert response.headers["content-type"].startswith("text/csv")
        (row,) = csv.DictReader(StringIO(response.text))
        (told,) = map(json.loads, lines)
        assert row["comment"] == "'" + told["comment"]
        assert row["answer"] == told["answer"]
        assert list(row) == list(told)
        assert client.get("/api/v1/ratings?format=x", headers=RESEARCHER).status_code == 422
