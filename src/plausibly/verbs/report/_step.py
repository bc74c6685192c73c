"""The report as a step of a study: every argument read from the study's folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from plausibly.analysis.by_question import DescribedAnswers
from plausibly.analysis.figures import table_digest
from plausibly.analysis.labelling import Labelling
from plausibly.analysis.methods import Procedure
from plausibly.analysis.models import AGAINST, ModelResults, asked_row
from plausibly.cleaning import Preset, load_preset
from plausibly.errors import StudyError
from plausibly.evaluation.in_study import (
    ASKED_DOCUMENT,
    ASKED_FILE,
    COMPARED_FILE,
    PREDICTIONS_FILE,
    SCORES_FILE,
    WITH_PEOPLE_FILE,
)
from plausibly.labels import METHODS
from plausibly.labels.results import QUESTION
from plausibly.ports import SILENCE, Watch
from plausibly.ratings.costs import PAID_BY, WORKED, cost_of
from plausibly.ratings.forms import Form
from plausibly.ratings.paying import batch_seconds
from plausibly.ratings.questions import study_facts
from plausibly.study.folder import Study
from plausibly.study.manifest import hashes
from plausibly.study.parameters import parameters_of
from plausibly.study.steps import Work
from plausibly.study.verb import InStudy, Places, verb
from plausibly.tables import LABELS, PREDICTIONS
from plausibly.verbs.report._exhibits import EXHIBIT_FILES, EXHIBIT_KEYS, drawn_exhibits
from plausibly.verbs.report._forms import (
    form_of_study,
    page_question,
    protocol_of,
    translations,
    wording,
)
from plausibly.verbs.report._mace import KEPT, FromAll
from plausibly.verbs.report._page import PAGE, Report, composed_report

BUILT, MATCHED, VETTED = "build.json", "build_match.json", "build_checks.json"
ANALYSIS, BROWSED, PEOPLE = "score_iks.json", "browse.json", "annotators.parquet"
PUBLISHED, LABELLED, READ = "published.json", "label.json", "ratings.json"
DESCRIBED, VALUES, ANALYSED = "describe.json", "describe/items.parquet", "analyse.json"
SCORED, COMPARED = SCORES_FILE, "comparisons.parquet"
EVALUATED = "evaluate.json"
MODELS = (SCORED, COMPARED, EVALUATED, WITH_PEOPLE_FILE, ASKED_DOCUMENT, ASKED_FILE)
EXHIBITED = (PREDICTIONS_FILE, COMPARED_FILE, "surveys.parquet", "corpus/counts.parquet")
TABLES = "report.tables.json"
UNTOLD = ("seed", "silent")
# What the page says of study.toml besides its own section.
HEEDED = (
    *("study.name", "form", "server.interface", "server.pay"),
    *(f"server.{name}" for name in PAID_BY),
    *("ratings.batch", "clean.preset", "clean.sides", "label", "agree.sides"),
    *("models_predict", "ask.model", "evaluate.scheme", "compare.scheme", "score_gita"),
    *("build_match", "build_checks.ratings", "describe_frequency.counts"),
)
DIGITS = 12  # of a SHA-256, enough to tell files apart


def _in_study(work: Work, places: Places) -> None:
    result = _reported(work, places)
    work.write_text(PAGE, result.page)
    work.write_json("report.json", result.as_json())
    work.write_json(KEPT, result.from_all.as_json())
    own = [one for one in result.figures if _is_exact(one.name)]
    work.write_json(TABLES, {one.name: table_digest(one.table) for one in own})


def _is_exact(name: str) -> bool:
    """Return whether a table is the same on every machine; what a search ends at is not.

    Nor is what asking took: answers that were cut off count only when they are asked for.
    """
    drawn = name.startswith("model-") and "-of-" in name
    return name not in ("published", "model-asked") and not drawn


def _labelling(work: Work) -> dict[str, Any]:
    """Return how the labels that are there were made, by the settings their step ran with."""
    chosen = {name: one for name, one in work.settings["label"].items() if one}
    chosen |= _own_labelling(work, chosen.pop("questions", {}))
    method = str(chosen["method"])
    own = {"method", "only_if", "ties", *parameters_of(METHODS[method], without=UNTOLD)}
    if Labelling(method).kind == "number":
        own.add("rescale")
    return {name: one for name, one in chosen.items() if name in own}


def _own_labelling(work: Work, questions: Mapping[str, Any]) -> dict[str, Any]:
    """Return method and options of the page's question, where they are not those of all."""
    document = _document(work.path(LABELLED))
    agreement = _document(work.path("agree.json"))
    question = page_question(work, agreement)
    own = document.get("questions", {}).get(question, document)
    if "method_reason" in own:
        return {"method": own["method"], **own["method_options"]}
    table = questions.get(question or QUESTION, {}) if isinstance(questions, Mapping) else {}
    named = work.settings["label"].get("method")  # as study.toml names it: package.module:NAME
    return {"method": named or own["method"], **table}


