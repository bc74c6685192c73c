"""Figures and tables of a publication, on an invented release."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import StudyError, UnknownName
from plausibly.replications.figures import PaperFigures, paper_figures
from worlds.pap import write_checks, write_release


@pytest.fixture
def world(tmp_path: Path) -> Path:
    write_release(tmp_path)
    write_checks(tmp_path)
    return tmp_path


def table(result: PaperFigures, name: str) -> pl.DataFrame:
    return next(one.table for one in result.figures if one.name == name)


def test_every_figure_equals_what_replicate_recomputes(world: Path) -> None:
    numbers = {one.id: one.recomputed for one in pb.replicate("pap", data=world).records}
    result = paper_figures("pap", data=world)
    answers = table(result, "pap-figure-3a").rows()
    assert answers == [
        (condition, answer, count)
        for condition in ("attested", "perturbed")
        for answer, count in numbers[f"pap.figure3.a.{condition}"].items()  # type: ignore[union-attr]
    ]
    for letter, condition in (("a", "attested"), ("b", "perturbed")):
        medians = table(result, f"pap-figure-4{letter}")["median"]
        assert numbers[f"pap.figure4.medians.{condition}"] == {
            "above": int((medians > 3).sum()),
            "below": int((medians < 3).sum()),
            "on": int((medians == 3).sum()),
        }
    first = table(result, "pap-table-1").row(0, named=True)
    assert first["attested plausible"] == numbers["pap.table1.count.attested.plausible"]


def test_a_triple_is_ambiguous_or_leaning_or_has_a_majority(world: Path) -> None:
    result = paper_figures("pap", data=world)
    signs = table(result, "pap-disagreement")
    for condition in ("attested", "perturbed"):
        own = signs.filter(pl.col("condition") == condition)
        apart = own.filter(pl.col("source").is_in(["ambiguous", "leaning"]))["triples"].sum()
        unsure = table(result, "pap-table-1")[f"{condition} unsure"][0]
        assert apart == unsure


def test_the_folder_has_the_page_drawings_and_tables(
    world: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    command = ["replicate", "pap", "--figures", "--data", str(world)]
    assert run([*command, "-o", str(out), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    names = {one["name"]: one["drawn"] for one in document["exhibits"]}
    assert names["pap-figure-3a"]
    for name, drawn in names.items():
        assert (out / "figures" / f"{name}.svg").is_file() == drawn
        for suffix in ("csv", "md", "tex"):
            assert (out / "tables" / f"{name}.{suffix}").is_file()
        if drawn:
            ElementTree.fromstring((out / "figures" / f"{name}.svg").read_text())  # noqa: S314
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "<code>plausibly serve</code>" in page
    assert "not comparable" in page
    assert "<script src" not in page
    assert 'href="http' not in page


def test_from_python_figures_are_drawn_of_a_publication_alone(world: Path) -> None:
    assert isinstance(pb.replicate("pap", data=world, figures=True), PaperFigures)
    with pytest.raises(UnknownName, match="Did you mean 'sp10k'"):
        pb.replicate("sp10", data=world, figures=True)
    with pytest.raises(UnknownName, match="unknown publication 'all'"):
        pb.replicate("all", data=world, figures=True)
    with pytest.raises(StudyError, match="Leave out statements= and only="):
        pb.replicate("pap", data=world, figures=True, statements=True)


def test_a_page_of_numbers_and_figures_exclude_each_other(
    world: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["replicate", "pap", "--data", str(world), "--figures", "--format", "html"]
    assert run(command) == 2
    assert "--figures" in capsys.readouterr().err


def test_without_a_data_folder_the_option_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("PLAUSIBLY_DATA", raising=False)
    assert run(["replicate", "gita", "--figures"]) == 2
    assert "--data" in capsys.readouterr().err
