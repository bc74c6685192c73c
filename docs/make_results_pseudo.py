"""Write docs/results/pseudo.md: pseudo-disambiguation and agreement with people.

    python docs/make_results_pseudo.py --counts COUNTS --data DATA [--wordnet DIR]

COUNTS is the folder `plausibly extract` wrote, DATA the folder of published datasets, DIR WordNet's
(its row is left out without). Needs the extra `stimuli` (GloVe). Some minutes of one core; with
--rows DIR the rows of a relation are kept there, and a run that was cut off goes on.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from make_results import MODELS
from results_summaries import summarised

import plausibly as pb
from plausibly.backends.glove import GloveVectors
from plausibly.datasets.pairs import read_pair_table
from plausibly.models.counts import PairCounts, amount, pair_counts
from plausibly.models.pairs import Scores, places_of, predictions_of
from plausibly.models.pseudo import NEGATIVES, HeldOut, accuracy, hold_out, negatives
from plausibly.models.selection import asked

HERE = Path(__file__).resolve().parent / "results"
RELATIONS = ("dobj", "nsubj", "amod", "dobj_amod", "nsubj_amod")
RESNIK, LEARNT = "Resnik, WordNet", "combined, learnt from people"
SHARE = 0.1
Ask = Callable[[str, pl.DataFrame], Scores]


def simple(counts: PairCounts) -> Iterator[tuple[str, Ask]]:
    """Yield what needs no fitting: how frequent the dependent is in the counts, and GloVe."""
    glove = GloveVectors()

    def frequency(_relation: str, pairs: pl.DataFrame) -> Scores:
        places = places_of(pairs, counts)
        return Scores(amount(counts.of_dependent, places.dependent), places.level)

    def units(words: Sequence[str]) -> np.ndarray[Any, np.dtype[np.float64]]:
        places = glove.places([word.lower() for word in words])
        table = glove.rows([max(place, 0) for place in places]).astype(np.float64)
        table[[place < 0 for place in places]] = 0.0
        lengths = np.linalg.norm(table, axis=1, keepdims=True)
        return np.asarray(table / np.where(lengths > 0, lengths, 1.0))

    def cosine(_relation: str, pairs: pl.DataFrame) -> Scores:
        first, second = (units(pairs[side].to_list()) for side in ("head", "dependent"))
        return Scores((first * second).sum(axis=1), places_of(pairs, counts).level)

    yield "frequency of the dependent", frequency
    yield "GloVe cosine", cosine


def models_of(
    relation: str, held: HeldOut, file: Path, people: Path, wordnet: Path | None
) -> Iterator[tuple[str, Ask]]:
    """Yield every model, fitted without the pairs that are held out."""
    yield from simple(pair_counts(held.counts))
    settings = dict(MODELS)
    if wordnet is not None and relation in ("dobj", "nsubj", "amod"):
        settings[RESNIK] = {"kind": "resnik", "wordnet": wordnet}
    settings[LEARNT] = {"kind": "combined", "vectors": "glove", "scores": people}
    for name, options in settings.items():
        yield name, asked(pb.models_fit(counts=file, **options).model)


def parser_of(counts: Path) -> str:
    """Return which parser read the corpus."""
    manifest = json.loads((counts / "manifest.json").read_text(encoding="utf-8"))
    return f"the parser {manifest['parser']}"


def rows_of(
    relation: str, counts: pl.DataFrame, data: Path, folder: Path, wordnet: Path | None
) -> list[str]:
    """Return the section of one relation, with a row for each model."""
    held = hold_out(counts.filter(pl.col("relation") == relation), share=SHARE)
    path = folder / f"{relation}.parquet"
    held.counts.write_parquet(path)
    heads = set(held.counts["head"].str.to_lowercase())
    dependents = set(held.counts["dependent"].str.to_lowercase())
    asks = {kind: negatives(held, kind=kind) for kind in NEGATIVES}
    file = data / "sp10k" / f"{relation}.tsv"
    lines = []
    for name, score in models_of(relation, held, path, file, wordnet):
        cells = []
        for words in asks.values():
            pairs = held.pairs.with_columns(other=pl.Series(words, dtype=pl.String)).drop_nulls()
            known = np.array(
                [
                    h.lower() in heads and d.lower() in dependents and o.lower() in dependents
                    for h, d, o in pairs.iter_rows()
                ]
            )
            named = pairs.with_columns(relation=pl.lit(relation))
            first = score(relation, named.select("relation", "head", "dependent")).score
            second = score(relation, named.select("relation", "head", dependent="other")).score
            values = [accuracy(first[part], second[part]) for part in (known, ~known)]
            cells.append(f"{values[0]:.3f} / {values[1]:.3f}")
        size = f"{known.sum()} / {(~known).sum()}"
        rated = read_pair_table(file)
        people = predictions_of(rated, score, model=name)
        report = pb.evaluate(people, against=file, scheme="sp10k", resamples=0).as_json()
        pooled = report["relations"][relation]["all"]["spearman_pooled"]
        used = "" if pooled["n"] == rated.height else f" n {pooled['n']}"
        shown = "\N{EN DASH}" if pooled["value"] is None else f"{pooled['value']:.3f}{used}"
        lines.append(f"| {name} | {' | '.join(cells)} | {shown} |")
    heading = ("model", *NEGATIVES, "Spearman, SP-10K")
    rule = "|" + "---|" * len(heading)
    return [
        "",
        f"## {relation}",
        "",
        f"{size} pairs.",
        "",
        f"| {' | '.join(heading)} |",
        rule,
        *lines,
    ]


def main() -> None:
    """Fit every model without the held-out pairs and write the page."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    arguments.add_argument("--counts", type=Path, required=True)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--wordnet", type=Path, help="Folder of WordNet's files.")
    arguments.add_argument("--rows", type=Path, help="Folder rows are kept in.")
    options = arguments.parse_args()
    counts = pl.read_parquet(options.counts / "counts.parquet")
    if options.rows is not None:
        options.rows.mkdir(parents=True, exist_ok=True)
    lines = [
        "# Pseudo-disambiguation and agreement with people",
        "",
        "Written by",
        "`python docs/make_results_pseudo.py --counts COUNTS --data DATA --wordnet DIR`.",
        f"For each relation, {100 * SHARE:g} % of the pair types were held out of the counts.",
        "Cells show how often a model scores a held-out pair above a pair of the same head with a",
        "dependent it was never counted with: drawn uniformly, by frequency, or nearest in",
        "frequency (chance is .5; ties and pairs without a score count half). The first number is",
        "for pairs whose words are still in the counts, the second for the others; the number of",
        "pairs is for the nearest negatives. The last column is the model's Spearman correlation",
        "with people's scores over the 2,000 pairs, or those it scores: NN and Resnik's",
        "association lack some, so their rows cannot be compared with the others. All models are",
        "fitted without the held-out pairs.",
        "The last row of a relation learns from people's scores; each head is scored by folds that",
        "did not see it (a head nobody scored, by the mean of the folds). Resnik's association",
        "needs `--wordnet` and judges only nouns.",
        f"Counts by {parser_of(options.counts)}.",
    ]
    with tempfile.TemporaryDirectory() as folder:
        for relation in RELATIONS:
            kept = None if options.rows is None else options.rows / f"{relation}.md"
            if kept is None or not kept.is_file():
                rows = rows_of(relation, counts, options.data, Path(folder), options.wordnet)
                if kept is not None:
                    kept.write_text("\n".join(rows), encoding="utf-8")
            lines += rows if kept is None else kept.read_text(encoding="utf-8").splitlines()
    (HERE / "pseudo.md").write_text(summarised("pseudo", "\n".join([*lines, ""])), encoding="utf-8")


if __name__ == "__main__":
    main()
