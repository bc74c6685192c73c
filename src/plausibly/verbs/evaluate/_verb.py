"""Predictions evaluated: against a file by a scheme, or next to the people who gave ratings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, overload

from plausibly.errors import StudyError, option
from plausibly.evaluation.pairs import Undefined
from plausibly.io import make_folder, write_text
from plausibly.io.frames import Source
from plausibly.measures.alternative_annotator import EPSILON, FEWEST
from plausibly.ratings.questions import Questions
from plausibly.ratings.sources import Ratings
from plausibly.study.verb import Output, declared, verb
from plausibly.verbs.evaluate._labels import RESAMPLES, Evaluated, evaluate_labels
from plausibly.verbs.evaluate._ratings import EvaluatedWithPeople, evaluate_ratings
from plausibly.verbs.evaluate._study import AGAINST_LABELS, NEXT_TO_PEOPLE

OF_FILE = ("against", "scheme", "relation", "train", "undefined", "clusters")
OF_CLASSES = ("examples", "figures")
OF_RATINGS = (
    *("items", "graded", "epsilon", "fewest", "questions", "format", "columns", "missing"),
)


@overload
def evaluate(
    predictions: Source,
    *,
    against: str | Path,
    scheme: str,
    items: str | Path | None = None,
    relation: str | None = None,
    train: str | Path | None = None,
    undefined: Undefined | None = None,
    clusters: str | None = None,
    examples: int = 0,
    figures: str | Path | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Evaluated: ...


@overload
def evaluate(
    predictions: Source,
    *,
    ratings: Ratings,
    items: Source | None = None,
    graded: bool = False,
    epsilon: float = EPSILON,
    fewest: int = FEWEST,
    resamples: int = RESAMPLES,
    seed: int = 0,
    questions: Questions | str | Path | None = None,
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
) -> EvaluatedWithPeople: ...


@verb(
    reads={"predictions": "predictions", "items": "items", "ratings": "ratings"},
    names={"scheme": "plausibly.evaluation.truth:SCHEMES"},
    output=Output(
        ("scores", "people"),
        help="Table to write: scores or, with --ratings, the test's numbers for each person.",
    ),
    places=("figures",),
    unset=("figures", "questions"),
    study=AGAINST_LABELS,
)
def evaluate(
    predictions: Source,
    *,
    against: str | Path | None = None,
    scheme: str | None = None,
    ratings: Ratings | None = None,
    items: Source | None = None,
    relation: str | None = None,
    train: str | Path | None = None,
    undefined: Undefined | None = None,
    clusters: str | None = None,
    examples: int = 0,
    figures: str | Path | None = None,
    graded: bool = False,
    epsilon: float = EPSILON,
    fewest: int = FEWEST,
    resamples: int = RESAMPLES,
    seed: int = 0,
    questions: Questions | str | Path | None = None,
    format: str = "auto",
    columns: Mapping[str, str] | None = None,
    missing: str | None = None,
) -> Evaluated | EvaluatedWithPeople:
    r"""Evaluate predictions against what people say: every measure with its 95 % interval and n.

    With `against` and `scheme`, items without a prediction are left out, and coverage shows how
    many a model predicts. With `ratings`, which need annotators, every model is compared with
    people: agreement, the alternative-annotator test with what it concludes about people (each in
    turn treated as the model), how many raters a model is worth, and where it departs from
    people: by condition and language, and on the items it is most certain about.

    Args:
        predictions: Predictions table, of one model or several, such as the predictions.parquet of
            `ask`; with a scheme also ratings, every annotator as a model.
        against: File with what people say; a folder of relations for sp10k; a study's labels, or
            its ratings for pap-soft.
        scheme: How predictions are compared with what people say: sp10k, adept-5, adept-4,
            adept-3, pap-binary, pap-soft, pap-perturbed or events.
        ratings: People's ratings, in place of against and scheme: a file, a table, or a study,
            whose kept ratings and form are used.
        items: Items table: of the study whose labels or ratings the file holds, or, with ratings,
            for the columns condition, language, item_group and text.
        relation: Relation of the pairs in a file without header (sp10k).
        train: Pairs the model learnt from (adept); pairs it met there are then evaluated
            separately.
        undefined: Heads without a correlation, because the model's scores are all the same (sp10k):
            drop them, or count them as zero (default: drop).
        clusters: Column whose equal values are drawn and exchanged together, or item for none
            (default: noun for adept, head for sp10k, verb for events and pap, if there is one).
        examples: Number of correct and of incorrect predictions to list for each model, with their
            texts (adept).
        figures: Folder for a drawing of each model's confusion matrix (adept).
        graded: Compare answers as numbers, not as categories (with ratings). Questions with more
            than 11 different numeric answers, such as sliders, always are.
        epsilon: Margin of the alternative-annotator test (with ratings). The model may win less
            often by this share.
        fewest: Minimum number of items that people in the test share with others (with ratings).
        resamples: Number of resamples for the intervals; 0 for none.
        seed: Seed for everything drawn at random.
        questions: TOML file, or mapping, with a table for each question of the ratings: scale,
            order, unsure (default: as the study declares it if ratings name one, else inferred
            from the answers).
        format: Format of the file of ratings.
        columns: Maps our column names to the file's, where they differ.
        missing: Additional answers to treat as missing, besides NA, N/A, NaN, None and blanks,
            separated by commas.

    Examples:
        plausibly evaluate p.parquet --against val.json --scheme adept-5 --examples 3 --figures out
        plausibly evaluate answers/predictions.parquet --ratings ratings.parquet --graded

    >>> import polars as pl, tempfile
    >>> said = pl.DataFrame({"item": ["dog eat bone", "bone eat dog"],
    ...                      "question": ["plausible"] * 2,
    ...                      "model": ["guess"] * 2, "score": [0.9, 0.2]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     events = Path(folder, "events.csv")
    ...     _ = events.write_text("subject,verb,object,label\ndog,eat,bone,1\nbone,eat,dog,0\n")
    ...     evaluate(said, against=events, scheme="events", resamples=0).as_json()["auc"]["value"]
    1.0
    >>> people = pl.DataFrame({"item": ["x", "x", "y", "y"], "annotator": ["a", "b"] * 2,
    ...                        "answer": [1, 1, 5, 4]})
    >>> said = pl.DataFrame({"item": ["x", "y"], "question": ["rating"] * 2, "model": ["m"] * 2,
    ...                      "label": ["1", "5"]})
    >>> evaluated = evaluate(said, ratings=people, fewest=2)
    >>> evaluated.as_json()["models"][0]["agreement"]["with_people"]
    0.75
    """
    options: dict[str, Any] = locals()
    _check_choice(options)
    drawn: dict[str, Any] = {"resamples": resamples, "seed": seed}
    if ratings is not None:
        own = {name: options[name] for name in OF_RATINGS}
        return evaluate_ratings(predictions, ratings=ratings, **own, **drawn)
    if items is not None and not isinstance(items, str | Path):
        what = f"{option('items')} must be a file if {option('against')} is one; got a table."
        raise StudyError(what, parameter="items")
    own = {name: options[name] for name in (*OF_FILE, "items", "examples")}
    result = evaluate_labels(predictions, **own, **drawn)
    if figures is not None:
        _draw(result, Path(figures))
    return result


def _draw(result: Evaluated, folder: Path) -> None:
    """Write the confusion matrices into a folder; raise if the scheme has none."""
    if not result.documents:
        raise StudyError(
            f"{option('figures')} draws confusion matrices; this scheme has no classes.",
            parameter="figures",
        )
    make_folder(folder)
    for name, drawing in result.documents.items():
        write_text(folder / name, str(drawing))


def _check_choice(options: Mapping[str, Any]) -> None:
    """Raise unless predictions are compared with a file or with ratings, and not both.

    >>> _check_choice({"ratings": "r.csv", "against": "gold.csv"})
    Traceback (most recent call last):
    plausibly.errors.StudyError: against= and ratings= exclude each other: \
pass against= and scheme=, or ratings=.
    """
    either = f"pass {option('against')} and {option('scheme')}, or {option('ratings')}."
    if options.get("ratings") is not None:
        named = [name for name in OF_FILE if options.get(name) is not None]
        odd = next(iter([*named, *(name for name in OF_CLASSES if options.get(name))]), None)
        if odd is not None:
            both = f"{option(odd)} and {option('ratings')}"
            raise StudyError(f"{both} exclude each other: {either}", parameter=odd)
        return
    lacking = next((name for name in OF_FILE[:2] if options.get(name) is None), None)
    if lacking is not None:
        raise StudyError(f"{option(lacking)} is missing: {either}", parameter=lacking)
    for name in ("graded", "questions"):
        if options.get(name):
            what = f"{option(name)} is only for {option('ratings')}; a scheme fixes how."
            raise StudyError(what, parameter=name)


STEP = declared(evaluate)
# The models that a study asked, next to its people: a step and a section of their own.
RATINGS_STEP = replace(
    STEP,
    words="evaluate ratings",
    reads={"predictions": "ask/predictions", "ratings": "ratings", "items": "items"},
    study=NEXT_TO_PEOPLE,
)
