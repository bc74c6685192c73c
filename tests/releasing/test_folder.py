"""A release is written whole, reads back equal, and others' programs understand it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import polars as pl
import pytest

from plausibly.datasets.own import read_release_tables
from plausibly.errors import StudyError
from plausibly.io import write_text
from plausibly.releasing.about import About, read_about
from plausibly.releasing.card import card, front_matter
from plausibly.releasing.changes import change_log, changes
from plausibly.releasing.content import ReleaseContent
from plausibly.releasing.datasheet import QUESTIONS, open_questions
from plausibly.releasing.folder import write_release
from plausibly.releasing.licences import licence_of
from plausibly.tables import ANNOTATORS, ITEMS, LABELS, RATINGS

FILES = {
    *("README.md", "croissant.json", "datasheet.md", "CITATION.cff", "LICENSE"),
    *("checksums.sha256", "manifest.json", "data/items.parquet", "data/ratings.parquet"),
}


def content_of(**facts: object) -> ReleaseContent:
    items = ITEMS.check(pl.DataFrame({"item": ["a", "b"], "text": ["otter paints", "tea sleeps"]}))
    ratings = RATINGS.check(
        pl.DataFrame(
            {
                "item": ["a", "b"],
                "annotator": ["p-1", "p-2"],
                "question": ["plausible"] * 2,
                "answer": ["1", "5"],
                "submitted": ["2026-01-02T10:00:00", "2026-01-04T10:00:00"],
            }
        )
    )
    labels = LABELS.check(
        pl.DataFrame(
            {
                "item": ["a", "b"],
                "question": ["plausible"] * 2,
                "method": ["plurality"] * 2,
                "label": [None, "5"],
                "ratings": [1, 1],
            }
        )
    )
    people = ANNOTATORS.check(pl.DataFrame({"annotator": ["p-1", "p-2"]}))
    tables = {"items": items, "ratings": ratings, "labels": labels, "annotators": people}
    about = About(
        title="Otters and tea",
        description="A toy: two events.",
        authors=({"name": "Ada Example", "orcid": "https://orcid.org/0000-0001-0002-0003"},),
        languages=("en",),
        homepage="https://example.org/otters",
        datasheet={"purpose": "To try a release out."},
    )
    known: dict[str, object] = {
        "name": "toy",
        "protocol": "custom",
        "tables": tables,
        "about": about,
        "licence": licence_of("CC-BY-4.0"),
    }
    return ReleaseContent(**{**known, **facts})  # type: ignore[arg-type]


def written(folder: Path, content: ReleaseContent | None = None) -> Path:
    write_release(content or content_of(), folder, manifest={"release": {"name": "toy"}})
    return folder


def test_every_promised_file_is_there_and_reads_back_equal(tmp_path: Path) -> None:
    content = content_of(forms={"extra.tsv": "x\ty\n"})
    out = written(tmp_path / "out", content)
    names = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}
    assert names >= FILES | {"forms/extra.tsv"}
    tables = read_release_tables(out)
    assert set(tables) == set(content.tables)
    for name, table in content.tables.items():
        assert tables[name].equals(table), name


def test_splits_are_files_of_their_own_and_come_back_as_one_table(tmp_path: Path) -> None:
    content = content_of()
    items = content.tables["items"].with_columns(split=pl.Series(["train", "test"]))
    out = written(tmp_path / "out", content_of(tables={**content.tables, "items": items}))
    assert sorted(path.name for path in (out / "data").glob("items*")) == [
        "items-test.parquet",
        "items-train.parquet",
    ]
    assert read_release_tables(out)["items"].equals(items)


def test_items_on_no_side_have_a_file_of_their_own(tmp_path: Path) -> None:
    content = content_of()
    items = content.tables["items"].with_columns(split=pl.Series(["train", None]))
    out = written(tmp_path / "out", content_of(tables={**content.tables, "items": items}))
    assert sorted(path.name for path in (out / "data").glob("items*")) == [
        "items-checks.parquet",
        "items-train.parquet",
    ]
    assert read_release_tables(out)["items"].equals(items)


def test_a_release_replaces_an_older_one_whole_and_nothing_else(tmp_path: Path) -> None:
    content = content_of()
    items = content.tables["items"].with_columns(split=pl.Series(["train", "test"]))
    out = written(tmp_path / "out", content_of(tables={**content.tables, "items": items}))
    written(out)
    assert sorted(path.name for path in (out / "data").glob("items*")) == ["items.parquet"]
    (out / "data" / "stray.parquet").write_bytes(b"not of the release")
    assert read_release_tables(out)["items"].equals(content.tables["items"])
    with pytest.raises(StudyError, match=r"stray\.parquet: not a file of the release"):
        written(out)
    own = tmp_path / "own"
    own.mkdir()
    (own / "thesis.tex").write_text("mine")
    with pytest.raises(StudyError, match="not empty, and not a release"):
        written(own)


def test_a_changed_or_missing_file_is_named(tmp_path: Path) -> None:
    out = written(tmp_path / "out")
    write_text(out / "LICENSE", "mine")
    (out / "datasheet.md").unlink()
    with pytest.raises(StudyError) as error:
        read_release_tables(out)
    assert "LICENSE: changed since it was released" in str(error.value)
    assert "datasheet.md: missing" in str(error.value)


def test_nothing_is_written_where_a_cell_leads_to_a_person(tmp_path: Path) -> None:
    content = content_of()
    ratings = content.tables["ratings"].with_columns(comment=pl.lit("mail me: a@b.example"))
    with pytest.raises(StudyError, match="ratings, row 1, column comment: a mail address"):
        written(tmp_path / "out", content_of(tables={**content.tables, "ratings": ratings}))
    with pytest.raises(StudyError, match=r"forms/x.tsv, row 1"):
        written(tmp_path / "out", content_of(forms={"x.tsv": "anna@b.example\t1\n"}))
    assert not (tmp_path / "out").exists()


def test_what_only_an_author_knows_stays_open() -> None:
    left = open_questions(content_of())
    assert {"funding", "consent", "ethics", "misuse"} <= set(left)
    assert not {"purpose", "instances", "labels", "dates", "licence", "makers"} & set(left)
    told = dict.fromkeys(QUESTIONS, "Said.")
    assert open_questions(content_of(about=About(datasheet=told))) == []


def test_the_datasheet_says_when_and_that_a_crowd_is_simulated(tmp_path: Path) -> None:
    out = written(tmp_path / "out")
    sheet = (out / "datasheet.md").read_text()
    assert "From 2026-01-02 to 2026-01-04." in sheet
    assert "plurality: 2 items, 1 of them without a label" in sheet
    content = content_of()
    people = content.tables["annotators"].with_columns(kind=pl.lit("simulated"))
    tables = {**content.tables, "annotators": people}
    assert "The answers are simulated" in card(content_of(tables=tables))
    assert "The answers are simulated" not in card(content)


LOADING = """
import sys
import datasets
import polars as pl
out, cache, names = sys.argv[1], sys.argv[2], sys.argv[3:]
print(datasets.load_dataset(out, cache_dir=cache)["train"]["text"][:])
for name in names:
    loaded = datasets.load_dataset(out, name, cache_dir=cache)["train"]
    pl.DataFrame(loaded.data.table).write_parquet(f"{cache}/{name}.parquet")
