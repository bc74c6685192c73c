"""The training loop: losses, learning rates, and a checkpoint after every epoch."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from plausibly.backends.finetuning.encoder import (
    Classifier,
    PiecePairs,
    classifier,
    logits_of,
    torch_module,
)
from plausibly.backends.finetuning.recipe import Floats, Ints, Recipe, batches, class_weights
from plausibly.io import replacing


def pieces_that_occur(texts: PiecePairs) -> Ints:
    """Return the numbers of the pieces in order; those up to the padding keep their places.

    >>> pieces_that_occur(PiecePairs([[7, 3], [9, 3]], [[0, 1], [0, 1]], padding=1)).tolist()
    [0, 1, 3, 7, 9]
    """
    first = np.arange(texts.padding + 1)
    return np.unique(np.concatenate([first, *map(np.asarray, texts.pieces)])).astype(np.int64)


def renumbered(texts: PiecePairs, kept: Ints) -> PiecePairs:
    """Return the pairs with every piece as its place among those kept."""
    pieces = [np.searchsorted(kept, row).tolist() for row in texts.pieces]
    return PiecePairs(pieces, texts.kinds, texts.padding)


@contextmanager
def narrowed(torch: Any, model: Classifier, texts: PiecePairs) -> Iterator[PiecePairs]:
    """Leave the encoder with the vectors of the pieces that occur, and yield the pairs in them.

    Afterwards the encoder has all its vectors again: those it learnt with, and the others as they
    were (with weight decay alone they would have shrunk by a share of one in thousands).
    """
    whole = model.encoder.get_input_embeddings()
    kept = pieces_that_occur(texts)
    places = torch.from_numpy(kept).to(model.device)
    part = torch.nn.Embedding.from_pretrained(
        whole.weight.detach()[places].clone(), freeze=False, padding_idx=whole.padding_idx
    )
    model.encoder.set_input_embeddings(part)
    try:
        yield renumbered(texts, kept)
    finally:
        with torch.no_grad():
            whole.weight[places] = part.weight
        model.encoder.set_input_embeddings(whole)


WARM = 0.1
DECAY = 0.01
LONGEST_STEP = 1.0


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Where a fit is kept after every epoch, so that one that was stopped can go on.

    Args:
        path: The file; removed by whoever stores the finished fit.
    """

    path: Path

    def read(self, torch: Any) -> dict[str, Any] | None:
        """Return the state after the last whole epoch; None before there is one."""
        if not self.path.is_file():
            return None
        state: dict[str, Any] = torch.load(self.path, map_location="cpu", weights_only=True)
        return state

    def write(self, torch: Any, state: dict[str, Any]) -> None:
        """Keep a state, whole or not at all."""
        with replacing(self.path) as temporary:
            torch.save(state, temporary)


def fine_tuned(
    folder: Path,
    texts: PiecePairs,
    targets: Floats,
    recipe: Recipe,
    *,
    seed: int,
    kept: Checkpoint | None = None,
) -> Classifier:
    """Return the encoder in a folder, fine-tuned to predict the classes of the pairs.

    Args:
        folder: Weights and word pieces of the encoder.
        texts: The pairs, in the word pieces of this encoder.
        targets: One row per pair and one column per class: 1 for its label, or people's shares
            (soft labels); rows of zeros are left out.
        recipe: How it learns.
        seed: Seed of the layer on top, the order of the pairs and dropout.
        kept: Where the fit is kept after every epoch; one that was stopped goes on there, and ends
            as it would have without the stop.
    """
    torch = torch_module()
    model = classifier(folder, targets.shape[1], rank=recipe.rank, seed=seed)
    used = np.flatnonzero(targets.sum(axis=1) > 0)
    own = texts.of(used)
    if recipe.frozen:
        for parameter in model.encoder.parameters():
            parameter.requires_grad_(False)
    learnt = not recipe.frozen and not recipe.rank
    with narrowed(torch, model, own) if learnt else nullcontext(own) as pairs:
        _learn(torch, _Fit(model, pairs, targets[used], recipe, kept), seed)
    return model


@dataclass(frozen=True, slots=True)
class _Fit:
    model: Classifier
    texts: PiecePairs
    targets: Floats
    recipe: Recipe
    kept: Checkpoint | None


