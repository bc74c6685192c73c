"""One epoch of MiniLM over ADEPT's pairs: our loop beside the transformers Trainer.

    python benchmarks/finetuning.py --data DATA [--pairs 12892] [--batch 32] [--threads 1]

Both train all weights of the same encoder on the same pairs with the same batch size and threads;
the Trainer pads each batch to its longest pair, as its default collator does, in random order.
Needs the extra `transformers`, MiniLM (`plausibly models get minilm`) and `accelerate`. Times are
CPU seconds of this process; a few steps before each warm up. With fewer pairs than 12,892 both see
the same random part of them, and a step costs what it costs in the whole epoch.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from plausibly.backends.finetuning.encoder import PiecePairs, tokenised, torch_module
from plausibly.backends.finetuning.recipe import Recipe
from plausibly.backends.finetuning.training import fine_tuned
from plausibly.backends.weights import encoder_folder
from plausibly.datasets.adept.pairs import read_pairs

CLASSES = 5


def own_loop(folder: Path, texts: PiecePairs, labels: Any, batch: int) -> float:
    """Return what one epoch of our loop takes, the loading of the encoder left out."""
    recipe = Recipe(encoder="minilm", epochs=1, batch=batch)
    loading = timed(
        lambda: fine_tuned(
            folder,
            texts,
            labels,
            Recipe(encoder="minilm", epochs=1, batch=batch, most_steps=0),
            classes=CLASSES,
            seed=1,
        )
    )
    whole = timed(lambda: fine_tuned(folder, texts, labels, recipe, classes=CLASSES, seed=1))
    return whole - loading


def trainer(folder: Path, texts: PiecePairs, labels: Any, batch: int) -> float:
    """Return what one epoch of the Trainer takes, the loading of the encoder left out."""
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
            num_train_epochs=1,
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
    arguments.add_argument("--pairs", type=int, default=12_892)
    arguments.add_argument("--batch", type=int, default=32)
    arguments.add_argument("--threads", type=int, default=1)
    options = arguments.parse_args()
    torch_module().set_num_threads(options.threads)
    pairs = read_pairs(options.data / "adept" / "train.json")
    pairs = pairs.sample(min(options.pairs, pairs.height), seed=1, shuffle=True)
    folder = encoder_folder("minilm")
    texts = tokenised(folder, pairs["sentence1"].to_list(), pairs["sentence2"].to_list())
    labels = pairs["label"].to_numpy().astype(np.int64)
    few = PiecePairs(texts.pieces[:64], texts.kinds[:64], texts.padding)
    for way in (own_loop, trainer):
        way(folder, few, labels[:64], options.batch)
    ours = own_loop(folder, texts, labels, options.batch)
    theirs = trainer(folder, texts, labels, options.batch)
    print(f"{pairs.height} pairs, batches of {options.batch}, {options.threads} thread(s)")
    print(f"our loop: {ours:.1f} CPU s; Trainer: {theirs:.1f} CPU s; {theirs / ours:.2f} times")


if __name__ == "__main__":
    main()
