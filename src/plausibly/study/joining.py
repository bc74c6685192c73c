"""Tables of finished studies as one: items, ratings and annotators, each with its study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import polars as pl

from plausibly.errors import StudyError, option
from plausibly.tables import ANNOTATORS, ITEMS, PREDICTIONS, RATINGS, Table

STUDY = "study"
SHOWN = 5
Items = Literal["refuse", "separate"]
People = Literal["refuse", "same", "separate"]
KEY = ("item", "annotator", "question")


@dataclass(frozen=True, eq=False)
class StudyTables:
    """The tables of one study, or of several that were joined.

    Args:
        items: The items, checks included.
        ratings: Every rating that was collected.
        annotators: The annotators; None if nothing is known about them.
        orders: Tables of the order in which people saw items, by name: surveys, lists.
        predictions: What models predicted; None if no model did.
    """

    items: pl.DataFrame
    ratings: pl.DataFrame
    annotators: pl.DataFrame | None = None
    orders: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    predictions: pl.DataFrame | None = None


def joined_tables(
    studies: Mapping[str, StudyTables], *, items: Items = "refuse", people: People = "refuse"
) -> StudyTables:
    """Return the tables of all studies in one, with a column `study`.

    The order of the studies does not matter.

    Args:
        studies: From the name of a study to its tables.
        items: What to do about an id whose text or other columns differ between studies.
        people: What to do about an annotator in several studies.

    Raises:
        StudyError: If an item or an annotator is refused, or one person rated an item twice.
    """
    differing = differing_items(studies)
    if differing and items == "refuse":
        raise StudyError(
            f"{_named(differing, 'item')} not the same in every study. To keep them apart as "
            f"STUDY:ITEM, set {option('items')} to separate.",
            parameter="items",
        )
    shared = shared_people(studies)
    if shared and people == "refuse":
        raise StudyError(
            f"{_named(shared, 'annotator')} in several studies. Set {option('people')} to same if "
            "an id is one person in all of them, else to separate.",
            parameter="people",
        )
    apart = shared if people == "separate" else []
    parts = [_renamed(studies[name], name, differing, apart) for name in sorted(studies)]
    ratings = pl.concat([one.ratings for one in parts], how="diagonal_relaxed")
    twice = ratings.filter(pl.struct(KEY).is_duplicated())
    if twice.height:
        raise StudyError(
            f"{_named(sorted(set(twice['annotator'])), 'annotator')} in several studies with "
            f"ratings of the same item. To keep them apart, set {option('people')} to separate.",
            parameter="people",
        )
    known = [one.annotators for one in parts if one.annotators is not None]
    predicted = [one.predictions for one in parts if one.predictions is not None]
    names = sorted({name for one in parts for name in one.orders})
    return StudyTables(
        _folded([one.items for one in parts], "item", ITEMS),
        _ordered(ratings, RATINGS),
        _folded(known, "annotator", ANNOTATORS) if known else None,
        {name: _in_order([p.orders[name] for p in parts if name in p.orders]) for name in names},
        _predicted(predicted) if predicted else None,
    )


def _in_order(tables: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Return the surveys of all studies; of one name with different items, as STUDY:SURVEY."""
    rows = pl.concat(tables, how="diagonal_relaxed").with_columns(pl.col("survey").cast(pl.String))
    asked = rows.sort("survey", "position").group_by("survey", STUDY).agg(pl.col("item"))
    differ = asked.group_by("survey").agg(pl.col("item").n_unique()).filter(pl.col("item") > 1)
    apart = pl.format("{}:{}", STUDY, "survey")
    clash = pl.col("survey").is_in(differ["survey"].to_list())
    named = rows.with_columns(survey=pl.when(clash).then(apart).otherwise("survey"))
    return (
        named.sort(STUDY)
        .unique(["survey", "position"], keep="first", maintain_order=True)
        .sort("survey", "position")
    )


def _predicted(tables: Sequence[pl.DataFrame]) -> pl.DataFrame:
    """Return the predictions of all studies; models that contradict themselves as STUDY:MODEL."""
    rows = pl.concat(tables, how="diagonal_relaxed")
    key, said = ("item", "question", "model"), ("label", "score", "distribution")
    values = [name for name in said if name in rows.columns]
    differ = rows.select(*key, *values).unique().group_by(key).len().filter(pl.col("len") > 1)
    clash = pl.col("model").is_in(differ["model"].unique().to_list())
    apart = pl.format("{}:{}", STUDY, "model")
    named = rows.with_columns(model=pl.when(clash).then(apart).otherwise("model"))
    once = named.sort(STUDY).unique(key, keep="first", maintain_order=True)
    return _ordered(once, PREDICTIONS)


