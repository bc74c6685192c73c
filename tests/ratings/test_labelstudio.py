"""Exports of Label Studio, full and min, and the way back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from plausibly.errors import StudyError, TableError
from plausibly.ratings import Imported, export_ratings, import_ratings
from plausibly.ratings.people import Naming, pseudonym
from worlds.tables import ratings_of


def written(folder: Path, document: object, *, indent: int | None = 1) -> Path:
    path = folder / "export.json"
    path.write_text(json.dumps(document, indent=indent))
    return path


def choice(question: str, *answers: str) -> dict[str, Any]:
    return {"from_name": question, "type": "choices", "value": {"choices": list(answers)}}


def annotation(person: object, *results: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": 1, "completed_by": person, "result": list(results), "lead_time": 4.5, **more}


def task(number: int, *annotations: dict[str, Any], **data: Any) -> dict[str, Any]:
    told = {"text": f"text {number}", **data}
    return {"id": number, "data": told, "annotations": list(annotations), "predictions": []}


def labelstudio(path: Path, **names: str) -> Imported:
    return import_ratings(path, form="labelstudio", names=names)


def rows(imported: Imported) -> list[tuple[str, str, str, str]]:
    return imported.ratings.select("item", "annotator", "question", "answer").rows()


def test_the_full_form_gives_one_rating_per_control_and_a_comment_for_a_text_box(
    tmp_path: Path,
) -> None:
    rating = {"from_name": "plausible", "type": "rating", "value": {"rating": 4}}
    comment = {"from_name": "why", "type": "textarea", "value": {"text": ["it is so"]}}
    path = written(
        tmp_path,
        [
            task(
                7, annotation(1, rating, comment), annotation({"id": 2}, choice("plausible", "5"))
            ),
            task(8, annotation(1, choice("kinds", "a", "b"), was_cancelled=False)),
        ],
    )
    imported = labelstudio(path)
    assert rows(imported) == [
        ("7", "1", "plausible", "4"),
        ("7", "2", "plausible", "5"),
        ("8", "1", "kinds", "a;b"),
    ]
    assert imported.ratings["seconds"].to_list() == [4.5] * 3
    assert imported.ratings["value"].to_list() == [4.0, 5.0, None]
    assert imported.ratings["comment"].to_list() == ["it is so", None, None]
    assert imported.items is not None
    assert imported.items["text"].to_list() == ["text 7", "text 8"]


def test_fields_of_the_task_become_facts_of_the_item(tmp_path: Path) -> None:
    data = {"item": "t1", "sentence": "a b c", "condition": "attested", "kind": "check"}
    path = written(tmp_path, [task(1, annotation(1, choice("q", "5")), **data, expected=5)])
    items = labelstudio(path, text="sentence").items
    assert items is not None
    assert items.row(0, named=True) == {
        "item": "t1",
        "text": "a b c",
        "condition": "attested",
        "kind": "check",
        "expected": "5",
    }


def test_skipped_tasks_are_no_ratings(tmp_path: Path) -> None:
    skipped = annotation(1, choice("q", "5"), was_cancelled=True)
    path = written(tmp_path, [task(1, skipped, annotation(2, choice("q", "4")))])
    assert rows(labelstudio(path)) == [("1", "2", "q", "4")]


def test_the_min_form_has_its_answers_between_id_and_annotator(tmp_path: Path) -> None:
    records = [
        {
            "text": "a b c",
            "id": 3,
            "plausible": "5",
            "stars": [{"rating": 4}],
            "kinds": {"choices": ["a", "b"]},
            "annotator": 1,
            "annotation_id": 9,
            "created_at": "2024-01-01T00:00:00Z",
            "updated_at": "2024-01-02T00:00:00Z",
            "lead_time": 2.5,
        },
        {"text": "a b c", "id": 3, "plausible": "1", "annotator": 2, "annotation_id": 10},
    ]
    imported = labelstudio(written(tmp_path, records))
    assert rows(imported) == [
        ("3", "1", "kinds", "a;b"),
        ("3", "1", "plausible", "5"),
        ("3", "1", "stars", "4"),
        ("3", "2", "plausible", "1"),
    ]
    assert imported.ratings["submitted"][0] == "2024-01-02T00:00:00Z"
    assert rows(labelstudio(written(tmp_path, records), answer="plausible")) == [
        ("3", "1", "plausible", "5"),
        ("3", "2", "plausible", "1"),
    ]


def test_a_table_is_read_alike_whatever_the_order_of_its_columns(tmp_path: Path) -> None:
    usual = ["text", "id", "sensible", "stars", "annotator", "annotation_id", "lead_time"]
    answers = [
        ("3", "1", "Yes", 5),
        ("3", "2", "No", 4),
        ("4", "1", "Yes", 1),
        ("4", "2", "Yes", 2),
    ]
    cells = [
        dict(
            zip(usual, (f"text {i}", i, a, json.dumps([{"rating": n}]), p, p + i, "2"), strict=True)
        )
        for i, p, a, n in answers
    ]
    expected = [
        (i, p, question, answer)
        for i, p, a, n in answers
        for question, answer in (("sensible", a), ("stars", str(n)))
    ]
    path = tmp_path / "export.csv"
    for columns in (usual, sorted(usual), ["id", "text", *usual[2:]]):
        pl.DataFrame(cells).select(columns).write_csv(path)
        imported = import_ratings(path)
        assert rows(imported) == expected
        assert imported.items is not None
        assert imported.items["text"].to_list() == ["text 3", "text 4"]


def test_a_mail_address_becomes_a_pseudonym_and_a_number_stays(tmp_path: Path) -> None:
    people = [
        annotation({"email": "a@example.org"}, choice("q", "1")),
        annotation(4, choice("q", "2")),
    ]
    path = written(tmp_path, [task(1, *people)])
    assert labelstudio(path).ratings["annotator"].to_list() == ["4", "a@example.org"]
    keyed = import_ratings(path, form="labelstudio", naming=Naming(key="k"))
    assert keyed.ratings["annotator"].to_list() == ["4", pseudonym("a@example.org", "k")]
    assert keyed.hidden == 1


def test_what_is_no_answer_is_refused_with_its_line(tmp_path: Path) -> None:
    span = {"from_name": "ner", "type": "labels", "value": {"start": 0, "end": 3, "labels": ["X"]}}
    path = written(
        tmp_path, [task(1, annotation(1, choice("q", "5"))), task(2, annotation(1, span))]
    )
    line = path.read_text().splitlines().index('  "id": 2,')
    with pytest.raises(TableError, match=rf"export.json:{line}: ner: a result of type 'labels'"):
        labelstudio(path)
    assert labelstudio(path, answer="q").ratings.height == 1


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ([{"id": 1, "annotations": []}], "a task without data"),
        ([{"text": "x"}], "not an export of Label Studio"),
        ([task(1, annotation(None, choice("q", "5")))], "without completed_by"),
        (
            [task(1, annotation(1, choice("q", "5")), annotation(1, choice("q", "4")))],
            "more than one",
        ),
        ([3], "not a JSON object"),
        ([], "there are no answers"),
        ({}, "expected one JSON array"),
    ],
)
def test_a_file_that_is_no_export_is_refused(
    tmp_path: Path, document: object, message: str
) -> None:
    with pytest.raises(TableError, match=message):
        labelstudio(written(tmp_path, document))


def test_two_tasks_of_one_item_must_not_contradict_each_other(tmp_path: Path) -> None:
    one = task(1, annotation(1, choice("q", "5")), item="t", condition="attested", text="x")
    two = task(2, annotation(2, choice("q", "5")), item="t", condition="attested", text="y")
    with pytest.raises(TableError, match="has text 'y' here and 'x' before"):
        labelstudio(written(tmp_path, [one, two]))


def test_unknown_columns_cannot_be_mapped(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="no 'annotator' to map"):
        labelstudio(written(tmp_path, []), annotator="who")


def test_writing_and_reading_is_a_round_trip(tmp_path: Path) -> None:
    ratings = ratings_of({"t1": "54-", "t2": ["a;b", "-", "c"]}).with_columns(seconds=pl.lit(1.5))
    path = tmp_path / "out.json"
    export_ratings(ratings, path, form="labelstudio")
    again = labelstudio(path).ratings
    assert again.select(ratings.columns).equals(ratings.sort("item", "annotator", "question"))
