"""The numbers of the desk add up: across its pages, and with what is in the store."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import polars as pl
from sqlalchemy import update
from starlette.testclient import TestClient

import plausibly as pb
from plausibly.analysis.figures import order_figure
from plausibly.measures.timed import own_times
from plausibly.ratings.collected import read_answers
from plausibly.ratings.store.dialect import connect
from plausibly.ratings.store.overview import item_counts, list_counts, placed_answers
from plausibly.ratings.store.schema import people
from plausibly.tables import ITEMS
from plausibly.web.app import create_app
from plausibly.web.study import read_study
from serving import TOKEN
from worlds.compared import compared_folder
from worlds.desk import answers, desk_of, entered, sends
from worlds.served import Clock, items_of, joins, study_folder
from worlds.systems import SYSTEMS, systems_folder
from worlds.visiting import client_of, folder_of, takes_part

HOUR = 3600.0
PAGES = (
    *("", "progress", "people", "objections", "agreement", "comments"),
    *("checks", "order", "money", "log", "download"),
)


def words(page: str) -> str:
    """Return what a page says, without its tags."""
    return " ".join(re.sub(r"<[^>]+>", " ", page).replace("&#39;", "'").split())


def studied(client: TestClient) -> Any:
    return client.app.state.desk  # type: ignore[attr-defined]


def at_desk(client: TestClient, page: str = "") -> str:
    return words(entered(client, "owner").get(f"/desk/{page}").text)


def test_everybody_who_waits_for_the_platform_is_counted(tmp_path: Path) -> None:
    panel = {"door": "panel", "platform": "prolific", "platform_study": "ours", "code": "C1"}
    clock, folder = Clock(), study_folder(tmp_path / "s", items_of(9), {"server": panel})
    with TestClient(create_app(read_study(folder), clock=clock)) as client:
        for person in ("ann", "bob", "cat"):
            sent: dict[str, Any] = {"study": "ours", "submission": f"s-{person}"}
            assert joins(client, person, **sent).status_code == 200
        assert "3 people wait for the platform's confirmation." in at_desk(client)
        clock.now += 25 * HOUR
        assert "3 people have waited for more than a day" in at_desk(client)


def test_who_withdrew_has_not_finished_and_their_comments_are_not_counted(tmp_path: Path) -> None:
    with desk_of(tmp_path) as client:
        ann, _ = answers(client, "ann", 7), answers(client, "bob", 7)
        both = at_desk(client, "comments")
        assert "People finished 2 2 began, 0 at work" in at_desk(client)
        pb.people_withdraw(studied(client).served.folder, [ann])
        assert "People finished 1 2 began, 0 at work" in at_desk(client)
        answered = re.findall(r"cook \d stirs soup \w+ (\d+)", at_desk(client, "checks"))
        assert sum(map(int, answered)) == 1
        one = entered(client, "owner").get("/desk/comments").text
        assert one.count("<tr>") - 1 == int(re.findall(r"(\d+) comments?<", one)[0])
        assert both != words(one)


def test_places_whose_time_is_over_are_left_and_belong_to_the_round(tmp_path: Path) -> None:
    clock = Clock()
    with desk_of(tmp_path, clock) as client:
        answers(client, "ann", 7)
        answers(client, "bob", 2)
        clock.now += 24 * HOUR
        order = at_desk(client, "order")
        assert "7 2 50 %" in order, order
        answers(client, "cat", 7)  # bob's places are void now
        progress = at_desk(client, "progress")
        rows = re.findall(r"whole (\d+) (\d+) 3\.00 GBP (\S+)", progress)
        assert {items for items, _, _ in rows} == {"6"}
        assert {each for _, _, each in rows} == {"0.500"}


def test_lists_and_all_items_have_the_same_places_at_work(tmp_path: Path) -> None:
    rows = [
        {"item": f"g{g}-{c}", "text": f"{c} {g}", "item_group": f"g{g}", "condition": c}
        for g in range(3)
        for c in ("odd", "usual", "rare")
    ]
    items = ITEMS.check(pl.DataFrame(rows).with_columns(kind=pl.lit("item")))
    ratings = {"lists": "latin", "batch": 3, "quota": 3, "target": 2, "checks_per_batch": 0}
    clock, folder = Clock(), study_folder(tmp_path / "s", items, {"ratings": ratings})
    with TestClient(create_app(read_study(folder), clock=clock)) as client:
        answers(client, "ann", 1)
        clock.now += 24 * HOUR  # the rest of ann's list has lapsed
        answers(client, "bob", 1)
        with studied(client).reader.begin() as connection:
            lists = list_counts(connection, now=clock.now)
            assert sum(one.held for one in lists) == item_counts(connection, now=clock.now)[0].held


def test_order_is_that_of_the_report_and_goes_on_over_rounds(tmp_path: Path) -> None:
    clock = Clock()
    ratings = {"target": 5, "batch": 3, "quota": 6, "checks_per_batch": 0}
    folder = study_folder(tmp_path / "s", items_of(6), {"ratings": ratings})
    with TestClient(create_app(read_study(folder), clock=clock)) as client:
        for person in ("ann", "bob"):
            answers(client, person, 6)
        with studied(client).reader.begin() as connection:
            ours = placed_answers(connection, "plausible")
        figure = order_figure(ours)
        assert figure is not None
        assert figure.table["n"].to_list() == [2] * 6
        read = own_times(read_answers(folder / "answers.sqlite", names={}).ratings)
        keys = ("annotator", "item", "value")
        assert ours.select(keys).sort(keys).equals(read.select(keys).sort(keys))
        assert ours["position"].n_unique() == 6


def test_screened_people_are_in_what_the_collection_costs(tmp_path: Path) -> None:
    paid = {"reward": 2.0, "screened_reward": 0.25, "currency": "GBP"}
    folder = study_folder(tmp_path / "s", items_of(9), {"server": paid})
    with TestClient(create_app(read_study(folder), clock=Clock())) as client:
        said = {"Is English your native language?": "no", "eligible": "no"}
        for person in ("ann", "bob"):
            joins(client, person, screening=said)
        page = at_desk(client, "money")
    assert "So far, the collection has cost 0.50 GBP" in page
    assert "Screened out: paid by the platform 2 0 0.50 GBP" in page


def test_the_notice_leads_to_the_people_it_counts(tmp_path: Path) -> None:
    ratings = {"batch": 2, "quota": 2, "target": 3, "checks_per_batch": 1}
    folder = study_folder(tmp_path / "s", items_of(2, 1), {"ratings": ratings})
    with TestClient(create_app(read_study(folder), clock=Clock())) as client:
        ann = answers(client, "ann", 3, always="1")
        bob = answers(client, "bob", 3, always="1")
        answers(client, "cat", 3, always="5")
        pb.people_exclude(folder, [bob])
        owner = entered(client, "owner")
        first = owner.get("/desk/").text
        assert "1 person failed a check and is not excluded." in words(first)
        link = re.findall(r'is not excluded\. <a href="([^"]+)"', first)[0].replace("&amp;", "&")
        listed = owner.get(f"/desk/{link}").text
    assert re.findall(r"person\?name=(\w+)", listed) == [ann]


def test_an_exclusion_does_not_change_the_code_of_who_has_finished(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, code="DONE11", full_code="FULL22")
    with client_of(folder) as client:
        visitor = takes_part(client, "ann")
        assert "DONE11" in visitor.get("/done").text
        pb.people_exclude(folder, ["ann"])
        page = visitor.get("/excluded").text
    assert "DONE11" in page
    assert "FULL22" not in page


def test_a_negative_number_has_a_minus_sign(tmp_path: Path) -> None:
    with desk_of(tmp_path) as client:
        texts = studied(client).texts
        assert texts.desk_number(-0.25, 2) == "\N{MINUS SIGN}0.25"
        assert texts.number(-1234.5, 1) == "\N{MINUS SIGN}1,234.5"
        assert texts.desk_number(-0.001, 2) == "0.00"


def test_a_page_after_the_last_shows_the_last(tmp_path: Path) -> None:
    with desk_of(tmp_path) as client:
        ann = answers(client, "ann", 7)
        page = entered(client, "owner").get("/desk/people?page=9").text
    assert ann in page


def test_a_page_that_is_not_there_leads_back_to_the_desk(tmp_path: Path) -> None:
    with desk_of(tmp_path) as client:
        owner, viewer = entered(client, "owner"), entered(client, "viewer")
        nobody, hidden = owner.get("/desk/person?name=nobody"), viewer.get("/desk/people")
        assert (nobody.status_code, hidden.status_code) == (404, 403)
        for page in (nobody, hidden):
            assert '<a class="button" href="./">Back to the desk</a>' in page.text
        stranger = TestClient(client.app).get("/desk/people")
        assert "Back to the desk" not in stranger.text


def test_frames_are_empty_before_anybody_answers(tmp_path: Path) -> None:
    with desk_of(tmp_path) as client, studied(client).reader.begin() as connection:
        assert placed_answers(connection, "plausible").schema["value"] == pl.Float64


def test_every_list_is_there_in_the_order_of_its_number_with_its_open_places(
    tmp_path: Path,
) -> None:
    rows = [
        {"item": f"g{g:02}-{c:02}", "text": f"{c} {g}", "item_group": f"g{g:02}"}
        for g in range(12)
        for c in range(12)
    ]
    conditions = pl.col("item").str.slice(4).alias("condition")
    items = ITEMS.check(pl.DataFrame(rows).with_columns(conditions, kind=pl.lit("item")))
    ratings = {"lists": "latin", "batch": 12, "quota": 12, "target": 2, "checks_per_batch": 0}
    folder = study_folder(tmp_path / "s", items, {"ratings": ratings})
    with TestClient(create_app(read_study(folder), clock=Clock())) as client:
        answers(client, "ann", 12)
        answers(client, "bob", 2)
        page = at_desk(client, "progress")
        by_list = page[page.index("By list ") : page.index("By list and condition")]
        found = re.findall(r"([\w.]*?(\d+)) (\d) 12 (\d+) (\d+) (\d+)", by_list)
        assert [int(number) for _, number, *_ in found] == list(range(1, 13))
        with studied(client).reader.begin() as connection:
            total = item_counts(connection, now=Clock().now)[0]
        rated, held, left = (sum(int(row[n]) for row in found) for n in (3, 4, 5))
        assert (rated, held, left) == (total.rated, total.held, total.open)


def test_the_forecast_counts_items_and_pays_rounds_in_full(tmp_path: Path) -> None:
    paid = {"reward": 3.0, "item_reward": 1.0, "currency": "GBP"}
    ratings = {"target": 3, "batch": 6, "quota": 6, "checks_per_batch": 2}
    sections: dict[str, dict[str, Any]] = {"ratings": ratings, "server": paid}
    folder = study_folder(tmp_path / "s", items_of(12, 2), sections)
    with TestClient(create_app(read_study(folder), clock=Clock())) as client:
        answers(client, "ann", 8)
        answers(client, "bob", 8)
        page = at_desk(client, "money")
    assert "At the pace of the last day (12 items), the rest takes 2.0 days." in page
    assert "Still to come 4 24 12.00 GBP" in page


def test_what_a_program_decides_is_in_the_log(tmp_path: Path) -> None:
    folder = study_folder(tmp_path / "s", items_of(9), {"ratings": {"batch": 3, "quota": 3}})
    with TestClient(create_app(read_study(folder), token=TOKEN, clock=Clock())) as client:
        ann, bearer = answers(client, "ann", 3), {"Authorization": f"Bearer {TOKEN}"}
        for verdict in ("exclude", "restore"):
            client.post(f"/api/v1/people/{ann}/{verdict}", headers=bearer)
        log = at_desk(client, "log")
    assert "api restored 1 3" in log
    assert "api excluded 1 3" in log


def test_what_is_about_one_page_is_there_once_and_questions_are_in_the_order_of_the_form(
    tmp_path: Path,
) -> None:
    with TestClient(create_app(read_study(compared_folder(tmp_path)), clock=Clock())) as client:
        joined = joins(client, "ann").json()
        bearer = {"Authorization": f"Bearer {joined['token']}"}
        shown = client.get("/api/v1/next", headers=bearer).json()
        names = [one["id"] for one in shown["content"]["candidates"]]
        given = {"grammar": dict.fromkeys(names, "NO"), "sure": 7}
        sent = {"answers": given, "reservation": shown["reservation"], "key": "k"}
        assert client.post("/api/v1/answers", json=sent, headers=bearer).status_code == 201
        page = entered(client, "owner").get(f"/desk/person?name={joined['annotator']}").text
    rows = page[page.index("<tbody>") :].split("<tr>")[1:]
    assert [words(row).count("otter") for row in rows] == [1, *[0] * (len(rows) - 1)]
    assert "sure" in rows[-1]
    assert f'rowspan="{len(rows)}"' in rows[0]


def test_an_address_of_the_desk_that_is_not_there_leads_back(tmp_path: Path) -> None:
    with desk_of(tmp_path) as client:
        page = entered(client, "owner").get("/desk/progres")
        stranger = TestClient(client.app).get("/desk/progres")
    assert (page.status_code, "Back to the desk" in page.text) == (404, True)
    assert (stranger.status_code, "Back to the desk" in stranger.text) == (404, False)


def test_who_is_out_is_not_among_the_last_arrivals(tmp_path: Path) -> None:
    with desk_of(tmp_path) as client:
        answers(client, "ann", 7)
        bob = answers(client, "bob", 2)
        pb.people_withdraw(studied(client).served.folder, [bob])
        page = at_desk(client, "progress")
    assert len(re.findall(r"whole \d", page)) == 1


def test_states_of_many_people_are_not_in_the_singular(tmp_path: Path) -> None:
    clock = Clock()
    with desk_of(tmp_path, clock, interface="it") as client:
        for person in ("ann", "bob"):
            answers(client, person, 2)
        clock.now += 24 * HOUR
        page = at_desk(client, "people")
    assert "2 persone: inattiva (2)." in page


PANEL = {
    "door": "panel",
    "platform": "prolific",
    "platform_study": "ours",
    "code": "C1",
    "short_code": "C2",
    "reward": 2.0,
}


def from_panel(client: TestClient, person: str, number: int) -> str:
    """Let a person of a panel answer so many items; return what the table calls them."""
    joined = joins(client, person, study="ours", submission=f"s-{person}").json()
    bearer = {"Authorization": f"Bearer {joined['token']}"}
    for _ in range(number):
        shown = client.get("/api/v1/next", headers=bearer).json()
        sent = {"answers": {"plausible": "4"}, "reservation": shown["reservation"]}
        client.post("/api/v1/answers", json={**sent, "key": shown["item"]}, headers=bearer)
    return str(joined["annotator"])


def test_the_log_counts_the_answers_that_a_download_has(tmp_path: Path) -> None:
    with desk_of(tmp_path) as client:
        held = answers(client, "ann", 7)
        answers(client, "bob", 4)
        with connect(studied(client).reader.url).begin() as connection:
            connection.execute(
                update(people).where(people.c.annotator == held).values(held="burst")
            )
        owner = entered(client, "owner")
        assert "Use the answers" in at_desk(client, f"person?name={held}")
        rows = owner.get("/desk/ratings.jsonl").text.splitlines()
        assert len(rows) == 4
        assert re.search("downloaded the ratings . 4$", words(owner.get("/desk/log").text))


def test_progress_shows_how_many_of_its_ratings_no_table_has_yet(tmp_path: Path) -> None:
    folder = study_folder(tmp_path / "s", items_of(9), {"server": PANEL})
    with TestClient(create_app(read_study(folder), clock=Clock())) as client:
        from_panel(client, "ann", 2)
        page = at_desk(client, "progress")
    assert "2 of these ratings are by people who are held or not confirmed." in page


def test_only_who_is_listed_as_unconfirmed_is_counted_as_waiting(tmp_path: Path) -> None:
    folder = study_folder(tmp_path / "s", items_of(9), {"server": PANEL})
    with TestClient(create_app(read_study(folder), clock=Clock())) as client:
        ann, bob = from_panel(client, "ann", 2), from_panel(client, "bob", 0)
        cat = from_panel(client, "cat", 1)
        owner = entered(client, "owner")
        sends(owner, "/desk/exclude", name=cat)
        page = owner.get("/desk/").text
        assert "2 people wait for the platform&#39;s confirmation." in page
        link = re.search(r'href="(people[?]flag=unconfirmed[^"]*)"', page)
        assert link is not None
        listed = owner.get(f"/desk/{unescape(link.group(1))}").text
    assert set(re.findall(r"person[?]name=(p\w+)", listed)) == {ann, bob}


def test_a_refusal_at_the_desk_speaks_to_the_owner(tmp_path: Path) -> None:
    with desk_of(tmp_path) as client:
        ann = answers(client, "ann", 2)
        owner = entered(client, "owner")
        pb.people_withdraw(studied(client).served.folder, [ann])
        withdrawn = sends(owner, "/desk/restore", name=ann)
        assert withdrawn.status_code == 409
        assert "This person has withdrawn their consent" in withdrawn.text
        assert "Answers of people who withdrew are not shown." in at_desk(
            client, f"person?name={ann}"
        )
        empty = sends(owner, "/desk/reply", number="1", reply=" ")
        assert (empty.status_code, "The reply is empty." in empty.text) == (422, True)
        unknown = owner.get("/desk/people", params={"sort": "shoe"})
        assert (unknown.status_code, "The desk cannot use" in unknown.text) == (422, True)
        assert "The desk cannot use" in sends(owner, "/desk/gate", state="ajar").text


def test_systems_have_no_names_at_the_desk_of_a_blinded_study_that_collects(tmp_path: Path) -> None:
    always = {'skip_if = { best = ["LLAMA-3b", "another-system"] }': ""}
    more = "\n[desk]\nblinded = true\n[form.reveal]"
    folder = systems_folder(tmp_path, items=1, more=more, **always)
    with TestClient(create_app(read_study(folder), clock=Clock())) as client:
        joined = joins(client, "ann").json()
        bearer = {"Authorization": f"Bearer {joined['token']}"}
        shown = client.get("/api/v1/next", headers=bearer).json()
        steps: list[dict[str, Any]] = [
            {"fit": {"1": "5", "2": "4", "3": "3"}, "best": "1", "why": "yes"},
            {"good": ["1", "2"], "surprise": {"1": "yes", "2": "no", "3": "no"}},
        ]
        for step, given in enumerate(steps, 1):
            sent = {"reservation": shown["reservation"], "answers": given, "step": step}
            saved = client.post("/api/v1/answers", json={**sent, "key": f"{step}"}, headers=bearer)
            assert saved.status_code == 201
        owner = entered(client, "owner")
        pages = (*PAGES, f"person?name={joined['annotator']}", "ratings.csv", "ratings.jsonl")
        blind = {page: owner.get(f"/desk/{page}").text for page in pages}
        assert not [page for page, text in blind.items() if any(name in text for name in SYSTEMS)]
        assert "Candidates have numbers" in blind["download"]
        rows = [json.loads(line) for line in blind["ratings.jsonl"].splitlines()]
        fits = {row["item"]: row["answer"] for row in rows if row["question"] == "fit"}
        best = next(row["answer"] for row in rows if row["question"] == "best")
        assert set(fits) == {"e0#1", "e0#2", "e0#3"}
        assert fits[f"e0#{best}"] == "5"
        sends(owner, "/desk/gate", state="closed")
        assert all(name in owner.get("/desk/ratings.csv").text for name in SYSTEMS)
        assert all(name in owner.get(f"/desk/{pages[-3]}").text for name in SYSTEMS)
