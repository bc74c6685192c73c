"""Command, study and Python call one function, so they say the same thing."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.cleaning import preset_names
from plausibly.cli import run
from plausibly.labels import METHODS
from plausibly.study.results import finite

NEEDED: dict[str, dict[str, Any]] = {
    "agreed-by": {"at_least": 2},
    "strict-majority": {"min_share": 0.7},
}

# What the form of PAP declares, for who has the ratings alone.
DECLARED = {"plausible": {"scale": "ordinal", "reason": "declared in the form"}}


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An example study whose ratings are cleaned."""
    folder = tmp_path_factory.mktemp("verbs") / "otters"
    pb.init("pap", folder, example=True)
    pb.Study(folder).run(to="clean")
    return folder


def set_keys(folder: Path, section: str, **keys: object) -> None:
    """Write keys of one section of study.toml, in place of the ones there."""
    path = folder / "study.toml"
    lines, inside = [], False
    for line in path.read_text(encoding="utf-8").splitlines():
        inside = line == f"[{section}]" if line.startswith("[") else inside
        name = line.removeprefix("# ").partition(" = ")[0]
        if not (inside and name in keys):
            lines.append(line)
        if line == f"[{section}]":
            lines += [f"{key} = {json.dumps(value)}" for key, value in keys.items()]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert section in tomllib.loads(path.read_text(encoding="utf-8"))


