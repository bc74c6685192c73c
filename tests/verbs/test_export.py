"""Folders for other harnesses hold the very prompts we ask, and their samples are scored here."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.datasets.gita import OPTIONS, STORY
from plausibly.errors import StudyError, TableError, UnknownName
from plausibly.study import PROTOCOLS
from plausibly.study.settings import write_settings
from plausibly.tables import ITEMS, RATINGS
from worlds.gita import data_folder
from worlds.hostile import hostile


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return data_folder(tmp_path / "data", 8)


def documents(folder: Path, name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = runpy.run_path(str(folder / name))["documents"](
        "gita_story_class_it-vero_3-2.1"
    )
    return found


def test_command_and_python_write_the_same_folder(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["export", "lm-eval", "gita", "--data", str(data), "--prompts", "all", "--json"]
    assert run([*command, "-o", str(tmp_path / "a")]) == 0
    said = json.loads(capsys.readouterr().out)
    mine = pb.export_lm_eval("gita", data=data, prompts="all")
    mine.write(tmp_path / "b")
    assert said == mine.as_json()
    assert len(said["tasks"]) == 15
    names = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert names == sorted(path.name for path in (tmp_path / "b").iterdir())
    for name in names:
        if name != "manifest.json":
            assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_a_document_holds_the_prompt_we_would_ask(tmp_path: Path, data: Path) -> None:
    folder = tmp_path / "tasks"
    pb.export_lm_eval("gita", data=data).write(folder)
    asked = pb.ask("gita", model="mock:1", data=data)
    own = {sample["item"]: sample for sample in asked.samples if sample["task"] == STORY}
    read = documents(folder, "reading.py")
    assert {doc["item"] for doc in read} == set(own)
    for doc in read:
        assert doc["context"].endswith("Risposta:")
        assert doc["options"] == list(OPTIONS[STORY])
        assert doc["options"][doc["label"]] == own[doc["item"]]["expected"]
        assert doc["choices"] == ["falso", "vero"]


def test_samples_of_the_harness_are_scored_with_our_words(tmp_path: Path, data: Path) -> None:
    pb.export_lm_eval("gita", data=data).write(tmp_path / "tasks")
    lines = [
        {
            "doc_id": place,
            "doc": doc,
            "arguments": [[doc["context"], f" {word}"] for word in doc["choices"]],
            "filtered_resps": [
                [str(0.0 if n == doc["label"] else -1.0), "False"]
                for n in range(len(doc["choices"]))
            ],
            "acc": 1.0,
        }
        for place, doc in enumerate(documents(tmp_path / "tasks", "reading.py"))
    ]
    logs = tmp_path / "logs" / "__a__model"
    logs.mkdir(parents=True)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (logs / "samples_gita_story_class_it-vero_3-2.1_2026.jsonl").write_text(text)
    for folder in (logs, logs.parent):
        assert pb.score_gita(folder, resamples=0).as_json()["accuracy"] == 1.0
    other = text.replace('"prompt": "it-vero"', '"prompt": "en-yes"').replace('"0.0"', '"-2.0"')
    (logs / "samples_gita_story_class_en-yes_3-2.1_2026.jsonl").write_text(other)
    again = pb.ask("gita", model=f"replay:{logs.parent}", data=data, tasks=STORY, prompts="it-vero")
    assert all(sample["answer"] == sample["expected"] for sample in again.samples)
    assert len(again.samples) == len(lines)
    both = pb.score_gita(logs.parent, resamples=0).as_json()
    assert {name: way["accuracy"] for name, way in both["ways"].items()} == {
        "en-yes/3-2.1": 0.0,
        "it-vero/3-2.1": 1.0,
    }
    assert both["accuracy"] == 0.5
    (tmp_path / "logs" / "__b__model").mkdir()
    (tmp_path / "logs" / "__b__model" / "samples_gita_story_class_x_2026.jsonl").write_text(text)
    with pytest.raises(TableError, match="2 models"):
        pb.score_gita(logs.parent, resamples=0)


def test_tasks_for_inspect_are_sound_python(tmp_path: Path, data: Path) -> None:
    pb.export_inspect("gita", data=data).write(tmp_path / "tasks")
    source = (tmp_path / "tasks" / "tasks.py").read_text(encoding="utf-8")
    compile(source, "tasks.py", "exec")
    assert source.count("@task") == 3
    assert "def gita_story_class_it_vero_3_2_1():" in source
    assert "multiple_choice" not in source


@pytest.mark.parametrize("style", ["chat", "completions"])
def test_harnesses_ask_byte_for_byte_what_we_ask(tmp_path: Path, data: Path, style: str) -> None:
    """The chat messages are inspect_ai's, the text to continue is the lm-evaluation-harness's."""
    export = pb.export_inspect if style == "chat" else pb.export_lm_eval
    export("gita", data=data, prompts="all").write(tmp_path / "tasks")
    exported = [
        json.loads(line)
        for file in sorted((tmp_path / "tasks").glob("*.jsonl"))
        for line in file.read_text(encoding="utf-8").split("\n")[:-1]
    ]
    with hostile(lambda *_: "sound") as server:
        url = f"openai:{server.url}"
        options = {"prompts": "all", "api": style, "output": tmp_path / "out"}
        pb.ask("gita", model=url, data=data, **options)  # type: ignore[call-overload]
    if style == "chat":
        ours = {json.dumps([list(t.values()) for t in one["messages"]]) for one in server.bodies}
        theirs = {json.dumps(one["messages"]) for one in exported}
    else:
        ours = {one["prompt"] for one in server.bodies}
        theirs = {one["context"] for one in exported}
    assert theirs <= ours
    assert len(theirs) > 10


def test_a_wrong_dataset_draws_the_nearest(data: Path) -> None:
    with pytest.raises(UnknownName, match="Did you mean 'gita'"):
        pb.export_lm_eval("gitta", data=data)


WORDINGS = """
[short]
text = "{text}\\n{question}\\n{options}"

