"""Models on the same items: which is better, by how much, and whether that can be chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.evaluation.comparison import Chance, Comparison, as_table
from plausibly.evaluation.in_study import (
    LABELS_FILE,
    PREDICTIONS_FILE,
    compares,
    study_files,
)
from plausibly.evaluation.pairs import Undefined
from plausibly.evaluation.people import judgements, with_distinct_names
from plausibly.evaluation.scoring import comparisons
from plausibly.evaluation.truth import PAIRS, read_truth
from plausibly.io.frames import Source, is_path
from plausibly.measures.mid_p import ties_in_words
from plausibly.study.results import Result, finite, put_table, text_table
from plausibly.study.steps import Parameters, Work
from plausibly.study.verb import InStudy, Places
from plausibly.tables import PREDICTIONS

COMPARED = "comparisons.parquet"
RESAMPLES, PERMUTATIONS = 1000, 10_000


@dataclass(frozen=True, eq=False, repr=False)
class Compared(Result):
    """Every two models compared.

    Args:
        comparisons: a, b, metric, slice, difference, low, high, n, p, p_holm, test.
        pairs: The same as objects.
        scheme: How they were compared.
        clusters: The column whose values were drawn and exchanged together.
        undefined: How heads count for which all scores of a model are the same (sp10k).
    """

    comparisons: pl.DataFrame
    pairs: tuple[Comparison, ...]
    scheme: str
    clusters: str | None = None
    undefined: Undefined | None = None

    def as_json(self) -> dict[str, Any]:
        """Return the document of `compare --json`."""
        return {
            "scheme": self.scheme,
            "clusters": self.clusters,
            **({"undefined": self.undefined} if self.undefined else {}),
            "comparisons": [one.as_json() for one in self.pairs],
        }

    def text(self) -> str:
        """Return the comparisons as a table for people."""
        return text_table(self.comparisons.columns, self.comparisons.iter_rows())

    @property
    def talk(self) -> tuple[str, ...]:
        """What the corrected p is corrected for, what was drawn, and which heads count."""
        return (
            "difference is a minus b; p_holm is corrected for all rows of a metric (Holm).",
            *([f"Drawn and exchanged by {self.clusters}."] if self.clusters else []),
            *tests_used(self.pairs),
            *_heads(self.pairs, self.undefined),
        )


def tests_used(pairs: Sequence[Comparison]) -> list[str]:
    """Return one sentence on how ties count in the tests."""
    if not any(one.p is not None for one in pairs):
        return []
    return [ties_in_words({one.test for one in pairs})]


def _heads(pairs: Sequence[Comparison], undefined: Undefined | None) -> Iterator[str]:
    """Yield for each relation how many heads are undefined, and what became of them."""
    for one in pairs if undefined else ():
        counts = one.difference.counts
        if counts:
            zero = undefined == "zero"
            number = counts["heads_zero" if zero else "heads_undefined"]
            treated = "count as 0" if zero else "are dropped"
            yield (
                f"{one.slice}, {one.a} and {one.b}: {counts['heads']} heads; {number} without a "
                f"rho of both models {treated}."
            )


def compare_tables(
    predictions: Sequence[Source],
    *,
    against: str | Path,
    scheme: str,
    items: str | Path | None = None,
    relation: str | None = None,
    undefined: Undefined | None = None,
    clusters: str | None = None,
    resamples: int = RESAMPLES,
    permutations: int = PERMUTATIONS,
    exact: bool = False,
    seed: int = 0,
) -> Compared:
    """Compare every two models of predictions tables, by a scheme, on the items both judged."""
    table = _together(predictions, scheme)
    known = None if items is None else Path(items)
    truth = read_truth(Path(against), scheme, relation=relation, items=known, clusters=clusters)
    truth = truth.treating(undefined)
    chance = Chance(resamples, permutations, seed, exact)
    pairs = tuple(comparisons(table, truth, chance))
    treated = truth.undefined if scheme == PAIRS else None
    return Compared(as_table(pairs), pairs, scheme, truth.clusters, treated)


def _together(sources: Sequence[Source], scheme: str) -> pl.DataFrame:
    """Return all predictions in one table; a name two files share is told apart by the file."""
    tables = [judgements(source, scheme).select(list(PREDICTIONS.schema)) for source in sources]
    names = [
        Path(str(source)).name.partition(".")[0] if is_path(source) else str(number)
        for number, source in enumerate(sources, start=1)
    ]
    return with_distinct_names(list(zip(names, tables, strict=True)))


def _in_study(work: Work, places: Places) -> None:
    scheme = _scheme(work.settings)
    files = study_files(scheme, kept=places["ratings"])
    chosen: dict[str, Any] = {name: work.path(one) for name, one in files.items()}
    chosen |= {name: value for name, value in work.parameters.items() if name != "scheme"}
    table = work.read(PREDICTIONS_FILE, PREDICTIONS)
    result = compare_tables([table], scheme=scheme, seed=work.seed, **chosen)
    put_table("comparisons", result.comparisons, work.path(COMPARED))
    work.write_json("compare.json", finite(result.as_json()))


def _scheme(sections: Mapping[str, Parameters]) -> str:
    """Return the scheme of a study's comparisons: its own, or that of its evaluation."""
    return str(sections["compare"]["scheme"] or sections["evaluate"]["scheme"] or "")


IN_STUDY = InStudy(
    run=_in_study,
    keys={
        "scheme": None,
        "undefined": None,
        "clusters": None,
        "resamples": RESAMPLES,
        "permutations": PERMUTATIONS,
        "exact": False,
    },
    inputs=(LABELS_FILE,),
    outputs=(COMPARED, "compare.json"),
    wanted=compares,
    heeds=("evaluate.scheme",),
)
