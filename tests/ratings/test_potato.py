"""Potato's folders of users and its JSONL files, and the way back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.errors import StudyError, TableError
from plausibly.ratings import export_ratings, import_ratings
from plausibly.ratings.people import Naming, pseudonym
from worlds.tables import ratings_of

PROLIFIC_ID = "5e9088a8a4b6ed018b45ba7b"


def instance(number: str, labels: Any, **more: Any) -> dict[str, Any]:
    return {
        "id": number,
        "displayed_text": f"text {number}",
        "label_annotations": labels,
        "span_annotations": {},
        "behavioral_data": {"time_string": "Time spent: 0d 0h 1m 5s "},
        **more,
    }


def jsonl(path: Path, *records: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def potato(path: Path) -> pl.DataFrame:
    return import_ratings(path, form="potato").ratings


def rows(ratings: pl.DataFrame) -> list[tuple[str, str, str, str]]:
    return ratings.select("item", "annotator", "question", "answer").rows()


def test_a_folder_of_users_with_annotated_instances(tmp_path: Path) -> None:
    first = instance("i1", {"plausible": {"4": "4"}})
    jsonl(tmp_path / "anna" / "annotated_instances.jsonl", first)
    jsonl(tmp_path / "bo" / "annotated_instances.jsonl", instance("i1", {"plausible": {"5": "5"}}))
    imported = import_ratings(tmp_path, form="potato")
    assert rows(imported.ratings) == [
        ("i1", "anna", "plausible", "4"),
        ("i1", "bo", "plausible", "5"),
    ]
    assert imported.ratings["seconds"].to_list() == [65.0, 65.0]
    assert imported.items is not None
    assert imported.items["text"].to_list() == ["text i1"]


@pytest.mark.parametrize(
    "labels",
    [
        [[{"schema": "plausible", "name": "4"}, True]],
        {"plausible": {"4": "true"}},
        {"plausible": {"labels": {"4": True, "5": False}}},
    ],
)
def test_a_folder_of_user_states(tmp_path: Path, labels: Any) -> None:
    state = {
        "user_id": "anna",
        "instance_id_to_label_to_value": {"i1": labels},
        "instance_id_to_behavioral_data": {"i1": {"total_time_ms": 1500}},
    }
    path = tmp_path / "anna" / "user_state.json"
    path.parent.mkdir()
    path.write_text(json.dumps(state))
    ratings = potato(tmp_path)
    assert rows(ratings) == [("i1", "anna", "plausible", "4")]
    assert ratings["seconds"].to_list() == [1.5]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"yes": "true"}, [("q", "yes")]),
        ({"Yes": "q:::Yes"}, [("q", "Yes")]),
        ({"slider": "37"}, [("q", "37")]),
        ({"slider": 1}, [("q", "1")]),
        ({"slider": 0}, [("q", "0")]),
        ({"scale_3": "3"}, [("q", "3")]),
        ({"a": "true", "b": "true", "c": "false"}, [("q", "a;b")]),
        ({"Urgency": "Low", "Tone": "High"}, [("q.Tone", "High"), ("q.Urgency", "Low")]),
        ({"a": "true", "free_response": "hm"}, [("q", "a"), ("q.free_response", "hm")]),
        (["Nothing"], [("q", "Nothing")]),
        ("so", [("q", "so")]),
    ],
)
def test_the_answer_of_every_kind_of_scheme(
    tmp_path: Path, options: Any, expected: list[tuple[str, str]]
) -> None:
    path = jsonl(tmp_path / "one.jsonl", instance("i1", {"q": options}, user_id="anna"))
    assert potato(path).select("question", "answer").rows() == expected


def test_an_exported_file_names_its_users(tmp_path: Path) -> None:
    path = jsonl(
        tmp_path / "annotations.jsonl",
        {"instance_id": "i1", "user_id": "anna", "labels": {"q": {"5": "5"}}, "spans": {}},
        {"instance_id": "i1", "user_id": "bo", "labels": {"q": {"1": "1"}}, "spans": {}},
    )
    assert rows(potato(path)) == [("i1", "anna", "q", "5"), ("i1", "bo", "q", "1")]


def test_ids_of_platforms_become_pseudonyms(tmp_path: Path) -> None:
    user = f"{PROLIFIC_ID}&671b8ae84509b9a624b95e13&671b8e95b17f88050648883e"
    jsonl(tmp_path / user / "annotated_instances.jsonl", instance("i1", {"q": {"5": "5"}}))
    hidden = import_ratings(tmp_path, form="potato", naming=Naming("k")).ratings
    assert hidden["annotator"].to_list() == [pseudonym(PROLIFIC_ID, "k")]
    assert potato(tmp_path)["annotator"].to_list() == [PROLIFIC_ID]


def test_pages_of_the_survey_are_no_items(tmp_path: Path) -> None:
    consent = instance("consent.html", {"agree": {"Yes": "agree:::Yes"}})
    path = tmp_path / "anna" / "annotated_instances.jsonl"
    jsonl(path, consent, instance("i1", {"q": {"5": "5"}}))
    assert potato(tmp_path)["item"].to_list() == ["i1"]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["{"], r"one.jsonl:1: not JSON"),
        (['{"label_annotations": {}}'], r"one.jsonl:1: no id"),
        (['{"id": "a"}'], r"one.jsonl:1: no label_annotations"),
        (
            [
                '{"id": "a", "user_id": "u", "labels": {"q": {"1": "1"}}}',
                '{"id": "a", "user_id": "u", "labels": {"q": {"2": "2"}}}',
            ],
            r"one.jsonl:2: more than one row",
        ),
        (["{}", '{"id": "a", "labels": {}}'], r"one.jsonl:1: no id"),
    ],
)
def test_a_broken_line_is_named(tmp_path: Path, lines: list[str], message: str) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text("\n".join(lines))
    with pytest.raises(TableError, match=message):
        potato(path)


def test_a_folder_without_annotations_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="output_annotation_dir"):
        potato(tmp_path)
    (tmp_path / "user_state.json").write_text("[]")
    with pytest.raises(TableError, match="not a user's state of Potato"):
        potato(tmp_path)


def test_columns_cannot_be_mapped(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="no named columns"):
        import_ratings(tmp_path, form="potato", names={"item": "x"})


def test_writing_and_reading_is_a_round_trip(tmp_path: Path) -> None:
    ratings = ratings_of({"t1": "54-", "t2": ["a;b", "-", "c"]}).with_columns(seconds=pl.lit(1.5))
    path = tmp_path / "out.jsonl"
    export_ratings(ratings, path, form="potato")
    again = potato(path)
    assert again.select(ratings.columns).equals(ratings.sort("item", "annotator", "question"))


def test_a_table_of_annotations_has_one_column_per_option(tmp_path: Path) -> None:
    path = tmp_path / "annotated_instances.tsv"
    path.write_text(
        "user\tinstance_id\tdisplayed_text\tI agree:::Yes\tfits:::scale_1\tfits:::scale_2\n"
        "ann\tconsent.html\tI agree\tYes\t\t\n"
        "ann\tt1\tOtters swim.\t\t\t2\n"
        "bob\tt1\tOtters swim.\t\t1\t\n",
        encoding="utf-8",
    )
    result = pb.read(path)
    assert result.layout.tool == "Potato"
    rows = result.ratings.select("item", "question", "answer").sort("answer").rows()
    assert rows == [("t1", "fits", "1"), ("t1", "fits", "2")]
    assert result.items is not None
    assert result.items["text"].to_list() == ["Otters swim."]
