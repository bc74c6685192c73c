"""What moves answers: mixed models of one question, and their data and script for R."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import polars as pl

from plausibly.analysis.in_study import (
    DESCRIBED,
    answered,
    arguments,
    described_questions,
    joined,
    scale_for,
    unmodelled,
)
from plausibly.analysis.model_tables import how_tested, model_document, model_tables
from plausibly.analysis.modelled import ModelRequest, ModelTable, model_table
from plausibly.analysis.r_script import r_script
from plausibly.errors import StudyError, UnknownName, about
from plausibly.io import make_folder, write_frame, write_text
from plausibly.io.frames import Source
from plausibly.measures.mixed.design import parse_terms
from plausibly.measures.mixed.model import MixedOptions, fit_mixed
from plausibly.measures.mixed.results import MixedModel
from plausibly.measures.questions import BY_USER, wanted_scales
from plausibly.ratings.questions import (
    Questions,
    declared_in_tables,
    questions_in,
    study_questions,
)
from plausibly.ratings.sources import Ratings
from plausibly.study.arguments import listed
from plausibly.study.parameters import check_value
from plausibly.study.results import Result, put_document, text_table
from plausibly.study.steps import Work
from plausibly.study.verb import InStudy, Output, Places, verb
from plausibly.verbs.analyse._reading import read_answers

Family = Literal["auto", "ordinal", "linear", "logistic"]
Link = Literal["logit", "probit"]
SLOPES = ("annotator", "group")
SCRIPT, RATED, DOCUMENT = "model.R", "ratings.csv", "analyse.json"
SCALES = {
    "linear": "Values are in units of the answers.",
    "ordinal": "Values are on the scale of the link; means are expected answers.",
    "logistic": "Values are on the scale of the link; means are shares of the answer {answer!r}.",
}


@dataclass(frozen=True, eq=False, repr=False)
class AnswerModel(Result):
    """A mixed model of the answers to one question.

    Args:
        model: The fitted model.
        table: What it was fitted to.
        notes: How the file was read, and what was left out.
    """

    model: MixedModel
    table: ModelTable
    notes: tuple[str, ...] = ()

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of the numbers must know."""
        return (*self.table.notes, *self.model.warnings)

    def as_json(self) -> dict[str, Any]:
        """Return the document of `analyse --json`."""
        model, table = self.model, self.table
        counts = {name: model.counts.get(name) for name in ("ratings", "items", "annotators")}
        return {
            "question": table.question,
            "family": model.family,
            "reason": table.reason,
            "link": model.link,
            "criterion": model.criterion,
            "formula": table.terms,
            "answers": list(table.answers),
            **model_document(model),
            **counts,
            "groups": model.counts.get("groups"),
            "left_out": table.left_out,
            "log_likelihood": model.log_likelihood,
            "converged": model.converged,
            "test": how_tested(model),
            "warnings": list(self.warnings),
        }

    def text(self) -> str:
        """Return terms, joint tests, means, contrasts and random effects as tables."""
        return "\n".join(text_table(*table) for table in model_tables(self.model))

    @property
    def talk(self) -> tuple[str, ...]:
        """What was fitted to what, how it was tested, and what to mind."""
        model, table = self.model, self.table
        sizes = ", ".join(f"{count} {name}" for name, count in model.counts.items())
        answer = table.answers[-1] if table.answers else ""
        return (
            *self.notes,
            f"{table.question}: {model.family} mixed model ({table.reason}), terms {table.terms}.",
            f"{sizes}; log-likelihood {model.log_likelihood:.4f} ({model.criterion}).",
            SCALES[model.family].format(answer=answer),
            f"p by {how_tested(model)}.",
            *(f"Warning: {one}" for one in self.warnings),
        )


@dataclass(frozen=True, eq=False, repr=False)
class ExportedR(Result):
    """Data and script for R.

    Args:
        ratings: The ratings with the columns of the model.
        script: Fits the model to them in R.
        folder: Where both were written.
    """

    ratings: pl.DataFrame
    script: str
    folder: Path

    def as_json(self) -> dict[str, Any]:
        """Return the folder and the number of ratings."""
        return {"folder": str(self.folder), "ratings": self.ratings.height}

    def text(self) -> str:
        """Return the same as a table for people."""
        return text_table(("what", "value"), list(self.as_json().items()))

    @property
    def talk(self) -> tuple[str, ...]:
        """How to fit the model."""
        return (f"{self.folder / SCRIPT}: run it there with Rscript {SCRIPT}.",)

    def put(self, folder: Path) -> None:
        """Write the ratings as R reads them, and the script."""
        write_frame(self.ratings, folder / RATED)
        write_text(folder / SCRIPT, self.script)


