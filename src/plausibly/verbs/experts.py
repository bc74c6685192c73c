"""A sample judged again by experts, compared with the crowd, decided with reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.analysis.adjudication import decide as decided
from plausibly.analysis.experts import (
    ExpertStudy,
    compare_experts,
    disagreements,
    sample_for_experts,
)
from plausibly.analysis.subsets import by_variance, high_confidence
from plausibly.io import read_rows
from plausibly.io.frames import Source, as_frame, as_table
from plausibly.io.imported import QUESTION
from plausibly.measures.jaccard import parse_sides
from plausibly.ratings.sources import Ratings, read_ratings
from plausibly.study.hooks import Set
from plausibly.study.results import Result, text_table
from plausibly.study.verb import InStudy, Output, verb
from plausibly.tables import ITEMS, LABELS


@dataclass(frozen=True, eq=False, repr=False)
class ExpertItems(Result):
    """Items drawn for experts."""

    items: pl.DataFrame

    def as_json(self) -> dict[str, Any]:
        """Return how many items were drawn, and which."""
        return {"items": self.items["item"].to_list(), "seed": self.made.seed}

    @property
    def talk(self) -> tuple[str, ...]:
        """How many were drawn."""
        return (f"{self.items.height} items, seed {self.made.seed}.",)


@dataclass(frozen=True, eq=False, repr=False)
class ExpertComparison(Result):
    """How far experts agree with each other and with the crowd."""

    study: ExpertStudy
    disagreements: pl.DataFrame

    def as_json(self) -> dict[str, Any]:
        """Return the study and the list of disagreements."""
        return {**self.study.as_json(), "disagreements": self.disagreements.to_dicts()}

    def text(self) -> str:
        """Return the kappas, then how the answers of each two lie to each other."""
        study = self.study
        measures = {
            "kappa between experts": study.between,
            "share experts agree on": study.agreed,
            "kappa of these with the crowd": study.agreed_with_crowd,
            **{f"kappa of {name} with the crowd": m for name, m in study.with_crowd.items()},
        }
        rows = [(name, m.value, m.low, m.high, m.n) for name, m in measures.items()]
        kinds = list(next(iter(study.directions.values())))
        counted = [(pair, *counts.values()) for pair, counts in study.directions.items()]
        table = text_table(("measure", "value", "low", "high", "n"), rows)
        return f"{table}\n{text_table(('pair', *kinds), counted)}"


@dataclass(frozen=True, eq=False, repr=False)
class ExpertLabels(Result):
    """Labels after an adjudicator's decisions, the crowd's label next to each.

    Args:
        labels: The labels table, with crowd_label, decided_by and reason.
        decisions: How many labels were decided.
    """

    labels: pl.DataFrame
    decisions: int

    def as_json(self) -> dict[str, Any]:
        """Return how many labels there are, and how many experts decided."""
        return {"labels": self.labels.height, "decided": self.decisions}

    @property
    def talk(self) -> tuple[str, ...]:
        """How many were decided."""
        return (f"{self.decisions} of {self.labels.height} labels decided by experts.",)


@dataclass(frozen=True, eq=False, repr=False)
class ItemSubsets(Result):
    """Items split into confident and difficult ones.

    Args:
        subsets: item, question, the group, ratings, variance, subset.
    """

    subsets: pl.DataFrame

    def as_json(self) -> dict[str, Any]:
        """Return how many items are in each subset."""
        counts = Counter(self.subsets["subset"].fill_null("without variance").to_list())
        return dict(sorted(counts.items()))

    @property
    def talk(self) -> tuple[str, ...]:
        """How many items are in each subset."""
        return (", ".join(f"{n} {name}" for name, n in self.as_json().items()) + ".",)


@dataclass(frozen=True, eq=False, repr=False)
class ConfidentLabels(Result):
    """The labels to trust most.

    Args:
        labels: The labels with enough support.
        of: How many labels there are in all.
    """

    labels: pl.DataFrame
    of: int

    def as_json(self) -> dict[str, int]:
        """Return how many are kept, of how many."""
        return {"kept": self.labels.height, "of": self.of}

    def text(self) -> str:
        """Return the same as a table."""
        return text_table(("labels", "count"), self.as_json().items())

    @property
    def talk(self) -> tuple[str, ...]:
        """The same in a sentence."""
        return (f"{self.labels.height} of {self.of} labels are kept.",)


@verb(output=Output("items", required=True))
def experts_sample(items: Source, *, size: int = 100, seed: int = 1) -> ExpertItems:
    """Draw items for experts to judge.

    Args:
        items: Items table.
        size: Number of items to draw.
        seed: Seed for everything drawn at random.

    Examples:
        plausibly experts sample items.parquet --size 100 -o sample.csv
        plausibly experts sample items.csv --size 50 --seed 7 -o sample.csv

    >>> items = pl.DataFrame({"item": ["t1", "t2"], "text": ["otters swim", "ladders swim"]})
    >>> experts_sample(items, size=1, seed=1).items.height
    1
    """
    drawn = sample_for_experts(as_table(items, ITEMS), size=size, seed=seed)
    return ExpertItems(drawn)


@verb(
    reads={"labels": "labels"},
    writes={"disagreements": "experts_compare/disagreements.parquet"},
    output=Output("disagreements", help="File for the list of disagreements."),
    study=InStudy(
        also={"ratings": None, "columns": {}},
        wanted=Set("experts_compare", "ratings"),
        begins="[experts_compare] ratings",
        explained={"ratings": "File with the experts' ratings: item, annotator and answer."},
    ),
)
def experts_compare(
    ratings: Ratings,
    *,
    labels: Source,
    sides: str | None = None,
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
) -> ExpertComparison:
    """Compare the judgements of two or more experts with each other and with the crowd.

    If the table of judgements has no column `question`, the labels must have only one question.

    Args:
        ratings: The experts' ratings.
        labels: The crowd's labels.
        sides: Answers that count as one side, as '0,1|3,4'.
        format: Format of the file of ratings.
        columns: Maps our column names to the file's, where they differ.
        missing: Additional answers to treat as missing, separated by commas, besides NA and N/A.

    Examples:
        plausibly experts compare judged.csv --labels labels.parquet --sides '1,2|4,5'
        plausibly experts compare judged.csv --labels labels.csv -o disagreements.csv

    >>> judged = pl.DataFrame({"item": ["t1", "t1", "t2", "t2"], "annotator": list("xyxy"),
    ...                        "answer": ["1", "1", "5", "4"]})
    >>> crowd = pl.DataFrame({"item": ["t1", "t2"], "question": ["rating"] * 2,
    ...                       "method": ["mean"] * 2, "label": ["1", "5"], "support": [1.0] * 2,
    ...                       "ratings": [3, 3]})
    >>> experts_compare(judged, labels=crowd).as_json()["agreed"]["value"]
    0.5
    """
    imported = read_ratings(ratings, format=format, columns=columns, missing=missing)
    crowd = as_table(labels, LABELS)
    judgements = _asked(imported.ratings, crowd)
    parsed = None if sides is None else parse_sides(sides)
    study = compare_experts(judgements, crowd, sides=parsed)
    listed = disagreements(judgements, crowd, sides=parsed)
    return ExpertComparison(study, listed)


def _asked(ratings: pl.DataFrame, labels: pl.DataFrame) -> pl.DataFrame:
    """Return judgements under the question of the labels, where they name none of their own."""
    questions = labels["question"].unique().to_list()
    if len(questions) == 1 and ratings["question"].unique().to_list() == [QUESTION]:
        return ratings.with_columns(question=pl.lit(questions[0]))
    return ratings


@verb(output=Output("labels", required=True))
def experts_decide(decisions: Source, *, labels: Source, decided_by: str = "") -> ExpertLabels:
    """Add decisions (item, decision, reason) to the crowd's labels.

    Args:
        decisions: File or table of decisions.
        labels: The crowd's labels.
        decided_by: Who decided, if the decisions have no column of this name.

    Examples:
        plausibly experts decide decisions.csv --labels labels.parquet -o decided.parquet
        plausibly experts decide d.csv --labels labels.csv --decided-by anna -o decided.csv

    >>> crowd = pl.DataFrame({"item": ["t1"], "question": ["q"], "method": ["mean"],
    ...                       "label": ["5"], "support": [1.0], "ratings": [3]})
    >>> decisions = pl.DataFrame({"item": ["t1"], "decision": ["1"], "reason": ["a typo"]})
    >>> decided = experts_decide(decisions, labels=crowd, decided_by="anna")
    >>> decided.labels["label"].to_list()
    ['1']
    """
    if isinstance(decisions, str | Path):
        rows = read_rows(Path(decisions))
        rows.reject([])
        frame = rows.frame
    else:
        frame = as_frame(decisions, where="decisions")
    table = decided(as_table(labels, LABELS), frame, adjudicator=decided_by)
    return ExpertLabels(table, frame.height)


@verb(output=Output("subsets", required=True))
def experts_subset(
    ratings: Ratings,
    *,
    items: Source,
    by: str = "relation",
    lowest: int = 1000,
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
) -> ItemSubsets:
    """Split items into confident ones (lowest variance in their group) and difficult ones.

    Args:
        ratings: File or table of ratings.
        items: Items table.
        by: Column that groups items.
        lowest: Number of items of each group that are confident.
        format: Format of the file of ratings.
        columns: Maps our column names to the file's, where they differ.
        missing: Additional answers to treat as missing, separated by commas, besides NA and N/A.

    Examples:
        plausibly experts subset ratings.parquet --items items.parquet -o subset.csv
        plausibly experts subset r.csv --items i.csv --by condition --lowest 50 -o subset.csv

    >>> rated = pl.DataFrame({"item": ["t1", "t1", "t2", "t2"], "annotator": list("xyxy"),
    ...                       "answer": ["1", "1", "5", "1"]})
    >>> items = pl.DataFrame({"item": ["t1", "t2"], "text": ["a", "b"], "relation": ["r", "r"]})
    >>> experts_subset(rated, items=items, lowest=1).as_json()
    {'confident': 1, 'difficult': 1}
    """
    imported = read_ratings(ratings, format=format, columns=columns, missing=missing)
    split = by_variance(imported.ratings, as_table(items, ITEMS), lowest=lowest, by=by)
    return ItemSubsets(split)


@verb(output=Output("labels", required=True))
def experts_confident(labels: Source, *, min_support: float = 0.9) -> ConfidentLabels:
    """Keep the labels that nearly all ratings give and no expert overturned.

    Args:
        labels: Labels table, by `label` or by `experts decide`.
        min_support: Minimum share of an item's ratings behind its label, above 0 and up to 1.

    Examples:
        plausibly experts confident labels.parquet --min-support 0.9 -o confident.parquet
        plausibly experts confident decided.csv --min-support 1 -o unanimous.csv

    >>> labels = pl.DataFrame({"item": ["t1", "t2"], "question": ["q"] * 2, "method": ["mean"] * 2,
    ...                        "label": ["5", "1"], "support": [1.0, 0.6], "ratings": [5, 5]})
    >>> experts_confident(labels, min_support=0.9).as_json()
    {'kept': 1, 'of': 2}
    """
    table = as_table(labels, LABELS)
    kept = high_confidence(table, min_support=min_support)
    return ConfidentLabels(kept, table.height)
