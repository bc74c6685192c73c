"""Language models asked about the stories of a GITA study, and scored by what its people say."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Event
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import PlausiblyError
from plausibly.io import file_hash
from plausibly.replications.own import rebuilt
from plausibly.study.results import finite
from worlds.wire import Part, chat, http, wire

MODELS = ["mock:1", "constant:vero"]
PEOPLE = ("ratings.parquet", "clean/ratings.parquet", "labels.parquet", "agree.json")
STORIES = "ask/stories.jsonl"
# Options of `ask gita`, which together name all that a study may set for mock models.
CHOICES: list[dict[str, Any]] = [
    {},
    {"prompts": "en-true", "shots": 3, "shot_sets": 2, "implausible": "1", "limit": 3},
    {"limit": 7, "gated": True, "normalise": "token"},
    {"shots": "coverage", "style": "instruct", "tasks": "story_class,conflict_detec"},
    {"tasks": "story_choice,story_choice_swapped", "price": "1,2", "budget": 9.0},
    {
        "tasks": "conflict_detec",
        "cutoff": "2024-08",
        "made_for": ["multilingual"],
        "api": "completions",
        "logprobs": True,
        "concurrency": 2,
        "max_wait": 1.0,
        "timeout": 2.0,
    },
]


def told(folder: Path, **sections: Mapping[str, Any]) -> None:
    """Write values into sections of study.toml, in the places of those that are there."""
    text = (folder / "study.toml").read_text(encoding="utf-8")
    for section, values in sections.items():
        before, _, rest = text.partition(f"[{section}]\n")
        own, blank, after = rest.partition("\n\n")
        kept = [
            line
            for line in own.splitlines()
            if re.sub("^# ", "", line).split(" = ")[0] not in values
        ]
        lines = [*(f"{key} = {json.dumps(value)}" for key, value in values.items()), *kept]
        text = f"{before}[{section}]\n" + "\n".join(lines) + blank + after
    (folder / "study.toml").write_text(text, encoding="utf-8")


@pytest.fixture
def study(
    tmp_path: Path, done: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Path]:
    """Return a copy of the example study of GITA that asks models, without published data."""
    monkeypatch.delenv("PLAUSIBLY_DATA", raising=False)

    def folder(models: list[str] | None = None, **more: Any) -> Path:
        target = tmp_path / "stories"
        shutil.copytree(done("gita"), target)
        told(target, ask={"model": MODELS if models is None else models, **more})
        told(target, score_gita={"resamples": 50})
        return target

    return folder


def steps_run(folder: Path, *, report: bool = False) -> list[str]:
    """Return the steps that a run had to do; pages take time, and few tests look at one."""
    study = pb.Study(folder)
    others = ("describe", "analyse", "browse")  # what they say does not depend on models
    steps = [one.name for one in study.active.steps if one.name not in others]
    run = [one.step for one in study.run(to=steps[-1 if report else -2]) if one.state == "run"]
    return [name for name in run if name not in others]


def document(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def typed(options: Mapping[str, Any]) -> list[str]:
    words: list[str] = []
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        for one in value if isinstance(value, list) else [value]:
            words += [flag] if one is True else [flag, str(one)]
    return words


def without_time(asked: Any) -> Any:
    asked["account"].pop("seconds")
    return asked


@pytest.mark.parametrize("options", CHOICES, ids=str)
def test_command_python_and_study_say_the_same(
    options: dict[str, Any],
    study: Callable[..., Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    models = MODELS[: 1 if options else 2]
    folder = study(models, **options)
    before = {file: file_hash(folder / file) for file in PEOPLE}
    ran = steps_run(folder)
    assert ran[0] == "ask"
    tiers = "story_choice" not in str(options.get("tasks"))
    assert ran[1:] == (["evaluate_ratings", "score_gita"] if tiers else [])
    assert {file: file_hash(folder / file) for file in PEOPLE} == before
    said = pl.read_parquet(folder / "ask" / "predictions.parquet")
    written = document(folder / "ask.json")["models"]
    chosen: dict[str, Any] = {n: str(v) if n == "shots" else v for n, v in options.items()}
    for place, model in enumerate(models):
        own = folder / "ask" / model.replace(":", "-")
        python = pb.ask("gita", model=model, items=folder / STORIES, **chosen)
        capsys.readouterr()
        command = ["ask", "gita", "--model", model, "--items", str(folder / STORIES), "--json"]
        assert run([*command, *typed(chosen), "-o", str(tmp_path / str(place))]) == 0
        printed = without_time(json.loads(capsys.readouterr().out))
        assert printed == without_time(finite(python.as_json())) == without_time(written[place])
        lines = (tmp_path / str(place) / "samples.jsonl").read_bytes()
        assert (own / "samples.jsonl").read_bytes() == lines
        mine = said.filter(pl.col("model").str.starts_with(model))
        plain = pl.all().exclude("distribution")  # a mapping in Python, a text in a file
        assert mine.select(plain).equals(python.predictions.select(mine.columns).select(plain))
        if tiers:
            scored = pb.score_gita(tmp_path / str(place), seed=1, resamples=50)
            assert document(folder / "score_gita.json")["models"][model] == finite(scored.as_json())
            words = ["--seed", "1", "--resamples", "50", "--json"]
            assert run(["score", "gita", str(own), *words]) == 0
            assert json.loads(capsys.readouterr().out) == finite(scored.as_json())
    assert steps_run(folder) == []


def test_models_are_asked_about_what_people_decided(study: Callable[..., Path]) -> None:
    folder = study()
    states = {one.step: one for one in pb.Study(folder).run(to="ask")}
    labels = pl.read_parquet(folder / "labels.parquet").drop_nulls("label")
    labelled = {(item, question): label for item, question, _, label, *_ in labels.iter_rows()}
    stories = [json.loads(line) for line in (folder / STORIES).read_text().splitlines()]
    items = pl.read_parquet(folder / "items.parquet").filter(kind="item")
    about = document(folder / "ask.json")["stories"]
    assert about["decided"] == len(stories)
    assert len(stories) + sum(about["left_out"].values()) == items.height
    notes = [f"{question}: {n}." for question, n in sorted(about["left_out"].items())]
    left_out = [note for note in states["ask"].notes if "because they have no label" in note]
    assert [note.rpartition("for ")[2] for note in left_out] == notes
    for story in stories:
        item = story["item"]
        assert labelled[item, "plausible"] == str(story["plausible"]).lower()
        if not story["plausible"]:
            assert labelled[item, "breakpoint"] == str(story["breakpoint"] + 1)
            assert labelled[item, "conflict_sentence"] == str(story["confl_sents"][0] + 1)
            assert labelled[item, "state"] == story["states"]
    said = pl.read_parquet(folder / "ask" / "predictions.parquet")
    assert set(said["item"]) == {story["item"] for story in stories}
    told(folder, ask={"tasks": "story_class"})
    steps_run(folder)
    fewer = document(folder / "ask.json")["stories"]["left_out"]
    assert set(fewer) <= {"plausible", "breakpoint"}


def test_report_and_release_speak_of_the_models(study: Callable[..., Path], tmp_path: Path) -> None:
    folder = study()
    assert steps_run(folder, report=True) == ["ask", "evaluate_ratings", "score_gita", "report"]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "Predictions by 2 models were compared with the labels" in page
    assert "Models next to people" in page
    assert "no label contains their answers" in page
    said = pl.read_parquet(folder / "ask" / "predictions.parquet")
    kept, items = folder / "clean" / "ratings.parquet", folder / "items.parquet"
    own = pb.evaluate(said, ratings=kept, items=items, seed=1).as_json()
    assert document(folder / "evaluate_ratings.json") == json.loads(json.dumps(own))
    questions = {"plausible", "conflict_sentence", "breakpoint", "state"}
    assert {one["question"] for one in own["models"]} == questions
    scores = pl.read_parquet(folder / "scores.parquet")
    values = document(folder / "score_gita.json")["models"]
    for metric, model, value in scores.select("metric", "model", "value").iter_rows():
        assert values[model][metric] == value
    made = pb.release(folder)
    made.write(tmp_path / "released")
    released = pl.read_parquet(tmp_path / "released" / "data" / "predictions.parquet")
    assert released.equals(said)
    verdicts = {one.id: one.verdict for one in rebuilt(tmp_path / "released")[0]}
    open_ = {name for name, verdict in verdicts.items() if verdict == "not computable"}
    listed = ("departures", "people", "scores")
    assert open_ == {f"release.report.model-{name}" for name in listed}
    assert {verdicts[name] for name in verdicts.keys() - open_} == {"exact"}
    told(folder, ask={"model": []})
    assert "Models next to people" not in _page_again(folder)
    assert not {"predictions", "scores"} & set(pb.release(folder).tables)


def _page_again(folder: Path) -> str:
    pb.Study(folder).run()
    return (folder / "report.html").read_text(encoding="utf-8")


def test_a_changed_option_or_label_asks_again_and_nothing_else_does(
    study: Callable[..., Path],
) -> None:
    folder = study(["mock:1"])
    steps_run(folder)
    first = (folder / "ask" / "mock-1" / "answers.jsonl").read_text().splitlines()
    told(folder, ask={"prompts": "it-vero,en-true"})
    assert steps_run(folder)[0] == "ask"
    second = (folder / "ask" / "mock-1" / "answers.jsonl").read_text().splitlines()
    assert second[: len(first)] == first
    told(folder, label={"at_least": 3})
    before = (folder / STORIES).read_text()
    assert "ask" in steps_run(folder)
    assert (folder / STORIES).read_text() != before
    told(folder, score_gita={"rules": "calamita"})
    assert steps_run(folder) == ["score_gita"]
    assert steps_run(folder) == []


def test_a_killed_study_asks_only_what_is_missing(study: Callable[..., Path]) -> None:
    asked, killed = Event(), Event()

    def script(_: dict[str, Any], number: int) -> list[Part]:
        if number == 11:
            asked.set()
            killed.wait(120)
        return [http(chat("vero"))]

    with wire(script) as server:
        name = f"openai:{server.url}#tiny"
        folder = study([name], concurrency=1, tasks="story_class")
        command = [sys.executable, "-m", "plausibly", "run", str(folder)]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
            assert asked.wait(120)
            os.kill(process.pid, signal.SIGKILL)
        killed.set()
        assert steps_run(folder)[0] == "ask"
        stories = len((folder / STORIES).read_text().splitlines())
        # The one question that was open when the process died is asked again.
        assert len(server.bodies) == stories + 1
        texts = [json.dumps(body["messages"]) for body in server.bodies]
        assert len(set(texts)) == stories


def test_two_servers_of_one_model_are_told_apart(study: Callable[..., Path]) -> None:
    def script(*_: object) -> list[Part]:
        return [http(chat("falso"))]

    with wire(script) as one, wire(script) as two:
        names = [f"openai:{server.url}#tiny" for server in (one, two)]
        folder = study(names, tasks="story_class", limit=4)
        steps_run(folder)
    apart = {re.sub(r"[:/#]+", "-", name) for name in names}
    assert set(document(folder / "score_gita.json")["models"]) == apart
    said = pl.read_parquet(folder / "ask" / "predictions.parquet")["model"].unique()
    assert set(said) == {f"{name}:tiny/it-vero/0" for name in apart}


def test_answers_of_others_stand_beside_the_models_asked(study: Callable[..., Path]) -> None:
    folder = study(["mock:1"])
    steps_run(folder)
    shutil.copytree(folder / "ask" / "mock-1", folder / "theirs")
    told(folder, score_gita={"answers": "theirs"})
    assert steps_run(folder) == ["score_gita"]
    both = document(folder / "score_gita.json")
    assert {name: one for name, one in both.items() if name != "models"} == both["models"]["mock:1"]
    models = pl.read_parquet(folder / "scores.parquet")["model"].unique().sort().to_list()
    assert models == ["mock:1", "theirs"]
    assert "labels of this study and what is right in the stories" in _page_again(folder)


@pytest.mark.parametrize("place", ["", "tiny__model/"])
@pytest.mark.parametrize("name", ["answers", "run [1]"])
def test_a_changed_log_of_the_harness_is_scored_again(
    place: str, name: str, study: Callable[..., Path]
) -> None:
    folder = study([])
    told(folder, score_gita={"answers": name})
    (folder / name / place).mkdir(parents=True)
    rows = [
        {
            "doc": {
                "story_id": number,
                "example_id": f"{number}-{kind}",
                "type": kind,
                "plausible": kind is None,
                "breakpoint": -1 if kind is None else 3,
                "confl_sents": [] if kind is None else [1],
                "states": "open",
                "options": ["false", "true"],
            },
            "filtered_resps": [[-1.0, False], [-2.0, False]],
        }
        for number in range(3)
        for kind in (None, "cloze", "order")
    ]
    log = folder / name / place / "samples_story_class_2025-01-01.jsonl"
    log.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert steps_run(folder) == ["score_gita"]
    first = document(folder / "score_gita.json")
    assert steps_run(folder) == []
    for row in rows[:3]:
        row["filtered_resps"] = [[-3.0, False], [-2.0, False]]
    log.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    assert steps_run(folder) == ["score_gita"]
    assert document(folder / "score_gita.json") != first
    shutil.copy(log, log.with_name("samples_story_class_2025-02-01.jsonl"))
    assert steps_run(folder)[0] == "score_gita"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shots": 90}, "Show fewer"),
        ({"shots": [3]}, r"\[ask\] shots must be text"),
        ({"limit": 0}, "limit must be at least 1"),
        ({"limit": "7"}, r"\[ask\] limit must be a whole number"),
        ({"protocol": "gita-2023"}, r"\[ask\] protocol"),
        ({"protocol": "gita-2024"}, "the folder with the published datasets is not known"),
        ({"tasks": "story"}, "unknown task 'story'"),
        ({"prompts": "nobody"}, "unknown prompt"),
        ({"price": "much"}, "price"),
    ],
)
def test_a_wrong_choice_is_one_line(
    options: dict[str, Any], message: str, study: Callable[..., Path]
) -> None:
    folder = study(["mock:1"], **options)
    with pytest.raises(PlausiblyError, match=message) as caught:
        pb.Study(folder).run()
    assert "\n" not in str(caught.value)
