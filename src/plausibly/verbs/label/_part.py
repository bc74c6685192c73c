"""The labels of the questions that have one method."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.datasets.schemes import scheme_of
from plausibly.domain import LabelScheme
from plausibly.errors import StudyError, option
from plausibly.labels import METHODS, Fitted, Silent
from plausibly.labels.averages import rescale as moved
from plausibly.labels.calibration import POSTERIORS, calibration_of
from plausibly.labels.defaults import LabelChoice
from plausibly.labels.known import read_controls, read_priors
from plausibly.labels.outside import completed
from plausibly.labels.ties import Ties, undecided, without_middles
from plausibly.measures.scales import is_unsure
from plausibly.ratings import Imported
from plausibly.registry import called
from plausibly.study.parameters import accepted, parameters_of
from plausibly.verbs.label._result import COMPUTED, Labelled

SHARE = "share"


def seed_of(method: str | Callable[..., Any]) -> int | None:
    """Return the seed a method draws from by default; None if it draws nothing."""
    own = parameters_of(METHODS[method]).get("seed")
    return None if own is None else int(own.default)


def labelled_part(
    choice: LabelChoice,
    rated: pl.DataFrame,
    imported: Imported,
    *,
    ties: Ties,
    seed: int | None,
    format: str,
    calibrate: bool = False,
    items: pl.DataFrame | None = None,
) -> Labelled:
    """Return the labels of the questions that have one method."""
    options, method = dict(choice.options), choice.method
    if method is None:
        raise TypeError("a question without labels has no part")
    scheme, rescale, ties = (
        options.pop("scheme", None),
        options.pop("rescale", None),
        options.pop("ties", ties),
    )
    mapping = scheme_of(scheme) if scheme else None
    ends = _ends(rescale) if rescale else None
    classed = mapping is not None or options.get("answer") is not None
    rated, notes, without = _numbers(rated, called(method), mapped=classed, ends=ends)
    notes += _discarded(rated, mapping)
    silent = Silent((*imported.silent_items, *without), imported.silent_annotators)
    form = imported.layout.form if imported.layout else format
    lines = _lines(imported) if form == "mace" and "controls" in options else None
    own = seed_of(method)
    arguments = accepted(
        _read_files(options, lines),
        of=METHODS,
        name=method,
        supplied={
            "seed": own if seed is None or own is None else seed,
            "scheme": mapping,
            "silent": silent,
            "items": items,
        },
    )
    labelled = _result(_fitted(method, rated, arguments), called(method))
    if calibrate and method in POSTERIORS:
        tried = calibration_of(rated, partial(_fitted, method), arguments, scheme=mapping)
        labelled = replace(labelled, calibration=tried)
    labels = labelled.labels
    if ties == "undecided":
        middles = method == "median"
        labels = undecided(without_middles(labels, _classed(rated, mapping)) if middles else labels)
    labels = labels if ends is None else moved(labels, old=ends[0], new=ends[1])
    return replace(labelled, labels=labels, notes=tuple(notes), ties=ties)


def _classed(rated: pl.DataFrame, scheme: LabelScheme | None) -> pl.DataFrame:
    """Return the ratings as a method sees them: with the classes of a scheme as answers."""
    if scheme is None:
        return rated
    label = pl.col("answer").replace_strict(dict(scheme.of), default=None, return_dtype=pl.String)
    return rated.drop("value", strict=False).with_columns(answer=label)


def _ends(text: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the ends of the old scale and of the new one."""
    try:
        (low, high), (first, last) = (map(float, part.split(",")) for part in text.split("|"))
    except ValueError as error:
        raise StudyError(
            f"rescale: {text!r} is not two scales. Write '1,5|0,10' for 1 to 5 as 0 to 10."
        ) from error
    return (low, high), (first, last)


