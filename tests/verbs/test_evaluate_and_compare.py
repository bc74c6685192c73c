"""Models and people, and models in pairs: shell and Python agree, wrong input is one line."""

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
    said, rated = (str(tmp_path / name) for name in ("said.parquet", "ratings.csv"))
    command = ["evaluate", said, "--ratings", rated, "--json"]
    command += ["--graded"] if graded else []
    assert run([*command, "-o", str(tmp_path / "people.csv")]) == 0
    own = pb.evaluate(SAID, ratings=PEOPLE, graded=graded)
    assert json.loads(capsys.readouterr().out) == own.as_json()
    [model] = own.as_json()["models"]
    assert model["alternative_annotator"]["epsilon"] == 0.1
    assert model["alternative_annotator"]["people"] == 3
    assert model["genuine_person"]["tested"] == 3
    assert any("3 people, each in turn treated as the model" in one for one in own.talk)
    assert model["worth"]["words"]
    assert pl.read_csv(tmp_path / "people.csv")["annotator"].to_list() == ["a", "b", "c"]
    assert "not a person" in own.talk[-1]


def test_ratings_without_people_have_agreement_alone() -> None:
    nobody = PEOPLE.with_columns(annotator=pl.int_range(pl.len()).cast(pl.String))
    result = pb.evaluate(SAID, ratings=nobody, graded=True)
    [model] = result.models
    assert model.agreement["with_people"] is not None
    assert model.worth is None
    assert model.test.winning_rate is None
    assert any("do not show who" in note for note in result.talk)


def test_an_item_with_two_answers_equally_often_is_tied_not_unread() -> None:
    rows = [(item, name, "seen", "yes") for item in "xyz" for name in ("anna", "bea")]
    names = ("item", "annotator", "question", "answer")
    people = pl.DataFrame(rows, schema=names, orient="row")
    said = pl.DataFrame(
        {
            "item": ["x", "y", "z"],
            "question": "seen",
            "model": "m/short",
            "label": ["yes", None, None],
            "distribution": ['{"yes": 1.0}', '{"no": 0.5, "yes": 0.5}', None],
        }
    )
    result = pb.evaluate(said, ratings=people)
    assert [(one.unread, one.tied) for one in result.models] == [(1, 1)]
    assert any(
        "two answers were given equally often about 1 of the items" in one for one in result.talk
    )


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
        for one in pb.evaluate(said, ratings=people, fewest=2).as_json()["models"]
    }
    assert agreed == {"conflict_sentence": 1.0, "breakpoint": 0.5}
    unread = said.with_columns(label=pl.Series(["1 and 3", "neither"]))
    [first, _] = pb.evaluate(unread, ratings=people, fewest=2).as_json()["models"]
    assert first["agreement"]["items"] == 1


def test_nothing_shared_is_one_line() -> None:
    with pytest.raises(StudyError, match="questions other"):
        pb.evaluate(SAID.with_columns(question=pl.lit("other")), ratings=PEOPLE)
    with pytest.raises(StudyError, match="item names"):
        pb.evaluate(SAID.with_columns(item="item" + pl.col("item")), ratings=PEOPLE)


def test_models_are_compared_on_the_same_stories(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = data_folder(tmp_path / "data", 8)
    for name in ("mock:1", "mock:2"):
        pb.ask("gita", model=name, data=data, output=tmp_path / name, prompts="it-vero,en-yes")
    folders = [tmp_path / "mock:1", tmp_path / "mock:2"]
    words = ["compare", *map(str, folders), "--scheme", "gita", "--json"]
    assert run([*words, "--permutations", "500"]) == 0
    own = pb.compare(folders, scheme="gita", permutations=500)
    assert json.loads(capsys.readouterr().out) == own.as_json()
    scores = [pb.score_gita(folder, resamples=0).as_json() for folder in folders]
    for one in own.pairs:
        expected = scores[0][one.metric] - scores[1][one.metric]
        assert one.difference.value == pytest.approx(expected)
        assert one.p is not None
        assert 0 < one.p <= 1
    turned = pb.compare(folders[::-1], scheme="gita", permutations=500)
    assert [one.difference.value for one in turned.pairs] == pytest.approx(
        [-(one.difference.value or 0.0) for one in own.pairs]
    )
    shares = own.answers.group_by("model", "task").agg(pl.col("said", "right").sum())
    assert shares["said"].to_list() == pytest.approx([1.0] * shares.height)
    with pytest.raises(StudyError, match="twice"):
        pb.compare([folders[0], folders[0]], scheme="gita")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["--ratings", "r.csv", "--against", "r.csv"],
            "--against and --ratings exclude each other",
        ),
        (["--ratings", "r.csv", "--scheme", "sp10k"], "--scheme and --ratings exclude each other"),
        (["--against", "r.csv"], "scheme is missing"),
        (["--scheme", "sp10k"], "against is missing"),
        (["--against", "r.csv", "--scheme", "sp10k", "--graded"], "--graded is only for --ratings"),
    ],
)
def test_predictions_are_held_against_a_file_or_ratings(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    PEOPLE.write_csv("r.csv")
    SAID.write_parquet("said.parquet")
    assert run(["evaluate", "said.parquet", *words]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--scheme", "gita", "--against", "said.parquet"], "against is not for scheme gita"),
        (["--scheme", "events"], "against is missing"),
        (["--scheme", "events", "--against", "said.parquet", "--rules", "clean"], "--rules is for"),
    ],
)
def test_a_comparison_takes_the_options_of_its_scheme(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    SAID.write_parquet("said.parquet")
    assert run(["compare", "said.parquet", "said.parquet", *words]) == 2
    assert message in capsys.readouterr().err


def test_ratings_are_compared_on_the_scale_that_is_declared() -> None:
    """Scores about the only question that is not a text; its scale decides how they compare."""
    rows = [
        (f"s{i}", f"p{p}", question, answer)
        for i in range(8)
        for p in range(5)
        for question, answer in (("fit", str(1 + (i + p) % 5)), ("why", "xy"[(i + p) % 2]))
    ]
    names = ["item", "annotator", "question", "answer"]
    people = pl.DataFrame(rows, schema=names, orient="row")
    said = pl.DataFrame(
        {
            "item": [f"s{i}" for i in range(8)],
            "model": "m",
            "score": [1.0 + i % 5 for i in range(8)],
        }
    )
    said = said.with_columns(label=pl.col("score").cast(pl.Int64).cast(pl.String))
    told = {"why": {"scale": "text"}}
    (one,) = pb.evaluate(said, ratings=people, questions=told, fewest=2).models
    assert (one.question, one.graded) == ("fit", False)
    told["fit"] = {"scale": "interval"}
    items = pl.DataFrame({"item": [f"s{i}" for i in range(8)], "text": "x"})
    (one,) = pb.evaluate(said, ratings=people, items=items, questions=told, fewest=2).models
    assert one.graded
    with pytest.raises(pb.PlausiblyError, match=r"answered 2 questions \(fit, why\). Add the col"):
        pb.evaluate(said, ratings=people, fewest=2)
