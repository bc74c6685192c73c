"""Files of experiments beyond the usual: pages of questions, Ibex controllers, missing names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import plausibly as pb
from plausibly.errors import TableError


def written(folder: Path, text: str, name: str) -> Path:
    path = folder / name
    path.write_text(text)
    return path


def test_a_page_of_questions_each_asked_once_has_its_questions_as_items(tmp_path: Path) -> None:
    every = {"trial_type": "survey-likert", "rt": 900, "time_elapsed": 1}
    runs = [
        [
            {**every, "trial_index": 0, "response": {"dog": first, "stone": 1}},
            {**every, "trial_index": 1, "response": {"rain": 5}},
        ]
        for first in (4, 3)
    ]
    path = written(tmp_path, "\n".join(json.dumps(run) for run in runs), "jatos.txt")
    ratings = pb.read(path).ratings
    assert ratings.select("item", "annotator", "question", "value", "order").rows() == [
        ("dog", "1", "rating", 4.0, 0),
        ("dog", "2", "rating", 3.0, 0),
        ("rain", "1", "rating", 5.0, 1),
        ("rain", "2", "rating", 5.0, 1),
        ("stone", "1", "rating", 1.0, 0),
        ("stone", "2", "rating", 1.0, 0),
    ]


def test_pages_that_repeat_a_question_need_the_item(tmp_path: Path) -> None:
    every = {"trial_type": "survey-likert", "rt": 900, "time_elapsed": 1, "trial_index": 0}
    trials = [{**every, "response": {"Q0": 4}}, {**every, "response": {"Q0": 2}}]
    path = written(tmp_path, json.dumps(trials), "data.json")
    with pytest.raises(TableError, match=r"no column names the item.*columns= \(item=COLUMN\)"):
        pb.read(path)


def test_buttons_are_ratings_only_where_an_item_is_named(tmp_path: Path) -> None:
    header = "trial_type,trial_index,time_elapsed,rt,stimulus,response,subject\n"
    row = "html-button-response,{n},1,900,{text},{n},s1\n"
    rows = "".join(row.format(n=n, text=text) for n, text in enumerate(("Welcome", "A dog barks.")))
    path = written(tmp_path, header + rows, "data.csv")
    with pytest.raises(TableError, match="no column names the item"):
        pb.read(path)
    sliders = written(tmp_path, (header + rows).replace("button", "slider"), "s.csv")
    assert pb.read(sliders).ratings["item"].to_list() == ["A dog barks.", "Welcome"]


def test_a_trial_without_its_person_among_several_is_named_by_its_line(tmp_path: Path) -> None:
    header = "trial_type,trial_index,rt,item,response,subject\n"
    rows = "html-slider-response,0,9,i1,4,a\nhtml-slider-response,0,9,i1,5,b\n"
    path = written(tmp_path, header + rows + "html-slider-response,1,9,i2,5,\n", "data.csv")
    with pytest.raises(TableError, match=r"data\.csv:4: no subject"):
        pb.read(path)


def test_ibex_has_the_sentence_above_the_question(tmp_path: Path) -> None:
    columns = [
        *("Time results were received", "MD5 hash of participant's IP address", "Controller name"),
        *("Item number", "Element number", "Type", "Group"),
    ]
    first = [*columns, "Sentence (or sentence MD5)"]
    then = ["Question (NULL if none)", "Answer", "Whether or not answer was correct (NULL if N/A)"]
    lines = ["# Columns below this comment are as follows:"]
    lines += [f"# {place}. {name}." for place, name in enumerate(first, start=1)]
    lines.append("1777,p1,FlashSentence,3,0,test,NULL,A dog barks.")
    lines += [f"# {n}. {name}." for n, name in enumerate([*then, "Time taken to answer"], start=8)]
    lines.append("1777,p1,Question,3,0,test,NULL,NULL,5,NULL,2500")
    path = written(tmp_path, "\n".join([*lines, ""]), "results.csv")
    row = pb.read(path).ratings.row(0, named=True)
    assert (row["item"], row["annotator"], row["value"]) == ("A dog barks.", "p1", 5.0)
    assert row["seconds"] == 2.5


def test_a_text_that_differs_by_condition_is_an_item_of_its_own(tmp_path: Path) -> None:
    trials = [
        {"trial_type": "html-slider-response", "trial_index": n, "time_elapsed": n, "rt": 9}
        | {"subject": person, "item": "7", "condition": condition, "response": n}
        | {"stimulus": f"A {condition} dog."}
        for n, (person, condition) in enumerate((("a", "big"), ("b", "small"), ("c", "big")))
    ]
    path = tmp_path / "data.json"
    path.write_text(json.dumps(trials))
    result = pb.read(path)
    assert result.ratings["item"].to_list() == ["7/big", "7/big", "7/small"]
    assert result.items is not None
    assert result.items["condition"].to_list() == ["big", "small"]
    path.write_text(json.dumps([{**one, "stimulus": "A dog."} for one in trials]))
    same = pb.read(path)
    assert same.ratings.select("item", "condition").rows() == [
        ("7", "big"),
        ("7", "small"),
        ("7", "big"),
    ]


def test_a_second_run_of_a_person_is_a_retest(tmp_path: Path) -> None:
    trial = {"trial_type": "html-slider-response", "trial_index": 1, "time_elapsed": 1, "rt": 9}
    runs = [
        [{**trial, "workerId": who, "item": item, "response": n} for item in "ik"]
        for n, who in enumerate("aba")
    ]
    path = tmp_path / "jatos.txt"
    path.write_text("\n".join(map(json.dumps, runs)))
    ratings = pb.read(path).ratings
    assert ratings.filter(kind="item")["value"].to_list() == [0, 1, 0, 1]
    assert ratings.filter(kind="retest")["item"].to_list() == ["i@again", "k@again"]
