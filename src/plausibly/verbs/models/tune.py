"""An encoder fine-tuned on what people say about pairs of sentences or single texts."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from plausibly.backends.finetuning.encoder import torch_module
from plausibly.backends.finetuning.recipe import Recipe
from plausibly.backends.weights import encoder_folder
from plausibly.datasets.adept import CODES, FIVE_CLASSES
from plausibly.datasets.schemes import scheme_of
from plausibly.domain import LabelScheme
from plausibly.errors import StudyError, TableError, UnknownName, option
from plausibly.evaluation.in_study import TUNED_FILE, TUNED_FOLDER
from plausibly.io import filling, make_folder, read_rows
from plausibly.models.tuned import Targets, figures, fold_of, targets_of, tuned_predictions
from plausibly.ports import SILENCE, Watch
from plausibly.study.hooks import Named, Set, Unset
from plausibly.study.results import Result, finite, text_table
from plausibly.study.steps import Work
from plausibly.study.verb import InStudy, Output, Places, verb
from plausibly.verbs.models._tuned import (
    FORM,
    MODEL_FILE,
    Context,
    Fits,
    JudgedTexts,
    judged_texts,
    recipes_of,
)

TRIED = ("rate", "epochs", "batch", "accuracy", "macro_f1", "cross_entropy", "n", "chosen")


@dataclass(frozen=True, eq=False, repr=False)
class Tuned(Result):
    """A fine-tuned encoder, and what it says about items of folds it did not see.

    Args:
        predictions: Predictions for items that were held out; None without folds.
        grid: One row per recipe, with its figures on held-out items; None without folds.
        about: What `models predict` needs to know.
        folder: Where the weights are.
    """

    predictions: pl.DataFrame | None
    grid: pl.DataFrame | None
    about: Mapping[str, Any]
    folder: Path

    def as_json(self) -> dict[str, Any]:
        """Return the document of `models tune --json`."""
        return {**self.about, "grid": None if self.grid is None else self.grid.to_dicts()}

    def text(self) -> str:
        """Return the recipes with their figures on held-out items, or what was learnt from."""
        if self.grid is not None:
            return text_table(TRIED, self.grid.select(TRIED).iter_rows())
        shown = ("encoder", "context", "items", "weights")
        return text_table(("model", ""), [(name, _short(self.about[name])) for name in shown])

    @property
    def documents(self) -> Mapping[str, object]:
        """What the model is, as a document."""
        return {MODEL_FILE: dict(self.about)}

    @property
    def talk(self) -> tuple[str, ...]:
        """How many items it has learnt from, and with which recipe."""
        recipe = self.about["recipe"]
        said = f"rate {recipe['rate']:g}, {recipe['epochs']} epochs, batches of {recipe['batch']}"
        fits, items = len(self.about["weights"]), self.about["items"]
        mean = " Predictions are their mean." if fits > 1 else ""
        plural = "s" if fits > 1 else ""
        return (f"{self.folder}: {fits} fit{plural} on {items} items with {said}.{mean}",)

    def write(self, folder: str | Path, *, force: bool = False) -> Path:
        """Write tables, documents and manifest; into another folder the weights, too."""
        target = super().write(folder, force=force)
        if target.resolve() != self.folder.resolve():
            for name in self.about["weights"]:
                with filling(target / name) as inside:
                    shutil.copytree(self.folder / name, inside, dirs_exist_ok=True)
        return target


def _in_study(work: Work, places: Places) -> None:
    """Tune on the items and labels of the study; the folder keeps what is done of it."""
    chosen = {name: one for name, one in work.parameters.items() if one is not None}
    for key in ("encoder", "grid"):
        if key in chosen and work.path(str(chosen[key])).exists():
            chosen[key] = work.path(str(chosen[key]))
    folder = work.path(TUNED_FOLDER)
    result = models_tune(
        items=work.path(places["items"]),
        labels=work.path(places["labels"]),
        output=folder,
        seed=work.seed,
        watch=work.watch,
        **chosen,
    )
    if result.predictions is None:
        work.path(TUNED_FILE).unlink(missing_ok=True)
    work.write_json("models_tune.json", finite(result.as_json()))
    work.notes.extend(result.talk)


@verb(
    reads={"items": "items", "labels": "labels"},
    texts=("encoder",),
    output=Output(help="Folder for the model.", required=True),
    study=InStudy(
        run=_in_study,
        also={"encoder": None},
        wanted=Set("models_tune", "encoder"),
        begins="[models_tune] encoder",
        outputs=(TUNED_FILE, "models_tune.json"),
        leaves=Unset("models_tune", "folds", (TUNED_FILE,)),
        external=Named(("grid",)),
    ),
)
def models_tune(
    *,
    items: str | Path,
    output: str | Path,
    labels: str | Path | None = None,
    question: str | None = None,
    encoder: str | Path = "minilm",
    context: Context = "full",
    scheme: str | None = None,
    soft: bool = False,
    frozen: bool = False,
    grid: str | Path | None = None,
    folds: str | None = None,
    seeds: int = 3,
    seed: int = 1,
    name: str | None = None,
    watch: Watch = SILENCE,
) -> Tuned:
    """Fine-tune a sentence encoder on people's labels, or on the shares of their answers.

    Every fit is saved in the model's folder after each epoch. If a run is interrupted, repeat the
    call to continue. `models predict` takes the folder, and `evaluate` the predictions. Needs the
    extra transformers; a GPU is used if there is one.

    Args:
        items: Pairs in ADEPT's form, or items with a text.
        output: Folder for the model.
        labels: Labels table of these items (default: the labels in the file of pairs).
        question: Question to learn, if the labels answer several.
        encoder: minilm, mpnet, or a folder that transformers' AutoModel reads, such as one of BERT,
            RoBERTa or DeBERTa.
        context: What the encoder sees of a pair: both sentences (full), noun and modifier (none),
            or the noun with and without its modifier (noun).
        scheme: Classes to predict: adept-5, adept-4, adept-3, or as no=1,2|yes=4,5 (default: every
            label is a class).
        soft: Learn the distribution of people's answers instead of the label.
        frozen: Train only the layer on top, and leave the encoder unchanged.
        grid: TOML file with values of rate, epochs, batch and others; several values need folds.
        folds: Column whose values are kept together in five folds, such as noun; every item is also
            predicted by fits that saw none of its fold.
        seeds: Number of fits to average.
        seed: Seed of the first fit; each further fit adds 1.
        name: Name of the model in its predictions (default: the encoder).
        watch: Receives the progress.

    Examples:
        plausibly models tune --items train.json --encoder minilm --folds noun -o tuned
        plausibly models tune --items items.parquet --labels labels.parquet --soft -o tuned

    >>> models_tune(items="pairs.json", output="tuned", seeds=0)
    Traceback (most recent call last):
    plausibly.errors.StudyError: seeds= must be 1 or more; got 0.
    """
    if seeds < 1:
        raise StudyError(f"{option('seeds')} must be 1 or more; got {seeds}.", parameter="seeds")
    texts = judged_texts(Path(items), context)
    rows = _own_labels(texts.items) if labels is None else _labels(Path(labels), question)
    learnt, targets = _learnt(texts, rows, soft=soft, scheme=scheme)
    recipes = _recipes(grid, frozen=frozen, folds=folds)
    groups = None if folds is None else _folds(texts.items, folds)
    torch_module()
    weights = Path(encoder) if Path(encoder).is_dir() else encoder_folder(str(encoder))
    make_folder(Path(output))
    numbers = range(seed, seed + seeds)
    fits = Fits(weights, texts, targets, Path(output), numbers, watch)
    parts = 0 if groups is None else len(recipes) * len(set(groups.tolist()))
    watch.begin("fine-tuning", (parts + 1) * seeds)
    called = name or Path(encoder).name
    said, tried, best = None, None, recipes[0]
    if groups is not None:
        tables = [fits.held_out(one, groups) for one in recipes]
        tried, chosen = _compared(recipes, [figures(one, targets.shares) for one in tables])
        best, shares = recipes[chosen], tables[chosen]
        own = texts.items["item"].to_list()
        said = tuned_predictions(own, shares, targets.labels, question=learnt, model=called)
    about = {
        "form": FORM,
        "kind": "tuned",
        "name": called,
        "encoder": Path(encoder).name,
        "context": context,
        "labels": list(targets.labels),
        "question": learnt,
        "soft": soft,
        "recipe": asdict(best),
        "items": int((targets.shares.sum(axis=1) > 0).sum()),
        "weights": [fits.whole(best, number) for number in numbers],
    }
    result = Tuned(said, tried, about, Path(output))
    result.write(output)
    return result


def _recipes(grid: str | Path | None, *, frozen: bool, folds: str | None) -> list[Recipe]:
    recipes = recipes_of(None if grid is None else Path(grid), frozen=frozen)
    if len(recipes) > 1 and folds is None:
        raise StudyError(
            f"{option('grid')} has {len(recipes)} recipes, which are compared on items that were "
            f"held out. Pass {option('folds')}.",
            parameter="grid",
        )
    return recipes


def _learnt(
    texts: JudgedTexts, own: pl.DataFrame, *, soft: bool, scheme: str | None
) -> tuple[str, Targets]:
    """Return the question, and what is learnt about every item."""
    names = own["question"].drop_nulls().unique().to_list()
    rows = texts.items.select("item").join(own, on="item", how="left", maintain_order="left")
    if rows["label"].is_null().all() and rows["distribution"].is_null().all():
        raise TableError(f"these items have no labels. Pass {option('labels')}.")
    classes = _classes(rows["label"], scheme)
    return names[0] if names else texts.question, targets_of(rows, soft=soft, scheme=classes)


def _classes(labels: pl.Series, scheme: str | None) -> LabelScheme | None:
    """Return the classes asked for, or those of ADEPT where all labels are among them."""
    if scheme is not None:
        return scheme_of(scheme)
    known = labels.drop_nulls().is_in(list(FIVE_CLASSES.labels))
    return FIVE_CLASSES if len(known) and known.all() else None


def _own_labels(items: pl.DataFrame) -> pl.DataFrame:
    """Return the labels that a file of pairs has itself; codes become names."""
    if "label" not in items.columns:
        items = items.with_columns(label=pl.lit(None, dtype=pl.String))
    label = pl.col("label").cast(pl.String)
    named = label.replace(CODES) if "sentence1" in items.columns else label
    return items.select(
        "item",
        label=named,
        distribution=pl.lit(None, dtype=pl.String),
        question=pl.lit(None, dtype=pl.String),
    )


def _labels(path: Path, question: str | None) -> pl.DataFrame:
    """Return item, label, distribution and question of a table of labels."""
    frame = read_rows(path).frame
    if question is not None and "question" in frame.columns:
        known = frame["question"].unique().sort().to_list()
        if question not in known:
            raise UnknownName("question", question, known, parameter="question")
        frame = frame.filter(pl.col("question") == question)
    for column in ("item", "label"):
        if column not in frame.columns:
            found = ", ".join(frame.columns)
            raise TableError(f"{path}: no column {column!r}. Columns found: {found}.")
    for column in ("question", "method"):
        values = frame[column].unique().sort().to_list() if column in frame.columns else []
        if len(values) > 1:
            raise TableError(
                f"{path}: labels of {len(values)} {column}s ({', '.join(map(str, values))}). "
                f"{_choose(column)}"
            )
    missing = [name for name in ("distribution", "question") if name not in frame.columns]
    table = frame.with_columns(pl.lit(None, dtype=pl.String).alias(name) for name in missing)
    table = table.select(pl.col("item", "label", "distribution", "question").cast(pl.String))
    twice = table.filter(pl.col("item").is_duplicated())["item"]
    if len(twice):
        raise TableError(f"{path}: {twice.n_unique()} items have two labels (first: {twice[0]!r}).")
    return table


def _choose(column: str) -> str:
    if column == "question":
        return f"Name the one to learn with {option('question')}."
    return "Keep the rows of the one to learn from."


def _folds(items: pl.DataFrame, column: str) -> Any:
    if column not in items.columns:
        known = ", ".join(items.columns)
        message = f"{option('folds')}: the items have no column {column!r}. Columns: {known}."
        raise StudyError(message, parameter="folds")
    folds = np.array([fold_of(str(value)) for value in items[column]])
    if len(set(folds.tolist())) < 2:
        message = f"{option('folds')}: too few values of {column!r} to hold any out."
        raise StudyError(message, parameter="folds")
    return folds


def _compared(
    recipes: Sequence[Recipe], found: Sequence[Mapping[str, float | int]]
) -> tuple[pl.DataFrame, int]:
    """Return the recipes with their figures, and the number of the least cross-entropy."""
    best = min(range(len(recipes)), key=lambda n: found[n]["cross_entropy"])
    rows = [
        {**asdict(recipe), **own, "chosen": number == best}
        for number, (recipe, own) in enumerate(zip(recipes, found, strict=True))
    ]
    return pl.DataFrame(rows), best


def _short(value: object) -> object:
    return ", ".join(value) if isinstance(value, list) else value
