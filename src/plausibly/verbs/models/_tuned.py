"""Fits of an encoder, each kept as soon as it is done; and a tuned model in its folder."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import Any, Literal

import numpy as np
import polars as pl

from plausibly.backends.finetuning.encoder import (
    PiecePairs,
    head_weights,
    save_encoder,
    scores,
    tokenised,
    with_head,
)
from plausibly.backends.finetuning.recipe import Recipe
from plausibly.backends.finetuning.training import Checkpoint, fine_tuned
from plausibly.datasets.adept import QUESTION
from plausibly.datasets.adept.pairs import read_pairs
from plausibly.datasets.items import judged_items
from plausibly.errors import StudyError, TableError, UnknownName, option
from plausibly.io import (
    filling,
    make_folder,
    read_json,
    read_rows,
    read_toml,
    write_bytes,
    write_json,
)
from plausibly.models.tuned import Floats, Targets, softmax, tuned_predictions
from plausibly.ports import Watch
from plausibly.study.made import described

MODEL_FILE, HEAD, KEY_FILE, CELLS = "model.json", "head.npz", "tuned.json", "cells"
FORM = 1
RATING = "rating"
SLOW = Recipe()
PROBE = Recipe(rate=3e-4, epochs=10, frozen=True)
Context = Literal["full", "none", "noun"]


@dataclass(frozen=True, eq=False)
class JudgedTexts:
    """The texts of items as an encoder reads them.

    Args:
        items: The items, with all their columns.
        firsts: The first text of each.
        seconds: The second; None if an item is a single text.
        question: What the predictions are about, if the labels do not tell.
    """

    items: pl.DataFrame
    firsts: list[str]
    seconds: list[str] | None
    question: str


def judged_texts(path: Path, context: Context) -> JudgedTexts:
    """Return pairs of sentences, noun and modifier of such pairs, or single texts."""
    rows = read_rows(path)
    if "sentence1" in {column.strip().casefold() for column in rows.frame.columns}:
        pairs = read_pairs(path, labelled=False)
        name = "item" if "item" in pairs.columns else "idx"
        pairs = pairs.with_columns(item=pl.col(name).cast(pl.String))
        first, second = _columns(pairs, context)
        return JudgedTexts(pairs, first, second, QUESTION)
    if context != "full":
        message = f"{option('context')} {context} is for pairs with a noun and a modifier."
        raise StudyError(message, parameter="context")
    items = judged_items(rows).frame
    lacking = next((name for name in ("item", "text") if name not in items.columns), None)
    if lacking is not None:
        raise TableError(f"{path}: no column {lacking!r}. Expected pairs, or items with a text.")
    items = items.with_columns(pl.col("item", "text").cast(pl.String))
    return JudgedTexts(items, items["text"].to_list(), None, RATING)


def _columns(pairs: pl.DataFrame, context: Context) -> tuple[list[str], list[str]]:
    """Return what stands for the original and for the modified sentence (section 5.2)."""
    if context == "full":
        return pairs["sentence1"].to_list(), pairs["sentence2"].to_list()
    nouns, modifiers = pairs["noun"].to_list(), pairs["modifier"].to_list()
    if context == "none":
        return nouns, modifiers
    return nouns, [f"{a} {b}" for a, b in zip(modifiers, nouns, strict=True)]


def recipes_of(grid: Path | None, *, frozen: bool) -> list[Recipe]:
    """Return the recipes to try: every combination of a grid's values, or the usual one.

    Raises:
        StudyError: If the grid has a value that a recipe cannot have.
        UnknownName: If it has a key that a recipe does not have.
    """
    usual = PROBE if frozen else SLOW
    if grid is None:
        return [usual]
    known = {one.name: type(getattr(usual, one.name)) for one in fields(Recipe)}
    del known["frozen"]
    values: dict[str, list[Any]] = {}
    for name, given in read_toml(grid).items():
        if name not in known:
            raise UnknownName("key of a grid", name, known, parameter="grid")
        values[name] = given if isinstance(given, list) else [given]
        for one in values[name]:
            fits = isinstance(one, int) or (known[name] is float and isinstance(one, float))
            if not fits or isinstance(one, bool):
                kind = "whole numbers" if known[name] is int else "numbers"
                raise StudyError(f"{grid}: {name} must be {kind}; got {one!r}.")
    if not all(values.values()):
        raise StudyError(f"{grid}: a key without values.")
    return [
        replace(usual, **dict(zip(values, own, strict=True))) for own in product(*values.values())
    ]


@dataclass(frozen=True, eq=False)
class Fits:
    """All fits of one call; each is computed once, whatever stops the program."""

    encoder: Path
    texts: JudgedTexts
    targets: Targets
    folder: Path
    seeds: Sequence[int]
    watch: Watch

    @cached_property
    def pieces(self) -> PiecePairs:
        """The texts in the encoder's word pieces."""
        return tokenised(self.encoder, self.texts.firsts, self.texts.seconds)

    @cached_property
    def source(self) -> str:
        """A digest of all that the fits have in common."""
        parts = [self.texts.firsts, self.texts.seconds, self.targets.labels]
        digest = hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode())
        digest.update(self.targets.shares.tobytes())
        digest.update(str(described(self.encoder)["sha256"]).encode())
        return digest.hexdigest()

    def _key(self, recipe: Recipe, out: Floats | None) -> str:
        held = b"" if out is None else np.packbits(out.astype(bool)).tobytes()
        text = f"{self.source} {json.dumps(asdict(recipe))}".encode()
        return hashlib.sha256(text + held).hexdigest()[:16]

    def _cell(self, key: str, seed: int) -> Path:
        make_folder(self.folder / CELLS)
        return self.folder / CELLS / f"{key}-{seed}"

    def held_out(self, recipe: Recipe, folds: Any) -> Floats:
        """Return the shares of every item from fits that left out its fold; seeds averaged."""
        table = np.zeros_like(self.targets.shares)
        for fold in sorted(set(folds.tolist())):
            out = folds == fold
            table[out] = np.mean([self._held(recipe, out, seed) for seed in self.seeds], axis=0)
        return table

    def _held(self, recipe: Recipe, out: Any, seed: int) -> Floats:
        place = self._cell(self._key(recipe, out), seed)
        done, part = place.with_suffix(".npz"), place.with_suffix(".part")
        if not done.is_file():
            learnt = np.where(out[:, None], 0, self.targets.shares).astype(np.float32)
            if not learnt.any():
                raise StudyError(
                    f"all labelled items are in one fold. Use another column for {option('folds')}."
                )
            model = fine_tuned(
                self.encoder, self.pieces, learnt, recipe, seed=seed, kept=Checkpoint(part)
            )
            shares = softmax(scores(model, self.pieces.of(np.flatnonzero(out))))
            write_bytes(done, _packed({"shares": shares}))
            part.unlink(missing_ok=True)
        self.watch.advance()
        with np.load(done) as arrays:
            held: Floats = arrays["shares"]
        return held

    def whole(self, recipe: Recipe, seed: int) -> str:
        """Fit on all items, unless that was done, and return the folder of the weights."""
        name, key = f"seed-{seed}", self._key(recipe, None)
        place = self.folder / name
        if not (place / KEY_FILE).is_file() or read_json(place / KEY_FILE) != {"key": key}:
            part = self._cell(key, seed).with_suffix(".part")
            model = fine_tuned(
                self.encoder,
                self.pieces,
                self.targets.shares,
                recipe,
                seed=seed,
                kept=Checkpoint(part),
            )
            with filling(place) as inside:
                write_bytes(inside / HEAD, _packed(head_weights(model)))
                save_encoder(model, self.encoder, inside)
                write_json(inside / KEY_FILE, {"key": key})
            part.unlink(missing_ok=True)
        self.watch.advance()
        return name


