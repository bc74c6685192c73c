"""Laws of the forms ratings travel in: what is written is what is read."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plausibly.datasets.iks import PER_CANDIDATE, SCALES
from plausibly.datasets.iks.sheet import roman
from plausibly.domain import as_number
from plausibly.ratings import export_ratings, import_ratings
from plausibly.ratings.people import Naming, pseudonyms
from plausibly.tables import RATINGS

LAW = settings(deadline=None, max_examples=40)
names = st.text(alphabet="abcxyz123 -_ß", min_size=1, max_size=6).map(str.strip).filter(bool)
rows = st.dictionaries(
    st.tuples(names, names, names), st.text(alphabet="ab45.-", min_size=1, max_size=4), min_size=1
)


def table(answers: dict[tuple[str, str, str], str]) -> pl.DataFrame:
    cells = [(*key, answer, as_number(answer)) for key, answer in answers.items()]
    return RATINGS.sort(pl.DataFrame(cells, schema={**RATINGS.schema}, orient="row"))


@pytest.mark.parametrize(
    ("form", "suffix"), [("labelstudio", ".json"), ("potato", ".jsonl"), ("long", ".csv")]
)
@LAW
@given(answers=rows)
def test_writing_then_reading_is_identity(
    form: str, suffix: str, answers: dict[tuple[str, str, str], str]
) -> None:
    ratings = table(answers)
    with TemporaryDirectory() as folder:
        path = Path(folder) / f"ratings{suffix}"
        export_ratings(ratings, path, form=form)
        again = import_ratings(path, form=form, naming=Naming()).ratings
    assert again.select(ratings.columns).equals(ratings)


@st.composite
def sheets(draw: st.DrawFn) -> pl.DataFrame:
    """Draw the ratings of a possible sheet: no answer after NO or NONSENSE."""
    found = []
    for item, person in draw(st.sets(st.tuples(names, names), min_size=1, max_size=3)):
        judged = []
        for place in range(1, draw(st.integers(1, 4)) + 1):
            number = roman(place)
            for question in PER_CANDIDATE:
                answer = draw(st.sampled_from(SCALES[question]))
                found.append((f"{item}#{number}", person, question, answer))
                if answer == "NONSENSE" or (question, answer) == ("grammaticality", "NO"):
                    break
            else:
                judged.append(number)
        found.append((item, person, "content_a", draw(st.sampled_from(["YES", "NO"]))))
        if judged:
            best = draw(st.sets(st.sampled_from(judged), min_size=1))
            order = [number for number in judged if number in best]
            found.append((item, person, "content_d", ";".join(order)))
            found.append((item, person, "comparison_c", draw(st.sampled_from(judged))))
    frame = pl.DataFrame(found, schema=["item", "annotator", "question", "answer"], orient="row")
    return RATINGS.sort(RATINGS.check(frame))


@LAW
@given(sheets())
def test_a_sheet_survives_writing_and_reading(ratings: pl.DataFrame) -> None:
    columns = ["item", "annotator", "question", "answer"]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "sheet.tsv"
        export_ratings(ratings, path, form="iks")
        again = import_ratings(path, form="iks").ratings
    assert again.select(columns).equals(ratings.select(columns))


@LAW
@given(st.sets(names, min_size=1), names)
def test_pseudonyms_tell_people_apart_and_show_no_id(people: set[str], key: str) -> None:
    given_names = pseudonyms(people, Naming(key=key), form="mturk")
    assert set(given_names) == people
    assert len(set(given_names.values())) == len(people)
    assert given_names == pseudonyms(sorted(people), Naming(key=key), form="mturk")
