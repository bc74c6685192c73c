"""`plausibly label` from the outside."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from labels.crowds import crowd
from plausibly.cli import run
from plausibly.io import read_table
from plausibly.labels import METHODS
from plausibly.tables import LABELS
from worlds.tables import ratings_of

CROWD = {"t1": "5542", "t2": "11-2", "t3": "4555", "t4": "21-1", "t5": "54--"}
KEYS = {
    *("method", "labels", "distribution", "entropy", "competence", "log_likelihood"),
    *("restarts", "iterations", "seed", "ties"),
}


def write(frame: pl.DataFrame, folder: Path) -> str:
    path = folder / "ratings.csv"
    frame.write_csv(path)
    return str(path)


def wide(folder: Path, text: str) -> str:
    path = folder / "wide.csv"
    path.write_text(text, encoding="utf-8")
    return str(path)


def document_of(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert run(["label", *arguments, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert isinstance(document, dict)
    return document


@pytest.mark.parametrize("method", sorted(METHODS))
def test_every_method_has_every_fixed_key(
    method: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = ["--at-least", "2"] if method == "agreed-by" else []
    file = write(ratings_of(CROWD), tmp_path)
    document = document_of([file, "--method", method, *more], capsys)
    assert set(document) >= KEYS
    assert document["method"] == method
    assert set(document["labels"]) == set(CROWD)
    assert set(document["distribution"]) == set(CROWD)
    for shares in document["distribution"].values():
        assert sum(shares.values()) == pytest.approx(1)
    kind = (float, int) if method in ("adjusted", "mean", "median", "score", "share") else str
    assert all(isinstance(label, kind) for label in document["labels"].values() if label)


def test_what_a_method_does_not_have_is_null(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    document = document_of([write(ratings_of(CROWD), tmp_path), "--method", "plurality"], capsys)
    for key in ("entropy", "competence", "log_likelihood", "restarts", "iterations", "seed"):
        assert document[key] is None
    assert document["ties"] == ["t5"]
    assert document["labels"] == {"t1": "5", "t2": "1", "t3": "5", "t4": "1", "t5": "4"}


def test_mace_says_how_it_was_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    known = crowd(items=40, knowing=(0.9, 0.8, 0.85, 0.1), each=3, seed=1)
    file = write(known.ratings, tmp_path)
    document = document_of([file, "--method", "mace", "--seed", "7", "--restarts", "3"], capsys)
    assert (document["seed"], document["restarts"], document["iterations"]) == (7, 3, 50)
    assert set(document["competence"]) == set(known.knowing)
    assert document["log_likelihood"] < 0
    assert all(0 <= value <= math.log(4) + 1e-9 for value in document["entropy"].values())


def test_the_wide_form_numbers_lines_and_columns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = wide(tmp_path, "1,1,,1\n\n2,,,2\n2,2,,1\n")
    document = document_of([file, "--format", "mace", "--method", "mace"], capsys)
    assert document["labels"]["1"] is None
    assert document["labels"]["0"] == "1"
    assert set(document["labels"]) == {"0", "1", "2", "3"}
    assert document["distribution"]["1"] is None
    assert document["entropy"]["1"] is None
    assert set(document["competence"]) == {"0", "1", "2", "3"}
    assert document["competence"]["2"] == pytest.approx(0.25)


def test_order_of_rows_and_columns_does_not_matter(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["1,1,2,", "2,2,2,1", ",3,3,3", "1,3,,3", "2,,1,1", "3,3,1,2"]
    swapped = [",".join(line.split(",")[place] for place in (2, 0, 3, 1)) for line in lines[::-1]]
    one, two = (
        document_of([wide(tmp_path, "\n".join(rows) + "\n"), "--format", "mace", *rest], capsys)
        for rows, rest in ((lines, ["--method", "mace"]), (swapped, ["--method", "mace"]))
    )
    assert two["log_likelihood"] == pytest.approx(one["log_likelihood"], abs=1e-6)
    for place in range(6):
        if str(place) not in one["ties"]:
            assert one["labels"][str(place)] == two["labels"][str(5 - place)]


def test_controls_by_line_priors_and_threshold(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = wide(tmp_path, "a,b\na,b\na,b\na,b\n")
    controls, priors = tmp_path / "controls.txt", tmp_path / "priors.tsv"
    controls.write_text("b\n\nb\n\n", encoding="utf-8")
    priors.write_text("a\t1\nb\t1\n", encoding="utf-8")
    base = [file, "--format", "mace", "--method", "mace"]
    document = document_of([*base, "--controls", str(controls), "--priors", str(priors)], capsys)
    assert set(document["labels"].values()) == {"b"}
    assert document["distribution"]["0"] == {"a": 0.0, "b": 1.0}
    few = document_of([*base, "--controls", str(controls), "--threshold", "0.5"], capsys)
    assert few["labels"] == {"0": "b", "1": None, "2": "b", "3": None}
    assert set(document_of([*base, "--threshold", "0"], capsys)["labels"].values()) == {None}


def test_controls_as_a_table_and_a_control_nobody_knows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = write(ratings_of({"t1": "12", "t2": "12"}), tmp_path)
    controls = tmp_path / "controls.csv"
    controls.write_text("item,label\nt1,2\n", encoding="utf-8")
    base = [file, "--method", "mace", "--controls", str(controls)]
    assert document_of(base, capsys)["labels"] == {"t1": "2", "t2": "2"}
    controls.write_text("item,label\nt1,9\n", encoding="utf-8")
    assert run(["label", *base]) == 1
    assert "has the label '9'" in capsys.readouterr().err
    controls.write_text("2\n\n", encoding="utf-8")
    assert run(["label", *base]) == 1
    assert "expected a table with the columns item and label" in capsys.readouterr().err


def test_a_wrong_number_of_control_lines_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = wide(tmp_path, "a,b\na,b\n")
    controls = tmp_path / "controls.txt"
    controls.write_text("a\n", encoding="utf-8")
    arguments = [file, "--format", "mace", "--method", "mace", "--controls", str(controls)]
    assert run(["label", *arguments]) == 1
    assert "1 lines of controls for 2 items" in capsys.readouterr().err


def test_priors_that_are_no_numbers_name_their_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    priors = tmp_path / "priors.tsv"
    priors.write_text("1\t0.5\n2\tmany\n", encoding="utf-8")
    file = write(ratings_of(CROWD), tmp_path)
    assert run(["label", file, "--method", "mace", "--priors", str(priors)]) == 1
    assert f"{priors}:2: expected a label" in capsys.readouterr().err


def test_several_questions_come_under_their_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both = pl.concat([ratings_of(CROWD, question=name) for name in ("likely", "clear")])
    document = document_of([write(both, tmp_path), "--method", "mace"], capsys)
    assert set(document) >= {"method", "seed", "questions"}
    assert set(document["questions"]) == {"likely", "clear"}
    for inner in document["questions"].values():
        assert set(inner) >= KEYS


def test_a_scheme_and_a_share(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [write(ratings_of(CROWD), tmp_path), "--method", "strict-majority"]
    plain = document_of(arguments, capsys)
    assert plain["labels"]["t1"] is None
    two = document_of([*arguments, "--scheme", "pap-binary", "--min-share", "0.75"], capsys)
    assert two["labels"] == {"t1": "1", "t2": "0", "t3": "1", "t4": "0", "t5": "1"}


def test_the_table_is_written_whole(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "labels.parquet"
    file = write(ratings_of(CROWD), tmp_path)
    assert run(["label", file, "--method", "plurality", "-o", str(output)]) == 0
    labels = read_table(output, LABELS)
    assert labels["item"].to_list() == sorted(CROWD)
    shown = capsys.readouterr()
    assert "label" in shown.out
    assert "All 5 items have a label; 1 tie was resolved to the smallest label." in shown.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--method", "mase"], "Did you mean 'mace'"),
        (["--method", "agreed-by"], "agreed-by needs --at-least"),
        (["--method", "plurality", "--em"], "--em is an option of mace, not of plurality"),
        (["--method", "plurality", "--scheme", "pap-binry"], "Did you mean 'pap-binary'"),
        (["--scheme", "pap-binary"], "--scheme is about a method. Pass --method"),
        ([], "Declare its scale with --scale"),
    ],
)
def test_usage_errors_say_what_would_be_right(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["label", write(ratings_of(CROWD), tmp_path), *arguments]) == 2
    assert said in capsys.readouterr().err


def test_a_parameter_out_of_range_leaves_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "labels.parquet"
    file = write(ratings_of(CROWD), tmp_path)
    arguments = ["--method", "strict-majority", "--min-share", "0.4", "-o", str(output)]
    assert run(["label", file, *arguments]) == 2
    assert "min_share must be in (0.5, 1]" in capsys.readouterr().err
    assert not output.exists()


def test_numbers_are_shown_by_where_they_lie(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["label", write(ratings_of(CROWD), tmp_path), "--method", "mean"]) == 0
    out = capsys.readouterr().out
    assert out.split()[:4] == ["items", "lowest", "mean", "highest"]


@pytest.mark.data
def test_the_word_senses_come_out_as_published(
    data_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(data_folder / "mace" / "wsd.csv")
    key = (data_folder / "mace" / "wsd.key").read_text(encoding="utf-8").split()
    for more, likelihood in (([], -308.361), (["--em"], -271.847)):
        document = document_of([file, "--format", "mace", "--method", "mace", *more], capsys)
        assert document["log_likelihood"] >= likelihood - 1e-3
        right = [document["labels"][str(line)] == label for line, label in enumerate(key)]
        assert sum(right) == 176


def test_ratings_of_checks_are_left_out_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "r.csv"
    path.write_text("item,annotator,answer,kind\nt1,a,4,item\nt1,b,4,\nc1,a,5,check\n")
    labels = tmp_path / "labels.csv"
    assert run(["label", str(path), "--method", "plurality", "-o", str(labels)]) == 0
    assert "1 rating of a check is left out" in capsys.readouterr().err
    assert pl.read_csv(labels)["item"].to_list() == ["t1"]
    assert run(["agree", str(path)]) == 0
    assert "2 ratings of 1 item by" in capsys.readouterr().err


def test_the_help_names_every_form_of_ratings(capsys: pytest.CaptureFixture[str]) -> None:
    from plausibly.ratings.formats import READERS

    assert run(["label", "--help"]) == 0
    told = capsys.readouterr().out
    assert all(name in told for name in READERS)


def test_a_scheme_of_ones_own_merges_keeps_apart_and_discards(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "r.csv"
    rows = [("i1", "1"), ("i1", "2"), ("i2", "3"), ("i2", "3"), ("i3", "5"), ("i3", "0")]
    text = "".join(f"{item},a{n},{answer}\n" for n, (item, answer) in enumerate(rows))
    path.write_text("item,annotator,answer\n" + text)
    own = ["--method", "plurality", "--scheme", "no=1,2|neutral=3|yes=4,5"]
    assert run(["label", str(path), *own, "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["labels"] == {"i1": "no", "i2": "neutral", "i3": "yes"}
    assert "1 answer is in no class of the scheme and votes for none ('0': 1)" in said.err
    for wrong in ("no=1|no=2", "no=1|yes=1", "no=", "pap=binary|", "papp"):
        assert run(["label", str(path), "--method", "plurality", "--scheme", wrong]) in (1, 2)


def test_not_sure_stored_as_0_enters_no_mean(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "r.csv"
    head = "item,annotator,question,answer,value\n"
    path.write_text(f"{head}p1,a,q,5,5\np1,b,q,not sure,0\np1,c,q,3,3\np2,a,q,0,0\np2,b,q,2,2\n")
    document = document_of([str(path), "--method", "mean"], capsys)
    assert document["labels"] == {"p1": 4.0, "p2": 1.0}
    document = document_of([str(path), "--method", "mean", "--rescale", "1,5|0,10"], capsys)
    assert document["labels"] == {"p1": 7.5, "p2": 2.5}
    assert run(["label", str(path), "--method", "mean", "--rescale", "1,5|0,10"]) == 0
    said = capsys.readouterr().err
    assert "2 answers are outside the scale, so the mean leaves them out ('" in said


def test_answers_that_are_all_beside_the_scale_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "r.csv"
    path.write_text("item,annotator,answer\np1,a,7\np1,b,0\n")
    assert run(["label", str(path), "--method", "mean", "--rescale", "1,5|0,10"]) == 1
    assert "no answer is a number on the scale" in capsys.readouterr().err
