"""Winograd questions: predictions come from the scores, equal scores are no answer."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

from plausibly.datasets.winograd import SCORES, read_scores
from plausibly.errors import TableError, UnknownName
from plausibly.evaluation.winograd import Winograd, winograd

Row = tuple[str, float | None, float | None, str]


def scores_of(*rows: Row) -> pl.DataFrame:
    return pl.DataFrame(rows, schema=SCORES, orient="row")


def test_the_higher_score_wins_and_equal_scores_are_no_answer() -> None:
    scores = scores_of(("1", 3.0, 1.0, "A"), ("2", 3.0, 1.0, "B"), ("3", 2.0, 2.0, "A"))
    assert winograd(scores) == Winograd(correct=1, wrong=1, none=1)


def test_an_unanswered_question_is_half_right_in_a_o_and_left_out_of_a_p() -> None:
    result = Winograd(correct=13, wrong=0, none=59)
    assert result.a_p == 1
    assert result.a_o == (13 + 29.5) / 72


def test_without_any_answer_a_p_is_unknown() -> None:
    assert Winograd(correct=0, wrong=0, none=4).as_json()["a_p"] is None


def test_a_missing_score_counts_as_nothing_and_never_wins() -> None:
    scores = scores_of(
        ("1", 3.0, None, "A"),
        ("2", None, 0.0, "A"),
        ("3", None, None, "A"),
        ("4", -2.5, None, "A"),
        ("5", None, -2.5, "A"),
    )
    assert winograd(scores) == Winograd(correct=2, wrong=1, none=2)


def test_either_missing_answers_only_where_two_pairs_are_known() -> None:
    scores = scores_of(("1", 3.0, 0.0, "A"), ("2", None, 4.0, "B"), ("3", 2.0, 1.0, "A"))
    assert winograd(scores, no_answer="either-missing") == Winograd(1, 0, 2)
    assert winograd(scores, no_answer="equal") == Winograd(3, 0, 0)


def test_an_unknown_policy_is_refused() -> None:
    with pytest.raises(UnknownName, match="either-missing"):
        winograd(scores_of(("1", 3.0, 1.0, "A")), no_answer="either")  # type: ignore[arg-type]


def written(folder: Path, text: str, name: str = "scores.csv") -> Path:
    path = folder / name
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    "text",
    [
        "Question, A score, B score, Prediction, Correct\n3,5.75,0,B,A\n4,0,0,NA,b",
        "3,5.75,0,,A\n4,NA,,NA,B\n",
        "3,5.75,0,A\n\n4,0,0,B\n",
        "\ufeff3 , 5.75 , 0 , A , A\n4,0,0,A,B\n",
    ],
)
def test_header_label_column_and_spaces_do_not_matter(tmp_path: Path, text: str) -> None:
    assert winograd(read_scores(written(tmp_path, text))) == Winograd(1, 0, 1)


def test_other_file_types_go_by_position_too(tmp_path: Path) -> None:
    tabs = written(tmp_path, "q\ta\tb\tlabel\tright\n1\t2\t1\tB\tA\n", "scores.tsv")
    lines = written(tmp_path, '{"q": 1, "x": 2.5, "y": 1, "l": "B", "r": "A"}\n', "scores.jsonl")
    assert winograd(read_scores(tabs)) == winograd(read_scores(lines)) == Winograd(1, 0, 0)


def test_bad_rows_are_named_with_their_line(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        "question,a,b,label,answer\n1,high,0,A,A\n2,1,0,A,C\n3,1,0\n3,1,0,A,A\n4,nan,1,A,A\n,1,0,A,A\n",
    )
    with pytest.raises(TableError) as error:
        read_scores(path)
    assert str(error.value).splitlines() == [
        f"{path}:2: score A 'high' is not a number",
        f"{path}:3: answer 'C' is not A or B",
        f"{path}:4: 3 columns, expected question, score A, score B, (label,) answer",
        f"{path}:5: more than one row for question '3'",
        f"{path}:6: score A 'nan' is not a number",
        f"{path}:7: no question",
        "6 bad rows.",
    ]


def test_a_bad_first_row_is_not_taken_for_a_header(tmp_path: Path) -> None:
    path = written(tmp_path, "1,high,low,A,A\n2,1,0,A,A\n")
    with pytest.raises(TableError, match=":1: score A 'high' is not a number"):
        read_scores(path)


def test_a_file_without_questions_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match="no questions"):
        read_scores(written(tmp_path, "question,a,b,label,answer\n"))


def test_bytes_that_are_not_text_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    path.write_bytes(b"1,\xff,0,A,A\n")
    with pytest.raises(TableError, match="not UTF-8"):
        read_scores(path)
