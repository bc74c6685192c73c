"""From ratings to labels, by the method of your choice; disagreement keeps its row."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

import polars as pl

from plausibly.analysis.figures import Figure, labels_figure
from plausibly.datasets.schemes import scheme_of
from plausibly.domain import LabelScheme
from plausibly.errors import StudyError, UnknownName, option
from plausibly.io.frames import Source, as_table
from plausibly.labels import METHODS, Fitted, Silent
from plausibly.labels.averages import rescale as moved
from plausibly.labels.known import read_controls, read_priors
from plausibly.labels.outside import completed
from plausibly.labels.results import QUESTION
from plausibly.labels.summaries import positions_of, reliability_of, shares_of, spread_of
from plausibly.labels.tiers import gated, parse_gates
from plausibly.labels.ties import Ties, distributions, undecided
from plausibly.labels.ties import ties as tied_in
from plausibly.ratings import Imported
from plausibly.ratings.sources import Ratings, read_ratings, without_checks
from plausibly.registry import called
from plausibly.study.made import Made, making
from plausibly.study.parameters import Parameter, accepted, check_options, parameters_of
from plausibly.study.results import Result, text_table
from plausibly.study.verb import Output, verb
from plausibly.tables import ITEMS

RESCALED = ("mean", "median")
COMPUTED = (*RESCALED, "adjusted")
# Words that platforms store as 0: no place on a scale, whatever number is next to them.
UNSURE = ("not sure", "i'm not sure", "i am not sure", "unsure", "don't know", "i don't know")
SUPPLIED = ("seed", "scheme", "silent")


@dataclass(frozen=True, eq=False, repr=False)
class Labelled(Result):
    """Labels with what was learnt on the way.

    Args:
        labels: The labels table.
        competence: annotator, question, competence; None for methods without.
        entropy: item, question, entropy of its distribution in nats; None for methods without.
        method: Name of the method.
        fitted: All a fitted method returns, None for one that only counts.
        checks: Ratings of checks that were left out.
        missing: How often each word stood where there is no answer.
        notes: How the file was read.
        ties: What became of a label that has an equal: smallest or undecided.
        made: How this came about.
    """

    labels: pl.DataFrame
    competence: pl.DataFrame | None
    entropy: pl.DataFrame | None
    method: str
    fitted: Fitted | None
    checks: int = 0
    missing: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    ties: Ties = "smallest"
    made: Made = making()

    def as_json(self) -> dict[str, Any]:
        """Return the document of `label --json`; keys a method does not have are null."""
        questions = dict(self._questions())
        top = {
            "warnings": list(self.fitted.warnings) if self.fitted else [],
            "method": self.method,
            "restarts": self.fitted.restarts if self.fitted else None,
            "seed": self.fitted.seed if self.fitted else None,
            **({"missing": dict(self.missing)} if self.missing else {}),
        }
        if len(questions) == 1:
            return {**next(iter(questions.values())), **top}
        return {**top, "questions": {name: {**inner, **top} for name, inner in questions.items()}}

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """How often each label was given, where labels are not numbers."""
        names = {label: label for label in self.labels["label"].drop_nulls().unique().sort()}
        items = self.labels.select("item", condition="question").unique()
        drawn = None if self.method in COMPUTED else labels_figure(self.labels, items, names)
        return () if drawn is None else (drawn,)

    @property
    def numeric_columns(self) -> Mapping[str, tuple[str, ...]]:
        """The labels, where the method computes a number."""
        return {"labels": ("label",)} if self.method in COMPUTED else {}

    def text(self) -> str:
        """Return how often each label was given, or where the numbers lie, for each question."""
        counts = spread_of(self.labels) if self.method in COMPUTED else shares_of(self.labels)
        several = self.labels["question"].n_unique() > 1
        columns = counts.columns if several else counts.columns[1:]
        return text_table(columns, counts.select(columns).iter_rows())

    @property
    def talk(self) -> tuple[str, ...]:
        """How many items have no label, and how many ties there were."""
        without, tied = self.labels["label"].null_count(), self._ties.height
        counted = f"{self.labels.height} items: {without} without a label, {tied} ties"
        resolved = "left undecided" if self.ties == "undecided" else "to the smallest label"
        left = f"{self.checks} ratings of checks are left out (column kind)."
        said = [*self.notes, *([left] if self.checks else []), f"{counted} {resolved}."]
        return (*said, *(self.fitted.warnings if self.fitted else ()))

    @cached_property
    def _ties(self) -> pl.DataFrame:
        read = self.__dict__.get("_distributions")  # read only if they were
        return tied_in(self.labels, read, open_too=self.ties == "undecided")

    @cached_property
    def _distributions(self) -> list[dict[str, float] | None]:
        return distributions(self.labels)

    def _questions(self) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield each question with what the method says about it."""
        tied, fitted = self._ties, self.fitted
        read = pl.Series(range(self.labels.height), dtype=pl.Int64)
        for question in self.labels["question"].unique().sort().to_list() or [QUESTION]:
            here = pl.col("question") == question
            own = self.labels.filter(here)
            names = own["label"].cast(pl.Float64) if self.method in COMPUTED else own["label"]
            rows = read.filter(self.labels["question"] == question).to_list()
            spread = [self._distributions[row] for row in rows]
            yield (
                question,
                {
                    "labels": dict(zip(own["item"].to_list(), names.to_list(), strict=True)),
                    "distribution": dict(zip(own["item"].to_list(), spread, strict=True)),
                    "entropy": (fitted and _pairs(fitted.entropy.filter(here), "item", "entropy"))
                    or None,
                    "competence": (
                        fitted and _pairs(fitted.competence.filter(here), "annotator", "competence")
                    )
                    or None,
                    "positions": fitted and positions_of(fitted.positions, question),
                    "log_likelihood": fitted and fitted.log_likelihood.get(question),
                    "iterations": fitted and fitted.iterations.get(question),
                    "overtime": fitted and fitted.overtime.get(question),
                    "ties": tied.filter(here)["item"].to_list(),
                    **reliability_of(fitted, question),
                },
            )


