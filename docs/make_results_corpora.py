"""Write docs/results/corpora.md: the same models, fitted on different corpora and sizes.

    python docs/make_results_corpora.py NAME=DIR … --thin NAME --data DATA

DIR is a folder `plausibly extract` wrote; every corpus is a row, and so are 1, 3, 10 and 30 % of
what was counted in the corpus --thin names. DATA is the folder of published datasets. No extra is
needed. A minute or two of one core.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from make_results_pseudo import parser_of
from results_summaries import summarised

import plausibly as pb
from plausibly.datasets.pairs import read_pair_table
from plausibly.models.pairs import predictions_of
from plausibly.models.selection import asked

HERE = Path(__file__).resolve().parent / "results"
ORDER = ("dobj", "nsubj", "amod", "dobj_amod", "nsubj_amod")
MODELS = {"PP": ("pp", False), "PP, smoothed": ("pp", True)}
RESAMPLES = 200
SHARES = (0.01, 0.03, 0.1, 0.3)

ABOUT = """\
Written by `python docs/make_results_corpora.py wikipedia=DIR articles-1=DIR ewt=DIR --thin
wikipedia --data DATA`, the folders by `plausibly extract`: the extract of Wikipedia by
{parser}; `articles-1`, a sample of 963 of its
96,339 articles (`--articles`); and the gold trees of UD English EWT's train part (web: letters,
reviews, groups, answers, blogs). Smaller sizes of Wikipedia keep each counted pair with the
stated probability. This ignores that a text repeats its words: compare `articles-1` with 1 %.
Cells show Spearman's rho with people
over all pairs of SP-10K, an interval from {resamples} draws of heads, and the share of pairs
judged on evidence."""


def thinned(counts: pl.DataFrame, name: str) -> pl.DataFrame:
    """Return the counts and samples of one corpus, each sample as a separate corpus."""
    generator = np.random.default_rng(1)
    whole = counts.filter(pl.col("corpus") == name).sort("relation", "head", "dependent")
    parts = [counts]
    for share in SHARES:
        kept = generator.binomial(whole["count"].to_numpy(), share)
        sample = whole.with_columns(
            count=pl.Series(kept, dtype=pl.Int64), corpus=pl.lit(f"{name}, {share:.0%}")
        )
        parts.append(sample.filter(pl.col("count") > 0).select(counts.columns))
    return pl.concat(parts)


def evaluated(counts: Path, corpus: str, kind: str, smoothed: bool, data: Path) -> dict[str, Any]:
    """Return a model's figures by relation, fitted on one corpus."""
    fitted = pb.models_fit(kind, counts=counts, corpus=corpus, smoothed=smoothed)  # type: ignore[arg-type]
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
    arguments.add_argument("corpora", nargs="+", metavar="NAME=DIR")
    arguments.add_argument("--thin", required=True)
    arguments.add_argument("--data", type=Path, required=True)
    options = arguments.parse_args()
    folders = dict(text.split("=", 1) for text in options.corpora)
    counts = pl.concat(
        pl.read_parquet(Path(folder) / "counts.parquet").with_columns(corpus=pl.lit(name))
        for name, folder in folders.items()
    )
    counts = thinned(counts, options.thin)
    sizes = counts.group_by("corpus").agg(pl.col("count").sum()).sort("count", "corpus")
    lines = [
        "# Which corpus, and how much of it",
        "",
        ABOUT.format(parser=parser_of(Path(folders[options.thin])), resamples=RESAMPLES),
        "",
    ]
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "counts.parquet"
        counts.write_parquet(place)
        for name, (kind, smoothed) in MODELS.items():
            lines += [f"## {name}", "", "| corpus | pairs counted | " + " | ".join(ORDER) + " |"]
            lines += ["|" + "---|" * (2 + len(ORDER))]
            for corpus, total in sizes.iter_rows():
                found = evaluated(place, corpus, kind, smoothed, options.data)
                cells = [cell(found, relation) for relation in ORDER]
                lines.append(f"| {corpus} | {total:,} | " + " | ".join(cells) + " |")
            lines.append("")
    (HERE / "corpora.md").write_text(summarised("corpora", "\n".join(lines)), encoding="utf-8")


if __name__ == "__main__":
    main()
