"""What every replicated number and statement has, whichever paper prints it."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from plausibly.replications import PAPERS, Replicated, Verdict, replicate
from plausibly.replications.record import AS_PRINTED, Doubt

pytestmark = pytest.mark.data


@cache
def replicated(name: str, folder: Path) -> Replicated:
    return replicate(name, data=folder)


@pytest.mark.parametrize("name", list(PAPERS))
def test_every_record_has_an_id_of_its_own_a_verdict_and_one_sentence(
    data_folder: Path, name: str
) -> None:
    records = replicated(name, data_folder).records
    assert len({record.id for record in records}) == len(records) > 0
    for record in records:
        assert record.id.startswith(f"{name}.")
        assert record.verdict in get_args(Verdict)
        assert record.rule
        assert record.note.endswith(".")
        assert (record.verdict == "unprinted") == (record.published is None)
        assert (record.reading == AS_PRINTED) == (record.published is not None)
        assert (record.severity is not None) == (record.verdict == "erratum")


@pytest.mark.parametrize("name", list(PAPERS))
def test_no_statement_is_both_exact_and_an_erratum(data_folder: Path, name: str) -> None:
    statements = replicated(name, data_folder).statements
    assert len({statement.statement for statement in statements}) == len(statements)
    for statement in statements:
        verdicts = {record.verdict for record in statement.readings}
        assert not {"exact", "erratum"} <= verdicts, statement.statement
        assert (statement.severity is not None) == (statement.verdict == "erratum")
        assert (statement.verdict == "unprinted") == (statement.place == "not printed")


def test_errata_and_faults_are_these(data_folder: Path) -> None:
    statements = [one for name in PAPERS for one in replicated(name, data_folder).statements]
    counted = [one for one in statements if one.fault is None]
    severities = Counter(one.severity for one in counted if one.verdict == "erratum")
    assert severities == {"typographic": 7, "numeric": 8, "changes a claim": 2}
    doubts = {one.statement: one.verdict for one in statements if one.verdict in get_args(Doubt)}
    assert doubts == {
        "adept.section1.dead": "ambiguous",
        "adept.section4.cap": "ambiguous",
        "adept.section4.no_agreement": "ambiguous",
        "gita.section3.states": "ambiguous",
        "gita.section3.example": "side unknown",
        "pap.section4.order": "side unknown",
        "sp10k.section2.vocabulary": "ambiguous",
        "sp10k.section2.words": "ambiguous",
        "sp10k.table2.smile": "side unknown",
        "sp10k.table11.see_new": "side unknown",
    }
    faults = [one.statement for one in statements if one.verdict == "release fault"]
    assert faults == [
        "adept.release.codes",
        "gita.release.example_id",
        "gita.release.plausible",
        "gita.release.type",
        "gita.release.variants",
        "gita.release.pairs",
        "gita.release.first_version",
        "pap.release.misplaced",
        "pap.release.majority_multiclass",
        "sp10k.release.labels",
    ]


def test_a_fault_is_counted_once_and_what_repeats_it_refers_to_it(data_folder: Path) -> None:
    every = [replicated(name, data_folder) for name in PAPERS]
    statements = {one.statement: one for each in every for one in each.statements}
    repeated = {name: one.fault for name, one in statements.items() if one.fault}
    assert repeated == {
        "gita.release.first_version": "gita.release.example_id",
        "pap.section5.rises": "pap.table1.subjects_verbs",
        "pap.section5.falls_verbs": "pap.table1.subjects_verbs",
        "pap.section5.falls_nouns": "pap.table1.subjects_verbs",
        "sp10k.section2.vocabulary": "sp10k.section2.words",
    }
    for name, fault in repeated.items():
        assert statements[fault].verdict == statements[name].verdict
        assert statements[fault].fault is None
    errata = [name for name, one in statements.items() if one.verdict == "erratum"]
    assert sum(each.counts.get("erratum", 0) for each in every) == len(errata) - 3 == 17


def test_the_share_of_plausible_ratings_is_one_erratum(data_folder: Path) -> None:
    [statement] = [
        one
        for one in replicated("pap", data_folder).statements
        if one.statement == "pap.section5.share_plausible"
    ]
    assert (statement.verdict, statement.published) == ("erratum", 0.6898)
    readings = {record.reading: record.verdict for record in statement.readings}
    assert readings.pop(AS_PRINTED) == "erratum"
    assert set(readings.values()) == {"unprinted"}
    assert len(readings) >= 3


CONCEDING = ("cannot be told", "cannot be decided", "could answer that they mean", "may mean")
ANSWERS = ("could only reply", "could not object", ", but not for ")


@pytest.mark.parametrize("name", list(PAPERS))
def test_no_erratum_concedes_that_the_paper_may_be_right(data_folder: Path, name: str) -> None:
    for statement in replicated(name, data_folder).statements:
        if statement.verdict == "erratum":
            assert not [words for words in CONCEDING if words in statement.note], statement
            assert [words for words in ANSWERS if words in statement.note], statement


@pytest.mark.parametrize("name", list(PAPERS))
def test_a_doubt_is_explained_by_what_the_authors_could_answer(
    data_folder: Path, name: str
) -> None:
    for statement in replicated(name, data_folder).statements:
        if statement.verdict == "ambiguous":
            assert "could answer" in statement.note
