"""Models on the same items: which is better, by how much, and whether that can be chance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.errors import StudyError
from plausibly.evaluation.comparison import Chance, Comparison, as_table
from plausibly.evaluation.people import judgements
from plausibly.evaluation.scoring import comparisons
from plausibly.evaluation.truth import read_truth
from plausibly.io.frames import Source, is_path
from plausibly.study.results import Made, Result, text_table
from plausibly.tables import PREDICTIONS


@dataclass(frozen=True, eq=False, repr=False)
class Compared(Result):
    """Every two models compared.

    Args:
        comparisons: a, b, metric, slice, difference, low, high, n, p, p_holm, test.
        pairs: The same as objects.
        scheme: How they were compared.
        made: How this came about.
    """

    comparisons: pl.DataFrame
    pairs: tuple[Comparison, ...]
    scheme: str
    made: Made

    def as_json(self) -> dict[str, Any]:
        """Return the document of `compare --json`."""
        return {"scheme": self.scheme, "comparisons": [one.as_json() for one in self.pairs]}

    def text(self) -> str:
        """Return the comparisons as a table for people."""
        return text_table(self.comparisons.columns, self.comparisons.iter_rows())

    @property
    def talk(self) -> tuple[str, ...]:
        """What the corrected p is corrected for."""
        return ("difference is a less b; p_holm is corrected for all rows of a metric (Holm).",)


def compare(
    predictions: Sequence[Source],
    *,
    against: str | Path,
    scheme: str,
    relation: str | None = None,
    resamples: int = 1000,
    permutations: int = 10_000,
    seed: int = 0,
) -> Compared:
    r"""Compare every two models on the items both judged: difference, interval, p, corrected p.

    Args:
        predictions: Predictions tables, each of one model or several; ratings of one annotator or
            several stand beside them, every annotator as a model.
        against: File with what people say; a folder of relations for sp10k.
        scheme: How predictions are scored: sp10k, adept-5, adept-4, adept-3, pap-binary, pap-soft,
            pap-perturbed or events.
        relation: Relation of the pairs in a file without header (sp10k).
        resamples: Draws for the intervals; 0 for none.
        permutations: Arrangements drawn for a permutation test.
        seed: What is drawn from.

    >>> import tempfile
    >>> one = pl.DataFrame({"item": ["dog eat bone", "bone eat dog"],
    ...                     "question": ["plausible"] * 2,
    ...                     "model": ["one"] * 2, "score": [0.9, 0.2]})
    >>> two = one.with_columns(model=pl.lit("two"), score=pl.Series([0.2, 0.9]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     events = Path(folder, "events.csv")
    ...     _ = events.write_text("subject,verb,object,label\ndog,eat,bone,1\nbone,eat,dog,0\n")
    ...     compared = compare([one, two], against=events, scheme="events", resamples=0)
    >>> len(compared.pairs)
    2
    """
    table = _together(predictions, scheme)
    truth = read_truth(Path(against), scheme, relation=relation)
    chance = Chance(resamples=resamples, permutations=permutations, seed=seed)
    pairs = tuple(comparisons(table, truth, chance))
    inputs = {f"predictions {n}": one for n, one in enumerate(predictions, start=1)}
    made = Made(
        "compare",
        inputs={**inputs, "against": against},
        parameters={"scheme": scheme, "relation": relation, "permutations": permutations},
        seed=seed,
    )
    return Compared(as_table(pairs), pairs, scheme, made)


def _together(sources: Sequence[Source], scheme: str) -> pl.DataFrame:
    """Return all predictions in one table; a name two files share is told apart by the file."""
    tables = [judgements(source, scheme).select(list(PREDICTIONS.schema)) for source in sources]
    names = [set(table["model"].unique()) for table in tables]
    shared = {
        name for n, own in enumerate(names) for other in names[n + 1 :] for name in own & other
    }
    parts = []
    for number, (source, table) in enumerate(zip(sources, tables, strict=True), start=1):
        own = Path(str(source)).name.partition(".")[0] if is_path(source) else str(number)
        told = pl.when(pl.col("model").is_in(list(shared))).then(
            pl.concat_str(pl.lit(f"{own}:"), "model")
        )
        parts.append(table.with_columns(model=told.otherwise("model")))
    everything = pl.concat(parts) if parts else PREDICTIONS.empty()
    twice = everything.select(PREDICTIONS.key).is_duplicated()
    if twice.any():
        model = everything["model"][int(twice.arg_true()[0])]
        raise StudyError(
            f"two files of the same name hold predictions of the model {model!r}. Rename one."
        )
    return everything
