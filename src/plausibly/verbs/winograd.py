"""Winograd questions answered by the higher of two scores."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plausibly.datasets.winograd import read_scores
from plausibly.evaluation.winograd import NoAnswer, Winograd
from plausibly.evaluation.winograd import winograd as count
from plausibly.study.results import Made, Result, text_table


@dataclass(frozen=True, eq=False, repr=False)
class WinogradScores(Result):
    """How many questions were answered right, wrong and not at all.

    Args:
        counts: The counts and both accuracies.
        made: How this came about.
    """

    counts: Winograd
    made: Made

    def as_json(self) -> dict[str, Any]:
        """Return correct, wrong, none, a_p and a_o."""
        return dict(self.counts.as_json())

    def text(self) -> str:
        """Return the counts as a table."""
        return text_table(tuple(self.as_json()), [tuple(self.as_json().values())])


def winograd(scores: str | Path, *, no_answer: NoAnswer = "equal") -> WinogradScores:
    r"""Count right, wrong and unanswered questions.

    Columns go by position: question, score of A, score of B, a label that is ignored, and the
    right answer. A_p leaves unanswered questions out, A_o counts each as a coin flip.

    Args:
        scores: The file of scores.
        no_answer: When a question has no answer: equal scores, or also when a pair is missing (0).

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "scores.csv"
    ...     _ = path.write_text("q1,3,1,,A\nq2,2,2,,B\n")
    ...     winograd(path).as_json()["correct"]
    1
    """
    counts = count(read_scores(Path(scores)), no_answer=no_answer)
    return WinogradScores(counts, Made("winograd", {"scores": scores}, {"no_answer": no_answer}))
