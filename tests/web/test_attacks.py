"""What strangers may try: forged ids, replays, other people's links, long bodies, injections."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from starlette.testclient import TestClient

from plausibly.web.app import create_app
from plausibly.web.context import LONGEST_BODY
from plausibly.web.study import read_study
from worlds.served import form_address, items_of, joins, study_folder, token_of

RESEARCHER = {"Authorization": "Bearer secret-of-the-researcher"}
LIMITS = ("requests_per_minute", "held_per_address", "people_per_hour", "answers_per_minute")
NASTY = [
    "'; DROP TABLE answers; --",
    '" OR 1=1 --',
    "<script>alert(1)</script>",
    "{{ 7 * 7 }}",
    "{% for x in () %}{% endfor %}",
    "../../../../etc/passwd",
    "..%2f..%2fetc%2fpasswd",
    "%00",
    "\u202e\u2066abc",
    "a" * 199,
    "\N{PILE OF POO}",
    "null",
    "-1",
    "1e999",
    "\r\nSet-Cookie: a=b",
]
text = st.one_of(st.sampled_from(NASTY), st.text(max_size=300))
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), text),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
often = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    sections = {
        "ratings": {"target": 1000, "batch": 6, "quota": 0},
        "server": dict.fromkeys(LIMITS, 1_000_000),
    }
    return study_folder(tmp_path_factory.mktemp("attacked"), items_of(30, 4), sections)


@pytest.fixture(scope="module")
def client(folder: Path) -> Iterator[TestClient]:
    app = create_app(read_study(folder), token="secret-of-the-researcher")  # noqa: S106
    with TestClient(app, follow_redirects=False) as client:
        yield client


def bearer(client: TestClient, person: str) -> dict[str, str]:
    joined = joins(client, person, headers=token_of(client, person))
    assert joined.status_code == 200
    return {"Authorization": f"Bearer {joined.json()['token']}"}


def ratings(client: TestClient) -> list[dict[str, Any]]:
    lines = client.get("/api/v1/ratings?state=all", headers=RESEARCHER).text.splitlines()
    return [json.loads(line) for line in lines]


def shaped(response: Any) -> bool:
    """Tell whether a refusal has the one shape all of them have."""
    document = response.json()
    more = set(document) - {"reason", "retry_after"}  # a machine may want to know why, and when
    return more == {"ok", "error", "errors"} and document["ok"] is False


@often
@given(reservation=text, key=text, answers=values)
def test_a_forged_reservation_stores_nothing(
    client: TestClient, reservation: str, key: str, answers: object
) -> None:
    mine = bearer(client, "forger")
    before = ratings(client)
    body = json.dumps({"reservation": reservation, "key": key, "answers": answers})
    response = client.post(
        "/api/v1/answers", content=body, headers={**mine, "Content-Type": "application/json"}
    )
    assert response.status_code in {400, 403, 422}
    assert shaped(response)
    assert ratings(client) == before


@often
@given(answers=st.dictionaries(text, values, max_size=4), key=st.text("abc", min_size=1))
def test_whatever_is_answered_is_stored_as_the_form_allows_or_refused(
    client: TestClient, answers: dict[str, object], key: str
) -> None:
    mine = bearer(client, "fuzzer")
    shown = client.get("/api/v1/next", headers=mine).json()
    before = len(ratings(client))
    sent = {"reservation": shown["reservation"], "key": f"{key}-{before}", "answers": answers}
    response = client.post(
        "/api/v1/answers",
        content=json.dumps(sent),
        headers={**mine, "Content-Type": "application/json"},
    )
    assert response.status_code in {201, 400, 422}
    after = ratings(client)
    assert len(after) == before + (response.status_code == 201)
    assert {row["answer"] for row in after} <= {"1", "2", "4", "5"}


@often
@given(comment=text, number=st.integers(0, 10**9))
def test_a_text_comes_back_as_it_was_sent(client: TestClient, comment: str, number: int) -> None:
    mine = bearer(client, f"writer {number}")
    shown = client.get("/api/v1/next", headers=mine).json()
    sent = {"reservation": shown["reservation"], "key": "k"}
    sent["answers"] = {"plausible": 4, "comment": comment}
    response = client.post(
        "/api/v1/answers",
        content=json.dumps(sent),
        headers={**mine, "Content-Type": "application/json"},
    )
    if response.status_code != 201:
        assert response.status_code in {400, 409, 422}
        return
    stored = [row for row in ratings(client) if row["item"] == shown["item"]]
    kept = comment.replace("\r\n", "\n").strip() or None
    assert kept in {row["comment"] for row in stored}


@often
@given(token=text)
def test_a_forged_token_speaks_for_nobody(client: TestClient, token: str) -> None:
    forged = {b"Authorization": f"Bearer {token}".encode(errors="replace")}
    for path in ("/api/v1/next", "/api/v1/ratings", "/api/v1/progress"):
        response = client.get(path, headers=forged)
        assert response.status_code == 401
        assert shaped(response)


def test_a_token_with_a_changed_letter_speaks_for_nobody(client: TestClient) -> None:
    token = bearer(client, "honest")["Authorization"].removeprefix("Bearer ")
    for place in (0, 5, len(token) // 2, len(token) - 3):
        changed = token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1 :]
        response = client.get("/api/v1/next", headers={"Authorization": f"Bearer {changed}"})
        assert response.status_code == 401


def test_a_link_or_session_is_no_token_and_a_token_is_no_link(client: TestClient) -> None:
    token = bearer(client, "mixer")["Authorization"].removeprefix("Bearer ")
    assert client.get(f"/resume/{token}").status_code == 403
    visitor = join_by_page(client, "mixer")
    link = re.search(r"/resume/([\w.-]+)", visitor.get("/instructions").text)
    assert link is not None
    forged = {"Authorization": f"Bearer {link.group(1)}"}
    assert client.get("/api/v1/next", headers=forged).status_code == 401


@often
@given(link=st.text("abcdefghijABCDEFGHIJ0123456789._-", min_size=1, max_size=80))
def test_a_made_up_link_leads_nowhere(client: TestClient, link: str) -> None:
    assert client.get(f"/resume/{link}").status_code in {403, 404}


def test_the_same_answers_replayed_in_any_order_are_stored_once(client: TestClient) -> None:
    mine = bearer(client, "replayer")
    sent = []
    for n in range(5):
        shown = client.get("/api/v1/next", headers=mine).json()
        body = {"reservation": shown["reservation"], "key": f"k{n}", "answers": {"plausible": 5}}
        assert client.post("/api/v1/answers", json=body, headers=mine).status_code == 201
        sent.append(body)
    before = ratings(client)
    for body in [*reversed(sent), *sent]:
        response = client.post("/api/v1/answers", json=body, headers=mine)
        assert (response.status_code, response.json()) == (200, {"revision": 1})
    assert ratings(client) == before


def test_nobody_answers_with_someone_elses_reservation_or_key(client: TestClient) -> None:
    ann, bob = bearer(client, "ann"), bearer(client, "bob")
    shown = client.get("/api/v1/next", headers=ann).json()
    sent = {"reservation": shown["reservation"], "key": "k", "answers": {"plausible": 5}}
    assert client.post("/api/v1/answers", json=sent, headers=bob).status_code == 403
    assert client.post("/api/v1/answers", json=sent, headers=ann).status_code == 201
    own = client.get("/api/v1/next", headers=bob).json()
    mine = {**sent, "reservation": own["reservation"]}
    assert client.post("/api/v1/answers", json=mine, headers=bob).status_code == 201


@pytest.mark.parametrize("path", ["/api/v1/join", "/api/v1/answers", "/consent", "/work/abc"])
def test_a_long_body_is_refused_before_it_is_read(client: TestClient, path: str) -> None:
    visitor, headers = join_by_page(client, "long"), bearer(client, "long")
    headers["Content-Type"] = "application/json"
    if "api" not in path:
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
    body = b"x" * (LONGEST_BODY + 1)
    assert visitor.post(path, content=body, headers=headers).status_code == 413

    def drip() -> Iterator[bytes]:
        for _ in range(LONGEST_BODY // 1000 + 2):
            yield b"x" * 1000

    assert visitor.post(path, content=drip(), headers=headers).status_code == 413


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[" * 50_000,
        b'{"person": NaN}',
        b'{"person": "\\ud800"}',
        b"\xff\xfe",
        b'{"person": ' + b"9" * 5000 + b"}",
        b'"text"',
        b"null",
        b"[]",
    ],
)
def test_what_is_not_a_json_object_is_refused(client: TestClient, body: bytes) -> None:
    response = client.post(
        "/api/v1/join", content=body, headers={"Content-Type": "application/json"}
    )
    assert response.status_code in {400, 422}
    assert shaped(response)


def test_json_nested_ever_deeper_is_read_or_refused(client: TestClient) -> None:
    headers = {"Content-Type": "application/json"}
    for depth in range(850, 1000):
        nested = "[" * depth + "]" * depth
        body = f'{{"person": "\\u0061", "more": {nested}}}'
        response = client.post("/api/v1/join", content=body, headers=headers)
        assert response.status_code in {400, 403}, depth


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/%2e%2e/pyproject.toml",
        "/static/style.css",
        "/static//etc/passwd",
        "/../../etc/passwd",
        "/work/../../etc/passwd",
        "/templates/work.html.jinja",
        "/answers.sqlite",
        "/answers.key",
        "/.git/config",
    ],
)
def test_no_file_but_the_two_pages_load_is_served(client: TestClient, path: str) -> None:
    assert client.get(path).status_code in {303, 401, 403, 404}


@often
@given(name=st.one_of(st.sampled_from(NASTY), st.text(min_size=1, max_size=60)))
def test_strange_names_of_people_and_items_are_not_found(client: TestClient, name: str) -> None:
    from urllib.parse import quote

    quoted = quote(name, safe="", errors="replace")
    for path in (
        f"people/{quoted}/exclude",
        f"people/{quoted}/restore",
        f"items/{quoted}/withdraw",
    ):
        response = client.post(f"/api/v1/{path}", headers=RESEARCHER)
        assert response.status_code in {404, 405}


@often
@given(person=text, source=text)
def test_strange_people_join_or_are_refused(client: TestClient, person: str, source: str) -> None:
    body = json.dumps({"person": person, "source": source})
    response = client.post(
        "/api/v1/join", content=body, headers={"Content-Type": "application/json"}
    )
    assert response.status_code in {200, 400, 403, 422}  # 403: nobody agreed to the consent


def join_by_page(client: TestClient, person: str) -> TestClient:
    """Return a browser of its own that has consented."""
    visitor = TestClient(client.app, follow_redirects=False)
    token = csrf(visitor.get("/", params={"person": person}).text)
    said = {"_csrf": token, "person": person, "source": "link", "agree": "yes", "eligible": "yes"}
    assert visitor.post("/consent", data=said).status_code == 303
    return visitor


def csrf(page: str) -> str:
    found = re.search(r'name="_csrf" value="(\w+)"', page)
    assert found is not None
    return found.group(1)


def fields(page: str) -> dict[str, str]:
    return dict(re.findall(r'name="(_\w+)" value="([^"]*)"', page))


def item_page(visitor: TestClient) -> str:
    return visitor.get("/work", follow_redirects=True).text


def test_a_form_from_elsewhere_is_refused(client: TestClient) -> None:
    ann, bob = join_by_page(client, "ann page"), join_by_page(client, "bob page")
    page = item_page(ann)
    here, mine = form_address(page), fields(page)
    theirs = fields(item_page(bob))
    for token in ("", "x", theirs["_csrf"], mine["_csrf"][:-1], mine["_csrf"].upper() + "é"):
        sent = {**mine, "_csrf": token, "plausible": "5"}
        assert ann.post(here, data=sent).status_code == 403
    plain = {"Content-Type": "text/plain"}
    body = "&".join(f"{name}={value}" for name, value in mine.items())
    assert ann.post(here, content=body, headers=plain).status_code == 415
    assert ann.post(here, data={**mine, "plausible": "5"}).status_code == 303


def test_a_page_sent_twice_is_stored_once(client: TestClient) -> None:
    visitor = join_by_page(client, "double click")
    page = item_page(visitor)
    sent = {**fields(page), "plausible": "4"}
    before = len(ratings(client))
    for _ in range(3):
        assert visitor.post(form_address(page), data=sent).status_code == 303
    assert len(ratings(client)) == before + 1


def test_another_persons_page_is_refused(client: TestClient) -> None:
    ann, bob = join_by_page(client, "ann 2"), join_by_page(client, "bob 2")
    there = form_address(item_page(bob))
    sent = {**fields(item_page(ann)), "plausible": "5"}
    assert ann.post(there, data=sent).status_code == 403
    assert ann.get(there).headers["location"] == "/work"


@often
@given(sent=st.dictionaries(st.sampled_from(["plausible", "comment", "_key", "x:y"]), text))
def test_strange_pages_are_answered_without_failing(
    client: TestClient, sent: dict[str, str]
) -> None:
    visitor = join_by_page(client, "strange pages")
    page = item_page(visitor)
    sent = {name: value.encode(errors="replace").decode() for name, value in sent.items()}
    response = visitor.post(form_address(page), data={**fields(page), **sent})
    assert response.status_code in {303, 409, 422}
    assert "<script>alert" not in response.text


def test_no_page_works_without_a_session(client: TestClient) -> None:
    for path in ("/work", "/work/abc", "/done", "/instructions"):
        assert TestClient(client.app).get(path).status_code == 401


def test_nothing_stored_tells_who_someone_is(client: TestClient, folder: Path) -> None:
    number, agent = "5f3c0ffee0ddba11cafe1234", "Very-Special-Browser/1.0"
    client.post(
        "/api/v1/join", json={"person": number, "source": "prolific"}, headers={"User-Agent": agent}
    )
    with sqlite3.connect(folder / "answers.sqlite") as connection:
        dump = "\n".join(connection.iterdump())
    connection.close()
    for secret in (number, agent, "testclient", "127.0.0.1"):
        assert secret not in dump


@pytest.mark.parametrize("path", ["/", "/work", "/api/v1/next", "/nothing", "/healthz"])
def test_every_answer_carries_strict_headers(client: TestClient, path: str) -> None:
    headers = client.get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"


def test_the_session_is_out_of_reach_of_scripts(client: TestClient) -> None:
    cookie = TestClient(client.app).get("/").headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "max-age" in cookie
