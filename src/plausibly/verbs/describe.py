"""Means and shares of answers, with intervals for new items and new annotators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import polars as pl

from plausibly.analysis.describing import described_question, scale_ends
from plausibly.analysis.description import (
    HYBRID,
    NUMBERS,
    Description,
    item_table,
    means_table,
)
from plausibly.analysis.figures import Figure
from plausibly.analysis.hybrid import ItemSampling, hybrid_request, with_hybrids
from plausibly.analysis.hybrid_parts import Learnt
from plausibly.analysis.hybrid_table import hybrid_contrast_rows
from plausibly.analysis.in_study import ITEM_TABLE, arguments, joined, splitting
from plausibly.analysis.question_figures import question_figure
from plausibly.errors import StudyError, UnknownName, option
from plausibly.io import make_folder
from plausibly.io.choices import ReadingChoices
from plausibly.io.frames import Source, as_items
from plausibly.measures.early import first_answers
from plausibly.measures.question_facts import QuestionFacts
from plausibly.measures.questions import (
    BEST,
    SET,
    QuestionScale,
    question_scales,
    with_codes,
    without_unsure,
)
from plausibly.ratings.kinds import of_kinds
from plausibly.ratings.questions import (
    Questions,
    declared_in_tables,
    questions_in,
    study_questions,
)
from plausibly.ratings.sources import (
    Ratings,
    left_out_checks,
    read_ratings,
    read_raw_ratings,
    without_checks,
)
from plausibly.study.arguments import ends_of, listed
from plausibly.study.results import Result, put_document, put_table, text_table
from plausibly.study.steps import Work
from plausibly.study.verb import InStudy, Output, Places, verb

DOCUMENT, MEANS, ITEM_VALUES = "describe.json", "describe/means.parquet", "describe/items.parquet"
ANSWERED = ("answer", "value")
SAMPLE = "sample"
DRAWN = ("random_sample", "inclusion", "learnt", "model")


@dataclass(frozen=True, eq=False, repr=False)
class Described(Result):
    """Means and shares by question and cell.

    Args:
        means: question, answer, one column for each part, then items to high and the method.
        questions: The same by question, with scale and contrasts.
        weigh: What counts once: items or ratings.
        missing: How often each missing answer occurred.
        notes: How the file was read, and what was left out.
        items: question, item, the parts, answer (null: the mean), its rank, ratings, value.
        models: The model that helps with further estimates, and how items were drawn.
    """

    means: pl.DataFrame
    questions: Mapping[str, Description]
    weigh: str
    missing: Mapping[str, int]
    notes: tuple[str, ...] = ()
    items: pl.DataFrame = field(default_factory=pl.DataFrame)
    models: Mapping[str, Any] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the document of `describe --json`."""
        left_out = {"missing": dict(self.missing)} if self.missing else {}
        questions = {name: one.as_json() for name, one in self.questions.items()}
        models = {"models": dict(self.models)} if self.models else {}
        return {"weigh": self.weigh, **models, "questions": questions, **left_out}

    def text(self) -> str:
        """Return the means as a table, then the contrasts."""
        hybrid = [name for name in self.means.columns if name.startswith("hybrid_")]
        shown = self.means.drop("method", "warning", *hybrid)
        columns = [name for name in shown.columns if shown[name].null_count() < shown.height]
        parts = [text_table(columns, shown.select(columns).iter_rows())]
        contrasts = [(n, one) for n, q in self.questions.items() for one in q.contrasts]
        split = list(dict.fromkeys(part for _, one in contrasts for part in one.get("by", {})))
        answer = ["answer"] if any("answer" in one for _, one in contrasts) else []
        header = ("question", *answer, *split, "of", "against", "value", "low", "high", "p")
        rows = [
            (name, *({**one.get("by", {}), **one}.get(column) for column in header[1:]))
            for name, one in contrasts
        ]
        parts += [text_table(header, rows)] if rows else []
        if self.models:
            parts.append(self._hybrids([n for n in columns if n not in NUMBERS]))
            named, helped = hybrid_contrast_rows(self.questions)
            parts += [text_table(named, helped)] if helped else []
        return "\n".join(parts)

    def _hybrids(self, cells: Sequence[str]) -> str:
        """Return the estimates that the model helps with as a table."""
        names = [*cells, *(f"hybrid_{name}" for name in HYBRID), "hybrid_note"]
        header = [*cells, "people and model", *HYBRID[1:], "note"]
        return text_table(header, self.means.select(names).iter_rows())

    @cached_property
    def figures(self) -> tuple[Figure, ...]:
        """Means or shares of every question, over the items they come from."""
        drawn = []
        for name, one in self.questions.items():
            values = self.items.filter(pl.col("question") == name) if self.items.width else None
            if values is not None:
                drawn.append(question_figure(name, name, one.as_json(), values, {})[0])
        return tuple(one for one in drawn if one is not None)

    @property
    def talk(self) -> tuple[str, ...]:
        """Which scale each question is on, and what the intervals are about."""
        scales = [f"{name}: {one.scale} ({one.reason})." for name, one in self.questions.items()]
        cautions = sorted({str(text) for text in self.means["warning"].drop_nulls()})
        once = f"Every {self.weigh.removesuffix('s')} counts once."
        about = "95 % intervals, for new items and new annotators unless a warning says otherwise."
        warnings = [f"Warning: {one}." for one in cautions]
        return (*self.notes, *scales, f"{once} {about}", *warnings, *self._model_talk)

    @property
    def _model_talk(self) -> tuple[str, ...]:
        """What is taken for granted about the model, where one helps."""
        if not self.models:
            return ()
        where = {
            "elsewhere": "not to have learnt from these ratings",
            "cross-fitted": "to have predicted each item without having learnt from it",
        }[self.models["learnt"]]
        return (
            f"People's estimates come first. Those of people and {self.models['model']} use its "
            f"predictions for {self.models['items']} items; it is taken {where}.",
        )


