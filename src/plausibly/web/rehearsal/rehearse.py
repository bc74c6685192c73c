"""A study rehearsed: what it would cost, what it would yield, and whom the rules would remove."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import polars as pl

from plausibly.errors import PlausiblyError, StudyError
from plausibly.io import make_folder, read_table
from plausibly.ports import SILENCE, Watch
from plausibly.ratings.collected import read_answers
from plausibly.ratings.served import Served
from plausibly.ratings.simulated.kinds import MIX, parse_mix
from plausibly.ratings.simulated.people import cast, read_leanings
from plausibly.study.folder import Study
from plausibly.study.results import Made, Result, put_document, put_table, text_table
from plausibly.tables import ANNOTATORS, ITEMS
from plausibly.verbs.clean import clean
from plausibly.web.rehearsal.driving import (
    START,
    Caller,
    Clock,
    Drive,
    RehearsalTally,
    rehearsal_server,
)
from plausibly.web.study import read_study


@dataclass(frozen=True, eq=False, repr=False)
class Rehearsed(Result):
    """What a rehearsed crowd gave, and what the study's rules make of it.

    Args:
        ratings: Every rating, checks included.
        annotators: Who gave them, with `simulated_kind`.
        report: Cost, hours, coverage, and each rule by kind of person.
        made: How this came about.
    """

    ratings: pl.DataFrame
    annotators: pl.DataFrame
    report: Mapping[str, Any]
    made: Made

    def as_json(self) -> dict[str, Any]:
        """Return the report."""
        return dict(self.report)

    def text(self) -> str:
        """Return cost, hours and coverage, then each rule by kind of person."""
        facts = {key: self.report[key] for key in ("people", "ratings", "hours", "cost")}
        facts |= {f"coverage {key}": value for key, value in self.report["coverage"].items()}
        table = text_table(("fact", "value"), facts.items())
        kinds = list(self.report["kinds"])
        rows = [
            (rule, *(f"{cells[kind]['removed']}/{_both(cells[kind])}" for kind in kinds))
            for rule, cells in self.report["rules"].items()
        ]
        return f"{table}\n{text_table(('removed of', *kinds), rows)}" if rows else table

    @property
    def talk(self) -> tuple[str, ...]:
        """What happened at the door."""
        return (
            f"{self.report['people']} simulated people, {self.report['turned_away']} turned away, "
            f"{self.report['finished']} finished; {self.report['ratings']} answers were stored.",
        )

    @property
    def documents(self) -> Mapping[str, object]:
        """The report, and what it was made from: the study's own manifest stays its own."""
        made = {"rehearsal.manifest.json": self.manifest}
        return MappingProxyType({"rehearsal.json": dict(self.report), **made})

    def write(self, folder: str | Path) -> Path:
        """Write ratings, annotators and the report into a folder, which may be the study's."""
        target = Path(folder)
        make_folder(target)
        for name, table in self.tables.items():
            put_table(name, table, target / f"{name}.parquet")
        for name, document in self.documents.items():
            put_document(document, target / name)
        return target


def rehearse(
    study: str | Path,
    *,
    people: int = 100,
    mix: str | Mapping[str, float] | None = None,
    pay: float = 0.0,
    seed: int = 1,
    watch: Watch = SILENCE,
) -> Rehearsed:
    """Let simulated people take part in a study, through its real server, before any is paid.

    They arrive one after the other in simulated time; what they answer and how long they take
    follows from seed, person and item alone. The study's own answers are not touched.

    Args:
        study: The study folder.
        people: How many come.
        mix: Share of each kind, as 'careful=.8,bot=.2' (default: mostly careful).
        pay: Pay an hour, for the cost.
        seed: Same seed, same ratings.
        watch: Is told how far it has come.

    >>> rehearse("no-such-study")
    Traceback (most recent call last):
    plausibly.errors.StudyError: no-such-study/study.toml: no such file. ...
    """
    chosen = parse_mix(mix) if isinstance(mix, str) else dict(mix or MIX)
    crowd = list(cast(people, chosen, seed))
    served = read_study(Path(study))
    leanings = read_leanings(read_table(Path(study) / "items.parquet", ITEMS))
    clock = Clock()
    with tempfile.TemporaryDirectory(prefix="plausibly-rehearsal-") as scratch:
        with rehearsal_server(served, Path(scratch), clock, seed) as port:
            caller = Caller(port)
            try:
                tally = Drive(served, caller, clock, leanings).run(crowd, watch)
            finally:
                caller.close()
        ratings = read_answers(Path(scratch) / "answers.sqlite", names={}).ratings
    annotators = _annotators(tally)
    report = _report(served, ratings, annotators, tally, pay=pay)
    report["people"] = people
    report["rules"] = _rules(Path(study), ratings, annotators, seed)
    made = Made("rehearse", {"study": study}, {"people": people, "mix": chosen, "pay": pay}, seed)
    return Rehearsed(ratings, annotators, report, made)


