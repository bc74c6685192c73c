"""Evaluation in a study: its models against its labels, and next to its people."""

from __future__ import annotations

from plausibly.errors import StudyError
from plausibly.evaluation.in_study import (
    COMPARED_FILE,
    LABELS_FILE,
    PREDICTIONS_FILE,
    WITH_PEOPLE_FILE,
    asked_as_people,
    evaluates,
    study_files,
)
from plausibly.evaluation.people import on_sides
from plausibly.measures.alternative_annotator import EPSILON, FEWEST
from plausibly.ratings.questions import study_facts
from plausibly.study.results import finite
from plausibly.study.steps import Work
from plausibly.study.verb import InStudy, Places
from plausibly.tables import PREDICTIONS, RATINGS, SCORES
from plausibly.verbs.evaluate._labels import RESAMPLES, evaluate_labels
from plausibly.verbs.evaluate._ratings import evaluate_ratings, unshared

SCORED = "scores.parquet"
TWO_SIDES = ("pap-binary", "pap-perturbed")


def _against_labels(work: Work, places: Places) -> None:
    chosen = {name: value for name, value in work.parameters.items() if value is not None}
    if not chosen.get("scheme"):
        _without_scheme(work, places)
        return
    files = study_files(str(chosen.get("scheme", "")), kept=places["ratings"])
    if "train" in chosen:
        files["train"] = str(chosen.pop("train"))
    chosen |= {name: work.path(one) for name, one in files.items()}
    if not work.has(PREDICTIONS_FILE):
        raise StudyError(
            f"{work.path('study.toml')}: nothing to evaluate. "
            "Name models or files in [models_predict]."
        )
    result = evaluate_labels(work.path(PREDICTIONS_FILE), seed=work.seed, **chosen)
    work.write(SCORED, result.scores, SCORES)
    work.write_json("evaluate.json", finite(result.as_json()))


def _without_scheme(work: Work, places: Places) -> None:
    """Put the models of a study without a scheme next to its people."""
    said = work.read(PREDICTIONS_FILE, PREDICTIONS)
    people = work.read(places["ratings"], RATINGS)
    if said.join(people, on=["item", "question"], how="semi").is_empty():
        what = f"Models were not evaluated. {unshared(people, said)}"
        work.notes.append(what)
        work.write(SCORED, SCORES.empty(), SCORES)
        work.write_json("evaluate.json", {"models": [], "ways": [], "reason": what})
        return
    known = work.path(places["items"]) if work.has(places["items"]) else None
    limits = {
        **work.settings.get("evaluate_ratings", {}),
        "resamples": work.parameters["resamples"],
    }
    result = evaluate_ratings(
        work.path(PREDICTIONS_FILE),
        ratings=work.path(places["ratings"]),
        items=known,
        facts=study_facts(work),
        seed=work.seed,
        **limits,
    )
    work.write(SCORED, SCORES.sort(result.kept_scores), SCORES)
    work.write_json("evaluate.json", finite(result.as_json()))


def _next_to_people(work: Work, places: Places) -> None:
    asked, people = (work.path(places[name]) for name in ("predictions", "ratings"))
    known = work.path(places["items"]) if work.has(places["items"]) else None
    more = {**work.parameters, "facts": study_facts(work)}
    result = evaluate_ratings(asked, ratings=people, items=known, seed=work.seed, **more)
    work.write_json(WITH_PEOPLE_FILE, finite(result.as_json()))
    said = work.read(places["predictions"], PREDICTIONS)
    two = work.settings.get("evaluate", {}).get("scheme") in TWO_SIDES
    work.write(COMPARED_FILE, on_sides(said) if two else said, PREDICTIONS)


AGAINST_LABELS = InStudy(
    run=_against_labels,
    keys={
        "scheme": None,
        "train": None,
        "undefined": None,
        "clusters": None,
        "examples": 0,
        "resamples": RESAMPLES,
    },
    inputs=(LABELS_FILE,),
    outputs=(SCORED, "evaluate.json"),
    wanted=evaluates,
    heeds=("form", "questions", "evaluate_ratings"),
)
NEXT_TO_PEOPLE = InStudy(
    run=_next_to_people,
    keys={"graded": False, "epsilon": EPSILON, "fewest": FEWEST, "resamples": RESAMPLES},
    outputs=(WITH_PEOPLE_FILE, COMPARED_FILE),
    wanted=asked_as_people,
    heeds=("evaluate.scheme", "form", "questions"),
    begins="[ask] model",
)
