"""The platform is asked about people at the door, and its signed links are checked."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import plausibly as pb
from plausibly.ratings.signed_links import read_signed_link
from plausibly.web.app import create_app
from plausibly.web.study import read_study
from worlds.platform import TOKEN, FakePlatform, fake_platform
from worlds.served import Clock, items_of, study_folder

SERVER = {"door": "panel", "platform": "prolific", "platform_study": "ours"}
YES = {"agree": "yes", "eligible": "yes"}
SITE = "https://study.example.org"
# Of a key made for these tests.
PRIMES = (
    "feed3737e1279dda5cbe8a80752b6eab1b13c95d5642f698b8012fac14d8fbf78921cce23568bdb17feb5913"
    "9b959778aca202c563c5984ee37339ce1a94f40d270d1f2b2551c061351f062c23df16e590a037573b2979e2"
    "2d3dc8e9b3b41d13d887b092f3b0057b257611138986a7dabe4adbaec14099ca3e631318f44bf0fd",
    "c79e15b6846fc820fa05c52de05a6f3c760864bb5bca2bb5320d1bcb7ac242937770e1230bc6beab08004cd3"
    "bfc0dfe88895ccba319f9ae950b61aca68a79d13191abf310e8857a603ec0add401b8795b19fc96e6c4462fa"
    "ca3e2acc7459075e3c361293bd07e5a8651e664c874203d7ec770f4505301dd4af25d1c13ddc02c3",
)
PREFIX = bytes.fromhex("3031300d060960864801650304020105000420")


@pytest.fixture
def platform(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakePlatform]:
    with fake_platform() as fake:
        monkeypatch.setenv("PROLIFIC_TOKEN", TOKEN)
        monkeypatch.setenv("PROLIFIC_URL", fake.address)
        yield fake


def folder_of(path: Path, **server: Any) -> Path:
    ratings = {"target": 9, "batch": 2, "quota": 2, "checks_per_batch": 0}
    sections = {"ratings": ratings, "server": {**SERVER, **server}}
    return study_folder(path / "s", items_of(4), sections)


def enter(
    folder: Path,
    person: str,
    token: str = "",
    clock: Clock | None = None,
    forged: dict[str, str] | None = None,
) -> int:
    """Return the status of the last page of someone who agrees."""
    app = create_app(read_study(folder), clock=clock or Clock())
    with TestClient(app, base_url="https://testserver") as visitor:
        link = f"/?PROLIFIC_PID={person}&STUDY_ID=ours&SESSION_ID=sub-{person}"
        page = visitor.get(link + (f"&prolific_token={token}" if token else ""))
        if page.status_code != 200:
            return page.status_code
        fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page.text))
        return visitor.post("/consent", data={**fields, **YES, **(forged or {})}).status_code


def unconfirmed(folder: Path) -> int:
    return int(pb.people_list(folder).people["flags"].str.contains("unconfirmed").sum())


def test_whoever_the_platform_knows_is_confirmed_at_once(
    tmp_path: Path, platform: FakePlatform
) -> None:
    folder = folder_of(tmp_path)
    platform.add("ann", "ACTIVE")
    assert enter(folder, "ann") == 200
    assert unconfirmed(folder) == 0


def test_whoever_it_does_not_know_or_has_sent_away_stays_outside(
    tmp_path: Path, platform: FakePlatform
) -> None:
    folder = folder_of(tmp_path)
    platform.add("ann", "RETURNED")
    platform.add("bob", "ACTIVE")
    platform.submissions["sub-bob"]["participant"] = "somebody else"
    assert [enter(folder, one) for one in ("ann", "bob", "eve")] == [403, 403, 403]
    assert pb.people_list(folder).people.is_empty()


def test_without_an_answer_in_time_people_are_unconfirmed(
    tmp_path: Path, platform: FakePlatform
) -> None:
    folder = folder_of(tmp_path)
    platform.add("ann", "ACTIVE")
    platform.faults = 1.0
    assert enter(folder, "ann") == 200
    assert unconfirmed(folder) == 1


class Signer:
    """A key of 2048 bits that signs as the platform does."""

    def __init__(self) -> None:
        self.p = int(PRIMES[0], 16)
        self.q = int(PRIMES[1], 16)
        self.n, self.e = self.p * self.q, 65537
        self.d = pow(self.e, -1, (self.p - 1) * (self.q - 1))

    def jwk(self) -> dict[str, str]:
        numbers = {"n": self.n.to_bytes(256), "e": self.e.to_bytes(3)}
        coded = {name: encoded(value) for name, value in numbers.items()}
        return {"kid": "one", "kty": "RSA", "alg": "RS256", **coded}

    def sign(self, claims: dict[str, Any], **header: str) -> str:
        head = encoded(json.dumps({"alg": "RS256", "kid": "one", **header}).encode())
        body = encoded(json.dumps(claims).encode())
        digest = PREFIX + hashlib.sha256(f"{head}.{body}".encode()).digest()
        block = b"\x00\x01" + b"\xff" * (256 - len(digest) - 3) + b"\x00" + digest
        number = pow(int.from_bytes(block), self.d, self.n)
        return f"{head}.{body}.{encoded(number.to_bytes(256))}"


def encoded(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def claims_of(person: str, now: float, **more: Any) -> dict[str, Any]:
    return {
        "iss": "https://www.prolific.com",
        "aud": f"{SITE}/?PROLIFIC_PID={person}",
        "sub": f"sub-{person}",
        "exp": now + 120,
        "prolific": {"PROLIFIC_PID": person, "STUDY_ID": "ours"},
        **more,
    }


def test_a_signed_link_confirms_without_a_look_up(tmp_path: Path, platform: FakePlatform) -> None:
    folder = folder_of(tmp_path, public_url=SITE, signed_links=True)
    signer, clock = Signer(), Clock()
    platform.jwks = [signer.jwk()]
    assert enter(folder, "ann", signer.sign(claims_of("ann", clock.now)), clock) == 200
    assert unconfirmed(folder) == 0
    assert enter(folder, "bob", "", clock) == 403  # the study asks for a signature
    other = {"person": "eve", "submission": "sub-eve"}
    assert enter(folder, "cid", signer.sign(claims_of("cid", clock.now)), clock, other) == 403
    stolen = signer.sign(claims_of("ann", clock.now))
    assert enter(folder, "eve", stolen, clock) == 403


@pytest.mark.parametrize(
    ("changed", "header"),
    [
        ({"exp": 0.0}, {}),
        ({"iss": "https://example.org"}, {}),
        ({"aud": "https://other.example.org/"}, {}),
        ({}, {"alg": "none"}),
        ({}, {"alg": "HS256"}),
        ({}, {"kid": "two"}),
    ],
)
def test_a_link_that_is_old_or_not_ours_is_refused(
    changed: dict[str, Any], header: dict[str, str]
) -> None:
    signer, now = Signer(), 1_000_000.0
    read: dict[str, Any] = {"keys": [signer.jwk()], "audience": SITE, "now": now}
    assert read_signed_link(signer.sign(claims_of("ann", now)), **read) is not None
    token = signer.sign({**claims_of("ann", now), **changed}, **header)
    assert read_signed_link(token, **read) is None


def test_a_link_that_was_changed_is_refused() -> None:
    signer, now = Signer(), 1_000_000.0
    head, body, signature = signer.sign(claims_of("ann", now)).split(".")
    other = encoded(json.dumps(claims_of("eve", now)).encode())
    read: dict[str, Any] = {"keys": [signer.jwk()], "audience": SITE, "now": now}
    for token in (f"{head}.{other}.{signature}", f"{head}.{body}.{signature[:-2]}", "a.b", "é.é.é"):
        assert read_signed_link(token, **read) is None
