"""The implicit-knowledge sheet: what it holds, and which sheets cannot be."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from plausibly.datasets.iks import PER_CANDIDATE, QUESTIONS
from plausibly.errors import StudyError, TableError
from plausibly.ratings import Imported, export_ratings, import_ratings

HEADER = "\t".join(["Dimensions:", *QUESTIONS.values()])

# The answers of the manual's two worked examples; the sentences are ours.
FIRST = """EXAMPLE 1
Source sentence 1: Rain fell all night.
Source sentence 2: The street is wet.
Reference sentence: Rain makes streets wet.

Dimensions:\tGrammaticality\tCoherence\tContent A (impl. connection?)\tContent B (new content?)\t\
Content C (explanation?)\tContent D (which is best?)\tComparison A (similar meaning)\t\
Comparison B (better explanation?)\tComparison C (closest?)
Options:\tYES/ ALMOST/ ERRORS/ NO\tYES/ PARTLY/ NO/ NONSENSE\tYES/ NO\tYES/ NO\t\
YES/ NEUTRAL/ NO\ti, ii...\tYES/ PARTLY/ NO\tGS/ RS/ BOTH\ti, ii...
(i) a rain makes streets wet.\tALMOST\tYES\tYES\tYES\tYES\t(i)\tYES\tBOTH\t(i)
(ii) rain is water, so what it falls on gets wet.\tYES\tYES\t\tYES\tYES\t\tPARTLY\tRS\t
(iii) rain falls from clouds.\tYES\tYES\t\tYES\tNEUTRAL\t\tNO\tRS\t

(iv) either it rains or it does not.\tYES\tYES\t\tNO\tNEUTRAL\t\tNO\tRS\t
(v) wetter than night.\tNO\t-\t\t-\t-\t\t-\t-\t
"""
SECOND = """EXAMPLE 2
Source sentence 1: One can miss a train.
Source sentence 2: Then the whole day may be lost.
Reference Sentence: Trains are part of a day of travel.

