"""A sentence encoder with a layer of classes on top, read from a folder of weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from plausibly.backends.finetuning.recipe import Floats
from plausibly.errors import MissingExtra, StudyError

LONGEST = 96
BATCH = 256
ADAPTED = 2.0


@dataclass(frozen=True, slots=True)
class PiecePairs:
    """Pairs of texts as numbers of word pieces.

    Args:
        pieces: The numbers of each pair.
        kinds: 0 for a piece of the first text, 1 for one of the second.
        padding: The number that fills up a batch.
    """

    pieces: list[list[int]]
    kinds: list[list[int]]
    padding: int

    def lengths(self) -> list[int]:
        """Return how many pieces every pair has."""
        return [len(row) for row in self.pieces]

    def of(self, rows: npt.NDArray[np.int64]) -> PiecePairs:
        """Return some of the pairs, by number."""
        pieces, kinds = ([table[n] for n in rows] for table in (self.pieces, self.kinds))
        return PiecePairs(pieces, kinds, self.padding)


@dataclass(slots=True)
class Classifier:
    """An encoder, the layer on top of it and its low-rank updates.

    Args:
        encoder: The encoder, a torch module.
        head: The layer on top.
        updates: From a layer's name to the two factors of its update.
        device: Where it computes.
    """

    encoder: Any
    head: Any
    updates: dict[str, tuple[Any, Any]]
    device: str


def torch_module() -> Any:
    """Return torch, or say which extra holds it."""
    try:
        import torch
        import transformers
    except ImportError as error:
        raise MissingExtra("fine-tuned encoders", "transformers") from error
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    return torch


def tokenised(folder: Path, firsts: Sequence[str], seconds: Sequence[str] | None) -> PiecePairs:
    """Return pairs of texts, or single texts, in the word pieces of the encoder in a folder."""
    torch_module()
    from transformers import AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(folder)
    except (OSError, ValueError) as error:
        raise StudyError(f"{folder}: transformers cannot read its tokenizer: {error}") from error
    if tokenizer.pad_token_id is None:
        raise StudyError(f"{folder}: its tokenizer has no padding token, which an encoder needs.")
    read = tokenizer(
        list(firsts),
        None if seconds is None else list(seconds),
        truncation=True,
        max_length=LONGEST,
        return_token_type_ids=True,
    )
    return PiecePairs(read["input_ids"], read["token_type_ids"], int(tokenizer.pad_token_id))


def classifier(folder: Path, classes: int, *, rank: int = 0, seed: int = 1) -> Classifier:
    """Return the encoder in a folder with an untrained layer of `classes` on top."""
    torch = torch_module()
    torch.manual_seed(seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    encoder = _encoder(folder).float().to(device)
    width = int(encoder.config.hidden_size)
    head = torch.nn.Linear(2 * width, classes).to(device)
    torch.nn.init.normal_(head.weight, std=0.02)
    torch.nn.init.zeros_(head.bias)
    made = Classifier(encoder, head, {}, device)
    if rank:
        _adapt(torch, made, rank)
    return made


def _encoder(folder: Path) -> Any:
    """Return what transformers' AutoModel reads from a folder, without a layer of its own on top.

    Raises:
        StudyError: If there is no encoder in the folder.
    """
    from transformers import MODEL_MAPPING, AutoConfig, AutoModel

    if not (folder / "config.json").is_file():
        raise StudyError(f"{folder}: no encoder in it: there is no config.json.")
    try:
        config = AutoConfig.from_pretrained(folder)
    except (OSError, ValueError) as error:
        raise StudyError(f"{folder}: transformers cannot read its config.json: {error}") from error
    if getattr(config, "is_encoder_decoder", False) or type(config) not in MODEL_MAPPING:
        raise StudyError(f"{folder}: not an encoder, but a {config.model_type}.")
    takes = signature(MODEL_MAPPING[type(config)].__init__).parameters
    bare = {"add_pooling_layer": False} if "add_pooling_layer" in takes else {}
    return AutoModel.from_pretrained(folder, **bare)


def adapted_layers(encoder: Any) -> list[tuple[str, Any]]:
    """Return the linear layers inside the encoder's blocks, by name."""
    return [
        (name, module)
        for name, module in encoder.named_modules()
        if type(module).__name__ == "Linear" and ".layer." in f".{name}"
    ]


def _adapt(torch: Any, model: Classifier, rank: int) -> None:
    """Add a low-rank update to every linear layer; the second factor starts at zero."""
    for parameter in model.encoder.parameters():
        parameter.requires_grad_(False)
    for name, layer in adapted_layers(model.encoder):
        first = torch.randn(layer.in_features, rank, device=model.device) / layer.in_features**0.5
        second = torch.zeros(rank, layer.out_features, device=model.device)
        factors = torch.nn.Parameter(first), torch.nn.Parameter(second)
        model.updates[name] = factors
        layer.register_forward_hook(_updating(factors))


