"""Items in two sets: found whatever their case, checks left out, pairs by their words."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from plausibly.cli import run
from plausibly.stimuli.leaks import leaks


def table(*texts: str, **more: list[str]) -> pl.DataFrame:
    rows = {"item": [f"i{n}" for n in range(len(texts))], "text": list(texts)}
    return pl.DataFrame({"condition": "a", "kind": "item", **rows, **more})


def test_the_same_words_are_one_item() -> None:
    sets = {"a": table("A dog barks.", "Cats sleep"), "b": table("cats sleep!", "a  DOG barks")}
    assert [(one.item, one.other) for one in leaks(sets)] == [("i0", "i1"), ("i1", "i0")]


def test_checks_are_shared_by_design() -> None:
    assert not leaks({"a": table("x", kind=["check"]), "b": table("x")})


def test_pairs_are_the_same_by_their_words_and_relation() -> None:
    def pairs(text: str, relation: str) -> pl.DataFrame:
        return table(text, relation=[relation], head=["eat"], dependent=["apple"])

    told = {"a": pairs("Can one eat an apple?", "dobj"), "b": pairs("eat apple", "dobj")}
    assert len(leaks(told)) == 1
    assert not leaks({**told, "b": pairs("eat apple", "nsubj")})


def test_a_sentence_that_is_shared_before_the_change_is_told_apart() -> None:
    first = table("An old dog barks.", sentence1=["A dog barks."])
    second = table("A sad dog barks.", sentence1=["A dog barks."])
    assert [one.kind for one in leaks({"a": first, "b": second})] == ["same_sentence"]


def test_the_command_names_both_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, two = str(tmp_path / "a.csv"), str(tmp_path / "b.csv")
    table("A dog barks.").write_csv(one)
    table("Cats sleep.", "A dog barks.").write_csv(two)
    assert run(["check", "leaks", one, two, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["items"] == {one: 1, two: 2}
    assert document["shared"] == [{"first": one, "second": two, "kind": "same_item", "items": 1}]
    assert run(["check", "leaks", one, two, "--strict"]) == 1
    assert run(["check", "leaks", one]) == 2
    assert "one set cannot be compared" in capsys.readouterr().err
    assert run(["check", "leaks", one, one]) == 1


@pytest.mark.data
def test_a_released_event_is_found(
    data_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from plausibly.datasets.loading import load_set

    released = load_set("pap", data_folder).tables["items"]["text"][0]
    own = str(tmp_path / "own.csv")
    table(released.upper(), "owl buys violin").write_csv(own)
    assert (
        run(["check", "leaks", own, "--against", "pap", "--data", str(data_folder), "--json"]) == 0
    )
    assert [one["item"] for one in json.loads(capsys.readouterr().out)["leaks"]] == ["i0"]
