"""Surprisal of words next to minicons: python benchmarks/surprisal.py [--texts 2000].

Draws sentences, teaches a byte-level tokeniser on them, draws the weights of a small GPT-2, and
reads the sentences with both tools in one process. Needs minicons (pip install minicons).
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import torch
from minicons.scorer import IncrementalLMScorer  # type: ignore[import-not-found]
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import GPT2Config, GPT2LMHeadModel, PreTrainedTokenizerFast

from plausibly.backends.causal import load_causal
from plausibly.backends.surprisal import Surprisals

END = "<|endoftext|>"
BATCH = 32


def sentences(count: int, seed: int) -> list[str]:
    """Return sentences of drawn words of drawn letters."""
    draw = random.Random(seed)  # noqa: S311
    words = ["".join(draw.choices("etaoinshrdlu", k=draw.randint(1, 9))) for _ in range(3000)]
    return [" ".join(draw.choices(words, k=draw.randint(3, 20))) + "." for _ in range(count)]


def save_model(folder: Path, texts: list[str], *, layers: int, width: int) -> None:
    """Write a GPT-2 with drawn weights and a tokeniser of its own."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=8000, special_tokens=[END], initial_alphabet=alphabet, show_progress=False
    )
    tokenizer.train_from_iterator(texts, trainer)
    signs = {"bos_token": END, "eos_token": END}
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **signs).save_pretrained(folder)
    torch.manual_seed(1)
    size = tokenizer.get_vocab_size()
    config = GPT2Config(vocab_size=size, n_embd=width, n_layer=layers, n_head=4)
    GPT2LMHeadModel(config).save_pretrained(folder)


def theirs(scorer: Any, texts: list[str]) -> list[list[float]]:
    """Return the bits of each word as minicons has them."""
    found: list[list[float]] = []
    for first in range(0, len(texts), BATCH):
        scored = scorer.word_score_tokenized(
            texts[first : first + BATCH],
            tokenize_function=str.split,
            bow_correction=True,
            bos_token=True,
            surprisal=True,
            base_two=True,
        )
        found += [[bits for _, bits in words] for words in scored]
    return found


def timed(work: Callable[[], list[list[float]]]) -> tuple[float, list[list[float]]]:
    """Return CPU seconds of the second of two runs, and what came of it."""
    work()
    start = process_time()
    found = work()
    return process_time() - start, found


def main() -> None:
    """Print both times, their ratio and the largest difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=2000)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--width", type=int, default=256)
    chosen = parser.parse_args()
    texts = sentences(chosen.texts, seed=1)
    with TemporaryDirectory() as folder:
        save_model(Path(folder), texts, layers=chosen.layers, width=chosen.width)
        reader = Surprisals(load_causal(Path(folder)))
        scorer = IncrementalLMScorer(folder, "cpu")
        ours, own = timed(lambda: [[one.bits for one in words] for words in reader.of(texts)])
        peer, other = timed(lambda: theirs(scorer, texts))
    pairs = [
        (a, b) for one, two in zip(own, other, strict=True) for a, b in zip(one, two, strict=True)
    ]
    print(f"{chosen.texts} texts, {len(pairs)} words")
    print(f"plausibly {ours:.2f} CPU s, minicons {peer:.2f} CPU s, ratio {peer / ours:.1f}")
    print(f"largest difference {max(abs(a - b) for a, b in pairs):.2e} bits")


if __name__ == "__main__":
    main()
