"""The example study of every protocol runs to its report, and only what changed runs again."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.io import file_hash
from plausibly.ratings.questions import facts_of_study
from plausibly.registry import PROTOCOLS
from plausibly.study.results import finite

NAMES = ("adept", "sp10k", "gita", "iks", "custom")
Studies = Callable[[str], Path]


@pytest.fixture(scope="module")
def studies(tmp_path_factory: pytest.TempPathFactory) -> Studies:
    """Return the folder of a protocol's example study, run once."""
    root, made = tmp_path_factory.mktemp("examples"), set()

    def folder(name: str) -> Path:
        if name not in made:
            assert run(["init", name, str(root / name), "--example"]) == 0
            assert run(["run", str(root / name)]) == 0
            made.add(name)
        return root / name

    return folder


def hashes(folder: Path) -> dict[str, str]:
    manifest = json.loads((folder / "manifest.json").read_text())["steps"]
    return {
        name: one["sha256"] for step in manifest.values() for name, one in step["outputs"].items()
    }


def test_every_protocol_has_an_example() -> None:
    assert set(NAMES) | {"pap"} == set(PROTOCOLS)


@pytest.mark.parametrize("name", NAMES)
def test_an_example_runs_to_its_report_and_then_has_nothing_to_do(
    studies: Studies, name: str
) -> None:
    folder = studies(name)
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert "The people of this study are simulated" in page
    first_screen = page.partition('<section id="answer"')[2].partition("</section>")[0]
    about = re.search("on this page are about the question <dfn>(.*?)</dfn>", page)
    question = about[1] if about else pl.read_parquet(folder / "labels.parquet")["question"][0]
    assert re.findall('<figure id="figure-question-(.*?)"', first_screen) == [question]
    assert re.search('class="asked">“.*” <span>Answers: ', first_screen)
    assert [state.state for state in pb.Study(folder).run()] == ["done"] * len(
        pb.Study(folder).active.steps
    )


@pytest.mark.parametrize("name", NAMES)
def test_a_changed_parameter_runs_only_what_follows(
    studies: Studies, name: str, tmp_path: Path
) -> None:
    folder = studies(name)
    text = (folder / "study.toml").read_text(encoding="utf-8")
    before, section, after = text.partition("\n[agree]\n")
    changed = after.replace("# resamples = (not set)", "resamples = 5", 1)
    (folder / "study.toml").write_text(before + section + changed, encoding="utf-8")
    try:
        states = {one.step: one.state for one in pb.Study(folder).run()}
        assert states.pop("agree") == states.pop("report") == "run"
        assert set(states.values()) == {"done"}
    finally:
        (folder / "study.toml").write_text(text, encoding="utf-8")
        pb.Study(folder).run()


@pytest.mark.parametrize("name", NAMES)
def test_the_same_seed_gives_the_same_study(studies: Studies, name: str, tmp_path: Path) -> None:
    assert run(["init", name, str(tmp_path / name), "--example"]) == 0
    assert run(["run", str(tmp_path / name)]) == 0
    assert hashes(tmp_path / name) == hashes(studies(name))


def declared(study: Path, path: Path) -> Path:
    """Write what the form of a study declares, for who has its ratings alone."""
    lines = []
    for name, facts in facts_of_study(study).items():
        known = {key: one for key, one in asdict(facts).items() if one}
        lines += [f"[{name}]", *(f"{key} = {json.dumps(one)}" for key, one in known.items())]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


