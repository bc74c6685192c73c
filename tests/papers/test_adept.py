"""ADEPT's published numbers from its published data."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from plausibly.replications import Record, replicate

pytestmark = pytest.mark.data


@cache
def replicated(folder: Path) -> dict[str, Record]:
    return {record.id: record for record in replicate("adept", data=folder).records}


@pytest.fixture
def records(data_folder: Path) -> dict[str, Record]:
    return replicated(data_folder)


def test_the_splits_have_the_printed_sizes(records: dict[str, Record]) -> None:
    assert records["adept.size.train"].recomputed == 12892
    assert records["adept.size.val"].recomputed == 1611


def test_labels_are_distributed_as_printed(records: dict[str, Record]) -> None:
    shares = [record for name, record in records.items() if name.startswith("adept.label.share.")]
    printed = [record for record in shares if record.published is not None]
    whole = records["adept.size.total"].recomputed is not None
    assert [record.verdict for record in printed] == ["exact" if whole else "not computable"] * 5


@pytest.mark.parametrize(
    ("name", "right", "verdict"),
    [
        ("majority.3class", 1070, "exact"),
        ("majority.5class", 1070, "exact"),
        ("normative.3class", 1130, "exact"),
        ("normative.5class", 991, "erratum"),
        ("normative-0.5class", 1025, "unprinted"),
        ("normative-60.3class", 1105, "unprinted"),
        ("normative-60.5class", 992, "unprinted"),
    ],
)
def test_baselines_on_val(records: dict[str, Record], name: str, right: int, verdict: str) -> None:
    record = records[f"adept.baseline.{name}"]
    assert record.recomputed == right / 1611
    assert record.verdict == verdict


def test_the_rule_gives_all_but_seven_pairs_of_train_and_val(records: dict[str, Record]) -> None:
    compared = records["adept.pairs.compared"].recomputed
    exact = records["adept.pairs.published.exact"].recomputed
    assert (exact, compared) in ((14496, 14503), (16106, 16115))


def test_examples_of_the_paper_have_the_printed_label(records: dict[str, Record]) -> None:
    places = ("adept.table1", "adept.table6", "adept.section4")
    examples = [r for name, r in records.items() if name.startswith(places)]
    assert len(examples) == 21
    known = [record for record in examples if record.recomputed is not None]
    assert len(known) >= 16
    assert {record.verdict for record in known} == {"exact"}


def test_shares_that_need_the_quality_checks_are_ambiguous(records: dict[str, Record]) -> None:
    with_checks = {"adept.table4.no_agreement_share": 0.1505, "adept.cap.share": 0.0047}
    for name, share in with_checks.items():
        assert records[name].verdict == "ambiguous"
        fitting = records[f"{name}.with_checks"].recomputed
        assert fitting == pytest.approx(share, abs=5e-5)


def test_the_kappa_of_the_authors_needs_little_chance_agreement(
    records: dict[str, Record],
) -> None:
    assert records["adept.kappa.authors.chance_needed"].recomputed == pytest.approx(
        0.2778, abs=1e-4
    )
    assert records["adept.kappa.authors.chance_of_labels"].recomputed == pytest.approx(
        0.488, abs=1e-3
    )


def test_figures_and_tables_fit_each_other(records: dict[str, Record]) -> None:
    for name in ("figure2.row_sums", "figure2.percent", "figure3.accuracy", "figure3.percent"):
        assert records[f"adept.{name}"].verdict == "exact"
    for name in ("best.3class", "best.5class", "models.between", "figure3.commonest_errors"):
        assert records[f"adept.{name}"].verdict == "exact"
