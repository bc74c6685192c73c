"""Sets of rated word pairs next to each other, as in SP-10K's Table 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.datasets.fit import read_fit
from plausibly.errors import StudyError
from plausibly.study.hooks import Listed, Set
from plausibly.study.results import Result, text_table
from plausibly.study.verb import InStudy, Output, verb

NAME = "describe_pairs"


@dataclass(frozen=True, eq=False, repr=False)
class DescribedPairs(Result):
    """How large sets of word pairs are.

    Args:
        sets: set, relations, words, pairs, scored, lowest and highest score.
        pairs: set, relation, head, dependent and score of every pair.
    """

    sets: pl.DataFrame
    pairs: pl.DataFrame

    def as_json(self) -> dict[str, Any]:
        """Return the sizes of every set, by its name."""
        rows = self.sets.to_dicts()
        return {"sets": {str(row.pop("set")): row for row in rows}}

    def text(self) -> str:
        """Return the sizes as a table for people."""
        return text_table(self.sets.columns, self.sets.iter_rows())


@verb(
    names={"format": "plausibly.datasets.fit:FORM_NAMES"},
    writes={one: f"{NAME}/{one}.parquet" for one in ("sets", "pairs")},
    output=Output("pairs", help="Table of all pairs to write, for models predict and evaluate."),
    study=InStudy(
        also={"sets": [], "format": "auto"},
        wanted=Set(NAME, "sets"),
        begins=f"[{NAME}] sets",
        external=Listed("sets"),
        explained={
            "sets": "Files or folders of pairs with people's scores; items.parquet has the pairs "
            "of this study."
        },
    ),
)
def describe_pairs(sets: Sequence[str | Path], *, format: str = "auto") -> DescribedPairs:
    r"""Count relations, words and pairs of sets of rated word pairs, as in SP-10K's Table 1.

    A word counts once per set, however often it occurs, and in whichever place.

    Args:
        sets: Files or folders of pairs with people's scores.
        format: sp10k (relation, head, dependent, score), thematic-fit (eat-v_obj, bread-n, rating),
            mcrae (verb, noun and a column for each role), pado (verb, role, noun, rating), keller
            (a rating with adjective and noun, verb and object, or noun1 and noun2), or auto.

    Examples:
        plausibly describe pairs sp10k/ mcrae.csv pado.tsv
        plausibly describe pairs mcrae.csv -o pairs.csv

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "ours.csv")
    ...     _ = file.write_text("verb,noun,agent,patient\neat,otter,6.5,2\neat,bun,1,6.8\n")
    ...     describe_pairs([file]).as_json()["sets"]["ours"]["pairs"]
    4
    """
    if not sets:
        raise StudyError("no set of pairs to describe. Name one or more.", parameter="sets")
    names = [Path(one).name.partition(".")[0] or Path(one).resolve().name for one in sets]
    tables = []
    for number, (name, place) in enumerate(zip(names, sets, strict=True), start=1):
        called = name if names.count(name) == 1 else f"{name}-{number}"
        own = read_fit(Path(place), format)
        tables.append(own.select(pl.lit(called).alias("set"), "*"))
    return DescribedPairs(pl.DataFrame([_size(one) for one in tables]), pl.concat(tables))


def _size(pairs: pl.DataFrame) -> dict[str, Any]:
    lower = pairs.select(pl.col("head", "dependent").str.to_lowercase(), "relation")
    return {
        "set": pairs["set"][0],
        "relations": pairs["relation"].n_unique(),
        "words": pl.concat([lower["head"], lower["dependent"]]).n_unique(),
        "pairs": lower.unique().height,
        "scored": int(pairs["score"].is_not_null().sum()),
        "lowest": pairs["score"].min(),
        "highest": pairs["score"].max(),
    }
