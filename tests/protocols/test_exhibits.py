"""The report of an example study draws what the paper draws, from the study's answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from shutil import copytree

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.study import Study
from plausibly.study.exhibits import Exhibit
from plausibly.study.protocol import Finished

Studies = Callable[[str], Path]
DRAWN = {
    "pap": ("pap-figure-3b", "pap-figure-4a", "pap-figure-4b", "pap-figure-5a", "pap-figure-5b"),
    "adept": ("adept-figure-4", "adept-modifiers"),
    "sp10k": ("sp10k-figure-1", "sp10k-groups"),
    "gita": ("gita-tiers", "gita-states"),
    "iks": (),
}
LISTED = {
    "pap": ("pap-table-1",),
    "adept": ("adept-table-1", "adept-table-4", "adept-direction"),
    "sp10k": ("sp10k-table-2", "sp10k-surveys", "sp10k-relations", "sp10k-criteria"),
    "gita": ("gita-table-2",),
    "iks": ("iks-grammar-coherence", "iks-grammar-content-b", "iks-grammar-content-c"),
}
MISSING = {
    "adept": ("Figure 2: five classes", "no model of this study predicts the classes"),
    "sp10k": ("Table 5: corpora", "the study has no counts of a corpus"),
}


def finished(folder: Path) -> Finished:
    ratings = pl.read_parquet(folder / "clean" / "ratings.parquet")
    items, labels = (pl.read_parquet(folder / f"{one}.parquet") for one in ("items", "labels"))
    return Finished(folder=folder, items=items, ratings=ratings, labels=labels, seed=1)


def exhibits(folder: Path, name: str) -> dict[str, Exhibit]:
    drawn = Study(folder).protocol.exhibits
    assert drawn is not None, f"{name} draws nothing"
    return {one.name: one for one in drawn(finished(folder))}


@pytest.mark.parametrize("name", sorted(DRAWN))
def test_a_report_has_the_exhibits_of_its_paper_and_no_errata(done: Studies, name: str) -> None:
    folder = copytree(done(name), done(name).parent / f"{name}-drawn")
    assert run(["run", str(folder)]) == 0
    page = (folder / "report.html").read_text(encoding="utf-8")
    for one in DRAWN[name]:
        assert page.count(f'id="figure-{one}"') == 1, one
    for one in LISTED[name]:
        assert page.count(f'id="table-{one}"') == 1, one
    if name in MISSING:
        heading, reason = MISSING[name]
        after = page.split(heading, 1)[1]
        assert reason in after.split("<h3", 1)[0]
    assert not re.search(r"errat(um|a)", page, re.IGNORECASE)


def test_every_triple_is_in_a_bin_and_in_a_majority(done: Studies) -> None:
    drawn = exhibits(done("pap"), "pap")
    rated = finished(done("pap")).ratings["item"].n_unique()
    assert drawn["figure-3b"].figures[0].table["triples"].sum() == rated
    majorities = [one.table.drop("combination") for one in drawn["figure-5"].figures]
    assert sum(int(one.sum().sum_horizontal()[0]) for one in majorities) == rated
    cells = drawn["table-1"].figures[0].table
    assert cells.row(0)[0] == "triples"
    for column in cells.columns[1:]:
        shares = cells[column][1:].drop_nulls().to_list()
        assert not shares or sum(shares) == pytest.approx(1)


def test_pairs_are_unanimous_or_by_majority_or_without_label(done: Studies) -> None:
    folder = done("adept")
    table = exhibits(folder, "adept")["table-4"].figures[0].table
    parts = table.select(pl.sum_horizontal("unanimous", "majority", "none")).to_series()
    assert parts.to_list() == table["pairs"].to_list()
    assert table["pairs"].sum() == finished(folder).labels.height


def test_labels_and_predictions_of_the_best_model_are_crossed(
    done: Studies, tmp_path: Path
) -> None:
    folder = copytree(done("adept"), tmp_path / "adept")
    labels = finished(folder).labels.drop_nulls("label").select("item", "question", "label")
    right = labels.with_columns(model=pl.lit("right"))
    wrong = labels.with_columns(model=pl.lit("wrong"), label=pl.lit("impossible"))
    pl.concat([right, wrong]).write_parquet(folder / "predictions.parquet")
    drawn = exhibits(folder, "adept")
    for name, classes in (("figure-2", 5), ("figure-3", 3)):
        table = drawn[name].figures[0].table
        assert "right" in drawn[name].figures[0].caption
        diagonal = [table.row(place)[place + 1] for place in range(classes)]
        assert sum(diagonal) == labels.height == table["pairs"].sum()


def test_without_times_the_figure_of_times_is_left_out_with_the_reason(done: Studies) -> None:
    study = finished(done("sp10k"))
    drawn = Study(done("sp10k")).protocol.exhibits
    assert drawn is not None
    untimed = Finished(
        folder=study.folder,
        items=study.items,
        ratings=study.ratings.drop("seconds"),
        labels=study.labels,
        seed=1,
    )
    first = drawn(untimed)[0]
    why = "the data do not say how long each answer took"
    assert (first.reason, list(first.figures)) == (why, [])


def test_a_study_without_a_paper_has_no_exhibits(tmp_path: Path) -> None:
    folder = pb.init("custom", tmp_path / "otters", example=True).folder
    assert 'id="exhibits"' not in pb.report(folder).page
