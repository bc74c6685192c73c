"""The table of the README is what `replicate` says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from plausibly.replications import Record, Replicated, replicate

pytestmark = pytest.mark.data

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def records(data_folder: Path) -> dict[str, Record]:
    names = ("pap", "adept", "sp10k", "gita")
    return {one.id: one for name in names for one in replicate(name, data=data_folder).records}


def test_the_readme_counts_statements_and_errata(records: dict[str, Record]) -> None:
    every = Replicated(tuple(records.values()))
    printed = sum(one.verdict != "unprinted" for one in every.statements)
    said = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    exact, errata = every.counts["exact"], every.counts["erratum"]
    assert f"of {printed} printed statements {exact} are exact and {errata} are errata" in said


def percent(value: object, places: int) -> str:
    assert isinstance(value, float)
    return f"{100 * value:.{places}f} %"


def test_the_table_of_the_readme_is_recomputed(records: dict[str, Record]) -> None:
    share = records["pap.ratings.share_plausible"]
    rule = records["adept.baseline.normative.5class"]
    words = records["sp10k.vocabulary.words"]
    overall = records["sp10k.table9.sp10k.a_o"]
    gemma = records["gita.table3.gemma-2-9b-it.consistency"]
    counts = [records[f"pap.table1.count.{name}.plausible"] for name in ("attested", "perturbed")]
    rows = [
        (percent(share.published, 2), percent(share.recomputed, 2)),
        tuple(
            " and ".join(str(getattr(one, side)) for one in counts)
            for side in ("published", "recomputed")
        ),
        (percent(rule.published, 1), percent(rule.recomputed, 1)),
        (percent(overall.published, 1), percent(overall.recomputed, 1)),
        (percent(gemma.published, 2), percent(gemma.recomputed, 2)),
    ]
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"| {words.published:,} | {words.recomputed:,} in the pairs | {words.verdict} |" in text
    for published, recomputed in rows:
        verdict = "the same" if published == recomputed else "differs"
        assert f"| {published} | {recomputed} | {verdict} |" in text


def test_the_readme_counts_the_cells_that_differ(records: dict[str, Record]) -> None:
    majority = re.compile(
        r"pap\.table1\.proportion\.\w+\.(plausible|implausible)\.(subject|verb)\."
    )
    cells = [one for name, one in records.items() if majority.match(name)]
    differing = sum(one.verdict == "erratum" for one in cells)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert (
        f"| {len(cells)} cells | {differing} differ; none if the two rows are swapped | differs |"
        in text
    )
    assert records["pap.table1.exchanged_rows"].recomputed == 36
