"""Labels with able annotators and easy items (Whitehill et al. 2009)."""

from __future__ import annotations

import polars as pl

from plausibly.domain import LabelScheme
from plausibly.labels._climb import Summit
from plausibly.labels._fitted import fit_questions, latent
from plausibly.labels._layout import Layout
from plausibly.labels.results import NOBODY, Effort, Fitted, Silent

EFFORT = Effort(iterations=2000, tolerance=1e-13)


def glad(
    ratings: pl.DataFrame,
    *,
    effort: Effort = EFFORT,
    scheme: LabelScheme | None = None,
    silent: Silent = NOBODY,
) -> Fitted:
    """Label each item, learning how able each annotator and how easy each item is.

    Whitehill, Ruvolo, Wu, Bergsma and Movellan (2009, "Whose vote should count more"): an answer
    is right with probability sigmoid(ability * ease), else any other label alike. Abilities and
    log eases have normal priors with mean 1 and variance 1; labels are equally likely before.
    The likelihood with its priors, summed over labels, is climbed from up to 80 starts (fewer on
    many ratings), the same ones for the same ratings; the best fit is then improved with
    parts of the others. `competence` is the ability: 0 is guessing, below 0 is worse than that.

    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t1", "t2", "t2", "t2"],
    ...                         "annotator": ["a", "b", "c"] * 2, "question": ["rating"] * 6,
    ...                         "answer": ["5", "5", "1", "1", "1", "1"]})
    >>> glad(ratings).labels["label"].to_list()
    ['5', '1']
    """
    from plausibly.labels._abilities import fit  # SciPy's optimisers, which no other method needs

    def climb(layout: Layout) -> Summit:
        return fit(layout, effort)

    return fit_questions(ratings, method="glad", model=latent(climb), scheme=scheme, silent=silent)
