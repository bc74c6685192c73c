"""A notebook that knows pandas and nothing else: merging, averaging, figures, help, studies."""

from __future__ import annotations

import pydoc
import sys
import zlib
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import plausibly as pb
from plausibly.analysis.figures.drawing import WIDTH
from plausibly.cli import run
from plausibly.errors import MissingExtra

ANSWERS = {101: [1, 2, 1], 7: [5, 4, 5], 33: [3, 3, 4], 8: [5, 5, 5]}
RATED = pd.DataFrame(
    [
        {"item": item, "annotator": person, "answer": answer}
        for item, answers in ANSWERS.items()
        for person, answer in zip("abc", answers, strict=True)
    ]
)
EVENTS = pd.DataFrame({"item": list(ANSWERS), "condition": ["odd", "usual", "odd", "usual"]})


def test_means_are_merged_with_items_and_averaged() -> None:
    labels: Any = pb.label(RATED, method="mean").labels
    merged = EVENTS.merge(labels, on="item")
    means = merged.groupby("condition")["label"].mean()
    assert means["odd"] == pytest.approx((4 / 3 + 10 / 3) / 2)
    assert means["usual"] == pytest.approx((14 / 3 + 5) / 2)


def test_a_wide_table_whose_columns_are_numbers_has_numbers_as_items() -> None:
    wide = RATED.pivot(index="annotator", columns="item", values="answer")
    for table in (wide, wide.reset_index()):
        labels: Any = pb.label(table, method="mean").labels
        assert labels["item"].tolist() == sorted(ANSWERS)
        assert len(EVENTS.merge(labels, on="item")) == len(EVENTS)


def test_what_was_read_goes_on_as_pandas() -> None:
    ratings = pb.read(RATED)
    table: Any = ratings.ratings
    assert table["value"].mean() == RATED["answer"].mean()
    agreed: Any = pb.agree(ratings, resamples=0).scores
    assert isinstance(agreed, pd.DataFrame)
    assert table["item"].unique().tolist() == list(ANSWERS)


def test_two_figures_are_saved(tmp_path: Path) -> None:
    figures = [pb.agree(RATED).figure(), pb.read(RATED).figure("items")]
    for one in figures:
        assert "<svg" in one._repr_html_()
        saved = one.save(tmp_path / f"{one.name}.svg")
        assert saved.read_text(encoding="utf-8").startswith("<svg")
    for one in figures:
        assert one.save(tmp_path / "one.pdf").read_bytes().startswith(b"%PDF")
        picture = one.save(str(tmp_path / "one.png")).read_bytes()
        assert picture.startswith(b"\x89PNG")
        assert int.from_bytes(picture[16:20]) == 3 * WIDTH  # pixels from left to right
        assert _corner(picture) == b"\xff\xff\xff\xff"  # white: words are black on a dark page, too


def _corner(picture: bytes) -> bytes:
    """Return the first pixel of a PNG; nothing is above or left of it, so no filter changes it."""
    place, packed = 8, b""
    while place < len(picture):
        size, kind = int.from_bytes(picture[place : place + 4]), picture[place + 4 : place + 8]
        packed += picture[place + 8 : place + 8 + size] if kind == b"IDAT" else b""
        place += size + 12
    return zlib.decompress(packed)[1:5]


def test_a_figure_without_its_engine_names_the_extra(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    figure = pb.agree(RATED).figure()
    with pytest.raises(MissingExtra, match=r"plausibly\[figures\]"):
        figure.save(tmp_path / "agreement.pdf")
    with pytest.raises(pb.PlausiblyError, match=r"\.svg, \.png, \.pdf"):
        figure.save(tmp_path / "agreement.bmp")
    assert not list(tmp_path.iterdir())


def test_an_unknown_figure_is_named() -> None:
    with pytest.raises(pb.PlausiblyError, match=r"unknown figure 'peple'\. Did you mean 'people'"):
        pb.read(RATED).figure("peple")
    with pytest.raises(pb.PlausiblyError, match="has nothing to draw"):
        pb.data_list().figure()


def test_wide_tables_are_read() -> None:
    wide = RATED.pivot(index="annotator", columns="item", values="answer")
    wide = wide.rename(columns=str).reset_index().astype({"7": float})
    columns: Any = {"annotator": "annotator", "item": "7,8,33,101"}
    read: Any = pb.read(wide, format="wide", columns=columns).ratings
    assert read["value"].mean() == RATED["answer"].mean()
    assert set(read["answer"]) == {"1", "2", "3", "4", "5"}


def test_help_lists_the_options_of_each_method() -> None:
    text = pydoc.plain(pydoc.render_doc(pb.label))
    assert "strict-majority: min_share" in text
    assert "restarts: Number of random starts." in text
    assert "Args:" in text


def test_a_study_does_the_same_in_python_and_by_command(tmp_path: Path) -> None:
    mine, theirs = tmp_path / "mine" / "otters", tmp_path / "theirs" / "otters"
    pb.init("custom", mine, example=True)
    assert run(["init", "custom", str(theirs), "--example"]) == 0
    assert [state.step for state in pb.run(mine, to="agree")][-1] == "agree"
    assert run(["run", str(theirs), "--to", "agree"]) == 0
    assert pb.status(mine) == pb.status(theirs)
    pb.report(mine)
    assert run(["report", str(theirs)]) == 0
    assert (mine / "report.json").read_bytes() == (theirs / "report.json").read_bytes()
    released, also = tmp_path / "released", tmp_path / "also"
    pb.release(mine).write(released)
    assert run(["release", str(theirs), "-o", str(also)]) == 0
    tables = sorted(one.relative_to(released) for one in released.rglob("*.parquet"))
    assert len(tables) > 2
    assert all((released / one).read_bytes() == (also / one).read_bytes() for one in tables)


@pytest.mark.parametrize("name", ["run", "status", "report", "release"])
def test_what_is_not_a_folder_is_refused_by_name(name: str) -> None:
    with pytest.raises(pb.PlausiblyError) as caught:
        getattr(pb, name)(3)
    assert caught.value.parameter in ("folder", "study")
