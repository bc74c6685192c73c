"""The layers of the embedded model, one after the other: spaCy's numbers by a shorter way.

In `nlp.pipe` every occurrence of a word is embedded anew, and the parser takes and gives back the
lock of the interpreter for every feature of every state. Here a batch embeds each word once, the
encoder's arrays stay small enough for the caches of a processor, and the lock is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from plausibly.backends.passages import groups_of

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

Floats = npt.NDArray[np.float32]
Keys = npt.NDArray[np.uint64]

AT_ONCE = 1000
"""Words of the documents that the encoder reads together."""

_MIX = np.uint64(0x9E3779B97F4A7C15)


class Layers:
    """Gives documents their tags and trees, by a shared encoder, a tagger and a parser.

    Args:
        nlp: A pipeline of `tok2vec`, `morphologizer` and `parser`, the last one greedy.
    """

    def __init__(self, nlp: Language) -> None:
        parts: dict[str, Any] = dict(nlp.pipeline)
        self._tok2vec, self._tagger = parts["tok2vec"], parts["morphologizer"]
        self._parser = parts["parser"]
        embed, self._encode = self._tok2vec.model.layers
        self._embed = LexicalLayers(embed, nlp.vocab)

    def annotate(self, docs: Sequence[Doc]) -> None:
        """Set the tags, features, heads and labels of documents that have words."""
        if not docs:
            return
        embedded = iter(self._embed(docs))
        for group in groups_of(docs, AT_ONCE):
            vectors = self._encode.predict([next(embedded) for _ in group])
            self._tok2vec.set_annotations(group, vectors)
            self._tagger.set_annotations(group, self._tagger.predict(group))
        self._parser.set_annotations(docs, self._states(docs))

    def _states(self, docs: Sequence[Doc]) -> list[Any]:
        """Return the last state of the parser for each document."""
        parser = self._parser
        states = unfinished = parser.moves.init_batch(docs)
        model = parser.model.predict(docs)
        weights, bias = (model.vec2scores.get_param(name) for name in ("W", "b"))
        while unfinished:
            hidden = model.state2vec.predict(model.get_token_ids(unfinished))
            unfinished = parser.transition_states(unfinished, hidden @ weights.T + bias)
        model.clear_memory()
        return list(states)


class LexicalLayers:
    """What the first layers make of words without regard to their neighbours.

    Each word of a batch is worked out once. From one batch to the next nothing is kept: the last
    bits of a matrix product depend on which rows are next to each other, and what a text gives
    must not depend on what a process has read before.

    Args:
        embed: The layers, from documents to a matrix each.
        vocab: Holds the static vectors.
    """

    def __init__(self, embed: Any, vocab: Vocab) -> None:
        from spacy.attrs import ORTH

        extract = next(layer for layer in embed.walk() if layer.name == "extract_features")
        self._embed, self._vocab = embed, vocab
        self._attributes = [ORTH, *extract.attrs["columns"]]

    def __call__(self, docs: Sequence[Doc]) -> list[Floats]:
        """Return the vectors of the words of each document."""
        words: Keys = np.concatenate([doc.to_array(self._attributes) for doc in docs])
        # A form decides the other columns but its norm, which a contraction may set: ca, can.
        keys = words[:, 0] ^ words[:, 1] * _MIX
        _, first, place = np.unique(keys, return_index=True, return_inverse=True)
        [vectors] = self._embed.predict([_Words(self._vocab, words[first])])
        return np.split(vectors[place], np.cumsum([len(doc) for doc in docs])[:-1])


@dataclass(frozen=True, slots=True)
class _Words:
    """Words in no order, in the shape of a document as far as the first layers look at one."""

    vocab: Vocab
    words: Keys

    def __len__(self) -> int:
        return len(self.words)

    def to_array(self, attributes: int | list[int]) -> Keys:
        """Return the forms, or where several attributes are asked for, all but the forms."""
        one = isinstance(attributes, int)
        return np.ascontiguousarray(self.words[:, 0] if one else self.words[:, 1:])
