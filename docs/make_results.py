"""Write docs/results/sp10k.md: models of selectional preference in one table.

    python docs/make_results.py --counts COUNTS --data DATA [--wordnet DIR] [--asked NAME=FILE]

COUNTS is the folder `plausibly extract` wrote, DATA the folder of published datasets, DIR WordNet's
(its row is left out without). FILE is a predictions table of SP-10K's pairs, what `plausibly ask
sp10k --model smollm2 -o OUT` writes for example: the log-probability of the dependent in a clause
of the pair; without it, stored rows are shown under a separate heading. Needs the
extra `stimuli` (GloVe) and wordfreq (extra `parse`). Some minutes of one core.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from results_earlier import earlier
from results_summaries import summarised

import plausibly as pb
from plausibly.backends.frequency import WordFreq
from plausibly.backends.glove import GloveVectors
from plausibly.datasets.pairs import read_pair_table
from plausibly.datasets.sp10k import RELATIONS
from plausibly.evaluation.pairs import head_correlations
from plausibly.models.combined import Parts, groups
from plausibly.models.counts import Floats, PairCounts, Vocabulary, read_counts
from plausibly.models.pairs import Scores, places_of, predictions_of
from plausibly.models.regression import fit_regression
from plausibly.models.selection import asked
from plausibly.models.vectors import WordVectors

HERE = Path(__file__).resolve().parent / "results"
ORDER = ("dobj", "nsubj", "amod", "dobj_amod", "nsubj_amod")
HALVES = ("all", "frequent", "random")
WITHIN, POOLED = "spearman_within_head", "spearman_pooled"
MEASURES = {WITHIN: "Inside heads, mean", POOLED: "Over all pairs"}
HEADS, PER_HEAD = 500, {"all": 4, "frequent": 2, "random": 2}  # of a relation; pairs of a head
DASH = "\N{EN DASH}"
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


def table_of(predictions: dict[str, pl.DataFrame], folder: Path) -> dict[str, Any]:
    """Return the evaluation of every row."""
    return {
        name: pb.evaluate(table, against=folder, scheme="sp10k").as_json()["relations"]
        for name, table in predictions.items()
    }


def correlations(table: pl.DataFrame, pairs: pl.DataFrame) -> dict[str, float]:
    """Return rho by head, for the heads on which the scores of the table vary.

    >>> pairs = pl.DataFrame({"item": ["a", "b", "c"], "head": ["eat", "eat", "see"]})
    >>> pairs = pairs.with_columns(score=pl.Series([1.0, 2.0, 3.0]))
    >>> correlations(pl.DataFrame({"item": ["a", "b", "c"], "score": [7.0, 8.0, 9.0]}), pairs)
    {'eat': 1.0}
    """
    said = table.select("item", said="score").drop_nulls()
    rows = pairs.join(said, on="item", how="inner", maintain_order="left")
    if rows.is_empty():
        return {}
    names = rows["head"].unique(maintain_order=True).to_list()
    place = {name: n for n, name in enumerate(names)}
    heads = np.array([place[name] for name in rows["head"]])
    rho = head_correlations(rows["said"].to_numpy(), rows["score"].to_numpy(), heads)
    return {name: float(r) for name, r in zip(names, rho, strict=True) if not np.isnan(r)}


def common_table(rows: dict[str, pl.DataFrame], pairs: pl.DataFrame, half: str) -> str:
    """Return the means inside heads over the heads on which every row of a column has a rho."""
    item = pl.concat_str("relation", "head", "dependent", separator="|")
    named = pairs.with_columns(item=item)
    part = named if half == "all" else named.filter(pl.col("source") == half)
    means: dict[str, list[str]] = {name: [] for name in rows}
    counts = []
    for relation in ORDER:
        own = part.filter(pl.col("relation") == relation)
        able = {name: table for name, table in rows.items() if correlations(table, own)}
        for table in able.values():
            own = own.join(table.select("item", "score").drop_nulls(), on="item", how="semi")
        found = {name: correlations(table, own) for name, table in able.items()}
        heads = sorted(set(own["head"]).intersection(*found.values())) if found else []
        used = own.filter(pl.col("head").is_in(heads)).height
        counts.append(f"{len(heads)} heads, n {used}")
        for name, cells in means.items():
            shown = name in found and heads
            cells.append(f"{np.mean([found[name][h] for h in heads]):.3f}" if shown else DASH)
    lines = [_line(f"Common heads, {half}", ORDER), _rule(), _line("heads and pairs", counts)]
    return "\n".join([*lines, *_merged(means)]) + "\n"


def score_table(scores: dict[str, Any], metric: str, half: str) -> str:
    """Return one metric of every row in every relation, with the number it is computed from."""
    lines = [_line(f"{MEASURES[metric]}, {half}", ORDER), _rule()]
    shown: dict[str, list[str]] = {}
    for name, relations in scores.items():
        cells = [_cell(relations[r][half][metric], PER_HEAD[half]) for r in ORDER]
        shown[name] = cells
    return "\n".join([*lines, *_merged(shown)]) + "\n"


def comparison_table(compared: list[dict[str, Any]]) -> str:
    """Return the differences of two rows, with what each is computed from."""
    titles = ("metric", "difference", "95 % interval", "p", "p (Holm)", "heads", "undefined", "n")
    lines = [_line("relation", titles), "|" + "---|" * (len(titles) + 1)]
    for row in compared:
        interval = f"{row['low']:.3f} to {row['high']:.3f}"
        numbers = [f"{row['difference']:.3f}", interval, f"{row['p']:.4f}", f"{row['p_holm']:.4f}"]
        used = [str(row.get(key, DASH)) for key in ("heads", "heads_undefined", "n")]
        lines.append(_line(row["slice"], [row["metric"], *numbers, *used]))
    return "\n".join(lines) + "\n"


def markdown(
    rows: dict[str, pl.DataFrame], pairs: pl.DataFrame, folder: Path, about: str
) -> Iterator[str]:
    """Yield the parts of the page."""
    yield f"# Selectional preference: SP-10K\n\n{about}"
    scores = table_of(rows, folder)
    for half in HALVES:
        table = score_table(scores, WITHIN, half)
        yield f"## Inside heads, mean: {half} pairs\n\n{table if half == 'all' else folded(table)}"
        table = folded(common_table(rows, pairs, half))
        yield f"### The same on common heads: {half} pairs\n\n{table}"
    for half in HALVES:
        table = score_table(scores, POOLED, half)
        yield f"## Pooled over heads: {half} pairs\n\n{table if half == 'all' else folded(table)}"
    compared = pb.compare([rows[name] for name in ASKED], against=folder, scheme="sp10k")
    rows_compared = compared.as_json()["comparisons"]
    tests = ", ".join(sorted({row["test"] for row in rows_compared}))
    table = f"Test: {tests}.\n\n{comparison_table(rows_compared)}"
    yield f"## The combination against the regression without counts\n\n{table}"
    yield from earlier(set(rows), ORDER)


def _merged(rows: dict[str, list[str]]) -> Iterator[str]:
    """Yield the lines of a table: rows without a value are left out, equal ones share a line."""
    names: dict[tuple[str, ...], list[str]] = {}
    for name, cells in rows.items():
        names.setdefault(tuple(cells), []).append(name)
    yield from (_line("; ".join(of), one) for one, of in names.items() if set(one) != {DASH})


def _line(first: str, cells: Sequence[str]) -> str:
    return f"| {first} | " + " | ".join(cells) + " |"


def _rule() -> str:
    return "|" + "---|" * (len(ORDER) + 1)


def folded(table: str) -> str:
    """Return a table that opens on a click."""
    return f'<details markdown="1"><summary>Show the table</summary>\n\n{table}\n</details>\n'


def _cell(measure: dict[str, Any], per_head: int) -> str:
    """Return a value with its interval, the heads, and n where it does not follow from them."""
    used = [] if measure["n"] == per_head * measure.get("heads", HEADS) else [f"n {measure['n']}"]
    if "heads" in measure:
        known = measure["heads"] + measure["heads_undefined"]
        used.insert(0, f"{measure['heads']}/{known}")
    if measure["value"] is None:
        return DASH
    interval = f"{measure['low']:.3f}, {measure['high']:.3f}"
    return " ".join([f"{measure['value']:.3f} ({interval})", *([", ".join(used)] if used else [])])


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
    parts = markdown(rows, pairs, folder, about(options.counts, counts))
    HERE.mkdir(exist_ok=True)
    (HERE / "sp10k.md").write_text(summarised("sp10k", "\n".join(parts)), encoding="utf-8")


def about(folder: Path, counts: dict[str, PairCounts]) -> str:
    """Return what the page rests on, from the manifest of the counts."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    totals = ", ".join(f"{r} {int(counts[r].total)}" for r in RELATIONS)
    return (
        "Cells are Spearman's rho with people's scores, with 95 % intervals from 1,000 draws of "
        "heads. Over all pairs, n is 2,000 per relation, 1,000 in each half, unless a cell gives "
        "it. Inside heads, a cell is the mean over the heads with a rho (`--undefined drop`), four "
        'pairs each, two in a half (where rho is 1 or \N{MINUS SIGN}1); "480/500" means that in 20 '
        "heads all scores of the row, or of people, are equal. Rows with different heads cannot be "
        "compared: a second table has the pairs and heads on which all rows of a column have a "
        f"score and a rho ({DASH}: none, which does not limit the column).\n\n"
        "The two regressions learn from people's scores; each head is predicted by folds that left "
        "it out. The oracle knows which half of the survey a pair is from. Resnik's association "
        "scores pairs with a noun only.\n\n"
        "Written by `python docs/make_results.py --counts COUNTS --data DATA`, with counts of "
        f"{manifest['statistics']['words']} words of English Wikipedia, parser "
        f"{manifest['parser']}, `--repair {manifest['parameters']['repair']}` (pairs counted: "
        f"{totals}); GloVe is 6B with 50 dimensions, frequencies are {WordFreq('en').name}.\n"
    )


if __name__ == "__main__":
    main()