def _reported(work: Work, places: Places, *, from_all: FromAll | None = None) -> Report:
    form, exclusions = form_of_study(work), places.get("exclusions")
    browsed = _document(work.path(BROWSED)) if work.has(BROWSED) else {}
    agreement = _document(work.path("agree.json"))
    return composed_report(
        work.path(places["ratings"]),
        items=work.path(places["items"]),
        kept=work.path(places["kept"]),
        labels=work.path(places["labels"]),
        agreement=agreement,
        labelling=_labelling(work),
        exclusions=work.path(exclusions) if exclusions else None,
        annotators=work.path(PEOPLE) if work.has(PEOPLE) else None,
        label_names=work.parameters["label_names"] or _in_order(work, places["labels"], form),
        sides=work.settings["agree"].get("sides"),
        cascade=_cascade(work),
        rules=_rules(work),
        clean_sides=_clean_sides(work),
        question=page_question(work, agreement),
        analysis=_document(work.path(ANALYSIS)) if work.has(ANALYSIS) else None,
        built=_built(work),
        wording=[] if form is None else wording(form, translations(work, places["items"])),
        procedure=_procedure(work, form, places),
        published=_document(work.path(PUBLISHED)) if work.has(PUBLISHED) else None,
        models=_models(work),
        warnings=_warnings(work),
        missing=_document(work.path(READ)).get("missing") if work.has(READ) else None,
        decisions=_document(work.path(READ)).get("log") if work.has(READ) else None,
        answers=_answers(work, form),
        from_all=from_all,
        drawn=drawn_exhibits(work, places),
        name=work.name or work.folder.resolve().name,
        seed=work.seed,
        browsed=browsed,
    )


def _in_order(work: Work, place: str, form: Form | None) -> dict[str, str]:
    """Return the labels of the page's question as its scale or form orders them, if it does."""
    question = page_question(work, _document(work.path("agree.json")))
    labels = work.read(place, LABELS)
    own = labels if question is None else labels.filter(pl.col("question") == question)
    labels_given = set(own["label"].drop_nulls())
    for name, facts in study_facts(work).items():
        asked = set(own["question"]) == {name} and facts.scale == "ordinal"
        if asked and labels_given and labels_given <= set(facts.order):
            return {answer: answer for answer in facts.order}
    for one in () if form is None else form.questions:
        if labels_given and set(own["question"]) == {one.id} and labels_given <= set(one.options):
            return {answer: answer for answer in one.options if answer in labels_given}
    return {}


def _answers(work: Work, form: Form | None) -> DescribedAnswers | None:
    """Return what the study's steps report about each question; None if they did not run."""
    if not work.has(DESCRIBED) or not work.has(VALUES):
        return None
    return DescribedAnswers(
        _document(work.path(DESCRIBED)),
        pl.read_parquet(work.path(VALUES)),
        _document(work.path(ANALYSED)) if work.has(ANALYSED) else {},
        {} if form is None else {one.id: one.text for one in form.questions},
        options={} if form is None else {one.id: one.options for one in form.questions},
    )


