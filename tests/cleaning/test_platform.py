"""Rules about approved tasks and qualifications, from an export to the ledger."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest

import plausibly as pb
from plausibly.cleaning.platform import unqualified
from plausibly.errors import StudyError, TableError
from plausibly.io.frames import Source
from plausibly.verbs.clean import CleanRatings

RATINGS = pl.DataFrame(
    {"item": ["t1"] * 4, "annotator": ["ann", "bob", "cy", "dee"], "answer": [1, 4, 4, 5]}
)
ITEMS = pl.DataFrame({"item": ["t1"], "text": ["otter paints ladder"]})
EXPORT = """Participant id,Status,Time taken,Total approvals
ann,APPROVED,60,999
bob,APPROVED,60,1000
cy,APPROVED,60,
"""


def cleaned(tmp_path: Path, rules: str, annotators: Source | None) -> CleanRatings:
    file = tmp_path / "rules.toml"
    file.write_text(rules, encoding="utf-8")
    return pb.clean(
        RATINGS,
        file,
        items=ITEMS,
        annotators=annotators,
        resamples=0,
        keep_ids=True,
    )


def test_approved_tasks_are_read_from_the_export_of_prolific(tmp_path: Path) -> None:
    export = tmp_path / "export.csv"
    export.write_text(EXPORT, encoding="utf-8")
    rules = '[[rules]]\nrule = "few_approved_tasks"\nfewer_than = 1000\n'
    result = cleaned(tmp_path, rules, export)
    assert result.exclusions.select("annotator", "rule", "reason").rows() == [
        ("ann", "few_approved_tasks", "has 999 approved tasks (< 1000)")
    ]
    assert "approved_tasks of 2 of 4 annotators is unknown; they stay." in str(result.as_json())


def test_approved_tasks_are_read_from_a_table_of_text(tmp_path: Path) -> None:
    """PAP, section 4.1: at least 1,000 approved HITs, as a reader notes them in a spreadsheet."""
    table = tmp_path / "people.csv"
    table.write_text("annotator,approved_tasks\nann,999\nbob,1000\ncy,\n", encoding="utf-8")
    rules = '[[rules]]\nrule = "few_approved_tasks"\nfewer_than = 1000\n'
    assert cleaned(tmp_path, rules, table).exclusions["annotator"].to_list() == ["ann"]
    table.write_text("annotator,approved_tasks\nann,many\n", encoding="utf-8")
    with pytest.raises(TableError, match="approved_tasks 'many' is not a number"):
        cleaned(tmp_path, rules, table)


def test_an_approval_of_98_percent_is_not_above_98(tmp_path: Path) -> None:
    """PAP, section 4.1: a HIT approval rate > 98%."""
    people = pl.DataFrame({"annotator": ["ann", "bob", "cy"], "approval": [98.0, 98.1, 97.0]})
    rules = '[[rules]]\nrule = "low_approval"\nat_most = 98\n'
    result = cleaned(tmp_path, rules, people)
    assert sorted(result.exclusions["annotator"].unique()) == ["ann", "cy"]


def test_everybody_needs_every_qualification(tmp_path: Path) -> None:
    people = pl.DataFrame(
        {
            "annotator": ["ann", "bob", "cy", "dee"],
            "qualification": ["Master", "native; MASTER ", None, "Native"],
        }
    )
    rules = '[[rules]]\nrule = "unqualified"\nneeds = ["Master", "native"]\n'
    result = cleaned(tmp_path, rules, people)
    assert result.exclusions.select("annotator", "reason").sort("annotator").rows() == [
        ("ann", "lacks the qualification native"),
        ("dee", "lacks the qualification Master"),
    ]
    with pytest.raises(StudyError, match="needs is empty"):
        unqualified(needs=[])


def test_people_are_based_in_one_of_two_countries(tmp_path: Path) -> None:
    """PAP, section 4.1: the United States and the United Kingdom."""
    places = ["United Kingdom", "Italy", None, "united states"]
    people = pl.DataFrame({"annotator": ["ann", "bob", "cy", "dee"], "country": places})
    rules = '[[rules]]\nrule = "unqualified"\ncolumn = "country"\n'
    result = cleaned(tmp_path, f'{rules}needs = ["United States|United Kingdom"]\n', people)
    assert result.exclusions.select("annotator", "reason").rows() == [
        ("bob", "lacks the qualification United States|United Kingdom")
    ]


def test_a_rule_without_the_column_says_that_it_could_not_run(tmp_path: Path) -> None:
    rules = '[[rules]]\nrule = "unqualified"\nneeds = ["Master"]\n'
    result = cleaned(tmp_path, rules, None)
    assert result.exclusions.is_empty()
    assert "unqualified could not run: no qualification: nobody was judged by it." in result.talk