def _seed(method: str | Callable[..., Any]) -> int | None:
    """Return the seed a method draws from unless told; None where it draws nothing."""
    own = parameters_of(METHODS[method]).get("seed")
    return None if own is None else int(own.default)


def options_of_methods() -> dict[str, Parameter]:
    """Return every option a label method has, by name, with the methods that have it."""
    owners: dict[str, list[str]] = {}
    merged: dict[str, Parameter] = {}
    for name in METHODS:
        for key, parameter in parameters_of(METHODS[name], without=SUPPLIED).items():
            merged.setdefault(key, parameter)
            owners.setdefault(key, []).append(name)
    return {name: replace(one, owners=tuple(owners[name])) for name, one in merged.items()}


def _options(chosen: Mapping[str, Any]) -> Mapping[str, Parameter]:
    """Return what the method chosen takes; every option of every method where none is."""
    method = chosen.get("method")
    if method is None or method not in METHODS:
        return options_of_methods()
    return parameters_of(METHODS[method], without=SUPPLIED)


def _fitting(chosen: Mapping[str, Any]) -> set[str]:
    """Return the keys of [label] that mean something for the method chosen."""
    method = chosen["method"]
    own = parameters_of(METHODS[method], without=SUPPLIED) if method in METHODS else {}
    numbers = {"rescale"} if method in RESCALED else set()
    drawn = {"seed"} if method in METHODS and _seed(method) is not None else set()
    return {"method", "scheme", "only_if", "ties", *own, *numbers, *drawn}


@verb(
    reads={"ratings": "ratings", "items": "items"},
    writes={"labels": "labels.parquet"},
    options=_options,
    fitting=_fitting,
    names={
        "method": "plausibly.labels:METHODS",
        "scheme": ("plausibly.datasets.schemes:SCHEMES", "="),
    },
    output=Output("labels"),
)
def label(
    ratings: Ratings,
    *,
    method: str | Callable[..., Any],
    scheme: str | None = None,
    items: Source | None = None,
    rescale: str | None = None,
    only_if: str | None = None,
    ties: Ties = "smallest",
    seed: int | None = None,
    format: str = "long",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
    **options: Any,
) -> Labelled:
    """Label each item from its ratings; disagreement keeps its row.

    Ties go to the smallest label, or to none, and are listed. Ratings of checks are left out where
    the items, or a column `kind` of the ratings, name them.

    Args:
        ratings: File or table of ratings.
        method: Name of the label method (mace, dawid-skene, strict-majority, mean …), a function
            from ratings to labels, or where to import one from (package.module:NAME).
        scheme: From answers to labels: pap-binary, pap-multiclass, adept-5, adept-4, adept-3, or
            one of your own as 'no=1,2|neutral=3|yes=4,5'; other answers vote for none.
        items: Items table, whose checks are left out.
        rescale: Ends of the scale and what they become, for numbers: '1,5|0,10'.
        only_if: Labels of a question that count only where another has one: 'state: breakpoint;
            breakpoint: plausible=false'.
        ties: What an item gets where two labels are equally good: the smallest, or undecided.
        seed: What random starts of mace are drawn from (1).
        format: Form of the file of ratings.
        columns: From our column to the file's, where they differ.
        missing: Additional answers to treat as missing, besides NA, N/A, NaN,
            None and blank ones, between commas.
        options: What the method takes, such as `min_share=0.7` or `restarts=3`.

    Examples:
        plausibly label answers.csv --method mace --json
        plausibly label ratings.parquet --method strict-majority --min-share 0.7 -o labels.csv

    >>> ratings = pl.DataFrame({"item": ["t1"] * 3, "annotator": ["a", "b", "c"],
    ...                         "answer": [5, 5, 4]})
    >>> label(ratings, method="strict-majority", min_share=0.6).labels["label"].to_list()
    ['5']
    """
    check_request(method, {**options, "rescale": rescale, "seed": seed})
    if ties not in get_args(Ties):
        raise UnknownName("way with ties", ties, get_args(Ties), parameter="ties")
    seed = _seed(method) if seed is None else seed
    mapping = scheme_of(scheme) if scheme else None
    ends = _ends(rescale) if rescale else None
    gates = parse_gates(only_if) if only_if else ()
    imported = read_ratings(ratings, format=format, columns=columns, missing=missing)
    known = imported.items if items is None else as_table(items, ITEMS)
    rated, checks = without_checks(imported.ratings, known)
    rated, notes, without = _numbers(rated, called(method), mapped=mapping is not None, ends=ends)
    notes += _discarded(rated, mapping)
    silent = Silent((*imported.silent_items, *without), imported.silent_annotators)
    chosen = {name: value for name, value in options.items() if value is not None}
    arguments = accepted(
        _read_files(
            chosen, _lines(imported) if format == "mace" and "controls" in chosen else None
        ),
        of=METHODS,
        name=method,
        supplied={"seed": seed, "scheme": mapping, "silent": silent},
    )
    labelled = _labelled(_fitted(method, rated, arguments), called(method), checks)
    labels = labelled.labels if ends is None else moved(labelled.labels, old=ends[0], new=ends[1])
    labels = undecided(labels) if ties == "undecided" else labels
    kept = gated(labels, gates)
    if kept.height < labels.height:
        gone = labels.height - kept.height
        notes.append(f"{gone} labels are left out: the question they answer does not arise.")
    noted = (*imported.notes, *notes)
    return replace(labelled, labels=kept, missing=imported.missing, notes=noted, ties=ties)