def _packed(arrays: Mapping[str, Any]) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def is_tuned(path: Path) -> bool:
    """Return whether a path is the folder of a model that `models tune` has written."""
    return (path / MODEL_FILE).is_file()


def predict_tuned(folder: Path, file: Path, *, called: str | None) -> pl.DataFrame:
    """Return what a tuned model says about the items of a file, its seeds averaged.

    Raises:
        TableError: If the folder holds no such model, or one of another version.
    """
    about = read_json(folder / MODEL_FILE)
    if not isinstance(about, dict) or about.get("form") != FORM:
        raise TableError(f"{folder / MODEL_FILE}: not a model of 'plausibly models tune'.")
    texts = judged_texts(file, about["context"])
    shares = np.mean(list(_of_seeds(folder, about["weights"], texts)), axis=0)
    return tuned_predictions(
        texts.items["item"].to_list(),
        shares,
        about["labels"],
        question=about["question"],
        model=called or about["name"],
    )


def _of_seeds(folder: Path, names: Sequence[str], texts: JudgedTexts) -> Iterator[Floats]:
    for name in names:
        with np.load(folder / name / HEAD) as head:
            model = with_head(folder / name, dict(head))
        yield softmax(scores(model, tokenised(folder / name, texts.firsts, texts.seconds)))
