"""`plausibly clean` from the outside."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from plausibly.cli import run
from worlds.crowds import answers_of, approvals, items_of

PEOPLE = [f"a{number}" for number in range(12)]
ITEMS = items_of(
    **{f"t{n}": "attested" for n in range(12)},
    **{f"p{n}": "perturbed" for n in range(3)},
    c0="check:plausible",
    c1="check:implausible",
)
GOOD = {
    **{f"t{n}": "5" if n % 2 else "4" for n in range(12)},
    **{f"p{n}": "1" for n in range(3)},
    "c0": "5",
}


def crowd() -> pl.DataFrame:
    people: dict[str, dict[str, str]] = {person: dict(GOOD) for person in PEOPLE}
    people["failed"] = {**GOOD, "c0": "1"}
    people["unmoved"] = {**GOOD, "t0": "3"}
    people["contrary"] = {**GOOD, **{f"t{n}": "1" for n in range(12)}}
    people["few"] = {f"t{n}": "5" for n in range(9)}
    people["poor"] = dict(GOOD)
    return answers_of(people)


@pytest.fixture
def study(tmp_path: Path) -> Path:
    crowd().write_csv(tmp_path / "ratings.csv")
    ITEMS.write_csv(tmp_path / "items.csv")
    known: dict[str, float | None] = dict.fromkeys(PEOPLE, 99.0)
    approvals(**known, poor=0).write_csv(tmp_path / "annotators.csv")
    return tmp_path


def arguments(study: Path, *more: str, preset: str = "pap", out: str = "out") -> list[str]:
    return [
        "clean",
        str(study / "ratings.csv"),
        "--preset",
        preset,
        "--items",
        str(study / "items.csv"),
        "-o",
        str(study / out),
        *more,
    ]


def cascade(study: Path, out: str = "out") -> list[dict[str, Any]]:
    document: list[dict[str, Any]] = json.loads((study / out / "cascade.json").read_text())
    return document


def test_the_published_rules_name_the_people_they_are_about(study: Path) -> None:
    people = str(study / "annotators.csv")
    assert run(arguments(study, "--annotators", people)) == 0
    gone = pl.read_parquet(study / "out" / "exclusions.parquet").filter(pl.col("step") > 0)
    by_rule = {
        rule: set(part["annotator"])
        for (rule,), part in gone.partition_by("rule", as_dict=True).items()
    }
    assert by_rule == {
        "failed_check": {"failed"},
        "unmoved_slider": {"unmoved"},
        "against_label": {"contrary"},
        "few_ratings": {"few"},
        "low_approval": {"poor"},
    }
    kept = pl.read_parquet(study / "out" / "ratings.parquet")
    assert set(kept["annotator"]) == {*PEOPLE, "unmoved"}


def test_the_cascade_adds_up_and_is_what_json_prints(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments(study, "--json")) == 0
    steps = json.loads(capsys.readouterr().out)
    assert steps == cascade(study)
    assert steps[0]["step"] == "raw"
    gone = pl.read_parquet(study / "out" / "exclusions.parquet")
    kept = pl.read_parquet(study / "out" / "ratings.parquet")
    assert gone.height + kept.height == crowd().height
    for before, after in pairwise(steps):
        lost = gone.filter(pl.col("step") == after["step"]).height
        assert before["ratings"]["total"] - lost == after["ratings"]["total"]
    assert steps[-1]["ratings"]["total"] == kept.height
    checks = crowd().filter(pl.col("item").str.starts_with("c")).height
    assert steps[0]["ratings"]["total"] == crowd().height - checks


def test_every_form_of_the_cascade_is_written(study: Path) -> None:
    assert run(arguments(study)) == 0
    written = {path.name for path in (study / "out").iterdir()}
    assert written == {
        "ratings.parquet",
        "exclusions.parquet",
        "verdicts.parquet",
        "checks.parquet",
        "cascade.json",
        "cascade.txt",
        "cascade.md",
        "cascade.tex",
        "manifest.json",
    }
    assert "Pairwise Jaccard" in (study / "out" / "cascade.md").read_text()


def test_withdrawing_a_check_gives_ratings_back(study: Path) -> None:
    assert run(arguments(study, "--withdraw", "c0")) == 0
    kept = pl.read_parquet(study / "out" / "ratings.parquet")
    assert "failed" in set(kept["annotator"])


def test_an_error_leaves_nothing_behind(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(arguments(study, "--withdraw", "c9")) == 1
    assert "unknown item to withdraw 'c9'. Known: c0, c1." in capsys.readouterr().err
    assert run(arguments(study, preset="papp")) == 1
    assert "Did you mean 'pap'" in capsys.readouterr().err
    (study / "ratings.csv").write_text("item,annotator,answer\nt0,,5\n")
    assert run(arguments(study)) == 1
    assert "ratings.csv:2: no annotator" in capsys.readouterr().err
    assert not (study / "out").exists()


def test_files_of_an_earlier_run_survive_an_error(study: Path) -> None:
    assert run(arguments(study)) == 0
    before = (study / "out" / "cascade.json").read_bytes()
    assert run(arguments(study, "--withdraw", "c9")) == 1
    assert (study / "out" / "cascade.json").read_bytes() == before
    assert not [path for path in study.iterdir() if path.name.endswith(".tmp")]


def test_an_incomplete_preset_says_so_everywhere(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments(study, preset="sp10k")) == 0
    assert "incomplete" in capsys.readouterr().err
    steps = cascade(study)
    assert not any(step["complete"] for step in steps)
    assert "incomplete" in steps[0]["note"]


def test_competence_is_estimated_where_a_rule_asks_for_it(study: Path) -> None:
    rules = study / "rules.toml"
    rules.write_text('sides = "1,2|4,5"\n[[rules]]\nrule = "low_competence"\nbelow = 0.2\n')
    assert run(arguments(study, preset=str(rules))) == 0
    gone = pl.read_parquet(study / "out" / "exclusions.parquet").filter(pl.col("step") == 1)
    assert set(gone["annotator"]) == {"contrary"}


def test_a_file_of_rules_with_an_unknown_key_is_refused(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = study / "rules.toml"
    rules.write_text('[[rules]]\nrule = "few_ratings"\nfewer = 3\n')
    assert run(arguments(study, preset=str(rules))) == 1
    assert "rules.toml: unknown key of few_ratings 'fewer'" in capsys.readouterr().err


def test_the_multiverse_is_written_with_its_extremes(study: Path) -> None:
    assert run(arguments(study, "--multiverse", "--resamples", "0")) == 0
    worlds = json.loads((study / "out" / "multiverse.json").read_text())
    assert worlds["universes"][0]["kind"] == "as declared"
    assert worlds["ranges"]["ratings"]["high_by"] == "any rule"
    table = pl.read_parquet(study / "out" / "multiverse.parquet")
    assert table.height == len(worlds["universes"])
    assert table["labels_changed"][0] == 0
    declared = pl.read_parquet(study / "out" / "ratings.parquet").height
    assert table["ratings"][0] == declared
    assert "ways to clean" in (study / "out" / "multiverse.md").read_text()


def test_people_nobody_knows_are_refused(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    strangers = study / "strangers.csv"
    strangers.write_text("annotator,approval\nz1,90\n")
    assert run(arguments(study, "--annotators", str(strangers))) == 1
    assert "none of its 1 people gave a rating" in capsys.readouterr().err


def test_a_prolific_export_joins_by_the_key(study: Path) -> None:
    from plausibly.ratings.people import pseudonym

    hidden = {person: pseudonym(person, "k") for person in crowd()["annotator"].unique()}
    crowd().with_columns(pl.col("annotator").replace(hidden)).write_csv(study / "ratings.csv")
    export = study / "prolific.csv"
    export.write_text("Participant id,Status\n" + "".join(f"{p},RETURNED\n" for p in PEOPLE[:2]))
    rules = study / "rules.toml"
    rules.write_text('[[rules]]\nrule = "refused_by_platform"\nstatuses = ["returned"]\n')
    more = ["--annotators", str(export), "--key", "k"]
    assert run(arguments(study, *more, preset=str(rules))) == 0
    gone = pl.read_parquet(study / "out" / "exclusions.parquet").filter(pl.col("step") == 1)
    assert set(gone["annotator"]) == {hidden[p] for p in PEOPLE[:2]}


def test_a_key_and_keeping_ids_exclude_each_other(study: Path) -> None:
    assert run(arguments(study, "--key", "k", "--keep-ids")) == 2


def test_items_come_from_the_file_and_a_rule_without_facts_is_reported(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    batch = study / "batch.csv"
    batch.write_text(
        "HITId,WorkerId,LifetimeApprovalRate,Input.id,Input.condition,Answer.q\n"
        "h,w1,100% (1/1),t1,attested,5\nh,w2,0% (0/0),t1,attested,5\n"
    )
    rules = study / "rules.toml"
    rules.write_text('[[rules]]\nrule = "low_approval"\nbelow = 80\n')
    out = str(study / "out")
    command = ["clean", str(batch), "--format", "mturk", "--preset", str(rules), "-o", out]
    assert run(command) == 0
    assert pl.read_parquet(study / "out" / "ratings.parquet").height == 1
    command[1], command[3] = str(study / "ratings.csv"), "long"
    assert run([*command, "--force"]) == 0
    assert "low approval could not run: no approvals" in capsys.readouterr().err


@pytest.mark.parametrize("preset", ["pap", "pap-text"])
def test_the_authors_names_of_conditions_are_read_as_ours(
    study: Path, preset: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(arguments(study, preset=preset, out="ours")) == 0
    assert "as PAP names it" not in capsys.readouterr().err
    theirs = {"attested": "plausible", "perturbed": "implausible"}
    ITEMS.with_columns(pl.col("condition").replace(theirs)).write_csv(study / "items.csv")
    assert run(arguments(study, preset=preset, out="theirs")) == 0
    assert "the condition of 15 of 17 is read as PAP names it" in capsys.readouterr().err
    assert cascade(study, "theirs") == cascade(study, "ours")


def test_strict_turns_a_note_into_a_failure(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = study / "rules.toml"
    rules.write_text('[[rules]]\nrule = "few_ratings"\nfewer_than = 10\n')
    assert run(arguments(study, "--strict", preset=str(rules))) == 0
    rules.write_text('[[rules]]\nrule = "low_approval"\nbelow = 80\n')
    capsys.readouterr()
    assert run(arguments(study, "--strict", preset=str(rules), out="noted")) == 1
    assert "clean: the approval of" in capsys.readouterr().err
    assert cascade(study, "noted")[1]["note"]


def test_a_long_multiverse_says_how_far_it_has_come(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = study / "rules.toml"
    rules.write_text(
        '[[rules]]\nrule = "few_ratings"\nfewer_than = 3\n'
        "try = { fewer_than = [1, 2, 4, 5, 6, 7, 8] }\n"
        '[[rules]]\nrule = "few_ratings_per_item"\nat_least = 2\n'
        "try = { at_least = [1, 3, 4, 5, 6, 7] }\n"
    )
    crossing = ("--multiverse", "--cross", "--resamples", "0")
    assert run(arguments(study, *crossing, preset=str(rules))) == 0
    said = capsys.readouterr().err
    assert "56 ways to clean …" in said
    assert "56 of 56 ways to clean" in said
    assert said.count(" of 56 ways to clean") == 10


def test_sides_of_a_preset_are_left_out_on_a_scale_they_do_not_describe(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """On a scale from 1 to 7, 4 and 5 are in the middle, and 6 and 7 would be on no side."""
    rows = [f"s{i},p{p},{1 + (i + p) % 7}" for i in range(7) for p in range(4)]
    (tmp_path / "r.csv").write_text("\n".join(["item,annotator,answer", *rows]))
    (tmp_path / "i.csv").write_text("\n".join(["item,text", *(f"s{i},text {i}" for i in range(7))]))
    command = ["clean", str(tmp_path / "r.csv"), "--items", str(tmp_path / "i.csv")]
    assert run([*command, "-o", str(tmp_path / "out")]) == 0
    assert "the sides of the preset (1,2|4,5) are left out" in capsys.readouterr().err
    own = [*command, "--sides", "1,2|6,7", "-o", str(tmp_path / "own")]
    assert run(own) == 0
    assert "left out" not in capsys.readouterr().err
