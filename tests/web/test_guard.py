from __future__ import annotations

from pathlib import Path

import pytest
from starlette.testclient import TestClient

from plausibly.errors import StudyError
from plausibly.web.app import create_app
from plausibly.web.guard import Limiter
from plausibly.web.keys import Keys, Session, study_secret
from plausibly.web.study import read_study
from worlds.served import items_of, joins, study_folder


def keys(seconds: float = 60) -> Keys:
    return Keys(b"0123456789abcdef", seconds=seconds)


def test_too_many_requests_are_refused_and_others_are_not(tmp_path: Path) -> None:
    study = study_folder(tmp_path, items_of(3), {"server": {"requests_per_minute": 5}})
    with TestClient(create_app(read_study(study))) as client:
        joined = joins(client, "ann").json()
        mine = {"Authorization": f"Bearer {joined['token']}"}
        statuses = [client.get("/api/v1/next", headers=mine).status_code for _ in range(7)]
        assert statuses == [200] * 5 + [429] * 2
        assert client.get("/").status_code == 200
        assert client.get("/healthz").status_code == 200


def test_who_waits_may_ask_again() -> None:
    limiter = Limiter(per_minute=60)
    assert all(limiter.allows("ann", now=0.0) for _ in range(60))
    assert not limiter.allows("ann", now=0.5)
    assert limiter.allows("ann", now=2.0)
    assert limiter.allows("bob", now=0.5)


def test_a_limiter_forgets_who_has_long_been_quiet() -> None:
    limiter = Limiter(per_minute=60)
    for n in range(25_000):
        limiter.allows(f"p{n}", now=float(n))
    assert len(limiter._left) < 11_000


def test_the_same_person_is_coded_the_same_and_nobody_else_is() -> None:
    assert keys().annotator("ann") == keys().annotator(" ann ")
    assert keys().annotator("ann") != keys().annotator("bob")
    other = Keys(b"another secret key", seconds=60)
    assert keys().annotator("ann") != other.annotator("ann")
    assert "ann" not in keys().annotator("ann")


def test_tokens_and_sessions_run_out_and_links_do_not() -> None:
    short = keys(seconds=-1)
    assert short.read_token(short.token("p1")) is None
    assert short.read_session(short.session(Session("n", "p1"))) is None
    assert short.read_link(short.link("p1")) == "p1"
    assert keys().read_token(keys().token("p1")) == "p1"
    assert keys().read_session(keys().session(Session("n", "p1"))) == Session("n", "p1")


def test_the_key_is_made_once_and_kept_from_others(tmp_path: Path) -> None:
    assert study_secret(tmp_path, "1") == study_secret(tmp_path, "1")
    assert (tmp_path / "answers.key").stat().st_mode & 0o077 == 0


def test_a_key_from_the_environment_gives_every_study_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAUSIBLY_KEY", "a long enough secret")
    assert study_secret(tmp_path, "1") != study_secret(tmp_path, "2")
    assert not (tmp_path / "answers.key").exists()
    monkeypatch.setenv("PLAUSIBLY_KEY", "short")
    with pytest.raises(StudyError, match="16 characters"):
        study_secret(tmp_path, "1")


def test_another_key_for_the_same_answers_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = study_folder(tmp_path, items_of(3), {})
    with TestClient(create_app(read_study(study))):
        pass
    monkeypatch.setenv("PLAUSIBLY_KEY", "a long enough secret")
    with pytest.raises(StudyError, match="another key"):
        create_app(read_study(study))


def test_without_a_token_the_researchers_part_is_closed(tmp_path: Path) -> None:
    study = study_folder(tmp_path, items_of(3), {})
    with TestClient(create_app(read_study(study))) as client:
        for token in ("", "Bearer ", "Bearer x"):
            response = client.get("/api/v1/ratings", headers={"Authorization": token})
            assert response.status_code == 403


def test_behind_https_the_session_never_leaves_it(tmp_path: Path) -> None:
    server = {"public_url": "https://study.example.org"}
    study = study_folder(tmp_path, items_of(3), {"server": server})
    with TestClient(create_app(read_study(study))) as client:
        assert "secure" in client.get("/").headers["set-cookie"].lower()
