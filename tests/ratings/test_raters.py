"""Sheets with one row per item and one column per annotator."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plausibly as pb
from plausibly.errors import PlausiblyError
from plausibly.ratings.raters import raters_in

SENTENCES = ["Otters swim.", "Ladders sing.", "A cook salts soup."]


def sheet(path: Path, header: str, *rows: str) -> Path:
    path.write_text("\n".join((header, *rows)) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("header", "rows"),
    [
        ("Sentence,R1,R2", ["5,4", "1,", "5,5"]),
        ("Nr,Satz,Rater 1,Rater 2", ["1,5,4", "2,1,", "3,5,5"]),
        ("Sentence,Ann,Bob,Mean", ["5,4,4.5", "1,,1", "5,5,5"]),
    ],
)
def test_raters_are_recognised_by_their_numbers_or_their_mean(
    tmp_path: Path, header: str, rows: list[str]
) -> None:
    numbered = header.startswith("Nr")
    lines = [
        f"{row[0]},{text},{row[2:]}" if numbered else f"{text},{row}"
        for text, row in zip(SENTENCES, rows, strict=True)
    ]
    ratings = pb.read(sheet(tmp_path / "sheet.csv", header, *lines)).ratings
    answers = ratings.sort("item", "annotator")["answer"].to_list()
    assert answers == ["5", "5", "1", "5", "4"]
    assert ratings["item"].unique().sort().to_list() == sorted(SENTENCES)


@pytest.mark.parametrize(
    "header",
    ["Sentence,Valence,Arousal", "Sentence,Length,Frequency,Mean", "Sentence,Age,R1", "Nr,Ann,Bob"],
)
def test_other_numbers_are_never_taken_for_people(tmp_path: Path, header: str) -> None:
    width = header.count(",")
    lines = [f"{text},{','.join('531'[:width])}" for text in SENTENCES]
    with pytest.raises(PlausiblyError, match=r"no column|Name"):
        pb.read(sheet(tmp_path / "norms.csv", header, *lines))


def test_the_annotators_of_any_sheet_can_be_named(tmp_path: Path) -> None:
    path = sheet(tmp_path / "sheet.csv", "Sentence,Ann,Bob", "Otters swim.,5,4", "It is.,1,2")
    read = pb.read(path, columns={"item": "Sentence", "annotator": "Ann,Bob"})
    assert read.ratings.height == 4
    with pytest.raises(PlausiblyError, match="no column 'Eve'"):
        pb.read(path, columns={"item": "Sentence", "annotator": "Ann,Eve"})


@given(st.lists(st.tuples(st.integers(1, 7), st.integers(1, 7)), min_size=2, max_size=30))
def test_every_answer_of_numbered_raters_is_kept(answers: list[tuple[int, int]]) -> None:
    rows = [[f"text {n}", str(one), str(two)] for n, (one, two) in enumerate(answers)]
    found = raters_in(["Sentence", "R1", "R2"], rows, {})
    assert found == {"item": "Sentence", "annotator": "R1,R2"}


@pytest.mark.parametrize(
    "header",
    [
        "ID de la réponse;Date de soumission;Dernière page;Langue de départ;Tête de série",
        "ID risposta;Data invio;Ultima pagina;Lingua iniziale;Seme",
        "ID de respuesta;Fecha de envío;Última página;Lenguaje inicial;Semilla",
    ],
)
def test_limesurvey_is_recognised_in_the_language_of_its_headers(
    tmp_path: Path, header: str
) -> None:
    lines = [f"{n};2026-01-0{n};3;xx;{n}77;{n};{4 - n}" for n in (1, 2, 3)]
    path = sheet(tmp_path / "results.csv", f"{header};Q [Uno.];Q [Due.]", *lines)
    read = pb.read(path)
    assert read.layout.tool == "LimeSurvey"
    assert read.ratings["answer"].sort().to_list() == ["1", "1", "2", "2", "3", "3"]
