"""Models beside people and models in pairs: shell and Python agree, wrong input is one line."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import StudyError
from worlds.gita import data_folder

PEOPLE = pl.DataFrame(
    {
        "item": [f"i{n}" for n in range(40) for _ in range(3)],
        "annotator": ["a", "b", "c"] * 40,
        "answer": [str(1 + (n + p // 2) % 5) for n in range(40) for p in range(3)],
    }
)
SAID = pl.DataFrame(
    {
        "item": [f"i{n}" for n in range(40)],
        "question": ["rating"] * 40,
        "model": ["m/one"] * 40,
        "label": [str(1 + n % 5) for n in range(40)],
        "score": [1.0 + n % 5 for n in range(40)],
    }
)


@pytest.mark.parametrize("graded", [False, True])
def test_shell_and_python_say_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], graded: bool
) -> None:
    PEOPLE.write_csv(tmp_path / "ratings.csv")
    SAID.write_parquet(tmp_path / "said.parquet")
    command = ["beside", str(tmp_path / "ratings.csv"), str(tmp_path / "said.parquet"), "--json"]
    command += ["--graded"] if graded else []
    assert run([*command, "-o", str(tmp_path / "people.csv")]) == 0
    own = pb.beside(PEOPLE, SAID, graded=graded)
    assert json.loads(capsys.readouterr().out) == own.as_json()
    [model] = own.as_json()["models"]
    assert model["alternative_annotator"]["epsilon"] == 0.1
    assert model["alternative_annotator"]["people"] == 3
    assert (model["worth"] is not None) == graded
    assert pl.read_csv(tmp_path / "people.csv")["annotator"].to_list() == ["a", "b", "c"]
    assert "no person" in own.talk[-1]


def test_ratings_without_people_have_agreement_alone() -> None:
    nobody = PEOPLE.with_columns(annotator=pl.int_range(pl.len()).cast(pl.String))
    result = pb.beside(nobody, SAID, graded=True)
    [model] = result.models
    assert model.agreement["with_people"] is not None
    assert model.worth is None
    assert model.test.winning_rate is None
    assert any("do not say who" in note for note in result.talk)


def test_a_conflict_of_stories_is_compared_sentence_by_sentence() -> None:
    rows = [
        (item, name, question, answer)
        for item, pair in {"s": "24", "t": "15"}.items()
        for name in ("anna", "bea", "carlo")
        for question, answer in zip(("conflict_sentence", "breakpoint"), pair, strict=True)
    ]
    people = pl.DataFrame(rows, schema=["item", "annotator", "question", "answer"], orient="row")
    told = {"item": ["s", "t"], "question": ["conflict"] * 2, "model": ["m"] * 2}
    said = pl.DataFrame({**told, "label": ["1 and 3", "0 and 2"]})
    agreed = {
        one["question"]: one["agreement"]["with_people"]
        for one in pb.beside(people, said, fewest=2).as_json()["models"]
    }
    assert agreed == {"conflict_sentence": 1.0, "breakpoint": 0.5}
    unread = said.with_columns(label=pl.Series(["1 and 3", "neither"]))
    [first, _] = pb.beside(people, unread, fewest=2).as_json()["models"]
    assert first["agreement"]["items"] == 1


def test_nothing_shared_is_one_line() -> None:
    with pytest.raises(StudyError, match="questions other"):
        pb.beside(PEOPLE, SAID.with_columns(question=pl.lit("other")))
    with pytest.raises(StudyError, match="item names"):
        pb.beside(PEOPLE, SAID.with_columns(item="item" + pl.col("item")))


def test_models_are_contrasted_on_the_same_stories(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = data_folder(tmp_path / "data", 8)
    for name in ("mock:1", "mock:2"):
        pb.ask("gita", model=name, data=data, output=tmp_path / name, prompts="it-vero,en-yes")
    folders = [tmp_path / "mock:1", tmp_path / "mock:2"]
    assert run(["contrast", *map(str, folders), "--json", "--permutations", "500"]) == 0
    own = pb.contrast(folders, permutations=500)
    assert json.loads(capsys.readouterr().out) == own.as_json()
    scores = [pb.score_gita(folder, resamples=0).as_json() for folder in folders]
    for one in own.pairs:
        expected = scores[0][one.metric] - scores[1][one.metric]
        assert one.difference.value == pytest.approx(expected)
        assert one.p is not None
        assert 0 < one.p <= 1
    turned = pb.contrast(folders[::-1], permutations=500)
    assert [one.difference.value for one in turned.pairs] == pytest.approx(
        [-(one.difference.value or 0.0) for one in own.pairs]
    )
    shares = own.answers.group_by("model", "task").agg(pl.col("said", "right").sum())
    assert shares["said"].to_list() == pytest.approx([1.0] * shares.height)
    with pytest.raises(StudyError, match="twice"):
        pb.contrast([folders[0], folders[0]])
