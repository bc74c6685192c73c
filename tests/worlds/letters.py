"""A causal language model of two layers with drawn weights that reads single letters."""

from __future__ import annotations

from pathlib import Path


def save_letters(folder: Path, *, window: int | None = None) -> Path:
    """Write the model as Hugging Face does, and return its folder.

    Args:
        folder: Where it is written.
        window: How far one of the layers sees, as in Gemma 3; None for a Llama, which has none.
    """
    import torch
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers
    from transformers import (
        Gemma3ForCausalLM,
        Gemma3TextConfig,
        LlamaConfig,
        LlamaForCausalLM,
        PreTrainedTokenizerFast,
    )

    letters = sorted({*map(chr, range(32, 127)), *"àèéìòùÈ\n"})
    words = {sign: place for place, sign in enumerate(["<s>", "</s>", "�", *letters])}
    signs = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "�"}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token=signs["unk_token"]))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated")
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **signs).save_pretrained(folder)
    torch.manual_seed(1)
    size = {
        "vocab_size": len(words),
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
