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
from plausibly.evaluation.gita_contrast import answer_biases, contrast_models
from plausibly.study.results import Made, Result, text_table

SHOWN = ("a", "b", "metric", "difference", "low", "high", "n", "p", "p_holm")


@dataclass(frozen=True, eq=False, repr=False)
class Contrasted(Result):
    """Every two models contrasted.

    Args:
        contrasts: a, b, metric, slice, difference, low, high, n, p, p_holm, test.
        answers: model, task, answer, said, right, n.
        pairs: The contrasts as objects.
        rules: Whose rules.
        made: How this came about.
    """

    contrasts: pl.DataFrame
    answers: pl.DataFrame
    pairs: tuple[Comparison, ...]
    rules: str
    made: Made

    def as_json(self) -> dict[str, Any]:
        """Return the document of `contrast --json`."""
        return {
            "rules": self.rules,
            "contrasts": [one.as_json() for one in self.pairs],
            "answers": self.answers.to_dicts(),
        }

    def text(self) -> str:
        """Return the contrasts, then how often each model answers what in the story task."""
        contrasts = text_table(SHOWN, self.contrasts.select(SHOWN).iter_rows())
        story = self.answers.filter(pl.col("task") == "story_class").drop("task")
        return f"{contrasts}\n\n{text_table(story.columns, story.iter_rows())}"

    @property
    def talk(self) -> tuple[str, ...]:
        """What differences and p are."""
        return (
            f"rules: {self.rules}. difference is a less b, story by story; intervals draw whole "
            "stories; p_holm is corrected for all pairs of a metric (Holm).",
        )


def contrast(
    answers: Sequence[str | Path],
    *,
    rules: Literal["gita-2024", "calamita", "clean"] = "clean",
    resamples: int = 1000,
    permutations: int = 10_000,
    seed: int = 0,
) -> Contrasted:
    """Contrast every two models on GITA's stories: tiers in pairs, and what each prefers to answer.

    Args:
        answers: Folders as `score gita` reads them: released outputs, the harness's logs, or what
            `ask` wrote.
        rules: Whose rules: the authors', the later benchmark's, or ours.
        resamples: Draws for the intervals; 0 for none.
        permutations: Arrangements drawn for the test.
        seed: What is drawn from.

    >>> contrast(["one"])
    Traceback (most recent call last):
    plausibly.errors.StudyError: contrasting needs two folders of answers; got 1.
    """
    folders = [Path(one) for one in answers]
    if len(folders) < 2:
        raise StudyError(f"contrasting needs two folders of answers; got {len(folders)}.")
    models = {
        name: read_ways(folder) or {"": read_answers(folder)}
        for name, folder in zip(_names(folders), folders, strict=True)
    }
    chance = Chance(resamples=resamples, permutations=permutations, seed=seed)
    pairs = tuple(contrast_models(models, rules=rules, chance=chance))
    biases = answer_biases(models, rules=rules)
    schema: Mapping[str, Any] = {
        **dict.fromkeys(("model", "task", "answer"), pl.String()),
        **dict.fromkeys(("said", "right"), pl.Float64()),
        "n": pl.Int64(),
    }
    table = pl.DataFrame([asdict(one) for one in biases], schema=schema)
    asked = {"rules": rules, "resamples": resamples, "permutations": permutations}
    inputs = dict(zip(models, folders, strict=True))
    made = Made("contrast", inputs, asked, seed)
    return Contrasted(as_table(pairs), table, pairs, rules, made)


def _names(folders: Sequence[Path]) -> list[str]:
    """Return the folders' own names, or as much of their paths as tells them apart."""
    for parts in range(1, max(len(folder.resolve().parts) for folder in folders) + 1):
        names = ["/".join(folder.resolve().parts[-parts:]) for folder in folders]
        if len(set(names)) == len(names):
            return names
    raise StudyError("the same folder of answers is named twice. Name different ones.")