def _in_study(work: Work, places: Places) -> None:
    """Model every question of a study that is not answered in texts, or report why not."""
    tables, chosen = arguments(work, places, files=("norms",))
    chosen |= study_questions(work)
    rated, known, _ = read_answers(
        tables["ratings"], tables.get("items"), None, ("long", None, None, chosen.get("kinds"))
    )
    table, described = joined(rated, known), described_questions(work)
    asked = chosen.pop("question", None)
    names = table["question"].unique().to_list()
    for name, one in wanted_scales(chosen.get("scale"), names).items():
        described[name] = {**described.get(name, {}), "scale": one, "reason": BY_USER}
    documents: dict[str, Any] = {}
    for name in [asked] if asked else answered(table, described):
        scale = described.get(name, {"scale": ""})
        own = table.filter(pl.col("question") == name)
        failed = "" if asked or "terms" in chosen else unmodelled(own, scale)
        options = {**chosen, "question": name, **scale_for(name, scale)}
        if not failed:
            try:
                documents[name] = analyse(**tables, **options).as_json()
                continue
            except StudyError as error:
                error.within("analyse")
                failed = str(error)
                if "terms" in chosen:
                    work.notes.append(f"{name}: no model: {failed}")
        documents[name] = {"question": name, "failed": failed}
    put_document({"questions": documents}, work.path(DOCUMENT))


@verb(
    reads={"ratings": "ratings", "items": "items"},
    study=InStudy(
        run=_in_study,
        supplies=study_questions,
        inputs=(DESCRIBED,),
        outputs=(DOCUMENT,),
        heeds=("form", "questions"),
    ),
)
def analyse(
    ratings: Ratings,
    *,
    terms: str | None = None,
    question: str | None = None,
    family: Family = "auto",
    slopes: str | Sequence[str] = "annotator,group",
    without_annotators: bool = False,
    random: str | Sequence[str] | None = None,
    link: Link = "logit",
    scale: str | Mapping[str, str] | None = None,
    order: str | Sequence[str] | None = None,
    questions: Questions | str | Path | None = None,
    items: Source | None = None,
    norms: str | Path | None = None,
    kinds: str | None = None,
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
) -> AnswerModel:
    """Report what moves the answers to a question, with a mixed model.

    Items, annotators and groups of items (column item_group) vary at random, and so does the
    effect of each term that varies within annotators or groups. What the design cannot identify
    is omitted and named. The value of a term with two levels is the second minus the first, in
    sorted order (coded -1/2 and +1/2); more levels are coded to sum to zero; numbers are centred.
    In a study, every question is modelled.

    Args:
        ratings: File or table of ratings, or a study, whose kept ratings and settings are used.
        terms: Fixed effects by column: 'condition + length', an interaction 'a:b', 'a * b' for
            both (default: condition, crossed with language if items have two languages).
        question: The question whose answers are modelled (default: the only one).
        family: ordinal, linear or logistic; auto chooses by the scale of the answers.
        slopes: For whom the effects of the terms may vary: annotator, group, both or neither ('').
            Items without groups are groups of one.
        without_annotators: Fit the model although the ratings do not show who gave them.
        random: Further columns whose levels vary at random, separated by commas.
        link: logit or probit, for ordinal and logistic models.
        scale: nominal, ordinal or interval, for all questions or as 'fit=interval,odd=nominal'
            (default: as declared, else inferred from the answers).
        order: Answers in ascending order, separated by commas, if they are words.
        questions: TOML file, or mapping, with a table for each question: scale, order, unsure
            (answers that count as missing).
        items: Items table with the columns of the terms; its check items are left out.
        norms: Concreteness norms; they add subject_concreteness, verb_… and object_….
        kinds: Kinds of annotators whose ratings count, as person,model, or all (default: all but
            model). The samples of one model count as one annotator next to others.
        format: Format of the file of ratings.
        columns: Maps our column names to the file's, where they differ.
        missing: Additional answers to treat as missing, separated by commas.

    Examples:
        plausibly analyse ratings.csv --items items.csv --terms 'condition * language'
        plausibly analyse my-study --question plausible --json

    >>> rows = [(f"t{i}", f"a{p}", 1 + (i * p + p) % 5, "xy"[i % 2]) for i in range(8)
    ...         for p in range(6)]
    >>> table = pl.DataFrame(rows, schema=["item", "annotator", "answer", "condition"],
    ...                      orient="row")
    >>> analyse(table, family="linear").model.criterion
    'REML'
    """
    source = read_answers(ratings, items, norms, (format, columns, missing, kinds))
    request = _request(terms, question, family, random, without_annotators)
    facts = declared_in_tables(questions_in(questions))
    request = replace(request, scale=scale, order=tuple(listed(order)), facts=facts)
    table = model_table(*source[:2], request)
    return AnswerModel(_fitted(table, link, slopes), table, source[2])


