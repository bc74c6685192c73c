"""From ratings to labels, by the method of your choice; undecided items keep their row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import polars as pl

from plausibly.errors import StudyError, UnknownName, option
from plausibly.io.choices import ReadingChoices
from plausibly.io.frames import Source, as_items
from plausibly.labels import METHODS
from plausibly.labels.calibration import POSTERIORS, check_calibrated
from plausibly.labels.defaults import LabelChoice
from plausibly.labels.tiers import gated, parse_gates
from plausibly.labels.ties import Ties
from plausibly.ratings.kinds import of_kinds
from plausibly.ratings.questions import Questions, questions_in, study_questions, with_order
from plausibly.ratings.sources import Ratings, read_ratings, without_checks
from plausibly.registry import called
from plausibly.study.parameters import Parameter, check_options, parameters_of
from plausibly.study.verb import InStudy, Output, verb
from plausibly.tables import LABELS
from plausibly.verbs.label._part import labelled_part, seed_of
from plausibly.verbs.label._plan import LabelPlan, LabelRequest, planned_labels, refuse_idle
from plausibly.verbs.label._result import SEVERAL, Labelled

RESCALED = ("mean", "median")
SUPPLIED = ("seed", "scheme", "silent", "items")


def options_of_methods() -> dict[str, Parameter]:
    """Return every option a label method has, by name, with the methods that have it."""
    owners: dict[str, list[str]] = {}
    merged: dict[str, Parameter] = {}
    for name in METHODS:
        for key, parameter in parameters_of(METHODS[name], without=SUPPLIED).items():
            merged[key] = _merged(merged[key], parameter, name) if key in merged else parameter
            owners.setdefault(key, []).append(name)
    return {name: replace(one, owners=tuple(owners[name])) for name, one in merged.items()}


def _merged(one: Parameter, other: Parameter, owner: str) -> Parameter:
    """Return an option of two methods; where it means something else, with both meanings."""
    if one.kind == other.kind:
        return one
    doc = f"{one.doc} {owner}: {other.doc[:1].lower()}{other.doc[1:]}"
    return replace(one, kind=one.kind | other.kind, doc=doc)


def _options(chosen: Mapping[str, Any]) -> Mapping[str, Parameter]:
    """Return what the method chosen takes; every option of every method where none is."""
    method = chosen.get("method")
    if method is None or method not in METHODS:
        return options_of_methods()
    return parameters_of(METHODS[method], without=SUPPLIED)


def _fitting(chosen: Mapping[str, Any]) -> set[str]:
    """Return the keys of [label] that mean something for the method chosen."""
    method, tables = chosen.get("method"), chosen.get("questions")
    named = tables.values() if isinstance(tables, Mapping) else ()
    methods = [method, *(one.get("method") for one in named if isinstance(one, Mapping))]
    drawing = any(seed_of(one) is not None for one in methods if one and one in METHODS)
    always = {"method", "only_if", "ties", "questions", "kinds", *(["seed"] if drawing else [])}
    always |= {"calibrate"} if any(one in POSTERIORS for one in methods if one) else set()
    if method is None:
        return always
    own = parameters_of(METHODS[method], without=SUPPLIED) if method in METHODS else {}
    return {*always, "scheme", *own, *(["rescale"] if method in RESCALED else [])}


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
    texts=("prior",),
    unset=("scale", "order"),
    study=InStudy(
        also={"ties": "undecided"}, supplies=study_questions, heeds=("form", "questions")
    ),
)
def label(
    ratings: Ratings,
    *,
    method: str | Callable[..., Any] | None = None,
    scheme: str | None = None,
    items: Source | None = None,
    rescale: str | None = None,
    only_if: str | None = None,
    ties: Ties = "smallest",
    calibrate: bool = False,
    seed: int | None = None,
    scale: str | Mapping[str, str] | None = None,
    order: str | Sequence[str] | None = None,
    questions: Questions | str | Path | None = None,
    kinds: str | None = None,
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
    encoding: str | None = None,
    **options: Any,
) -> Labelled:
    """Label each item from its ratings; undecided items keep their row.

    If you name no method, the scale of a question decides: the most frequent answer (nominal), a
    strict majority over the sides, or a score if no sides are declared (ordinal), or the mean
    (interval). Texts have no labels. Ties go to the smallest label, or to none, and are listed.
    Ratings of checks are left out if the items, or a column `kind` of the ratings, mark them.

    Args:
        ratings: File or table of ratings.
        method: Name of the label method (mace, dawid-skene, strict-majority, mean …), a function
            from ratings to labels, or where to import one from (package.module:NAME). Default: the
            one that suits the scale of each question.
        scheme: How answers become labels: pap-binary, pap-multiclass, adept-5, adept-4, adept-3, or
            one of your own as 'no=1,2|neutral=3|yes=4,5'; other answers do not vote.
        items: Items table; its check items are left out, and each condition has its own prior
            (method share).
        rescale: Ends of the scale and what they become, for numbers: '1,5|0,10'.
        only_if: Count labels of a question only if another has a label ('state: breakpoint') or
            this label ('breakpoint: plausible=false'); semicolons separate several conditions.
        ties: If two labels are equally good, take the smallest, or leave the item undecided.
        calibrate: Report how well posteriors of dawid-skene, glad, mace, one-coin, ordinal or wawa
            predict held-out ratings (log loss and calibration error; needs five more fits).
        seed: Seed for the random starts of mace (default: 1).
        scale: nominal, ordinal, interval or text, for all questions or as 'fit=interval,odd=text'
            (default: inferred from the answers).
        order: Answers in ascending order, separated by commas, for ordinal questions in words.
        questions: TOML file, or mapping, with a table for each question: method and its options,
            scale, order, sides, unsure (answers that count as missing).
        kinds: Kinds of annotators whose ratings count, as person,model, or all (default: all but
            model). The samples of one model count as one annotator next to others.
        format: Format of the file of ratings.
        columns: Maps our column names to the file's, where they differ.
        missing: Additional answers to treat as missing, besides NA, N/A, NaN,
            None and blank ones, separated by commas.
        encoding: Encoding of a text file, such as cp1252 (default: guessed and reported).
        options: What the method takes, such as `min_share=0.7` or `restarts=3`.

    Examples:
        plausibly label answers.csv --questions questions.toml --json
        plausibly label ratings.parquet --method strict-majority --min-share 0.7 -o labels.csv

    >>> ratings = pl.DataFrame({"item": ["t1"] * 3, "annotator": ["a", "b", "c"],
    ...                         "answer": [5, 5, 4]})
    >>> label(ratings, method="strict-majority", min_share=0.6).labels["label"].to_list()
    ['5']
    """
    given = {**options, "scheme": scheme, "rescale": rescale}
    common = {name: value for name, value in given.items() if value is not None}
    refuse_idle(method, common)
    if method is not None:
        check_request(method, common if questions else {**common, "seed": seed})
    if ties not in get_args(Ties):
        raise UnknownName("policy for ties", ties, get_args(Ties), parameter="ties")
    if calibrate and method is not None:
        check_calibrated(called(method), ours=METHODS.is_ours(method))
    gates = parse_gates(only_if) if only_if else ()
    imported = read_ratings(
        ratings, format=format, columns=columns, missing=missing, choices=ReadingChoices(encoding)
    )
    imported, _ = of_kinds(imported, kinds)
    known = imported.items if items is None else as_items(items)
    rated, checks = without_checks(imported.ratings, known)
    tables = with_order(questions_in(questions), order, rated)
    plan = planned_labels(rated, LabelRequest(method, common, scale, tables))
    groups = list(plan.groups()) or ([] if plan.choices else [(LabelChoice(method, common), [])])
    _check_choices(groups, seed if method is None or questions else None)
    made = [
        labelled_part(
            choice,
            _rows(plan, names),
            imported,
            ties=ties,
            seed=seed,
            format=format,
            calibrate=calibrate,
            items=_item_facts(rated, known),
        )
        for choice, names in groups
    ]
    pairs = zip(made, groups, strict=True)
    labelled = _joined([_with_lost(part, plan, names) for part, (_, names) in pairs], ties)
    kept = gated(labelled.labels, gates)
    notes = list(labelled.notes)
    if kept.height < labelled.labels.height:
        gone = labelled.labels.height - kept.height
        notes.append(f"{gone} labels are left out, because their question does not arise.")
    return replace(
        labelled,
        labels=kept,
        parts=tuple(replace(part, labels=_among(part.labels, kept)) for part in labelled.parts),
        checks=checks,
        missing={**imported.missing, **plan.missing},
        notes=(*imported.notes, *notes),
        choices=plan.choices if plan.scales else {},
        scales=plan.scales,
    )


def _item_facts(rated: pl.DataFrame, items: pl.DataFrame | None) -> pl.DataFrame | None:
    """Return what is known about items: their table, else columns of the ratings."""
    if items is not None:
        return items
    own = [name for name in ("condition", "item_group") if name in rated.columns]
    facts = rated.select("item", *own).unique().sort(pl.all())
    return facts.unique("item", keep="first", maintain_order=True) if own else None


def _rows(plan: LabelPlan, names: list[str]) -> pl.DataFrame:
    """Return the ratings of some questions; all of them without a copy."""
    if len(names) in (0, len(plan.choices)):
        return plan.ratings
    return plan.ratings.filter(pl.col("question").is_in(names))


def _check_choices(groups: list[tuple[LabelChoice, list[str]]], seed: int | None) -> None:
    """Raise at the first option that the method of a question does not have."""
    for choice, names in groups:
        options = {name: one for name, one in choice.options.items() if name != "ties"}
        if choice.method is None:
            continue
        try:
            check_request(choice.method, options)
        except StudyError as error:
            if len(groups) == 1:
                raise
            raise StudyError(f"{', '.join(names)}: {error}", parameter="questions") from error
    methods = [choice.method for choice, _ in groups if choice.method is not None]
    if seed is not None and all(seed_of(one) is None for one in methods):
        raise StudyError(
            f"{option('seed')} has no effect: no question is labelled by a method with random "
            "draws.",
            parameter="seed",
        )


def _with_lost(part: Labelled, plan: LabelPlan, names: list[str]) -> Labelled:
    """Return the labels with a row for each item whose answers all count as missing."""
    if plan.lost is None or plan.lost.is_empty():
        return part
    rows = plan.lost.filter(pl.col("question").is_in(names))
    rows = rows.join(part.labels, on=["item", "question"], how="anti")
    empty = LABELS.check(rows.with_columns(method=pl.lit(part.method), ratings=pl.lit(0, pl.Int64)))
    return replace(part, labels=LABELS.sort(pl.concat([part.labels, empty])))


def _joined(parts: list[Labelled], ties: Ties) -> Labelled:
    """Return the labels of all questions, whichever method they have."""
    if len(parts) == 1:
        return parts[0]
    if not parts:
        raise StudyError(
            "nothing can be labelled: all questions are answered in free text.", parameter="scale"
        )
    competence = [one.competence for one in parts if one.competence is not None]
    entropy = [one.entropy for one in parts if one.entropy is not None]
    return Labelled(
        LABELS.sort(pl.concat([one.labels for one in parts])),
        pl.concat(competence) if competence else None,
        pl.concat(entropy) if entropy else None,
        SEVERAL,
        None,
        notes=tuple(note for one in parts for note in one.notes),
        ties=ties,
        parts=tuple(parts),
    )


def _among(labels: pl.DataFrame, kept: pl.DataFrame) -> pl.DataFrame:
    return labels.join(kept, on=["item", "question"], how="semi", maintain_order="left")


def check_request(method: str | Callable[..., Any], options: Mapping[str, Any]) -> None:
    """Raise at the first option that a method does not have: none is taken and then ignored."""
    chosen = {name: value for name, value in options.items() if value is not None}
    chosen.pop("scheme", None)
    if chosen.pop("rescale", None) and method not in RESCALED:
        what = f"{option('rescale')} is for {' and '.join(RESCALED)}, not for {method}."
        raise StudyError(what, parameter="rescale")
    if chosen.pop("seed", None) is not None and seed_of(method) is None:
        drawing = [name for name in METHODS if seed_of(name) is not None]
        raise StudyError(
            f"{option('seed')} is an option of {', '.join(drawing)}, not of {method}, which "
            "has no random draws.",
            parameter="seed",
        )
    check_options(chosen, of=METHODS, name=method, supplied=SUPPLIED)