Dimensions:\tGrammaticality\tCoherence\tContent A\tContent B\tContent C\tContent D\tComparison A\t\
Comparison B\tComparison C
(i) a train ride is part of a day.\tYES\tYES\tYES\tYES\tYES\t(i)\tYES\tBOTH\t(i)
(ii) one cannot miss two trains at once.\tYES\tPARTLY\t\tNO\tNEUTRAL\t\tNO\tRS\t
(iii) a train is a kind of day.\tYES\tNONSENSE\t\t-\t-\t\t-\t-\t
(iv) a train is a kind of travel.\tYES\tYES\t\tYES\tYES\t\tPARTLY\tRS\t
(v) trains leave in the morning.\tYES\tPARTLY\t\tYES\tNEUTRAL\t\tNO\tRS\t
"""


def sheet_of(folder: Path, *rows: str, header: str = HEADER, name: str = "anna.tsv") -> Path:
    path = folder / name
    path.write_text("\n".join([header, *rows]) + "\n")
    return path


def iks(path: Path, **names: str) -> Imported:
    return import_ratings(path, form="iks", names=names)


def answers(imported: Imported, item: str) -> dict[str, str]:
    rows = imported.ratings.filter(pl.col("item") == item)
    return dict(zip(rows["question"], rows["answer"], strict=True))


def test_both_worked_examples_of_the_manual_are_read(tmp_path: Path) -> None:
    path = tmp_path / "anna.tsv"
    path.write_text(FIRST + "\n" + SECOND)
    imported = iks(path)
    assert answers(imported, "EXAMPLE 1") == {
        "content_a": "YES",
        "content_d": "i",
        "comparison_c": "i",
    }
    assert answers(imported, "EXAMPLE 1#v") == {"grammaticality": "NO"}
    assert answers(imported, "EXAMPLE 2#iii") == {"grammaticality": "YES", "coherence": "NONSENSE"}
    assert answers(imported, "EXAMPLE 2#ii") == {
        "grammaticality": "YES",
        "coherence": "PARTLY",
        "content_b": "NO",
        "content_c": "NEUTRAL",
        "comparison_a": "NO",
        "comparison_b": "RS",
    }
    assert imported.ratings["annotator"].unique().to_list() == ["anna"]
    per_candidate = 4 * len(PER_CANDIDATE) + 1 + 4 * len(PER_CANDIDATE) + 2
    assert imported.ratings.height == per_candidate + 2 * 3


def test_the_sentences_around_a_block_become_items(tmp_path: Path) -> None:
    path = tmp_path / "anna.tsv"
    path.write_text(FIRST)
    items = iks(path).items
    assert items is not None
    first = items.filter(pl.col("item") == "EXAMPLE 1#i").row(0, named=True)
    assert first["text"] == "a rain makes streets wet."
    assert first["source_1"] == "Rain fell all night."
    assert first["reference"] == "Rain makes streets wet."
    assert first["candidate"] == "i"
    assert items.height == 6


def test_values_are_places_on_the_scale_worst_first(tmp_path: Path) -> None:
    path = sheet_of(tmp_path, "i\tERRORS\tNO\tNO\tYES\tNEUTRAL\ti\tPARTLY\tGS\ti")
    ratings = iks(path).ratings
    assert dict(zip(ratings["question"], ratings["value"], strict=True)) == {
        "grammaticality": 2.0,
        "coherence": 2.0,
        "content_a": 1.0,
        "content_b": 2.0,
        "content_c": 2.0,
        "content_d": None,
        "comparison_a": 2.0,
        "comparison_b": 3.0,
        "comparison_c": None,
    }


@pytest.mark.parametrize("cell", ["i;iii", "(i);(iii)", "iii; i", "(i), (iii)", "I;III", "1;3"])
def test_several_best_candidates_are_read_however_they_are_written(
    tmp_path: Path, cell: str
) -> None:
    rest = "YES\tYES\t\tYES\tYES\t\tYES\tBOTH\t"
    path = sheet_of(
        tmp_path,
        f"(i) a\tYES\tYES\tYES\tYES\tYES\t{cell}\tYES\tBOTH\tii",
        f"(ii) b\t{rest}",
        f"(iii) c\t{rest}",
    )
    assert answers(iks(path), "1")["content_d"] == "i;iii"


def test_answers_after_coherence_no_are_accepted(tmp_path: Path) -> None:
    path = sheet_of(tmp_path, "i\tYES\tNO\tYES\tYES\tNO\ti\tNO\tRS\ti")
    assert answers(iks(path), "1#i")["content_b"] == "YES"


def test_answers_per_item_may_stand_in_the_row_of_a_skipped_candidate(tmp_path: Path) -> None:
    path = sheet_of(
        tmp_path,
        "i\tNO\t-\tYES\t-\t-\tii\t-\t-\tii",
        "ii\tYES\tYES\t\tYES\tYES\t\tYES\tBOTH\t",
    )
    assert answers(iks(path), "1") == {"content_a": "YES", "content_d": "ii", "comparison_c": "ii"}


FULL = "ii\tYES\tYES\t\tYES\tYES\t\tYES\tBOTH\t"
IMPOSSIBLE = {
    "content after grammaticality NO": ("i\tNO\t-\tYES\tYES\t-\tii\t-\t-\tii", 2, "Content B"),
    "coherence after grammaticality NO": ("i\tNO\tYES\tYES\t-\t-\tii\t-\t-\tii", 2, "Coherence"),
    "comparison after NONSENSE": ("i\tYES\tNONSENSE\tYES\t-\t-\tii\t-\tRS\tii", 2, "Comparison B"),
    "explanation after NONSENSE": ("i\tYES\tNONSENSE\tYES\t-\tNO\tii\t-\t-\tii", 2, "Content C"),
    "skipped candidate is best": ("i\tNO\t-\tYES\t-\t-\ti\t-\t-\tii", 2, "Content D"),
    "skipped among the best": ("i\tNO\t-\tYES\t-\t-\ti;ii\t-\t-\tii", 2, "Content D"),
    "skipped candidate is closest": (
        "i\tYES\tNONSENSE\tYES\t-\t-\tii\t-\t-\ti",
        2,
        "Comparison C",
    ),
    "two closest": ("i\tYES\tYES\tYES\tYES\tYES\ti\tYES\tRS\ti;ii", 2, "Comparison C"),
    "unknown candidate": ("i\tYES\tYES\tYES\tYES\tYES\tvii\tYES\tRS\ti", 2, "Content D"),
    "unknown option": ("i\tYES\tMAYBE\tYES\tYES\tYES\ti\tYES\tRS\ti", 2, "Coherence"),
    "no grammaticality": ("i\t-\tYES\tYES\tYES\tYES\ti\tYES\tRS\ti", 2, "Grammaticality"),
}


@pytest.mark.parametrize("case", IMPOSSIBLE)
def test_an_impossible_sheet_is_refused_naming_row_and_column(tmp_path: Path, case: str) -> None:
    row, line, column = IMPOSSIBLE[case]
    path = sheet_of(tmp_path, row, FULL)
    with pytest.raises(TableError) as refusal:
        iks(path)
    assert f"{path}:{line}: column {column}:" in str(refusal.value)
    assert str(refusal.value).endswith("1 bad cell. Nothing was written.")


def test_every_bad_cell_is_named_and_counted(tmp_path: Path) -> None:
    path = sheet_of(tmp_path, "i\tNO\tYES\tYES\tYES\t-\tii\t-\t-\tii", FULL)
    with pytest.raises(TableError, match="2 bad cells"):
        iks(path)


def test_two_answers_to_a_question_asked_once_are_refused(tmp_path: Path) -> None:
    row = "ii\tYES\tYES\tNO\tYES\tYES\t\tYES\tBOTH\t"
    path = sheet_of(tmp_path, "i\tYES\tYES\tYES\tYES\tYES\ti\tYES\tRS\ti", row)
    with pytest.raises(TableError, match=r":3: column Content A: 'NO' here and 'YES' above"):
        iks(path)


def test_a_column_under_another_heading_is_named_with_it(tmp_path: Path) -> None:
    header = "item,annotator,candidate," + ",".join(QUESTIONS)
    path = sheet_of(tmp_path, "s1,bo,i,NO,,,YES,,,,,", header=header, name="all.csv")
    with pytest.raises(TableError, match=r"all.csv:2: column Content B \('content_b'\)"):
        iks(path)


def test_a_plain_table_holds_many_annotators_and_systems(tmp_path: Path) -> None:
    header = "item,annotator,candidate,system,genre," + ",".join(QUESTIONS)
    rows = [
        f"{item},{person},{number},{system},blog,YES,YES,{'YES' if number == 'i' else ''},YES,NO,"
        f"{'ii' if number == 'i' else ''},NO,RS,{'i' if number == 'i' else ''}"
        for number, system in (("i", "gpt"), ("ii", "bart"))
        for item in ("s1", "s2")
        for person in ("anna", "bo")
    ]
    imported = iks(sheet_of(tmp_path, *rows, header=header, name="all.csv"))
    ratings = imported.ratings
    assert set(ratings["annotator"]) == {"anna", "bo"}
    assert set(ratings["item"]) == {"s1", "s2", "s1#i", "s1#ii", "s2#i", "s2#ii"}
    assert ratings.filter(pl.col("candidate") == "ii")["system"].unique().to_list() == ["bart"]
    assert ratings["genre"].unique().to_list() == ["blog"]
    assert ratings.height == 2 * 2 * (2 * len(PER_CANDIDATE) + 3)


def test_a_folder_of_sheets_is_one_sheet_per_annotator(tmp_path: Path) -> None:
    for name in ("anna.tsv", "bo.tsv"):
        (tmp_path / name).write_text(FIRST)
    ratings = iks(tmp_path).ratings
    assert ratings.group_by("annotator").len()["len"].n_unique() == 1
    assert set(ratings["annotator"]) == {"anna", "bo"}


def test_columns_may_be_mapped(tmp_path: Path) -> None:
    header = HEADER.replace("Content D", "Winner")
    path = sheet_of(tmp_path, "i\tYES\tYES\tYES\tYES\tYES\ti\tYES\tRS\ti", header=header)
    assert answers(iks(path, content_d="Winner"), "1")["content_d"] == "i"


def test_a_row_without_a_candidate_number_is_refused(tmp_path: Path) -> None:
    path = sheet_of(tmp_path, "no number\tYES\tYES\tYES\tYES\tYES\ti\tYES\tRS\ti")
    with pytest.raises(TableError, match="does not begin with a candidate's number"):
        iks(path)


def test_a_file_without_the_questions_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.csv"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(TableError, match="before any header line"):
        iks(path)


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".jsonl"])
def test_writing_and_reading_a_sheet_is_a_round_trip(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / "anna.tsv"
    path.write_text(FIRST + "\n" + SECOND)
    imported = iks(path)
    written = tmp_path / f"again{suffix}"
    export_ratings(imported.ratings, written, form="iks", items=imported.items)
    again = iks(written)
    assert again.ratings.equals(imported.ratings)
    assert again.items is not None
    assert imported.items is not None
    assert again.items.equals(imported.items)


@pytest.mark.parametrize(
    ("item", "question", "message"),
    [
        ("ex1#i", "plausible", "'plausible' of item 'ex1#i'.*unknown questions"),
        ("ex1", "coherence", "'coherence' of item 'ex1'"),
        ("ex1#i", "content_a", "'content_a' of item 'ex1#i'"),
        ("ex1#iiii", "coherence", "'coherence' of item 'ex1#iiii'"),
        ("ex2", "content_a", "'content_a' of item 'ex2'"),
    ],
)
def test_what_a_sheet_has_no_cell_for_is_refused_and_nothing_written(
    tmp_path: Path, item: str, question: str, message: str
) -> None:
    told = {"item": ["ex1#i", item], "question": ["grammaticality", question]}
    ratings = pl.DataFrame({**told, "annotator": ["a", "a"], "answer": ["YES", "YES"]})
    path = tmp_path / "sheet.tsv"
    with pytest.raises(StudyError, match=f"the iks format has no place for .*{message}"):
        export_ratings(ratings, path, form="iks")
    assert not path.exists()


def test_a_heading_of_brackets_is_read_in_no_time(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    sheet.write_text("[" * 200_000)
    with pytest.raises(TableError, match="no candidate rows"):
        import_ratings(sheet, form="iks")