def _rated(work: Work) -> pl.DataFrame:
    """Return the answers a study kept, with the condition and the language of their items."""
    known = as_items(work.path(ITEM_TABLE)) if work.has(ITEM_TABLE) else None
    imported, _ = of_kinds(read_ratings(work.folder), work.parameters.get("kinds"))
    return without_checks(joined(imported.ratings, known), known)[0]


def _of_study(work: Work) -> dict[str, Any]:
    """Return what follows from a study: its questions, the columns that split them, its sample."""
    chosen = study_questions(work)
    if work.parameters.get("models") is not None:
        sample = work.settings.get(SAMPLE, {})
        chosen["random_sample"] = bool(sample.get("random"))
        chosen["inclusion"] = sample.get("inclusion") or None
    if work.parameters.get("by") is None:
        chosen["by"] = splitting(_rated(work))[0]
    return chosen


def _in_study(work: Work, places: Places) -> None:
    """Describe every question of a study; one whose scale is not decided has the reason."""
    tables, chosen = arguments(work, places, files=("models",))
    chosen |= _of_study(work)
    if chosen.get("models") is not None:
        drawn = ItemSampling(**{name: chosen[name] for name in DRAWN if name in chosen})
        known = as_items(tables["items"]) if "items" in tables else None
        hybrid_request(chosen["models"], drawn, items=known, ratings=tables["ratings"])
    table = _rated(work)
    by, asked = chosen.pop("by"), chosen.pop("question", None)
    results: dict[str, Described | str] = {}
    for name in _chosen(table, asked):
        try:
            results[name] = describe(**tables, **chosen, by=by, question=name)
        except StudyError as error:
            error.within("describe")
            results[name] = str(error)
    described = {name: one for name, one in results.items() if isinstance(one, Described)}
    questions = {name: one.questions[name] for name, one in described.items()}
    reasons: dict[str, dict[str, Any]] = {
        name: {"scale": None, "reason": one, "rows": [], "contrasts": []}
        for name, one in results.items()
        if isinstance(one, str)
    }
    models = next(({"models": dict(one.models)} for one in described.values() if one.models), {})
    left = next(({"missing": dict(one.missing)} for one in described.values() if one.missing), {})
    document = {
        "weigh": chosen["weigh"],
        "by": listed(by),
        "unsplit": splitting(table)[1] if work.parameters.get("by") is None else "",
        **models,
        "questions": {name: reasons.get(name) or questions[name].as_json() for name in results},
        **left,
    }
    make_folder(work.path(MEANS).parent)
    put_document(document, work.path(DOCUMENT))
    put_table("means", means_table(questions, listed(by)), work.path(MEANS))
    put_table("values", item_table(questions), work.path(ITEM_VALUES))


