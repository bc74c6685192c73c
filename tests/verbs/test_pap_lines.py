"""Steps that PAP describes around its data: how often texts attest events, and whom they name."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import StudyError, TableError, UnknownName
from plausibly.protocols.pap.exhibits import exhibits
from plausibly.stimuli.pap.identity import identity_notes, identity_report
from plausibly.study.protocol import Finished
from plausibly.tables import ITEMS, LABELS, RATINGS

FOODS = ("strawberry", "bread", "pebble", "skyscraper")
COUNTS = {"strawberry": 120, "bread": 40, "pebble": 1}


def events() -> pl.DataFrame:
    """Return events of which texts have some often and some never."""
    rows = [
        {
            "item": f"{subject}-{food}",
            "text": f"{subject} eats {food}",
            "condition": "attested" if food in COUNTS else "perturbed",
            "subject": subject,
            "verb": "eat",
            "object": food,
        }
        for subject in ("widow", "baker", "Muslim")
        for food in FOODS
    ]
    return ITEMS.check(pl.DataFrame(rows))


def ratings() -> pl.DataFrame:
    """Return ratings that rise with what texts attest."""
    rows = [
        {"item": item, "annotator": f"p{n}", "question": "plausible", "answer": answer}
        for item, food in events().select("item", "object").iter_rows()
        for n, answer in enumerate(("1", "2") if food == "skyscraper" else ("4", "5"))
    ]
    table = pl.DataFrame(rows)
    return RATINGS.check(table.with_columns(value=pl.col("answer").cast(pl.Float64)))


def svo() -> pl.DataFrame:
    """Return what a corpus has of them, spelt with capitals at times."""
    rows = [
        (subject, "Eat", food, count)
        for subject in ("widow", "baker", "muslim")
        for food, count in COUNTS.items()
    ]
    return pl.DataFrame(rows, schema=["subject", "verb", "object", "count"], orient="row")


def test_what_is_unusual_might_still_be_plausible_so_both_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """PAP, section 2.2: eat-strawberry is attested more often than eat-pebble."""
    described = pb.describe_frequency(ratings(), items=events(), counts=svo(), seed=1)
    bands = described.attested.bands.filter(condition="all")
    assert bands["band"].to_list() == ["not attested", "1", "10 to 99", "100 to 999"]
    assert bands["items"].to_list() == [3, 3, 3, 3]
    assert bands["value"].to_list() == [1.5, 4.5, 4.5, 4.5]
    rho = described.as_json()["spearman"]["all"]
    assert rho["n"] == 12
    assert rho["low"] <= rho["value"] <= rho["high"]
    assert 0 < rho["value"] < 1
    assert described.figure().svg.startswith("<svg")
    assert described.talk == ()
    unseen = pb.describe_frequency(ratings(), items=events(), counts=svo().head(0), resamples=0)
    assert unseen.talk == ("None of the 12 rated items is attested, so there is no correlation.",)
    paths = [tmp_path / one for one in ("r.csv", "i.csv", "svo.parquet")]
    for table, path in zip((ratings(), events(), svo()), paths, strict=True):
        table.write_parquet(path) if path.suffix == ".parquet" else table.write_csv(path)
    options = ["--items", str(paths[1]), "--counts", str(paths[2]), "--seed", "1"]
    command = ["describe", "frequency", str(paths[0]), *options, "-o", str(tmp_path / "out")]
    assert run([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == described.as_json()
    assert (tmp_path / "out" / "figures" / "frequency.svg").is_file()


def test_without_counts_or_numbers_there_is_nothing_to_compare() -> None:
    with pytest.raises(TableError, match=r"no column 'count'\. Pass counts="):
        pb.describe_frequency(ratings(), items=events())
    with pytest.raises(TableError, match="columns item, count or subject, verb, object, count or"):
        pb.describe_frequency(ratings(), items=events(), counts=svo().drop("verb"))
    with pytest.raises(StudyError, match="bands= must be whole numbers in ascending order"):
        pb.describe_frequency(ratings(), items=events(), counts=svo(), bands=[10, 1])
    with pytest.raises(UnknownName, match="typical"):
        pb.describe_frequency(ratings(), items=events(), counts=svo(), question="typical")


def test_events_that_name_people_by_a_group_are_reported() -> None:
    """PAP, ethics statement: Wikipedia has been shown to exhibit a range of biases."""
    report = identity_report(events(), "en")
    assert report["events"] == 8
    assert report["terms"]["widow"] == {"attested": 3, "perturbed": 1}
    assert set(report["terms"]) == {"widow", "muslim"}
    (sentence,) = identity_notes(report, 1)
    assert sentence.startswith("8 events name a group of people (muslim 4;")
    assert "English only" in identity_notes(identity_report(events(), "it"), 1)[0]
    assert not identity_notes(identity_report(events().filter(subject="baker"), "en"), 1)


def test_the_report_of_a_study_has_frequency_and_identity_terms(tmp_path: Path) -> None:
    counted = events().join(svo().with_columns(verb=pl.lit("eat")), on=("object",), how="left")
    items = ITEMS.check(
        counted.unique("item")
        .with_columns(pl.col("count").fill_null(0))
        .select(*events().columns, "count")
    )
    study = Finished(folder=tmp_path, items=items, ratings=ratings(), labels=LABELS.empty(), seed=1)
    drawn = {one.name: one for one in exhibits(study)}
    assert drawn["frequency"].figures[0].table.filter(band="not attested")["value"][0] == 1.5
    table = drawn["identity"].figures[0].table
    assert table["term"].to_list()[:2] == ["muslim", "widow"]
    assert dict(table.select("term", "implausible").iter_rows())["widow"] == 1
    assert table.filter(term="all others")["triples"].item() == 4