def _fitted(
    method: str | Callable[..., Any], rated: pl.DataFrame, arguments: Mapping[str, Any]
) -> pl.DataFrame | Fitted:
    """Return what a method makes of the ratings; a table from outside is completed and checked."""
    outcome = METHODS[method](rated, **arguments)
    own = METHODS.is_ours(method)
    if isinstance(outcome, Fitted) or (own and isinstance(outcome, pl.DataFrame)):
        return outcome
    if not isinstance(outcome, pl.DataFrame) or not {"item", "label"} <= set(outcome.columns):
        raise StudyError(
            f"{called(method)} must return a table with the columns item and label; got "
            f"{type(outcome).__name__}."
        )
    return completed(outcome, rated, method=called(method))


def _result(outcome: pl.DataFrame | Fitted, method: str) -> Labelled:
    """Return the result of a method that fits, or of one that only counts."""
    if isinstance(outcome, pl.DataFrame):
        return Labelled(outcome, None, None, method, None)
    labels, competence, entropy = outcome.labels, outcome.competence, outcome.entropy
    return Labelled(labels, competence, entropy, method, outcome)


def _discarded(rated: pl.DataFrame, scheme: LabelScheme | None) -> list[str]:
    """Return how many answers a scheme leaves out, where it does."""
    if scheme is None:
        return []
    out = rated.filter(~pl.col("answer").is_in(list(scheme.of)))
    if out.is_empty():
        return []
    answers = "1 answer is" if out.height == 1 else f"{out.height} answers are"
    votes = "votes" if out.height == 1 else "vote"
    counts = _examples(out)
    return [f"{answers} in no class of the scheme and {votes} for none ({counts})."]


def _numbers(
    rated: pl.DataFrame,
    method: str,
    *,
    mapped: bool,
    ends: tuple[tuple[float, float], tuple[float, float]] | None,
) -> tuple[pl.DataFrame, list[str], list[str]]:
    """Return the ratings a mean can be taken of, what to say of the others, and their items."""
    if method not in COMPUTED or mapped:
        return rated, [], []
    value = pl.col("value")
    off_scale = (value == 0) & is_unsure(rated["answer"])
    if ends is not None:
        off_scale |= ~value.is_between(min(ends[0]), max(ends[0]))
    words, off = rated.filter(value.is_null()), rated.filter(off_scale)
    if words.is_empty() and off.is_empty():
        return rated, [], []
    numbers = rated.filter(value.is_not_null() & ~off_scale)
    aside = [(words, "are not numbers"), (off, "are outside the scale")]
    if numbers.is_empty():
        why = "; ".join(f"{_examples(one)} {what}" for one, what in aside if one.height)
        name = f" Name the answer whose share you need: {option('answer')}."
        raise StudyError(
            f"{method} needs numbers, but no answer is a number on the scale ({why})."
            f"{name if method == SHARE else ''}"
        )
    notes = [
        f"{one.height} answers {what}, so the {method} leaves them out ({_examples(one)})."
        for one, what in aside
        if one.height
    ]
    left_out = pl.concat([words, off])
    lost = left_out.join(numbers, on=["item", "question"], how="anti")["item"].unique().to_list()
    return numbers, notes, sorted(lost)


def _examples(answers: pl.DataFrame) -> str:
    """Return which answers there are, the five commonest with how often."""
    counts = answers["answer"].value_counts(sort=True).rows()
    return ", ".join(f"{answer!r}: {count}" for answer, count in counts[:5])


def _read_files(options: Mapping[str, Any], lines: list[str] | None) -> dict[str, Any]:
    """Return the options with what their files say in place of the paths."""
    read = dict(options)
    if isinstance(read.get("controls"), str | Path):
        read["controls"] = read_controls(Path(read["controls"]), lines=lines)
    if isinstance(read.get("priors"), str | Path):
        read["priors"] = read_priors(Path(read["priors"]))
    return read


def _lines(imported: Imported) -> list[str]:
    """Return the items of a mace file in the order of its lines."""
    return sorted({*imported.ratings["item"].unique(), *imported.silent_items}, key=int)
