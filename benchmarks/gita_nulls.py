"""How often `compare --scheme gita` finds a difference between two equally good models.

    python benchmarks/gita_nulls.py [--runs 1000] [--first 0]

117 stories have a plausible, an order and a cloze variant. Both models are right with chances drawn
from the same distribution, for each story (clustered errors) or for each variant (independent
errors); a later task is asked where the earlier ones were right. Each row has the share of runs
with p at most .05 and its 95 % interval (Wilson's): by mid-p, the default, and by the exact test.
"""

from __future__ import annotations

import argparse

import numpy as np
import polars as pl

from plausibly.datasets.gita import CONFLICT, STATE, STORY
from plausibly.datasets.gita.answers import Answers
from plausibly.evaluation.comparison import Chance
from plausibly.evaluation.gita_comparison import compare_models
from plausibly.measures.proportion import proportion

STORIES, SKILL = 117, (2.0, 1.0)
PERMUTATIONS, LEVEL = 499, 0.05
RIGHT = {
    STORY: pl.when("plausible").then(pl.lit("true")).otherwise(pl.lit("false")),
    CONFLICT: pl.col("conflict"),
    STATE: pl.col("state"),
}


def variants() -> pl.DataFrame:
    """Return the variants of all stories, with what is right about each."""
    families = pl.DataFrame({"family": range(STORIES)})
    types = pl.DataFrame({"type": [None, "order", "cloze"]}, schema={"type": pl.String})
    name = pl.concat_str("story", pl.lit("-"), pl.col("type").fill_null("plausible"))
    return (
        families.join(types, how="cross")
        .with_row_index("row")
        .with_columns(story=pl.col("family").cast(pl.String), plausible=pl.col("type").is_null())
        .with_columns(
            key=name,
            example_id=name,
            breakpoint=pl.when("plausible").then(-1).otherwise(1),
            conflict=pl.lit("0 and 1"),
            state=pl.lit("open"),
            tied=pl.lit(1, dtype=pl.Int64),
        )
    )


def model(stories: pl.DataFrame, generator: np.random.Generator, *, clustered: bool) -> Answers:
    """Return what a model answers: right with a chance drawn per story or per variant."""
    tasks, asked = {}, stories
    for task, right in RIGHT.items():
        if task != STORY:
            asked = asked.filter(~pl.col("plausible"))
        skill = generator.beta(*SKILL, STORIES if clustered else stories.height)
        chance = skill[asked["family" if clustered else "row"].to_numpy()]
        knows = pl.Series(generator.random(asked.height) < chance)
        lines = asked.with_columns(answer=pl.when(knows).then(right).otherwise(pl.lit("none")))
        tasks[task] = lines.with_columns(best=pl.concat_list("answer"))
        asked = asked.filter(knows)
    return Answers(tasks)


def main() -> None:
    """Print the share of false differences by tier, for both kinds of errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--first", type=int, default=0, help="First seed.")
    options = parser.parse_args()
    stories = variants()
    for clustered in (True, False):
        found: dict[str, list[tuple[bool, bool]]] = {}
        for seed in range(options.first, options.first + options.runs):
            generator = np.random.default_rng([seed, clustered])
            models = {
                name: {"way": model(stories, generator, clustered=clustered)} for name in "ab"
            }
            mid, exact = (
                compare_models(models, chance=Chance(0, PERMUTATIONS, seed, exact=whole))
                for whole in (False, True)
            )
            for one, other in zip(mid, exact, strict=True):
                pair = ((one.p or 0.0) <= LEVEL, (other.p or 0.0) <= LEVEL)
                found.setdefault(one.metric, []).append(pair)
        print("clustered errors:" if clustered else "independent errors:")
        for metric, rejected in found.items():
            shares = [proportion(sum(side), len(side)) for side in zip(*rejected, strict=True)]
            cells = [f"{one.value:.3f} ({one.low:.3f} to {one.high:.3f})" for one in shares]
            print(f"  {metric:24} mid-p {cells[0]}, exact {cells[1]}", flush=True)


if __name__ == "__main__":
    main()