def _updating(factors: tuple[Any, Any]) -> Any:
    first, second = factors

    def hook(_module: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        return output + ADAPTED * (inputs[0] @ first @ second)

    return hook


def logits_of(torch: Any, model: Classifier, texts: PiecePairs, rows: npt.NDArray[np.int64]) -> Any:
    """Return the raw class scores of some pairs: from the first piece and the mean of all."""
    longest = max(len(texts.pieces[row]) for row in rows)
    pieces = np.full((len(rows), longest), texts.padding, dtype=np.int64)
    kinds = np.zeros((len(rows), longest), dtype=np.int64)
    mask = np.zeros((len(rows), longest), dtype=np.int64)
    for place, row in enumerate(rows):
        size = len(texts.pieces[row])
        pieces[place, :size] = texts.pieces[row]
        kinds[place, :size] = texts.kinds[row]
        mask[place, :size] = 1
    arrays = [torch.from_numpy(table).to(model.device) for table in (pieces, mask, kinds)]
    inputs = {"input_ids": arrays[0], "attention_mask": arrays[1]}
    if int(getattr(model.encoder.config, "type_vocab_size", 0) or 0) > 1:
        inputs["token_type_ids"] = arrays[2]
    half = model.device == "cuda"
    with torch.autocast(model.device, dtype=torch.bfloat16, enabled=half):
        states = model.encoder(**inputs).last_hidden_state.float()
    weights = arrays[1].float().unsqueeze(-1)
    mean = (states * weights).sum(1) / weights.sum(1)
    pooled = torch.cat([states[:, 0], mean], dim=1)
    dropped = torch.nn.functional.dropout(pooled, 0.1, training=model.head.training)
    return model.head(dropped)


def scores(model: Classifier, texts: PiecePairs) -> Floats:
    """Return the raw class scores (logits) of every pair, without dropout."""
    torch = torch_module()
    model.encoder.eval()
    model.head.eval()
    order = np.argsort(texts.lengths(), kind="stable")
    table = np.zeros((len(order), model.head.out_features), dtype=np.float32)
    with torch.no_grad():
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            table[rows] = logits_of(torch, model, texts, rows).float().cpu().numpy()
    return table


def small_weights(model: Classifier) -> dict[str, npt.NDArray[Any]]:
    """Return the layer on top and the low-rank updates in half precision."""
    arrays = {"head.weight": model.head.weight, "head.bias": model.head.bias}
    for name, (first, second) in model.updates.items():
        arrays |= {f"{name}.first": first, f"{name}.second": second}
    return {name: array.detach().cpu().numpy().astype(np.float16) for name, array in arrays.items()}


def with_small_weights(folder: Path, weights: Mapping[str, npt.NDArray[Any]]) -> Classifier:
    """Return the encoder in a folder with a trained layer on top and its updates merged in."""
    torch = torch_module()
    model = classifier(folder, len(weights["head.bias"]))
    tensors = {
        name: torch.from_numpy(array.astype(np.float32)).to(model.device)
        for name, array in weights.items()
    }
    with torch.no_grad():
        model.head.weight.copy_(tensors["head.weight"])
        model.head.bias.copy_(tensors["head.bias"])
        for name, layer in adapted_layers(model.encoder):
            if f"{name}.first" in tensors:
                update = tensors[f"{name}.first"] @ tensors[f"{name}.second"]
                layer.weight.add_(ADAPTED * update.T)
    return model


def save_encoder(model: Classifier, source: Path, folder: Path) -> None:
    """Write the encoder into a folder as transformers reads it, low-rank updates merged in.

    Args:
        model: The fine-tuned model; its updates are merged and gone afterwards.
        source: Folder of the word pieces.
        folder: Folder to write into.
    """
    torch = torch_module()
    from transformers import AutoTokenizer

    with torch.no_grad():
        for name, layer in adapted_layers(model.encoder):
            if name in model.updates:
                first, second = model.updates[name]
                layer.weight.add_(ADAPTED * (first @ second).T)
                layer._forward_hooks.clear()
    model.updates.clear()
    model.encoder.save_pretrained(folder)
    AutoTokenizer.from_pretrained(source).save_pretrained(folder)


def head_weights(model: Classifier) -> dict[str, npt.NDArray[Any]]:
    """Return the layer on top in full precision."""
    layers = {"weight": model.head.weight, "bias": model.head.bias}
    return {name: layer.detach().cpu().float().numpy() for name, layer in layers.items()}


def with_head(folder: Path, head: Mapping[str, npt.NDArray[Any]]) -> Classifier:
    """Return the encoder in a folder with a trained layer on top."""
    torch = torch_module()
    model = classifier(folder, len(head["bias"]))
    with torch.no_grad():
        for name, array in head.items():
            getattr(model.head, name).copy_(torch.from_numpy(array).to(model.device))
    return model
