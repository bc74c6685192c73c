"""The published protocols through the API: data, and no branch of the server."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from starlette.testclient import TestClient

from plausibly.datasets.adept import CLASSES
from plausibly.datasets.gita import OPTIONS, STATE
from plausibly.datasets.sp10k import OPTIONS as PREFERENCES
from plausibly.ratings.collection import collection_form
from plausibly.study import PROTOCOLS
from plausibly.tables import ITEMS
from plausibly.web.app import create_app
from plausibly.web.study import read_study
from worlds.served import Clock, joins, study_folder, token_of

RESEARCHER = {"Authorization": "Bearer secret-of-the-researcher"}
KEYS = count()


class Voice:
    """A person who speaks to the API."""

    def __init__(self, client: TestClient, name: str) -> None:
        self.client = client
        self.joined = joins(client, name, headers=token_of(client, name))
        self.headers = {"Authorization": f"Bearer {self.joined.json().get('token')}"}

    def next(self) -> dict[str, Any]:
        shown: dict[str, Any] = self.client.get("/api/v1/next", headers=self.headers).json()
        return shown

    def send(self, shown: dict[str, Any], **answers: str) -> tuple[int, dict[str, Any]]:
        sent = {"reservation": shown["reservation"], "answers": answers, "key": f"k{next(KEYS)}"}
        response = self.client.post("/api/v1/answers", json=sent, headers=self.headers)
        return response.status_code, response.json()


def client_of(folder: Path, clock: Clock | None = None) -> TestClient:
    served = read_study(folder)
    app = create_app(served, token="secret-of-the-researcher", clock=clock or Clock())  # noqa: S106
    return TestClient(app)


def ratings(client: TestClient, query: str = "") -> list[dict[str, Any]]:
    lines = client.get(f"/api/v1/ratings{query}", headers=RESEARCHER).text.splitlines()
    return [json.loads(line) for line in lines]


def table(rows: Sequence[Mapping[str, object]]) -> pl.DataFrame:
    """Return items without a condition."""
    items = pl.DataFrame(rows, infer_schema_length=None)
    return items.with_columns(condition=pl.lit(None, pl.String))


@pytest.mark.parametrize(
    ("protocol", "question", "options"),
    [
        ("adept", "effect", CLASSES),
        ("sp10k", "preference", PREFERENCES),
        ("gita", "plausible", ("true", "false")),
        ("gita", "conflict_sentence", ("1", "2", "3", "4")),  # nothing follows the last
        ("gita", "breakpoint", ("1", "2", "3", "4", "5")),
        ("gita", "state", OPTIONS[STATE]),
    ],
)
def test_the_forms_ask_what_the_papers_ask(
    protocol: str, question: str, options: tuple[str, ...]
) -> None:
    form = collection_form(PROTOCOLS[protocol], PROTOCOLS[protocol].sections["form"], where="test")
    (asked,) = [one for one in form.questions if one.id == question]
    assert asked.options == tuple(options)
    assert form.id == protocol


class TestAdept:
    def folder(self, path: Path, pairs: int, **ratings: Any) -> Path:
        rows: list[dict[str, str | None]] = [
            {
                "item": f"a{n}",
                "text": f"A sick otter opens {n} clams.",
                "sentence1": f"An otter opens {n} clams.",
                "kind": "item",
                "expected": None,
            }
            for n in range(pairs)
        ]
        seen: dict[str, str | None] = {"sentence1": "An otter swims."}
        rows += [
            {"item": "g", "text": "x", "kind": "gold", "expected": "less likely", **seen},
            {
                "item": "n",
                "text": "Pick it.",
                "kind": "attention",
                "expected": "impossible",
                **seen,
            },
        ]
        items = ITEMS.check(
            pl.DataFrame(rows, infer_schema_length=None).with_columns(
                condition=pl.lit(None, pl.String)
            )
        )
        return study_folder(path, items, {"ratings": ratings}, protocol="adept")

    def test_nobody_gets_more_than_a_hundred_pairs(self, tmp_path: Path) -> None:
        folder = self.folder(tmp_path, 104)
        with client_of(folder) as client:
            ann, pairs = Voice(client, "ann"), set()
            while "item" in (shown := ann.next()):
                assert shown["content"]["sentence1"].startswith("An otter")
                answer = "impossible" if shown["item"] == "n" else "less likely"
                assert ann.send(shown, effect=answer)[0] == 201
                pairs |= {shown["item"]} - {"g", "n"}
            assert shown["code"]
            assert len(pairs) == 100

    @pytest.mark.parametrize(
        ("gold", "attention", "states"),
        [
            ("equally likely", "impossible", {"accepted"}),  # one step off a gold key is fine
            ("more likely", "impossible", {"answered"}),  # two are not
            ("less likely", "less likely", {"answered"}),  # an attention item names its option
        ],
    )
    def test_gold_has_a_tolerance_and_attention_has_none(
        self, tmp_path: Path, gold: str, attention: str, states: set[str]
    ) -> None:
        folder = self.folder(tmp_path, 4, batch=4, quota=4)
        with client_of(folder) as client:
            ann = Voice(client, "ann")
            said = {"g": gold, "n": attention}
            while "item" in (shown := ann.next()):
                ann.send(shown, effect=said.get(shown["item"], "impossible"))
            assert {row["state"] for row in ratings(client)} == states


class TestSurveys:
    def folder(self, path: Path, surveys: int, size: int, **ratings: Any) -> Path:
        names = [f"s{s}" for s in range(surveys)]
        rows: list[dict[str, str | None]] = [
            {"item": f"{name}-{n:02}", "text": f"eat, {n}", "kind": "item", "expected": None}
            for name in names
            for n in range(size)
        ]
        rows += [
            {"item": f"c{n}", "text": "eat, meal", "kind": "check", "expected": "5"}
            for n in range(3)
        ]
        items = pl.DataFrame(rows, infer_schema_length=None).with_columns(
            condition=pl.lit(None, pl.String)
        )
        folder = study_folder(path, ITEMS.check(items), {"ratings": ratings}, protocol="sp10k")
        layout = [
            {"survey": name, "position": place, "item": item, "kind": "item"}
            for name in names
            for place, item in enumerate(
                ["c0", *(f"{name}-{n:02}" for n in range(size)), "c1", "c2"], 1
            )
        ]
        pl.DataFrame(layout).write_parquet(folder / "surveys.parquet")
        return folder

    def survey(self, client: TestClient, name: str, judged: int = 10**6) -> list[str]:
        """Answer one survey, being sure about so many pairs, and return its pairs."""
        voice = Voice(client, name)
        pairs: list[str] = []
        places = voice.joined.json()["places"]
        for _ in range(places):
            shown = voice.next()
            pair = shown["item"].startswith("s")
            sure = not pair or len(pairs) < judged
            pairs += [shown["item"]] if pair else []
            assert voice.send(shown, preference="4" if sure else "not sure")[0] == 201
        return pairs

    def test_a_survey_is_one_relation_whole_and_shuffled(self, tmp_path: Path) -> None:
        with client_of(self.folder(tmp_path, 3, 8, batch=8)) as client:
            orders = [self.survey(client, name) for name in ("ann", "bob", "cyd")]
        assert all(len(pairs) == 8 for pairs in orders)
        assert all(len({pair.partition("-")[0] for pair in pairs}) == 1 for pairs in orders)
        assert len({pairs[0].partition("-")[0] for pairs in orders}) == 3  # fewest ratings first
        assert any(pairs != sorted(pairs) for pairs in orders)

    def test_three_returning_people_never_see_a_pair_twice(self, tmp_path: Path) -> None:
        with client_of(self.folder(tmp_path, 4, 6, batch=6)) as client:
            for name in ("ann", "bob", "cyd"):
                pairs = [pair for _ in range(4) for pair in self.survey(client, name)]
                assert len(pairs) == len(set(pairs)) == 24
                assert Voice(client, name).next()["code"]

    @pytest.mark.parametrize(("judged", "counts"), [(79, False), (80, True)])
    def test_a_survey_of_which_too_little_was_judged_does_not_count(
        self, tmp_path: Path, judged: int, counts: bool
    ) -> None:
        with client_of(self.folder(tmp_path, 1, 100)) as client:
            assert len(self.survey(client, "ann", judged)) == 100
            valid = ratings(client)
            assert len(valid) == (103 if counts else 0)
            assert len(ratings(client, "?state=all")) == 103
            progress = client.get("/api/v1/progress", headers=RESEARCHER).json()
            assert progress["slots"]["open"] == 1100 - (100 if counts else 0)


class TestGita:
    def folder(self, path: Path) -> Path:
        sentences = [f"Ada fa la cosa {n}." for n in range(1, 6)]
        rows = [
            {"item": f"g{n}", "text": " ".join(sentences), "sentences": json.dumps(sentences)}
            for n in range(3)
        ]
        items = pl.DataFrame(rows, infer_schema_length=None).with_columns(
            condition=pl.lit(None, pl.String)
        )
        return study_folder(path, ITEMS.check(items), {}, protocol="gita")

    def test_a_plausible_story_asks_nothing_further(self, tmp_path: Path) -> None:
        with client_of(self.folder(tmp_path)) as client:
            ann = Voice(client, "ann")
            shown = ann.next()
            assert shown["content"]["sentences"][4] == "Ada fa la cosa 5."
            assert ann.send(shown, plausible="true")[0] == 201
            assert ann.next()["item"] != shown["item"]
            assert [row["question"] for row in ratings(client)] == ["plausible"]

    def test_an_implausible_one_asks_for_the_conflict_and_then_for_the_state(
        self, tmp_path: Path
    ) -> None:
        with client_of(self.folder(tmp_path)) as client:
            ann = Voice(client, "ann")
            shown = ann.next()
            ann.send(shown, plausible="false")
            assert ann.next()["step"] == 2
            for low, high in (("3", "2"), ("3", "3")):
                status, refused = ann.send(shown, conflict_sentence=low, breakpoint=high)
                assert status == 422
                (error,) = refused["errors"]
                assert (error["question"], error["reason"]) == ("breakpoint", "above")
            assert ann.send(shown, conflict_sentence="2", breakpoint="4")[0] == 201
            assert ann.next()["step"] == 3
            assert ann.send(shown, state="open")[0] == 201
            stored = {row["question"]: row["answer"] for row in ratings(client)}
            assert stored == {
                "plausible": "false",
                "conflict_sentence": "2",
                "breakpoint": "4",
                "state": "open",
            }


def test_nobody_rates_two_items_of_a_group(tmp_path: Path) -> None:
    rows = [
        {"item": f"g{group}-{n}", "text": f"story {group}, {n}", "item_group": f"g{group}"}
        for group in range(6)
        for n in range(3)
    ]
    items = pl.DataFrame(rows, infer_schema_length=None).with_columns(
        condition=pl.lit(None, pl.String)
    )
    sections = {"ratings": {"target": 2, "batch": 4, "quota": 0, "checks_per_batch": 0}}
    clock = Clock()
    with client_of(study_folder(tmp_path, ITEMS.check(items), sections), clock) as client:
        for n in range(12):
            person, groups = Voice(client, f"p{n}"), []
            if person.joined.status_code != 200:
                clock.now += 3600
                continue
            while "item" in (shown := person.next()):
                groups.append(shown["item"].partition("-")[0])
                if n % 5 == 4 and len(groups) == 2:
                    break  # drops out
                assert person.send(shown, plausible="5")[0] == 201
            assert len(groups) == len(set(groups))
            clock.now += 3600
        taken = client.get("/api/v1/progress", headers=RESEARCHER).json()["items"]["ratings"]
    assert max(taken.values()) - min(taken.values()) <= 1
