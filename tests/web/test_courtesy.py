"""What participants and researchers may expect of the pages beyond the questions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from starlette.testclient import TestClient

from plausibly.errors import StudyError
from plausibly.ratings.answers import Answer
from plausibly.ratings.collection import collection_form
from plausibly.ratings.served import passes
from plausibly.ratings.server import site_of
from plausibly.ratings.store.changes import changes_so_far
from plausibly.study import PROTOCOLS as DECLARED
from plausibly.tables import ITEMS
from plausibly.web.app import create_app
from plausibly.web.study import previewed, read_study
from serving import TOKEN, serving
from worlds.compared import CANDIDATES, compared_folder
from worlds.protocols import PROTOCOLS, protocol_folder
from worlds.served import (
    NOW,
    Clock,
    form_address,
    items_of,
    joins,
    served_of,
    store_of,
    study_folder,
    works_through,
)

RESEARCHER = {"Authorization": f"Bearer {TOKEN}"}


def fields(page: str) -> dict[str, str]:
    return dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', page))


def visitor_of(folder: Path, clock: Clock | None = None) -> Iterator[TestClient]:
    app = create_app(read_study(folder), token=TOKEN, clock=clock or Clock())
    with TestClient(app) as client:
        page = client.get("/", params={"person": "ann"}).text
        client.post("/consent", data={**fields(page), "agree": "yes", "eligible": "yes"})
        yield client


def pap(path: Path, **form: Any) -> Path:
    ratings = {"batch": 2, "quota": 2, "target": 1, "checks_per_batch": 0, "lease_minutes": 1.0}
    return study_folder(path, items_of(2), {"ratings": ratings, "form": form})


def stored(client: TestClient) -> list[str]:
    return client.get("/api/v1/ratings", headers=RESEARCHER).text.splitlines()


class TestPractice:
    @pytest.mark.parametrize("protocol", PROTOCOLS)
    def test_every_protocol_has_items_to_practise_on(self, protocol: str) -> None:
        form = collection_form(
            DECLARED[protocol], DECLARED[protocol].sections["form"], where="test"
        )
        assert form.practice
        assert all(one.feedback and one.expect for one in form.practice)

    def test_who_answers_is_told_what_we_would_say_and_nothing_is_stored(
        self, tmp_path: Path
    ) -> None:
        for client in visitor_of(pap(tmp_path)):
            assert '<a class="button" href="/practice/1"' in client.get("/instructions").text
            page = client.get("/practice/1").text
            refused = client.post("/practice/1", data={**fields(page), "plausible": "3"})
            assert refused.status_code == 422
            same = client.post("/practice/1", data={**fields(page), "plausible": "5"}).text
            assert "That is what we would say" in same
            assert 'href="/practice/2"' in same
            other = client.post("/practice/2", data={**fields(page), "plausible": "5"}).text
            assert "We would say something else" in other
            assert 'href="/work"' in other
            assert client.get("/practice/3").url.path.startswith("/work/")
            assert stored(client) == []

    def test_a_practice_about_a_question_nobody_asks_is_refused(self) -> None:
        form = {"practice": [{"text": "x", "expect": {"plausibel": "5"}, "feedback": "y"}]}
        sections = DECLARED["pap"].sections["form"]
        with pytest.raises(StudyError, match="Did you mean 'plausible'"):
            collection_form(DECLARED["pap"], {**sections, **form}, where="study.toml")

    def test_a_study_may_leave_practice_out(self, tmp_path: Path) -> None:
        for client in visitor_of(pap(tmp_path, practice=[])):
            assert "/practice/1" not in client.get("/instructions").text
            assert client.get("/practice/1").url.path.startswith("/work/")


class TestTouchedSliders:
    def test_a_middle_counts_from_who_says_that_they_mean_it(self, tmp_path: Path) -> None:
        for client in visitor_of(pap(tmp_path, middle="touch")):
            page = client.get("/work").text
            sent = {**fields(page), "plausible": "3"}
            refused = client.post(form_address(page), data=sent)
            assert refused.status_code == 422
            assert "tick that you mean the middle" in refused.text
            assert not re.search(r'name="_touched:plausible"[^>]*checked', refused.text)
            assert stored(client) == []
            sent["_touched:plausible"] = "yes"
            assert client.post(form_address(page), data=sent).status_code == 200
            assert len(stored(client)) == 1
            again = client.get(form_address(page)).text
            assert re.search(r'name="_touched:plausible"[^>]*checked', again)

    def test_programs_say_what_they_mean_by_sending_it(self, tmp_path: Path) -> None:
        with TestClient(create_app(read_study(pap(tmp_path, middle="touch")))) as client:
            token = joins(client, "bob").json()["token"]
            headers = {"Authorization": f"Bearer {token}"}
            shown = client.get("/api/v1/next", headers=headers).json()
            sent = {"reservation": shown["reservation"], "answers": {"plausible": 3}, "key": "k"}
            assert client.post("/api/v1/answers", json=sent, headers=headers).status_code == 201


def test_an_answer_that_comes_late_is_taken_while_its_place_is_free(tmp_path: Path) -> None:
    clock = Clock()
    for client in visitor_of(pap(tmp_path), clock):
        page = client.get("/work").text
        clock.now += 120  # the lease is one minute
        sent = {**fields(page), "plausible": "5"}
        assert client.post(form_address(page), data=sent).status_code == 200
        assert len(stored(client)) == 1


def test_who_is_too_late_is_told_so_kindly_and_led_on(tmp_path: Path) -> None:
    clock = Clock()
    for client in visitor_of(pap(tmp_path), clock):
        page = client.get("/work").text
        clock.now += 120
        other = TestClient(client.app)
        first = other.get("/", params={"person": "bob"}).text
        other.post("/consent", data={**fields(first), "agree": "yes", "eligible": "yes"})
        late = client.post(form_address(page), data={**fields(page), "plausible": "5"})
        assert late.status_code == 409
        assert "The time ran out" in late.text
        assert 'href="/work"' in late.text
        assert "Something is not right" not in late.text


def test_candidates_are_named_with_their_texts_where_they_are_compared(tmp_path: Path) -> None:
    for client in visitor_of(compared_folder(tmp_path)):
        page = client.get("/work").text
        best = re.search(r'<fieldset[^>]*id="q-best".*?</fieldset>', page, flags=re.DOTALL)
        assert best is not None
        assert all(text in best.group(0) for text in CANDIDATES.values())


@pytest.mark.parametrize(
    ("address", "platform"),
    [
        ("https://app.prolific.com/submissions/complete?cc=X", "Prolific"),
        ("https://connect.cloudresearch.com/x", "CloudResearch"),
        ("https://notprolific.com/", ""),
        ("", ""),
    ],
)
def test_the_last_page_calls_the_platform_by_its_name(address: str, platform: str) -> None:
    assert site_of(address) == platform


def test_the_personal_link_can_be_copied(tmp_path: Path) -> None:
    for client in visitor_of(pap(tmp_path)):
        page = client.get("/instructions").text
        link = re.search(r'data-copy="([^"]+)"', page)
        assert link is not None
        assert "/resume/" in link.group(1)


class TestPreview:
    def test_nothing_is_stored_and_every_page_says_so(self, tmp_path: Path) -> None:
        folder = pap(tmp_path)
        before = sorted(path.name for path in folder.iterdir())
        with previewed(read_study(folder)) as served:
            with TestClient(create_app(served)) as client:
                page = client.get("/", params={"person": "ann"}).text
                assert "nothing is stored" in page
                sent = {**fields(page), "agree": "yes", "eligible": "yes"}
                client.post("/consent", data=sent)
                page = client.get("/work").text
                assert "nothing is stored" in page
                sent = {**fields(page), "plausible": "5"}
                assert client.post(form_address(page), data=sent).status_code == 200
            kept = served.folder
        assert not kept.exists()
        assert sorted(path.name for path in folder.iterdir()) == before

    def test_the_command_serves_it(self, tmp_path: Path) -> None:
        folder = pap(tmp_path)
        before = sorted(path.name for path in folder.iterdir())
        with serving(folder, "--preview") as server:
            assert server.port
            assert sorted(path.name for path in folder.iterdir()) == before


class TestChanges:
    def test_what_nobody_sees_may_change_and_that_is_told(self, tmp_path: Path) -> None:
        served = served_of(3, checks=1, batch=3, quota=3)
        engine = store_of(tmp_path, served)
        with engine.begin() as connection:
            works_through(connection, "ann", served)
            assert changes_so_far(connection) == []
        check = replace(served.contents["c000"], expected="implausible")
        item = replace(served.contents["t000"], condition="perturbed")
        later = replace(served, contents={**served.contents, "c000": check, "t000": item})
        engine.dispose()
        engine = store_of(tmp_path, later)
        with engine.begin() as connection:
            expected, condition = sorted(changes_so_far(connection), key=lambda c: c.what)[::-1]
            assert (expected.first, expected.before) == ("c000", "plausible")
            assert (condition.items, condition.after) == (1, "perturbed")
            assert "expected of 1 item changed" in str(expected)
        engine.dispose()

    def test_so_may_the_form(self, tmp_path: Path) -> None:
        served = served_of(3, batch=3, quota=3)
        engine = store_of(tmp_path, served)
        with engine.begin() as connection:
            works_through(connection, "ann", served)
        engine.dispose()
        section = {**DECLARED["pap"].sections["form"], "middle": "accept"}
        later = replace(served, form=collection_form(DECLARED["pap"], section, where="test"))
        engine = store_of(tmp_path, later)
        with engine.begin() as connection:
            (change,) = changes_so_far(connection)
        assert change.what == "form"
        engine.dispose()

    def test_before_anybody_has_begun_nothing_is_told(self, tmp_path: Path) -> None:
        served = served_of(3, checks=1)
        engine = store_of(tmp_path, served)
        check = replace(served.contents["c000"], expected="implausible")
        later = replace(served, contents={**served.contents, "c000": check})
        engine.dispose()
        engine = store_of(tmp_path, later)
        with engine.begin() as connection:
            assert changes_so_far(connection) == []
        engine.dispose()

    def test_the_researcher_finds_them_in_the_progress(self, tmp_path: Path) -> None:
        folder = pap(tmp_path)
        for client in visitor_of(folder):
            page = client.get("/work").text
            client.post(form_address(page), data={**fields(page), "plausible": "5"})
        items = pl.read_parquet(folder / "items.parquet").with_columns(condition=pl.lit("other"))
        items.write_parquet(folder / "items.parquet")
        for client in visitor_of(folder):
            progress = client.get("/api/v1/progress", headers=RESEARCHER).json()
            (change,) = progress["changes"]
            assert (change["what"], change["items"]) == ("condition", 2)
            assert change["made"].startswith("1970-01-12")
        assert NOW == 1_000_000.0


def test_a_consent_promises_nothing_the_study_has_not_decided() -> None:
    for protocol in PROTOCOLS:
        form = collection_form(
            DECLARED[protocol], DECLARED[protocol].sections["form"], where="test"
        )
        assert not any("publish" in line for line in form.consent)


class TestLanguages:
    @pytest.mark.parametrize("protocol", PROTOCOLS)
    def test_a_form_asks_the_same_in_every_language(self, protocol: str) -> None:
        section = DECLARED[protocol].sections["form"]
        english, italian = (
            collection_form(DECLARED[protocol], section, where="test", language=language)
            for language in ("en", "it")
        )
        for one, other in zip(english.questions, italian.questions, strict=True):
            assert (one.id, one.options, one.skip_if) == (other.id, other.options, other.skip_if)
            assert len(one.labels) == len(other.labels)
            assert one.text != other.text
            assert bool(one.hint) == bool(other.hint)
        assert len(english.consent) == len(italian.consent)
        assert len(english.instructions) == len(italian.instructions)
        assert [one.expect for one in english.practice] == [one.expect for one in italian.practice]
        assert bool(english.eligibility) == bool(italian.eligibility)

    def test_a_check_is_judged_alike_in_every_language(self, tmp_path: Path) -> None:
        sections = {"server": {"interface": "it"}}
        served = read_study(study_folder(tmp_path, items_of(2, 2), sections))
        assert served.form.questions[0].labels == ("non plausibile", "plausibile")
        check = served.contents["c001"]
        assert check.expected == "implausible"
        low, high = (Answer("plausible", "", given, float(given)) for given in ("1", "5"))
        assert passes(served.form, check, (low,))
        assert not passes(served.form, check, (high,))


def test_two_sentences_of_an_item_stand_one_below_the_other(tmp_path: Path) -> None:
    served = read_study(protocol_folder(tmp_path, "iks"))
    assert served.contents["e1"].text == "Ada coughed all night.\nShe drank peppermint tea."


def test_sentences_are_offered_with_their_text(tmp_path: Path) -> None:
    for client in visitor_of(protocol_folder(tmp_path, "gita")):
        page = client.get("/work").text
        page = client.post(form_address(page), data={**fields(page), "plausible": "false"}).text
        assert page.count('<span class="which">3.</span>') == 2
        assert 'data-above="conflict_sentence"' in page


class TestScreening:
    SCREENING = """
