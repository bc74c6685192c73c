"""A causal language model of two layers with drawn weights that reads single letters."""

from __future__ import annotations

from pathlib import Path


def save_letters(folder: Path) -> Path:
    """Write the model as Hugging Face does, and return its folder."""
    import torch
    from tokenizers import Regex, Tokenizer, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    letters = sorted({*map(chr, range(32, 127)), *"àèéìòùÈ\n"})
    words = {sign: place for place, sign in enumerate(["<s>", "</s>", "�", *letters])}
    signs = {"bos_token": "<s>", "eos_token": "</s>", "unk_token": "�"}
    tokenizer = Tokenizer(models.WordLevel(words, unk_token=signs["unk_token"]))
    tokenizer.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated")
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **signs).save_pretrained(folder)
    torch.manual_seed(1)
    config = LlamaConfig(
        vocab_size=len(words),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=2,
        num_attention_heads=4,
        max_position_embeddings=4096,
    )
    LlamaForCausalLM(config).save_pretrained(folder)
    return folder
