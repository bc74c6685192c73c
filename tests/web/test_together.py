"""Several items on a page, answered together or not at all; and the last answer corrected."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from starlette.testclient import TestClient

from plausibly.errors import StudyError
from plausibly.ratings.collected import read_answers
from plausibly.tables import ITEMS
from plausibly.web.app import create_app
from plausibly.web.study import read_study
from worlds.protocols import protocol_folder
from worlds.served import Clock, form_address, items_of, study_folder

HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)"')
NAMES = re.compile(r'<input type="radio" name="([^"]+)"')


def pairs(number: int) -> pl.DataFrame:
    rows = [
        {"item": f"a{n}", "text": f"A red bus stops {n}.", "sentence1": f"A bus stops {n}."}
        for n in range(number)
    ]
    empty = pl.lit(None, pl.String)
    return ITEMS.check(
        pl.DataFrame(rows).with_columns(kind=pl.lit("item"), expected=empty, condition=empty)
    )


def adept(path: Path, items: int, **form: Any) -> Path:
    ratings = {"target": 3, "batch": items, "quota": items, "checks_per_batch": 0}
    sections = {"ratings": ratings, "form": {"per_page": 4, **form}}
    return study_folder(path, pairs(items), sections, protocol="adept")


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(tmp_path: Path, clock: Clock) -> Iterator[TestClient]:
    with TestClient(create_app(read_study(adept(tmp_path / "s", 6)), clock=clock)) as client:
        begin(client)
        yield client


def begin(client: TestClient) -> None:
    page = client.get("/", params={"person": "ann"}).text
    said = {**dict(HIDDEN.findall(page)), "agree": "yes", "eligible": "yes"}
    assert client.post("/consent", data=said).status_code == 200


def names_of(page: str) -> list[str]:
    return sorted(set(NAMES.findall(page)))


def send(client: TestClient, page: str, **given: str) -> Any:
    return client.post(form_address(page), data={**dict(HIDDEN.findall(page)), **given})


def stored(path: Path) -> dict[str, str]:
    ratings = read_answers(path / "s" / "answers.sqlite", names={}).ratings
    return dict(ratings.select("item", "answer").iter_rows())


def test_four_pairs_stand_on_a_page_and_are_stored_together(
    client: TestClient, clock: Clock, tmp_path: Path
) -> None:
    page = client.get("/work").text
    assert "Items 1 to 4 of 6" in page
    names = names_of(page)
    assert names == [f"{n}.effect" for n in range(1, 5)]
    texts = re.findall(r'id="text-\d"[^>]*>(.*?)</p>', page)
    assert len(set(texts)) == 4
    clock.now += 40
    said = ("less likely", "equally likely", "more likely", "impossible")
    page = send(client, page, **dict(zip(names, said, strict=True))).text
    assert "Items 5 to 6 of 6" in page
    ratings = read_answers(tmp_path / "s" / "answers.sqlite", names={}).ratings
    items = {row["item"]: row for row in pairs(6).to_dicts()}
    answers = {items[row["item"]]["text"]: row["answer"] for row in ratings.to_dicts()}
    assert answers == dict(zip(texts, said, strict=True))
    assert ratings["seconds"].to_list() == [10.0] * 4  # forty seconds shared by four
    assert ratings["together"].to_list() == [4] * 4
    done = send(client, page, **dict.fromkeys(names_of(page), "less likely"))
    assert done.url.path == "/done"
    assert len(stored(tmp_path)) == 6


def test_one_unanswered_pair_keeps_all_four_waiting(client: TestClient, tmp_path: Path) -> None:
    page = client.get("/work").text
    names = names_of(page)
    refused = send(client, page, **dict.fromkeys(names[:3], "less likely"))
    assert refused.status_code == 422
    assert refused.text.count(" checked") == 3
    assert f'href="#q-{names[3][0]}-effect"' in refused.text
    assert stored(tmp_path) == {}
    again = send(client, refused.text, **dict.fromkeys(names, "more likely"))
    assert "Items 5 to 6" in again.text
    assert set(stored(tmp_path).values()) == {"more likely"}


def test_back_shows_the_page_as_it_was_answered_and_revises_it(
    client: TestClient, tmp_path: Path
) -> None:
    first = client.get("/work").text
    names = names_of(first)
    send(client, first, **dict.fromkeys(names, "more likely"))
    back = client.get(form_address(first)).text
    assert len(re.findall(r'value="more likely" checked', back)) == 4
    said = {**dict.fromkeys(names, "more likely"), names[1]: "impossible"}
    send(client, back, **said)
    assert sorted(stored(tmp_path).values()) == ["impossible", *["more likely"] * 3]


def test_a_page_sent_twice_is_stored_once(client: TestClient, tmp_path: Path) -> None:
    page = client.get("/work").text
    said = dict.fromkeys(names_of(page), "more likely")
    for _ in range(2):
        assert "Items 5 to 6" in send(client, page, **said).text
    ratings = read_answers(tmp_path / "s" / "answers.sqlite", names={}).ratings
    assert ratings["revision"].to_list() == [1] * 4


@pytest.mark.parametrize(
    ("per_page", "right"), [(0, "between 1 and 120"), (121, "between 1 and 120")]
)
def test_a_page_holds_one_item_to_a_whole_survey(tmp_path: Path, per_page: int, right: str) -> None:
    with pytest.raises(StudyError, match=right):
        read_study(adept(tmp_path / "s", 4, per_page=per_page))


def test_a_survey_of_103_questions_is_on_one_page(tmp_path: Path) -> None:
    """SP-10K, appendix A.1: the questions of a survey follow each other on one page."""
    names = [f"s-{n:03}" for n in range(100)]
    empty = pl.lit(None, pl.String)
    asked = pl.DataFrame({"item": names, "text": [f"eat, {n}" for n in range(100)]})
    checks = pl.DataFrame({"item": ["c0", "c1", "c2"], "text": "eat, meal"})
    items = pl.concat(
        [
            asked.with_columns(kind=pl.lit("item"), expected=empty, condition=empty),
            checks.with_columns(kind=pl.lit("check"), expected=pl.lit("5"), condition=empty),
        ]
    )
    sections = {"form": {"per_page": 103}}
    folder = study_folder(tmp_path / "s", ITEMS.check(items), sections, protocol="sp10k")
    order = [*names[:50], "c0", *names[50:], "c1", "c2"]
    layout = {"survey": "one", "position": range(1, 104), "item": order, "kind": "item"}
    pl.DataFrame(layout).write_parquet(folder / "surveys.parquet")
    with TestClient(create_app(read_study(folder))) as client:
        begin(client)
        assert "Items in one round: 103, up to 103 on a page" in client.get("/instructions").text
        page = client.get("/work").text
        assert "Items 1 to 103 of 103" in page
        assert len(names_of(page)) == 103
        done = send(client, page, **dict.fromkeys(names_of(page), "5"))
        assert done.url.path == "/done"
    assert set(stored(tmp_path)) == set(order)


def test_what_comes_in_steps_stands_alone(tmp_path: Path) -> None:
    questions: list[dict[str, object]] = [
        {"id": "one", "type": "choice", "options": ["a", "b"]},
        {"id": "two", "type": "choice", "options": ["a", "b"], "form_step": 2},
    ]
    folder = study_folder(tmp_path / "s", items_of(2), {}, protocol="custom")
    lines = [
        "[[form.questions]]\n" + "\n".join(f"{key} = {value!r}" for key, value in one.items())
        for one in questions
    ]
    told = (folder / "study.toml").read_text() + "\n[form]\nper_page = 4\n" + "\n".join(lines)
    (folder / "study.toml").write_text(told)
    with pytest.raises(StudyError, match="per_page = 4 needs a form in one step"):
        read_study(folder)


def test_the_last_answer_can_be_corrected_until_the_lease_ends(
    tmp_path: Path, clock: Clock
) -> None:
    ratings = {"target": 1, "batch": 2, "quota": 2, "checks_per_batch": 0, "lease_minutes": 1.0}
    folder = study_folder(tmp_path / "s", items_of(2), {"ratings": ratings})
    with TestClient(create_app(read_study(folder), clock=clock)) as client:
        begin(client)
        pages = []
        for _ in range(2):
            pages.append(client.get("/work").text)
            done = send(client, pages[-1], plausible="5")
        link = re.search(r'<p class="correct"><a href="([^"]+)"', done.text)
        assert link is not None
        assert link.group(1) == form_address(pages[1])
        assert client.get(form_address(pages[0])).url.path == "/done"  # not the one before
        page = client.get(link.group(1)).text
        assert 'value="5"' in page
        assert send(client, page, plausible="1").url.path == "/done"
        assert sorted(stored(tmp_path).values()) == ["1", "5"]
        clock.now += 61
        assert client.get(link.group(1)).url.path == "/done"
        assert 'class="correct"' not in client.get("/done").text
        assert send(client, page, plausible="4").status_code == 409
        assert sorted(stored(tmp_path).values()) == ["1", "5"]


def test_a_corrected_check_is_judged_again(tmp_path: Path, clock: Clock) -> None:
    folder = protocol_folder(tmp_path / "s", "pap", target=5)
    with TestClient(create_app(read_study(folder), clock=clock)) as client:
        begin(client)
        last = ""
        while (page := client.get("/work")).url.path != "/done":
            last = page.text
            send(client, last, plausible="5")
        states = read_answers(folder / "answers.sqlite", names={}).ratings["state"]
        assert set(states) == {"accepted"}
        again = client.get(form_address(last)).text
        send(client, again, plausible="1")
        ratings = read_answers(folder / "answers.sqlite", names={}).ratings
        check = ratings.filter(pl.col("kind") == "check")["answer"].item()
        assert set(ratings["state"]) == {"accepted" if check == "5" else "answered"}
        send(client, client.get(form_address(last)).text, plausible="5")
        assert set(read_answers(folder / "answers.sqlite", names={}).ratings["state"]) == {
            "accepted"
        }


def test_the_relation_of_a_survey_is_explained_with_anchors(tmp_path: Path) -> None:
    folder = protocol_folder(tmp_path / "s", "sp10k")
    items = pl.read_parquet(folder / "items.parquet")
    items.with_columns(relation=pl.lit("dobj")).write_parquet(folder / "items.parquet")
    with TestClient(create_app(read_study(folder))) as client:
        page = client.get("/", params={"person": "ann"}).text
        said = {**dict(HIDDEN.findall(page)), "agree": "yes", "eligible": "yes"}
        instructions = client.post("/consent", data=said).text
        assert "its object" in instructions
        assert "is a 5" in instructions
        assert "its subject" not in instructions
        first = client.get("/work").text
        assert '<details class="help" open>' in first
        second = send(client, first, preference="5").text
        assert '<details class="help">' in second
        assert "its object" in second
