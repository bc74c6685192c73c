"""One epoch of MiniLM over ADEPT's pairs: our loop beside the transformers Trainer.

    python benchmarks/finetuning.py --data DATA [--steps 403] [--batch 32] [--threads 1]

Both train all weights of the same encoder on train.json's 12,892 pairs with the same batch size
and threads; the Trainer pads each batch to its longest pair, as its default collator does, in
random order. Needs the extra `transformers`, MiniLM (`plausibly models get minilm`) and
`accelerate`. Times are CPU seconds of this process, loading left out; two steps before each warm
up. With fewer steps than an epoch has, both stop after as many of their batches, and the time is
that of these steps, told as pairs a second; batches are in random order, so their lengths are those
of the epoch but for chance, which is printed as padded pieces a pair beside those of the epoch.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from plausibly.backends.finetuning.encoder import PiecePairs, classifier, tokenised, torch_module
from plausibly.backends.finetuning.recipe import Recipe, batches, one_hot
from plausibly.backends.finetuning.training import fine_tuned
from plausibly.backends.weights import encoder_folder
from plausibly.datasets.adept.pairs import read_pairs

CLASSES = 5


def own_loop(folder: Path, texts: PiecePairs, labels: Any, batch: int, steps: int) -> float:
    """Return what the first steps of our loop take, the loading of the encoder left out."""
    loading = timed(lambda: classifier(folder, CLASSES))
    recipe = Recipe(epochs=1, batch=batch)
    some = np.random.default_rng(1).permutation(len(labels))[: steps * batch]
    targets = one_hot(labels[some], CLASSES)
    return timed(lambda: fine_tuned(folder, texts.of(some), targets, recipe, seed=1)) - loading


def own_pieces(texts: PiecePairs, batch: int, steps: int) -> float:
    """Return how many pieces, padding among them, a pair of our first steps has."""
    lengths = np.asarray(texts.lengths())
    plan = batches(texts.lengths(), batch, np.random.default_rng(1))[:steps]
    return float(sum(lengths[rows].max() * len(rows) for rows in plan) / sum(map(len, plan)))


def trainer(folder: Path, texts: PiecePairs, labels: Any, batch: int, steps: int) -> float:
    """Return what the first steps of the Trainer take, the loading of the encoder left out."""
    from transformers import (
        AutoModelForSequenceClassification,
        AutoTokenizer,
        DataCollatorWithPadding,
        Trainer,
        TrainingArguments,
    )

    tokenizer = AutoTokenizer.from_pretrained(folder)
    rows = [
        {"input_ids": pieces, "token_type_ids": kinds, "labels": int(label)}
        for pieces, kinds, label in zip(texts.pieces, texts.kinds, labels, strict=True)
    ]
    model = AutoModelForSequenceClassification.from_pretrained(folder, num_labels=CLASSES)
    with tempfile.TemporaryDirectory() as place:
        arguments = TrainingArguments(
            output_dir=place,
            max_steps=steps,
            per_device_train_batch_size=batch,
            learning_rate=3e-5,
            save_strategy="no",
            logging_strategy="no",
            report_to=[],
            disable_tqdm=True,
            use_cpu=True,
        )
        fit = Trainer(
            model=model,
            args=arguments,
            train_dataset=rows,
            data_collator=DataCollatorWithPadding(tokenizer),
        )
        return timed(fit.train)


def timed(work: Any) -> float:
    """Return the CPU seconds something takes."""
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Time both and print what each took."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, required=True)
    arguments.add_argument("--steps", type=int, default=403)
    arguments.add_argument("--batch", type=int, default=32)
    arguments.add_argument("--threads", type=int, default=1)
    options = arguments.parse_args()
    torch_module().set_num_threads(options.threads)
    pairs = read_pairs(options.data / "adept" / "train.json")
    folder = encoder_folder("minilm")
    texts = tokenised(folder, pairs["sentence1"].to_list(), pairs["sentence2"].to_list())
    labels = pairs["label"].to_numpy().astype(np.int64)
    for way in (own_loop, trainer):
        way(folder, texts, labels, options.batch, 2)
    ours = own_loop(folder, texts, labels, options.batch, options.steps)
    theirs = trainer(folder, texts, labels, options.batch, options.steps)
    sizes = [own_pieces(texts, options.batch, n) for n in (options.steps, 10**9)]
    print(f"{options.steps} steps of {options.batch} pairs, {options.threads} thread(s)")
    print(f"our loop: {sizes[0]:.2f} padded pieces a pair in these steps, {sizes[1]:.2f} in all")
    print(f"our loop: {ours:.1f} CPU s; Trainer: {theirs:.1f} CPU s; {theirs / ours:.2f} times")


if __name__ == "__main__":
    main()
