"""Models in a study: where what they say is stored, and what of the study it is compared with."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from glob import escape
from pathlib import Path
from typing import Any

from plausibly.datasets.gita import ASKED, CHOICE, SWAPPED, TASKS
from plausibly.errors import StudyError, UnknownName

PREDICTIONS_FILE = "predictions.parquet"
ASKED_FILE = "ask/predictions.parquet"
COMPARED_FILE = "ask/compared.parquet"
"""What models that were asked say, as the scheme of the study compares it."""
TUNED_FOLDER = "tuned"
TUNED_FILE = f"{TUNED_FOLDER}/predictions.parquet"
"""What an encoder tuned on the study's labels predicts about items of folds it did not see."""
FITTED_KINDS = ("pp", "ds", "nn", "ppmi", "resnik", "combined")
FITTED_FILES = {kind: f"fitted/{kind}.model" for kind in FITTED_KINDS}
"""Where a study keeps the models that are fitted on counts."""
WITH_PEOPLE_FILE = "evaluate_ratings.json"
LABELS_FILE, ITEMS_FILE = "labels.parquet", "items.parquet"
SCORES_FILE = "scores.parquet"
ASKED_FOLDER, ASKED_DOCUMENT = "ask", "ask.json"
GENERATED_FOLDER, SENTENCES_FILE = "generate", "candidates.csv"

KEY_FILE = "../{study}-key.parquet"
"""Where building puts the key of a study: next to its folder."""
MANIFEST = "manifest.json"

Parameters = Mapping[str, Any]
Sections = Mapping[str, Parameters]


def judges(sections: Sections) -> tuple[str, ...]:
    """Return whose predictions a study has: named, fitted, tuned and asked models, and files.

    >>> judges({"models_predict": {"models": ["majority"], "files": ["theirs.csv"]}})
    ('majority', 'theirs.csv')
    """
    own = sections.get("models_predict", {})
    listed = [*texts(own, "models"), *texts(own, "files")]
    tuned = sections.get("models_tune", {})
    learnt = [TUNED_FILE] if tuned.get("encoder") and tuned.get("folds") else []
    listed += [FITTED_FILES[kind] for kind in fitted_kinds(sections)]
    return (*listed, *learnt, *([ASKED_FILE] if sections.get("ask", {}).get("model") else []))


def fitted_kinds(sections: Sections) -> tuple[str, ...]:
    """Return the kinds of models that a study fits on counts, each once.

    >>> fitted_kinds({"models_fit": {"kind": "pp"}}), fitted_kinds({"models_fit": {"kind": None}})
    (('pp',), ())
    """
    named = sections.get("models_fit", {}).get("kind") or []
    listed = [named] if isinstance(named, str) else texts({"kind": named}, "kind", of="models_fit")
    for kind in listed:
        if kind not in FITTED_KINDS:
            raise UnknownName("kind of model in [models_fit]", kind, FITTED_KINDS, parameter="kind")
    return tuple(dict.fromkeys(listed))


def not_fitted(sections: Sections) -> tuple[str, ...]:
    """Return the files of kinds of models that a study does not fit."""
    kinds = fitted_kinds(sections)
    return tuple(file for kind, file in FITTED_FILES.items() if kind not in kinds)


def texts(section: Mapping[str, Any], key: str, *, of: str = "models_predict") -> list[str]:
    """Return a list of texts that a section holds; raise if it is something else."""
    values = section.get(key) or []
    if not isinstance(values, Sequence) or isinstance(values, str):
        what = f"[{of}] {key} must be a list of texts; got {values!r}."
        raise StudyError(what, parameter=key)
    odd = next((one for one in values if not isinstance(one, str) or not one), None)
    if odd is not None:
        what = f"[{of}] {key} must be a list of texts; {odd!r} is not a text."
        raise StudyError(what, parameter=key)
    return list(values)


def folder_name(model: str) -> str:
    """Return a model's name in a form that a folder can have.

    >>> folder_name("openai:http://127.0.0.1:8000/v1#tiny")
    'openai-http-127.0.0.1-8000-v1-tiny'
    """
    return re.sub(r"[^\w.-]+", "-", model).strip("-")


def sentence_files(sections: Sections) -> list[str]:
    """Return the files of sentences that the models of `[generate]` write, in their order.

    >>> sentence_files({"generate": {"model": ["mock:1"]}})
    ['generate/mock-1/candidates.csv']
    """
    models = dict.fromkeys(texts(sections.get("generate", {}), "model", of="generate"))
    return [f"{GENERATED_FOLDER}/{folder_name(model)}/{SENTENCES_FILE}" for model in models]


