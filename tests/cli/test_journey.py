"""Ratings as people export them, from the file to agreement, labels and a report."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from plausibly.cli import run

ANSWERS = {f"t{i}": [1 + (i + a * (i % 2)) % 5 for a in range(4)] for i in range(6)}


def r_table() -> str:
    rows = [(f'"{item}"', f'"a{a}"', n) for item, ns in ANSWERS.items() for a, n in enumerate(ns)]
    lines = [",".join([f'"{k + 1}"', *map(str, row)]) for k, row in enumerate(rows)]
    return '"","item","annotator","answer"\n' + "\n".join(lines) + '\n"99","t0","late",NA\n'


def semicolons() -> str:
    rows = [f"{item};a{a};{n},5" for item, ns in ANSWERS.items() for a, n in enumerate(ns)]
    return "Item;Annotator;Answer\n" + "\n".join(rows) + "\n"


def google() -> str:
    head = ",".join(["Timestamp", "Email Address", *(f'"{item}, really?"' for item in ANSWERS)])
    people = [[str(ns[a]) for ns in ANSWERS.values()] for a in range(4)]
    lines = [",".join(["2024/05/01", f"p{a}@example.org", *row]) for a, row in enumerate(people)]
    return head + "\n" + "\n".join(lines) + "\n"


def qualtrics() -> str:
    names = ["StartDate", "IPAddress", "Duration (in seconds)", "Finished", "ResponseId", *ANSWERS]
    import_ids = [*names[:5], *(f"QID{n}" for n in range(1, len(ANSWERS) + 1))]
    ids = ",".join(f'"{{""ImportId"":""{import_id}""}}"' for import_id in import_ids)
    people = [
        ",".join(["2024-05-01", "192.0.2.1", "60", "True", f"R_{a}", *(str(n[a]) for n in ns)])
        for a, ns in ((a, list(ANSWERS.values())) for a in range(4))
    ]
    return "\n".join([",".join(names), ",".join(names), ids, *people]) + "\n"


def label_studio() -> str:
    tasks = [
        {
            "id": k,
            "data": {"item": item},
            "annotations": [
                {
                    "completed_by": a,
                    "result": [{"from_name": "q", "type": "rating", "value": {"rating": n}}],
                }
                for a, n in enumerate(ns)
            ],
        }
        for k, (item, ns) in enumerate(ANSWERS.items())
    ]
    return json.dumps(tasks)


FILES = {
    "qualtrics.csv": ("wide", qualtrics),
    "google.csv": ("wide", google),
    "r.csv": ("long", r_table),
    "decimal.csv": ("long", semicolons),
    "studio.json": ("labelstudio", label_studio),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_as_it_was_exported_gets_alpha_and_labels(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    form, written = FILES[name]
    path, table = tmp_path / name, tmp_path / "ratings.parquet"
    path.write_text(written())
    assert run(["read", str(path), "--format", form, "-o", str(table)]) == 0
    ratings = pl.read_parquet(table)
    assert (ratings.height, ratings["item"].n_unique(), ratings["annotator"].n_unique()) == (
        24,
        6,
        4,
    )
    assert ratings["value"].null_count() == 0
    assert not any(b"example.org" in one.read_bytes() for one in tmp_path.glob("ratings*"))
    capsys.readouterr()
    assert run(["agree", str(table), "--resamples", "20", "--json"]) == 0
    alpha = json.loads(capsys.readouterr().out)["krippendorff_alpha"]["interval"]
    assert alpha["value"] == pytest.approx(json.loads(_agreed(path, form, capsys))["value"])
    assert run(["label", str(table), "--method", "median", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["labels"]) == 6


def _agreed(path: Path, form: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Return the same measure of the file itself, read directly."""
    assert run(["agree", str(path), "--format", form, "--resamples", "20", "--json"]) == 0
    return json.dumps(json.loads(capsys.readouterr().out)["krippendorff_alpha"]["interval"])


def test_any_table_gets_the_whole_journey(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = tmp_path / "study"
    assert run(["init", "custom", str(study)]) == 0
    (study / "answers.csv").write_text(r_table().replace("annotator", "rater"))
    settings = study / "study.toml"
    text = settings.read_text().replace('source = "serve"', 'source = "answers.csv"')
    text = text.replace("columns = {  }", 'columns = { annotator = "rater" }')
    settings.write_text(text.replace("resamples = 1000", "resamples = 10"))
    assert run(["run", str(study)]) == 0
    assert f"Report: {study}/report.html" in capsys.readouterr().err
    assert (study / "report.html").is_file()
    assert pl.read_parquet(study / "items.parquet").height == 6
    assert run(["status", str(study), "--json"]) == 0
    assert {one["state"] for one in json.loads(capsys.readouterr().out)} == {"done"}


def test_what_a_study_reads_is_not_what_it_writes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = tmp_path / "study"
    assert run(["init", "custom", str(study)]) == 0
    (study / "r.csv").write_text(r_table())
    assert run(["read", str(study / "r.csv"), "-o", str(study / "ratings.parquet")]) == 0
    settings = study / "study.toml"
    text = settings.read_text().replace('source = "serve"', 'source = "ratings.parquet"')
    settings.write_text(text)
    assert run(["run", str(study)]) == 1
    assert "would be overwritten" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["run", "status"])
@pytest.mark.parametrize(
    ("section", "setting"),
    [
        ("ratings", "target = 0"),
        ("ratings", 'rule = "foo"'),
        ("ratings", "batch = 0"),
        ("ratings", "quota = -1"),
        ("ratings", "lease_minutes = nan"),
        ("form", 'middle = "foo"'),
        ("server", 'interface = "xx"'),
        ("server", "session_hours = inf"),
    ],
)
def test_a_value_nobody_can_collect_with_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, section: str, setting: str
) -> None:
    assert run(["init", "pap", str(tmp_path / "s"), "--example"]) == 0
    path, key = tmp_path / "s" / "study.toml", setting.partition(" = ")[0]
    head, _, tail = path.read_text().partition(f"[{section}]\n")
    own, _, others = tail.partition("\n[")
    kept = [line for line in own.splitlines() if not line.startswith(f"{key} = ")]
    path.write_text(f"{head}[{section}]\n" + "\n".join([setting, *kept]) + f"\n\n[{others}")
    capsys.readouterr()
    assert run([command, str(tmp_path / "s")]) == 2
    line = path.read_text().splitlines().index(setting) + 1
    assert f"study.toml:{line}: [{section}] {key}" in capsys.readouterr().err
    assert not (tmp_path / "s" / "ratings.parquet").exists()
