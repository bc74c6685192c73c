"""Whom the rules of a study remove: how many of each kind, and how often rightly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.errors import PlausiblyError, StudyError
from plausibly.ratings.expected import question_checked
from plausibly.ratings.served import Served
from plausibly.ratings.simulated.crowd import simulate
from plausibly.ratings.simulated.kinds import CARELESS
from plausibly.ratings.simulated.model import PeopleModel
from plausibly.ratings.simulated.outlook import Outlook, outlook_of
from plausibly.ratings.simulated.people import SimulatedPerson, cast
from plausibly.verbs.clean import clean

ALL = "all rules"

Cells = dict[str, dict[str, int]]
Losses = dict[str, Cells]
"""From a rule to a kind of people to how many it removes and keeps."""


@dataclass(frozen=True, eq=False)
class Cleaning:
    """How a study cleans.

    Args:
        preset: Name of a preset, or a file of rules.
        sides: Answers that count as one; None for the preset's.
        items: All items, checks included.
        seed: Seed for everything drawn at random.
        check_question: Question that check items have an expected answer to.
    """

    preset: str | Path
    sides: str | None
    items: pl.DataFrame
    seed: int
    check_question: str | None = None

    @classmethod
    def of(
        cls, served: Served, section: Mapping[str, Any], items: pl.DataFrame, seed: int
    ) -> Cleaning:
        """Return what the section [clean] of a study says."""
        folder = served.folder
        named = str(section["preset"])
        preset = folder / named if named.endswith(".toml") else named
        asked = question_checked(served.form).id
        return cls(preset, section.get("sides"), items, seed, asked)

    def losses(self, ratings: pl.DataFrame, annotators: pl.DataFrame) -> Losses:
        """Return for each rule how many people of each kind it removes and keeps."""
        try:
            cleaned = clean(
                ratings,
                self.preset,
                items=self.items,
                annotators=annotators,
                sides=self.sides,
                check_question=self.check_question,
                resamples=0,
                seed=self.seed,
            )
        except PlausiblyError as error:
            raise StudyError(f"the rules cannot be applied to the rehearsal: {error}") from error
        kinds = dict(annotators.select("annotator", "simulated_kind").iter_rows())
        all_of = Counter(kinds.values())
        left = set(cleaned.ratings["annotator"].unique().to_list())
        table: Losses = {}
        for step in cleaned.cascade[1:]:
            part = cleaned.exclusions.filter(pl.col("rule") == step["rule"])
            gone = {name for name in part["annotator"].unique().to_list() if name not in left}
            removed = Counter(kinds[name] for name in gone if name in kinds)
            table[str(step["rule"])] = _cells(all_of, removed)
        rated = {*left, *cleaned.exclusions.filter(pl.col("step") > 0)["annotator"].to_list()}
        lost = Counter(kind for name, kind in kinds.items() if name in rated and name not in left)
        return {**table, ALL: _cells(all_of, lost)}


def _cells(all_of: Mapping[str, int], removed: Mapping[str, int]) -> Cells:
    return {
        kind: {"removed": removed.get(kind, 0), "kept": count - removed.get(kind, 0)}
        for kind, count in sorted(all_of.items())
    }


def together(parts: Sequence[Losses]) -> Losses:
    """Return the sums of several tables of losses."""
    summed: Losses = {}
    for part in parts:
        for rule, cells in part.items():
            for kind, cell in cells.items():
                known = summed.setdefault(rule, {}).setdefault(kind, {"removed": 0, "kept": 0})
                for key, number in cell.items():
                    known[key] += number
    return summed


def shares(losses: Losses) -> dict[str, dict[str, float | None]]:
    """Return for each rule the share of each kind it removes."""
    return {
        rule: {
            kind: _share(cell["removed"], cell["removed"] + cell["kept"])
            for kind, cell in cells.items()
        }
        for rule, cells in losses.items()
    }


def precision(losses: Losses) -> dict[str, float | None]:
    """Return for each rule which share of the people it removes are careless ones.

    >>> precision({"few": {"bot": {"removed": 3, "kept": 0}, "careful": {"removed": 1, "kept": 9}}})
    {'few': 0.75}
    """
    return {
        rule: _share(
            sum(cell["removed"] for kind, cell in cells.items() if kind in CARELESS),
            sum(cell["removed"] for cell in cells.values()),
        )
        for rule, cells in losses.items()
    }


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _coming(
    people: int, mix: Mapping[str, float], seed: int, subtlety: float
) -> Iterator[SimulatedPerson]:
    """Yield people without end, the shares of the mix kept in every so many."""
    for round_seed in count(seed):
        yield from cast(people, mix, round_seed, subtlety=subtlety)


def curve(
    served: Served,
    cleaning: Cleaning,
    *,
    subtleties: Sequence[float],
    mix: Mapping[str, float],
    people: int,
    model: PeopleModel | None = None,
) -> list[dict[str, Any]]:
    """Return recall and precision of every rule as spammers and others grow more careful.

    No server is asked: who is shown what does not depend on how people answer. Crowds with
    one batch per person are drawn until there are as many people as asked for.

    Args:
        served: The study.
        cleaning: How it cleans.
        subtleties: Shares of items that people of other kinds answer with care.
        mix: Share of each kind.
        people: At least so many for each subtlety.
        model: How people answer; as usual without one.
    """
    outlook = outlook_of(cleaning.items, served.form, model or PeopleModel(), seed=cleaning.seed)
    return [
        point(served, cleaning, outlook, Coming(mix, people, subtlety)) for subtlety in subtleties
    ]


@dataclass(frozen=True, slots=True)
class Coming:
    """Who comes: share of each kind, at least how many, and how subtle they are."""

    mix: Mapping[str, float]
    people: int
    subtlety: float = 0.0


def point(served: Served, cleaning: Cleaning, outlook: Outlook, coming: Coming) -> dict[str, Any]:
    """Return recall and precision of every rule for people who answer in one way."""
    parts: list[Losses] = []
    seed, seen = cleaning.seed, 0
    people = _coming(coming.people, coming.mix, seed, coming.subtlety)
    while seen < coming.people:
        crowd = simulate(served, seed=seed, outlook=outlook, people=people)
        parts.append(cleaning.losses(crowd.ratings, crowd.annotators))
        seen += crowd.annotators.height
        seed += 1
    losses = together(parts)
    return {
        "subtlety": coming.subtlety,
        "people": seen,
        "removed": shares(losses),
        "precision": precision(losses),
    }
