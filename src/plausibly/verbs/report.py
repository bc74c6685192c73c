"""The report of a study: every sentence computed from what was really done."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import polars as pl

from plausibly.analysis.figures import Figure, table_digest, write_figures
from plausibly.analysis.labelling import Labelling
from plausibly.analysis.methods import Procedure
from plausibly.analysis.questions import cascade_of, chosen_question, profile_rows, question_rows
from plausibly.analysis.report import Facts, Material, facts, figures, listings, render
from plausibly.cleaning import Preset, load_preset
from plausibly.datasets.schemes import scheme_of
from plausibly.errors import StudyError
from plausibly.io.frames import Source, as_table
from plausibly.labels import METHODS, Fitted
from plausibly.labels.results import NOBODY
from plausibly.ratings.collection import COLLECTION, collection_form
from plausibly.ratings.forms import Form
from plausibly.ratings.paying import batch_seconds
from plausibly.ratings.sources import without_checks
from plausibly.study.folder import Study
from plausibly.study.manifest import hashes, versions
from plausibly.study.parameters import accepted, parameters_of
from plausibly.study.results import Made, Result, text_table
from plausibly.study.settings import read_head
from plausibly.study.steps import Step, Work
from plausibly.tables import ANNOTATORS, EXCLUSIONS, ITEMS, LABELS, RATINGS

PAGE = "report.html"
PEOPLE = "annotators.parquet"
RATED = "ratings.parquet"
BUILT = "build.json"
ANALYSIS = "analyse.json"
PUBLISHED = "published.json"
TABLES = "report.tables.json"
UNTOLD = ("seed", "silent")
MACE = "mace"
MOST_AGAIN = 100_000  # ratings up to which MACE is fitted to those before cleaning too
DIGITS = 12  # of a SHA-256, enough to tell files apart


@dataclass(frozen=True, eq=False, repr=False)
class Report(Result):
    """The report of a study.

    Args:
        page: The whole page.
        facts: Every number of its opening sentences.
        figures: Every figure with its table, and every table without one.
        made: How this came about.
    """

    page: str
    facts: Facts
    figures: tuple[Figure, ...]
    made: Made

    def as_json(self) -> dict[str, Any]:
        """Return every number of the opening sentences, by name."""
        return {name: getattr(self.facts, name) for name in Facts.__dataclass_fields__}

    def text(self) -> str:
        """Return the numbers of the opening sentences."""
        return text_table(("fact", "value"), self.as_json().items())

    @property
    def documents(self) -> Mapping[str, object]:
        """The page."""
        return MappingProxyType({PAGE: self.page})

    def write(self, folder: str | Path) -> Path:
        """Write the page, figures/*.svg and all tables as CSV, Markdown and LaTeX."""
        target = super().write(folder)
        write_figures(self.figures, target)
        return target


def report(
    ratings: Source,
    *,
    items: Source,
    kept: Source,
    labels: Source,
    agreement: Mapping[str, Any],
    labelling: Mapping[str, Any],
    exclusions: Source | None = None,
    annotators: Source | None = None,
    label_names: Mapping[str, str] | None = None,
    sides: str | None = None,
    cascade: Sequence[Mapping[str, Any]] = (),
    rules: Sequence[str] = (),
    clean_sides: str | None = None,
    question: str | None = None,
    analysis: Mapping[str, Any] | None = None,
    built: Mapping[str, Any] | None = None,
    wording: Sequence[Mapping[str, str]] = (),
    procedure: Procedure | None = None,
    published: Mapping[str, Any] | None = None,
    name: str = "study",
    seed: int | None = None,
) -> Report:
    """Write down what the ratings of a study say, as one page without outside resources.

    Args:
        ratings: Every rating that was collected.
        items: All items, checks included.
        kept: The ratings left after cleaning.
        labels: One label per item; null is undecided.
        agreement: What `agree` says about the ratings kept (`.as_json()`).
        labelling: How the labels were made: `method` and what it was asked for.
        exclusions: The ledger of ratings set aside.
        annotators: Annotators table, which says who is simulated.
        label_names: From label to the word the report uses.
        sides: Answers that count as one in the soft Jaccard coefficient.
        cascade: What each step of cleaning left (`clean(…).as_json()`).
        rules: The rules of cleaning in order, with their thresholds.
        clean_sides: Answers that count as one where cleaning measures agreement.
        question: The question the page is about, where several were asked (default: the first).
        analysis: What `analyse iks` says about the ratings kept.
        built: What `build` says about the items.
        wording: The questions as people saw them: question, text, answers.
        procedure: How people were asked, and what their answers cost.
        published: What a publication prints beside what its data say: paper, rows.
        name: Name of the study.
        seed: Seed of the study, for the last line.

    >>> from plausibly.verbs import agree, label
    >>> ratings = pl.DataFrame({"item": ["t1"] * 3, "annotator": ["a", "b", "c"],
    ...                         "answer": ["1", "1", "5"], "question": ["rating"] * 3})
    >>> items = pl.DataFrame({"item": ["t1"], "text": ["otter paints ladder"]})
    >>> labels = label.label(ratings, method="plurality").labels
    >>> agreement = agree.agree(ratings, resamples=0).as_json()
    >>> report(ratings, items=items, kept=ratings, labels=labels, agreement=agreement,
    ...        labelling={"method": "plurality"}).facts.people
    3
    """
    question = chosen_question(agreement, question)
    method = str(labelling["method"])
    people = ANNOTATORS.empty() if annotators is None else as_table(annotators, ANNOTATORS)
    collected = as_table(ratings, RATINGS)
    simulated = people.filter(pl.col("kind") == "simulated").select("annotator")
    ledger = EXCLUSIONS.empty() if exclusions is None else as_table(exclusions, EXCLUSIONS)
    left, labelled = as_table(kept, RATINGS), as_table(labels, LABELS)
    material = Material(
        name=name,
        items=as_table(items, ITEMS),
        collected=collected,
        kept=left,
        exclusions=ledger,
        labels=labelled,
        agreement=agreement,
        label_names=label_names or {},
        labelling=Labelling(method, {k: v for k, v in labelling.items() if k != "method"}),
        made={**({} if seed is None else {"seed": seed}), **versions()},
        simulated=collected.join(simulated, on="annotator", how="semi")["annotator"].n_unique(),
        sides=sides,
        cascade=cascade,
        rules=rules,
        clean_sides=clean_sides,
        question=question,
        questions=question_rows(agreement, left, labelled),
        profiles=profile_rows(analysis or {}),
        notices=_notices(built or {}),
        uncleaned=_uncleaned(
            without_checks(collected, as_table(items, ITEMS))[0], labelled, labelling, seed=seed
        ),
        scheme=dict(scheme_of(str(labelling["scheme"])).of) if labelling.get("scheme") else {},
        wording=wording,
        procedure=procedure or Procedure(),
        published=published or {},
    )
    material = material if question is None else _about(material, question)
    made = Made(
        "report",
        inputs={"ratings": ratings, "items": items, "kept": kept, "labels": labels},
        parameters={"labelling": labelling, "sides": sides, "label_names": label_names},
        seed=seed,
    )
    shown = (*figures(material), *listings(material))
    return Report(render(material), facts(material), shown, made)


def _notices(built: Mapping[str, Any]) -> list[str]:
    """Return what a reader must know about how the items came about."""
    norms = built.get("lexica", {}).get("norms", {})
    if not norms.get("predicted"):
        return []
    return [
        "The concreteness norms of this study are predicted from word vectors, nobody rated the "
        "words: how abstract an item is said to be is an estimate."
    ]


def _uncleaned(
    collected: pl.DataFrame,
    labels: pl.DataFrame,
    labelling: Mapping[str, Any],
    *,
    seed: int | None,
) -> str:
    """Return what MACE says about all ratings, which is what it was made for and PAP's authors did.

    Nothing for other methods, beside controls, priors and gates, and for more ratings than are
    quick.
    """
    options = {name: one for name, one in labelling.items() if one is not None}
    apart = {"controls", "priors", "threshold", "only_if"} & set(options)
    if options.pop("method") != MACE or apart or not 0 < collected.height <= MOST_AGAIN:
        return ""
    scheme = options.pop("scheme", None)
    supplied = {"seed": 1 if seed is None else seed, "silent": NOBODY}
    supplied["scheme"] = scheme_of(str(scheme)) if scheme else None
    arguments = accepted(options, of=METHODS, name=MACE, supplied=supplied)
    fitted = METHODS[MACE](collected, **arguments)
    every = fitted.labels if isinstance(fitted, Fitted) else fitted
    key = ["item", "question"]
    both = labels.join(every, on=key, suffix="_all", maintain_order="left")
    other = both.filter(~pl.col("label").eq_missing(pl.col("label_all"))).height
    more = every.join(labels, on=key, how="anti").height
    return (
        f"From all ratings, before cleaning, MACE gives another label to {other} of these "
        f"{both.height} items, and a label to {more} items that cleaning left out."
    )


def _about(material: Material, question: str) -> Material:
    """Return the material of one question; items nobody was asked it about are not in it."""
    own = pl.col("question") == question
    collected = material.collected.filter(own)
    return replace(
        material,
        items=material.items.join(collected, on="item", how="semi", maintain_order="left"),
        collected=collected,
        kept=material.kept.filter(own),
        exclusions=material.exclusions.filter(own),
        labels=material.labels.filter(own),
        agreement=material.agreement["questions"][question],
        cascade=cascade_of(material.cascade, question),
    )


def report_step(
    *,
    kept: str,
    exclusions: str | None,
    label_names: Mapping[str, str],
    question: str | None = None,
) -> Step:
    """Return the step that writes report.html from everything before it.

    Args:
        kept: The file of ratings that labels and agreement were made from.
        exclusions: The ledger, where there is one.
        label_names: The words of the labels, which `[report] label_names` may change.
        question: The question the page is about, where several are asked.
    """

    def run(work: Work) -> None:
        result = _reported(work, kept, exclusions)
        work.write_text(PAGE, result.page)
        work.write_json("report.json", result.as_json())
        own = [one for one in result.figures if one.name != "published"]
        work.write_json(TABLES, {one.name: table_digest(one.table) for one in own})

    inputs = ["items.parquet", kept, RATED, "labels.parquet", "agree.json"]
    inputs += [
        "label.json",
        "clean.json",
        ANALYSIS,
        BUILT,
        PUBLISHED,
        PEOPLE,
        *([exclusions] if exclusions else []),
    ]
    return Step(
        "report",
        run,
        inputs=tuple(dict.fromkeys(inputs)),
        outputs=(PAGE, "report.json", TABLES),
        parameters={"label_names": dict(label_names), "question": question},
    )


def _labelling(work: Work) -> dict[str, Any]:
    """Return how the labels that are there were made, by the settings their step ran with."""
    chosen = {name: one for name, one in work.settings["label"].items() if one}
    own = {"method", "only_if", *parameters_of(METHODS[str(chosen["method"])], without=UNTOLD)}
    if Labelling(str(chosen["method"])).kind == "number":
        own.add("rescale")
    return {name: one for name, one in chosen.items() if name in own}


def _reported(work: Work, kept: str, exclusions: str | None) -> Report:
    form = _form(work)
    return report(
        work.path("ratings.parquet"),
        items=work.path("items.parquet"),
        kept=work.path(kept),
        labels=work.path("labels.parquet"),
        agreement=_document(work.path("agree.json")),
        labelling=_labelling(work),
        exclusions=work.path(exclusions) if exclusions else None,
        annotators=work.path(PEOPLE) if work.has(PEOPLE) else None,
        label_names=work.parameters["label_names"],
        sides=work.settings["agree"].get("sides"),
        cascade=_cascade(work),
        rules=_rules(work),
        clean_sides=_clean_sides(work),
        question=work.parameters.get("question"),
        analysis=_document(work.path(ANALYSIS)) if work.has(ANALYSIS) else None,
        built=_document(work.path(BUILT)) if work.has(BUILT) else None,
        wording=[] if form is None else _wording(form),
        procedure=_procedure(work, form, (kept, *([exclusions] if exclusions else []))),
        published=_document(work.path(PUBLISHED)) if work.has(PUBLISHED) else None,
        name=work.name or work.folder.resolve().name,
        seed=work.seed,
    )


def _form(work: Work) -> Form | None:
    """Return the form people filled in; None where the study knows of none."""
    protocol = str(read_head(work.folder)["protocol"])
    section = work.settings.get("form", {})
    if protocol not in COLLECTION or not section.get("questions", True):
        return None
    language = str(work.settings.get("server", {}).get("interface") or "")
    where = str(work.path("study.toml"))
    return collection_form(protocol, section, where=where, language=language)


def _wording(form: Form) -> list[dict[str, str]]:
    """Return the questions of a form as people read them."""
    return [
        {
            "question": one.id,
            "text": one.text,
            "answers": ", ".join(one.labels or one.options),
        }
        for one in form.questions
        if one.text
    ]


def _procedure(work: Work, form: Form | None, made_of: Sequence[str]) -> Procedure:
    """Return how people were asked and what an hour was paid, as far as the study knows."""
    server = work.settings.get("server", {})
    ratings = pl.read_parquet(work.path(RATED))
    batch = work.settings.get("ratings", {}).get("batch")
    names = dict.fromkeys(("items.parquet", RATED, *made_of, "labels.parquet", "agree.json"))
    return Procedure(
        protocol=str(read_head(work.folder)["protocol"]),
        instructions=() if form is None else tuple(form.instructions),
        eligibility="" if form is None else form.eligibility,
        pay=str(server.get("pay") or ""),
        reward=float(server.get("reward") or 0.0),
        batch_seconds=batch_seconds(ratings, items=int(batch)) if batch else None,
        files={name: one[:DIGITS] for name, one in hashes(work.folder, names).items()},
    )


def report_of(folder: str | Path) -> Report:
    """Return the report of a study whose steps are done."""
    study = Study(folder)
    settings = study.settings
    sections = settings.sections
    work = Work(study.folder, sections["report"], sections, settings.seed, settings.name)
    inputs = study.protocol.step("report").inputs
    kept = next(name for name in inputs if name.endswith("/ratings.parquet") or name == RATED)
    ledger = next((name for name in inputs if name.endswith("exclusions.parquet")), None)
    return _reported(work, kept, ledger)


def _cascade(work: Work) -> list[dict[str, Any]]:
    path = work.path("clean.json")
    return list(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else []


def _preset(work: Work) -> Preset | None:
    if "clean" not in work.settings:
        return None
    named = str(work.settings["clean"]["preset"])
    return load_preset(work.path(named) if named.endswith(".toml") else named)


def _rules(work: Work) -> list[str]:
    """Return the rules a study cleans by, each with its thresholds."""
    preset = _preset(work)
    return [] if preset is None else [str(rule) for rule in preset.rules]


def _clean_sides(work: Work) -> str | None:
    """Return the sides cleaning measures agreement over: the study's, or the preset's."""
    preset = _preset(work)
    said = work.settings["clean"].get("sides") if preset else None
    return preset.sides if preset and said is None else said or None


def _document(path: Path) -> dict[str, Any]:
    document = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(document, dict):
        raise StudyError(f"{path}: not a document of agree. Remove it and run again.")
    return document
