"""A person next to the models: one annotator's ratings read as predictions."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from plausibly.datasets import pap
from plausibly.errors import StudyError, TableError
from plausibly.io.files import check_rows
from plausibly.io.frames import Source, as_frame, is_path
from plausibly.io.rows import read_rows
from plausibly.tables import PREDICTIONS, RATINGS


def judgements(source: Source, scheme: str) -> pl.DataFrame:
    """Return a predictions table; ratings (a column `annotator`, none `model`) become one.

    Every annotator is then a model of that name, and an answer is what a model would have said:
    a label, for sp10k a score, for the schemes of PAP the side it is on or all of its probability.

    Args:
        source: Predictions or ratings, as a path or a table.
        scheme: How they will be scored.

    >>> rated = pl.DataFrame({"item": ["7"], "annotator": ["anna"], "question": ["effect"],
    ...                       "answer": ["impossible"]})
    >>> judgements(rated, "adept-5").select("item", "model", "label").rows()
    [('7', 'anna', 'impossible')]
    """
    if is_path(source):
        rows = read_rows(Path(str(source)))
        if not _are_ratings(rows.frame):
            return check_rows(rows, PREDICTIONS)
        return as_predictions(check_rows(rows, RATINGS), scheme, where=str(source))
    frame = as_frame(source, where="predictions")
    if not _are_ratings(frame):
        return PREDICTIONS.sort(PREDICTIONS.check(frame))
    return as_predictions(RATINGS.check(frame), scheme, where="ratings")


def with_distinct_names(parts: Sequence[tuple[str, pl.DataFrame]]) -> pl.DataFrame:
    """Return all predictions in one table; a name two parts share is told apart by the part's.

    Args:
        parts: Name of a file, or whatever tells a part from another, with its predictions.

    Raises:
        StudyError: If two parts of one name hold predictions of one model.

    >>> one = pl.DataFrame({"item": ["7"], "question": ["effect"], "model": ["pp"]})
    >>> with_distinct_names([("small", one), ("large", one)])["model"].to_list()
    ['small:pp', 'large:pp']
    """
    names = [set(table["model"].unique()) for _, table in parts]
    shared = {
        name for n, own in enumerate(names) for other in names[n + 1 :] for name in own & other
    }
    renamed = []
    for own, table in parts:
        renamed_model = pl.when(pl.col("model").is_in(list(shared))).then(
            pl.concat_str(pl.lit(f"{own}:"), "model")
        )
        renamed.append(table.with_columns(model=renamed_model.otherwise("model")))
    everything = pl.concat(renamed, how="diagonal") if renamed else PREDICTIONS.empty()
    twice = everything.select(PREDICTIONS.key).is_duplicated()
    if twice.any():
        own, _, model = everything["model"][int(twice.arg_true()[0])].partition(":")
        raise StudyError(
            f"predictions of the model {model!r} are in two files named {own!r}. Name a file "
            "once, or rename one."
        )
    return everything


def sentence_by_sentence(predictions: pl.DataFrame) -> pl.DataFrame:
    """Return GITA's conflicts as people are asked about them: one sentence, then the other.

    Models choose between pairs of sentences counted from 0, people name each counted from 1.

    >>> said = pl.DataFrame({"item": ["s"], "question": ["conflict"], "model": ["m"],
    ...                      "label": ["1 and 3"]})
    >>> sentence_by_sentence(said).select("question", "label").rows()
    [('conflict_sentence', '2'), ('breakpoint', '4')]
    """
    of_conflict = pl.col("question") == "conflict"
    places = pl.col("label").str.extract_groups(r"^(\d+) and (\d+)$").struct
    parts = [
        predictions.filter(of_conflict).with_columns(
            question=pl.lit(question),
            label=(places.field(group).cast(pl.Int64) + 1).cast(pl.String),
        )
        for group, question in (("1", "conflict_sentence"), ("2", "breakpoint"))
    ]
    return pl.concat([predictions.filter(~of_conflict), *parts])


def on_sides(predictions: pl.DataFrame) -> pl.DataFrame:
    """Return grades of PAP as the sides they are on, which two labels are compared by.

    >>> grades = pl.DataFrame({"item": ["dog eats ladder"], "label": ["2"],
    ...                        "distribution": ['{"1": 0.25, "2": 0.5, "4": 0.25}']})
    >>> on_sides(grades).row(0)
    ('dog eats ladder', '0', '{"0": 0.75, "1": 0.25}')
    """
    sides = pap.BINARY.of
    shares: list[str | None] = []
    for text in predictions["distribution"]:
        grades = json.loads(text) if text is not None else None
        if grades is None or not set(grades) <= set(sides):
            shares.append(text)
            continue
        both = dict.fromkeys(("0", "1"), 0.0)
        for grade, share in grades.items():
            both[str(sides[grade])] += share
        shares.append(json.dumps(both))
    return predictions.with_columns(
        label=pl.Series([sides.get(one) for one in predictions["label"]], dtype=pl.String),
        distribution=pl.Series(shares, dtype=pl.String),
    )


def _are_ratings(frame: pl.DataFrame) -> bool:
    return "annotator" in frame.columns and "model" not in frame.columns


def as_predictions(ratings: pl.DataFrame, scheme: str, *, where: str) -> pl.DataFrame:
    """Return the answers of every annotator as predictions under a scheme."""
    questions = ratings["question"].unique().sort().to_list()
    if len(questions) > 1:
        raise TableError(
            f"{where}: ratings of {len(questions)} questions ({', '.join(questions)}). "
            "Keep only the rows of the one to evaluate."
        )
    answers = ratings["answer"].to_list()
    table = ratings.select("item", "question", model="annotator", label="answer")
    if scheme == "sp10k":
        table = table.with_columns(
            label=pl.lit(None, dtype=pl.String), score=_numbers(ratings, where=where)
        )
    elif scheme in ("pap-binary", "pap-perturbed"):
        sides = [pap.BINARY.of.get(answer) for answer in answers]
        table = table.with_columns(
            label=pl.Series(sides, dtype=pl.String), score=_numbers(ratings, where=where)
        )
    elif scheme == "pap-soft":
        whole = [json.dumps({answer: 1.0}) for answer in answers]
        table = table.with_columns(distribution=pl.Series(whole, dtype=pl.String))
    return PREDICTIONS.sort(PREDICTIONS.check(table))


def _numbers(ratings: pl.DataFrame, *, where: str) -> pl.Series:
    """Return the answers as numbers: their value, or the answer itself if it is one."""
    value = ratings["value"] if "value" in ratings.columns else None
    number = ratings["answer"].cast(pl.Float64, strict=False)
    score = number if value is None else value.cast(pl.Float64).fill_null(number)
    if score.null_count():
        first = ratings["answer"][int(score.is_null().arg_true()[0])]
        raise TableError(
            f"{where}: the answer {first!r} is not a number and has no value. This scheme "
            "needs one; add a column 'value' to the ratings."
        )
    return score
