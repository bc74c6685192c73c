"""Write docs/results/pseudo.md: pseudo-disambiguation beside agreement with people.

    python docs/make_results_pseudo.py --counts COUNTS --data DATA

COUNTS is the folder `plausibly extract` wrote, DATA the folder of published datasets. No extra is
needed. A few minutes of one core.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np
import polars as pl

import plausibly as pb
from plausibly.datasets.pairs import read_pair_table
from plausibly.models.pairs import predictions_of
from plausibly.models.pseudo import NEGATIVES, accuracy, hold_out, negatives
from plausibly.models.selection import asked

HERE = Path(__file__).resolve().parent / "results"
RELATIONS = ("dobj", "nsubj", "amod")
MODELS = {"PP, smoothed": ("pp", True), "PPMI": ("ppmi", False), "DS": ("ds", False)}
SHARE = 0.1


def rows_of(relation: str, counts: pl.DataFrame, data: Path, folder: Path) -> list[str]:
    """Return the rows of one relation, one for each model."""
    own = counts.filter(pl.col("relation") == relation)
    held = hold_out(own, share=SHARE)
    path = folder / f"{relation}.parquet"
    held.counts.write_parquet(path)
    heads = set(held.counts["head"].str.to_lowercase())
    dependents = set(held.counts["dependent"].str.to_lowercase())
    asks = {kind: negatives(held, kind=kind) for kind in NEGATIVES}
    lines = []
    for name, (kind, smoothed) in MODELS.items():
        fitted = pb.fit(kind, counts=path, smoothed=smoothed)
        score = asked(fitted.model)
        cells = []
        for words in asks.values():
            pairs = held.pairs.with_columns(other=pl.Series(words, dtype=pl.String)).drop_nulls()
            known = np.array(
                [
                    h.lower() in heads and d.lower() in dependents and o.lower() in dependents
                    for h, d, o in pairs.iter_rows()
                ]
            )
            first = score(relation, pairs.select("head", "dependent")).score
            second = score(relation, pairs.select("head", dependent="other")).score
            values = [accuracy(first[part], second[part]) for part in (known, ~known)]
            cells.append(f"{values[0]:.3f} / {values[1]:.3f}")
        size = f"{known.sum()} / {(~known).sum()}"
        people = predictions_of(
            read_pair_table(data / "sp10k" / f"{relation}.tsv"), score, model=name
        )
        file = data / "sp10k" / f"{relation}.tsv"
        report = pb.evaluate(people, against=file, scheme="sp10k").as_json()
        spearman = report["relations"][relation]["all"]["spearman_pooled"]["value"]
        lines.append(f"| {relation} | {name} | {' | '.join(cells)} | {size} | {spearman:.3f} |")
    return lines


def main() -> None:
    """Fit every model without the held-out pairs and write the page."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    arguments.add_argument("--counts", type=Path, required=True)
    arguments.add_argument("--data", type=Path, required=True)
    options = arguments.parse_args()
    counts = pl.read_parquet(options.counts / "counts.parquet")
    heading = ("relation", "model", *NEGATIVES, "pairs", "Spearman, SP-10K")
    lines = [
        "# Pseudo-disambiguation beside agreement with people",
        "",
        "Written by `python docs/make_results_pseudo.py --counts COUNTS --data DATA`.",
        f"A share of {SHARE:g} of the pair types of each relation was left out of the counts. How",
        "often the model scores such a pair above one with a dependent the head was never counted",
        "with, drawn uniformly, by frequency, or next in the order of frequency (chance .5;",
        "ties and silence count half). Before the stroke pairs whose words are left in the counts,",
        "behind it the others; their numbers are those of the last column of negatives. Beside it",
        "the Spearman correlation of the same model with people's scores, over all pairs: a model",
        "that wins the one need not win the other.",
        "",
        "| " + " | ".join(heading) + " |",
        "|" + "---|" * len(heading),
    ]
    with tempfile.TemporaryDirectory() as folder:
        for relation in RELATIONS:
            lines += rows_of(relation, counts, options.data, Path(folder))
    (HERE / "pseudo.md").write_text("\n".join([*lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
