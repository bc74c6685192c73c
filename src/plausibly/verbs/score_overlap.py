"""Pairs people rated, found again in a collection of assertions such as ConceptNet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import polars as pl

from plausibly.analysis.figures.plots import draw_matrix
from plausibly.datasets.conceptnet import OMCS, read_assertions
from plausibly.datasets.pairs import read_pair_table
from plausibly.domain import Measure
from plausibly.errors import TableError
from plausibly.evaluation.overlap import (
    ALL,
    PARTIAL,
    coverage,
    examples,
    matches,
    relation_counts,
    to_add,
    to_drop,
)
from plausibly.io.frames import Source, as_table
from plausibly.study.hooks import Placed, Set
from plausibly.study.results import Result, text_table
from plausibly.study.verb import InStudy, Output, verb
from plausibly.tables import LABELS

SHOWN = 10
NAME = "score_overlap"
Shares = Mapping[str, Mapping[str, Mapping[str, Measure]]]


@dataclass(frozen=True, eq=False, repr=False)
class AssertedPairs(Result):
    """Which pairs a collection of assertions holds.

    Args:
        matches: Every match of a pair and an assertion, with the way it matches.
        relations: relation, asserted, exact, partial: how many pairs.
        cases: One match for every way, group and relation.
        drop: Assertions that only pairs with a low score match exactly: candidates to drop.
        add: Pairs with a high score that no assertion matches: candidates to add.
        shares: By relation and plausibility group: the share of pairs matched.
    """

    matches: pl.DataFrame
    relations: pl.DataFrame
    cases: pl.DataFrame
    drop: pl.DataFrame
    add: pl.DataFrame
    shares: Shares

    def as_json(self) -> dict[str, Any]:
        """Return coverage, counts by relation and examples."""
        return {
            "coverage": {
                relation: {
                    group: {way: share.as_json() for way, share in ways.items()}
                    for group, ways in groups.items()
                }
                for relation, groups in self.shares.items()
            },
            "relations": self.relations.to_dicts(),
            "examples": self.cases.to_dicts(),
            "drop": self.drop.to_dicts(),
            "add": self.add.to_dicts(),
        }

    def text(self) -> str:
        """Return coverage by group as a table for people."""
        rows = [
            (relation, group, way, share.value, share.low, share.high, share.n)
            for relation, groups in self.shares.items()
            for group, ways in groups.items()
            for way, share in ways.items()
        ]
        return text_table(("relation", "group", "match", "share", "low", "high", "n"), rows)

    @property
    def talk(self) -> tuple[str, ...]:
        """How many assertions the scores question, and how many pairs are missing."""
        return (
            f"Assertions that match a pair with a low score: {self.drop.height} (table drop). "
            f"Pairs with a high score that none matches: {self.add.height} (table add).",
        )

    @property
    def documents(self) -> Mapping[str, object]:
        """The relations that match each other, drawn."""
        return {"relations.svg": self.drawing}

    @property
    def drawing(self) -> str:
        """The most frequent relations of assertions against those of pairs, partial matches."""
        totals = self.relations.group_by("asserted").agg(pl.col(PARTIAL).sum())
        columns = totals.sort([PARTIAL, "asserted"], descending=[True, False])["asserted"]
        names = columns.head(SHOWN).to_list()
        rows = [name for name in self.shares if name != ALL]
        known = {
            (r, a): n for r, a, n in self.relations.select("relation", "asserted", PARTIAL).rows()
        }
        cells = [[known.get((row, name), 0) for name in names] for row in rows]
        title = "Pairs of each relation matched by each relation of assertions"
        return draw_matrix(cells, labels=rows, columns=names, title=title, x="assertion", y="pair")


@verb(
    reads={"pairs": "items", "labels": "labels"},
    writes={one: f"{NAME}/{one}.parquet" for one in ("matches", "drop", "add")},
    documents=("relations.svg",),
    folder=NAME,
    unset=("relation",),
    output=Output(
        help="Folder for matches, counts, examples, assertions to drop or add, and a drawing."
    ),
    study=InStudy(
        also={"assertions": None},
        wanted=Set(NAME, "assertions"),
        begins=f"[{NAME}] assertions",
        external=Placed(("assertions",)),
    ),
)
def score_overlap(
    pairs: str | Path,
    *,
    assertions: str | Path,
    labels: Source | None = None,
    dataset: Literal["all", "omcs"] = "all",
    relation: str | None = None,
) -> AssertedPairs:
    r"""Report which rated pairs a collection of assertions contains, by plausibility group.

    A pair is matched exactly if one end of an assertion is its head and the other end its
    dependent. It is matched partially if its head is only a word of one end and its dependent a
    word of the other. Regular forms of a word count as the word.
    Assertions that exactly match a pair with a low score are listed to drop, pairs with a high
    score and no match to add.

    Args:
        pairs: Pairs with people's scores from 0 to 10: a file, a folder of SP-10K, or the items of
            a study whose scores are labels.
        assertions: ConceptNet's file of assertions, or a table relation, start, end.
        labels: Labels table with the scores of the items; items without a label are left out.
        dataset: Assertions that count: all, or those that ConceptNet's file marks as Open Mind
            Common Sense (omcs).
        relation: Relation of the pairs in a file without header.

    Examples:
        plausibly score overlap pairs.csv --assertions assertions.csv.gz -o overlap
        plausibly score overlap items.parquet --labels labels.parquet --assertions table.csv

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     rated, known = Path(folder, "pairs.tsv"), Path(folder, "assertions.tsv")
    ...     _ = rated.write_text("relation\thead\tdependent\tscore\ndobj\tsing\tsong\t9\n")
    ...     _ = known.write_text("relation\tstart\tend\nUsedFor\ta song\tsinging\n")
    ...     score_overlap(rated, assertions=known).shares["dobj"]["perfect"]["exact"].value
    1.0
    """
    rated = read_pair_table(Path(pairs), relation=relation)
    if labels is not None:
        rated = _scored(rated, as_table(labels, LABELS), where=str(pairs))
    if rated["score"].is_null().any():
        raise TableError(f"{pairs}: groups of plausibility need a score for every pair.")
    outside = rated.filter((pl.col("score") < 0) | (pl.col("score") > 10))
    if not outside.is_empty():
        raise TableError(f"{pairs}: score {outside['score'][0]} is not between 0 and 10.")
    stored = read_assertions(
        Path(assertions), relations=None, dataset=OMCS if dataset == "omcs" else None
    )
    if stored.is_empty():
        raise TableError(f"{assertions}: no assertions in it.")
    found = matches(rated, stored)
    return AssertedPairs(
        found,
        relation_counts(found),
        examples(found),
        to_drop(found),
        to_add(rated, found),
        coverage(rated, found),
    )


def _scored(pairs: pl.DataFrame, labels: pl.DataFrame, *, where: str) -> pl.DataFrame:
    """Return the pairs that have a label, with the label as their score."""
    if "item" not in pairs.columns:
        raise TableError(f"{where}: not a table of items. Labels can only be added to items.")
    if labels["item"].is_duplicated().any():
        raise TableError("labels: an item has more than one label. Name labels of one question.")
    number = pl.col("label").cast(pl.Float64, strict=False)
    decided = labels.drop_nulls("label").select("item", score=number)
    if decided["score"].is_null().any():
        raise TableError("labels: not all are numbers. Label pairs by their mean, from 0 to 10.")
    return pairs.drop("score").join(decided, on="item", maintain_order="left")