@verb(
    reads={"ratings": "ratings", "items": "items"},
    output=Output("means", help="File for the table of means."),
    unset=("random_sample", "inclusion"),
    study=InStudy(
        run=_in_study,
        supplies=_of_study,
        outputs=(DOCUMENT, MEANS, ITEM_VALUES),
        heeds=("form", "questions", SAMPLE),
    ),
)
def describe(
    ratings: Ratings,
    *,
    items: Source | None = None,
    by: str | Sequence[str] | None = None,
    question: str | None = None,
    scale: str | Mapping[str, str] | None = None,
    order: str | Sequence[str] | None = None,
    bounds: str | Sequence[float] | None = None,
    questions: Questions | str | Path | None = None,
    weigh: Literal["items", "ratings"] = "items",
    models: Source | None = None,
    model: str | None = None,
    random_sample: bool = False,
    inclusion: str | None = None,
    learnt: Learnt = "elsewhere",
    kinds: str | None = None,
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
    encoding: str | None = None,
) -> Described:
    """Describe answers: means or shares in every cell, with intervals, and paired contrasts.

    Intervals generalise to new items and new annotators (two-way robust variance, Welch's t);
    with fewer than 5 annotators, to new items only. Shares and scales with ends get their limits
    on the logit scale, within exact binomial limits. If items come in groups (column item_group;
    for candidates, their source), cells of the first column are also contrasted within groups, in
    each cell of the other columns.

    With models, each row adds an estimate from people and the model, under hybrid: its value, the
    model's weight, its correlation with the answers in the cell (rho), and the gain, which is the
    variance of people's estimate divided by that of the new one. Below a gain of 1.05 the model
    does not help. Limits whose names begin with these_ are for the items with predictions only.

    Args:
        ratings: File or table of ratings, or a study, whose kept ratings and settings are used.
        items: Items table, for columns such as condition and item_group; its check items are left
            out.
        by: Columns that split the ratings into cells, separated by commas.
        question: Describe only this question.
        scale: nominal, ordinal or interval, for all questions or as 'fit=interval,odd=nominal'
            (default: inferred from the answers).
        order: Answers in ascending order, separated by commas, for ordinal questions in words.
        bounds: Lowest and highest value of a scale with ends, as '0,100'.
        questions: TOML file, or mapping, with a table for each question: scale, order, bounds,
            unsure (answers that count as missing).
        weigh: What counts once in a mean: every item or every rating.
        models: Predictions table, also for items that nobody rated; rows then have a second
            estimate, from people and the model.
        model: Which of the models in the predictions to use, if there are several.
        random_sample: The rated items are a random sample of the items with predictions.
        inclusion: Column with each item's probability of being rated, if items differ in it.
        learnt: What the model learnt from: elsewhere (other data), here (these ratings; refused),
            or cross-fitted (each item is predicted by a model that did not learn from it).
        kinds: Kinds of annotators whose ratings count, as person,model, or all (default: all but
            model). The samples of one model count as one annotator next to others.
        format: Format of the file of ratings.
        columns: Maps our column names to the file's, where they differ.
        missing: Additional answers to treat as missing, separated by commas.
        encoding: Encoding of a text file, such as cp1252 (default: guessed and reported).

    Examples:
        plausibly describe ratings.parquet --items items.parquet --by condition
        plausibly describe answers.csv --models predictions.parquet --random-sample

    >>> table = pl.DataFrame({"item": ["t1", "t1", "t2", "t2"], "annotator": ["a", "b"] * 2,
    ...                       "answer": [1, 2, 3, 4]})
    >>> describe(table).as_json()["questions"]["rating"]["rows"][0]["value"]
    2.5
    """
    imported = read_raw_ratings(
        ratings, format=format, columns=columns, missing=missing, choices=ReadingChoices(encoding)
    )
    imported, _ = of_kinds(imported, kinds)
    known = imported.items if items is None else as_items(items)
    table, checks = without_checks(imported.ratings, known)
    table, early = first_answers(table)
    parts = listed(by)
    table = _with_columns(table, known, parts)
    chosen, tables = _chosen(table, question), questions_in(questions)
    drawn = ItemSampling(random_sample, inclusion, learnt, model)
    request = None
    if models is not None:
        request = hybrid_request(models, drawn, items=known, ratings=ratings)
    elif drawn != ItemSampling():
        _refuse_idle(drawn)
    declared = {
        name: _with_defaults(declared_in_tables(tables).get(name), listed(order), ends_of(bounds))
        for name in chosen
    }
    scales = question_scales(table, facts=declared, scale=scale)
    asked = table.filter(pl.col("question").is_in(chosen))
    asked, unsure = without_unsure(asked, scales, words=True)
    asked = with_codes(asked, scales)
    described = {
        name: described_question(
            asked.filter(pl.col("question") == name), scales[name], parts=parts, weigh=weigh
        )
        for name in chosen
    }
    if request is not None:
        alone = table["question"].n_unique() == 1
        for name in chosen:
            facts = {**_facts(scales[name]), "name": name, "alone": alone, "weigh": weigh}
            own = asked.filter(pl.col("question") == name)
            described[name] = with_hybrids(described[name], own, request, parts=parts, facts=facts)
    left = left_out_checks(checks)
    return Described(
        means_table(described, parts),
        described,
        weigh,
        {**imported.missing, **unsure},
        (*imported.notes, *left, *early),
        item_table(described),
        {} if request is None else request.as_json(),
    )