[[form.screening]]
text = "Where do you live?"
options = ["United Kingdom", "Ireland", "elsewhere"]
admit = ["United Kingdom", "Ireland"]
filter = "Country of residence: United Kingdom, Ireland"
"""

    def folder(self, path: Path) -> Path:
        folder = pap(path, eligibility="")
        study = folder / "study.toml"
        study.write_text(study.read_text(encoding="utf-8") + self.SCREENING, encoding="utf-8")
        return folder

    def arrive(self, client: TestClient, person: str, **said: str) -> Any:
        page = client.get("/", params={"person": person}).text
        assert "Where do you live?" in page
        return client.post("/consent", data={**fields(page), "agree": "yes", **said})

    def test_only_who_answers_as_they_admit_comes_in(self, tmp_path: Path) -> None:
        with TestClient(create_app(read_study(self.folder(tmp_path)))) as client:
            assert self.arrive(client, "ann").status_code == 422
            assert self.arrive(client, "ann", **{"screening-0": "Mars"}).status_code == 422
            away = self.arrive(TestClient(client.app), "bob", **{"screening-0": "elsewhere"})
            assert "Because of your answers to the first questions" in away.text
            assert "United Kingdom" not in away.text  # it does not say what would let them in
            again = joins(client, "bob")
            assert (again.status_code, again.json()["reason"]) == (403, "door")
            inside = self.arrive(client, "cyd", **{"screening-0": "Ireland"})
            assert inside.url.path == "/instructions"

    def test_what_a_platform_should_filter_is_said_at_the_start(self, tmp_path: Path) -> None:
        served = read_study(self.folder(tmp_path))
        assert [one.filter for one in served.form.screening] == [
            "Country of residence: United Kingdom, Ireland"
        ]

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"admit": ["Francia"]}, "unknown option 'Francia'"),
            ({"admit": ["a", "b"]}, "at least one that admits"),
            ({"admits": []}, "Did you mean 'admit'"),
        ],
    )
    def test_screening_nobody_or_everybody_passes_is_refused(
        self, change: dict[str, list[str]], message: str
    ) -> None:
        screening = {"text": "Where?", "options": ["a", "b"], "admit": ["a"], **change}
        section = {**DECLARED["pap"].sections["form"], "screening": [screening]}
        with pytest.raises(StudyError, match=message):
            collection_form(DECLARED["pap"], section, where="study.toml")


class TestArms:
    @pytest.mark.parametrize("language", ["en", "it"])
    def test_words_are_judged_with_the_sentence_they_come_from(
        self, tmp_path: Path, language: str
    ) -> None:
        rows = items_of(2).with_columns(
            context=pl.Series([None, "The otter paints the ladder blue."], dtype=pl.String)
        )
        sections: dict[str, dict[str, Any]] = {
            "form": {"arm": "context"},
            "ratings": {"batch": 2, "checks_per_batch": 0},
            "server": {"interface": language},
        }
        served = read_study(study_folder(tmp_path, rows, sections))
        bare, placed = (served.contents[item].as_json() for item in ("t0000", "t0001"))
        assert "context" not in bare
        assert placed["context"] == "The otter paints the ladder blue."
        assert len(served.form.instructions) == 5
        assert served.form.version != read_study(pap(tmp_path / "other")).form.version

    @pytest.mark.parametrize("language", ["en", "it"])
    def test_adjectives_are_judged_without_the_sentence(
        self, tmp_path: Path, language: str
    ) -> None:
        rows = pl.DataFrame(
            {
                "item": ["a", "n"],
                "text": ["A sick otter opens clams.", "Please pick “impossible”."],
                "sentence1": ["An otter opens clams.", "x"],
                "modifier": ["sick", None],
                "noun": ["otter", None],
                "kind": ["item", "attention"],
                "expected": [None, "impossible"],
                "condition": [None, None],
            },
            schema_overrides={"expected": pl.String, "condition": pl.String},
        )
        sections = {"form": {"arm": "without-context"}, "server": {"interface": language}}
        folder = study_folder(tmp_path, ITEMS.check(rows), sections, protocol="adept")
        served = read_study(folder)
        assert served.contents["a"].as_json() == {"text": "sick\notter"}
        assert served.contents["n"].text == "Please pick “impossible”."
        assert served.form.practice == ()

    def test_an_arm_nobody_knows_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(StudyError, match="arm must be one of context; got 'contxt'"):
            read_study(pap(tmp_path, arm="contxt"))