def _warnings(work: Work) -> list[str]:
    """Return what the ratings cannot support, as labelling reports it."""
    document = _document(work.path(LABELLED)) if work.has(LABELLED) else {}
    return [sentence[:1].upper() + sentence[1:] for sentence in document.get("warnings", [])]


def _built(work: Work) -> dict[str, Any]:
    """Return what building, pairing and vetting say about the items."""
    paired = bool(work.settings.get("build_match", {}).get("match")) and work.has(MATCHED)
    own = _document(work.path(BUILT)) if work.has(BUILT) else {}
    piloted = bool(work.settings.get("build_checks", {}).get("ratings")) and work.has(VETTED)
    pilot = _document(work.path(VETTED)) if piloted else {}
    pairs = {"matching": _document(work.path(MATCHED))["matching"]} if paired else {}
    return {**own, **pairs, **{key: pilot[key] for key in ("promoted", "vetted") if key in pilot}}


def _models(work: Work) -> ModelResults | None:
    """Return how models did, from the steps this study has; None if it has none."""
    steps = {step.name for step in protocol_of(work).active(work.settings).steps}
    if "score_gita" in steps and work.has(SCORED):
        return _scored(work, steps)
    asked = {**_with_people(work, steps), **_asked(work, steps)}
    scheme = work.settings.get("evaluate", {}).get("scheme")
    if "evaluate" not in steps or not scheme or not work.has(SCORED):
        return ModelResults("", "", **asked) if asked else None
    compared = "compare" in steps and work.has(COMPARED)
    return ModelResults(
        f"scheme {scheme}",
        AGAINST.get(scheme, "the labels of this study"),
        pl.read_parquet(work.path(SCORED)).to_dicts(),
        pl.read_parquet(work.path(COMPARED)).to_dicts() if compared else (),
        **asked,
    )


def _with_people(work: Work, steps: Collection[str]) -> dict[str, Any]:
    """Return how models compare with people: all without a scheme, else those that were asked."""
    scheme = work.settings.get("evaluate", {}).get("scheme")
    step, file = ("evaluate_ratings", WITH_PEOPLE_FILE)
    if "evaluate" in steps and not scheme:
        step, file = ("evaluate", EVALUATED)
    if step not in steps or not work.has(file):
        return {}
    document = _document(work.path(file))
    if not document["models"]:
        return {}
    rows = [
        {
            **{name: one.get(name) for name in ("model", "question", "unread", "reason")},
            **one["agreement"],
            "winning_rate": one["alternative_annotator"]["winning_rate"],
            "people": one["alternative_annotator"]["people"],
            "person": one["genuine_person"]["winning_rate"],
            "worth": (one["worth"] or {}).get("words"),
            "test_reason": one["alternative_annotator"].get("reason"),
        }
        for one in document["models"]
    ]
    apart = document.get("departures", ())
    return {"with_people": rows, "over_ways": document["ways"], "departures": apart}


def _asked(work: Work, steps: Collection[str]) -> dict[str, Any]:
    """Return what asking took: answers, those unread or lost, tokens, money; nothing if nobody."""
    if "ask" not in steps or not work.has(ASKED_DOCUMENT) or not work.has(ASKED_FILE):
        return {}
    table = work.read(ASKED_FILE, PREDICTIONS)
    known = table.select("model", "asked").unique().iter_rows() if "asked" in table.columns else ()
    rows = [asked_row(one) for one in _document(work.path(ASKED_DOCUMENT))["models"]]
    return {"asked": rows, "ways": dict(known)}


def _scored(work: Work, steps: Collection[str]) -> ModelResults:
    """Return what `score_gita` says about answers to GITA's stories."""
    asked, named = "ask" in steps, bool(work.settings["score_gita"]["answers"])
    right = [*(["the labels of this study"] * asked), *(["what is right in the stories"] * named)]
    return ModelResults(
        f"rules {work.settings['score_gita']['rules']}",
        " and ".join(right),
        pl.read_parquet(work.path(SCORED)).to_dicts(),
        **_with_people(work, steps),
        **_asked(work, steps),
    )


