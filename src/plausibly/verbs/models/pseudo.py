"""Pseudo-disambiguation: how often a model prefers an attested pair to a pair that was made up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from plausibly.domain import Measure
from plausibly.errors import StudyError, UnknownName, option
from plausibly.measures.draws import drawable
from plausibly.measures.resampling import with_interval
from plausibly.models import nn
from plausibly.models.counts import Floats, PairCounts, pair_counts, read_counts
from plausibly.models.pseudo import NEGATIVES, HeldOut, hold_out, negatives, preferred
from plausibly.models.selection import NEED_VECTORS, Choices, asked, fit_pairs
from plausibly.study.hooks import Placed, Set
from plausibly.study.results import Result, text_table
from plausibly.study.verb import InStudy, Output, verb
from plausibly.verbs.models.fit import chosen_vectors

NAME = "score_pseudo"
KINDS = ("pp", "ppmi", "ds", "nn")
COLUMNS = ("relation", "model", "negatives", "accuracy", "low", "high", "pairs", "heads", "skipped")


@dataclass(frozen=True, eq=False, repr=False)
class PseudoDisambiguated(Result):
    """How often each model prefers the attested pair.

    Args:
        accuracies: relation, model, negatives, accuracy with its interval, how many pairs and
            heads it rests on, and how many pairs were skipped because no negative was found.
    """

    accuracies: pl.DataFrame

    def as_json(self) -> dict[str, Any]:
        """Return the accuracy of each model, by relation and kind of negatives."""
        document: dict[str, Any] = {}
        for row in self.accuracies.to_dicts():
            own = document.setdefault(row["relation"], {}).setdefault(row["model"], {})
            own[row["negatives"]] = {
                "value": row["accuracy"],
                "n": row["pairs"],
                "low": row["low"],
                "high": row["high"],
                "skipped": row["skipped"],
            }
        return {"relations": document}

    def text(self) -> str:
        """Return the accuracies as a table for people."""
        return text_table(COLUMNS, self.accuracies.iter_rows())

    @property
    def talk(self) -> tuple[str, ...]:
        """What the numbers mean."""
        return (
            "Chance is .5; equal scores and pairs without a score count half. Intervals are from "
            "draws of heads.",
        )


@verb(
    writes={"accuracies": f"{NAME}/accuracies.parquet"},
    texts=("vectors",),
    output=Output("accuracies", help="Table of accuracies to write."),
    study=InStudy(
        also={"counts": None},
        wanted=Set(NAME, "counts"),
        begins=f"[{NAME}] counts",
        external=Placed(("counts", "test", "vectors")),
        explained={"counts": "What [extract] counted (corpus), or another such table or folder."},
    ),
)
def score_pseudo(
    counts: str | Path,
    *,
    models: str = "pp,ppmi,ds",
    test: str | Path | None = None,
    relation: str | None = None,
    corpus: str | None = None,
    vectors: str | Path | None = None,
    kinds: str = "uniform,frequency,nearest",
    share: float = 0.1,
    size: int = 100,
    epochs: int = 15,
    resamples: int = 1000,
    seed: int = 1,
) -> PseudoDisambiguated:
    r"""Score models by pseudo-disambiguation: attested pairs against pairs that are made up.

    Some pair types are held out of the counts, the models are fitted on the rest, and each
    held-out pair competes with a pair of the same head that was never seen. The result shows how
    well a model fits a corpus, which need not be how well it fits people (Zhang et al. 2019,
    section 1).

    Args:
        counts: Counts table, or the folder `extract` wrote, to fit on.
        models: Kinds of models, separated by commas: pp, ppmi, ds, nn.
        test: Counts of another corpus, whose pairs are asked about instead of held-out pairs.
        relation: Score only this relation.
        corpus: Use only this corpus of counts that `counts merge` merged.
        vectors: Word vectors for ds: glove (extra stimuli), or a text file of words and numbers
            (default:
            made from the counts).
        kinds: How negatives are drawn, separated by commas: uniformly, by frequency, or the nearest
            in frequency.
        share: Share of pair types to hold out.
        size: Number of dimensions of vectors made from the counts.
        epochs: Maximum number of training passes over the data, for nn.
        resamples: Number of resamples for the intervals; 0 for none.
        seed: Seed for everything drawn at random.

    Examples:
        plausibly score pseudo counts --models pp,ds --relation dobj
        plausibly score pseudo wikipedia --test news -o accuracies.csv

    >>> import tempfile
    >>> rows = [f"dobj,v{h},n{d},{1 + h * d}" for h in range(9) for d in range(9) if (h + d) % 3]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "counts.csv")
    ...     _ = file.write_text("relation,head,dependent,count\n" + "\n".join(rows))
    ...     scored = score_pseudo(file, models="pp", kinds="uniform", resamples=0)
    >>> scored.accuracies["accuracy"].item()
    0.5
    """
    named = _named(models, KINDS, "models")
    drawn = _named(kinds, NEGATIVES, "kinds")
    splits = dict(_splits(counts, test, relation=relation, corpus=corpus, share=share, seed=seed))
    rows = []
    for name, held in splits.items():
        fitted = {name: pair_counts(held.counts)}
        own = None
        if set(named) & set(NEED_VECTORS):
            own = chosen_vectors(vectors, fitted, size=size, seed=seed)
        choices = Choices(network=nn.Network(epochs=epochs), seed=seed)
        asks = {one: asked(fit_pairs(one, fitted, own, choices)) for one in named}
        for kind in drawn:
            pairs = held.pairs.with_columns(
                relation=pl.lit(name),
                other=pl.Series(negatives(held, kind=kind, seed=seed), dtype=pl.String),
            )
            known = pairs.drop_nulls("other")
            for one, ask in asks.items():
                first = ask(name, known.select("relation", "head", "dependent")).score
                second = ask(name, known.select("relation", "head", dependent="other")).score
                wins = preferred(first, second)
                measure = _measure(wins, known["head"], resamples=resamples, seed=seed)
                numbers = (measure.value, measure.low, measure.high, known.height)
                left = pairs.height - known.height
                rows.append((name, one, kind, *numbers, known["head"].n_unique(), left))
    schema = {
        **dict.fromkeys(COLUMNS[:3], pl.String),
        **dict.fromkeys(COLUMNS[3:6], pl.Float64),
        **dict.fromkeys(COLUMNS[6:], pl.Int64),
    }
    return PseudoDisambiguated(pl.DataFrame(rows, schema=schema, orient="row"))


def _named(text: str, known: tuple[str, ...], parameter: str) -> list[str]:
    """Return names separated by commas, each once; raise at the first that is unknown."""
    names = list(dict.fromkeys(part.strip() for part in text.split(",") if part.strip()))
    for name in names:
        if name not in known:
            raise UnknownName(f"entry of {option(parameter)}", name, known, parameter=parameter)
    if not names:
        what = f"{option(parameter)} must be one or more of {', '.join(known)}."
        raise StudyError(what, parameter=parameter)
    return names


def _splits(
    counts: str | Path,
    test: str | Path | None,
    *,
    relation: str | None,
    corpus: str | None,
    share: float,
    seed: int,
) -> Iterator[tuple[str, HeldOut]]:
    """Yield each relation with what models are fitted on and the pairs they are asked about."""
    known = read_counts(Path(counts), relation=relation, corpus=corpus)
    other = {} if test is None else read_counts(Path(test), relation=relation)
    if test is not None and not set(known) & set(other):
        raise StudyError(f"{test}: no relation of {counts} is counted in it.", parameter="test")
    for name, table in known.items():
        rows = _frame(table)
        if test is None:
            held = hold_out(rows, share=share, seed=seed)
        elif name in other:
            new = _frame(other[name]).join(rows, on=["head", "dependent"], how="anti")
            held = HeldOut(rows, new.select("head", "dependent").sort("head", "dependent"))
        else:
            continue
        if held.pairs.is_empty() or held.counts.is_empty():
            raise StudyError(f"{name}: no pairs to ask about. Use more counts, or hold out more.")
        yield name, held


def _frame(counts: PairCounts) -> pl.DataFrame:
    table = counts.table.tocoo()
    heads = np.array(counts.heads.words, dtype=object)[table.row]
    dependents = np.array(counts.dependents.words, dtype=object)[table.col]
    return pl.DataFrame(
        {"head": heads, "dependent": dependents, "count": table.data.astype(np.int64)},
        schema={"head": pl.String, "dependent": pl.String, "count": pl.Int64},
    )


def _measure(wins: Floats, heads: pl.Series, *, resamples: int, seed: int) -> Measure:
    """Return the mean of the wins with an interval from draws of heads."""
    if not len(wins):
        return Measure(None, 0, reason="no pair has a negative")
    code = np.unique(heads.to_numpy(), return_inverse=True)[1]
    sums, sizes = np.bincount(code, wins), np.bincount(code)
    value = float(wins.mean())
    if not resamples:
        return Measure(value, len(wins))
    generator = np.random.default_rng(seed)
    picks = generator.integers(len(sums), size=(drawable(resamples), len(sums)))
    values = (sums[picks].sum(axis=1) / sizes[picks].sum(axis=1)).tolist()
    return with_interval(value, len(wins), values, asked=resamples, within=(0.0, 1.0))
