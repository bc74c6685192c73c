"""Write docs/results/sp10k.md: models of selectional preference in one table.

    python docs/make_results.py --counts COUNTS --data DATA [--wordnet DIR] [--asked NAME=FILE]

COUNTS is the folder `plausibly extract` wrote, DATA the folder of published datasets, DIR WordNet's
(its row is left out without). FILE is a predictions table of SP-10K's pairs, what `plausibly ask
sp10k --model smollm2 -o OUT` writes for example: the log-probability of the dependent in a clause
of the pair. Needs the extra `stimuli` (GloVe) and wordfreq (extra `parse`). Some minutes of one
core.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

import plausibly as pb
from plausibly.backends.frequency import WordFreq
from plausibly.backends.glove import GloveVectors
from plausibly.datasets.pairs import read_pair_table
from plausibly.datasets.sp10k import RELATIONS
from plausibly.models.combined import Parts, groups
from plausibly.models.counts import Floats, PairCounts, Vocabulary, read_counts
from plausibly.models.pairs import Scores, places_of, predictions_of
from plausibly.models.regression import fit_regression
from plausibly.models.selection import asked
from plausibly.models.vectors import WordVectors

HERE = Path(__file__).resolve().parent / "results"
ORDER = ("dobj", "nsubj", "amod", "dobj_amod", "nsubj_amod")
MEASURES = {"spearman_within_head": "Inside heads, mean", "spearman_pooled": "Over all pairs"}
MODELS: dict[str, dict[str, Any]] = {
    "PP": {"kind": "pp"},
    "PP, smoothed": {"kind": "pp", "smoothed": True},
    "PPMI": {"kind": "ppmi"},
    "DS, GloVe": {"kind": "ds", "vectors": "glove"},
    "DS, vectors of the counts": {"kind": "ds"},
    "NN": {"kind": "nn"},
    "combined, all parts alike": {"kind": "combined", "vectors": "glove"},
}
ASKED = ("combined with counts", "regression without counts")


def simple_rows(
    pairs: pl.DataFrame, counts: dict[str, PairCounts], vectors: WordVectors
) -> Iterator[tuple[str, Callable[[str, pl.DataFrame], Scores]]]:
    """Yield what needs no fitting: the oracle of the slot, and single properties of the words."""
    slot = {(r["relation"], r["head"], r["dependent"]): r["source"] for r in pairs.to_dicts()}
    zipf = _zipf(pairs)

    def of(values: Floats, relation: str, own: pl.DataFrame) -> Scores:
        return Scores(values, places_of(own, counts[relation]).level)

    def oracle(relation: str, own: pl.DataFrame) -> Scores:
        keys = ((relation, h, d) for h, d in own.select("head", "dependent").iter_rows())
        return of(np.array([float(slot[key] == "frequent") for key in keys]), relation, own)

    def attested(relation: str, own: pl.DataFrame) -> Scores:
        return of((places_of(own, counts[relation]).count > 0).astype(float), relation, own)

    def counted(relation: str, own: pl.DataFrame) -> Scores:
        return of(places_of(own, counts[relation]).count, relation, own)

    def frequency(relation: str, own: pl.DataFrame) -> Scores:
        return of(np.array([zipf[word.lower()] for word in own["dependent"]]), relation, own)

    def cosine(relation: str, own: pl.DataFrame) -> Scores:
        first, second = (vectors.unit(own[side].to_list())[0] for side in ("head", "dependent"))
        return of((first * second).sum(axis=1).astype(np.float64), relation, own)

    yield "slot of the survey (oracle)", oracle
    yield "attested", attested
    yield "count of the pair", counted
    yield "Zipf frequency of the dependent", frequency
    yield "GloVe cosine", cosine


def learnt_rows(
    pairs: pl.DataFrame, counts: dict[str, PairCounts], vectors: WordVectors
) -> Iterator[tuple[str, Callable[[str, pl.DataFrame], Scores]]]:
    """Yield the two regressions, with and without what was counted, cross-validated by head."""
    zipf = _zipf(pairs)
    for name, counted in zip(ASKED, (True, False), strict=True):

        def regression(relation: str, own: pl.DataFrame, counted: bool = counted) -> Scores:
            from plausibly.models.pp import best_mass

            parts = Parts(counts[relation], vectors, best_mass(counts[relation]), zipf)
            people = pairs.filter(pl.col("relation") == relation)
            fitted = fit_regression(
                groups(people, parts, counted=counted),
                people["score"].to_numpy(),
                people["head"].to_list(),
                seed=1,
            )
            score = fitted.predict(groups(own, parts, counted=counted), own["head"].to_list())
            return Scores(score, places_of(own, counts[relation]).level)

        yield name, regression


def _zipf(pairs: pl.DataFrame) -> dict[str, float]:
    words = sorted({w.lower() for side in ("head", "dependent") for w in pairs[side]})
    values = WordFreq("en").zipf(words)
    return {word: value or 0.0 for word, value in zip(words, values, strict=True)}


def glove_vectors(pairs: pl.DataFrame, counts: dict[str, PairCounts]) -> WordVectors:
    """Return GloVe's vectors of all words of the pairs and of the counts."""
    glove = GloveVectors()
    words = {w.lower() for side in ("head", "dependent") for w in pairs[side]}
    words |= {w for own in counts.values() for v in (own.heads, own.dependents) for w in v.words}
    ordered = sorted(words)
    places = glove.places(ordered)
    known = [n for n, place in enumerate(places) if place >= 0]
    table = glove.rows([places[n] for n in known])
    return WordVectors(glove.name, Vocabulary(tuple(ordered[n] for n in known)), table)


