"""Causal language models of two layers with drawn weights: of single letters, or of words."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any


def save_letters(folder: Path, *, window: int | None = None) -> Path:
    """Write the model as Hugging Face does, and return its folder.

    Args:
        folder: Where it is written.
        window: How far one of the layers sees, as in Gemma 3; None for a Llama, which has none.
    """
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers

    letters = sorted({*map(chr, range(32, 127)), *"àèéìòùÈ\n"})
    words = {sign: place for place, sign in enumerate(["<s>", "</s>", "�", *letters])}
    signs = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "�"}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token=signs["unk_token"]))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated")
    return _saved(folder, tokenizer, signs, window=window)


def save_pieces(folder: Path, texts: Iterable[str]) -> Path:
    """Write a Llama whose tokenizer learnt its pieces of words from texts; return its folder."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=2000,
        special_tokens=["<s>", "</s>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(texts, trainer)
    return _saved(folder, tokenizer, {"bos_token": "<s>", "eos_token": "</s>"})


def _saved(
    folder: Path, tokenizer: Any, signs: dict[str, str], *, window: int | None = None
) -> Path:
    import torch
    from transformers import (
        Gemma3ForCausalLM,
        Gemma3TextConfig,
        LlamaConfig,
        LlamaForCausalLM,
        PreTrainedTokenizerFast,
    )

    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **signs).save_pretrained(folder)
    torch.manual_seed(1)
    size = {
        "vocab_size": tokenizer.get_vocab_size(),
        "hidden_size": 32,
        "intermediate_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "max_position_embeddings": 4096,
    }
    if window is None:
        LlamaForCausalLM(LlamaConfig(**size)).save_pretrained(folder)
        return folder
    layers = {"layer_types": ["sliding_attention", "full_attention"], "sliding_window": window}
    ends = {"bos_token_id": 0, "eos_token_id": 1, "pad_token_id": 1}
    config = Gemma3TextConfig(**size, **layers, **ends, head_dim=8, num_key_value_heads=1)
    Gemma3ForCausalLM(config).save_pretrained(folder)
    return folder
