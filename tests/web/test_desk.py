"""The desk: who may enter, what each of them sees, what the owner does, and what is logged."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

import plausibly as pb
from plausibly.cli import run
from plausibly.ratings.store.dialect import connect
from plausibly.ratings.store.objections import object_to
from plausibly.web.app import create_app
from plausibly.web.desk.access import cookie_name, links_of
from plausibly.web.desk.routes import ROUTES
from plausibly.web.study import read_study
from worlds.compared import compared_folder
from worlds.desk import COMMENT, answers, desk_of, entered, sends
from worlds.served import Clock, items_of, joins, study_folder

PAGES = (
    *("/desk/", "/desk/progress", "/desk/agreement", "/desk/checks", "/desk/order"),
    *("/desk/money", "/desk/log"),
)
OWNERS = (
    *("/desk/people", "/desk/person", "/desk/exclude", "/desk/comments", "/desk/download"),
    "/desk/objections",
    *("/desk/ratings.csv", "/desk/ratings.jsonl"),
)
ACTIONS = ("/desk/gate", "/desk/exclude", "/desk/restore", "/desk/reply")
RULES = """
title = "Hardly any"
source = "this test"
sides = "1,2|4,5"
[[rules]]
rule = "few_ratings"
fewer_than = 2
row = "Few ratings"
source = "this test"
"""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A study in which three people finished and one stopped; nothing in it changes."""
    with desk_of(tmp_path_factory.mktemp("desk")) as client:
        for person in ("ann", "bob", "cat"):
            answers(client, person, 7)
        answers(client, "dan", 2)
        yield client


def test_a_stranger_sees_nothing(client: TestClient) -> None:
    stranger = TestClient(client.app, follow_redirects=False)
    nothing = stranger.get("/no-such-page")
    for page in (
        "/desk",
        "/desk/none",
        *PAGES,
        *OWNERS,
        "/desk/enter",
        "/desk/enter?key=" + "0" * 64,
    ):
        found = stranger.get(page)
        assert (found.status_code, found.text) == (404, nothing.text), page
    for action in ACTIONS:
        assert stranger.post(action, data={"state": "closed"}).status_code == 404
    stranger.cookies.set(cookie_name(client.app.state.desk), "forged")  # type: ignore[attr-defined]
    assert stranger.get("/desk/").status_code == 404
    covered = {
        *PAGES,
        *OWNERS,
        *ACTIONS,
        "/desk",
        "/desk/enter",
        "/desk/ratings.{form}",
        "/desk/{page:path}",
    }
    assert {one.path for one in ROUTES} <= covered


def test_the_cookie_is_out_of_reach_of_scripts_and_of_other_sites(client: TestClient) -> None:
    link = links_of(client.app.state.desk)["owner"]  # type: ignore[attr-defined]
    found = TestClient(client.app, follow_redirects=False).get(f"/desk/enter?key={link}")
    cookie = found.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "path" not in cookie, "the browser takes the folder it sees, which a proxy may prefix"
    assert found.headers["location"] == "./"
    assert link not in found.headers["set-cookie"]


def test_a_viewer_sees_counts_of_everything_and_nobody(client: TestClient) -> None:
    viewer = entered(client, "viewer")
    owner = entered(client, "owner")
    names = re.findall(r"person\?name=(p\w+)", owner.get("/desk/people").text)
    assert len(set(names)) == 4
    for page in PAGES:
        shown = viewer.get(page)
        assert shown.status_code == 200
        assert COMMENT not in shown.text
        assert not any(name in shown.text for name in names)
        assert "<button" not in shown.text
        assert "<form" not in shown.text
    for page in OWNERS:
        assert viewer.get(page, params={"name": names[0]}).status_code == 403


def test_notes_on_agreement_name_nobody_to_a_viewer(tmp_path: Path) -> None:
    with desk_of(tmp_path) as client:
        answers(client, "ann", 2)
        owner, viewer = entered(client, "owner"), entered(client, "viewer")
        name = client.app.state.desk.keys.annotator("ann")  # type: ignore[attr-defined]
        assert name in owner.get("/desk/agreement").text
        shown = viewer.get("/desk/agreement").text
        assert "the only annotator is" in shown
        assert name not in shown


