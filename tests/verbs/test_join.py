"""Joining studies loses nothing, does not depend on their order, and names what needs a choice."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import StudyError
from plausibly.study.joining import StudyTables, joined_tables

PLACES = st.tuples(st.sampled_from("abcd"), st.sampled_from("vwxyz"))


def tables(pairs: set[tuple[str, str]], *, text: str = "same") -> StudyTables:
    ratings = pl.DataFrame(
        [(item, person, "fits", "yes") for item, person in sorted(pairs)],
        schema=["item", "annotator", "question", "answer"],
        orient="row",
    )
    names = ratings["item"].unique().sort()
    items = pl.DataFrame({"item": names, "text": [f"{text} {one}" for one in names]})
    return StudyTables(items, ratings, pl.DataFrame({"annotator": ratings["annotator"].unique()}))


@given(st.lists(st.sets(PLACES, min_size=1), min_size=1, max_size=3), st.data())
def test_nothing_is_lost_and_the_order_does_not_matter(
    parts: list[set[tuple[str, str]]], data: st.DataObject
) -> None:
    studies = {f"s{place}": tables(pairs) for place, pairs in enumerate(parts)}
    names = data.draw(st.permutations(sorted(studies)))
    joined = joined_tables(studies, people="separate")
    again = joined_tables({name: studies[name] for name in names}, people="separate")
    for one, other in (
        (joined.items, again.items),
        (joined.ratings, again.ratings),
        (joined.annotators, again.annotators),
    ):
        assert one is not None
        assert other is not None
        assert_frame_equal(one, other)
    assert joined.ratings.height == sum(len(pairs) for pairs in parts)
    for name, study in studies.items():
        own = joined.ratings.filter(pl.col("study") == name)
        assert sorted(own["item"]) == sorted(study.ratings["item"])
        people = [one.removeprefix(f"{name}:") for one in own["annotator"]]
        assert sorted(people) == sorted(study.ratings["annotator"])
    everything = set().union(*({item for item, _ in pairs} for pairs in parts))
    assert set(joined.items["item"]) == everything


@given(st.sets(PLACES, min_size=1))
def test_one_study_joined_is_that_study(pairs: set[tuple[str, str]]) -> None:
    study = tables(pairs)
    joined = joined_tables({"only": study})
    same = joined.ratings.select(study.ratings.columns)
    assert_frame_equal(same, study.ratings, check_row_order=False)
    assert_frame_equal(joined.items.select("item", "text"), study.items)
    assert set(joined.ratings["study"]) == {"only"}


def test_ids_with_two_texts_are_named_or_kept_apart() -> None:
    studies = {"one": tables({("a", "v")}), "two": tables({("a", "w")}, text="other")}
    with pytest.raises(StudyError, match=r"1 item \('a'\) is not the same"):
        joined_tables(studies)
    joined = joined_tables(studies, items="separate")
    assert joined.items["item"].to_list() == ["one:a", "two:a"]
    assert joined.ratings["item"].to_list() == ["one:a", "two:a"]


def test_people_in_two_studies_are_named_one_person_or_two() -> None:
    studies = {"one": tables({("a", "v")}), "two": tables({("b", "v")})}
    with pytest.raises(StudyError, match=r"1 annotator \('v'\) is in several studies"):
        joined_tables(studies)
    assert joined_tables(studies, people="same").ratings["annotator"].to_list() == ["v", "v"]
    apart = joined_tables(studies, people="separate").ratings["annotator"]
    assert apart.to_list() == ["one:v", "two:v"]


def test_one_person_cannot_have_two_ratings_of_an_item() -> None:
    studies = {"one": tables({("a", "v")}), "two": tables({("a", "v")})}
    with pytest.raises(StudyError, match="ratings of the same item"):
        joined_tables(studies, people="same")


def ordered(studies: dict[str, dict[str, list[str]]]) -> dict[str, StudyTables]:
    """Return studies whose surveys ask about items in an order, which a model predicts."""
    joined: dict[str, StudyTables] = {}
    for study, surveys in studies.items():
        own = tables({(item, study) for items in surveys.values() for item in items})
        rows = [
            (name, place, item)
            for name, items in surveys.items()
            for place, item in enumerate(items, 1)
        ]
        order = pl.DataFrame(rows, schema=["survey", "position", "item"], orient="row")
        said = own.items.select(
            "item", question=pl.lit("fits"), model=pl.lit("m"), label=pl.lit("yes")
        )
        joined[study] = replace(own, orders={"surveys": order}, predictions=said)
    return joined


def test_surveys_keep_their_order_and_those_of_one_name_are_told_apart() -> None:
    studies = ordered({"one": {"1": ["b", "a"], "2": ["c"]}, "two": {"1": ["d"], "2": ["c"]}})
    surveys = joined_tables(studies).orders["surveys"]
    asked = surveys.group_by("survey", maintain_order=True).agg("item")
    assert dict(asked.iter_rows()) == {"2": ["c"], "one:1": ["b", "a"], "two:1": ["d"]}
    apart = {
        **studies,
        "two": replace(
            studies["two"], items=studies["two"].items.with_columns(text=pl.lit("other"))
        ),
    }
    separate = joined_tables(apart, items="separate").orders["surveys"]
    assert set(separate["item"]) == {"a", "b", "one:c", "two:c", "d"}
    assert set(separate["item"]) == set(joined_tables(apart, items="separate").items["item"])


def test_a_model_that_contradicts_itself_becomes_two() -> None:
    studies = ordered({"one": {"1": ["a", "b"]}, "two": {"1": ["b", "c"]}})
    predictions = joined_tables(studies).predictions
    assert predictions is not None
    assert predictions.select("item", "model").rows() == [("a", "m"), ("b", "m"), ("c", "m")]
    other = studies["two"].predictions
    assert other is not None
    studies["two"] = replace(studies["two"], predictions=other.with_columns(label=pl.lit("no")))
    predictions = joined_tables(studies).predictions
    assert predictions is not None
    assert predictions.height == 4
    assert set(predictions["model"]) == {"one:m", "two:m"}


def test_a_joined_study_runs_like_the_studies_it_is_made_of(tmp_path: Path) -> None:
    first = pb.init("custom", tmp_path / "first", example=True).folder
    things = pl.read_parquet(first / "items.parquet").filter(kind="item")
    asked = things.select("item", survey=pl.lit("1"), position=pl.int_range(pl.len()))
    asked.write_parquet(first / "lists.parquet")
    said = things.select(
        "item", question=pl.lit("plausible"), model=pl.lit("m"), label=pl.lit("yes")
    )
    said.write_csv(first / "theirs.csv")
    toml = (first / "study.toml").read_text()
    head, _, rest = toml.partition("[models_predict]")
    theirs = "[models_predict]".join(
        [head, rest.replace("files = []", 'files = ["theirs.csv"]', 1)]
    )
    (first / "study.toml").write_text(theirs)
    assert run(["run", str(first), "--to", "models_predict"]) == 0
    second = Path(copytree(first, tmp_path / "second"))
    toml = (second / "study.toml").read_text().replace('name = "first"', 'name = "second"')
    (second / "study.toml").write_text(toml)
    assert run(["join", str(first), "-o", str(tmp_path / "same")]) == 0
    assert run(["run", str(tmp_path / "same"), "--to", "models_predict"]) == 0
    for name in ("ratings", "labels", "clean/ratings", "lists", "predictions"):
        own, joined = (
            pl.read_parquet(folder / f"{name}.parquet") for folder in (first, tmp_path / "same")
        )
        assert_frame_equal(joined.select(own.columns), own)
    both = pb.join([second, first], output=tmp_path / "both", people="separate")
    assert both.document["ratings"] == 2 * pl.read_parquet(first / "ratings.parquet").height
    command = tmp_path / "command"
    options = ["--people", "separate", "-o", str(command)]
    assert run(["join", str(first), str(second), *options]) == 0
    for name in ("items.parquet", "joined.parquet", "annotators.parquet"):
        assert_frame_equal(pl.read_parquet(both.folder / name), pl.read_parquet(command / name))
    held = json.loads((command / "join.json").read_text())
    assert held["studies"] == ["first", "second"]


def test_a_study_without_ratings_is_refused(tmp_path: Path) -> None:
    empty = pb.init("custom", tmp_path / "empty").folder
    with pytest.raises(StudyError, match="nothing to join"):
        pb.join([empty], output=tmp_path / "all")
