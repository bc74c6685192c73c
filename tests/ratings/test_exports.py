"""Files of survey and annotation tools: recognised, read, stored as independent code has them."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import krippendorff
import numpy as np
import polars as pl
import pytest

import plausibly as pb
from plausibly.cli import run
from plausibly.errors import PlausiblyError
from plausibly.io.layout import HIDDEN
from plausibly.ratings.expanding import text_of
from worlds.exports import EXPORTS, Export, Truth

every_export = pytest.mark.parametrize("make", EXPORTS, ids=lambda make: str(make.__name__))
Make = Callable[[], Export]
VALUE = re.compile(r':\s*("[^"]*"|\d+|null|\[[^\[\]]*\]|\{[^{}]*\})')


def stored(ratings: pl.DataFrame) -> Truth:
    """Return what was stored, without checks, by item, annotator and question."""
    if "kind" in ratings.columns:
        ratings = ratings.filter(pl.col("kind") == "item")
    rows = ratings.select("item", "annotator", "question", "answer").iter_rows()
    return {(item, person, question): answer for item, person, question, answer in rows}


def alpha(truth: Truth, question: str) -> float:
    """Return ordinal alpha by the krippendorff package."""
    items = sorted({item for item, _, _ in truth})
    people = sorted({person for _, person, _ in truth})
    cells = [[float(truth.get((i, p, question), "nan")) for i in items] for p in people]
    return float(
        krippendorff.alpha(reliability_data=np.array(cells), level_of_measurement="ordinal")
    )


@every_export
def test_the_tool_and_the_roles_of_its_columns_are_named(make: Make, tmp_path: Path) -> None:
    export = make()
    inspection = pb.read(export.written(tmp_path)).inspection
    layout = inspection.layout
    assert (layout.tool, layout.form) == (export.tool, export.form)
    roles = {column.name: column.role for column in layout.columns}
    assert {name: roles.get(name) for name in export.roles} == export.roles
    assert layout.dropped == export.dropped
    assert layout.duplicates == export.duplicates
    assert export.language is None or layout.language == export.language


@every_export
def test_what_is_stored_is_what_independent_code_has(make: Make, tmp_path: Path) -> None:
    export = make()
    ratings = pb.read(export.written(tmp_path)).ratings
    assert stored(ratings) == export.ratings
    assert ratings.height == len(export.ratings) + export.checks


@every_export
def test_alpha_is_that_of_the_krippendorff_package(make: Make, tmp_path: Path) -> None:
    export = make()
    document = pb.agree(export.written(tmp_path), resamples=0).as_json()
    questions = document.get("questions", {next(iter(export.ratings))[2]: document})
    for question in {question for _, _, question in export.ratings}:
        ours = questions[question]["krippendorff_alpha"]["ordinal"]["value"]
        assert ours == pytest.approx(alpha(export.ratings, question), abs=1e-9)


@every_export
def test_the_printed_command_stores_the_rows_it_was_printed_with(
    make: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    export = make()
    export.written(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert run(["read", export.name, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [path.name for path in tmp_path.iterdir()] == [export.name], "nothing is written"
    words = shlex.split(document["inspection"]["command"])
    assert words[:2] == ["plausibly", "read"]
    assert run(words[1:]) == 0
    written = pl.read_parquet(words[-1])
    assert written.height == document["ratings"]
    rows = document["inspection"]["rows"]
    assert len(rows) == 5
    kept = [without_person(row) for row in written.select(*rows[0]).iter_rows(named=True)]
    for number, shown in enumerate(rows):
        if shown["annotator"] == "(pseudonym)":  # drawn and sorted by it when it is written
            assert without_person(shown) in kept
            assert written["annotator"].str.starts_with("p-").all()
        else:
            assert written.select(*rows[0]).row(number, named=True) == shown


def without_person(row: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in row.items() if name != "annotator"}


@every_export
def test_the_example_of_a_stored_column_is_in_the_table_that_stores_it(
    make: Make, tmp_path: Path
) -> None:
    export = make()
    result = pb.read(export.written(tmp_path))
    tables = {name: cells_of(getattr(result, name)) for name in ("ratings", "items", "annotators")}
    assert result.layout.columns or export.tool == "MACE"
    for column in result.layout.columns:
        if column.example is None or column.example == HIDDEN or column.stored is None:
            continue
        if column.role in ("time", "check"):
            continue  # times are shared out among items; what shows a check becomes a kind
        shown = column.example.removesuffix("…").replace("<p>", "").replace("</p>", "")
        cells = tables[column.stored]
        assert any(cell.startswith(shown.replace(",", ".")) for cell in cells), column


def cells_of(frame: pl.DataFrame | None) -> set[str]:
    """Return the cells of a table as texts, with points for commas."""
    if frame is None:
        return set()
    cells = {text_of(one) for column in frame.iter_columns() for one in column.drop_nulls()}
    parts = {part for cell in cells for part in re.split(r"[;\n]| / ", cell)}
    return {cell.replace(",", ".") for cell in cells | parts}


@every_export
def test_a_file_one_verb_accepts_all_accept(make: Make, tmp_path: Path) -> None:
    export = make()
    path = export.written(tmp_path)
    ratings = pb.read(path).ratings
    assert pb.clean(path).ratings.height + pb.clean(path).exclusions.height == ratings.height
    items = {item for item, _, _ in export.ratings}
    assert set(pb.label(path, method="median").labels["item"]) == items
    assert pb.describe(path).means.height
    assert pb.agree(path, resamples=0).scores.height


def test_nothing_that_leads_to_a_person_is_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for make in EXPORTS[:5]:
        assert run(["read", str(make().written(tmp_path))]) == 0
    shown = capsys.readouterr().out
    assert "example.org" not in shown
    assert "192.0.2.7" not in shown


@every_export
def test_a_damaged_file_is_read_or_ends_in_one_clear_error(make: Make, tmp_path: Path) -> None:
    export, draw = make(), np.random.default_rng(7)
    path, messages = tmp_path / export.name, []
    for number in range(12):
        path.write_bytes(damaged(export.content, draw))
        try:
            result = pb.read(path, format=export.form if number % 3 == 0 else "auto")
            json.dumps(result.as_json(), allow_nan=False)
        except PlausiblyError as error:
            messages.append(str(error))
    assert all(str(path) in message for message in messages)


def damaged(content: bytes, draw: np.random.Generator) -> bytes:
    """Return the bytes with values of another type, or with cells and signs where none belong."""
    text = content.decode("latin-1")
    for _ in range(int(draw.integers(1, 6))):
        place = int(draw.integers(len(text)))
        odd = str(
            draw.choice(['"', ",", ";", "\n", "\r", "[", "{}", "null", "1,5", "NA", "#", "\0"])
        )
        if text[:1] in "[{" and draw.random() < 0.7:
            values = [match.span(1) for match in VALUE.finditer(text)]
            start, end = values[int(draw.integers(len(values)))] if values else (place, place)
            new = str(draw.choice(["null", "[]", "{}", "0", '"x"', "[1]", "[{}]", "true", "1e400"]))
            text = text[:start] + new + text[end:]
        else:
            text = text[:place] + odd + text[place + int(draw.integers(0, 9)) :]
    return text.encode("latin-1")
