"""Worker Agreement With Aggregate: votes weighed by how often an annotator is with the most."""

from __future__ import annotations

import numpy as np
import polars as pl

from plausibly.domain import LabelScheme
from plausibly.labels._climb import Summit, first_posterior
from plausibly.labels._fitted import fit_questions, latent
from plausibly.labels._layout import Layout
from plausibly.labels._votes import SAME
from plausibly.labels.results import NOBODY, Fitted, Silent


def wawa(
    ratings: pl.DataFrame, *, scheme: LabelScheme | None = None, silent: Silent = NOBODY
) -> Fitted:
    """Label each item by votes weighed with each annotator's agreement with the plurality.

    `competence` is the share of an annotator's answers that are the most frequent one of their
    item; where k labels are equally frequent, choosing one of them counts 1 / k. An item all of
    whose annotators have the weight 0 keeps the shares of its votes.

    >>> ratings = pl.DataFrame({"item": ["t1", "t1", "t1", "t2", "t2", "t2"],
    ...                         "annotator": ["a", "b", "c"] * 2, "question": ["rating"] * 6,
    ...                         "answer": ["5", "5", "1", "1", "1", "1"]})
    >>> wawa(ratings).labels["label"].to_list()
    ['5', '1']
    """
    return fit_questions(ratings, method="wawa", model=latent(_fit), scheme=scheme, silent=silent)


def _fit(layout: Layout) -> Summit:
    share = first_posterior(layout)
    most = share >= share.max(axis=1, keepdims=True) - SAME
    credit = most / most.sum(axis=1, keepdims=True)
    row = np.repeat(np.arange(len(layout.item)), np.diff(layout.start[layout.first]))
    place = row * layout.n_labels + layout.cell % layout.n_labels
    annotator = layout.cell // layout.n_labels
    rated = layout.used.sum(axis=1)
    agreed = np.bincount(annotator, credit.ravel()[place], len(rated))
    weight = np.divide(agreed, rated, out=np.full(len(rated), np.nan), where=rated > 0)
    votes = np.bincount(place, weight[annotator], share.size).reshape(share.shape)
    total = votes.sum(axis=1, keepdims=True)
    posterior = np.divide(votes, total, out=share, where=total > 0)
    return Summit(posterior, weight, None, 1)