def _learn(torch: Any, fit: _Fit, seed: int) -> None:
    """Pass the pairs through the encoder, a batch at a time, and let it learn."""
    model, recipe = fit.model, fit.recipe
    generator = np.random.default_rng(seed)
    lengths = fit.texts.lengths()
    epochs = [batches(lengths, recipe.batch, generator) for _ in range(recipe.epochs)]
    steps = sum(map(len, epochs))
    weights = class_weights(fit.targets.sum(axis=0), recipe.balance)
    loss = _losses(torch, recipe, weights, model)
    optimizer = _optimizer(torch, model, recipe)
    learning = [*_inside(model), *_on_top(model)]
    model.encoder.train(not recipe.frozen)
    model.head.train()
    torch.manual_seed(seed)
    begun = _resumed(torch, fit, learning, optimizer)
    step = sum(map(len, epochs[:begun]))
    for number, plan in enumerate(epochs[begun:], start=begun + 1):
        for rows in plan:
            _set_rates(optimizer, recipe, step, steps)
            target = torch.from_numpy(fit.targets[rows]).to(model.device)
            table = logits_of(torch, model, fit.texts, np.tile(rows, passes(recipe)))
            value = loss(list(table.split(len(rows))), target)
            optimizer.zero_grad(set_to_none=True)
            value.backward()
            torch.nn.utils.clip_grad_norm_(learning, LONGEST_STEP)
            optimizer.step()
            step += 1
        if fit.kept is not None:
            fit.kept.write(torch, _state(torch, number, learning, optimizer))


def _state(torch: Any, epoch: int, learning: list[Any], optimizer: Any) -> dict[str, Any]:
    chance = torch.cuda.get_rng_state() if torch.cuda.is_available() else None
    return {
        "epoch": epoch,
        "learning": [parameter.detach().cpu() for parameter in learning],
        "optimizer": optimizer.state_dict(),
        "chance": torch.get_rng_state(),
        "device_chance": chance,
    }


def _resumed(torch: Any, fit: _Fit, learning: list[Any], optimizer: Any) -> int:
    """Put back what was kept of a fit, and return how many epochs are done."""
    state = fit.kept.read(torch) if fit.kept is not None else None
    if state is None:
        return 0
    with torch.no_grad():
        for parameter, value in zip(learning, state["learning"], strict=True):
            parameter.copy_(value)
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["chance"])
    if state["device_chance"] is not None and torch.cuda.is_available():
        torch.cuda.set_rng_state(state["device_chance"])
    return int(state["epoch"])


def passes(recipe: Recipe) -> int:
    """Return how often a step passes its pairs through the encoder."""
    return 2 if recipe.rdrop else 1


def _inside(model: Classifier) -> list[Any]:
    return [parameter for parameter in model.encoder.parameters() if parameter.requires_grad]


def _on_top(model: Classifier) -> list[Any]:
    return [*model.head.parameters(), *(p for pair in model.updates.values() for p in pair)]


def _optimizer(torch: Any, model: Classifier, recipe: Recipe) -> Any:
    slow, fast = _inside(model), _on_top(model)
    shrunk, plain = [p for p in slow if p.ndim > 1], [p for p in slow if p.ndim <= 1]
    groups = [
        {"params": shrunk, "weight_decay": DECAY, "times": 1.0},
        {"params": plain, "weight_decay": 0.0, "times": 1.0},
        {"params": fast, "weight_decay": DECAY, "times": recipe.head_times},
    ]
    kept = [group for group in groups if group["params"]]
    return torch.optim.AdamW(kept, lr=recipe.rate, fused=True)


def _set_rates(optimizer: Any, recipe: Recipe, step: int, steps: int) -> None:
    warm = max(1, int(WARM * steps))
    share = (step + 1) / warm if step < warm else (steps - step) / max(1, steps - warm)
    for group in optimizer.param_groups:
        group["lr"] = recipe.rate * group["times"] * share


def _losses(
    torch: Any, recipe: Recipe, weights: Any, model: Classifier
) -> Callable[[list[Any], Any], Any]:
    """Return the loss of the scores of one step: one table of scores for each pass."""
    functional = torch.nn.functional
    weight = torch.from_numpy(weights).to(model.device)

    def loss(tables: list[Any], target: Any) -> Any:
        value = torch.stack(
            [
                functional.cross_entropy(
                    table, target, weight=weight, label_smoothing=recipe.smoothing
                )
                for table in tables
            ]
        ).mean()
        if recipe.ordinal:
            truth = target.cumsum(1)
            gaps = [(table.softmax(1).cumsum(1) - truth).square().sum(1) for table in tables]
            value = value + recipe.ordinal * torch.stack(gaps).mean()
        if recipe.rdrop:
            one, two = (table.log_softmax(1) for table in tables)
            gap = ((one - two) * (one.exp() - two.exp())).sum(1).mean() / 2
            value = value + recipe.rdrop * gap
        return value

    return loss