def test_a_viewer_can_change_nothing(client: TestClient) -> None:
    viewer = entered(client, "viewer")
    name = re.findall(r"person\?name=(p\w+)", entered(client, "owner").get("/desk/people").text)[0]
    for action in ACTIONS:
        sent = {"name": name, "state": "closed", "_csrf": "x"}
        assert viewer.post(action, data=sent).status_code == 403
    assert "The study is open" in viewer.get("/desk/").text


def test_a_form_of_another_site_is_refused(client: TestClient) -> None:
    owner = entered(client, "owner")
    assert owner.post("/desk/gate", data={"state": "closed"}).status_code == 403
    assert owner.post("/desk/gate", data={"state": "closed", "_csrf": "0" * 32}).status_code == 403
    assert "The study is open" in owner.get("/desk/").text


def test_pages_show_what_the_commands_report(client: TestClient) -> None:
    owner = entered(client, "owner")
    people = pb.people_list(client.app.state.desk.served.folder).people  # type: ignore[attr-defined]
    for name, data in people.select("annotator", "data").iter_rows():
        assert name in owner.get("/desk/people", params={"data": data}).text
    assert f"{people['items'].sum()} of 36" in owner.get("/desk/").text
    progress = owner.get("/desk/progress").text
    assert "attested" in progress
    assert "perturbed" in progress
    shown = owner.get("/desk/person", params={"name": people["annotator"][0]}).text
    assert "otter" in shown
    assert COMMENT in owner.get("/desk/comments").text
    assert "9.00 GBP" in owner.get("/desk/money").text
    assert "s alpha, ordinal" in owner.get("/desk/agreement").text
    lines = owner.get("/desk/ratings.jsonl").text.splitlines()
    assert len(lines) == owner.get("/desk/ratings.csv").text.count("\n") - 1


def test_people_are_sorted_and_filtered(client: TestClient) -> None:
    owner = entered(client, "owner")
    up = re.findall(r'name=(p\w{20})"', owner.get("/desk/people?sort=items").text)
    down = re.findall(r'name=(p\w{20})"', owner.get("/desk/people?sort=items&down=1").text)
    assert up[0] == down[-1]
    assert len(up) == 4
    assert owner.get("/desk/people?sort=secret").status_code == 422
    assert len(re.findall(r'name=(p\w{20})"', owner.get("/desk/people?state=working").text)) == 1


def test_a_filter_is_shown_even_if_it_is_true_of_nobody(client: TestClient) -> None:
    asked = {"flag": "fast", "state": "returned", "data": "standing"}
    shown = entered(client, "owner").get("/desk/people", params=asked).text
    assert "Nobody." in shown
    assert re.findall(r'<option value="(\w+)" selected>', shown) == ["returned", "standing", "fast"]


def test_a_single_answer_is_left_out_of_the_order_for_what_it_is(tmp_path: Path) -> None:
    ratings = {"target": 2, "batch": 3, "quota": 3, "checks_per_batch": 0}
    folder = study_folder(tmp_path / "s", items_of(3), {"ratings": ratings})
    with TestClient(create_app(read_study(folder), clock=Clock())) as client:
        answers(client, "ann", 3)
        answers(client, "bob", 1)
        shown = entered(client, "viewer").get("/desk/order").text
    assert "1 answer is left out, because it is not a number or is somebody&#39;s only" in shown


def test_a_check_that_good_people_fail_is_shown(client: TestClient) -> None:
    page = entered(client, "viewer").get("/desk/checks").text
    assert re.search("cook [01] stirs soup", page)  # chance decides who is given which check
    assert "Careful people" in page


def test_means_wait_until_the_study_is_closed(tmp_path: Path) -> None:
    with desk_of(tmp_path) as client:
        for person in ("ann", "bob", "cat"):
            answers(client, person, 7)
        owner = entered(client, "owner")
        page = owner.get("/desk/agreement").text
        assert "once the study is closed" in page
        assert "attested" not in page
        assert sends(owner, "/desk/gate", state="closed").status_code == 303
        assert "attested" in owner.get("/desk/agreement").text