@pytest.mark.parametrize("name", NAMES)
def test_command_python_and_study_agree(
    studies: Studies, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = studies(name)
    settings = pb.Study(folder).settings.sections
    kept, items = folder / "clean" / "ratings.parquet", folder / "items.parquet"
    told = {k: v for k, v in settings["label"].items() if v is not None}
    if settings["label"]["method"] is None:
        told.pop("at_least", None)
        told["questions"] = declared(folder, tmp_path / "questions.toml")
    mine = pb.label(kept, items=items, **told)
    assert finite(mine.as_json()) == json.loads((folder / "label.json").read_text())
    values = {k: v for k, v in told.items() if not isinstance(v, bool)}
    assert not any(told[k] for k in told.keys() - values.keys())
    flags = [p for k, v in values.items() for p in (f"--{k.replace('_', '-')}", str(v))]
    capsys.readouterr()
    assert run(["label", str(kept), "--items", str(items), *flags, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == finite(mine.as_json())
    clean = settings["clean"]
    cleaned = pb.clean(
        folder / "ratings.parquet",
        clean["preset"],
        items=items,
        annotators=folder / "annotators.parquet",
        sides=clean["sides"],
        seed=1,
    )
    assert finite(cleaned.as_json()) == json.loads((folder / "clean.json").read_text())


@pytest.mark.parametrize("name", NAMES)
def test_without_an_example_a_study_waits_for_people(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["init", name, str(tmp_path / "new")]) == 0
    assert run(["run", str(tmp_path / "new")]) == 0
    assert f"plausibly serve {tmp_path / 'new'}" in capsys.readouterr().err


def test_scores_of_sp10k_lie_between_0_and_10_and_follow_from_the_answers(
    studies: Studies,
) -> None:
    folder = studies("sp10k")
    kept = pl.read_parquet(folder / "clean" / "ratings.parquet")
    labels = dict(pl.read_parquet(folder / "labels.parquet").select("item", "label").iter_rows())
    answers: dict[str, list[int]] = {}
    for item, answer in kept.select("item", "answer").iter_rows():
        if answer != "not sure":
            answers.setdefault(item, []).append(int(answer))
    for item, numbers in answers.items():
        expected = (sum(numbers) / len(numbers) - 1) * 2.5
        assert float(labels[item]) == pytest.approx(expected)


def test_the_report_on_sp10k_says_which_scale_its_scores_have(studies: Studies) -> None:
    page = (studies("sp10k") / "report.html").read_text(encoding="utf-8")
    text = re.sub(r"<[^>]+>", "", page)
    assert (
        "one number, the mean of its ratings, moved from a scale from 1 to 5 to one from 0 to 10."
        in text
    )


def test_a_label_of_adept_is_one_that_two_people_gave(studies: Studies) -> None:
    folder = studies("adept")
    kept = pl.read_parquet(folder / "clean" / "ratings.parquet")
    votes: dict[str, dict[str, int]] = {}
    for item, answer in kept.select("item", "answer").iter_rows():
        counted = votes.setdefault(item, {})
        counted[answer] = counted.get(answer, 0) + 1
    for item, label in (
        pl.read_parquet(folder / "labels.parquet").select("item", "label").iter_rows()
    ):
        shared = [answer for answer, count in votes[item].items() if count >= 2]
        assert label == (shared[0] if len(shared) == 1 else None)


def test_conflicts_of_gita_are_labelled_in_implausible_stories_alone(studies: Studies) -> None:
    labels = pl.read_parquet(studies("gita") / "labels.parquet")
    told = {
        question: dict(own.select("item", "label").iter_rows())
        for (question,), own in labels.partition_by("question", as_dict=True).items()
    }
    implausible = {item for item, label in told["plausible"].items() if label == "false"}
    assert set(told["conflict_sentence"]) == set(told["breakpoint"]) == implausible
    found = {item for item in implausible if told["conflict_sentence"][item]}
    assert set(told["state"]) == {item for item in found if told["breakpoint"][item]}
    assert implausible < set(told["plausible"])


def test_the_report_on_implicit_knowledge_shows_the_scores_of_systems(studies: Studies) -> None:
    folder = studies("iks")
    analysis = pb.score_iks(
        folder / "clean" / "ratings.parquet", items=folder / "items.parquet", seed=1
    )
    stored = json.loads((folder / "score_iks.json").read_text())
    assert finite(analysis.as_json()) == stored
    page = (folder / "report.html").read_text(encoding="utf-8")
    for system, profile in stored["systems"].items():
        assert re.search(
            rf'<th scope="row">{system}</th>.*{profile["win_rate"]["value"]:.2f}', page
        )


@pytest.mark.data
def test_no_item_of_an_example_is_a_row_of_a_published_set(studies: Studies) -> None:
    for name, columns in {"adept": ("sentence1", "text"), "sp10k": ("head", "dependent")}.items():
        ours = pl.read_parquet(studies(name) / "items.parquet").filter(pl.col("kind") == "item")
        published = pb.load(name).items
        assert published is not None
        theirs = {"adept": ("sentence1", "sentence2")}.get(name, columns)
        keys = set(published.select(theirs).iter_rows())
        assert not [row for row in ours.select(columns).iter_rows() if row in keys]


def test_a_study_that_is_killed_ends_with_the_same_hashes(studies: Studies, tmp_path: Path) -> None:
    folder = tmp_path / "adept"
    assert run(["init", "adept", str(folder), "--example"]) == 0
    command = [sys.executable, "-m", "plausibly", "run", str(folder)]
    for _ in range(4):
        steps = _steps(folder)
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
            until = time.monotonic() + 60
            while process.poll() is None and _steps(folder) == steps and time.monotonic() < until:
                time.sleep(0.01)
            if process.poll() is None:
                os.kill(process.pid, signal.SIGKILL)
    assert run(["run", str(folder)]) == 0
    assert hashes(folder) == hashes(studies("adept"))


def _steps(folder: Path) -> int:
    path = folder / "manifest.json"
    return len(json.loads(path.read_text())["steps"]) if path.is_file() else 0


def test_one_changed_answer_changes_the_ratings_file(studies: Studies, tmp_path: Path) -> None:
    folder = tmp_path / "custom"
    assert run(["init", "custom", str(folder), "--example"]) == 0
    assert run(["run", str(folder)]) == 0
    before = file_hash(folder / "ratings.parquet")
    lines = (folder / "answers.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (folder / "answers.csv").write_text("".join(lines[:-1]), encoding="utf-8")
    states = [one.state for one in pb.Study(folder).run()]
    assert states[0] == "run"
    assert file_hash(folder / "ratings.parquet") != before
