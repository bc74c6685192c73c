"""A cell that leads to a person is found, whatever table it stands in."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plausibly.errors import StudyError
from plausibly.releasing.privacy import personal_cells, require_anonymous

PLANTED = {
    "write to anna.b+x@mail.example.org please": "a mail address",
    "write to jane (at) example.org": "a mail address",
    "jane [AT] uni [DOT] edu": "a mail address",
    "5f1b2c3d4e5f60718293a4b5": "a Prolific id",
    "5F1B2C3D4E5F60718293A4B5": "a Prolific id",
    "call +49 170 1234567": "a phone number",
    "A1B2C3D4E5F6G7": "a Mechanical Turk worker id",
    "seen at 192.0.2.17": "a network address",
    "2001:0db8:0000:0000:0000:ff00:0042:8329": "a network address",
    "from 2001:DB8::ff00:42": "a network address",
    "R_1Abc2Def3Ghi4Jkl": "a Qualtrics response id",
}


@pytest.mark.parametrize(("text", "kind"), PLANTED.items())
@pytest.mark.parametrize("table", ["ratings", "items", "annotators"])
def test_a_planted_cell_is_named(text: str, kind: str, table: str) -> None:
    frame = pl.DataFrame({"item": ["a", "b", "c"], "comment": ["fine", None, text]})
    with pytest.raises(StudyError) as error:
        require_anonymous({table: frame})
    assert f"{table}, row 3, column comment: {kind}" in str(error.value)
    assert text not in str(error.value)


def test_a_column_that_says_who_somebody_is_is_named_by_its_name() -> None:
    frame = pl.DataFrame({"item": ["a"], "IPAddress": ["somewhere"]})
    [cell] = personal_cells({"ratings": frame})
    assert (cell.column, cell.row) == ("IPAddress", 1)


@pytest.mark.parametrize(
    "text",
    [
        "p-0123456789abcdef",
        "p001",
        "ABANDONED",
        "1.2.3",
        "CONSTANTINOPLE",
        "10:30:00",
        "+0.12345678",
        "2024-11-15",
    ],
)
def test_pseudonyms_words_and_versions_pass(text: str) -> None:
    tables = {"ratings": pl.DataFrame({"annotator": [text]})}
    require_anonymous(tables)
    assert list(personal_cells(tables)) == []


@given(
    st.lists(st.text(alphabet="abc XYZ.,12", max_size=12), min_size=1, max_size=20),
    st.integers(min_value=0),
    st.sampled_from(sorted(PLANTED)),
)
def test_wherever_it_stands_it_is_found(texts: list[str], place: int, planted: str) -> None:
    row = place % len(texts)
    said = [*texts[:row], f"{texts[row]} {planted}", *texts[row + 1 :]]
    rows = {cell.row for cell in personal_cells({"items": pl.DataFrame({"text": said})})}
    assert row + 1 in rows
