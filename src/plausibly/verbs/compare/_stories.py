"""Models of a pair, such as base and instruct, on the same stories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import polars as pl

from plausibly.datasets.gita.answers import read_answers, read_ways
from plausibly.errors import StudyError
from plausibly.evaluation.comparison import Chance, Comparison, as_table
from plausibly.evaluation.gita_comparison import answer_biases, compare_models
from plausibly.io.frames import Source, is_path
from plausibly.study.results import Result, text_table
from plausibly.verbs.compare._tables import PERMUTATIONS, RESAMPLES, tests_used

SCHEME = "gita"
RuleSet = Literal["gita-2024", "calamita", "clean"]
SHOWN = ("a", "b", "metric", "difference", "low", "high", "n", "p", "p_holm")


@dataclass(frozen=True, eq=False, repr=False)
class ComparedStories(Result):
    """Every two models compared on GITA's stories.

    Args:
        comparisons: a, b, metric, slice, difference, low, high, n, p, p_holm, test.
        answers: model, task, answer, said, right, n.
        pairs: The comparisons as objects.
        rules: Whose rules.
    """

    comparisons: pl.DataFrame
    answers: pl.DataFrame
    pairs: tuple[Comparison, ...]
    rules: str

    def as_json(self) -> dict[str, Any]:
        """Return the document of `compare --scheme gita --json`."""
        return {
            "scheme": SCHEME,
            "clusters": "story",
            "rules": self.rules,
            "comparisons": [one.as_json() for one in self.pairs],
            "answers": self.answers.to_dicts(),
        }

    def text(self) -> str:
        """Return the comparisons, then how often each model answers what in the story task."""
        compared = text_table(SHOWN, self.comparisons.select(SHOWN).iter_rows())
        story = self.answers.filter(pl.col("task") == "story_class").drop("task")
        return f"{compared}\n\n{text_table(story.columns, story.iter_rows())}"

    @property
    def talk(self) -> tuple[str, ...]:
        """What differences and p are."""
        return (
            f"rules: {self.rules}. difference is a minus b, story by story; intervals draw whole "
            "stories; p_holm is corrected for all pairs of a metric (Holm).",
            *tests_used(self.pairs),
        )


def compare_stories(
    answers: Sequence[Source],
    *,
    rules: RuleSet,
    resamples: int = RESAMPLES,
    permutations: int = PERMUTATIONS,
    exact: bool = False,
    seed: int = 0,
) -> ComparedStories:
    """Compare every two models on GITA's stories: tiers, and what each prefers to answer."""
    folders = [Path(str(one)) for one in answers if is_path(one)]
    if len(folders) < max(2, len(answers)):
        raise StudyError(f"scheme gita needs two or more folders of answers; got {len(folders)}.")
    models = {
        name: read_ways(folder) or {"": read_answers(folder)}
        for name, folder in zip(_names(folders), folders, strict=True)
    }
    chance = Chance(resamples, permutations, seed, exact)
    pairs = tuple(compare_models(models, rules=rules, chance=chance))
    biases = answer_biases(models, rules=rules)
    schema: Mapping[str, Any] = {
        **dict.fromkeys(("model", "task", "answer"), pl.String()),
        **dict.fromkeys(("said", "right"), pl.Float64()),
        "n": pl.Int64(),
    }
    table = pl.DataFrame([asdict(one) for one in biases], schema=schema)
    return ComparedStories(as_table(pairs), table, pairs, rules)


def _names(folders: Sequence[Path]) -> list[str]:
    """Return the folders' own names, or as much of their paths as tells them apart."""
    for parts in range(1, max(len(folder.resolve().parts) for folder in folders) + 1):
        names = ["/".join(folder.resolve().parts[-parts:]) for folder in folders]
        if len(set(names)) == len(names):
            return names
    raise StudyError("the same folder of answers is named twice. Name different ones.")
