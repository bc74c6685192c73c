"""Vetting of checks and frequency in a corpus: by command, in a study and from Python alike."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import StudyError
from plausibly.protocols.pap.protocol import PAP
from plausibly.protocols.sp10k.protocol import SP10K
from plausibly.registry import PROTOCOLS as NAMES
from plausibly.replications.own import rebuilt
from plausibly.study.outline import outline_of
from plausibly.study.settings import write_settings

COUNTED = {
    "item": ["a", "b", "c", "tea", "water"],
    "text": ["widow eats bread", "baker eats pebble", "baker eats tower", "tea", "water cuts ball"],
    "condition": ["attested", "attested", "perturbed", None, None],
    "kind": ["item", "item", "item", "check", "check"],
    "expected": [None, None, None, "1", "1"],
    "count": [40, 1, 0, None, None],
}
PILOT = {
    "a": "5555",
    "b": "4245",
    "c": "1211",
    "tea": "1211",  # grandmother drinks stone
    "water": "1452",
}


def pilot(question: str = "plausible") -> pl.DataFrame:
    """Return what four people of a pilot answered."""
    rows = [
        {"item": item, "annotator": f"p{n}", "question": question, "answer": answer}
        for item, answers in PILOT.items()
        for n, answer in enumerate(answers)
    ]
    return pl.DataFrame(rows)


def study_with(folder: Path, **sections: Mapping[str, Any]) -> pb.Study:
    """Return a study of PAP with these sections, and the files they name."""
    folder.mkdir(exist_ok=True)
    pl.DataFrame(COUNTED).write_csv(folder / "candidates.csv")
    pilot().write_csv(folder / "pilot.csv")
    write_settings(folder, PAP, name="study", overrides=sections)
    return pb.Study(folder)


@pytest.mark.parametrize("protocol", sorted(NAMES))
@pytest.mark.parametrize("section", ["build_checks", "describe_frequency"])
def test_every_protocol_has_both_sections(protocol: str, section: str) -> None:
    assert section in [step.name for step in outline_of(protocol).steps]


def test_three_ways_of_vetting_check_items_agree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """PAP, appendix B.2: check instances that might be interpreted as plausible are excluded."""
    section = {"ratings": "pilot.csv", "items": "candidates.csv", "min_intended": 0.75}
    section |= {"sides": "1,2|4,5"}
    study = study_with(tmp_path / "study", build_checks=section)
    assert [one.state for one in study.run(to="build_checks")] == ["run"]
    files = [str(study.folder / one) for one in ("pilot.csv", "candidates.csv")]
    from_python = pb.build_checks(files[0], items=files[1], min_intended=0.75, sides="1,2|4,5")
    items = pl.read_parquet(study.folder / "items.parquet")
    assert items.equals(from_python.items)
    assert set(items["item"]) == {"a", "b", "c", "tea"}
    assert items.filter(kind="gold")["item"].to_list() == ["a"]
    ledger = pl.read_parquet(study.folder / "build_checks" / "ledger.parquet")
    assert ledger.rows() == [("water", "failed_pilot", "2 of 4 answered as intended")]
    written = json.loads((study.folder / "build_checks.json").read_text())
    options = ["--min-intended", "0.75", "--sides", "1,2|4,5"]
    assert run(["build", "checks", files[0], "--items", files[1], *options, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == written == from_python.as_json()
    assert [one.state for one in study.run(to="build_checks")] == ["done"]
    pilot().with_columns(answer=pl.lit("1")).write_csv(study.folder / "pilot.csv")
    assert [one.state for one in study.run(to="build_checks")] == ["run"]
    assert "water" in pl.read_parquet(study.folder / "items.parquet")["item"]


def test_what_is_vetted_is_named_once_and_never_replaced(tmp_path: Path) -> None:
    section = {"ratings": "pilot.csv", "min_intended": 0.75}
    with pytest.raises(StudyError, match=r"\[build_checks\] items is not set"):
        study_with(tmp_path, build_checks=section).run(to="build_checks")
    own = study_with(tmp_path, build_checks={**section, "items": "items.parquet"})
    with pytest.raises(StudyError, match="is what vetting writes"):
        own.run(to="build_checks")
    pl.DataFrame(COUNTED).write_parquet(tmp_path / "items.parquet")
    own = study_with(tmp_path, build_checks={**section, "items": "candidates.csv"})
    with pytest.raises(StudyError, match=r"not built in this study, and \[build_checks\]"):
        own.run(to="build_checks")


def test_a_study_vets_the_checks_of_what_it_builds_and_pairs(tmp_path: Path) -> None:
    objects = {"eat": "bread apple meal soup fish", "read": "book paper letter story poem"}
    rows = [f"dobj,{v},{n},{20 - i}" for v, o in objects.items() for i, n in enumerate(o.split())]
    text = "\n".join(["relation,head,dependent,count", *rows, ""])
    (tmp_path / "counts.csv").write_text(text)
    words = {"v": list(objects), "n": [one for o in objects.values() for one in o.split()]}
    lines = [f"{one},{pos},9" for pos, named in words.items() for one in named]
    (tmp_path / "words.csv").write_text("\n".join(["word,pos,count", *lines, ""]))
    build = {
        "counts": "counts.csv",
        "frequency": "words.csv",
        "relations": "dobj",
        "heads": 2,
        "short_heads": "take-all",
    }

    def told(**sections: Any) -> list[str]:
        write_settings(tmp_path, SP10K, name="study", overrides={"build": build, **sections})
        ended = pb.Study(tmp_path).run(to=list({"build": 1, **sections})[-1])
        return [one.step for one in ended if one.state == "run"]

    assert told() == ["build"]
    built = pl.read_parquet(tmp_path / "items.parquet")
    surveys = pl.read_parquet(tmp_path / "surveys.parquet")
    check, other = surveys.filter(pl.col("kind") != "item")["item"].unique().sort().to_list()[:2]
    expected = dict(built.select("item", "expected").iter_rows())
    answers = {check: "off", other: expected[other]}
    rated = [
        {"item": item, "annotator": f"p{n}", "question": "fit", "answer": answer}
        for item, answer in answers.items()
        for n in range(4)
    ]
    pl.DataFrame(rated).write_csv(tmp_path / "pilot.csv")
    vetting = {"ratings": "pilot.csv", "min_intended": 0.9}
    assert told(build_checks=vetting) == ["build", "build_checks"]
    kept = pl.read_parquet(tmp_path / "items.parquet")
    assert set(built["item"]) - set(kept["item"]) == {check}
    asked = pl.read_parquet(tmp_path / "surveys.parquet")
    assert set(surveys["item"]) - set(asked["item"]) == {check}
    assert told(build_checks=vetting) == []
    pairing = {"match": ["length:3"], "by": "source"}
    assert told(build_match=pairing, build_checks=vetting) == ["build_match", "build_checks"]
    paired = pl.read_parquet(tmp_path / "build_match" / "items.parquet")
    both = pl.read_parquet(tmp_path / "items.parquet")
    assert set(paired["item"]) - set(both["item"]) == {check}
    assert set(pl.read_parquet(tmp_path / "surveys.parquet")["item"]) <= set(both["item"])
    assert told() == ["build"]
    assert pl.read_parquet(tmp_path / "items.parquet").equals(built)
    assert pl.read_parquet(tmp_path / "surveys.parquet").equals(surveys)


def rated_study(folder: Path, **sections: Mapping[str, Any]) -> pb.Study:
    """Return a study of PAP whose ratings come from a file."""
    folder.mkdir(exist_ok=True)
    pl.DataFrame(COUNTED).write_parquet(folder / "items.parquet")
    pilot().write_csv(folder / "answers.csv")
    reading = {"source": "answers.csv", "format": "long"}
    overrides = {"ratings": reading, "clean": {"preset": "recommended"}, **sections}
    write_settings(folder, PAP, name="study", overrides=overrides)
    return pb.Study(folder)


def test_three_ways_of_describing_frequency_agree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """PAP, section 2.1: what is unusual might still be highly plausible."""
    section = {"counts": "items.parquet", "resamples": 50, "bands": [0, 1, 10]}
    study = rated_study(tmp_path / "study", describe_frequency=section)
    study.run(to="describe_frequency")
    written = json.loads((study.folder / "describe_frequency.json").read_text())
    kept = study.folder / "clean" / "ratings.parquet"
    items = pl.DataFrame(COUNTED)
    options: dict[str, Any] = {"resamples": 50, "bands": [0, 1, 10], "seed": 1}
    assert pb.describe_frequency(kept, items=items, **options).as_json() == written
    assert pb.describe_frequency(kept, items=items, counts=items, **options).as_json() == written
    assert [one["items"] for one in written["bands"] if one["condition"] == "all"] == [1, 1, 1]
    files = ["--items", str(study.folder / "items.parquet")]
    words = ["--resamples", "50", "--bands", "0,1,10", "--seed", "1", "--json"]
    assert run(["describe", "frequency", str(kept), *files, *words]) == 0
    assert json.loads(capsys.readouterr().out) == written
    reported = pb.report(study.folder)
    assert 'id="attested"' in reported.page
    assert reported.page.count('id="exhibit-frequency"') == 1
    answers = reported.figure("answers").table  # PAP, Figure 3 (a)
    assert answers.filter(condition="perturbed").select("answer", "ratings").rows() == [
        ("1", 3),
        ("2", 1),
    ]
    drawn = reported.figure("frequency").table
    assert drawn.filter(condition="all")["items"].to_list() == [1, 1, 1]


def test_counts_by_item_keep_unknown_apart_from_none() -> None:
    items = pl.DataFrame({"item": ["a", "b", "c"], "text": ["x", "y", "z"]})
    counts = pl.DataFrame({"item": ["a", "b"], "count": [3, None]})
    described = pb.describe_frequency(pilot(), items=items, counts=counts, resamples=0)
    assert dict(described.frequencies.select("item", "count").iter_rows()) == {"a": 3, "c": 0}


def test_a_release_can_be_done_again_without_the_counts_and_the_sheets(tmp_path: Path) -> None:
    """Counts and sheets stay behind, so their tables are not computed; the rules are released."""
    coding = {"codebook": "extremes", "of": "items", "labelled": ["0", "1"]}
    sections: dict[str, Mapping[str, Any]] = {
        "describe_frequency": {"counts": "counts.csv", "resamples": 0},
        "experts_sheet": coding,
        "experts_codes": {"sheets": ["anna.csv", "ben.csv"], "codebook": "extremes"},
    }
    sections["clean"] = {"preset": "own.toml"}
    study = rated_study(tmp_path / "study", **sections)
    own_rule = '[[rules]]\nrule = "few_ratings"\nfewer_than = 2\n'
    (study.folder / "own.toml").write_text(own_rule, encoding="utf-8")
    pl.DataFrame({"item": ["a", "b"], "count": [7, 1]}).write_csv(study.folder / "counts.csv")
    study.run(to="experts_sheet")
    sheet = pl.read_csv(study.folder / "coding" / "sheet.csv")
    for coder in ("anna", "ben"):
        sheet.with_columns(code=pl.lit("sense")).write_csv(study.folder / f"{coder}.csv")
    study.run()
    pb.release(study.folder).write(tmp_path / "released")
    records, again = rebuilt(tmp_path / "released")
    verdicts = {one.id: one.verdict for one in records}
    assert verdicts["release.report.frequency"] == "not computable"
    assert {one for name, one in verdicts.items() if name.startswith("release.labels")} == {"exact"}
    assert 'id="attested"' not in again.page


def test_three_ways_of_requiring_approved_tasks_agree(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """PAP, section 4.1: workers need a number of approved tasks from previous work."""
    reading = {"source": "answers.csv", "format": "long", "annotators": "people.csv"}
    study = rated_study(tmp_path / "study", ratings=reading, clean={"preset": "own.toml"})
    rule = '[[rules]]\nrule = "few_approved_tasks"\nfewer_than = 1000\n'
    (study.folder / "own.toml").write_text(rule, encoding="utf-8")
    people = study.folder / "people.csv"
    people.write_text("annotator,approved_tasks\np0,999\np1,1000\np2,\n", encoding="utf-8")
    study.run(to="clean")
    written = json.loads((study.folder / "clean.json").read_text())
    ledger = pl.read_parquet(study.folder / "clean" / "exclusions.parquet")
    few = pl.col("rule") == "few_approved_tasks"
    assert ledger.filter(few)["annotator"].unique().to_list() == ["p0"]
    files = {name: study.folder / name for name in ("answers.csv", "items.parquet", "own.toml")}
    answers, items, preset = files.values()
    own = pb.clean(answers, preset, items=items, annotators=people, seed=1)
    assert json.loads(json.dumps(own.as_json())) == written
    assert own.exclusions.drop("step").equals(ledger.drop("step"))
    words = ["clean", answers, "--preset", preset, "--items", items, "--annotators", people]
    assert run([*map(str, words), "--seed", "1", "--json", "-o", str(tmp_path / "out")]) == 0
    assert json.loads(capsys.readouterr().out) == written
    people.write_text("annotator,approved_tasks\np1,10\n", encoding="utf-8")
    assert [one.state for one in study.run(to="clean")] == ["run", "run"]
    ledger = pl.read_parquet(study.folder / "clean" / "exclusions.parquet")
    assert ledger.filter(few)["annotator"].unique().to_list() == ["p1"]
