"""Reading a folder of answers to GITA's tasks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plausibly.datasets.gita import CONFLICT, STATE, STORY
from plausibly.datasets.gita.answers import read_answers, read_task
from plausibly.errors import TableError
from plausibly.evaluation.gita import score_gita
from worlds.gita import chain, harness, line, stories, write


def test_packed_and_plain_files_read_alike(tmp_path: Path) -> None:
    plain, packed = tmp_path / "plain", tmp_path / "packed"
    for folder in (plain, packed):
        folder.mkdir()
    lines = chain(stories(2))
    one = read_answers(write(plain, lines))
    other = read_answers(write(packed, lines, packed=True))
    assert all(one.tasks[task].equals(other.tasks[task]) for task in (STORY, CONFLICT, STATE))


def test_sample_files_of_the_harness_score_like_ours(tmp_path: Path) -> None:
    lines = chain(stories(3), {STORY: [1], CONFLICT: [2], STATE: [4]})
    lines[STORY][0] = line(STORY, stories(3)[0], "false", "true")
    logs = tmp_path / "logs"
    logs.mkdir()
    for task, said in lines.items():
        text = "".join(json.dumps(harness(task, one)) + "\n" for one in said)
        (logs / f"samples_{task}_2024-09-10T15-59-29.148478.jsonl").write_text(text)
    ours = read_answers(write(tmp_path, lines))
    theirs = read_answers(logs)
    for rules in ("gita-2024", "calamita", "clean"):
        one = score_gita(ours, rules=rules, resamples=0)
        assert one.as_json() == score_gita(theirs, rules=rules, resamples=0).as_json()


def test_options_in_another_order_are_read_by_name(tmp_path: Path) -> None:
    logged = harness(STORY, line(STORY, stories(1)[0], "true"))
    asked, given = logged["arguments"], logged["filtered_resps"]
    assert isinstance(asked, dict)
    assert isinstance(given, list)
    logged |= {
        "arguments": [["prompt", " true"], ["prompt", " false"]],
        "filtered_resps": given[::-1],
    }
    path = tmp_path / "story_class.jsonl"
    path.write_text(json.dumps(logged))
    assert read_task(path, STORY)["answer"].to_list() == ["true"]


def test_of_several_sample_files_the_last_by_name_is_read(tmp_path: Path) -> None:
    doc = stories(1)[0]
    for day, answer in (("10", "false"), ("11", "true")):
        text = json.dumps(harness(STORY, line(STORY, doc, answer)))
        (tmp_path / f"samples_story_class_2024-09-{day}.jsonl").write_text(text)
    answers = read_answers(tmp_path)
    assert answers.tasks[STORY]["answer"].to_list() == ["true"]
    assert "2 files for story_class" in answers.notes[0]


def test_a_folder_without_answers_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="no answers"):
        read_answers(tmp_path)
    with pytest.raises(TableError, match="no such folder"):
        read_answers(tmp_path / "nowhere")


def test_a_file_of_no_known_form_is_refused(tmp_path: Path) -> None:
    (tmp_path / "story_class.jsonl").write_text('{"answer": "true"}\n')
    with pytest.raises(TableError, match="not a sample file"):
        read_answers(tmp_path)


def test_bad_lines_are_named(tmp_path: Path) -> None:
    doc = stories(1)[1]
    good = line(STORY, doc, "true")
    bad = [
        good | {"loglik": [-1.0]},
        good | {"plausible": "yes"},
        good | {"breakpoint": 1.5},
        {key: value for key, value in good.items() if key != "example_id"},
        good | {"loglik": [-1.0, float("nan")]},
        good | {"options": ["no", "yes"]},
    ]
    path = tmp_path / "story_class.jsonl"
    path.write_text("".join(json.dumps(said) + "\n" for said in [good, *bad]))
    with pytest.raises(TableError) as error:
        read_answers(tmp_path)
    assert str(error.value).splitlines() == [
        f"{path}:2: 1 log-likelihoods, story_class has 2 options",
        f'{path}:3: plausible "yes" is not true or false',
        f"{path}:4: breakpoint 1.5 is not a whole number",
        f"{path}:5: no example_id",
        f"{path}:6: 1 log-likelihoods, story_class has 2 options",
        f'{path}:7: options ["no", "yes"] are not those of story_class',
        "6 bad rows. Nothing was written.",
    ]


def test_a_name_of_digits_stays_a_name(tmp_path: Path) -> None:
    doc = stories(1)[0] | {"example_id": "007"}
    answers = read_answers(write(tmp_path, {STORY: [line(STORY, doc, "true")]}))
    assert answers.tasks[STORY]["example_id"].to_list() == ["007"]
