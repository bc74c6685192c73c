"""Word pieces that occur: an encoder learns with their vectors alone, and is whole afterwards.

Of thirty thousand pieces a few thousand occur in a set of pairs. The vectors of all others get no
gradient, yet a step would clear it, measure it and walk through them; with small batches that is
a tenth of a step.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from plausibly.backends.finetuning.encoder import Classifier, PiecePairs
from plausibly.backends.finetuning.recipe import Ints


def pieces_that_occur(texts: PiecePairs) -> Ints:
    """Return the numbers of the pieces in order; those up to the padding keep their places.

    >>> pieces_that_occur(PiecePairs([[7, 3], [9, 3]], [[0, 1], [0, 1]], padding=1)).tolist()
    [0, 1, 3, 7, 9]
    """
    first = np.arange(texts.padding + 1)
    return np.unique(np.concatenate([first, *map(np.asarray, texts.pieces)])).astype(np.int64)


def renumbered(texts: PiecePairs, kept: Ints) -> PiecePairs:
    """Return the pairs with every piece as its place among those kept."""
    pieces = [np.searchsorted(kept, row).tolist() for row in texts.pieces]
    return PiecePairs(pieces, texts.kinds, texts.padding)


@contextmanager
def narrowed(torch: Any, model: Classifier, texts: PiecePairs) -> Iterator[PiecePairs]:
    """Leave the encoder with the vectors of the pieces that occur, and yield the pairs in them.

    Afterwards the encoder has all its vectors again: those it learnt with, and the others as they
    were (with weight decay alone they would have shrunk by a share of one in thousands).
    """
    whole = model.encoder.get_input_embeddings()
    kept = pieces_that_occur(texts)
    places = torch.from_numpy(kept).to(model.device)
    part = torch.nn.Embedding.from_pretrained(
        whole.weight.detach()[places].clone(), freeze=False, padding_idx=whole.padding_idx
    )
    model.encoder.set_input_embeddings(part)
    try:
        yield renumbered(texts, kept)
    finally:
        with torch.no_grad():
            whole.weight[places] = part.weight
        model.encoder.set_input_embeddings(whole)
