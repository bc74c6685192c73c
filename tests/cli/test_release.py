"""`plausibly release` from the outside: a study becomes a folder that loads again."""

from __future__ import annotations

import json
import re
import shutil
import tomllib
from pathlib import Path

import polars as pl
import pytest

from plausibly.cli import run
from plausibly.datasets.catalogue import catalogue
from plausibly.io import read_table, write_json, write_table
from plausibly.releasing.about import read_about
from plausibly.releasing.datasheet import QUESTIONS
from plausibly.tables import LABELS, RATINGS
from plausibly.verbs.load import load
from plausibly.verbs.release import release

GUIDE = Path(__file__).resolve().parents[2] / "docs/how-to/release-a-dataset.md"


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("studies") / "otters"
    assert run(["init", "pap", str(folder), "--example"]) == 0
    settings = (folder / "study.toml").read_text(encoding="utf-8")
    quick = settings.replace("# resamples = (not set)", "resamples = 20")
    assert quick != settings
    (folder / "study.toml").write_text(quick, encoding="utf-8")
    assert run(["run", str(folder), "--to", "label"]) == 0
    return folder


@pytest.fixture
def study(finished: Path, tmp_path: Path) -> Path:
    shutil.copytree(finished, tmp_path / "otters")
    return tmp_path / "otters"


@pytest.mark.parametrize("place", [".", "out", "deep/out"])
def test_a_release_inside_its_study_is_refused(
    study: Path, capsys: pytest.CaptureFixture[str], place: str
) -> None:
    before = sorted(study.rglob("*"))
    assert run(["release", str(study), "-o", str(study / place)]) == 1
    assert "inside the study" in capsys.readouterr().err
    assert sorted(study.rglob("*")) == before


