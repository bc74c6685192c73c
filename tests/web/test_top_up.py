"""Rated, cleaned, topped up: people who are new get exactly what cleaning left short."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from sqlalchemy import Engine, select

import plausibly as pb
from plausibly.cleaning.top_up import short_items
from plausibly.cli import run
from plausibly.errors import StudyError
from plausibly.ratings.served import Served
from plausibly.ratings.store.dialect import connect
from plausibly.ratings.store.opening import prepare
from plausibly.ratings.store.rounds import rounds_so_far
from plausibly.ratings.store.schema import items
from plausibly.tables import ITEMS
from plausibly.web.study import read_study
from worlds.served import NOW, joined, study_folder, works_through

RULES = """
[[rules]]
rule = "few_ratings"
fewer_than = 3
"""
TARGET = 2


def study_of(path: Path) -> Path:
    """Return a PAP study of six events and a target of two, cleaned by a rule on few ratings."""
    rows = [{"item": f"t{n}", "text": f"otter {n} paints ladder"} for n in range(6)]
    ratings: dict[str, Any] = {"target": TARGET, "batch": 5, "quota": 5, "checks_per_batch": 0}
    ratings |= {"source": "answers.sqlite"}
    cleaning = {"preset": "rules.toml", "top_up": True}
    folder = study_folder(
        path / "study", ITEMS.check(pl.DataFrame(rows)), {"ratings": ratings, "clean": cleaning}
    )
    (folder / "rules.toml").write_text(RULES)
    return folder


def opened(served: Served) -> Engine:
    engine = connect(f"sqlite:///{served.folder / 'answers.sqlite'}")
    prepare(engine, served, now=NOW)
    return engine


def rate(folder: Path, *names: str) -> dict[str, list[str]]:
    """Let people work through what there is for them; return what each was given."""
    served = read_study(folder)
    with opened(served).begin() as connection:
        return {name: works_through(connection, name, served) for name in names}


def cleaned(folder: Path) -> pl.DataFrame:
    """Clean what was collected, as `run` does, and return the round it asks for."""
    pb.Study(folder).run(to="clean")
    return pl.read_parquet(folder / "rounds.parquet")


def test_people_who_are_new_get_exactly_the_missing_items(tmp_path: Path) -> None:
    folder = study_of(tmp_path)
    first = rate(folder, "ann", "bob", "cyd", "dan")
    assert Counter(item for own in first.values() for item in own) == {
        f"t{n}": TARGET for n in range(6)
    }
    few = {name for name, own in first.items() if len(own) < 3}
    lost = Counter(item for name in few for item in first[name])
    assert lost
    rounds = cleaned(folder)
    assert dict(rounds.select("item", "wanted").iter_rows()) == lost
    assert set(rounds["collected"]) == {TARGET}
    second = rate(folder, "eve", "fay")
    assert Counter(item for own in second.values() for item in own) == lost
    served = read_study(folder)
    with opened(served).begin() as connection:  # opened again, nothing is asked for twice
        assert not joined(connection, "gus", served)
        assert len(rounds_so_far(connection)) == 2
        targets = dict(connection.execute(select(items.c.item, items.c.target)).all())
    assert targets == {item: TARGET + lost[item] for item in targets}


def test_what_came_in_since_cleaning_counts(tmp_path: Path) -> None:
    folder = study_of(tmp_path)
    rate(folder, "ann")
    rounds = cleaned(folder)
    assert rounds["wanted"].sum() == 12 - 5
    with opened(read_study(folder)).begin() as connection:
        assert len(rounds_so_far(connection)) == 2
    (folder / "rounds.parquet").unlink()
    given = rate(folder, "cyd")["cyd"]
    rounds.with_columns(pl.lit(1).alias("again")).write_parquet(folder / "rounds.parquet")
    rest = rate(folder, "dan", "eve")
    asked = Counter(given) + Counter(item for own in rest.values() for item in own)
    assert asked == dict(rounds.select("item", "wanted").iter_rows())


def test_without_top_up_no_round_is_asked_for(tmp_path: Path) -> None:
    folder = study_of(tmp_path)
    rate(folder, "ann", "bob", "cyd", "dan")
    cleaned(folder)
    text = (folder / "study.toml").read_text(encoding="utf-8")
    (folder / "study.toml").write_text(text.replace("top_up = true", "top_up = false"))
    pb.Study(folder).run(to="clean")
    assert not (folder / "rounds.parquet").exists()


def test_command_and_python_list_the_same_items(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = study_of(tmp_path)
    rate(folder, "ann", "bob", "cyd", "dan")
    rounds = cleaned(folder)
    things, rules = folder / "items.parquet", folder / "rules.toml"
    made = pb.clean(
        folder / "ratings.parquet", rules, items=things, top_up=True, target=2, resamples=0
    )
    assert made.rounds is not None
    assert made.rounds.equals(rounds)
    out = tmp_path / "out"
    options = ["--preset", str(rules), "--items", str(things), "--top-up", "--target", "2"]
    command = ["clean", str(folder / "ratings.parquet"), *options, "-o", str(out), "--json"]
    assert run(command) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)[0]["rule"] == "raw"
    assert pl.read_parquet(out / "rounds.parquet").equals(rounds)
    assert f"{rounds.height} items lack {rounds['wanted'].sum()} ratings" in " ".join(made.talk)


def test_a_top_up_needs_a_target() -> None:
    ratings = pl.DataFrame({"item": ["a"], "annotator": ["p"], "answer": ["1"]})
    things = pl.DataFrame({"item": ["a"], "text": ["x"]})
    with pytest.raises(StudyError, match="top_up= needs target="):
        pb.clean(ratings, "recommended", items=things, top_up=True)
    with pytest.raises(StudyError, match="target= is only for top_up="):
        pb.clean(ratings, "recommended", items=things, target=3)


def test_candidates_count_for_the_item_they_are_served_with() -> None:
    things = ITEMS.check(
        pl.DataFrame(
            {
                "item": ["s", "s#a", "s#b", "check"],
                "text": ["x"] * 4,
                "kind": ["item", "item", "item", "check"],
                "source": [None, "s", "s", None],
                "candidate": [None, "a", "b", None],
            }
        )
    )
    ratings = pl.DataFrame(
        {"item": ["s#a", "s#b"] * 2, "annotator": ["p", "p", "q", "q"], "question": ["q"] * 4}
    )
    rounds = short_items(ratings, ratings[:2], things, target=3)
    assert rounds.rows() == [("s", 2, 1, 2)]
