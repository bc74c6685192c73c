"""Study folders as the server reads them, and what may change in one while people answer."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from sqlalchemy import select

from plausibly.errors import PlausiblyError, StudyError
from plausibly.ratings.answers import Answer
from plausibly.ratings.collection import collection_form
from plausibly.ratings.expected import refuse_impossible
from plausibly.ratings.forms import Form, form_of
from plausibly.ratings.served import Content, passes
from plausibly.ratings.store.dialect import connect
from plausibly.ratings.store.opening import prepare
from plausibly.ratings.store.schema import items
from plausibly.study import PROTOCOLS
from plausibly.tables import ITEMS
from plausibly.web.study import read_study
from worlds.served import NOW, items_of, served_of, store_of, study_folder, works_through

PAP = collection_form(PROTOCOLS["pap"], PROTOCOLS["pap"].sections["form"], where="test")
CHOICE = form_of(
    {"questions": [{"id": "q", "type": "choice", "options": ["yes", "no", "maybe"]}]}, where="test"
)


@pytest.mark.parametrize(
    ("form", "expected", "given", "value", "passed"),
    [
        (PAP, "plausible", "4", 4.0, True),
        (PAP, "plausible", "5", 5.0, True),
        (PAP, "plausible", "2", 2.0, False),
        (PAP, "implausible", "1", 1.0, True),
        (PAP, "implausible", "4", 4.0, False),
        (PAP, "5", "4", 4.0, True),
        (PAP, "5", "1", 1.0, False),
        (PAP, "4,5", "4", 4.0, True),
        (PAP, "1;2", "5", 5.0, False),
        (PAP, "plausible", "3", 3.0, False),
        (PAP, "3", "3", 3.0, True),
        (CHOICE, "yes", "yes", None, True),
        (CHOICE, "yes | maybe", "maybe", None, True),
        (CHOICE, "yes", "no", None, False),
    ],
)
def test_a_check_is_passed_on_the_side_that_is_expected(
    form: Form, expected: str, given: str, value: float | None, passed: bool
) -> None:
    check = Content("x", kind="check", expected=expected)
    answer = Answer(form.questions[0].id, "", given, value)
    assert passes(form, check, (answer,)) is passed


def test_an_unanswered_check_is_not_passed() -> None:
    assert not passes(PAP, Content("x", kind="check", expected="plausible"), ())


def test_people_see_neither_condition_nor_kind_nor_what_is_expected() -> None:
    shown = Content("x", kind="check", expected="plausible").as_json()
    assert shown == {"text": "x"}


def test_a_study_is_read_with_its_settings(tmp_path: Path) -> None:
    sections: dict[str, dict[str, object]] = {
        "ratings": {"target": 4},
        "form": {"middle": "accept"},
    }
    served = read_study(study_folder(tmp_path, items_of(3, 2), sections))
    assert served.plan.target == 4
    assert served.plan.batch == 24
    assert served.form.questions[0].middle == "accept"
    assert [content.kind for content in served.contents.values()].count("check") == 2


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (pl.col("kind").replace("check", "chek"), "'chek'"),
        (pl.lit(None, dtype=pl.String).alias("expected"), "no expected answer"),
        (pl.lit("check").alias("kind"), "no items|no expected"),
    ],
)
def test_items_that_cannot_be_served_are_named(
    tmp_path: Path, change: pl.Expr, message: str
) -> None:
    study = study_folder(tmp_path, items_of(3, 2).with_columns(change), {})
    with pytest.raises(StudyError, match=message):
        read_study(study)


@pytest.mark.parametrize("section", ["server", "ratings"])
@pytest.mark.parametrize("value", [0.0, -1.0, float("nan"), float("inf"), 1e9])
def test_times_that_are_no_times_are_refused(tmp_path: Path, section: str, value: float) -> None:
    key = {"server": "session_hours", "ratings": "lease_minutes"}[section]
    study = study_folder(tmp_path, items_of(1), {})
    text = (study / "study.toml").read_text(encoding="utf-8")
    head, _, rest = text.partition("[server]\n")
    ours = {"server": head, "ratings": f"{head}[ratings]\n{key} = {value}\n"}[section]
    theirs = f"{key} = {value}\n{rest}" if section == "server" else rest
    (study / "study.toml").write_text(f"{ours}[server]\n{theirs}", encoding="utf-8")
    with pytest.raises(
        StudyError, match=rf"study\.toml:5: \[{section}\] {key} (must be above 0|is not a finite)"
    ):
        read_study(study)


@pytest.mark.parametrize("value", [0, -5, 10**9])
def test_a_number_of_requests_nobody_can_live_with_is_refused(tmp_path: Path, value: int) -> None:
    study = study_folder(tmp_path, items_of(1), {"server": {"requests_per_minute": value}})
    with pytest.raises(StudyError, match=rf"requests_per_minute must be above 0 .* got {value}"):
        read_study(study)


def test_a_target_no_database_can_hold_is_refused(tmp_path: Path) -> None:
    study = study_folder(tmp_path, items_of(1), {"ratings": {"target": 10**30}})
    with pytest.raises(StudyError, match="target must lie between 1 and 1000000"):
        read_study(study)


@pytest.mark.parametrize(
    "address",
    [
        "study.example.org",
        "ftp://study.example.org",
        "javascript:alert(1)",
        "https://",
        "https:///study",
        "https://example.org//study",
        "https://example.org/a study",
        "https://example.org/?a=b",
        "https://example.org/#top",
        "https://me:secret@example.org",
        "https://example.org:port",
        "https://example.org:99999",
        "https://exa mple.org",
        "https://[::1",
    ],
)
def test_an_address_pages_cannot_live_at_is_refused(tmp_path: Path, address: str) -> None:
    study = study_folder(tmp_path, items_of(1), {"server": {"public_url": address}})
    with pytest.raises(StudyError, match=re.escape(f"got {address!r}")):
        read_study(study)


@pytest.mark.parametrize(
    "address",
    ["", "https://a.org", "https://a.org/", "https://a.org/study1", "http://127.0.0.1:8000"],
)
def test_an_address_of_a_site_is_taken(tmp_path: Path, address: str) -> None:
    study = study_folder(tmp_path, items_of(1), {"server": {"public_url": address}})
    assert read_study(study).server["public_url"] == address


ENDS = {"type": "slider", "min": 1, "max": 5, "start": 3}
LIKERT = {"type": "likert", "options": ["NO", "ALMOST", "YES"]}


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ({**ENDS, "middle": "refuse", "labels": ["implausible", "plausible"]}, "3"),
        (ENDS, "6"),
        (ENDS, "4.5"),
        (ENDS, "plausible"),
        (ENDS, "4,maybe"),
        (ENDS, ""),
        (ENDS, "4,"),
        (LIKERT, "no"),
        (LIKERT, "4"),
        ({"type": "likert", "options": ["0", "1", "2"]}, "3"),
        ({"type": "choice", "options": ["1", "2"]}, "3"),
        ({"type": "set", "options": ["a", "b"]}, "a;c"),
        ({**LIKERT, "per": "candidate"}, "YES"),
        ({"type": "best-of-n"}, "iii"),
    ],
)
def test_a_check_everyone_would_fail_is_refused(question: dict[str, Any], expected: str) -> None:
    form = form_of({"questions": [{"id": "q", **question}]}, where="test")
    with pytest.raises(StudyError, match=r"items: check 'c' .*'q'"):
        refuse_impossible(expected, form, ("i", "ii"), where="items: check 'c'")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ({**ENDS, "middle": "refuse", "labels": ["implausible", "plausible"]}, "plausible"),
        (ENDS, "3"),
        (ENDS, "1; 2"),
        (LIKERT, "YES"),
        (LIKERT, "YES|ALMOST"),
        (LIKERT, "3"),
        ({"type": "choice", "options": ["yes, and", "no"]}, "yes, and"),
        ({"type": "set", "options": ["a", "b"]}, "a;b"),
        ({"type": "best-of-n"}, "ii"),
        ({"type": "text"}, "anything, really"),
    ],
)
def test_a_check_someone_can_pass_is_taken(question: dict[str, Any], expected: str) -> None:
    form = form_of({"questions": [{"id": "q", **question}]}, where="test")
    refuse_impossible(expected, form, ("i", "ii"), where="items: check 'c'")
    wanted = Content("check", kind="check", expected=expected)
    said = Answer("q", "", "5" if expected == "plausible" else expected, 5.0)
    assert passes(form, wanted, (said,))


def test_a_check_everyone_would_fail_is_named_when_the_study_is_read(tmp_path: Path) -> None:
    items = items_of(3, 2).with_columns(pl.col("expected").replace("implausible", "wrong"))
    study = study_folder(tmp_path, items, {})
    with pytest.raises(StudyError, match=r"items\.parquet: check 'c001' expects 'wrong'"):
        read_study(study)


def test_a_column_to_show_must_exist(tmp_path: Path) -> None:
    sections = {"form": {"show": ["genre"]}}
    study = study_folder(tmp_path, items_of(3), sections, protocol="custom")
    with (study / "study.toml").open("a") as target:
        target.write('[[form.questions]]\nid = "q"\ntype = "text"\n')
    with pytest.raises(StudyError, match="no column 'genre'"):
        read_study(study)


def test_items_without_candidates_cannot_be_compared(tmp_path: Path) -> None:
    study = study_folder(tmp_path, items_of(3), {}, protocol="custom")
    with (study / "study.toml").open("a") as target:
        target.write('[[form.questions]]\nid = "q"\ntype = "best-of-n"\n')
    with pytest.raises(StudyError, match="has none"):
        read_study(study)


def test_candidates_belong_to_their_source(tmp_path: Path) -> None:
    rows = pl.DataFrame(
        {
            "item": ["e1", "e1#i", "e1#ii"],
            "text": ["Pair", "One", "Two"],
            "source": ["e1", "e1", "e1"],
            "candidate": [None, "i", "ii"],
        }
    )
    study = study_folder(tmp_path, ITEMS.check(rows), {}, protocol="custom")
    with (study / "study.toml").open("a") as target:
        target.write('[[form.questions]]\nid = "q"\ntype = "best-of-n"\n')
    assert read_study(study).contents == {
        "e1": Content("Pair", candidates=(("i", "One"), ("ii", "Two")))
    }


def test_a_protocol_without_a_form_is_refused(tmp_path: Path) -> None:
    study = study_folder(tmp_path, items_of(3), {}, protocol="otters")
    with pytest.raises(PlausiblyError, match="otters"):
        read_study(study)


class TestChanges:
    def test_new_items_are_added(self, tmp_path: Path) -> None:
        store_of(tmp_path, served_of(3)).dispose()
        engine = store_of(tmp_path, served_of(5))
        with engine.begin() as connection:
            assert len(connection.execute(select(items)).all()) == 5
        engine.dispose()

    def test_a_higher_target_is_followed_and_one_that_is_too_low_is_not(
        self, tmp_path: Path
    ) -> None:
        served = served_of(2, target=2, batch=2)
        engine = store_of(tmp_path, served)
        with engine.begin() as connection:
            for name in ("ann", "bob"):
                works_through(connection, name, served)
        prepare(engine, served_of(2, target=3, batch=2), now=NOW)
        with pytest.raises(StudyError, match="2 ratings already"):
            prepare(engine, served_of(2, target=1, batch=2), now=NOW)
        prepare(engine, served_of(2, target=1, batch=2, rule="at least"), now=NOW)
        engine.dispose()

    def test_what_people_have_seen_may_not_change_or_go(self, tmp_path: Path) -> None:
        served = served_of(2, batch=2)
        engine = store_of(tmp_path, served)
        with engine.begin() as connection:
            works_through(connection, "ann", served)
        changed = served_of(2)
        contents = dict(changed.contents)
        contents["t000"] = Content("something else")
        with pytest.raises(StudyError, match="was changed after"):
            prepare(engine, replace(changed, contents=contents), now=NOW)
        with pytest.raises(StudyError, match="has answers but is missing"):
            prepare(engine, served_of(1), now=NOW)
        engine.dispose()

    def test_what_nobody_has_seen_may_change_and_go(self, tmp_path: Path) -> None:
        store_of(tmp_path, served_of(3)).dispose()
        changed = served_of(2)
        contents = {**changed.contents, "t000": Content("something else")}
        engine = store_of(tmp_path, replace(changed, contents=contents))
        with engine.begin() as connection:
            assert sorted(connection.scalars(select(items.c.item))) == ["t000", "t001"]
        engine.dispose()

    def test_a_file_that_is_no_database_is_said(self, tmp_path: Path) -> None:
        (tmp_path / "answers.sqlite").write_bytes(b"not a database at all" * 100)
        engine = connect(f"sqlite:///{tmp_path / 'answers.sqlite'}")
        with pytest.raises(StudyError, match="cannot be used"):
            prepare(engine, served_of(1), now=NOW)
        engine.dispose()


def test_a_study_without_items_is_refused_with_what_to_do(tmp_path: Path) -> None:
    folder = study_folder(tmp_path, items_of(2), {})
    (folder / "items.parquet").unlink()
    with pytest.raises(StudyError, match=r"items\.parquet: no such file\. Fill in \[build\]"):
        read_study(folder)
