"""What needs attention appears on the first page of the desk when it happens; in Italian, too."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from starlette.testclient import TestClient

import plausibly as pb
from plausibly.tables import ITEMS
from plausibly.web.app import create_app
from plausibly.web.locale.texts import Texts
from plausibly.web.study import read_study
from worlds.compared import compared_folder
from worlds.desk import answers, desk_of, entered, sends
from worlds.protocols import protocol_folder
from worlds.served import Clock, items_of, joins, study_folder

PAGES = (
    *("", "progress", "people", "objections", "agreement", "comments", "checks", "order"),
    *("money", "log", "download"),
)
PANEL = {"door": "panel", "platform": "prolific", "platform_study": "ours", "code": "C1"}
HOUR = 3600.0


def served(path: Path, items: pl.DataFrame, clock: Clock | None = None, **more: Any) -> TestClient:
    folder = study_folder(path / "s", items, more)
    return TestClient(create_app(read_study(folder), clock=clock or Clock()))


def catalogue(name: str) -> dict[str, str]:
    source = files("plausibly.web.locale").joinpath(f"{name}.toml")
    sections = tomllib.loads(source.read_text(encoding="utf-8"))
    return {
        f"{part}.{key}": text for part, texts in sections.items() for key, text in texts.items()
    }


def seen(client: TestClient) -> str:
    """Return the first page as the owner sees it."""
    return entered(client, "owner").get("/desk/").text


def in_lists() -> pl.DataFrame:
    rows = [
        {"item": f"g{g}-{c}", "text": f"{c} {g}", "item_group": f"g{g}", "condition": c}
        for g in range(3)
        for c in ("odd", "usual", "rare")
    ]
    return ITEMS.check(pl.DataFrame(rows).with_columns(kind=pl.lit("item")))


def burst(path: Path) -> str:
    server = {"burst": 2, "trusted_proxies": ["testclient"]}
    with served(path, items_of(9), server=server) as client:
        for person in ("ann", "bob", "cat"):
            joins(client, person, headers={"X-Forwarded-For": "203.0.113.7"})
        return seen(client)


def unconfirmed(path: Path, hours: float = 0) -> str:
    clock = Clock()
    with served(path, items_of(9), clock, server=PANEL) as client:
        ann = TestClient(client.app)
        page = ann.get("/?PROLIFIC_PID=ann&STUDY_ID=ours&SESSION_ID=s1").text
        hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))
        ann.post("/consent", data={**hidden, "agree": "yes", "eligible": "yes"})
        clock.now += hours * HOUR
        return seen(client)


def failed(path: Path) -> str:
    ratings = {"batch": 2, "quota": 2, "target": 3, "checks_per_batch": 1}
    with served(path, items_of(2, 1), ratings=ratings) as client:
        answers(client, "ann", 3, always="1")
        answers(client, "bob", 3, always="1")
        answers(client, "cat", 3, always="5")
        folder = client.app.state.desk.served.folder  # type: ignore[attr-defined]
        people = pb.people_list(folder, where="flags like '%failed check%'").people
        page = seen(client)
        assert people.height == 2
        pb.people_exclude(folder, people["annotator"].to_list())
        assert "failed a check" not in seen(client)
        return page


def stalled(path: Path) -> str:
    clock = Clock()
    ratings = {"lists": "latin", "batch": 3, "quota": 3, "target": 1, "checks_per_batch": 0}
    with served(path, in_lists(), clock, ratings=ratings) as client:
        answers(client, "ann", 4)
        assert "nobody has begun" not in seen(client)
        clock.now += 7 * HOUR
        answers(client, "bob", 4)
        return seen(client)


def last(path: Path, **server: Any) -> str:
    clock = Clock()
    ratings = {"batch": 4, "quota": 4, "target": 1, "checks_per_batch": 0}
    paid = {"reward": 2.0, "currency": "GBP", **server}
    with served(path, items_of(4), clock, ratings=ratings, server=paid) as client:
        answers(client, "ann", 3)
        clock.now += HOUR
        more: dict[str, Any] = {"short": 1} if server else {}
        bob = joins(client, "bob", **more).json()["annotator"]
        folder = client.app.state.desk.served.folder  # type: ignore[attr-defined]
        pb.people_withdraw(folder, [bob])
        return seen(client)


def short(path: Path) -> str:
    return last(path, short_code="S1")


def sent_back(path: Path) -> str:
    with served(path, items_of(4)) as client:
        bearer = {"Authorization": f"Bearer {joins(client, 'ann').json()['token']}"}
        shown = client.get("/api/v1/next", headers=bearer).json()
        sent = {"answers": {}, "reservation": shown["reservation"], "key": "k"}
        assert client.post("/api/v1/answers", json=sent, headers=bearer).status_code == 422
        return seen(client)


def quiet(path: Path) -> str:
    """Let the only place that is left lapse, and nobody come for seven hours."""
    clock = Clock()
    ratings = {"batch": 4, "quota": 4, "target": 1, "checks_per_batch": 0}
    with served(path, items_of(4), clock, ratings=ratings) as client:
        answers(client, "ann", 3)
        clock.now += 7 * HOUR
        return seen(client)


@pytest.mark.parametrize(
    ("happens", "notice"),
    [
        (burst, "3 people came in a burst and wait for your decision."),
        (unconfirmed, "1 person waits for the platform"),
        (lambda path: unconfirmed(path, 25), "1 person has waited for more than a day"),
        (failed, "2 people failed a check and are not excluded."),
        (stalled, "1 list has open places, and nobody has begun it for 6 hours: "),
        (last, "whoever comes next gets 1 item, for the pay of a whole round."),
        (short, "is offered a short round of 1 item, for 0.50 GBP."),
        (sent_back, "1 page was sent back"),
        (quiet, "The last answer came 7 hours ago, and 1 place is open."),
    ],
)
def test_what_happens_is_on_the_first_page(
    tmp_path: Path, happens: Callable[[Path], str], notice: str
) -> None:
    assert notice in " ".join(happens(tmp_path).split()).replace("&#39;", "'")


def test_a_disk_that_fills_up_is_reported_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)
    with desk_of(tmp_path) as client:
        assert "of the disk" not in seen(client)
        little = usage._replace(free=400_000_000)
        monkeypatch.setattr(shutil, "disk_usage", lambda _: little)
        assert "Only 0.4 GB of the disk are free." in seen(client)


def test_the_last_arrivals_are_listed_with_their_pay_and_without_names(tmp_path: Path) -> None:
    with desk_of(tmp_path) as client:
        ann = answers(client, "ann", 7)
        page = entered(client, "owner").get("/desk/progress").text
        assert "Last arrivals" in page
        assert "3.00 GBP" in page
        assert "0.500" in page
        assert ann[:9] not in page
        assert "Last arrivals" not in entered(client, "viewer").get("/desk/progress").text


def test_every_page_speaks_the_language_of_the_study(tmp_path: Path) -> None:
    with desk_of(tmp_path, interface="it") as client:
        people = [answers(client, person, 7) for person in ("ann", "bob", "cat")]
        owner = entered(client, "owner")
        sends(owner, "/desk/exclude", name=people[0])
        pages = [owner.get(f"/desk/{page}").text for page in PAGES]
        one = {"name": people[0]}
        pages += [owner.get(f"/desk/{page}", params=one).text for page in ("person", "exclude")]
    english, italian = catalogue("desk.en"), Texts("it")
    assert all('<html lang="it">' in page for page in pages)
    assert "1,50 GBP" not in pages[0]
    assert "9,00 GBP" in pages[PAGES.index("money")]
    assert italian("desk_word.excluded") in pages[PAGES.index("log")]
    shown = "\n".join(re.sub(r"<svg.*?</svg>", "", page, flags=re.DOTALL) for page in pages)
    sentences = [text for text in english.values() if len(text) > 12 and "{" not in text]
    assert len(sentences) > 80
    assert [text for text in sentences if f">{text}<" in shown] == []


def test_who_is_excluded_for_another_reason_is_not_careful(tmp_path: Path) -> None:
    with desk_of(tmp_path) as client:
        people = [answers(client, person, 7, always="1") for person in ("ann", "bob", "cat")]
        owner = entered(client, "owner")

        def careful() -> tuple[str, ...]:
            page = re.sub(r"<[^>]+>|\s+", " ", owner.get("/desk/checks").text)
            row = re.search(r"cook 0 stirs soup +plausible +(\d+) +100 % +(\d+)", page)
            assert row is not None, page
            return row.groups()

        answered, before = careful()
        assert answered == before
        for name in people:
            sends(owner, "/desk/exclude", name=name)
        assert careful() == (answered, "0")


def test_an_item_of_several_steps_is_answered_once(tmp_path: Path) -> None:
    folder = protocol_folder(tmp_path / "s", "gita", server={"interface": "en"})
    pair = {"conflict_sentence": "1", "breakpoint": "2"}
    steps = ({"plausible": "false"}, pair, {"state": "wet"})
    with TestClient(create_app(read_study(folder), clock=Clock())) as client:
        bearer = {"Authorization": f"Bearer {joins(client, 'ann').json()['token']}"}
        for step, given in enumerate(steps, 1):
            shown = client.get("/api/v1/next", headers=bearer).json()
            sent = {"reservation": shown["reservation"], "answers": given, "step": step}
            sent["key"] = f"k{step}"
            assert client.post("/api/v1/answers", json=sent, headers=bearer).status_code == 201
        joins(client, "bob")
        shown = entered(client, "viewer").get("/desk/").text
        owner = entered(client, "owner")
        for name in pb.people_list(folder).people["annotator"]:
            person = owner.get("/desk/person", params={"name": name}).text
            answered = ", step 2</td>" in person
            assert answered == ("<dt>Seconds</dt>" in person)
    assert "1 in the last 24 hours" in shown
    assert "after 1 answer to items and checks" in shown


def test_a_study_that_names_no_pay_shows_none(tmp_path: Path) -> None:
    folder = study_folder(tmp_path / "s", items_of(3), {"ratings": {"batch": 3, "quota": 3}})
    with TestClient(create_app(read_study(folder), clock=Clock())) as client:
        answers(client, "ann", 3)
        for page in ("progress", "money"):
            assert "0.00" not in entered(client, "owner").get(f"/desk/{page}").text


def test_order_is_that_of_the_first_question_with_numbers(tmp_path: Path) -> None:
    with TestClient(create_app(read_study(compared_folder(tmp_path)), clock=Clock())) as client:
        bearer = {"Authorization": f"Bearer {joins(client, 'ann').json()['token']}"}
        while "item" in (shown := client.get("/api/v1/next", headers=bearer).json()):
            names = [one["id"] for one in shown["content"]["candidates"]]
            given = {"grammar": dict.fromkeys(names, "NO"), "sure": 7}
            sent = {"answers": given, "reservation": shown["reservation"], "key": shown["item"]}
            assert client.post("/api/v1/answers", json=sent, headers=bearer).status_code == 201
        page = entered(client, "viewer").get("/desk/order").text
    assert "those to “sure”, the first question answered with numbers" in page
    assert "7.00" in page