def check_request(method: str | Callable[..., Any], options: Mapping[str, Any]) -> None:
    """Raise at the first option that a method does not have: none is taken and then ignored."""
    chosen = {name: value for name, value in options.items() if value is not None}
    if chosen.pop("rescale", None) and method not in RESCALED:
        what = f"{option('rescale')} is for {' and '.join(RESCALED)}, not for {method}."
        raise StudyError(what, parameter="rescale")
    if chosen.pop("seed", None) is not None and _seed(method) is None:
        drawing = [name for name in METHODS if _seed(name) is not None]
        raise StudyError(
            f"{option('seed')} is an option of {', '.join(drawing)}, not of {method}, which draws "
            "nothing.",
            parameter="seed",
        )
    check_options(chosen, of=METHODS, name=method, supplied=SUPPLIED)


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


def _labelled(outcome: pl.DataFrame | Fitted, method: str, checks: int) -> Labelled:
    """Return the result of a method that fits, or of one that only counts."""
    if isinstance(outcome, pl.DataFrame):
        return Labelled(outcome, None, None, method, None, checks)
    labels, competence, entropy = outcome.labels, outcome.competence, outcome.entropy
    return Labelled(labels, competence, entropy, method, outcome, checks)


def _discarded(rated: pl.DataFrame, scheme: LabelScheme | None) -> list[str]:
    """Return how many answers a scheme leaves out, where it does."""
    if scheme is None:
        return []
    out = rated.filter(~pl.col("answer").is_in(list(scheme.of)))
    if out.is_empty():
        return []
    return [f"{out.height} answers are in no class of the scheme and vote for none ({_told(out)})."]


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
    beside = (value == 0) & pl.col("answer").str.strip_chars().str.to_lowercase().is_in(UNSURE)
    if ends is not None:
        beside |= ~value.is_between(min(ends[0]), max(ends[0]))
    words, off = rated.filter(value.is_null()), rated.filter(beside)
    if words.is_empty() and off.is_empty():
        return rated, [], []
    numbers = rated.filter(value.is_not_null() & ~beside)
    aside = [(words, "are not numbers"), (off, "are outside the scale")]
    if numbers.is_empty():
        why = "; ".join(f"{_told(one)} {what}" for one, what in aside if one.height)
        raise StudyError(f"{method} needs numbers, and no answer is one on the scale ({why}).")
    notes = [
        f"{one.height} answers {what} and enter no {method} ({_told(one)})."
        for one, what in aside
        if one.height
    ]
    left_out = pl.concat([words, off])
    lost = left_out.join(numbers, on=["item", "question"], how="anti")["item"].unique().to_list()
    return numbers, notes, sorted(lost)


def _told(answers: pl.DataFrame) -> str:
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


def _pairs(table: pl.DataFrame, key: str, value: str) -> dict[str, float | None]:
    return dict(table[key, value].iter_rows())
