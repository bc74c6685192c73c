"""The whole journey on one machine: a real dump, a simulated crowd, a report and a release."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from importlib.resources import files as files_of
from importlib.util import find_spec
from pathlib import Path
from shutil import copyfile
from time import monotonic
from types import MappingProxyType
from typing import Any

import polars as pl

from plausibly.datasets.catalogue import find
from plausibly.errors import MissingExtra, StudyError, option
from plausibly.evaluation.in_study import SCORES_FILE
from plausibly.io import make_folder, read_json, write_text
from plausibly.replications.figures import paper_figures
from plausibly.study.folder import PROTOCOLS, Study
from plausibly.study.results import Result, put_document, put_table, text_table
from plausibly.study.settings import write_settings
from plausibly.study.verb import declared, verb
from plausibly.verbs.clean import KEPT_RATINGS
from plausibly.verbs.label import Labelled, label
from plausibly.verbs.release import release
from plausibly.verbs.report import PUBLISHED

EVERY = 4.0


class Lines:
    """Reports the progress of a long step, with at most one line every few seconds.

    Args:
        say: Receives each line.
        every: Seconds between two lines.
        clock: Returns the time in seconds.

    >>> times = iter([0.0, 1.0, 5.0, 6.0])
    >>> lines = Lines(print, every=4.0, clock=lambda: next(times))
    >>> lines.begin("reading", total=8)
    >>> for _ in range(3):
    ...     lines.advance(2)
      reading: 50 %
    """

    def __init__(
        self,
        say: Callable[[str], None],
        *,
        every: float = EVERY,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._say = say
        self._every = every
        self._clock = clock
        self._what = ""
        self._total: int | None = None
        self._done = 0
        self._last = 0.0

    def begin(self, what: str, total: int | None = None) -> None:
        """Begin something with this many steps, if known."""
        self._what, self._total, self._done = what, total, 0
        self._last = self._clock()

    def advance(self, size: int = 1) -> None:
        """Count this many more steps as done."""
        self._done += size
        now = self._clock()
        if now - self._last < self._every:
            return
        self._last = now
        total = self._total
        far = f"{min(100, 100 * self._done // total)} %" if total else f"{self._done:,}"
        self._say(f"  {self._what}: {far}")


# A part of the English Wikipedia that gensim includes as test data.
DUMP = "enwiki-latest-pages-articles1.xml-p000000010p000030302-shortened.bz2"
CORPUS = "corpus.xml.bz2"
EXTRACT = "enwiki_extract.txt.gz"
NORMS = "brysbaert2014_concreteness.tsv"
RELEASED = "events_with_ratings.tsv"
ARTICLES = 60
SHORTER = 40  # documents of the extract per article of the dump: they are paragraphs
PEOPLE = 60
FEWEST_PEOPLE = 24  # with fewer, no event would get eight ratings: cleaning would leave nothing
PEOPLE_FOR_TWO = 50  # with fewer, two events per cell would not get eight ratings each
MODEL = "events-lite"

Say = Callable[[str], None]


@dataclass(frozen=True, eq=False, repr=False)
class Demonstrated(Result):
    """The result of the journey.

    Args:
        folder: Contains study, release, models and, with published data, published.
        facts: Numbers of each stage, by name.
    """

    folder: Path
    facts: Mapping[str, Any]

    def as_json(self) -> dict[str, Any]:
        """Return the numbers of each stage."""
        return dict(self.facts)

    def text(self) -> str:
        """Return the numbers of each stage as a table."""
        return text_table(("stage", "result"), self.facts.items())

    @property
    def documents(self) -> Mapping[str, object]:
        """The numbers."""
        return MappingProxyType({"demo.json": self.as_json()})


@verb()
def demo(
    folder: str | Path,
    *,
    data: str | Path | None = None,
    articles: int = ARTICLES,
    people: int = PEOPLE,
    seed: int = 1,
    say: Say = lambda _: None,
) -> Demonstrated:
    """Take a real dump to a report and a release, with simulated people in place of real ones.

    Args:
        folder: Folder to fill; must be new or empty.
        data: Folder with published datasets: uses its norms, and draws PAP, too.
        articles: Number of articles of the dump to read.
        people: Number of simulated people, at least 24.
        seed: Seed of every random step.
        say: Called with each line of progress.

    Examples:
        plausibly demo demo
        plausibly demo demo --data DIR --articles 100

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     _ = Path(place, "notes.txt").write_text("mine")
    ...     demo(place)
    Traceback (most recent call last):
    plausibly.errors.StudyError: ...: not empty. Name a new folder.
    """
    target = Path(folder)
    _check(target, people)
    begun = monotonic()
    started = _start(target / "study", data=data, articles=articles, people=people, seed=seed)

    def report(what: str) -> None:
        say(f"{monotonic() - begun:5.0f} s  {what}")

    report("unpacking a part of Wikipedia")
    published = _published(target, data, report)
    states = started.run(announce=lambda name: report(f"{name} …"), watch=Lines(report))
    for state in states:
        if state.state == "waiting":
            raise StudyError(state.reason)
    facts = dict(_study_facts(started.folder))
    report("labels by MACE, to compare with the strict majority …")
    facts |= _second_labels(started.folder, target / "models", seed)
    facts |= _model(started.folder)
    report("release …")
    release(started.folder, splits="train=0.8,test=0.2").write(target / "release")
    facts |= published
    report("done")
    facts["seconds"] = round(monotonic() - begun, 1)
    result = Demonstrated(target, facts)
    put_document(result.as_json(), target / "demo.json")
    return result


def _dump() -> Path:
    found = find_spec("gensim")
    if found is None or not found.submodule_search_locations:
        raise MissingExtra("the demo's corpus", "demo")
    path = Path(found.submodule_search_locations[0]) / "test" / "test_data" / DUMP
    if not path.is_file():
        raise StudyError(f"gensim lacks {DUMP}. Install the version that constraints.txt names.")
    return path


def _check(target: Path, people: int) -> None:
    if target.exists() and any(target.iterdir()):
        raise StudyError(f"{target}: not empty. Name a new folder.")
    if people < FEWEST_PEOPLE:
        raise StudyError(
            f"{option('people')} must be at least {FEWEST_PEOPLE}; got {people}. With fewer, "
            "events get too few ratings to be kept.",
            parameter="people",
        )


def _start(
    folder: Path, *, data: str | Path | None, articles: int, people: int, seed: int
) -> Study:
    published = None if data is None else Path(data)
    norms = published and find(published, "norms", NORMS)
    corpus = (published and find(published, "wikipedia", EXTRACT)) or _dump()
    make_folder(folder.parent)
    make_folder(folder)
    files = {corpus: EXTRACT if corpus.name == EXTRACT else CORPUS}
    per_cell = 2 if people >= PEOPLE_FOR_TWO else 1
    build: dict[str, Any] = {"per_cell": per_cell, "short_cells": "take-all"}
    if norms:
        files[norms] = build["norms"] = "norms.tsv"
    for source, name in files.items():
        copyfile(source, folder / name)
    number = articles if files[corpus] == CORPUS else SHORTER * articles
    overrides = {
        "extract": {"files": [files[corpus]], "articles": number, "examples": 1},
        "build": build,
        "ratings": {"source": "rehearse", "people": people},
        "server": {"title": "Demo"},
        "models_predict": {"models": [MODEL]},
        "browse": {"methods": "mace"},
    }
    protocol = replace(PROTOCOLS["pap"], seed=seed)
    write_settings(folder, protocol, name="demo", overrides=overrides)
    about = files_of(__package__).joinpath("demo.toml").read_text(encoding="utf-8")
    write_text(folder / "release.toml", about)
    return Study(folder)


def _published(target: Path, data: str | Path | None, report: Say) -> dict[str, Any]:
    """Draw PAP from its released data, with its claims; nothing without the data."""
    if data is None or find(Path(data), "pap", RELEASED) is None:
        return {}
    report("PAP as published, recomputed …")
    paper = paper_figures("pap", data=data)
    paper.write(target / "published")
    put_document({"paper": paper.paper, "rows": paper.claims}, target / "study" / PUBLISHED)
    return {"published PAP": paper.talk[0]}


def _study_facts(folder: Path) -> Iterator[tuple[str, Any]]:
    items = pl.read_parquet(folder / "items.parquet").filter(pl.col("kind") == "item")
    yield "triples counted", pl.read_parquet(folder / "corpus" / "svo.parquet").height
    yield "events built", items.height
    report = read_json(folder / "report.json")
    yield "simulated people", report["people"]
    yield "ratings collected", report["ratings"]
    yield "ratings kept", report["kept"]
    low, value, high = (report[f"agreement{end}"] for end in ("_low", "", "_high"))
    yield "agreement (soft Jaccard)", _measured(value, low, high)
    yield "events without a majority", f"{report['undecided']} of {report['labelled']}"


def _measured(value: float | None, low: float | None, high: float | None) -> str:
    if value is None:
        return "not defined"
    return f"{value:.2f}" if low is None or high is None else f"{value:.2f} [{low:.2f}, {high:.2f}]"


def _second_labels(folder: Path, models: Path, seed: int) -> dict[str, Any]:
    make_folder(models)
    kept = folder / KEPT_RATINGS
    fitted: Labelled = declared(label).call(kept, method="mace", scheme="pap-binary", seed=seed)
    put_table("labels", fitted.labels, models / "labels-mace.parquet")
    strict = pl.read_parquet(folder / "labels.parquet").select("item", "label")
    both = strict.drop_nulls("label").join(
        fitted.labels.select("item", mace="label"), on="item", maintain_order="left"
    )
    same = both.filter(pl.col("label") == pl.col("mace")).height
    return {"MACE agrees with majorities": f"{same} of {both.height}"}


def _model(folder: Path) -> dict[str, Any]:
    """Return how well the included model separates the labelled events."""
    scores = pl.read_parquet(folder / SCORES_FILE).filter(pl.col("metric") == "auc")
    auc = scores.row(0, named=True)
    if auc["value"] is None:
        return {f"{MODEL}, AUC": "all events have one label"}
    return {f"{MODEL}, AUC": f"{_measured(auc['value'], auc['low'], auc['high'])}, n = {auc['n']}"}
