"""Encoders with random weights and few words, as transformers reads them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def tiny_encoder(folder: Path, words: Sequence[str], *, kind: str = "Bert") -> Path:
    """Return the folder of an encoder with two layers of 16; `words` begin with the special ones.

    Args:
        folder: Where it is written.
        words: All word pieces.
        kind: The family of the encoder, as transformers calls its classes.
    """
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    torch.set_num_threads(1)
    torch.manual_seed(1)
    (folder / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    config = getattr(transformers, f"{kind}Config")(
        vocab_size=len(words),
        hidden_size=16,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=32,
        pad_token_id=0,
    )
    getattr(transformers, f"{kind}Model")(config).save_pretrained(folder)
    transformers.BertTokenizer(vocab=str(folder / "vocab.txt")).save_pretrained(folder)
    return folder
