"""Train the embedded parser on: python training/continue_parser.py --ud DIR --labelled FILE.

From a pipeline that train_parser.py left behind (or the shipped one) two runs go on, each in two
rounds, on the treebank and on text that teach_parser.py had read; their weights are averaged.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np
import spacy
from spacy.language import Language
from spacy.training.initialize import init_nlp
from spacy.training.loop import train
from spacy.util import load_config
from thinc.api import Config, NumpyOps, set_current_ops

sys.path.insert(0, str(Path(__file__).parents[1]))

from training.shipping import CONFIG, package

from plausibly.backends.spacy import MODEL
from training import labelled as _readers  # noqa: F401  (registers those that settings name)


@dataclass(frozen=True)
class Round:
    """A stretch of training: highest rate, words of labelled text an epoch, steps, seed."""

    rate: float
    words: int
    steps: int
    seed: int


RUNS = (
    (Round(0.002, 800_000, 1_780, 1), Round(0.0008, 500_000, 900, 14)),
    (Round(0.001, 400_000, 1_780, 1), Round(0.0015, 300_000, 930, 22)),
)


def settings(ud: Path, text: Path, start: Path, stretch: Round) -> Config:
    """Return the configuration of one round."""
    config = load_config(CONFIG)
    config["paths"]["vectors"] = str(start)
    config["system"]["seed"] = stretch.seed
    config["components"] = {name: {"source": str(start)} for name in config["nlp"]["pipeline"]}
    config["corpora"] = {
        "train": {
            "@readers": "plausibly.Labelled.v1",
            "path": str(ud / "en_ewt-ud-train.conllu.gz"),
            "labelled": str(text),
            "words": stretch.words,
            "longest": 12,
            "seed": stretch.seed,
        },
        "dev": {**config["corpora"]["dev"], "path": str(ud / "en_ewt-ud-dev.conllu.gz")},
    }
    rate = {"warmup_steps": 100, "total_steps": stretch.steps, "initial_rate": stretch.rate}
    config["training"] |= {
        "dropout": 0.1,
        "max_epochs": 0,
        "max_steps": stretch.steps,
        "eval_frequency": min(250, stretch.steps),
    }
    config["training"]["batcher"]["size"] = 1_500
    config["training"]["optimizer"]["learn_rate"] = {"@schedules": "warmup_linear.v1", **rate}
    return config


def averaged(pipelines: list[Language]) -> Language:
    """Return the first pipeline with the mean of all their weights."""
    first, *_ = pipelines
    for name in first.pipe_names:
        pipes: list[Any] = [nlp.get_pipe(name) for nlp in pipelines]
        for nodes in zip(*(pipe.model.walk() for pipe in pipes), strict=True):
            for param in filter(nodes[0].has_param, nodes[0].param_names):
                mean = np.mean([node.get_param(param) for node in nodes], axis=0, dtype="f8")
                nodes[0].set_param(param, mean.astype("f"))
    return first


@click.command()
@click.option("--ud", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--labelled", type=click.Path(exists=True, path_type=Path), required=True)
@click.option("--model", type=click.Path(exists=True, path_type=Path), default=MODEL)
@click.option("--out", type=click.Path(path_type=Path), required=True)
@click.option("--steps", type=int, help="At most so many a round, to try it out.")
def main(ud: Path, labelled: Path, model: Path, out: Path, steps: int | None) -> None:
    """Write the shipped model to OUT/en_plausibly_ewt."""
    set_current_ops(NumpyOps(use_blis=False))
    ends: list[Path] = []
    for at, stretches in enumerate(RUNS):
        start = model
        for stretch in stretches:
            folder = out / f"{at}-{stretch.seed}"
            folder.mkdir(parents=True, exist_ok=True)
            fewer = Round(
                stretch.rate,
                stretch.words,
                min(stretch.steps, steps or stretch.steps),
                stretch.seed,
            )
            train(init_nlp(settings(ud, labelled, start, fewer)), folder)
            start = folder / "model-best"
        ends.append(start)
    averaged([spacy.load(end) for end in ends]).to_disk(out / "averaged")
    package(out / "averaged", ud, out / "en_plausibly_ewt")


if __name__ == "__main__":
    main()
