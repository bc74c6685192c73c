"""Command, function and study: the same options of a builder, the same files or the same error."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.cli.groups import command_at
from plausibly.errors import PlausiblyError, flag
from plausibly.study import PROTOCOLS
from plausibly.study.settings import write_settings
from plausibly.verbs.build import BUILDERS
from plausibly.verbs.extract import extract
from worlds.builds import building_world, typed
from worlds.trees import DOG, GIRL, conllu
from worlds.values import place as place_of

World = dict[str, dict[str, Any]]
# What a command has besides the keywords of its builder.
OF_COMMANDS = {"output", "force", "as_json", "more"}
# What a study does not set: its seed is in [study], and it builds items.
NOT_SET = {"seed", "watch", "feasibility"}


def given(folder: Path) -> None:
    """Write what some options need, beside the world of every builder."""
    (folder / "zipf.csv").write_text("word,zipf\nowl,4\nhour,5\n", encoding="utf-8")
    (folder / "often.csv").write_text("word,pos,count\neat,v,9\nsee,v,8\n", encoding="utf-8")
    (folder / "rude.txt").write_text("rude\n", encoding="utf-8")
    (folder / "people.toml").write_text("term = ['old']\ncolour = []\npeople = ['bell']\n")
    (folder / "turns.csv").write_text("verb,opposite\naprire,chiudere\n", encoding="utf-8")
    (folder / "it.csv").write_text("noun,gender\nowl,m\nhour,f\n", encoding="utf-8")
    said: dict[str, list[Any]] = {
        "relation": ["amod"],
        "head": ["bell"],
        "dependent": ["small"],
        "object": [""],
    }
    said |= {"rank": [1], "document": ["d"], "sentence": ["A small bell."], "place": [0]}
    pl.DataFrame(said).write_parquet(folder / "said.parquet")


# For each builder, calls that together name every option of it.
CALLS: dict[str, list[dict[str, Any]]] = {
    "pap": [
        {
            "draw": "token",
            "exchanged": 1,
            "per_word": 0.5,
            "sentences": True,
            "examples": "said.parquet",
            "frequency": "zipf.csv",
            "profanity": "rude.txt",
        },
        {
            "draw": "type",
            "match": ["length:9"],
            "short_cells": "take-all",
            "per_word": 0,
            "no_negation": True,
            "no_fiction": True,
            "without": ["question"],
            "per_cell": 2,
        },
        {"profanity_classifier": 2.0, "min_zipf": 8},
        {"look_up": "exact"},
        {"language": "xx"},
        {"per_cell": 4000},
        {"match": ["nobody:1"]},
        {"norms": "nouns.csv"},
        {"svo": "nouns.csv"},
    ],
    "adept": [
        {"listed_only": True, "profanity": "rude.txt"},
        {"omcs": True},
        {"identity": "with", "identity_terms": "people.toml", "ratio": 1, "min_count": 3},
        {"profanity_classifier": 0.9},
        {"identity": "only"},
        {"examples": "said.parquet", "engine": "duckdb", "nonsubsective": "special.tsv"},
        {"language": "it"},
        {"engine": "abacus"},
        {"ratio": -1},
        {"min_count": 0},
        {"conceptnet": "nouns.csv"},
        {"min_count": 99},
    ],
    "sp10k": [
        {"relations": "dobj", "heads": 1, "min_frequent": 18, "per_survey": 2},
        {"relations": "dobj,amod", "short_heads": "take-all", "engine": "duckdb"},
        {
            "frequency": "often.csv",
            "profanity": "rude.txt",
            "examples": "said.parquet",
            "short_heads": "take-all",
            "min_frequent": 1,
        },
        {"language": "it", "heads": 1},
        {"heads": 0},
        {"min_frequent": 0},
        {"per_survey": 0},
        {"relations": "nobody"},
        {"counts": "nouns.csv"},
    ],
    "gita": [
        {"swaps": 1, "opposites": "turns.csv", "augment": 2},
        {"swaps": -1},
        {"choice": True},
        {"language": "en"},
        {"language": "xx"},
        {"stories": "nouns.csv"},
        {"opposites": "nouns.csv"},
        {"alone": "nouns.csv"},
    ],
    "iks": [
        {"language": "it"},
        {"candidates": ["gpt.csv"]},
        {"candidates": ["nouns.csv"]},
        {"sources": "nouns.csv"},
        {"candidates": ["gpt.csv", "gpt.csv"]},
    ],
    "custom": [
        {"name": "noun", "frequency": "zipf.csv"},
        {"language": "it", "nouns": "it.csv"},
        {"name": "nobody"},
        {"group": "noun", "lists": "latin", "per_list": 1},
        {"per_list": 1},
        {"condition": "noun"},
        {"text": "noun"},
        {"templates": "nouns.csv"},
        {"table": "templates.toml"},
    ],
}
# Options no call above sets: keys lie elsewhere in a folder and in a study.
APART = {"iks": {"blind_key"}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("world")


@pytest.fixture(scope="module")
def world(folder: Path) -> World:
    options = building_world(folder)
    given(folder)
    svo = pl.read_parquet(folder / "svo.parquet")
    marks = {name: pl.lit(0, pl.Int64) for name in ("negated", "fiction", "question")}
    svo.with_columns(**marks).write_parquet(folder / "svo.parquet")
    return options


def places(value: object, folder: Path) -> object:
    """Return names of files of the world as whole paths."""
    if isinstance(value, list):
        return [places(one, folder) for one in value]
    return str(folder / value) if isinstance(value, str) and (folder / value).is_file() else value


def contents(folder: Path, *, without: tuple[str, ...]) -> dict[str, bytes]:
    return {one.name: one.read_bytes() for one in folder.iterdir() if one.name not in without}


def outcome(work: Callable[[], object]) -> str:
    """Return the error of what is done as the command line spells it, empty if there is none."""
    return failure(work)[0]


def failure(work: Callable[[], object]) -> tuple[str, int]:
    """Return the error of what is done as the command line prints it, and its exit code."""
    try:
        work()
    except PlausiblyError as error:
        return error.spelled(flag), 2 if error.parameter else 1
    return "", 0


def cases() -> Iterator[tuple[str, dict[str, Any]]]:
    for protocol, calls in CALLS.items():
        yield from ((protocol, call) for call in calls)


def agree(
    builder: str, asked: dict[str, Any], study: Path, step: str, capsys: pytest.CaptureFixture[str]
) -> bool:
    """Hold function, step and command against each other; return whether they built something."""
    function, command = study.parent / "function", study.parent / "command"
    said, failed = failure(lambda: pb.build(builder, **asked).write(function))
    in_study = outcome(lambda: pb.Study(study).run(to=step))
    code = run([*typed(builder, asked), "-o", str(command), "--json"])
    shown = capsys.readouterr()
    assert in_study == said
    assert (shown.err.strip() == said) if said else code == 0
    if said:
        assert code == failed
        assert not (study / "items.parquet").exists()
        assert not command.exists()
        return False
    written = contents(command, without=("manifest.json",))
    assert contents(function, without=("manifest.json",)) == written
    assert contents(study / step, without=()) == written
    assert (study / "items.parquet").read_bytes() == written["items.parquet"]
    assert json.loads((study / f"{step}.json").read_text()) == json.loads(shown.out)
    return True


@pytest.mark.parametrize(("protocol", "changes"), list(cases()), ids=str)
def test_three_ways_of_a_build_agree(
    protocol: str,
    changes: dict[str, Any],
    world: World,
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = {**world[protocol], **{n: places(value, folder) for n, value in changes.items()}}
    study = tmp_path / "study"
    study.mkdir()
    own = {name: value for name, value in asked.items() if name != "seed"}
    write_settings(study, PROTOCOLS[protocol], name="study", overrides={"build": own})

    assert agree(protocol, asked, study, "build", capsys) == (study / "items.parquet").exists()


@pytest.mark.parametrize("protocol", list(CALLS))
def test_command_and_study_have_the_options_of_the_function(protocol: str, world: World) -> None:
    made = command_at(f"build {protocol}")
    options = {str(one.name) for one in made.params} - OF_COMMANDS - NOT_SET
    takes = set(BUILDERS[protocol].declaration.signature.parameters) - NOT_SET
    assert options == takes == set(PROTOCOLS[protocol].step("build").parameters)
    named = {name for call in [world[protocol], *CALLS[protocol]] for name in call}
    missing = f"name every option in {place_of(__file__, 'CALLS')}"
    assert named - {"seed"} == options - APART.get(protocol, set()), missing


ITEMS: Mapping[str, list[Any]] = {
    "item": list("abcdef"),
    "text": ["x", "yy", "zz", "x y", "z z z", "w"],
    "condition": ["p", "q", "q", "p", "q", "p"],
    "side": ["l", "l", "r", "r", "r", "l"],
    "weight": [1.0, 1.5, 4.0, 3.0, 3.2, 9.0],
}
# Calls that together name every option of pairing.
PAIRINGS: list[dict[str, Any]] = [
    {"match": ["length:1"]},
    {"match": ["weight:1", "length:3"], "within": "side"},
    {"match": ["weight:0.5"], "by": "side", "language": "it"},
    {"match": ["weight"]},
    {"match": ["nobody:1"]},
    {"match": ["text:1"]},
    {"match": ["weight:1"], "by": "nobody"},
    {"match": ["weight:1"], "by": "item"},
    {"match": ["weight:1"], "within": "nobody"},
    {"match": ["weight:1"], "items": "study.toml"},
]


@pytest.mark.parametrize("protocol", ["custom", "pap"])
@pytest.mark.parametrize("changes", PAIRINGS, ids=str)
def test_three_ways_of_pairing_agree(
    changes: dict[str, Any], protocol: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = tmp_path / "study"
    study.mkdir()
    pl.DataFrame(ITEMS).write_csv(study / "all.csv")
    asked = {"items": "all.csv", **changes}
    write_settings(study, PROTOCOLS[protocol], name="study", overrides={"build_match": asked})
    asked = {**asked, "items": str(study / asked["items"]), "seed": 1}

    if agree("match", asked, study, "build_match", capsys):
        assert {one.state for one in pb.Study(study).run(to="build_match")} == {"done"}


@pytest.mark.parametrize("protocol", list(CALLS))
def test_command_and_study_have_the_options_of_pairing(protocol: str) -> None:
    made = command_at("build match")
    options = {str(one.name) for one in made.params} - OF_COMMANDS - NOT_SET
    own = PROTOCOLS[protocol].step("build_match").parameters
    assert options == set(own) == {"items", *(name for call in PAIRINGS for name in call)}


def test_a_study_pairs_what_it_builds(world: World, folder: Path, tmp_path: Path) -> None:
    build = {name: value for name, value in world["sp10k"].items() if name != "seed"}
    pairing: dict[str, Any] = {"match": ["length:2"], "by": "source", "within": "relation"}
    both = {"build": build, "build_match": pairing}

    def told(**sections: Any) -> list[str]:
        write_settings(tmp_path, PROTOCOLS["sp10k"], name="study", overrides=sections)
        last = "build_match" if "build_match" in sections else "build"
        return [one.step for one in pb.Study(tmp_path).run(to=last) if one.state == "run"]

    assert told(**both) == ["build", "build_match"]
    built = pb.build("sp10k", **world["sp10k"])
    paired = pb.build_match(items=built.items, seed=1, **pairing)
    items = pl.read_parquet(tmp_path / "items.parquet")
    assert items.equals(paired.items)
    assert 0 < items.filter(kind="item").height < built.items.filter(kind="item").height
    surveys = pl.read_parquet(tmp_path / "surveys.parquet")
    asked = built.surveys.filter(kind="item")["item"]
    assert set(surveys["item"]) <= set(items["item"])
    assert set(surveys.filter(kind="item")["item"]) == set(items["item"]) & set(asked)
    assert surveys.group_by("survey").agg((pl.col("kind") == "item").any())["kind"].all()
    assert told(**both) == []
    assert told(**both | {"build_match": {**pairing, "match": ["length:3"]}}) == ["build_match"]
    assert told(build=build) == ["build"]
    assert pl.read_parquet(tmp_path / "items.parquet").equals(built.items)
    assert pl.read_parquet(tmp_path / "surveys.parquet").equals(built.surveys)
    assert told(**both) == ["build", "build_match"]


def test_what_is_paired_is_named_once_and_never_replaced(tmp_path: Path) -> None:
    def said(**sections: Any) -> str:
        write_settings(tmp_path, PROTOCOLS["custom"], name="study", overrides=sections)
        return outcome(lambda: pb.Study(tmp_path).run(to="build_match"))

    pairing = {"match": ["weight:1"]}
    pl.DataFrame(ITEMS).write_parquet(tmp_path / "items.parquet")
    assert "not built in this study" in said(build_match={**pairing, "items": "items.parquet"})
    (tmp_path / "items.parquet").rename(tmp_path / "all.parquet")
    assert "[build_match] items is not set" in said(build_match=pairing)
    assert "what pairing writes" in said(build_match={**pairing, "items": "items.parquet"})
    build = {"table": "all.parquet", "templates": [{"text": "It is {text}."}]}
    both = {"build": build, "build_match": {**pairing, "items": "all.parquet"}}
    assert "although [build] builds" in said(**both)
    assert said(build_match={**pairing, "items": "all.parquet"}) == ""
    items = pl.read_parquet(tmp_path / "items.parquet")
    changed = pl.read_parquet(tmp_path / "all.parquet").with_columns(weight=pl.lit(1.0))
    changed.write_parquet(tmp_path / "all.parquet")
    assert said(build_match={**pairing, "items": "all.parquet"}) == ""
    assert pl.read_parquet(tmp_path / "items.parquet").height > items.height
    study = pb.init("gita", tmp_path / "other")
    assert "[build_match] match is not set" in outcome(lambda: study.run(to="build_match"))


KEYS: Mapping[str, Any] = {
    "relations": "dobj",
    "examples": 1,
    "profile": "enhanced",
    "min_count": 2,
}
EXTRACTIONS: list[dict[str, Any]] = [
    dict(KEYS),
    {
        "passives": True,
        "conjuncts": True,
        "relative_clauses": True,
        "proper_nouns": True,
        "particles": True,
        "drop_negated": True,
        "drop_modal": True,
        "memory": "1GB",
        "format": "conllu",
        "engine": "duckdb",
        "strict": True,
        "max_bad_share": 0.5,
    },
    {"format": "text", "column": "text", "language": "xx"},
    {"format": "text", "encoding": "nobody"},
    {"repair": "none"},
    {"articles": 3},
    {"documents": ["title=dogs"]},
    {"few": "both", "min_tokens": 3, "min_links": 2},
    {"relations": "nobody"},
    {"parser": "nobody"},
    {"memory": "much"},
]


@pytest.mark.parametrize("changes", EXTRACTIONS, ids=str)
def test_three_ways_of_an_extraction_agree(
    changes: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus, study = tmp_path / "a.conllu", tmp_path / "study"
    corpus.write_bytes(conllu(DOG, GIRL, GIRL))
    study.mkdir()
    asked = {"workers": 1, **changes}
    overrides = {"extract": {"files": ["../a.conllu"], **asked}}
    write_settings(study, PROTOCOLS["sp10k"], name="study", overrides=overrides)
    words = ["extract", str(corpus), "-o", str(tmp_path / "command"), "--json"]
    for name, value in asked.items():
        option = f"--{name.replace('_', '-')}"
        told = value if isinstance(value, list) else [value]
        words += [option] if value is True else [w for one in told for w in (option, str(one))]

    said, failed = failure(lambda: pb.extract(corpus, output=tmp_path / "function", **asked))
    in_study = outcome(lambda: pb.Study(study).run(to="extract"))
    code = run(words)
    shown = capsys.readouterr()
    assert (in_study, shown.err.strip() if said else "", code) == (said, said, failed)
    if said:
        return
    timed = ("manifest.json",)
    written = contents(tmp_path / "command", without=timed)
    assert contents(tmp_path / "function", without=timed) == written
    assert contents(study / "corpus", without=timed) == written


def test_the_extractions_above_name_every_option() -> None:
    named = {name for call in EXTRACTIONS for name in call} | {"workers", "files"}
    missing = f"name every option in {place_of(__file__, 'EXTRACTIONS')}"
    assert named == set(extract.step().parameters), missing


def test_a_study_builds_from_what_it_extracted(tmp_path: Path) -> None:
    eaten = [GIRL.replace("apple", noun) for noun in ("apple", "egg", "cherrie", "onion")]
    (tmp_path / "a.conllu").write_bytes(conllu(*eaten * 6))
    extract = {"files": ["a.conllu"], "workers": 1, "examples": 2}
    build: dict[str, Any] = {"relations": "dobj", "heads": 2, "short_heads": "take-all"}
    overrides = {"extract": extract, "build": build}
    write_settings(tmp_path, PROTOCOLS["sp10k"], name="study", overrides=overrides)
    states = pb.Study(tmp_path).run(to="build")
    assert [(one.step, one.state) for one in states] == [("extract", "run"), ("build", "run")]
    assert any("frequent pairs" in note for note in states[-1].notes)
    assert (tmp_path / "surveys.parquet").is_file()
    assert (tmp_path / "build" / "examples.parquet").is_file()
    pb.extract(tmp_path / "a.conllu", output=tmp_path / "out", workers=1, examples=2)
    made = pb.build("sp10k", counts=tmp_path / "out", seed=1, **build)
    assert made.items.equals(pl.read_parquet(tmp_path / "items.parquet"))
    (tmp_path / "a.conllu").write_bytes(conllu(*eaten * 7))
    assert [one.state for one in pb.Study(tmp_path).run(to="build")] == ["run", "run"]


def test_items_that_were_not_built_are_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "nouns.csv").write_text("noun\nowl\n", encoding="utf-8")
    own = pl.DataFrame({"item": ["a"], "text": ["x"]})
    own.write_parquet(tmp_path / "items.parquet")
    build = {"table": "nouns.csv", "templates": [{"text": "It is {noun:a}."}]}
    write_settings(tmp_path, PROTOCOLS["custom"], name="study", overrides={"build": build})
    assert "not built in this study" in outcome(lambda: pb.Study(tmp_path).run(to="build"))
    assert pl.read_parquet(tmp_path / "items.parquet").equals(own)
    (tmp_path / "items.parquet").unlink()
    pb.Study(tmp_path).run(to="build")
    assert pl.read_parquet(tmp_path / "items.parquet")["text"].to_list() == ["It is an owl."]


def test_the_key_of_a_study_lies_beside_it(world: World, tmp_path: Path) -> None:
    study = tmp_path / "study"
    study.mkdir()
    own = {name: value for name, value in world["iks"].items() if name != "seed"}
    for key, place in (
        ({}, "study-key.parquet"),
        ({"blind_key": "../other.parquet"}, "other.parquet"),
    ):
        overrides = {"build": {**own, **key}}
        write_settings(study, PROTOCOLS["iks"], name="study", overrides=overrides)
        pb.Study(study).run(to="build")
        assert (tmp_path / place).is_file()
        assert not list(study.rglob("*key*"))
    write_settings(
        study,
        PROTOCOLS["iks"],
        name="study",
        overrides={"build": {**own, "blind_key": "key.parquet"}},
    )
    assert "which annotators get" in outcome(lambda: pb.Study(study).run(to="build"))


def test_a_study_says_what_it_wants_for_a_step_it_has_not(tmp_path: Path) -> None:
    study = pb.init("gita", tmp_path / "study")
    said = outcome(lambda: study.run(to="build"))
    assert said == "this study has no step 'build': [build] stories is not set in study.toml."
    study = pb.init("pap", tmp_path / "other")
    assert "[extract] files" in outcome(lambda: study.run(to="extract"))