def printed(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> Any:
    capsys.readouterr()
    assert run([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def stored(folder: Path, verb: str) -> Any:
    return json.loads((folder / f"{verb}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("method", list(METHODS))
def test_a_label_method_says_the_same_by_command_study_and_python(
    example: Path, method: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = example / "study.toml"
    before = path.read_text(encoding="utf-8")
    try:
        set_keys(example, "label", method=method)
        pb.Study(example).run(to="label")
    finally:
        path.write_text(before, encoding="utf-8")
    options: dict[str, Any] = {"method": method, "scheme": "pap-binary", "ties": "undecided"}
    options |= NEEDED.get(method, {})
    kept, items = example / "clean" / "ratings.parquet", example / "items.parquet"
    mine = pb.label(kept, items=items, **options)
    flags = [
        part
        for name, value in options.items()
        for part in (f"--{name.replace('_', '-')}", str(value))
    ]
    said = printed(["label", str(kept), "--items", str(items), *flags], capsys)
    assert said == finite(mine.as_json()) == stored(example, "label")
    mine.write_table("labels", tmp_path / "labels.parquet")
    written = pl.read_parquet(tmp_path / "labels.parquet")
    assert written.equals(pl.read_parquet(example / "labels.parquet"))


@pytest.mark.parametrize("preset", preset_names())
def test_a_preset_says_the_same_by_command_study_and_python(
    tmp_path: Path, preset: str, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "otters"
    pb.init("pap", folder, example=True)
    set_keys(folder, "clean", preset=preset)
    pb.Study(folder).run(to="clean")
    files = [folder / f"{name}.parquet" for name in ("ratings", "items", "annotators")]
    ratings, items, annotators = files
    mine = pb.clean(ratings, preset, items=items, annotators=annotators, seed=1)
    arguments = ["clean", str(ratings), "--preset", preset, "--items", str(items)]
    arguments += ["--annotators", str(annotators), "-o", str(tmp_path / "out")]
    assert printed(arguments, capsys) == finite(mine.as_json()) == stored(folder, "clean")
    written = pl.read_parquet(tmp_path / "out" / "exclusions.parquet")
    assert written.equals(pl.read_parquet(folder / "clean" / "exclusions.parquet"))


def test_agreement_is_the_same_by_command_study_and_python(
    example: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pb.Study(example).run(to="agree")
    kept, items = example / "clean" / "ratings.parquet", example / "items.parquet"
    mine = pb.agree(kept, items=items, sides="1,2|4,5", seed=1, questions=DECLARED)
    declared = tmp_path / "questions.toml"
    lines = (f"{key} = {json.dumps(one)}" for key, one in DECLARED["plausible"].items())
    declared.write_text("\n".join(["[plausible]", *lines]), encoding="utf-8")
    flags = ["--sides", "1,2|4,5", "--seed", "1", "--questions", str(declared)]
    said = printed(["agree", str(kept), "--items", str(items), *flags], capsys)
    assert said == finite(mine.as_json()) == stored(example, "agree")


def test_the_report_names_the_method_that_was_used(example: Path) -> None:
    path = example / "study.toml"
    before = path.read_text(encoding="utf-8")
    try:
        set_keys(example, "label", method="mace")
        pb.Study(example).run(to="report")
        page = (example / "report.html").read_text(encoding="utf-8")
        assert "<dfn>MACE</dfn>" in page
        assert "strict majority" not in page
    finally:
        path.write_text(before, encoding="utf-8")


def test_a_report_on_mace_says_what_it_gives_before_cleaning(example: Path) -> None:
    path = example / "study.toml"
    before = path.read_text(encoding="utf-8")
    try:
        set_keys(example, "label", method="mace")
        pb.Study(example).run(to="report")
        page = (example / "report.html").read_text(encoding="utf-8")
        everything = pb.label(
            example / "ratings.parquet",
            method="mace",
            scheme="pap-binary",
            items=example / "items.parquet",
        ).labels
        labels = pl.read_parquet(example / "labels.parquet")
    finally:
        path.write_text(before, encoding="utf-8")
    both = labels.join(everything, on="item", suffix="_all")
    other = both.filter(pl.col("label") != pl.col("label_all")).height
    more = everything.height - both.height
    told = f"gives another label to {other} of these {labels.height} items, and a label to {more}"
    assert told in " ".join(page.split())


def test_sides_that_cleaning_reads_too_do_not_stop_other_measures(example: Path) -> None:
    path = example / "study.toml"
    before = path.read_text(encoding="utf-8")
    try:
        set_keys(example, "agree", measures="gwet_ac1", resamples=0, sides="1|2,4,5")
        pb.Study(example).run(to="agree")
        agreed = json.loads((example / "agree.json").read_text(encoding="utf-8"))
    finally:
        path.write_text(before, encoding="utf-8")
    assert agreed["gwet_ac1"]["value"] is not None
    assert "soft_jaccard" not in agreed


def test_a_key_of_another_method_that_somebody_set_is_refused(example: Path) -> None:
    path = example / "study.toml"
    before = path.read_text(encoding="utf-8")
    try:
        set_keys(example, "label", method="mean", restarts=3)
        with pytest.raises(pb.PlausiblyError, match="restarts"):
            pb.Study(example).run(to="label")
    finally:
        path.write_text(before, encoding="utf-8")


def test_a_simulated_crowd_is_named_as_such(example: Path) -> None:
    pb.Study(example).run(to="report")
    assert "simulated people" in (example / "report.html").read_text(encoding="utf-8")


RATINGS = pl.DataFrame(
    {
        "item": ["t1", "t1", "t1", "t2", "t2", "t2"],
        "annotator": ["a", "b", "c"] * 2,
        "answer": [5, 5, 4, 1, 2, 1],
    }
)


def test_paths_and_frames_of_every_kind_give_the_same(tmp_path: Path) -> None:
    path = tmp_path / "ratings.csv"
    RATINGS.write_csv(path)
    forms = [path, str(path), RATINGS, RATINGS.to_pandas(), RATINGS.to_arrow(), RATINGS.lazy()]
    labels = [pb.label(form, method="dawid-skene", as_="polars").labels for form in forms]
    agreed = [pb.agree(form, seed=3, resamples=50).as_json() for form in forms]
    assert all(one.equals(labels[0]) for one in labels)
    assert all(one == agreed[0] for one in agreed)


def test_a_missing_answer_of_pandas_is_missing() -> None:
    frame = RATINGS.with_columns(pl.col("answer").cast(pl.Float64)).to_pandas()
    assert pb.read(frame).ratings["answer"].to_list() == ["5", "5", "4", "1", "2", "1"]


def test_results_show_and_write_themselves(tmp_path: Path) -> None:
    labelled = pb.label(RATINGS, method="mace", restarts=2)
    assert "label" in repr(labelled)
    assert "<table" in labelled._repr_html_()
    labelled.write(tmp_path / "out")
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert manifest["verb"] == "label"
    assert manifest["parameters"]["restarts"] == 2
    assert manifest["rows"]["labels"] == 2
    assert manifest["inputs"]["ratings"]["rows"] == 6
    written = pl.read_parquet(tmp_path / "out" / "labels.parquet")
    assert written.drop("distribution").equals(labelled.labels.drop("distribution"))
    read_back = [json.loads(text) for text in written["distribution"]]
    assert read_back == labelled.labels["distribution"].to_list()


def test_no_number_of_a_method_is_taken_by_another() -> None:
    with pytest.raises(pb.PlausiblyError, match="restarts= is an option of mace, not of mean"):
        pb.label(RATINGS, method="mean", restarts=3)


def test_experts_without_a_question_judge_the_one_the_labels_answer() -> None:
    crowd = pb.label(RATINGS.with_columns(question=pl.lit("plausible")), method="plurality").labels
    judged = RATINGS.filter(pl.col("annotator") != "c")
    compared = pb.experts_compare(judged, labels=crowd)
    assert compared.as_json()["kappa_with_crowd"]["a"]["n"] == 2
