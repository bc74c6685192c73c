"""How near a sentence is to a reference: BLEU and chrF by sacrebleu, similarity by an encoder."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import redirect_stderr
from io import StringIO
from typing import Any

from plausibly.backends.weights import encoder_folder
from plausibly.errors import MissingExtra

AT_ONCE = 32


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
    folder = encoder_folder("minilm")
    try:
        import torch
        from transformers import AutoModel, AutoTokenizer
    except ImportError as error:
        raise MissingExtra("similarity of sentences", "transformers") from error
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
    with redirect_stderr(StringIO()):  # bars of others are not ours
        model = AutoModel.from_pretrained(folder, local_files_only=True).eval()
    texts = list(dict.fromkeys([*sentences, *references]))
    vectors: dict[str, Any] = {}
    with torch.inference_mode():
        for place in range(0, len(texts), AT_ONCE):
            part = texts[place : place + AT_ONCE]
            batch = tokenizer(part, padding=True, truncation=True, return_tensors="pt")
            hidden = model(**batch).last_hidden_state
            seen = batch["attention_mask"].unsqueeze(-1)
            mean = (hidden * seen).sum(dim=1) / seen.sum(dim=1)
            vectors |= zip(part, torch.nn.functional.normalize(mean, dim=-1), strict=True)
    return [float(vectors[a] @ vectors[b]) for a, b in zip(sentences, references, strict=True)]
