"""The step that waits for people, and goes on with what they answered."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy")

from plausibly.cli import run
from plausibly.ratings import import_ratings
from worlds.served import items_of, served_of, store_of, study_folder, works_through


def rows(study: Path) -> int:
    return import_ratings(study / "ratings.parquet").ratings.height


def test_answers_that_are_only_in_the_log_make_the_step_run_again(tmp_path: Path) -> None:
    study = study_folder(tmp_path, items_of(6), {"ratings": {"source": "answers.sqlite"}})
    served = served_of(6, batch=6, quota=6)
    engine = store_of(study, served)
    with engine.begin() as connection:
        works_through(connection, "ann", served, given="4")
    assert run(["run", str(study), "--to", "ratings"]) == 0
    assert rows(study) == 6
    file = (study / "answers.sqlite").read_bytes()
    with engine.begin() as connection:
        works_through(connection, "bob", served, given="5")
    assert (study / "answers.sqlite").read_bytes() == file
    assert run(["run", str(study), "--to", "ratings"]) == 0
    assert rows(study) == 12
    engine.dispose()


def test_a_waiting_study_says_how_to_go_on_with_what_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = study_folder(tmp_path, items_of(6), {})
    assert run(["run", str(study)]) == 0
    assert "plausibly serve" in capsys.readouterr().err
    served = served_of(6, batch=6, quota=6)
    engine = store_of(study, served)
    with engine.begin() as connection:
        works_through(connection, "ann", served)
    engine.dispose()
    assert run(["run", str(study)]) == 0
    told = capsys.readouterr().err
    assert "So far: 6 answers, 1 people" in told
    assert 'set source = "answers.sqlite"' in told