def table_of(predictions: dict[str, pl.DataFrame], folder: Path) -> dict[str, object]:
    """Return the evaluation of every row."""
    return {
        name: pb.evaluate(table, against=folder, scheme="sp10k").as_json()["relations"]
        for name, table in predictions.items()
    }


def markdown(scores: dict[str, object], compared: list[dict[str, object]], about: str) -> str:
    """Return the page."""
    parts = ["# Selectional preference: SP-10K\n", about]
    for metric, title in MEASURES.items():
        for half in ("all", "frequent", "random"):
            header = f"| {title}, {half} | " + " | ".join(ORDER) + " |"
            lines = [f"## {title}: {half} pairs\n", header, "|" + "---|" * (len(ORDER) + 1)]
            for name, relations in scores.items():
                cells = [_cell(relations[r][half][metric]) for r in ORDER]  # type: ignore[index]
                lines.append(f"| {name} | " + " | ".join(cells) + " |")
            parts.append("\n".join(lines) + "\n")
    lines = ["## The combination against the regression without counts\n"]
    lines += [
        "| relation | metric | difference | 95 % interval | p | p (Holm) |",
        "|---|---|---|---|---|---|",
    ]
    for row in compared:
        interval = f"{row['low']:.3f} to {row['high']:.3f}"
        lines.append(
            f"| {row['slice']} | {row['metric']} | {row['difference']:.3f} | {interval} | "
            f"{row['p']:.4f} | {row['p_holm']:.4f} |"
        )
    return "\n".join([*parts, "\n".join(lines), ""])


def _cell(measure: dict[str, float | None]) -> str:
    if measure["value"] is None:
        return "\N{EN DASH}"
    heads = f"; {measure['heads']} heads" if "heads" in measure else ""
    return f"{measure['value']:.3f} ({measure['low']:.3f} to {measure['high']:.3f}{heads})"


def main() -> None:
    """Fit every model, let it predict, and write the page."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--counts", type=Path, required=True)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--without", nargs="*", default=[], help="Rows to leave out.")
    arguments.add_argument("--wordnet", type=Path, help="Folder of WordNet's files.")
    arguments.add_argument("--asked", nargs="*", default=[], metavar="NAME=FILE")
    options = arguments.parse_args()
    folder = options.data / "sp10k"
    pairs = read_pair_table(folder)
    counts = read_counts(options.counts)
    vectors = glove_vectors(pairs, counts)
    settings = dict(MODELS)
    if options.wordnet is not None:
        settings["Resnik, WordNet"] = {"kind": "resnik", "wordnet": options.wordnet}
    rows = {
        name: predictions_of(pairs, score, model=name)
        for name, score in (
            *simple_rows(pairs, counts, vectors),
            *learnt_rows(pairs, counts, vectors),
        )
    }
    for name, chosen in settings.items():
        if name not in options.without:
            fitted = pb.models_fit(counts=options.counts, **chosen)
            rows[name] = predictions_of(pairs, asked(fitted.model), model=name)
    for name, _, file in (text.partition("=") for text in options.asked):
        rows[name] = pl.read_parquet(file)
    scores = table_of(rows, folder)
    compared = pb.compare([rows[name] for name in ASKED], against=folder, scheme="sp10k")
    manifest = json.loads((options.counts / "manifest.json").read_text(encoding="utf-8"))
    words = manifest["statistics"]["words"]
    totals = ", ".join(f"{r} {int(counts[r].total)}" for r in RELATIONS)
    about = (
        "Written by `python docs/make_results.py --counts COUNTS --data DATA`. Counts are those "
        f"of {words} words of English Wikipedia, parser {manifest['parser']} (pairs counted: "
        f"{totals}); GloVe is 6B with 50 dimensions, frequencies are {WordFreq('en').name}. "
        "Spearman's rho with people's scores, 95 % intervals from 1,000 draws of heads. Inside "
        "heads, a row is a mean over the heads on which its scores vary: rows rest on different "
        "heads (a count of 0 for all pairs of a head has no rho), so compare them over all "
        "pairs, or with `plausibly compare`, which uses the heads two models share. The two "
        "regressions learn from people's scores, each head predicted by folds that left it out; "
        "the oracle knows which half of the survey a pair is from, which no model may. Resnik's "
        "association (`--wordnet`) judges pairs with a noun only; predictions of a language model "
        "asked for clauses of the pairs can stand beside them (`--asked`).\n"
    )
    HERE.mkdir(exist_ok=True)
    page = markdown(scores, compared.as_json()["comparisons"], about)
    (HERE / "sp10k.md").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