def differing_items(studies: Mapping[str, StudyTables]) -> list[str]:
    """Return the ids of items whose text, or another column they share, differs."""
    tables = [studies[name].items for name in sorted(studies)]
    common = [
        column for column in tables[0].columns if all(column in one.columns for one in tables)
    ]
    rows = pl.concat([one.select(common) for one in tables], how="vertical_relaxed")
    different = rows.unique().group_by("item").len().filter(pl.col("len") > 1)
    return sorted(different["item"])


def shared_people(studies: Mapping[str, StudyTables]) -> list[str]:
    """Return the annotators who rated in several studies."""
    people = pl.concat([one.ratings.select("annotator").unique() for one in studies.values()])
    return sorted(people.filter(pl.col("annotator").is_duplicated())["annotator"].unique())


def _renamed(
    tables: StudyTables, study: str, items: Sequence[str], people: Sequence[str]
) -> StudyTables:
    """Return tables with their study, and its name before ids that are kept apart."""

    def apart(frame: pl.DataFrame) -> pl.DataFrame:
        ids = {"item": items, "annotator": people}
        new = {
            column: pl.when(pl.col(column).is_in(names))
            .then(pl.format("{}:{}", pl.lit(study), column))
            .otherwise(column)
            for column, names in ids.items()
            if column in frame.columns and names
        }
        named = frame if STUDY in frame.columns else frame.with_columns(pl.lit(study).alias(STUDY))
        return named.with_columns(**new)

    known = None if tables.annotators is None else apart(tables.annotators)
    predicted = None if tables.predictions is None else apart(tables.predictions)
    orders = {name: apart(one) for name, one in tables.orders.items()}
    return StudyTables(apart(tables.items), apart(tables.ratings), known, orders, predicted)


def _folded(frames: Sequence[pl.DataFrame], key: str, table: Table) -> pl.DataFrame:
    """Return one row per id: what any study knows about it, and the names of its studies."""
    rows = pl.concat(frames, how="diagonal_relaxed")
    rest = [column for column in rows.columns if column not in (key, STUDY)]
    names = pl.col(STUDY).str.split(", ").explode().unique().sort().str.join(", ")
    folded = (
        rows.sort(key, STUDY)
        .group_by(key, maintain_order=True)
        .agg(*(pl.col(column).drop_nulls().first() for column in rest), names)
    )
    return _ordered(folded, table)


def _ordered(rows: pl.DataFrame, table: Table) -> pl.DataFrame:
    """Return rows and columns in an order that depends on names alone."""
    declared = [column for column in table.empty().columns if column in rows.columns]
    more = sorted(set(rows.columns) - set(declared))
    return table.sort(table.check(rows.select(*declared, *more)))


def shared_settings(
    sections: Sequence[Mapping[str, Mapping[str, object]]],
) -> tuple[dict[str, dict[str, object]], list[str]]:
    """Return the settings that all studies agree on, and the names of those they do not.

    >>> shared_settings([{"label": {"ties": "undecided", "seed": 1}}, {"label": {"seed": 2}}])
    ({'label': {}}, ['[label] seed', '[label] ties'])
    """
    same: dict[str, dict[str, object]] = {}
    differ: list[str] = []
    for name in sorted({name for one in sections for name in one}):
        tables = [one.get(name, {}) for one in sections]
        for key in sorted({key for one in tables for key in one}):
            values = [one.get(key) for one in tables]
            if all(value == values[0] for value in values):
                same.setdefault(name, {})[key] = values[0]
            else:
                same.setdefault(name, {})
                differ.append(f"[{name}] {key}")
    return same, differ


def _named(names: Sequence[str], what: str) -> str:
    """Return the first names in words, with the verb.

    >>> _named(["a"], "item"), _named(["a", "b"], "item")
    ("1 item ('a') is", "2 items ('a', 'b') are")
    """
    shown = ", ".join(repr(one) for one in names[:SHOWN])
    more = ", …" if len(names) > SHOWN else ""
    one = len(names) == 1
    return f"{len(names):,} {what}{'' if one else 's'} ({shown}{more}) {'is' if one else 'are'}"
