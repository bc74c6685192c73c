"""Studies: what is done stays done until content changes; what breaks leaves no trace."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from plausibly.errors import StudyError
from plausibly.study import Protocol, Step, Work, read_settings, run, status, write_settings
from plausibly.study.manifest import version_of
from plausibly.study.runner import explain


def copying(name: str, source: str, target: str, log: list[str]) -> Step:
    """Return a step that copies a text and adds its parameter, and logs that it ran."""

    def work(at: Work) -> None:
        log.append(name)
        at.write_text(target, at.path(source).read_text() + str(at.parameters["add"]))

    return Step(name, work, inputs=(source,), outputs=(target,), parameters={"add": name})


@pytest.fixture
def log() -> list[str]:
    return []


@pytest.fixture
def study(log: list[str]) -> Protocol:
    steps = (copying("one", "a.txt", "b.txt", log), copying("two", "b.txt", "c.txt", log))
    return Protocol("toy", steps, seed=3)


@pytest.fixture
def folder(tmp_path: Path, study: Protocol) -> Path:
    (tmp_path / "a.txt").write_text("start ")
    write_settings(tmp_path, study, name="toy", overrides={})
    return tmp_path


def states(study: Protocol, folder: Path) -> list[str]:
    return [outcome.state for outcome in status(study, folder)]


def test_steps_run_in_order_and_once(study: Protocol, folder: Path, log: list[str]) -> None:
    assert states(study, folder) == ["to do", "to do"]
    assert [o.state for o in run(study, folder)] == ["run", "run"]
    assert (folder / "c.txt").read_text() == "start onetwo"
    assert [o.state for o in run(study, folder)] == ["done", "done"]
    assert log == ["one", "two"]


def test_a_touch_runs_nothing_again(study: Protocol, folder: Path, log: list[str]) -> None:
    run(study, folder)
    os.utime(folder / "a.txt", (1, 1))
    run(study, folder)
    assert log == ["one", "two"]


def test_changed_content_runs_what_follows(study: Protocol, folder: Path, log: list[str]) -> None:
    run(study, folder)
    (folder / "a.txt").write_text("other ")
    assert states(study, folder) == ["to do", "to do"]
    run(study, folder)
    assert log == ["one", "two"] * 2
    assert (folder / "c.txt").read_text() == "other onetwo"


def test_unchanged_output_spares_what_follows(
    study: Protocol, folder: Path, log: list[str]
) -> None:
    run(study, folder)
    (folder / "b.txt").unlink()
    run(study, folder)
    assert log == ["one", "two", "one"]


def test_a_changed_parameter_runs_its_step(study: Protocol, folder: Path, log: list[str]) -> None:
    run(study, folder)
    text = (folder / "study.toml").read_text()
    (folder / "study.toml").write_text(text.replace('add = "two"', 'add = "2"'))
    run(study, folder)
    assert log == ["one", "two", "two"]
    assert (folder / "c.txt").read_text() == "start one2"


def test_what_a_step_heeds_of_other_sections_runs_it_again(
    study: Protocol, folder: Path, log: list[str]
) -> None:
    heeding = replace(study.steps[1], heeds=("study.name", "one"))
    study = replace(study, steps=(study.steps[0], heeding))
    run(study, folder)
    text = (folder / "study.toml").read_text()
    (folder / "study.toml").write_text(text.replace('name = "toy"', 'name = "Otters"'))
    assert explain(study, folder)[1].reason == "its parameters changed (study.name)"
    run(study, folder)
    assert log == ["one", "two", "two"]
    assert states(study, folder) == ["done", "done"]


def test_a_step_can_be_asked_for_again(study: Protocol, folder: Path, log: list[str]) -> None:
    run(study, folder)
    run(study, folder, first="two")
    run(study, folder, last="one")
    assert log == ["one", "two", "two"]


def test_a_step_whose_forerunner_is_not_done_is_refused(study: Protocol, folder: Path) -> None:
    with pytest.raises(StudyError, match="step 'one' is not done"):
        run(study, folder, first="two")


def test_a_failing_step_is_not_recorded(study: Protocol, folder: Path, log: list[str]) -> None:
    def fail(work: Work) -> None:
        raise StudyError(f"nothing to do in {work.folder.name}")

    broken = replace(study, steps=(study.steps[0], replace(study.steps[1], run=fail)))
    with pytest.raises(StudyError, match="nothing to do"):
        run(broken, folder)
    assert states(study, folder) == ["done", "to do"]
    run(study, folder)
    assert log == ["one", "two"]


def test_a_step_that_waits_for_people_stops_the_run(study: Protocol, folder: Path) -> None:
    waiting = replace(study.steps[0], run=lambda work: f"ask {work.seed} people")
    outcomes = run(replace(study, steps=(waiting, study.steps[1])), folder)
    assert [(o.step, o.state, o.reason) for o in outcomes] == [("one", "waiting", "ask 3 people")]
    assert not (folder / "manifest.json").exists()


def test_a_step_that_writes_nothing_is_an_error(study: Protocol, folder: Path) -> None:
    idle = replace(study.steps[0], run=lambda _: None)
    with pytest.raises(StudyError, match=r"ended without writing b\.txt"):
        run(replace(study, steps=(idle, study.steps[1])), folder)


def test_the_manifest_says_what_went_in_and_what_came_out(study: Protocol, folder: Path) -> None:
    run(study, folder)
    entry = json.loads((folder / "manifest.json").read_text())["steps"]["two"]
    assert set(entry["inputs"]) == {"b.txt"}
    assert set(entry["outputs"]) == {"c.txt"}
    assert entry["parameters"] == {"add": "two"}
    assert entry["seed"] == 3
    assert {"plausibly", "polars", "numpy", "python"} <= set(entry["versions"])


def test_a_tree_that_is_not_installed_has_a_manifest_all_the_same(
    study: Protocol, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def nowhere(package: str) -> str:
        raise PackageNotFoundError(package)

    monkeypatch.setattr("plausibly.study.manifest.version", nowhere)
    monkeypatch.setattr("plausibly.study.manifest.version_of", version_of.__wrapped__)
    run(study, folder)
    steps = json.loads((folder / "manifest.json").read_text())["steps"]
    assert {step["versions"]["plausibly"] for step in steps.values()} == {"unknown"}


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("[on]\nadd = 'x'", r"unknown section 'on'\. Did you mean 'one'\?"),
        ("[one]\nad = 'x'", r"unknown key of \[one\] 'ad'\. Did you mean 'add'\?"),
        ("[one]\nadd = 5", r"\[one\] add must be str; got 5"),
        ("[one", "not TOML"),
    ],
)
def test_what_study_toml_may_not_say(study: Protocol, folder: Path, line: str, what: str) -> None:
    (folder / "study.toml").write_text(f'[study]\nprotocol = "toy"\n{line}\n')
    with pytest.raises(StudyError, match=what):
        read_settings(folder, study)


@pytest.mark.parametrize(
    ("head", "what"),
    [
        ("", r"no \[study\] section with a protocol"),
        ('[study]\nprotocol = "toy"\nsed = 1', "Did you mean 'seed'"),
        ('[study]\nprotocol = "toy"\nseed = "1"', r"\[study\] seed must be int; got '1'"),
    ],
)
def test_what_the_head_must_say(study: Protocol, folder: Path, head: str, what: str) -> None:
    (folder / "study.toml").write_text(head)
    with pytest.raises(StudyError, match=what):
        read_settings(folder, study)


def test_written_settings_are_read_back(tmp_path: Path, study: Protocol) -> None:
    sections = {"form": {"labels": ["a", "b\n"], "width": 1.5, "on": True, "map": {"x": "y"}}}
    wide = replace(study, sections=sections)
    write_settings(tmp_path, wide, name='the "study"', overrides={"one": {"add": "é"}})
    settings = read_settings(tmp_path, wide)
    assert settings.name == 'the "study"'
    assert settings.seed == 3
    assert settings.sections == {**sections, "one": {"add": "é"}, "two": {"add": "two"}}


def test_a_folder_without_study_says_how_to_start_one(tmp_path: Path, study: Protocol) -> None:
    with pytest.raises(StudyError, match="plausibly init PROTOCOL DIR"):
        read_settings(tmp_path, study)


def test_a_broken_manifest_is_one_clear_error(study: Protocol, folder: Path) -> None:
    (folder / "manifest.json").write_text("[]")
    with pytest.raises(StudyError, match="Remove it to start again"):
        run(study, folder)


def explained(study: Protocol, folder: Path) -> list[tuple[str, str]]:
    return [(one.state, one.reason) for one in explain(study, folder)]


def test_a_plan_says_what_would_run_and_why_and_runs_nothing(
    study: Protocol, folder: Path, log: list[str]
) -> None:
    assert explained(study, folder) == [("run", "never run"), ("run", "never run")]
    assert log == []
    run(study, folder)
    assert explained(study, folder) == [("done", ""), ("done", "")]
    (folder / "a.txt").write_text("other ")
    assert explained(study, folder) == [
        ("run", "what it reads changed (a.txt)"),
        ("depends", "runs if one changes b.txt"),
    ]
    text = (folder / "study.toml").read_text()
    (folder / "study.toml").write_text(text.replace('add = "two"', 'add = "2"'))
    (folder / "a.txt").write_text("start ")
    assert explained(study, folder) == [("done", ""), ("run", "its parameters changed (add)")]
    (folder / "b.txt").unlink()
    assert explained(study, folder)[0] == (
        "run",
        "what it wrote is missing or was changed (b.txt)",
    )
    assert log == ["one", "two"]


def test_a_plan_is_what_a_run_then_does(study: Protocol, folder: Path) -> None:
    plan = explain(study, folder, first="one", last="one")
    assert [(one.step, one.state) for one in plan] == [("one", "run")]
    assert [(one.step, one.state) for one in run(study, folder, last="one")] == [("one", "run")]


def test_a_plan_ends_where_people_must_act(study: Protocol, folder: Path) -> None:
    waiting = replace(study.steps[0], waits=lambda _: "people answer")
    plan = explain(replace(study, steps=(waiting, study.steps[1])), folder)
    assert [(one.step, one.state) for one in plan] == [("one", "wait")]
