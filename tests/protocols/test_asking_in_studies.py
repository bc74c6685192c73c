"""Language models asked inside a study: after people, beside people, never among them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import PlausiblyError, StudyError
from plausibly.io import file_hash
from plausibly.study import PROTOCOLS
from plausibly.study.parameters import parameters_of
from worlds.wire import Part, chat, http, wire

MODELS = ["mock:1", "constant:1"]
PEOPLE = ("ratings.parquet", "clean/ratings.parquet", "labels.parquet", "agree.json")
PLAIN = pl.all().exclude("distribution")  # a mapping in Python, a text in a file
QUESTIONS = {"pap": "plausible", "adept": "effect", "sp10k": "preference"}


@pytest.fixture
def study(tmp_path: Path, done: Callable[[str], Path]) -> Callable[..., Path]:
    """Return a copy of an example study that asks models."""

    def folder(name: str, models: Sequence[str] = MODELS, **more: object) -> Path:
        target = tmp_path / name
        shutil.copytree(done(name), target)
        told(target, models, **more)
        return target

    return folder


def told(folder: Path, models: Sequence[str], **more: object) -> None:
    text = (folder / "study.toml").read_text(encoding="utf-8")
    before, _, rest = text.partition("[ask]\n")
    own, blank, after = rest.partition("\n\n")
    values = {"model": list(models), **more}
    kept = [one for one in own.splitlines() if one.split(" = ")[0] not in values]
    lines = [*(f"{key} = {json.dumps(value)}" for key, value in values.items()), *kept]
    (folder / "study.toml").write_text(f"{before}[ask]\n" + "\n".join(lines) + blank + after)


def steps_run(folder: Path) -> list[str]:
    return [one.step for one in pb.Study(folder).run() if one.state == "run"]


def document(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", list(QUESTIONS))
def test_command_python_and_study_say_the_same(
    name: str,
    study: Callable[..., Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PLAUSIBLY_DATA", raising=False)
    folder = study(name)
    before = {file: file_hash(folder / file) for file in PEOPLE}
    assert steps_run(folder)[:2] == ["ask", "evaluate_ratings"]
    assert {file: file_hash(folder / file) for file in PEOPLE} == before
    items, said = folder / "items.parquet", pl.read_parquet(folder / "ask" / "predictions.parquet")
    rated = pl.read_parquet(items).filter(kind="item")["item"]
    for model in MODELS:
        python = pb.ask(name, model=model, items=items)
        capsys.readouterr()
        command = ["ask", name, "--model", model, "--items", str(items), "--json"]
        assert run([*command, "-o", str(tmp_path / model.replace(":", "-"))]) == 0
        printed = json.loads(capsys.readouterr().out)
        assert printed["tasks"] == python.as_json()["tasks"]
        own = said.filter(pl.col("model").str.starts_with(model))
        assert own.select(PLAIN).equals(python.predictions.select(own.columns).select(PLAIN))
        assert set(own["item"]) == set(rated)
    kept = folder / "clean" / "ratings.parquet"
    compared = pb.evaluate(said, ratings=kept, items=items, graded=name == "sp10k", seed=1)
    together = compared.as_json()
    assert document(folder / "evaluate_ratings.json") == json.loads(json.dumps(together))
    kinds = pl.read_parquet(folder / "ask" / "annotators.parquet")
    assert set(kinds["kind"]) == {"model"}
    answers = pl.read_parquet(folder / "ask" / "ratings.parquet")
    assert set(answers["question"]) == {QUESTIONS[name]}
    people = pl.read_parquet(folder / "ratings.parquet")
    assert not set(answers["annotator"]) & set(people["annotator"])
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "Models next to people" in page
    assert "no label contains their answers" in page
    assert steps_run(folder) == []


# What a study does not set: its items, seed and folder are its own, and it asks, not forecasts.
OF_FORMS = {"samples", "dry"}  # a form is sampled; a dry run is for the command
ELSEWHERE = {"output", "data", "items", "forecast", "seed", "watch"}
OF_STORIES = {"implausible", "gated", "protocol"}


@pytest.mark.parametrize("name", [*QUESTIONS, "gita"])
def test_a_study_has_the_options_of_the_command(name: str) -> None:
    options = set(parameters_of(pb.ask)) - ELSEWHERE - OF_FORMS
    left_out = set() if name == "gita" else OF_STORIES
    assert set(PROTOCOLS[name].step("ask").parameters) == options - left_out


def test_few_items_are_asked_about_and_the_evaluation_says_how_many(
    study: Callable[..., Path],
) -> None:
    folder = study("adept", ["mock:1"], limit=7, prompts="all")
    pb.Study(folder).run(to="evaluate")
    python = pb.ask(
        "adept", model="mock:1", items=folder / "items.parquet", limit=7, prompts="all"
    ).predictions
    said = pl.read_parquet(folder / "ask" / "predictions.parquet")
    assert said.select(PLAIN).equals(python.select(said.columns).select(PLAIN))
    assert said["item"].n_unique() == 7
    scores = pl.read_parquet(folder / "scores.parquet").filter(metric="accuracy", slice="all")
    assert 0 < max(scores["n"].to_list()) <= 7


def test_grades_of_pap_count_as_the_side_they_are_on(study: Callable[..., Path]) -> None:
    folder = study("pap", ["constant:1", "constant:5"])
    pb.Study(folder).run(to="evaluate")
    said = pl.read_parquet(folder / "predictions.parquet")
    sides = dict(said.select("model", "label").unique().iter_rows())
    assert sides == {"constant:1/en-grade/0": "0", "constant:5/en-grade/0": "1"}
    scores = pl.read_parquet(folder / "scores.parquet").filter(metric="accuracy", slice="all")
    assert scores["value"].sum() == pytest.approx(1.0)


def test_another_model_is_asked_and_the_first_is_not_asked_again(
    study: Callable[..., Path],
) -> None:
    def script(*_: object) -> list[Part]:
        return [http(chat("less likely"))]

    with wire(script) as server:
        name = f"openai:{server.url}#tiny"
        folder = study("adept", [name])
        pb.Study(folder).run()
        once = len(server.bodies)
        told(folder, [name, "mock:2"])
        assert steps_run(folder)[0] == "ask"
    assert once == len(server.bodies) == 48
    said = pl.read_parquet(folder / "ask" / "predictions.parquet")
    assert set(said["model"]) == {"tiny/en-change/0", "mock:2/en-change/0"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"shots": 2.5}, r"\[ask\] shots must be text"),
        ({"shots": 2}, "shows published examples"),
        ({"price": "1,2", "budget": -1.0}, "the budget -1; nothing was sent"),
        ({"style": "rude"}, r"\[ask\] style"),
    ],
)
def test_a_wrong_choice_is_one_line(
    options: dict[str, Any],
    message: str,
    study: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PLAUSIBLY_DATA", raising=False)
    with pytest.raises(PlausiblyError, match=message) as caught:
        pb.Study(study("adept", ["mock:1"], **options)).run(to="ask")
    assert "\n" not in str(caught.value)


def test_what_was_answered_is_kept_when_a_server_fails(study: Callable[..., Path]) -> None:
    broken = True

    def script(_: dict[str, Any], number: int) -> list[Part]:
        return [http(b"{" if broken and number % 2 else chat("more likely"))]

    with wire(script) as server:
        folder = study("adept", [f"openai:{server.url}#tiny"], concurrency=1)
        with pytest.raises(StudyError, match="run the study again"):
            pb.Study(folder).run()
        assert not (folder / "ask" / "predictions.parquet").exists()
        broken = False
        assert steps_run(folder)[0] == "ask"
    assert len(server.bodies) == 48 + 24


def test_a_study_that_names_no_model_asks_none(done: Callable[[str], Path]) -> None:
    study = pb.Study(done("adept"))
    own = study.protocol.active(study.settings.sections)
    assert not {"ask", "evaluate_ratings"} & {step.name for step in own.steps}
    with pytest.raises(StudyError, match=r"\[ask\] model is not set"):
        own.step("ask")


def test_own_items_have_one_tier_and_no_published_protocol(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text("subject,verb,object\ndog,eats,ladder\n")
    with pytest.raises(StudyError, match="pap has one tier"):
        pb.ask("pap", model="mock:1", items=tmp_path / "items.csv", gated=True)
    with pytest.raises(PlausiblyError, match="about gita, not pap"):
        pb.ask("pap", model="mock:1", items=tmp_path / "items.csv", protocol="gita-2024")
    asked = pb.ask("pap", model="mock:1", items=tmp_path / "items.csv", prompts="all")
    assert set(asked.predictions["item"]) == {"dog eats ladder"}
    assert asked.as_json()["tasks"]["plausible"]["right"] is None


@pytest.mark.parametrize("name", ["adept", "pap", "sp10k"])
@pytest.mark.parametrize("others", [["mock:1"], []])
def test_a_model_without_a_readable_answer_leaves_an_empty_row_and_the_run_goes_on(
    name: str, others: list[str], study: Callable[..., Path]
) -> None:
    def script(*_: object) -> list[Part]:
        return [http(chat("I would rather not say.", finish_reason="stop"))]

    with wire(script) as server:
        folder = study(name, [f"openai:{server.url}#tiny", *others])
        pb.Study(folder).run()
    assert (folder / "report.html").is_file()
    rows = document(folder / "evaluate_ratings.json")["models"]
    [mute] = [row for row in rows if row["model"].startswith("tiny/")]
    assert mute["agreement"]["with_people"] is None
    assert "unread" in mute["reason"]
    assert [row["model"].split("/")[0] for row in rows if not row["reason"]] == others
    assert "unread" in (folder / "report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("said", ["4", "5"])
def test_a_study_of_pairs_with_a_model_that_only_writes_reaches_the_report(
    study: Callable[..., Path], said: str
) -> None:
    def script(body: dict[str, Any], _: int) -> list[Part]:
        varied = len(body["messages"][-1]["content"]) % 2 and said == "4"
        return [http(chat("2" if varied else said, finish_reason="stop"))]

    with wire(script) as server:
        folder = study("sp10k", [f"openai:{server.url}#tiny"])
        pb.Study(folder).run()
    [row] = document(folder / "evaluate_ratings.json")["ways"]
    undefined = said == "5"  # one grade for all has no correlation
    assert (row["with_people"] is None, row["ways_defined"]) == (undefined, int(not undefined))
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "tiny" in page
    assert ("the same answer about every item" in page) == undefined
