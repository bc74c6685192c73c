"""Sentences as vectors: the mean of an encoder's word pieces, at length 1."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import redirect_stderr
from io import StringIO

import numpy as np
import numpy.typing as npt

from plausibly.backends.weights import encoder_folder
from plausibly.errors import MissingExtra

ENCODER = "minilm"
AT_ONCE = 32


def sentence_vectors(texts: Sequence[str], *, purpose: str) -> npt.NDArray[np.float64]:
    """Return the vector of each text under all-MiniLM-L6-v2 (Reimers and Gurevych 2019).

    Args:
        texts: The sentences; one that stands twice is read once.
        purpose: What they are for, which a message about a missing extra says.
    """
    try:
        import torch
        from transformers import AutoModel, AutoTokenizer
    except ImportError as error:
        raise MissingExtra(purpose, "transformers") from error
    folder = encoder_folder(ENCODER)
    os.environ.setdefault("HF_HUB_OFFLINE", "1")
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token
    with redirect_stderr(StringIO()):  # bars of others are not ours
        model = AutoModel.from_pretrained(folder, local_files_only=True).eval()
    distinct = list(dict.fromkeys(texts))
    parts = [np.zeros((0, int(model.config.hidden_size)))]
    with torch.inference_mode():
        for place in range(0, len(distinct), AT_ONCE):
            part = distinct[place : place + AT_ONCE]
            batch = tokenizer(part, padding=True, truncation=True, return_tensors="pt")
            hidden = model(**batch).last_hidden_state
            seen = batch["attention_mask"].unsqueeze(-1)
            mean = (hidden * seen).sum(dim=1) / seen.sum(dim=1)
            parts.append(torch.nn.functional.normalize(mean, dim=-1).double().numpy())
    table = np.concatenate(parts)
    row = {text: number for number, text in enumerate(distinct)}
    return table[[row[text] for text in texts]]
