"""Candidates named after their systems: numbers for participants, names in the ratings."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from httpx2 import Response
from starlette.testclient import TestClient

import plausibly as pb
from plausibly.errors import StudyError
from plausibly.ratings.forms import form_of
from plausibly.web.app import create_app
from plausibly.web.locale.texts import Texts
from plausibly.web.study import read_study
from worlds.served import form_address, joins, token_of
from worlds.systems import SYSTEMS, systems_folder, text_of

RESEARCHER = {"Authorization": "Bearer secret-of-the-researcher"}
TEXTS = Texts("en")
PLACES = ["1", "2", "3"]
FITS = {"GPTNAME": "5", "LLAMA-3b": "3", "by-a-human": "2"}


def client_of(folder: Path) -> TestClient:
    app = create_app(read_study(folder), token="secret-of-the-researcher")  # noqa: S106
    return TestClient(app)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    with client_of(systems_folder(tmp_path)) as client:
        yield client


class Program:
    """Someone who judges through the API, with everything the server ever sent them."""

    def __init__(self, client: TestClient, name: str) -> None:
        self.client, self.keys = client, 0
        self.heard: list[str] = []
        joined = joins(client, name)
        self.heard.append(joined.text)
        self.headers = {"Authorization": f"Bearer {joined.json()['token']}"}

    def next(self) -> dict[str, Any]:
        response = self.client.get("/api/v1/next", headers=self.headers)
        self.heard.append(response.text + str(response.headers))
        shown: dict[str, Any] = response.json()
        return shown

    def send(self, shown: dict[str, Any], answers: dict[str, Any], **more: Any) -> Response:
        self.keys += 1
        sent = {"reservation": shown["reservation"], "answers": answers, "key": f"k{self.keys}"}
        response = self.client.post("/api/v1/answers", json={**sent, **more}, headers=self.headers)
        self.heard.append(response.text + str(response.headers))
        return response


def numbers_of(shown: dict[str, Any]) -> dict[str, str]:
    """Return from each system to the number its text has."""
    texts = {one["text"]: one["id"] for one in shown["content"]["candidates"]}
    return {name: texts[text_of(name, shown["item"])] for name in SYSTEMS}


def first_step(shown: dict[str, Any], *, best: str = "GPTNAME", **more: Any) -> dict[str, Any]:
    """Return answers to step 1 that say the same of the same systems."""
    numbers = numbers_of(shown)
    fit = {numbers[name]: answer for name, answer in FITS.items()}
    why = {} if best == "LLAMA-3b" else {"why": "yes"}
    return {"fit": fit, "best": numbers[best], **why, **more}


def second_step(shown: dict[str, Any]) -> dict[str, Any]:
    numbers = numbers_of(shown)
    good = [numbers["by-a-human"], numbers["GPTNAME"]]
    surprise = {numbers[name]: "yes" if name == "GPTNAME" else "no" for name in SYSTEMS}
    return {"good": good, "surprise": surprise, "comment": "done"}


def stored(client: TestClient) -> list[dict[str, Any]]:
    lines = client.get("/api/v1/ratings", headers=RESEARCHER).text.splitlines()
    return [json.loads(line) for line in lines]


def leaks(heard: list[str]) -> list[str]:
    return [text for text in heard for name in SYSTEMS if name.casefold() in text.casefold()]


def test_a_program_hears_no_name_and_its_answers_are_stored_under_the_names(
    client: TestClient,
) -> None:
    orders = set()
    for person in ("ann", "bob", "cleo", "dora"):
        program = Program(client, person)
        for _ in range(3):
            shown = program.next()
            assert [one["id"] for one in shown["content"]["candidates"]] == PLACES
            assert program.next() == shown
            numbers = numbers_of(shown)
            orders.add(tuple(numbers.values()))
            assert program.send(shown, {}).status_code == 422
            skipped = first_step(shown, best="LLAMA-3b", why="yes")
            assert program.send(shown, skipped).status_code == 422
            assert program.send(shown, first_step(shown)).status_code == 201
            again = program.send(shown, first_step(shown), key=f"k{program.keys}", step=1)
            assert again.status_code == 200
            other = first_step(shown, best="by-a-human")
            refused = program.send(shown, other, key=f"k{program.keys - 1}", step=1)
            assert refused.status_code == 409
            later = program.next()
            assert (later["step"], numbers_of(later)) == (2, numbers)
            assert program.send(later, {"good": ["9"]}).status_code == 422
            assert program.send(later, second_step(later)).status_code == 201
            twice = program.send(later, second_step(later), key=f"k{program.keys}", step=2)
            assert twice.status_code == 200
        assert program.next()["code"]
        assert not leaks(program.heard)
    rows = stored(client)
    said = {(row["item"].partition("#")[2], row["question"]): row["answer"] for row in rows}
    assert len(rows) == 4 * 3 * len(said)
    assert said == {
        **{(name, "fit"): answer for name, answer in FITS.items()},
        ("", "best"): "GPTNAME",
        ("", "why"): "yes",
        ("", "good"): "GPTNAME;by-a-human",  # in the order of the items, whoever answers
        **{(name, "surprise"): "yes" if name == "GPTNAME" else "no" for name in SYSTEMS},
    }
    assert len(orders) > 2


def test_numbers_mean_the_same_after_a_restart_and_on_the_pages(tmp_path: Path) -> None:
    folder = systems_folder(tmp_path)
    with client_of(folder) as client:
        program = Program(client, "ann")
        shown = program.next()
        program.send(shown, first_step(shown))
    with client_of(folder) as client:
        program.client = client
        again = program.next()
        assert (again["item"], again["step"]) == (shown["item"], 2)
        assert numbers_of(again) == numbers_of(shown)
        for person in ("bob", "cleo", "dora"):
            page = joined(client, person).get("/work").text
            own = client.get("/api/v1/next", headers=token_of(client, person)).json()
            assert places_on(page) == numbers_of(own)


@pytest.mark.parametrize(
    ("changes", "question", "candidate", "reason"),
    [
        ({"fit": {"1": "3", "2": "3", "3": "3", "4": "3"}}, "fit", "4", "unknown-candidate"),
        ({"fit": {"1": "3", "2": "3", "03": "3", "3": "3"}}, "fit", "03", "unknown-candidate"),
        ({"fit": {"1": "3", "2": "3", "3": "9"}}, "fit", "3", "option"),
        ({"fit": {"1": "3", "2": "3"}}, "fit", "3", "required"),
        ({"best": "4"}, "best", None, "option"),
        ({"best": "GPTNAME"}, "best", None, "option"),
    ],
)
def test_unknown_numbers_are_refused_by_number(
    client: TestClient, changes: dict[str, Any], question: str, candidate: str | None, reason: str
) -> None:
    program = Program(client, "ann")
    shown = program.next()
    refused = program.send(shown, {**first_step(shown), **changes})
    errors = refused.json()["errors"]
    assert refused.status_code == 422
    assert (question, candidate, reason) in [
        (one["question"], one.get("candidate"), one["reason"]) for one in errors
    ]
    assert not leaks(program.heard)


def test_names_and_repeated_numbers_are_refused(client: TestClient) -> None:
    program = Program(client, "ann")
    shown = program.next()
    by_name = program.send(shown, first_step(shown, fit=FITS)).json()["errors"]
    assert {one["reason"] for one in by_name} >= {"unknown-candidate", "required"}
    program.send(shown, first_step(shown))
    later = program.next()
    for good in (["1", "1"], ["1", 1], ["1", "1.0"]):
        refused = program.send(later, {**second_step(later), "good": good})
        assert (refused.status_code, refused.json()["errors"][0]["reason"]) == (422, "option")


def test_a_question_is_skipped_after_the_number_of_a_system(
    client: TestClient, tmp_path: Path
) -> None:
    versions = set()
    for person in ("ann", "bob", "cleo"):
        program = Program(client, person)
        shown = program.next()
        (rule,) = [one["skip_if"] for one in shown["form"]["questions"] if one["id"] == "why"]
        assert rule == {"best": [numbers_of(shown)["LLAMA-3b"]]}
        refused = program.send(shown, first_step(shown, best="LLAMA-3b", why="yes"))
        assert [one["reason"] for one in refused.json()["errors"]] == ["skipped"]
        assert program.send(shown, first_step(shown, best="LLAMA-3b")).status_code == 201
        versions.add(shown["form"]["version"])
    assert versions == {read_study(tmp_path).form.version}


def hidden(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))


def joined(client: TestClient, person: str) -> TestClient:
    visitor = TestClient(client.app)
    page = visitor.get("/", params={"person": person}).text
    visitor.post("/consent", data={**hidden(page), "agree": "yes"})
    return visitor


def places_on(page: str) -> dict[str, str]:
    """Return from each system to its number on a page of the first step."""
    item = re.findall(r"The otter dived \((\w+)\)", page)[0]
    order = sorted(SYSTEMS, key=lambda name: page.index(text_of(name, item)))
    return {name: str(place) for place, name in enumerate(order, 1)}


def test_pages_hold_no_name_from_practice_to_the_end(client: TestClient) -> None:
    heard: list[str] = []

    def hear(response: Response) -> Response:
        heard.append(response.text + str(response.headers) + str(response.url))
        return response

    visitor = joined(client, "ann")
    practised: dict[int, dict[str, str]] = {
        1: {"fit:1": "5", "fit:2": "2", "best": "2", "why": "yes"},
        2: {"good": "1", "surprise:1": "no", "surprise:2": "yes"},
    }
    for place, tried in practised.items():
        page = hear(visitor.get(f"/practice/{place}")).text
        assert hear(visitor.post(f"/practice/{place}", data=hidden(page))).status_code == 422
        told = hear(visitor.post(f"/practice/{place}", data={**hidden(page), **tried}))
        assert told.status_code == 200
    for _ in range(3):
        page = hear(visitor.get("/work")).text
        places = places_on(page)
        assert hear(visitor.post(form_address(page), data=hidden(page))).status_code == 422
        given = {f"fit:{places[name]}": answer for name, answer in FITS.items()}
        given |= {"best": places["by-a-human"], "why": "no"}
        refused = {**given, f"fit:{places['by-a-human']}": "1"}
        told = hear(visitor.post(form_address(page), data={**hidden(page), **refused}))
        assert told.status_code == 422
        first = form_address(page)
        page = hear(visitor.post(first, data={**hidden(page), **given})).text
        back = hear(visitor.get(first)).text
        assert re.search(rf'name="best" value="{places["by-a-human"]}" checked', back)
        assert re.search(rf'name="fit:{places["GPTNAME"]}" value="5" checked', back)
        assert f"<dd>{places['by-a-human']}</dd>" in page.replace("Candidate ", "")
        later: dict[str, object] = {
            "good": [places["by-a-human"], places["GPTNAME"]],
            "comment": "done",
        }
        later |= {f"surprise:{places[name]}": "no" for name in SYSTEMS}
        hear(visitor.post(form_address(page), data={**hidden(page), **later}))
    assert "/done" in heard[-1]
    assert not leaks(heard)
    said = {
        (row["item"].partition("#")[2], row["question"]): row["answer"] for row in stored(client)
    }
    assert said["", "good"] == "GPTNAME;by-a-human"
    assert said["", "best"] == "by-a-human"
    assert {name: said[name, "fit"] for name in SYSTEMS} == FITS


def test_practice_is_judged_by_number(client: TestClient) -> None:
    visitor = joined(client, "ann")
    page = visitor.get("/practice/1").text
    given = {"fit:1": "5", "fit:2": "2", "best": "1", "why": "yes"}
    page_of_step_2 = visitor.get("/practice/2").text
    settled = re.findall(r"<div><dt>([^<]*)</dt><dd>([^<]*)</dd></div>", page_of_step_2)
    assert [answer for asked, answer in settled if asked.startswith("Candidate 1")] == ["5"]
    assert ("Which is best?", "1") in settled
    told = {}
    for best in ("1", "2"):
        sent = {
            key: one for key, one in {**given, "best": best}.items() if (key, best) != ("why", "1")
        }
        text = visitor.post("/practice/1", data={**hidden(page), **sent}).text
        told[best] = re.findall(r"<p><strong>([^<]*)</strong>", text)
        assert not leaks([text])
    assert told["1"] == [TEXTS("practice.same")] * 3
    assert sorted(told["2"]) == sorted([TEXTS("practice.same")] * 2 + [TEXTS("practice.other")])


def test_an_order_that_is_given_is_numbered_unless_names_are_to_be_shown(tmp_path: Path) -> None:
    with client_of(systems_folder(tmp_path, more='order = "given"')) as client:
        shown = Program(client, "ann").next()
        assert numbers_of(shown) == dict(zip(SYSTEMS, PLACES, strict=True))
        assert "Candidate 1" in joined(client, "bob").get("/work").text
    (tmp_path / "answers.sqlite").unlink()
    more = 'order = "given"\ncandidates = "shown"'
    with client_of(systems_folder(tmp_path, more=more)) as client:
        shown = Program(client, "ann").next()
        assert numbers_of(shown) == {name: name for name in SYSTEMS}
        assert "Candidate GPTNAME" in joined(client, "bob").get("/work").text


def test_candidates_are_blind_or_shown() -> None:
    questions = [{"id": "best", "type": "best-of-n"}]
    message = r"candidates must be one of blind, shown; got 'named'\."
    with pytest.raises(StudyError, match=message):
        form_of({"questions": questions, "candidates": "named"}, where="study.toml")
    blind, *others = (
        form_of({"questions": questions, **more}, where="study.toml").version
        for more in ({}, {"candidates": "shown"}, {"order": "given"})
    )
    assert blind == others[0] != others[1]


def test_practice_expects_candidates_it_has(tmp_path: Path) -> None:
    folder = systems_folder(tmp_path)
    text = (folder / "study.toml").read_text(encoding="utf-8")
    text = text.replace('best = "LLAMA-3b" }', 'best = "LLAMA" }', 1)
    (folder / "study.toml").write_text(text, encoding="utf-8")
    with pytest.raises(StudyError, match=r"expect: unknown answer 'LLAMA'.*LLAMA-3b"):
        read_study(folder)


@pytest.mark.parametrize("name", ["", "one;two", "GPTNAME"])
def test_candidates_have_names_of_their_own(tmp_path: Path, name: str) -> None:
    folder = systems_folder(tmp_path)
    items = pl.read_parquet(folder / "items.parquet")
    named = pl.when(pl.col("item") == "e1#LLAMA-3b").then(pl.lit(name)).otherwise("candidate")
    items.with_columns(candidate=named).write_parquet(folder / "items.parquet")
    with pytest.raises(StudyError, match=r"item 'e1': candidate .* must be named once"):
        read_study(folder)


def test_what_simulated_people_prefer_is_recovered(tmp_path: Path) -> None:
    """The real server numbers the systems; who prefers one must still be read as preferring it."""
    folder = systems_folder(tmp_path, items=12)
    items = pl.read_parquet(folder / "items.parquet")
    best = json.dumps({"best": "by-a-human", "good": "by-a-human"})
    fits = pl.when(pl.col("candidate") == "by-a-human").then(pl.lit('{"fit": "5"}'))
    leaning = fits.otherwise(pl.lit('{"fit": "2"}'))
    leaning = pl.when(pl.col("candidate").is_null()).then(pl.lit(best)).otherwise(leaning)
    items.with_columns(leans_to=leaning).write_parquet(folder / "items.parquet")
    rehearsed = pb.rehearse(folder, people=12, mix={"careful": 1.0}, seed=3)
    said = rehearsed.ratings.with_columns(candidate=pl.col("item").str.split("#").list.last())
    fit = said.filter(pl.col("question") == "fit").group_by("candidate")
    means: dict[str, float] = dict(fit.agg(pl.col("value").mean()).iter_rows())
    assert means["by-a-human"] > 4
    assert max(means["GPTNAME"], means["LLAMA-3b"]) < 3
    chosen = said.filter(pl.col("question") == "best")["answer"].to_list()
    assert chosen.count("by-a-human") > 0.8 * len(chosen)
