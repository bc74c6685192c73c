"""Verdicts and claims."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plausibly.replications import Value, compared
from plausibly.replications.claims import Claim, judge
from plausibly.replications.record import verdict_of


@pytest.mark.parametrize(
    ("published", "recomputed", "digits", "verdict"),
    [
        (8.9, 8.985, 1, "rounding"),
        (9.0, 8.985, 1, "exact"),
        (9.1, 8.985, 1, "erratum"),
        (0.6898, 0.69038, 4, "erratum"),
        (32, 31.93, 0, "exact"),
        (40000, 39954, -3, "exact"),
        (0.8, 0.7, 1, "erratum"),
        (622, 621, 0, "erratum"),
        (622, 622, None, "exact"),
        (622, 621, None, "erratum"),
        (["a"], ["a"], None, "exact"),
        (["a"], ["b"], None, "erratum"),
        ("above", "below", None, "erratum"),
        (0.64, None, 2, "not computable"),
    ],
)
def test_a_verdict_is_told_from_the_printed_digits(
    published: Value, recomputed: Value, digits: int | None, verdict: str
) -> None:
    assert verdict_of(published, recomputed, digits) == verdict
    assert (
        compared("x.y", published, recomputed, digits=digits, rule="", note="").verdict == verdict
    )


@given(st.floats(-1e6, 1e6), st.integers(0, 4))
def test_a_number_printed_with_any_digits_is_exact(number: float, digits: int) -> None:
    assert verdict_of(round(number, digits), number, digits) == "exact"


def test_a_record_has_the_keys_of_the_json_output() -> None:
    record = Claim("x.y", 1, "rule", "note").judged(1)
    assert record.as_json() == {
        "id": "x.y",
        "published": 1,
        "recomputed": 1,
        "verdict": "exact",
        "rule": "rule",
        "note": "note",
    }


def test_a_claim_without_a_number_is_not_computable() -> None:
    [record] = judge([Claim("x.y", 3, "rule", "note")], {})
    assert (record.recomputed, record.verdict, record.note) == (None, "not computable", "note")


def test_a_missing_file_is_named_instead_of_the_note() -> None:
    claims = [Claim("x.y", 3, "rule", "note"), Claim("x.z", None, "rule", "note")]
    assert [r.note for r in judge(claims, {"x.z": 1}, missing="No file.")] == ["No file.", "note"]


def test_a_number_that_was_never_printed_contradicts_nothing() -> None:
    claims = [Claim("x.y", None, "rule", "note"), Claim("x.z", None, "rule", "note")]
    assert [r.verdict for r in judge(claims, {"x.y": 7})] == ["exact", "not computable"]


def test_a_round_figure_is_at_best_a_matter_of_rounding() -> None:
    claim = Claim("x.y", 0.8, "rule", "note", digits=1, about=True)
    assert [claim.judged(v).verdict for v in (0.8, 0.778, 0.71)] == ["rounding"] * 2 + ["erratum"]