def _procedure(work: Work, form: Form | None, places: Places) -> Procedure:
    """Return how people were asked and what an hour was paid, as far as the study knows."""
    server = work.settings.get("server", {})
    table = pl.scan_parquet(work.path(places["ratings"]))
    known = table.collect_schema().names()
    times = [one for one in ("item", "batch", "submitted", "seconds", "kind") if one in known]
    ratings = table.select(times).collect()
    batch = work.settings.get("ratings", {}).get("batch")
    tables = ("items", "ratings", "kept", "exclusions", "labels")
    documents = ("agree.json", *(one for one in (DESCRIBED, ANALYSED) if work.has(one)))
    names = dict.fromkeys([*(places[one] for one in tables if one in places), *documents])
    read = _document(work.path(READ)) if work.has(READ) else {}
    cost = cost_of(read.get(WORKED, {}), server)
    return Procedure(
        measured=protocol_of(work).words.get("measured", ""),
        instructions=() if form is None else tuple(form.instructions),
        eligibility="" if form is None else form.eligibility,
        pay=str(server.get("pay") or ""),
        reward=float(server.get("reward") or 0.0),
        currency=str(server.get("currency") or ""),
        cost="" if cost is None else cost.text(),
        batch_seconds=batch_seconds(ratings, items=int(batch)) if batch else None,
        files={name: one[:DIGITS] for name, one in hashes(work.folder, names).items()},
    )


@verb(
    reads={
        "items": "items",
        "ratings": "ratings",
        "kept": "clean/ratings",
        "labels": "labels",
        "exclusions": "clean/exclusions",
    },
    study=InStudy(
        run=_in_study,
        keys={"label_names": {}, "question": None},
        explained={
            "label_names": "Maps each label to its name in the report.",
            "question": "The question the report is about (default: the form's first).",
        },
        inputs=(
            *("agree.json", "label.json", "clean.json", READ, ANALYSIS, BUILT, MATCHED, PUBLISHED),
            BROWSED,
            *(PEOPLE, *MODELS, DESCRIBED, VALUES, ANALYSED, *EXHIBITED, VETTED),
            *EXHIBIT_FILES,
        ),
        outputs=(PAGE, "report.json", TABLES, KEPT),
        heeds=(*HEEDED, *EXHIBIT_KEYS),
    ),
)
def report(
    folder: str | Path,
    *,
    announce: Callable[[str], None] | None = None,
    watch: Watch = SILENCE,
) -> Report:
    """Return the report of a study, after running the steps it needs that are not done.

    Args:
        folder: The study folder.
        announce: Called with the name of each step before it runs.
        watch: Receives the progress of a long step.

    Examples:
        plausibly report my-study
        plausibly report studies/pilot

    >>> import tempfile
    >>> from plausibly import init
    >>> with tempfile.TemporaryDirectory() as place:
    ...     report(init("custom", Path(place, "otters"), example=True).folder).facts.people
    14
    """
    last = Study(folder).run(to="report", announce=announce, watch=watch)[-1]
    if last.state == "waiting":
        raise StudyError(last.reason)
    return report_of(folder)


def report_of(folder: str | Path) -> Report:
    """Return the report of a study whose steps are done."""
    study = Study(folder)
    settings = study.settings
    sections = settings.sections
    work = Work(study.folder, sections["report"], sections, settings.seed, settings.name)
    learned = FromAll(**_document(work.path(KEPT))) if work.has(KEPT) else None
    places = study.protocol.step("report").places
    made = _reported(work, places, from_all=learned)
    page = (_document(work.path(BROWSED)) if work.has(BROWSED) else {}).get("page")
    known = {page: work.path(page)} if page and work.has(page) else {}
    return replace(made, linked={n: one.read_text(encoding="utf-8") for n, one in known.items()})


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
