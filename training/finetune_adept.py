"""Fine-tune sentence encoders on ADEPT's pairs, a cell of the grid at a time.

    python training/finetune_adept.py --grid tried --data DATA -o CELLS
    python training/finetune_adept.py --grid paper --encoder mpnet=FOLDER --data DATA -o CELLS

A cell is a recipe, a number of classes, a fold and a seed. Folds are by noun: no noun of the pairs
held out stands in the pairs trained on, so a recipe can be chosen without looking at val.json. In
fold `all` every pair of train.json is trained on. A cell writes the probabilities of the pairs it
held out and of val.json to its own file, and a cell whose file is there is not computed again:
stop it whenever you like, and start it with the same line. Needs the extra `transformers`, and
nothing else of the package's dependencies but NumPy.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from plausibly.backends.finetuning.encoder import PiecePairs, scores, small_weights, tokenised
from plausibly.backends.finetuning.recipe import Recipe
from plausibly.backends.finetuning.training import fine_tuned

FOLDS = 5
ALL = "all"
# From the five labels of a pair to its class; -1 is left out (sections 3, 4.2 and 5.3).
CLASSES = {5: (0, 1, 2, 3, 4), 4: (-1, 0, 1, 2, 3), 3: (0, 0, 1, 2, 2)}

MINILM = Recipe(encoder="minilm", rate=3e-5)
MPNET = Recipe(encoder="mpnet", rate=1.2e-5, rdrop=1.0)
ADAPTER = replace(MINILM, rank=16, rate=2e-4, epochs=5)
RECIPES = {
    "minilm": MINILM,
    "minilm-rdrop": replace(MINILM, rdrop=1.0),
    "minilm-ordinal": replace(MINILM, ordinal=1.0),
    "minilm-balance": replace(MINILM, balance=0.5),
    "minilm-long": replace(MINILM, epochs=6),
    "minilm-words": replace(MINILM, context=False),
    "minilm-frozen": replace(MINILM, frozen=True, rate=3e-4, epochs=10),
    "minilm-adapter": ADAPTER,
    "mpnet": MPNET,
    "mpnet-plain": replace(MPNET, rdrop=0.0),
    "mpnet-ordinal": replace(MPNET, ordinal=1.0),
    "mpnet-balance": replace(MPNET, balance=0.5),
    "mpnet-long": replace(MPNET, epochs=5),
    "mpnet-words": replace(MPNET, context=False),
    "mpnet-frozen": replace(MPNET, frozen=True, rdrop=0.0, rate=3e-4, epochs=10),
}


@dataclass(frozen=True, slots=True)
class Cell:
    """One fit: a recipe by name, its classes, the fold that is held out, and the seed."""

    name: str
    recipe: Recipe
    classes: int
    fold: str
    seed: int

    def file(self, folder: Path) -> Path:
        """Return where its probabilities are kept."""
        return folder / f"{self.name}.{self.classes}.{self.fold}.{self.seed}.npz"


@dataclass(frozen=True, slots=True)
class Job:
    """What a cell is computed with."""

    encoders: dict[str, str]
    data: str
    folder: str
    most_steps: int | None


def grid_paper(names: Sequence[str]) -> Iterator[tuple[str, Recipe]]:
    """Yield the grid of the paper (section 5.1) for every encoder: 36 recipes each."""
    for name, rate, epochs, batch in product(names, (1e-5, 3e-5, 5e-5), (3, 4, 5, 8), (8, 16, 32)):
        recipe = Recipe(
            encoder=name, rate=rate, epochs=epochs, batch=batch, smoothing=0.0, head_times=1.0
        )
        yield f"{name}-r{rate:g}-e{epochs}-b{batch}", recipe


def cells_of(options: argparse.Namespace) -> list[Cell]:
    """Return the cells asked for, those of one recipe together."""
    if options.grid == "paper":
        recipes = dict(grid_paper(sorted(options.encoder)))
    else:
        names = options.recipe or sorted(RECIPES)
        recipes = {name: RECIPES[name] for name in names}
        recipes = {n: r for n, r in recipes.items() if r.encoder in options.encoder}
    return [
        Cell(name, recipe, classes, fold, seed)
        for name, recipe in recipes.items()
        for classes, fold, seed in product(options.classes, options.fold, options.seed)
    ]


def fold_of(noun: str) -> int:
    """Return the fold a noun is in, the same everywhere."""
    return zlib.crc32(noun.lower().encode()) % FOLDS


def pairs_of(path: Path, recipe: Recipe, folder: Path) -> tuple[list[dict[str, Any]], PiecePairs]:
    """Return the pairs of a file and their texts as word pieces."""
    pairs = json.loads(path.read_text(encoding="utf-8"))
    names = ("sentence1", "sentence2") if recipe.context else ("noun", "modifier")
    firsts, seconds = ([str(pair[name]) for pair in pairs] for name in names)
    return pairs, tokenised(folder, firsts, seconds)


def softmax(logits: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the probabilities of raw scores."""
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return (odds / odds.sum(axis=1, keepdims=True)).astype(np.float32)


