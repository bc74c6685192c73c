"""Write docs/results/corpora.md: the same models, fitted on different corpora and sizes.

    python docs/make_results_corpora.py MERGED --data DATA

MERGED is the folder `plausibly counts merge NAME=DIR … -o MERGED` wrote; every corpus in it is a
row. DATA is the folder of published datasets. No extra is needed. A minute or two of one core.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import polars as pl

import plausibly as pb
from plausibly.datasets.pairs import read_pair_table
from plausibly.models.pairs import predictions_of
from plausibly.models.selection import asked

HERE = Path(__file__).resolve().parent / "results"
ORDER = ("dobj", "nsubj", "amod", "dobj_amod", "nsubj_amod")
MODELS = {"PP": ("pp", False), "PP, smoothed": ("pp", True), "PPMI": ("ppmi", False)}
RESAMPLES = 200

ABOUT = f"""\
Written by `python docs/make_results_corpora.py MERGED --data DATA`, MERGED by `plausibly counts
merge`, its folders by `plausibly extract`: samples of whole articles of the same extract of
Wikipedia (`--articles`, 96,339 in all) by the embedded parser, and the gold trees of UD English
EWT's train part (web: letters, reviews, groups, answers, blogs). Spearman's rho with people over
all pairs of SP-10K, intervals from {RESAMPLES} draws of heads, and behind it the share of pairs
judged on evidence."""


def evaluated(counts: Path, corpus: str, kind: str, smoothed: bool, data: Path) -> dict[str, Any]:
    """Return a model's figures by relation, fitted on one corpus."""
    fitted = pb.fit(kind, counts=counts, corpus=corpus, smoothed=smoothed)  # type: ignore[arg-type]
    pairs = read_pair_table(data / "sp10k")
    known = pairs.filter(pl.col("relation").is_in(fitted.relations["relation"].implode()))
    said = predictions_of(known, asked(fitted.model), model=kind)
    report = pb.evaluate(said, against=data / "sp10k", scheme="sp10k", resamples=RESAMPLES)
    found: dict[str, Any] = report.as_json()["relations"]
    return found


def cell(found: dict[str, Any], relation: str) -> str:
    """Return pooled rho with its interval, and the share of pairs judged on evidence."""
    one = found[relation]["all"]
    rho, covered = one["spearman_pooled"], one["coverage"]["value"] or 0.0
    if rho["value"] is None:
        return f"none, {covered:.2f}"
    return f"{rho['value']:.3f} ({rho['low']:.3f} to {rho['high']:.3f}), {covered:.2f}"


def main() -> None:
    """Fit every model on every corpus and write the page."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    arguments.add_argument("counts", type=Path)
    arguments.add_argument("--data", type=Path, required=True)
    options = arguments.parse_args()
    counts = pl.read_parquet(options.counts / "counts.parquet")
    sizes = counts.group_by("corpus").agg(pl.col("count").sum()).sort("count")
    lines = [
        "# Which corpus, and how much of it",
        "",
        ABOUT,
        "",
    ]
    for name, (kind, smoothed) in MODELS.items():
        lines += [f"## {name}", "", "| corpus | pairs counted | " + " | ".join(ORDER) + " |"]
        lines += ["|" + "---|" * (2 + len(ORDER))]
        for corpus, total in sizes.iter_rows():
            found = evaluated(options.counts, corpus, kind, smoothed, options.data)
            cells = [cell(found, relation) for relation in ORDER]
            lines.append(f"| {corpus} | {total:,} | " + " | ".join(cells) + " |")
        lines.append("")
    (HERE / "corpora.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
