"""Statements, their one verdict, and the records below them."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plausibly.replications import PAPERS, Record, Replicated, Value, Verdict
from plausibly.replications.claims import Claim, Claims, Recomputed, Statement, read_claims
from plausibly.replications.grim import achievable, by_chance, resolves
from plausibly.replications.record import AS_PRINTED, Severity

SEVERITIES = get_args(Severity)


def claims_of(*claims: Claim, source: str = "paper") -> Claims:
    statement = Statement(
        id="x.s",
        place="section 1",
        says="It says so.",
        source="release" if source == "release" else "paper",
        severity="numeric",
        claims=claims,
    )
    return Claims("X", (statement,))


def claim(
    name: str, printed: Value = None, *, reading: str = "from the data", missing: str | None = None
) -> Claim:
    return Claim(
        id=name, printed=printed, rule="rule", note="note", reading=reading, missing=missing
    )


def judged(claims: Claims, numbers: dict[str, Value]) -> Replicated:
    return Replicated(tuple(claims.judged(Recomputed(numbers))), name="x")


def test_a_record_has_the_keys_of_the_json_output() -> None:
    [record] = claims_of(claim("x.y", "8.9")).judged(Recomputed({"x.y": 9.3}))
    assert record.as_json() == {
        "id": "x.y",
        "published": 8.9,
        "recomputed": 9.3,
        "verdict": "erratum",
        "rule": "rule",
        "note": "note",
        "statement": "x.s",
        "place": "section 1",
        "says": "It says so.",
        "reading": AS_PRINTED,
        "printed": "8.9",
        "severity": "numeric",
        "fault": None,
    }


def test_a_number_nobody_printed_is_unprinted_whatever_it_is() -> None:
    records = claims_of(claim("x.y", reading="other"), claim("x.z")).judged(Recomputed({"x.y": 7}))
    assert [record.verdict for record in records] == ["unprinted", "unprinted"]
    assert [record.reading for record in records] == ["other", "from the data"]


def test_without_a_number_a_printed_claim_is_not_computable_and_says_why() -> None:
    claims = claims_of(claim("x.y", 3, missing="No file."), claim("x.z", 3))
    assert [(r.verdict, r.note) for r in claims.judged(Recomputed({}))] == [
        ("not computable", "No file."),
        ("not computable", "note"),
    ]


def test_a_wrong_cell_of_a_released_file_is_a_release_fault() -> None:
    [statement] = judged(claims_of(claim("x.y", 3), source="release"), {"x.y": 4}).statements
    assert (statement.verdict, statement.severity) == ("release fault", None)


def test_a_repeated_fault_is_counted_once_and_by_itself_where_the_first_is_not_found() -> None:
    first, second = (
        replace(claims_of(claim(f"x.{name}", 3)).statements[0], id=f"x.{name}") for name in "ab"
    )
    claims = Claims("X", (first, replace(second, fault="x.a")))
    twice = judged(claims, {"x.a": 4, "x.b": 5})
    assert (twice.counts, twice.statements[1].fault) == ({"erratum": 1}, "x.a")
    assert twice.noted == ("x.a does not follow",)
    alone = judged(claims, {"x.a": 3, "x.b": 5})
    assert (alone.counts, alone.statements[1].fault) == ({"erratum": 1, "exact": 1}, None)


def test_another_reading_never_decides_a_statement() -> None:
    claims = claims_of(claim("x.y", "15 %"), claim("x.y.other", reading="other"))
    [statement] = judged(claims, {"x.y": 0.166, "x.y.other": 0.15}).statements
    assert (statement.verdict, statement.published) == ("erratum", 0.15)
    assert [record.verdict for record in statement.readings] == ["erratum", "unprinted"]


def test_what_was_not_recomputed_is_not_exact() -> None:
    claims = claims_of(claim("x.a", 1), claim("x.b", 2))
    [statement] = judged(claims, {"x.a": 1}).statements
    assert statement.verdict == "not computable"
    assert statement.published == {"a": 1, "b": 2}
    assert statement.recomputed == {"a": 1, "b": None}


def test_a_family_of_numbers_has_one_claim_and_exact_names_come_first() -> None:
    claims = claims_of(claim("x.*"), claim("x.sub.*"), claim("x.one", 1))
    numbers: dict[str, Value] = {"x.one": 1, "x.two": 2, "x.sub.three": 3}
    records = claims.judged(Recomputed(numbers))
    assert {record.id for record in records} == set(numbers)
    with pytest.raises(LookupError, match="y: recomputed"):
        claims.judged(Recomputed({"y": 1}))


def test_a_value_the_release_states_is_compared_with_what_follows() -> None:
    claims = claims_of(Claim(id="x.*", rule="rule", note="note", released=True), source="release")
    [right, wrong] = claims.judged(Recomputed({"x.a": 1, "x.b": 2}, {"x.a": 1, "x.b": 3}))
    assert (right.verdict, wrong.verdict, wrong.published) == ("exact", "release fault", 3)


def test_only_shows_records_of_a_verdict_or_whole_statements_of_one() -> None:
    claims = claims_of(claim("x.y", 1), claim("x.z", reading="other"))
    result = judged(claims, {"x.y": 2, "x.z": 3})
    assert [record["id"] for record in result.only(["erratum"]).as_json()] == ["x.y"]
    assert [record["id"] for record in result.only(["unprinted"]).as_json()] == ["x.z"]
    [statement] = replace(result, by_statement=True).only(["erratum"]).statements
    assert len(statement.readings) == 2
    assert result.only(["exact"]).statements == ()
    assert result.only(["exact"]).counts == result.counts == {"erratum": 1}
    assert result.only([]).as_json() == result.as_json()


VERDICTS = st.sampled_from(get_args(Verdict))


@given(st.lists(st.tuples(VERDICTS, st.booleans()), min_size=1))
def test_a_statement_has_the_worst_verdict_of_what_it_prints(
    parts: list[tuple[Verdict, bool]],
) -> None:
    records = tuple(
        Record(
            id=f"x.{n}",
            published=1 if printed else None,
            recomputed=1,
            verdict=verdict if printed and verdict != "unprinted" else "unprinted",
            rule="",
            note="",
            statement="x",
            place="",
            says="",
            reading=AS_PRINTED if printed else "other",
        )
        for n, (verdict, printed) in enumerate(parts)
    )
    [statement] = Replicated(records).statements
    deciding = {record.verdict for record in statement.deciding}
    assert statement.verdict in deciding
    if "erratum" in deciding:
        assert statement.verdict == "erratum"
    if statement.verdict == "exact":
        assert deciding <= {"exact", "unprinted"}


@pytest.mark.parametrize("name", list(PAPERS))
def test_every_statement_of_a_paper_has_its_place_and_its_own_words(name: str) -> None:
    statements = read_claims(name).statements
    assert max(Counter(statement.id for statement in statements).values()) == 1
    ids = [claim.id for statement in statements for claim in statement.claims]
    assert max(Counter(ids).values()) == 1
    for statement in statements:
        assert statement.id.startswith(f"{name}.")
        assert statement.says.endswith(".")
        assert statement.severity in (None, *SEVERITIES)
        printed = any(claim.printed is not None or claim.released for claim in statement.claims)
        assert not printed or statement.place != "not printed"
        for one in statement.claims:
            assert one.id.startswith(f"{name}.")
            assert one.rule
            assert one.note.endswith(".")


@given(st.integers(1, 300), st.data())
def test_a_share_of_n_passes_grim_with_its_own_n(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    assert achievable(round(k / n, 4), n, unit=0.0001)
    assert resolves(n, unit=0.0001)


@given(st.integers(1, 200))
def test_chance_is_the_share_of_printable_values_that_pass(n: int) -> None:
    passing = sum(achievable(share / 1000, n, unit=0.001) for share in range(1001))
    assert passing / 1001 == pytest.approx(by_chance(n, unit=0.001))


def test_a_statement_nobody_printed_has_no_published_value() -> None:
    records = claims_of(claim("x.y.a"), claim("x.y.b")).judged(Recomputed({"x.y.a": 7, "x.y.b": 8}))
    together = tuple(replace(record, statement="x.y") for record in records)
    [statement] = Replicated(together).statements
    assert statement.as_json()["published"] is None
    assert statement.recomputed == {"a": 7, "b": 8}