def compute(cell: Cell, job: Job) -> str:
    """Fit one cell, write its probabilities, and return a line about it."""
    start = time.monotonic()
    encoder = Path(job.encoders[cell.recipe.encoder])
    train, texts = pairs_of(Path(job.data) / "train.json", cell.recipe, encoder)
    dev, dev_texts = pairs_of(Path(job.data) / "val.json", cell.recipe, encoder)
    classes = np.array([CLASSES[cell.classes][pair["label"]] for pair in train])
    out = np.array([str(fold_of(pair["noun"])) == cell.fold for pair in train])
    labels = np.where(out, -1, classes)
    recipe = replace(cell.recipe, most_steps=job.most_steps)
    model = fine_tuned(encoder, texts, labels, recipe, classes=cell.classes, seed=cell.seed)
    arrays = {"val": softmax(scores(model, dev_texts))}
    arrays["val_idx"] = np.array([pair["idx"] for pair in dev])
    if out.any():
        rows = np.flatnonzero(out)
        held = PiecePairs(
            [texts.pieces[n] for n in rows], [texts.kinds[n] for n in rows], texts.padding
        )
        arrays["held"] = softmax(scores(model, held))
        arrays["held_idx"] = np.array([train[n]["idx"] for n in rows])
    if cell.recipe.rank and cell.fold == ALL:
        arrays |= {f"weights/{name}": array for name, array in small_weights(model).items()}
    arrays["recipe"] = np.array(json.dumps(asdict(cell.recipe)))
    return _written(cell, Path(job.folder), arrays, time.monotonic() - start)


def _written(cell: Cell, folder: Path, arrays: dict[str, Any], seconds: float) -> str:
    path = cell.file(folder)
    part = path.with_suffix(f".{os.getpid()}.part")
    with part.open("wb") as stream:
        np.savez_compressed(stream, **arrays)
    part.replace(path)
    return f"{path.stem}: {seconds:.1f} s"


def run(cells: Sequence[Cell], job: Job, *, workers: int, until: float) -> Iterator[str]:
    """Compute the cells that have no file yet; start none after `until` seconds."""
    begun = time.monotonic()
    folder = Path(job.folder)
    missing = [cell for cell in cells if not cell.file(folder).exists()]
    if workers == 1:
        for cell in missing:
            if time.monotonic() - begun < until:
                yield compute(cell, job)
        return
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        waiting = iter(missing)
        running: list[Any] = []
        while True:
            while len(running) < workers and time.monotonic() - begun < until:
                cell = next(waiting, None)
                if cell is None:
                    break
                running.append(pool.apply_async(compute, (cell, job)))
            if not running:
                return
            done = [task for task in running if task.ready()]
            running = [task for task in running if not task.ready()] if done else running
            yield from (task.get() for task in done)
            time.sleep(0.05)


def encoders(options: argparse.Namespace) -> dict[str, str]:
    """Return the folders of the encoders: as told, or where the weights are installed."""
    folders = dict(text.split("=", 1) for text in options.encoder)
    if not folders:
        from plausibly.backends.weights import encoder_folder

        folders = {name: str(encoder_folder(name)) for name in ("minilm", "mpnet")}
    return folders


def main() -> None:
    """Read the command line and compute."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--grid", choices=("tried", "paper"), default="tried")
    parser.add_argument("--recipe", nargs="*", choices=sorted(RECIPES), help="of the tried ones")
    parser.add_argument("--encoder", nargs="*", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--classes", nargs="*", type=int, choices=CLASSES, default=[3, 5])
    parser.add_argument("--fold", nargs="*", default=[*map(str, range(FOLDS)), ALL])
    parser.add_argument("--seed", nargs="*", type=int, default=[1, 2, 3])
    parser.add_argument("--data", required=True, help="folder with train.json and val.json")
    parser.add_argument("-o", "--out", required=True)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--until", type=float, default=float("inf"), metavar="SECONDS")
    parser.add_argument("--most-steps", type=int, help="stop every fit early, to try it out")
    options = parser.parse_args()
    options.encoder = encoders(options)
    Path(options.out).mkdir(parents=True, exist_ok=True)
    job = Job(options.encoder, options.data, options.out, options.most_steps)
    for line in run(cells_of(options), job, workers=options.workers, until=options.until):
        print(line, flush=True)


if __name__ == "__main__":
    main()