def study_files(scheme: str, *, kept: str) -> dict[str, str]:
    """Return which files of a study a scheme is evaluated against: what is said, and the items.

    >>> study_files("pap-binary", kept="clean/ratings.parquet")
    {'against': 'labels.parquet', 'items': 'items.parquet'}
    """
    if scheme == "pap-perturbed":
        return {"against": ITEMS_FILE}
    return {"against": kept if scheme == "pap-soft" else LABELS_FILE, "items": ITEMS_FILE}


def predicts(sections: Sections, defaults: Parameters) -> bool:
    """Return whether a study has models that predict, or files of predictions."""
    del defaults
    return bool(judges(sections))


def predicted_from(parameters: Parameters) -> tuple[str, ...]:
    """Return the files that [models_predict] names: fitted models, predictions, pairs.

    A folder is a tuned model, which its model.json describes; names of shipped models are skipped.

    >>> predicted_from({"models": ["model"], "files": ["theirs.csv"], "train": None})
    ('model/model.json', 'model', 'theirs.csv')
    """
    models = [one.rstrip("/") for one in texts(parameters, "models")]
    files = [*texts(parameters, "files"), *([parameters["train"]] if parameters["train"] else [])]
    return (*(place for one in models for place in (f"{one}/model.json", one)), *files)


def has_scheme(sections: Sections, defaults: Parameters) -> bool:
    """Return whether a study has a scheme, and predictions to evaluate by it."""
    chosen = sections["evaluate"]["scheme"]
    return bool(chosen) and (bool(judges(sections)) or chosen != defaults["scheme"])


def evaluates(sections: Sections, defaults: Parameters) -> bool:
    """Return whether a study evaluates its predictions: by a scheme, or next to its people.

    >>> none = {"evaluate": {"scheme": None}, "models_predict": {"files": ["theirs.csv"]}}
    >>> evaluates(none, {"scheme": None}), evaluates(none, {"scheme": "adept-5"})
    (True, False)
    """
    return has_scheme(sections, defaults) or next_to_people(sections, defaults)


def next_to_people(sections: Sections, defaults: Parameters) -> bool:
    """Return whether predictions are put next to people: no scheme fits a protocol of one's own.

    Models that were asked are put next to people in a step of their own.
    """
    if sections["evaluate"]["scheme"] or defaults["scheme"]:
        return False
    return any(one != ASKED_FILE for one in judges(sections))


def asked_as_people(sections: Sections, defaults: Parameters) -> bool:
    """Return whether models are asked what people were asked: nobody chooses between stories."""
    del defaults
    tasks = {one.strip() for one in str(sections["ask"].get("tasks") or "").split(",")}
    return bool(sections["ask"]["model"]) and not tasks <= {CHOICE, SWAPPED}


def compares(sections: Sections, defaults: Parameters) -> bool:
    """Return whether a study has two or more models, or sets `[compare] scheme`."""
    del defaults
    if sections["compare"]["scheme"]:
        return True
    return bool(sections["evaluate"]["scheme"]) and len(judges(sections)) > 1


def scores_stories(sections: Sections, defaults: Parameters) -> bool:
    """Return whether there is something to score: answers, or models asked about the tiers."""
    del defaults
    return bool(sections["score_gita"]["answers"]) or tiers_asked(sections)


def tiers_asked(sections: Sections) -> bool:
    """Return whether models are asked about the tiers of stories."""
    asked = sections.get("ask", {})
    tasks = {one.strip() for one in str(asked.get("tasks") or TASKS[0]).split(",")}
    return bool(asked.get("model")) and bool(tasks & set(TASKS))


def story_files(parameters: Parameters) -> tuple[str, ...]:
    """Return the files a folder of answers may hold: all that a scorer would read of it."""
    stories = [str(parameters["stories"])] if parameters["stories"] else []
    folder = str(parameters["answers"])
    if not folder:
        return tuple(stories)
    kinds = (".jsonl", ".jsonl.gz")
    answers = [f"{folder}/{task}{kind}" for task in TASKS for kind in kinds]
    logs = [f"{escape(folder)}/{part}samples_*{k}" for part in ("", "*/") for k in kinds]
    return (*answers, f"{folder}/{ASKED}", f"{folder}/{MANIFEST}", *logs, *stories)


def blind_key_place(sections: Sections, named: object, folder: Path) -> Path:
    """Return where the key of a study is: where its step or its build says, or next to it."""
    built = sections.get("build", {}).get("blind_key")
    usual = KEY_FILE.format(study=folder.resolve().name)
    return folder / str(named or built or usual)


def blind_key_file(parameters: Parameters) -> tuple[str, ...]:
    """Return the key that names the system of each candidate."""
    return (str(parameters.get("blind_key") or KEY_FILE),)


def candidate_files(parameters: Parameters) -> tuple[str, ...]:
    """Return the sentences of [score_candidates], and the key that names their systems."""
    return (*texts(parameters, "candidates", of="score_candidates"), *blind_key_file(parameters))
