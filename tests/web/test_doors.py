"""Who may enter a study, and what nobody learns by entering a number."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from starlette.testclient import TestClient

from plausibly.cli import run
from plausibly.errors import StudyError
from plausibly.ratings.collected import read_answers
from plausibly.ratings.server import door_of, refuse_unworkable
from plausibly.web.app import create_app
from plausibly.web.locale.texts import Texts
from plausibly.web.people import people_admit, people_list, people_restore
from plausibly.web.study import read_study
from serving import TOKEN
from worlds.served import Clock, form_address, items_of, joins, study_folder

PLATFORM = {"platform": "prolific", "platform_study": "ours"}
SITE = "https://study.example.org"
YES = {"agree": "yes", "eligible": "yes"}
RATINGS = {"target": 2, "batch": 2, "quota": 2, "checks_per_batch": 0}
texts = Texts("en")


def folder_of(path: Path, **server: Any) -> Path:
    return study_folder(path / "s", items_of(2), {"ratings": RATINGS, "server": server})


def client_of(folder: Path, clock: Clock | None = None) -> TestClient:
    app = create_app(read_study(folder), token=TOKEN, clock=clock or Clock())
    return TestClient(app)


def hidden(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))


def enters(client: TestClient, path: str) -> tuple[TestClient, Any]:
    """Return a new browser and the page it gets after its person agreed."""
    visitor = TestClient(client.app)
    page = visitor.get(path)
    if 'action="/consent"' not in page.text:
        return visitor, page
    return visitor, visitor.post("/consent", data={**hidden(page.text), **YES})


def panel(person: str, study: str = "ours", submission: str = "") -> str:
    return f"/?PROLIFIC_PID={person}&STUDY_ID={study}&SESSION_ID={submission or 's-' + person}"


@pytest.mark.parametrize(
    ("server", "host", "door"),
    [
        ({}, "127.0.0.1", "open"),
        ({"public_url": SITE}, "127.0.0.1", "links"),
        ({}, "0.0.0.0", "links"),  # noqa: S104
        (PLATFORM, "127.0.0.1", "panel"),
        ({**PLATFORM, "door": "list"}, "127.0.0.1", "list"),
    ],
)
def test_the_door_is_the_strictest_that_can_work(
    tmp_path: Path, server: dict[str, Any], host: str, door: str
) -> None:
    study = read_study(folder_of(tmp_path, **{"door": "", **server}))
    assert door_of(study.server, host) == door


class TestPanel:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        return folder_of(tmp_path, door="panel", **PLATFORM)

    def test_all_three_ids_are_needed_and_the_study_must_be_ours(self, folder: Path) -> None:
        with client_of(folder) as client:
            for path in ("/?PROLIFIC_PID=ann", "/", panel("ann", study="other")):
                assert texts("consent.number") in enters(client, path)[1].text
            assert texts("instructions.title") in enters(client, panel("ann"))[1].text

    def test_an_id_enters_once_and_so_does_a_submission(self, folder: Path) -> None:
        with client_of(folder) as client:
            ann, _ = enters(client, panel("ann"))
            for path in (
                panel("ann"),
                panel("ann", submission="b"),
                panel("eve", submission="s-ann"),
            ):
                _, page = enters(client, path)
                assert (page.status_code, texts("denied.door") in page.text) == (403, True)
            assert ann.get("/work").status_code == 200

    def test_agreeing_twice_in_one_browser_is_harmless(self, folder: Path) -> None:
        with client_of(folder) as client:
            visitor = TestClient(client.app, follow_redirects=False)
            sent = {**hidden(visitor.get(panel("ann")).text), **YES}
            cookies = dict(visitor.cookies)
            assert visitor.post("/consent", data=sent).status_code == 303
            again = TestClient(client.app, follow_redirects=False, cookies=cookies)
            assert again.post("/consent", data=sent).status_code == 303

    def test_answers_count_once_the_platform_confirms_the_person(self, folder: Path) -> None:
        clock = Clock()
        with client_of(folder, clock) as client:
            ann, _ = enters(client, panel("ann"))
            for _ in range(2):
                page = ann.get("/work").text
                ann.post(form_address(page), data={**hidden(page), "plausible": "5"})
            rows = client.get("/api/v1/ratings", headers={"Authorization": f"Bearer {TOKEN}"})
            assert rows.text == ""
            clock.now += 4 * 24 * 3600
            enters(client, panel("bob"))  # whoever comes next finds the places open
            with closing(sqlite3.connect(folder / "answers.sqlite")) as connection:
                causes = connection.execute("SELECT cause FROM slots WHERE revision > 0").fetchall()
            assert causes == [("unconfirmed",)] * 2
        export = folder / "export.csv"
        export.write_text("Submission id,Participant id\ns-ann,ann\n", encoding="utf-8")
        assert people_admit(folder, export).people == 1
        assert read_answers(folder / "answers.sqlite", names={}).ratings.height == 2


class TestLinks:
    def test_a_personal_link_leads_to_consent_and_then_back_to_the_items(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        folder, site = folder_of(tmp_path, door="links"), "http://127.0.0.1:8000"
        assert run(["people", "admit", str(folder), "-n", "2"]) == 0
        printed = capsys.readouterr()
        one, other = printed.out.split()
        assert one != other
        assert "set [server] public_url" in printed.err
        with client_of(folder) as client:
            assert texts("consent.link") in client.get("/?person=ann").text
            _, page = enters(client, one.removeprefix(site))
            assert texts("instructions.title") in page.text
            again = TestClient(client.app).get(one.removeprefix(site))
            assert again.url.path.startswith("/work/")
            assert joins(client, "ann").status_code == 403

    def test_a_link_that_is_forged_leads_nowhere(self, tmp_path: Path) -> None:
        with client_of(folder_of(tmp_path, door="links")) as client:
            assert client.get("/resume/forged").status_code == 403


def test_a_list_lets_in_its_numbers_once(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, door="list")
    numbers = tmp_path / "numbers.txt"
    numbers.write_text("ann\nbob\n", encoding="utf-8")
    assert people_admit(folder, numbers).people == 2
    with client_of(folder) as client:
        assert texts("instructions.title") in enters(client, "/?person=ann")[1].text
        refusals = {enters(client, f"/?person={name}")[1].text for name in ("ann", "eve")}
        refusals |= {joins(client, name).json()["error"] for name in ("ann", "eve")}
        assert {texts("denied.door") in text for text in refusals} == {True}


def test_an_open_door_takes_a_known_number_for_somebody_new(tmp_path: Path) -> None:
    with client_of(folder_of(tmp_path)) as client:
        ann, _ = enters(client, "/?person=ann")
        eve, page = enters(client, "/?person=ann")
        assert page.status_code == 200
        links = [one.get("/instructions").text for one in (ann, eve)]
        assert len({re.search(r"/resume/[\w.-]+", text).group() for text in links}) == 2  # type: ignore[union-attr]


def test_a_withdrawal_is_final_after_a_week(tmp_path: Path) -> None:
    clock = Clock()
    with client_of(folder_of(tmp_path), clock) as client:
        ann, _ = enters(client, "/?person=ann")
        link = re.search(r"/resume/[\w.-]+", ann.get("/instructions").text)
        assert link is not None
        ann.post("/withdraw", data=hidden(ann.get("/withdraw").text))
        back = TestClient(client.app)
        page = back.get(link.group()).text
        back.post("/withdraw/undo", data=hidden(page))
        assert back.get("/work").status_code == 200
        back.post("/withdraw", data=hidden(back.get("/withdraw").text))
        clock.now += 8 * 24 * 3600
        assert texts("withdraw.final") in TestClient(client.app).get(link.group()).text


@pytest.mark.parametrize(
    ("server", "message"),
    [
        ({"return_url": "javascript:alert(1)"}, "return_url must begin with https"),
        ({"return_url": "https://app.prolific.com/x?cc={code}"}, "completion code of the study"),
        ({"return_url": "https://app.prolific.com/x", "code": "A"}, "without the completion code"),
        ({"return_url": "https://app.prolific.com/x?cc=B", "code": "A"}, "without the completion"),
        ({"full_url": "http://panel.example.org/{code}"}, "full_url must begin with https"),
        ({"trusted_proxies": ["nginx"]}, "trusted_proxies must hold numeric addresses"),
        ({"public_url": "http://study.example.org"}, "public_url must begin with https"),
        ({"door": "panel"}, "needs a platform"),
        ({"door": "panel", "platform": "prolific"}, "platform_study is empty"),
        ({**PLATFORM, "door": "panel", "platform_minutes": 45.0}, "lease_minutes = 30 is shorter"),
        ({**PLATFORM, "door": "panel", "signed_links": True, "platform": "sona"}, "signed_links"),
        ({**PLATFORM, "door": "panel"}, "code is empty. Prolific knows only"),
        ({**PLATFORM, "door": "open", "signed_links": True}, "signed_links = true needs"),
        ({"signed_links": True}, "signed_links = true needs"),
        ({"held_per_address": 1}, "held_per_address = 1 is less than the 2 places of a batch"),
        ({"door": "window"}, "door must be one of panel, links, list, open"),
    ],
)
def test_settings_that_cannot_work_are_named_with_their_line(
    tmp_path: Path, server: dict[str, Any], message: str
) -> None:
    folder = folder_of(tmp_path, **server)
    settings = folder / "study.toml"
    with pytest.raises(StudyError, match=re.escape(message)) as refused:
        refuse_unworkable(read_study(folder), host="127.0.0.1", where=str(settings))
    place = re.match(rf"{re.escape(str(settings))}:(\d+): \[(\w+)\] (\w+)", str(refused.value))
    assert place, refused.value
    number, section, key = place.groups()
    line = settings.read_text().splitlines()[int(number) - 1]
    assert line.startswith(f"{key} = ") or line == f"[{section}]"  # of a key that is not set
    assert (key in server) == (line != f"[{section}]")


def test_lists_shorter_than_a_batch_are_refused(tmp_path: Path) -> None:
    items = items_of(4).with_columns(
        pl.Series("item_group", ["a", "a", "b", "b"]), pl.Series("condition", ["x", "y", "x", "y"])
    )
    ratings = {**RATINGS, "quota": 0, "lists": "latin-square", "batch": 3}
    folder = study_folder(tmp_path / "s", items, {"ratings": ratings})
    with pytest.raises(StudyError, match="batch = 3, but a list has at most 2 items"):
        refuse_unworkable(read_study(folder), host="127.0.0.1", where="study.toml")


def test_a_number_alone_does_not_redirect_the_pay_of_who_has_begun(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, **PLATFORM, code="C1", door="panel")
    with client_of(folder) as client:
        _, page = enters(client, panel("ann", submission="s-ann"))
        assert page.url.path == "/instructions"
        thief = TestClient(client.app)
        page = thief.get(panel("ann", submission="s-thief"))
        thief.post("/consent", data={**hidden(page.text), "agree": "yes", "eligible": "no"})
        desk = client.app.state.desk  # type: ignore[attr-defined]
        (kept,) = desk.ids.of([desk.keys.annotator("ann")]).values()
        assert kept.submission == "s-ann"
        assert people_list(folder).people["state"].to_list() != ["screened out"]


@pytest.mark.parametrize(
    "addresses",
    [("203.0.113.7", "203.0.113.7:443"), ("2001:db8:0:1::7", "2001:db8:0:1:ffff::9")],
    ids=["port", "network"],
)
def test_people_from_a_crowded_address_get_the_way_back(
    tmp_path: Path, addresses: tuple[str, str]
) -> None:
    limits = {"people_per_hour": 1, "trusted_proxies": ["testclient"], "full_code": "FULL"}
    folder = folder_of(tmp_path, **PLATFORM, code="C1", door="panel", **limits)
    with client_of(folder) as client:
        pages = []
        for name, address in zip(("ann", "bob"), addresses, strict=True):
            visitor = TestClient(client.app, headers={"X-Forwarded-For": address})
            page = visitor.get(panel(name))
            pages.append(visitor.post("/consent", data={**hidden(page.text), **YES}))
        assert pages[0].url.path == "/instructions"
        assert pages[1].status_code == 409
        assert "FULL" in pages[1].text
        assert texts("consent.closed_title") in pages[1].text


@pytest.mark.parametrize(("quota", "paid"), [(0, True), (4, True), (0, False), (2, True)])
def test_paid_people_get_the_one_round_they_are_paid_for(
    tmp_path: Path, quota: int, paid: bool
) -> None:
    server: dict[str, Any] = {"reward": 1.5, "currency": "GBP"} if paid else {}
    sections = {"ratings": {**RATINGS, "quota": quota}, "server": server}
    folder = study_folder(tmp_path / "s", items_of(8), sections)
    study = read_study(folder)
    assert study.plan.quota == (2 if paid else quota)
    refuse_unworkable(study, host="127.0.0.1", where=str(folder / "study.toml"))
    with client_of(folder) as client:
        _, page = enters(client, "/")
        assert (texts("instructions.further") in page.text) != paid


@pytest.mark.parametrize(
    ("grouped", "items", "further"), [(True, 4, False), (False, 2, False), (False, 4, True)]
)
def test_no_further_round_is_promised_to_who_gets_everything_in_the_first(
    tmp_path: Path, grouped: bool, items: int, further: bool
) -> None:
    table = items_of(items)
    if grouped:
        table = table.with_columns(item_group=pl.Series(["g1", "g2"] * (items // 2)))
    folder = study_folder(tmp_path / "s", table, {"ratings": {**RATINGS, "batch": 2, "quota": 0}})
    with client_of(folder) as client:
        _, page = enters(client, "/")
        assert (texts("instructions.further") in page.text) == further


def test_a_burst_from_one_address_is_held_until_the_researcher_decides(tmp_path: Path) -> None:
    server = {"burst": 2, "trusted_proxies": ["testclient"], "api": True}
    sections: dict[str, dict[str, Any]] = {"ratings": {**RATINGS, "target": 9}, "server": server}
    folder = study_folder(tmp_path / "s", items_of(2), sections)
    with client_of(folder) as client:
        joins(client, "far", headers={"X-Forwarded-For": "198.51.100.4"})
        for number in range(3):
            assert people_list(folder, where="flags like '%held%'").people.is_empty()
            headers = {"X-Forwarded-For": "203.0.113.7"}
            assert joins(client, f"p{number}", headers=headers).status_code == 200
        assert people_list(folder, where="flags like '%held: burst%'").people.height == 3
        assert people_list(folder, where="data = 'held'").people.height == 3, "nobody has answered"
        people_restore(folder, where="data = 'held'", yes=True)
        assert people_list(folder, where="flags like '%held%'").people.is_empty()


def test_nobody_is_served_in_public_without_https(tmp_path: Path) -> None:
    study = read_study(folder_of(tmp_path))
    with pytest.raises(StudyError, match="must begin with https://"):
        refuse_unworkable(study, host="192.0.2.1", where="study.toml")


@pytest.mark.parametrize(
    "server",
    [
        {"public_url": "https://study.example.org"},
        {"door": "panel", "platform": "custom", "platform_study": "s1"},
    ],
)
def test_nobody_is_asked_in_public_or_from_a_panel_with_a_blank_consent(
    tmp_path: Path, server: dict[str, Any]
) -> None:
    folder = folder_of(tmp_path, **server)
    study = read_study(folder)
    blank = replace(study, form=replace(study.form, consent=("  ",)))
    with pytest.raises(StudyError, match="consent is empty"):
        refuse_unworkable(blank, host="127.0.0.1", where=str(folder / "study.toml"))