"""


def test_the_card_loads_with_datasets_offline(tmp_path: Path) -> None:
    # In a process of its own: here the folder of these tests is found first by that name.
    out, cache, tables = written(tmp_path / "out"), tmp_path / "cache", content_of().tables
    cache.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", LOADING, str(out), str(cache), *tables],
        cwd=tmp_path,
        env={**os.environ, "HF_HUB_OFFLINE": "1", "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0] == "['otter paints', 'tea sleeps']"
    for name, table in tables.items():
        assert pl.read_parquet(cache / f"{name}.parquet").equals(table)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_croissant_is_valid_and_gives_the_same_rows(tmp_path: Path) -> None:
    croissant = pytest.importorskip("mlcroissant")
    out = written(tmp_path / "out")
    dataset = croissant.Dataset(jsonld=str(out / "croissant.json"))
    assert not dataset.metadata.ctx.issues.errors
    rows = list(dataset.records(record_set="items"))
    assert [row["items/text"].decode() for row in rows] == ["otter paints", "tea sleeps"]


def test_the_front_matter_is_yaml(tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    text = card(content_of())
    assert yaml.safe_load(text.split("---\n")[1]) == front_matter(content_of())
    cff = yaml.safe_load((written(tmp_path / "out") / "CITATION.cff").read_text())
    assert cff["authors"] == [
        {"name": "Ada Example", "orcid": "https://orcid.org/0000-0001-0002-0003"}
    ]
    assert cff["license"] == "CC-BY-4.0"


def test_two_releases_are_compared_by_key() -> None:
    content = content_of()
    old = content.tables
    items = old["items"].with_columns(
        text=pl.Series(["otter paints", "tea snores"]), extra=pl.lit(1, dtype=pl.Int64)
    )
    new = {**old, "items": pl.concat([items, items.head(1).with_columns(item=pl.lit("c"))])}
    new["ratings"] = old["ratings"].head(1)
    found = {change.table: change for change in changes(old, new)}
    assert (found["items"].added, found["items"].removed, found["items"].changed) == (1, 0, 1)
    assert found["items"].columns_added == ("extra",)
    assert found["items"].examples == {"added": ("c",), "changed": ("b",)}
    assert (found["ratings"].added, found["ratings"].removed) == (0, 1)
    assert found["labels"].is_same
    log = change_log(list(found.values()), old="1.0.0", new="1.1.0")
    assert "- items: 1 rows added, 0 removed, 1 changed; column extra added." in log
    assert "- labels: the same." in log


def test_release_toml_is_read_and_unknown_keys_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "release.toml"
    text = """
title = "Mine"
authors = [{ name = "Ada" }]
sources = ["pap", { name = "norms", use = "consulted" }]
[datasheet]
purpose = "why not"
"""
    path.write_text(text)
    about = read_about(tmp_path)
    assert [(one.name, one.use) for one in about.sources] == [
        ("pap", "included"),
        ("norms", "consulted"),
    ]
    assert about.sources[0].licence == "CC BY-SA 4.0"
    assert tomllib.loads(text)["title"] == about.title
    for line, message in (
        ('tilte = "x"', "unknown key 'tilte'. Did you mean 'title'"),
        ('sources = ["mine"]', "not one we know. Name its licence"),
        ('sources = [{name = "pap", use = "seen"}]', "unknown use of a source 'seen'"),
        ("[datasheet]\nwhy = 'x'", "unknown question of the datasheet 'why'"),
    ):
        path.write_text(line)
        with pytest.raises(StudyError, match=r"release\.toml: ") as error:
            read_about(tmp_path)
        assert message in str(error.value)


def test_the_manifest_says_rows_and_checksums(tmp_path: Path) -> None:
    out = written(tmp_path / "out")
    manifest = json.loads((out / "manifest.json").read_text())
    assert manifest["files"]["data/items.parquet"]["rows"] == 2
    lines = (out / "checksums.sha256").read_text().splitlines()
    assert f"{manifest['files']['LICENSE']['sha256']}  LICENSE" in lines