def _refuse_idle(drawn: ItemSampling) -> None:
    """Raise at an option about a model where none was passed."""
    usual = ItemSampling()
    idle = next(name for name in DRAWN if getattr(drawn, name) != getattr(usual, name))
    raise StudyError(f"{option(idle)} needs {option('models')}.", parameter=idle)


def _facts(scale: QuestionScale) -> dict[str, Any]:
    """Return what estimates with a model need to know about a question."""
    members = scale.type in (SET, BEST)
    return {"bounds": scale_ends(scale), "codes": scale.codes or None, "members": members}


def _with_columns(
    table: pl.DataFrame, items: pl.DataFrame | None, parts: Sequence[str]
) -> pl.DataFrame:
    """Return the ratings with the columns of their items that are needed.

    Candidates are compared within the item they belong to.
    """
    if items is not None and "candidate" in parts[:1] and "source" in items.columns:
        groups = [name for name in ("item_group", "source") if name in items.columns]
        items = items.with_columns(item_group=pl.coalesce(groups))
    needed = [*parts, "item_group"]
    more = [] if items is None else [n for n in needed if n in items.columns]
    more = [name for name in more if name not in table.columns]
    if items is not None and more:
        table = table.join(items.select("item", *more), on="item", how="left")
    for name in parts:
        if name in ANSWERED:
            what = f"{option('by')} names {name!r}, which is what is described. Name other columns."
            raise StudyError(what, parameter="by")
        if name not in table.columns:
            own = {*table.columns, *(() if items is None else items.columns)}
            raise UnknownName("column", name, own, parameter="by")
    return table


def _chosen(table: pl.DataFrame, question: str | None) -> list[str]:
    names = sorted(table["question"].unique().to_list())
    if question is not None and question not in names:
        raise UnknownName("question", question, names, parameter="question")
    return names if question is None else [question]


def _with_defaults(
    facts: QuestionFacts | None, order: Sequence[str], bounds: tuple[float, float] | None
) -> QuestionFacts:
    """Return what is declared about a question, over what holds for all of them."""
    own = facts or QuestionFacts()
    return replace(own, order=own.order or tuple(order), bounds=own.bounds or bounds)