@verb(
    reads={"ratings": "ratings", "items": "items"},
    output=Output(help="Folder to write.", required=True),
    study=InStudy(name="analyse", supplies=study_questions),
)
def export_r(
    ratings: Ratings,
    *,
    output: str | Path,
    terms: str | None = None,
    question: str | None = None,
    family: Family = "auto",
    slopes: str | Sequence[str] = "annotator,group",
    without_annotators: bool = False,
    random: str | Sequence[str] | None = None,
    link: Link = "logit",
    scale: str | Mapping[str, str] | None = None,
    order: str | Sequence[str] | None = None,
    questions: Questions | str | Path | None = None,
    items: Source | None = None,
    norms: str | Path | None = None,
    kinds: str | None = None,
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
    force: bool = False,
) -> ExportedR:
    """Write the ratings and a script that fits the model of `analyse` in R.

    The script uses lme4 for linear and logistic models and ordinal for ordinal ones, with the
    random effects that the design identifies.

    Args:
        ratings: File or table of ratings, or a study, whose kept ratings and settings are used.
        output: Folder to write.
        terms: Fixed effects by column: 'condition + length', an interaction 'a:b', 'a * b' for
            both (default: condition, crossed with language if items have two languages).
        question: The question whose answers are modelled (default: the only one).
        family: ordinal, linear or logistic; auto chooses by the scale of the answers.
        slopes: For whom the effects of the terms may vary: annotator, group, both or neither ('').
        without_annotators: Fit the model although the ratings do not show who gave them.
        random: Further columns whose levels vary at random, separated by commas.
        link: logit or probit, for ordinal and logistic models.
        scale: nominal, ordinal or interval, for all questions or as 'fit=interval,odd=nominal'
            (default: as declared, else inferred from the answers).
        order: Answers in ascending order, separated by commas, if they are words.
        questions: TOML file, or mapping, with a table for each question: scale, order, unsure
            (answers that count as missing).
        items: Items table with the columns of the terms; its check items are left out.
        norms: Concreteness norms; they add subject_concreteness, verb_… and object_….
        kinds: Kinds of annotators whose ratings count, as person,model, or all (default: all but
            model). The samples of one model count as one annotator next to others.
        format: Format of the file of ratings.
        columns: Maps our column names to the file's, where they differ.
        missing: Additional answers to treat as missing, separated by commas.
        force: Overwrite files that this command did not write.

    Examples:
        plausibly export r ratings.csv --items items.csv --terms condition -o in-r
        plausibly export r my-study --question plausible -o in-r

    >>> export_r("ratings.csv", output="in-r", terms="condition +")
    Traceback (most recent call last):
    plausibly.errors.StudyError: terms "condition +": a name is missing. Write column names \
joined by +, * or :, for example "condition * language".
    """
    request = _request(terms, question, family, random, without_annotators)
    facts = declared_in_tables(questions_in(questions))
    request = replace(request, scale=scale, order=tuple(listed(order)), facts=facts)
    source = read_answers(ratings, items, norms, (format, columns, missing, kinds))
    table = model_table(*source[:2], request)
    script = r_script(_fitted(table, link, slopes), table.terms, table.answers)
    result = ExportedR(table.frame, script, Path(output))
    make_folder(result.folder.parent)
    result.write(result.folder, force=force)
    return result


def _request(
    terms: str | None,
    question: str | None,
    family: str,
    random: str | Sequence[str] | None,
    without_annotators: bool,
) -> ModelRequest:
    with about("family"):
        check_value("family", Family, family)
    if terms is not None:
        with about("terms"):
            parse_terms(terms)
    return ModelRequest(
        terms,
        question,
        family,
        further=tuple(listed(random)),
        without_annotators=without_annotators,
    )


def _fitted(table: ModelTable, link: str, slopes: str | Sequence[str]) -> MixedModel:
    with about("link"):
        check_value("link", Link, link)
    chosen = tuple(listed(slopes))
    unknown = next((name for name in chosen if name not in SLOPES), None)
    if unknown is not None:
        raise UnknownName("slope", unknown, SLOPES, parameter="slopes")
    return fit_mixed(table.columns, table.terms, MixedOptions(table.family, link, slopes=chosen))
