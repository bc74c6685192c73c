"""How near a sentence is to a reference: BLEU and chrF by sacrebleu, similarity by an encoder."""

from __future__ import annotations

from collections.abc import Sequence

from plausibly.backends.sentences import sentence_vectors
from plausibly.errors import MissingExtra


def bleu_and_chrf(sentences: Sequence[str], references: Sequence[str]) -> list[tuple[float, float]]:
    """Return BLEU and chrF of each sentence against its reference, from 0 to 100.

    BLEU is that of single sentences, with effective order and exponential smoothing (Post 2018).
    """
    try:
        from sacrebleu import sentence_bleu, sentence_chrf
    except ImportError as error:
        raise MissingExtra("BLEU and chrF", "metrics") from error
    return [
        (sentence_bleu(one, [other]).score, sentence_chrf(one, [other]).score)
        for one, other in zip(sentences, references, strict=True)
    ]


def similarities(sentences: Sequence[str], references: Sequence[str]) -> list[float]:
    """Return the cosine of each sentence and its reference under all-MiniLM-L6-v2."""
    both = sentence_vectors([*sentences, *references], purpose="similarity of sentences")
    first, second = both[: len(sentences)], both[len(sentences) :]
    return [float(cosine) for cosine in (first * second).sum(axis=1)]