[last]
text = "{question}\\n\\n{text}\\n\\n{instructions}\\n\\n{options}"
"""
SLIDER = {"id": "fits", "type": "slider", "min": 0, "max": 10, "start": 5, "labels": ["a", "b"]}
CHOICE = {"id": "seen", "type": "choice", "options": ["no", "yes"]}


def rated_study(folder: Path, questions: list[dict[str, Any]], answers: dict[str, str]) -> Path:
    """Return a study in two languages; an answer is a letter or digit per person."""
    folder.mkdir()
    form = {"questions": questions, "instructions": ["Read, then answer."]}
    write_settings(folder, PROTOCOLS["custom"], name="our cups", overrides={"form": form})
    words = {"n": "no", "y": "yes"}
    items = pl.DataFrame(
        {
            "item": list(answers),
            "text": [f"Una tazza «{item}» cade\nsul “tavolo”." for item in answers],
            "language": ["it" if place % 2 else "en" for place, _ in enumerate(answers)],
        }
    )
    ITEMS.check(items).write_parquet(folder / "items.parquet")
    (folder / "form.it.toml").write_text('instructions = ["Leggi, poi rispondi."]', "utf-8")
    rows = [
        (item, f"p{n}", questions[0]["id"], words.get(one, one))
        for item, own in answers.items()
        for n, one in enumerate(own)
    ]
    names = ("item", "annotator", "question", "answer")
    ratings = pl.DataFrame(rows, schema=names, orient="row")
    RATINGS.check(ratings).write_parquet(folder / "ratings.parquet")
    (folder / "wordings.toml").write_text(WORDINGS, "utf-8")
    return folder


@pytest.mark.parametrize("style", ["chat", "completions"])
@pytest.mark.parametrize("questions", [[SLIDER, CHOICE], [CHOICE, SLIDER]])
def test_the_first_question_of_a_study_is_exported_byte_for_byte(
    tmp_path: Path, style: str, questions: list[dict[str, Any]]
) -> None:
    slider = questions[0] is SLIDER
    answers = {"a": "789", "b": "12", "c": "2"} if slider else {"a": "yyn", "b": "nn", "c": "yn"}
    study = rated_study(tmp_path / "cups", questions, answers)
    chosen: dict[str, Any] = {"prompts": str(study / "wordings.toml")}
    export = pb.export_inspect if style == "chat" else pb.export_lm_eval
    exported = export(str(study), **chosen)
    documents = [
        json.loads(line)
        for name, text in exported.files.items()
        if name.endswith(".jsonl")
        for line in text.split("\n")[:-1]
    ]
    with hostile(lambda *_: "sound") as server:
        pb.ask(str(study), model=f"openai:{server.url}", api=style, output=tmp_path / "o", **chosen)  # type: ignore[call-overload]
    if style == "chat":
        ours = [json.dumps([list(t.values()) for t in one["messages"]]) for one in server.bodies]
        theirs = [json.dumps(one["messages"]) for one in documents]
    else:
        ours, theirs = (
            [one[k] for one in of] for of, k in ((server.bodies, "prompt"), (documents, "context"))
        )
    assert len(set(theirs)) == len(documents) == (6 if slider else 4)
    assert set(theirs) <= set(ours)
    people = {
        (one["item"], one.get("people_mean"), one["options"][one["label"]]) for one in documents
    }
    assert people == (
        {("a", 8.0, "8"), ("b", 1.5, "1"), ("c", 2.0, "2")}
        if slider
        else {("a", None, "yes"), ("b", None, "no")}
    )
    assert exported.divided == ({} if slider else {"seen": 1})
    assert f"{questions[1]['id']} is left out" in " ".join(exported.talk)


def test_a_study_without_ratings_is_not_exported(tmp_path: Path) -> None:
    study = rated_study(tmp_path / "cups", [SLIDER], {"a": "7"})
    (study / "ratings.parquet").unlink()
    with pytest.raises(StudyError, match=r"no ratings.*plausibly ask needs none"):
        pb.export_inspect(str(study))


def test_recorded_answers_stay_with_their_wording_and_sample(tmp_path: Path) -> None:
    answers = {"a": "89", "b": "88", "c": "11", "d": "22"}
    study = rated_study(tmp_path / "cups", [SLIDER, CHOICE], answers)
    chosen: dict[str, Any] = {
        "prompts": str(study / "wordings.toml"),
        "samples": 4,
        "temperature": 1.0,
        "shots": "1",
    }
    first = pb.ask(str(study), model="mock:1", output=tmp_path / "out", **chosen)
    again = pb.ask(str(study), model=f"replay:{tmp_path / 'out'}", **chosen)
    names = ("item", "task", "prompt", "sample", "text")
    told = [[tuple(one[name] for name in names) for one in run.samples] for run in (first, again)]
    assert told[0] == told[1]
    assert len({one[-1] for one in told[0]}) > 2
