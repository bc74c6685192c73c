"""The example study of PAP, end to end: every number of the report's prose is in the tables."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from itertools import combinations
from pathlib import Path
from shutil import copytree

import polars as pl
import pytest

from plausibly.analysis.methods import Procedure
from plausibly.cli import run
from plausibly.study import Study


class Prose(HTMLParser):
    """Collects the summary's text: numbers by the fact they state, and everything between."""

    def __init__(self) -> None:
        super().__init__()
        self.facts: dict[str, str] = {}
        self.between = ""
        self.sentences = 0
        self._inside = False
        self._fact: str | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._inside |= given.get("id") == "summary"
        self.sentences += self._inside and tag == "p"
        self._fact = given.get("data-fact")

    def handle_endtag(self, tag: str) -> None:
        self._fact = None
        if tag == "section":
            self._inside = False

    def handle_data(self, data: str) -> None:
        if not self._inside:
            return
        if self._fact is not None:
            self.facts[self._fact] = data
        else:
            self.between += data


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("studies") / "otters"
    assert run(["init", "pap", str(folder), "--example"]) == 0
    assert run(["run", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def prose(study: Path) -> Prose:
    reader = Prose()
    reader.feed((study / "report.html").read_text(encoding="utf-8"))
    return reader


def numbers_from_the_tables(study: Path) -> dict[str, str]:
    """Recompute the facts from the files by other means than the report does."""
    items = pl.read_parquet(study / "items.parquet").filter(pl.col("kind") == "item")
    names = set(items["item"])
    collected = [r for r in pl.read_parquet(study / "ratings.parquet").rows() if r[0] in names]
    kept = [r for r in pl.read_parquet(study / "clean/ratings.parquet").rows() if r[0] in names]
    labels = dict(pl.read_parquet(study / "labels.parquet").select("item", "label").rows())
    undecided = sum(label is None for label in labels.values())
    measured = json.loads((study / "agree.json").read_text())["soft_jaccard"]
    by_person: dict[str, dict[str, bool]] = {}
    for item, person, _, answer, *_ in kept:
        by_person.setdefault(person, {})[item] = int(answer) > 3
    shares = []
    for one, two in combinations(by_person.values(), 2):
        common = one.keys() & two.keys()
        if common:
            shares.append(sum(one[item] == two[item] for item in common) / len(common))
    return {
        "items": f"{len(names):,}",
        "conditions": str(len(set(items["condition"]))),
        "people": str(len({row[1] for row in collected})),
        "ratings": f"{len(collected):,}",
        "per_item": f"{len(collected) / len(names):.2f}",
        "kept": f"{len(kept):,}",
        "share_kept": f"{100 * len(kept) / len(collected):.1f}",
        "people_kept": str(len(by_person)),
        "agreement": f"{sum(shares) / len(shares):.2f}",
        "pairs": f"{len(shares):,}",
        "agreement_low": f"{measured['low']:.2f}",
        "agreement_high": f"{measured['high']:.2f}",
        "level": "95",
        "undecided": str(undecided),
        "labelled": str(len(labels)),
        "share_undecided": f"{100 * undecided / len(labels):.1f}",
        "min_share": "70.0",
    }


def test_the_report_opens_with_six_sentences(prose: Prose) -> None:
    assert prose.sentences == 6


def test_every_number_of_the_prose_follows_from_the_tables(study: Path, prose: Prose) -> None:
    assert prose.facts == numbers_from_the_tables(study)


def test_no_number_stands_in_the_prose_unmarked(prose: Prose) -> None:
    assert not re.findall(r"\d", prose.between)


@pytest.mark.parametrize(
    "term", ["item", "rating", "ledger", "soft pairwise Jaccard", "interval", "strict majority"]
)
def test_terms_are_defined_where_they_first_stand(study: Path, term: str) -> None:
    page = (study / "report.html").read_text(encoding="utf-8")
    assert page.count(f"<dfn>{term}</dfn>") == 1


def test_the_report_needs_nothing_from_outside(study: Path) -> None:
    page = (study / "report.html").read_text(encoding="utf-8")
    assert not re.search(r"src=|url\(|@import|fetch|XMLHttp|import\(", page)
    links = set(re.findall(r'href="([^"]*)"', page)) - {"explorer.html"}  # the page next to it
    assert all(link.startswith(("#", "data:")) for link in links)


def test_the_methods_say_what_an_author_must(study: Path) -> None:
    page = (study / "report.html").read_text(encoding="utf-8")
    methods = re.sub(r"<[^>]+>", "", page[page.index('<section id="methods">') :])
    ledger = pl.read_parquet(study / "clean/exclusions.parquet")
    few = ledger.filter(pl.col("rule") == "low_approval")
    people = few["annotator"].n_unique()
    assert f"low approval (below 80), {few.height} ratings of {people} people" in methods
    assert "low agreement (below 0.4), none" in methods
    assert "Your first impression is what we want" in methods
    assert "Nobody was paid" in methods
    assert "seed 1" in methods
    assert "polars" in methods
    alpha = json.loads((study / "agree.json").read_text())["krippendorff_alpha"]["ordinal"]
    assert f"{alpha['value']:.2f} [{alpha['low']:.2f}, {alpha['high']:.2f}]" in methods


def test_what_an_hour_was_paid_follows_from_reward_and_times() -> None:
    paid = Procedure(reward=2.0, batch_seconds=900.0)
    assert (paid.hourly, paid.minutes) == (8.0, 15.0)
    assert Procedure(reward=2.0).hourly is None
    assert Procedure(batch_seconds=900.0).hourly is None


def test_a_study_may_lay_a_publication_beside_it(study: Path, tmp_path: Path) -> None:
    folder = tmp_path / "otters"
    copytree(study, folder)
    row = {"claim": "Most are <so>.", "place": "Table 1", "published": "68.98 %"}
    rows = [{**row, "recomputed": "69.04 %", "verdict": "erratum"}]
    (folder / "published.json").write_text(json.dumps({"paper": "PAP", "rows": rows}))
    assert [one.step for one in Study(folder).run() if one.state == "run"] == ["report"]
    page = (folder / "report.html").read_text(encoding="utf-8")
    section = page[page.index('<section id="published">') : page.index('<section id="methods">')]
    assert "What PAP prints" in section
    for text in ("Most are &lt;so&gt;.", "68.98 %", "69.04 %", "erratum", "published.csv"):
        assert text in section
    assert "published" not in json.loads((folder / "report.tables.json").read_text())


def test_the_same_seed_gives_the_same_study(study: Path, tmp_path: Path) -> None:
    assert run(["init", "pap", str(tmp_path / "otters"), "--example"]) == 0
    assert run(["run", str(tmp_path / "otters")]) == 0
    for name in ("labels.parquet", "agree.json", "clean/ratings.parquet", "report.html"):
        assert (tmp_path / "otters" / name).read_bytes() == (study / name).read_bytes()


def test_a_study_without_answers_waits_for_people(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["init", "pap", str(tmp_path / "new")]) == 0
    assert run(["run", str(tmp_path / "new")]) == 0
    assert f"plausibly serve {tmp_path / 'new'}" in capsys.readouterr().err


def test_init_refuses_to_overwrite_a_study(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["init", "pap", str(study)]) == 1
    assert "a study is there already" in capsys.readouterr().err
