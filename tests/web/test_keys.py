"""The key of a study: made once, whole or not at all, and never taken for less than it is."""

from __future__ import annotations

import os
import stat
from datetime import datetime, tzinfo
from pathlib import Path

import pytest

from plausibly.errors import StudyError
from plausibly.web import keys
from plausibly.web.app import create_app
from plausibly.web.keys import FILE, VARIABLE, Keys, Session, study_secret
from worlds.served import served_of


@pytest.fixture(autouse=True)
def no_key_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


def test_a_key_is_made_once_for_its_owner_only(tmp_path: Path) -> None:
    secret = study_secret(tmp_path, "1")
    assert len(secret) == 32
    assert study_secret(tmp_path, "1") == secret
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


@pytest.mark.parametrize(
    "content", [b"", b"\n", b"00" * 31, b"00" * 33, b"zz" * 32, b"0" * 63, b"\xff" * 64]
)
def test_what_is_not_a_whole_key_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(StudyError, match=r"answers\.key: .* 64 hexadecimal digits"):
        study_secret(tmp_path, "1")
    assert (tmp_path / FILE).read_bytes() == content


def test_a_server_killed_while_it_makes_the_key_leaves_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(descriptor: int) -> None:
        raise KeyboardInterrupt(descriptor)

    monkeypatch.setattr(os, "fsync", killed)
    with pytest.raises(KeyboardInterrupt):
        study_secret(tmp_path, "1")
    assert not (tmp_path / FILE).exists()


def test_of_two_servers_that_make_a_key_at_once_both_use_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = os.link
    first = "ab" * 32

    def beaten(source: Path, target: Path) -> None:
        (tmp_path / FILE).write_text(first, encoding="ascii")
        link(source, target)

    monkeypatch.setattr(os, "link", beaten)
    assert study_secret(tmp_path, "1") == bytes.fromhex(first)
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


def test_a_key_that_cannot_be_kept_is_said(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match=VARIABLE):
        study_secret(tmp_path / "nowhere", "1")


def test_a_short_key_or_token_of_the_environment_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path / 'answers.sqlite'}"
    with pytest.raises(StudyError, match="PLAUSIBLY_TOKEN must have 16 characters"):
        create_app(served_of(1), database=url, token="x" * 15)
    monkeypatch.setenv(VARIABLE, "x" * (keys.SHORTEST - 1))
    with pytest.raises(StudyError, match="PLAUSIBLY_KEY must have 16 characters"):
        study_secret(tmp_path, "1")


def test_a_session_stays_signed_as_it_was_for_a_while_and_no_longer_than_it_lasts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    signer = Keys(b"k" * 32, seconds=3600)
    monkeypatch.setattr(keys, "RENEWED", 10**12)
    cookie, token = signer.session(Session("n", "ann")), signer.token("ann")
    assert signer.session(Session("n", "ann")) == cookie
    assert signer.session(Session("n", "bob")) != cookie
    for _ in range(2):  # the second time from what is known
        assert signer.read_session(cookie) == Session("n", "ann")
        assert signer.read_token(token) == "ann"
        assert signer.read_session(f"{cookie}x") is None
        assert signer.read_token(cookie) is None

    class Later:
        @staticmethod
        def now(zone: tzinfo) -> datetime:
            return datetime(2100, 1, 1, tzinfo=zone)

    monkeypatch.setattr(keys, "datetime", Later)
    assert signer.read_session(cookie) is None
    assert signer.read_token(token) is None


def test_what_is_signed_is_read_only_as_it_was_written() -> None:
    keys = Keys(b"k" * 32, seconds=60)
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_!=é"
    for signed, read in (
        (keys.token("ann"), keys.read_token),
        (keys.link("ann"), keys.read_link),
        (keys.session(Session("n", "ann")), keys.read_session),
    ):
        assert read(signed) is not None
        others = [signed[:-1] + one for one in letters if one != signed[-1]]
        assert not [one for one in (*others, signed + "!", signed + "=") if read(one) is not None]