def test_a_release_holds_what_is_promised_and_loads_again(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert run(["release", str(study), "-o", str(out), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    written = sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())
    assert document["files"] == written
    assert {
        *("README.md", "croissant.json", "datasheet.md", "CITATION.cff", "LICENSE"),
        *("checksums.sha256", "manifest.json", "data/items.parquet"),
        *("forms/events_with_ratings.tsv", "forms/mace/predicted_labels.tsv"),
    } <= set(written)
    again = load(out)
    made = release(study)
    assert made.as_json() == document
    for name in made.content.tables:
        assert again.get_table(name).equals(made.get_table(name)), name
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "The answers are simulated" in card
    glance = card.partition("## At a glance")[2].partition("## Tables")[0]
    assert "- 162 items in 2 conditions\n" in glance
    assert "simulated annotators" in glance
    assert "(figures/labels-1.svg)" in glance
    assert "(explorer.html)" in glance
    share = 100 * made.content.tables["labels"]["label"].null_count() / 153
    assert f"undecided ({share:.1f} %)" in glance
    form = pl.read_csv(out / "forms/events_with_ratings.tsv", separator="\t")
    assert {"majority_multiclass", "distribution_binary"} <= set(form.columns)


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")
def test_others_programs_read_the_release_of_a_study(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = pytest.importorskip("datasets")
    croissant = pytest.importorskip("mlcroissant")
    monkeypatch.setattr(hub.config, "HF_HUB_OFFLINE", True, raising=False)
    out = tmp_path / "out"
    assert run(["release", str(study), "-o", str(out), "--splits", "train=0.7,test=0.3"]) == 0
    tables = release(study, splits="train=0.7,test=0.3").content.tables
    sides = hub.load_dataset(str(out), cache_dir=str(tmp_path / "cache"))
    sizes = dict(
        tables["items"]
        .with_columns(pl.col("split").fill_null("checks"))["split"]
        .value_counts()
        .iter_rows()
    )
    assert {side: len(rows) for side, rows in sides.items()} == sizes
    ratings = hub.load_dataset(str(out), "ratings", cache_dir=str(tmp_path / "cache"))["train"]
    assert pl.DataFrame(ratings.data.table).equals(tables["ratings"])
    described = croissant.Dataset(jsonld=str(out / "croissant.json"))
    assert not described.metadata.ctx.issues.errors
    rows = [row["labels/item"].decode() for row in described.records(record_set="labels")]
    assert rows == tables["labels"]["item"].to_list()


def test_a_release_can_be_done_again_from_its_own_ratings(
    study: Path, tmp_path: Path, without_data: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["report", str(study), "-o", str(tmp_path / "report")]) == 0
    out = tmp_path / "out"
    assert run(["release", str(study), "-o", str(out), "--splits", "train=0.7,test=0.3"]) == 0
    capsys.readouterr()
    assert run(["replicate", str(out), "--json", "-o", str(tmp_path / "again")]) == 0
    for made in sorted((tmp_path / "report").glob("*s/*.*")):
        again = tmp_path / "again" / made.relative_to(tmp_path / "report")
        if made.suffix != ".pdf":  # a PDF names its fonts at random
            assert again.read_bytes() == made.read_bytes()
    assert (tmp_path / "again" / "report.html").is_file()
    records = {one["id"]: one for one in json.loads(capsys.readouterr().out)}
    assert {one["verdict"] for one in records.values()} == {"exact"}
    assert {"release.labels.rows", "release.exclusions.rows"} <= set(records)
    assert any(name.startswith("release.agreement.krippendorff_alpha") for name in records)
    tables = {made.stem for made in (tmp_path / "report" / "tables").glob("*.csv")}
    fitted = {f"model-{part}-of-plausible" for part in ("means", "random", "terms")}
    assert fitted <= tables  # what a search ends at may differ between machines
    checked = {n.removeprefix("release.report.") for n in records if ".report." in n}
    assert checked == tables - fitted
    labels = pl.read_parquet(study / "labels.parquet").with_columns(label=pl.lit("1"))
    write_table(labels, study / "labels.parquet", LABELS)
    assert run(["release", str(study), "-o", str(out)]) == 0
    capsys.readouterr()
    assert run(["replicate", str(out), "--json"]) == 0
    records = {one["id"]: one for one in json.loads(capsys.readouterr().out)}
    assert records["release.labels.rows"]["verdict"] == "release fault"
    assert records["release.exclusions.rows"]["verdict"] == "exact"


def test_a_planted_address_stops_it_and_names_the_cell(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ratings = read_table(study / "ratings.parquet", RATINGS)
    said = pl.when(pl.int_range(pl.len()) == 6).then(pl.lit("ask ann@example.org"))
    write_table(ratings.with_columns(comment=said), study / "ratings.parquet", RATINGS)
    assert run(["release", str(study), "-o", str(tmp_path / "out")]) == 1
    error = capsys.readouterr().err
    assert "ratings, row 7, column comment: a mail address (ask…)" in error
    assert not (tmp_path / "out").exists()
    (study / "release.toml").write_text('drop = ["comment"]\n')
    assert run(["release", str(study), "-o", str(tmp_path / "out")]) == 0


def test_splits_share_no_subject_and_since_says_what_changed(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = tmp_path / "old", tmp_path / "new"
    assert run(["release", str(study), "-o", str(old)]) == 0
    command = ["release", str(study), "-o", str(new), "--since", str(old), "--json"]
    capsys.readouterr()
    assert run([*command, "--splits", "train=0.7,test=0.3"]) == 0
    changes = {one["table"]: one for one in json.loads(capsys.readouterr().out)["changes"]}
    assert changes["items"]["columns_added"] == ["split"]
    assert changes["ratings"]["changed"] == 0
    items = load(new).items
    assert items is not None
    events = items.drop_nulls("subject")
    assert events.group_by("subject").agg(pl.col("split").n_unique())["split"].max() == 1
    assert "column split added" in (new / "CHANGES.md").read_text(encoding="utf-8")
    assert run([*command, "--splits", "train"]) == 2
    assert "is not a share" in capsys.readouterr().err


def test_a_known_file_in_a_manifest_decides_the_licence(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def used(dataset: str) -> dict[str, str]:
        return {"sha256": str(catalogue()[dataset].files[0].sha256)}

    write_json(study / "items.parquet.manifest.json", {"inputs": {"svo": used("wikipedia")}})
    assert release(study).content.licence.spdx == "CC-BY-SA-4.0"
    (study / "release.toml").write_text('licence = "CC-BY-4.0"\n')
    assert run(["release", str(study), "-o", str(tmp_path / "out")]) == 1
    assert "they ask for CC-BY-SA-4.0" in capsys.readouterr().err
    inputs = {"svo": used("wikipedia"), "stories": used("gita")}
    write_json(study / "items.parquet.manifest.json", {"inputs": inputs})
    assert run(["release", str(study), "-o", str(tmp_path / "out")]) == 1
    assert "cannot be in one release" in capsys.readouterr().err
    write_json(study / "items.parquet.manifest.json", {"inputs": {"norms": used("norms")}})
    assert run(["release", str(study), "-o", str(tmp_path / "out")]) == 1
    assert "norms states no licence" in capsys.readouterr().err
    consulted = 'licence = "CC-BY-4.0"\nsources = [{ name = "norms", use = "consulted" }]\n'
    (study / "release.toml").write_text(consulted)
    assert release(study).content.licence.spdx == "CC-BY-4.0"


def test_mace_is_left_out_where_nobody_rated_twice(study: Path) -> None:
    ratings = read_table(study / "ratings.parquet", RATINGS)
    alone = ratings.with_columns(annotator=pl.format("u{}", pl.int_range(pl.len())))
    write_table(alone, study / "ratings.parquet", RATINGS)
    for left in ("annotators.parquet", "clean/exclusions.parquet"):
        (study / left).unlink()
    content = release(study).content
    assert list(content.forms) == ["events_with_ratings.tsv"]
    unscored = "norms.csv is left out: the scales of the questions are not known."
    assert content.notes == (
        "The data do not show who gave which answer, so MACE's files are left out.",
        f"{unscored} Run the study first.",
    )


def test_a_column_that_tables_need_cannot_be_dropped(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for column, message in (("answer", "which ratings needs"), ("x", "which no table has")):
        (study / "release.toml").write_text(f'drop = ["{column}"]\n')
        assert run(["release", str(study), "-o", str(tmp_path / "out")]) == 1
        assert message in capsys.readouterr().err


def test_the_guide_shows_a_sound_file_and_every_question(tmp_path: Path) -> None:
    text = GUIDE.read_text(encoding="utf-8")
    (block,) = re.findall(r"```toml\n(.*?)```", text, flags=re.DOTALL)
    (tmp_path / "release.toml").write_text(block, encoding="utf-8")
    assert read_about(tmp_path).title == tomllib.loads(block)["title"]
    assert all(f"`{name}`" in text for name in QUESTIONS)
