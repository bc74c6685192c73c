"""A study on Prolific, against a platform that follows its documentation and has faults."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import plausibly as pb
from plausibly.backends import prolific
from plausibly.cli import run
from plausibly.errors import StudyError
from plausibly.ratings.store.allocation import join
from plausibly.ratings.store.dialect import connect
from plausibly.ratings.store.doors import Person
from plausibly.web.app import create_app
from plausibly.web.people import prolific as studying
from plausibly.web.study import read_study
from worlds.platform import TOKEN, FakePlatform, fake_platform
from worlds.served import answered, items_of, study_folder

SERVER = {
    "door": "panel",
    "platform": "prolific",
    "platform_study": "ours",
    "code": "WHOLE",
    "reward": 2.0,
    "item_reward": 0.5,
    "minutes": 10,
    "public_url": "https://study.example.org",
}
RATINGS = {"target": 40, "batch": 4, "quota": 4, "checks_per_batch": 0}


@pytest.fixture
def platform(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakePlatform]:
    with fake_platform() as fake:
        monkeypatch.setenv("PROLIFIC_TOKEN", TOKEN)
        monkeypatch.setenv("PROLIFIC_URL", fake.address)
        monkeypatch.setattr(
            prolific.ProlificClient.__init__,
            "__kwdefaults__",
            {
                **(prolific.ProlificClient.__init__.__kwdefaults__ or {}),
                "wait": lambda _: None,
            },
        )
        yield fake


def folder_of(path: Path, **server: Any) -> Path:
    sections = {"ratings": RATINGS, "server": {**SERVER, **server}}
    return study_folder(path / "s", items_of(4), sections)


def take_part(folder: Path, people: dict[str, int], platform: FakePlatform) -> None:
    """Let people answer so many items each, and finish if that is all."""
    served = read_study(folder)
    app = create_app(served)
    keys = app.state.desk.keys
    engine = connect(f"sqlite:///{folder / 'answers.sqlite'}")
    now = 1_000_000.0
    with engine.begin() as connection:
        for name, number in people.items():
            annotator = keys.annotator(name)
            person = Person(annotator, "prolific", confirmed=False, submission=f"h-{name}")
            join(connection, person, served=app.state.desk.served, now=now)
            for _ in range(number):
                answered(connection, annotator, served, now=now)
            if number == 4:
                answered(connection, annotator, served, now=now)
            platform.add(name, "AWAITING REVIEW" if number == 4 else "RETURNED")
    engine.dispose()


def states(folder: Path) -> Counter[str]:
    return Counter(pb.people_list(folder).people["state"].to_list())


def test_a_draft_is_shown_first_and_created_with_yes(
    tmp_path: Path, platform: FakePlatform, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = folder_of(tmp_path)
    assert run(["prolific", "draft", str(folder), "--json"]) == 0
    out = capsys.readouterr()
    document = json.loads(out.out)["document"]
    assert "This is a dry run" in out.err
    assert not platform.studies
    assert document["reward"] == 200
    assert document["maximum_allowed_time"] >= 2 + 2 * 10 + 2 * 10**0.5
    assert "PROLIFIC_PID={{%PROLIFIC_PID%}}" in document["external_study_url"]
    assert pb.prolific_draft(folder, yes=True).counts["study"] == "study-1"
    published = folder_of(tmp_path, platform_study="study-1")
    assert pb.prolific_publish(published).counts["state"] == "UNPUBLISHED"
    assert pb.prolific_publish(published, yes=True).counts["state"] == "ACTIVE"
    assert pb.prolific_publish(published, yes=True).counts["state"] == "ACTIVE"


def test_without_a_token_nothing_is_sent(
    tmp_path: Path, platform: FakePlatform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PROLIFIC_TOKEN")
    with pytest.raises(StudyError, match="PROLIFIC_TOKEN is not set"):
        pb.prolific_publish(folder_of(tmp_path), yes=True)
    assert platform.requests == 0


def test_whoever_left_the_platform_frees_places_and_may_come_back(
    tmp_path: Path, platform: FakePlatform
) -> None:
    folder = folder_of(tmp_path)
    take_part(folder, {"ann": 4, "bob": 2, "cid": 4}, platform)
    platform.submissions["sub-cid"]["status"] = "REJECTED"
    platform.add("stranger")
    counts = pb.prolific_sync(folder).counts
    assert (counts["left"], counts["strangers"]) == (2, 1)
    assert states(folder) == {"finished": 1, "returned": 2}
    assert pb.prolific_sync(folder).counts["left"] == 0
    platform.submissions["sub-cid"]["status"] = "APPROVED"
    assert pb.prolific_sync(folder).counts["back"] == 1
    used = pb.people_list(folder, where="data = 'used'").people
    assert used.height == 2
    assert b"192.0.2.1" not in (folder / "answers.platform.sqlite").read_bytes()


def test_approval_is_safe_to_repeat_and_returns_are_asked_for_once(
    tmp_path: Path, platform: FakePlatform
) -> None:
    folder = folder_of(tmp_path)
    take_part(folder, {"ann": 4, "bob": 4}, platform)
    assert pb.prolific_approve(folder).counts == {"approve": 2, "return": 0}
    pb.people_exclude(folder, ["bob"], reason="Failed two checks.", ask_return=True)
    for _ in range(2):
        pb.prolific_approve(folder, yes=True)
    assert platform.submissions["sub-ann"]["status"] == "APPROVED"
    assert platform.submissions["sub-bob"]["status"] == "AWAITING REVIEW"
    assert platform.asked == ["sub-bob"]


def test_a_bonus_is_shown_first_and_paid_once(tmp_path: Path, platform: FakePlatform) -> None:
    folder = folder_of(tmp_path)
    take_part(folder, {"ann": 4, "bob": 2, "cid": 3}, platform)
    dry = pb.prolific_bonus(folder)
    assert (dry.done, dry.counts["due"], dry.counts["amount"]) == (False, 2, 2.5)
    assert platform.paid == []
    for _ in range(3):
        pb.prolific_bonus(folder, yes=True)
    assert sorted(platform.paid) == [("sub-bob", 100), ("sub-cid", 150)]


def test_a_lost_reply_leaves_a_bonus_unknown_until_the_platform_shows_it(
    tmp_path: Path, platform: FakePlatform
) -> None:
    folder = folder_of(tmp_path)
    take_part(folder, {"bob": 2}, platform)

    platform.pays_nothing = True
    step = pb.prolific_bonus(folder, yes=True)
    assert (step.counts["sent"], step.counts["unknown"]) == (0, 1)
    assert step.notes
    platform.pays_nothing = False
    assert pb.prolific_bonus(folder, yes=True).counts["unknown"] == 1
    assert platform.paid == []
    platform.submissions["sub-bob"]["bonus_payments"].append(100)
    assert pb.prolific_bonus(folder, yes=True).counts == {
        "due": 0,
        "amount": 0.0,
        "sent": 1,
        "unknown": 0,
    }
    assert platform.paid == []


def test_a_bonus_that_never_shows_is_sent_again_after_two_days(
    tmp_path: Path, platform: FakePlatform, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_of(tmp_path)
    take_part(folder, {"bob": 2}, platform)
    platform.pays_nothing = True
    pb.prolific_bonus(folder, yes=True)
    platform.pays_nothing = False
    monkeypatch.setattr(studying, "SETTLE_SECONDS", -1.0)
    pb.prolific_bonus(folder, yes=True)
    assert platform.paid == [("sub-bob", 100)]


def test_no_bonus_is_paid_twice_under_a_hundred_faults(
    tmp_path: Path, platform: FakePlatform
) -> None:
    folder = folder_of(tmp_path)
    take_part(folder, {f"p{n:02}": 1 + n % 3 for n in range(25)}, platform)
    platform.faults, platform.draw = 0.5, Random(7)  # noqa: S311
    for _ in range(40):
        try:
            pb.prolific_bonus(folder, yes=True)
            pb.prolific_approve(folder, yes=True)
        except StudyError:
            pass
        if platform.happened >= 100:
            break
    assert platform.happened >= 100
    platform.faults = 0.0
    pb.prolific_bonus(folder, yes=True)
    paid = Counter(number for number, _ in platform.paid)
    assert set(paid.values()) == {1}
    unknown = pb.prolific_bonus(folder, yes=True).counts["unknown"]
    assert len(paid) + int(unknown) == 25
