"""Folders for other harnesses hold the very prompts we ask, and their samples are scored here."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.datasets.gita import OPTIONS, STORY
from plausibly.errors import TableError, UnknownName
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