def test_conditions_of_a_blinded_study_are_hidden_while_people_answer(tmp_path: Path) -> None:
    with desk_of(tmp_path, blinded=True, effects=True) as client:
        ann = answers(client, "ann", 7)
        owner = entered(client, "owner")
        pages = [owner.get(page).text for page in (*PAGES, *OWNERS)]
        pages += [owner.get("/desk/person", params={"name": ann}).text]
        assert not any("attested" in page or "perturbed" in page for page in pages)
        sends(owner, "/desk/gate", state="closed")
        assert "attested" in owner.get("/desk/progress").text


def test_the_order_of_hidden_candidates_does_not_show_their_names(tmp_path: Path) -> None:
    folder = compared_folder(tmp_path, items=4)
    text = (folder / "study.toml").read_text(encoding="utf-8").replace("batch = 2", "batch = 4")
    (folder / "study.toml").write_text(f"{text}\n[desk]\nblinded = true\n", encoding="utf-8")
    given = {"grammar": dict.fromkeys("123", "YES"), "coherent": dict.fromkeys("123", "yes")}
    with TestClient(create_app(read_study(folder), clock=Clock())) as client:
        joined = joins(client, "ann").json()
        bearer = {"Authorization": f"Bearer {joined['token']}"}
        for n in range(4):
            shown = client.get("/api/v1/next", headers=bearer).json()
            sent = {"answers": {**given, "best": ["1"], "sure": "7"}, "key": f"k{n}"}
            sent["reservation"] = shown["reservation"]
            assert client.post("/api/v1/answers", json=sent, headers=bearer).status_code == 201
        owner = entered(client, "owner")
        lines = owner.get("/desk/ratings.csv").text.splitlines()[1:]
        assert len(lines) == 4 * 8
        order = [item for line in lines if "#" in (item := line.partition(",")[0])]
        assert order == sorted(order)
        shown = owner.get(f"/desk/person?name={joined['annotator']}").text
        assert re.findall(r"grammar \((\d)\)", shown) == ["1", "2", "3"] * 4


def test_excluding_shows_its_price_opens_the_places_and_is_logged(tmp_path: Path) -> None:
    with desk_of(tmp_path, effects=True) as client:
        ann = answers(client, "ann", 7)
        answers(client, "bob", 7)
        owner = entered(client, "owner")
        owner.get("/desk/agreement")
        owner.get("/desk/agreement")
        asked = owner.get("/desk/exclude", params={"name": ann}).text
        assert "6 places of this person, answered or not, become void" in asked
        assert "3.00 GBP" in asked
        before = owner.get("/desk/").text
        assert "12 of 36" in before
        done = sends(owner, "/desk/exclude", name=ann, reason="wrote with a script")
        assert done.status_code == 303
        assert "6 of 36" in owner.get("/desk/").text
        assert "wrote with a script" in owner.get(f"/desk/{done.headers['location']}").text
        assert sends(owner, "/desk/restore", name=ann).status_code == 303
        assert "12 of 36" in owner.get("/desk/").text
        assert sends(owner, "/desk/exclude", name="nobody").status_code == 404
        log = owner.get("/desk/log").text
        assert ann not in log
        for what in ("excluded", "restored", "looked at agreement", "looked at means by condition"):
            assert log.count(f"<td>{what}</td>") == 1, what


def test_the_log_is_only_appended(tmp_path: Path) -> None:
    with desk_of(tmp_path) as client:
        owner = entered(client, "owner")
        sends(owner, "/desk/gate", state="paused")
        folder = client.app.state.desk.served.folder  # type: ignore[attr-defined]
        with sqlite3.connect(folder / "answers.sqlite") as connection:
            for statement in ("DELETE FROM desk_log", "UPDATE desk_log SET what = 'nothing'"):
                with pytest.raises(sqlite3.IntegrityError):
                    connection.execute(statement)
            with pytest.raises(sqlite3.IntegrityError):
                connection.execute("INSERT OR REPLACE INTO desk_log SELECT * FROM desk_log")


def test_new_links_revoke_the_earlier_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with desk_of(tmp_path) as client:
        folder = client.app.state.desk.served.folder  # type: ignore[attr-defined]
        owner, viewer = entered(client, "owner"), entered(client, "viewer")
        before = pb.people_desk(folder)
        assert pb.people_desk(folder) == before
        assert run(["people", "desk", str(folder), "--new"]) == 0
        printed = capsys.readouterr().out
        after = pb.people_desk(folder)
        assert after.owner in printed
        assert before.owner not in printed
        for browser in (owner, viewer):
            assert browser.get("/desk/").status_code == 404
        key = before.owner.partition("?")[2]
        assert owner.get(f"/desk/enter?{key}").status_code == 404
        assert "Pause" in entered(client, "owner").get("/desk/").text