def check_place(folder: Path) -> Path:
    """Return where a rehearsal may be written; raise rather than replace ratings people gave."""
    people, ratings = folder / "annotators.parquet", folder / "ratings.parquet"
    if not ratings.exists():
        return folder
    known = read_table(people, ANNOTATORS) if people.exists() else None
    if known is None or known.filter(pl.col("kind") != "simulated").height:
        raise StudyError(
            f"{ratings}: ratings are there that no rehearsal made. Pass -o to write elsewhere."
        )
    return folder


def _annotators(tally: RehearsalTally) -> pl.DataFrame:
    frame = pl.DataFrame(
        {
            "annotator": list(tally.joined),
            "kind": ["simulated"] * len(tally.joined),
            "approval": [None] * len(tally.joined),
            "simulated_kind": list(tally.joined.values()),
        },
        schema_overrides={"annotator": pl.String, "approval": pl.Float64},
    )
    return ANNOTATORS.sort(ANNOTATORS.check(frame))


def _report(
    served: Served,
    ratings: pl.DataFrame,
    annotators: pl.DataFrame,
    tally: RehearsalTally,
    *,
    pay: float,
) -> dict[str, Any]:
    wanted = [name for name, one in served.contents.items() if one.kind == "item"]
    rated = ratings.group_by("item").agg(pl.col("annotator").n_unique().alias("people"))
    counts = dict(rated.iter_rows())
    each = [counts.get(item, 0) for item in wanted]
    hours = tally.seconds / 3600
    return {
        "ratings": ratings.height,
        "turned_away": tally.turned_away,
        "finished": tally.finished,
        "refused": tally.refused,
        "hours": hours,
        "days": (tally.ended - START) / 86400,
        "cost": hours * pay,
        "pay": pay,
        "coverage": {
            "target": served.plan.target,
            "full": sum(n >= served.plan.target for n in each) / len(each) if each else None,
            "least": min(each, default=None),
            "mean": sum(each) / len(each) if each else None,
        },
        "kinds": dict(sorted(Counter(annotators["simulated_kind"].to_list()).items())),
    }


def _rules(
    folder: Path, ratings: pl.DataFrame, annotators: pl.DataFrame, seed: int
) -> dict[str, dict[str, dict[str, int]]]:
    """Return for each rule of the study how many people of each kind it removes and keeps."""
    sections = Study(folder).settings.sections
    if "clean" not in sections or ratings.is_empty():
        return {}
    named = str(sections["clean"]["preset"])
    preset = folder / named if named.endswith(".toml") else named
    items = read_table(folder / "items.parquet", ITEMS)
    try:
        cleaned = clean(ratings, preset, items=items, annotators=annotators, resamples=0, seed=seed)
    except PlausiblyError as error:
        raise StudyError(f"{folder}: the rules cannot be applied to the rehearsal: {error}") from (
            error
        )
    kinds = dict(annotators.select("annotator", "simulated_kind").iter_rows())
    all_of = Counter(kinds.values())
    left = set(cleaned.ratings["annotator"].unique().to_list())
    table: dict[str, dict[str, dict[str, int]]] = {}
    for step in cleaned.cascade[1:]:
        part = cleaned.exclusions.filter(pl.col("rule") == step["rule"])
        gone = {name for name in part["annotator"].unique().to_list() if name not in left}
        removed = Counter(kinds[name] for name in gone if name in kinds)
        table[str(step["rule"])] = _cells(all_of, removed)
    lost = Counter(kind for name, kind in kinds.items() if name not in left)
    return {**table, "all rules": _cells(all_of, lost)}


def _cells(all_of: Mapping[str, int], removed: Mapping[str, int]) -> dict[str, dict[str, int]]:
    return {
        kind: {"removed": removed.get(kind, 0), "kept": count - removed.get(kind, 0)}
        for kind, count in sorted(all_of.items())
    }


def _both(cell: Mapping[str, int]) -> int:
    return cell["removed"] + cell["kept"]