def test_the_store_holds_no_link(tmp_path: Path) -> None:
    with desk_of(tmp_path) as client:
        desk = client.app.state.desk  # type: ignore[attr-defined]
        links = links_of(desk)
        stored = (desk.served.folder / "answers.sqlite").read_bytes()
        stored += (desk.served.folder / "answers.sqlite-wal").read_bytes()
        assert all(link.encode() not in stored for link in links.values())


def test_attention_names_what_waits(tmp_path: Path) -> None:
    clock = Clock()
    with desk_of(tmp_path, clock) as client:
        owner = entered(client, "owner")
        assert "Nothing at the moment." in owner.get("/desk/").text
        answers(client, "ann", 7)
        sends(owner, "/desk/gate", state="paused")
        assert "is paused" in owner.get("/desk/").text
        sends(owner, "/desk/gate", state="open")
        clock.now += 7 * 3600
        assert "The last answer came 7 hours ago" in owner.get("/desk/").text


def test_an_objection_waits_for_attention_until_the_owner_replies(tmp_path: Path) -> None:
    with desk_of(tmp_path) as client:
        ann = answers(client, "ann", 7)
        owner = entered(client, "owner")
        sends(owner, "/desk/exclude", name=ann, reason="wrote with a script")
        desk = client.app.state.desk  # type: ignore[attr-defined]
        with connect(desk.reader.url).begin() as connection:
            object_to(connection, ann, "I typed <b>all</b> of it.", now=desk.clock())
        assert "1 objection of an excluded person waits" in owner.get("/desk/").text
        page = owner.get("/desk/objections").text
        assert "I typed &lt;b&gt;all&lt;/b&gt; of it." in page
        assert "wrote with a script" in page
        assert sends(owner, "/desk/reply", number="7", reply="No.").status_code == 404
        empty = sends(owner, "/desk/reply", number="1", reply=" ")
        assert empty.status_code == 422
        assert 'href="objections">Back to the objections</a>' in empty.text
        assert sends(owner, "/desk/reply", number="1", reply="You are right.").status_code == 303
        assert "You are right." in owner.get("/desk/objections").text
        assert "objection" not in owner.get("/desk/").text.partition("<main")[2]
        assert "<td>replied to an objection</td>" in owner.get("/desk/log").text


def test_the_report_prints_the_log_and_what_the_collection_cost(tmp_path: Path) -> None:
    with desk_of(tmp_path) as client:
        people = [answers(client, person, 7) for person in ("ann", "bob", "cat", "dan")]
        owner = entered(client, "owner")
        sends(owner, "/desk/gate", state="closed")
        owner.get("/desk/agreement")
        folder = client.app.state.desk.served.folder  # type: ignore[attr-defined]
    pb.people_exclude(folder, people[:1])
    settings = folder / "study.toml"
    text = settings.read_text().replace("[ratings]", '[ratings]\nsource = "answers.sqlite"')
    settings.write_text(f'{text}\n[clean]\npreset = "rules.toml"\n', encoding="utf-8")
    (folder / "rules.toml").write_text(RULES, encoding="utf-8")
    page = pb.report(folder).page
    shown = page[page.index("Decisions while people answered") :]
    for by, what, number in (
        ("owner", "closed the study", ""),
        ("owner", "looked at means by condition", "24"),
        ("command", "excluded", "7"),
    ):
        row = f"<td>{by}</td><td>{what}</td><td>{'1' if by == 'command' else ''}</td><td>{number}"
        assert row in shown, what
    assert not any(name in shown[: shown.index("</table>")] for name in people)
    cost = "The collection cost 12.00 GBP (12.00 for 4 whole rounds)."
    assert cost in page
    assert re.search(r"A batch was paid 3\S* GBP;", page)
    worked = json.loads((folder / "ratings.json").read_text())["worked"]
    assert (worked["whole"], worked["short"], worked["part"], worked["screened"]) == (4, {}, {}, 0)
    pb.release(folder).write(tmp_path / "release")
    assert cost in (tmp_path / "release" / "datasheet.md").read_text()
